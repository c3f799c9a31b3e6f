// SPDX-License-Identifier: Apache-2.0
// Random requests of all kinds on hot lines against `order`, under the most hostile memory. --fault N expects
// that fault (lab/verify/faults) to be found; --rate measures latency and throughput and holds them to what is
// promised.
#include "tests/rtl/arguments.h"
#include "tests/rtl/order/order_bench.h"
#include "cosim/verilator/fault_number.hpp"

Bench::Bench(uint64_t seed) : rnd{seed} {
  top.eval();
  bits = top.cfg_bits_o;
  tags = top.cfg_tags_o;
  atoms = top.cfg_atoms_o;
  warps = top.cfg_warps_o;
  beat_bytes = bits / 8;
  beats = LINE / beat_bytes;
  by_tag.resize(tags);
  axi = std::make_unique<LineMemory<Vtop>>(rnd, checks, BASE, 2 * WRITTEN * LINE, bits);
  for (auto &x : axi->data) x = static_cast<uint8_t>(rnd.u32());
  memory = axi->data;
}

void Bench::reset() {
  top.rst_ni = 0;
  top.lw_valid_i = top.lq_valid_i = top.la_ready_i = top.rvalid_i = top.bvalid_i = 0;
  top.arready_i = top.awready_i = top.wready_i = 0;
  for (int i = 0; i < 3; i++) {
    top.clk_i = 1;
    top.eval();
    top.clk_i = 0;
    top.eval();
  }
  top.rst_ni = 1;
}

void Bench::cycle(bool more) {
  checks.cycle = now;
  send(more);
  top.la_ready_i = rnd.percent(answer_percent);
  axi->drive(top, now);
  top.eval();
  axi->sample(top, now);
  // An answer that was not taken stays.
  static thread_local bool held = false;
  static thread_local uint64_t held_value = 0;
  const uint64_t value = top.la_tag_o ^ uint64_t(top.la_done_o) << 8 ^ uint64_t(top.la_err_o) << 9 ^
                         (top.la_done_o ? 0 : uint64_t(top.la_lane_o) << 10 ^ top.la_old_o << 16);
  if (held) checks.that(top.la_valid_o && value == held_value, "an answer changed while it waited");
  held = top.la_valid_o && !top.la_ready_i;
  held_value = value;
  check();
  seen = {top.lq_valid_i != 0, top.arvalid_o != 0,  top.awvalid_o != 0,
          top.wvalid_o != 0,   top.rvalid_i != 0,   top.rvalid_i && top.rlast_i,
          top.bvalid_i != 0,   top.ld_valid_o != 0, top.la_valid_o && top.la_done_o};
  top.clk_i = 1;
  top.eval();
  top.clk_i = 0;
  now++;
}

bool Bench::busy() const {
  for (auto &p : by_tag)
    if (p) return true;
  return false;
}

void Bench::quiet() {
  answer_percent = 100;
  while ((offer || busy() || !axi->idle()) && checks.failed < 20 && now - progress < 20000) cycle(false);
  for (unsigned i = 0; i < tags + atoms + 4; i++) cycle(false);
  checks.that(!offer && !busy() && axi->idle(), "all requests ended, and nothing is asked of memory");
  checks.that(credits == tags && atom_credits == atoms, "all credits are back", credits, atom_credits);
}

namespace {
int random_test(Bench &b, uint64_t count, bool fault) {
  unsigned deaf = 0; // cycles in which no answer is taken
  b.axi->err_base = BASE + 3 * LINE;
  b.axi->err_limit = fault ? b.axi->err_base : BASE + 4 * LINE;
  while (b.sent < count && b.checks.failed < 20 && b.now - b.progress < 20000) {
    if (b.now % 2048 == 0) {
      b.lines = b.rnd.percent(50) ? 1 + b.rnd.below(8) : WRITTEN;
      b.kinds = b.rnd.percent(70) ? ALL : 1 + b.rnd.below(ALL);
      b.beat_percent = b.rnd.percent(50) ? 100 : 20 + b.rnd.below(80);
      if (b.rnd.percent(10)) b.quiet(); // credits are counted
    }
    if (deaf)
      deaf--;
    else if (b.rnd.permille(5))
      deaf = b.rnd.below(200);
    b.answer_percent = deaf ? 0 : b.now / 1024 % 2 ? 100 : 30;
    b.cycle(true);
  }
  b.quiet();
  b.checks.that(b.axi->data == b.memory, "memory equals the reference");
  if (!fault && count >= 20000) {
    for (unsigned op : ATOMICS) b.checks.that(b.met[op] > 100, "every operation in a hundred lanes", op, b.met[op]);
    b.checks.that(b.swapped > 10 && b.swapped < b.met[COMPARE_SWAP], "comparisons that hold, and others", b.swapped);
    b.checks.that(b.together > 10, "loads of one warp to one line, one behind the other", b.together);
    b.checks.that(b.beat_and_request > 10, "requests with their last beat", b.beat_and_request);
    b.checks.that(b.errors > 10 && b.gaps > 10, "errors, and lines with gaps", b.errors, b.gaps);
    b.checks.that((b.fills > 100) == (CACHE != 0), "refills of a cache where there is one", b.fills);
  }
  return b.checks.failed ? 1 : 0;
}
} // namespace

int main(int argc, char **argv) {
  Arguments args(argc, argv);
  const uint64_t seed = args.number("--seed", 1), count = args.number("--count", 30000);
  const unsigned fault = args.small("--fault", 0);
  const bool rate = args.flag("--rate");
  args.all();
  Verilated::randReset(2);
  Verilated::randSeed(static_cast<int>(seed));
  if (fault) heddle_fault() = fault;
  auto b = std::make_unique<Bench>(seed);
  b->checks.quiet = fault != 0;
  b->reset();
  if (rate) return rates(*b);
  int rc = random_test(*b, count, fault != 0);
  std::printf("order seed %llu, %u bits, %u tags: %llu requests, %llu records, %llu cycles, %llu checks, %llu failed\n",
              (unsigned long long)seed, b->bits, b->tags, (unsigned long long)b->sent, (unsigned long long)b->records,
              (unsigned long long)b->now, (unsigned long long)b->checks.done, (unsigned long long)b->checks.failed);
  if (fault) {
    std::printf("fault %u %s\n", fault, rc ? "found" : "NOT FOUND");
    return rc ? 0 : 1;
  }
  return rc;
}
