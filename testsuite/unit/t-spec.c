/* SPDX-License-Identifier: GPL-2.0-or-later */
/* t-spec.c - `[scope::]FUNC[@FILE[:...]]` taken apart, and names near a mistyped one. */
#include <errno.h>

#include "check.h"
#include "debuginfo/debuginfo.h"
#include "support/arena.h"
#include "support/strbuf.h"

/* The parts as one line: scopes func | file | form ranges. */
static const char *show(struct arena *a, const char *text)
{
	static const char *const forms[] = { "-", "absolute", "relative", "all", "set" };
	struct strbuf b = { 0 };
	struct di_miss miss;
	struct spec s;
	char *out;

	if (spec_parse(text, a, &s, &miss) != 0)
		return miss.reason == DI_MALFORMED ? miss.text : "wrong reason";
	strbuf_add(&b, s.global_scope ? "<global> " : "");
	for (unsigned i = 0; i < s.nscope; i++)
		strbuf_printf(&b, "%s / ", s.scope[i]);
	strbuf_printf(&b, "%s | %s | %s", s.func, s.file ? s.file : "-", forms[s.lines]);
	for (unsigned i = 0; i < s.nrange; i++)
		strbuf_printf(&b, " %u-%u", s.range[i].lo, s.range[i].hi);
	out = arena_strdup(a, b.text);
	strbuf_free(&b);
	return out;
}

int main(void)
{
	static const char *const names[] = { "frobnicate", "frobnicator", "main", "frob", "nothing_like_it", "frobnicate" };
	struct arena *a = arena_new();
	struct di_miss miss = { 0 };

	CHECK_STR(show(a, "main"), "main | - | -");
	CHECK_STR(show(a, "f@a.c"), "f | a.c | -");
	CHECK_STR(show(a, "f@a.c:12"), "f | a.c | absolute 12-12");
	CHECK_STR(show(a, "f@a.c+3"), "f | a.c | relative 3-3");
	CHECK_STR(show(a, "f@dir/a.c:*"), "f | dir/a.c | all");
	CHECK_STR(show(a, "f@a.c:3-7,9"), "f | a.c | set 3-7 9-9");
	CHECK_STR(show(a, "*@*.cc:1"), "* | *.cc | absolute 1-1");
	CHECK_STR(show(a, "ns::C::f@x.cc"), "ns / C / f | x.cc | -");
	CHECK_STR(show(a, "::f"), "<global> f | - | -");
	CHECK_STR(show(a, "tm<ns::T>"), "tm<ns::T> | - | -");
	CHECK_STR(show(a, "C::tm<ns::T>"), "C / tm<ns::T> | - | -");
	CHECK_STR(show(a, "C::operator>"), "C / operator> | - | -");
	CHECK_STR(show(a, "memcpy@@GLIBC_2.14"), "memcpy | - | -");
	CHECK_STR(show(a, "@a.c"), "malformed specification '@a.c'");
	CHECK_STR(show(a, "f@"), "malformed specification 'f@'");
	CHECK_STR(show(a, ""), "malformed specification ''");
	CHECK_STR(show(a, "f@a.c:"), "malformed specification 'f@a.c:'");
	CHECK_STR(show(a, "f@a.c:7-3"), "malformed specification 'f@a.c:7-3'");
	CHECK_STR(show(a, "f@a.c:99999999999"), "malformed specification 'f@a.c:99999999999'");
	CHECK_STR(show(a, "f@a.c+1,2"), "malformed specification 'f@a.c+1,2'");
	/* names as C++, Rust and Go have them; paths with signs that begin lines elsewhere */
	CHECK_STR(show(a, "std::swap<int>@/usr/include/c++/12/bits/move.h:196"),
		  "std / swap<int> | /usr/include/c++/12/bits/move.h | absolute 196-196");
	CHECK_STR(show(a, "f@/usr/include/c++/12/x.h+7"), "f | /usr/include/c++/12/x.h | relative 7-7");
	CHECK_STR(show(a, "f@/usr/include/c++/12/x.h"), "f | /usr/include/c++/12/x.h | -");
	CHECK_STR(show(a, "f@/a:b/c+d.c:*"), "f | /a:b/c+d.c | all");
	CHECK_STR(show(a, "f@/home/me@work/x.c:3"), "f | /home/me@work/x.c | absolute 3-3");
	CHECK_STR(show(a, "a<b::c>::d<e::f, g>::operator<< <h::i>"), "a<b::c> / d<e::f, g> / operator<< <h::i> | - | -");
	CHECK_STR(show(a, "x<int>::operator->"), "x<int> / operator-> | - | -");
	CHECK_STR(show(a, "x<int>::operator->*"), "x<int> / operator->* | - | -");
	CHECK_STR(show(a, "x<int>::operator>>=@x.cc"), "x<int> / operator>>= | x.cc | -");
	CHECK_STR(show(a, "x::operator std::vector<int>"), "x / operator std::vector<int> | - | -");
	CHECK_STR(show(a, "operators::f"), "operators / f | - | -");
	CHECK_STR(show(a, "main::{closure#0}::{impl#2}"), "main / {closure#0} / {impl#2} | - | -");
	CHECK_STR(show(a, "<impl core::fmt::Debug for a::T>::fmt<[u8; 4]>"), "<impl core::fmt::Debug for a::T> / fmt<[u8; 4]> | - | -");
	CHECK_STR(show(a, "runtime.(*mheap).alloc@proc.go:3"), "runtime.(*mheap).alloc | proc.go | absolute 3-3");
	CHECK_STR(show(a, "(anonymous namespace)::f"), "(anonymous namespace) / f | - | -");
	CHECK_STR(show(a, "*::f<*"), "* / f<* | - | -");
	CHECK_STR(show(a, "a<*::f"), "a<* / f | - | -");
	CHECK_STR(show(a, "::ns::f"), "<global> ns / f | - | -");

	near_names(&miss, "functions", "frobnicat", names, 6);
	CHECK_NUM(miss.nalt, 3);
	CHECK_STR(miss.alt[0], "frobnicate");
	CHECK_STR(miss.alt[1], "frobnicator");
	CHECK_STR(miss.alt[2], "frob");
	arena_free(a);
	return check_end();
}
