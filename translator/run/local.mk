# SPDX-License-Identifier: GPL-2.0-or-later
translator_libspile_a_SOURCES += translator/run/run.c translator/run/run.h
