// SPDX-License-Identifier: Apache-2.0
// Random instructions, and when one of them may be issued.
#include "tests/rtl/operand/back_bench.h"

std::unique_ptr<Instr> Bench::make(unsigned w, heddle_isa_enc enc, const Fill &fill) {
  auto in = std::make_unique<Instr>();
  in->enc = enc;
  in->word = heddle_isa_encoding_info(enc)->match;
  in->warp = w;
  put(*in, ISA_F_PG, 7), put(*in, ISA_F_WBAR, 7), put(*in, ISA_F_RBAR, 7);
  fill(*in);
  if (!heddle_isa_decode(in->word, &in->dec)) {
    std::fprintf(stderr, "the bench made an illegal word\n");
    std::exit(2);
  }
  return in;
}

unsigned Bench::reg(unsigned words) {
  if (rnd.one_in(10)) return ISA_RZ;
  return rnd.below(kRegs / words) * words;
}

// A random value of one field.
void Bench::random_field(Instr &i, heddle_isa_field f, const Shape &shape) {
  switch (f) {
  case ISA_F_RD:
    put(i, f, reg(shape.wide ? 2 : shape.words()));
    break;
  case ISA_F_RA:
    put(i, f, reg(shape.pair_a ? 2 : 1));
    break;
  case ISA_F_RB:
    put(i, f, reg(shape.words()));
    break;
  case ISA_F_RC:
    put(i, f, reg(shape.wide ? 2 : 1));
    break;
  case ISA_F_SIZE:
    put(i, f, shape.size);
    break;
  case ISA_F_IMM:
    put(i, f, rnd.u32());
    break;
  case ISA_F_PD0:
    put(i, f, rnd.below(8));
    break;
  case ISA_F_PD1:
    put(i, f, rnd.below(8));
    break;
  case ISA_F_PS0:
  case ISA_F_PS1:
  case ISA_F_PS2:
    put(i, f, 7);
    break;
  case ISA_F_LUT:
    put(i, f, rnd.u32() & 0xff);
    break;
  case ISA_F_PLUT0:
  case ISA_F_PLUT1:
    put(i, f, rnd.u32() & 0xff);
    break;
  case ISA_F_ICMP:
    put(i, f, rnd.below(8));
    break;
  case ISA_F_BOOL:
    put(i, f, rnd.below(3));
    break;
  case ISA_F_AOP:
    put(i, f, 20 + 2 * rnd.below(4)); // and, or, xor, exchange
    break;
  case ISA_F_SIGN:
  case ISA_F_ISRC:
    put(i, f, rnd.below(2));
    break;
  case ISA_F_SREG: {
    static const unsigned s[] = {0, 2, 3, 33, 34, 35, 37, 38, 39, 56, 57, 58, 59, 60, 80, 81, 255};
    put(i, f, s[rnd.below(17)]);
    break;
  }
  case ISA_F_SREG2:
    put(i, f, rnd.one_in(2) ? ISA_SREG2_SR_CLOCKLO : ISA_SREG2_SRZ);
    break;
  case ISA_F_OFF24:
    put(i, f, rnd.u32() & 0xffffff);
    break;
  case ISA_F_COFF16:
    put(i, f, rnd.u32() & 0xffff);
    break;
  case ISA_F_REUSE:
    put(i, f, rnd.u32() & rnd.u32() & 7);
    break;
  case ISA_F_WBAR:
    put(i, f, rnd.one_in(2) ? 7 : rnd.below(6));
    break;
  case ISA_F_RBAR:
    put(i, f, rnd.one_in(2) ? 7 : rnd.below(6));
    break;
  default:
    break;
  }
}

// Often the same registers as before, in the same places: this is what the reuse bits are for.
void Bench::repeat_registers(Instr &i, const heddle_isa_encoding *e) {
  for (auto &s : sticky_) {
    for (unsigned k = 0; k < e->n_fields; k++) {
      if (e->fields[k] == s.first) put(i, s.first, s.second);
    }
  }
}

void Bench::random_fields(Instr &i, heddle_isa_enc enc) {
  const heddle_isa_encoding *e = heddle_isa_encoding_info(enc);
  static const unsigned sizes[] = {0, 2, 4, 5, 6};
  Shape shape;
  shape.size = sizes[rnd.below(5)];
  shape.wide = e->op == ISA_OP_IMAD_WIDE || e->op == ISA_OP_CS2R;
  shape.pair_a = e->op == ISA_OP_BRX || e->op == ISA_OP_RET || e->op == ISA_OP_LDG_E || e->op == ISA_OP_STG_E ||
                 e->op == ISA_OP_ATOMG_E || e->op == ISA_OP_RED_E || e->op == ISA_OP_ATOMG_E_CAS;
  for (unsigned k = 0; k < e->n_fields; k++) shape.sized |= e->fields[k] == ISA_F_SIZE;
  for (unsigned k = 0; k < e->n_fields; k++) random_field(i, static_cast<heddle_isa_field>(e->fields[k]), shape);
  bool repeat = !sticky_.empty() && rnd.one_in(2);
  if (repeat && !shape.wide && !shape.pair_a && e->op != ISA_OP_STS) repeat_registers(i, e);
}

std::unique_ptr<Instr> Bench::random_instr(unsigned w) {
  static const heddle_isa_enc encs[] = {
      ISA_ENC_MOV_R,        ISA_ENC_MOV_I,         ISA_ENC_MOV_C,         ISA_ENC_SEL_RR,
      ISA_ENC_SEL_RI,       ISA_ENC_S2R_D,         ISA_ENC_S2R_D,         ISA_ENC_IADD3_RRR,
      ISA_ENC_IADD3_RRR,    ISA_ENC_IADD3_RRI,     ISA_ENC_LOP3_LUT_RRR,  ISA_ENC_LOP3_LUT_RRR,
      ISA_ENC_LOP3_LUT_RCR, ISA_ENC_IMAD_RRR,      ISA_ENC_IMAD_RRR,      ISA_ENC_IMAD_RIR,
      ISA_ENC_IMAD_RRC,     ISA_ENC_IMAD_WIDE_RRR, ISA_ENC_IMAD_WIDE_RRR, ISA_ENC_IMAD_WIDE_RIR,
      ISA_ENC_I2F_R,        ISA_ENC_I2F_R,         ISA_ENC_ISETP_PRR,     ISA_ENC_ISETP_PRI,
      ISA_ENC_PLOP3_LUT_P,  ISA_ENC_BRX_BRR,       ISA_ENC_RET_BRR,       ISA_ENC_LDG_E_LD,
      ISA_ENC_STG_E_ST,     ISA_ENC_STS_ST,        ISA_ENC_LDS_LD,        ISA_ENC_LDC_LC,
      ISA_ENC_ATOMG_E_AT,   ISA_ENC_ATOMS_AT,      ISA_ENC_RED_E_ST,      ISA_ENC_ATOMG_E_CAS_ATC,
      ISA_ENC_CS2R_D};
  heddle_isa_enc enc = encs[rnd.below(sizeof encs / sizeof encs[0])];
  auto in = make(w, enc, [&](Instr &i) { random_fields(i, enc); });
  if (in->fixed() && rnd.one_in(3)) {
    sticky_ = {{ISA_F_RA, rnd.below(kRegs)}, {ISA_F_RB, rnd.below(kRegs)}, {ISA_F_RC, rnd.below(kRegs)}};
  }
  in->exec = rnd.one_in(2)   ? ~0u
             : rnd.one_in(6) ? 0
             : rnd.one_in(3) ? beat_mask(~0u, 0) << (lanes * rnd.below(beats))
                             : rnd.u32();
  for (auto &p : in->ps) p = rnd.one_in(3) ? ~0u : rnd.u32();
  in->sval = rnd.u32();
  if (two()) put(*in, ISA_F_STALL, rnd.one_in(2) ? rnd.below(beats + 1) : beats + 1 + rnd.below(15 - beats));
  heddle_isa_decode(in->word, &in->dec);
  return in;
}

// Registers that the instruction reads or writes.
template <typename F> void Bench::each_reg(const Instr &in, F f) {
  for (const auto &s : in.dec.src) {
    if (s.kind == ISA_REG && s.reg != ISA_RZ) {
      for (unsigned k = 0; k < s.words; k++) f(s.reg + k, false);
    }
  }
  if (in.dec.has_rd && in.dec.rd != ISA_RZ) {
    for (unsigned k = 0; k < in.dec.rd_words; k++) f(in.dec.rd + k, true);
  }
}

// What control codes would see to. Results of fixed pipes: cycles in which no row is completed do not count.
bool Bench::may_issue(const Instr &in) {
  const Warp &wp = warps[in.warp];
  if (in.mem() && places_ + (in.two() ? 2 : 1) > top->cfg_coll_o) return false;
  if ((queues() || two()) && (wp.queued || cycle < wp.issue_from)) return false;
  if (two() && reader_[in.mem() || line_of(in)].front) return false;
  if (queues() && !in.mem() && line_[line_of(in)].inside == top->cfg_queues_o) return false;
  bool ok = true;
  each_reg(in, [&](unsigned r, bool) { ok &= wp.mem_pending[r] == 0; });
  if (two()) each_reg(in, [&](unsigned r, bool write) { ok &= write || !wp.unread[r]; });
  if (queues() || two()) return ok;
  each_reg(in, [&](unsigned r, bool write) {
    ok &= write && in.fixed() ? active_ + latency(in) >= wp.write_from[r] : active_ >= wp.read_from[r];
  });
  return ok;
}
