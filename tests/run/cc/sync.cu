// SPDX-License-Identifier: Apache-2.0
// Loads of a static shared variable before and behind a barrier: clang 14 takes them for one where the barrier is its
// own builtin (lockstep then says that undefined shared memory is read).
__global__ void sync(int *out) {
  __shared__ int step;
  int sum = 0;
  if (threadIdx.x == 0) step = 1;
  __syncthreads();
  for (int i = 0; i < 4; i++) {
    sum += step;
    __syncthreads();
    if (threadIdx.x == i) step = step * 10;
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
