#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: test_cmake.sh HEDDLE_NVCC [CMAKE]: CMake's language CUDA with heddle-nvcc, by a link called nvcc: compiler and
# features are found, and the toolkit; kernels of two files are linked in a program, and in an archive that C++ links.
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd) nvcc=$(realpath -s "$1") cmake=${2:-cmake}
source "$here/../../../lib.sh"
cd "$dir"
cat >CMakeLists.txt <<END
cmake_minimum_required(VERSION 3.18)
project(parts LANGUAGES CXX CUDA)
find_package(CUDAToolkit REQUIRED)
set(CMAKE_CUDA_SEPARABLE_COMPILATION ON)
set(CMAKE_CUDA_STANDARD 14)
add_executable(program $here/rdc_main.cu $here/rdc_other.cu)
target_compile_options(program PRIVATE \$<\$<COMPILE_LANGUAGE:CUDA>:--extended-lambda -Xcompiler=-Wall,-Wextra>)
add_library(kernels STATIC kernels.cu $here/rdc_other.cu)
add_executable(host host.cpp)
target_link_libraries(host PRIVATE kernels CUDA::cudart)
END
cat >kernels.cu <<'END'
__device__ int twice(int x);
__global__ void kernel(int *at) { *at = twice(21); }
void CUDART_CB after(void *got) { *(int *)got += 100; }
int run() {
  int *at, got = 0;
  cudaMalloc(&at, sizeof got);
  kernel<<<1, 1>>>(at);
  cudaMemcpy(&got, at, sizeof got, cudaMemcpyDeviceToHost);
  return cudaLaunchHostFunc(0, after, &got) == cudaSuccess ? got : 0;
}
END
cat >host.cpp <<'END'
#include <cstdio>
#include <cuda_runtime.h>
int run();
int main() {
  int n = 0;
  printf("%d of %d\n", run(), cudaGetDeviceCount(&n) == cudaSuccess ? n : 0);
}
END
mkdir elsewhere && ln -s "$nvcc" elsewhere/nvcc
export PATH=$dir/elsewhere:$PATH HEDDLE_BOARD=model
expect 0 "The CUDA compiler identification is NVIDIA 11.0.0" "$cmake" -B made -DCMAKE_CUDA_ARCHITECTURES=native
expect 0 "Linking CXX executable host" "$cmake" --build made
expect 0 "1 and 7" made/program
expect 0 "142 of 1" made/host
