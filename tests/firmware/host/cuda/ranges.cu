/* SPDX-License-Identifier: Apache-2.0
 * thrust: vectors, iterators and algorithms, each against what the host's own give. */
#include <thrust/copy.h>
#include <thrust/count.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/extrema.h>
#include <thrust/fill.h>
#include <thrust/for_each.h>
#include <thrust/gather.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/reduce.h>
#include <thrust/remove.h>
#include <thrust/scan.h>
#include <thrust/scatter.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>
#include <thrust/tuple.h>
#include <thrust/unique.h>

#include "check.h"

constexpr int n = 1000;

struct square_of {
  __host__ __device__ float operator()(float x) const { return x * x; }
};
struct dot {
  __host__ __device__ int operator()(const thrust::tuple<int, int> &v) const {
    return thrust::get<0>(v) * thrust::get<1>(v);
  }
};
struct add_one {
  __device__ void operator()(int &x) const { x++; }
};

static void test_order(const thrust::host_vector<int> &h) {
  thrust::device_vector<int> keys = h, places(n);
  thrust::sequence(places.begin(), places.end());
  thrust::sort_by_key(keys.begin(), keys.end(), places.begin());
  const thrust::host_vector<int> k = keys, p = places;
  for (int i = 0; i < n; i++) SAY(k[i] == h[p[i]]);
  for (int i = 1; i < n; i++) SAY(k[i - 1] < k[i] || (k[i - 1] == k[i] && p[i - 1] < p[i])); /* stable */
  int *raw = thrust::raw_pointer_cast(keys.data());
  thrust::sort(thrust::device, raw, raw + n, thrust::greater<int>());
  thrust::host_vector<int> down(n);
  thrust::copy(keys.begin(), keys.end(), down.begin());
  SAY(std::is_sorted(down.begin(), down.end(), std::greater<int>()) && down[n - 1] == k[0]);
}

static void test_scans(const thrust::host_vector<int> &h) {
  const thrust::device_vector<int> d = h;
  thrust::device_vector<int> out(n);
  thrust::exclusive_scan(d.begin(), d.end(), out.begin(), 5);
  const thrust::host_vector<int> exclusive = out;
  thrust::inclusive_scan(thrust::device, d.begin(), d.end(), out.begin());
  int sum = 0;
  for (int i = 0; i < n; i++) {
    SAY(exclusive[i] == 5 + sum);
    sum += h[i];
    SAY(i % 97 || (int)out[i] == sum); /* each look at a vector is a copy */
  }
  SAY(thrust::reduce(d.begin(), d.end()) == sum && thrust::reduce(h.begin(), h.end(), 0) == sum);
  SAY(thrust::reduce(d.begin(), d.end(), 0, thrust::maximum<int>()) == *std::max_element(h.begin(), h.end()));
  SAY(thrust::reduce(d.begin(), d.begin(), 7) == 7);
}

static void test_iterators(const thrust::host_vector<int> &h) {
  thrust::device_vector<int> d = h, places(n), out(n);
  thrust::sequence(places.begin(), places.end(), n - 1, -1);
  const auto both = thrust::make_zip_iterator(thrust::make_tuple(d.begin(), places.begin()));
  int want = 0;
  for (int i = 0; i < n; i++) want += h[i] % 7 * (n - 1 - i);
  thrust::transform(d.begin(), d.end(), thrust::make_constant_iterator(7), d.begin(), thrust::modulus<int>());
  SAY(thrust::transform_reduce(both, both + n, dot(), 0, thrust::plus<int>()) == want);
  SAY(thrust::get<1>((thrust::tuple<int, int>)both[3]) == n - 4);
  const auto backwards = thrust::make_permutation_iterator(d.begin(), places.begin());
  thrust::copy(backwards, backwards + n, out.begin());
  SAY((int)out[0] == h[n - 1] % 7 && (int)out[10] == h[n - 11] % 7);
  const auto squares = thrust::make_transform_iterator(thrust::counting_iterator<int>(1), square_of());
  SAY(thrust::reduce(thrust::device, squares, squares + 10) == 385);
  thrust::for_each(d.begin(), d.end(), add_one());
  SAY((int)d[1] == h[1] % 7 + 1);
}

struct is_odd {
  __host__ __device__ bool operator()(int x) const { return x & 1; }
};
static void test_selections(thrust::host_vector<int> h) {
  thrust::device_vector<int> d = h, out(n), places(n);
  SAY(thrust::max_element(d.begin(), d.end()) - d.begin() == std::max_element(h.begin(), h.end()) - h.begin());
  const auto ends = thrust::minmax_element(thrust::device, d.begin(), d.end());
  SAY(ends.first - d.begin() == std::min_element(h.begin(), h.end()) - h.begin());
  SAY(thrust::count_if(d.begin(), d.end(), is_odd()) == std::count_if(h.begin(), h.end(), is_odd()));
  SAY(thrust::count(d.begin(), d.end(), h[3]) == std::count(h.begin(), h.end(), h[3]));
  const ptrdiff_t odd = thrust::copy_if(d.begin(), d.end(), out.begin(), is_odd()) - out.begin();
  thrust::host_vector<int> want(n);
  SAY(odd == std::copy_if(h.begin(), h.end(), want.begin(), is_odd()) - want.begin());
  const thrust::host_vector<int> got = out;
  SAY(std::equal(want.begin(), want.begin() + odd, got.begin()));
  thrust::sequence(places.begin(), places.end(), n - 1, -1);
  thrust::scatter(d.begin(), d.end(), places.begin(), out.begin());
  SAY((int)out[0] == h[n - 1] && (int)out[n - 1] == h[0]);
  thrust::gather(places.begin(), places.end(), out.begin(), d.begin());
  SAY((thrust::host_vector<int>)d == h);
  SAY(thrust::remove_if(d.begin(), d.end(), is_odd()) - d.begin() == n - odd && (int)d[0] % 2 == 0);
  d = h;
  thrust::sort(d.begin(), d.end());
  std::sort(h.begin(), h.end());
  const ptrdiff_t different = std::unique(h.begin(), h.end()) - h.begin();
  SAY(thrust::unique(d.begin(), d.end()) - d.begin() == different && (int)d[different - 1] == h[different - 1]);
}

static void test_vectors() {
  thrust::device_vector<float> v(100, 2.0f), w;
  SAY(thrust::transform_reduce(v.begin(), v.end(), square_of(), 0.0f, thrust::plus<float>()) == 400);
  w = v;
  v[5] = 3;
  thrust::fill(w.begin(), w.begin() + 10, 1.5f);
  for (int i = 0; i < 20; i++) w.push_back((float)i);
  w.resize(125);
  const thrust::host_vector<float> h = w;
  SAY(v[5] == 3 && h[5] == 1.5f && h[10] == 2 && h[119] == 19 && h[124] == 0 && h.size() == 125);
}

int main() {
  thrust::host_vector<int> h(n);
  unsigned state = 1;
  for (int &x : h) x = (state = state * 1103515245 + 12345) >> 16 & 0x3ff;
  test_order(h);
  test_scans(h);
  test_iterators(h);
  test_selections(h);
  test_vectors();
  puts("all ranges");
}
