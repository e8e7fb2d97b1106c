/* SPDX-License-Identifier: GPL-2.0-or-later */
/* As in chain-signal: musl has no rows for the code that handlers return to. */
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>

static sigjmp_buf back;
volatile int out;

__attribute__((noinline)) int probed(int n)
{
	return out + n;
}

__attribute__((noinline)) static void handler(int signal)
{
	out = probed(signal);
	siglongjmp(back, 1);
}

__attribute__((noinline)) int faulty(volatile int *at)
{
	return *at + out;
}

__attribute__((noinline)) int caller(int *at)
{
	return faulty(at) + 1;
}

static void round_of(int flags)
{
	struct sigaction action = { .sa_handler = handler, .sa_flags = flags };

	sigaction(SIGSEGV, &action, NULL);
	if (!sigsetjmp(back, 1))
		out = caller(NULL);
}

int main(void)
{
	stack_t alternate = { .ss_sp = malloc(65536), .ss_size = 65536 };

	sigaltstack(&alternate, NULL);
	round_of(0);
	round_of(SA_ONSTACK);
	return 0;
}
