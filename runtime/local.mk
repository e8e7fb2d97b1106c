# SPDX-License-Identifier: GPL-2.0-or-later
# The runtime is compiled per back end; its sources are installed for the kernel's.
core_sources = \
	runtime/core/bytes.c \
	runtime/core/cells.c \
	runtime/core/chain.c \
	runtime/core/control.c \
	runtime/core/ctime.c \
	runtime/core/embedded.c \
	runtime/core/entry.c \
	runtime/core/errno.c \
	runtime/core/escape.c \
	runtime/core/float.c \
	runtime/core/float_text.c \
	runtime/core/format.c \
	runtime/core/hist.c \
	runtime/core/ids.c \
	runtime/core/lanes.c \
	runtime/core/lock.c \
	runtime/core/map.c \
	runtime/core/memory.c \
	runtime/core/names.c \
	runtime/core/overload.c \
	runtime/core/regex.c \
	runtime/core/regs.c \
	runtime/core/ring.c \
	runtime/core/session.c \
	runtime/core/stat.c \
	runtime/core/store.c \
	runtime/core/strfun.c \
	runtime/core/string.c \
	runtime/core/symbols.c \
	runtime/core/text.c \
	runtime/core/condition.c \
	runtime/core/timing.c \
	runtime/core/unwind.c
core_headers = runtime/core/core.h runtime/core/elf.h runtime/core/map.h runtime/core/unwind.h runtime/embedded/support.h

# The kernel's is compiled on the user's machine, once for each kernel.
kernel_sources = \
	runtime/kernel/anchors.c runtime/kernel/device.c runtime/kernel/hits.c runtime/kernel/maps.c \
	runtime/kernel/objects.c \
	runtime/kernel/platform.c runtime/kernel/processes.c runtime/kernel/registers.c runtime/kernel/session.c \
	runtime/kernel/timers.c runtime/kernel/transport.c runtime/kernel/uprobes.c \
	runtime/kernel/kernel.h runtime/kernel/wire.h
kernel_compat = runtime/kernel/compat/hrtimer.h runtime/kernel/compat/tracepoint.h runtime/kernel/compat/uprobe.h

runtimedir = $(pkgdatadir)/runtime
runtimecoredir = $(runtimedir)/core
dist_runtime_DATA = runtime/spile.h runtime/platform.h
dist_runtimecore_DATA = $(core_sources) runtime/core/core.h runtime/core/elf.h runtime/core/map.h runtime/core/unwind.h
runtimekerneldir = $(runtimedir)/kernel
runtimecompatdir = $(runtimekerneldir)/compat
dist_runtimekernel_DATA = $(kernel_sources)
dist_runtimecompat_DATA = $(kernel_compat)
# What embedded C includes, in a unit of its own.
runtimeembeddeddir = $(runtimedir)/embedded
dist_runtimeembedded_DATA = runtime/embedded/common.h runtime/embedded/kernel.h runtime/embedded/support.h runtime/embedded/user.h

# Beyond what a back end adds: core/ must not grow calls to a C library.
core_cflags = -ffreestanding -fno-strict-aliasing

# core/ as one unit, as it is compiled for a kernel: two files with one name for two things stop the build here already.
noinst_LIBRARIES += runtime/libunit.a
nodist_runtime_libunit_a_SOURCES = runtime/core-unit.c
runtime_libunit_a_CFLAGS = $(AM_CFLAGS) $(core_cflags)
CLEANFILES += runtime/core-unit.c
runtime/core-unit.c: $(core_sources) $(core_headers)
	$(AM_V_GEN)for file in $(core_sources); do echo "#include \"$(abs_srcdir)/$$file\""; done >$@
include $(srcdir)/runtime/user/local.mk
