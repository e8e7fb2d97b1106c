# SPDX-License-Identifier: GPL-2.0-or-later
# Running a built script: here, or in a throwaway guest; and the kernels that guests boot.
translator_libspile_a_SOURCES += \
	translator/run/run.c translator/run/run.h \
	translator/run/remote.c translator/run/remote.h \
	translator/run/link.c translator/run/link.h \
	translator/run/initramfs.c translator/run/initramfs.h \
	translator/run/kernels.c translator/run/kernels.h \
	translator/run/unpack.c translator/run/unpack.h \
	translator/run/vm.c translator/run/vm.h

# The guest's first process.  Static: the initramfs holds nothing else.  No sanitizers: they cannot be linked statically.
pkglibexec_PROGRAMS += translator/run/guest/spile-guest-init
translator_run_guest_spile_guest_init_SOURCES = translator/run/guest/init.c translator/run/guest/wire.h
translator_run_guest_spile_guest_init_CFLAGS = -std=gnu11 -O2 $(WARN_CFLAGS)
translator_run_guest_spile_guest_init_LDFLAGS = -static -s

dist_pkglibexec_SCRIPTS += translator/run/fetch-kernel
