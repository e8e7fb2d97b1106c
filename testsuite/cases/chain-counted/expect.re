 0x[0-9a-f]+ : probed\+0x0/0x[0-9a-f]+ \[/.*/prog\]
 0x[0-9a-f]+ : (one|other)_way\+0x[0-9a-f]+/0x[0-9a-f]+ \[/.*/prog\]
 0x[0-9a-f]+ : probed\+0x0/0x[0-9a-f]+ \[/.*/prog\]
 0x[0-9a-f]+ : (one|other)_way\+0x[0-9a-f]+/0x[0-9a-f]+ \[/.*/prog\]
 0x[0-9a-f]+ : probed\+0x0/0x[0-9a-f]+ \[/.*/prog\]
 0x[0-9a-f]+ : (one|other)_way\+0x[0-9a-f]+/0x[0-9a-f]+ \[/.*/prog\]
 0x[0-9a-f]+ : probed\+0x0/0x[0-9a-f]+ \[/.*/prog\]
 0x[0-9a-f]+ : (one|other)_way\+0x[0-9a-f]+/0x[0-9a-f]+ \[/.*/prog\]
probed\+one_way 200
probed\+other_w 200
400
