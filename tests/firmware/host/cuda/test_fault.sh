#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: test_fault.sh HEDDLE_NVCC
# A planted fault stops a CUDA program with exit status 1, the report and its kernel's name on stderr:
# where it waits for the kernel, and where it never does.
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd) nvcc=$(realpath -s "$1")
source "$here/../../../lib.sh"
cd "$dir"
cat >unwaited.cu <<'END'
#include <cstdio>
struct at_the_end {
  ~at_the_end() { puts("destroyed"); }
} object;
__global__ void fill(int *at) { at[threadIdx.x] = threadIdx.x; }
int main() {
  int *there;
  if (cudaMalloc(&there, 128) != cudaSuccess) return 3;
  fill<<<1, 32>>>(there);
  puts("launched");
}
END
expect 0 "" "$nvcc" "$here/vecadd.cu" -o vecadd
expect 0 "" "$nvcc" unwaited.cu -o unwaited
export HEDDLE_BOARD=lockstep:tiny_faults HEDDLE_STATS=1
expect 0 "1000 sums, 0 wrong" ./vecadd
expect 0 "1 launches (0 trapped, 0 refused, 0 failed)" ./unwaited
export HEDDLE_FAULT=5
for program in vecadd unwaited; do
  expect 1 "lockstep:tiny_faults, launch 1, seed 1: difference: operand.value" ./$program
  expect 1 "history of the warp" ./$program
  expect 1 "1 launches (0 trapped, 0 refused, 1 failed)" ./$program
done
expect 1 "hardware and model differ: vecadd(float const*, float const*, float*, int): lockstep:tiny_faults, launch 1" ./vecadd
expect 1 "launched" ./unwaited
HEDDLE_BOARD=lockstep:tiny_faults@2 expect 0 "1000 sums, 0 wrong" ./vecadd # its only launch is the model's
