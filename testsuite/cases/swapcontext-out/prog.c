/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Two contexts switch back and forth from inside a function whose returns are probed. */
#include <stdio.h>
#include <ucontext.h>

static ucontext_t main_context, worker_context;
static char stack[65536];
static int steps;

__attribute__((noinline)) int yield_to(ucontext_t *from, ucontext_t *to)
{
	steps++;
	swapcontext(from, to);
	return steps;
}

static void worker(void)
{
	for (int i = 0; i < 3; i++)
		yield_to(&worker_context, &main_context);
}

int main(void)
{
	getcontext(&worker_context);
	worker_context.uc_stack.ss_sp = stack;
	worker_context.uc_stack.ss_size = sizeof stack;
	worker_context.uc_link = &main_context;
	makecontext(&worker_context, worker, 0);
	for (int i = 0; i < 4; i++)
		yield_to(&main_context, &worker_context);
	printf("steps %d\n", steps);
	return 0;
}
