/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The guest's initramfs, made anew for each run: a few milliseconds, and no cache that could be stale.  It holds our
 * first process and, in loading order, the kernel modules by which the guest reaches the host.  What a module needs is
 * read from the module itself (.modinfo), so kernels may split and merge them as they like.
 * Start reading at initramfs_make().
 *
 * Format: cpio "newc", Linux Documentation/driver-api/early-userspace/buffer-format.rst.
 */
#include "run/initramfs.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "run/guest/wire.h"
#include "run/unpack.h"
#include "support/strbuf.h"

/* What the guest stands on; built into some kernels. */
static const char *const wanted[] = { "virtio_pci", "virtio_console", "9p", "9pnet_virtio", "overlay" };

#define MODULES_MOST 99		/* two digits order them in the archive */

struct making {
	const struct kernel_tree *kernel;
	struct diag *d;
	struct strbuf archive;
	struct strbuf order, builtin;	/* the kernel's modules.order and modules.builtin */
	char *done[MODULES_MOST];	/* names of the modules in the archive */
	unsigned n_done;
	unsigned inode;
};

/* The whole file at @path; false with errno set. */
static bool read_file(struct strbuf *to, int dir, const char *path)
{
	int fd = openat(dir, path, O_RDONLY | O_CLOEXEC);
	char part[65536];
	ssize_t n;

	if (fd < 0)
		return false;
	while ((n = read(fd, part, sizeof(part))) > 0)
		strbuf_add_n(to, part, (size_t)n);
	close(fd);
	return n == 0;
}

static void pad(struct strbuf *b)
{
	while (b->len % 4)
		strbuf_char(b, '\0');
}

struct entry {
	const char *name;
	unsigned mode, dev_major, dev_minor;
	const char *data;
	size_t len;
};

static void add_entry(struct making *m, const struct entry *e)
{
	strbuf_printf(&m->archive, "070701%08X%08X%08X%08X%08X%08X%08zX%08X%08X%08X%08X%08zX%08X",
		      ++m->inode, e->mode, 0, 0, 1, 0, e->len, 0, 0, e->dev_major, e->dev_minor,
		      strlen(e->name) + 1, 0);
	strbuf_add_n(&m->archive, e->name, strlen(e->name) + 1);
	pad(&m->archive);
	strbuf_add_n(&m->archive, e->data, e->len);
	pad(&m->archive);
}

/* Module names are written with '-' and '_' alike. */
static bool same_name(const char *a, const char *b, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		char x = a[i] == '-' ? '_' : a[i], y = b[i] == '-' ? '_' : b[i];

		if (x != y)
			return false;
	}
	return true;
}

/* The line of a list of module files ("kernel/net/9p/9pnet.ko") that is about @name, or NULL. */
static const char *find_line(const struct strbuf *list, const char *name, size_t *len)
{
	size_t name_len = strlen(name);
	const char *line = list->text, *stop;

	for (; line && (stop = strchr(line, '\n')); line = stop + 1) {
		const char *base = memrchr(line, '/', (size_t)(stop - line));

		base = base ? base + 1 : line;
		if ((size_t)(stop - base) == name_len + 3 && !memcmp(stop - 3, ".ko", 3) &&
		    same_name(base, name, name_len)) {
			*len = (size_t)(stop - line);
			return line;
		}
	}
	return NULL;
}

/* Replaces a packed module by what is in it. */
static bool unpack_module(struct making *m, const char *path, struct strbuf *module)
{
	const struct packing *p = packing_of(module->text, module->len);
	struct strbuf plain = { 0 };
	char from[32];
	int fd, rc;

	if (!p)
		return true;
	fd = memfd_create("module", MFD_CLOEXEC);
	rc = fd < 0 ? -EIO : unpack(p, module->text, module->len, fd);
	snprintf(from, sizeof(from), "/proc/self/fd/%d", fd);
	if (!rc && !read_file(&plain, AT_FDCWD, from))
		rc = -EIO;
	if (fd >= 0)
		close(fd);
	strbuf_free(module);
	*module = plain;
	if (!rc)
		return true;
	diag_error(m->d, NO_SPAN, TAG_VM, "cannot unpack the kernel module %s with '%s -dc'", path, p->tool);
	if (rc == -ENOENT)
		diag_hint(m->d, "apt-get install %s", p->package);
	return false;
}

/* Reads kernel/.../NAME.ko, or the packed file that is there in its place. */
static bool read_module(struct making *m, const char *path, struct strbuf *module)
{
	static const char *const endings[] = { "", ".xz", ".zst", ".gz" };
	int dir = open(m->kernel->modules_dir, O_PATH | O_DIRECTORY | O_CLOEXEC);
	bool found = false;

	for (size_t i = 0; dir >= 0 && !found && i < sizeof(endings) / sizeof(*endings); i++) {
		struct strbuf file = { 0 };

		strbuf_printf(&file, "%s%s", path, endings[i]);
		found = read_file(module, dir, file.text);
		strbuf_free(&file);
	}
	if (dir >= 0)
		close(dir);
	if (!found)
		diag_error(m->d, NO_SPAN, TAG_VM, "cannot read the kernel module %s/%s", m->kernel->modules_dir, path);
	return found && unpack_module(m, path, module);
}

/* The value of the .modinfo entry "depends=", in the module's own memory; NULL where the file is no module. */
static const char *module_depends(const struct strbuf *module)
{
	const Elf64_Ehdr *e = (const Elf64_Ehdr *)module->text;
	const Elf64_Shdr *sections, *names;

	if (module->len < sizeof(*e) || memcmp(e->e_ident, ELFMAG, SELFMAG) || e->e_shoff > module->len ||
	    (module->len - e->e_shoff) / sizeof(*sections) < e->e_shnum || e->e_shstrndx >= e->e_shnum)
		return NULL;
	sections = (const Elf64_Shdr *)(module->text + e->e_shoff);
	names = &sections[e->e_shstrndx];
	for (unsigned i = 0; i < e->e_shnum; i++) {
		const Elf64_Shdr *s = &sections[i];
		const char *at, *end;

		if (names->sh_offset + s->sh_name + sizeof(".modinfo") > module->len ||
		    strcmp(module->text + names->sh_offset + s->sh_name, ".modinfo") ||
		    s->sh_offset > module->len || s->sh_size > module->len - s->sh_offset)
			continue;
		at = module->text + s->sh_offset;
		end = at + s->sh_size;
		for (; at < end; at += strnlen(at, (size_t)(end - at)) + 1)
			if (!strncmp(at, "depends=", 8))
				return at + 8;
	}
	return NULL;
}

static bool add_module(struct making *m, const char *name);

static bool add_depends(struct making *m, const char *depends)
{
	char *list = strdup(depends), *rest = list, *name;
	bool ok = list;

	while (ok && (name = strsep(&rest, ",")))
		if (*name)
			ok = add_module(m, name);
	free(list);
	return ok;
}

static bool is_done(const struct making *m, const char *name)
{
	for (unsigned i = 0; i < m->n_done; i++)
		if (!strcmp(m->done[i], name))
			return true;
	return false;
}

static void add_file(struct making *m, const char *name, const struct strbuf *module)
{
	char path[128];

	snprintf(path, sizeof(path), "%s/%02u-%s", WIRE_MODULES, m->n_done, name);
	add_entry(m, &(struct entry){ .name = path, .mode = S_IFREG | 0644, .data = module->text, .len = module->len });
	m->done[m->n_done++] = strdup(name);
}

/* Adds a module, after those it needs. */
static bool add_module(struct making *m, const char *name)
{
	struct strbuf module = { 0 };
	const char *line, *depends;
	size_t len;
	char *path;
	bool ok;

	if (is_done(m, name) || find_line(&m->builtin, name, &len))
		return true;
	line = find_line(&m->order, name, &len);
	if (!line || m->n_done == MODULES_MOST) {
		diag_error(m->d, NO_SPAN, TAG_VM, "the kernel %s has no module '%s', which the guest needs to see the "
			   "host's files", m->kernel->release, name);
		diag_hint(m->d, "the cloud flavours lack it; take the generic one");
		return false;
	}
	path = strndup(line, len);
	ok = path && read_module(m, path, &module);
	depends = ok ? module_depends(&module) : NULL;
	if (ok && !depends)
		diag_error(m->d, NO_SPAN, TAG_VM, "%s is no kernel module", path);
	ok = depends && add_depends(m, depends);
	if (ok)
		add_file(m, name, &module);
	free(path);
	strbuf_free(&module);
	return ok;
}

static bool add_modules(struct making *m)
{
	int dir = open(m->kernel->modules_dir, O_PATH | O_DIRECTORY | O_CLOEXEC);
	bool ok = dir >= 0 && read_file(&m->order, dir, "modules.order") &&
		  read_file(&m->builtin, dir, "modules.builtin");

	if (dir >= 0)
		close(dir);
	if (!ok)
		diag_error(m->d, NO_SPAN, TAG_VM, "cannot read the lists of modules in %s", m->kernel->modules_dir);
	for (size_t i = 0; ok && i < sizeof(wanted) / sizeof(*wanted); i++)
		ok = add_module(m, wanted[i]);
	return ok;
}

static bool add_init(struct making *m, const char *guest_init)
{
	struct strbuf program = { 0 };
	bool ok = read_file(&program, AT_FDCWD, guest_init);

	if (ok)
		add_entry(m, &(struct entry){ .name = "init", .mode = S_IFREG | 0755, .data = program.text,
					      .len = program.len });
	else
		diag_error(m->d, NO_SPAN, TAG_VM, "cannot read %s: %s", guest_init, strerror(errno));
	strbuf_free(&program);
	return ok;
}

/* The archive as a memory file. */
static int write_archive(struct making *m)
{
	int fd = memfd_create("initramfs", MFD_CLOEXEC);

	for (size_t off = 0; fd >= 0 && off < m->archive.len;) {
		ssize_t n = write(fd, m->archive.text + off, m->archive.len - off);

		if (n <= 0) {
			close(fd);
			fd = -1;
		} else {
			off += (size_t)n;
		}
	}
	if (fd < 0)
		diag_error(m->d, NO_SPAN, TAG_VM, "cannot make the guest's initramfs: %s", strerror(errno));
	return fd;
}

int initramfs_make(const struct kernel_tree *kernel, const char *guest_init, struct diag *d)
{
	/* Without /dev/console the first process would start with no descriptors 0 to 2. */
	static const struct entry fixed[] = {
		{ .name = "dev",		.mode = S_IFDIR | 0755 },
		{ .name = "dev/console",	.mode = S_IFCHR | 0600, .dev_major = 5, .dev_minor = 1 },
		{ .name = WIRE_MODULES,	.mode = S_IFDIR | 0755 },
	};
	struct making m = { .kernel = kernel, .d = d };
	int fd = -1;

	for (size_t i = 0; i < sizeof(fixed) / sizeof(*fixed); i++)
		add_entry(&m, &fixed[i]);
	if (add_init(&m, guest_init) && add_modules(&m)) {
		add_entry(&m, &(struct entry){ .name = "TRAILER!!!" });
		fd = write_archive(&m);
	}
	for (unsigned i = 0; i < m.n_done; i++)
		free(m.done[i]);
	strbuf_free(&m.order);
	strbuf_free(&m.builtin);
	strbuf_free(&m.archive);
	return fd;
}
