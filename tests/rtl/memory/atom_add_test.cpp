// SPDX-License-Identifier: Apache-2.0
// The adder of atomics alone: random and awkward pairs of each format against the host's own addition (F16 through
// doubles, which hold such sums exactly), NaNs by the rules of isa/doc/08, and its latency to the cycle.
#include <cmath>
#include <memory>

#include <Vtop.h>
#include "tests/rtl/memory/atomics.h"
#include "tests/rtl/memory/bench.h"
#include "cosim/verilator/fault_number.hpp"
#include <verilated.h>

namespace {

// Shifts by eight and by one.
unsigned shifts(unsigned n) {
  return n / 8 + n % 8;
}

struct Format {
  unsigned op, exp_bits, frac_bits;
  uint64_t exp(uint64_t x) const { return x >> frac_bits & ((1ull << exp_bits) - 1); }
  uint64_t frac(uint64_t x) const { return x & ((1ull << frac_bits) - 1); }
  bool odd(uint64_t x) const { return exp(x) == (1ull << exp_bits) - 1; }
  bool sign(uint64_t x) const { return x >> (exp_bits + frac_bits) & 1; }
  // Cycles of one number: from its LOAD to its end.
  unsigned cycles(uint64_t v, uint64_t b) const {
    if (odd(v) || odd(b)) return 1;
    auto number = [&](uint64_t x) { return frac(x) | (exp(x) ? 1ull << frac_bits : 0); };
    auto place = [&](uint64_t x) { return exp(x) ? exp(x) : 1; };
    uint64_t mask = (1ull << (exp_bits + frac_bits)) - 1;
    uint64_t big = (b & mask) > (v & mask) ? b : v, low = (b & mask) > (v & mask) ? v : b;
    unsigned distance = static_cast<unsigned>(place(big) - place(low)), e = static_cast<unsigned>(place(big));
    unsigned n = 3 + (distance > 63 ? 0 : shifts(distance));
    unsigned room = 52 - frac_bits + 3; // both as 56 bits, the last of which gathers
    unsigned __int128 x = static_cast<unsigned __int128>(number(big)) << room,
                      full = static_cast<unsigned __int128>(number(low)) << room;
    unsigned __int128 y = distance > 63 ? (full != 0) : full >> distance;
    if (distance <= 63 && (y << distance) != full) y |= 1;
    unsigned __int128 s = sign(v) != sign(b) ? x - y : x + y;
    if (s >> 56) return n + 1;
    while (s != 0 && !(s >> 55) && e > 1) {
      unsigned k = !(s >> 48) && e > 8 ? 8 : 1;
      s <<= k, e -= k, n++;
    }
    return n;
  }
};

constexpr Format F32{ISA_AOP_ADD_F32, 8, 23}, F64{ISA_AOP_ADD_F64, 11, 52}, F16{ISA_AOP_ADD_F16X2, 5, 10};

uint64_t number(Random &rnd, const Format &f) {
  const uint64_t top = (1ull << f.exp_bits) - 1, frac = (1ull << f.frac_bits) - 1;
  uint64_t e, m;
  switch (rnd.below(8)) {
  case 0:
    e = 0;
    break;
  case 1:
    e = top - rnd.below(2);
    break;
  case 2:
    e = rnd.below(12);
    break;
  default:
    e = top / 2 + rnd.below(f.exp_bits == 5 ? 12 : 70) - (f.exp_bits == 5 ? 6 : 35);
  }
  switch (rnd.below(5)) {
  case 0:
    m = rnd.below(2) ? 0 : frac;
    break;
  case 1:
    m = 1ull << rnd.below(f.frac_bits);
    break;
  case 2:
    m = frac - rnd.below(3);
    break;
  default:
    m = rnd.next() & frac;
  }
  return (uint64_t(rnd.below(2)) << f.exp_bits | e) << f.frac_bits | m;
}

} // namespace

int main(int argc, char **argv) {
  uint64_t seed = argc > 1 ? std::strtoull(argv[1], nullptr, 0) : 1, count = 200000, fault = 0;
  if (argc > 2) fault = std::strtoull(argv[2], nullptr, 0);
  Verilated::randReset(2);
  Verilated::randSeed(static_cast<int>(seed));
  if (fault) heddle_fault() = static_cast<unsigned>(fault);
  auto top = std::make_unique<Vtop>();
  Vtop &t = *top;
  Random rnd{seed};
  Checks checks;
  checks.quiet = fault != 0;
  auto clock = [&] {
    t.eval();
    t.clk_i = 1;
    t.eval();
    t.clk_i = 0;
    t.eval();
  };
  // atom_pkg::add_req_t, from its lowest field on: take, b, v, op, valid.
  auto ask = [&](bool valid, uint8_t op, uint64_t v, uint64_t b, bool take) {
    t.add_req_i[0] = static_cast<uint32_t>(b << 1 | (take ? 1 : 0));
    t.add_req_i[1] = static_cast<uint32_t>(b >> 31);
    t.add_req_i[2] = static_cast<uint32_t>(b >> 63 | v << 1);
    t.add_req_i[3] = static_cast<uint32_t>(v >> 31);
    t.add_req_i[4] = static_cast<uint32_t>(v >> 63 | uint32_t{op} << 1 | (valid ? 1u << 7 : 0u));
  };
  ask(false, 0, 0, 0, false);
  t.rst_ni = 0;
  clock();
  clock();
  t.rst_ni = 1;
  clock();
  unsigned most = 0;
  for (uint64_t i = 0; i < count && checks.failed < 20; i++) {
    const Format &f = i % 3 == 0 ? F32 : i % 3 == 1 ? F64 : F16;
    uint64_t v = number(rnd, f), b = number(rnd, f);
    if (rnd.percent(20)) b = v ^ (rnd.next() & 7) ^ (uint64_t(rnd.below(2)) << (f.exp_bits + f.frac_bits));
    unsigned want_cycles = f.cycles(v, b) + 1;
    if (f.op == F16.op) {
      uint64_t v2 = number(rnd, f), b2 = number(rnd, f);
      want_cycles += f.cycles(v2, b2);
      v |= v2 << 16;
      b |= b2 << 16;
    }
    uint64_t want = float_result(f.op, v, b), mask = f.op == F64.op ? ~0ull : 0xffffffffu;
    checks.that(!t.add_done_o, "ready", i);
    uint64_t high = f.op == F64.op ? 0 : ~0ull << 32;
    ask(true, static_cast<uint8_t>(f.op), v | (rnd.next() & high), b | (rnd.next() & high), false);
    clock();
    ask(false, static_cast<uint8_t>(rnd.below(64)), rnd.next(), rnd.next(), false);
    unsigned cycles = 1;
    for (; !t.add_done_o && cycles < 100; cycles++) clock();
    most = std::max(most, f.op == F16.op ? 0 : cycles);
    checks.that((t.add_sum_o & mask) == want, "sum", t.add_sum_o & mask, want);
    checks.that(cycles == want_cycles, "latency", cycles, want_cycles);
    for (unsigned k = rnd.below(3); k > 0; k--) clock();
    checks.that(t.add_done_o && (t.add_sum_o & mask) == want, "held until taken", t.add_sum_o & mask, want);
    ask(false, 0, 0, 0, true);
    clock();
    ask(false, 0, 0, 0, false);
  }
  checks.that(most <= 19, "never longer", most);
  std::printf("atom_add seed %llu: at most %u cycles, %llu checks, %llu failed\n", (unsigned long long)seed, most,
              (unsigned long long)checks.done, (unsigned long long)checks.failed);
  if (fault) return checks.failed ? 0 : 1;
  return checks.failed || most < 15 ? 1 : 0;
}
