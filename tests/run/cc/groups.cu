// SPDX-License-Identifier: Apache-2.0
// Cooperative groups, each name against what it must be: out[i] is 2 for each that both blocks find right, of two warps
// each. in[i] is i.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;

struct wide {
  double a;
  long b;
  int c, d;
};
__device__ int arrived[2];

__global__ void groups(int *out, const int *in) {
  const int t = threadIdx.x, lane = t & 31;
  __shared__ int room[64], wrong;
  int k = 0;
#define IS(CONDITION)                                                                                                 \
  do {                                                                                                                \
    __syncthreads();                                                                                                  \
    if (t == 0) wrong = 0;                                                                                            \
    __syncthreads();                                                                                                  \
    if (!(CONDITION)) atomicAdd(&wrong, 1);                                                                           \
    __syncthreads();                                                                                                  \
    if (t == 0) atomicAdd(&out[k], wrong == 0);                                                                       \
    k++;                                                                                                              \
  } while (0)
  cg::thread_block block = cg::this_thread_block();
  IS(block.size() == 64 && block.thread_rank() == t && block.group_index().x == blockIdx.x);
  cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
  auto eight = cg::tiled_partition<8>(warp);
  IS(warp.meta_group_size() == 2 && warp.meta_group_rank() == t / 32 && warp.thread_rank() == lane);
  IS(eight.meta_group_rank() == lane / 8 && eight.size() == 8 && eight.thread_rank() == lane % 8);
  IS(eight.shfl(lane, 3) == (lane & ~7) + 3 && eight.shfl_xor(lane, 1) == (lane ^ 1));
  IS(eight.shfl_down(lane, 2) == ((lane & 7) > 5 ? lane : lane + 2));
  IS(eight.shfl_up(lane, 2) == ((lane & 7) < 2 ? lane : lane - 2));
  IS(warp.shfl(wide{lane * 0.5, lane, 0, 0}, 9).a == 4.5 && warp.shfl(wide{0, 0, 1, -lane}, 9).d == -9);
  IS(eight.ballot(lane % 8 == 2) == 4 && eight.any(lane == 1) == (lane < 8) && eight.all(lane < 8) == (lane < 8));
  IS(eight.match_any(lane & 1) == (lane & 1 ? 0xaa : 0x55));
  IS(cg::reduce(warp, lane, cg::plus<int>()) == 496 && cg::reduce(eight, lane, cg::greater<int>()) == (lane | 7));
  IS(cg::reduce(eight, 1.5f, cg::plus<float>()) == 12 && cg::reduce(eight, lane, cg::bit_or<>()) == (lane | 7));
  IS(cg::inclusive_scan(eight, 2) == 2 * (lane % 8 + 1) && cg::exclusive_scan(warp, lane) == lane * (lane - 1) / 2);
  bool well = true;
  if (lane % 3 == 1) {
    const cg::coalesced_group some = cg::coalesced_threads();
    const int rank = lane / 3, n = 11;
    well = some.num_threads() == n && some.thread_rank() == rank && some.shfl(lane, 4) == 13 &&
           some.shfl_down(lane, 1) == (rank == n - 1 ? lane : lane + 3) &&
           some.shfl_up(lane, 2) == (rank < 2 ? lane : lane - 6) && some.ballot(rank & 1) == 0x2aa &&
           cg::reduce(some, lane, cg::plus<int>()) == 176 && cg::reduce(some, lane, cg::less<int>()) == 1 &&
           cg::inclusive_scan(some, 1) == rank + 1;
    const cg::coalesced_group four = cg::tiled_partition(some, 4);
    well = well && four.size() == (rank < 8 ? 4 : 3) && four.thread_rank() == rank % 4 &&
           four.meta_group_rank() == rank / 4;
  }
  IS(well);
  const auto half = cg::binary_partition(warp, lane < 7);
  IS(half.size() == (lane < 7 ? 7 : 25) && half.thread_rank() == (lane < 7 ? lane : lane - 7));
  const auto label = cg::labeled_partition(warp, lane >> 3);
  IS(label.size() == 8 && cg::reduce(label, 1, cg::plus<int>()) == 8);
  const cg::thread_group sixteen = cg::tiled_partition(block, 16);
  IS(sixteen.size() == 16 && sixteen.thread_rank() == t % 16);
  cg::memcpy_async(block, room, in, sizeof room);
  cg::wait(block);
  IS(room[63 - t] == 63 - t);
  IS(__fns(0x8421, 0, 3) == 10 && __fns(0x8421, 15, -2) == 10 && __fns(3, 0, 3) == ~0u);
  cg::grid_group grid = cg::this_grid();
  IS(grid.size() == 128 && grid.thread_rank() == blockIdx.x * 64 + t);
  /* no block is past the second barrier before both have written */
  for (int round = 1; round <= 2; round++) {
    if (t == 0) atomicAdd(&arrived[round - 1], round);
    grid.sync();
    IS(*(volatile int *)&arrived[round - 1] == 2 * round);
  }
}
