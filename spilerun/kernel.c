/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kernel back end of spilerun: the module in, its device open, its rings mapped; and the module out again.
 *
 * Start reading at backend_kernel.  What the module promises is in runtime/kernel/wire.h.  Closing the device ends a session
 * whatever happens to us; but a module cannot remove itself, so a guardian, a child that does nothing else, waits for our end.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "build/modname.h"
#include "kernel/wire.h"
#include "spilerun/spilerun.h"

#define REMOVE_TRIES 3000			/* of 20 ms: end probes may take long */

struct kernel_run {
	int device;
	void *memory;				/* struct sp_control, then rings */
	size_t bytes;
	char name[MODNAME_MAX + 1];		/* "": not loaded */
	pid_t guardian;
	int guardian_pipe;			/* it reads names; our end of it closes when we die */
};

static struct sp_control *control(const struct kernel_run *k)
{
	return k->memory;
}

static uint32_t phase(const struct kernel_run *k)
{
	return __atomic_load_n(&control(k)->phase, __ATOMIC_ACQUIRE);
}

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

static int guardian_start(struct run *run, struct kernel_run *k)
{
	int ends[2];

	if (!pipe2(ends, O_CLOEXEC)) {
		k->guardian = fork();
		if (!k->guardian) {
			close(ends[1]);
			guardian_main(ends[0]);
		}
		close(ends[0]);
		k->guardian_pipe = ends[1];
		if (k->guardian > 0)
			return 0;
	}
	run_error(run, "the process that would remove the module could not be started: %s", strerror(errno));
	return -1;
}

static void guardian_tell(struct kernel_run *k, const char *name)
{
	char text[MODNAME_MAX + 1] = "";
	ssize_t n;

	memcpy(text, name, strlen(name));
	do
		n = write(k->guardian_pipe, text, sizeof(text));
	while (n < 0 && errno == EINTR);
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

/* Under its own name, or, where that is taken, with our number behind it. */
static int module_load(struct run *run, struct kernel_run *k)
{
	size_t size;
	char *image = read_module(run, &size), name[MODNAME_MAX + 1];
	const char *given;
	int error;

	if (!image)
		return -1;
	given = modname_get(image, size);
	if (!given || !*given || strlen(given) > MODNAME_MAX) {
		free(image);
		return load_error(run, ENOEXEC);
	}
	strcpy(name, given);
	for (int again = 0; ; again++) {
		guardian_tell(k, name);
		error = syscall(SYS_init_module, image, size, "") ? errno : 0;
		if (error != EEXIST || again)
			break;
		snprintf(name, sizeof(name), "%.40s_%d", given, (int)getpid());
		if (modname_set(image, size, name))
			break;
	}
	free(image);
	if (error) {
		guardian_tell(k, "");
		return load_error(run, error);
	}
	memcpy(k->name, name, sizeof(name));
	return 0;
}

/* Where /dev is not the kernel's own (a chroot, a container), the device's number is in /sys. */
static int device_by_number(const char *name)
{
	char path[128], text[32] = "";
	unsigned major, minor;
	int fd, n;

	snprintf(path, sizeof(path), "/sys/class/misc/%s/dev", name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -1;
	n = (int)read(fd, text, sizeof(text) - 1);
	close(fd);
	if (n <= 0 || sscanf(text, "%u:%u", &major, &minor) != 2)
		return errno = ENOENT, -1;
	snprintf(path, sizeof(path), "/dev/.spile-%d", (int)getpid());
	if (mknod(path, S_IFCHR | 0600, makedev(major, minor)))
		return -1;
	fd = open(path, O_RDWR | O_CLOEXEC);
	unlink(path);
	return fd;
}

static int device_open(struct run *run, struct kernel_run *k)
{
	char path[128];

	snprintf(path, sizeof(path), "/dev/%s", k->name);
	k->device = open(path, O_RDWR | O_CLOEXEC);
	if (k->device < 0 && errno == ENOENT)
		k->device = device_by_number(k->name);
	if (k->device >= 0)
		return 0;
	run_error(run, "the module is loaded but its device %s cannot be opened: %s", path, strerror(errno));
	return -1;
}

static int rings_map(struct run *run, struct kernel_run *k, size_t bytes)
{
	k->memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, k->device, 0);
	if (k->memory == MAP_FAILED) {
		run_error(run, "the module's buffers cannot be mapped: %s", strerror(errno));
		return -1;
	}
	k->bytes = bytes;
	run->merge = merge_new(0);
	for (uint32_t i = 0; i < control(k)->nrings; i++) {
		char *ring = (char *)k->memory + sysconf(_SC_PAGESIZE) + i * control(k)->stride;

		if (!run->merge || merge_add(run->merge, (struct sp_ring *)ring)) {
			run_error(run, "out of memory");
			return -1;
		}
	}
	return 0;
}

static int session_setup(struct run *run, struct kernel_run *k)
{
	struct sp_setup setup = { .abi = SP_WIRE_ABI };

	setup.target = run->options->pid ? run->options->pid : run->command.pid;
	if (!ioctl(k->device, SP_IOC_SETUP, &setup))
		return rings_map(run, k, setup.map_bytes);
	switch (errno) {
	case ESRCH:
		run_error(run, "cannot probe pid %d: No such process", setup.target);
		break;
	case EPROTO:
		run_error(run, "module version mismatch ('%s' was built by another spile)", run->options->script);
		break;
	default:
		run_error(run, "the module could not set up its session: %s", strerror(errno));
	}
	return -1;
}

/* name=value words: a scalar's first value. */
static int set_globals(struct run *run, struct kernel_run *k)
{
	for (char **word = run->options->globals; *word; word++) {
		struct sp_set set = { 0 };

		if (strlen(*word) >= sizeof(set.word)) {
			run_error(run, "'%.40s...' sets no global: the value is too long", *word);
			return -1;
		}
		strcpy(set.word, *word);
		if (!ioctl(k->device, SP_IOC_SET, &set))
			continue;
		run_error(run, "'%s' sets no global: %s", *word, errno == EINVAL ? set.why : strerror(errno));
		return -1;
	}
	return 0;
}

/* ---- the back end's table ----------------------------------------------------------------------------- */

static int kernel_open(struct run *run)
{
	struct kernel_run *k = calloc(1, sizeof(*k));

	if (!k) {
		run_error(run, "out of memory");
		return -1;
	}
	k->device = k->guardian_pipe = -1;
	k->memory = MAP_FAILED;
	run->state = k;
	if (guardian_start(run, k) || module_load(run, k) || device_open(run, k) || session_setup(run, k) || set_globals(run, k))
		return -1;
	run_note(run, "module %s loaded", k->name);
	return run_watch(run, k->device);
}

static int kernel_start(struct run *run)
{
	struct kernel_run *k = run->state;

	if (!ioctl(k->device, SP_IOC_START))
		return 0;
	run_error(run, "the module could not start: %s", strerror(errno));
	return -1;
}

/* Begin probes may print more than the rings hold, so we go back to reading; kernel_wake() opens the gate. */
static int kernel_release(struct run *run)
{
	(void)run;
	return 0;
}

static void kernel_wake(struct run *run)
{
	struct kernel_run *k = run->state;
	uint32_t now = phase(k);

	if (now == SP_PHASE_RUNNING && run->command.pid)
		command_release(&run->command);
	if (now == SP_PHASE_STOPPED)
		run_end(run);
	__atomic_store_n(&control(k)->phase_seen, now, __ATOMIC_RELEASE);
}

static bool kernel_child(struct run *run, pid_t pid, int status)
{
	struct kernel_run *k = run->state;

	(void)status;
	if (pid != k->guardian)
		return false;
	k->guardian = 0;
	return true;
}

static void kernel_stop(struct run *run)
{
	struct kernel_run *k = run->state;
	struct pollfd ready = { .fd = k->device, .events = POLLIN };

	ioctl(k->device, SP_IOC_STOP);
	while (phase(k) != SP_PHASE_STOPPED) {
		poll(&ready, 1, 200);
		run_drain(run);
		control(k)->phase_seen = phase(k);
	}
	if (control(k)->exit_status)
		run->broken = true;
}

static void kernel_close(struct run *run)
{
	struct kernel_run *k = run->state;
	int error;

	if (!k)
		return;
	merge_free(run->merge);			/* its rings are about to go */
	run->merge = NULL;
	if (k->memory != MAP_FAILED)
		munmap(k->memory, k->bytes);
	if (k->device >= 0)
		close(k->device);
	error = *k->name ? module_remove(k->name) : 0;
	if (error && error != ENOENT)
		run_error(run, "module %s could not be removed: %s", k->name, strerror(error));
	if (k->guardian_pipe >= 0) {
		guardian_tell(k, "");
		close(k->guardian_pipe);
	}
	if (k->guardian > 0)
		waitpid(k->guardian, NULL, 0);
	free(k);
	run->state = NULL;
}

const struct backend backend_kernel = {
	.name = "kernel",
	.suffix = ".ko",
	.open = kernel_open,
	.start = kernel_start,
	.release = kernel_release,
	.wake = kernel_wake,
	.child = kernel_child,
	.stop = kernel_stop,
	.close = kernel_close,
};
