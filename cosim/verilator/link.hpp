// SPDX-License-Identifier: Apache-2.0
//
// The other end of a board's link: it takes a byte, and is busy for as long as one takes on the wire.
#ifndef HEDDLE_LINK_HPP
#define HEDDLE_LINK_HPP

#include <cstdint>
#include <vector>

#include <heddle/verilated_ports.hpp>

namespace board {

struct Link {
  std::vector<uint8_t> bytes, taken;
  uint32_t gap = 0, busy = 0; // cycles from one byte to the next; that are left

  template <class Top> void begin(Top &top, uint32_t cycles, bool drop)
  {
    gap = cycles;
    ports::drive(top.drop_i, drop);
  }
  template <class Top> void drive(Top &top) { ports::drive(top.st_ready_i, busy == 0); }
  template <class Top> void sample(const Top &top)
  {
    if (busy != 0) {
      busy--;
    } else if (ports::value(top.st_valid_o) != 0) {
      bytes.push_back(static_cast<uint8_t>(ports::value(top.st_data_o)));
      busy = gap != 0 ? gap - 1 : 0;
    }
  }
  const uint8_t *take(size_t &n)
  {
    taken.swap(bytes);
    bytes.clear();
    n = taken.size();
    return taken.data();
  }
};

} // namespace board

#endif
