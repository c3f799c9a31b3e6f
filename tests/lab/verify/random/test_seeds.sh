#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The same seed twice gives identical traces, for kernels and random programs, whatever --jobs. Two seeds of the
# initial state differ inside (the waves differ) and agree in every record and result (calm memory).
# usage: test_seeds.sh HEDDLE KERNEL_DIR
set -uo pipefail
heddle=$1 kernels=$2
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
source "$(dirname "$0")/repeat.sh"

"$heddle" as "$kernels/nested.s" -o "$dir/nested.elf" || exit 2
head -c 4096 /dev/zero | tr '\0' '\165' >"$dir/in.bin"
nested() { # SEED OUT OPTION...
  local seed=$1 out=$2
  shift 2
  "$heddle" run "$dir/nested.elf" --kernel nested --grid 3 --block 64 --arg "in:$dir/in.bin" --arg "out:4096:$dir/$out.bin" \
    --arg u32:170 --config tiny --on lockstep --seed "$seed" "$@"
}
check "a run with seed 5" nested 5 a --trace "$dir/a.trace"
check "the same run again" nested 5 b --trace "$dir/b.trace"
check "the same seed gives the same trace" cmp "$dir/a.trace" "$dir/b.trace"
check "another memory seed" nested 6 c --trace "$dir/c.trace"
check "another memory seed gives another trace" differ "$dir/a.trace" "$dir/c.trace"
check "and the same result" cmp "$dir/a.bin" "$dir/c.bin"
check "the recorded trace stands on its own" "$heddle" check "$dir/a.trace" "$dir/nested.elf"

check "program 3 of seed 9, printed twice" sh -c "'$heddle' fuzz --only 3 --seed 9 --print >'$dir/p1' && '$heddle' fuzz --only 3 --seed 9 --print --jobs 4 >'$dir/p2' && cmp '$dir/p1' '$dir/p2'"

# Whatever the number of processes, the same programs do the same.
verdicts() { # JOBS OUT
  "$heddle" fuzz --programs 30 --seed 9 --on model --jobs "$1" --json "$dir/$2.json" &&
    grep -vE '"(seconds|command)"' "$dir/$2.json" >"$dir/$2.txt"
}
check "30 programs in one process" verdicts 1 v1
check "the same in four" verdicts 4 v4
check "the verdicts agree" cmp "$dir/v1.txt" "$dir/v4.txt"
check "each program has one" test "$(grep -c '"passed": true' "$dir/v4.txt")" = 30

# A fault that is injected is found in one of a few programs, which is shrunk and shown with a command that repeats it.
faulty() { "$heddle" fuzz --programs 2 --jobs 2 --config tiny --fault 9 >"$dir/faulty" 2>&1; [ $? = 1 ]; }
check "an injected fault is found" faulty
check "a program is shown" grep -q '^\.kernel fuzz$' "$dir/faulty"
check "and how to repeat it" grep -q "^repeat: $heddle fuzz --programs 1 --only [01] .*--config tiny" "$dir/faulty"

# A random program: the same trace twice, another one with another memory seed.
random_trace() { "$heddle" fuzz --only 3 --seed "$1" --config tiny --trace "$dir/$2.trace"; }
check "random program 3 of seed 9" random_trace 9 r1
check "the same program again" random_trace 9 r2
check "the same seed gives the same trace" cmp "$dir/r1.trace" "$dir/r2.trace"
check "the trace holds something" test -s "$dir/r1.trace"
check "another seed" random_trace 10 r3
check "another seed gives another trace" differ "$dir/r1.trace" "$dir/r3.trace"

# Only the initial state of registers differs: memory is calm.
check "initial state from seed 21" nested 21 x --calm --wave "$dir/x.fst"
check "initial state from seed 22" nested 22 y --calm --wave "$dir/y.fst"
check "results agree" cmp "$dir/x.bin" "$dir/y.bin"
for w in x y; do fst2vcd "$dir/$w.fst" 2>/dev/null | grep -v -E '^\$(date|version)' | sed '/^\$date/,/^\$end/d' >"$dir/$w.vcd"; done
check "the waves hold something" test -s "$dir/x.vcd"
check "the insides differ" differ "$dir/x.vcd" "$dir/y.vcd"
check "a GTKWave file lies beside the wave" grep -qF ret.front "$dir/x.fst.gtkw"

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
