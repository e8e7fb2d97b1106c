// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What processes have mapped, and the symbols of those files.  Start reading at sp_plat_module().
 *
 * Maps are looked at when an address is asked about, so nothing is followed.  A file that was met once is held until the session
 * ends: its path is kept, and its symbols, read through the very file that the process has mapped, whatever has become of its
 * name.  Where objects were is remembered for probes that run in no process, or after it has ended.
 */
#include <linux/dcache.h>
#include <linux/err.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/mmap_lock.h>
#include <linux/mutex.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include <linux/vmalloc.h>

#include "kernel.h"

#define FILES_MAX 1024
#define SEEN_MAX 512
#define LOCK_TRIES 20			/* of the map lock, where we may not sleep */
#define VDSO 1				/* number of the object that the kernel maps itself */

enum { NAMES_UNKNOWN, NAMES_READY, NAMES_NONE };

struct mapped_file {
	struct file *file;		/* held; NULL: the vDSO */
	char *path;
	u64 last_base;			/* where it was met last */
	u32 state;			/* of .symbols; released after them */
	struct sp_symbols *symbols;
};
static struct mapped_file *files;	/* by number - 1; only grows, nfiles released after what it stands for */
static u32 nfiles;
static struct { u64 base, limit; u32 file; } *seen;	/* newest at nseen - 1, modulo SEEN_MAX */
static u32 nseen;
static DEFINE_SPINLOCK(files_lock);	/* for both */
static DEFINE_MUTEX(loading);

int sp_maps_make(void)
{
	if (!(sp_script.needs & (SP_NEEDS_CHAIN | SP_NEEDS_NAMES)))
		return 0;
	files = kvcalloc(FILES_MAX, sizeof(*files), GFP_KERNEL);
	seen = kvcalloc(SEEN_MAX, sizeof(*seen), GFP_KERNEL);
	if (!files || !seen)
		return -ENOMEM;
	files[VDSO - 1].path = kstrdup("[vdso]", GFP_KERNEL);
	files[VDSO - 1].state = NAMES_NONE;
	nfiles = VDSO;
	return files[VDSO - 1].path ? 0 : -ENOMEM;
}

void sp_maps_free(void)
{
	u32 i;

	for (i = 0; files && i < nfiles; i++) {
		vfree(files[i].symbols);
		kfree(files[i].path);
		if (files[i].file)
			fput(files[i].file);
	}
	kvfree(files);
	kvfree(seen);
	files = NULL;
	seen = NULL;
	nfiles = nseen = 0;
}

/* ---- the map lock ---- */

/* Without @wait we try a few times instead: writers of the map lock are rare and short. */
bool sp_map_lock(struct sp_ctx *c, struct mm_struct *mm, bool wait)
{
	int tries;

	for (tries = 0; tries < LOCK_TRIES; tries++) {
		if (mmap_read_trylock(mm))
			return true;
		if (wait)
			break;
		sp_plat_relax();
	}
	if (!wait)
		return false;
	sp_hit_may_sleep(c->platform);
	mmap_read_lock(mm);
	sp_hit_may_not_sleep(c->platform);
	return true;
}

/* ---- files ---- */

/* The path as the task would see it, without what d_path() says of a file that has none any more. */
static char *path_of(struct file *file)
{
	static const char gone[] = " (deleted)";
	char *buffer = kmalloc(PATH_MAX, GFP_ATOMIC | __GFP_NOWARN), *path = NULL, *at;
	size_t n;

	if (!buffer)
		return NULL;
	at = d_path(&file->f_path, buffer, PATH_MAX);
	if (!IS_ERR(at)) {
		n = strlen(at);
		if (n >= sizeof(gone) && !strcmp(at + n - (sizeof(gone) - 1), gone))
			at[n - (sizeof(gone) - 1)] = '\0';
		path = kstrdup(at, GFP_ATOMIC | __GFP_NOWARN);
	}
	kfree(buffer);
	return path;
}

static u32 find_file(const struct file *file)
{
	u32 n = smp_load_acquire(&nfiles), i;

	for (i = VDSO; i < n; i++)
		if (file_inode(files[i].file) == file_inode(file))
			return i + 1;
	return 0;
}

/* The number of a mapped file; 0: no room for another.  The map that has it is locked. */
static u32 number_of(struct file *file)
{
	u32 number = find_file(file);
	char *path;

	if (number || nfiles == FILES_MAX)
		return number;
	path = path_of(file);
	if (!path)
		return 0;
	spin_lock(&files_lock);
	number = find_file(file);
	if (!number && nfiles < FILES_MAX) {
		files[nfiles].file = get_file(file);
		files[nfiles].path = path;
		path = NULL;
		number = nfiles + 1;
		smp_store_release(&nfiles, number);
	}
	spin_unlock(&files_lock);
	kfree(path);
	return number;
}

/* ---- where objects were ---- */

static void remember(const struct sp_module *m)
{
	struct mapped_file *f = &files[m->file - 1];

	if (READ_ONCE(f->last_base) == m->base)
		return;
	spin_lock(&files_lock);
	f->last_base = m->base;
	seen[nseen % SEEN_MAX].base = m->base;
	seen[nseen % SEEN_MAX].limit = m->limit;
	seen[nseen % SEEN_MAX].file = m->file;
	nseen++;
	spin_unlock(&files_lock);
}

/* The last object that was at @addr in some process. */
static enum sp_answer recall(sp_uaddr addr, struct sp_module *m)
{
	enum sp_answer answer = SP_NO;
	u32 i;

	spin_lock(&files_lock);
	for (i = nseen; i > 0 && nseen - i < SEEN_MAX && answer == SP_NO; i--) {
		u32 at = (i - 1) % SEEN_MAX;

		if (addr < seen[at].base || addr >= seen[at].limit)
			continue;
		m->start = m->base = seen[at].base;
		m->end = m->limit = seen[at].limit;
		m->file = seen[at].file;
		m->executable = true;
		m->path = files[m->file - 1].path;
		answer = SP_YES;
	}
	spin_unlock(&files_lock);
	return answer;
}

/* ---- a process's map, its lock held ---- */

/* The mapping that ends where this one starts; NULL: there is none. */
static struct vm_area_struct *before(struct mm_struct *mm, struct vm_area_struct *vma)
{
	struct vm_area_struct *other = vma->vm_start ? find_vma(mm, vma->vm_start - 1) : NULL;

	return other && other != vma && other->vm_end == vma->vm_start ? other : NULL;
}

static bool is_heap(const struct mm_struct *mm, const struct vm_area_struct *vma)
{
	return vma->vm_start <= mm->brk && vma->vm_end >= mm->start_brk && mm->brk > mm->start_brk;
}

static bool is_of(const struct vm_area_struct *vma, const struct file *file)
{
	return vma->vm_file && file_inode(vma->vm_file) == file_inode(file);
}

/* An object's first mapping, that of its ELF header; NULL: none.  @vma is a later one, perhaps behind a gap. */
static struct vm_area_struct *first_of(struct mm_struct *mm, struct vm_area_struct *vma)
{
	struct file *file = vma->vm_file;
	struct vm_area_struct *first = vma, *other, *found = NULL;

	while (first->vm_pgoff && (other = before(mm, first)) && is_of(other, file))
		first = other;
	if (!first->vm_pgoff)
		return first;
	for (other = find_vma(mm, 0); other && other->vm_start < vma->vm_start; other = find_vma(mm, other->vm_end))
		if (is_of(other, file) && !other->vm_pgoff)
			found = other;
	return found;
}

/* Where an object ends: behind its last mapping, and the memory without a file that follows it. */
static u64 end_of(struct mm_struct *mm, struct vm_area_struct *first)
{
	struct vm_area_struct *last = first, *next;

	while ((next = find_vma(mm, last->vm_end)) && is_of(next, first->vm_file) && next->vm_pgoff)
		last = next;
	if (next && next->vm_start == last->vm_end && !next->vm_file && !is_heap(mm, next) && !(next->vm_flags & VM_GROWSDOWN))
		last = next;
	return last->vm_end;
}

static bool is_vdso(struct vm_area_struct *vma)
{
	const char *name = !vma->vm_file && vma->vm_ops && vma->vm_ops->name ? vma->vm_ops->name(vma) : NULL;

	return name && !strcmp(name, "[vdso]");
}

static void look_at(struct mm_struct *mm, struct vm_area_struct *vma, struct sp_module *m)
{
	struct vm_area_struct *first = vma, *other;

	m->start = vma->vm_start;
	m->end = vma->vm_end;
	m->base = m->limit = 0;
	m->file = 0;
	m->executable = vma->vm_flags & VM_EXEC;
	m->path = "";
	if (is_vdso(vma)) {
		m->file = VDSO;
		m->base = vma->vm_start;
		m->limit = vma->vm_end;
	} else {
		if (!vma->vm_file && !is_heap(mm, vma) && (other = before(mm, vma)))
			first = other;
		if (!first->vm_file)
			return;
		m->file = number_of(first->vm_file);
		first = first_of(mm, first);
		if (first) {
			m->base = first->vm_start;
			m->limit = end_of(mm, first);
		}
	}
	if (m->file)
		m->path = files[m->file - 1].path;
	if (m->file && m->base)
		remember(m);
}

enum sp_answer sp_plat_module(struct sp_ctx *c, sp_uaddr addr, sp_bool wait, struct sp_module *m)
{
	struct mm_struct *mm = current->mm;
	struct vm_area_struct *vma;

	if (!mm || current->flags & PF_KTHREAD)
		return recall(addr, m);
	if (!sp_map_lock(c, mm, wait))
		return SP_LATER;
	vma = find_vma(mm, addr);
	if (vma && vma->vm_start > addr)
		vma = NULL;
	if (vma)
		look_at(mm, vma, m);
	mmap_read_unlock(mm);
	return vma ? SP_YES : SP_NO;
}

/* ---- symbols ---- */

static sp_bool read_mapped(void *file, void *dst, sp_u64 offset, sp_size n)
{
	loff_t at = offset;

	return at >= 0 && kernel_read(file, dst, n, &at) == (ssize_t)n;
}

static struct sp_symbols *make_table(struct sp_symbols_source *source, u64 size)
{
	struct sp_symbols *symbols = size ? vmalloc(size) : NULL;

	if (symbols && !sp_symbols_make(source, symbols)) {
		vfree(symbols);
		symbols = NULL;
	}
	return symbols;
}

/* The file of symbols that was split off, as the task sees it, or NULL; *@split is then opened, *@size its table's. */
static struct file *open_split(const struct sp_symbols_source *source, struct sp_symbols_source *split, u64 *size)
{
	char path[SP_SPLIT_PATH_MAX];
	struct file *file;

	if (source->has_symtab || !sp_symbols_split_path(source, path))
		return NULL;
	file = filp_open(path, O_RDONLY | O_LARGEFILE, 0);
	if (IS_ERR(file))
		return NULL;
	split->read = read_mapped;
	split->file = file;
	*size = sp_symbols_open(split);
	if (*size && split->has_symtab) {
		*size = sp_symbols_split(source, split);
		return file;
	}
	fput(file);
	return NULL;
}

static struct sp_symbols *make_symbols(struct file *file)
{
	struct sp_symbols_source source = { .read = read_mapped, .file = file }, split;
	struct sp_symbols *symbols;
	struct file *split_file;
	u64 size, split_size;

	if (!(file->f_mode & FMODE_READ) || !(file->f_mode & FMODE_CAN_READ))
		return NULL;
	size = sp_symbols_open(&source);
	split_file = size ? open_split(&source, &split, &split_size) : NULL;
	if (!split_file)
		return make_table(&source, size);
	symbols = make_table(&split, split_size);
	fput(split_file);
	return symbols;
}

/* Sleeps.  A task that is being killed cannot read, which says nothing of the file. */
static void load(struct mapped_file *f)
{
	mutex_lock(&loading);
	if (f->state == NAMES_UNKNOWN) {
		f->symbols = make_symbols(f->file);
		if (f->symbols || !fatal_signal_pending(current))
			smp_store_release(&f->state, f->symbols ? NAMES_READY : NAMES_NONE);
	}
	mutex_unlock(&loading);
}

enum sp_answer sp_plat_symbols(struct sp_ctx *c, sp_u32 file, sp_bool wait, const struct sp_symbols **s)
{
	struct mapped_file *f = &files[file - 1];

	if (smp_load_acquire(&f->state) == NAMES_UNKNOWN) {
		if (!wait)
			return SP_LATER;
		sp_hit_may_sleep(c->platform);
		load(f);
		sp_hit_may_not_sleep(c->platform);
	}
	if (smp_load_acquire(&f->state) != NAMES_READY)
		return SP_NO;
	*s = f->symbols;
	return SP_YES;
}

/* No code of ours ever runs on a program's stack. */
void sp_plat_frame(struct sp_ctx *c, struct sp_frame *f)
{
}
