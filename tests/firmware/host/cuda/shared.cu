/* SPDX-License-Identifier: Apache-2.0
 * Memory that host and device share, blocks of two and three dimensions, grids that cooperate. */
#include <cuda_runtime.h>

#include <csetjmp>
#include <csignal>

#include "check.h"

struct node {
  node *next;
  int value;
};

__global__ void walk(node *l, int *sum) {
  *sum = 0;
  for (; l; l = l->next) {
    *sum += l->value;
    l->value *= 2;
  }
}

__managed__ int total = 5;
__device__ __managed__ float table[3] = {1, 2, 3};
static __managed__ int hidden = 9;

__global__ void count_up() {
  total *= 2;
  table[1] += float(total);
  hidden++;
}

static void variables() {
  int copy = 0;
  SAY(total == 5 && table[2] == 3 && hidden == 9);
  total = 7;
  count_up<<<1, 1>>>();
  count_up<<<1, 1>>>();
  OK(cudaDeviceSynchronize());
  SAY(total == 28 && table[0] == 1 && table[1] == 2 + 14 + 28 && hidden == 11);
  OK(cudaMemcpyFromSymbol(&copy, total, sizeof copy));
  SAY(copy == 28);
  OK(cudaMemcpyToSymbol(hidden, &copy, sizeof copy));
  SAY(hidden == 28);
  OK(cudaDeviceReset());
  count_up<<<1, 1>>>(); /* as the file has them */
  OK(cudaDeviceSynchronize());
  SAY(total == 10 && table[1] == 12 && hidden == 10);
}

static sigjmp_buf away;
static void touched(int) {
  siglongjmp(away, 1);
}

static void managed() {
  node *l;
  int *sum, *there;
  cudaPointerAttributes a;
  OK(cudaMallocManaged(&l, 100 * sizeof *l));
  OK(cudaMallocManaged(&sum, sizeof *sum, cudaMemAttachHost));
  for (int i = 0; i < 100; i++) l[i] = {i < 99 ? l + i + 1 : nullptr, i};
  walk<<<1, 1>>>(l, sum);
  walk<<<1, 1>>>(l, sum); /* none between them that waits */
  OK(cudaDeviceSynchronize());
  SAY(*sum == 99 * 100 && l[7].value == 28 && l[99].next == nullptr);
  OK(cudaPointerGetAttributes(&a, l + 3));
  SAY(a.type == cudaMemoryTypeManaged && a.devicePointer == l + 3 && a.hostPointer == l + 3);
  /* whatever the copy is called: it is at home between launches */
  OK(cudaMalloc(&there, sizeof *sum));
  OK(cudaMemcpy(there, &l[5].value, sizeof *sum, cudaMemcpyDeviceToDevice));
  OK(cudaMemcpy(&l[6].value, there, sizeof *sum, cudaMemcpyDeviceToHost));
  OK(cudaMemcpy(&l[7].value, &l[6].value, sizeof *sum, cudaMemcpyHostToDevice));
  OK(cudaMemset(&l[8].value, 1, sizeof *sum));
  SAY(l[7].value == 20 && l[8].value == 0x01010101);
  IS(cudaMemset(&l[99].value, 1, 64), cudaErrorInvalidValue);
  OK(cudaMemPrefetchAsync(l, 100, 0));
  OK(cudaMemAdvise(l, 100, cudaMemAdviseSetReadMostly, 0));
  IS(cudaMemAdvise(there, 4, cudaMemAdviseSetReadMostly, 0), cudaErrorInvalidValue);
  /* while a grid may run it is closed to the host */
  signal(SIGSEGV, touched);
  walk<<<1, 1>>>(l, sum);
  if (sigsetjmp(away, 1) == 0) {
    *(volatile int *)sum = 5;
    SAY(!"reached");
  }
  OK(cudaDeviceSynchronize());
  SAY(*sum > 5);
  OK(cudaFree(l));
  IS(cudaFree(l), cudaErrorInvalidValue);
  OK(cudaFree(sum));
  OK(cudaFree(there));
  IS(cudaMallocManaged(&l, 0), cudaErrorInvalidValue);
  IS(cudaMallocManaged(&l, size_t(1) << 50), cudaErrorMemoryAllocation);
  (void)cudaGetLastError();
}

static void mapped() {
  static int own[4] = {1, 2, 3, 4};
  int *host, *twin;
  unsigned flags;
  node *l;
  OK(cudaHostAlloc(&l, sizeof *l, cudaHostAllocMapped | cudaHostAllocPortable));
  *l = {nullptr, 21};
  OK(cudaHostRegister(own, sizeof own, cudaHostRegisterMapped));
  IS(cudaHostRegister(own + 1, sizeof *own, 0), cudaErrorHostMemoryAlreadyRegistered);
  OK(cudaHostGetDevicePointer(&twin, own, 0));
  walk<<<1, 1>>>(l, twin + 1);
  OK(cudaDeviceSynchronize());
  SAY(own[0] == 1 && own[1] == 21 && own[2] == 3 && l->value == 42);
  OK(cudaMemset(twin + 2, 0, sizeof *twin));
  SAY(own[2] == 0);
  IS(cudaFree(twin), cudaErrorInvalidValue);
  OK(cudaHostUnregister(own));
  IS(cudaHostUnregister(own), cudaErrorHostMemoryNotRegistered);
  OK(cudaHostGetFlags(&flags, l));
  SAY(flags == (cudaHostAllocMapped | cudaHostAllocPortable));
  OK(cudaMallocHost(&host, 64, cudaHostAllocWriteCombined));
  IS(cudaFree(host), cudaErrorInvalidValue);
  OK(cudaFreeHost(host));
  IS(cudaFreeHost(host), cudaErrorInvalidValue);
  OK(cudaFreeHost(l));
  (void)cudaGetLastError();
}

static void dimensions() {
  enum { X = 8, Y = 3, Z = 2 };
  unsigned char box[Z][Y][X], got[Z][Y][X];
  cudaPitchedPtr there;
  for (int i = 0; i < X * Y * Z; i++) (&box[0][0][0])[i] = (unsigned char)i;
  OK(cudaMalloc3D(&there, {X, Y, Z}));
  SAY(there.pitch >= X && there.ysize == Y);
  cudaMemcpy3DParms p = {};
  p.srcPtr = {box, X, X, Y};
  p.dstPtr = there;
  p.extent = {X, Y, Z};
  p.kind = cudaMemcpyHostToDevice;
  OK(cudaMemcpy3D(&p));
  OK(cudaMemset3D({(char *)there.ptr + 2, there.pitch, X, Y}, 0xee, {3, 2, Z}));
  OK(cudaMemset2D((char *)there.ptr + 7, there.pitch, 0xdd, 1, Y));
  p = {};
  p.srcPtr = there;
  p.srcPos = {1, 0, 1};
  p.dstPtr = {got, X, X, Y};
  p.dstPos = {0, 0, 1};
  p.extent = {X - 1, Y, 1};
  p.kind = cudaMemcpyDefault;
  OK(cudaMemcpy3DAsync(&p));
  SAY(got[1][0][0] == 25 && got[1][0][1] == 0xee && got[1][1][3] == 0xee && got[1][1][4] == 37 && got[1][2][1] == 42);
  OK(cudaMemcpy2DAsync(got, X, there.ptr, there.pitch, X, Y, cudaMemcpyDeviceToHost));
  SAY(got[0][0][0] == 0 && got[0][0][3] == 0xee && got[0][2][7] == 0xdd && got[0][2][6] == 22);
  OK(cudaFreeAsync(there.ptr, 0));
}

/* Every thread waits for all others, `n` times; the last word of `at` counts them. */
__global__ void meet(unsigned *at, unsigned n) {
  for (unsigned i = 1; i <= n; i++) {
    __syncthreads();
    if (threadIdx.x == 0) {
      atomicAdd(at, 1);
      while (atomicAdd(at, 0) < i * gridDim.x) {}
    }
    __syncthreads();
  }
}

static void cooperation() {
  cudaDeviceProp p;
  unsigned *at, n = 3, got;
  int blocks, size, grid;
  OK(cudaGetDeviceProperties(&p, 0));
  SAY(p.cooperativeLaunch && p.managedMemory && !p.concurrentManagedAccess);
  OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, meet, 32, 0));
  OK(cudaOccupancyMaxPotentialBlockSize(&grid, &size, meet));
  SAY(size > 0 && grid > 0 && size <= p.maxThreadsPerBlock);
  OK(cudaMallocAsync(&at, sizeof *at, 0));
  OK(cudaMemset(at, 0, sizeof *at));
  void *arguments[] = {&at, &n};
  const unsigned most = unsigned(blocks * p.multiProcessorCount);
  OK(cudaLaunchCooperativeKernel(meet, most, 32, arguments));
  OK(cudaDeviceSynchronize());
  IS(cudaLaunchCooperativeKernel(meet, most + 1, 32, arguments), cudaErrorCooperativeLaunchTooLarge);
  (void)cudaGetLastError();
  cudaLaunchAttribute together = {cudaLaunchAttributeCooperative, {}};
  together.val.cooperative = 1;
  cudaLaunchConfig_t c = {};
  c.gridDim = most + 1;
  c.blockDim = 32;
  c.attrs = &together;
  c.numAttrs = 1;
  IS(cudaLaunchKernelEx(&c, meet, at, 3), cudaErrorCooperativeLaunchTooLarge);
  c.gridDim = 1;
  OK(cudaMemset(at, 0, sizeof *at));
  OK(cudaLaunchKernelEx(&c, meet, at, 5));
  OK(cudaMemcpy(&got, at, sizeof got, cudaMemcpyDefault));
  SAY(got == 5);
  OK(cudaFree(at));
  (void)cudaGetLastError();
}

int main() {
  variables();
  managed();
  mapped();
  dimensions();
  cooperation();
  puts("shared");
}
