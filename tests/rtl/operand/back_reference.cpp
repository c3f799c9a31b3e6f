// SPDX-License-Identifier: Apache-2.0
// Operands, results and predicates of an instruction from the account of registers.
#include "tests/rtl/operand/back_bench.h"

// The special registers that the stage itself forms; any other is the value that came with the instruction.
static uint32_t special(const Instr &in, const Warp &wp, unsigned l) {
  unsigned sreg = static_cast<unsigned>(heddle_isa_get(in.word, ISA_F_SREG));
  uint64_t eq = 1ull << l;
  uint32_t v;
  switch (sreg) {
  case 0:
    v = l;
    break;
  case 33:
  case 34:
  case 35:
    v = wp.tid[sreg - 33][l];
    break;
  case 56:
    v = static_cast<uint32_t>(eq);
    break;
  case 57:
    v = static_cast<uint32_t>(eq - 1);
    break;
  case 58:
    v = static_cast<uint32_t>(2 * eq - 1);
    break;
  case 59:
    v = static_cast<uint32_t>(~(2 * eq - 1));
    break;
  case 60:
    v = static_cast<uint32_t>(~(eq - 1));
    break;
  default:
    v = in.sval;
    break;
  }
  return v;
}

static void operands_of(Instr &in, const Warp &wp) {
  static const unsigned base[3] = {0, 2, 4};
  auto word = [&](unsigned s, unsigned k) {
    const heddle_isa_src &src = in.dec.src[s];
    Row row{};
    if (src.kind == ISA_REG && src.reg != ISA_RZ) row = wp.reg[src.reg + k];
    if (src.kind == ISA_IMM || src.kind == ISA_CONST) row.fill(in.sval);
    return row;
  };
  for (unsigned s = 0; s < 3; s++) {
    if (in.dec.src[s].kind == ISA_NONE) continue;
    for (unsigned k = 0; k < in.dec.src[s].words; k++) {
      in.used |= 1u << (base[s] + k);
      in.slot[base[s] + k] = word(s, k);
    }
  }
  if (in.dec.op == ISA_OP_S2R) {
    in.used = 4;
    for (unsigned l = 0; l < 32; l++) in.slot[2][l] = special(in, wp, l);
  }
}

static void result_of_lane(Instr &in, unsigned l) {
  uint32_t a = in.slot[0][l], b = in.slot[2][l], c = in.slot[4][l], lo = 0, hi = 0;
  bool p0 = in.ps[0] >> l & 1, p1 = in.ps[1] >> l & 1, p2 = in.ps[2] >> l & 1, d0 = false, d1 = false;
  bool u = heddle_isa_get(in.word, ISA_F_SIGN) != 0;
  switch (static_cast<heddle_isa_op>(in.dec.op)) {
  case ISA_OP_MOV:
  case ISA_OP_S2R:
    lo = b;
    break;
  case ISA_OP_CS2R:
    lo = in.sval, hi = ~in.sval;
    break;
  case ISA_OP_SEL:
    lo = p0 ? a : b;
    break;
  case ISA_OP_IADD3: {
    uint64_t t = uint64_t(a) + b + c;
    lo = static_cast<uint32_t>(t), d0 = t >> 32 != 0, d1 = t >> 33 != 0;
    break;
  }
  case ISA_OP_LOP3_LUT: {
    unsigned lut = static_cast<unsigned>(heddle_isa_get(in.word, ISA_F_LUT));
    for (unsigned i = 0; i < 32; i++) lo |= (lut >> ((a >> i & 1) << 2 | (b >> i & 1) << 1 | (c >> i & 1)) & 1u) << i;
    d0 = lo != 0;
    break;
  }
  case ISA_OP_IMAD:
    lo = a * b + c;
    break;
  case ISA_OP_IMAD_WIDE: {
    uint64_t p = u ? uint64_t(a) * b : static_cast<uint64_t>(int64_t(int32_t(a)) * int32_t(b));
    p += uint64_t(in.slot[5][l]) << 32 | c;
    lo = static_cast<uint32_t>(p), hi = static_cast<uint32_t>(p >> 32);
    break;
  }
  case ISA_OP_I2F: {
    float f = heddle_isa_get(in.word, ISA_F_ISRC) ? static_cast<float>(b) : static_cast<float>(static_cast<int32_t>(b));
    std::memcpy(&lo, &f, 4);
    break;
  }
  case ISA_OP_ISETP: {
    bool lt = u ? a < b : int32_t(a) < int32_t(b), eq = a == b, r = false;
    unsigned cmp = static_cast<unsigned>(heddle_isa_get(in.word, ISA_F_ICMP));
    r = ((cmp & 1) && lt) || ((cmp & 2) && eq) || ((cmp & 4) && !lt && !eq);
    unsigned bl = static_cast<unsigned>(heddle_isa_get(in.word, ISA_F_BOOL));
    auto comb = [&](bool x) { return bl == 0 ? x && p0 : bl == 1 ? x || p0 : x != p0; };
    d0 = comb(r), d1 = comb(!r);
    break;
  }
  case ISA_OP_PLOP3_LUT: {
    unsigned i = p0 << 2 | p1 << 1 | unsigned(p2);
    d0 = heddle_isa_get(in.word, ISA_F_PLUT0) >> i & 1, d1 = heddle_isa_get(in.word, ISA_F_PLUT1) >> i & 1;
    break;
  }
  default:
    break;
  }
  in.result[0][l] = lo;
  in.result[1][l] = hi;
  in.d0 |= uint32_t(d0) << l;
  in.d1 |= uint32_t(d1) << l;
}

unsigned Bench::latency(const Instr &in) const {
  return in.dec.unit == ISA_UNIT_ALU   ? top->cfg_lat_alu_o
         : in.dec.unit == ISA_UNIT_FMA ? top->cfg_lat_fma_o
                                       : top->cfg_lat_cvt_o;
}

unsigned Bench::passes(const Instr &in) const {
  switch (in.dec.unit) {
  case ISA_UNIT_CVT:
    return top->cfg_cvt_passes_o;
  case ISA_UNIT_FMA:
  case ISA_UNIT_BR:
    return top->cfg_fma_passes_o;
  case ISA_UNIT_ALU:
    return top->cfg_alu_passes_o;
  default:
    return 1;
  }
}

void Bench::compute(Instr &in) {
  Warp &wp = warps[in.warp];
  operands_of(in, wp);
  for (unsigned l = 0; l < 32; l++) result_of_lane(in, l);
  in.lat = latency(in);
  if (!in.dec.has_rd || in.dec.rd == ISA_RZ) return;
  for (unsigned r = in.dec.rd; r < in.dec.rd + in.dec.rd_words; r++) {
    if (in.mem()) wp.mem_pending[r] += 1;
    if (!in.fixed()) continue;
    for (unsigned l = 0; l < 32; l++) {
      if (in.exec >> l & 1) wp.reg[r][l] = in.result[r - in.dec.rd][l];
    }
    // Row k is read in the (k+1)th cycle without a hold after the issue, on the bus two cycles later, written LATENCY -
    // 1 cycles after that, and read by others from the next cycle on. Each row that takes several passes is followed
    // by holds.
    wp.read_from[r] = active_ + in.lat + 2 - (passes(in) - 1);
    wp.write_from[r] = active_ + in.lat + 1 - (passes(in) - 1);
  }
}
