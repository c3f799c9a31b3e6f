/* SPDX-License-Identifier: Apache-2.0
 * A range in an order by chance, another than thrust's: of the device's memory the host makes it. */
#ifndef HEDDLE_THRUST_SHUFFLE_H
#define HEDDLE_THRUST_SHUFFLE_H

#include "queries.h"
#include "random.h"

namespace thrust {

template <class It, class Engine> void shuffle(const heddle_host &, It from, It to, Engine &&engine) {
  for (ptrdiff_t left = to - from; left > 1; left--) {
    const ptrdiff_t k = uniform_int_distribution<ptrdiff_t>(0, left - 1)(engine);
    const iterator_value_t<It> v = from[k];
    from[k] = from[left - 1];
    from[left - 1] = v;
  }
}
template <class It, class Engine> void shuffle(const heddle_device &p, It from, It to, Engine &&engine) {
  const device_ptr<iterator_value_t<It>> there(raw_pointer_cast(from));
  std::vector<iterator_value_t<It>> all((size_t)(to - from));
  heddle_check(cudaStreamSynchronize(p.stream));
  thrust::copy(there, there + (to - from), all.begin());
  thrust::shuffle(heddle_host(), all.begin(), all.end(), engine);
  thrust::copy(all.begin(), all.end(), there);
}
template <class It, class Engine, heddle_unless_policy<It> = 0> void shuffle(It from, It to, Engine &&engine) {
  thrust::shuffle(heddle_policy<It>(), from, to, engine);
}

} // namespace thrust

#endif
