// SPDX-License-Identifier: Apache-2.0
// Random requests of all kinds, of several SMs, on hot lines against `l2_bank`, under the most hostile memory. --fault
// N expects that fault (lab/verify/faults) to be found; --rate measures latency and throughput and holds them to what
// is promised.
#include "tests/rtl/arguments.h"
#include "tests/rtl/l2/l2_bench.h"
#include "cosim/verilator/fault_number.hpp"

Bench::Bench(uint64_t seed) : rnd{seed} {
  top.eval();
  bits = top.cfg_bits_o;
  tags = top.cfg_tags_o;
  tag_w = top.cfg_tag_w_o;
  sms = top.cfg_sms_o;
  all_tags = sms << tag_w;
  entries = top.cfg_entries_o;
  atoms = top.cfg_atoms_o;
  warps = top.cfg_warps_o;
  banks = top.cfg_banks_o;
  sets = top.cfg_sets_o;
  ways = top.cfg_ways_o;
  beat_bytes = bits / 8;
  beats = LINE / beat_bytes;
  by_tag.resize(all_tags);
  axi = std::make_unique<LineMemory<Vtop>>(rnd, checks, BASE, 2 * WRITTEN * LINE * banks, bits);
  for (auto &x : axi->data) x = static_cast<uint8_t>(rnd.u32());
  memory = axi->data;
  known.resize(memory.size());
  since.resize(memory.size());
  axi->cache = true;
  // What a write-back that failed should have brought is gone.
  axi->refused = [this](uint64_t addr, unsigned n, const bool *strb) {
    for (unsigned k = 0; k < n; k++)
      if (strb[k]) memory[addr - BASE + k] = axi->data[addr - BASE + k];
    lost.push_back(addr / LINE);
  };
}

uint8_t *Bench::bytes_of(uint64_t line) {
  return &memory[line * LINE - BASE];
}

void Bench::reset() {
  top.rst_ni = 0;
  top.lw_valid_i = top.lq_valid_i = top.la_ready_i = top.ld_ready_i = top.rvalid_i = top.bvalid_i = 0;
  top.arready_i = top.awready_i = top.wready_i = top.flush_i = 0;
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
  top.ld_ready_i = rnd.percent(take_percent);
  top.flush_i = flush;
  top.flush_keep_i = keep;
  top.flush_base_i = flush_base;
  top.flush_limit_i = flush_limit;
  axi->drive(top, now);
  top.eval();
  axi->sample(top, now);
  // A beat or an answer that was not taken stays.
  const uint64_t value = top.la_tag_o ^ uint64_t(top.la_done_o) << 16 ^ uint64_t(top.la_err_o) << 17 ^
                         (top.la_done_o ? 0 : uint64_t(top.la_lane_o) << 18 ^ top.la_old_o << 24);
  if (held) checks.that(top.la_valid_o && value == held_value, "an answer changed while it waited");
  held = top.la_valid_o && !top.la_ready_i;
  held_value = value;
  const uint64_t beat = top.ld_tag_o ^ uint64_t(top.ld_beat_o) << 16 ^ uint64_t(*bytes(top.ld_data_o)) << 24;
  if (beat_held) checks.that(top.ld_valid_o && beat == beat_value, "a beat changed while it waited");
  beat_held = top.ld_valid_o && !top.ld_ready_i;
  beat_value = beat;
  check();
  checks.that(!top.flushed_o || (flush && (!top.dirty_o || flush_base || flush_limit != LINES) && axi->idle()),
              "a flush is over while something is dirty");
  checks.that(top.lost_o == !lost.empty() || lost_at + 2 > now, "a failed write-back is told", top.lost_o, lost.size());
  if (lost.empty()) lost_at = now;
  if (top.lost_o && !lost.empty())
    checks.that(top.lost_line_o == lost[0], "the first that failed", top.lost_line_o, lost[0]);
  seen = {top.lq_valid_i != 0,
          top.arvalid_o != 0,
          top.awvalid_o != 0,
          top.wvalid_o != 0,
          top.rvalid_i != 0,
          top.rvalid_i && top.rlast_i,
          top.bvalid_i != 0,
          top.ld_valid_o && top.ld_ready_i,
          top.la_valid_o && top.la_done_o,
          top.rec_valid_o != 0};
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
  answer_percent = take_percent = 100;
  while ((offer || busy() || !axi->idle()) && checks.failed < 20 && now - progress < 20000) cycle(false);
  checks.that(axi->idle(), "memory has answered all that it was asked for");
  for (unsigned i = 0; i < entries + atoms + 4; i++) cycle(false);
  checks.that(!offer && !busy(), "all requests ended");
  checks.that(credits == entries && atom_credits == atoms, "all credits are back", credits, atom_credits);
  checks.that(top.dirty_o || axi->data == memory, "what memory lacks is told");
}

uint64_t Bench::flush_over() {
  flush = true;
  answer_percent = take_percent = 100;
  const uint64_t begun = now;
  bool over = false;
  while (!over && now - begun < 200000 && checks.failed < 20) {
    cycle(false);
    over = top.flushed_o;
    progress = now;
  }
  checks.that(over, "a flush ends");
  const uint64_t took = now - begun;
  flushes++;
  flush = false;
  cycle(false);
  return took;
}

// Requests may wait meanwhile: none of them is performed.
void Bench::flushed() {
  flush_over();
  checks.that(axi->data == memory, "memory equals the reference after a flush");
}

void Bench::flushed_range(bool keeps, uint64_t base, uint64_t limit) {
  quiet();
  const std::vector<uint8_t> before = axi->data;
  const uint64_t lost_limit = axi->lost_limit; // a line that is kept, and did not reach memory, has two values
  axi->lost_limit = axi->lost_base;
  keep = keeps;
  flush_base = base;
  flush_limit = limit;
  flush_over();
  bool has = true, left = true;
  for (uint64_t line = BASE / LINE; line < (BASE + memory.size()) / LINE; line++) {
    const size_t at = line * LINE - BASE;
    const bool meant = line >= base && line < limit;
    const bool same = !std::memcmp(&axi->data[at], &memory[at], LINE);
    has &= !meant || same;
    left &= meant || !std::memcmp(&axi->data[at], &before[at], LINE);
    spared += !meant && !same;
  }
  checks.that(has, "memory has the lines of a flush", base, limit);
  checks.that(left, "a flush writes no other line", base, limit);
  // Once more, and nothing is written.
  const uint64_t writes = axi->writes;
  flush_over();
  checks.that(axi->writes == writes, "a line is written once", axi->writes, writes);
  if (keeps && !base && limit == LINES) since.assign(since.size(), false);
  keep = false;
  flush_base = 0;
  flush_limit = LINES;
  axi->lost_limit = lost_limit;
}

// A host's bytes stand beside the device's in one row; each is of whoever wrote it last.
void Bench::host_writes() {
  quiet();
  for (size_t i = 0; i < memory.size(); i++) {
    const uint64_t line = (BASE + i) / LINE;
    if (line % banks != banks - 1 || since[i] || unreadable(line) || !rnd.percent(20)) continue;
    if (BASE + i >= axi->lost_base && BASE + i < axi->lost_limit) continue;
    beside += std::find(since.begin() + long(i / 8 * 8), since.begin() + long(i / 8 * 8 + 8), true) !=
              since.begin() + long(i / 8 * 8 + 8);
    axi->data[i] = memory[i] = static_cast<uint8_t>(rnd.u32());
  }
  flushed();
}

namespace {
// A flush of a range, with or without an end, of which the lines stay or not.
void some_lines(Bench &b) {
  const uint32_t most = std::min(b.lines, WRITTEN) * b.banks;
  const uint64_t base = b.rnd.percent(20) ? 0 : BASE / LINE + b.rnd.below(most);
  const uint64_t limit = b.rnd.percent(30) ? LINES : BASE / LINE + b.rnd.below(most + 1);
  b.flushed_range(b.rnd.percent(50), base, limit);
}

int random_test(Bench &b, uint64_t count, bool fault) {
  unsigned deaf = 0;     // cycles in which no answer is taken
  bool kept_all = false; // by the last flush: then it is the host's turn
  b.axi->err_base = BASE + 3 * b.banks * LINE;
  b.axi->err_limit = BASE + 4 * b.banks * LINE;
  b.axi->lost_base = BASE + 20 * b.banks * LINE;
  b.axi->lost_limit = BASE + 22 * b.banks * LINE;
  while (b.sent < count && b.checks.failed < 20 && b.now - b.progress < 20000) {
    if (b.now % 2048 == 0) {
      b.lines = b.rnd.percent(40) ? 1 + b.rnd.below(8) : b.rnd.percent(60) ? 2 * b.sets * b.ways : WRITTEN;
      if (b.lines > WRITTEN) b.lines = WRITTEN;
      b.kinds = b.rnd.percent(70) ? ALL : 1 + b.rnd.below(ALL);
      b.beat_percent = b.rnd.percent(50) ? 100 : 20 + b.rnd.below(80);
      if (b.rnd.percent(10)) b.quiet(); // credits are counted
      if (kept_all) b.host_writes();
      kept_all = b.rnd.percent(10);
      if (kept_all)
        b.flushed_range(true, 0, LINES);
      else if (b.rnd.percent(20))
        b.flushed();
      else if (b.rnd.percent(20))
        some_lines(b);
    }
    if (deaf)
      deaf--;
    else if (b.rnd.permille(5))
      deaf = b.rnd.below(200);
    b.answer_percent = deaf ? 0 : b.now / 1024 % 2 ? 100 : 30;
    b.take_percent = b.now / 4096 % 2 ? 100 : 40;
    b.cycle(true);
  }
  b.quiet();
  b.flushed();
  if (!fault && count >= 20000) {
    for (unsigned op : ATOMICS) b.checks.that(b.met[op] > 100, "every operation in a hundred lanes", op, b.met[op]);
    b.checks.that(b.swapped > 10 && b.swapped < b.met[COMPARE_SWAP], "comparisons that hold, and others", b.swapped);
    b.checks.that(b.together > 1000, "requests that wait for others of their line", b.together);
    b.checks.that(b.beat_and_request > 10, "requests with their last beat", b.beat_and_request);
    b.checks.that(b.errors > 10 && b.gaps > 10, "errors, and lines with gaps", b.errors, b.gaps);
    b.checks.that(b.kept > 10, "loads of what memory does not give, from stores", b.kept);
    b.checks.that(b.lost.size() > 10, "write-backs that fail", b.lost.size());
    b.checks.that(b.flushes > 3, "flushes", b.flushes);
    b.checks.that(b.spared > 10, "lines that a flush did not mean stay dirty", b.spared);
    b.checks.that(b.beside > 10, "bytes of the host's beside the device's", b.beside);
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
  if (fault != 0) heddle_fault() = fault;
  auto b = std::make_unique<Bench>(seed);
  b->checks.quiet = fault != 0;
  b->reset();
  if (rate) return rates(*b);
  int rc = random_test(*b, count, fault != 0);
  std::printf("l2 seed %llu, %u bits, %u SMs, %u lines: %llu requests, %llu records, %llu fetches, %llu write-backs, "
              "%llu flushes, %llu cycles, %llu checks, %llu failed\n",
              (unsigned long long)seed, b->bits, b->sms, b->sets * b->ways, (unsigned long long)b->sent,
              (unsigned long long)b->records, (unsigned long long)b->axi->reads, (unsigned long long)b->axi->writes,
              (unsigned long long)b->flushes, (unsigned long long)b->now, (unsigned long long)b->checks.done,
              (unsigned long long)b->checks.failed);
  if (fault) {
    std::printf("fault %u %s\n", fault, rc ? "found" : "NOT FOUND");
    return rc ? 0 : 1;
  }
  return rc;
}
