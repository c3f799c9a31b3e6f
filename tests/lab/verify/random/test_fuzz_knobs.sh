#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Knobs on the command line: they change programs, and what is wrong is said with its place.
# usage: test_fuzz_knobs.sh HEDDLE DEFAULT_KNOBS
set -uo pipefail
heddle=$1 defaults=$2
source "$(dirname "$0")/../../../lib.sh"
fuzz() { "$heddle" fuzz --programs 20 --seed 4 --config tiny "$@"; }

fuzz --print >"$dir/usual"
fuzz --print --knobs "$defaults" >"$dir/again"
expect 0 "" test -s "$dir/usual"
expect 0 "" cmp "$dir/again" "$dir/usual"
expect 0 "exact_" fuzz --print
expect 1 "" sh -c "'$heddle' fuzz --programs 20 --seed 4 --config tiny --print --knob stream.hazard=0 | grep exact_"
echo 'stream.hazard = 0' >"$dir/none.knobs"
expect 1 "" sh -c "'$heddle' fuzz --programs 20 --seed 4 --config tiny --print --knobs '$dir/none.knobs' | grep exact_"
# What comes later counts.
expect 0 "exact_" fuzz --print --knobs "$dir/none.knobs" --knob stream.hazard=10
printf 'node.if = 3\nnode.while = 4\n' >"$dir/bad.knobs"
expect 2 "bad.knobs:2:1: error: there is no knob" fuzz --print --knobs "$dir/bad.knobs"
expect 2 "node.if is from 0 to 1000, not '5000'" fuzz --print --knob node.if=5000
expect 2 "there is no knob" fuzz --print --knob nodes=1
expect 2 "nothing.knobs: No such file" fuzz --print --knobs "$dir/nothing.knobs"
# All weights zero: plain arithmetic, which runs.
sed -n 's/^\(node\|stream\|line\)\(\.[a-z_]*\) .*/\1\2 = 0/p' "$defaults" >"$dir/zero.knobs"
expect 0 "20 passed, 0 failed" fuzz --on model --knobs "$dir/zero.knobs"
# Each cause of a trap, and every program does trap: one that does not is a failure.
expect 0 "20 passed, 0 failed" fuzz --on model --knob program.traps=100
expect 0 "20 passed, 0 failed" fuzz --on model --knob program.traps=100 --div its
# Among them runs beyond the code's end, and errors where code and constants are read: what is saved says where.
traps() { "$heddle" fuzz --programs 200 --seed 4 --config tiny --knob program.traps=100 --print "$@"; }
traps >"$dir/traps"
expect 0 "" grep -q '^tail_0:' "$dir/traps"
expect 0 "" sh -c "awk '/^tail_7:/ { last = 2 } last && /^RET R36/ { found = 1 } { last-- } END { exit !found }' '$dir/traps'"
expect 0 "" sh -c "awk '/^code_end:/ && last ~ /^(BSYNC|WARPSYNC|@P6 )/ { found = 1 } { last = \$0 } END { exit !found }' '$dir/traps'"
expect 0 "" grep -q '^BSSY B0, code_end' "$dir/traps"
# Lanes that leave while others wait by WARPSYNC; under its arms, loops and exchanges as well.
crossed() { fuzz --print --knob stream.release=300 --knob program.leaves=50 "$@"; }
crossed >"$dir/stack"
expect 0 "" grep -q '^wait_[0-9]' "$dir/stack"
expect 1 "" grep '^arm3_' "$dir/stack"
crossed --div its >"$dir/its"
for label in wait arm3 turn second; do expect 0 "" grep -q "^${label}_[0-9]" "$dir/its"; done

