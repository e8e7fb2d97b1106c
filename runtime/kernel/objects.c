// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The files probed: their inodes, whether they are the ones the script was translated for, and where each is loaded in a process.
 *
 * A path is held from SETUP to the end, since nothing else keeps the inode alive while a uprobe is on it.
 * The load bias of the probed object comes free with each hit; that of another one is found by walking the maps when asked.
 */
#include <linux/dcache.h>
#include <linux/elf.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/mmap_lock.h>
#include <linux/namei.h>
#include <linux/slab.h>

#include "kernel.h"

#define PHDRS_MAX 64
#define NOTES_MAX 4096
#define NT_GNU_BUILD_ID 3

struct object {
	struct path path;
	struct inode *inode;		/* the lower one on an overlay: it is what mappings have */
	int error;			/* why there is none */
	bool has_base;
	u64 base_offset, base_addr;	/* first PT_LOAD: file offset and link-time address of its page */
};
static struct object *objects;

/* Reads @n bytes at @at, all or nothing. */
static bool read_at(struct file *file, void *to, size_t n, loff_t at)
{
	return kernel_read(file, to, n, &at) == (ssize_t)n;
}

/* The program headers, to be freed, and their number; NULL: no ELF64 file, or no memory. */
static struct elf64_phdr *read_phdrs(struct file *file, int *n)
{
	struct elf64_hdr header;
	struct elf64_phdr *p;

	if (!read_at(file, &header, sizeof(header), 0) || memcmp(header.e_ident, ELFMAG, SELFMAG) ||
	    header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_phentsize != sizeof(*p))
		return NULL;
	*n = min_t(int, header.e_phnum, PHDRS_MAX);
	p = kcalloc(PHDRS_MAX, sizeof(*p), GFP_KERNEL);
	if (p && !read_at(file, p, *n * sizeof(*p), header.e_phoff)) {
		kfree(p);
		p = NULL;
	}
	return p;
}

/* The first loaded segment, from which the bias of a mapping follows. */
static void find_base(struct object *o, const struct elf64_phdr *p, int n)
{
	for (; n > 0; p++, n--) {
		if (p->p_type != PT_LOAD)
			continue;
		o->base_offset = p->p_offset & PAGE_MASK;
		o->base_addr = p->p_vaddr & PAGE_MASK;
		o->has_base = true;
		return;
	}
}

/* Whether the notes at @p hold the build-id wanted.  gABI, "Note Section"; type 3 of owner "GNU". */
static bool notes_hold_id(const char *p, size_t left, const struct sp_object *wanted)
{
	struct elf64_note note;

	while (left >= sizeof(note)) {
		size_t name, desc;

		memcpy(&note, p, sizeof(note));
		name = ALIGN((size_t)note.n_namesz, 4);
		desc = ALIGN((size_t)note.n_descsz, 4);
		if (name > left - sizeof(note) || desc > left - sizeof(note) - name)
			return false;
		p += sizeof(note);
		if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && !memcmp(p, "GNU", 4))
			return note.n_descsz == wanted->build_id_len && !memcmp(p + name, wanted->build_id, note.n_descsz);
		p += name + desc;
		left -= sizeof(note) + name + desc;
	}
	return false;
}

static bool has_build_id(struct file *file, const struct elf64_phdr *p, int n, const struct sp_object *wanted)
{
	char *notes = kmalloc(NOTES_MAX, GFP_KERNEL);
	bool same = false;

	for (; notes && n > 0 && !same; p++, n--) {
		size_t size = min_t(u64, p->p_filesz, NOTES_MAX);

		same = p->p_type == PT_NOTE && read_at(file, notes, size, p->p_offset) && notes_hold_id(notes, size, wanted);
	}
	kfree(notes);
	return same;
}

/* What of the file's contents matters.  Sites of another build of it would be anywhere, in the midst of instructions too. */
static void read_file(struct object *o, const struct sp_object *wanted)
{
	struct file *file = dentry_open(&o->path, O_RDONLY | O_LARGEFILE, current_cred());
	struct elf64_phdr *p = NULL;
	int n = 0;

	if (!IS_ERR(file))
		p = read_phdrs(file, &n);
	if (p)
		find_base(o, p, n);
	if (wanted->build_id && (!p || !has_build_id(file, p, n, wanted)))
		o->error = -ESTALE;
	kfree(p);
	if (!IS_ERR(file))
		fput(file);
}

static void find_object(struct object *o, const struct sp_object *wanted)
{
	o->error = kern_path(wanted->path, LOOKUP_FOLLOW, &o->path);
	if (o->error)
		return;
	o->inode = d_real_inode(o->path.dentry);
	if (S_ISREG(o->inode->i_mode))
		read_file(o, wanted);
	else
		o->error = -EINVAL;
	if (o->error)
		o->inode = NULL;
}

int sp_objects_find(void)
{
	u32 i;

	objects = kvcalloc(sp_script.nobjects + 1, sizeof(*objects), GFP_KERNEL);
	if (!objects)
		return -ENOMEM;
	for (i = 0; i < sp_script.nobjects; i++)
		find_object(&objects[i], &sp_script.objects[i]);
	return 0;
}

void sp_objects_put(void)
{
	u32 i;

	for (i = 0; objects && i < sp_script.nobjects; i++)
		if (objects[i].path.dentry)
			path_put(&objects[i].path);
	kvfree(objects);
	objects = NULL;
}

struct inode *sp_object_inode(u32 object)
{
	return objects[object].inode;
}

int sp_object_error(u32 object)
{
	return objects[object].error;
}

/* Map lock held. */
static bool find_bias(const struct object *o, struct mm_struct *mm, sp_u64 *bias)
{
	struct vm_area_struct *vma;

	for (vma = find_vma(mm, 0); vma; vma = find_vma(mm, vma->vm_end)) {
		if (!vma->vm_file || file_inode(vma->vm_file) != o->inode)
			continue;
		if ((u64)vma->vm_pgoff << PAGE_SHIFT != o->base_offset)
			continue;
		*bias = vma->vm_start - o->base_addr;
		return true;
	}
	return false;
}

sp_bool sp_plat_object_bias(struct sp_ctx *c, sp_u32 object, sp_u64 *bias)
{
	const struct object *o = &objects[object];
	struct mm_struct *mm = current->mm;
	bool found;

	if (!o->inode || !o->has_base || !mm || !sp_map_lock(c, mm, !c->locked))
		return false;
	found = find_bias(o, mm, bias);
	mmap_read_unlock(mm);
	return found;
}
