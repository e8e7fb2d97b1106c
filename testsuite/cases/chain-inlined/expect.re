 0x[0-9a-f]+ : probed\+0x0/0x[0-9a-f]+ at /.*/prog.c:4 \[/.*/prog\]
 0x[0-9a-f]+ : innermost\+0x[0-9a-f]+/0x[0-9a-f]+ \(inlined\) at /.*/prog.c:7 \[/.*/prog\]
 0x[0-9a-f]+ : between\+0x[0-9a-f]+/0x[0-9a-f]+ \(inlined\) at /.*/prog.c:12 \[/.*/prog\]
 0x[0-9a-f]+ : outer\+0x[0-9a-f]+/0x[0-9a-f]+ at /.*/prog.c:16 \[/.*/prog\]
 0x[0-9a-f]+ : main\+0x[0-9a-f]+/0x[0-9a-f]+ at /.*/prog.c:22 \[/.*/prog\]
 0x[0-9a-f]+.* \[/.*libc.*\]
 0x[0-9a-f]+.* \[/.*libc.*\]
 0x[0-9a-f]+ : _start\+0x[0-9a-f]+/0x[0-9a-f]+ \[/.*/prog\]
probed\+0x0
innermost\+0x[0-9a-f]+ \(inlined\)
between\+0x[0-9a-f]+ \(inlined\)
outer\+0x[0-9a-f]+
main\+0x[0-9a-f]+
.*
.*
_start\+0x[0-9a-f]+
probed\+0x0 \[prog\]
innermost\+0x[0-9a-f]+ \(inlined\) \[prog\]
between\+0x[0-9a-f]+ \(inlined\) \[prog\]
outer\+0x[0-9a-f]+ \[prog\]
main\+0x[0-9a-f]+ \[prog\]
.* \[libc.*\]
.* \[libc.*\]
_start\+0x[0-9a-f]+ \[prog\]
/.*/prog.c:7 /.*/prog.c 7 0x1
10x10x1
