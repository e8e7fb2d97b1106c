/* SPDX-License-Identifier: GPL-2.0-or-later */
/* internal.h - what the files of this room share among themselves; no other room includes it. */
#ifndef SPILE_DEBUGINFO_INTERNAL_H
#define SPILE_DEBUGINFO_INTERNAL_H

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwelf.h>
#include <elfutils/libdwfl.h>
#include <gelf.h>

#include "debuginfo/debuginfo.h"
#include "support/arena.h"

/* A growing array of pointers in an arena; what it outgrows stays behind until the arena dies. */
struct vec {
	void **item;
	unsigned n, room;
};
void vec_push(struct vec *v, struct arena *a, void *item);
/* What the pointers point to, each @size bytes, one behind the other, and an empty one at the end. */
void *vec_array(const struct vec *v, struct arena *a, size_t size);

/* A hash from pointers (DIE addresses) to pointers, in an arena. */
struct ptr_map {
	struct ptr_map_slot { const void *key; void *value; } *slot;
	unsigned n, room;
};
void ptr_map_put(struct ptr_map *m, struct arena *a, const void *key, void *value);
void *ptr_map_get(const struct ptr_map *m, const void *key);

/* A namespace or class around a function, innermost first. */
struct scope_name {
	const char *name;		/* "" for an anonymous namespace */
	const struct scope_name *up;
};

/* A function with code, or one inlined copy of one (units.c). */
struct func_entry {
	Dwarf_Die die;			/* DW_TAG_subprogram or DW_TAG_inlined_subroutine */
	Dwarf_Die cu;
	const struct func_entry *outer;	/* the entry whose DIE encloses this one, or NULL */
	bool is_inline;
	uint64_t entry_addr;
	const char *name;		/* DW_AT_name, borrowed from libdw */
	const char *linkage_name;	/* or NULL */
};

/* Where variables are looked up: a function or inlined copy, and for statements and marks a pc is added later. */
struct scope {
	struct object *obj;
	Dwarf_Die die;			/* the function or inlined copy itself */
	Dwarf_Die function;		/* the function with code that holds it: owns the frame base */
	Dwarf_Die cu;			/* the unit the function was written in */
};

struct fde_list {
	struct addr_range *range;	/* sorted by lo */
	unsigned n;
};

struct object_priv {
	struct object_options opts;
	bool is_musl;			/* linked to that C library */
	uint64_t tls_size;		/* of PT_TLS, rounded up to its alignment; 0: none */
	struct arena *arena;		/* lives as long as the object */
	Dwfl *dwfl;
	Dwfl_Module *mod;
	Elf *elf;			/* of the main file, owned by dwfl */
	Dwarf *dwarf;			/* owned by dwfl; NULL where there is none */
	bool dwarf_tried;
	Dwarf_CFI *eh_cfi;
	Dwarf_CFI *debug_cfi;
	bool cfi_tried;
	struct symbol_info *symbols;	/* sorted by address once object_symbols() was called */
	unsigned nsymbols;
	unsigned *symbols_by_name;	/* indices, sorted by name; NULL until asked for */
	bool symbols_tried, symbols_sorted;
	unsigned symbol_searches;
	struct fde_list fdes;
	bool fdes_tried;
	struct units *units;		/* NULL until asked for (units.c) */
	struct ptr_map origins;		/* DIE address of an inlined function to a struct origin (function.c) */
	struct ptr_map unit_files;	/* CU DIE address to a struct file_table (files.c) */
	struct ptr_map unit_has_lists;	/* CU DIE address: 1 + bool, whether variables use location lists */
	struct ptr_map unit_enumerators;/* CU DIE address to a struct vec (scope.c) */
	struct vec type_enumerators;	/* of type units (scope.c) */
	bool type_enumerators_tried;
	struct vec types;		/* named types with a body (type.c) */
	bool types_tried;
	struct ptr_map imported_types;	/* units of a shared file that they came from */
	struct vec globals;		/* file-level variables (scope.c) */
	bool globals_tried;
};

/* The DWARF of the object, searched for at the first call; NULL where there is none (obj->debug_problem says why). */
Dwarf *object_dwarf(struct object *obj);

/* debugfile.c: dwfl's callback that finds the separate debug file. */
int debugfile_find(Dwfl_Module *mod, void **userdata, const char *modname, Dwarf_Addr base, const char *file_name,
		   const char *debuglink_file, GElf_Word debuglink_crc, char **debuginfo_file_name);

/* miss_set - fill @miss (which may be NULL) and return @err. */
int miss_set(struct di_miss *miss, int err, enum di_reason reason, const char *text);

/* dies.c: small questions about DIEs, robust against damaged ones. */
/* Each child of @parent (a pointer) is in @child in turn. */
#define FOR_CHILDREN(child, parent) \
	for (bool there_ = dwarf_child(parent, &(child)) == 0; there_; there_ = dwarf_siblingof(&(child), &(child)) == 0)
bool die_attr(Dwarf_Die *die, unsigned name, Dwarf_Attribute *attr);	/* follows abstract origins */
bool die_flag(Dwarf_Die *die, unsigned name);
/* Says the DIE itself that it is only a declaration?  What a definition refers to says so, too, but not of that. */
bool die_is_declaration(Dwarf_Die *die);
bool die_unsigned(Dwarf_Die *die, unsigned name, uint64_t *out);	/* constant forms only */
bool die_signed(Dwarf_Die *die, unsigned name, int64_t *out);
bool die_ref(Dwarf_Die *die, unsigned name, Dwarf_Die *out);
const char *die_string(Dwarf_Die *die, unsigned name);
/* One line record, taken apart; false: it is damaged. */
struct record {
	uint64_t addr;
	unsigned line;
	bool is_stmt, prologue_end, end_sequence;
	const char *file;
};
bool record_at(Dwarf_Lines *lines, size_t i, struct record *r);
/* Of a namespace or class, of one in a type unit, too; "" where it has none. */
const char *die_scope_name(Dwarf_Die *die);
/* Of a function: @name is never NULL, @linkage may be. */
void die_function_names(Dwarf_Die *die, const char **name, const char **linkage);
/* Through abstract_origin and specification to the DIE that says where it was declared. */
Dwarf_Die die_root(Dwarf_Die die);
bool die_covers(Dwarf_Die *die, uint64_t pc);
bool die_entry(Dwarf_Die *die, uint64_t *entry);
unsigned die_ranges(Dwarf_Die *die, struct arena *a, struct addr_range **out);
/* Its DW_AT_decl_file as the line table has it, and the unit of that table; or NULL. */
const char *die_file_text(struct object *obj, Dwarf_Die *die, Dwarf_Die *cu);
/* The same made a full path. */
const char *die_decl_file(struct object *obj, Dwarf_Die *die, struct arena *a);
/* files.c: file @number of a unit's line table, or NULL. */
const char *unit_file(struct object *obj, Dwarf_Die *cu, uint64_t number);
unsigned die_decl_line(Dwarf_Die *die);
/* @path as the compiler recorded it, made absolute by the unit's DW_AT_comp_dir. */
const char *unit_path(Dwarf_Die *cu, const char *path, struct arena *a);
/* The next compile unit: full ones and skeletons (then @cu is the split unit's DIE). */
bool next_unit(Dwarf *dw, Dwarf_CU **unit, Dwarf_Die *cu);
/* The next of those or of the partial units: functions may be in either. */
bool next_code_unit(Dwarf *dw, Dwarf_CU **unit, Dwarf_Die *cu);
/* And of type units, too. */
bool next_any_unit(Dwarf *dw, Dwarf_CU **unit, Dwarf_Die *cu);

/* units.c: the functions of the object, read unit by unit as questions need them. */
struct func_iter {
	struct object *obj;
	const struct spec *spec;
	const bool *wanted;		/* by unit; NULL: all */
	unsigned unit, at;
};
/* functions_of - those whose name matches @spec's, or all if it is NULL: units in the order of .debug_info, functions in
 * the order of their DIEs, outer ones before inner ones.  @a must live as long as the iterator. */
struct func_iter functions_of(struct object *obj, const struct spec *spec, struct arena *a);
const struct func_entry *functions_next(struct func_iter *it);
/* The function with code, not an inlined copy, that begins at @addr, or NULL. */
const struct func_entry *function_entered_at(struct object *obj, uint64_t addr);
const struct func_entry *innermost_function(struct object *obj, uint64_t link_addr, bool with_inlines);
/* The namespaces and classes around it. */
const struct scope_name *function_scope(struct object *obj, const struct func_entry *e);
/* All names of functions, near what is in the index: for suggestions. */
void function_names(struct object *obj, struct vec *names, struct arena *a);
void units_close(struct object *obj);
/* `_Z...`: a linkage name.  @func: NULL where an address was asked for. */
bool wants_linkage(const char *func);

/* function.c */
/* Does @e match the names and the file of @spec? */
bool spec_matches_function(struct object *obj, const struct spec *spec, const struct func_entry *e);
bool file_matches(const char *pattern, const char *path);
/* @spec may be NULL; it decides how much of the name is shown. */
struct code_site *site_make(struct object *obj, const struct func_entry *e, const struct spec *spec, struct arena *a);
void miss_functions(struct object *obj, const char *asked, struct arena *a, struct di_miss *miss);

/* symbol.c: the symbols that start at an address, one after another: @before is NULL, then the last one.  A few such
 * questions are answered without sorting them all, so none of the other functions may be called in between. */
const struct symbol_info *symbol_starting_at(struct object *obj, uint64_t link_addr, const struct symbol_info *before);
/* All of that name, by address, in @a; without sorting the others. */
const struct symbol_info *symbols_of_name(struct object *obj, const char *name, struct arena *a, unsigned *n);

/* line.c */
uint64_t skip_prologue(struct object *obj, const struct func_entry *e, enum prologue_mode mode);
/* The unit with code at @link_addr. */
bool unit_of(struct object *obj, uint64_t link_addr, Dwarf_Die *cu);

/* symbol.c: whether the dynamic symbol table has this symbol under that version ("GLIBC_2.14"). */
bool object_symbol_has_version(struct object *obj, const struct symbol_info *sym, const char *version);

/* glob.c: fnmatch with flags 0, but an exact compare where there is no glob character (A.6). */
bool has_glob(const char *pattern);
bool name_matches(const char *pattern, const char *name);

/* loc.c: nodes, folding constants as they are made. */
struct loc_expr *loc_const(struct arena *a, int64_t num);
struct loc_expr *loc_address(struct arena *a, const struct object *obj, uint64_t link_addr);
struct loc_expr *loc_reg(struct arena *a, unsigned reg);
struct loc_expr *loc_index(struct arena *a, unsigned k);
struct loc_expr *loc_deref(struct arena *a, struct loc_expr *addr, unsigned size);
struct loc_expr *loc_unary(struct arena *a, enum loc_op op, struct loc_expr *x);
struct loc_expr *loc_binary(struct arena *a, enum loc_op op, struct loc_expr *x, struct loc_expr *y);
struct loc_expr *loc_select(struct arena *a, struct loc_expr *cond, struct loc_expr *x, struct loc_expr *y);
struct loc_expr *loc_extend(struct arena *a, struct loc_expr *x, unsigned bits, bool is_signed);
struct loc_expr *loc_bits(struct arena *a, struct loc_expr *x, unsigned shift, unsigned bits);
struct loc_expr *loc_node(struct arena *a, enum loc_kind kind);
struct loc_expr *loc_add(struct arena *a, struct loc_expr *x, int64_t n);

/* location.c: where a thing lives. */
enum place_kind {
	PLACE_NONE,			/* optimised out */
	PLACE_MEMORY,			/* at run-time address .e */
	PLACE_REGISTER,			/* in .reg */
	PLACE_VALUE,			/* is the number .e */
	PLACE_BYTES,			/* is these constant bytes */
	PLACE_PIECES,			/* put together */
	PLACE_POINTER,			/* a pointer that does not exist, to the thing of DIE .target */
};
struct place {
	enum place_kind kind;
	struct loc_expr *e;
	unsigned reg;
	const unsigned char *bytes;
	size_t nbytes;
	struct piece { struct place *at; uint64_t size; } *piece;
	unsigned npiece;
	Dwarf_Die target;
	int64_t target_offset;
};
struct loc_context {
	struct object *obj;
	struct arena *arena;
	const struct scope *scope;	/* may be NULL: no frame base */
	uint64_t pc;
	int depth;			/* of nested expressions; bounded */
};
/* place_of_variable - from DW_AT_location or DW_AT_const_value of a variable or parameter DIE.
 * Returns 0; -ENOENT if it has no location at this pc; -ENOSYS with @why naming what is not handled. */
int place_of_variable(const struct loc_context *c, Dwarf_Die *var, struct place *out, const char **why);
/* place_of_ops - from a list of operations. */
int place_of_ops(const struct loc_context *c, Dwarf_Attribute *attr, const Dwarf_Op *ops, size_t nops,
		 struct place *out, const char **why);
/* place_of_member - from the expression that is a member's DW_AT_data_member_location, for a thing of its type at run-time
 * address @whole.  Returns 0 with PLACE_MEMORY; -ENOSYS with @why. */
int place_of_member(const struct loc_context *c, Dwarf_Die *member, struct loc_expr *whole, struct place *out,
		    const char **why);
/* The ranges where the variable has a location, as text ("f+0x0..+0x9, ..."), or NULL. */
const char *location_ranges_text(const struct loc_context *c, Dwarf_Die *var);
/* place_read - @size (1..8) bytes at byte @off of the thing, zero-extended; NULL: not possible. */
struct loc_expr *place_read(struct arena *a, const struct place *p, uint64_t off, unsigned size);
/* place_read_bits - @bits (1..64) bits from bit @bit_off up; @unit: declared type's size, a safe load width. */
struct loc_expr *place_read_bits(struct arena *a, const struct place *p, uint64_t bit_off, unsigned bits, unsigned unit);

/* type.c */
struct ctype_priv {
	Dwarf_Die die;			/* typedefs and qualifiers peeled; definition where one was found */
	bool has_die;			/* false: void */
	const struct ctype *pointee;	/* of a pointer type made for a cast, no DIE */
	unsigned dim;			/* arrays: which dimension is the outermost still there */
};
/* A member whose offset is an expression. */
struct run_time_place {
	Dwarf_Die die;
};
/* The type a DIE's DW_AT_type names; void: kind CTYPE_VOID. */
const struct ctype *type_of_die(struct object *obj, Dwarf_Die *die, struct arena *a);
const struct ctype *type_from_die(struct object *obj, Dwarf_Die *type, struct arena *a);
const struct ctype *type_void(struct object *obj, struct arena *a);
/* By script name: "struct x", "x" (typedef, base, struct, union, enum), "class x". */
const struct ctype *type_named(struct object *obj, const char *name, struct arena *a);
bool type_is_aggregate(const struct ctype *t);

/* scope.c */
/* The chain of DIEs that own variables at @pc, innermost first: blocks, the function, ... ; returns the number. */
unsigned scope_chain(const struct scope *s, uint64_t pc, struct arena *a, Dwarf_Die **chain);
/* The variable or parameter @name that is visible at @pc inside the function. */
bool scope_find(const struct scope *s, uint64_t pc, const char *name, struct arena *a, Dwarf_Die *out);
/* A variable of that name in any block of the function, and the block; it is not visible at the pc, or left no trace. */
bool scope_find_elsewhere(const struct scope *s, const char *name, Dwarf_Die *out, Dwarf_Die *block);
bool scope_find_enumerator(const struct scope *s, uint64_t pc, const char *name, struct arena *a, Dwarf_Die *value,
			   Dwarf_Die *type);
void miss_locals(const struct scope *s, uint64_t pc, const char *asked, struct arena *a, struct di_miss *miss);
void miss_globals(struct object *obj, const char *asked, struct arena *a, struct di_miss *miss);
/* A file-level variable by name, optionally in units whose file matches @unit. */
bool global_variable(struct object *obj, const char *name, const char *unit, const Dwarf_Die *near_cu, Dwarf_Die *out);

/* Whether the unit that has code at @code_addr has a variable, of the file or of a function, at @data_addr. */
bool unit_variable_at(struct object *obj, uint64_t code_addr, uint64_t data_addr);

/* tls.c: what the thread-local segment of an executable takes below the thread pointer; false: there is none. */
bool object_tls_size(const struct object *obj, uint64_t *size);
/* Where the probed thread has what is at @offset of @obj's thread-local segment; NULL: not known, and *why. */
struct loc_expr *tls_address(struct object *obj, struct arena *a, struct loc_expr *offset, const char **why);

/* plt.c: the slot of the global offset table that the loader fills with the address of @symbol; 0: none. */
uint64_t got_slot(struct object *obj, const char *symbol);

/* abi.c: where a function's result is when it returns. */
int place_of_return(struct object *obj, const struct ctype *t, struct arena *a, struct place *out,
		    const char **why, bool *by_memory);

/* sdt_operand.c.  @pc: of the mark. */
unsigned sdt_operands_parse(struct object *obj, uint64_t pc, const char *text, struct arena *a, struct sdt_operand *arg);
/* registers.c: number of the register a name denotes and which bits; false: not a register. */
bool register_parse(unsigned machine, const char *name, size_t len, unsigned *reg, unsigned *shift, unsigned *bits);

#endif
