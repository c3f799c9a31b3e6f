#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: test_control.sh HEDDLE CONTROL.s CONFIG
# Control instructions that kernels seldom have, in lockstep in both dependency modes: JMP, YIELD, KILL, BPT.TRAP; and
# the traps of JMP and BPT.TRAP.
set -uo pipefail
heddle=$1 source=$2 config=$3 here=$(cd "$(dirname "$0")" && pwd)
source "$here/../lib.sh"
expect 0 "" "$heddle" as "$source" -o "$dir/control.elf"

python3 - "$dir" <<'PYTHON'
import struct
import sys
threads = range(96)
before = [0xdeadbeef] * 96
after = [before[t] if t % 8 == 7 else (100 if t % 2 else 200) + t % 4 for t in threads]
for name, words in ("before", before), ("after", after):
    open(f"{sys.argv[1]}/{name}", "wb").write(struct.pack("<96I", *words))
PYTHON

for dep in control scoreboard; do
  run=("$heddle" run "$dir/control.elf" --on lockstep --config "$config" --dep "$dep" --grid 1)
  expect 0 "" "${run[@]}" --kernel control --block 96 --arg "inout:$dir/before:$dir/got" --arg u32:1000
  expect 0 "" cmp "$dir/got" "$dir/after"
  expect 0 "" "${run[@]}" --kernel control --block 96 --arg "inout:$dir/before:$dir/got" --arg u32:41 --expect-trap breakpoint
  expect 0 "" "${run[@]}" --kernel astray --block 40 --expect-trap bad_pc
done
