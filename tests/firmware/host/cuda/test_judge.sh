#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: test_judge.sh HEDDLE_NVCC HEDDLE
# What is told of a CUDA program's mistakes: in the names of its source, with the line that allocated;
# launches that are kept and run again; what HEDDLE_PAD and HEDDLE_UNDEFINED let pass, counted.
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd) nvcc=$(realpath -s "$1") heddle=$(realpath "$2")
source "$here/../../../lib.sh"
cd "$dir"
cat >wrong.cu <<'END'
#include <cstdio>
#include <cstring>
struct pair { int *at; int add, more; };
__device__ int seen[4];
template <typename T> __global__ void fill(T *at, int n, pair p) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) at[i] = T(i + p.add) + T(p.at[0]);
}
__global__ void lucky(int *at) {
  __shared__ int room[32];
  if (threadIdx.x == 3) room[0] = 1;
  __syncthreads();
  at[threadIdx.x] = room[threadIdx.x];
}
__global__ void turn(volatile int *at) {
  while (*at == 0) {}
}
__global__ void count(int n) {
  atomicAdd(&seen[n], 1);
}
int main(int argc, char **argv) {
  float *x;
  int *one, n = 32;
  cudaMalloc(&one, 4);
  cudaMalloc(&x, 128); /* line 25 */
  cudaMemset(one, 0, 4);
  if (argc > 1 && strcmp(argv[1], "over") == 0) n++;
  fill<<<1, 64>>>(x, 32, pair{one, 1, 0});
  fill<<<1, 64>>>(x, n, pair{one, 2, 0});
  if (argc > 1 && strcmp(argv[1], "lucky") == 0) lucky<<<1, 32>>>((int *)x);
  if (argc > 1 && strcmp(argv[1], "forever") == 0) turn<<<1, 32>>>(one);
  if (argc > 1 && strcmp(argv[1], "variable") == 0) count<<<1, 1>>>(n + 100);
  count<<<1, 5>>>(1);
  cudaError_t e = cudaDeviceSynchronize();
  int got = 0;
  if (e == cudaSuccess) cudaMemcpyFromSymbol(&got, seen, 4, 4);
  printf("%s, %d\n", cudaGetErrorName(e), got);
  return e != cudaSuccess;
}
END
expect 0 "" "$nvcc" -g -O0 wrong.cu -o wrong
expect 0 "cudaSuccess, 5" ./wrong

# ---- in the words of the source
expect 1 "kernel void fill<float>(float*, int, pair)" ./wrong over
expect 1 "argument 0, float* (128 bytes at 0x" ./wrong over
expect 1 "4 bytes beyond its end" ./wrong over
expect 1 "thread (32,0,0)" ./wrong over
expect 1 "wrong.cu:7: pc" ./wrong over
expect 1 "allocated" ./wrong over
expect 1 "wrong.cu:25" ./wrong over
expect 1 'nearest   variable "seen" (16 bytes at ' ./wrong variable
expect 0 "" "$nvcc" wrong.cu -o plain
expect 1 "of ./plain" ./plain over

# ---- recorded: PTX, which is compiled for whatever runs it
expect 0 "3 of 3 launches are in rec" env HEDDLE_RECORD=rec ./wrong
expect 0 "" test "$(ls rec/*.ptx | wc -l)" = 1
expect 0 "3 passed, 0 failed" "$heddle" cases rec --on model
expect 0 "1 passed, 0 failed" "$heddle" cases rec --on model --only 0003_count
expect 1 "1 of 2 launches are in rec2" env HEDDLE_RECORD=rec2 ./wrong over
expect 0 "1 passed, 0 failed" "$heddle" cases rec2 --on model
expect 1 "is kept; repeat: heddle cases caps/0002_fill --on model --seed 1" env HEDDLE_CAPSULE=caps ./wrong over
expect 1 "trap out_of_range at pc" "$heddle" cases caps/0002_fill --on model --seed 1
expect 1 "wrong.cu:7" "$heddle" cases caps/0002_fill --on model
expect 0 "3 passed, 0 failed" "$heddle" cases rec --on lockstep --config tiny
expect 1 "trap out_of_range at pc" "$heddle" cases caps/0002_fill --on lockstep --config tiny

# ---- what leans on luck, and how often
expect 1 "undefined" ./wrong lucky
expect 1 "is kept" env HEDDLE_CAPSULE=caps ./wrong lucky
expect 1 "undefined" "$heddle" cases caps/0003_lucky --on model
expect 0 "HEDDLE_PAD: 2 allocations had 256 bytes more; 1 of 3 launches wrote there; the first is launch 2, void fill<float>" \
  env HEDDLE_PAD=256 ./wrong over
expect 0 "0 of 3 launches wrote there" env HEDDLE_PAD=256 ./wrong
expect 0 "HEDDLE_UNDEFINED=zero: 1 launches depend on values never written" env HEDDLE_UNDEFINED=zero ./wrong lucky
expect 1 "HEDDLE_UNDEFINED is 'no'" env HEDDLE_UNDEFINED=no ./wrong
expect 1 "HEDDLE_UNDEFINED=zero: on the model alone" env HEDDLE_UNDEFINED=zero HEDDLE_BOARD=rtl:tiny ./wrong
expect 1 "HEDDLE_PAD is '-1'" env HEDDLE_PAD=-1 ./wrong

# ---- what never ends: cut where HEDDLE_LIMIT says so, and again
expect 1 "turn(int volatile*): not finished after 5000 warp instructions" env HEDDLE_LIMIT=5000 HEDDLE_CAPSULE=caps ./wrong forever
expect 1 "cases caps/0003_turn --on model --max-cycles 5000 --seed 1" env HEDDLE_LIMIT=5000 HEDDLE_CAPSULE=caps ./wrong forever
expect 1 "limit" "$heddle" cases caps/0003_turn --on model --max-cycles 5000
export HEDDLE_BOARD=lockstep:tiny
expect 1 "cases caps/0003_lucky --on lockstep --config tiny --seed 1" env HEDDLE_CAPSULE=caps ./wrong lucky
expect 1 "undefined" "$heddle" cases caps/0003_lucky --on lockstep --config tiny
expect 1 "cases caps/0003_turn --on lockstep --config tiny --max-cycles 20000" env HEDDLE_LIMIT=20000 HEDDLE_CAPSULE=caps ./wrong forever
unset HEDDLE_BOARD

# ---- what a folder of them says
mkdir bin
cp wrong bin/right
printf '#!/bin/sh\nexec "%s/wrong" over\n' "$dir" >bin/over
cp "$here/sticky.cu" . && "$nvcc" -I"$here" sticky.cu -o sticky
printf '#!/bin/sh\nexec "%s/sticky" misaligned\n' "$dir" >bin/told
printf '#!/bin/sh\nexec "%s/wrong" forever\n' "$dir" >bin/turns
chmod +x bin/over bin/told bin/turns
expect 1 "over: trapped: out_of_range" "$heddle" hosts bin --only over
expect 1 "turns: too long: launch 3, turn(int volatile*): " "$heddle" hosts bin --only turns --max-cycles 5000
expect 1 "1 passed, 3 failed" "$heddle" hosts bin --max-cycles 100000
expect 0 "told: passed: 2 launches" "$heddle" hosts bin --only told --pass "told until reset"
