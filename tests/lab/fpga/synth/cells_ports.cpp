// SPDX-License-Identifier: Apache-2.0
// usage: cells_ports STEPS SEED: holds cells_ports_tb.sv against what the guides say, written as bits of a memory one
// by one. Prints how many bits were known and compared, and which block or multiplier had a wrong one. Exit status: 0
// none, 1 some.
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <Vcells_ports_tb.h>
#include "tests/rtl/random.h"
#include <verilated.h>

namespace {

enum { NORMAL, THROUGH, BEFORE };
enum { UNKNOWN = 2 }; // a bit is 0, 1, or this

struct Kind { // of a port
  int width, mode;
  bool reg;
  unsigned chosen; // by these chip selects; 8: always
};

struct Inputs {
  bool edge, ce, oce, we, rst;
  unsigned cs, ad;
  uint64_t di;
};

using Bits = std::vector<int>;

struct Port {
  Kind kind;
  bool async, late, held = false;
  Bits latch = Bits(36), out = Bits(36);

  // The bits of the memory, nine a byte, that an address reaches, from the lowest pin on.
  Bits reached(unsigned ad) const {
    Bits bits;
    const int bytes = kind.width == 36 ? 4 : kind.width == 18 ? 2 : 1;
    const unsigned byte = (ad >> 3) / bytes * bytes;
    const int first = kind.width >= 9 ? 0 : static_cast<int>(ad & 7U) / kind.width * kind.width;
    for (int y = 0; y < bytes; y++)
      for (int i = 0; i < (kind.width < 9 ? kind.width : 9); i++)
        bits.push_back(static_cast<int>(byte + y) * 9 + first + i);
    return bits;
  }
  bool enabled(unsigned ad, int pin) const { return kind.width < 18 || (ad >> (pin / 9) & 1U) != 0; }
  bool on(const Inputs &in) const { return in.edge && in.ce && (kind.chosen == 8 || in.cs == kind.chosen); }
  const Bits &pins() const { return kind.reg ? out : latch; }
};

// What a port writes at this edge, as (bit, value).
std::vector<std::pair<int, int>> written(const Port &port, const Inputs &in) {
  std::vector<std::pair<int, int>> all;
  if (!port.on(in) || !in.we) return all;
  const Bits bits = port.reached(in.ad);
  for (size_t i = 0; i < bits.size(); i++)
    if (port.enabled(in.ad, static_cast<int>(i)))
      all.emplace_back(bits[i], in.rst ? UNKNOWN : static_cast<int>(in.di >> i & 1U));
  return all;
}

bool has(const std::vector<std::pair<int, int>> &writes, int bit) {
  for (const auto &write : writes)
    if (write.first == bit) return true;
  return false;
}

void read(Port *port, const Inputs &in, const Bits &memory, const std::vector<std::pair<int, int>> &other) {
  if (!port->on(in) || (in.we && port->kind.mode == NORMAL)) return;
  const Bits bits = port->reached(in.ad);
  port->latch.assign(36, 0);
  for (size_t i = 0; i < bits.size(); i++) {
    int value = memory[bits[i]];
    if (in.we && port->kind.mode == THROUGH)
      value = port->enabled(in.ad, static_cast<int>(i)) ? static_cast<int>(in.di >> i & 1U) : UNKNOWN;
    if (in.we && port->kind.mode == BEFORE && port->kind.width < 9) value = UNKNOWN;
    if (has(other, bits[i]) || port->held) value = UNKNOWN;
    port->latch[i] = value;
  }
}

void reset(Port *port, const Inputs &in) {
  if (!in.rst || (!port->async && !in.edge)) return;
  port->latch.assign(36, port->kind.reg ? UNKNOWN : 0);
  port->out.assign(36, port->async || in.oce ? 0 : UNKNOWN);
}

struct Block {
  Port a, b;
  Bits memory = Bits(2048 * 9);

  void step(Inputs in_a, Inputs in_b) {
    if (a.kind.width == 36) in_b.we = false;
    if (a.async) in_a.ce = in_a.ce && !in_a.rst, in_b.ce = in_b.ce && !in_b.rst;
    if (a.kind.width != 36) in_a.di &= 0x3FFFF;
    const auto writes_a = written(a, in_a), writes_b = written(b, in_b);
    const Bits before_a = a.latch, before_b = b.latch;
    read(&a, in_a, memory, writes_b);
    read(&b, in_b, memory, writes_a);
    if (in_a.edge && in_a.oce) a.out = before_a;
    if (in_b.edge && in_b.oce) b.out = before_b;
    for (const auto &w : writes_a) memory[w.first] = has(writes_b, w.first) ? UNKNOWN : w.second;
    for (const auto &w : writes_b) memory[w.first] = has(writes_a, w.first) ? UNKNOWN : w.second;
    reset(&a, in_a);
    reset(&b, in_b);
    a.held = a.late && ((a.held && !in_a.edge) || in_a.rst);
    b.held = b.late && ((b.held && !in_b.edge) || in_b.rst);
  }
};

Block block(Kind a, Kind b, bool async = false, bool late = false) {
  return Block{Port{a, async, late}, Port{b, async, late}};
}

// As in cells_ports_tb.sv.
std::vector<Block> blocks() {
  return {block({18, NORMAL, false, 8}, {9, THROUGH, true, 8}),
          block({9, BEFORE, false, 8}, {18, BEFORE, false, 8}),
          block({4, THROUGH, true, 8}, {1, NORMAL, false, 8}),
          block({36, NORMAL, true, 8}, {36, NORMAL, true, 8}),
          block({36, NORMAL, false, 8}, {18, NORMAL, false, 8}),
          block({2, BEFORE, false, 8}, {4, BEFORE, false, 8}),
          block({4, THROUGH, true, 5}, {1, NORMAL, true, 2}),
          block({9, NORMAL, true, 8}, {9, NORMAL, false, 8}, true),
          block({18, NORMAL, false, 8}, {18, NORMAL, false, 8}, true, true)};
}

long compared = 0;

// Whether the known bits of `wanted` are those of `seen`, of which `width` count.
bool same(const Bits &wanted, uint64_t seen, int width) {
  bool all = true;
  for (int i = 0; i < width; i++) {
    if (wanted[i] == UNKNOWN) continue;
    compared++;
    all = all && wanted[i] == static_cast<int>(seen >> i & 1U);
  }
  return all;
}

bool same(const Block &block, uint64_t do_a, uint64_t do_b) {
  if (block.b.kind.width == 36) return same(block.b.pins(), do_a | do_b << 18, 36);
  return (block.a.kind.width == 36 || same(block.a.pins(), do_a, block.a.kind.width)) &&
         same(block.b.pins(), do_b, block.b.kind.width);
}

uint64_t pins(const VlWide<6> &all, int n) {
  uint64_t value = 0;
  for (int i = 0; i < 18; i++) value |= static_cast<uint64_t>(all[(18 * n + i) / 32] >> (18 * n + i) % 32 & 1U) << i;
  return value;
}

int64_t extended(uint64_t value) {
  return static_cast<int64_t>(value << 46) >> 46;
}

// The multipliers: registers by the clock that they have, each with an enable and a reset of that number.
struct Multipliers {
  uint64_t a = 0, b = 0, c = 0, product = 0, out = 0, second = 0;

  void step(const Vcells_ports_tb &top, unsigned edges) {
    const auto takes = [&](int n) { return (edges >> n & 1U) && (top.ce >> n & 1U); };
    const auto next = [&](uint64_t *q, int n, uint64_t d) {
      if (takes(n)) *q = top.rst >> n & 1U ? 0 : d;
    };
    const uint64_t mask = (uint64_t{1} << 36) - 1;
    const uint64_t in_a = top.source ? a : top.a, in_b = top.source ? top.c : top.b;
    if ((edges & 2U) && (top.ce & 1U)) second = static_cast<uint64_t>(extended(in_a) * extended(in_b)) & mask;
    if (top.rst & 1U) second = 0; // at once
    next(&out, 3, product);
    next(&product, 0, static_cast<uint64_t>(extended(a) * static_cast<int64_t>(b)) & mask);
    next(&a, 0, top.a);
    next(&b, 1, top.b);
    next(&c, 2, top.c);
  }
  bool same(const Vcells_ports_tb &top) const {
    return top.p[0] == static_cast<IData>(out) &&
           ((top.p[1] | static_cast<uint64_t>(top.p[2]) << 32) & 0xF) == out >> 32 &&
           ((top.p[1] >> 4 | static_cast<uint64_t>(top.p[2]) << 28) & 0xFFFFFFFFF) == second && top.rob == b &&
           top.roc == c && top.sroa == (top.source ? top.c : top.b) && top.signedp;
  }
};

Inputs draw(Random *random) {
  // Few addresses: low bits, and the highest.
  return Inputs{random->percent(60), random->percent(80), random->percent(70),    random->percent(40),
                random->percent(4),  random->below(8),    random->u32() & 0x201F, random->next()};
}

} // namespace

int main(int argc, char **argv) {
  if (argc != 3) return 2;
  VerilatedContext context;
  context.randReset(2);
  context.randSeed(static_cast<int>(strtol(argv[2], nullptr, 10)));
  Vcells_ports_tb top(&context);
  top.clk_a = top.clk_b = top.clk = 0;
  Random random{strtoull(argv[2], nullptr, 10)};
  std::vector<Block> all = blocks();
  Multipliers multipliers;
  unsigned wrong = 0;
  for (long step = strtol(argv[1], nullptr, 10); step > 0; step--) {
    Inputs a = draw(&random), b = draw(&random);
    if (random.one_in(4)) b.ad = a.ad;
    a.di = (a.di & 0x3FFFF) | (b.di & 0x3FFFF) << 18;
    top.ce_a = a.ce, top.oce_a = a.oce, top.we_a = a.we, top.rst_a = a.rst, top.cs_a = a.cs, top.ad_a = a.ad,
    top.di_a = a.di & 0x3FFFF;
    top.ce_b = b.ce, top.oce_b = b.oce, top.we_b = b.we, top.rst_b = b.rst, top.cs_b = b.cs, top.ad_b = b.ad,
    top.di_b = b.di & 0x3FFFF;
    top.a = random.u32() & 0x3FFFF, top.b = random.u32() & 0x3FFFF, top.c = random.u32() & 0x3FFFF,
    top.source = random.one_in(2);
    const unsigned edges = random.below(16);
    top.rst = random.one_in(8) ? random.below(16) : 0;
    top.ce = random.below(16) | top.rst;
    top.eval();
    top.clk_a = a.edge, top.clk_b = b.edge, top.clk = edges;
    top.eval();
    multipliers.step(top, edges);
    for (size_t n = 0; n < all.size(); n++) {
      all[n].step(a, b);
      if (!same(all[n], pins(top.do_a, static_cast<int>(n)), pins(top.do_b, static_cast<int>(n)))) wrong |= 1U << n;
    }
    if (!multipliers.same(top)) wrong |= 1U << 31;
    top.clk_a = top.clk_b = top.clk = 0;
    top.eval();
    context.timeInc(1);
  }
  printf("compared %ld\nwrong %08x\n", compared, wrong);
  top.final();
  return wrong != 0;
}
