/* SPDX-License-Identifier: Apache-2.0
 * Variables of the device, templates, shared memory, printf; headers of C++ that are in nobody's way; memory
 * from before main to behind it. */
#include <algorithm>
#include <future>
#include <iostream>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "check.h"

struct pair {
  int first;
  float4 second;
};

__constant__ int factor[4];
__constant__ float ready_made[2] = {0.5f, -2};
__device__ unsigned calls;
static __device__ int hidden = 40;

__host__ __device__ inline int twice(int x) {
  return 2 * x;
}

template <typename T, int N> __global__ void turn(T *data) {
  __shared__ T room[N];
  const int i = threadIdx.x;
  room[i] = data[i];
  __syncthreads();
  data[i] = room[N - 1 - i];
  atomicAdd(&calls, 1);
}

__global__ void dynamic(int *out, pair p) {
  extern __shared__ int room[];
  room[threadIdx.x] = twice(p.first) * factor[threadIdx.x & 3] + int(p.second.w * ready_made[1]) + hidden;
  __syncthreads();
  out[threadIdx.x] = room[threadIdx.x ^ 1];
}

__global__ void talk(int n) {
  printf("thread %d of %s: %.2f\n", threadIdx.x, "talk", 0.5f * float(n));
}

static void variables() {
  const int factors[4] = {1, 10, 100, 1000};
  int *out, got[32], value = 0;
  OK(cudaMemcpyToSymbol(factor, factors, sizeof factors));
  OK(cudaMalloc(&out, sizeof got));
  dynamic<<<1, 32, 32 * sizeof(int)>>>(out, pair{7, make_float4(0, 0, 0, 3)});
  OK(cudaMemcpy(got, out, sizeof got, cudaMemcpyDefault));
  for (int i = 0; i < 32; i++) SAY(got[i] == 14 * factors[(i ^ 1) & 3] - 6 + 40);
  OK(cudaMemcpyToSymbol(hidden, &(value = 2), sizeof value));
  OK(cudaMemcpyFromSymbol(&value, factor, sizeof value, 2 * sizeof value));
  SAY(value == 100);
  void *at;
  size_t bytes;
  OK(cudaGetSymbolAddress(&at, hidden));
  OK(cudaGetSymbolSize(&bytes, factor));
  SAY(bytes == sizeof factors);
  OK(cudaMemcpy(&value, at, sizeof value, cudaMemcpyDeviceToHost));
  SAY(value == 2);
  IS(cudaMemcpyToSymbol(factor, factors, sizeof factors, 4), cudaErrorInvalidValue);
  IS(cudaGetSymbolAddress(&at, value), cudaErrorInvalidSymbol);
  IS(cudaGetLastError(), cudaErrorInvalidSymbol);
  OK(cudaGetLastError());
  OK(cudaFree(out));
}

template <typename T, int N> static void turned() {
  std::vector<T> data(N);
  std::iota(data.begin(), data.end(), T(1));
  T *there;
  OK(cudaMalloc(&there, N * sizeof(T)));
  OK(cudaMemcpy(there, data.data(), N * sizeof(T), cudaMemcpyHostToDevice));
  turn<T, N><<<1, N>>>(there);
  OK(cudaGetLastError());
  OK(cudaDeviceSynchronize());
  OK(cudaMemcpy(data.data(), there, N * sizeof(T), cudaMemcpyDeviceToHost));
  std::reverse(data.begin(), data.end());
  for (int i = 0; i < N; i++) SAY(data[i] == T(i + 1));
  OK(cudaFree(there));
}

struct early {
  int *there;
  early() {
    OK(cudaMalloc(&there, 4));
  }
  ~early() {
    OK(cudaFree(there));
  }
} before_main;

int main() {
  variables();
  turned<int, 64>();
  turned<long long, 32>();
  turned<short, 64>();
  unsigned n = 0;
  OK(cudaMemcpyFromSymbol(&n, calls, sizeof n));
  SAY(n == 64 + 32 + 64);
  talk<<<1, 1>>>(3);
  talk<<<1, 1>>>(4);
  OK(cudaGetLastError());
  std::cout << "before" << std::endl; /* of the second */
  OK(cudaDeviceSynchronize());
  std::cout << std::async(std::launch::deferred, [] { return "well"; }).get() << std::endl;
}
