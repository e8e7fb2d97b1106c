/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One process: getting the agent in, planting, following its loader, taking everything out.
 *
 * What was done to a process is written in the process itself (shared.h: plots and their books), never kept here: a fork
 * child has a copy of it, and the guardian finds it when spilerun is gone.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <dirent.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#include "spilerun/user/stub.h"
#include "spilerun/user/user.h"

#define WIPEONFORK 18			/* MADV_WIPEONFORK, <linux/mman.h> */
#define DONTDUMP 16			/* MADV_DONTDUMP */
#define PLOTS_MAX 4096			/* of one process: a longer list is damaged */

/* ---- where things are in a target ----------------------------------------------------------------------- */

static uint64_t total_size(const struct user_run *u)
{
	return u->shared_off + u->memory_size;
}

static uint64_t in_target(const struct user_run *u, uint64_t base, const void *ours)
{
	return base + ((uint64_t)ours - u->agent_base);
}

static uint64_t config_addr(const struct user_run *u, uint64_t base)
{
	return in_target(u, base, u->agent->config);
}

uint64_t process_agent_base(const struct user_run *u, const struct maps *maps)
{
	uint64_t shm = maps_find_inode(maps, u->memfd_ino, "memfd:spile");

	return shm ? shm - u->shared_off : 0;
}

bool process_is_dying(pid_t pid)
{
	char path[40], text[256], *at;
	int fd, e = errno;
	ssize_t n;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	n = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);
	if (fd >= 0)
		close(fd);
	errno = e;
	if (n <= 0 || e == ESRCH)
		return true;
	text[n] = 0;
	at = strrchr(text, ')');	/* the state follows the name */
	return !at || at[1] != ' ' || at[2] == 'Z' || at[2] == 'X';
}

/* ---- getting in ------------------------------------------------------------------------------------------ */

/* The target opens the session's memory through spilerun's descriptor.  Negative errno on failure. */
static int64_t open_memory(struct user_run *u, struct remote *r, uint64_t scratch)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/fd/%d", getpid(), u->memfd);
	if (!remote_write(r, scratch, path, strlen(path) + 1))
		return -errno;
	return remote_syscall(r, SYS_openat, (uint64_t)AT_FDCWD, scratch, O_RDWR | O_CLOEXEC, 0, 0, 0);
}

/* What the target's recvmsg() needs, in its memory at @addr. */
struct mailbox {
	struct sockaddr_un name;
	struct msghdr message;
	struct iovec part;
	char byte;
	_Alignas(8) char control[CMSG_SPACE(sizeof(int))];
};

static int send_memory(const struct user_run *u, const struct sockaddr_un *name, socklen_t len)
{
	_Alignas(8) char control[CMSG_SPACE(sizeof(int))] = { 0 };
	char byte = 0;
	struct iovec part = { &byte, 1 };
	struct msghdr message = { (void *)name, len, &part, 1, control, sizeof(control), 0 };
	struct cmsghdr *head = CMSG_FIRSTHDR(&message);
	int s = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	ssize_t n;

	head->cmsg_level = SOL_SOCKET;
	head->cmsg_type = SCM_RIGHTS;
	head->cmsg_len = CMSG_LEN(sizeof(int));
	memcpy(CMSG_DATA(head), &u->memfd, sizeof(int));
	n = s < 0 ? -1 : sendmsg(s, &message, 0);
	if (s >= 0)
		close(s);
	return n == 1 ? 0 : -1;
}

/*
 * The same for a target of another user, which may not look into our /proc: the descriptor is sent to a socket that it
 * opens.  Both must be in one network namespace.
 */
static int64_t receive_memory(struct user_run *u, struct remote *r, uint64_t scratch)
{
	struct mailbox m = { .name.sun_family = AF_UNIX };
	socklen_t len = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 +
				    (size_t)snprintf(m.name.sun_path + 1, 60, "spile-%d-%d", getpid(), r->pid));
	int64_t s, got;
	int fd;

	m.part = (struct iovec){ (void *)(scratch + offsetof(struct mailbox, byte)), 1 };
	m.message = (struct msghdr){ .msg_iov = (void *)(scratch + offsetof(struct mailbox, part)), .msg_iovlen = 1,
				     .msg_control = (void *)(scratch + offsetof(struct mailbox, control)),
				     .msg_controllen = sizeof(m.control) };
	if (!remote_write(r, scratch, &m, sizeof(m)))
		return -errno;
	s = remote_syscall(r, SYS_socket, AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0, 0, 0, 0);
	if (s < 0)
		return s;
	got = remote_syscall(r, SYS_bind, (uint64_t)s, scratch + offsetof(struct mailbox, name), len, 0, 0, 0);
	if (!got)
		got = send_memory(u, &m.name, len) ? -errno :
		      remote_syscall(r, SYS_recvmsg, (uint64_t)s, scratch + offsetof(struct mailbox, message),
				     MSG_CMSG_CLOEXEC | MSG_DONTWAIT, 0, 0, 0);
	remote_syscall(r, SYS_close, (uint64_t)s, 0, 0, 0, 0, 0);
	if (got < 0 || !remote_read(r, scratch, &m, sizeof(m)))
		return got < 0 ? got : -errno;
	memcpy(&fd, m.control + CMSG_LEN(0), sizeof(fd));
	return m.message.msg_controllen < CMSG_LEN(sizeof(int)) ? -EACCES : fd;
}

static int map_memory(struct user_run *u, struct remote *r, uint64_t base)
{
	uint64_t scratch = base + u->image.writable;	/* written over by the image afterwards */
	int64_t fd = open_memory(u, r, scratch), at;

	if (fd < 0)
		fd = receive_memory(u, r, scratch);
	if (fd < 0) {
		errno = (int)-fd;
		return -1;
	}
	at = remote_syscall(r, SYS_mmap, base + u->shared_off, u->memory_size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED,
			    (uint64_t)fd, 0);
	remote_syscall(r, SYS_close, (uint64_t)fd, 0, 0, 0, 0, 0);
	if (at != (int64_t)(base + u->shared_off)) {
		errno = (int)-at;
		return -1;
	}
	remote_syscall(r, SYS_madvise, base + u->shared_off, u->memory_size, DONTDUMP, 0, 0, 0);
	return 0;
}

/* vDSO symbols by the file that the kernel mapped: ours and the target's are the same. */
static uint64_t vdso_clock_offset(void)
{
	const uint8_t *vdso = (const uint8_t *)getauxval(AT_SYSINFO_EHDR);
	const Elf64_Ehdr *e = (const void *)vdso;
	const Elf64_Shdr *s = vdso && e->e_shoff ? (const void *)(vdso + e->e_shoff) : NULL;

	for (int i = 0; s && i < e->e_shnum; i++) {
		const Elf64_Sym *sym = (const void *)(vdso + s[i].sh_offset);

		if (s[i].sh_type != SHT_DYNSYM)
			continue;
		for (size_t k = 0; k < s[i].sh_size / sizeof(*sym); k++)
			if (!strcmp((const char *)vdso + s[s[i].sh_link].sh_offset + sym[k].st_name, "__vdso_clock_gettime"))
				return sym[k].st_value;
	}
	return 0;
}

static void fill_config(const struct user_run *u, struct sp_user_config *c, uint64_t base, uint64_t vdso)
{
	uint64_t clock = vdso_clock_offset();

	*c = (struct sp_user_config){
		.session = (void *)(base + u->shared_off),
		.shared = (void *)(base + u->shared_off + ((uint64_t)u->shared - (uint64_t)u->session)),
		.local = (void *)(base + u->local_off),
		.biases = (void *)(base + u->biases_off),
		.maps = sp_user_maps_size(u->script) ? (void *)(base + u->maps_off) : NULL,
		.stacks = (void *)(base + u->stacks_off),
		.vdso_clock = vdso && clock ? vdso + clock : 0,
		.fsgsbase = getauxval(AT_HWCAP2) >> 1 & 1,
	};
}

static int write_image(struct user_run *u, struct remote *r, uint64_t base)
{
	uint8_t *copy = image_copy(&u->image, base);
	struct sp_user_local local = { .ready = 2 };
	uint64_t unmapped = SP_USER_NOT_MAPPED;
	int slot = process_slot(u, r->pid);
	bool good;

	if (!copy || slot < 0) {
		free(copy);
		errno = ENOMEM;
		return -1;
	}
	local.proc = (uint32_t)slot;
	fill_config(u, (void *)(copy + (config_addr(u, base) - base)), base, remote_auxv(r->pid, AT_SYSINFO_EHDR));
	good = remote_write(r, base, copy, u->image.size) && remote_write(r, base + u->local_off, &local, 16);
	for (uint32_t i = 0; i < u->script->nobjects; i++)
		good = good && remote_write(r, base + u->biases_off + 8 * i, &unmapped, 8);
	free(copy);
	return good ? 0 : -1;
}

int process_enter(struct user_run *u, struct remote *r)
{
	int64_t base = remote_syscall(r, SYS_mmap, 0, total_size(u), PROT_READ | PROT_EXEC,
				      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, (uint64_t)-1, 0);

	if (base < 0 && base > -4096) {
		errno = (int)-base;
		return -1;
	}
	remote_syscall(r, SYS_mprotect, (uint64_t)base + u->image.writable, u->shared_off - u->image.writable,
		       PROT_READ | PROT_WRITE, 0, 0, 0);
	if (map_memory(u, r, (uint64_t)base) || write_image(u, r, (uint64_t)base)) {
		int e = errno;

		remote_syscall(r, SYS_munmap, (uint64_t)base, total_size(u), 0, 0, 0, 0);
		errno = e;
		return -1;
	}
	remote_syscall(r, SYS_madvise, (uint64_t)base + u->local_off, (u->biases_off - u->local_off), WIPEONFORK, 0, 0, 0);
	return process_update(u, r);
}

/* ---- writing code ------------------------------------------------------------------------------------------ */

/* A window of the target's code, written back by pages rather than by patches. */
struct page {
	const struct remote *r;
	uint64_t addr;			/* 0: none */
	size_t size;
	uint8_t bytes[8192];
	bool dirty, failed;
};

static void page_flush(struct page *p)
{
	if (p->addr && p->dirty && !remote_write(p->r, p->addr, p->bytes, p->size))
		p->failed = true;
	p->dirty = false;
}

/* The bytes at @addr, @n of them, in the buffer; NULL where they cannot be read. */
static uint8_t *page_at(struct page *p, uint64_t addr, size_t n)
{
	ssize_t got;

	if (!p->addr || addr < p->addr || addr + n > p->addr + p->size) {
		page_flush(p);
		p->addr = addr & ~4095ull;
		got = pread(p->r->mem, p->bytes, sizeof(p->bytes), (off_t)p->addr);
		p->size = got > 0 ? (size_t)got : 0;
		if (addr + n > p->addr + p->size) {
			p->addr = 0;
			return NULL;
		}
	}
	return p->bytes + (addr - p->addr);
}

/*
 * Writes a plot's jumps where the code is as the file has it; the book loses those that are not made, and *@changed counts
 * them.
 */
static bool write_jumps(const struct remote *r, struct plot *plot, size_t *changed)
{
	struct page page = { .r = r };
	struct sp_user_patch *book = plot_book(plot);

	for (size_t i = 0; i < plot->njumps; i++) {
		const struct plot_jump *j = &plot->jumps[i];
		uint8_t *at = page_at(&page, j->run_addr, j->len);

		if (book[i].kind == SP_PATCH_NONE)
			continue;
		if (!at || memcmp(at, book[i].bytes, j->len)) {
			book[i].kind = SP_PATCH_NONE;
			++*changed;
			continue;
		}
		memcpy(at, j->bytes, j->len);
		page.dirty = true;
	}
	page_flush(&page);
	return !page.failed;
}

static bool change_gate(const struct remote *r, uint64_t addr, int by)
{
	uint16_t v;

	if (!remote_read(r, addr, &v, sizeof(v)))
		return false;
	v = (uint16_t)(v + by);
	return remote_write(r, addr, &v, sizeof(v));
}

static void raise_gates(const struct remote *r, const struct file *f, struct plot *plot, uint64_t bias)
{
	struct sp_user_plot *head = (void *)plot->bytes;
	struct sp_user_patch *book = plot_book(plot);

	for (size_t i = 0; i < f->ngates; i++)
		if (change_gate(r, f->gates[i] + bias, 1))
			book[head->npatches++] = (struct sp_user_patch){ .run_addr = f->gates[i] + bias, .kind = SP_PATCH_GATE };
}

/* ---- breakpoints ------------------------------------------------------------------------------------------------ */

/* A set of signals from /proc/PID/status. */
static uint64_t signal_set(pid_t pid, const char *name)
{
	char path[40], *line = NULL;
	size_t size = 0, n = strlen(name);
	uint64_t set = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/status", pid);
	f = fopen(path, "re");
	while (f && getline(&line, &size, f) > 0)
		if (!strncmp(line, name, n) && line[n] == ':')
			set = strtoull(line + n + 1, NULL, 16);
	free(line);
	if (f)
		fclose(f);
	return set;
}

/*
 * Makes the agent's handler that of SIGTRAP, where the program neither blocks, ignores nor handles it: else a breakpoint
 * would kill it.
 */
static bool take_trap_signal(struct user_run *u, struct remote *r, uint64_t base)
{
	const uint64_t bit = 1ull << (SIGTRAP - 1), at = base + u->biases_off + 8ull * u->script->nobjects;
	uint64_t action[4] = { in_target(u, base, (void *)u->agent->trap), 0x4c000004 /* SIGINFO, RESTORER, ONSTACK, NODEFER */,
			       in_target(u, base, (void *)u->agent->trap_return), 0 }, now[4];

	if (signal_set(r->pid, "SigBlk") & bit || signal_set(r->pid, "SigIgn") & bit)
		return false;
	if (remote_syscall(r, SYS_rt_sigaction, SIGTRAP, 0, at, 8, 0, 0) || !remote_read(r, at, now, sizeof(now)))
		return false;
	if (now[0] == action[0])
		return true;
	return !now[0] && remote_write(r, at, action, sizeof(action)) && !remote_syscall(r, SYS_rt_sigaction, SIGTRAP, at, 0, 8, 0, 0);
}

/* Breakpoints that the process cannot bear are struck from the plot. */
static void settle_traps(struct user_run *u, struct remote *r, uint64_t base, struct plot *plot)
{
	struct sp_user_plot *head = (void *)plot->bytes;

	if (!head->ntraps || take_trap_signal(u, r, base))
		return;
	run_warning(u->run, "process %d uses SIGTRAP itself: %lu places that need a breakpoint are not planted", r->pid,
		    (unsigned long)head->ntraps);
	for (size_t i = 0; i < plot->njumps; i++)
		if (plot->jumps[i].len == 1)
			plot_book(plot)[i].kind = SP_PATCH_NONE;
	head->ntraps = 0;
}

/* ---- planting ------------------------------------------------------------------------------------------------ */

/* Whether the thread @tid stands amid a window, where its next instruction would be half a jump. */
static bool is_amid_window(pid_t tid, const struct plan *plan, uint64_t bias)
{
	struct user_regs_struct regs;

	if (ptrace(PTRACE_GETREGS, tid, NULL, &regs))
		return false;
	for (size_t i = 0; i < plan->nwindows; i++) {
		uint64_t at = regs.rip - bias - plan->windows[i].addr;

		if (at && at < plan->windows[i].end - plan->windows[i].addr)
			return true;
	}
	return false;
}

/* The stopped threads of the process: all that the kernel lists, since we stopped them. */
static bool any_amid_window(const struct remote *r, const struct plan *plan, uint64_t bias)
{
	char path[40];
	DIR *d;
	struct dirent *e;
	bool amid = false;

	snprintf(path, sizeof(path), "/proc/%d/task", r->pid);
	d = opendir(path);
	while (d && !amid && (e = readdir(d)))
		amid = atoi(e->d_name) && is_amid_window(atoi(e->d_name), plan, bias);
	if (d)
		closedir(d);
	return amid;
}

/* Maps a plot near its object and returns where; 0 with errno. */
static uint64_t map_plot(struct remote *r, const struct maps *maps, uint64_t lo, uint64_t hi, size_t size)
{
	uint64_t want = maps_gap(maps, lo, hi, size);
	int64_t at = -ENOMEM;

	if (want)
		at = remote_syscall(r, SYS_mmap, want, size, PROT_READ | PROT_EXEC,
				    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, (uint64_t)-1, 0);
	if (at == (int64_t)want && want)
		return want;
	errno = at < 0 ? (int)-at : EEXIST;
	return 0;
}

struct place {
	uint64_t lo, hi, bias;		/* of a mapped object */
};

/* Puts the plot at the head of the process's list. */
static bool link_plot(struct user_run *u, struct remote *r, uint64_t base, struct plot *plot)
{
	uint64_t head = config_addr(u, base) + offsetof(struct sp_user_config, plots), next;

	if (!remote_read(r, head, &next, 8))
		return false;
	((struct sp_user_plot *)plot->bytes)->next = next;
	return remote_write(r, plot->addr, plot->bytes, plot->size) && remote_write(r, head, &plot->addr, 8);
}

static int plant(struct user_run *u, struct remote *r, const struct maps *maps, uint64_t base, const struct file *f,
		 const struct place *where)
{
	struct plot plot;
	uint64_t addr, entry = in_target(u, base, (void *)u->agent->entry), entry_fp = in_target(u, base, (void *)u->agent->entry_fp);
	size_t changed = 0;
	bool good;

	if (any_amid_window(r, f->plan, where->bias)) {
		errno = EAGAIN;
		return -1;
	}
	addr = map_plot(r, maps, where->lo, where->hi, plot_room(f->plan, f->ngates));
	if (!addr || plot_make(&plot, f->object, f->plan, where->bias, addr, entry, entry_fp,
			       base + u->shared_off + u->session->armed_off, f->script_object, f->ngates))
		return -1;
	settle_traps(u, r, base, &plot);
	/* the book before the deed: whoever takes patches out compares what he finds */
	good = link_plot(u, r, base, &plot) && write_jumps(r, &plot, &changed);
	if (changed && f->script_object != SP_USER_NO_OBJECT)
		run_warning(u->run, "%zu places in '%s' of process %d are not planted: the code there is not the file's, another "
			    "session may be probing it", changed, f->object->path, r->pid);
	raise_gates(r, f, &plot, where->bias);
	good = good && remote_write(r, plot.addr, plot.bytes, plot.size);
	plot_free(&plot);
	if (!good)
		errno = EIO;
	return good ? 0 : -1;
}

/* ---- what is mapped ------------------------------------------------------------------------------------------- */

/* Bias and extent of the object whose code mapping @i is; false where no segment of the file fits. */
static bool place_of(const struct maps *maps, size_t i, const struct object *o, struct place *where)
{
	const struct mapping *m = &maps->m[i];

	for (int k = 0; k < o->ehdr->e_phnum; k++) {
		const Elf64_Phdr *p = &o->phdr[k];

		if (p->p_type != PT_LOAD || !(p->p_flags & PF_X) || m->off - (p->p_offset & ~4095ull) >= p->p_filesz + 4095)
			continue;
		where->bias = m->start - m->off + p->p_offset - p->p_vaddr;
		where->lo = m->start;
		where->hi = m->end;
		while (i && maps->m[i - 1].ino == m->ino)
			where->lo = maps->m[--i].start;
		while (i + 1 < maps->n && (maps->m[i + 1].ino == m->ino || (maps->m[i + 1].start == maps->m[i].end && !maps->m[i + 1].ino)))
			where->hi = maps->m[++i].end;
		return true;
	}
	return false;
}

struct planted {
	struct { uint64_t addr; struct sp_user_plot plot; bool alive; } *p;
	size_t n;
};

static int read_plots(const struct user_run *u, const struct remote *r, uint64_t base, struct planted *list)
{
	struct sp_user_config c;
	uint64_t at;

	*list = (struct planted){ 0 };
	if (!remote_read(r, config_addr(u, base), &c, sizeof(c)))
		return -1;
	list->p = calloc(PLOTS_MAX, sizeof(*list->p));
	if (!list->p)
		return -1;
	for (at = c.plots; at && list->n < PLOTS_MAX; at = list->p[list->n++].plot.next) {
		list->p[list->n].addr = at;
		if (!remote_read(r, at, &list->p[list->n].plot, sizeof(struct sp_user_plot)))
			break;
	}
	return 0;
}

static bool is_planted(struct planted *list, uint64_t bias, uint64_t lo, uint64_t hi)
{
	for (size_t i = 0; i < list->n; i++) {
		struct sp_user_plot *p = &list->p[i].plot;

		if (p->bias == bias && p->npatches && lo < hi) {
			list->p[i].alive = true;
			return true;
		}
	}
	return false;
}

static void set_bias(struct user_run *u, struct remote *r, uint64_t base, uint32_t object, uint64_t bias)
{
	if (object != SP_USER_NO_OBJECT)
		remote_write(r, base + u->biases_off + 8ull * object, &bias, 8);
}

/* Objects that are gone: their plots keep their room, since a thread may still be leaving one, but hold nothing any more. */
static void forget_dead(struct user_run *u, struct remote *r, uint64_t base, struct planted *list)
{
	for (size_t i = 0; i < list->n; i++) {
		struct sp_user_plot *p = &list->p[i].plot;

		if (list->p[i].alive || !p->npatches)
			continue;
		p->npatches = 0;
		set_bias(u, r, base, p->object, SP_USER_NOT_MAPPED);
		remote_write(r, list->p[i].addr, p, sizeof(*p));
	}
}

static int update_mapping(struct user_run *u, struct remote *r, const struct maps *maps, size_t i, uint64_t base,
			  struct planted *list, uint64_t loader)
{
	const struct mapping *m = &maps->m[i];
	struct place where;
	struct file *f;
	bool is_loader;

	if (!m->exec || !m->ino || !m->path || m->path[0] != '/' || !strncmp(m->path, "/memfd:", 7))
		return 0;
	is_loader = loader && loader <= m->start && m->start - loader < m->off + 4096;
	f = file_get(u, m, r->pid, is_loader);
	if (!f)
		return -1;
	if (!f->object || !place_of(maps, i, f->object, &where))
		return 0;
	set_bias(u, r, base, f->script_object, where.bias);
	if (f->loader_state) {
		uint64_t state = f->loader_state + where.bias;

		remote_write(r, config_addr(u, base) + offsetof(struct sp_user_config, loader_state), &state, 8);
	}
	if (!f->plan || !f->plan->nwindows || is_planted(list, where.bias, where.lo, where.hi))
		return 0;
	if (!plant(u, r, maps, base, f, &where))
		return 1;
	if (errno == EAGAIN)
		return -1;
	if (!process_is_dying(r->pid))
		run_warning(u->run, "nothing is probed in '%s' of process %d: %s", m->path, r->pid, strerror(errno));
	return 0;
}

int process_update(struct user_run *u, struct remote *r)
{
	struct maps maps;
	struct planted list;
	uint64_t base, loader = remote_auxv(r->pid, AT_BASE);
	int done = 0;

	if (maps_read(&maps, r->pid))
		return -1;
	base = process_agent_base(u, &maps);
	if (!base || read_plots(u, r, base, &list)) {
		maps_free(&maps);
		errno = ESRCH;
		return -1;
	}
	for (size_t i = 0; done >= 0 && i < maps.n; i++) {
		done = update_mapping(u, r, &maps, i, base, &list, loader);
		if (done > 0) {		/* a plot took some of the room */
			maps_free(&maps);
			free(list.p);
			if (maps_read(&maps, r->pid) || read_plots(u, r, base, &list))
				return -1;
			i = (size_t)-1;
		}
	}
	if (done >= 0) {
		forget_dead(u, r, base, &list);
		names_map(u, r->pid, r->mem, base, &maps);
	}
	maps_free(&maps);
	free(list.p);
	return done;
}

/* ---- taking out -------------------------------------------------------------------------------------------------- */

static void undo_patch(const struct remote *r, struct page *page, const struct sp_user_patch *p)
{
	uint8_t *at;

	if (p->kind == SP_PATCH_GATE)
		change_gate(r, p->run_addr, -1);
	if (p->kind != SP_PATCH_CODE || p->len > sizeof(p->bytes))
		return;
	at = page_at(page, p->run_addr, p->len);
	/* only what still is ours: a jump or a breakpoint */
	if (at && (*at == 0xe9 || *at == 0xeb || *at == 0xcc)) {
		memcpy(at, p->bytes, p->len);
		page->dirty = true;
	}
}

static void undo_plot(const struct remote *r, uint64_t addr, struct sp_user_plot *plot)
{
	struct page page = { .r = r };
	size_t n = plot->npatches * sizeof(struct sp_user_patch);
	struct sp_user_patch *book = n < plot->size ? malloc(n + 1) : NULL;

	if (book && remote_read(r, plot->patches, book, n))
		for (size_t i = 0; i < plot->npatches; i++)
			undo_patch(r, &page, &book[i]);
	page_flush(&page);
	free(book);
	plot->npatches = 0;
	remote_write(r, addr, plot, sizeof(*plot));
}

void process_leave(struct user_run *u, pid_t pid)
{
	struct stopped s;
	struct maps maps;
	struct remote r = { .pid = pid, .mem = -1 };
	struct planted list;
	char path[40];
	uint64_t base;

	if (threads_stop(&s, pid)) {
		if (!process_is_dying(pid))
			run_warning(u->run, "the patches of process %d can not be taken out: %s", pid, strerror(errno));
		return;
	}
	snprintf(path, sizeof(path), "/proc/%d/mem", pid);
	r.mem = open(path, O_RDWR | O_CLOEXEC);
	if (r.mem >= 0 && !maps_read(&maps, pid)) {
		base = process_agent_base(u, &maps);
		if (base && !read_plots(u, &r, base, &list)) {
			for (size_t i = 0; i < list.n; i++)
				undo_plot(&r, list.p[i].addr, &list.p[i].plot);
			free(list.p);
		}
		maps_free(&maps);
	}
	if (r.mem >= 0)
		close(r.mem);
	threads_go(&s);
}

void processes_leave(struct user_run *u)
{
	DIR *d = opendir("/proc");
	struct dirent *e;

	while (d && (e = readdir(d))) {
		pid_t pid = atoi(e->d_name);
		struct maps maps;

		if (pid <= 0 || pid == getpid() || maps_read(&maps, pid))
			continue;
		if (maps_find_inode(&maps, u->memfd_ino, "memfd:spile") && pid != u->guardian)
			process_leave(u, pid);
		maps_free(&maps);
	}
	if (d)
		closedir(d);
}

/* ---- slots -------------------------------------------------------------------------------------------------------- */

int process_slot(struct user_run *u, pid_t pid)
{
	for (uint32_t i = 0; i < SP_USER_PROCS; i++)	/* an exec keeps the process's number */
		if (u->shared->procs[i].pid == (uint32_t)pid)
			process_slot_free(u, i);
	for (uint32_t i = 0; i < SP_USER_PROCS; i++) {
		uint32_t expected = 0;

		if (__atomic_compare_exchange_n(&u->shared->procs[i].pid, &expected, (uint32_t)pid, 0, __ATOMIC_ACQ_REL,
						__ATOMIC_RELAXED))
			return (int)i;
	}
	return -1;
}

static struct sp_user_lane *lane_at(const struct user_run *u, uint32_t number)
{
	return (void *)((char *)u->session + u->shared->lanes_off + (number - 1) * u->shared->lane_size);
}

/* The process is dead, or another program now: its lanes go back, with the locks they may hold. */
void process_slot_free(struct user_run *u, uint32_t slot)
{
	for (uint32_t n = 1; n <= u->shared->lanes_used; n++) {
		struct sp_user_lane *lane = lane_at(u, n);

		if (lane->proc != slot + 1)
			continue;
		u->agent->locks_recover(u->session, n);
		__atomic_store_n(&lane->proc, 0, __ATOMIC_RELEASE);
	}
	if (u->pidfds[slot] >= 0) {
		run_unwatch(u->run, u->pidfds[slot]);
		close(u->pidfds[slot]);
		u->pidfds[slot] = -1;
	}
	u->shared->procs[slot].known = 0;
	__atomic_store_n(&u->shared->procs[slot].pid, 0, __ATOMIC_RELEASE);
}
