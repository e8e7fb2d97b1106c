gcc -g -O1 -fno-optimize-sibling-calls prog.c -o prog
