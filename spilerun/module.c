/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Modules: loading one, removing it, and seeing to it that it is removed whatever happens to us.
 *
 * A module cannot remove itself, so a guardian, a child that does nothing else, waits for our end.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "build/modname.h"
#include "kernel/wire.h"
#include "spilerun/spilerun.h"

#define REMOVE_TRIES 3000			/* of 20 ms: end probes may take long */
_Static_assert(sizeof(((struct module *)0)->name) == MODNAME_MAX + 1, "any name fits");

/* ---- removing the module, by us or after us --------------------------------------------------------- */

/* The device may still be closing, with end probes running: so it takes a while.  Returns 0 or an errno. */
static int module_remove(const char *name)
{
	const struct timespec pause = { .tv_nsec = 20 * 1000 * 1000 };

	for (int i = 0; i < REMOVE_TRIES; i++) {
		if (!syscall(SYS_delete_module, name, O_NONBLOCK))
			return 0;
		if (errno != EAGAIN && errno != EBUSY)
			return errno;
		nanosleep(&pause, NULL);
	}
	return EBUSY;
}

/* Reads names of fixed length; the last one is removed when the pipe ends.  An empty one: all is well. */
static void guardian_main(int pipe_fd)
{
	char name[MODNAME_MAX + 1] = "", next[MODNAME_MAX + 1];
	sigset_t all;
	int null;

	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, NULL);
	setsid();
	/* Nobody must wait for us: not a reader of our output, not a command at its gate. */
	null = open("/dev/null", O_RDWR);
	dup2(pipe_fd, STDIN_FILENO);
	dup2(null, STDOUT_FILENO);
	dup2(null, STDERR_FILENO);
	close_range(3, ~0u, 0);
	while (read(STDIN_FILENO, next, sizeof(next)) == (ssize_t)sizeof(next))
		memcpy(name, next, sizeof(name));
	if (*name)
		module_remove(name);
	_exit(0);
}

static void guardian_tell(struct module *m, const char *name)
{
	char text[MODNAME_MAX + 1] = "";
	ssize_t n;

	memcpy(text, name, strlen(name));
	do
		n = write(m->guardian_pipe, text, sizeof(text));
	while (n < 0 && errno == EINTR);
}

int module_guard(struct run *run, struct module *m)
{
	int ends[2];

	if (!pipe2(ends, O_CLOEXEC)) {
		m->guardian = fork();
		if (!m->guardian) {
			close(ends[1]);
			guardian_main(ends[0]);
		}
		close(ends[0]);
		m->guardian_pipe = ends[1];
		if (m->guardian > 0)
			return 0;
	}
	run_error(run, "the process that would remove the module could not be started: %s", strerror(errno));
	return -1;
}

void module_is_ours(struct module *m)
{
	guardian_tell(m, m->name);
}

/* ---- loading ------------------------------------------------------------------------------------------ */

/* The file, to be freed; NULL after a message. */
static char *read_module(struct run *run, size_t *size)
{
	const char *path = run->options->script;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat st;
	char *image = NULL;

	if (fd >= 0 && !fstat(fd, &st)) {
		*size = (size_t)st.st_size;
		image = malloc(*size + 1);
		if (image && read(fd, image, *size) != (ssize_t)*size) {
			free(image);
			image = NULL;
		}
	}
	if (!image)
		run_error(run, "Couldn't read module '%s': %s", path, strerror(errno));
	if (fd >= 0)
		close(fd);
	return image;
}

static bool file_says(const char *path, const char *text)
{
	char buffer[256] = "";
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? 0 : read(fd, buffer, sizeof(buffer) - 1);

	if (fd >= 0)
		close(fd);
	return n > 0 && strstr(buffer, text);
}

/* What an errno of the loader means, and what to do about it. */
static const char *load_advice(int error)
{
	static const struct { int error; const char *text; } advice[] = {
		{ EKEYREJECTED, "this kernel takes only signed modules (module.sig_enforce)" },
		{ ENOKEY, "this kernel takes only signed modules (module.sig_enforce)" },
		{ ENOEXEC, "it was built for another kernel" },
		{ EINVAL, "it was built for another kernel" },
		{ ENOENT, "it needs a symbol that this kernel does not export" },
		{ ENOSYS, "this kernel has no loadable modules; try --runtime=user or --vm" },
		{ ENOMEM, "the kernel is out of memory" },
	};

	if (error == EPERM && geteuid())
		return "only root may load modules; try sudo, --runtime=user or --vm";
	if (error == EPERM && (file_says("/sys/kernel/security/lockdown", "[integrity]") ||
			       file_says("/sys/kernel/security/lockdown", "[confidentiality]")))
		return "the kernel is locked down (secure boot) and takes only signed modules; try --runtime=user or --vm";
	if (error == EPERM && file_says("/proc/sys/kernel/modules_disabled", "1"))
		return "module loading was switched off until the next boot (kernel.modules_disabled); try --runtime=user or --vm";
	if (error == EPERM)
		return "loading modules is not allowed here, as in most containers; try --runtime=user or --vm";
	for (size_t i = 0; i < sizeof(advice) / sizeof(advice[0]); i++)
		if (advice[i].error == error)
			return advice[i].text;
	return "see the kernel's log (dmesg)";
}

static int load_error(struct run *run, int error)
{
	run_error(run, "Couldn't insert module '%s': %s: %s", run->options->script, strerror(error), load_advice(error));
	return -1;
}

/* Under its own name, or, where that is taken or not wanted (-R), with our number behind it. */
int module_load(struct run *run, struct module *m)
{
	size_t size;
	char *image = read_module(run, &size), name[MODNAME_MAX + 1];
	const char *given;
	bool renamed = false;
	int error = EEXIST;

	if (!image)
		return -1;
	given = modname_get(image, size);
	if (!given || !*given || strlen(given) > MODNAME_MAX) {
		free(image);
		return load_error(run, ENOEXEC);
	}
	strcpy(name, given);
	while (error == EEXIST) {
		if (renamed || run->options->fresh_name) {
			snprintf(name, sizeof(name), "%.40s_%d", given, (int)getpid());
			if (modname_set(image, size, name))
				break;
		}
		guardian_tell(m, name);
		error = syscall(SYS_init_module, image, size, "") ? errno : 0;
		if (renamed)
			break;
		renamed = true;
	}
	free(image);
	if (error) {
		guardian_tell(m, "");
		return load_error(run, error);
	}
	memcpy(m->name, name, sizeof(name));
	return 0;
}

void module_close(struct run *run, struct module *m, bool leave)
{
	int error = *m->name && !leave ? module_remove(m->name) : 0;

	if (error && error != ENOENT)
		run_error(run, "module %s could not be removed: %s", m->name, strerror(error));
	if (m->guardian_pipe >= 0) {
		guardian_tell(m, "");
		close(m->guardian_pipe);
	}
	if (m->guardian > 0)
		waitpid(m->guardian, NULL, 0);
}

/* ---- by name (-d) --------------------------------------------------------------------------------------- */

static bool is_ours(const char *name)
{
	char path[300];

	snprintf(path, sizeof(path), "/sys/module/%.200s/version", name);
	return !strchr(name, '/') && file_says(path, SP_MODULE_VERSION);
}

/* Modules that someone is attached to stay. */
static int remove_all(struct run *run)
{
	DIR *d = opendir("/sys/module");
	struct dirent *e;

	while (d && (e = readdir(d)))
		if (*e->d_name != '.' && is_ours(e->d_name) && !syscall(SYS_delete_module, e->d_name, O_NONBLOCK))
			run_note(run, "module %s removed", e->d_name);
	if (d)
		closedir(d);
	return 0;
}

int module_remove_named(struct run *run, const char *name)
{
	int error;

	if (!strcmp(name, "*"))
		return remove_all(run);
	if (!is_ours(name)) {
		run_error(run, "there is no module '%s' of spile", name);
		return 1;
	}
	error = syscall(SYS_delete_module, name, O_NONBLOCK) ? errno : 0;
	if (error)
		run_error(run, "module %s could not be removed: %s", name,
			  error == EAGAIN || error == EBUSY ? "someone is attached to it" : strerror(error));
	return error != 0;
}
