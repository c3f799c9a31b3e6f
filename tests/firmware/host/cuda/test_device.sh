#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: test_device.sh HEDDLE_NVCC BOARD...
# What kernels find in CUDA's headers, through each clang that is installed: types of 16 and 8 bits, lanes in words,
# random numbers, small matrices and the parts of cub on each board; thrust on the model; functions of numbers against
# MPFR on the model, in the errors that the page says.
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd) nvcc=$(realpath -s "$1")
shift
source "$here/../../../lib.sh"
cd "$dir"
clangs=0
for clang in clang-14 clang-19; do
  command -v "$clang" >/dev/null || continue
  clangs=$((clangs + 1))
  export HEDDLE_CLANG=$clang
  for p in fp8 halves keys matrices parallel random ranges simd; do
    # std::stable_sort of gcc 12 uses what it calls deprecated
    expect 0 "" "$nvcc" -Werror -Wno-deprecated-declarations -Xcompiler -Wall,-Wextra "$here/$p.cu" -o "$p"
  done
  for board in "$@"; do
    HEDDLE_BOARD=$board expect 0 "every bit" ./halves
    HEDDLE_BOARD=$board expect 0 "all parts" ./parallel
    much=()
    [ "$board" = model ] || much=(some) # where hardware is simulated
    HEDDLE_BOARD=$board expect 0 "all random" ./random "${much[@]}"
    HEDDLE_BOARD=$board expect 0 "all lanes" ./simd "${much[@]}"
    HEDDLE_BOARD=$board expect 0 "every byte" ./fp8 "${much[@]}"
    HEDDLE_BOARD=$board expect 0 "all matrices" ./matrices "${much[@]}"
  done
  expect 0 "all ranges" ./ranges
  expect 0 "all keys" ./keys
  # old names are refused with the new one
  echo '__global__ void k(int *x) { *x = __shfl_down(*x, 1); }' >old.cu
  expect 1 "__shfl_down_sync, with a mask" "$nvcc" -c old.cu
  # generators of the host are named, and what needs them is refused
  echo '#include <curand.h>' >host.cu
  expect 0 "" "$nvcc" -c host.cu
  echo 'curandStatus_t f(curandGenerator_t *g) { return curandCreateGenerator(g, CURAND_RNG_PSEUDO_XORWOW); }' >>host.cu
  expect 1 "curand_kernel.h has those of kernels" "$nvcc" -c host.cu
done
expect 0 "" "$nvcc" -Werror -Xcompiler -Wall,-Wextra "$here/functions.cu" -lmpfr -lgmp -o functions
expect 0 "cyl_bessel_i1" ./functions f
expect 0 "cyl_bessel_i1" ./functions d
cuda=$here/../../../../firmware/host/cuda
expect 0 "" python3 -B "$cuda/jumps.py" --check "$cuda/include/curand/jumps.h"
expect 0 "" test "$clangs" -gt 0
