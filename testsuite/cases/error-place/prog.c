/* SPDX-License-Identifier: GPL-2.0-or-later */
volatile int out;
__attribute__((noinline)) void say(const char *s, int n) { out = s[0] + n; }
int main(void) { say("a string of some length", 0); say("a string of some length", 2); return 0; }
