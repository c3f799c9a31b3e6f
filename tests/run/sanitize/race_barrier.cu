// Races: tests/tools/test_sanitize.py says what the comments mean.
#include <cuda/barrier>
#include <cuda_pipeline.h>

// Barriers in memory: a slot that is filled again before it is empty, a sum that does not wait, an arrival that hands on
// nothing, a copy that nobody waits for.
// run: --grid 1 --block 64 --arg in:in --arg out:256:-
// says: an asynchronous copy that was not waited for
using barrier = cuda::barrier<cuda::thread_scope_block>;
__global__ void mbarrier(const int *in, int *out) {
  __shared__ barrier full, empty, all;
  __shared__ int slot[32], room[64], mine[64], copy[64];
  const int i = threadIdx.x;
  if (i == 0) {
    init(&full, 32);
    init(&empty, 32);
    init(&all, 64);
  }
  __syncthreads();
  int sum = 0;
  if (i < 32) {
    slot[i] = in[i];
    (void)full.arrive();
    // mended: empty.wait_parity(0);
    slot[i] = in[i + 32]; // told: race with line +3
  } else {
    full.wait_parity(0);
    sum += slot[63 - i];
    (void)empty.arrive();
  }
  room[i] = in[i];
  barrier::arrival_token token = all.arrive();
  // mended: all.wait(std::move(token));
  sum += room[63 - i]; // told: race with line -3, init
  all.wait(std::move(token)); // broken
  mine[i] = in[i];
  unsigned long long state;
  asm volatile("mbarrier.arrive.relaxed.cta.shared::cta.b64 %0, [%1];" // broken
  // mended: asm volatile("mbarrier.arrive.release.cta.shared::cta.b64 %0, [%1];"
               : "=l"(state) : "r"((unsigned)__cvta_generic_to_shared(&all)) : "memory");
  all.wait(std::move(state));
  sum += mine[63 - i]; // told: race with line -6
  __pipeline_memcpy_async(&copy[i], &in[i], 4);
  __pipeline_commit();
  // mended: __pipeline_wait_prior(0);
  all.arrive_and_wait();
  out[i] = sum + copy[63 - i]; // told: race with line -4
}
