// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The files probed: their inodes, and where each is loaded in a process.
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
#define BIAS_TRIES 20			/* of the map lock, where we may not sleep */

struct object {
	struct path path;
	struct inode *inode;		/* the lower one on an overlay: it is what mappings have */
	int error;			/* why there is none */
	bool has_base;
	u64 base_offset, base_addr;	/* first PT_LOAD: file offset and link-time address of its page */
};
static struct object *objects;

/* The first loaded segment, from which the bias of a mapping follows.  Left unknown where the file is not as expected. */
static void read_base(struct object *o)
{
	struct file *file;
	struct elf64_hdr header;
	struct elf64_phdr *p;
	loff_t at = 0;
	int i, n;

	file = dentry_open(&o->path, O_RDONLY | O_LARGEFILE, current_cred());
	if (IS_ERR(file))
		return;
	p = kmalloc_array(PHDRS_MAX, sizeof(*p), GFP_KERNEL);
	if (!p || kernel_read(file, &header, sizeof(header), &at) != sizeof(header))
		goto out;
	if (memcmp(header.e_ident, ELFMAG, SELFMAG) || header.e_ident[EI_CLASS] != ELFCLASS64)
		goto out;
	n = min_t(int, header.e_phnum, PHDRS_MAX);
	at = header.e_phoff;
	if (kernel_read(file, p, n * sizeof(*p), &at) != (ssize_t)(n * sizeof(*p)))
		goto out;
	for (i = 0; i < n && !o->has_base; i++) {
		if (p[i].p_type != PT_LOAD)
			continue;
		o->base_offset = p[i].p_offset & PAGE_MASK;
		o->base_addr = p[i].p_vaddr & PAGE_MASK;
		o->has_base = true;
	}
out:
	kfree(p);
	fput(file);
}

static void find_object(struct object *o, const struct sp_object *wanted)
{
	o->error = kern_path(wanted->path, LOOKUP_FOLLOW, &o->path);
	if (o->error)
		return;
	o->inode = d_real_inode(o->path.dentry);
	if (!S_ISREG(o->inode->i_mode)) {
		o->error = -EINVAL;
		o->inode = NULL;
		return;
	}
	if (sp_script.needs & SP_NEEDS_MAPS)
		read_base(o);
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

/* With locks of the script held we must not sleep, and try a few times instead: writers of the map lock are rare and short. */
static bool lock_map(struct sp_ctx *c, struct mm_struct *mm)
{
	const struct sp_hit *h = c->platform;
	int tries;

	for (tries = 0; tries < BIAS_TRIES; tries++) {
		if (mmap_read_trylock(mm))
			return true;
		if (c->locked)
			sp_plat_relax();
		else
			break;
	}
	if (c->locked)
		return false;
	if (!h->preemptible)
		preempt_enable();
	mmap_read_lock(mm);
	if (!h->preemptible)
		preempt_disable();
	return true;
}

sp_bool sp_plat_object_bias(struct sp_ctx *c, sp_u32 object, sp_u64 *bias)
{
	const struct object *o = &objects[object];
	struct mm_struct *mm = current->mm;
	bool found;

	if (!o->inode || !o->has_base || !mm || !lock_map(c, mm))
		return false;
	found = find_bias(o, mm, bias);
	mmap_read_unlock(mm);
	return found;
}
