#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# progress.sh: the log is what went in; a line moves on a terminal alone; what failed before the pipe still fails.
# usage: test_progress.sh ROOT
set -uo pipefail
cd "$1" || exit
source tests/lib.sh
for i in {1..30}; do echo "[$i/40] Building C object $i.o"; done >"$dir/in"
printf '  7/9 Test  #3: isa.parser ......   Passed    0.05 sec\nthe last without an end' >>"$dir/in"

scripts/progress.sh building "$dir/log" <"$dir/in" >"$dir/out" 2>&1
holds "a log that is what went in" cmp -s "$dir/in" "$dir/log"
holds "nothing said in a pipe" test ! -s "$dir/out"
holds "a failure stays one" test "$(bash -c "set -o pipefail; false | scripts/progress.sh x $dir/log; echo \$?")" = 1

# A terminal of its own; a second passes in the middle of a line; one step stands for 101 of them.
cat >"$dir/slow" <<'END'
head -n 12 "$1"
printf '[13/'
sleep 5.5
printf '40] Verilating verilator_tiny\n'
tail -n +14 "$1"
END
script -qec "sh $dir/slow $dir/in | scripts/progress.sh building $dir/log verilator_tiny=101" /dev/null >"$dir/out" </dev/null
holds "the whole line" grep -q '^\[13/40\] Verilating verilator_tiny$' "$dir/log"
holds "the end" grep -q '^the last without an end$' "$dir/log"
holds "step n of m" grep -q 'building: step 13 of 40, 0:0[5-7], about 0:0[0-3] left; last: Verilating verilator_tiny' "$dir/out"
holds "no time left before it is known" grep -q 'building: step 12 of 40, 0:0[0-9]; last: Building' "$dir/out"
holds "a test of ctest" grep -q 'building: step 7 of 9, .*Test  #3: isa.parser' "$dir/out"
holds "an empty line at the end" test "$(tail -c 4 "$dir/out")" = $'\r\e[K'
