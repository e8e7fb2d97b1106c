 0x[0-9a-f]+ : probed\+0x0/0x[0-9a-f]+ \[/.*/liblate.so\]
 0x[0-9a-f]+ \[/.*/prog\+0x1[0-9a-f]{3}/0x[0-9a-f]+\]
 0x[0-9a-f]+ : enter\+0x[0-9a-f]+/0x[0-9a-f]+ \[/.*/liblate.so\]
 0x[0-9a-f]+ \[/.*/prog\+0x1[0-9a-f]{3}/0x[0-9a-f]+\]
 0x[0-9a-f]+.* \[/.*libc.*\]
 0x[0-9a-f]+.* \[/.*libc.*\]
 0x[0-9a-f]+ \[/.*/prog\+0x1[0-9a-f]{3}/0x[0-9a-f]+\]
probed\+0x0 \[liblate.so\]
0x[0-9a-f]+ \[prog\+0x1[0-9a-f]{3}\]
enter\+0x[0-9a-f]+ \[liblate.so\]
0x[0-9a-f]+ \[prog\+0x1[0-9a-f]{3}\]
.* \[libc.*\]
.* \[libc.*\]
0x[0-9a-f]+ \[prog\+0x1[0-9a-f]{3}\]
probed\+0x0/0x[0-9a-f]+ \[/.*/liblate.so\]
0x[0-9a-f]+ \[/.*/prog\+0x1[0-9a-f]{3}/0x[0-9a-f]+\]
1401
module cannot be found
umodaddr 0x1 unknown
umodbuildid 0x1 unknown
0x1 0x1
