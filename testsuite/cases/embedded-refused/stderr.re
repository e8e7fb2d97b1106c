^script\.stp:5:19: error: .nowhere. undeclared \(first use in this function\) \[embedded\]$
^    5 \| 		STAP_RETURN\(7 \+	nowhere\);$
^      \| 		               	\^~~~~~~$
^Pass 4: compilation failed
