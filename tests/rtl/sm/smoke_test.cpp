// SPDX-License-Identifier: Apache-2.0
// First light: small kernels through the whole machine, results in memory against what the bench computes. Each runs in
// both dependency modes (scoreboard mode without any scheduling), with constant and with random memory latency.
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "tests/rtl/arguments.h"
#include "tests/rtl/sm/machine.h"
extern "C" {
#include <heddle/host_regs.h>
}

namespace {

unsigned failures = 0;

void expect(bool ok, const char *what, uint32_t a = 0, uint32_t b = 0) {
  if (ok) return;
  if (failures++ < 10) std::fprintf(stderr, "  %s: got %08x, want %08x\n", what, a, b);
}

bool done(const Outcome &o, const char *name) {
  bool ok = !o.hung && (o.status & HEDDLE_STATUS_DONE);
  if (!ok) std::fprintf(stderr, "  %s: %s, status %x\n", name, o.hung ? "hung" : "ended badly", o.status), failures++;
  return ok;
}

// out[thread] = f(thread)
const char *kThread = R"(
.kernel thread
.param u64 out
        S2R R0, SR_TID.X ;
        S2R R1, SR_CTAID.X ;
        IMAD R0, R1, c[0x0][0x0], R0 ;
        MOV R2, c[0x0][out] ;
        MOV R3, c[0x0][out+4] ;
        IMAD.WIDE R2, R0, 0x4, R2 ;
        IMAD R4, R0, 0x3, R1 ;
        STG.E [R2], R4 ;
        EXIT ;
.end
)";

void thread_test(Machine &m, bool scoreboard) {
  m.load(kThread, scoreboard);
  const unsigned blocks = 5, threads = 80;
  uint64_t out = m.alloc(blocks * threads * 4);
  Launch l;
  l.grid[0] = blocks, l.block[0] = threads, l.scoreboard = scoreboard;
  l.arg(out);
  Outcome o = m.run(l);
  if (!done(o, "thread")) return;
  for (unsigned i = 0; i < blocks * threads; i++)
    expect(m.read32(out + 4 * i) == i * 3 + i / threads, "thread", m.read32(out + 4 * i), i * 3 + i / threads);
  std::printf("  thread: %u blocks of %u threads, %llu cycles\n", blocks, threads, (unsigned long long)o.cycles);
}

// Sum of an array through shared memory, with barriers and divergence; the block's result by an atomic.
const char *kSum = R"(
.kernel sum
.param u64 in
.param u64 total
.param u32 n
.shared part 512
        S2R R0, SR_TID.X ;
        S2R R1, SR_CTAID.X ;
        IMAD R5, R1, c[0x0][0x0], R0 ;
        MOV R4, RZ ;
        ISETP.GE.U32.AND P0, PT, R5, c[0x0][n], PT ;
        BSSY B0, joined ;
@P0     BRA skip ;
        MOV R2, c[0x0][in] ;
        MOV R3, c[0x0][in+4] ;
        IMAD.WIDE R2, R5, 0x4, R2 ;
        LDG.E R4, [R2] ;
skip:   BSYNC B0 ;
joined: IMAD R6, R0, 0x4, RZ ;
        STS [R6+part], R4 ;
        MOV R7, 0x40 ;
loop:   BAR.SYNC 0x0 ;
        ISETP.GE.U32.AND P1, PT, R0, R7, PT ;
        BSSY B1, added ;
@P1     BRA rest ;
        IMAD R8, R7, 0x4, R6 ;
        LDS R9, [R8+part] ;
        LDS R10, [R6+part] ;
        IADD3 R10, R10, R9, RZ ;
        STS [R6+part], R10 ;
rest:   BSYNC B1 ;
added:  SHF.R.U32.HI R7, RZ, 0x1, R7 ;
        ISETP.NE.U32.AND P2, PT, R7, RZ, PT ;
@P2     BRA loop ;
        ISETP.NE.U32.AND P3, PT, R0, RZ, PT ;
@P3     EXIT ;
        LDS R11, [part] ;
        MOV R2, c[0x0][total] ;
        MOV R3, c[0x0][total+4] ;
        RED.E.ADD [R2], R11 ;
        EXIT ;
.end
)";

void sum_test(Machine &m, bool scoreboard, Random &rnd) {
  if (m.config()->warps * 32 < 128) return;
  m.load(kSum, scoreboard);
  const unsigned n = 1000, blocks = (n + 127) / 128;
  uint64_t in = m.alloc(n * 4), total = m.alloc(4);
  uint32_t want = 0;
  for (unsigned i = 0; i < n; i++) {
    uint32_t v = rnd.u32();
    m.write32(in + 4 * i, v);
    want += v;
  }
  Launch l;
  l.grid[0] = blocks, l.block[0] = 128, l.scoreboard = scoreboard;
  l.arg(in).arg(total).arg(uint32_t(n));
  Outcome o = m.run(l);
  if (!done(o, "sum")) return;
  expect(m.read32(total) == want, "sum", m.read32(total), want);
  std::printf("  sum: %u values, %llu cycles\n", n, (unsigned long long)o.cycles);
}

// saxpy with FFMA, one loop a thread
const char *kSaxpy = R"(
.kernel saxpy
.param u64 x
.param u64 y
.param f32 a
.param u32 n
        S2R R0, SR_TID.X ;
        MOV R2, c[0x0][x] ;
        MOV R3, c[0x0][x+4] ;
        MOV R4, c[0x0][y] ;
        MOV R5, c[0x0][y+4] ;
        IMAD.WIDE R2, R0, 0x4, R2 ;
        IMAD.WIDE R4, R0, 0x4, R4 ;
again:  ISETP.GE.U32.AND P0, PT, R0, c[0x0][n], PT ;
@P0     EXIT ;
        LDG.E R6, [R2] ;
        LDG.E R7, [R4] ;
        FFMA R7, R6, c[0x0][a], R7 ;
        STG.E [R4], R7 ;
        IADD3 R0, R0, 0x40, RZ ;
        IADD3 R2, P1, PT, R2, 0x100, RZ ;
        IADD3.X R3, R3, RZ, RZ, P1, !PT ;
        IADD3 R4, P1, PT, R4, 0x100, RZ ;
        IADD3.X R5, R5, RZ, RZ, P1, !PT ;
        BRA again ;
.end
)";

void saxpy_test(Machine &m, bool scoreboard, Random &rnd) {
  m.load(kSaxpy, scoreboard);
  const unsigned n = 300;
  uint64_t x = m.alloc(n * 4), y = m.alloc(n * 4);
  std::vector<float> want(n);
  for (unsigned i = 0; i < n; i++) {
    float a = float(int(rnd.below(2000)) - 1000), b = float(int(rnd.below(2000)) - 1000); // exact in any rounding
    uint32_t v;
    std::memcpy(&v, &a, 4), m.write32(x + 4 * i, v);
    std::memcpy(&v, &b, 4), m.write32(y + 4 * i, v);
    want[i] = 3.0f * a + b;
  }
  Launch l;
  l.block[0] = 64, l.scoreboard = scoreboard;
  l.arg(x).arg(y).arg(3.0f).arg(uint32_t(n));
  Outcome o = m.run(l);
  if (!done(o, "saxpy")) return;
  for (unsigned i = 0; i < n; i++) {
    uint32_t v;
    std::memcpy(&v, &want[i], 4);
    expect(m.read32(y + 4 * i) == v, "saxpy", m.read32(y + 4 * i), v);
  }
  std::printf("  saxpy: %u values, %llu cycles\n", n, (unsigned long long)o.cycles);
}

// Calls through registers, with targets that differ by lane.
const char *kCall = R"(
.kernel calls
.param u64 out
        S2R R0, SR_LANEID ;
        MOV R4, R0 ;
        LOP3.LUT R5, R0, 0x1, RZ, 0xc0 ;
        ISETP.EQ.U32.AND P0, PT, R5, RZ, PT ;
        MOV R8, even ;
        MOV R9, odd ;
        SEL R8, R8, R9, P0 ;
        MOV R9, RZ ;
        MOV R20, back ;
        MOV R21, RZ ;
        BSSY B0, back ;
        CALL.ABS R8 ;
back:   BSYNC B0 ;
        MOV R2, c[0x0][out] ;
        MOV R3, c[0x0][out+4] ;
        IMAD.WIDE R2, R0, 0x4, R2 ;
        STG.E [R2], R4 ;
        EXIT ;
even:   IADD3 R4, R4, 0x100, RZ ;
        RET R20 ;
odd:    IMAD R4, R4, 0x1000, RZ ;
        RET R20 ;
.end
)";

void call_test(Machine &m, bool scoreboard) {
  m.load(kCall, scoreboard);
  uint64_t out = m.alloc(128);
  Launch l;
  l.scoreboard = scoreboard;
  l.arg(out);
  Outcome o = m.run(l);
  if (!done(o, "calls")) return;
  for (unsigned i = 0; i < 32; i++) {
    uint32_t want = i & 1 ? i * 0x1000 : i + 0x100;
    expect(m.read32(out + 4 * i) == want, "calls", m.read32(out + 4 * i), want);
  }
  std::printf("  calls: %llu cycles\n", (unsigned long long)o.cycles);
}

} // namespace

// --seed N; --trace prints the retire port; --wave FILE (if built with --trace-fst)
int main(int argc, char **argv) {
  Arguments args(argc, argv);
  const uint64_t seed = args.number("--seed", 1), patience = args.number("--patience", 0);
  const bool trace = args.flag("--trace");
  const std::string wave = args.text("--wave");
  args.all();
  for (bool random_latency : {false, true}) {
    Machine m(seed, random_latency, random_latency || wave.empty() ? nullptr : wave.c_str());
    m.trace = trace;
    if (patience) m.patience = patience;
    Random rnd{seed};
    for (bool scoreboard : {false, true}) {
      std::printf("%s, %s latency, %s\n", m.config()->name, random_latency ? "random" : "constant",
                  scoreboard ? "scoreboard" : "control");
      thread_test(m, scoreboard);
      sum_test(m, scoreboard, rnd);
      saxpy_test(m, scoreboard, rnd);
      call_test(m, scoreboard);
    }
  }
  std::printf("%s\n", failures ? "FAILED" : "ok");
  return failures ? 1 : 0;
}
