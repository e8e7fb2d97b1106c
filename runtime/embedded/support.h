/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What core/ gives to embedded C: text put together by a C format, and strings of C.
 *
 * A script's embedded C may run inside any function of the target, so that the C library's own may not be called; and the
 * kernel's printf hides addresses.  Bodies are in core/embedded.c.
 */
#ifndef SP_EMBEDDED_SUPPORT_H
#define SP_EMBEDDED_SUPPORT_H

#include "../spile.h"

/*
 * The directives of C (C11 7.21.6.1) but for floating point: flags, width, precision, hh h l ll j z t, d i u x X o c s p %;
 * %p as 0x and hex digits.  At most @size bytes, NUL included, go to @out.  Returns how many the whole text has, the NUL not
 * counted; sp_c_format_cut() how many of them it wrote.
 */
int sp_c_vformat(char *out, sp_size size, const char *format, __builtin_va_list args);
__attribute__((format(printf, 3, 4))) int sp_c_format(char *out, sp_size size, const char *format, ...);
__attribute__((format(printf, 3, 4))) int sp_c_format_cut(char *out, sp_size size, const char *format, ...);
/* Bytes before the NUL, at most @most. */
sp_size sp_c_length(const char *s, sp_size most);
/* As strlcpy(3bsd), strlcat(3bsd). */
sp_size sp_c_strlcpy(char *to, const char *from, sp_size size);
sp_size sp_c_strlcat(char *to, const char *from, sp_size size);
/* A script's string as C has it, cut at @size - 1 bytes. */
void sp_c_string(char *to, struct sp_str from, sp_size size);
/* A copy in the arena of a string of C; NULL is "". */
struct sp_str sp_c_str(struct sp_ctx *c, const char *s);
/* To the output of the handler.  Here and below: nothing where @c is NULL. */
__attribute__((format(printf, 2, 3))) void sp_c_printf(struct sp_ctx *c, const char *format, ...);
/* A warning, out of band. */
__attribute__((format(printf, 2, 3))) void sp_c_warn(struct sp_ctx *c, const char *format, ...);
/* An error that no catch stops: the session ends. */
__attribute__((format(printf, 2, 3))) void sp_c_fatal(struct sp_ctx *c, const char *format, ...);

#endif
