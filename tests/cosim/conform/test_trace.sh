#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Traces as docs/trace-format.md says, by libheddle, by C and by Python that stand alone (cosim/kit/trace): the same bytes.
# usage: test_trace.sh HEDDLE FOLDER-OF-TEST-PROGRAMS GEN [CONFIG]       CONFIG: a device is there, and runs are recorded
set -uo pipefail
heddle=$1 programs=$2 gen=$3 config=${4:-}
here=$(cd "$(dirname "$0")" && pwd)
kit=$here/../../../cosim/kit/trace
source "$here/../../lib.sh"
export NO_COLOR=1 PYTHONPATH=$kit:$gen PYTHONDONTWRITEBYTECODE=1
traces() { python3 "$kit/heddle_trace.py" "$@"; }

expect 0 "" "$heddle" conform "$dir/set"
expect 0 "OK" python3 "$here/test_trace.py" "$dir/set"
expect 0 "[  PASSED  ]" "$programs/kit_trace_refusals" "$dir/set/golden/few.8.P2.trace"

# The header alone says C99, and nothing of ours beside what is generated.
expect 0 "" gcc -std=c99 -pedantic -Wall -Wextra -Wconversion -Werror -I "$gen" -c "$kit/heddle_trace.c" -o "$dir/o"

# Written by C from what libheddle reads: the same file. Less of it: the same as by Python, and it is judged.
same() {
  expect 0 "" "$programs/kit_trace_copy" "$1" "$dir/c"
  expect 0 "" cmp "$1" "$dir/c"
}
less() {
  expect 0 "" traces strip "$1" "$dir/py" --profile "$2"
  expect 0 "" "$programs/kit_trace_copy" "$1" "$dir/c" "$2"
  expect 0 "" cmp "$dir/py" "$dir/c"
  expect "$3" "profile $2; not judged: $4" "$heddle" check "$dir/py"
}
p0="warp_start, predicate, operands, operands_memory, uniform_read, global.stamp, global.bank, write.row, write.port, write.bank, issue.ps, issue.dhash, issue.clock"
p1="warp_start, operands_memory, global.stamp, global.bank, write.row, write.port, write.bank, issue.dhash, issue.clock"
for t in "$dir"/set/golden/*.8.P[02].trace "$dir"/set/golden/*.32.P1.trace; do same "$t"; done
for program in global predicates uniform local trap_address; do
  t=$dir/set/golden/$program.16.P2.trace status=0
  case $t in */trap_*) status=3 ;; esac
  less "$t" P0 $status "$p0"
  less "$t" P1 $status "$p1"
done
# One kind or field less.
t=$dir/set/golden/shared.8.P2.trace
for name in global.stamp write.row issue.clock issue.ps predicate uniform_read; do
  expect 0 "" traces strip "$t" "$dir/py" --hide $name operands_memory
  expect 0 "not judged: " "$heddle" check "$dir/py"
  expect 0 "$name" "$heddle" check "$dir/py"
done
expect 0 " issue id.sm=" traces dump "$t" --kind issue --warp 1.1
expect 1 "" grep -q " write " "$dir/out"
expect 2 "not a retire trace" traces dump "$heddle"
# Whoever shows less is run again thread by thread as others are: that looks at launches, memory and traps alone.
for program in divergence shared local; do
  expect 0 "the same memory" "$heddle" threads "$dir/set/golden/$program.8.P0.trace"
done
expect 0 "0 bytes" "$heddle" threads "$dir/set/golden/trap_address.8.P0.trace"

# Two instructions of one warp in one cycle: right in program order, wrong the other way round.
for program in atomics few shared; do
  t=$dir/set/golden/$program.8.P0.trace
  expect 0 " pairs" python3 "$here/dual_issue.py" "$t" "$dir/dual"
  expect 0 " 0 differences" "$heddle" check "$dir/dual"
  expect 0 " pairs" python3 "$here/dual_issue.py" "$t" "$dir/dual" --swap
  expect 1 "difference: sequence.gap" "$heddle" check "$dir/dual"
done

# A launch file: a trace without records.
expect 0 "" "$heddle" kernels vecadd --form asm --scale 0 --on model --trace "$dir/launch"
same "$dir/launch"
if [ -n "$config" ]; then
  expect 0 "0 failed" "$heddle" kernels vecadd --form asm --scale 0 --config "$config" --on lockstep --trace "$dir/run"
  same "$dir/run"
  expect 0 "" traces strip "$dir/run" "$dir/py"
  expect 0 "" cmp "$dir/run" "$dir/py"
  less "$dir/run" P0 0 "$p0"
  # Two runs of a program whose memory answers at other times are compared as equal, and are not the same file. One in
  # which nobody's result depends on who came first: programs 4, 5 and 8 of this seed, not 3, whose atomics meet.
  for seed in 1 2; do
    expect 0 "1 passed" "$heddle" fuzz --programs 1 --only 8 --seed 7 --config "$config" --memory-seed $seed --trace "$dir/$seed"
  done
  cmp -l "$dir/1" "$dir/2" >"$dir/bytes"
  expect 0 "" test "$(wc -l <"$dir/bytes")" -gt 1000
  expect 0 "the same: " traces diff "$dir/1" "$dir/2"
  less "$dir/run" P1 0 "$p1"
fi
