/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the module tests probe: one static program, told by its first word what to do. */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#define KEEP __attribute__((noinline, noclone, used))

/* A literal in pages of its own, far from all that is touched: nothing brings it in before the probe asks. */
static const struct {
	char before[256 << 10];
	char text[64];
	char after[256 << 10];
} far __attribute__((aligned(4096))) = { "x", "a literal whose page nobody has touched", "y" };

void say(const char *text);
long both(long a, double b);
long twice(long n);
void marked(void);
void inside(void);
extern volatile unsigned short gate;

KEEP void say(const char *text)
{
	__asm__ volatile("" : : "r"(text) : "memory");
}

/* A function whose return instruction has a name. */
__asm__(".text\n.globl twice, twice_ret\n.type twice, @function\n"
	"twice: lea (%rdi,%rdi), %rax\ntwice_ret: ret\n.size twice, . - twice\n");

/* A mark: a nop, and the semaphore that says whether anyone looks. */
__asm__(".text\n.globl marked, mark_nop\n.type marked, @function\n"
	"marked: \nmark_nop: nop\nret\n.size marked, . - marked\n"
	".section .probes, \"aw\"\n.globl gate\n.balign 2\ngate: .short 0\n.text\n");

KEEP long both(long a, double b)
{
	__asm__ volatile("" : : "r"(a), "x"(b) : "memory");
	return a;
}

/* Leaves by swapcontext, and is never returned to. */
static ucontext_t home, away;
__asm__(".text\n.globl inside, inside_ret\n.type inside, @function\n"
	"inside: push %rbx\ncall leave\npop %rbx\ninside_ret: ret\n.size inside, . - inside\n");
void leave(void);
KEEP void leave(void)
{
	swapcontext(&away, &home);
}

static int swap(void)
{
	static char stack[1 << 16];

	for (int i = 0; i < 3; i++) {
		getcontext(&away);
		away.uc_stack.ss_sp = stack;
		away.uc_stack.ss_size = sizeof(stack);
		away.uc_link = &home;
		makecontext(&away, inside, 0);
		swapcontext(&home, &away);
	}
	puts("swapped");
	return 7;
}

/* The semaphore, seen from inside, for a while. */
static int watch_gate(int ms)
{
	unsigned last = 99;

	setvbuf(stdout, NULL, _IOLBF, 0);
	for (int i = 0; i < ms / 10; i++) {
		if (gate != last)
			printf("gate %u\n", last = gate);
		if (gate)
			marked();
		usleep(10000);
	}
	return 0;
}

/* A process of its own and a child's child, each calling once. */
static int family(void)
{
	twice(1);
	if (!fork()) {
		twice(2);
		if (!fork()) {
			twice(3);
			_exit(0);
		}
		wait(NULL);
		_exit(0);
	}
	wait(NULL);
	return 0;
}

static void *caller(void *data)
{
	for (long i = 0; i < (long)data; i++)
		twice(i);
	return NULL;
}

/* Several threads that call as fast as they can. */
static int storm(long n)
{
	pthread_t threads[4];

	for (int i = 0; i < 4; i++)
		pthread_create(&threads[i], NULL, caller, (void *)n);
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	return 0;
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	long n = argc > 2 ? atol(argv[2]) : 0;

	if (!strcmp(what, "literal"))
		say(far.text);
	else if (!strcmp(what, "bad"))
		say((const char *)8);
	else if (!strcmp(what, "twice"))
		return twice(21) == 42 ? 0 : 1;
	else if (!strcmp(what, "both"))
		return both(5, 2.5) == 5 ? 0 : 1;
	else if (!strcmp(what, "swap"))
		return swap();
	else if (!strcmp(what, "gate"))
		return watch_gate((int)n);
	else if (!strcmp(what, "family"))
		return family();
	else if (!strcmp(what, "storm"))
		return storm(n);
	else if (!strcmp(what, "sleep"))
		for (;;) {
			twice(1);
			usleep(10000);
		}
	else if (!strcmp(what, "die"))
		raise(SIGKILL);
	return 0;
}
