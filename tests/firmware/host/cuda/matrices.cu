/* SPDX-License-Identifier: Apache-2.0
 * nvcuda::wmma: every shape, type and layout, of integers so small that each sum is exact (bytes: all), against three
 * loops. */
#include <mma.h>

#include <type_traits>
#include <vector>

#include "check.h"

using namespace nvcuda;

constexpr int pad = 8; /* rows lie further apart than they are long */

template <class Layout> constexpr bool by_rows = std::is_same<Layout, wmma::row_major>::value;

/* d = 3 (a b) + c + 1, through what a fragment's elements are for. */
template <int M, int N, int K, class T, class S, class LA, class LB>
__global__ void product(const T *a, const T *b, const S *c, S *d, bool rows) {
  wmma::fragment<wmma::matrix_a, M, N, K, T, LA> fa;
  wmma::fragment<wmma::matrix_b, M, N, K, T, LB> fb;
  wmma::fragment<wmma::accumulator, M, N, K, S> sum, fc;
  wmma::fill_fragment(sum, 0);
  wmma::load_matrix_sync(fa, a, (by_rows<LA> ? K : M) + pad);
  wmma::load_matrix_sync(fb, b, (by_rows<LB> ? N : K) + pad);
  const wmma::layout_t layout = rows ? wmma::mem_row_major : wmma::mem_col_major;
  wmma::load_matrix_sync(fc, c, (rows ? N : M) + pad, layout);
  for (int k = 0; k < 3; k++) wmma::mma_sync(sum, fa, fb, sum);
  for (int k = 0; k < sum.num_elements; k++) sum.x[k] = (S)((float)sum.x[k] + (float)fc.x[k] + 1);
  wmma::store_matrix_sync(d, sum, (rows ? N : M) + pad, layout);
}

/* A matrix as it lies in memory, with what belongs to nobody between its rows. */
struct grid {
  int rows, columns;
  bool by_row;
  size_t size() const { return (size_t)((by_row ? rows : columns) * ((by_row ? columns : rows) + pad)); }
  size_t at(int i, int j) const { return (size_t)(by_row ? i * (columns + pad) + j : j * (rows + pad) + i); }
};
template <class T> static std::vector<T> any(size_t n, unsigned &state) {
  std::vector<T> v;
  for (size_t k = 0; k < n; k++) {
    state = state * 1103515245 + 12345;
    const int small = (int)(state >> 16) % 7 * (state >> 31 ? 1 : -1);
    v.push_back(sizeof(T) == 1 ? (T)(state >> 20) : (T)(float)small);
  }
  return v;
}
template <class T> static T *there(const std::vector<T> &v) {
  T *p;
  OK(cudaMalloc(&p, v.size() * sizeof(T)));
  OK(cudaMemcpy(p, v.data(), v.size() * sizeof(T), cudaMemcpyHostToDevice));
  return p;
}
template <int M, int N, int K, class T, class S, class LA, class LB> static void test(bool rows) {
  unsigned state = 9;
  const grid ga = {M, K, by_rows<LA>}, gb = {K, N, by_rows<LB>}, gd = {M, N, rows};
  const std::vector<T> a = any<T>(ga.size(), state), b = any<T>(gb.size(), state);
  const std::vector<S> c = any<S>(gd.size(), state);
  std::vector<S> d(gd.size(), (S)77.0f);
  T *pa = there(a), *pb = there(b);
  S *pc = there(c), *pd = there(d);
  product<M, N, K, T, S, LA, LB><<<1, 32>>>(pa, pb, pc, pd, rows);
  OK(cudaGetLastError());
  OK(cudaMemcpy(d.data(), pd, d.size() * sizeof(S), cudaMemcpyDeviceToHost));
  std::vector<float> want(d.size(), 77);
  for (int i = 0; i < M; i++)
    for (int j = 0; j < N; j++) {
      float sum = 0;
      for (int k = 0; k < K; k++) sum += (float)a[ga.at(i, k)] * (float)b[gb.at(k, j)];
      want[gd.at(i, j)] = 3 * sum + (float)c[gd.at(i, j)] + 1;
    }
  for (size_t k = 0; k < d.size(); k++) SAY((float)d[k] == want[k]);
  for (void *p : {(void *)pa, (void *)pb, (void *)pc, (void *)pd}) OK(cudaFree(p));
}
template <int M, int N, int K, class T, class S> static void test_layouts(bool few) {
  test<M, N, K, T, S, wmma::row_major, wmma::col_major>(true);
  if (few) return;
  test<M, N, K, T, S, wmma::row_major, wmma::row_major>(false);
  test<M, N, K, T, S, wmma::col_major, wmma::row_major>(true);
  test<M, N, K, T, S, wmma::col_major, wmma::col_major>(false);
}

int main(int count, char **) {
  const bool few = count > 1; /* where hardware is simulated */
  test_layouts<16, 16, 16, __half, float>(few);
  test_layouts<16, 16, 16, __half, __half>(few);
  test_layouts<32, 8, 16, __half, float>(few);
  test_layouts<32, 8, 16, __half, __half>(few);
  test_layouts<8, 32, 16, __half, float>(few);
  test_layouts<8, 32, 16, __half, __half>(few);
  test_layouts<16, 16, 16, __nv_bfloat16, float>(few);
  test_layouts<16, 16, 16, signed char, int>(few);
  test_layouts<16, 16, 16, unsigned char, int>(few);
  puts("all matrices");
}
