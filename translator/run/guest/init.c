/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The guest's first process: it makes the throwaway machine look like the host, runs one command and tells spile how
 * that ended.  A static program, the only one in the initramfs, so it takes nothing from the host but kernel modules.
 * Start reading at main(); guest/wire.h has the conversation.
 *
 * The root it makes is an overlay: below, the host's file system, read-only, over 9p; above, memory.  The kernel's own
 * file systems and /dev are the guest's.
 */
#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <net/if.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "wire.h"

/* 9p: the host's files do not change under a run, so cache them; one attach for all users, since the server's rights
 * are the same for each; messages as long as the virtio ring takes them. */
#define HOST_OPTIONS	"trans=virtio,version=9p2000.L,cache=loose,access=any,msize=512000"
#define OVERLAY_OPTIONS	"lowerdir=/host,upperdir=/above/files,workdir=/above/work"
#define PORT_WAIT_MS	20000		/* how long the port may take to appear; an emulated machine can be slow */

struct job {
	struct wire_job head;
	const char *cwd, *hostname, *modules;
	char **argv, **env;
};

struct command {
	pid_t pid;
	int from[WIRE_STREAMS];		/* our ends of its pipes; -1: closed or none */
	uint32_t credit[WIRE_STREAMS];	/* bytes that spile will take of each output stream */
	char input[WIRE_INPUT];		/* standard input on its way */
	size_t input_off, input_len;
	bool input_ended;
};

static int port = -1;			/* the way to spile; -1 until it is open */

static void write_whole(int fd, const void *data, size_t len)
{
	const char *p = data;

	while (len) {
		ssize_t n = write(fd, p, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return;		/* spile is gone, and QEMU goes with it */
		p += n;
		len -= (size_t)n;
	}
}

static bool read_whole(int fd, void *data, size_t len)
{
	char *p = data;

	while (len) {
		ssize_t n = read(fd, p, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		p += n;
		len -= (size_t)n;
	}
	return true;
}

static void send_frame(enum wire_kind kind, unsigned stream, const void *data, size_t len)
{
	struct { struct wire_head head; char data[WIRE_DATA]; } f;

	f.head = (struct wire_head){ .kind = (uint8_t)kind, .stream = (uint8_t)stream, .len = (uint32_t)len };
	memcpy(f.data, data, len);
	write_whole(port, &f, sizeof(f.head) + len);
}

_Noreturn static void machine_off(void)
{
	reboot(RB_POWER_OFF);
	_exit(0);	/* the first process's end is a panic, which ends the machine as well */
}

/* Tells spile, or the console where the port is not there yet, why nothing can be run. */
_Noreturn static void fail(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void fail(const char *format, ...)
{
	char text[1024];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	if (port >= 0) {
		send_frame(WIRE_FAIL, 0, text, strlen(text));
		sleep(5);	/* spile ends the machine long before */
	} else {
		fprintf(stderr, "spile guest: %s\n", text);
	}
	machine_off();
}

static void mount_or_fail(const char *what, const char *where, const char *type, unsigned long flags, const char *options)
{
	if (mount(what, where, type, flags, options))
		fail("cannot mount %s on %s: %s", type ? type : what, where, strerror(errno));
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

static void load_modules(void)
{
	struct dirent **list;
	int n = scandir("/" WIRE_MODULES, &list, NULL, by_name);

	for (int i = 0; i < n; i++) {
		char path[300];
		int fd;

		if (list[i]->d_name[0] == '.')
			continue;
		snprintf(path, sizeof(path), "/" WIRE_MODULES "/%s", list[i]->d_name);
		fd = open(path, O_RDONLY | O_CLOEXEC);
		if (fd < 0 || syscall(SYS_finit_module, fd, "", 0))
			fail("cannot load %s: %s", path, strerror(errno));
		close(fd);
		unlink(path);	/* its memory is wanted elsewhere */
	}
}

/* The device of the port with our name, or -1 while there is none. */
static int open_named_port(void)
{
	struct dirent *d;
	DIR *dir = opendir("/sys/class/virtio-ports");
	int fd = -1;

	while (dir && fd < 0 && (d = readdir(dir))) {
		char path[300], name[64] = "";
		FILE *f;

		snprintf(path, sizeof(path), "/sys/class/virtio-ports/%s/name", d->d_name);
		f = fopen(path, "re");
		if (!f)
			continue;
		if (fgets(name, sizeof(name), f) && !strncmp(name, WIRE_PORT "\n", sizeof(WIRE_PORT))) {
			snprintf(path, sizeof(path), "/dev/%s", d->d_name);
			fd = open(path, O_RDWR | O_CLOEXEC);
		}
		fclose(f);
	}
	if (dir)
		closedir(dir);
	return fd;
}

static void open_port(void)
{
	for (int ms = 0; ms < PORT_WAIT_MS && port < 0; ms += 2) {
		port = open_named_port();
		if (port < 0)
			usleep(2000);
	}
	if (port < 0)
		fail("the port to spile did not appear");
}

/* Cuts the next string off; the frame ends with a NUL, seen to by read_job(). */
static char *next_string(char **at, const char *end)
{
	char *s = *at;

	if (s >= end)
		fail("spile sent a broken job");
	*at += strlen(s) + 1;
	return s;
}

static char **next_strings(char **at, const char *end, uint32_t n)
{
	char **list = calloc((size_t)n + 1, sizeof(*list));

	if (!list)
		fail("out of memory");
	for (uint32_t i = 0; i < n; i++)
		list[i] = next_string(at, end);
	return list;
}

static void read_job(struct job *job)
{
	struct wire_head head;
	char *data, *at, *end;

	if (!read_whole(port, &head, sizeof(head)))
		fail("spile sent no job");
	data = malloc(head.len + 1);
	if (head.kind != WIRE_JOB_IS || head.len < sizeof(job->head) || head.len > WIRE_JOB || !data ||
	    !read_whole(port, data, head.len))
		fail("spile sent a broken job");
	end = data + head.len;
	*end = '\0';
	memcpy(&job->head, data, sizeof(job->head));
	at = data + sizeof(job->head);
	job->cwd = next_string(&at, end);
	job->hostname = next_string(&at, end);
	job->modules = next_string(&at, end);
	job->argv = next_strings(&at, end, job->head.argc);
	job->env = next_strings(&at, end, job->head.envc);
}

/* The host's files below, memory above, at /merged until enter_root(). */
static void mount_overlay(void)
{
	static const char *const folders[] = { "/host", "/above", "/merged" };

	for (size_t i = 0; i < sizeof(folders) / sizeof(*folders); i++)
		mkdir(folders[i], 0755);
	mount_or_fail(WIRE_HOST_TAG, "/host", "9p", MS_RDONLY, HOST_OPTIONS);
	mount_or_fail("above", "/above", "tmpfs", 0, "mode=755,size=75%");
	mkdir("/above/files", 0755);
	mkdir("/above/work", 0755);
	mount_or_fail("overlay", "/merged", "overlay", 0, OVERLAY_OPTIONS);
}

/* The kernel's own file systems, on the new root.  Optional ones may be missing from a kernel. */
static void mount_kernel_views(void)
{
	static const struct { const char *type, *where, *options; bool optional; } views[] = {
		{ "proc",	"/merged/proc",			NULL,			false },
		{ "sysfs",	"/merged/sys",			NULL,			false },
		{ "devtmpfs",	"/merged/dev",			"mode=755",		false },
		{ "devpts",	"/merged/dev/pts",		"mode=620,ptmxmode=666", true },
		{ "tmpfs",	"/merged/dev/shm",		"mode=1777",		true },
		{ "mqueue",	"/merged/dev/mqueue",		NULL,			true },
		{ "debugfs",	"/merged/sys/kernel/debug",	NULL,			true },
		{ "tracefs",	"/merged/sys/kernel/tracing",	NULL,			true },
		{ "cgroup2",	"/merged/sys/fs/cgroup",		NULL,			true },
	};
	static const char *const links[][2] = {
		{ "/proc/self/fd",	"/merged/dev/fd" },
		{ "/proc/self/fd/0",	"/merged/dev/stdin" },
		{ "/proc/self/fd/1",	"/merged/dev/stdout" },
		{ "/proc/self/fd/2",	"/merged/dev/stderr" },
	};

	for (size_t i = 0; i < sizeof(views) / sizeof(*views); i++) {
		mkdir(views[i].where, 0755);
		if (views[i].optional)
			mount(views[i].type, views[i].where, views[i].type, 0, views[i].options);
		else
			mount_or_fail(views[i].type, views[i].where, views[i].type, 0, views[i].options);
	}
	for (size_t i = 0; i < sizeof(links) / sizeof(*links); i++)
		if (symlink(links[i][0], links[i][1]) && errno != EEXIST)
			fail("cannot make %s: %s", links[i][1], strerror(errno));
}

static void enter_root(void)
{
	if (chdir("/merged") || mount(".", "/", NULL, MS_MOVE, NULL) || chroot(".") || chdir("/"))
		fail("cannot enter the host's file system: %s", strerror(errno));
}

/* /lib/modules/<release> shows this kernel's modules, wherever the host keeps them. */
static void bind_modules(const char *modules)
{
	struct utsname u;
	char where[200];

	uname(&u);
	mkdir("/lib/modules", 0755);
	snprintf(where, sizeof(where), "/lib/modules/%s", u.release);
	mkdir(where, 0755);
	if (mount(modules, where, NULL, MS_BIND, NULL))
		fail("cannot show %s as %s: %s", modules, where, strerror(errno));
}

static void bring_loopback_up(void)
{
	struct ifreq r = { .ifr_name = "lo" };
	int s = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	if (s < 0)
		return;
	if (!ioctl(s, SIOCGIFFLAGS, &r)) {
		r.ifr_flags |= IFF_UP | IFF_RUNNING;
		ioctl(s, SIOCSIFFLAGS, &r);
	}
	close(s);
}

static void be_like_host(const struct job *job)
{
	struct timespec now = { .tv_sec = job->head.sec, .tv_nsec = job->head.nsec };

	clock_settime(CLOCK_REALTIME, &now);
	if (sethostname(job->hostname, strlen(job->hostname)))
		fail("cannot set the host name: %s", strerror(errno));
	bring_loopback_up();
	umask(job->head.mask);
}

/* In the new process: becomes the command.  Its end of each pipe is at 0, 1, 2 already. */
_Noreturn static void become(const struct job *job, int error_pipe)
{
	sigset_t none;
	int failed;

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGPIPE, SIG_DFL);
	setsid();
	environ = job->env;
	if (chdir(job->cwd) == 0)
		execvp(job->argv[0], job->argv);
	failed = errno;
	write_whole(error_pipe, &failed, sizeof(failed));
	_exit(127);
}

static void make_pipe(int ends[2])
{
	if (pipe2(ends, O_CLOEXEC))
		fail("cannot make a pipe: %s", strerror(errno));
}

/* Starts the command; returns when it has been executed, or tells why it could not be. */
static void start(struct command *c, const struct job *job)
{
	int in[2] = { -1, -1 }, out[2], err[2] = { -1, -1 }, error_pipe[2], failed;

	if (job->head.has_input)
		make_pipe(in);
	else
		in[0] = open("/dev/null", O_RDONLY | O_CLOEXEC);
	make_pipe(out);
	if (!job->head.merge)
		make_pipe(err);
	make_pipe(error_pipe);
	c->pid = fork();
	if (c->pid < 0)
		fail("cannot fork: %s", strerror(errno));
	if (c->pid == 0) {
		dup2(in[0], 0);
		dup2(out[1], 1);
		dup2(job->head.merge ? out[1] : err[1], 2);
		become(job, error_pipe[1]);
	}
	close(in[0]);
	close(out[1]);
	close(err[1]);
	close(error_pipe[1]);
	if (read_whole(error_pipe[0], &failed, sizeof(failed)))
		fail("cannot run %s in %s: %s", job->argv[0], job->cwd, strerror(failed));
	close(error_pipe[0]);
	c->from[WIRE_STDIN] = in[1];
	c->from[WIRE_STDOUT] = out[0];
	c->from[WIRE_STDERR] = err[0];
	c->credit[WIRE_STDOUT] = c->credit[WIRE_STDERR] = WIRE_WINDOW;
	for (int i = 0; i < WIRE_STREAMS; i++)
		if (c->from[i] >= 0)
			fcntl(c->from[i], F_SETFL, O_NONBLOCK);
}

static void close_stream(struct command *c, unsigned stream)
{
	if (c->from[stream] >= 0)
		close(c->from[stream]);
	c->from[stream] = -1;
}

static void ask_for_input(struct command *c)
{
	uint32_t room = WIRE_INPUT;

	c->input_off = c->input_len = 0;
	send_frame(WIRE_CREDIT, WIRE_STDIN, &room, sizeof(room));
}

/* Hands on what spile sent; asks for more once all is in the pipe. */
static void feed_input(struct command *c)
{
	ssize_t n = write(c->from[WIRE_STDIN], c->input + c->input_off, c->input_len - c->input_off);

	if (n > 0)
		c->input_off += (size_t)n;
	else if (n < 0 && errno == EPIPE)
		close_stream(c, WIRE_STDIN);	/* nobody reads it */
	if (c->from[WIRE_STDIN] < 0 || c->input_off < c->input_len)
		return;
	if (c->input_ended)
		close_stream(c, WIRE_STDIN);
	else
		ask_for_input(c);
}

/* Sends what the command wrote, as far as there is credit. */
static void pass_output(struct command *c, unsigned stream)
{
	static char data[WIRE_DATA];
	size_t most = c->credit[stream] < sizeof(data) ? c->credit[stream] : sizeof(data);
	ssize_t n;

	if (c->from[stream] < 0 || !most)
		return;
	n = read(c->from[stream], data, most);
	if (n == 0)
		close_stream(c, stream);
	if (n <= 0)
		return;
	c->credit[stream] -= (uint32_t)n;
	send_frame(WIRE_OUTPUT, stream, data, (size_t)n);
}

static void take_input(struct command *c, uint32_t len)
{
	if (len > sizeof(c->input) || c->input_off < c->input_len || !read_whole(port, c->input, len))
		fail("spile sent input without being asked");
	c->input_off = 0;
	c->input_len = len;
	c->input_ended = len == 0;
	if (c->from[WIRE_STDIN] >= 0)
		feed_input(c);
}

static void take_number(struct command *c, const struct wire_head *head)
{
	int32_t number;

	if (head->len != sizeof(number) || !read_whole(port, &number, sizeof(number)))
		fail("spile sent a broken message");
	if (head->kind == WIRE_CREDIT)
		c->credit[head->stream] += (uint32_t)number;
	else
		kill(head->stream ? -c->pid : c->pid, number);
}

static void take_frame(struct command *c)
{
	struct wire_head head;

	if (!read_whole(port, &head, sizeof(head)) || head.stream >= WIRE_STREAMS)
		machine_off();
	switch (head.kind) {
	case WIRE_INPUT_IS:
		take_input(c, head.len);
		break;
	case WIRE_CREDIT:
	case WIRE_SIGNAL:
		take_number(c, &head);
		break;
	case WIRE_HANGUP:
		close_stream(c, head.stream);	/* so the command learns of it as it would on the host */
		break;
	default:
		fail("spile sent a message of unknown kind %u", head.kind);
	}
}

/* Collects children, orphans of the command among them.  True when the command itself has ended. */
static bool reap(struct command *c, int signals, int *status)
{
	struct signalfd_siginfo info;
	bool ended = false;
	int st;
	pid_t pid;

	if (read(signals, &info, sizeof(info)) < 0)
		return false;
	while ((pid = waitpid(-1, &st, WNOHANG)) > 0) {
		if (pid != c->pid)
			continue;
		*status = st;
		ended = true;
	}
	return ended;
}

/* Carries streams and signals until the command has ended; its status. */
static int carry(struct command *c, int signals)
{
	int status = 0;

	for (;;) {
		struct pollfd p[] = {
			{ .fd = port, .events = POLLIN },
			{ .fd = signals, .events = POLLIN },
			{ .fd = c->input_off < c->input_len ? c->from[WIRE_STDIN] : -1, .events = POLLOUT },
			{ .fd = c->credit[WIRE_STDOUT] ? c->from[WIRE_STDOUT] : -1, .events = POLLIN },
			{ .fd = c->credit[WIRE_STDERR] ? c->from[WIRE_STDERR] : -1, .events = POLLIN },
		};

		if (poll(p, sizeof(p) / sizeof(*p), -1) < 0)
			continue;
		if (p[0].revents)
			take_frame(c);
		if (p[2].revents && c->from[WIRE_STDIN] >= 0)
			feed_input(c);
		if (p[3].revents)
			pass_output(c, WIRE_STDOUT);
		if (p[4].revents)
			pass_output(c, WIRE_STDERR);
		if (p[1].revents && reap(c, signals, &status))
			return status;
	}
}

/*
 * What the command left in its pipes when it ended.  A process it left behind may hold them open, or go on writing:
 * nobody waits for that, so only as much is taken as a pipe can hold.
 */
static void drain(struct command *c)
{
	for (unsigned stream = WIRE_STDOUT; stream <= WIRE_STDERR; stream++) {
		uint32_t left = 0, before;
		int there = 0;

		if (c->from[stream] >= 0 && !ioctl(c->from[stream], FIONREAD, &there))
			left = (uint32_t)there;
		while (left && c->from[stream] >= 0) {
			before = c->credit[stream];
			if (before)
				pass_output(c, stream);
			else
				take_frame(c);
			if (c->credit[stream] < before)
				left -= before - c->credit[stream] < left ? before - c->credit[stream] : left;
		}
	}
}

static void run(const struct job *job)
{
	static struct command c;
	sigset_t chld;
	int32_t status;
	int signals;

	signal(SIGPIPE, SIG_IGN);
	sigemptyset(&chld);
	sigaddset(&chld, SIGCHLD);
	sigprocmask(SIG_BLOCK, &chld, NULL);
	signals = signalfd(-1, &chld, SFD_CLOEXEC | SFD_NONBLOCK);
	start(&c, job);
	if (c.from[WIRE_STDIN] >= 0)
		ask_for_input(&c);
	status = carry(&c, signals);
	drain(&c);
	send_frame(WIRE_EXIT, 0, &status, sizeof(status));
}

int main(void)
{
	struct job job;

	mkdir("/dev", 0755);
	mkdir("/sys", 0755);
	mount("devtmpfs", "/dev", "devtmpfs", 0, NULL);	/* busy where the kernel has done so */
	mount_or_fail("sysfs", "/sys", "sysfs", 0, NULL);
	load_modules();
	open_port();
	send_frame(WIRE_READY, 0, "", 0);
	read_job(&job);
	mount_overlay();
	mount_kernel_views();
	enter_root();
	bind_modules(job.modules);
	be_like_host(&job);
	run(&job);
	sleep(5);	/* spile ends the machine long before */
	machine_off();
}
