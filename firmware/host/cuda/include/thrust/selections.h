/* SPDX-License-Identifier: Apache-2.0
 * Algorithms that keep some values of a range, look for one, or go by keys; of the device's memory. */
#ifndef HEDDLE_THRUST_SELECTIONS_H
#define HEDDLE_THRUST_SELECTIONS_H

#include "algorithms.h"

namespace thrust {

template <class In, class F> struct heddle_test {
  In in;
  F f;
  bool wanted;
  __HEDDLE_CUB bool operator()(size_t i) const { return (bool)f((iterator_value_t<In>)in[i]) == wanted; }
};
template <class In, class Same> struct heddle_differs { /* from the one before */
  In in;
  Same same;
  __HEDDLE_CUB bool operator()(size_t i) const {
    return i == 0 || !same((iterator_value_t<In>)in[i - 1], (iterator_value_t<In>)in[i]);
  }
};
template <class In, class Out> struct heddle_take {
  In in;
  Out out;
  __HEDDLE_CUB void operator()(size_t from, size_t to) const { out[to] = (iterator_value_t<In>)in[from]; }
};
template <class T> struct heddle_equals {
  T v;
  template <class U> __host__ __device__ bool operator()(const U &x) const { return x == v; }
};
template <class F> struct heddle_one_if {
  F f;
  template <class T> __host__ __device__ ptrdiff_t operator()(const T &x) const { return f(x) ? 1 : 0; }
};

template <class In, class Out, class Take>
size_t heddle_select(cudaStream_t stream, In in, size_t n, Out out, const Take &take) {
  const heddle_result<size_t> count;
  heddle_check(heddle_engine::select(stream, n, take, heddle_take<In, Out>{in, out}, count.get()));
  return count.value();
}
template <class In, class Out, class F> Out copy_if(const heddle_device &p, In from, In to, Out out, F f) {
  typedef decltype(heddle_raw(from)) Raw;
  return out + (ptrdiff_t)heddle_select(p.stream, heddle_raw(from), (size_t)(to - from), heddle_raw(out),
                                        heddle_test<Raw, F>{heddle_raw(from), f, true});
}
/* Kept values are collected elsewhere first: no value is overwritten before it is read. */
template <class It, class Take> It heddle_keep(cudaStream_t stream, It from, It to, const Take &take) {
  device_vector<iterator_value_t<It>> kept((size_t)(to - from));
  const size_t n = heddle_select(stream, heddle_raw(from), (size_t)(to - from), heddle_raw(kept.begin()), take);
  typedef iterator_value_t<It> T;
  heddle_check(heddle_engine::each(
      stream, n, heddle_copy<T *, decltype(heddle_raw(from))>{raw_pointer_cast(kept.data()), heddle_raw(from)}));
  heddle_check(cudaStreamSynchronize(stream));
  return from + (ptrdiff_t)n;
}
template <class It, class F> It remove_if(const heddle_device &p, It from, It to, F f) {
  return heddle_keep(p.stream, from, to, heddle_test<decltype(heddle_raw(from)), F>{heddle_raw(from), f, false});
}
template <class It, class T> It remove(const heddle_device &p, It from, It to, const T &v) {
  return thrust::remove_if(p, from, to, heddle_equals<T>{v});
}
template <class It, class Same> It unique(const heddle_device &p, It from, It to, Same same) {
  return heddle_keep(p.stream, from, to, heddle_differs<decltype(heddle_raw(from)), Same>{heddle_raw(from), same});
}
template <class It> It unique(const heddle_device &p, It from, It to) {
  return thrust::unique(p, from, to, equal_to<iterator_value_t<It>>());
}
template <class In, class F> ptrdiff_t count_if(const heddle_device &p, In from, In to, F f) {
  const heddle_one_if<F> one = {f};
  return thrust::transform_reduce(p, from, to, one, (ptrdiff_t)0, plus<ptrdiff_t>());
}
template <class In, class T> ptrdiff_t count(const heddle_device &p, In from, In to, const T &v) {
  return thrust::count_if(p, from, to, heddle_equals<T>{v});
}

/* ---- where: the first of the least, or of the greatest */

template <class T> struct heddle_placed {
  T first;
  size_t second;
};
template <class T, class Less> struct heddle_place {
  typedef heddle_placed<T> value;
  Less less;
  __host__ __device__ value operator()(const value &a, const value &b) const {
    if (less(b.first, a.first)) return b;
    return !less(a.first, b.first) && b.second < a.second ? b : a;
  }
};
template <class In> struct heddle_numbered {
  In in;
  __host__ __device__ heddle_placed<iterator_value_t<In>> operator()(size_t i) const {
    return {(iterator_value_t<In>)in[i], i};
  }
};
template <class It, class Less> It min_element(const heddle_device &p, It from, It to, Less by) {
  typedef iterator_value_t<It> T;
  if (from == to) return to;
  const heddle_numbered<decltype(heddle_raw(from))> numbered = {heddle_raw(from)};
  const auto in = make_transform_iterator(counting_iterator<size_t>(0), numbered);
  const heddle_placed<T> first = {(T)from[0], 0};
  return from + (ptrdiff_t)thrust::reduce(p, in, in + (to - from), first, heddle_place<T, Less>{by}).second;
}
template <class It> It min_element(const heddle_device &p, It from, It to) {
  return thrust::min_element(p, from, to, less<iterator_value_t<It>>());
}
/* By the same order, the other way round. */
template <class Less> struct heddle_more {
  Less less;
  template <class T> __host__ __device__ bool operator()(const T &a, const T &b) const { return less(b, a); }
};
template <class It, class Less> It max_element(const heddle_device &p, It from, It to, Less by) {
  return thrust::min_element(p, from, to, heddle_more<Less>{by});
}
template <class It> It max_element(const heddle_device &p, It from, It to) {
  return thrust::min_element(p, from, to, greater<iterator_value_t<It>>());
}
template <class It, class Less> pair<It, It> minmax_element(const heddle_device &p, It from, It to, Less by) {
  return pair<It, It>(thrust::min_element(p, from, to, by), thrust::max_element(p, from, to, by));
}
template <class It> pair<It, It> minmax_element(const heddle_device &p, It from, It to) {
  return thrust::minmax_element(p, from, to, less<iterator_value_t<It>>());
}

/* ---- by an index or a key */

template <class In, class Map, class Out> struct heddle_scatter {
  In in;
  Map map;
  Out out;
  __HEDDLE_CUB void operator()(size_t i) const { out[(size_t)map[i]] = (iterator_value_t<In>)in[i]; }
};
template <class In, class Map, class Out> void scatter(const heddle_device &p, In from, In to, Map map, Out out) {
  heddle_check(heddle_engine::each(
      p.stream, (size_t)(to - from),
      heddle_scatter<decltype(heddle_raw(from)), decltype(heddle_raw(map)), decltype(heddle_raw(out))>{
          heddle_raw(from), heddle_raw(map), heddle_raw(out)}));
}
template <class Map, class In, class Out> Out gather(const heddle_device &p, Map from, Map to, In in, Out out) {
  const auto there = make_permutation_iterator(heddle_raw(in), heddle_raw(from));
  heddle_check(heddle_engine::each(p.stream, (size_t)(to - from),
                                   heddle_copy<decltype(there), decltype(heddle_raw(out))>{there, heddle_raw(out)}));
  return out + (to - from);
}

/* Without a policy: of the device, if the memory is. */
#define __HEDDLE_OF_DEVICE(NAME)                                                                                       \
  template <class It, class... More, std::enable_if_t<heddle_on_device<It>::value, int> = 0>                           \
  auto NAME(It from, It to, More... more) {                                                                            \
    return thrust::NAME(heddle_device(), from, to, more...);                                                           \
  }
__HEDDLE_OF_DEVICE(copy_if)
__HEDDLE_OF_DEVICE(remove_if)
__HEDDLE_OF_DEVICE(remove)
__HEDDLE_OF_DEVICE(unique)
__HEDDLE_OF_DEVICE(count_if)
__HEDDLE_OF_DEVICE(count)
__HEDDLE_OF_DEVICE(min_element)
__HEDDLE_OF_DEVICE(max_element)
__HEDDLE_OF_DEVICE(minmax_element)
__HEDDLE_OF_DEVICE(scatter)
__HEDDLE_OF_DEVICE(gather)

} // namespace thrust

#endif
