// SPDX-License-Identifier: Apache-2.0
// The runs of the bench: random instructions, sustained rates, and each injected fault of the folders operand and
// writeback, which must be noticed.
#include "back_bench.h"

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
      while (warps[w].now || warps[w].free_at > cycle + 1) step(false);
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
      for (unsigned w = 0; w < n_warps && !forced_; w++) {
        if (warps[w].now || warps[w].free_at > cycle + 1) continue;
        forced_ = make(w, ISA_ENC_LOP3_LUT_RRR, [&](Instr &in) {
          put(in, ISA_F_RD, 16 + sent % 4), put(in, ISA_F_RA, ra), put(in, ISA_F_RB, rb), put(in, ISA_F_RC, rc);
          put(in, ISA_F_PD0, ISA_PT), in.exec = ~0u;
        });
        sent++;
      }
    }
    step(false);
  }
  return rate_last_ - rate_first_ + 1;
}

int main(int argc, char **argv) {
  uint64_t count = 20000, seed = 1;
  for (int i = 1; i + 1 < argc; i += 2) {
    if (!std::strcmp(argv[i], "--count")) count = std::strtoull(argv[i + 1], nullptr, 0);
    if (!std::strcmp(argv[i], "--seed")) seed = std::strtoull(argv[i + 1], nullptr, 0);
  }
  unsigned bad = 0;
  for (uint64_t s = seed; s < seed + 3; s++) {
    Bench b(s, 0);
    b.random_run(count);
    std::printf("seed %llu: %llu instructions, %llu beats, %llu memory beats, %llu writes, %llu cycles, %u errors\n",
                (unsigned long long)s, (unsigned long long)b.issued, (unsigned long long)b.dispatched,
                (unsigned long long)b.mem_beats, (unsigned long long)b.written, (unsigned long long)b.cycle, b.errors);
    bad += b.errors;
  }
  {
    Bench b(seed, 0);
    uint64_t one = b.rate(1, 0, 1, 2, 1);
    uint64_t latency = b.first_beat_latency;
    uint64_t one2 = b.rate(1, 0, 2, 4, 1);
    uint64_t many = b.rate(64, 0, 1, 2, static_cast<unsigned>(b.warps.size()));
    std::printf("is_valid to dispatch: %llu cycles; three operands: R0,R1,R2 %llu cycles for %u beats, R0,R2,R4 %llu; "
                "64 instructions of all warps: %llu cycles for %u beats\n",
                (unsigned long long)latency, (unsigned long long)one, b.beats, (unsigned long long)one2,
                (unsigned long long)many, 64 * b.beats);
    bad += b.errors;
    // Three words: one read cycle with three banks or more, two with two.
    if (latency != (b.banks() > 2 ? 3u : 4u)) std::printf("unexpected latency\n"), bad++;
  }
  // core_pkg::FAULT_*: lane swap, stale reuse, corrupt write, predicate lane, dropped record, wrong lane in the record.
  for (unsigned fault : {5u, 6u, 11u, 18u, 32u, 35u}) {
    Bench b(seed, fault);
    b.random_run(count);
    std::printf("fault %u: %s after %llu instructions\n", fault, b.errors ? "noticed" : "NOT NOTICED",
                (unsigned long long)b.issued);
    bad += b.errors == 0;
  }
  std::printf("%s\n", bad ? "FAILED" : "ok");
  return bad ? 1 : 0;
}
