/* SPDX-License-Identifier: GPL-2.0-or-later OR CC0-1.0 */
/* sys/sdt.h - static marks: places in a program that cost one nop until something traces them.
 *
 *	DTRACE_PROBE2(provider, name, arg1, arg2);		also STAP_PROBE2; 0 (no number) to 12 arguments
 *	STAP_PROBEV(provider, name, ...)			by their number, after #define SDT_USE_VARIADIC
 *	STAP_PROBE2(provider, name, 8@%rdi, -4@$5)		in assembler (.S), operands as they stand in a note
 *	STAP_PROBE_ASM(provider, name[, operands])		the same, all operands in one
 *	asm("..." STAP_PROBE_ASM(provider, name, STAP_PROBE_ASM_TEMPLATE(2)) :: STAP_PROBE_ASM_OPERANDS(2, a, b))
 *
 * For C, C++ and assembler, without any other header.  Defined by the user before this file is included:
 *	_SDT_HAS_SEMAPHORES	each mark has a counter `unsigned short PROVIDER_NAME_semaphore' in section .probes
 *				(spile-dtrace makes these and a test of them), not 0 while something traces the mark
 *	STAP_SDT_ARG_CONSTRAINT	where the compiler may leave arguments, as of an asm operand
 *
 * A mark is a nop and a note of type 3 by owner "stapsdt" in .note.stapsdt: address of the nop, of .stapsdt.base, of the
 * counter; then provider, name and operands as strings.  An operand is "SIZE@PLACE", SIZE negative where the type is
 * signed, with an `f' behind it for floating numbers.  Start reading at __sdt_body.
 */
#ifndef _SYS_SDT_H
#define _SYS_SDT_H 1

#pragma GCC system_header		/* old standards of C have no macros with `...' */

/* ---- one line of assembler: as it is in a .S file, as a string elsewhere ---- */

#ifdef __ASSEMBLER__
# define __sdt_line(...) __VA_ARGS__ ;
# define __sdt_c(...)
#else
# define __sdt_line(...) __sdt_line_(__VA_ARGS__)
# define __sdt_line_(...) #__VA_ARGS__ "\n"
# define __sdt_c(...) __VA_ARGS__
#endif
#define __sdt_text(...) __sdt_text_(__VA_ARGS__)
#define __sdt_text_(...) #__VA_ARGS__

/* ---- the machine ---- */

#ifdef __LP64__
# define __sdt_word .8byte
#else
# define __sdt_word .4byte
#endif

#if defined __s390__ || defined __ia64__
# define __sdt_nop nop 0
#else
# define __sdt_nop nop
#endif

/* How an operand is printed: byte registers have no names for half of i386's; constants of PowerPC need their `i'. */
#if defined __i386__
# define __sdt_operand(n) %k[__sdt_a##n]
#elif defined __powerpc__
# define __sdt_operand(n) %I[__sdt_a##n]%[__sdt_a##n]
#else
# define __sdt_operand(n) %[__sdt_a##n]
#endif

#ifndef STAP_SDT_ARG_CONSTRAINT
# if defined __powerpc__
#  define STAP_SDT_ARG_CONSTRAINT nZr
# elif defined __arm__
#  define STAP_SDT_ARG_CONSTRAINT g
# else
#  define STAP_SDT_ARG_CONSTRAINT nor
# endif
#endif

#ifdef _SDT_HAS_SEMAPHORES
# define __sdt_counter(provider, name) provider##_##name##_semaphore
#else
# define __sdt_counter(provider, name) 0
#endif

/* Linkers that drop what nothing refers to would drop .stapsdt.base; assemblers that know how to say no came with these. */
#if (defined __clang__ && __clang_major__ >= 13) || (!defined __clang__ && defined __GNUC__ && __GNUC__ >= 11)
# define __sdt_base_flags "aGR"
#else
# define __sdt_base_flags "aG"
#endif

/* ---- the mark; @operands: lines that write them into the note's last string ---- */

#define __sdt_body(provider, name, operands) \
	__sdt_line(9101: __sdt_nop) \
	__sdt_line(.pushsection .note.stapsdt,"?","note") \
	__sdt_line(.balign 4) \
	__sdt_line(.4byte 9103f-9102f, 9105f-9104f, 3) \
	__sdt_line(9102: .asciz "stapsdt") \
	__sdt_line(9103: .balign 4) \
	__sdt_line(9104: __sdt_word 9101b) \
	__sdt_line(__sdt_word _.stapsdt.base) \
	__sdt_line(__sdt_word __sdt_counter(provider, name)) \
	__sdt_line(.asciz __sdt_text(provider)) \
	__sdt_line(.asciz __sdt_text(name)) \
	operands \
	__sdt_line(.byte 0) \
	__sdt_line(9105: .balign 4) \
	__sdt_line(.popsection) \
	__sdt_base

/* One byte in a section of which a program keeps one: when prelink moves the file, the note's copy of its address stays. */
#define __sdt_base \
	__sdt_line(.ifndef _.stapsdt.base) \
	__sdt_line(.pushsection .stapsdt.base,__sdt_base_flags,"progbits",.stapsdt.base,comdat) \
	__sdt_line(.weak _.stapsdt.base) \
	__sdt_line(.hidden _.stapsdt.base) \
	__sdt_line(_.stapsdt.base: .space 1) \
	__sdt_line(.size _.stapsdt.base, 1) \
	__sdt_line(.popsection) \
	__sdt_line(.endif)

#ifdef __ASSEMBLER__

# define __sdt_probe(provider, name, n, arguments) __sdt_body(provider, name, __sdt_strings_##n arguments)
# define STAP_PROBE_ASM(provider, name, ...) __sdt_body(provider, name, __sdt_line(.ascii __sdt_text(__VA_ARGS__)))

# define __sdt_strings_0()
# define __sdt_strings_1(a) __sdt_line(.ascii __sdt_text(a))
# define __sdt_next(a) __sdt_line(.ascii " ") __sdt_line(.ascii __sdt_text(a))
# define __sdt_strings_2(a, b) __sdt_strings_1(a) __sdt_next(b)
# define __sdt_strings_3(a, b, c) __sdt_strings_2(a, b) __sdt_next(c)
# define __sdt_strings_4(a, b, c, d) __sdt_strings_3(a, b, c) __sdt_next(d)
# define __sdt_strings_5(a, b, c, d, e) __sdt_strings_4(a, b, c, d) __sdt_next(e)
# define __sdt_strings_6(a, b, c, d, e, f) __sdt_strings_5(a, b, c, d, e) __sdt_next(f)
# define __sdt_strings_7(a, b, c, d, e, f, g) __sdt_strings_6(a, b, c, d, e, f) __sdt_next(g)
# define __sdt_strings_8(a, b, c, d, e, f, g, h) __sdt_strings_7(a, b, c, d, e, f, g) __sdt_next(h)
# define __sdt_strings_9(a, b, c, d, e, f, g, h, i) __sdt_strings_8(a, b, c, d, e, f, g, h) __sdt_next(i)
# define __sdt_strings_10(a, b, c, d, e, f, g, h, i, j) __sdt_strings_9(a, b, c, d, e, f, g, h, i) __sdt_next(j)
# define __sdt_strings_11(a, b, c, d, e, f, g, h, i, j, k) __sdt_strings_10(a, b, c, d, e, f, g, h, i, j) __sdt_next(k)
# define __sdt_strings_12(a, b, c, d, e, f, g, h, i, j, k, l) \
	__sdt_strings_11(a, b, c, d, e, f, g, h, i, j, k) __sdt_next(l)

#else /* C and C++ */

/* ---- what is known of an argument: its size, +16 where it is signed, +32 where it is a floating number ---- */

# ifdef __cplusplus
template <typename T, bool IS_ENUM> struct __sdt_other { enum { bits = 0 }; };
template <typename T> struct __sdt_kind : __sdt_other<T, __is_enum(T)> {};
template <typename T> struct __sdt_other<T, true> : __sdt_kind<__underlying_type(T)> {};
template <bool IS_SIGNED> struct __sdt_integer { enum { bits = IS_SIGNED ? 16 : 0 }; };
struct __sdt_floating { enum { bits = 32 }; };
template <> struct __sdt_kind<char> : __sdt_integer<(static_cast<char>(-1) < 0)> {};
template <> struct __sdt_kind<wchar_t> : __sdt_integer<(static_cast<wchar_t>(-1) < static_cast<wchar_t>(0))> {};
template <> struct __sdt_kind<signed char> : __sdt_integer<true> {};
template <> struct __sdt_kind<short> : __sdt_integer<true> {};
template <> struct __sdt_kind<int> : __sdt_integer<true> {};
template <> struct __sdt_kind<long> : __sdt_integer<true> {};
__extension__ template <> struct __sdt_kind<long long> : __sdt_integer<true> {};
template <> struct __sdt_kind<float> : __sdt_floating {};
template <> struct __sdt_kind<double> : __sdt_floating {};
template <> struct __sdt_kind<long double> : __sdt_floating {};

template <int BITS> struct __sdt_number { char room[BITS]; };
/* Never called: only the size of its result is asked for.  What is passed by value has lost const, volatile and references,
 * and arrays and functions are the pointers that the asm gets. */
template <typename T> __sdt_number<sizeof(T) + __sdt_kind<T>::bits> __sdt_known(T);
#  define __sdt_description(x) (int)sizeof(__sdt_known(x))
# else
/* The left side of the comma turns arrays and functions into the pointers that the asm gets; these count as numbers. */
#  define __sdt_class(x) __builtin_classify_type(((void)0, (x)))
#  define __sdt_type(x) __typeof__(__builtin_choose_expr(__sdt_class(x) == 5, 0ul, (x)))
#  define __sdt_is_signed(x) ((__sdt_type(x))-1 < (__sdt_type(x))1)
#  define __sdt_description(x) \
	((int)sizeof(__sdt_type(x)) + (__sdt_class(x) == 8 ? 32 : __sdt_is_signed(x) ? 16 : 0))
# endif

/* ---- operands: each has its description and its value ---- */

# define __sdt_constraint(c) __sdt_text(c)
# define __sdt_argument(n, x) \
	[__sdt_d##n] "n" (__sdt_description(x)), [__sdt_a##n] __sdt_constraint(STAP_SDT_ARG_CONSTRAINT) (x)
/* "-", the size's digit, "f", "@" and the place. */
# define __sdt_template(n) \
	__sdt_line(.fill (%c[__sdt_d##n] >> 4) & 1, 1, 45) \
	__sdt_line(.byte 48 + (%c[__sdt_d##n] & 15)) \
	__sdt_line(.fill (%c[__sdt_d##n] >> 5) & 1, 1, 102) \
	"\t.ascii \"@" __sdt_text(__sdt_operand(n)) "\"\n"
# define __sdt_space __sdt_line(.ascii " ")

# define __sdt_template_0
# define __sdt_template_1 __sdt_template(1)
# define __sdt_template_2 __sdt_template_1 __sdt_space __sdt_template(2)
# define __sdt_template_3 __sdt_template_2 __sdt_space __sdt_template(3)
# define __sdt_template_4 __sdt_template_3 __sdt_space __sdt_template(4)
# define __sdt_template_5 __sdt_template_4 __sdt_space __sdt_template(5)
# define __sdt_template_6 __sdt_template_5 __sdt_space __sdt_template(6)
# define __sdt_template_7 __sdt_template_6 __sdt_space __sdt_template(7)
# define __sdt_template_8 __sdt_template_7 __sdt_space __sdt_template(8)
# define __sdt_template_9 __sdt_template_8 __sdt_space __sdt_template(9)
# define __sdt_template_10 __sdt_template_9 __sdt_space __sdt_template(10)
# define __sdt_template_11 __sdt_template_10 __sdt_space __sdt_template(11)
# define __sdt_template_12 __sdt_template_11 __sdt_space __sdt_template(12)

# define __sdt_arguments_0() [__sdt_none] "n" (0)
# define __sdt_arguments_1(a) __sdt_argument(1, a)
# define __sdt_arguments_2(a, b) __sdt_arguments_1(a), __sdt_argument(2, b)
# define __sdt_arguments_3(a, b, c) __sdt_arguments_2(a, b), __sdt_argument(3, c)
# define __sdt_arguments_4(a, b, c, d) __sdt_arguments_3(a, b, c), __sdt_argument(4, d)
# define __sdt_arguments_5(a, b, c, d, e) __sdt_arguments_4(a, b, c, d), __sdt_argument(5, e)
# define __sdt_arguments_6(a, b, c, d, e, f) __sdt_arguments_5(a, b, c, d, e), __sdt_argument(6, f)
# define __sdt_arguments_7(a, b, c, d, e, f, g) __sdt_arguments_6(a, b, c, d, e, f), __sdt_argument(7, g)
# define __sdt_arguments_8(a, b, c, d, e, f, g, h) __sdt_arguments_7(a, b, c, d, e, f, g), __sdt_argument(8, h)
# define __sdt_arguments_9(a, b, c, d, e, f, g, h, i) __sdt_arguments_8(a, b, c, d, e, f, g, h), __sdt_argument(9, i)
# define __sdt_arguments_10(a, b, c, d, e, f, g, h, i, j) \
	__sdt_arguments_9(a, b, c, d, e, f, g, h, i), __sdt_argument(10, j)
# define __sdt_arguments_11(a, b, c, d, e, f, g, h, i, j, k) \
	__sdt_arguments_10(a, b, c, d, e, f, g, h, i, j), __sdt_argument(11, k)
# define __sdt_arguments_12(a, b, c, d, e, f, g, h, i, j, k, l) \
	__sdt_arguments_11(a, b, c, d, e, f, g, h, i, j, k), __sdt_argument(12, l)

# define __sdt_probe(provider, name, n, arguments) do { \
		__asm__ __volatile__ (__sdt_body(provider, name, __sdt_template_##n) :: __sdt_arguments_##n arguments); \
	} while (0)

# define STAP_PROBE_ASM(provider, name, ...) __sdt_body(provider, name, __VA_ARGS__)
# define STAP_PROBE_ASM_TEMPLATE(n) __sdt_template_##n
# define STAP_PROBE_ASM_OPERANDS(n, ...) __sdt_arguments_##n(__VA_ARGS__)

# ifdef SDT_USE_VARIADIC
#  define STAP_PROBEV(provider, name, ...) \
	__sdt_probe_n(provider, name, __sdt_count(0, ##__VA_ARGS__, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0), (__VA_ARGS__))
#  define __sdt_probe_n(provider, name, n, arguments) __sdt_probe_n_(provider, name, n, arguments)
#  define __sdt_probe_n_(provider, name, n, arguments) __sdt_probe(provider, name, n, arguments)
#  define __sdt_count(zero, a, b, c, d, e, f, g, h, i, j, k, l, n, ...) n
# endif

#endif /* C and C++ */

#define STAP_PROBE(provider, name) __sdt_probe(provider, name, 0, ())
#define STAP_PROBE1(provider, name, a) __sdt_probe(provider, name, 1, (a))
#define STAP_PROBE2(provider, name, a, b) __sdt_probe(provider, name, 2, (a, b))
#define STAP_PROBE3(provider, name, a, b, c) __sdt_probe(provider, name, 3, (a, b, c))
#define STAP_PROBE4(provider, name, a, b, c, d) __sdt_probe(provider, name, 4, (a, b, c, d))
#define STAP_PROBE5(provider, name, a, b, c, d, e) __sdt_probe(provider, name, 5, (a, b, c, d, e))
#define STAP_PROBE6(provider, name, a, b, c, d, e, f) __sdt_probe(provider, name, 6, (a, b, c, d, e, f))
#define STAP_PROBE7(provider, name, a, b, c, d, e, f, g) __sdt_probe(provider, name, 7, (a, b, c, d, e, f, g))
#define STAP_PROBE8(provider, name, a, b, c, d, e, f, g, h) __sdt_probe(provider, name, 8, (a, b, c, d, e, f, g, h))
#define STAP_PROBE9(provider, name, a, b, c, d, e, f, g, h, i) \
	__sdt_probe(provider, name, 9, (a, b, c, d, e, f, g, h, i))
#define STAP_PROBE10(provider, name, a, b, c, d, e, f, g, h, i, j) \
	__sdt_probe(provider, name, 10, (a, b, c, d, e, f, g, h, i, j))
#define STAP_PROBE11(provider, name, a, b, c, d, e, f, g, h, i, j, k) \
	__sdt_probe(provider, name, 11, (a, b, c, d, e, f, g, h, i, j, k))
#define STAP_PROBE12(provider, name, a, b, c, d, e, f, g, h, i, j, k, l) \
	__sdt_probe(provider, name, 12, (a, b, c, d, e, f, g, h, i, j, k, l))

/* The same under their names from Solaris. */
#define DTRACE_PROBE STAP_PROBE
#define DTRACE_PROBE1 STAP_PROBE1
#define DTRACE_PROBE2 STAP_PROBE2
#define DTRACE_PROBE3 STAP_PROBE3
#define DTRACE_PROBE4 STAP_PROBE4
#define DTRACE_PROBE5 STAP_PROBE5
#define DTRACE_PROBE6 STAP_PROBE6
#define DTRACE_PROBE7 STAP_PROBE7
#define DTRACE_PROBE8 STAP_PROBE8
#define DTRACE_PROBE9 STAP_PROBE9
#define DTRACE_PROBE10 STAP_PROBE10
#define DTRACE_PROBE11 STAP_PROBE11
#define DTRACE_PROBE12 STAP_PROBE12

#endif
