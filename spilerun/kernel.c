/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kernel back end of spilerun: the module in, its device open, its rings mapped; and the module out again.
 *
 * Start reading at backend_kernel.  What the module promises is in runtime/kernel/wire.h.  Closing the device ends a session
 * whatever happens to us, unless we have left it: then it goes on, and keeps its newest output for the next one to attach.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "kernel/wire.h"
#include "spilerun/spilerun.h"

#define RING_MIN (64u << 10)
#define RING_MAX (1u << 30)

struct kernel_run {
	int device;
	void *memory;				/* struct sp_control, then rings */
	size_t bytes;
	struct module module;
};

static struct sp_control *control(const struct kernel_run *k)
{
	return k->memory;
}

static uint32_t phase(const struct kernel_run *k)
{
	return __atomic_load_n(&control(k)->phase, __ATOMIC_ACQUIRE);
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

	snprintf(path, sizeof(path), "/dev/%s", k->module.name);
	k->device = open(path, O_RDWR | O_CLOEXEC);
	if (k->device < 0 && errno == ENOENT)
		k->device = device_by_number(k->module.name);
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

/*
 * Data in each ring for a buffer of @mb: with a file for each CPU that is what each has, else they share it.  A power of two, not
 * less than was asked for; 0 leaves it to the module.
 */
static uint32_t ring_bytes(const struct run_options *o)
{
	uint64_t wish = (uint64_t)o->buffer_mb << 20, bytes = RING_MIN;

	if (!wish)
		return 0;
	if (!o->bulk)
		wish /= (uint64_t)sysconf(_SC_NPROCESSORS_CONF);
	while (bytes < wish && bytes < RING_MAX)
		bytes *= 2;
	return (uint32_t)bytes;
}

static int session_error(struct run *run, const struct sp_setup *setup, const char *what)
{
	switch (errno) {
	case ESRCH:
		run_error(run, "cannot probe pid %d: No such process", setup->target);
		break;
	case EPROTO:
		run_error(run, "module version mismatch ('%s' was built by another spile)", run->options->script);
		break;
	case ENOMEM:
		run_error(run, "the module could not %s its session: %s (buffers: %s)", what, strerror(errno),
			  setup->ring_bytes > 1u << 20 ? "try a smaller one, -b or -s" : "the kernel's memory is short");
		break;
	case E2BIG:
		run_error(run, "the module could not %s its session: it needs more memory than -D STP_MAXMEMORY allows", what);
		break;
	default:
		run_error(run, "the module could not %s its session: %s", what, strerror(errno));
	}
	return -1;
}

static int session_setup(struct run *run, struct kernel_run *k)
{
	const struct run_options *o = run->options;
	struct sp_setup setup = { .abi = SP_WIRE_ABI, .ring_bytes = ring_bytes(o) };

	setup.target = o->pid ? o->pid : run->command.pid;
	setup.remote_id = o->remote_id;
	strcpy(setup.remote_uri, o->remote_uri);
	if (ioctl(k->device, o->attach ? SP_IOC_ATTACH : SP_IOC_SETUP, &setup))
		return session_error(run, &setup, o->attach ? "hand over" : "set up");
	if (rings_map(run, k, setup.map_bytes))
		return -1;
	merge_gaps_until(run->merge, setup.seq);
	return 0;
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

/*
 * -A: removed by us or our guardian only once it is ours.  The guardian is there before the mapping is: it would
 * inherit that, and so keep the device open.
 */
static int module_attach(struct run *run, struct kernel_run *k)
{
	char path[300];
	const char *name = run->options->script;

	snprintf(path, sizeof(path), "/sys/class/misc/%.200s/dev", name);
	if (strlen(name) >= sizeof(k->module.name) || strchr(name, '/') || access(path, F_OK)) {
		run_error(run, "there is no module '%s' to attach to", name);
		return -1;
	}
	if (module_guard(run, &k->module))
		return -1;
	strcpy(k->module.name, name);
	if (device_open(run, k) || session_setup(run, k)) {
		*k->module.name = 0;
		return -1;
	}
	module_is_ours(&k->module);
	return 0;
}

static int kernel_open(struct run *run)
{
	struct kernel_run *k = calloc(1, sizeof(*k));

	if (!k) {
		run_error(run, "out of memory");
		return -1;
	}
	k->device = k->module.guardian_pipe = -1;
	k->memory = MAP_FAILED;
	run->state = k;
	if (run->options->attach ? module_attach(run, k) : module_guard(run, &k->module) || module_load(run, &k->module) ||
	    device_open(run, k) || session_setup(run, k) || set_globals(run, k))
		return -1;
	run_note(run, "module %s %s", k->module.name, run->options->attach ? "attached to" : "loaded");
	return run_watch(run, k->device);
}

static int kernel_start(struct run *run)
{
	struct kernel_run *k = run->state;

	if (run->options->attach || !ioctl(k->device, SP_IOC_START))
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
	if (now == SP_PHASE_STOPPED || (run->leaving && now == SP_PHASE_RUNNING))
		run_end(run);
	__atomic_store_n(&control(k)->phase_seen, now, __ATOMIC_RELEASE);
}

static bool kernel_child(struct run *run, pid_t pid, int status)
{
	struct kernel_run *k = run->state;

	(void)status;
	if (pid != k->module.guardian)
		return false;
	k->module.guardian = 0;
	return true;
}

static void kernel_stop(struct run *run)
{
	struct kernel_run *k = run->state;
	struct pollfd ready[2] = { { .fd = k->device, .events = POLLIN }, { .fd = run->signal_fd, .events = POLLIN } };

	ioctl(k->device, SP_IOC_STOP);
	while (phase(k) != SP_PHASE_STOPPED) {
		poll(ready, 2, 200);
		run_signals(run);
		run_drain_all(run);
		control(k)->phase_seen = phase(k);
	}
	if (control(k)->exit_status)
		run->broken = true;
}

/* What the rings hold from now on is for whoever attaches next. */
static int kernel_leave(struct run *run)
{
	struct kernel_run *k = run->state;

	if (!ioctl(k->device, SP_IOC_DETACH))
		return 0;
	run_error(run, "the module's session can not be left: %s", strerror(errno));
	return -1;
}

static const char *kernel_name(struct run *run)
{
	return ((const struct kernel_run *)run->state)->module.name;
}

static void kernel_close(struct run *run)
{
	struct kernel_run *k = run->state;

	if (!k)
		return;
	merge_free(run->merge);			/* its rings are about to go */
	run->merge = NULL;
	if (k->memory != MAP_FAILED)
		munmap(k->memory, k->bytes);
	if (k->device >= 0)
		close(k->device);
	module_close(run, &k->module, run->leaving);
	free(k);
	run->state = NULL;
}

const struct backend backend_kernel = {
	.name = "kernel",
	.suffix = ".ko",
	.has_cpu_rings = true,
	.open = kernel_open,
	.start = kernel_start,
	.release = kernel_release,
	.wake = kernel_wake,
	.child = kernel_child,
	.stop = kernel_stop,
	.leave = kernel_leave,
	.session_name = kernel_name,
	.close = kernel_close,
};
