#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A launch that the machine has no room for: what the block asks for, and what there is. usage: test_refused.sh HEDDLE
set -uo pipefail
heddle=$1
source "$(dirname "$0")/../lib.sh"

# DIRECTIVE THREADS WORDS: a kernel with that directive, in a block of so many threads, on tiny
refused() {
  printf '%s\n' '.kernel k' "$1" 'EXIT ;' '.end' >"$dir/k.s"
  expect 0 "" "$heddle" as "$dir/k.s" -o "$dir/k.elf"
  expect 2 "error: $3. " "$heddle" run "$dir/k.elf" --kernel k --grid 1 --block "$2" --config tiny
}
refused '.regs 8' 256 'a block has 8 warps, tiny has room for 4'
refused '.regs 65' 128 'a block has 4 warps of 65 registers, tiny has 256 warp registers'
refused '.shared x 8208' 32 'a block has 8208 bytes of shared memory, tiny has 8192'
# What just fits runs.
printf '%s\n' '.kernel k' '.regs 64' '.shared x 8192' 'EXIT ;' '.end' >"$dir/k.s"
expect 0 "" "$heddle" as "$dir/k.s" -o "$dir/k.elf"
expect 0 "ok: 4 warp instructions" "$heddle" run "$dir/k.elf" --kernel k --grid 1 --block 128 --config tiny
