# SPDX-License-Identifier: GPL-2.0-or-later
# What things cost, as ratios to a peer in the same run: see doc/benchmarks.  Never run as tests.
EXTRA_DIST += bench/hits.c bench/hit-cost bench/hello bench/matching bench/matching.c bench/map.c bench/map-cost
EXTRA_DIST += bench/passes bench/resolve
