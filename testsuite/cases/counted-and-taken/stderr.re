!skipped
!ERROR
