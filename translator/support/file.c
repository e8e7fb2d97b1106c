/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whole files, scratch folders and child processes.  Nothing here reports: callers know what to say. */
#include "support/file.h"

#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <poll.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* Reads on until the end of the stream.  0 or negative errno. */
static int read_all(int fd, struct strbuf *b)
{
	char buffer[65536];
	ssize_t n;

	do {
		n = read(fd, buffer, sizeof(buffer));
		if (n > 0)
			strbuf_add_n(b, buffer, (size_t)n);
	} while (n > 0 || (n < 0 && errno == EINTR));
	return n < 0 ? -errno : 0;
}

int file_read(struct arena *a, const char *path, char **text, size_t *len)
{
	bool standard = !strcmp(path, "-");
	int fd = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC), result;
	struct strbuf b = { 0 };

	if (fd < 0)
		return -errno;
	result = read_all(fd, &b);
	if (!result) {
		*text = arena_strndup(a, b.text, b.len);
		*len = b.len;
	}
	strbuf_free(&b);
	if (!standard)
		close(fd);
	return result;
}

static int write_all(int fd, const char *text, size_t len)
{
	while (len) {
		ssize_t n = write(fd, text, len);

		if (n < 0 && errno != EINTR)
			return -errno;
		if (n > 0) {
			text += n;
			len -= (size_t)n;
		}
	}
	return 0;
}

int file_write(const char *path, const char *text, size_t len)
{
	struct strbuf aside = { 0 };
	mode_t mask;
	int fd, result;

	strbuf_printf(&aside, "%s.XXXXXX", path);
	fd = mkostemp(aside.text, O_CLOEXEC);
	if (fd < 0) {
		result = -errno;
		strbuf_free(&aside);
		return result;
	}
	mask = umask(0);
	umask(mask);
	fchmod(fd, 0666 & ~mask);
	result = write_all(fd, text, len);
	if (close(fd) && !result)
		result = -errno;
	if (!result && rename(aside.text, path))
		result = -errno;
	if (result)
		unlink(aside.text);
	strbuf_free(&aside);
	return result;
}

int scratch_make(struct arena *a, char **path)
{
	const char *tmp = getenv("TMPDIR");

	*path = arena_printf(a, "%s/spile.XXXXXX", tmp && *tmp ? tmp : "/tmp");
	return mkdtemp(*path) ? 0 : -errno;
}

int tree_remove(const char *path)
{
	char *const roots[] = { (char *)path, NULL };
	FTS *fts = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR | FTS_NOSTAT, NULL);
	FTSENT *entry;
	int result = 0;

	if (!fts)
		return -errno;
	while ((entry = fts_read(fts))) {
		bool folder = entry->fts_info == FTS_DP || entry->fts_info == FTS_DNR;

		if (entry->fts_info == FTS_D)
			continue;
		if ((folder ? rmdir(entry->fts_accpath) : unlink(entry->fts_accpath)) && !result)
			result = -errno;
	}
	fts_close(fts);
	return result;
}

const char *program_find(struct arena *a, const char *name)
{
	const char *path = getenv("PATH");

	for (const char *p = path ? path : "/usr/bin:/bin"; *p; ) {
		size_t n = strcspn(p, ":");
		const char *full = arena_printf(a, "%.*s/%s", (int)n, n ? p : ".", name);

		if (!access(full, X_OK))
			return full;
		p += n + (p[n] == ':');
	}
	return NULL;
}

/* A pipe the child writes into where @to is captured; false: no descriptors left. */
static bool make_pipe(const struct strbuf *to, int fds[2])
{
	fds[0] = fds[1] = -1;
	return !to || !pipe2(fds, O_CLOEXEC);
}

static void drain(struct pollfd *p, struct strbuf *to)
{
	char buffer[65536];
	ssize_t n;

	if (!p->revents)
		return;
	n = read(p->fd, buffer, sizeof(buffer));
	if (n > 0)
		strbuf_add_n(to, buffer, (size_t)n);
	else if (n == 0 || errno != EINTR)
		p->fd = -1;	/* poll() passes over it */
}

/* Both streams at once, so that neither fills up while the other is waited for. */
static void collect(int out, int err, const struct child_io *io)
{
	struct pollfd p[2] = { { .fd = out, .events = POLLIN }, { .fd = err, .events = POLLIN } };

	while ((p[0].fd >= 0 || p[1].fd >= 0) && (poll(p, 2, -1) >= 0 || errno == EINTR)) {
		drain(&p[0], io->out);
		drain(&p[1], io->err);
	}
}

static int wait_for(pid_t pid)
{
	int status;

	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return -errno;
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

/* Descriptor @fd of the child: the pipe, /dev/null, or what it inherits. */
static void direct(posix_spawn_file_actions_t *actions, int fd, int end, bool quiet)
{
	if (end >= 0)
		posix_spawn_file_actions_adddup2(actions, end, fd);
	else if (quiet)
		posix_spawn_file_actions_addopen(actions, fd, "/dev/null", O_WRONLY, 0);
}

/* What tool_environment() sets, or, where nothing stands behind the =, leaves out. */
static const char *const tool_settings[] = {
	"LC_ALL=C", "LANG=C", "LC_CTYPE=", "LC_MESSAGES=",	/* kbuild takes LC_ALL away again */
	"LANGUAGE=", "MAKEFLAGS=", "MAKELEVEL=", "MFLAGS=",
	"SRCARCH=x86",			/* objtool of 6.12 and later asks for it */
};
enum { NTOOL_SETTINGS = sizeof(tool_settings) / sizeof(*tool_settings) };

static bool is_tool_setting(const char *variable)
{
	for (int i = 0; i < NTOOL_SETTINGS; i++)
		if (!strncmp(variable, tool_settings[i], strcspn(tool_settings[i], "=") + 1))
			return true;
	return false;
}

char **tool_environment(void)
{
	size_t n = 0, kept = 0;
	char **env;

	while (environ[n])
		n++;
	env = malloc((n + NTOOL_SETTINGS + 1) * sizeof(*env));
	if (!env)
		return NULL;
	for (size_t i = 0; i < n; i++)
		if (!is_tool_setting(environ[i]))
			env[kept++] = environ[i];
	for (int i = 0; i < NTOOL_SETTINGS; i++)
		if (tool_settings[i][strcspn(tool_settings[i], "=") + 1])
			env[kept++] = (char *)tool_settings[i];
	env[kept] = NULL;
	return env;
}

int child_run(const char *const argv[], const struct child_io *io)
{
	bool one = io->out && io->out == io->err;
	posix_spawn_file_actions_t actions;
	int out[2], err[2] = { -1, -1 }, result;
	char **env;
	pid_t pid;

	if (!make_pipe(io->out, out))
		return -errno;
	if (!one && !make_pipe(io->err, err)) {
		result = -errno;
		if (io->out) {
			close(out[0]);
			close(out[1]);
		}
		return result;
	}
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	direct(&actions, STDOUT_FILENO, out[1], io->quiet);
	direct(&actions, STDERR_FILENO, one ? out[1] : err[1], io->quiet);
	if (io->folder)
		posix_spawn_file_actions_addchdir_np(&actions, io->folder);
	env = tool_environment();
	result = -posix_spawnp(&pid, argv[0], &actions, NULL, (char *const *)argv, env ? env : environ);
	posix_spawn_file_actions_destroy(&actions);
	free(env);
	if (io->out)
		close(out[1]);
	if (err[1] >= 0)
		close(err[1]);
	if (!result) {
		collect(out[0], err[0], io);
		result = wait_for(pid);
	}
	if (io->out)
		close(out[0]);
	if (err[0] >= 0)
		close(err[0]);
	return result;
}
