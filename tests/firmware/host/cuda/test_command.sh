#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# usage: test_command.sh HEDDLE_NVCC: its options, and what it and its programs say of what cannot be.
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd) nvcc=$(realpath -s "$1")
source "$here/../../../lib.sh"
cd "$dir"
expect 0 "usage: heddle-nvcc" "$nvcc" -h
expect 0 "release 11.0" "$nvcc" --version
expect 0 "nvcc: NVIDIA (R) Cuda compiler driver" "$nvcc" --version # CMake's question
expect 2 "no file" "$nvcc" -O2
expect 2 "-o wants a value" "$nvcc" a.cu -o
expect 2 "-frobnicate: no such option" "$nvcc" --frobnicate a.cu
expect 2 "-rdc=maybe: true or false" "$nvcc" -rdc=maybe a.cu
expect 1 "no object of -dc" "$nvcc" -dlink "$here/parts_plain.cpp" -o kernels.o
expect 2 "there is no program none-such" env HEDDLE_CLANG=none-such "$nvcc" a.cu
expect 1 "a.cu" "$nvcc" a.cu
# what is ignored is said where somebody asks
ignored=(-arch=sm_80 -gencode arch=compute_80,code=sm_80 --expt-relaxed-constexpr -lineinfo -lcudart -lcublas)
expect 0 "-arch sm_80 is ignored" "$nvcc" -v "${ignored[@]}" "$here/vecadd.cu"
expect 0 "-gencode arch=compute_80,code=sm_80 is ignored" "$nvcc" --verbose "${ignored[@]}" "$here/vecadd.cu"
expect 0 "1000 sums, 0 wrong" ./a.out
cat "$here/vecadd.cu" >plain.txt
expect 0 "" "$nvcc" -x cu -I"$here" -std c++14 --output-file=text -O3 plain.txt -lm -L/nowhere -Xlinker -z,now
expect 0 "1000 sums, 0 wrong" ./text
# without libomp one thread does what several would
if clang=$(command -v clang-19 || command -v clang-14) && [ "$("$clang" -print-file-name=libomp.so)" = libomp.so ]; then
  expect 0 "-fopenmp is left out: libomp is not installed" "$nvcc" -Xcompiler -fopenmp "$here/vecadd.cu" -lgomp
  expect 0 "1000 sums, 0 wrong" ./a.out
fi
# PTX; macros; several objects at once; -M as make wants it
cat >amount.cu <<'END'
#include "amount.h"
extern "C" __global__ void amount(int *at) { *at = AMOUNT + MORE; }
#ifndef __CUDACC__
#error
#endif
#ifdef __HEDDLE__
#error
#endif
END
mkdir -p inc && echo '#define MORE 1' >inc/amount.h
expect 0 "" "$nvcc" --ptx -Iinc -D AMOUNT=4710 amount.cu
expect 0 "4711" cat amount.ptx
expect 0 "" "$nvcc" -fatbin -Iinc -D AMOUNT=4710 amount.cu
expect 0 "" cmp amount.ptx amount.fatbin
expect 0 "" "$nvcc" -c -isystem inc -DAMOUNT=2 amount.cu "$here/parts_plain.cpp"
expect 0 "" "$nvcc" -c -Iinc -DAMOUNT=2 -MD -MF amount.d amount.cu -o other.o
expect 0 "inc/amount.h" cat amount.d
expect 0 "inc/amount.h" "$nvcc" -M -Iinc -DAMOUNT=2 amount.cu
expect 0 "" "$nvcc" -E -Iinc -DAMOUNT=2 amount.cu -o amount.text
expect 0 "void amount(int *at) { *at = 2 + 1; }" cat amount.text
expect 0 "" test -s amount.o -a -s other.o -a -s parts_plain.o
expect 2 "-o names one file" "$nvcc" -c -o one.o amount.cu "$here/parts_plain.cpp"
expect 1 "undeclared identifier 'AMOUNT'" "$nvcc" -c -Iinc amount.cu
# a file without kernels
echo 'int main() { int n; return cudaGetDeviceCount(&n) != cudaSuccess || n != 1; }' >none.cu
expect 0 "" "$nvcc" none.cu -o none
expect 0 "" ./none
expect 1 "'nowhere': expected model, model:CONFIG" env HEDDLE_BOARD=nowhere ./none
# PTX that the device's compiler refuses: its line, and an error that a program sees
cat >refused.cu <<'END'
#include <cstdio>
__global__ void kernel() { asm volatile("tex.1d.v4.f32.f32 {a,b,c,d}, [t, {e}];"); }
int main() {
  kernel<<<1, 1>>>();
  const cudaError_t e = cudaGetLastError();
  puts(cudaGetErrorName(e));
  return e != cudaErrorInvalidPtx || cudaDeviceSynchronize() != cudaSuccess;
}
END
expect 0 "" "$nvcc" refused.cu -o refused
expect 0 "cudaErrorInvalidPtx" ./refused
expect 0 "refused.cu (PTX):" ./refused
# by another name; options from a file, and of others; an archive
ln -s "$nvcc" nvcc
echo '-DAMOUNT=3 -Iinc' >options
expect 0 "" ./nvcc --options-file options -forward-unknown-to-host-compiler -fno-plt -march=x86-64 -lib amount.cu -o libamount.a
expect 0 "amount" nm libamount.a
expect 1 "amount.cu" ./nvcc -Werror all-warnings --options-file options -Xcompiler "-Wall -Wunused" -DMORE=5 -c amount.cu
# macros of hosts; a table of virtual functions with one that a class has not
cat >macros.cu <<'END'
#include <cuda.h>
struct shape {
  __device__ virtual int area() const = 0;
};
struct square : shape {
  __device__ int area() const override { return 49; }
};
__global__ void kernel(int *at, const shape *of) { *at = of ? of->area() : square().area(); }
void CUDART_CB first(cudaStream_t, cudaError_t e, void *p) { *(int *)p += e == cudaSuccess; }
void CUDA_CB second(void *p) { *(int *)p += 2; }
CUresult CUDAAPI both(int *p) {
  const cudaStreamCallback_t f = first;
  cudaStreamAddCallback(0, f, p, 0);
  return cuLaunchHostFunc(0, second, p);
}
int main() {
  int *at, got = 0, calls = 0;
  cudaMalloc(&at, sizeof got);
  kernel<<<1, 1>>>(at, nullptr);
  cudaMemcpy(&got, at, sizeof got, cudaMemcpyDeviceToHost);
#if defined(__CUDACC_RDC__) && defined(__CUDACC_EXTENDED_LAMBDA__) && __CUDART_API_VERSION == CUDART_VERSION
  return both(&calls) != CUDA_SUCCESS || calls != 3 || got != 49;
#endif
}
END
for way in -G -O2; do
  expect 0 "" "$nvcc" $way -rdc=true --extended-lambda macros.cu -o macros
  expect 0 "" ./macros
done
# what no file defines, and what two do
echo '__device__ int far(int); __device__ int both; __global__ void user(int *at) { *at = far(1) + both; }' >lacks.cu
echo '__device__ int far(int x) { return x; } __device__ int both; int main() {}' >twice.cu
expect 1 "lacks.cu: far(int): declared for the device, and no file that is linked defines it" "$nvcc" -rdc=true lacks.cu
expect 1 "lacks.cu, twice.cu: both: defined for the device in two files" "$nvcc" -rdc=true lacks.cu twice.cu
# a unit that the board lacks
cat >needs.cu <<'END'
__global__ void kernel(double *at) { *at = *at * 3 + 1; }
int main() {
  double *there;
  cudaMalloc(&there, 8);
  cudaMemset(there, 0, 8);
  kernel<<<1, 1>>>(there);
  return cudaGetLastError() != cudaErrorNoKernelImageForDevice;
}
END
expect 0 "" "$nvcc" needs.cu -o needs
expect 0 "needs unit fp64, which tiny lacks" env HEDDLE_BOARD=model:tiny ./needs
expect 1 "" ./needs
# what is refused compiles, and says so when it is called; what is not there at all is not declared
cat >refused.cu <<'END'
int main() {
  cudaGraph_t graph;
  cudaArray_t array;
  cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  return cudaGraphCreate(&graph, 0) != cudaErrorNotSupported || cudaGetLastError() != cudaErrorNotSupported ||
         cudaMallocArray(&array, &format, 8) != cudaErrorNotSupported;
}
END
expect 0 "" "$nvcc" refused.cu -o refused
expect 0 "heddle-cuda: cudaGraphCreate: Heddle has no such thing" ./refused
expect 0 "heddle-cuda: cudaMallocArray: Heddle has no such thing" ./refused
echo 'int main() { cudaGraphAddKernelNode(0); }' >absent.cu
expect 1 "undeclared identifier 'cudaGraphAddKernelNode'" "$nvcc" -c absent.cu
for absent in cufft cusparse cublasLt; do
  echo "#include <$absent.h>" >absent.cu
  expect 1 "$absent.h: Heddle has no" "$nvcc" -c absent.cu
done
