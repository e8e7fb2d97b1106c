^WARNING: Number of errors: 5, skipped probes: 0
!ERROR
