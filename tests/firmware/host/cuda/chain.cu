/* SPDX-License-Identifier: Apache-2.0
 * usage: chain alone | queued: kernels behind each other, with events between them: each finds what the one before has
 * left, events have the cycles between them, no call says too early that something has ended, and the one that goes wrong
 * is found. Does a launch wait for the one before, or are both in the device's queue? With chain_says.cu. */
#include "check.h"

#include <cmath>
#include <cstring>

enum { KERNELS = 20, THREADS = 32 };

__global__ void step(int *x, int add) {
  x[threadIdx.x] = 3 * x[threadIdx.x] + add;
}

__global__ void turns(int *x, int n) {
  int v = x[threadIdx.x];
  for (int i = 0; i < n; i++) v = v * 5 + i;
  x[threadIdx.x] = v;
}

void say(int at); /* chain_says.cu: a kernel of another image prints */

__global__ void wrong(int *x) {
  x[1 << 26] = 1;
}

static float between(cudaEvent_t from, cudaEvent_t to) {
  float ms = -1;
  OK(cudaEventElapsedTime(&ms, from, to));
  return ms;
}

int main(int argc, char **argv) {
  int *x, got[THREADS], want[THREADS];
  const bool queued = argc == 2 && strcmp(argv[1], "queued") == 0;
  cudaEvent_t event[KERNELS + 1];
  cudaStream_t other;
  float sum = 0, ms;
  OK(cudaStreamCreate(&other));
  OK(cudaMalloc(&x, sizeof got));
  for (int i = 0; i < THREADS; i++) got[i] = want[i] = i;
  OK(cudaMemcpy(x, got, sizeof got, cudaMemcpyHostToDevice));
  for (cudaEvent_t &e : event) OK(cudaEventCreate(&e));
  OK(cudaEventRecord(event[0]));
  for (int k = 0; k < KERNELS; k++) { /* the fourth of them takes longest */
    if (k == 3)
      turns<<<1, THREADS>>>(x, 100);
    else
      step<<<1, THREADS, 0, k % 2 ? other : 0>>>(x, k);
    OK(cudaGetLastError());
    OK(cudaEventRecord(event[k + 1], other));
  }
  OK(cudaEventElapsedTime(&ms, event[0], event[KERNELS - 8]));
  IS(cudaEventElapsedTime(&ms, event[0], event[KERNELS - 1]), queued ? cudaErrorNotReady : cudaSuccess);
  IS(cudaEventElapsedTime(&ms, event[0], event[KERNELS]), cudaErrorNotReady);
  OK(cudaEventQuery(event[KERNELS]));
  for (int k = 0; k < KERNELS; k++) {
    const float one = between(event[k], event[k + 1]);
    SAY(one > 0);
    if (k != 3) SAY(one < between(event[3], event[4]));
    sum += one;
  }
  SAY(fabsf(sum - between(event[0], event[KERNELS])) < 1e-5f * sum);
  for (int k = 0; k < KERNELS; k++)
    for (int &w : want)
      if (k == 3)
        for (int i = 0; i < 100; i++) w = (int)((unsigned)w * 5u + (unsigned)i);
      else
        w = (int)((unsigned)w * 3u + (unsigned)k);
  OK(cudaMemcpy(got, x, sizeof got, cudaMemcpyDeviceToHost));
  for (int i = 0; i < THREADS; i++) SAY(got[i] == want[i]);
  /* what is printed comes in the order of launches, one buffer after the other */
  for (int k = 0; k < 3; k++) {
    step<<<1, THREADS>>>(x, k);
    say(k);
  }
  OK(cudaStreamQuery(other));
  /* one among them goes wrong */
  step<<<1, THREADS>>>(x, 0);
  wrong<<<1, 1>>>(x);
  step<<<1, THREADS>>>(x, 0);
  (void)cudaGetLastError(); /* whether it is heard of by now depends on the board */
  IS(cudaStreamSynchronize(other), cudaErrorIllegalAddress);
  IS(cudaGetLastError(), cudaErrorIllegalAddress);
  IS(cudaEventElapsedTime(&ms, event[0], event[KERNELS]), cudaErrorIllegalAddress);
  OK(cudaDeviceReset());
  OK(cudaMalloc(&x, sizeof got));
  OK(cudaMemcpy(x, got, sizeof got, cudaMemcpyHostToDevice));
  step<<<1, THREADS>>>(x, 1);
  OK(cudaMemcpy(want, x, sizeof want, cudaMemcpyDeviceToHost));
  for (int i = 0; i < THREADS; i++) SAY(want[i] == (int)(3u * (unsigned)got[i] + 1u));
  puts("in order");
}
