/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A timer's signal arrives amid probe handlers, and its handler has hits of its own: on an alternate stack above the
 * program's, with a frame larger than most stacks of tracers; it forks; it jumps away.
 */
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#define CALLS 300000

static volatile int done, children, bad;
static sigjmp_buf top;

__attribute__((noinline)) int work(volatile int v)
{
	return v + 1;
}

__attribute__((noinline)) int lost(volatile int v)
{
	return v + 1;
}

__attribute__((noinline)) int in_handler(volatile int v)
{
	return v + 1;
}

static void plain(int signal)
{
	for (int i = 0; i < 10; i++)
		done = in_handler(signal);
}

static void large(int signal)
{
	volatile char frame[300000];

	memset((void *)frame, signal, sizeof(frame));
	done = in_handler(frame[signal]);
}

static void forks(int signal)
{
	int status;
	pid_t pid;

	if (children++ > 100)
		return;
	pid = fork();
	if (!pid) {
		for (int i = 0; i < 100; i++)
			in_handler(signal);
		_exit(7);
	}
	if (waitpid(pid, &status, 0) != pid || !WIFEXITED(status) || WEXITSTATUS(status) != 7)
		bad++;
}

static void jumps(int signal)
{
	in_handler(signal);
	siglongjmp(top, 1);
}

static void timer(int us)
{
	struct itimerval t = { { 0, us }, { 0, us } };

	setitimer(ITIMER_REAL, &t, NULL);
}

static void round_of(const char *name, void (*handler)(int), int flags)
{
	struct sigaction action = { .sa_handler = handler, .sa_flags = SA_RESTART | flags };
	long sum = 0;

	sigaction(SIGALRM, &action, NULL);
	timer(500);
	for (int i = 0; i < CALLS; i++)
		sum += work(i & 7);
	timer(0);
	printf("%s: %ld\n", name, sum);
}

/* Runs on a stack of its own, with the alternate signal stack just above. */
static ucontext_t there, back;
static char *stacks;

static void on_low_stack(void)
{
	stack_t alternate = { .ss_sp = stacks + 131072, .ss_size = 131072 };

	sigaltstack(&alternate, NULL);
	round_of("alternate", plain, SA_ONSTACK);
	alternate.ss_flags = SS_DISABLE;
	sigaltstack(&alternate, NULL);
	swapcontext(&there, &back);
}

static void jump_rounds(void)
{
	struct sigaction action = { .sa_handler = jumps };
	volatile int n = 0;

	sigaction(SIGALRM, &action, NULL);
	if (sigsetjmp(top, 1) == 0)
		timer(500);
	if (n++ < 300)
		for (;;)
			lost(1);
	timer(0);
	printf("jumps: %d\n", n);
}

int main(void)
{
	stacks = mmap(NULL, 262144, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	getcontext(&there);
	there.uc_stack.ss_sp = stacks;
	there.uc_stack.ss_size = 131072;
	makecontext(&there, on_low_stack, 0);
	swapcontext(&back, &there);
	round_of("plain", plain, 0);
	round_of("large", large, 0);
	round_of("forks", forks, 0);
	printf("bad children: %d\n", bad);
	fflush(stdout);
	jump_rounds();
	return 0;
}
