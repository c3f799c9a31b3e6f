/* SPDX-License-Identifier: Apache-2.0
 * Algorithms over runs of equal keys: sums, running sums, the first of each. */
#ifndef HEDDLE_THRUST_BY_KEY_H
#define HEDDLE_THRUST_BY_KEY_H

#include "selections.h"

namespace thrust {

/* A range in the device's own memory, so that results may overwrite their input. */
template <class It> device_vector<iterator_value_t<It>> heddle_aside(cudaStream_t stream, It from, size_t n) {
  typedef iterator_value_t<It> T;
  device_vector<T> all(n);
  heddle_check(heddle_engine::each(
      stream, n, heddle_copy<decltype(heddle_raw(from)), T *>{heddle_raw(from), raw_pointer_cast(all.data())}));
  return all;
}

/* ---- running sums: of values that say whether they begin a run, which is one sum over all */

template <class T> struct heddle_part {
  T v;
  bool begins;
};
template <class T, class Op> struct heddle_add_parts {
  Op op;
  __host__ __device__ heddle_part<T> operator()(const heddle_part<T> &a, const heddle_part<T> &b) const {
    if (b.begins) return b;
    return {(T)op(a.v, b.v), a.begins};
  }
};
template <class T, class Begins, bool exclusive> struct heddle_parts {
  const T *values;
  Begins begins;
  T first;
  __HEDDLE_CUB heddle_part<T> operator[](size_t i) const {
    const bool begin = begins(i);
    if (!exclusive) return {values[i], begin};
    return {begin ? first : values[i - 1], begin};
  }
};
template <class T, class Out> struct heddle_sums {
  Out out;
  struct place {
    Out out;
    size_t i;
    __HEDDLE_CUB void operator=(const heddle_part<T> &part) const { out[i] = part.v; }
  };
  __HEDDLE_CUB place operator[](size_t i) const { return {out, i}; }
};
template <bool exclusive, class T, class K, class Out, class Same, class Op>
void heddle_scan_by_key(cudaStream_t stream, size_t n, K keys, const T *values, Out out, T first, Same same, Op op) {
  typedef heddle_differs<K, Same> Begins;
  const heddle_parts<T, Begins, exclusive> in = {values, Begins{keys, same}, first};
  const heddle_part<T> none = {first, false};
  heddle_check(
      heddle_engine::scan(stream, n, in, heddle_sums<T, Out>{out}, none, false, true, heddle_add_parts<T, Op>{op}));
}

template <class K, class V, class Out, class Same, class Op>
Out inclusive_scan_by_key(const heddle_device &p, K from, K to, V values, Out out, Same same, Op op) {
  typedef iterator_value_t<V> T;
  const size_t n = (size_t)(to - from);
  const auto all = heddle_aside(p.stream, values, n);
  heddle_scan_by_key<false>(p.stream, n, heddle_raw(from), raw_pointer_cast(all.data()), heddle_raw(out), T(), same,
                            op);
  heddle_check(cudaStreamSynchronize(p.stream));
  return out + (ptrdiff_t)n;
}
template <class K, class V, class Out, class T, class Same, class Op>
Out exclusive_scan_by_key(const heddle_device &p, K from, K to, V values, Out out, T first, Same same, Op op) {
  typedef iterator_value_t<V> Value;
  const size_t n = (size_t)(to - from);
  const auto all = heddle_aside(p.stream, values, n);
  heddle_scan_by_key<true>(p.stream, n, heddle_raw(from), raw_pointer_cast(all.data()), heddle_raw(out), (Value)first,
                           same, op);
  heddle_check(cudaStreamSynchronize(p.stream));
  return out + (ptrdiff_t)n;
}
template <class K, class V, class Out, class Same, class Op>
Out inclusive_scan_by_key(const heddle_host &, K from, K to, V values, Out out, Same same, Op op) {
  for (ptrdiff_t i = 0; i < to - from; i++)
    out[i] = i && same(from[i - 1], from[i]) ? op(out[i - 1], values[i]) : (iterator_value_t<V>)values[i];
  return out + (to - from);
}
template <class K, class V, class Out, class T, class Same, class Op>
Out exclusive_scan_by_key(const heddle_host &, K from, K to, V values, Out out, T first, Same same, Op op) {
  T sum = first;
  for (ptrdiff_t i = 0; i < to - from; i++) {
    const iterator_value_t<V> v = values[i];
    if (i && !same(from[i - 1], from[i])) sum = first;
    out[i] = sum;
    sum = op(sum, v);
  }
  return out + (to - from);
}
template <class P, class K, class V, class Out, class Same, heddle_if_policy<P> = 0>
Out inclusive_scan_by_key(const P &p, K from, K to, V values, Out out, Same same) {
  return thrust::inclusive_scan_by_key(p, from, to, values, out, same, plus<iterator_value_t<V>>());
}
template <class P, class K, class V, class Out, heddle_if_policy<P> = 0>
Out inclusive_scan_by_key(const P &p, K from, K to, V values, Out out) {
  return thrust::inclusive_scan_by_key(p, from, to, values, out, equal_to<iterator_value_t<K>>());
}
template <class P, class K, class V, class Out, class T, class Same, heddle_if_policy<P> = 0>
Out exclusive_scan_by_key(const P &p, K from, K to, V values, Out out, T first, Same same) {
  return thrust::exclusive_scan_by_key(p, from, to, values, out, first, same, plus<iterator_value_t<V>>());
}
template <class P, class K, class V, class Out, class T, heddle_if_policy<P> = 0>
Out exclusive_scan_by_key(const P &p, K from, K to, V values, Out out, T first) {
  return thrust::exclusive_scan_by_key(p, from, to, values, out, first, equal_to<iterator_value_t<K>>());
}
template <class P, class K, class V, class Out, heddle_if_policy<P> = 0>
Out exclusive_scan_by_key(const P &p, K from, K to, V values, Out out) {
  return thrust::exclusive_scan_by_key(p, from, to, values, out, iterator_value_t<V>());
}

/* ---- one of each run */

template <class K, class Same> struct heddle_ends {
  K keys;
  size_t n;
  Same same;
  __HEDDLE_CUB bool operator()(size_t i) const {
    return i + 1 == n || !same((iterator_value_t<K>)keys[i], (iterator_value_t<K>)keys[i + 1]);
  }
};
template <class K, class V, class KOut, class VOut> struct heddle_take_both {
  K keys;
  V values;
  KOut keys_out;
  VOut values_out;
  __HEDDLE_CUB void operator()(size_t from, size_t to) const {
    keys_out[to] = (iterator_value_t<K>)keys[from];
    values_out[to] = (iterator_value_t<V>)values[from];
  }
};
template <class K, class V, class KOut, class VOut, class Take>
size_t heddle_select_both(cudaStream_t stream, size_t n, K keys, V values, KOut keys_out, VOut values_out, Take take) {
  const heddle_result<size_t> count;
  const heddle_take_both<K, V, KOut, VOut> move = {keys, values, keys_out, values_out};
  heddle_check(heddle_engine::select(stream, n, take, move, count.get()));
  return count.value();
}
template <class K, class V, class KOut, class VOut, class Same, class Op>
pair<KOut, VOut> reduce_by_key(const heddle_device &p, K from, K to, V values, KOut keys_out, VOut values_out,
                               Same same, Op op) {
  typedef iterator_value_t<V> T;
  const size_t n = (size_t)(to - from);
  auto all = heddle_aside(p.stream, values, n);
  device_vector<T> sums(n);
  T *const raw = raw_pointer_cast(sums.data());
  heddle_scan_by_key<false>(p.stream, n, heddle_raw(from), raw_pointer_cast(all.data()), raw, T(), same, op);
  const size_t runs =
      heddle_select_both(p.stream, n, heddle_raw(from), raw, heddle_raw(keys_out), heddle_raw(values_out),
                         heddle_ends<decltype(heddle_raw(from)), Same>{heddle_raw(from), n, same});
  return {keys_out + (ptrdiff_t)runs, values_out + (ptrdiff_t)runs};
}
template <class K, class V, class KOut, class VOut, class Same, class Op>
pair<KOut, VOut> reduce_by_key(const heddle_host &, K from, K to, V values, KOut keys_out, VOut values_out, Same same,
                               Op op) {
  ptrdiff_t runs = 0;
  for (ptrdiff_t i = 0; i < to - from; i++)
    if (i && same(from[i - 1], from[i])) {
      values_out[runs - 1] = op(values_out[runs - 1], values[i]);
    } else {
      keys_out[runs] = from[i];
      values_out[runs++] = values[i];
    }
  return {keys_out + runs, values_out + runs};
}
template <class P, class K, class V, class KOut, class VOut, class Same, heddle_if_policy<P> = 0>
pair<KOut, VOut> reduce_by_key(const P &p, K from, K to, V values, KOut keys_out, VOut values_out, Same same) {
  return thrust::reduce_by_key(p, from, to, values, keys_out, values_out, same, plus<iterator_value_t<V>>());
}
template <class P, class K, class V, class KOut, class VOut, heddle_if_policy<P> = 0>
pair<KOut, VOut> reduce_by_key(const P &p, K from, K to, V values, KOut keys_out, VOut values_out) {
  return thrust::reduce_by_key(p, from, to, values, keys_out, values_out, equal_to<iterator_value_t<K>>());
}

template <class K, class V, class KOut, class VOut>
pair<KOut, VOut> unique_by_key_copy(const heddle_device &p, K from, K to, V values, KOut keys_out, VOut values_out) {
  typedef equal_to<iterator_value_t<K>> Same;
  const size_t runs = heddle_select_both(p.stream, (size_t)(to - from), heddle_raw(from), heddle_raw(values),
                                         heddle_raw(keys_out), heddle_raw(values_out),
                                         heddle_differs<decltype(heddle_raw(from)), Same>{heddle_raw(from), Same()});
  return {keys_out + (ptrdiff_t)runs, values_out + (ptrdiff_t)runs};
}
template <class K, class V, class KOut, class VOut>
pair<KOut, VOut> unique_by_key_copy(const heddle_host &, K from, K to, V values, KOut keys_out, VOut values_out) {
  ptrdiff_t runs = 0;
  iterator_value_t<K> last = iterator_value_t<K>();
  for (ptrdiff_t i = 0; i < to - from; i++) {
    const iterator_value_t<K> key = from[i];
    if (i && last == key) continue;
    keys_out[runs] = last = key;
    values_out[runs++] = values[i];
  }
  return {keys_out + runs, values_out + runs};
}
template <class K, class V> pair<K, V> unique_by_key(const heddle_device &p, K from, K to, V values) {
  const size_t n = (size_t)(to - from);
  auto keys = heddle_aside(p.stream, from, n);
  auto all = heddle_aside(p.stream, values, n);
  return thrust::unique_by_key_copy(p, keys.begin(), keys.end(), all.begin(), from, values);
}
template <class K, class V> pair<K, V> unique_by_key(const heddle_host &p, K from, K to, V values) {
  return thrust::unique_by_key_copy(p, from, to, values, from, values);
}
template <class... A> void stable_sort_by_key(A... a) {
  thrust::sort_by_key(a...);
}

/* Without a policy, the iterators choose between host and device. */
#define __HEDDLE_EITHER(NAME)                                                                                          \
  template <class It, class... More, heddle_unless_policy<It> = 0> auto NAME(It from, It to, More... more) {           \
    return thrust::NAME(heddle_policy<It>(), from, to, more...);                                                       \
  }
__HEDDLE_EITHER(inclusive_scan_by_key)
__HEDDLE_EITHER(exclusive_scan_by_key)
__HEDDLE_EITHER(reduce_by_key)
__HEDDLE_EITHER(unique_by_key_copy)
__HEDDLE_EITHER(unique_by_key)

} // namespace thrust

#endif
