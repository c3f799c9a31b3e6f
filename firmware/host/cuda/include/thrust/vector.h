/* SPDX-License-Identifier: Apache-2.0
 * A vector in the device's memory, and one of the host. */
#ifndef HEDDLE_THRUST_VECTOR_H
#define HEDDLE_THRUST_VECTOR_H

#include <vector>

#include "memory.h"

namespace thrust {

template <class T> struct heddle_fill {
  T *at;
  T v;
  __HEDDLE_CUB void operator()(size_t i) const { at[i] = v; }
};
template <class T, class A = std::allocator<T>> using host_vector = std::vector<T, A>;

template <class T> class device_vector {
  T *at = nullptr;
  size_t n = 0, room = 0;

public:
  typedef T value_type;
  typedef device_ptr<T> pointer;
  typedef device_ptr<T> iterator;
  typedef device_ptr<const T> const_iterator;
  typedef device_reference<T> reference;
  typedef size_t size_type;
  typedef ptrdiff_t difference_type;
  device_vector() {}
  explicit device_vector(size_t count, const T &v = T()) { resize(count, v); }
  device_vector(const device_vector &o) { copy(o.at, o.n, cudaMemcpyDeviceToDevice); }
  device_vector(device_vector &&o) noexcept { swap(o); }
  template <class A> device_vector(const std::vector<T, A> &o) { copy(o.data(), o.size(), cudaMemcpyHostToDevice); }
  device_vector(std::initializer_list<T> o) { copy(o.begin(), o.size(), cudaMemcpyHostToDevice); }
  template <class It, class = typename std::iterator_traits<It>::iterator_category> device_vector(It from, It to) {
    assign(from, to);
  }
  ~device_vector() { (void)cudaFree(at); }
  device_vector &operator=(const device_vector &o) {
    if (this != &o) copy(o.at, o.n, cudaMemcpyDeviceToDevice);
    return *this;
  }
  device_vector &operator=(device_vector &&o) noexcept {
    swap(o);
    return *this;
  }
  template <class A> device_vector &operator=(const std::vector<T, A> &o) {
    copy(o.data(), o.size(), cudaMemcpyHostToDevice);
    return *this;
  }
  template <class A> operator std::vector<T, A>() const {
    std::vector<T, A> v(n);
    if (n) heddle_check(cudaMemcpy(v.data(), at, n * sizeof(T), cudaMemcpyDeviceToHost));
    return v;
  }
  template <class It> void assign(It from, It to) {
    if constexpr (heddle_on_device<It>::value) {
      copy(raw_pointer_cast(from), (size_t)(to - from), cudaMemcpyDeviceToDevice);
    } else {
      const std::vector<T> v(from, to);
      copy(v.data(), v.size(), cudaMemcpyHostToDevice);
    }
  }
  void swap(device_vector &o) noexcept {
    std::swap(at, o.at);
    std::swap(n, o.n);
    std::swap(room, o.room);
  }
  void reserve(size_t count) {
    if (count <= room) return;
    T *more;
    heddle_check(cudaMalloc(&more, count * sizeof(T)));
    if (n) heddle_check(cudaMemcpy(more, at, n * sizeof(T), cudaMemcpyDeviceToDevice));
    heddle_check(cudaFree(at));
    at = more;
    room = count;
  }
  void resize(size_t count, const T &v = T()) {
    reserve(count);
    if (count > n) heddle_check(heddle_engine::each(0, count - n, heddle_fill<T>{at + n, v}));
    n = count;
  }
  void push_back(const T &v) {
    if (n == room) reserve(n ? 2 * n : 16);
    (*this)[n++] = v;
  }
  void clear() { n = 0; }
  void shrink_to_fit() {}
  size_t size() const { return n; }
  bool empty() const { return !n; }
  size_t capacity() const { return room; }
  pointer data() { return pointer(at); }
  device_ptr<const T> data() const { return const_iterator(at); }
  iterator begin() { return iterator(at); }
  iterator end() { return iterator(at + n); }
  const_iterator begin() const { return const_iterator(at); }
  const_iterator end() const { return const_iterator(at + n); }
  const_iterator cbegin() const { return begin(); }
  const_iterator cend() const { return end(); }
  reference operator[](size_t k) { return reference(at + k); }
  device_reference<const T> operator[](size_t k) const { return device_reference<const T>(at + k); }
  reference front() { return (*this)[0]; }
  reference back() { return (*this)[n - 1]; }

private:
  void copy(const T *from, size_t count, cudaMemcpyKind kind) {
    n = 0;
    reserve(count);
    if (count) heddle_check(cudaMemcpy(at, from, count * sizeof(T), kind));
    n = count;
  }
};

} // namespace thrust

#endif
