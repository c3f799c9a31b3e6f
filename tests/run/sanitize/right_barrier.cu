// Programs that are right: tests/tools/test_sanitize.py says what the comments mean.
#include <cooperative_groups.h>
#include <cuda/barrier>
#include <cuda_pipeline.h>

// Orders without barriers of the block: a ring of slots with barriers in memory, copies that arrive by themselves, half of
// the threads drops out, a volatile flag in shared memory, named barriers, fences of all threads before one that counts.
// run: --grid 2 --block 64 --arg in:in --arg out:512:/dev/null --arg out:8:/dev/null --arg s32:5
using barrier = cuda::barrier<cuda::thread_scope_block>;
__global__ void ring(const int *in, int *out, unsigned *count, int turns) {
  __shared__ barrier full[2], empty[2], all;
  __shared__ int slot[2][32], room[64];
  __shared__ volatile int flag;
  const int i = threadIdx.x, at = blockIdx.x * 64 + i;
  if (i == 0) {
    for (int s = 0; s < 2; s++) {
      init(&full[s], 32);
      init(&empty[s], 32);
    }
    init(&all, 64);
    flag = 0;
  }
  __syncthreads();
  int sum = 0;
  for (int t = 0; t < turns; t++) {
    const int s = t % 2, parity = t / 2 % 2;
    if (i < 32) {
      empty[s].wait_parity(parity ^ 1);
      __pipeline_memcpy_async(&slot[s][i], &in[32 * t + i], 4);
      asm volatile("cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%0];"
                   ::"r"((unsigned)__cvta_generic_to_shared(&full[s])) : "memory");
    } else {
      full[s].wait_parity(parity);
      sum += slot[s][63 - i];
      (void)empty[s].arrive();
    }
  }
  room[i] = sum;
  all.arrive_and_wait();
  sum += room[63 - i];
  if (i >= 32) all.arrive_and_drop();
  if (i < 32) {
    all.arrive_and_wait();
    room[i] = sum;
    all.arrive_and_wait();
    sum += room[31 - i];
  }
  __syncthreads();
  if (i == 0) {
    room[5] = 7;
    __threadfence_block();
    flag = 1;
  }
  if (i >= 32) {
    while (flag == 0) {}
    __threadfence_block();
    sum += room[5];
  }
  out[at] = sum;
  __threadfence();
  __syncthreads();
  if (i == 0) {
    atomicAdd(count, 1);
    while (*(volatile unsigned *)count < gridDim.x) {}
    __threadfence();
  }
  __syncthreads();
  sum += out[at ^ 64];
  cooperative_groups::this_grid().sync();
  out[at] = sum;
}
