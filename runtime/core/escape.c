/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Text with everything unprintable escaped: text_str(), string_quoted() and the *_quoted readers.
 *
 * The rules are those of spec/tapset.md 3: named escapes, \ooo for other bytes, \uXXXX and \UXXXXXXXX for UTF-8.
 */
#include "core.h"

/*
 * The length of the well-formed UTF-8 sequence of two to four bytes at @p, or 0 (RFC 3629 section 4: no overlong
 * form, no surrogate, nothing beyond U+10FFFF).
 */
static unsigned utf8_length(const unsigned char *p, sp_u32 n, sp_u32 *code)
{
	static const sp_u32 least[5] = { 0, 0, 0x80, 0x800, 0x10000 };
	unsigned length = p[0] >= 0xf0 ? 4 : p[0] >= 0xe0 ? 3 : 2, i;
	sp_u32 v;

	if (p[0] < 0xc2 || p[0] > 0xf4 || length > n)
		return 0;
	v = p[0] & (0x7f >> length);
	for (i = 1; i < length; i++) {
		if ((p[i] & 0xc0) != 0x80)
			return 0;
		v = v << 6 | (p[i] & 0x3f);
	}
	if (v < least[length] || v > 0x10ffff || (v >= 0xd800 && v <= 0xdfff))
		return 0;
	*code = v;
	return length;
}

static unsigned put_hex(char *to, char kind, sp_u32 v, unsigned digits)
{
	unsigned i;

	to[0] = '\\';
	to[1] = kind;
	for (i = 0; i < digits; i++)
		to[2 + i] = "0123456789ABCDEF"[v >> 4 * (digits - 1 - i) & 15];
	return 2 + digits;
}

/* Writes the escape of what starts at @p; returns its length, and how many bytes it stands for. */
static unsigned escape(char to[10], const unsigned char *p, sp_u32 n, unsigned *used)
{
	static const char named[] = "\a\b\f\n\r\t\v\"\\", letters[] = "abfnrtv\"\\";
	unsigned at = sp_find_byte(named, *p, sizeof(named) - 1);
	sp_u32 code;

	*used = 1;
	if (at < sizeof(named) - 1) {
		to[0] = '\\';
		to[1] = letters[at];
		return 2;
	}
	if (*p >= 0x20 && *p < 0x7f) {
		to[0] = *p;
		return 1;
	}
	*used = *p >= 0x80 ? utf8_length(p, n, &code) : 0;
	if (*used)
		return code < 0x10000 ? put_hex(to, 'u', code, 4) : put_hex(to, 'U', code, 8);
	*used = 1;
	to[0] = '\\';
	to[1] = '0' + (*p >> 6);
	to[2] = '0' + (*p >> 3 & 7);
	to[3] = '0' + (*p & 7);
	return 4;
}

/*
 * At most @outlen bytes (0 or too many: MAXSTRINGLEN-1), quotes included.  Quoted text that does not fit ends in
 * `"...' instead, behind the last escape that leaves room for it.
 */
struct sp_str sp_text_str(struct sp_ctx *c, struct sp_str s, sp_i64 outlen, sp_bool quoted)
{
	sp_u32 limit, at = 0, fits, quote = quoted ? 1 : 0;
	struct sp_text t;

	sp_text_arena(&t, c);
	limit = outlen > 0 && outlen < (sp_i64)t.size ? (sp_u32)outlen : t.size;
	if (quoted)
		limit = SP_MIN(SP_MAX(limit, 5), t.size);
	sp_text_put(&t, "\"", quote);
	fits = t.n;
	while (at < s.n) {
		char piece[10];
		unsigned used, n = escape(piece, (const unsigned char *)s.p + at, s.n - at, &used);

		if (t.n + n + quote > limit)
			break;
		sp_text_put(&t, piece, n);
		at += used;
		if (t.n + 4 <= limit)
			fits = t.n;
	}
	if (at < s.n && limit == t.size)
		t.cut = 1;
	if (quoted && at < s.n) {
		t.n = fits;
		sp_text_puts(&t, "\"...");
	} else {
		sp_text_put(&t, "\"", quote);
	}
	return sp_text_end(&t);
}
