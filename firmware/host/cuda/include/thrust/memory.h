/* SPDX-License-Identifier: Apache-2.0
 * Pointers into the device's memory that a host may look through, and which memory an iterator is of. */
#ifndef HEDDLE_THRUST_MEMORY_H
#define HEDDLE_THRUST_MEMORY_H

#include <cstddef>
#include <iostream>
#include <iterator>
#include <stdexcept>
#include <type_traits>

#include <cub/engine.h>

#include "version.h"

namespace thrust {

typedef std::random_access_iterator_tag random_access_device_iterator_tag;

inline void heddle_check(cudaError_t error) {
  if (error != cudaSuccess) throw std::runtime_error(cudaGetErrorString(error));
}

template <class T> class device_ptr;

/* One value of the device's memory: a kernel goes straight to it, a host copies. */
template <class T> class device_reference {
  T *at;

public:
  typedef std::remove_const_t<T> value_type;
  __host__ __device__ explicit device_reference(T *p) : at(p) {}
  __host__ __device__ operator value_type() const {
#ifdef __CUDA_ARCH__
    return *at;
#else
    value_type v;
    heddle_check(cudaMemcpy(&v, at, sizeof v, cudaMemcpyDeviceToHost));
    return v;
#endif
  }
  __host__ __device__ const device_reference &operator=(const value_type &v) const {
#ifdef __CUDA_ARCH__
    *at = v;
#else
    heddle_check(cudaMemcpy(at, &v, sizeof v, cudaMemcpyHostToDevice));
#endif
    return *this;
  }
  __host__ __device__ const device_reference &operator=(const device_reference &o) const {
    return *this = (value_type)o;
  }
  __host__ __device__ const device_reference &operator+=(const value_type &v) const {
    return *this = (value_type) * this + v;
  }
  __host__ __device__ device_ptr<T> operator&() const {
    return device_ptr<T>(at);
  }
};

template <class T> inline std::ostream &operator<<(std::ostream &out, const device_reference<T> &v) {
  return out << (std::remove_const_t<T>)v;
}

template <class T> class device_ptr {
  T *at;

public:
  typedef std::remove_const_t<T> value_type;
  typedef ptrdiff_t difference_type;
  typedef device_reference<T> reference;
  typedef device_ptr pointer;
  typedef random_access_device_iterator_tag iterator_category;
  __host__ __device__ device_ptr(std::nullptr_t = nullptr) : at(nullptr) {}
  __host__ __device__ explicit device_ptr(T *p) : at(p) {}
  template <class U, class = std::enable_if_t<std::is_convertible<U *, T *>::value>>
  __host__ __device__ device_ptr(const device_ptr<U> &o) : at(o.get()) {}
  __host__ __device__ T *get() const { return at; }
  __host__ __device__ reference operator*() const { return reference(at); }
  __host__ __device__ reference operator[](difference_type k) const { return reference(at + k); }
  __host__ __device__ device_ptr operator+(difference_type k) const { return device_ptr(at + k); }
  __host__ __device__ device_ptr operator-(difference_type k) const { return device_ptr(at - k); }
  __host__ __device__ difference_type operator-(const device_ptr &o) const { return at - o.at; }
  __host__ __device__ device_ptr &operator+=(difference_type k) { return at += k, *this; }
  __host__ __device__ device_ptr &operator-=(difference_type k) { return at -= k, *this; }
  __host__ __device__ device_ptr &operator++() { return ++at, *this; }
  __host__ __device__ device_ptr &operator--() { return --at, *this; }
  __host__ __device__ device_ptr operator++(int) { return device_ptr(at++); }
  __host__ __device__ bool operator==(const device_ptr &o) const { return at == o.at; }
  __host__ __device__ bool operator!=(const device_ptr &o) const { return at != o.at; }
  __host__ __device__ bool operator<(const device_ptr &o) const { return at < o.at; }
  __host__ __device__ explicit operator bool() const { return at != nullptr; }
};
template <class T> __host__ __device__ inline device_ptr<T> device_pointer_cast(T *p) {
  return device_ptr<T>(p);
}
template <class T> __host__ __device__ inline device_ptr<T> device_pointer_cast(const device_ptr<T> &p) {
  return p;
}
template <class T> __host__ __device__ inline T *raw_pointer_cast(const device_ptr<T> &p) {
  return p.get();
}
template <class T> __host__ __device__ inline T *raw_pointer_cast(T *p) {
  return p;
}
template <class T> inline device_ptr<T> device_malloc(size_t n) {
  T *p;
  heddle_check(cudaMalloc(&p, n * sizeof(T)));
  return device_ptr<T>(p);
}
template <class T> inline void heddle_dut_free(device_ptr<T> p) {
  heddle_check(cudaFree((void *)p.get()));
}

/* ---- host or device: by the policy, or else by the iterators */

struct heddle_host {};
struct heddle_seq : heddle_host {};
struct heddle_device {
  cudaStream_t stream = 0;
  heddle_device on(cudaStream_t s) const { return {s}; }
  template <class A> heddle_device operator()(A &&) const { return *this; }
};
inline const heddle_host host;
inline const heddle_seq seq;
inline const heddle_device device;
namespace cuda {
inline const heddle_device par, par_nosync;
}

/* Whether an iterator shows memory of the device: device_ptr, and what is built on one. */
template <class It, class = void> struct heddle_on_device : std::false_type {};
template <class T> struct heddle_on_device<device_ptr<T>> : std::true_type {};
template <class It> struct heddle_on_device<It, std::enable_if_t<It::heddle_device_iterator>> : std::true_type {};

template <class It> using iterator_value_t = typename std::iterator_traits<It>::value_type;
template <class It> struct iterator_value { typedef iterator_value_t<It> type; };
template <class It> struct iterator_difference { typedef ptrdiff_t type; };
template <class It> inline ptrdiff_t distance(It from, It to) {
  return to - from;
}

} // namespace thrust

#endif
