/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lines of a log, one after the other. */
__attribute__((noinline)) void say(const char *line)
{
	__asm__ volatile("" : : "r"(line));
}

int main(void)
{
	say("GET /index.html 200");
	say("nothing of that kind");
	say("POST /form?x=1 404");
	return 0;
}
