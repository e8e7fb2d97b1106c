top: 1\.function\("inl@[^"]*/prog\.c:8"\)
top: 1\.function\("leaf@[^"]*/prog\.c:5"\)
top: 2\.function\("mid@[^"]*/prog\.c:6"\)
main, two levels: 1\.function\("main@[^"]*/prog\.c:34"\)\.callee\("leaf@[^"]*/prog\.c:5"\)
main, two levels: 1\.function\("main@[^"]*/prog\.c:34"\)\.callee\("rec@[^"]*/prog\.c:10"\)
main, two levels: 1\.function\("main@[^"]*/prog\.c:34"\)\.callee\("top@[^"]*/prog\.c:18"\)
main, two levels: 1\.function\("rec@[^"]*/prog\.c:10"\)\.callee\("rec@[^"]*/prog\.c:10"\)
main, two levels: 1\.function\("top@[^"]*/prog\.c:18"\)\.callee\("inl@[^"]*/prog\.c:8"\)
main, two levels: 1\.function\("top@[^"]*/prog\.c:18"\)\.callee\("leaf@[^"]*/prog\.c:5"\)
main, two levels: 2\.function\("top@[^"]*/prog\.c:18"\)\.callee\("mid@[^"]*/prog\.c:6"\)
leaf\(x=0x0\): 1
leaf\(x=0x3\): 2
leaf\(x=0x4\): 1
rec\(n=0x0\): 1
rec\(n=0x1\): 1
leaf\(7\) returned 8
1\.function\("top@[^"]*/prog\.c:27"\)\.label\("done"\)
