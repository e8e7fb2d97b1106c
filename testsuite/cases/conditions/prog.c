/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Functions that switch a probe of work() on and off, in the program and in a fork child of it. */
#include <sys/wait.h>
#include <unistd.h>

volatile int out;
__attribute__((noinline)) void work(int i) { out += i; }
__attribute__((noinline)) void on(void) { out++; }
__attribute__((noinline)) void off(void) { out--; }
/* where the probe is taken out and put in again, that is done behind the program's back */
static void settle(void) { usleep(300000); }

static void child(void)
{
	work(100);
	off();
	work(101);
	_exit(0);
}

int main(void)
{
	pid_t pid;

	for (int i = 0; i < 10; i++)
		work(i);
	on();
	settle();
	for (int i = 10; i < 13; i++)
		work(i);
	pid = fork();
	if (!pid)
		child();
	waitpid(pid, 0, 0);
	settle();
	for (int i = 20; i < 23; i++)
		work(i);
	on();
	settle();
	work(30);
	return 0;
}
