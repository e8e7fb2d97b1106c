^ERROR: division by 0 near operator '/' at script\.stp:10:31 \(called from identifier 'inner' at script\.stp:9:28\) \(called from identifier 'outer' at script\.stp:7:10\) in probe process\(".*/prog"\)\.function\("say@.*prog\.c:3"\)$
^WARNING: Number of errors: 1, skipped probes: 0
^WARNING: Strings cut: 2 \(a string holds 15 bytes, see -D MAXSTRINGLEN=32\)
^WARNING: Strings cut near identifier 'user_string' at script\.stp:6:17: 2$
