// SPDX-License-Identifier: Apache-2.0
// Memories: contents, byte enables, data held without a read, old data when read and written at once.
#include "test.h"

int main(int argc, char **argv) {
  Verilated::randReset(2);
  Verilated::randSeed(1);
  Vtop top;
  Checks check;
  Random r{1};
  uint32_t bytes[64], whole[64], lut[64], bytes_out = 0, whole_out = 0;
  uint64_t collisions = 0;
  top.clk_i = 0;
  top.rd_en_i = 0;
  top.wr_en_i = 0;
  top.eval();
  for (unsigned a = 0; a < 64; a++) {
    top.wr_en_i = 15;
    top.wr_addr_i = static_cast<CData>(a % 48);
    top.wr_data_i = static_cast<uint32_t>(r.next());
    if (a >= 48) {
      top.wr_addr_i = static_cast<CData>(a);
      top.wr_en_i = 1;
    }
    whole[a] = top.wr_data_i;
    if (a < 48) bytes[a] = lut[a] = top.wr_data_i;
    clock(top);
  }
  bool read = false;
  for (uint64_t n = cycles(argc, argv); n > 0; n--) {
    top.wr_en_i = static_cast<CData>(r.below(16));
    top.wr_addr_i = static_cast<CData>(r.below(48));
    top.wr_data_i = static_cast<uint32_t>(r.next());
    top.rd_en_i = r.percent(70);
    top.rd_addr_i = r.percent(30) ? top.wr_addr_i : static_cast<CData>(r.below(48));
    top.eval();
    check.that(top.async_o == lut[top.rd_addr_i], "asynchronous read");
    if (read) {
      check.that(top.bytes_o == bytes_out, "synchronous read, byte enables");
      check.that(top.whole_o == whole_out, "synchronous read");
    }
    if (top.rd_en_i) {
      bytes_out = bytes[top.rd_addr_i];
      whole_out = whole[top.rd_addr_i];
      read = true;
      collisions += top.wr_en_i != 0 && top.rd_addr_i == top.wr_addr_i;
    }
    for (unsigned b = 0; b < 4; b++) {
      const uint32_t mask = 0xffu << (8 * b);
      if (top.wr_en_i >> b & 1) bytes[top.wr_addr_i] = (bytes[top.wr_addr_i] & ~mask) | (top.wr_data_i & mask);
    }
    if (top.wr_en_i & 1) whole[top.wr_addr_i] = lut[top.wr_addr_i] = top.wr_data_i;
    clock(top);
  }
  check.that(collisions > 100, "read and write met");
  return check.finish("memories");
}
