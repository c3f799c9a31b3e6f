/* SPDX-License-Identifier: Apache-2.0
 * Random numbers of host and device: Lehmer's generators as in C++'s <random>, and thrust's distributions. A real
 * number takes one draw; an integer is one real number, cut off towards zero (below zero the numbers are not even). */
#ifndef HEDDLE_THRUST_RANDOM_H
#define HEDDLE_THRUST_RANDOM_H

#include <cstdint>
#include <type_traits>

#include <cuda_runtime.h>

namespace thrust {
namespace random {

template <class U, U a, U c, U m> class linear_congruential_engine {
  U x;

public:
  typedef U result_type;
  static constexpr U multiplier = a, increment = c, modulus = m, min = c == 0, max = m - 1, default_seed = 1;
  __HEDDLE_BOTH explicit linear_congruential_engine(U seed_value = default_seed) { seed(seed_value); }
  __HEDDLE_BOTH void seed(U value = default_seed) {
    x = value % m;
    if (c == 0 && x == 0) x = 1;
  }
  __HEDDLE_BOTH U operator()() { return x = (U)(((unsigned long long)a * x + c) % m); }
  /* N draws, in as many steps as N has bits. */
  __HEDDLE_BOTH void discard(unsigned long long n) {
    unsigned long long by = a, more = c;
    for (; n; n >>= 1) {
      if (n & 1) x = (U)((by * x + more) % m);
      more = (by + 1) * more % m;
      by = by * by % m;
    }
  }
  __HEDDLE_BOTH bool operator==(const linear_congruential_engine &o) const { return x == o.x; }
  __HEDDLE_BOTH bool operator!=(const linear_congruential_engine &o) const { return x != o.x; }
};
typedef linear_congruential_engine<std::uint32_t, 16807, 0, 2147483647> minstd_rand0;
typedef linear_congruential_engine<std::uint32_t, 48271, 0, 2147483647> minstd_rand;
typedef minstd_rand default_random_engine;

template <class T = double> class uniform_real_distribution {
  T low, high;

public:
  typedef T result_type;
  __HEDDLE_BOTH explicit uniform_real_distribution(T from = 0, T to = 1) : low(from), high(to) {}
  template <class Engine> __HEDDLE_BOTH T operator()(Engine &engine) const {
    const T part = (T)(engine() - Engine::min) / ((T)1 + (T)(Engine::max - Engine::min));
    return part * (high - low) + low;
  }
  __HEDDLE_BOTH void reset() {}
  __HEDDLE_BOTH T a() const { return low; }
  __HEDDLE_BOTH T b() const { return high; }
};
template <class T = int> class uniform_int_distribution {
  T low, high;

public:
  typedef T result_type;
  __HEDDLE_BOTH explicit uniform_int_distribution(T from = 0, T to = (T)(((std::make_unsigned_t<T>)-1) >> 1))
      : low(from), high(to) {}
  template <class Engine> __HEDDLE_BOTH T operator()(Engine &engine) const {
    return (T)uniform_real_distribution<double>((double)low, (double)high + 1)(engine);
  }
  __HEDDLE_BOTH void reset() {}
  __HEDDLE_BOTH T a() const { return low; }
  __HEDDLE_BOTH T b() const { return high; }
};

} // namespace random
using namespace random;

} // namespace thrust

#endif
