# SPDX-License-Identifier: GPL-2.0-or-later
# C file to loadable object, and the cache of what was built.
translator_libspile_a_SOURCES += translator/build/build.h \
	translator/build/cache.c translator/build/cache.h \
	translator/build/embedded.c translator/build/embedded.h translator/build/hash.c translator/build/hash.h \
	translator/build/kernel.c translator/build/kernel.h translator/build/kernel_runtime.c \
	translator/build/modname.c translator/build/modname.h \
	translator/build/saved_cmd.c translator/build/saved_cmd.h \
	translator/build/user.c
