// SPDX-License-Identifier: Apache-2.0
// The smallest stall count after which a dependent instruction sees a result, measured in the assembled machine for
// each kind of producer and consumer, against what the configuration promises. A lone warp is the worst case: nothing
// else holds the consumer up. The promise must be exact: one too small is wrong, one too large is time lost.
#include <cstdio>
#include <cstring>
#include <string>

#include "tests/rtl/sm/machine.h"
extern "C" {
#include <heddle/host_regs.h>
}

namespace {

struct Case {
  const char *name;
  const char *producer, *consumer; // R0 lane, R4:R5 and P0 written by the producer, R6 by the consumer
  unsigned heddle_config::*promise;
  uint32_t (*want)(uint32_t lane);
};

const Case kCases[] = {
    {"alu to alu", "IADD3 R4, R0, 0x5, RZ", "MOV R6, R4", &heddle_config::stall_alu_reg,
     [](uint32_t l) { return l + 5; }},
    {"alu to alu, three operands", "IADD3 R4, R0, 0x5, RZ", "IADD3 R6, R4, R0, R1", &heddle_config::stall_alu_reg,
     [](uint32_t l) { return 2 * l + 6; }},
    {"alu to fma", "IADD3 R4, R0, 0x5, RZ", "IMAD R6, R4, R4, RZ", &heddle_config::stall_alu_reg,
     [](uint32_t l) { return (l + 5) * (l + 5); }},
    {"alu to store", "IADD3 R4, R0, 0x5, RZ", "STG.E [R2], R4", &heddle_config::stall_alu_reg,
     [](uint32_t l) { return l + 5; }},
    {"alu to address", "IADD3 R2, R2, 0x80, RZ", "STG.E [R2], R0", &heddle_config::stall_alu_reg,
     [](uint32_t l) { return l; }},
    {"fma to alu", "IMAD R4, R0, 0x7, R1", "MOV R6, R4", &heddle_config::stall_fma_reg,
     [](uint32_t l) { return 7 * l + 1; }},
    {"fma, high word", "IMAD.WIDE.U32 R4, R8, R8, RZ", "MOV R6, R5", &heddle_config::stall_fma_reg,
     [](uint32_t l) { return uint32_t(uint64_t(l << 24) * (l << 24) >> 32); }},
    {"fma to fma", "IMAD R4, R0, 0x7, R1", "IMAD R6, R4, R4, R4", &heddle_config::stall_fma_reg,
     [](uint32_t l) { return (7 * l + 1) * (7 * l + 1) + 7 * l + 1; }},
    {"fma to store", "IMAD R4, R0, 0x7, R1", "STG.E [R2], R4", &heddle_config::stall_fma_reg,
     [](uint32_t l) { return 7 * l + 1; }},
    {"cvt to alu", "I2F.U32 R4, R0", "MOV R6, R4", &heddle_config::stall_cvt_reg,
     [](uint32_t l) {
       float f = float(l);
       uint32_t v;
       std::memcpy(&v, &f, 4);
       return v;
     }},
    {"cvt to store", "I2F.U32 R4, R0", "STG.E [R2], R4", &heddle_config::stall_cvt_reg,
     [](uint32_t l) {
       float f = float(l);
       uint32_t v;
       std::memcpy(&v, &f, 4);
       return v;
     }},
    {"half to alu", "HADD2 R4, R0, R0", "MOV R6, R4", &heddle_config::stall_half_reg,
     [](uint32_t l) { return 2 * l; }}, // of subnormals
    {"half to half", "HADD2 R4, R0, R0", "HADD2 R6, R4, R4", &heddle_config::stall_half_reg,
     [](uint32_t l) { return 4 * l; }},
    {"uniform to alu", "UIADD3 UR4, URZ, 0x5, URZ", "IADD3 R6, R0, UR4, RZ", &heddle_config::stall_uni_reg,
     [](uint32_t l) { return l + 5; }},
    {"uniform product to uniform", "UIMAD.WIDE UR4, UR6, UR6, URZ",
     "UMOV UR7, UR4 ;\n[B------:R-:W-:-:S15] MOV R6, UR7", &heddle_config::stall_uni_reg, [](uint32_t) { return 9u; }},
    {"uniform, word of a product", "UIMAD.HI UR4, UR6, 0x60000000, URZ", "MOV R6, UR4", &heddle_config::stall_uni_reg,
     [](uint32_t) { return 1u; }},
    {"uniform predicate to guard", "UISETP.EQ.AND UP0, UPT, UR6, 0x3, UPT",
     "@UP0 UMOV UR4, 0x9 ;\n[B------:R-:W-:-:S15] NOP ;\n[B------:R-:W-:-:S15] MOV R6, UR4",
     &heddle_config::stall_uni_reg, [](uint32_t) { return 9u; }},
    {"uniform predicate to P", "UISETP.EQ.AND UP0, UPT, UR6, 0x3, UPT",
     "UP2P P0, UP0 ;\n[B------:R-:W-:-:S15] NOP ;\n[B------:R-:W-:-:S15] @P0 MOV R6, 0x1",
     &heddle_config::stall_uni_reg, [](uint32_t) { return 1u; }},
    {"predicate of half", "HSETP2.GT.AND P0, PT, R0, RZ, PT", "@P0 MOV R6, 0x1", &heddle_config::stall_alu_pred,
     [](uint32_t l) { return l > 0 ? 1u : 0xbadu; }},
    {"predicate to guard", "ISETP.GE.U32.AND P0, PT, R0, 0x7, PT", "@P0 MOV R6, 0x1", &heddle_config::stall_alu_pred,
     [](uint32_t l) { return l >= 7 ? 1u : 0xbadu; }},
    {"predicate to source", "ISETP.GE.U32.AND P0, PT, R0, 0x7, PT", "SEL R6, R0, RZ, P0",
     &heddle_config::stall_alu_pred, [](uint32_t l) { return l >= 7 ? l : 0; }},
    {"predicate to branch", "ISETP.GE.U32.AND P0, PT, R0, 0x7, PT",
     "@P0 BRA over ;\n[B------:R-:W-:-:S15] MOV R6, 0x2 ;\nover: [B------:R-:W-:-:S15] NOP",
     &heddle_config::stall_alu_pred, [](uint32_t l) { return l >= 7 ? 0xbadu : 2u; }},
};

bool of_uniform(const Case &c) {
  return std::strstr(c.name, "uniform") != nullptr;
}

std::string program(const Case &c, unsigned stall) {
  auto line = [](unsigned s, const std::string &text) {
    char code[40];
    std::snprintf(code, sizeof code, "[B------:R-:W-:-:S%02u] ", s);
    return code + text + " ;\n";
  };
  bool stores = std::string(c.consumer).find("STG") == 0;
  std::string p = ".kernel k\n.param u64 out\n.regs 16\n";
  for (const char *text : {"S2R R0, SR_LANEID", "MOV R1, 0x1", "MOV R2, c[0x0][out]", "MOV R3, c[0x0][out+4]",
                           "IMAD.WIDE R2, R0, 0x4, R2", "MOV R4, 0xbad", "MOV R5, 0xbad", "MOV R6, 0xbad",
                           "SHF.L.U32 R8, R0, 0x18, RZ", "ISETP.F.AND P0, PT, R0, R0, PT", "NOP", "NOP"}) {
    p += line(15, text);
  }
  if (of_uniform(c))
    for (const char *text : {"UMOV UR4, 0xbad", "UMOV UR6, 0x3", "UISETP.F.AND UP0, UPT, URZ, URZ, UPT"})
      p += line(15, text);
  p += line(stall, c.producer);
  p += line(15, c.consumer);
  for (int i = 0; i < 3; i++) p += line(15, "NOP");
  if (!stores) p += line(15, "STG.E [R2], R6");
  return p + line(15, "EXIT") + ".end\n";
}

bool starts(const char *text, const char *with) {
  return std::strncmp(text, with, std::strlen(with)) == 0;
}

// Cycles for which a row of this instruction stands on the operand bus, and from there to the register file.
struct Pipe {
  unsigned passes, latency;
};

Pipe pipe_of(const heddle_config &m, const char *text) {
  if (starts(text, "STG")) return {1, 0};
  if (starts(text, "IMAD")) return {m.lanes / m.fma_lanes, m.latency_fma};
  if (starts(text, "I2F")) return {m.lanes / m.cvt_lanes, m.latency_cvt};
  if (starts(text, "HADD2")) return {1, m.latency_half};
  return {m.lanes / m.alu_lanes, m.latency_alu};
}

// A promise is for a consumer whose rows follow each other in every cycle, and for predicates, which are read with the
// issue. One that makes passes reads its later rows later. By hand: row k of the producer is read `passes` cycles after
// row k-1, and by whoever needs it LATENCY + 2 cycles later; the first or the last row decides. Before the producer's
// last pass nothing is read anyway, and of its rows' cycles counts see one each.
unsigned needed(const heddle_config &m, const Case &c) {
  const Pipe from = pipe_of(m, c.producer), to = pipe_of(m, c.consumer);
  if (of_uniform(c) || c.promise == &heddle_config::stall_alu_pred || to.passes == 1) return m.*c.promise;
  const unsigned later = from.passes > to.passes ? (m.beats - 1) * (from.passes - to.passes) : 0;
  const unsigned after = from.latency + 2 + later;
  return after > m.beats * from.passes ? after - m.beats * (from.passes - 1) : 1;
}

// How many lanes are wrong with this stall count.
unsigned wrong(Machine &m, const Case &c, unsigned stall) {
  m.load(program(c, stall));
  uint64_t out = m.alloc(512);
  Launch l;
  l.arg(out);
  Outcome o = m.run(l);
  if (o.hung || !(o.status & HEDDLE_STATUS_DONE)) return 99;
  unsigned n = 0;
  uint64_t at = out + (std::strcmp(c.name, "alu to address") ? 0 : 0x80);
  for (uint32_t lane = 0; lane < 32; lane++) n += m.read32(at + 4 * lane) != c.want(lane);
  return n;
}

} // namespace

int main() {
  Machine m(1, false);
  unsigned bad = 0;
  for (const Case &c : kCases) {
    const bool half = std::strstr(c.name, "half") != nullptr;
    if (half && !(m.config()->pipes & HEDDLE_PIPE_HALF)) continue; // the machine has none
    if (of_uniform(c) && !(m.config()->pipes & HEDDLE_PIPE_UNI)) continue;
    unsigned least = 1;
    for (unsigned s = 1; s <= 15; s++) {
      if (wrong(m, c, s)) least = s + 1;
    }
    unsigned promise = needed(*m.config(), c);
    std::printf("%s: %-28s %2u measured, %2u promised%s\n", m.config()->name, c.name, least, promise,
                least > promise   ? "  TOO SMALL"
                : least < promise ? "  MORE THAN IS NEEDED"
                                  : "");
    bad += least != promise;
  }
  std::printf("%s\n", bad ? "FAILED" : "ok");
  return bad ? 1 : 0;
}
