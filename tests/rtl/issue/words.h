// SPDX-License-Identifier: Apache-2.0
// Random instruction words for the benches of fetch and issue, made from the generated tables; no bit number is known
// here.
#pragma once
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "tests/rtl/random.h"

extern "C" {
#include <heddle/isa.h>
#include <heddle/isa_tables.h>
}

// A port of whatever width.
template <typename T> inline void put(T &port, uint64_t v) {
  port = static_cast<T>(v);
}

constexpr uint32_t kAllUnits = ~0u;

// A legal word of a random encoding, registers below `regs`, for one of the `units` (bit per enum heddle_isa_unit).
inline heddle_isa_word random_legal(Random &rnd, int regs, uint32_t max_stall, bool counters, uint32_t units) {
  for (;;) {
    auto enc = static_cast<heddle_isa_enc>(rnd.below(ISA_ENC_COUNT));
    const heddle_isa_encoding *e = heddle_isa_encoding_info(enc);
    heddle_isa_word w = e->match;
    for (unsigned i = 0; i < e->n_fields; i++) {
      auto f = static_cast<heddle_isa_field>(e->fields[i]);
      uint64_t v = rnd.next();
      switch (heddle_isa_field_info(f)->kind) {
      case ISA_K_GPR_READ:
      case ISA_K_GPR_WRITE:
        v = rnd.percent(15) ? ~UINT64_C(0) : rnd.below(static_cast<uint32_t>(regs)) & (rnd.percent(50) ? ~3u : ~0u);
        break;
      case ISA_K_GUARD:
        v = rnd.percent(50) ? ISA_PT : rnd.below(16);
        break;
      case ISA_K_PRED_WRITE:
        v = rnd.percent(30) ? ISA_PT : rnd.below(8);
        break;
      case ISA_K_COFF:
        v = rnd.below(64) * 4;
        break;
      case ISA_K_CBANK:
        v = rnd.below(2);
        break;
      case ISA_K_STALL:
        v = rnd.percent(70) ? rnd.below(3) : rnd.below(max_stall + 1);
        break;
      case ISA_K_SBSET:
        v = counters && rnd.percent(40) ? rnd.below(6) : 7;
        break;
      case ISA_K_SBWAIT:
        v = counters && rnd.percent(25) ? rnd.next() & rnd.next() : 0;
        break;
      default:
        break;
      }
      w = heddle_isa_put(w, f, v);
    }
    heddle_isa_dec d;
    if (heddle_isa_decode(w, &d) && heddle_isa_in_machine(&d, units) && heddle_isa_max_reg(&d) < regs) return w;
  }
}

// Such a word that has a short form. False: the encoding has none, or none was met in some tries.
inline bool random_short(Random &rnd, int regs, uint32_t units, heddle_isa_word *x) {
  for (unsigned tries = 0; ISA_STEP != 16 && tries < 200; tries++) {
    uint64_t half = rnd.next() | UINT64_C(1) << 63, again;
    heddle_isa_dec d;
    for (unsigned at = 0; at < 32; at += 8) // registers
      half = (half & ~(UINT64_C(255) << at)) | uint64_t(rnd.below(unsigned(regs)) & (rnd.percent(50) ? ~3u : ~0u))
                                                   << at;
    if (rnd.percent(50)) half &= ~(UINT64_C(0xfff) << 32); // small numbers; no third register
    if (rnd.percent(50)) half &= ~(UINT64_C(0xff) << 24);
    if (rnd.percent(50)) half = (half & ~(UINT64_C(15) << 44)) | uint64_t(ISA_PT) << 44;
    const heddle_isa_word w = heddle_isa_lengthen(half);
    if (!heddle_isa_decode(w, &d) || !heddle_isa_in_machine(&d, units) || heddle_isa_max_reg(&d) >= regs) continue;
    bool inside = true; // constants that the bench has
    for (unsigned i = 0; i < 3; i++) inside &= d.src[i].kind != ISA_CONST || (d.cbank < 2 && d.coff < 256);
    if (!inside || !heddle_isa_shorten(w, &again)) continue;
    *x = w;
    return true;
  }
  return false;
}

// A uniform load: the load/store unit executes it.
inline bool uniform_load(const heddle_isa_dec &d) {
  return d.op == ISA_OP_ULDC;
}

// A jump with its target in its word; and that, of one before `next`, for any warp.
inline bool is_direct(const heddle_isa_dec &d) {
  return d.op == ISA_OP_BRA || d.op == ISA_OP_JMP || d.op == ISA_OP_CALL_REL;
}
inline uint32_t direct_target(const heddle_isa_dec &d, uint32_t next) {
  const auto abs = uint32_t(heddle_isa_get(d.word, ISA_F_ABS32)), rel = uint32_t(heddle_isa_get(d.word, ISA_F_REL));
  return d.op == ISA_OP_JMP ? abs : next + rel;
}

inline bool is_memory(const heddle_isa_dec &d) {
  return d.unit == ISA_UNIT_MEM || uniform_load(d);
}

// It goes to the uniform pipe, past the operand stage.
inline bool in_uniform_pipe(const heddle_isa_dec &d) {
  return d.unit == ISA_UNIT_UNI && !uniform_load(d);
}

// It needs all lanes, or none.
inline bool is_matrix(const heddle_isa_dec &d) {
  return d.unit == ISA_UNIT_TENSOR || d.op == ISA_OP_LDSM_16;
}

// It leaves the operand stage by a queue of units: that of memory (0), or of the partition's (1).
inline bool collected(const heddle_isa_dec &d) {
  return heddle_isa_unit_is_variable(heddle_isa_unit(d.unit)) || uniform_load(d);
}
inline unsigned unit_queue(const heddle_isa_dec &d) {
  return !is_memory(d);
}

// Rows of a beat there: a and two words of b; more of b, or c, are a second one, and four words of a matrix's c a
// third. Three operands of one word are one row for a unit of the partition.
inline unsigned rows_of_beat(const heddle_isa_dec &d) {
  if (!collected(d)) return 1;
  const bool small = d.src[0].words <= 1 && d.src[1].words <= 1 && d.src[2].words <= 1;
  if (d.unit == ISA_UNIT_TENSOR && d.src[2].words > 2) return 3;
  if (d.src[2].kind != ISA_NONE) return small && !is_memory(d) ? 1 : 2;
  return d.src[1].kind == ISA_REG && d.src[1].words > 2 ? 2 : 1;
}
