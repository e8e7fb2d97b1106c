g++ -g -O1 -fno-optimize-sibling-calls prog.cc -o prog
