// SPDX-License-Identifier: Apache-2.0
// Barriers in shared memory, as <cuda/barrier> uses them. Both warps pass what they wrote to each other in 8 phases; half
// of the threads drops out and the others go on; one warp fills a buffer that the other empties, told by bytes; copies
// arrive by themselves; what a state says is pending.
// run: --grid 1 --block 64 --arg out:40:u32:- --arg in:numbers.bin
// prints: 16128 7936 1984 1 64 33 20 19 1 0
typedef unsigned long long u64;
__device__ unsigned at(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }
__device__ void init(u64 *b, unsigned n) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(at(b)), "r"(n) : "memory");
}
__device__ u64 arrive(u64 *b) {
  u64 state;
  asm volatile("mbarrier.arrive.shared::cta.b64 %0, [%1];" : "=l"(state) : "r"(at(b)) : "memory");
  return state;
}
__device__ void wait(u64 *b, u64 state) {
  asm volatile("{ .reg .pred p;\nAGAIN: mbarrier.try_wait.shared::cta.b64 p, [%0], %1;\n@!p bra AGAIN; }" ::"r"(at(b)),
               "l"(state)
               : "memory");
}
__device__ void wait_parity(u64 *b, unsigned parity) {
  asm volatile("{ .reg .pred p;\nAGAIN: mbarrier.test_wait.parity.acquire.cta.shared.b64 p, [%0], %1;\n"
               "@p bra DONE;\nbra AGAIN;\nDONE: }" ::"r"(at(b)),
               "r"(parity)
               : "memory");
}
__device__ unsigned pending(u64 state) {
  unsigned n;
  asm("mbarrier.pending_count.b64 %0, %1;" : "=r"(n) : "l"(state));
  return n;
}
extern "C" __global__ void k(unsigned *out, const unsigned *numbers) {
  __shared__ __align__(8) u64 all, full, empty, copied, alone;
  __shared__ unsigned value[64], buffer[32];
  __shared__ __align__(16) unsigned copy[64];
  const unsigned i = threadIdx.x;
  if (i == 0) {
    init(&all, 64);
    init(&full, 1);
    init(&empty, 32);
    init(&copied, 64);
    init(&alone, 20);
    asm volatile("fence.mbarrier_init.release.cluster; fence.proxy.async.shared::cta;" ::: "memory");
  }
  __syncthreads();
  // everybody with everybody
  unsigned sum = 0;
  for (unsigned phase = 0; phase < 8; phase++) {
    value[i] = i;
    wait(&all, arrive(&all));
    sum += value[i ^ 32];
    wait(&all, arrive(&all));
  }
  atomicAdd(&out[0], sum);
  // the upper half drops out: the lower one needs nobody else from the next phase on
  u64 state;
  if (i >= 32) asm volatile("mbarrier.arrive_drop.shared.b64 %0, [%1];" : "=l"(state) : "r"(at(&all)) : "memory");
  else state = arrive(&all);
  wait(&all, state);
  if (i < 32)
    for (unsigned phase = 0; phase < 16; phase++) {
      wait(&all, arrive(&all));
      atomicAdd(&out[1], i);
      if (phase == 15 && i == 0) out[9] = pending(*(volatile u64 *)&all) - 32; /* all of the next phase */
    }
  // a buffer, four times full: bytes are told as a copy engine tells them
  for (unsigned round = 0; round < 4; round++) {
    if (i < 32) {
      wait_parity(&empty, (round & 1) ^ 1);
      buffer[i] = 4 * i + round;
      if (i == 0) {
        u64 was;
        asm volatile("mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 %0, [%1], %2;"
                     : "=l"(was) : "r"(at(&full)), "r"(128) : "memory");
      }
      __threadfence_block();
      asm volatile("mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%0], %1;" ::"r"(at(&full)), "r"(4) : "memory");
    } else {
      wait_parity(&full, round & 1);
      atomicAdd(&out[2], buffer[i - 32] / 4);
      (void)arrive(&empty);
    }
  }
  // copies
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(at(&copy[i])), "l"(&numbers[i]) : "memory");
  asm volatile("cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%0];" ::"r"(at(&copied)) : "memory");
  asm volatile("cp.async.mbarrier.arrive.shared.b64 [%0];" ::"r"(at(&copied)) : "memory");
  wait_parity(&copied, 0);
  if (i == 0) out[3] = copy[63 - i] == numbers[63] && copy[1] == numbers[1];
  atomicAdd(&out[4], copy[63 - i] == numbers[63 - i]);
  __syncthreads();
  // one thread alone
  if (i == 5) {
    out[5] = pending(arrive(&all)) + 1; /* of 32 */
    out[6] = pending(arrive(&alone));
    asm volatile("mbarrier.arrive.noComplete.shared.b64 %0, [%1], 4;" : "=l"(state) : "r"(at(&alone)) : "memory");
    out[7] = pending(state);
    unsigned ends;
    asm volatile("{ .reg .pred p; mbarrier.arrive.shared.b64 _, [%1], 15; mbarrier.test_wait.shared.b64 p, [%1], %2;\n"
                 "selp.u32 %0, 1, 0, p; mbarrier.inval.shared.b64 [%1]; }"
                 : "=r"(ends) : "r"(at(&alone)), "l"(state) : "memory");
    out[8] = ends;
  }
}
