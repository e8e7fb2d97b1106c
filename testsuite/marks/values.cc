// SPDX-License-Identifier: GPL-2.0-or-later
// What C++ adds to values.c: templates, references, bool, scoped enumerations, functions and members.
#include <sys/sdt.h>

enum class tiny : signed char { below = -3 };
enum plain { PLAIN = 2 };
struct base {
	int number;
	virtual ~base() {}
};

template <typename T> __attribute__((noinline)) T through(T x)
{
	STAP_PROBE1(cxx, through, x);
	return x;
}

inline __attribute__((noinline)) int inlined(int x)
{
	STAP_PROBE1(cxx, inlined, x);
	return x;
}

int main(int argc, char **)
{
	base b;
	int &r = b.number;
	bool yes = argc == 1;
	int array[3] = { 1, 2, 3 };
	char16_t c16 = static_cast<char16_t>(argc + 0x1ff);

	r = -5;
	STAP_PROBE5(cxx, values, r, b.number, yes, c16, true);
	STAP_PROBE3(cxx, pointers, array, &b, nullptr);
	through(-1);
	through(2.0);
	through('c');
	inlined(argc + 6);
#ifdef MORE
	/* the other header takes enumerations for unsigned, and no functions */
	tiny t = argc == 1 ? tiny::below : tiny(0);
	plain p = argc == 1 ? PLAIN : plain(0);
	STAP_PROBE2(cxx, enumerations, t, p);
	STAP_PROBE1(cxx, function, inlined);
#endif
	return 0;
}
