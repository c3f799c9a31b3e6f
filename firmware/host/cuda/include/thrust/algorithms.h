/* SPDX-License-Identifier: Apache-2.0
 * Algorithms over ranges. With a policy of the device, or an iterator into its memory, kernels of cub/engine.h; else
 * the host's own. */
#ifndef HEDDLE_THRUST_ALGORITHMS_H
#define HEDDLE_THRUST_ALGORITHMS_H

#include <algorithm>
#include <memory>
#include <numeric>

#include "functional.h"
#include "iterators.h"
#include "memory.h"
#include "vector.h"

namespace thrust {

/* A kernel has no use for the look of a host. */
template <class It> inline It heddle_raw(It at) {
  return at;
}
template <class T> inline T *heddle_raw(device_ptr<T> at) {
  return at.get();
}
template <class... It, size_t... I>
inline auto heddle_raw(const zip_iterator<tuple<It...>> &at, std::index_sequence<I...>) {
  return make_zip_iterator(heddle_raw(thrust::get<I>(at.get_iterator_tuple()))...);
}
template <class... It> inline auto heddle_raw(zip_iterator<tuple<It...>> at) {
  return heddle_raw(at, std::index_sequence_for<It...>());
}
/* One value that a kernel leaves for the host. */
template <class T> class heddle_result {
  T *at;

public:
  heddle_result() { heddle_check(cudaMalloc(&at, sizeof(T))); }
  ~heddle_result() { (void)cudaFree(at); }
  heddle_result(const heddle_result &) = delete;
  T *get() const { return at; }
  T value() const { return (T)device_reference<T>(at); }
};
template <class P> using heddle_if_device = std::enable_if_t<std::is_base_of<heddle_device, P>::value, int>;
template <class P> using heddle_if_host = std::enable_if_t<std::is_base_of<heddle_host, P>::value, int>;
template <class P> struct heddle_is_policy {
  static constexpr bool value = std::is_base_of<heddle_host, P>::value || std::is_base_of<heddle_device, P>::value;
};
template <class P> using heddle_if_policy = std::enable_if_t<heddle_is_policy<P>::value, int>;
template <class It> using heddle_unless_policy = std::enable_if_t<!heddle_is_policy<It>::value, int>;
/* The policy of iterators that come without one. */
template <class... It>
using heddle_policy = std::conditional_t<(heddle_on_device<It>::value || ...), heddle_device, heddle_host>;

template <class In, class Out> struct heddle_copy {
  In in;
  Out out;
  __HEDDLE_CUB void operator()(size_t i) const { out[i] = (iterator_value_t<In>)in[i]; }
};
template <class In, class Out, class F> struct heddle_map {
  In in;
  Out out;
  mutable F f;
  __HEDDLE_CUB void operator()(size_t i) const { out[i] = f((iterator_value_t<In>)in[i]); }
};
template <class A, class B, class Out, class F> struct heddle_map2 {
  A a;
  B b;
  Out out;
  mutable F f;
  __HEDDLE_CUB void operator()(size_t i) const { out[i] = f((iterator_value_t<A>)a[i], (iterator_value_t<B>)b[i]); }
};
template <class Out, class T> struct heddle_line {
  Out out;
  T first, step;
  __HEDDLE_CUB void operator()(size_t i) const { out[i] = first + (T)i * step; }
};
template <class In, class F> struct heddle_call {
  In in;
  mutable F f;
  __HEDDLE_CUB void operator()(size_t i) const { f(in[i]); }
};

/* ---- of each value */

template <class P, class In, class Out, class F, heddle_if_device<P> = 0>
Out transform(const P &p, In from, In to, Out out, F f) {
  const auto in = heddle_raw(from);
  const auto there = heddle_raw(out);
  heddle_check(heddle_engine::each(p.stream, (size_t)(to - from),
                                   heddle_map<decltype(heddle_raw(from)), decltype(heddle_raw(out)), F>{in, there, f}));
  return out + (to - from);
}
template <class P, class In, class Out, class F, heddle_if_host<P> = 0>
Out transform(const P &, In from, In to, Out out, F f) {
  return std::transform(from, to, out, f);
}
template <class In, class Out, class F> Out transform(In from, In to, Out out, F f) {
  return thrust::transform(heddle_policy<In, Out>(), from, to, out, f);
}
template <class P, class A, class B, class Out, class F, heddle_if_device<P> = 0>
Out transform(const P &p, A from, A to, B other, Out out, F f) {
  heddle_check(heddle_engine::each(
      p.stream, (size_t)(to - from),
      heddle_map2<decltype(heddle_raw(from)), decltype(heddle_raw(other)), decltype(heddle_raw(out)), F>{
          heddle_raw(from), heddle_raw(other), heddle_raw(out), f}));
  return out + (to - from);
}
template <class P, class A, class B, class Out, class F, heddle_if_host<P> = 0>
Out transform(const P &, A from, A to, B other, Out out, F f) {
  return std::transform(from, to, other, out, f);
}
template <class A, class B, class Out, class F, heddle_unless_policy<A> = 0>
Out transform(A from, A to, B other, Out out, F f) {
  return thrust::transform(heddle_policy<A, B, Out>(), from, to, other, out, f);
}
template <class P, class In, class F, heddle_if_device<P> = 0> In for_each(const P &p, In from, In to, F f) {
  heddle_check(heddle_engine::each(p.stream, (size_t)(to - from),
                                   heddle_call<decltype(heddle_raw(from)), F>{heddle_raw(from), f}));
  return to;
}
template <class P, class In, class F, heddle_if_host<P> = 0> In for_each(const P &, In from, In to, F f) {
  std::for_each(from, to, f);
  return to;
}
template <class In, class F> In for_each(In from, In to, F f) {
  return thrust::for_each(heddle_policy<In>(), from, to, f);
}
template <class P, class It, class T, heddle_if_device<P> = 0> void fill(const P &p, It from, It to, const T &v) {
  typedef iterator_value_t<It> V;
  thrust::transform(p, constant_iterator<V>((V)v), constant_iterator<V>((V)v, to - from), from, identity<V>());
}
template <class It, class T> void fill(It from, It to, const T &v) {
  if constexpr (heddle_on_device<It>::value)
    thrust::fill(heddle_device(), from, to, v);
  else
    std::fill(from, to, v);
}
template <class P, class It, class T, heddle_if_device<P> = 0>
void sequence(const P &p, It from, It to, T first, T step) {
  heddle_check(heddle_engine::each(p.stream, (size_t)(to - from),
                                   heddle_line<decltype(heddle_raw(from)), T>{heddle_raw(from), first, step}));
}
template <class P, class It, class T, heddle_if_host<P> = 0> void sequence(const P &, It from, It to, T first, T step) {
  for (ptrdiff_t k = 0; k < to - from; k++) from[k] = first + (T)k * step;
}
template <class P, class It, heddle_if_policy<P> = 0> void sequence(const P &p, It from, It to) {
  thrust::sequence(p, from, to, (iterator_value_t<It>)0, (iterator_value_t<It>)1);
}
template <class P, class It, class T, heddle_if_policy<P> = 0> void sequence(const P &p, It from, It to, T first) {
  thrust::sequence(p, from, to, first, (T)1);
}
template <class It> void sequence(It from, It to) {
  thrust::sequence(heddle_policy<It>(), from, to);
}
template <class It, class T, heddle_unless_policy<It> = 0> void sequence(It from, It to, T first) {
  thrust::sequence(heddle_policy<It>(), from, to, first);
}
template <class It, class T, heddle_unless_policy<It> = 0> void sequence(It from, It to, T first, T step) {
  thrust::sequence(heddle_policy<It>(), from, to, first, step);
}
/* From wherever to wherever. */
template <class In, class Out> Out copy(In from, In to, Out out) {
  if constexpr (heddle_on_device<In>::value && heddle_on_device<Out>::value) {
    heddle_check(heddle_engine::each(
        0, (size_t)(to - from),
        heddle_copy<decltype(heddle_raw(from)), decltype(heddle_raw(out))>{heddle_raw(from), heddle_raw(out)}));
  } else if constexpr (heddle_on_device<In>::value) {
    std::unique_ptr<iterator_value_t<In>[]> all(new iterator_value_t<In>[(size_t)(to - from)]);
    heddle_check(
        cudaMemcpy(all.get(), raw_pointer_cast(from), (size_t)(to - from) * sizeof all[0], cudaMemcpyDeviceToHost));
    return std::copy(all.get(), all.get() + (to - from), out);
  } else if constexpr (heddle_on_device<Out>::value) {
    const std::vector<iterator_value_t<Out>> all(from, to);
    if (!all.empty())
      heddle_check(cudaMemcpy(raw_pointer_cast(out), all.data(), all.size() * sizeof all[0], cudaMemcpyHostToDevice));
  } else {
    return std::copy(from, to, out);
  }
  return out + (to - from);
}

/* ---- of all values */

template <class P, class In, class T, class Op, heddle_if_device<P> = 0>
T reduce(const P &p, In from, In to, T first, Op op) {
  const heddle_result<T> result;
  heddle_check(heddle_engine::reduce(p.stream, (size_t)(to - from), heddle_raw(from), result.get(), first, true, op));
  return result.value();
}
template <class P, class In, class T, class Op, heddle_if_host<P> = 0>
T reduce(const P &, In from, In to, T first, Op op) {
  return std::accumulate(from, to, first, op);
}
template <class In, class T, class Op, heddle_unless_policy<In> = 0> T reduce(In from, In to, T first, Op op) {
  return thrust::reduce(heddle_policy<In>(), from, to, first, op);
}
template <class In, class T, heddle_unless_policy<In> = 0> T reduce(In from, In to, T first) {
  return thrust::reduce(heddle_policy<In>(), from, to, first, plus<T>());
}
template <class In> iterator_value_t<In> reduce(In from, In to) {
  return thrust::reduce(from, to, iterator_value_t<In>(), plus<iterator_value_t<In>>());
}
template <class In, class T> T reduce(const heddle_device &p, In from, In to, T first) {
  return thrust::reduce(p, from, to, first, plus<T>());
}
template <class In> iterator_value_t<In> reduce(const heddle_device &p, In from, In to) {
  return thrust::reduce(p, from, to, iterator_value_t<In>(), plus<iterator_value_t<In>>());
}
template <class In, class F, class T, class Op> T transform_reduce(In from, In to, F f, T first, Op op) {
  return thrust::reduce(make_transform_iterator(from, f), make_transform_iterator(to, f), first, op);
}
template <class In, class F, class T, class Op>
T transform_reduce(const heddle_device &p, In from, In to, F f, T first, Op op) {
  return thrust::reduce(p, make_transform_iterator(heddle_raw(from), f), make_transform_iterator(heddle_raw(to), f),
                        first, op);
}

template <class P, class In, class Out, class T, class Op, heddle_if_device<P> = 0>
Out exclusive_scan(const P &p, In from, In to, Out out, T first, Op op) {
  heddle_check(
      heddle_engine::scan(p.stream, (size_t)(to - from), heddle_raw(from), heddle_raw(out), first, true, false, op));
  return out + (to - from);
}
template <class P, class In, class Out, class Op, heddle_if_device<P> = 0>
Out inclusive_scan(const P &p, In from, In to, Out out, Op op) {
  heddle_check(heddle_engine::scan(p.stream, (size_t)(to - from), heddle_raw(from), heddle_raw(out),
                                   iterator_value_t<In>(), false, true, op));
  return out + (to - from);
}
template <class In, class Out> Out inclusive_scan(const heddle_device &p, In from, In to, Out out) {
  return thrust::inclusive_scan(p, from, to, out, plus<iterator_value_t<In>>());
}
template <class In, class Out> Out exclusive_scan(const heddle_device &p, In from, In to, Out out) {
  return thrust::exclusive_scan(p, from, to, out, iterator_value_t<In>(), plus<iterator_value_t<In>>());
}
template <class In, class Out, class T> Out exclusive_scan(const heddle_device &p, In from, In to, Out out, T first) {
  return thrust::exclusive_scan(p, from, to, out, first, plus<T>());
}
template <class In, class Out, std::enable_if_t<heddle_on_device<In>::value, int> = 0>
Out inclusive_scan(In from, In to, Out out) {
  return thrust::inclusive_scan(heddle_device(), from, to, out);
}
template <class In, class Out, std::enable_if_t<heddle_on_device<In>::value, int> = 0>
Out exclusive_scan(In from, In to, Out out) {
  return thrust::exclusive_scan(heddle_device(), from, to, out);
}
template <class In, class Out, class T, std::enable_if_t<heddle_on_device<In>::value, int> = 0>
Out exclusive_scan(In from, In to, Out out, T first) {
  return thrust::exclusive_scan(heddle_device(), from, to, out, first);
}
template <class In, class Out, std::enable_if_t<!heddle_on_device<In>::value, int> = 0>
Out inclusive_scan(In from, In to, Out out) {
  return std::partial_sum(from, to, out);
}
template <class In, class Out, std::enable_if_t<!heddle_on_device<In>::value, int> = 0>
Out exclusive_scan(In from, In to, Out out) {
  iterator_value_t<In> sum = iterator_value_t<In>();
  for (; from != to; ++from, ++out) {
    const iterator_value_t<In> v = *from;
    *out = sum;
    sum = sum + v;
  }
  return out;
}

/* ---- order */

template <class K, class V, class Less> void heddle_sort(cudaStream_t stream, K *keys, size_t n, V *values, Less less) {
  K *more;
  V *more_values = nullptr;
  bool in_more = false;
  heddle_check(cudaMalloc(&more, n * sizeof(K)));
  if (values) heddle_check(cudaMalloc(&more_values, n * sizeof(V)));
  heddle_check(heddle_engine::sort(stream, n, keys, more, values, more_values, less, &in_more));
  if (in_more) heddle_check(cudaMemcpy(keys, more, n * sizeof(K), cudaMemcpyDeviceToDevice));
  if (in_more && values) heddle_check(cudaMemcpy(values, more_values, n * sizeof(V), cudaMemcpyDeviceToDevice));
  heddle_check(cudaFree(more));
  heddle_check(cudaFree(more_values));
}
template <class It, class Less> void sort(const heddle_device &p, It from, It to, Less less) {
  heddle_sort(p.stream, raw_pointer_cast(from), (size_t)(to - from), (char *)nullptr, less);
}
template <class It> void sort(const heddle_device &p, It from, It to) {
  thrust::sort(p, from, to, less<iterator_value_t<It>>());
}
template <class It, class Less> void sort(It from, It to, Less less) {
  if constexpr (heddle_on_device<It>::value)
    thrust::sort(heddle_device(), from, to, less);
  else
    std::stable_sort(from, to, less);
}
template <class It> void sort(It from, It to) {
  thrust::sort(from, to, less<iterator_value_t<It>>());
}
template <class... A> void stable_sort(A... a) {
  thrust::sort(a...);
}
template <class K, class V, class Less> void sort_by_key(const heddle_device &p, K from, K to, V values, Less less) {
  heddle_sort(p.stream, raw_pointer_cast(from), (size_t)(to - from), raw_pointer_cast(values), less);
}
template <class K, class V> void sort_by_key(const heddle_device &p, K from, K to, V values) {
  thrust::sort_by_key(p, from, to, values, less<iterator_value_t<K>>());
}
template <class K, class V, class Less, std::enable_if_t<heddle_on_device<K>::value, int> = 0>
void sort_by_key(K from, K to, V values, Less less) {
  thrust::sort_by_key(heddle_device(), from, to, values, less);
}
template <class K, class V, std::enable_if_t<heddle_on_device<K>::value, int> = 0>
void sort_by_key(K from, K to, V values) {
  thrust::sort_by_key(heddle_device(), from, to, values);
}
template <class K, class V, std::enable_if_t<!heddle_on_device<K>::value, int> = 0>
void sort_by_key(K from, K to, V values) {
  std::vector<size_t> order((size_t)(to - from));
  std::iota(order.begin(), order.end(), (size_t)0);
  std::stable_sort(order.begin(), order.end(), [from](size_t a, size_t b) { return from[a] < from[b]; });
  const std::vector<iterator_value_t<K>> keys(from, to);
  const std::vector<iterator_value_t<V>> all(values, values + (to - from));
  for (size_t k = 0; k < order.size(); k++) {
    from[k] = keys[order[k]];
    values[k] = all[order[k]];
  }
}

} // namespace thrust

#endif
