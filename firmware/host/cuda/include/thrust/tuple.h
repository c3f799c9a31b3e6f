/* SPDX-License-Identifier: Apache-2.0
 * Tuples and pairs that kernels make, read and assign: C++'s own are assigned there from C++20 on alone. */
#ifndef HEDDLE_THRUST_TUPLE_H
#define HEDDLE_THRUST_TUPLE_H

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

#include <cuda_runtime.h>

namespace thrust {

template <class... T> class tuple;
template <class A, class B> struct pair {
  typedef A first_type;
  typedef B second_type;
  A first;
  B second;
  pair() = default;
  __HEDDLE_BOTH constexpr pair(const A &a, const B &b) : first(a), second(b) {}
  template <class C, class D>
  __HEDDLE_BOTH constexpr pair(const pair<C, D> &o) : first((A)o.first), second((B)o.second) {}
};
template <class A, class B> __HEDDLE_BOTH constexpr pair<std::decay_t<A>, std::decay_t<B>> make_pair(A &&a, B &&b) {
  return {a, b};
}
template <class A, class B> __HEDDLE_BOTH constexpr bool operator==(const pair<A, B> &a, const pair<A, B> &b) {
  return a.first == b.first && a.second == b.second;
}
template <class A, class B> __HEDDLE_BOTH constexpr bool operator!=(const pair<A, B> &a, const pair<A, B> &b) {
  return !(a == b);
}
template <class A, class B> __HEDDLE_BOTH constexpr bool operator<(const pair<A, B> &a, const pair<A, B> &b) {
  return a.first < b.first || (!(b.first < a.first) && a.second < b.second);
}

/* One value; what is assigned to a reference goes where it leads. */
template <size_t I, class T> struct heddle_leaf {
  T v;
  heddle_leaf() = default;
  template <class U> __HEDDLE_BOTH constexpr explicit heddle_leaf(U &&u, int) : v(static_cast<T>(u)) {}
};
template <size_t I, class T> struct heddle_leaf<I, T &> {
  T &v;
  template <class U> __HEDDLE_BOTH constexpr explicit heddle_leaf(U &&u, int) : v(u) {}
  heddle_leaf(const heddle_leaf &) = default;
  __HEDDLE_BOTH constexpr heddle_leaf &operator=(const heddle_leaf &o) {
    v = o.v;
    return *this;
  }
};
template <class Places, class... T> struct heddle_leaves;
template <size_t... I, class... T> struct heddle_leaves<std::index_sequence<I...>, T...> : heddle_leaf<I, T>... {
  heddle_leaves() = default;
  template <class... U> __HEDDLE_BOTH constexpr explicit heddle_leaves(int, U &&...u) : heddle_leaf<I, T>(u, 0)... {}
  template <class Other> __HEDDLE_BOTH constexpr void assign(const Other &o) {
    ((void)(static_cast<heddle_leaf<I, T> &>(*this).v = o.template leaf<I>()), ...);
  }
  template <class Other> __HEDDLE_BOTH constexpr bool equals(const Other &o) const {
    return ((static_cast<const heddle_leaf<I, T> &>(*this).v == o.template leaf<I>()) && ...);
  }
  template <class Other> __HEDDLE_BOTH constexpr bool below(const Other &o) const {
    int order = 0;
    (void)((order = static_cast<const heddle_leaf<I, T> &>(*this).v < o.template leaf<I>()   ? -1
                    : o.template leaf<I>() < static_cast<const heddle_leaf<I, T> &>(*this).v ? 1
                                                                                             : 0,
            order == 0) &&
           ...);
    return order < 0;
  }
};

template <class... T> class tuple : public heddle_leaves<std::index_sequence_for<T...>, T...> {
  typedef heddle_leaves<std::index_sequence_for<T...>, T...> leaves;
  template <class... U, size_t... I>
  __HEDDLE_BOTH constexpr tuple(const tuple<U...> &o, std::index_sequence<I...>) : leaves(0, o.template leaf<I>()...) {}

public:
  template <size_t I> using element = std::tuple_element_t<I, std::tuple<T...>>;
  template <size_t I> __HEDDLE_BOTH constexpr element<I> &leaf() {
    return static_cast<heddle_leaf<I, element<I>> &>(*this).v;
  }
  template <size_t I> __HEDDLE_BOTH constexpr const element<I> &leaf() const {
    return static_cast<const heddle_leaf<I, element<I>> &>(*this).v;
  }
  tuple() = default;
  tuple(const tuple &) = default;
  tuple &operator=(const tuple &) = default;
  template <class... U,
            std::enable_if_t<sizeof...(U) == sizeof...(T) && (std::is_convertible<U &, T>::value && ...), int> = 0>
  __HEDDLE_BOTH constexpr tuple(U &&...u) : leaves(0, u...) {}
  template <class... U, std::enable_if_t<
                            sizeof...(U) == sizeof...(T) && (std::is_convertible<const U &, T>::value && ...), int> = 0>
  __HEDDLE_BOTH constexpr tuple(const tuple<U...> &o) : tuple(o, std::index_sequence_for<U...>()) {}
  template <class A, class B, size_t n = sizeof...(T), std::enable_if_t<n == 2, int> = 0>
  __HEDDLE_BOTH constexpr tuple(const pair<A, B> &o) : leaves(0, o.first, o.second) {}
  template <class... U> __HEDDLE_BOTH constexpr tuple &operator=(const tuple<U...> &o) {
    static_assert(sizeof...(U) == sizeof...(T), "tuples of two sizes");
    this->assign(o);
    return *this;
  }
  template <class A, class B> __HEDDLE_BOTH constexpr tuple &operator=(const pair<A, B> &o) {
    leaf<0>() = o.first;
    leaf<1>() = o.second;
    return *this;
  }
};
template <class... T> tuple(T...) -> tuple<T...>;

template <class T> struct tuple_size : std::tuple_size<T> {};
template <size_t I, class T> struct tuple_element : std::tuple_element<I, T> {};
template <size_t I, class T> using tuple_element_t = typename tuple_element<I, T>::type;

using std::get;
template <size_t I, class... T> __HEDDLE_BOTH constexpr auto &get(tuple<T...> &t) {
  return t.template leaf<I>();
}
template <size_t I, class... T> __HEDDLE_BOTH constexpr auto &get(const tuple<T...> &t) {
  return t.template leaf<I>();
}
template <size_t I, class... T>
__HEDDLE_BOTH constexpr std::tuple_element_t<I, std::tuple<T...>> &&get(tuple<T...> &&t) {
  return static_cast<std::tuple_element_t<I, std::tuple<T...>> &&>(t.template leaf<I>());
}
template <size_t I, class A, class B> __HEDDLE_BOTH constexpr auto &get(pair<A, B> &p) {
  if constexpr (I == 0)
    return p.first;
  else
    return p.second;
}
template <size_t I, class A, class B> __HEDDLE_BOTH constexpr auto &get(const pair<A, B> &p) {
  if constexpr (I == 0)
    return p.first;
  else
    return p.second;
}
template <class... T> __HEDDLE_BOTH constexpr tuple<std::decay_t<T>...> make_tuple(T &&...v) {
  return tuple<std::decay_t<T>...>(v...);
}
template <class... T> __HEDDLE_BOTH constexpr tuple<T &...> tie(T &...v) {
  return tuple<T &...>(v...);
}
using std::ignore;

template <class... T, class... U> __HEDDLE_BOTH constexpr bool operator==(const tuple<T...> &a, const tuple<U...> &b) {
  return a.equals(b);
}
template <class... T, class... U> __HEDDLE_BOTH constexpr bool operator!=(const tuple<T...> &a, const tuple<U...> &b) {
  return !a.equals(b);
}
template <class... T, class... U> __HEDDLE_BOTH constexpr bool operator<(const tuple<T...> &a, const tuple<U...> &b) {
  return a.below(b);
}
template <class... T, class... U> __HEDDLE_BOTH constexpr bool operator>(const tuple<T...> &a, const tuple<U...> &b) {
  return b.below(a);
}

} // namespace thrust

template <class... T> struct std::tuple_size<thrust::tuple<T...>> : std::integral_constant<size_t, sizeof...(T)> {};
template <size_t I, class... T>
struct std::tuple_element<I, thrust::tuple<T...>> : std::tuple_element<I, std::tuple<T...>> {};
template <class A, class B> struct std::tuple_size<thrust::pair<A, B>> : std::integral_constant<size_t, 2> {};
template <size_t I, class A, class B>
struct std::tuple_element<I, thrust::pair<A, B>> : std::tuple_element<I, std::tuple<A, B>> {};

#endif
