#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# postgres.sh BINDIR: a server on a Unix socket in a folder of its own, two queries, an orderly stop.
set -e
bin=$1
as=
if [ "$(id -u)" = 0 ]; then as='setpriv --reuid=postgres --regid=postgres --clear-groups'; fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
if [ -n "$as" ]; then chown postgres "$folder"; fi
cd "$folder"
$as "$bin/initdb" -D "$folder/data" -A trust -N >/dev/null
$as "$bin/pg_ctl" -D "$folder/data" -w -t 90 -l "$folder/log" -o "-h '' -k $folder -c fsync=off" start >/dev/null
$as "$bin/psql" -h "$folder" -d postgres -U postgres -qAtX -c 'select 40 + 2' >/dev/null
$as "$bin/psql" -h "$folder" -d postgres -U postgres -qAtX -c "select 'spile'" >/dev/null
$as "$bin/pg_ctl" -D "$folder/data" -w -t 90 -m fast stop >/dev/null
