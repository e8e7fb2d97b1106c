/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Kernel trees in the cache: finding one that fits a wish, having it fetched, and unpacking its image once.
 * fetch-kernel, a shell script, does what apt and dpkg-deb are needed for; this file owns the cache's lock.
 * Start reading at kernel_tree_find().
 */
#include "run/kernels.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include "run/unpack.h"
#include "support/strbuf.h"

#ifdef __x86_64__
#define FLAVOUR "amd64"		/* Debian's generic flavour for this processor */
#else
#define FLAVOUR "none"
#endif

#define SHARED_CACHE "/var/cache/spile"

const char *kernel_cache_dir(struct arena *a)
{
	const char *dir = getenv("SPILE_CACHE"), *home = getenv("HOME");

	if (dir && *dir)
		return arena_strdup(a, dir);
	if (geteuid() == 0)
		return SHARED_CACHE;
	dir = getenv("XDG_CACHE_HOME");
	if (dir && *dir == '/')
		return arena_printf(a, "%s/spile", dir);
	return arena_printf(a, "%s/.cache/spile", home && *home ? home : "");
}

/* "6.1" is a series; everything longer names one release. */
static bool is_series(const char *wish)
{
	size_t major = strspn(wish, "0123456789"), minor;

	if (!major || wish[major] != '.')
		return false;
	minor = strspn(wish + major + 1, "0123456789");
	return minor && !wish[major + 1 + minor];
}

/* Could be a release, and holds nothing that a path, a pattern or a shell would take amiss. */
static bool is_release(const char *wish)
{
	size_t n = strspn(wish, "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.+~_-");

	return *wish >= '0' && *wish <= '9' && !wish[n];
}

static bool ends_with(const char *s, const char *end)
{
	size_t n = strlen(s), m = strlen(end);

	return n >= m && !strcmp(s + n - m, end);
}

/* A series takes its generic flavour only: "6.1.0-57-amd64", not "6.1.0-57-cloud-amd64". */
static bool fits(const char *release, const char *wish)
{
	size_t n = strlen(wish);

	if (strncmp(release, wish, n))
		return false;
	if (!is_series(wish))
		return !release[n] || !strcmp(release + n, "-" FLAVOUR);
	return release[n] && !strchr("0123456789", release[n]) && ends_with(release, "-" FLAVOUR) &&
	       !ends_with(release, "-cloud-" FLAVOUR) && !ends_with(release, "-rt-" FLAVOUR);
}

/* The newest release below @cache that fits, in @a; NULL: none. */
static const char *find_cached(struct arena *a, const char *cache, const char *wish)
{
	DIR *dir = opendir(arena_printf(a, "%s/kernels", cache));
	const char *best = NULL;
	struct dirent *e;

	while (dir && (e = readdir(dir)))
		if (fits(e->d_name, wish) && (!best || strverscmp(e->d_name, best) > 0))
			best = arena_strdup(a, e->d_name);
	if (dir)
		closedir(dir);
	return best;
}

/* Where the kernel proper lies, packed, in a bzImage.  Linux Documentation/x86/boot.rst. */
static const char *image_payload(const char *image, size_t size, size_t *len)
{
	uint32_t off, payload_len;
	size_t start;

	if (size < 0x250 || memcmp(image + 0x202, "HdrS", 4))
		return NULL;
	memcpy(&off, image + 0x248, sizeof(off));
	memcpy(&payload_len, image + 0x24c, sizeof(payload_len));
	start = ((size_t)(unsigned char)image[0x1f1] + 1) * 512 + off;
	if (start > size || payload_len > size - start)
		return NULL;
	*len = payload_len;
	return image + start;
}

/* Unpacks a mapped image to @to, an open file. */
static int unpack_image(const char *image, size_t size, int to)
{
	size_t len;
	const char *payload = image_payload(image, size, &len);
	const struct packing *p = payload ? packing_of(payload, len) : NULL;
	char magic[4] = "";
	int rc;

	if (!p || len < p->trailer)
		return -EINVAL;
	rc = unpack(p, payload, len - p->trailer, to);
	if (!rc && (pread(to, magic, 4, 0) != 4 || memcmp(magic, "\177ELF", 4)))
		rc = -EINVAL;
	return rc;
}

/*
 * Makes @vmlinux out of @vmlinuz.  Where that cannot be done the packed image boots as well, only later, so there is
 * no message; the file appears whole or not at all.
 */
static bool make_vmlinux(struct arena *a, const char *vmlinuz, const char *vmlinux)
{
	char *part = arena_printf(a, "%s.XXXXXX", vmlinux);
	int from = open(vmlinuz, O_RDONLY | O_CLOEXEC), to = from < 0 ? -1 : mkostemp(part, O_CLOEXEC);
	void *image = MAP_FAILED;
	struct stat st;
	bool done = false;

	if (to >= 0 && !fstat(from, &st))
		image = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, from, 0);
	if (image != MAP_FAILED) {
		done = !unpack_image(image, (size_t)st.st_size, to) && !fchmod(to, 0644) && !rename(part, vmlinux);
		munmap(image, (size_t)st.st_size);
	}
	if (to >= 0) {
		close(to);
		if (!done)
			unlink(part);
	}
	if (from >= 0)
		close(from);
	return done;
}

static const char *boot_image(struct arena *a, const char *tree, const char *release)
{
	const char *vmlinuz = arena_printf(a, "%s/boot/vmlinuz-%s", tree, release);
	const char *vmlinux = arena_printf(a, "%s/vmlinux", tree);

	if (!access(vmlinux, R_OK) || make_vmlinux(a, vmlinuz, vmlinux))
		return vmlinux;
	return vmlinuz;
}

static bool in_path(const char *program)
{
	const char *path = getenv("PATH"), *end;
	char file[4096];

	for (path = path ? path : "/usr/bin:/bin"; ; path = end + 1) {
		end = strchrnul(path, ':');
		snprintf(file, sizeof(file), "%.*s/%s", (int)(end - path), path, program);
		if (!access(file, X_OK))
			return true;
		if (!*end)
			return false;
	}
}

/* The compiler that the headers name ("gcc-12"), in @a; NULL where they name none.  Debian's .kernelvariables. */
static const char *headers_compiler(struct arena *a, const char *build_dir)
{
	FILE *f = fopen(arena_printf(a, "%s/.kernelvariables", build_dir), "re");
	const char *found = NULL;
	char line[512], *gcc;

	while (f && !found && fgets(line, sizeof(line), f))
		if (!strncmp(line, "CC ", 3) && (gcc = strstr(line, "gcc-")))
			found = arena_strndup(a, gcc, 4 + strspn(gcc + 4, "0123456789"));
	if (f)
		fclose(f);
	return found;
}

/* Major version of `gcc', 0 where it does not say. */
static int gcc_version(void)
{
	FILE *f = popen("gcc -dumpversion 2>/dev/null", "re");
	int major = 0;

	if (f && fscanf(f, "%d", &major) != 1)
		major = 0;
	if (f)
		pclose(f);
	return major;
}

/*
 * Which compiler builds modules for these headers, and what make must be told.  Another gcc than the one they name will
 * do: a module of an older one loads, and gcc 12 builds for kernels from 5.10 to 7.2.
 */
static void choose_compiler(struct arena *a, struct kernel_tree *t, const char **named)
{
	const char **vars = ARENA_ARRAY(a, const char *, 4);
	unsigned n = 0;

	*named = headers_compiler(a, t->build_dir);
	if (*named && in_path(*named))
		t->cc = *named;
	else if (in_path("gcc"))
		t->cc = "gcc";
	if (t->cc)
		vars[n++] = arena_printf(a, "CC=%s", t->cc);
	/* Else kernels from 6.12 on want pahole; modules without BTF load on all. */
	vars[n++] = "CONFIG_DEBUG_INFO_BTF_MODULES=";
	/* -fmin-function-alignment came with gcc 14. */
	if (t->cc && t->cc != *named && *named && atoi(*named + 4) >= 14 && gcc_version() < 14)
		vars[n++] = "CONFIG_CC_HAS_MIN_FUNCTION_ALIGNMENT=";
	t->make_vars = vars;
}

static bool check_compiler(const struct kernel_tree *t, const char *named, struct diag *d)
{
	if (t->cc)
		return true;
	diag_error(d, NO_SPAN, TAG_KERNEL, "no compiler to build a module for Linux %s (%s) is installed", t->release,
		   named ? named : "gcc");
	diag_hint(d, "apt-get install %s", named ? named : "gcc");
	return false;
}

static const struct kernel_tree *tree_make(struct arena *a, const char *cache, const char *release, bool build,
					   struct diag *d)
{
	struct kernel_tree *t = ARENA_NEW(a, struct kernel_tree);
	const char *root = arena_printf(a, "%s/kernels/%s", cache, release), *named;

	t->release = release;
	t->image = boot_image(a, root, release);
	t->modules_dir = arena_printf(a, "%s/lib/modules/%s", root, release);
	t->build_dir = arena_printf(a, "%s/usr/src/linux-headers-%s", root, release);
	choose_compiler(a, t, &named);
	return !build || check_compiler(t, named, d) ? t : NULL;
}

/*
 * Runs fetch-kernel; what it printed, in @a, without the newline.  False: it failed, and that is the reason.
 * It inherits the lock, so that nobody takes it for gone where only we have been killed.
 */
static bool run_fetcher(struct arena *a, const char *fetcher, const char *cache, const char *wish, int lock,
			const char **said)
{
	char *argv[] = { (char *)"sh", (char *)fetcher, (char *)cache, (char *)wish, NULL };
	posix_spawn_file_actions_t actions;
	struct strbuf out = { 0 };
	char part[1024];
	int ends[2], status = -1, failed;
	ssize_t n;
	pid_t pid;

	*said = "the fetcher could not be started";
	if (pipe2(ends, O_CLOEXEC))
		return false;
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
	posix_spawn_file_actions_adddup2(&actions, lock, lock);		/* the same number: only not closed on exec */
	failed = posix_spawn(&pid, "/bin/sh", &actions, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	close(ends[1]);
	while (!failed && (n = read(ends[0], part, sizeof(part))) != 0)
		if (n > 0)
			strbuf_add_n(&out, part, (size_t)n);
	close(ends[0]);
	if (failed)
		return false;
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	while (out.len && out.text[out.len - 1] == '\n')
		out.len--;
	*said = out.len ? arena_strndup(a, out.text, out.len) : "the fetcher was stopped";
	strbuf_free(&out);
	return status == 0;
}

static bool make_folders(const char *path)
{
	char *copy = strdup(path);
	bool ok = copy;

	for (char *p = copy; ok && (p = strchr(p + 1, '/'));) {
		*p = '\0';
		ok = !mkdir(copy, 0755) || errno == EEXIST;
		*p = '/';
	}
	ok = ok && (!mkdir(path, 0755) || errno == EEXIST);
	free(copy);
	return ok;
}

/* The lock on the cache, to be closed; -1 after a message. */
static int lock_cache(struct arena *a, const char *cache, struct diag *d)
{
	const char *path = arena_printf(a, "%s/kernels.lock", cache);
	int fd = make_folders(cache) ? open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0644) : -1;

	if (fd < 0) {
		diag_error(d, NO_SPAN, TAG_KERNEL, "cannot write to the cache %s: %s", cache, strerror(errno));
		diag_hint(d, "SPILE_CACHE=FOLDER names another place");
		return -1;
	}
	if (flock(fd, LOCK_EX | LOCK_NB)) {
		diag_say(d, "spile: waiting for another spile that is fetching a kernel\n");
		while (flock(fd, LOCK_EX))
			if (errno != EINTR)
				break;
	}
	return fd;
}

/* Fetches what fits the wish into @cache; its release, NULL after a message. */
static const char *fetch(struct arena *a, const char *cache, const struct kernel_wish *wish, const char *release,
			 struct diag *d)
{
	int lock = lock_cache(a, cache, d);
	const char *said;

	if (lock < 0)
		return NULL;
	said = find_cached(a, cache, release);	/* another may have fetched it while we waited */
	if (!said && !run_fetcher(a, wish->fetcher, cache, release, lock, &said)) {
		diag_error(d, NO_SPAN, TAG_KERNEL, "%s", said);
		said = NULL;
	}
	close(lock);
	return said;
}

const struct kernel_tree *kernel_tree_find(struct arena *a, const struct kernel_wish *wish, struct diag *d)
{
	const char *release = wish->release && *wish->release ? wish->release : KERNEL_DEFAULT;
	const char *cache = kernel_cache_dir(a), *found = find_cached(a, cache, release);

	if (!found && (found = find_cached(a, SHARED_CACHE, release)))
		cache = SHARED_CACHE;
	if (!found && !is_release(release)) {
		diag_error(d, NO_SPAN, TAG_KERNEL, "'%s' is no kernel release", release);
		diag_hint(d, "a series, such as 6.1, or a release as uname -r gives it");
		return NULL;
	}
	if (!found && !wish->fetcher) {
		diag_error(d, NO_SPAN, TAG_KERNEL, "no Linux %s in the cache %s", release, cache);
		return NULL;
	}
	if (!found)
		found = fetch(a, cache, wish, release, d);
	return found ? tree_make(a, cache, found, wish->build, d) : NULL;
}

const struct kernel_tree *kernel_tree_running(struct arena *a, struct diag *d)
{
	struct kernel_tree *t = ARENA_NEW(a, struct kernel_tree);
	struct utsname u;
	const char *named;

	uname(&u);
	t->release = arena_strdup(a, u.release);
	t->modules_dir = arena_printf(a, "/lib/modules/%s", u.release);
	t->build_dir = arena_printf(a, "%s/build", t->modules_dir);
	if (access(arena_printf(a, "%s/Makefile", t->build_dir), R_OK)) {
		diag_error(d, NO_SPAN, TAG_KERNEL, "the headers of the running kernel, Linux %s, are not installed",
			   u.release);
		diag_hint(d, "apt-get install linux-headers-%s", u.release);
		return NULL;
	}
	choose_compiler(a, t, &named);
	return check_compiler(t, named, d) ? t : NULL;
}
