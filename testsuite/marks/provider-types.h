/* SPDX-License-Identifier: GPL-2.0-or-later */
typedef struct list { struct list *next; } list_t;
