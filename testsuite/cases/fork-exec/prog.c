/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A parent forks; the child calls the function, then becomes the program again by exec, which calls it again. */
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

__attribute__((noinline)) void work(int who)
{
	__asm__ volatile("" : : "r"(who));
}

int main(int argc, char **argv)
{
	int status = 1;

	if (argc > 1) {
		work(3);
		return 4;
	}
	work(1);
	pid_t child = fork();
	if (child == 0) {
		work(2);
		execl(argv[0], argv[0], "again", (char *)NULL);
		_exit(9);
	}
	waitpid(child, &status, 0);
	return WIFEXITED(status) && WEXITSTATUS(status) == 4 ? 0 : 1;
}
