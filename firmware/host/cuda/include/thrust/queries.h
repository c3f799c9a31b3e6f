/* SPDX-License-Identifier: Apache-2.0
 * Algorithms that search a range (find, all_of, is_sorted, inner_product …) or change its values one by one
 * (replace, adjacent_difference, tabulate …). */
#ifndef HEDDLE_THRUST_QUERIES_H
#define HEDDLE_THRUST_QUERIES_H

#include "by_key.h"

namespace thrust {

/* ---- where something first holds; of the device by f(i), that is the least i */

template <class F> struct heddle_where {
  F f;
  size_t n;
  __host__ __device__ size_t operator()(size_t i) const { return f(i) ? i : n; }
};
template <class F> size_t heddle_first(const heddle_device &p, size_t n, const F &f) {
  const auto in = make_transform_iterator(counting_iterator<size_t>(0), heddle_where<F>{f, n});
  return thrust::reduce(p, in, in + (ptrdiff_t)n, n, minimum<size_t>());
}
template <class In, class F> struct heddle_holds {
  In in;
  F f;
  bool wanted;
  __host__ __device__ bool operator()(size_t i) const { return (bool)f((iterator_value_t<In>)in[i]) == wanted; }
};
template <class It, class F> It heddle_find(const heddle_device &p, It from, It to, F f, bool wanted) {
  const heddle_holds<decltype(heddle_raw(from)), F> holds = {heddle_raw(from), f, wanted};
  return from + (ptrdiff_t)heddle_first(p, (size_t)(to - from), holds);
}
template <class It, class F> It heddle_find(const heddle_host &, It from, It to, F f, bool wanted) {
  while (from != to && (bool)f(*from) != wanted) ++from;
  return from;
}
template <class P, class It, class F, heddle_if_policy<P> = 0> It find_if(const P &p, It from, It to, F f) {
  return heddle_find(p, from, to, f, true);
}
template <class P, class It, class F, heddle_if_policy<P> = 0> It find_if_not(const P &p, It from, It to, F f) {
  return heddle_find(p, from, to, f, false);
}
template <class P, class It, class T, heddle_if_policy<P> = 0> It find(const P &p, It from, It to, const T &v) {
  return heddle_find(p, from, to, heddle_equals<T>{v}, true);
}
template <class P, class It, class F, heddle_if_policy<P> = 0> bool any_of(const P &p, It from, It to, F f) {
  return heddle_find(p, from, to, f, true) != to;
}
template <class P, class It, class F, heddle_if_policy<P> = 0> bool all_of(const P &p, It from, It to, F f) {
  return heddle_find(p, from, to, f, false) == to;
}
template <class P, class It, class F, heddle_if_policy<P> = 0> bool none_of(const P &p, It from, It to, F f) {
  return heddle_find(p, from, to, f, true) == to;
}
/* The second of the first two that are in the wrong order. */
template <class In, class Less> struct heddle_falls {
  In in;
  Less less;
  __host__ __device__ bool operator()(size_t i) const {
    return i && less((iterator_value_t<In>)in[i], (iterator_value_t<In>)in[i - 1]);
  }
};
template <class It, class Less> It is_sorted_until(const heddle_device &p, It from, It to, Less by) {
  const heddle_falls<decltype(heddle_raw(from)), Less> falls = {heddle_raw(from), by};
  return from + (ptrdiff_t)heddle_first(p, (size_t)(to - from), falls);
}
template <class It, class Less> It is_sorted_until(const heddle_host &, It from, It to, Less by) {
  return std::is_sorted_until(from, to, by);
}
template <class P, class It, heddle_if_policy<P> = 0> It is_sorted_until(const P &p, It from, It to) {
  return thrust::is_sorted_until(p, from, to, less<iterator_value_t<It>>());
}
template <class P, class It, class Less, heddle_if_policy<P> = 0> bool is_sorted(const P &p, It from, It to, Less by) {
  return thrust::is_sorted_until(p, from, to, by) == to;
}
template <class P, class It, heddle_if_policy<P> = 0> bool is_sorted(const P &p, It from, It to) {
  return thrust::is_sorted_until(p, from, to) == to;
}
template <class A, class B, class Same> struct heddle_mismatch {
  A a;
  B b;
  Same same;
  __host__ __device__ bool operator()(size_t i) const {
    return !same((iterator_value_t<A>)a[i], (iterator_value_t<B>)b[i]);
  }
};
template <class A, class B, class Same> bool equal(const heddle_device &p, A from, A to, B other, Same same) {
  typedef heddle_mismatch<decltype(heddle_raw(from)), decltype(heddle_raw(other)), Same> Differs;
  const size_t n = (size_t)(to - from);
  return heddle_first(p, n, Differs{heddle_raw(from), heddle_raw(other), same}) == n;
}
template <class A, class B, class Same> bool equal(const heddle_host &, A from, A to, B other, Same same) {
  return std::equal(from, to, other, same);
}
template <class P, class A, class B, heddle_if_policy<P> = 0> bool equal(const P &p, A from, A to, B other) {
  return thrust::equal(p, from, to, other, equal_to<>());
}

/* The sum of products; or whatever else of pairs. */
template <class A, class B, class F> struct heddle_of_pair {
  A a;
  B b;
  F f;
  __host__ __device__ auto operator()(size_t i) const {
    return f((iterator_value_t<A>)a[i], (iterator_value_t<B>)b[i]);
  }
};
template <class A, class B, class T, class Sum, class Product>
T inner_product(const heddle_device &p, A from, A to, B other, T first, Sum sum, Product product) {
  const heddle_of_pair<decltype(heddle_raw(from)), decltype(heddle_raw(other)), Product> pairs = {
      heddle_raw(from), heddle_raw(other), product};
  const auto in = make_transform_iterator(counting_iterator<size_t>(0), pairs);
  return thrust::reduce(p, in, in + (to - from), first, sum);
}
template <class A, class B, class T, class Sum, class Product>
T inner_product(const heddle_host &, A from, A to, B other, T first, Sum sum, Product product) {
  return std::inner_product(from, to, other, first, sum, product);
}
template <class P, class A, class B, class T, heddle_if_policy<P> = 0>
T inner_product(const P &p, A from, A to, B other, T first) {
  return thrust::inner_product(p, from, to, other, first, plus<T>(), multiplies<T>());
}

/* ---- values one by one */

template <class In, class Out, class F> struct heddle_difference {
  In in;
  Out out;
  mutable F f;
  __HEDDLE_CUB void operator()(size_t i) const {
    const iterator_value_t<In> v = in[i];
    out[i] = i ? f(v, (iterator_value_t<In>)in[i - 1]) : v;
  }
};
template <class In, class Out, class F> Out adjacent_difference(const heddle_device &p, In from, In to, Out out, F f) {
  typedef iterator_value_t<In> T;
  const size_t n = (size_t)(to - from);
  const auto all = heddle_aside(p.stream, from, n);
  heddle_check(heddle_engine::each(
      p.stream, n,
      heddle_difference<const T *, decltype(heddle_raw(out)), F>{raw_pointer_cast(all.data()), heddle_raw(out), f}));
  heddle_check(cudaStreamSynchronize(p.stream));
  return out + (to - from);
}
template <class In, class Out, class F> Out adjacent_difference(const heddle_host &, In from, In to, Out out, F f) {
  return std::adjacent_difference(from, to, out, f);
}
template <class P, class In, class Out, heddle_if_policy<P> = 0>
Out adjacent_difference(const P &p, In from, In to, Out out) {
  return thrust::adjacent_difference(p, from, to, out, minus<iterator_value_t<In>>());
}
template <class It, class Stencil, class F, class T> struct heddle_replace {
  It at;
  Stencil stencil;
  mutable F f;
  T v;
  __host__ __device__ void operator()(size_t i) const {
    if (f((iterator_value_t<Stencil>)stencil[i])) at[i] = v;
  }
};
template <class It, class Stencil, class F, class T>
void replace_if(const heddle_device &p, It from, It to, Stencil stencil, F f, const T &v) {
  heddle_check(heddle_engine::each(p.stream, (size_t)(to - from),
                                   heddle_replace<decltype(heddle_raw(from)), decltype(heddle_raw(stencil)), F, T>{
                                       heddle_raw(from), heddle_raw(stencil), f, v}));
}
template <class It, class Stencil, class F, class T>
void replace_if(const heddle_host &, It from, It to, Stencil stencil, F f, const T &v) {
  const heddle_replace<It, Stencil, F, T> replace = {from, stencil, f, v};
  for (ptrdiff_t i = 0; i < to - from; i++) replace((size_t)i);
}
template <class P, class It, class F, class T, heddle_if_policy<P> = 0>
void replace_if(const P &p, It from, It to, F f, const T &v) {
  thrust::replace_if(p, from, to, from, f, v);
}
template <class P, class It, class T, heddle_if_policy<P> = 0>
void replace(const P &p, It from, It to, const T &old, const T &v) {
  thrust::replace_if(p, from, to, heddle_equals<T>{old}, v);
}
template <class P, class It, class F, heddle_if_policy<P> = 0> void tabulate(const P &p, It from, It to, F f) {
  thrust::transform(p, counting_iterator<ptrdiff_t>(0), counting_iterator<ptrdiff_t>(to - from), from, f);
}
template <class Out, class F> struct heddle_generate {
  Out out;
  mutable F f;
  __HEDDLE_CUB void operator()(size_t i) const { out[i] = f(); }
};
template <class It, class F> void generate(const heddle_device &p, It from, It to, F f) {
  heddle_check(heddle_engine::each(p.stream, (size_t)(to - from),
                                   heddle_generate<decltype(heddle_raw(from)), F>{heddle_raw(from), f}));
}
template <class It, class F> void generate(const heddle_host &, It from, It to, F f) {
  std::generate(from, to, f);
}

/* ---- in a sorted range: the first position for each value, and the last */

template <bool upper, class It, class T, class Less>
__host__ __device__ ptrdiff_t heddle_bound(It in, ptrdiff_t n, const T &v, const Less &less) {
  ptrdiff_t low = 0;
  for (ptrdiff_t high = n; low < high;) {
    const ptrdiff_t middle = low + (high - low) / 2;
    const iterator_value_t<It> at = in[middle];
    if (upper ? !less(v, at) : less(at, v))
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}
template <bool upper, class It> struct heddle_bounds {
  It in;
  ptrdiff_t n;
  template <class T> __host__ __device__ ptrdiff_t operator()(const T &v) const {
    return heddle_bound<upper>(in, n, v, less<>());
  }
};
#define __HEDDLE_BOUND(NAME, UPPER)                                                                                    \
  template <class P, class It, class T, heddle_if_policy<P> = 0> It NAME(const P &, It from, It to, const T &v) {      \
    return from + heddle_bound<UPPER>(from, to - from, v, less<>());                                                   \
  }                                                                                                                    \
  template <class P, class It, class V, class Out, heddle_if_policy<P> = 0>                                            \
  Out NAME(const P &p, It from, It to, V values, V end, Out out) {                                                     \
    return thrust::transform(p, values, end, out,                                                                      \
                             heddle_bounds<UPPER, decltype(heddle_raw(from))>{heddle_raw(from), to - from});           \
  }
__HEDDLE_BOUND(lower_bound, false)
__HEDDLE_BOUND(upper_bound, true)
template <class P, class It, class T, heddle_if_policy<P> = 0>
bool binary_search(const P &p, It from, It to, const T &v) {
  const It at = thrust::lower_bound(p, from, to, v);
  return at != to && !(v < (iterator_value_t<It>)*at);
}

__HEDDLE_EITHER(find_if)
__HEDDLE_EITHER(find_if_not)
__HEDDLE_EITHER(find)
__HEDDLE_EITHER(any_of)
__HEDDLE_EITHER(all_of)
__HEDDLE_EITHER(none_of)
__HEDDLE_EITHER(is_sorted_until)
__HEDDLE_EITHER(is_sorted)
__HEDDLE_EITHER(equal)
__HEDDLE_EITHER(inner_product)
__HEDDLE_EITHER(adjacent_difference)
__HEDDLE_EITHER(replace_if)
__HEDDLE_EITHER(replace)
__HEDDLE_EITHER(tabulate)
__HEDDLE_EITHER(generate)
__HEDDLE_EITHER(lower_bound)
__HEDDLE_EITHER(upper_bound)
__HEDDLE_EITHER(binary_search)

} // namespace thrust

#endif
