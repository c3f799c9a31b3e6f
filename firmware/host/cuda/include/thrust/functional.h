/* SPDX-License-Identifier: Apache-2.0
 * Operators as objects, of host and device. */
#ifndef HEDDLE_THRUST_FUNCTIONAL_H
#define HEDDLE_THRUST_FUNCTIONAL_H

#include <cuda_runtime.h>

namespace thrust {

template <class A, class B, class R> struct binary_function {
  typedef A first_argument_type;
  typedef B second_argument_type;
  typedef R result_type;
};
template <class A, class R> struct unary_function {
  typedef A argument_type;
  typedef R result_type;
};

#define __HEDDLE_THRUST_OPERATOR(NAME, RESULT, EXPRESSION)                                                             \
  template <class T = void> struct NAME {                                                                              \
    typedef T first_argument_type, second_argument_type;                                                               \
    typedef RESULT result_type;                                                                                        \
    __host__ __device__ constexpr RESULT operator()(const T &a, const T &b) const { return EXPRESSION; }               \
  };                                                                                                                   \
  template <> struct NAME<void> {                                                                                      \
    template <class A, class B> __host__ __device__ constexpr auto operator()(const A &a, const B &b) const {          \
      return EXPRESSION;                                                                                               \
    }                                                                                                                  \
  };
__HEDDLE_THRUST_OPERATOR(plus, T, a + b)
__HEDDLE_THRUST_OPERATOR(minus, T, a - b)
__HEDDLE_THRUST_OPERATOR(multiplies, T, a *b)
__HEDDLE_THRUST_OPERATOR(divides, T, a / b)
__HEDDLE_THRUST_OPERATOR(modulus, T, a % b)
__HEDDLE_THRUST_OPERATOR(minimum, T, b < a ? b : a)
__HEDDLE_THRUST_OPERATOR(maximum, T, a < b ? b : a)
__HEDDLE_THRUST_OPERATOR(bit_and, T, a &b)
__HEDDLE_THRUST_OPERATOR(bit_or, T, a | b)
__HEDDLE_THRUST_OPERATOR(bit_xor, T, a ^ b)
__HEDDLE_THRUST_OPERATOR(logical_and, bool, a &&b)
__HEDDLE_THRUST_OPERATOR(logical_or, bool, a || b)
__HEDDLE_THRUST_OPERATOR(equal_to, bool, a == b)
__HEDDLE_THRUST_OPERATOR(not_equal_to, bool, a != b)
__HEDDLE_THRUST_OPERATOR(less, bool, a < b)
__HEDDLE_THRUST_OPERATOR(less_equal, bool, a <= b)
__HEDDLE_THRUST_OPERATOR(greater, bool, b < a)
__HEDDLE_THRUST_OPERATOR(greater_equal, bool, b <= a)

template <class T> struct negate {
  __host__ __device__ constexpr T operator()(const T &a) const { return -a; }
};
template <class T> struct identity {
  __host__ __device__ constexpr const T &operator()(const T &a) const { return a; }
};
template <class T> struct square {
  __host__ __device__ constexpr T operator()(const T &a) const { return a * a; }
};

} // namespace thrust

#endif
