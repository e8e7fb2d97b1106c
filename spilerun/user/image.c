/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The script's object, loaded as a loader would: segments laid out, relative relocations listed.
 *
 * It was linked so that nothing else is needed: no library, no symbol, no thread-local storage.
 */
#include <stdlib.h>
#include <string.h>

#include "spilerun/user/user.h"

static bool lay_out(struct image *image, const struct object *o, const char **why)
{
	for (int i = 0; i < o->ehdr->e_phnum; i++) {
		const Elf64_Phdr *p = &o->phdr[i];

		if (p->p_type == PT_LOAD && p->p_vaddr + p->p_memsz > image->size)
			image->size = p->p_vaddr + p->p_memsz;
	}
	image->size = (image->size + 4095) & ~(size_t)4095;
	if (!image->size || image->size > 1u << 30) {
		*why = "its segments make no sense";
		return false;
	}
	image->bytes = calloc(1, image->size);
	image->writable = image->size;
	if (!image->bytes) {
		*why = "out of memory";
		return false;
	}
	for (int i = 0; i < o->ehdr->e_phnum; i++) {
		const Elf64_Phdr *p = &o->phdr[i];
		size_t n;
		const uint8_t *from;

		if (p->p_type == PT_INTERP || p->p_type == PT_TLS) {
			*why = "it was not linked for the user runtime";
			return false;
		}
		if (p->p_type != PT_LOAD)
			continue;
		if (p->p_flags & PF_W && p->p_vaddr < image->writable)
			image->writable = p->p_vaddr & ~(size_t)4095;
		from = object_at(o, p->p_vaddr, &n);
		if (from)
			memcpy(image->bytes + p->p_vaddr, from, n);
	}
	return true;
}

static bool list_relocs(struct image *image, const struct object *o, const char **why)
{
	const Elf64_Dyn *d = NULL;
	uint64_t rela = 0, size = 0;
	size_t n = 0;
	const uint8_t *p;

	for (int i = 0; i < o->ehdr->e_phnum; i++)
		if (o->phdr[i].p_type == PT_DYNAMIC)
			d = (const void *)object_at(o, o->phdr[i].p_vaddr, &n);
	for (n /= sizeof(*d); d && n && d->d_tag != DT_NULL; d++, n--) {
		if (d->d_tag == DT_RELA)
			rela = d->d_un.d_ptr;
		if (d->d_tag == DT_RELASZ)
			size = d->d_un.d_val;
		if (d->d_tag == DT_NEEDED || d->d_tag == DT_JMPREL || d->d_tag == DT_RELR) {
			*why = "it was not linked for the user runtime";
			return false;
		}
	}
	p = rela ? object_at(o, rela, &n) : NULL;
	if (!p || n < size)
		return !rela;
	image->relocs = calloc(size / sizeof(Elf64_Rela) + 1, sizeof(*image->relocs));
	for (size_t i = 0; image->relocs && i < size / sizeof(Elf64_Rela); i++) {
		const Elf64_Rela *r = (const Elf64_Rela *)p + i;

		if (ELF64_R_TYPE(r->r_info) != R_X86_64_RELATIVE || r->r_offset + 8 > image->size) {
			*why = "it holds a relocation that needs a loader";
			return false;
		}
		image->relocs[image->nrelocs].at = r->r_offset;
		image->relocs[image->nrelocs++].addend = (uint64_t)r->r_addend;
	}
	return image->relocs != NULL;
}

int image_load(struct image *image, const char *path, const char **why)
{
	struct object *o = object_open(path);
	bool good;

	*image = (struct image){ 0 };
	*why = "it is no x86-64 ELF file that can be read";
	if (!o)
		return -1;
	good = lay_out(image, o, why) && list_relocs(image, o, why);
	object_free(o);
	if (good)
		return 0;
	image_free(image);
	return -1;
}

void image_free(struct image *image)
{
	free(image->bytes);
	free(image->relocs);
	*image = (struct image){ 0 };
}

uint8_t *image_copy(const struct image *image, uint64_t base)
{
	uint8_t *copy = malloc(image->size);

	if (!copy)
		return NULL;
	memcpy(copy, image->bytes, image->size);
	for (size_t i = 0; i < image->nrelocs; i++) {
		uint64_t v = base + image->relocs[i].addend;

		memcpy(copy + image->relocs[i].at, &v, 8);
	}
	return copy;
}
