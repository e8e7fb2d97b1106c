gcc -g -O2 -pthread prog.c -o prog
