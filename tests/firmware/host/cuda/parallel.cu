/* SPDX-License-Identifier: Apache-2.0
 * cub: warps, blocks and whole arrays, each against what the host computes. */
#include <cub/cub.cuh>

#include <algorithm>
#include <numeric>
#include <vector>

#include "check.h"

constexpr int threads = 96, items = 3, count = threads * items;

/* Not commutative: which of the two came first shows. */
struct matrix {
  unsigned a, b, c, d;
};
struct product {
  __host__ __device__ matrix operator()(const matrix &l, const matrix &r) const {
    return {l.a * r.a + l.b * r.c, l.a * r.b + l.b * r.d, l.c * r.a + l.d * r.c, l.c * r.b + l.d * r.d};
  }
};
__host__ __device__ bool operator==(const matrix &l, const matrix &r) {
  return l.a == r.a && l.b == r.b && l.c == r.c && l.d == r.d;
}
__host__ __device__ matrix matrix_of(unsigned i) {
  return {i, i + 1, 3 * i + 2, 7};
}
struct running {
  int sum;
  __device__ int operator()(int all) {
    const int was = sum;
    sum += all;
    return was;
  }
};

struct results {
  int sum, sum_of_items, part, at;
  matrix all, exclusive[threads], inclusive[threads];
  int scanned[count], prefixed[count], exchanged[count], left[count], warps[threads], warp_sums[threads], total;
};

__global__ void blocks(const int *in, results *out) {
  typedef cub::BlockReduce<int, threads> Reduce;
  typedef cub::BlockScan<int, threads> Scan;
  typedef cub::BlockReduce<matrix, threads> ReduceMatrix;
  typedef cub::BlockReduce<cub::KeyValuePair<int, int>, threads> ReducePair;
  __shared__ union {
    typename Reduce::TempStorage reduce;
    typename Scan::TempStorage scan;
    typename ReduceMatrix::TempStorage matrices;
    typename ReducePair::TempStorage pairs;
    typename cub::BlockScan<matrix, threads>::TempStorage scan_matrices;
    typename cub::BlockExchange<int, threads, items>::TempStorage exchange;
    typename cub::BlockAdjacentDifference<int, threads>::TempStorage difference;
  } room;
  const int t = threadIdx.x;
  int mine[items], result[items], total;
  cub::BlockLoad<int, threads, items, cub::BLOCK_LOAD_WARP_TRANSPOSE>().Load(in, mine);
  const int sum = Reduce(room.reduce).Sum(in[t]);
  __syncthreads();
  const int sum_of_items = Reduce(room.reduce).Sum(mine);
  __syncthreads();
  const int part = Reduce(room.reduce).Reduce(in[t], cub::Max(), 41);
  __syncthreads();
  const auto at = ReducePair(room.pairs).Reduce({t, in[t]}, cub::ArgMax());
  __syncthreads();
  const matrix all = ReduceMatrix(room.matrices).Reduce(matrix_of(t), product());
  __syncthreads();
  if (t == 0) {
    out->sum = sum;
    out->sum_of_items = sum_of_items;
    out->part = part;
    out->at = at.key;
    out->all = all;
  }
  cub::BlockScan<matrix, threads>(room.scan_matrices).InclusiveScan(matrix_of(t), out->inclusive[t], product());
  __syncthreads();
  cub::BlockScan<matrix, threads>(room.scan_matrices)
      .ExclusiveScan(matrix_of(t), out->exclusive[t], matrix_of(1000), product());
  __syncthreads();
  Scan(room.scan).ExclusiveSum(mine, result, total);
  cub::StoreDirectBlocked(t, out->scanned, result);
  if (t == 0) out->total = total;
  __syncthreads();
  running before = {100};
  Scan(room.scan).InclusiveSum(mine, result, before);
  cub::BlockStore<int, threads, items>().Store(out->prefixed, result);
  __syncthreads();
  cub::BlockExchange<int, threads, items>(room.exchange).BlockedToStriped(mine, result);
  cub::StoreDirectStriped<threads>(t, out->exchanged, result);
  __syncthreads();
  cub::BlockAdjacentDifference<int, threads>(room.difference).SubtractLeft(mine, result, cub::Difference());
  cub::StoreDirectBlocked(t, out->left, result);
  typename cub::WarpScan<int, 8>::TempStorage none;
  cub::WarpScan<int, 8>(none).InclusiveSum(in[t], out->warps[t]);
  typename cub::WarpReduce<int, 16>::TempStorage nothing;
  out->warp_sums[t] = cub::WarpReduce<int, 16>(nothing).Sum(in[t]);
}

static void test_blocks(const std::vector<int> &v, const int *in) {
  results *there, *r = new results;
  OK(cudaMalloc(&there, sizeof *there));
  blocks<<<1, threads>>>(in, there);
  OK(cudaMemcpy(r, there, sizeof *r, cudaMemcpyDeviceToHost));
  SAY(r->sum == std::accumulate(v.begin(), v.begin() + threads, 0));
  SAY(r->sum_of_items == std::accumulate(v.begin(), v.begin() + count, 0) && r->total == r->sum_of_items);
  SAY(r->part == *std::max_element(v.begin(), v.begin() + 41));
  SAY(r->at == std::max_element(v.begin(), v.begin() + threads) - v.begin());
  matrix m = matrix_of(0), e = matrix_of(1000);
  int sum = 0;
  for (int i = 0; i < threads; i++) {
    if (i) m = product()(m, matrix_of(i));
    SAY(r->inclusive[i] == m && r->exclusive[i] == e);
    e = product()(e, matrix_of(i));
  }
  SAY(r->all == m);
  for (int i = 0; i < count; i++) {
    SAY(r->scanned[i] == sum);
    sum += v[i];
    SAY(r->prefixed[i] == 100 + sum && r->exchanged[i] == v[i] && r->left[i] == (i ? v[i] - v[i - 1] : v[0]));
  }
  for (int i = 0; i < threads; i++)
    SAY(r->warps[i] == std::accumulate(v.begin() + i / 8 * 8, v.begin() + i + 1, 0) &&
        (i % 16 || r->warp_sums[i] == std::accumulate(v.begin() + i, v.begin() + i + 16, 0)));
  OK(cudaFree(there));
  delete r;
}

struct odd {
  __host__ __device__ bool operator()(int x) const { return x & 1; }
};

/* Values of two bits: many runs, over the ends of the engine's blocks. */
static void test_runs(const std::vector<int> &v, int *in, int *count) {
  const int n = (int)v.size();
  std::vector<int> bits, values(v.size()), lengths(v.size());
  for (int x : v) bits.push_back(x >> 3 & x >> 5 & 1);
  int *out, *long_for, got, runs = 0;
  void *room;
  size_t bytes = 0;
  cub::CachingDeviceAllocator memory(true);
  OK(memory.DeviceAllocate(&out, v.size() * sizeof *out));
  OK(memory.DeviceAllocate(&long_for, v.size() * sizeof *out));
  OK(cub::DeviceRunLengthEncode::Encode(nullptr, bytes, in, out, long_for, count, n));
  OK(memory.DeviceAllocate(&room, bytes));
  OK(cudaMemcpy(in, bits.data(), v.size() * sizeof *in, cudaMemcpyHostToDevice));
  OK(cub::DeviceRunLengthEncode::Encode(room, bytes, in, out, long_for, count, n));
  OK(cudaMemcpy(&got, count, sizeof got, cudaMemcpyDeviceToHost));
  OK(cudaMemcpy(values.data(), out, v.size() * sizeof *out, cudaMemcpyDeviceToHost));
  OK(cudaMemcpy(lengths.data(), long_for, v.size() * sizeof *out, cudaMemcpyDeviceToHost));
  for (int i = 0, end; i < n; i = end, runs++) {
    for (end = i; end < n && bits[(size_t)end] == bits[(size_t)i];) end++;
    SAY(runs < got && values[(size_t)runs] == bits[(size_t)i] && lengths[(size_t)runs] == end - i);
  }
  SAY(runs == got && runs > n / 10);
  for (void *at : {(void *)out, (void *)long_for, room}) OK(memory.DeviceFree(at));
}

static void test_arrays(const std::vector<int> &v, const int *in) {
  const int n = (int)v.size();
  int *out, *one, got;
  size_t bytes = 0;
  std::vector<int> back(v.size()), want(v.size());
  OK(cudaMalloc(&out, v.size() * sizeof *out));
  OK(cudaMalloc(&one, sizeof *one));
  OK(cub::DeviceReduce::Sum(nullptr, bytes, in, one, n));
  SAY(bytes > 0);
  for (int part : {n, 1, 5, 127, 129}) {
    OK(cub::DeviceReduce::Sum(one, bytes, in, one, part));
    OK(cudaMemcpy(&got, one, sizeof got, cudaMemcpyDeviceToHost));
    SAY(got == std::accumulate(v.begin(), v.begin() + part, 0));
    OK(cub::DeviceReduce::Min(one, bytes, in, one, part));
    OK(cudaMemcpy(&got, one, sizeof got, cudaMemcpyDeviceToHost));
    SAY(got == *std::min_element(v.begin(), v.begin() + part));
    OK(cub::DeviceScan::InclusiveSum(one, bytes, in, out, part));
    OK(cudaMemcpy(back.data(), out, part * sizeof got, cudaMemcpyDeviceToHost));
    std::partial_sum(v.begin(), v.begin() + part, want.begin());
    SAY(std::equal(back.begin(), back.begin() + part, want.begin()));
    OK(cub::DeviceScan::ExclusiveScan(one, bytes, in, out, cub::Sum(), 9, part));
    OK(cudaMemcpy(back.data(), out, part * sizeof got, cudaMemcpyDeviceToHost));
    for (int i = 0; i < part; i++) SAY(back[i] == 9 + (i ? want[i - 1] : 0));
  }
  cub::TransformInputIterator<bool, odd, const int *> flags(in, odd());
  OK(cub::DeviceSelect::Flagged(one, bytes, cub::CountingInputIterator<int>(0), flags, out, one, n));
  OK(cudaMemcpy(&got, one, sizeof got, cudaMemcpyDeviceToHost));
  OK(cudaMemcpy(back.data(), out, got * sizeof got, cudaMemcpyDeviceToHost));
  int at = 0;
  for (int i = 0; i < n; i++)
    if (v[i] & 1) SAY(at < got && back[at++] == i);
  SAY(at == got && at > 0);
  test_runs(v, out, one);
  OK(cudaFree(out));
  OK(cudaFree(one));
}

int main() {
  std::vector<int> v(1000);
  unsigned state = 1;
  for (int &x : v) x = (int)((state = state * 1103515245 + 12345) >> 16 & 0xffff) - 0x8000;
  int *in;
  OK(cudaMalloc(&in, v.size() * sizeof *in));
  OK(cudaMemcpy(in, v.data(), v.size() * sizeof *in, cudaMemcpyHostToDevice));
  test_blocks(v, in);
  test_arrays(v, in);
  OK(cudaFree(in));
  puts("all parts");
}
