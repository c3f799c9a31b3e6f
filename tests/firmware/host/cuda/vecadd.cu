/* SPDX-License-Identifier: Apache-2.0
 * The program that everybody writes first, with a clock. */
#include <cuda_runtime.h>

#include <cmath>
#include <vector>

#include "check.h"

__global__ void vecadd(const float *a, const float *b, float *c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

int main() {
  const int n = 1000;
  const size_t bytes = n * sizeof(float);
  std::vector<float> a(n), b(n), c(n, NAN);
  for (int i = 0; i < n; i++) a[i] = float(i), b[i] = 0.25f * float(i);
  float *da, *db, *dc, ms = 0;
  cudaEvent_t from, to, unused;
  OK(cudaMalloc(&da, bytes));
  OK(cudaMalloc(&db, bytes));
  OK(cudaMalloc(&dc, bytes));
  OK(cudaEventCreate(&from));
  OK(cudaEventCreate(&to));
  OK(cudaEventCreate(&unused));
  OK(cudaMemcpy(da, a.data(), bytes, cudaMemcpyHostToDevice));
  OK(cudaMemcpy(db, b.data(), bytes, cudaMemcpyHostToDevice));
  OK(cudaEventRecord(from));
  vecadd<<<(n + 127) / 128, 128>>>(da, db, dc, n);
  OK(cudaGetLastError());
  OK(cudaEventRecord(to));
  OK(cudaEventSynchronize(to));
  OK(cudaEventElapsedTime(&ms, from, to));
  IS(cudaEventElapsedTime(&ms, from, unused), cudaErrorInvalidResourceHandle);
  IS(cudaGetLastError(), cudaErrorInvalidResourceHandle);
  OK(cudaMemcpy(c.data(), dc, bytes, cudaMemcpyDeviceToHost));
  int wrong = 0;
  for (int i = 0; i < n; i++) wrong += c[i] != a[i] + b[i];
  OK(cudaEventDestroy(from));
  OK(cudaEventDestroy(to));
  OK(cudaEventDestroy(unused));
  OK(cudaFree(da));
  OK(cudaFree(db));
  OK(cudaFree(dc));
  printf("%d sums, %d wrong, %s\n", n, wrong, ms > 0 && ms < 1 ? "timed" : "not timed");
  return wrong != 0;
}
