# SPDX-License-Identifier: GPL-2.0-or-later
# The user runtime: core and agent compiled once into one relocatable object, with the flags that scripts get too.
user_sources = runtime/user/agent.c runtime/user/bytes.c runtime/user/maps.c runtime/user/plat.c \
	runtime/user/request.c runtime/user/trap.c
user_headers = runtime/user/agent.h runtime/user/shared.h
user_flags = runtime/user/cflags runtime/user/ldflags
user_objects = $(core_sources:.c=.uo) $(user_sources:.c=.uo) runtime/user/entry.uo

runtimeuserdir = $(runtimedir)/user
dist_runtimeuser_DATA = $(user_headers) $(user_flags)
EXTRA_DIST += $(user_sources) runtime/user/entry.S
pkglibdatadir = $(pkglibdir)
nodist_pkglibdata_DATA = lib/user-runtime.o
CLEANFILES += lib/user-runtime.o $(user_objects)

SUFFIXES = .uo
.c.uo:
	$(AM_V_CC)$(MKDIR_P) $(@D) && $(CC) `sed '/^\#/d' $(srcdir)/runtime/user/cflags` -g $(WARN_CFLAGS) -I$(srcdir)/runtime -c -o $@ $<
.S.uo:
	$(AM_V_CC)$(MKDIR_P) $(@D) && $(CC) -c -o $@ $<
$(user_objects): $(core_headers) $(user_headers) $(user_flags) runtime/spile.h runtime/platform.h
lib/user-runtime.o: $(user_objects)
	$(AM_V_GEN)$(MKDIR_P) lib && $(CC) -r -nostdlib -o $@ $(user_objects)
