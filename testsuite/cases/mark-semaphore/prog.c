/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A mark guarded by its semaphore: the program only reaches it while somebody listens. */
#include <stdio.h>
#define _SDT_HAS_SEMAPHORES 1
#include <sys/sdt.h>

__extension__ unsigned short guarded_event_semaphore __attribute__((unused, section(".probes")));

int main(void)
{
	for (int i = 1; i <= 3; i++)
		if (__builtin_expect(guarded_event_semaphore, 0))
			STAP_PROBE2(guarded, event, i, "text");
	printf("semaphore %d\n", guarded_event_semaphore);
	return 0;
}
