#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# From ctest's log: what failed in full, time by part of the tree, and a closing line that counts.
set -euo pipefail
log=$1

if grep -q 'tests failed out of' "$log" && ! grep -q ' 0 tests failed out of' "$log"; then
  sed -n '1,400p' "$log"
fi
grep -hE "^coverage: " "$(dirname "$log")/Testing/Temporary/LastTest.log" || true
awk '
  # "  3/40 Test  #3: isa.parser ......   Passed    0.05 sec"
  /^ *[0-9]+\/[0-9]+ Test/ {
    name = $0; sub(/^.*: */, "", name); sub(/ .*$/, "", name)
    part = name; sub(/\..*$/, "", part)
    seconds = $(NF - 1)
    time[part] += seconds; count[part]++
    if ($0 ~ /Passed/) passed++; else failed++
  }
  END {
    for (p in time) printf "time %6.1f s  %-10s %d tests\n", time[p], p, count[p]
    printf "%d passed, %d failed\n", passed, failed
    if (passed + failed == 0) exit 1
  }' "$log"
