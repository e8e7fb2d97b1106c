^WARNING: Skipped due to low stack: 6$
