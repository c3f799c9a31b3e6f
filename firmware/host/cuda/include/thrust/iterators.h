/* SPDX-License-Identifier: Apache-2.0
 * Iterators that compute what they show: counting, constant, transformed, permuted, several at once. */
#ifndef HEDDLE_THRUST_ITERATORS_H
#define HEDDLE_THRUST_ITERATORS_H

#include <utility>

#include "memory.h"
#include "tuple.h"

namespace thrust {

/* Shared by all of them, from at(k), the value k further, and moved(k). */
#define __HEDDLE_ITERATOR(NAME, VALUE, REFERENCE, DEVICE)                                                              \
  typedef VALUE value_type;                                                                                            \
  typedef REFERENCE reference;                                                                                         \
  typedef void pointer;                                                                                                \
  typedef ptrdiff_t difference_type;                                                                                   \
  typedef std::random_access_iterator_tag iterator_category;                                                           \
  static constexpr bool heddle_device_iterator = DEVICE;                                                               \
  __host__ __device__ reference operator*() const {                                                                    \
    return (*this)[0];                                                                                                 \
  }                                                                                                                    \
  __host__ __device__ NAME operator-(difference_type k) const {                                                        \
    return *this + -k;                                                                                                 \
  }                                                                                                                    \
  __host__ __device__ NAME &operator+=(difference_type k) {                                                            \
    return *this = *this + k;                                                                                          \
  }                                                                                                                    \
  __host__ __device__ NAME &operator++() {                                                                             \
    return *this += 1;                                                                                                 \
  }                                                                                                                    \
  __host__ __device__ bool operator==(const NAME &o) const {                                                           \
    return *this - o == 0;                                                                                             \
  }                                                                                                                    \
  __host__ __device__ bool operator!=(const NAME &o) const {                                                           \
    return *this - o != 0;                                                                                             \
  }

template <class T> class counting_iterator {
  T first;

public:
  __HEDDLE_ITERATOR(counting_iterator, T, T, false)
  __host__ __device__ counting_iterator(T v = T()) : first(v) {}
  __host__ __device__ T operator[](difference_type k) const { return first + (T)k; }
  __host__ __device__ counting_iterator operator+(difference_type k) const { return {(T)(first + (T)k)}; }
  __host__ __device__ difference_type operator-(const counting_iterator &o) const {
    return (difference_type)first - (difference_type)o.first;
  }
};
template <class T> class constant_iterator {
  T v;
  ptrdiff_t place;

public:
  __HEDDLE_ITERATOR(constant_iterator, T, T, false)
  __host__ __device__ constant_iterator(T value, ptrdiff_t at = 0) : v(value), place(at) {}
  __host__ __device__ T operator[](difference_type) const { return v; }
  __host__ __device__ constant_iterator operator+(difference_type k) const { return {v, place + k}; }
  __host__ __device__ difference_type operator-(const constant_iterator &o) const { return place - o.place; }
};
template <class F, class It, class V = std::decay_t<decltype(std::declval<F>()(std::declval<iterator_value_t<It>>()))>>
class transform_iterator {
  It base;
  mutable F f;

public:
  __HEDDLE_ITERATOR(transform_iterator, V, V, heddle_on_device<It>::value)
  __host__ __device__ transform_iterator(It from, F function) : base(from), f(function) {}
  __host__ __device__ V operator[](difference_type k) const { return f((iterator_value_t<It>)base[k]); }
  __host__ __device__ transform_iterator operator+(difference_type k) const { return {base + k, f}; }
  __host__ __device__ difference_type operator-(const transform_iterator &o) const { return base - o.base; }
};
template <class It, class Map> class permutation_iterator {
  It base;
  Map map;

public:
  typedef decltype(std::declval<It>()[0]) shown;
  __HEDDLE_ITERATOR(permutation_iterator, iterator_value_t<It>, shown, heddle_on_device<It>::value)
  __host__ __device__ permutation_iterator(It from, Map by) : base(from), map(by) {}
  __host__ __device__ shown operator[](difference_type k) const {
    return base[(ptrdiff_t)(iterator_value_t<Map>)map[k]];
  }
  __host__ __device__ permutation_iterator operator+(difference_type k) const { return {base, map + k}; }
  __host__ __device__ difference_type operator-(const permutation_iterator &o) const { return map - o.map; }
};
/* Shows a tuple of what each of them shows: what is assigned to it goes to each. */
template <class Tuple> class zip_iterator;
template <class... It> class zip_iterator<tuple<It...>> {
  tuple<It...> all;
  typedef std::index_sequence_for<It...> places;

public:
  typedef tuple<iterator_value_t<It>...> value;
  typedef tuple<decltype(std::declval<const It &>()[0])...> shown;
  __HEDDLE_ITERATOR(zip_iterator, value, shown, (heddle_on_device<It>::value || ...))
  __host__ __device__ zip_iterator(const tuple<It...> &its) : all(its) {}
  __host__ __device__ shown operator[](difference_type k) const { return show(k, places()); }
  __host__ __device__ zip_iterator operator+(difference_type k) const { return zip_iterator(moved(k, places())); }
  __host__ __device__ difference_type operator-(const zip_iterator &o) const {
    return thrust::get<0>(all) - thrust::get<0>(o.all);
  }
  __host__ __device__ const tuple<It...> &get_iterator_tuple() const { return all; }

private:
  template <size_t... I> __host__ __device__ shown show(ptrdiff_t k, std::index_sequence<I...>) const {
    return shown(thrust::get<I>(all)[k]...);
  }
  template <size_t... I> __host__ __device__ tuple<It...> moved(ptrdiff_t k, std::index_sequence<I...>) const {
    return tuple<It...>(thrust::get<I>(all) + k...);
  }
};

/* Assigned values are dropped. */
class discard_iterator {
  ptrdiff_t place;

public:
  struct nowhere {
    template <class T> __host__ __device__ const nowhere &operator=(const T &) const { return *this; }
  };
  __HEDDLE_ITERATOR(discard_iterator, nowhere, nowhere, false)
  __host__ __device__ discard_iterator(ptrdiff_t at = 0) : place(at) {}
  __host__ __device__ nowhere operator[](difference_type) const { return nowhere(); }
  __host__ __device__ discard_iterator operator+(difference_type k) const { return {place + k}; }
  __host__ __device__ difference_type operator-(const discard_iterator &o) const { return place - o.place; }
};
__host__ __device__ inline discard_iterator make_discard_iterator() {
  return {};
}

template <class T> __host__ __device__ inline counting_iterator<T> make_counting_iterator(T v) {
  return {v};
}
template <class T> __host__ __device__ inline constant_iterator<T> make_constant_iterator(T v) {
  return {v};
}
template <class It, class F> __host__ __device__ inline transform_iterator<F, It> make_transform_iterator(It at, F f) {
  return {at, f};
}
template <class It, class Map>
__host__ __device__ inline permutation_iterator<It, Map> make_permutation_iterator(It at, Map by) {
  return {at, by};
}
template <class... It>
__host__ __device__ inline zip_iterator<tuple<It...>> make_zip_iterator(const tuple<It...> &its) {
  return {its};
}
template <class... It> __host__ __device__ inline zip_iterator<tuple<It...>> make_zip_iterator(It... its) {
  return {tuple<It...>(its...)};
}

} // namespace thrust

#endif
