entry: leaf middle main
body: leaf middle main
exit: leaf middle main
bottom\+0x[0-9a-f]+
down\+0x[0-9a-f]+
down\+0x[0-9a-f]+
down\+0x[0-9a-f]+
down\+0x[0-9a-f]+
down\+0x[0-9a-f]+
down\+0x[0-9a-f]+
down\+0x[0-9a-f]+
reached end of stack before unwinding to level 8
reached end of stack before unwinding to level 8
reached end of stack before unwinding to level -1
