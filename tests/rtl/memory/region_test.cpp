// SPDX-License-Identifier: Apache-2.0
// The region check alone: beats of random instructions against random tables (overlapping, empty, byte-granular) and
// spaces that begin at 0, each lane judged by a plain search; then buffers in turns, which must cost nothing.
#include <memory>

#include <Vtop.h>
#include "tests/rtl/memory/bench.h"
#include <verilated.h>

namespace {
enum Kind : unsigned { REGION, SHARED, LOCAL, CONST }; // mem_pkg::range_e
constexpr unsigned RANGES = 18;                        // two spaces and sixteen regions

struct Instruction {
  unsigned kind;
  bool generic, write;
  unsigned pc, bank; // bytes of its constant bank
};

struct Beat {
  uint32_t need = 0, flat[4] = {};
  uint64_t addr[32] = {};
  unsigned size = 1;
};

struct Judged {
  uint32_t left = 0, protect = 0;
};

struct Bench {
  std::unique_ptr<Vtop> top = std::make_unique<Vtop>();
  Random rnd;
  Checks checks;
  uint64_t base[16] = {}, limit[16] = {}, cycles = 0, easy = 0, slow = 0, good = 0, bad = 0;
  uint32_t write = 0;
  unsigned shared = 0, local = 0;
  explicit Bench(uint64_t seed) : rnd{seed} {}

  // The table answers in the same cycle.
  void settle() {
    top->eval();
    top->region_base_i = base[top->region_index_o];
    top->region_limit_i = limit[top->region_index_o];
    top->eval();
  }
  void clock() {
    settle();
    top->clk_i = 1;
    top->eval();
    top->clk_i = 0;
    top->eval();
    cycles++;
  }
  void reset();
  void table(unsigned number);
  void launch();
  void begin(const Instruction &x, bool event);
  Beat beat(const Instruction &x, uint64_t origin);
  Judged judge(const Instruction &x, const Beat &b) const;
  bool pass(const Instruction &x, const Beat &b, bool last, const Instruction &next, bool here);
  Instruction instruction();
  void random();
  void turns();
};

void Bench::reset() {
  Vtop &t = *top;
  t.need_i = 0;
  t.invalidate_i = t.start_i = t.move_i = t.slow_i = t.leave_i = 0;
  put_bits(bytes(t.flat_i), 0, 3 * LANES, 0);
  t.rst_ni = 0;
  clock();
  clock();
  t.rst_ni = 1;
}

void Bench::launch() {
  top->region_write_i = static_cast<uint16_t>(write);
  top->shared_bytes_i = shared;
  top->local_bytes_i = local;
  top->invalidate_i = 1;
  clock();
  top->invalidate_i = 0;
}

void Bench::table(unsigned number) {
  uint64_t origin = rnd.next() & 0xfffffff000u;
  write = rnd.u32() & 0xffff;
  for (unsigned i = 0; i < 16; i++) {
    base[i] = (origin + rnd.below(4096)) & 0xffffffffffu;
    limit[i] = rnd.percent(25) ? 0 : base[i] + rnd.below(i % 2 ? 64 : 1024);
    if (number % 10 == 0 && i == 3) base[i] = 0xffffffff00u, limit[i] = 0x10000000000u; // up to the last byte
  }
  shared = rnd.below(4096);
  local = rnd.below(4096);
  launch();
}

// An instruction begins: shown as it arrives, or in the last cycle of a slow beat before it.
void Bench::begin(const Instruction &x, bool event) {
  top->start_kind_i = x.kind;
  top->start_generic_i = x.generic;
  top->start_pc_i = x.pc;
  // Its bank is one of four; the others have other sizes.
  top->start_cbank_i = x.pc % 4;
  for (unsigned bit = 0; bit < 4 * 17; bit++) {
    unsigned bytes = bit / 17 == x.pc % 4 ? x.bank : x.bank + 1 + bit / 17;
    if (bit % 32 == 0) top->cbank_bytes_i[bit / 32] = 0;
    top->cbank_bytes_i[bit / 32] |= (bytes >> bit % 17 & 1) << bit % 32;
  }
  if (!event) return;
  top->start_i = 1;
  clock();
  top->start_i = 0;
}

Instruction Bench::instruction() {
  Instruction x;
  x.generic = rnd.percent(40);
  x.kind = x.generic || rnd.percent(50) ? unsigned(REGION) : 1 + rnd.below(3);
  x.write = x.kind != CONST && rnd.percent(50);
  x.pc = rnd.below(16);
  x.bank = rnd.below(4096);
  return x;
}

Beat Bench::beat(const Instruction &x, uint64_t origin) {
  Beat b;
  b.need = rnd.percent(10) ? 0 : LANES == 32 ? rnd.u32() : rnd.u32() & ((1u << LANES) - 1);
  b.size = 1u << rnd.below(5);
  unsigned spread = rnd.percent(50) ? 16 : 4096;
  uint64_t at = rnd.percent(10) ? 0xffffffff00u : origin + rnd.below(4096);
  unsigned mixed = rnd.below(3); // of a generic beat: all global, all elsewhere, both
  for (unsigned l = 0; l < LANES; l++) {
    unsigned kind = x.kind;
    if (x.generic) kind = mixed == 0 ? unsigned(REGION) : mixed == 1 ? unsigned(SHARED) : rnd.below(3);
    if (kind != REGION) b.flat[kind] |= 1u << l;
    b.addr[l] = (kind == REGION ? at + rnd.below(spread) : rnd.below(4200)) & 0xffffffffffu & ~uint64_t(b.size - 1);
  }
  return b;
}

Judged Bench::judge(const Instruction &x, const Beat &b) const {
  Judged j;
  for (unsigned l = 0; l < LANES; l++) {
    if (!(b.need >> l & 1)) continue;
    uint64_t a = b.addr[l];
    bool in = false, ok = false;
    if (b.flat[SHARED] >> l & 1) {
      ok = a + b.size <= shared;
    } else if (b.flat[LOCAL] >> l & 1) {
      ok = a + b.size <= local;
    } else if (b.flat[CONST] >> l & 1) {
      ok = a + b.size <= x.bank;
    } else {
      for (unsigned i = 0; i < 16; i++)
        if (limit[i] && a >= base[i] && a + b.size <= limit[i]) {
          in = true;
          ok = ok || !x.write || (write >> i & 1);
        }
    }
    if (ok) continue;
    j.left |= 1u << l;
    if (in) j.protect |= 1u << l;
  }
  return j;
}

// A beat through both stages; whether it was easy. `here`: the next instruction waits already as the last beat leaves.
bool Bench::pass(const Instruction &x, const Beat &b, bool last, const Instruction &next, bool here) {
  Vtop &t = *top;
  Judged j = judge(x, b);
  good += __builtin_popcount(b.need & ~j.left);
  bad += __builtin_popcount(j.left);
  t.need_i = b.need;
  t.write_i = x.write;
  t.size_mask_i = static_cast<uint8_t>(b.size - 1);
  t.ck_write_i = t.write_i;
  t.ck_size_mask_i = t.size_mask_i;
  t.ck_pc_i = x.pc;
  t.ck_last_i = last;
  for (unsigned l = 0; l < LANES; l++) {
    put_bits(bytes(t.addr_i), 40 * l, 40, b.addr[l]);
    put_bits(bytes(t.ck_addr_i), 40 * l, 40, b.addr[l]);
  }
  for (unsigned k = SHARED; k <= CONST; k++) {
    put_bits(bytes(t.flat_i), LANES * (k - 1), LANES, b.flat[k]);
    put_bits(bytes(t.ck_flat_i), LANES * (k - 1), LANES, b.flat[k]);
  }
  settle();
  bool was_easy = t.easy_o;
  checks.that(!was_easy || !j.left, "easy, though a lane does not pass", j.left);
  t.move_i = 1;
  clock();
  t.move_i = 0;
  t.need_i = rnd.u32() & (LANES == 32 ? 0xffffffffu : (1u << LANES) - 1); // another beat, which must not matter
  for (unsigned l = 0; l < LANES; l++) put_bits(bytes(t.addr_i), 40 * l, 40, rnd.next() & 0xffffffffffu);
  t.slow_i = !was_easy;
  settle();
  if (!was_easy) {
    uint64_t from = cycles;
    while (!t.done_o && cycles - from < 200) {
      clock();
      settle();
    }
    checks.that(t.done_o, "decided in the end", b.need);
    checks.that(cycles - from <= 2 + RANGES, "a cycle for each range at most", cycles - from);
    while (rnd.percent(20)) clock(); // the report of another stands in the way
    settle();
  }
  checks.that(t.left_o == j.left, "lanes that do not pass", t.left_o, j.left);
  checks.that(t.protect_o == j.protect, "not writable", t.protect_o, j.protect);
  if (here) begin(next, false);
  t.leave_i = 1;
  clock();
  t.leave_i = 0;
  t.slow_i = 0;
  (was_easy ? easy : slow)++;
  return was_easy;
}

void Bench::random() {
  for (unsigned number = 0; number < 200; number++) {
    table(number);
    Instruction x = instruction();
    begin(x, true);
    for (unsigned k = 0; k < 200 && checks.failed < 20; k++) {
      bool last = rnd.percent(50);
      Instruction next = instruction();
      bool here = last && rnd.percent(50);
      bool was_easy = pass(x, beat(x, base[0] & ~uint64_t(0xfff)), last, next, here);
      if (!last) continue;
      x = next;
      if (was_easy || !here) begin(x, true);
      if (rnd.percent(30)) clock();
    }
  }
}

// Sixteen buffers, one region each in the table's other order, and sixteen instructions that go to them in turns:
// after the first round no beat is slow, and after a new launch it is learnt again.
void Bench::turns() {
  for (unsigned round = 0; round < 2; round++) {
    for (unsigned i = 0; i < 16; i++) base[i] = 0x1000 * ((15 - i) ^ round), limit[i] = base[i] + 0x1000;
    write = 0xffff;
    launch();
    for (unsigned k = 0; k < 20; k++) clock(); // what was known is forgotten meanwhile
    uint64_t learnt = slow;
    for (unsigned k = 0; k < 16 * 8; k++) {
      Instruction x = {REGION, false, true, k % 16, 0};
      Beat b;
      b.need = static_cast<uint32_t>((1ull << LANES) - 1);
      b.size = 16;
      for (unsigned l = 0; l < LANES; l++) b.addr[l] = 0x1000 * (k % 16) + 16 * l;
      begin(x, true);
      bool was_easy = pass(x, b, true, x, false);
      if (k >= 16) checks.that(was_easy, "a buffer that is known costs nothing", k);
    }
    checks.that(slow - learnt == 15, "each buffer but the first is learnt once", slow - learnt);
  }
}
} // namespace

int main(int argc, char **argv) {
  uint64_t seed = argc > 1 ? std::strtoull(argv[1], nullptr, 0) : 1;
  Verilated::randReset(2);
  Verilated::randSeed(static_cast<int>(seed));
  Bench b(seed);
  b.reset();
  b.random();
  b.turns();
  std::printf("region seed %llu: %llu beats easy, %llu slow, %llu lanes pass, %llu do not, %.2f cycles a beat, %llu "
              "checks, %llu failed\n",
              (unsigned long long)seed, (unsigned long long)b.easy, (unsigned long long)b.slow,
              (unsigned long long)b.good, (unsigned long long)b.bad, double(b.cycles) / double(b.easy + b.slow),
              (unsigned long long)b.checks.done, (unsigned long long)b.checks.failed);
  return b.checks.failed || !b.good || !b.bad || !b.easy || !b.slow ? 1 : 0;
}
