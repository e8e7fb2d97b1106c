# SPDX-License-Identifier: GPL-2.0-or-later
cp /bin/true prog
