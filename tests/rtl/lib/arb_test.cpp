// SPDX-License-Identifier: Apache-2.0
// Arbiters: one grant, only to who asks, fairness (whoever keeps asking is served within N takes), priority that stays
// without a take. Bit helpers against loops.
#include "tests/rtl/lib/test.h"

// Grant of a round-robin arbiter of n requesters that served `last` last.
static unsigned expected(unsigned req, unsigned n, unsigned last) {
  for (unsigned i = 1; i <= n; i++)
    if (req >> ((last + i) % n) & 1) return 1u << ((last + i) % n);
  return 0;
}

static unsigned index_of(unsigned onehot) {
  unsigned i = 0;
  while (onehot >> i > 1) i++;
  return i;
}

int main(int argc, char **argv) {
  Verilated::randReset(2);
  Verilated::randSeed(1);
  Vtop top;
  Checks check;
  Random r{1};
  top.clk_i = 0;
  top.req_i = 0;
  top.take_i = 0;
  top.rst_ni = 0;
  for (int i = 0; i < 3; i++) clock(top);
  top.rst_ni = 1;
  unsigned last3 = 2, last8 = 7, waited[8] = {}, rate = 50;
  for (uint64_t n = cycles(argc, argv); n > 0; n--) {
    if (r.below(32) == 0) rate = r.below(101);
    for (unsigned i = 0; i < 8; i++) {
      // A request stays until it is served, mostly.
      if (!(top.req_i >> i & 1) || r.percent(5))
        top.req_i = static_cast<CData>((top.req_i & ~(1u << i)) | (r.percent(rate) ? 1u << i : 0));
      if (!(top.req_i >> i & 1)) waited[i] = 0;
      if (i % 2 == 0) top.data_i[i / 2] = static_cast<uint32_t>(r.next());
    }
    top.take_i = r.percent(70);
    top.eval();
    const unsigned req = top.req_i;
    check.that(top.rr1_o == (req & 1), "one requester");
    check.that(top.rr3_o == expected(req & 7, 3, last3), "round robin of 3");
    check.that(top.rr8_o == expected(req, 8, last8), "round robin of 8");
    check.that(top.fixed_o == (req & (0u - req)) && top.lowest_o == top.fixed_o, "fixed priority");
    check.that(top.lowest_any_o == (req != 0) && (req == 0 || top.lowest_index_o == index_of(req & (0u - req))),
               "lowest one");
    const auto word = [&top](unsigned i) { return static_cast<uint16_t>(top.data_i[i / 2] >> (i % 2 * 16)); };
    check.that(top.choice_o == (word(req % 8) | word((req + 1) % 8)), "choice by number", req % 8);
    if (top.rr8_o != 0) {
      const unsigned i = index_of(top.rr8_o);
      check.that(top.index_o == i, "index of one-hot");
      check.that(top.data_o == word(i), "one-hot mux", i);
    } else {
      check.that(top.index_o == 0 && top.data_o == 0, "nothing selected");
    }
    unsigned served = 0;
    if (top.take_i) {
      if (top.rr3_o) last3 = index_of(top.rr3_o);
      if (top.rr8_o) {
        last8 = index_of(top.rr8_o);
        served = top.rr8_o;
        for (unsigned i = 0; i < 8; i++) {
          waited[i] = served >> i & 1 ? 0 : waited[i] + (req >> i & 1);
          check.that(waited[i] < 8, "served within N takes", i);
        }
      }
    }
    clock(top);
    top.req_i &= static_cast<CData>(~served | r.next());
  }
  return check.finish("arbiters and bits");
}
