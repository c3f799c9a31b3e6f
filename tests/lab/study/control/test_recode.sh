#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: test_recode.sh HEDDLE RECODE KERNELS
# control-recode as a command: a kernel with other codes is proven and leaves the same memory; a rewrite that lacks a
# wait is refused and nothing is written; so is what is no program, or no use of it.
set -uo pipefail
heddle=$1 recode=$2 kernels=$3
source "$(dirname "$0")/../../../lib.sh"
cd "$dir" || exit 1

# ---- each way of writing it, proven by lint and run against what the host computes
expect 0 "" "$heddle" ptx "$kernels/saxpy.ptx" --config fpga -o saxpy.elf
mkdir made
for options in "--clear reuse" "--clear yield,rbar" "--by-counters" "--by-counters --counters 2" "--stalls 15" \
  "--counters 1" "--yield-waits"; do
  # shellcheck disable=SC2086
  expect 0 '' "$recode" saxpy.elf $options -o made/saxpy.ptx.elf
  expect 0 'proven, 0 findings' "$heddle" lint made/saxpy.ptx.elf
  expect 0 '1 passed, 0 failed' "$heddle" kernels saxpy --form ptx --programs made --on model --config fpga --scale 0
done
# ... and the same bytes each time
for n in one two; do expect 0 "" "$recode" saxpy.elf --by-counters -o $n.elf; done
expect 0 "" cmp one.elf two.elf

# ---- what is counted
expect 0 '"reuses": 0' "$recode" saxpy.elf --clear reuse --json -
expect 0 '"stalls": 0' "$recode" saxpy.elf --by-counters --json -
expect 0 '"waits": ' "$recode" saxpy.elf --json -
unsaid '"waits": 0'

# ---- what does not suffice
expect 1 'is not awaited' "$recode" saxpy.elf --clear wait -o lacks.elf
expect 1 'is not awaited' "$recode" saxpy.elf --clear stall -o lacks.elf
holds "it is not written" test ! -e lacks.elf
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
