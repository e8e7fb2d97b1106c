^ERROR: probe overhead exceeded threshold in probe process\(.*\)\.function\("step@.*"\).* \([0-9]+ of [0-9]+ cycles; limit 1000, see -D STP_OVERLOAD_THRESHOLD=2000 or -D STP_NO_OVERLOAD\)$
