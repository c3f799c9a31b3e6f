/* SPDX-License-Identifier: Apache-2.0
 * usage: sticky address | misaligned | trap | assert | undefined: a kernel goes wrong, and all calls say so until
 * the device is reset. */
#include "check.h"

#include <cassert>
#include <cstring>

__global__ void wrong(int *at, int what) {
  if (what == 0) at[1 << 26] = 1;
  if (what == 1) *(int *)((char *)at + 2) = 1;
  if (what == 2) __trap();
  assert(what != 3);
  __shared__ int room[32];
  if (what == 5) room[threadIdx.x] = what;
  __syncthreads();
  if (what == 4 && room[threadIdx.x ^ 1] > 3) at[31] = 1;
  at[threadIdx.x] = 1;
}

__global__ void right(int *at) {
  at[threadIdx.x] = 7;
}

int main(int argc, char **argv) {
  static const struct {
    const char *name;
    cudaError_t error;
  } all[] = {{"address", cudaErrorIllegalAddress},
             {"misaligned", cudaErrorMisalignedAddress},
             {"trap", cudaErrorLaunchFailure},
             {"assert", cudaErrorAssert},
             {"undefined", cudaErrorLaunchFailure}};
  int what = 0, *there, got = 0;
  while (argc == 2 && what < 5 && strcmp(argv[1], all[what].name) != 0) what++;
  SAY(argc == 2 && what < 5);
  OK(cudaMalloc(&there, 128));
  wrong<<<1, 32>>>(there, what);
  OK(cudaGetLastError()); /* it was launched */
  IS(cudaDeviceSynchronize(), all[what].error);
  for (int turn = 0; turn < 2; turn++) IS(cudaGetLastError(), all[what].error);
  IS(cudaPeekAtLastError(), all[what].error);
  IS(cudaMemcpy(&got, there, 4, cudaMemcpyDeviceToHost), all[what].error);
  right<<<1, 32>>>(there);
  IS(cudaGetLastError(), all[what].error);
  IS(cudaMalloc(&there, 128), all[what].error);
  OK(cudaDeviceReset());
  OK(cudaGetLastError());
  OK(cudaMalloc(&there, 128));
  right<<<1, 32>>>(there);
  OK(cudaMemcpy(&got, there + 31, 4, cudaMemcpyDeviceToHost));
  SAY(got == 7);
  puts("told until reset");
}
