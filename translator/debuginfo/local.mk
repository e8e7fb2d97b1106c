# SPDX-License-Identifier: GPL-2.0-or-later
# What an ELF file can tell.  The only room that includes an elfutils header; debuginfo.h is its door.
translator_libspile_a_SOURCES += \
	translator/debuginfo/debuginfo.h translator/debuginfo/internal.h \
	translator/debuginfo/ctype_kinds.def translator/debuginfo/loc_ops.def \
	translator/debuginfo/regs-x86_64.def translator/debuginfo/regs-aarch64.def \
	translator/debuginfo/abi.c \
	translator/debuginfo/codemap.c \
	translator/debuginfo/containers.c \
	translator/debuginfo/debugfile.c \
	translator/debuginfo/dies.c \
	translator/debuginfo/files.c \
	translator/debuginfo/frame.c \
	translator/debuginfo/function.c \
	translator/debuginfo/glob.c \
	translator/debuginfo/label.c \
	translator/debuginfo/names.c translator/debuginfo/names.h \
	translator/debuginfo/names-image.h translator/debuginfo/names-make.c \
	translator/debuginfo/library.c \
	translator/debuginfo/line.c \
	translator/debuginfo/loc.c \
	translator/debuginfo/location.c \
	translator/debuginfo/mark.c \
	translator/debuginfo/object.c \
	translator/debuginfo/place.c \
	translator/debuginfo/plt.c \
	translator/debuginfo/reader.h \
	translator/debuginfo/registers.c \
	translator/debuginfo/scan.c translator/debuginfo/scan.h translator/debuginfo/scan-units.c \
	translator/debuginfo/scope.c \
	translator/debuginfo/sdt_operand.c \
	translator/debuginfo/spec.c \
	translator/debuginfo/symbol.c \
	translator/debuginfo/tls.c \
	translator/debuginfo/target.c \
	translator/debuginfo/type.c \
	translator/debuginfo/units.c translator/debuginfo/units.h \
	translator/debuginfo/walk.c
