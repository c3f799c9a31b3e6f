// SPDX-License-Identifier: Apache-2.0
// The runs of the bench: random instructions, sustained rates, and faults of the folders operand, writeback and retire
// (lab/verify/faults), which must be noticed.
#include "tests/rtl/arguments.h"
#include "tests/rtl/operand/back_bench.h"

void Bench::random_run(uint64_t count) {
  uint64_t goal = issued + count, idle = 0, before = ~0ull;
  while (issued < goal || busy()) {
    issuing_ = issued < goal;
    step(true);
    uint64_t progress = issued + dispatched + written + mem_beats;
    idle = progress == before ? idle + 1 : 0;
    before = progress;
    if (idle > 2000) {
      error("no progress");
      return;
    }
    if (fault_ && errors) return;
  }
  for (int i = 0; i < 20; i++) step(false);
  if (!writes_.empty()) error("%zu register writes never came", writes_.size());
  if (!preds_.empty()) error("%zu predicate writes never came", preds_.size());
  if (!done_.empty()) error("%zu instructions never ended", done_.size());
  // Read everything back, so that what lies in the file is compared too.
  for (unsigned w = 0; w < warps.size(); w++) {
    for (unsigned r = 0; r < kRegs; r++) {
      forced_ =
          make(w, ISA_ENC_MOV_R, [&](Instr &in) { put(in, ISA_F_RD, ISA_RZ), put(in, ISA_F_RB, r), in.exec = ~0u; });
      while (forced_) step(false);
    }
  }
  while (busy()) step(false);
  for (int i = 0; i < 20; i++) step(false);
}

// Instructions with the operands Rra, Rrb, Rrc, by n_warps warps in turn: cycles from the first beat to the last.
uint64_t Bench::rate(unsigned instrs, unsigned ra, unsigned rb, unsigned rc, unsigned n_warps) {
  while (busy()) step(false);
  rate_first_ = rate_last_ = 0;
  unsigned sent = 0;
  while (sent < instrs || busy()) {
    if (sent < instrs && !forced_) {
      forced_ = make(sent % n_warps, ISA_ENC_LOP3_LUT_RRR, [&](Instr &in) {
        put(in, ISA_F_RD, 16 + sent % 4), put(in, ISA_F_RA, ra), put(in, ISA_F_RB, rb), put(in, ISA_F_RC, rc);
        put(in, ISA_F_PD0, ISA_PT), in.exec = ~0u;
      });
      sent++;
    }
    step(false);
  }
  return rate_last_ - rate_first_ + 1;
}

// With row queues: a lone warp issues two cycles after the last row of its instruction has left, and its next first row
// leaves as it comes to the bus. Of several warps the pipe has rows at all times, and the last of 64 instructions
// issues as the last row of the one leaves that makes room for it.
static uint64_t queued_rate(const Bench &b, unsigned conflicts, bool lone) {
  const unsigned beats = b.beats, apart = std::max(conflicts, b.passes_of_alu());
  if (lone) return 63 * ((beats - 1) * apart + conflicts + 4) + (beats - 1) * conflicts + 1;
  return (beats - 1) * apart + (63 - b.queue_room()) * beats * apart + 2 + beats * conflicts + 1;
}

// Independent instructions of one warp and of all: a row a cycle, each bank conflict one more, each pass of pipe alu
// but the first one more; three cycles from the issue to the first row, with one cycle more for each conflict.
static unsigned rates(uint64_t seed) {
  Bench b(seed, 0);
  static const unsigned operands[][3] = {{0, 1, 2}, {0, 2, 4}, {0, 4, 8}, {0, 4, 1}, {3, 3, 3}, {0, 1, 5}};
  unsigned bad = 0;
  for (auto &o : operands) {
    unsigned in_bank[8]{}, n = 1;
    for (unsigned r : o) n = std::max(n, ++in_bank[r % b.banks()]);
    for (unsigned warps : {1u, static_cast<unsigned>(b.warps.size())}) {
      uint64_t took = b.rate(64, o[0], o[1], o[2], warps), want = (64 * b.beats - 1) * (n + b.passes_of_alu() - 1) + 1;
      if (b.queues()) want = queued_rate(b, n, warps == 1);
      std::printf("R%u, R%u, R%u by %u warps: %llu cycles from the issue to the first row, %llu for %u rows\n", o[0],
                  o[1], o[2], warps, (unsigned long long)b.first_beat_latency, (unsigned long long)took, 64 * b.beats);
      const unsigned first = 2 + n + b.two(); // there is one in front of each of two readers
      if (b.first_beat_latency != first || took != want)
        std::printf("  expected %u and %llu\n", first, (unsigned long long)want), bad++;
    }
  }
  return bad + b.errors;
}

// What the random runs must have met.
static unsigned met(const Bench &b) {
  const auto &s = b.seen;
  std::printf(
      "  reuse: %llu hits, %llu rows shorter for it, %llu entries dropped, %llu too late; conflicts: %llu of two "
      "words, %llu of three; %llu cycles for write ports, %llu for passes; %llu instructions of two places, backlog "
      "%llu; %llu rows waited in queues, %llu times one of each left; %llu times a bank was the other reader's\n",
      (unsigned long long)s.hits, (unsigned long long)s.shorter, (unsigned long long)s.drops,
      (unsigned long long)s.late, (unsigned long long)s.conflicts, (unsigned long long)s.three_reads,
      (unsigned long long)s.port_holds, (unsigned long long)s.kept, (unsigned long long)s.two_places,
      (unsigned long long)s.backlog, (unsigned long long)s.waiting, (unsigned long long)s.both,
      (unsigned long long)s.elsewhere);
  uint64_t least = s.hits;
  for (uint64_t v : {s.shorter, s.drops, s.conflicts, s.three_reads, s.port_holds, s.two_places, s.backlog})
    least = std::min(least, v);
  bool ok = least >= 20 && (b.beats == 1 ? s.late >= 20 : s.late == 0) &&
            (!b.makes_passes() || b.queues() || s.kept >= 20) && (!b.queues() || (s.waiting >= 20 && s.both >= 20)) &&
            (!b.two() || s.elsewhere >= 20);
  if (!ok) std::printf("  too little of something to mean anything\n");
  return !ok;
}

int main(int argc, char **argv) {
  Arguments args(argc, argv);
  const uint64_t count = args.number("--count", 20000), seed = args.number("--seed", 1);
  const unsigned fault = static_cast<unsigned>(args.number("--fault", 0)); // that one alone
  args.all();
  if (fault != 0) {
    Bench b(seed, fault);
    b.random_run(count);
    std::printf("fault %u: %u errors\n", fault, b.errors);
    return b.errors != 0;
  }
  unsigned bad = 0;
  for (uint64_t s = seed; s < seed + 3; s++) {
    Bench b(s, 0);
    b.random_run(count);
    std::printf("seed %llu: %llu instructions, %llu beats, %llu memory beats, %llu writes, %llu cycles, %u errors\n",
                (unsigned long long)s, (unsigned long long)b.issued, (unsigned long long)b.dispatched,
                (unsigned long long)b.mem_beats, (unsigned long long)b.written, (unsigned long long)b.cycle, b.errors);
    bad += b.errors + met(b);
  }
  bad += rates(seed);
  // Lane swap, stale reuse, corrupt write, predicate lane, dropped record, wrong lane in the record.
  for (unsigned number : {5u, 6u, 11u, 18u, 32u, 35u}) {
    Bench b(seed, number);
    b.random_run(count);
    std::printf("fault %u: %s after %llu instructions\n", number, b.errors ? "noticed" : "NOT NOTICED",
                (unsigned long long)b.issued);
    bad += b.errors == 0;
  }
  std::printf("%s\n", bad ? "FAILED" : "ok");
  return bad ? 1 : 0;
}
