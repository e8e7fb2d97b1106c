/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The user back end: a session in shared memory, from loading the script to its end probes.
 *
 * The script's object is loaded into spilerun as well, where begin, end, error and timer probes run over the same
 * memory.  Processes are seized for moments only: at their exec, and when their loader has changed the map; the threads
 * concerned wait for it (requests.c).  Nothing is done while a program simply runs.
 */
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "spilerun/user/follow.h"
#include "spilerun/user/user.h"

#define TICK_BUSY_MS 1
#define TICK_IDLE_MS 10
#define STUCK_MS 200			/* a record that is not published by then has a dead producer */
#define HANDLERS_MS 100			/* running handlers get to finish */
#define ATTACH_TRIES 50

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void sleep_ms(long ms)
{
	nanosleep(&(struct timespec){ .tv_nsec = ms * 1000000 }, NULL);
}

static bool change_state(struct sp_session *s, uint32_t from, uint32_t to)
{
	return __atomic_compare_exchange_n(&s->state, &from, to, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
}

/* ---- open --------------------------------------------------------------------------------------------------- */

static int load_script(struct user_run *u, const char *path)
{
	const char *why, *slash = strchr(path, '/');
	char *full = slash ? strdup(path) : NULL;
	struct link_map *map;

	if (!slash && asprintf(&full, "./%s", path) < 0)
		full = NULL;
	u->handle = full ? dlopen(full, RTLD_NOW | RTLD_LOCAL) : NULL;
	free(full);
	if (!u->handle) {
		run_error(u->run, "the script can not be loaded: %s", dlerror());
		return -1;
	}
	u->agent = dlsym(u->handle, "sp_agent");
	if (!u->agent || u->agent->abi != SP_ABI || u->agent->size != sizeof(*u->agent) || u->agent->script->abi != SP_ABI) {
		run_error(u->run, "'%s' was built for another version of spile", path);
		return -1;
	}
	dlinfo(u->handle, RTLD_DI_LINKMAP, &map);
	u->agent_base = map->l_addr;
	u->script = u->agent->script;
	if (!image_load(&u->image, path, &why))
		return 0;
	run_error(u->run, "'%s' can not be put into a program: %s", path, why);
	return -1;
}

/* Each thread's ring may be as large as was asked for: what no thread fills takes no memory. */
static uint64_t ring_bytes(const struct run_options *o)
{
	uint64_t bytes = SP_USER_RING;

	while (bytes < (uint64_t)o->buffer_mb << 20 && bytes < SP_USER_RING_MAX)
		bytes *= 2;
	return bytes;
}

static int make_memory(struct user_run *u)
{
	uint64_t session = u->agent->session_size(u->script), most = u->script->limits.maxmemory_kb;
	uint64_t shared = sp_user_shared_off(u->script, session);
	uint64_t lanes = (shared + sizeof(struct sp_user_shared) + 4095) & ~4095ull, ring = ring_bytes(u->run->options), lane = sp_user_lane_size(u->script, ring);
	struct stat st;
	void *memory = MAP_FAILED;

	if (most && session >> 10 > most) {
		run_error(u->run, "the session needs %lu KB of memory: limit %lu, see -D STP_MAXMEMORY=%lu", session >> 10, most,
			  session >> 10);
		return -1;
	}
	u->names_at = lanes + SP_USER_LANES * lane;
	u->names_end = u->memory_size = u->names_at + (sp_user_maps_size(u->script) ? SP_USER_NAMES : 0);
	u->memfd = memfd_create("spile", MFD_CLOEXEC);
	if (u->memfd >= 0 && !ftruncate(u->memfd, (off_t)u->memory_size) && !fstat(u->memfd, &st) && !fchmod(u->memfd, 0600))
		memory = mmap(NULL, u->memory_size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, u->memfd, 0);
	if (memory == MAP_FAILED) {
		run_error(u->run, "no shared memory of %lu MB: %s", u->memory_size >> 20, strerror(errno));
		return -1;
	}
	u->memfd_ino = st.st_ino;
	u->session = memory;
	u->shared = (void *)((char *)memory + shared);
	u->shared->magic = SP_USER_MAGIC;
	u->shared->lanes_off = lanes;
	u->shared->lane_size = lane;
	u->shared->ring_bytes = (uint32_t)ring;
	u->agent->session_init(u->session, u->script);
	u->session->target = u->run->command.pid ? u->run->command.pid : u->run->options->pid;
	u->session->remote_id = u->run->options->remote_id;
	strcpy(u->session->remote_uri, u->run->options->remote_uri);
	u->local_off = u->image.size;
	u->biases_off = u->local_off + ((sizeof(struct sp_user_local) + 4095) & ~4095ull);
	u->maps_off = u->biases_off + ((8ull * u->script->nobjects + 64 + 4095) & ~4095ull);
	u->stacks_off = u->maps_off + sp_user_maps_size(u->script);
	u->shared_off = u->stacks_off + SP_USER_STACKS;
	return 0;
}

/* Our own copy of the agent, for the probes that run here. */
static int set_up_host(struct user_run *u)
{
	struct sp_user_local *local = calloc(1, sizeof(*local));
	int slot = process_slot(u, getpid());
	struct sp_user_config *c = u->agent->config;

	if (!local || slot < 0)
		return -1;
	u->shared->procs[slot].known = 1;
	local->ready = 2;
	local->proc = (uint32_t)slot;
	*c = (struct sp_user_config){ .session = u->session, .shared = u->shared, .local = local, .host = 1,
				      .fsgsbase = getauxval(AT_HWCAP2) >> 1 & 1 };
	return 0;
}

static int find_script_files(struct user_run *u)
{
	u->script_files = calloc(u->script->nobjects + 1, sizeof(*u->script_files));
	u->timers = calloc(u->script->nprobes + 1, sizeof(*u->timers));
	if (!u->script_files || !u->timers)
		return -1;
	for (uint32_t i = 0; i < u->script->nprobes; i++)
		u->timers[i].fd = -1;
	for (uint32_t i = 0; i < u->script->nobjects; i++) {
		struct stat st;

		if (stat(u->script->objects[i].path, &st))
			continue;
		u->script_files[i].dev = st.st_dev;
		u->script_files[i].ino = st.st_ino;
	}
	return 0;
}

/* name=value words: a scalar's first value. */
static int set_globals(struct user_run *u)
{
	for (char **word = u->run->options->globals; *word; word++) {
		const char *why = u->agent->session_set(u->session, *word);

		if (!why)
			continue;
		run_error(u->run, "'%s' sets no global: %s", *word, why);
		return -1;
	}
	return 0;
}

static int user_open(struct run *run)
{
	struct user_run *u = calloc(1, sizeof(*u));

	if (!u)
		return -1;
	run->state = u;
	*u = (struct user_run){ .run = run, .memfd = -1, .bell = -1, .guardian_pipe = -1 };
	for (int i = 0; i < (int)SP_USER_PROCS; i++)
		u->pidfds[i] = -1;
	if (load_script(u, run->options->script) || make_memory(u) || set_globals(u))
		return -1;
	run->merge = merge_new(u->session->seq);
	if (!run->merge || set_up_host(u) || find_script_files(u)) {
		run_error(run, "out of memory");
		return -1;
	}
	if (u->script->nsites && !run->command.pid && !run->options->pid) {
		run_error(run, "the script probes a program: give the command to run with -c, or a process with -x");
		return -1;
	}
	return names_open(u) ? -1 : follow_open(u);
}

/* ---- probes that run here ------------------------------------------------------------------------------------- */

/* Runs all probes of @kind by their order; equal ones as they were written. */
static void run_probes(struct user_run *u, uint32_t kind)
{
	const struct sp_script *s = u->script;
	int64_t order = INT64_MIN;
	bool more = true;

	while (more) {
		int64_t next = INT64_MAX;

		more = false;
		for (uint32_t i = 0; i < s->nprobes; i++) {
			const struct sp_probe *p = &s->probes[i];

			if (p->kind != kind)
				continue;
			if (p->order == order)
				u->agent->host_run(p);
			if (p->order > order && p->order <= next) {
				next = p->order;
				more = true;
			}
		}
		order = next;
	}
}

static void disarm_timer(struct user_run *u, uint32_t i)
{
	timerfd_settime(u->timers[i].fd, 0, &(struct itimerspec){ 0 }, NULL);
	u->timers[i].armed = false;
}

/* What a timer counts in.  The coarse clocks move once a tick, and say so (clock_getres(2)). */
static uint64_t timer_unit_ns(const struct sp_probe *p)
{
	struct timespec t;

	if (!(p->flags & SP_PROBE_TICKS))
		return 1;
	clock_getres(CLOCK_MONOTONIC_COARSE, &t);
	return (uint64_t)t.tv_nsec;
}

static void arm_timer(struct user_run *u, uint32_t i)
{
	const struct sp_probe *p = &u->script->probes[i];
	uint64_t unit = timer_unit_ns(p), ns = p->interval_ns * unit, random_ns = p->random_ns * unit;
	struct itimerspec t;

	if (random_ns) {
		uint64_t spread = 2 * random_ns + 1;
		uint64_t back = ((uint64_t)random() << 31 | (uint64_t)random()) % spread;

		ns = ns + back > random_ns ? ns + back - random_ns : 1;
	}
	t.it_value.tv_sec = (time_t)(ns / 1000000000u);
	t.it_value.tv_nsec = (long)(ns % 1000000000u);
	t.it_interval = p->random_ns ? (struct timespec){ 0 } : t.it_value;
	timerfd_settime(u->timers[i].fd, 0, &t, NULL);
	u->timers[i].armed = true;
}

static int start_timers(struct user_run *u)
{
	for (uint32_t i = 0; i < u->script->nprobes; i++) {
		if (u->script->probes[i].kind != SP_PROBE_TIMER)
			continue;
		u->timers[i].fd = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
		if (u->timers[i].fd < 0 || run_watch(u->run, u->timers[i].fd)) {
			run_error(u->run, "no timer for %s: %s", u->script->probes[i].point, strerror(errno));
			return -1;
		}
		if (sp_is_armed(u->session, &u->script->probes[i]))
			arm_timer(u, i);
	}
	return 0;
}

/* Timers of probes whose condition has changed: one that is armed again begins a whole interval. */
static void rearm_timers(struct user_run *u)
{
	for (uint32_t i = 0; i < u->script->nprobes; i++) {
		const struct sp_probe *p = &u->script->probes[i];

		if (u->timers[i].fd < 0 || !p->condition || u->timers[i].armed == sp_is_armed(u->session, p))
			continue;
		if (u->timers[i].armed)
			disarm_timer(u, i);
		else
			arm_timer(u, i);
	}
}

static void run_timers(struct user_run *u)
{
	for (uint32_t i = 0; i < u->script->nprobes; i++) {
		uint64_t times;

		if (u->timers[i].fd < 0 || read(u->timers[i].fd, &times, sizeof(times)) != sizeof(times))
			continue;
		u->agent->host_run(&u->script->probes[i]);
		if (u->script->probes[i].random_ns)
			arm_timer(u, i);
	}
	if (u->script->nconditions)
		rearm_timers(u);
}

/* ---- rings ------------------------------------------------------------------------------------------------------ */

static void add_rings(struct user_run *u)
{
	uint32_t used = __atomic_load_n(&u->shared->lanes_used, __ATOMIC_ACQUIRE);

	for (; u->nrings < used; u->nrings++) {
		char *lane = (char *)u->session + u->shared->lanes_off + u->nrings * u->shared->lane_size;

		if (merge_add(u->run->merge, (struct sp_ring *)(lane + sp_user_ring_off(u->script))))
			return;
	}
}

/* A number that was taken and never published: its producer was killed between the two. */
static void mend_order(struct user_run *u)
{
	if (!merge_is_stuck(u->run->merge)) {
		u->stuck_since_ns = 0;
	} else if (!u->stuck_since_ns) {
		u->stuck_since_ns = now_ns();
	} else if (now_ns() - u->stuck_since_ns > STUCK_MS * 1000000ull) {
		merge_skip(u->run->merge);
		u->stuck_since_ns = 0;
	}
}

/* ---- the table's calls --------------------------------------------------------------------------------------------- */

static int attach(struct user_run *u, pid_t pid)
{
	for (int i = 0; i < ATTACH_TRIES; i++) {
		struct stopped s;
		struct remote r;
		int done = -1, e;

		if (threads_stop(&s, pid) || remote_open(&r, pid, s.threads[0].tid)) {
			run_error(u->run, "process %d can not be attached: %s", pid, strerror(errno));
			return -1;
		}
		done = i ? process_update(u, &r) : process_enter(u, &r);
		e = errno;
		remote_close(&r);
		threads_go(&s);
		if (done >= 0)
			return 0;
		if (e != EAGAIN) {
			run_error(u->run, "the probes could not be brought into process %d: %s", pid, strerror(e));
			return -1;
		}
		sleep_ms(1);
	}
	run_error(u->run, "process %d never stood still at a good place", pid);
	return -1;
}

static int user_start(struct run *run)
{
	struct user_run *u = run->state;
	uint64_t from = u->agent->timing_now();

	run_probes(u, SP_PROBE_BEGIN);
	u->agent->refresh_all();
	add_rings(u);
	if (!change_state(u->session, SP_STARTING, SP_RUNNING)) {
		run_end(run);
		return 0;
	}
	if (start_timers(u) || (run->options->pid && u->script->nsites && attach(u, run->options->pid)))
		return -1;
	u->agent->timing_started(u->session, from);
	return 0;
}

static int user_release(struct run *run)
{
	struct user_run *u = run->state;
	struct command *c = &run->command;
	int status;

	command_release(c);
	while (waitpid(c->pid, &status, __WALL) < 0)
		if (errno != EINTR)
			return -1;
	if (!WIFSTOPPED(status)) {	/* exec failed: command_report() says why */
		c->ended = true;
		c->status = status;
		run_end(run);
		return 0;
	}
	return follow_exec_stop(u, c->pid, true);
}

static void user_wake(struct run *run)
{
	struct user_run *u = run->state;
	uint64_t seq = __atomic_load_n(&u->session->seq, __ATOMIC_RELAXED);
	uint32_t state;

	u->active = seq != u->last_seq;
	u->last_seq = seq;
	follow_wake(u);
	run_timers(u);
	add_rings(u);
	mend_order(u);
	state = __atomic_load_n(&u->session->state, __ATOMIC_ACQUIRE);
	if (state == SP_STOPPING || state == SP_ERROR)
		run_end(run);
}

static int user_tick_ms(struct run *run)
{
	struct user_run *u = run->state;

	return u->active ? TICK_BUSY_MS : TICK_IDLE_MS;
}

static bool user_child(struct run *run, pid_t pid, int status)
{
	return follow_child(run->state, pid, status);
}

/* No handler may run into end probes; one in a process that was killed is not waited for long. */
static void wait_for_handlers(struct user_run *u)
{
	for (int ms = 0; ms < HANDLERS_MS; ms++) {
		bool busy = false;

		for (uint32_t n = 0; n < u->shared->lanes_used; n++) {
			struct sp_user_lane *lane = (void *)((char *)u->session + u->shared->lanes_off + n * u->shared->lane_size);

			busy |= lane->proc && __atomic_load_n(&lane->busy, __ATOMIC_ACQUIRE);
		}
		if (!busy)
			return;
		follow_wake(u);		/* frees the lanes of the dead */
		sleep_ms(1);
	}
}

static void user_stop(struct run *run)
{
	struct user_run *u = run->state;

	if (!change_state(u->session, SP_RUNNING, SP_STOPPING))
		change_state(u->session, SP_STARTING, SP_STOPPING);
	follow_stop(u);
	wait_for_handlers(u);
	u->agent->tell_skips();
	run_probes(u, u->session->state == SP_ERROR ? SP_PROBE_ERROR : SP_PROBE_END);
	__atomic_store_n(&u->session->state, SP_STOPPED, __ATOMIC_RELEASE);
	add_rings(u);
	run_drain_all(run);
	if (merge_is_stuck(run->merge))
		merge_skip(run->merge);
	run_drain_all(run);
	run->broken |= u->session->exit_status;
}

static void summary_line(void *data, const char *text)
{
	run_warning(data, "%s", text);
}

static void report_text(void *data, const char *text, sp_u32 n)
{
	(void)data;
	output_write(0, 0, text, n);
}

static void user_summary(struct run *run)
{
	struct user_run *u = run->state;

	u->agent->timing_report(u->session, report_text, NULL);
	u->agent->summary(u->session, summary_line, run);
}

static void user_close(struct run *run)
{
	struct user_run *u = run->state;

	if (!u)
		return;
	follow_close(u);
	names_close(u);
	files_free(u);
	image_free(&u->image);
	for (uint32_t i = 0; u->timers && i < u->script->nprobes; i++)
		if (u->timers[i].fd >= 0)
			close(u->timers[i].fd);
	free(u->timers);
	free(u->script_files);
	free(u->seized);
	if (u->agent && u->agent->config->host)
		free(u->agent->config->local);
	if (u->session)
		munmap(u->session, u->memory_size);
	if (u->memfd >= 0)
		close(u->memfd);
	if (u->handle)
		dlclose(u->handle);
	free(u);
	run->state = NULL;
}

const struct backend backend_user = {
	.name = "user",
	.suffix = ".so",
	.traces_command = true,
	.open = user_open,
	.start = user_start,
	.release = user_release,
	.wake = user_wake,
	.child = user_child,
	.tick_ms = user_tick_ms,
	.stop = user_stop,
	.summary = user_summary,
	.close = user_close,
};
