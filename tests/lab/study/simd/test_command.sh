#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What the command says where something lacks; what counts that differ, and the tables, come to.
# usage: test_command.sh STUDY SIMD_COUNT
set -uo pipefail
[ $# = 2 ] || { echo "usage: test_command.sh STUDY SIMD_COUNT" >&2; exit 2; }
study=$1 count=$2
source "$(dirname "$0")/../../../lib.sh"

expect 0 "example:" "$study/run.sh" --help
expect 2 "usage:" "$study/run.sh" --frobnicate
mkdir "$dir/bin"
for tool in bash dirname cat; do ln -s "$(command -v $tool)" "$dir/bin/"; done
expect 5 "setup.sh installs" env PATH="$dir/bin" "$study/run.sh" -o "$dir/results"
holds "a run that cannot be leaves no files" test ! -e "$dir/results"
expect 2 "usage:" "$study/setup.sh" something
expect 0 "example:" "$count" --help
expect 2 "usage:" "$count" log
expect 2 "not an ELF file" "$count" range "$study/run.sh" daxpy

# Two ways of counting that differ in one number, or of which one has more.
row() { printf '["0x%x", 4, "nop", "nothing", %d, 0, 0]' "$1" "$2"; }
echo "{\"listing\": [$(row 0 5), $(row 4 5)]}" >"$dir/a.json"
echo "{\"listing\": [$(row 0 5), $(row 4 6)]}" >"$dir/b.json"
echo "{\"listing\": [$(row 0 5)]}" >"$dir/c.json"
expect 0 "" "$study/collect.py" --same "$dir/a.json" "$dir/a.json"
expect 1 "0x4" "$study/collect.py" --same "$dir/a.json" "$dir/b.json"
expect 1 "" "$study/collect.py" --same "$dir/a.json" "$dir/c.json"

# A table's first row, from numbers that are worked out by hand: 100 instructions, 10 results, 160 operations.
executed='"instructions": 100, "bytes": 1600, "guarded": 5, "float": 10, "memory": 20, "integer": 30, "move": 25,
  "control": 9, "nothing": 1, "strip": 0, "mask": 5'
entry="{\"code\": {\"bytes\": 64}, \"executed\": {$executed}, \"vector\": {\"instructions\": 50, \"lanes\": 800, \"width\": 1600}}"
echo "{\"kernels\": {\"daxpy\": {\"results\": 10, \"operations\": 160, \"versions\": {\"heddle\": $entry}}}}" >"$dir/r.json"
expect 0 "| \`heddle\` | 10.00 | 160.0 | 64 | 16.00 | 16.0 of 32 | 50.0 | 10.0 | 20.0 | 30.0 | 25.0 | 10.0 | – | 5.0 | 5.0 |" \
  "$study/report.py" --results "$dir/r.json" daxpy
expect 2 "usage:" "$study/report.py" --results "$dir/r.json" nothing

# A page whose table has another number, or that has no table, is told.
printf '# Page\n<!-- lab/study/simd/report.py daxpy -->\n<!-- end -->\n' >"$dir/page.md"
expect 1 "a table is old" "$study/page.py" "$dir/page.md" "$dir/r.json"
expect 0 "" "$study/page.py" --write "$dir/page.md" "$dir/r.json"
expect 0 "" "$study/page.py" "$dir/page.md" "$dir/r.json"
sed -i 's/16\.00/16.01/' "$dir/page.md"
expect 1 "16.01" "$study/page.py" "$dir/page.md" "$dir/r.json"
echo "# Page" >"$dir/page.md"
expect 1 "no tables" "$study/page.py" "$dir/page.md" "$dir/r.json"
