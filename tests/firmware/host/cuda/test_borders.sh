#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: test_borders.sh HEDDLE_NVCC HEDDLE
# Functions of numbers where formats end, against MPFR on the model: those of CUDA C, and those of OpenCL C through each
# clang that is installed.
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd) nvcc=$(realpath -s "$1") heddle=$(realpath -s "$2")
source "$here/../../../lib.sh"
cd "$dir"
expect 0 "" "$nvcc" -Werror -Xcompiler -Wall,-Wextra "$here/borders.cu" -lmpfr -lgmp -o borders
expect 0 "all borders of double" ./borders fd
clangs=0
for clang in clang-14 clang-19; do
  command -v "$clang" >/dev/null || continue
  clangs=$((clangs + 1))
  HEDDLE_CLANG=$clang expect 0 "" "$heddle" cc "$here/borders.cl" -o borders.ptx
  expect 0 "all borders of double" ./borders fd borders.ptx
done
expect 0 "" test "$clangs" -gt 0
