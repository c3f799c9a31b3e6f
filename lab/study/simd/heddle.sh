#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Heddle's side of the study alone: the kernels of PROGRAM on the model, counted.
# usage: heddle.sh SIMD_WARP PROGRAM INPUTS RESULTS COUNTS
#   INPUTS: what kernels/reference writes; RESULTS/heddle.NAME and COUNTS/heddle.NAME.json are written
# example: lab/study/simd/heddle.sh build/bin/simd_warp lab/study/simd/kernels/simd.ptx /tmp/in /tmp/out /tmp/out
set -euo pipefail
[ $# = 5 ] || { sed -n 's/^# //; 3,6p' "$0" >&2; exit 2; }
warp=$1 program=$2 in=$3 results=$4 counts=$5
classes=$(cd "$(dirname "$0")" && pwd)/classes/heddle.txt

kernel() { # NAME GRID BLOCK ARG...
  local name=$1
  shift
  "$warp" "$program" "$name" "$classes" "$@" >"$counts/heddle.$name.json"
}
to=$results/heddle
# Sizes as in kernels/kernels.h; a thread an element, blocks of whole warps.
kernel daxpy 8 128 s32:1003 f64:1.7 "in:$in/daxpy.x.bin" "inout:$in/daxpy.y.bin:$to.daxpy"
kernel stencil 3,5 32,4 s32:22 s32:77 "in:$in/stencil.in.bin" "out:6776:$to.stencil"
kernel sgemm 1,8 96 s32:8 s32:75 s32:32 "in:$in/sgemm.a.bin" "in:$in/sgemm.b.bin" "out:2400:$to.sgemm"
kernel sgemm4 1,2 96 s32:8 s32:75 s32:32 "in:$in/sgemm.a.bin" "in:$in/sgemm.b.bin" "out:2400:$to.sgemm4"
kernel mandel 1,10 96 s32:10 s32:80 s32:64 "in:$in/mandel.cx.bin" "in:$in/mandel.cy.bin" "out:3200:$to.mandel"
