// SPDX-License-Identifier: Apache-2.0
//
// One way to read and write a port, whether Verilator made it a C++ integer, a VlWide array, or a SystemC port.
#ifndef HEDDLE_PORTS_HPP
#define HEDDLE_PORTS_HPP

#include <cstdint>
#include <cstring>
#include <type_traits>

#include <verilated.h>

namespace ports {

template <class T, std::enable_if_t<std::is_integral<T>::value, int> = 0>
inline uint64_t value(const T &p) { return static_cast<uint64_t>(p); }

// 32-bit words [first, first + n) of a port.
template <class T, std::enable_if_t<std::is_integral<T>::value, int> = 0>
inline void slice(void *to, const T &p, unsigned first, unsigned n)
{
  const uint64_t v = static_cast<uint64_t>(p) >> 32 * first;
  std::memcpy(to, &v, n * sizeof(uint32_t)); // little-endian, as the trace is
}
template <std::size_t N> inline void slice(void *to, const VlWide<N> &p, unsigned first, unsigned n)
{
  std::memcpy(to, p.data() + first, n * sizeof(uint32_t));
}

template <class T, std::enable_if_t<std::is_integral<T>::value, int> = 0>
inline void drive(T &p, uint64_t v) { p = static_cast<T>(v); }
template <class T, std::enable_if_t<std::is_integral<T>::value, int> = 0>
inline void drive_words(T &p, const uint32_t *from, unsigned n)
{
  uint64_t v = from[0];
  if (n > 1) v |= static_cast<uint64_t>(from[1]) << 32;
  p = static_cast<T>(v);
}
template <std::size_t N> inline void drive_words(VlWide<N> &p, const uint32_t *from, unsigned n)
{
  std::memcpy(p.data(), from, n * sizeof *from);
}

} // namespace ports

#ifdef HEDDLE_SYSTEMC
#include <systemc>

namespace ports {

template <class T, std::enable_if_t<std::is_integral<T>::value, int> = 0>
inline uint64_t value(const sc_core::sc_out<T> &p) { return static_cast<uint64_t>(p.read()); }
template <class T, std::enable_if_t<std::is_integral<T>::value, int> = 0>
inline void slice(void *to, const sc_core::sc_out<T> &p, unsigned first, unsigned n) { slice(to, p.read(), first, n); }
template <int W> inline void slice(void *to, const sc_core::sc_out<sc_dt::sc_bv<W>> &p, unsigned first, unsigned n)
{
  const sc_dt::sc_bv<W> &v = p.read();
  for (unsigned i = 0; i < n; i++) {
    const uint32_t word = static_cast<uint32_t>(v.get_word(static_cast<int>(first + i)));
    std::memcpy(static_cast<char *>(to) + i * sizeof word, &word, sizeof word);
  }
}

// The signal behind an input port (each has one of its own).
template <class T> inline sc_core::sc_signal<T> &signal_of(sc_core::sc_in<T> &p)
{
  return *dynamic_cast<sc_core::sc_signal<T> *>(p.get_interface());
}
template <class T, std::enable_if_t<std::is_integral<T>::value, int> = 0>
inline void drive(sc_core::sc_in<T> &p, uint64_t v) { signal_of(p).write(static_cast<T>(v)); }
template <class T, std::enable_if_t<std::is_integral<T>::value, int> = 0>
inline void drive_words(sc_core::sc_in<T> &p, const uint32_t *from, unsigned n)
{
  T v{};
  drive_words(v, from, n);
  signal_of(p).write(v);
}
template <int W> inline void drive_words(sc_core::sc_in<sc_dt::sc_bv<W>> &p, const uint32_t *from, unsigned n)
{
  sc_dt::sc_bv<W> v;
  for (unsigned i = 0; i < n; i++) v.set_word(static_cast<int>(i), from[i]);
  signal_of(p).write(v);
}

} // namespace ports
#endif

namespace ports {

// A port of which each of N objects has its part (apart.hpp), the first one lowest.
template <class T, unsigned N> struct Side {
  const T *of[N];
};
template <class T, unsigned N> inline void slice(void *to, const Side<T, N> &p, unsigned first, unsigned n)
{
  constexpr unsigned each = sizeof(T) / sizeof(uint32_t);
  slice(to, *p.of[first / each], first % each, n);
}

// The low `n` 32-bit words of a port.
template <class T> inline void words(uint32_t *to, const T &p, unsigned n) { slice(to, p, 0, n); }

} // namespace ports

#endif
