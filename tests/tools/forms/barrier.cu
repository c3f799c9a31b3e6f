// SPDX-License-Identifier: Apache-2.0
// cuda::barrier, the primitives of barriers and of copies, split barriers of a block: rounds of a ring, a sum that one
// thread gives out, copies of two stages and of a part, who drops out.
// run: --grid 1 --block 64 --arg out:32:u32:- --arg in:numbers.bin
// prints: 8064 2016 64 64 64 32 64 1
#include <cooperative_groups.h>
#include <cuda/barrier>
#include <cuda_pipeline.h>
namespace cg = cooperative_groups;
using barrier = cuda::barrier<cuda::thread_scope_block>;
extern "C" __global__ void k(unsigned *out, const unsigned *numbers) {
  __shared__ barrier ring, half;
  __shared__ __mbarrier_t plain;
  __shared__ unsigned value[64];
  __shared__ __align__(16) unsigned stage[2][64], part[64][4];
  const unsigned i = threadIdx.x;
  auto block = cg::this_thread_block();
  if (i == 0) {
    init(&ring, 64);
    init(&half, 64);
    __mbarrier_init(&plain, 64);
  }
  block.sync();
  unsigned sum = 0;
  for (unsigned round = 0; round < 4; round++) {
    value[i] = i;
    ring.arrive_and_wait();
    sum += value[(i + 1 + round) % 64];
    barrier::arrival_token token = ring.arrive();
    ring.wait(std::move(token));
  }
  atomicAdd(&out[0], sum);
  atomicAdd(&value[0], i ? i : 0);
  auto arrived = block.barrier_arrive();
  block.barrier_wait(std::move(arrived));
  cg::invoke_one(block, [&](unsigned more) { out[1] = value[0] + more; }, 0u);
  __pipeline_memcpy_async(&stage[0][i], &numbers[i], 4);
  __pipeline_commit();
  __pipeline_memcpy_async(&stage[1][i], &numbers[63 - i], 4);
  __pipeline_commit();
  __pipeline_wait_prior(1);
  atomicAdd(&out[2], stage[0][i] == i);
  __pipeline_wait_prior(0);
  atomicAdd(&out[3], stage[1][i] == 63 - i);
  __pipeline_memcpy_async(part[i], &numbers[i & 60], 16, 8);
  __pipeline_arrive_on(&plain);
  const __mbarrier_token_t token = __mbarrier_arrive(&plain);
  while (!__mbarrier_test_wait(&plain, token)) {}
  const unsigned other = i ^ 1;
  atomicAdd(&out[4], part[other][1] == (other & 60) + 1 && part[other][2] == 0 && part[other][3] == 0);
  if (i >= 32) {
    half.arrive_and_drop();
  } else {
    half.arrive_and_wait();
    half.arrive_and_wait();
    atomicAdd(&out[5], 1);
  }
  block.sync();
  cuda::memcpy_async(block, value, numbers, sizeof value, ring);
  ring.arrive_and_wait();
  atomicAdd(&out[6], value[63 - i] == 63 - i);
  if (i == 0) out[7] = __mbarrier_token_pending_count(__mbarrier_arrive(&plain, 2)) == 64;
}
