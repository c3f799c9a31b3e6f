/* SPDX-License-Identifier: Apache-2.0
 * thrust: by keys, questions to a range, tuples in kernels, complex and random numbers; on device and host, against
 * loops and C++'s own. */
#include <thrust/adjacent_difference.h>
#include <thrust/binary_search.h>
#include <thrust/complex.h>
#include <thrust/device_vector.h>
#include <thrust/equal.h>
#include <thrust/execution_policy.h>
#include <thrust/extrema.h>
#include <thrust/find.h>
#include <thrust/for_each.h>
#include <thrust/generate.h>
#include <thrust/host_vector.h>
#include <thrust/inner_product.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/logical.h>
#include <thrust/random.h>
#include <thrust/reduce.h>
#include <thrust/replace.h>
#include <thrust/scan.h>
#include <thrust/sequence.h>
#include <thrust/shuffle.h>
#include <thrust/sort.h>
#include <thrust/tabulate.h>
#include <thrust/tuple.h>
#include <thrust/unique.h>
#include <thrust/version.h>

#include <algorithm>
#include <complex>
#include <random>

#include "check.h"

constexpr int n = 1000; /* more than seven blocks of the engine: runs go over their ends */

typedef thrust::host_vector<int> ints;
template <class Vector> struct part { /* a range with room for results */
  Vector keys, values, keys_out, values_out;
  part(const ints &k, const ints &v) : keys(k), values(v), keys_out(n), values_out(n) {}
};
/* a b - b: associative, and which comes first shows. */
struct affine {
  __host__ __device__ int operator()(int a, int b) const { return (int)((unsigned)a * 3u + (unsigned)b) & 0xffff; }
};
struct greatest {
  __host__ __device__ int operator()(int a, int b) const { return a < b ? b : a; }
};
struct same_tens {
  __host__ __device__ bool operator()(int a, int b) const { return a / 10 == b / 10; }
};

template <class Vector> static void test_runs(const ints &k, const ints &v) {
  part<Vector> p(k, v);
  ints keys, sums, most;
  for (int i = 0; i < n; i++) {
    if (i && same_tens()(k[i - 1], k[i])) {
      sums.back() += v[i];
      most.back() = std::max(most.back(), v[i]);
      keys.back() = k[i]; /* which key of a run stands for it is not said where they are equal */
    } else {
      keys.push_back(k[i]);
      sums.push_back(v[i]);
      most.push_back(v[i]);
    }
  }
  auto ends = thrust::reduce_by_key(p.keys.begin(), p.keys.end(), p.values.begin(), p.keys_out.begin(),
                                    p.values_out.begin(), same_tens());
  SAY(ends.first - p.keys_out.begin() == (ptrdiff_t)keys.size() &&
      ends.second - p.values_out.begin() == ends.first - p.keys_out.begin());
  ints got = p.values_out, got_keys = p.keys_out;
  SAY(std::equal(sums.begin(), sums.end(), got.begin()));
  SAY(std::equal(keys.begin(), keys.end(), got_keys.begin(), same_tens()));
  thrust::reduce_by_key(p.keys.begin(), p.keys.end(), p.values.begin(), thrust::make_discard_iterator(),
                        p.values_out.begin(), same_tens(), greatest());
  got = p.values_out;
  SAY(std::equal(most.begin(), most.end(), got.begin()));
  thrust::unique_by_key(p.keys.begin(), p.keys.end(), p.values.begin());
  got = p.values;
  int runs = 0;
  for (int i = 0; i < n; i++)
    if (i == 0 || k[i] != k[i - 1]) SAY(got[runs++] == v[i]);
  SAY(runs > n / 10 && runs < n);
}
template <class Vector> static void test_scans(const ints &k, const ints &v) {
  part<Vector> p(k, v);
  thrust::inclusive_scan_by_key(p.keys.begin(), p.keys.end(), p.values.begin(), p.values_out.begin());
  thrust::exclusive_scan_by_key(p.keys.begin(), p.keys.end(), p.values.begin(), p.keys_out.begin(), 100);
  const ints inclusive = p.values_out, exclusive = p.keys_out;
  int sum = 0;
  for (int i = 0; i < n; i++) {
    if (i == 0 || k[i] != k[i - 1]) sum = 0;
    SAY(exclusive[i] == 100 + sum);
    sum += v[i];
    SAY(inclusive[i] == sum);
  }
  thrust::inclusive_scan_by_key(p.keys.begin(), p.keys.end(), p.values.begin(), p.values.begin(), same_tens(),
                                greatest()); /* where it was */
  const ints in_place = p.values;
  for (int i = 0, most = 0; i < n; i++) {
    most = i && same_tens()(k[i - 1], k[i]) ? std::max(most, v[i]) : v[i];
    SAY(in_place[i] == most);
  }
}

struct above {
  int limit;
  __host__ __device__ bool operator()(int x) const { return x > limit; }
};
struct three {
  __host__ __device__ int operator()() const { return 3; }
};
struct thrice {
  __host__ __device__ int operator()(ptrdiff_t i) { return (int)(3 * i); } /* not const */
};
template <class Vector> static void test_questions(const ints &h) {
  Vector d = h, out(n), places(n);
  for (int limit : {-1, 900, 1022, 1023, 5000}) {
    const ptrdiff_t first = std::find_if(h.begin(), h.end(), above{limit}) - h.begin();
    SAY(thrust::find_if(d.begin(), d.end(), above{limit}) - d.begin() == first);
    SAY(thrust::any_of(d.begin(), d.end(), above{limit}) == (first < n));
    SAY(thrust::none_of(d.begin(), d.end(), above{limit}) == (first == n));
    SAY(thrust::all_of(d.begin(), d.end(), above{limit}) == (limit < 0));
  }
  SAY(thrust::find(d.begin(), d.end(), h[500]) - d.begin() == std::find(h.begin(), h.end(), h[500]) - h.begin());
  SAY(thrust::find(d.begin(), d.end(), -7) == d.end());
  SAY(thrust::inner_product(d.begin(), d.end(), d.begin(), 5) == std::inner_product(h.begin(), h.end(), h.begin(), 5));
  SAY(thrust::inner_product(d.begin(), d.end() - 1, d.begin() + 1, 0, greatest(), thrust::minus<int>()) ==
      std::inner_product(h.begin(), h.end() - 1, h.begin() + 1, 0, greatest(), thrust::minus<int>()));
  thrust::adjacent_difference(d.begin(), d.end(), out.begin());
  ints got = out;
  for (int i = 0; i < n; i++) SAY(got[i] == (i ? h[i] - h[i - 1] : h[i]));
  out = d;
  SAY(thrust::equal(d.begin(), d.end(), out.begin()));
  thrust::replace_if(out.begin(), out.end(), above{900}, -1);
  SAY(!thrust::equal(d.begin(), d.end(), out.begin()));
  thrust::replace(out.begin(), out.end(), -1, 77);
  got = out;
  for (int i = 0; i < n; i++) SAY(got[i] == (h[i] > 900 ? 77 : h[i]));
  SAY(!thrust::is_sorted(d.begin(), d.end()));
  thrust::sort(d.begin(), d.end());
  SAY(thrust::is_sorted(d.begin(), d.end()));
  const ints sorted = d;
  SAY(thrust::lower_bound(d.begin(), d.end(), 512) - d.begin() ==
      std::lower_bound(sorted.begin(), sorted.end(), 512) - sorted.begin());
  thrust::tabulate(places.begin(), places.end(), thrice());
  thrust::upper_bound(d.begin(), d.end(), places.begin(), places.end(), out.begin());
  got = out;
  for (int i = 0; i < n; i++) SAY(got[i] == std::upper_bound(sorted.begin(), sorted.end(), 3 * i) - sorted.begin());
  SAY(thrust::binary_search(d.begin(), d.end(), h[3]) && !thrust::binary_search(d.begin(), d.end(), 1024));
  thrust::shuffle(d.begin(), d.end(), thrust::default_random_engine(5));
  got = d;
  SAY(got != sorted && std::is_permutation(got.begin(), got.end(), sorted.begin()));
  thrust::generate(d.begin(), d.end(), three());
  SAY((int)d[0] == 3 && thrust::reduce(d.begin(), d.end()) == 3 * n);
}

/* ---- tuples that kernels assign */

struct second_is_sum {
  template <class Tuple> __host__ __device__ void operator()(Tuple t) const {
    thrust::get<1>(t) = thrust::get<0>(t) + thrust::get<2>(t);
  }
};
struct by_second {
  __host__ __device__ bool operator()(const thrust::tuple<int, float> &a, const thrust::tuple<int, float> &b) const {
    return thrust::get<1>(a) < thrust::get<1>(b);
  }
};
__global__ void swap_pairs(thrust::tuple<int, float> *t, thrust::pair<int, float> *p) {
  const thrust::tuple<int, float> old = *t;
  int i;
  float f;
  *t = *p;
  thrust::tie(i, f) = old;
  *p = thrust::make_pair(i + 1, f);
}
static void test_tuples(const ints &h) {
  thrust::device_vector<int> a = h, b(n);
  thrust::device_vector<float> c(n, 0.5f);
  thrust::for_each(thrust::make_zip_iterator(thrust::make_tuple(a.begin(), b.begin(), c.begin())),
                   thrust::make_zip_iterator(thrust::make_tuple(a.end(), b.end(), c.end())), second_is_sum());
  const ints got = b;
  for (int i = 0; i < n; i++) SAY(got[i] == h[i]);
  thrust::device_vector<thrust::tuple<int, float>> t(3, thrust::make_tuple(4, 1.5f));
  thrust::device_vector<thrust::pair<int, float>> p(1, thrust::make_pair(7, 2.5f));
  swap_pairs<<<1, 1>>>(thrust::raw_pointer_cast(&t[0]), thrust::raw_pointer_cast(&p[0]));
  OK(cudaGetLastError());
  const thrust::tuple<int, float> first = t[0];
  const auto [whole, part] = first;
  SAY(whole == 7 && part == 2.5f && (thrust::pair<int, float>)p[0] == thrust::make_pair(5, 1.5f));
  t[1] = thrust::make_tuple(1, 9.0f);
  SAY(thrust::max_element(t.begin(), t.end(), by_second()) - t.begin() == 1);
  SAY(thrust::min_element(thrust::device, t.begin(), t.end(), by_second()) - t.begin() == 2);
  SAY(thrust::make_tuple(1, 2, 3) < thrust::make_tuple(1, 3, 0) &&
      thrust::make_tuple(1, 'a') != thrust::make_tuple(1, 'b'));
}

/* ---- complex and random numbers: of the device what C++ has for the host */

__global__ void complex_of(const thrust::complex<double> *in, thrust::complex<double> *out) {
  const thrust::complex<double> a = in[threadIdx.x], b = in[threadIdx.x + 1];
  thrust::complex<double> *r = out + 12 * threadIdx.x;
  *r++ = a + 2 * b;
  *r++ = a - b / 3.0f;
  *r++ = a * b;
  *r++ = a / b;
  *r++ = conj(a) * norm(b) - 1;
  *r++ = abs(a) / b;
  *r++ = exp(a);
  *r++ = log(a);
  *r++ = sqrt(a);
  *r++ = pow(a, b);
  *r++ = sin(a) * cosh(b);
  *r++ = thrust::polar(abs(a), arg(a));
}
static void test_complex() {
  constexpr int points = 32;
  thrust::host_vector<thrust::complex<double>> in;
  std::mt19937 chance(3);
  for (int i = 0; i <= points; i++) {
    const double x = (int)(chance() % 4001) - 2000;
    const double y = (int)(chance() % 4001) - 2000;
    in.push_back(thrust::complex<double>(x / 1000, y / 1000));
  }
  thrust::device_vector<thrust::complex<double>> there = in, results(12 * points);
  complex_of<<<1, points>>>(thrust::raw_pointer_cast(there.data()), thrust::raw_pointer_cast(results.data()));
  OK(cudaGetLastError());
  const thrust::host_vector<thrust::complex<double>> got = results;
  for (int i = 0; i < points; i++) {
    const std::complex<double> a = in[i], b = in[i + 1];
    const std::complex<double> want[12] = {
        a + 2.0 * b, a - b / 3.0, a * b,        a / b,          std::conj(a) * std::norm(b) - 1.0, std::abs(a) / b,
        std::exp(a), std::log(a), std::sqrt(a), std::pow(a, b), std::sin(a) * std::cosh(b),        a};
    for (int k = 0; k < 12; k++) {
      const std::complex<double> is = got[12 * i + k];
      SAY(std::abs(is - want[k]) <= 1e-14 * (1 + std::abs(want[k])) * (1 + std::abs(a)));
    }
  }
  SAY(thrust::complex<float>(3) == 3 && thrust::complex<float>(0, 1) * thrust::complex<float>(0, 1) == -1.0f);
}
__global__ void draws_of(unsigned *raw, double *real, int *whole, float *skipped) {
  thrust::minstd_rand0 first(threadIdx.x);
  thrust::default_random_engine engine(threadIdx.x + 1), other = engine;
  raw[threadIdx.x] = first();
  real[threadIdx.x] = thrust::uniform_real_distribution<double>(-1, 3)(engine);
  whole[threadIdx.x] = thrust::uniform_int_distribution<int>(-2, 2)(engine);
  other.discard(1000 + threadIdx.x);
  for (unsigned k = 0; k < 998 + threadIdx.x; k++) engine();
  skipped[threadIdx.x] = engine == other ? thrust::uniform_real_distribution<float>()(other) : -1;
}
static void test_random() {
  constexpr unsigned points = 64;
  thrust::device_vector<unsigned> raw(points);
  thrust::device_vector<double> real(points);
  thrust::device_vector<int> whole(points);
  thrust::device_vector<float> skipped(points);
  draws_of<<<1, points>>>(thrust::raw_pointer_cast(raw.data()), thrust::raw_pointer_cast(real.data()),
                          thrust::raw_pointer_cast(whole.data()), thrust::raw_pointer_cast(skipped.data()));
  OK(cudaGetLastError());
  const thrust::host_vector<unsigned> r = raw;
  const thrust::host_vector<double> d = real;
  const thrust::host_vector<int> w = whole;
  const thrust::host_vector<float> f = skipped;
  for (unsigned i = 0; i < points; i++) {
    std::minstd_rand0 first(i);
    std::minstd_rand engine(i + 1);
    SAY(r[i] == first());
    SAY(d[i] == (engine() - 1) / 2147483646.0 * 4 - 1);
    SAY(w[i] == (int)((engine() - 1) / 2147483646.0 * 5 - 2));
    engine.discard(998 + i);
    SAY(f[i] == (float)(engine() - 1) / 2147483648.0f);
  }
  std::minstd_rand expected; /* the standard says what its ten thousandth number is */
  thrust::minstd_rand ours;
  ours.discard(9999);
  expected.discard(9999);
  SAY(ours() == 399268537 && expected() == 399268537);
}

int main() {
  ints keys(n), values(n);
  unsigned state = 1;
  for (int i = 0, key = 0; i < n; i++) {
    state = state * 1103515245 + 12345;
    values[i] = (int)(state >> 16 & 0x3ff);
    key += (state >> 28) < 5 ? 1 : 0;
    keys[i] = key;
  }
  test_runs<thrust::device_vector<int>>(keys, values);
  test_runs<ints>(keys, values);
  test_scans<thrust::device_vector<int>>(keys, values);
  test_scans<ints>(keys, values);
  test_questions<thrust::device_vector<int>>(values);
  test_questions<ints>(values);
  test_tuples(values);
  test_complex();
  test_random();
  SAY(THRUST_VERSION >= 100000);
  puts("all keys");
}
