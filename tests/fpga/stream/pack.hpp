// SPDX-License-Identifier: Apache-2.0
//
// A record as the words of a port of `tiny` or `fpga`.
#ifndef HEDDLE_TESTS_STREAM_PACK_HPP
#define HEDDLE_TESTS_STREAM_PACK_HPP

#include "tests/fpga/stream/random_records.hpp"

namespace bench {

struct Port {
  uint32_t word[256];
  unsigned words = 0;
};

// The bytes before the first array whose size a machine chooses, then these arrays in the machine's size.
inline void pack(Port &to, const retire_record &r, unsigned at)
{
  const record_layout &l = record_layouts[r.kind];
  const auto *body = reinterpret_cast<const uint8_t *>(&r.u);
  auto *out = reinterpret_cast<uint8_t *>(to.word + at);
  std::memcpy(out, body, l.head);
  size_t n = l.head;
  for (unsigned i = l.first; i < l.first + l.fields; i++) {
    const record_field &f = record_fields[i];
    if (f.offset < l.head) continue;
    const unsigned rows = f.outer == RECORD_DIM_BANKS ? records::BANKS : f.rows;
    const unsigned columns = f.dim == RECORD_DIM_LANES ? records::LANES : f.columns;
    for (unsigned k = 0; k < rows; k++, n += columns * f.bytes)
      std::memcpy(out + n, body + f.offset + k * f.row_step, columns * f.bytes);
  }
  to.words = static_cast<unsigned>((n + 3) / 4);
}

} // namespace bench

#endif
