/* SPDX-License-Identifier: Apache-2.0
 * curand_kernel.h: integers and uniform numbers are in every bit what an H100 returned, normal ones within 4 ulp;
 * skipping is the same as drawing; Poisson's numbers of a great mean have that distribution. usage: random [some] */
#include <curand_kernel.h>

#include <cmath>
#include <cstddef>
#include <cstring>
#include <vector>

#include "check.h"
#include "random_values.h"

template <class S, bool doubles> __global__ void everything(const measured *rows, measured *out, int words) {
  const int i = threadIdx.x;
  measured r = rows[i];
  S s, t;
  curand_init(r.seed, r.sequence, r.offset, &s);
  for (int k = 0; k < words; k++) r.state[k] = reinterpret_cast<const unsigned *>(&s)[k];
  t = s;
  for (auto &v : r.raw) v = curand(&t);
  t = s;
  for (auto &v : r.uniform) v = __float_as_uint(curand_uniform(&t));
  t = s;
  for (auto &v : r.normal) v = __float_as_uint(curand_normal(&t));
  t = s;
  r.log_normal = __float_as_uint(curand_log_normal(&t, 1.0f, 0.5f));
  if (doubles) {
    t = s;
    for (auto &v : r.uniform_double) v = (uint64_t)__double_as_longlong(curand_uniform_double(&t));
    t = s;
    for (auto &v : r.normal_double) v = (uint64_t)__double_as_longlong(curand_normal_double(&t));
    t = s;
    for (auto &v : r.poisson) v = curand_poisson(&t, 4.5);
  }
  out[i] = r;
}
/* In steps from one float to the next; both of one sign. */
static uint64_t apart(uint64_t a, uint64_t b) {
  return a > b ? a - b : b - a;
}
template <class S, bool doubles, int rows> static void test_values(const measured (&want)[rows], int words) {
  measured *in, *out, got[rows];
  OK(cudaMalloc(&in, sizeof want));
  OK(cudaMalloc(&out, sizeof want));
  memcpy(got, want, sizeof got);
  for (measured &g : got) { /* a kernel begins with what it is asked alone */
    memset(&g.state, 0, sizeof g - offsetof(measured, state));
    if (doubles) continue;
    const measured &w = want[&g - got];
    memcpy(g.poisson, w.poisson, sizeof g.poisson);
    memcpy(g.uniform_double, w.uniform_double, sizeof g - offsetof(measured, uniform_double));
  }
  OK(cudaMemcpy(in, got, sizeof got, cudaMemcpyHostToDevice));
  everything<S, doubles><<<1, rows>>>(in, out, words);
  OK(cudaGetLastError());
  OK(cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost));
  for (int i = 0; i < rows; i++) {
    const measured &w = want[i], &g = got[i];
    SAY(memcmp(w.state, g.state, sizeof w.state) == 0);
    SAY(memcmp(w.raw, g.raw, sizeof w.raw) == 0);
    SAY(memcmp(w.uniform, g.uniform, sizeof w.uniform) == 0);
    SAY(memcmp(w.uniform_double, g.uniform_double, sizeof w.uniform_double) == 0);
    SAY(memcmp(w.poisson, g.poisson, sizeof w.poisson) == 0);
    for (int k = 0; k < 3; k++)
      SAY(apart(w.normal[k], g.normal[k]) <= 4 && apart(w.normal_double[k], g.normal_double[k]) <= 4);
    SAY(apart(w.log_normal, g.log_normal) <= 4);
  }
  OK(cudaFree(in));
  OK(cudaFree(out));
}

template <class S> __global__ void skips(unsigned *o) {
  S s;
  curand_init(99, 7, 11, &s);
  o[0] = curand(&s);
  skipahead(1ULL, &s);
  o[1] = curand(&s);
  skipahead(123456789012ULL, &s);
  o[2] = curand(&s);
  skipahead_sequence(1ULL, &s);
  o[3] = curand(&s);
  skipahead_sequence(987654321ULL, &s);
  o[4] = curand(&s);
  const float2 n = curand_normal2(&s);
  o[5] = __float_as_uint(n.x);
  o[6] = __float_as_uint(n.y);
  o[7] = 0;
  const double2 d = curand_normal2_double(&s);
  memcpy(o + 8, &d, sizeof d);
  o[12] = curand(&s);
  const float2 l = curand_log_normal2(&s, 0.0f, 1.0f);
  o[13] = __float_as_uint(l.x);
  o[14] = __float_as_uint(l.y);
  o[15] = curand(&s);
}
__global__ void fours(unsigned *o) {
  curandStatePhilox4_32_10_t s;
  curand_init(77, 3, 5, &s);
  for (int i = 0; i < 4; i++) {
    const uint4 r = curand4(&s);
    memcpy(o + 4 * i, &r, sizeof r);
  }
  const float4 u = curand_uniform4(&s);
  memcpy(o + 16, &u, sizeof u);
  const double2 d = curand_uniform2_double(&s);
  memcpy(o + 20, &d, sizeof d);
  const float4 n = curand_normal4(&s);
  memcpy(o + 24, &n, sizeof n);
  o[28] = curand(&s);
  o[29] = curand(&s);
  skipahead(1000003ULL, &s);
  o[30] = curand(&s);
  skipahead_sequence(12345ULL, &s);
  o[31] = curand(&s);
}
/* NORMAL has a bit for each word that belongs to a normal number: it may differ in its last digits. */
static void test_words(void (*kernel)(unsigned *), const uint32_t *want, int words, unsigned normal) {
  uint32_t *there, got[32];
  OK(cudaMalloc(&there, sizeof got));
  kernel<<<1, 1>>>(there);
  OK(cudaGetLastError());
  OK(cudaMemcpy(got, there, sizeof got[0] * (unsigned)words, cudaMemcpyDeviceToHost));
  for (int k = 0; k < words; k++) SAY(apart(got[k], want[k]) <= (normal >> k & 1 ? 4 : 0));
  OK(cudaFree(there));
}

/* Thread n draws n numbers, and skips as many: both have then the same to come. */
template <class S> __global__ void draws(int *same) {
  const unsigned n = threadIdx.x * (threadIdx.x % 5 == 0 ? 7 : 1);
  S s, t;
  curand_init(5, 6, 7, &s);
  t = s;
  for (unsigned k = 0; k < n; k++) curand(&s);
  skipahead(n, &t);
  bool equal = true;
  for (int k = 0; k < 5; k++) {
    const unsigned next = curand(&s);
    equal = curand(&t) == next && equal;
  }
  same[threadIdx.x] = equal;
}
/* From each place among four: four at once are the next four. */
__global__ void places(int *same) {
  curandStatePhilox4_32_10_t s, t;
  curand_init(5, 6, threadIdx.x, &s);
  t = s;
  const uint4 four = curand4(&s);
  bool equal = true;
  for (const unsigned v : {four.x, four.y, four.z, four.w}) equal = curand(&t) == v && equal;
  const unsigned next = curand(&s);
  same[threadIdx.x] = curand(&t) == next && equal;
}
static void test_same(void (*kernel)(int *), unsigned threads) {
  int *there, got[64];
  OK(cudaMalloc(&there, sizeof got));
  kernel<<<1, threads>>>(there);
  OK(cudaGetLastError());
  OK(cudaMemcpy(got, there, sizeof got[0] * threads, cudaMemcpyDeviceToHost));
  for (unsigned k = 0; k < threads; k++) SAY(got[k]);
  OK(cudaFree(there));
}

__global__ void many(unsigned *out, double mean) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  curandStatePhilox4_32_10_t s;
  curand_init(2026, i, 0, &s);
  for (unsigned k = 0; k < 16; k++) out[16 * i + k] = curand_poisson(&s, mean);
}
/* Up to twenty ranges of about equal probability: chi squared beyond what is met once in 10,000. */
static void test_poisson(double mean) {
  constexpr unsigned threads = 1024, count = 16 * threads, ranges = 20;
  std::vector<unsigned> got(count), seen(ranges), range_of;
  std::vector<double> expected(ranges);
  unsigned *there;
  OK(cudaMalloc(&there, count * sizeof *there));
  many<<<threads / 128, 128>>>(there, mean);
  OK(cudaGetLastError());
  OK(cudaMemcpy(got.data(), there, count * sizeof *there, cudaMemcpyDeviceToHost));
  OK(cudaFree(there));
  double sum = 0, chi = 0;
  for (unsigned k = 0; k < 2 * mean + 100; k++) {
    const double p = exp(k * log(mean) - mean - lgamma(k + 1.0));
    range_of.push_back(std::min(ranges - 1, (unsigned)(sum * ranges)));
    expected[range_of.back()] += p * count;
    sum += p;
  }
  for (unsigned v : got) {
    SAY(v < range_of.size());
    seen[range_of[v]]++;
  }
  for (unsigned k = 0; k < ranges; k++)
    if (expected[k] > 0) chi += (seen[k] - expected[k]) * (seen[k] - expected[k]) / expected[k];
  fprintf(stderr, "Poisson, mean %g: chi squared %.1f, of 19 degrees of freedom\n", mean, chi);
  SAY(chi < 51);
}

/* Those of FP32 alone, where hardware is simulated. */
static void test_some() {
  test_values<curandStateXORWOW_t, false>(xorwow_values, 6);
  test_values<curandStatePhilox4_32_10_t, false>(philox_values, 11);
}
static void test_all() {
  test_values<curandStateXORWOW_t, true>(xorwow_values, 6);
  test_values<curandStatePhilox4_32_10_t, true>(philox_values, 11);
  test_values<curandStateMRG32k3a_t, true>(mrg32k3a_values, 6);
  const unsigned normal = 1 << 5 | 1 << 6 | 1 << 8 | 1 << 10 | 1 << 13 | 1 << 14;
  test_words(skips<curandStateXORWOW_t>, xorwow_skips, 16, normal);
  test_words(skips<curandStateMRG32k3a_t>, mrg32k3a_skips, 16, normal);
  test_words(skips<curandStatePhilox4_32_10_t>, philox_skips, 16, normal);
  test_words(fours, philox_fours, 32, 15 << 24);
  test_same(places, 8);
  test_same(draws<curandStateXORWOW_t>, 64);
  test_same(draws<curandStatePhilox4_32_10_t>, 64);
  test_same(draws<curandStateMRG32k3a_t>, 64);
  for (double mean : {20.0, 64.0, 500.0, 3999.0, 5000.0}) test_poisson(mean);
}

int main(int count, char **) {
  count > 1 ? test_some() : test_all();
  puts("all random numbers");
}
