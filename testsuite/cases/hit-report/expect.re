n 111
----- probe hit report: 
process\("[^"]*/prog"\)\.function\("half@[^"]*prog\.c:5"\), \(script\.stp:5:1\), hits: 5, (nsecs|cycles): \d+min/\d+avg/\d+max, variance: \d+, from: halves = process\("[^"]*/prog"\)\.function\("half"\) from: halves, index: 0
process\("[^"]*/prog"\)\.function\("half@[^"]*prog\.c:5"\)\.return, \(script\.stp:6:1\), hits: 5, (nsecs|cycles): [1-9]\d*min/\d+avg/\d+max, variance: \d+, from: process\("[^"]*/prog"\)\.function\("half"\)\.return, index: 1
process\("[^"]*/prog"\)\.function\("main@[^"]*prog\.c:18"\), \(script\.stp:7:1\), hits: 1, (nsecs|cycles): \d+min/\d+avg/\d+max, variance: 0, from: process\("[^"]*/prog"\)\.function\("m\*"\), index: 2
end, \(script\.stp:9:1\), hits: 1, (?:nsecs|cycles): (\d+)min/\1avg/\1max, variance: 0, from: end, index: 5
----- module init report:
hits: 1, (?:nsecs|cycles): (\d+)min/\1avg/\1max, variance: 0
