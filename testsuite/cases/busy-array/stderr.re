!ERROR
!skipped
