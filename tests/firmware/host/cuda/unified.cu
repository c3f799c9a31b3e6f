/* SPDX-License-Identifier: Apache-2.0
 * Managed memory where the board has an MMU: pages of the host's memory that come and go. */
#include <cuda_runtime.h>

#include "check.h"

struct node {
  node *next;
  int value;
};

__managed__ int total = 5;

__global__ void walk(node *l, int *sum) {
  *sum = total;
  for (; l; l = l->next) {
    *sum += l->value;
    l->value *= 2;
  }
}

__global__ void add(int *to, const int *from, const int *more, int n) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) to[i] = from[i] + more[i];
}

static void lists() {
  node *l;
  int *sum, *there;
  cudaPointerAttributes a;
  OK(cudaMallocManaged(&l, 1000 * sizeof *l));
  OK(cudaMallocManaged(&sum, sizeof *sum, cudaMemAttachHost));
  SAY(((size_t)l & 4095) == 0 && (size_t)l > (size_t(1) << 32)); /* the host's own */
  for (int i = 0; i < 1000; i++) l[i] = {i != 993 ? l + (i + 7) % 1000 : nullptr, i}; /* in turns through all pages */
  walk<<<1, 1>>>(l, sum);
  walk<<<1, 1>>>(l, sum); /* none between them that waits */
  OK(cudaDeviceSynchronize());
  int want = 5;
  for (node *n = l; n; n = n->next) {
    SAY(n->value == 4 * int(n - l));
    want += 2 * int(n - l);
  }
  SAY(*sum == want);
  OK(cudaPointerGetAttributes(&a, l + 3));
  SAY(a.type == cudaMemoryTypeManaged && a.devicePointer == l + 3 && a.hostPointer == l + 3);
  OK(cudaMalloc(&there, sizeof *sum));
  OK(cudaMemcpy(there, &l[5].value, sizeof *sum, cudaMemcpyDeviceToDevice));
  OK(cudaMemcpy(&l[6].value, there, sizeof *sum, cudaMemcpyDefault));
  OK(cudaMemset(&l[8].value, 1, sizeof *sum));
  SAY(l[6].value == 20 && l[8].value == 0x01010101);
  IS(cudaMemset(&l[999].value, 1, 64), cudaErrorInvalidValue);
  OK(cudaMemPrefetchAsync(l, 100, 0));
  OK(cudaMemAdvise(l, 100, cudaMemAdviseSetReadMostly, 0));
  IS(cudaMemAdvise(there, 4, cudaMemAdviseSetReadMostly, 0), cudaErrorInvalidValue);
  OK(cudaFree(l));
  IS(cudaFree(l), cudaErrorInvalidValue);
  OK(cudaFree(sum));
  OK(cudaFree(there));
  (void)cudaGetLastError();
}

/* With memory of the device, and more than it has. */
static void sums() {
  enum { N = 100000 };
  int *a, *b, *c, device, value;
  char *large;
  cudaDeviceProp p;
  OK(cudaGetDevice(&device));
  OK(cudaGetDeviceProperties(&p, device));
  OK(cudaDeviceGetAttribute(&value, cudaDevAttrManagedMemory, device));
  SAY(value == 1);
  OK(cudaDeviceGetAttribute(&value, cudaDevAttrConcurrentManagedAccess, device));
  SAY(value == 0);
  OK(cudaMallocManaged(&large, p.totalGlobalMem + (size_t(1) << 30)));
  OK(cudaHostAlloc(&a, N * sizeof *a, cudaHostAllocMapped));
  OK(cudaMalloc(&b, N * sizeof *b));
  c = (int *)(large + p.totalGlobalMem + 64);
  for (int i = 0; i < N; i++) a[i] = i;
  OK(cudaMemcpy(b, a, N * sizeof *a, cudaMemcpyHostToDevice));
  for (int turn = 0; turn < 3; turn++) {
    add<<<(N + 127) / 128, 128>>>(c, a, b, N);
    OK(cudaDeviceSynchronize());
    for (int i = 0; i < N; i++) SAY(c[i] == 2 * i + turn);
    for (int i = 0; i < N; i++) a[i]++;
  }
  OK(cudaFree(large));
  OK(cudaFreeHost(a));
  OK(cudaFree(b));
}

int main() {
  lists();
  sums();
  IS(cudaMallocManaged((int **)nullptr, 4), cudaErrorInvalidValue);
  puts("unified");
}
