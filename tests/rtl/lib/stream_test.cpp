// SPDX-License-Identifier: Apache-2.0
// fifo and spare: order, nothing lost or doubled, full, empty, count, throughput, latency of one cycle (spare:
// none).
#include <deque>

#include "tests/rtl/lib/test.h"

int main(int argc, char **argv) {
  constexpr unsigned cells = 5, spare = 4;
  const unsigned depth[cells] = {1, 2, 3, 8, 1};
  Verilated::randReset(2);
  Verilated::randSeed(1);
  Vtop top;
  Checks check;
  Random r{1};
  std::deque<uint16_t> held[cells];
  uint16_t data[cells] = {};
  unsigned busy[cells] = {};
  top.clk_i = 0;
  top.in_valid_i = top.out_ready_i = 0;
  top.rst_ni = 0;
  for (int i = 0; i < 3; i++) clock(top);
  top.rst_ni = 1;
  unsigned fill = 50, drain = 50;
  uint64_t full_seen = 0, empty_seen = 0;
  const auto word = [&](unsigned c) { return static_cast<uint16_t>(top.out_data_o[c / 2] >> (c % 2 * 16)); };
  for (uint64_t n = cycles(argc, argv); n > 0; n--) {
    if (r.below(64) == 0) {
      const unsigned rates[] = {0, 10, 50, 90, 100};
      fill = rates[r.below(5)];
      drain = rates[r.below(5)];
    }
    for (unsigned c = 0; c < cells; c++) {
      // An offered word stays until it is taken.
      if (!(top.in_valid_i >> c & 1)) {
        data[c] = static_cast<uint16_t>(r.next());
        if (r.percent(fill)) top.in_valid_i |= static_cast<CData>(1u << c);
      }
      top.out_ready_i = static_cast<CData>((top.out_ready_i & ~(1u << c)) | (r.percent(drain) ? 1u << c : 0));
    }
    top.in_data_i[0] = data[0] | static_cast<uint32_t>(data[1]) << 16;
    top.in_data_i[1] = data[2] | static_cast<uint32_t>(data[3]) << 16;
    top.in_data_i[2] = data[4];
    top.eval();
    uint32_t taken = 0;
    for (unsigned c = 0; c < cells; c++) {
      const bool valid = top.out_valid_o >> c & 1, ready = top.in_ready_o >> c & 1;
      check.that(ready == (held[c].size() < depth[c]), "ready exactly when there is room", c);
      full_seen += held[c].size() == depth[c];
      empty_seen += held[c].empty();
      // Spare passes a word on in the cycle in which it comes.
      const bool comes = ready && (top.in_valid_i >> c & 1);
      if (comes && c == spare) held[c].push_back(data[c]);
      check.that(valid == !held[c].empty(), "offers a word exactly when it holds one", c);
      if (c < 4) check.that((top.count_o >> (4 * c) & 15) == held[c].size(), "count", c);
      if (valid && !held[c].empty()) check.that(word(c) == held[c].front(), "order and payload", c);
      if (valid && (top.out_ready_i >> c & 1)) held[c].pop_front();
      if (comes && c != spare) held[c].push_back(data[c]);
      if (comes) taken |= 1u << c;
      // Two words of room are enough for one word every cycle, and so is a spare one beside those that pass.
      busy[c] = fill == 100 && drain == 100 ? busy[c] + 1 : 0;
      if ((depth[c] >= 2 || c == spare) && busy[c] > 10) check.that(valid && ready, "a word every cycle", c);
    }
    clock(top);
    top.in_valid_i &= static_cast<CData>(~taken);
  }
  check.that(full_seen > 100 && empty_seen > 100, "full and empty were reached");
  return check.finish("stream cells");
}
