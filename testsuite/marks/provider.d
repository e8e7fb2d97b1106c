/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma D attributes Evolving/Evolving/Common provider queue provider
#include "provider-types.h"

typedef struct item {
	int kind;		// ; in a comment } is nothing
	const char *name;
} item_t;
struct elsewhere;
enum colour { RED = ';', GREEN };

provider queue {
	probe item__added(int depth, const char *name);
	probe item__taken(int, char *) : (int depth, string name);
	probe empty();
	probe idle(void);
#ifdef WITH_MORE
	probe more(item_t *items[2], int (*choose)(int, int), unsigned long n);
#endif
};

provider other { probe a_b(long); };
