// SPDX-License-Identifier: Apache-2.0
// Memories: contents, byte enables, data held without a read or zero then, old data when read and written at once; rows
// of words, read word by word. Of a memory with RACE the half that is not written is right, whatever becomes of the
// other.
#include "tests/rtl/lib/test.h"

static const uint32_t LOW = 0xffff, HIGH = 0xffff0000;

// What a memory of 16 rows of four words should hold, and show.
struct Rows {
  uint32_t word[64] = {};
  bool written[16] = {};
  uint32_t shown = 0;
  bool read = false;
  uint64_t reads = 0;

  // Drives a cycle: never a word of the row that is written, none before it was written.
  void drive(Vtop &top, Random &r) {
    top.row_en_i = r.percent(40);
    top.row_addr_i = static_cast<CData>(r.below(16));
    for (unsigned w = 0; w < 4; w++) top.row_data_i[w] = static_cast<uint32_t>(r.next());
    top.word_addr_i = static_cast<CData>(r.below(64));
    const unsigned row = top.word_addr_i / 4;
    top.word_en_i = written[row] && !(top.row_en_i && row == top.row_addr_i) && r.percent(70);
  }

  void look(Vtop &top, Checks &check) {
    if (read) check.that(top.word_o == shown, "a word of a row");
    if (top.word_en_i) {
      shown = word[top.word_addr_i];
      read = true;
      reads++;
    }
    if (!top.row_en_i) return;
    written[top.row_addr_i] = true;
    for (unsigned w = 0; w < 4; w++) word[4 * top.row_addr_i + w] = top.row_data_i[w];
  }
};

int main(int argc, char **argv) {
  Verilated::randReset(2);
  Verilated::randSeed(1);
  Vtop top;
  Checks check;
  Random r{1};
  uint32_t bytes[64], whole[64], lut[64], race[64], bytes_out = 0, whole_out = 0, race_out = 0, race_known = 0;
  uint32_t address = 0; // of the constants shown
  uint64_t collisions = 0, halves = 0;
  top.clk_i = 0;
  top.rd_en_i = 0;
  top.wr_en_i = 0;
  top.rst_ni = 1;
  top.row_en_i = 0;
  top.word_en_i = 0;
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
    if (a < 48) bytes[a] = lut[a] = race[a] = top.wr_data_i;
    clock(top);
  }
  bool read = false;
  uint32_t zero_out = 0;
  Rows rows;
  for (uint64_t n = cycles(argc, argv); n > 0; n--) {
    top.wr_en_i = static_cast<CData>(r.below(16));
    top.wr_addr_i = static_cast<CData>(r.below(48));
    top.wr_data_i = static_cast<uint32_t>(r.next());
    top.rd_en_i = r.percent(70);
    top.rd_addr_i = r.percent(30) ? top.wr_addr_i : static_cast<CData>(r.below(48));
    rows.drive(top, r);
    top.eval();
    rows.look(top, check);
    check.that(top.async_o == lut[top.rd_addr_i], "asynchronous read");
    if (top.rd_en_i) check.that(top.live_o == bytes[top.rd_addr_i], "asynchronous read, byte enables");
    if (read) {
      check.that(top.bytes_o == bytes_out, "synchronous read, byte enables");
      check.that(top.whole_o == whole_out, "synchronous read");
      check.that(((top.race_o ^ race_out) & race_known) == 0, "synchronous read of halves");
      check.that(top.zero_o == zero_out, "synchronous read, zero where there was none");
      check.that(top.constant_o == address * 0x9e3779b1, "a constant");
      check.that(top.other_o == (63 - address) * 0x9e3779b1, "a constant, second reader");
    }
    const uint32_t written = (top.wr_en_i & 1 ? LOW : 0) | (top.wr_en_i & 4 ? HIGH : 0);
    zero_out = top.rd_en_i ? whole[top.rd_addr_i] : 0;
    if (top.rd_en_i) {
      address = top.rd_addr_i;
      bytes_out = bytes[top.rd_addr_i];
      whole_out = whole[top.rd_addr_i];
      race_out = race[top.rd_addr_i];
      race_known = top.rd_addr_i == top.wr_addr_i ? ~written : ~0u;
      halves += race_known == LOW || race_known == HIGH;
      read = true;
      collisions += top.wr_en_i != 0 && top.rd_addr_i == top.wr_addr_i;
    }
    for (unsigned b = 0; b < 4; b++) {
      const uint32_t mask = 0xffu << (8 * b);
      if (top.wr_en_i >> b & 1) bytes[top.wr_addr_i] = (bytes[top.wr_addr_i] & ~mask) | (top.wr_data_i & mask);
    }
    race[top.wr_addr_i] = (race[top.wr_addr_i] & ~written) | (top.wr_data_i & written);
    if (top.wr_en_i & 1) whole[top.wr_addr_i] = lut[top.wr_addr_i] = top.wr_data_i;
    clock(top);
  }
  check.that(collisions > 100, "read and write met");
  check.that(halves > 100, "a half was read as the other was written");
  check.that(rows.reads > 100, "words of rows were read");
  return check.finish("memories");
}
