/* SPDX-License-Identifier: GPL-2.0-or-later */
/* debuginfo.h - what an ELF file can tell: functions, lines, variables, types, static markers.
 *
 * This room alone talks to elfutils.  It knows nothing of scripts: it takes plain names and gives plain structs that
 * live in the arena of the caller.  Start reading at object_open(), then find_functions() and target_resolve().
 *
 * Conventions
 *   - link_addr, or "link address": an address as the ELF file states it (no load bias).
 *   - file_off: a byte offset in the main ELF file, what uprobes want.
 *   - Strings and structs handed out live in the given arena, or, for those reached through a struct object, as long
 *     as the object is open.  Nothing is to be freed singly.
 *   - Questions with reasons: `int` results are 0 or a negative errno; where a user must be told why, a struct di_miss
 *     is filled.  -ENOENT: nothing matched (the miss says what is near); -EINVAL: the request is malformed;
 *     -ENOSYS: understood, not built yet.
 */
#ifndef SPILE_DEBUGINFO_H
#define SPILE_DEBUGINFO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;
struct scope;		/* a DIE that owns variables; from struct code_site */

/* ------------------------------------------------------------------------------------------------ misses */

enum { DI_MAX_ALT = 5 };	/* near names offered for a miss */

enum di_reason {
	DI_OK,
	DI_MALFORMED,		/* the spec or the query itself */
	DI_NO_FILE,		/* cannot open; text says which and why */
	DI_BAD_ELF,		/* not ELF, or damaged */
	DI_NO_MATCH,		/* no such function, file, line, mark, library, ...: alternatives */
	DI_NO_LINE,		/* no line records there: alternatives are line numbers */
	DI_NOT_STATEMENT,	/* address is not the start of a statement: alternatives are addresses */
	DI_ONLY_INLINE,		/* .return asked for functions that exist only inlined */
	DI_NO_DEBUGINFO,	/* needs DWARF, and there is none; text says why */
	DI_NO_VARIABLE,		/* no variable of that name: alternatives */
	DI_NO_LOCATION,		/* exists, but lives nowhere at this pc; hint: the ranges where it does */
	DI_NO_MEMBER,		/* alternatives: members */
	DI_NOT_AGGREGATE,	/* member of something without members; `$int->x`, `void*` */
	DI_NOT_INDEXABLE,	/* `$int[3]` */
	DI_IS_AGGREGATE,	/* a struct, union, class used as a value */
	DI_NO_TYPE,		/* @cast: no such type */
	DI_INCOMPLETE,		/* only declared, defined nowhere in this object */
	DI_NO_ADDRESS,		/* & of a register, constant, bit-field, split value */
	DI_NO_RETURN,		/* $return of a void function */
	DI_TOO_WIDE,		/* a value of more than 64 bits */
	DI_UNSUPPORTED,		/* DWARF or ABI form this room does not handle; text names it */
};

/* Why a request came to nothing, in pieces the caller sets into its own diagnostic.  Strings may be NULL. */
struct di_miss {
	enum di_reason reason;
	const char *text;		/* one sentence without final stop, in the user's words */
	const char *hint;		/* what to do instead, or NULL */
	const char *alt[DI_MAX_ALT];	/* near names, nearest first */
	unsigned nalt;
	const char *alt_kind;		/* "functions", "libraries", "marks", "variables", "members", ... */
	struct object *searched;	/* the file that was looked through, or NULL */
	const char *readable;		/* the variables that can be read at that place, "$a $b"; or NULL */
	const char *decl_file;		/* where the thing that did not work is declared, or NULL */
	unsigned decl_line;
};

/* ------------------------------------------------------------------------------------------------ objects */

enum debug_source {
	DEBUG_NONE,
	DEBUG_OWN,		/* .debug_info in the file itself */
	DEBUG_BUILD_ID,		/* DIR/.build-id/xx/yyyy.debug */
	DEBUG_LINK,		/* the .gnu_debuglink name, CRC checked */
	DEBUG_SERVER,		/* fetched by the debuginfod client */
};

enum symbol_source {
	SYMBOLS_NONE,
	SYMBOLS_SYMTAB,		/* .symtab of the file or of its debug file */
	SYMBOLS_DYNSYM,
	SYMBOLS_MINIDEBUG,	/* .dynsym and .gnu_debugdata */
};

struct segment {		/* a PT_LOAD */
	uint64_t link_addr;
	uint64_t file_off;
	uint64_t file_size;
	uint64_t mem_size;
	bool executable, writable;
};

/* An opened ELF file.  All fields are read-only to other rooms. */
struct object {
	const char *path;		/* realpath() of the file */
	const unsigned char *build_id;	/* NULL where the file has none */
	unsigned build_id_len;
	const char *build_id_hex;	/* lower case, NULL where none */
	unsigned machine;		/* e_machine: EM_X86_64, ... */
	unsigned elf_class;		/* 32 or 64 */
	bool is_dyn;			/* ET_DYN (PIE, library): moves by a load bias; else ET_EXEC: fixed */
	bool is_static;			/* a program, no PT_INTERP and no DT_NEEDED */
	const char *interpreter;	/* PT_INTERP, or NULL */
	const char *soname;		/* DT_SONAME, or NULL */
	uint64_t entry_addr;		/* e_entry */
	const struct segment *segments;
	unsigned nsegments;

	/* Known once object_has_dwarf() or any question that needs DWARF was asked; before that DEBUG_NONE, NULL, NULL. */
	enum debug_source debug_source;
	const char *debug_path;		/* the file DWARF comes from, or NULL */
	const char *debug_problem;	/* why there is none, a sentence that names the refused file; or NULL */
	enum symbol_source symbol_source;	/* known once symbols were asked for */

	struct object_priv *priv;	/* elfutils' side of it */
};

struct object_options {
	const char *debug_path_list;	/* as SYSTEMTAP_DEBUGINFO_PATH (C.6); NULL: environment, then the default */
	const char *sysroot;		/* prefix of all paths looked up, or NULL */
	bool use_server;		/* ask debuginfod servers where the client library is present */
	uint64_t index_from;		/* bytes of .debug_info from which on an index is kept; 0: some megabytes */
};

/* object_open - open an ELF file and find its debuginfo.
 * Returns: the object, to be closed with object_close(); NULL with @miss filled (its strings in @a) if the file cannot
 *          be read as ELF.  Missing DWARF is no failure: see debug_source and debug_problem.
 * @opts may be NULL.
 */
struct object *object_open(const char *path, const struct object_options *opts, struct arena *a, struct di_miss *miss);
void object_close(struct object *obj);
/* object_text - which file this is, and where its debuginfo is, for messages: "'/bin/x' (build-id 12ab...), DWARF of
 * '/usr/lib/debug/...'".  Looks for DWARF. */
const char *object_text(struct object *obj, struct arena *a);
/* Looks for DWARF at the first call, which may open and inflate a separate file. */
bool object_has_dwarf(struct object *obj);

/* Link address to file offset, for bytes that are in the file.  Returns false outside any segment's file part. */
bool object_file_offset(const struct object *obj, uint64_t link_addr, uint64_t *file_off);
/* The other way; segments that hold code win where two map the same bytes. */
bool object_link_address(const struct object *obj, uint64_t file_off, uint64_t *link_addr);
/* The segment that holds @link_addr in memory, or NULL. */
const struct segment *object_segment(const struct object *obj, uint64_t link_addr);
/* The @n bytes at @link_addr as the file holds them, borrowed until the object is closed; NULL if not all in the file. */
const unsigned char *object_bytes(struct object *obj, uint64_t link_addr, size_t n);

struct section {
	const char *name;
	uint64_t link_addr;		/* 0 for sections that are not loaded */
	uint64_t file_off;
	uint64_t size;
	bool loaded, executable, writable;
};
/* By name, or the loaded one that covers an address.  False: none. */
bool object_section(struct object *obj, const char *name, struct section *out);
bool object_section_at(struct object *obj, uint64_t link_addr, struct section *out);

/* One library as the dynamic loader would map it. */
struct needed_library {
	const char *name;		/* DT_NEEDED text */
	const char *path;		/* realpath, or NULL where the loader would not find it */
};
/* object_needed_libraries - all libraries the loader would map for this executable or library, in load order.
 * Asks the object's own interpreter (`ld.so --list`) where it runs here, else walks DT_NEEDED by its rules: DT_RPATH,
 * LD_LIBRARY_PATH, DT_RUNPATH, ld.so.cache, default directories (ld.so(8)).
 * Returns 0, or negative errno (-ENOENT: static).
 */
int object_needed_libraries(struct object *obj, struct arena *a, const struct needed_library **libs, unsigned *n);

/* ------------------------------------------------------------------------------------------------ symbols */

struct symbol_info {
	const char *name;		/* version suffix taken off; borrowed from the object */
	uint64_t link_addr;
	uint64_t size;			/* 0 where the file does not say */
	bool is_function;		/* STT_FUNC */
	bool is_object;			/* STT_OBJECT, STT_TLS */
	bool is_ifunc;			/* STT_GNU_IFUNC */
	bool is_tls;
	bool exported;			/* GLOBAL, WEAK or UNIQUE binding */
};
/* The symbol that covers @link_addr: sized ones first, then the nearest before it in the same section. */
bool object_symbol_at(struct object *obj, uint64_t link_addr, struct symbol_info *out);
/* A defined symbol by exact name; functions and objects alike; global ones before local ones. */
bool object_symbol_named(struct object *obj, const char *name, struct symbol_info *out);
/* All defined symbols, sorted by address.  Borrowed from the object. */
const struct symbol_info *object_symbols(struct object *obj, unsigned *n);

/* ------------------------------------------------------------------------------------------------ code map */

/* One inlined copy of a function; copies are numbered from 1, outer ones first. */
struct inline_copy {
	const char *name;		/* as a symbol would have it */
	unsigned outer;			/* number of the copy around it; 0: it is in a function of its own */
	uint64_t lo, size;		/* its first instruction; bytes from there to the end of its last part */
	const char *call_file;		/* where it is called, or NULL, 0 */
	unsigned call_line;
};
/* What code from .addr to the next place was made of. */
struct code_place {
	uint64_t addr;
	unsigned copy;			/* number of the innermost copy; 0: none */
	const char *file;		/* or NULL */
	unsigned line;			/* or 0 */
};
struct code_map {
	const struct inline_copy *copies;
	unsigned ncopies;
	const struct code_place *places;	/* by .addr */
	unsigned nplaces;
};
/* All of the object's code that its DWARF tells of, which is nothing where there is none; in @a. */
void object_code_map(struct object *obj, bool with_lines, struct arena *a, struct code_map *out);

/* ------------------------------------------------------------------------------------------------ code ranges */

struct addr_range {
	uint64_t lo, hi;		/* [lo, hi), link addresses */
};
/* fde_covering - the frame description entry that covers an address: what the unwinder takes for one function part.
 * Returns false where neither .eh_frame nor .debug_frame covers it.
 */
bool fde_covering(struct object *obj, uint64_t link_addr, struct addr_range *out);
/* frame_cfa - the canonical frame address (DWARF5 6.4) at @pc, as an expression over registers; NULL where no call frame
 * information covers it. */
struct loc_expr *frame_cfa(struct object *obj, uint64_t pc, struct arena *a);
enum { MAX_CALL_LEVELS = 16 };
/* frame_called_from - 1 where the innermost return addresses of the call chain at @pc are @ret, innermost first, else 0: an
 * expression made of the rules of call frame information at @pc and at each return address.  NULL where they do not tell.
 */
struct loc_expr *frame_called_from(struct object *obj, uint64_t pc, const uint64_t *ret, unsigned n, struct arena *a);
/* object_function_ranges - all parts, hot first, then cold ones, of the function that @link_addr lies in: from DWARF
 * ranges; without DWARF from symbols (NAME, NAME.cold, NAME.part.N is another function) trimmed by FDEs.
 * Returns 0 or -ENOENT.
 */
int object_function_ranges(struct object *obj, uint64_t link_addr, struct arena *a,
			   const struct addr_range **ranges, unsigned *n);

/* ------------------------------------------------------------------------------------------------ functions, lines */

enum site_kind {
	SITE_FUNCTION,			/* out-of-line entry */
	SITE_INLINE,			/* one inlined copy */
	SITE_SYMBOL,			/* known from the symbol table only: no file, line, variables */
};

/* One resolved place in the code. */
struct code_site {
	struct object *obj;
	enum site_kind kind;
	const char *name;		/* as listings print it: scope prefix (`ns::C::f`), or linkage name for a `_Z` pattern */
	const char *base_name;		/* DW_AT_name alone, or the symbol */
	const char *linkage_name;	/* or NULL */
	const char *file;		/* full path as the compiler recorded it; NULL without DWARF */
	unsigned decl_line;		/* of the function */
	unsigned line;			/* functions: decl_line; statements: the matched (listed) line */
	const char *label;		/* label name for .label matches, else NULL */
	const char *listing;		/* what stands in the quotes: "main@/abs/src.c:47" or "sym" */
	uint64_t entry_addr;		/* first instruction of the function or inlined copy */
	uint64_t addr;			/* where to plant: entry, or behind the prologue (C.4); statements: the statement */
	const struct addr_range *ranges;/* all code of the function or inlined copy; the one with the entry first */
	unsigned nranges;
	bool exported;			/* its ELF symbol is GLOBAL, WEAK or UNIQUE */
	const char *unit_name;		/* DW_AT_name of the compile unit, or NULL */
	const struct scope *scope;	/* where variables are looked up; NULL for SITE_SYMBOL */
	/* Each function with code and each inlined copy has an identity; NULL without DWARF, or where it lies in none. */
	const void *id, *outer_id;	/* its own; that of the function or inlined copy in which this copy lies */
};

struct site_list {
	struct code_site **site;
	unsigned n;
	/* .return, .exported left out so many functions that exist only inlined, and these are their names */
	const char **inline_only;
	unsigned ninline_only;
	const char *warning;		/* something to tell though there are matches, or NULL */
};

enum func_variant {
	FUNC_ANY,			/* out-of-line entries and inlined copies */
	FUNC_CALL,
	FUNC_INLINE,
	FUNC_EXPORTED,
	FUNC_RETURN,			/* addr is the real entry, no prologue logic */
};

enum prologue_mode { PROLOGUE_AUTO, PROLOGUE_ALWAYS, PROLOGUE_NEVER };

struct func_query {
	const char *spec;		/* `[scope::]FUNC[@FILE[:...]]`; NULL: use addr */
	uint64_t addr;			/* function(ADDR): link address */
	enum func_variant variant;
	enum prologue_mode prologue;
};

struct stmt_query {
	const char *spec;		/* `[scope::]FUNC[@FILE[:LINE | +LINE | :* | :N-M,K]]`; NULL: use addr */
	uint64_t addr;			/* statement(ADDR): link address */
	bool nearest;
	bool any_address;		/* guru: take an address that starts no statement; list->warning says so */
};

/* find_functions, find_statements - the places a probe point denotes in one object, in address order within a
 * function and DIE order between functions, without duplicates (A.7, A.8).
 * Returns: 0 with at least one site; -ENOENT, -EINVAL or -ENOSYS with @miss filled.
 */
int find_functions(struct object *obj, const struct func_query *q, struct arena *a, struct site_list *out,
		   struct di_miss *miss);
int find_statements(struct object *obj, const struct stmt_query *q, struct arena *a, struct site_list *out,
		    struct di_miss *miss);
/* find_labels - the labels (DW_TAG_label) named @name, a name or glob, of @functions, not those of copies inlined into them:
 * sites with .label set and the label's line.  Returns 0, or -ENOENT with @miss filled (near labels). */
int find_labels(const struct site_list *functions, const char *name, struct arena *a, struct site_list *out,
		struct di_miss *miss);

/* source_line - the line record that covers @link_addr.  False where there is none. */
bool source_line(struct object *obj, uint64_t link_addr, const char **file, unsigned *line);

/* scope_at - the innermost scope with variables at @link_addr; for marks and addresses.  NULL where there is none. */
const struct scope *scope_at(struct object *obj, uint64_t link_addr, struct arena *a);

/* A spec taken apart (A.6); also for rooms that only want to know its shape. */
enum spec_lines { SPEC_NO_LINE, SPEC_ABSOLUTE, SPEC_RELATIVE, SPEC_ALL_LINES, SPEC_LINE_SET };
struct line_range { unsigned lo, hi; };		/* inclusive */
struct spec {
	const char **scope;		/* outermost first; patterns */
	unsigned nscope;
	bool global_scope;		/* leading `::` */
	const char *func;
	const char *file;		/* NULL: no `@` */
	const char *version;		/* what may be the version of a symbol behind `@'; or NULL */
	enum spec_lines lines;
	struct line_range *range;	/* one for ABSOLUTE and RELATIVE */
	unsigned nrange;
};
/* Returns 0, or -EINVAL with @miss filled ("malformed specification '...'"). */
int spec_parse(const char *text, struct arena *a, struct spec *out, struct di_miss *miss);

/* near_names - up to DI_MAX_ALT of @names that are nearest to @asked by edit distance, nearest first, duplicates and far
 * ones dropped, put into @miss. */
void near_names(struct di_miss *miss, const char *kind, const char *asked, const char *const *names, unsigned n);

/* ------------------------------------------------------------------------------------------------ static markers */

enum { SDT_MAX_ARGS = 12 };

struct sdt_operand {
	const char *text;		/* as in the note: "-4@%edi" */
	unsigned size;			/* bytes: 1, 2, 4, 8 */
	bool is_signed;
	bool is_float;			/* `f` suffix: raw bits are delivered */
	struct loc_expr *value;		/* 64-bit value, loads and extension included; NULL: not understood */
	bool is_memory;			/* value reads user memory; a fault there yields 0, without error (B.3) */
};

struct mark_site {
	struct object *obj;
	const char *provider;
	const char *name;
	uint64_t addr;			/* link address of the nop, prelink adjusted */
	uint64_t semaphore_addr;	/* link address, 0: none */
	uint64_t semaphore_off;		/* file offset, 0: none */
	const char *args_text;
	struct sdt_operand arg[SDT_MAX_ARGS];
	unsigned narg;
};

/* find_marks - static markers, in note order.  @provider may be NULL (any); both are names or globs, `-` read as `__`.
 * Returns 0 with *n > 0, or -ENOENT with @miss filled (near marks).
 */
int find_marks(struct object *obj, const char *provider, const char *name, struct arena *a,
	       struct mark_site ***marks, unsigned *n, struct di_miss *miss);

/* One entry of a procedure linkage table: .plt, .plt.sec, .plt.got. */
struct plt_entry {
	const char *name;		/* of the symbol it calls */
	uint64_t addr;
};
int find_plt(struct object *obj, const char *name_glob, struct arena *a, const struct plt_entry **out, unsigned *n,
	     struct di_miss *miss);

/* ------------------------------------------------------------------------------------------------ expressions */

enum loc_op {
#define LOC_OP(name, nargs, text, meaning) LOC_OP_##name,
#include "debuginfo/loc_ops.def"
#undef LOC_OP
};

enum loc_kind {
	LOC_CONST,		/* num */
	LOC_ADDRESS,		/* num: link address in .obj; the emitter adds that object's load bias */
	LOC_REG,		/* reg: DWARF number; the whole 64 bits at the probe (regs-*.def) */
	LOC_INDEX,		/* num = k: the script's k-th run-time index expression */
	LOC_OPERAND,		/* the run-time value @cast works on */
	LOC_DEREF,		/* size bytes of target memory at .a, zero-extended */
	LOC_UNARY,		/* op, a */
	LOC_BINARY,		/* op, a, b */
	LOC_SELECT,		/* a ? b : c; only the taken side is evaluated */
	LOC_SIGN_EXTEND,	/* from .bits, 1..63 */
	LOC_ZERO_EXTEND,	/* from .bits, 1..63 */
	LOC_BITS,		/* .bits bits of .a from bit .shift up, zero-extended */
	LOC_ENTRY_VALUE,	/* what .a was when the function was entered; needs a hidden entry probe */
};

/* A typed expression tree; every node yields 64 bits.  Lives in the caller's arena, may share subtrees. */
struct loc_expr {
	enum loc_kind kind;
	enum loc_op op;
	int64_t num;
	unsigned reg;
	unsigned size;			/* DEREF: 1, 2, 4 or 8 (others are assembled from these) */
	unsigned bits, shift;
	const struct object *obj;	/* ADDRESS */
	struct loc_expr *a, *b, *c;
};

/* loc_print - the tree as one line of C-like text, for dumps and tests: "*(u32*)(rbp - 0x14)". */
const char *loc_print(const struct loc_expr *e, unsigned machine, struct arena *a);

/* What an expression needs from the run-time; for choosing what to save and what to refuse. */
struct loc_needs {
	bool reads_memory;
	bool entry_value;
	bool vector_regs;		/* DWARF 17.. on x86-64 */
	bool own_bias;			/* LOC_ADDRESS in the probed object */
	bool can_divide_by_zero;
	uint64_t gprs;			/* bit i: DWARF register i */
	unsigned nindex;		/* highest LOC_INDEX + 1 */
};
void loc_needs(const struct loc_expr *e, unsigned machine, struct loc_needs *out);

/* Name of a DWARF register ("rax"), or NULL. */
const char *register_name(unsigned machine, unsigned dwarf_reg);

/* ------------------------------------------------------------------------------------------------ types */

enum ctype_kind {
#define CTYPE_KIND(name, word) CTYPE_##name,
#include "debuginfo/ctype_kinds.def"
#undef CTYPE_KIND
};

struct ctype_priv;

/* A type as the script sees it: typedefs and qualifiers are peeled from kind, kept in name. */
struct ctype {
	enum ctype_kind kind;
	const char *name;		/* as listings print it: "char**", "struct S const*", "long unsigned int", "int[]" */
	const char *tag;		/* struct/union/class/enum tag, or NULL for anonymous ones */
	uint64_t size;			/* bytes; 0: unknown or incomplete */
	bool is_signed;			/* BOOL, CHAR, INT, ENUM */
	bool is_char;			/* CHAR of any width */
	bool is_incomplete;		/* declared only */
	struct object *obj;
	struct ctype_priv *priv;
};

struct ctype_member {
	const char *name;		/* NULL: anonymous struct or union, or a base class */
	bool is_base;			/* C++ base class */
	bool is_static;			/* static data member: no offset */
	/* Virtual base class: only the object itself tells where in it that is; offset is 0.  NULL: offset says it. */
	const struct run_time_place *at_run_time;
	uint64_t offset;		/* bytes; for bit-fields: of the byte that holds the first bit (little endian) */
	unsigned bit_offset;		/* bits above offset */
	unsigned bit_size;		/* 0: no bit-field */
	const struct ctype *type;
};
struct ctype_enumerator {
	const char *name;
	int64_t value;
};

/* All of these look lazily and put results in @a. */
const struct ctype *ctype_pointee(const struct ctype *t, struct arena *a);	/* pointers, references; NULL: void */
const struct ctype *ctype_element(const struct ctype *t, struct arena *a);	/* arrays: one dimension less */
/* Dimensions outermost first, -1 where unknown; returns their number. */
unsigned ctype_dimensions(const struct ctype *t, struct arena *a, const int64_t **dims);
unsigned ctype_members(const struct ctype *t, struct arena *a, const struct ctype_member **members);
unsigned ctype_enumerators(const struct ctype *t, struct arena *a, const struct ctype_enumerator **out);
/* Whether both are one type of one object, whatever they are called. */
bool ctype_is_same(const struct ctype *t, const struct ctype *other);
/* By the name a script uses: "struct x", "x" (typedef, base type, tag), "x*".  NULL: no such type in @obj. */
const struct ctype *ctype_named(struct object *obj, const char *name, struct arena *a);
/* An enumerator's value: one visible in @s at @pc (NULL: none asked), else of any unit.  False: none of that name. */
bool find_enumerator(struct object *obj, const struct scope *s, uint64_t pc, const char *name, struct arena *a, int64_t *value);

/* ------------------------------------------------------------------------------------------------ target variables */

enum step_kind {
	STEP_MEMBER,			/* `->name`; pointers on the way are followed */
	STEP_INDEX,			/* `[number]` */
	STEP_RUNTIME_INDEX,		/* `[expression]`: becomes LOC_INDEX(index) */
	STEP_DEREF,			/* follow a pointer once: `$p$` */
};
struct target_step {
	enum step_kind kind;
	const char *name;
	int64_t index;			/* INDEX: the number; RUNTIME_INDEX: which expression */
};

enum target_root {
	TARGET_LOCAL,			/* `$name` at a scope and pc; falls back outwards to globals and enumerators (C.1) */
	TARGET_RETURN,			/* `$return` of the scope's function */
	TARGET_GLOBAL,			/* `@var("name[@cu]")` in .obj */
	TARGET_CAST,			/* `@cast(expr, "name")`: LOC_OPERAND is the address (or, for scalars, value) */
};

struct target_query {
	enum target_root root;
	struct object *obj;		/* GLOBAL, CAST; others: the scope's */
	const struct scope *scope;	/* LOCAL, RETURN; may be NULL for GLOBAL and CAST */
	uint64_t pc;			/* link address where the value is read */
	const char *name;		/* variable or type name */
	const struct ctype *type;	/* CAST without a name: the type, and whether LOC_OPERAND is the address of such a thing */
	bool type_at_operand;
	const struct target_step *step;
	unsigned nstep;
	bool address_of;		/* `&$x...` */
	bool type_enough;		/* what is no single number (struct, long double, array outside of memory) is no
					 * miss: .value is NULL then (pretty printing) */
};

enum lvalue_kind {
	LV_NONE,			/* constant, computed, split */
	LV_MEMORY,			/* .address, .size bytes */
	LV_REGISTER,			/* .reg, low .size bytes */
};

/* What a target expression denotes. */
struct target_value {
	struct loc_expr *value;		/* the script's 64-bit value, loads and extension included; arrays: their address;
					 * aggregates: NULL (use .address, or resolve members) */
	struct loc_expr *address;	/* run-time address where it lives; NULL: not in memory as one piece */
	const struct ctype *type;	/* of what the path denotes; &: the pointed-to thing's type */
	bool is_pointer;		/* value is an address a script may hand to user_string() and the like */
	bool is_float;			/* value holds double bits */
	enum lvalue_kind lvalue;
	unsigned reg;			/* LV_REGISTER */
	unsigned size;			/* bytes to store */
	unsigned bit_offset, bit_size;	/* bit-fields within the size bytes at address; else 0 */
	bool by_return_memory;		/* $return through a hidden pointer */
};

/* target_resolve - find, at compile time, how to read `$x->y[z]`.
 * Returns 0 with @out filled (trees in @a); -ENOENT, -EINVAL or -ENOSYS with @miss filled.
 */
int target_resolve(const struct target_query *q, struct arena *a, struct target_value *out, struct di_miss *miss);

enum { VARS_PARAMETERS = 1, VARS_LOCALS = 2 };
struct visible_var {
	const char *name;
	bool is_parameter;
	bool readable;			/* has a location (or constant value) at this pc */
	const struct ctype *type;
};
/* scope_variables - what `$$vars`, `$$parms`, `$$locals` and -L list: innermost scope outwards, children in DIE order,
 * hidden (shadowed) names dropped.  @which: VARS_ flags. */
unsigned scope_variables(const struct scope *s, uint64_t pc, unsigned which, struct arena *a,
			 const struct visible_var **vars);
/* The scope's function's return type, NULL: void. */
const struct ctype *scope_return_type(const struct scope *s, struct arena *a);

#endif
