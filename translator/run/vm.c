/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The host's side of a throwaway guest: starts QEMU, hands the command to the guest's first process, carries streams and
 * signals, and takes QEMU down again.  guest/init.c is the other side, guest/wire.h what they say to each other.
 * Start reading at vm_run().
 *
 * Nothing can be left behind: the initramfs is a memory file, the port and the console are socket pairs, and QEMU is
 * killed by the kernel when we die.  The guest has no disk, so killing it is the way to end it, always.
 */
#include "run/vm.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/kvm.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "run/guest/wire.h"
#include "run/initramfs.h"
#include "support/file.h"
#include "support/strbuf.h"

#define QEMU		"qemu-system-x86_64"
#define BOOT_WAIT_MS	120000		/* to the guest's first word; 2 s are usual, without KVM and on a busy machine more */
#define TAIL_BYTES	4096		/* of the console and of QEMU's own messages, kept for telling what went wrong */
#define CREDIT_STEP	(WIRE_WINDOW / 8)	/* give credit back in pieces no smaller than this */
/* A descriptor that is ready takes this much without blocking: pipe(7), PIPE_BUF. */
#define READY_BYTES	4096

/*
 * Kernel options: quiet and no delays; a panic ends the guest, and an oops is one; no defence against an attacker who
 * is not there; waits for RCU, of which taking probes out is full, made short.  no_timer_check: on a busy host an
 * emulated timer comes too late for that check, which then panics (seen at load 10 on 2 CPUs).
 */
#define KERNEL_OPTIONS	"console=ttyS0 quiet panic=-1 oops=panic mitigations=off rcupdate.rcu_expedited=1 " \
			"no_timer_check random.trust_cpu=on audit=0 8250.nr_uarts=1 cryptomgr.notests"

struct tail {
	char text[TAIL_BYTES];
	size_t len;
};

struct output {				/* the command's standard output or error, on its way to fd */
	int fd;
	char *data;			/* WIRE_WINDOW bytes: the guest never has more credit than fits */
	size_t off, len;		/* what waits is data[off .. len) */
	uint32_t owed;			/* written out, credit not given back yet */
	bool gone;			/* nobody reads fd any more */
};

struct vm {
	const struct vm_spec *spec;
	struct diag *d;
	pid_t qemu;			/* 0: not running */
	int port, console, errors;	/* our ends: the conversation, the guest's console, QEMU's standard error */
	int signals;
	sigset_t old_mask;
	struct timespec started;
	bool running;			/* the job is sent */
	bool interrupted;		/* the command got its SIGINT */
	bool shown;			/* the progress line stands on the screen */
	bool over;			/* result is final */
	uint32_t input_credit;
	bool input_ended;
	struct output out[WIRE_STREAMS];	/* [WIRE_STDIN] unused */
	char frames[2 * (WIRE_DATA + sizeof(struct wire_head))];	/* read from the port, not yet taken */
	size_t frames_len;
	struct tail console_tail, error_tail;
	struct vm_result result;
};

/* ---- ending -------------------------------------------------------------------------------- */

static void finish(struct vm *vm, enum vm_end end, int value)
{
	if (vm->over)
		return;
	vm->over = true;
	vm->result.end = end;
	vm->result.value = value;
}

static void hide_progress(struct vm *vm)
{
	if (vm->shown)
		diag_say(vm->d, "\r\033[K");
	vm->shown = false;
}

static void tail_add(struct tail *t, const char *data, size_t len)
{
	if (len >= sizeof(t->text)) {
		data += len - sizeof(t->text);
		len = sizeof(t->text);
	}
	if (t->len + len > sizeof(t->text)) {
		size_t drop = t->len + len - sizeof(t->text);

		memmove(t->text, t->text + drop, t->len - drop);
		t->len -= drop;
	}
	memcpy(t->text + t->len, data, len);
	t->len += len;
}

static void tail_tell(struct vm *vm, const struct tail *t, const char *what)
{
	size_t len = t->len;

	while (len && (t->text[len - 1] == '\n' || t->text[len - 1] == '\r'))
		len--;
	if (len)
		diag_note(vm->d, NO_SPAN, "%s:\n%.*s", what, (int)len, t->text);
}

/* The guest is gone, or useless, and the command's end was not heard of. */
static void fail(struct vm *vm, const char *why)
{
	if (vm->over)
		return;
	hide_progress(vm);
	diag_error(vm->d, NO_SPAN, TAG_VM, "%s", why);
	tail_tell(vm, &vm->error_tail, "QEMU's last words");
	tail_tell(vm, &vm->console_tail, "the guest kernel's last words");
	finish(vm, VM_FAILED, 0);
}

/* ---- starting QEMU ------------------------------------------------------------------------- */

/* KVM by what counts: a machine can be made.  /dev/kvm may exist and be of no use, as in a guest or a container. */
static bool kvm_works(void)
{
	int kvm = open("/dev/kvm", O_RDWR | O_CLOEXEC), machine;

	if (kvm < 0)
		return false;
	machine = ioctl(kvm, KVM_CREATE_VM, 0);
	if (machine >= 0)
		close(machine);
	close(kvm);
	return machine >= 0;
}

/* An emulated CPU keeps one and a half of the host's busy while it boots. */
static unsigned default_cpus(bool kvm)
{
	long n = sysconf(_SC_NPROCESSORS_ONLN) / (kvm ? 1 : 2);

	return n < 1 ? 1 : n > VM_CPUS_MOST ? VM_CPUS_MOST : (unsigned)n;
}

struct qemu_fds {
	int initramfs, port, console, errors;	/* QEMU's ends */
};

/* In the new process: becomes QEMU. */
_Noreturn static void become_qemu(const struct vm_spec *spec, const struct qemu_fds *fds, pid_t parent)
{
	const int kept[] = { fds->initramfs, fds->port, fds->console };
	bool kvm = kvm_works();
	char memory[16], cpus[16], initramfs[32], port[64], console[64];
	sigset_t none;
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(1);
	setpgid(0, 0);		/* out of reach of the terminal's Ctrl-C, which is for the command */
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	dup2(null, 0);
	dup2(null, 1);
	dup2(fds->errors, 2);
	for (size_t i = 0; i < sizeof(kept) / sizeof(*kept); i++)
		fcntl(kept[i], F_SETFD, 0);
	snprintf(memory, sizeof(memory), "%u", spec->memory_mb ? spec->memory_mb : VM_MEMORY_MB);
	snprintf(cpus, sizeof(cpus), "%u", spec->cpus ? spec->cpus : default_cpus(kvm));
	snprintf(initramfs, sizeof(initramfs), "/proc/self/fd/%d", fds->initramfs);
	snprintf(port, sizeof(port), "socket,id=port,fd=%d", fds->port);
	snprintf(console, sizeof(console), "socket,id=console,fd=%d", fds->console);
	execlp(QEMU, QEMU,
	       "-nodefaults", "-no-user-config", "-display", "none", "-no-reboot", "-name", "spile",
	       /*
		* One thread for all processors: with more, the emulator now and then runs a stale copy of an instruction that
		* a uprobe single-steps out of line (the kernel's own uprobe events as well), and the probed program dies.
		*/
	       "-accel", kvm ? "kvm" : "tcg,thread=single", "-cpu", kvm ? "host" : "max", "-m", memory, "-smp", cpus,
	       "-kernel", spec->kernel->image, "-initrd", initramfs, "-append", KERNEL_OPTIONS,
	       "-chardev", console, "-serial", "chardev:console",
	       "-chardev", port, "-device", "virtio-serial-pci",
	       "-device", "virtserialport,chardev=port,name=" WIRE_PORT,
	       "-fsdev", "local,id=host,path=/,security_model=none,readonly=on,multidevs=remap",
	       "-device", "virtio-9p-pci,fsdev=host,mount_tag=" WIRE_HOST_TAG,
	       (char *)NULL);
	if (errno == ENOENT)
		_exit(127);
	dprintf(2, "cannot execute %s: %s", QEMU, strerror(errno));
	_exit(126);
}

static bool make_pair(int *ours, int *theirs)
{
	int ends[2];

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends))
		return false;
	*ours = ends[0];
	*theirs = ends[1];
	return true;
}

static void start_qemu(struct vm *vm)
{
	struct qemu_fds fds = { -1, -1, -1, -1 };
	pid_t self = getpid();

	fds.initramfs = initramfs_make(vm->spec->kernel, vm->spec->guest_init, vm->d);
	if (fds.initramfs < 0) {
		finish(vm, VM_FAILED, 0);
		return;
	}
	if (make_pair(&vm->port, &fds.port) && make_pair(&vm->console, &fds.console) &&
	    make_pair(&vm->errors, &fds.errors)) {
		vm->qemu = fork();
		if (vm->qemu == 0)
			become_qemu(vm->spec, &fds, self);
	}
	if (vm->qemu <= 0) {
		vm->qemu = 0;
		fail(vm, "cannot start " QEMU);
	}
	close(fds.initramfs);
	close(fds.port);
	close(fds.console);
	close(fds.errors);
}

static void tell_no_qemu(struct diag *d)
{
	diag_error(d, NO_SPAN, TAG_VM, "a guest needs " QEMU ", which is not installed");
	diag_hint(d, "apt-get install qemu-system-x86");
}

bool vm_possible(struct arena *a, struct diag *d)
{
	bool there = program_find(a, QEMU);

	if (!there)
		tell_no_qemu(d);
	return there;
}

/* QEMU's end of the port is closed: it ended, or never came up. */
static void qemu_ended(struct vm *vm)
{
	int status = 0;

	while (waitpid(vm->qemu, &status, 0) < 0 && errno == EINTR)
		;
	vm->qemu = 0;
	if (WIFEXITED(status) && WEXITSTATUS(status) == 127 && !vm->error_tail.len) {
		hide_progress(vm);
		tell_no_qemu(vm->d);
		finish(vm, VM_FAILED, 0);
	}
	fail(vm, vm->running ? "the guest ended before the command did" : "the guest did not start");
}

static void kill_qemu(struct vm *vm)
{
	if (!vm->qemu)
		return;
	kill(vm->qemu, SIGKILL);
	while (waitpid(vm->qemu, NULL, 0) < 0 && errno == EINTR)
		;
	vm->qemu = 0;
}

/* ---- the conversation ---------------------------------------------------------------------- */

/* The port takes whole frames at once in all ordinary cases: little is ever under way to the guest (guest/wire.h). */
static void send_bytes(struct vm *vm, const void *data, size_t len)
{
	const char *p = data;

	while (len) {
		ssize_t n = send(vm->port, p, len, MSG_NOSIGNAL);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return;		/* the end of the port is noticed where it is read */
		p += n;
		len -= (size_t)n;
	}
}

static void send_frame(struct vm *vm, enum wire_kind kind, unsigned stream, const void *data, size_t len)
{
	struct wire_head head = { .kind = (uint8_t)kind, .stream = (uint8_t)stream, .len = (uint32_t)len };

	send_bytes(vm, &head, sizeof(head));
	send_bytes(vm, data, len);
}

static void send_number(struct vm *vm, enum wire_kind kind, unsigned stream, uint32_t number)
{
	send_frame(vm, kind, stream, &number, sizeof(number));
}

static uint32_t add_strings(struct strbuf *b, const char *const *list)
{
	uint32_t n = 0;

	for (; list[n]; n++)
		strbuf_add_n(b, list[n], strlen(list[n]) + 1);
	return n;
}

static bool same_file(int a, int b)
{
	struct stat x, y;

	return !fstat(a, &x) && !fstat(b, &y) && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

static void send_job(struct vm *vm)
{
	const struct vm_spec *s = vm->spec;
	char *here = s->cwd ? NULL : getcwd(NULL, 0), hostname[256] = "";
	const char *cwd = s->cwd ? s->cwd : here ? here : "/";
	struct wire_job job = { .has_input = s->stdin_fd >= 0, .merge = same_file(s->stdout_fd, s->stderr_fd) };
	struct strbuf b = { 0 };
	struct timespec now;

	strbuf_add_n(&b, (const char *)&job, sizeof(job));
	gethostname(hostname, sizeof(hostname) - 1);
	strbuf_add_n(&b, cwd, strlen(cwd) + 1);
	strbuf_add_n(&b, hostname, strlen(hostname) + 1);
	strbuf_add_n(&b, s->kernel->modules_dir, strlen(s->kernel->modules_dir) + 1);
	job.argc = add_strings(&b, s->argv);
	job.envc = add_strings(&b, s->env ? s->env : (const char *const *)environ);
	job.mask = (uint32_t)umask(0);
	umask((mode_t)job.mask);
	clock_gettime(CLOCK_REALTIME, &now);
	job.sec = now.tv_sec;
	job.nsec = now.tv_nsec;
	memcpy(b.text, &job, sizeof(job));
	if (b.len <= WIRE_JOB)
		send_frame(vm, WIRE_JOB_IS, 0, b.text, b.len);
	else
		fail(vm, "the command line and environment are too long for a guest");
	strbuf_free(&b);
	free(here);
}

static void guest_is_ready(struct vm *vm)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	vm->result.boot_ms = (unsigned)((now.tv_sec - vm->started.tv_sec) * 1000 +
					(now.tv_nsec - vm->started.tv_nsec) / 1000000);
	hide_progress(vm);
	vm->running = true;
	send_job(vm);
}

static void take_output(struct vm *vm, unsigned stream, const char *data, size_t len)
{
	struct output *o = &vm->out[stream];

	if (o->gone)
		return;
	if (o->off) {
		memmove(o->data, o->data + o->off, o->len - o->off);
		o->len -= o->off;
		o->off = 0;
	}
	if (len > WIRE_WINDOW - o->len) {
		fail(vm, "the guest sent more output than it may");
		return;
	}
	memcpy(o->data + o->len, data, len);
	o->len += len;
}

static void guest_failed(struct vm *vm, const char *why, size_t len)
{
	hide_progress(vm);
	diag_error(vm->d, NO_SPAN, TAG_VM, "in the guest: %.*s", (int)len, why);
	finish(vm, VM_FAILED, 0);
}

static void command_ended(struct vm *vm, int32_t status)
{
	if (WIFSIGNALED(status))
		finish(vm, VM_SIGNALED, WTERMSIG(status));
	else
		finish(vm, VM_EXITED, WEXITSTATUS(status));
}

static void take_frame(struct vm *vm, const struct wire_head *head, const char *data)
{
	bool output = head->stream == WIRE_STDOUT || head->stream == WIRE_STDERR;
	int32_t number = 0;

	if (head->len >= sizeof(number))
		memcpy(&number, data, sizeof(number));
	if (head->kind == WIRE_READY && !vm->running)
		guest_is_ready(vm);
	else if (head->kind == WIRE_OUTPUT && output)
		take_output(vm, head->stream, data, head->len);
	else if (head->kind == WIRE_CREDIT && head->len == sizeof(number))
		vm->input_credit += (uint32_t)number;
	else if (head->kind == WIRE_EXIT && head->len == sizeof(number))
		command_ended(vm, number);
	else if (head->kind == WIRE_FAIL)
		guest_failed(vm, data, head->len);
	else
		fail(vm, "the guest sent a message that makes no sense");
}

/* Reads what the port has and takes all whole frames of it. */
static void read_port(struct vm *vm)
{
	ssize_t n = recv(vm->port, vm->frames + vm->frames_len, sizeof(vm->frames) - vm->frames_len, MSG_DONTWAIT);
	struct wire_head head;
	size_t at = 0;

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (n <= 0) {
		qemu_ended(vm);
		return;
	}
	vm->frames_len += (size_t)n;
	while (!vm->over && vm->frames_len - at >= sizeof(head)) {
		memcpy(&head, vm->frames + at, sizeof(head));
		if (head.len > WIRE_DATA) {
			fail(vm, "the guest sent a message that makes no sense");
			return;
		}
		if (vm->frames_len - at < sizeof(head) + head.len)
			break;
		take_frame(vm, &head, vm->frames + at + sizeof(head));
		at += sizeof(head) + head.len;
	}
	memmove(vm->frames, vm->frames + at, vm->frames_len - at);
	vm->frames_len -= at;
}

/* Nobody reads this stream any more: as on the host, the command's next write there fails, or kills it. */
static void reader_gone(struct vm *vm, unsigned stream)
{
	vm->out[stream].gone = true;
	vm->out[stream].off = vm->out[stream].len;
	if (!vm->over)
		send_frame(vm, WIRE_HANGUP, stream, "", 0);
}

/* Writes some of what waits, once fd is ready; gives credit for it. */
static void write_output(struct vm *vm, unsigned stream, short events)
{
	struct output *o = &vm->out[stream];
	size_t len = o->len - o->off;
	ssize_t n = 0;

	if (len)
		n = write(o->fd, o->data + o->off, len < READY_BYTES ? len : READY_BYTES);
	else if (events & (POLLERR | POLLHUP | POLLNVAL))
		reader_gone(vm, stream);
	if (n < 0 && errno != EAGAIN && errno != EINTR)
		reader_gone(vm, stream);
	if (n <= 0)
		return;
	o->off += (size_t)n;
	o->owed += (uint32_t)n;
	if (o->owed >= CREDIT_STEP && !vm->over) {
		send_number(vm, WIRE_CREDIT, stream, o->owed);
		o->owed = 0;
	}
}

static void pass_input(struct vm *vm)
{
	char data[WIRE_INPUT];
	size_t most = vm->input_credit < sizeof(data) ? vm->input_credit : sizeof(data);
	ssize_t n = read(vm->spec->stdin_fd, data, most);

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	vm->input_ended = n <= 0;
	/* One message for each time the guest asks: it asks again when that has been read. */
	vm->input_credit = 0;
	send_frame(vm, WIRE_INPUT_IS, WIRE_STDIN, data, n > 0 ? (size_t)n : 0);
}

static void take_signal(struct vm *vm)
{
	struct signalfd_siginfo info;

	if (read(vm->signals, &info, sizeof(info)) != sizeof(info))
		return;
	if (!vm->running || vm->interrupted) {
		hide_progress(vm);
		finish(vm, VM_INTERRUPTED, (int)info.ssi_signo);
		return;
	}
	vm->interrupted = true;
	/* The terminal sends its signals to all of a process group, kill(1) to one process: so do we. */
	send_number(vm, WIRE_SIGNAL, info.ssi_code == SI_KERNEL, SIGINT);
}

static void read_text(struct vm *vm, int *fd, struct tail *tail, bool show)
{
	char data[4096];
	ssize_t n = recv(*fd, data, sizeof(data), MSG_DONTWAIT);

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (n <= 0) {
		close(*fd);
		*fd = -1;
		return;
	}
	tail_add(tail, data, (size_t)n);
	if (show)
		diag_say(vm->d, "%.*s", (int)n, data);
}

/* What to poll for: that fd takes what waits, or has lost its reader. */
static struct pollfd output_poll(const struct output *o)
{
	return (struct pollfd){ .fd = o->gone ? -1 : o->fd, .events = o->off < o->len ? POLLOUT : 0 };
}

static bool output_waits(const struct vm *vm)
{
	const struct output *out = &vm->out[WIRE_STDOUT], *err = &vm->out[WIRE_STDERR];

	return out->off < out->len || err->off < err->len;
}

/* Milliseconds that poll() may wait: for ever once the command runs. */
static int patience(struct vm *vm)
{
	struct timespec now;
	long ms;

	if (vm->running)
		return -1;
	clock_gettime(CLOCK_MONOTONIC, &now);
	ms = BOOT_WAIT_MS - (now.tv_sec - vm->started.tv_sec) * 1000;
	return ms > 0 ? (int)ms : 0;
}

/* Until the result is known.  Console and errors come first, to be at hand when the port says that QEMU has ended. */
static void carry(struct vm *vm)
{
	while (!vm->over) {
		struct pollfd p[] = {
			{ .fd = vm->console, .events = POLLIN },
			{ .fd = vm->errors, .events = POLLIN },
			output_poll(&vm->out[WIRE_STDOUT]),
			output_poll(&vm->out[WIRE_STDERR]),
			{ .fd = vm->input_credit && !vm->input_ended ? vm->spec->stdin_fd : -1, .events = POLLIN },
			{ .fd = vm->signals, .events = POLLIN },
			{ .fd = vm->port, .events = POLLIN },
		};
		int n = poll(p, sizeof(p) / sizeof(*p), patience(vm));

		if (n == 0)
			fail(vm, "the guest did not start in time");
		if (n <= 0)
			continue;
		if (p[0].revents)
			read_text(vm, &vm->console, &vm->console_tail, vm->spec->console);
		if (p[1].revents)
			read_text(vm, &vm->errors, &vm->error_tail, false);
		if (p[2].revents)
			write_output(vm, WIRE_STDOUT, p[2].revents);
		if (p[3].revents)
			write_output(vm, WIRE_STDERR, p[3].revents);
		if (p[4].revents)
			pass_input(vm);
		if (p[5].revents)
			take_signal(vm);
		if (p[6].revents && !vm->over)
			read_port(vm);
	}
}

/* The last output, after the guest's end.  A signal gives it up: whoever reads it may never go on. */
static void flush(struct vm *vm)
{
	while (output_waits(vm)) {
		struct pollfd p[] = {
			output_poll(&vm->out[WIRE_STDOUT]),
			output_poll(&vm->out[WIRE_STDERR]),
			{ .fd = vm->signals, .events = POLLIN },
		};

		if (poll(p, sizeof(p) / sizeof(*p), -1) <= 0)
			continue;
		if (p[2].revents)
			return;
		if (p[0].revents)
			write_output(vm, WIRE_STDOUT, p[0].revents);
		if (p[1].revents)
			write_output(vm, WIRE_STDERR, p[1].revents);
	}
}

/* ---- the whole ----------------------------------------------------------------------------- */

/*
 * Signals come through a descriptor while the guest lives; a closed standard output is an error of write().  One that was
 * ignored when we were started stays so: nohup, and background jobs of a script.  Blocked, it would come after all.
 */
static void take_signals_over(struct vm *vm, struct sigaction *old_pipe)
{
	static const int ends[] = { SIGINT, SIGTERM, SIGHUP };
	const struct sigaction ignore = { .sa_handler = SIG_IGN };
	struct sigaction old;
	sigset_t ours;

	sigemptyset(&ours);
	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++)
		if (!sigaction(ends[i], NULL, &old) && old.sa_handler != SIG_IGN)
			sigaddset(&ours, ends[i]);
	sigprocmask(SIG_BLOCK, &ours, &vm->old_mask);
	vm->signals = signalfd(-1, &ours, SFD_CLOEXEC | SFD_NONBLOCK);
	sigaction(SIGPIPE, &ignore, old_pipe);
}

static void close_all(struct vm *vm)
{
	const int fds[] = { vm->port, vm->console, vm->errors, vm->signals };

	for (size_t i = 0; i < sizeof(fds) / sizeof(*fds); i++)
		if (fds[i] >= 0)
			close(fds[i]);
	free(vm->out[WIRE_STDOUT].data);
	free(vm->out[WIRE_STDERR].data);
}

struct vm_result vm_run(const struct vm_spec *spec, struct diag *d)
{
	struct vm *vm = calloc(1, sizeof(*vm));
	struct sigaction old_pipe;
	struct vm_result result;

	if (!vm)
		BUG("out of memory");
	vm->spec = spec;
	vm->d = d;
	vm->port = vm->console = vm->errors = -1;
	vm->out[WIRE_STDOUT] = (struct output){ .fd = spec->stdout_fd, .data = malloc(WIRE_WINDOW) };
	vm->out[WIRE_STDERR] = (struct output){ .fd = spec->stderr_fd, .data = malloc(WIRE_WINDOW) };
	if (!vm->out[WIRE_STDOUT].data || !vm->out[WIRE_STDERR].data)
		BUG("out of memory");
	take_signals_over(vm, &old_pipe);
	clock_gettime(CLOCK_MONOTONIC, &vm->started);
	vm->shown = spec->progress;
	if (vm->shown)
		diag_say(d, "spile: booting Linux %s ...", spec->kernel->release);
	start_qemu(vm);
	carry(vm);
	kill_qemu(vm);
	hide_progress(vm);
	if (vm->result.end != VM_INTERRUPTED)
		flush(vm);
	sigaction(SIGPIPE, &old_pipe, NULL);
	sigprocmask(SIG_SETMASK, &vm->old_mask, NULL);
	close_all(vm);
	result = vm->result;
	free(vm);
	return result;
}
