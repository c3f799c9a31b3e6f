// SPDX-License-Identifier: Apache-2.0
//
// A record as the words of a port of `tiny` or `fpga`, and in what their SM or bank of memory shows.
#ifndef HEDDLE_TESTS_STREAM_PACK_HPP
#define HEDDLE_TESTS_STREAM_PACK_HPP

#include <heddle/verilated_ports.hpp>
#include <heddle/retire_ports.hpp>
#include "tests/lab/fpga/stream/random_records.hpp"

namespace bench {

struct Sizes {
  static constexpr unsigned SMS = 1, MEM_BANKS = 1, PARTITIONS = 1, PORTS = retire::PORT_PORTS,
                            BUSES = retire::PORT_BUSES, LANES = records::LANES, ROWS = retire::PORT_ROWS,
                            TURNS = retire::PORT_TURNS, LINE = retire::PORT_LINE, PREDICATES = retire::PORT_PREDICATES,
                            BANKS = records::BANKS;
};
using at = retire::shown<Sizes>;

struct Port {
  uint32_t word[256];
  unsigned words = 0;
};

// The bytes before the first array of a size that a machine chooses, then these arrays in that size.
inline void pack(Port &to, const heddle_retire_record &r) {
  const heddle_record_layout &l = record_layouts[r.kind];
  const auto *body = reinterpret_cast<const uint8_t *>(&r.u);
  auto *out = reinterpret_cast<uint8_t *>(to.word);
  std::memcpy(out, body, l.head);
  size_t n = l.head;
  for (unsigned i = l.first; i < l.first + l.fields; i++) {
    const heddle_record_field &f = record_fields[i];
    if (f.offset < l.head) continue;
    const unsigned rows = f.outer == HEDDLE_RECORD_DIM_BANKS ? records::BANKS : f.rows;
    const unsigned columns = f.dim == HEDDLE_RECORD_DIM_LANES ? records::LANES : f.columns;
    for (unsigned k = 0; k < rows; k++, n += columns * f.bytes)
      std::memcpy(out + n, body + f.offset + k * f.row_step, columns * f.bytes);
  }
  to.words = static_cast<unsigned>((n + 3) / 4);
}

template <class P> inline bool is_shown(const P &port, const retire::place &place) {
  return port[place.bit / 32] >> place.bit % 32 & 1;
}
// Number `k` of those of its kind that a cycle shows.
template <class P> inline void put(P &port, const retire::place &place, const heddle_retire_record &r, unsigned k = 0) {
  Port p;
  pack(p, r);
  const unsigned bit = place.bit + k;
  port[bit / 32] |= 1u << bit % 32;
  std::memcpy(&port[place.word(bit)], p.word, p.words * sizeof *p.word);
}
template <class P> inline void nothing(P &port) {
  port[0] = port[1] = 0;
}

} // namespace bench

#endif
