#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: test_recode.sh HEDDLE RECODE KERNELS
# control-recode as a command: a kernel with other codes is proven and leaves the same memory; a rewrite that lacks a
# wait is refused and nothing is written; so is what is no program, or no use of it.
set -uo pipefail
heddle=$1 recode=$2 kernels=$3
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1
fail() { echo "FAILED: $*" >&2; exit 1; }
expect() { # STATUS WORDS COMMAND...
  local status=$1 words=$2 got=0
  shift 2
  "$@" >out 2>&1 || got=$?
  [ "$got" = "$status" ] || { cat out; fail "exit status $got, not $status: $*"; }
  [ -z "$words" ] || grep -qF -- "$words" out || { cat out; fail "does not say '$words': $*"; }
}

# ---- each way of writing it, proven by lint and run against what the host computes
"$heddle" ptx "$kernels/saxpy.ptx" --config fpga -o saxpy.elf || fail "no program"
mkdir made
for options in "--clear reuse" "--clear yield,rbar" "--by-counters" "--by-counters --counters 2" "--stalls 15" \
  "--counters 1" "--yield-waits"; do
  # shellcheck disable=SC2086
  expect 0 '' "$recode" saxpy.elf $options -o made/saxpy.ptx.elf
  expect 0 'proven, 0 findings' "$heddle" lint made/saxpy.ptx.elf
  expect 0 '1 passed, 0 failed' "$heddle" kernels saxpy --form ptx --programs made --on model --config fpga --scale 0
done
# ... and the same bytes each time
"$recode" saxpy.elf --by-counters -o one.elf && "$recode" saxpy.elf --by-counters -o two.elf && cmp one.elf two.elf ||
  fail "two runs differ"

# ---- what is counted
expect 0 '"reuses": 0' "$recode" saxpy.elf --clear reuse --json -
expect 0 '"stalls": 0' "$recode" saxpy.elf --by-counters --json -
! "$recode" saxpy.elf --json - | grep -q '"waits": 0' || fail "the kernel waits for nothing"

# ---- what does not suffice
expect 1 'is not awaited' "$recode" saxpy.elf --clear wait -o lacks.elf
expect 1 'is not awaited' "$recode" saxpy.elf --clear stall -o lacks.elf
[ ! -e lacks.elf ] || fail "it was written all the same"
# ... but for a scoreboard, of which every judge of codes is told
expect 0 '' "$recode" saxpy.elf --clear all --scoreboard -o bare.elf
expect 1 'the kernel assumes no latencies' "$heddle" lint bare.elf

# ---- hostile and wrong
head -c 100 saxpy.elf >short.elf
expect 2 'short.elf' "$recode" short.elf
expect 2 'none.elf' "$recode" none.elf
expect 2 "no part of a control code is called 'stal'" "$recode" saxpy.elf --clear stal
expect 2 "expected 1 to 6, not '7'" "$recode" saxpy.elf --counters 7
expect 2 "expected 1 to 15, not '0'" "$recode" saxpy.elf --stalls 0
expect 2 'one program is needed' "$recode"
expect 2 '--stalls says nothing beside' "$recode" saxpy.elf --by-counters --stalls 3
expect 0 'example:' "$recode" --help
expect 2 "made/vecadd.ptx.elf" "$heddle" kernels vecadd --form ptx --programs made --on model --scale 0
