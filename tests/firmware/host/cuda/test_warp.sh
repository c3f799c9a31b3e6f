#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: test_warp.sh HEDDLE_NVCC HEDDLE BOARD...
# What threads of a warp tell each other (warp.cu), through each clang that is installed, at each of its levels, on the
# model; and as heddle-nvcc compiles it, on each board.
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd) nvcc=$(realpath -s "$1") heddle=$(realpath "$2")
shift 2
source "$here/../../../lib.sh"
cd "$dir"
clangs=0
for clang in clang-14 clang-19; do
  command -v "$clang" >/dev/null || continue
  clangs=$((clangs + 1))
  export HEDDLE_CLANG=$clang
  for level in 0 1 2 3; do expect 0 "" "$heddle" cc "$here/warp.cu" -o "$level.ptx" -O "$level"; done
  expect 0 "" "$nvcc" -Werror -Xcompiler -Wall,-Wextra "$here/warp.cu" -o warp
  HEDDLE_BOARD=model expect 0 "24 idioms, 5 times, but for 0" ./warp {0,1,2,3}.ptx
  for board in "$@"; do
    lacking=0
    [ "$board" != lockstep:fpga ] || lacking=1 # FP64, halves, sums of a warp
    HEDDLE_BOARD=$board expect 0 "24 idioms, 1 times, but for $lacking" ./warp
  done
done
expect 0 "" test "$clangs" -gt 0
