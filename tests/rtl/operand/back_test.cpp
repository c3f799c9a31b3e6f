// SPDX-License-Identifier: Apache-2.0
// The back half of an SM against an independent account of registers: random instructions of several warps, issued as
// early as their dependencies allow (the rule is may_issue below), random back-pressure, random memory results. Every
// operand, write, predicate, branch and memory record is compared; each must come exactly once. Then each injected
// fault of the folders operand and writeback must be noticed, and the sustained rates are measured.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "Vtop.h"
#include "random.h"
#include "verilated.h"
extern "C" {
#include "heddle/isa_tables.h"
}

namespace {

constexpr unsigned kSlots = 6, kRegs = 24; // registers that a warp uses; few, so that dependencies are frequent

using Row = std::array<uint32_t, 32>;

struct Instr {
  isa_enc enc{};
  isa_word word{};
  isa_dec dec{};
  uint32_t seq = 0, exec = 0, ps[3]{}, sval = 0;
  unsigned warp = 0;
  unsigned used = 0;
  Row slot[kSlots]{}; // expected operands
  Row result[4]{};    // expected words of rd
  uint32_t d0 = 0, d1 = 0;
  unsigned next_beat = 0, lat = 0;
  bool fixed() const { return dec.unit <= ISA_UNIT_CVT; }
};

struct Write {
  uint32_t mask;
  Row data;
  uint64_t due; // exact cycle, 0 = any
};

struct Warp {
  Row reg[kRegs]{}, tid[3]{};
  uint8_t gen = 1;
  uint32_t seq = 0;
  unsigned rbase = 0;
  std::unique_ptr<Instr> now;    // in the operand stage
  uint64_t free_at = 0;          // first cycle in which the next instruction may be issued
  uint64_t reg_at[kRegs]{};      // first cycle in which an instruction that uses the register may be issued
  unsigned mem_pending[kRegs]{}; // memory rows still to come
};

struct MemRow {
  unsigned warp, rd, beat;
  uint32_t seq, mask;
  uint8_t gen;
  Row data;
  uint64_t not_before;
};

class Bench {
public:
  Bench(uint64_t seed, unsigned fault) : rnd{seed}, ctx(new VerilatedContext), top(new Vtop(ctx.get())), fault_(fault) {
    ctx->randReset(2);
    ctx->randSeed(static_cast<int>(seed * 2654435761u + 1));
    top->clk_i = 0;
    top->rst_ni = 0;
    top->fault_i = fault;
    clear_inputs();
    top->eval();
    lanes = top->cfg_lanes_o;
    beats = 32 / lanes;
    warps.resize(top->cfg_warps_o);
    for (int i = 0; i < 3; i++) edge();
    top->rst_ni = 1;
    for (unsigned w = 0; w < warps.size(); w++) {
      warps[w].rbase = w * (top->cfg_regs_o / warps.size()) + w % 3;
      warps[w].gen = static_cast<uint8_t>(rnd.u32());
    }
    for (unsigned w = 0; w < warps.size(); w++) start_warp(w);
  }

  unsigned errors = 0, quiet = 0;
  uint64_t cycle = 0, issued = 0, dispatched = 0, written = 0, mem_beats = 0, reuse_hits_possible = 0;
  Random rnd;
  unsigned lanes = 0, beats = 0;
  std::vector<Warp> warps;
  uint64_t first_beat_latency = 0;

  void random_run(uint64_t count) {
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

  unsigned banks() const { return top->cfg_banks_o; }

  // Instructions with the operands Rra, Rrb, Rrc, by n_warps warps in turn: cycles from the first beat to the last.
  uint64_t rate(unsigned instrs, unsigned ra, unsigned rb, unsigned rc, unsigned n_warps) {
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

private:
  std::unique_ptr<VerilatedContext> ctx;
  std::unique_ptr<Vtop> top;
  unsigned fault_;
  bool issuing_ = true;
  std::unique_ptr<Instr> forced_;
  std::deque<std::unique_ptr<Instr>> mem_order_;
  // (warp, seq, rd, beat) of each write that must still come
  std::map<std::array<uint32_t, 4>, Write> writes_;
  std::map<std::array<uint32_t, 3>, std::array<uint32_t, 6>> preds_;      // (warp, seq, beat): mask pd0 pd1 d0 d1 due
  std::map<std::array<uint32_t, 2>, std::pair<unsigned, uint64_t>> done_; // (warp, seq) in order: unit, cycle
  std::vector<MemRow> rows_;
  int row_now_ = -1;
  uint64_t rate_first_ = 0, rate_last_ = 0;

  template <typename... A> void error(const char *format, A... args) {
    if (errors++ < 5 && !fault_) {
      std::fprintf(stderr, "cycle %llu: ", static_cast<unsigned long long>(cycle));
      std::fprintf(stderr, format, args...);
      std::fputc('\n', stderr);
    }
  }

  uint32_t beat_mask(uint32_t all, unsigned beat) const {
    return (all >> (beat * lanes)) & (lanes == 32 ? ~0u : (1u << lanes) - 1);
  }

  void put(Instr &in, isa_field f, uint64_t v) const { in.word = isa_put(in.word, f, v); }

  void clear_inputs() {
    top->is_valid_i = 0;
    top->ct_start_valid_i = 0;
    top->ct_tid_valid_i = 0;
    top->op_mem_ready_i = 0;
    top->ls_wb_valid_i = 0;
  }

  void edge() {
    top->clk_i = 1;
    top->eval();
    top->clk_i = 0;
    top->eval();
    cycle++;
  }

  // Thread ids, the start event, and a value in every register (through the memory port).
  void start_warp(unsigned w) {
    Warp &wp = warps[w];
    for (unsigned l = 0; l < 32; l++) {
      for (auto &t : wp.tid) t[l] = rnd.u32() & 0x7ff;
    }
    for (unsigned b = 0; b < beats; b++) {
      clear_inputs();
      top->ct_tid_valid_i = 1;
      top->ct_tid_slot_i = w;
      top->ct_tid_beat_i = b;
      set_packed11(&top->ct_tid_x_i, wp.tid[0], b);
      set_packed11(&top->ct_tid_y_i, wp.tid[1], b);
      set_packed11(&top->ct_tid_z_i, wp.tid[2], b);
      top->eval();
      edge();
    }
    clear_inputs();
    top->ct_start_valid_i = 1;
    top->ct_start_slot_i = w;
    top->eval();
    edge();
    clear_inputs();
    for (unsigned r = 0; r < kRegs; r++) {
      for (auto &v : wp.reg[r]) v = rnd.u32();
      for (unsigned b = 0; b < beats; b++) {
        drive_row(MemRow{w, r, b, 0, beat_mask(~0u, b), wp.gen, wp.reg[r], 0});
        top->eval();
        if (!top->ls_wb_ready_o) error("initial write refused");
        edge();
      }
    }
    clear_inputs();
  }

  template <typename T> void set_packed11(T *port, const Row &row, unsigned beat) {
    std::vector<uint32_t> bits((lanes * 11 + 31) / 32 + 1, 0);
    for (unsigned l = 0; l < lanes; l++) {
      unsigned at = l * 11;
      uint64_t v = uint64_t(row[beat * lanes + l]) << (at % 32);
      bits[at / 32] |= static_cast<uint32_t>(v);
      bits[at / 32 + 1] |= static_cast<uint32_t>(v >> 32);
    }
    std::memcpy(static_cast<void *>(port), bits.data(), std::min(sizeof(T), bits.size() * 4));
  }

  void drive_row(const MemRow &r) {
    top->ls_wb_valid_i = 1;
    top->ls_wb_slot_i = r.warp;
    top->ls_wb_gen_i = r.gen;
    top->ls_wb_seq_i = r.seq;
    top->ls_wb_rd_i = r.rd;
    top->ls_wb_rbase_i = warps[r.warp].rbase;
    top->ls_wb_beat_i = r.beat;
    top->ls_wb_mask_i = r.mask;
    for (unsigned l = 0; l < lanes; l++) top->ls_wb_data_i[l] = r.data[r.beat * lanes + l];
  }

  // ---- making instructions --------------------------------------------------------------------------------------
  template <typename F> std::unique_ptr<Instr> make(unsigned w, isa_enc enc, F fill) {
    auto in = std::make_unique<Instr>();
    in->enc = enc;
    in->word = isa_encoding_info(enc)->match;
    in->warp = w;
    put(*in, ISA_F_PG, 7), put(*in, ISA_F_WBAR, 7), put(*in, ISA_F_RBAR, 7);
    fill(*in);
    if (!isa_decode(in->word, &in->dec)) {
      std::fprintf(stderr, "the bench made an illegal word\n");
      std::exit(2);
    }
    return in;
  }

  unsigned reg(unsigned words) {
    if (rnd.one_in(10)) return ISA_RZ;
    return rnd.below(kRegs / words) * words;
  }

  std::unique_ptr<Instr> random_instr(unsigned w) {
    static const isa_enc encs[] = {
        ISA_ENC_MOV_R,        ISA_ENC_MOV_I,        ISA_ENC_MOV_C,         ISA_ENC_SEL_RR,        ISA_ENC_SEL_RI,
        ISA_ENC_S2R_D,        ISA_ENC_S2R_D,        ISA_ENC_IADD3_RRR,     ISA_ENC_IADD3_RRR,     ISA_ENC_IADD3_RRI,
        ISA_ENC_LOP3_LUT_RRR, ISA_ENC_LOP3_LUT_RRR, ISA_ENC_LOP3_LUT_RCR,  ISA_ENC_IMAD_RRR,      ISA_ENC_IMAD_RRR,
        ISA_ENC_IMAD_RIR,     ISA_ENC_IMAD_RRC,     ISA_ENC_IMAD_WIDE_RRR, ISA_ENC_IMAD_WIDE_RRR, ISA_ENC_IMAD_WIDE_RIR,
        ISA_ENC_I2F_R,        ISA_ENC_I2F_R,        ISA_ENC_ISETP_PRR,     ISA_ENC_ISETP_PRI,     ISA_ENC_PLOP3_LUT_P,
        ISA_ENC_BRX_BRR,      ISA_ENC_RET_BRR,      ISA_ENC_LDG_E_LD,      ISA_ENC_STG_E_ST,      ISA_ENC_STS_ST,
        ISA_ENC_LDS_LD,       ISA_ENC_LDC_LC,       ISA_ENC_ATOMG_E_AT,    ISA_ENC_ATOMS_AT,      ISA_ENC_RED_E_ST};
    isa_enc enc = encs[rnd.below(sizeof encs / sizeof encs[0])];
    auto in = make(w, enc, [&](Instr &i) {
      const isa_encoding *e = isa_encoding_info(enc);
      static const unsigned sizes[] = {0, 2, 4, 5, 6};
      unsigned size = sizes[rnd.below(5)], words = size == 5 ? 2 : size == 6 ? 4 : 1;
      bool wide = e->op == ISA_OP_IMAD_WIDE, branch = e->op == ISA_OP_BRX || e->op == ISA_OP_RET;
      bool pair_a =
          branch || e->op == ISA_OP_LDG_E || e->op == ISA_OP_STG_E || e->op == ISA_OP_ATOMG_E || e->op == ISA_OP_RED_E;
      for (unsigned k = 0; k < e->n_fields; k++) {
        isa_field f = static_cast<isa_field>(e->fields[k]);
        bool sized = false;
        for (unsigned q = 0; q < e->n_fields; q++) sized |= e->fields[q] == ISA_F_SIZE;
        switch (f) {
        case ISA_F_RD:
          put(i, f, reg(wide ? 2 : sized ? words : 1));
          break;
        case ISA_F_RA:
          put(i, f, reg(pair_a ? 2 : 1));
          break;
        case ISA_F_RB:
          put(i, f, reg(sized ? words : 1));
          break;
        case ISA_F_RC:
          put(i, f, reg(wide ? 2 : 1));
          break;
        case ISA_F_SIZE:
          put(i, f, size);
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
        case ISA_F_SIGN:
        case ISA_F_ISRC:
          put(i, f, rnd.below(2));
          break;
        case ISA_F_SREG: {
          static const unsigned s[] = {0, 33, 34, 35, 37, 38, 39, 56, 57, 58, 59, 60};
          put(i, f, s[rnd.below(12)]);
          break;
        }
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
      // Reuse: often the same registers as before, in the same places.
      if (!sticky_.empty() && rnd.one_in(2)) {
        for (auto &s : sticky_) {
          for (unsigned k = 0; k < e->n_fields; k++) {
            if (e->fields[k] == s.first && !wide && !pair_a && e->op != ISA_OP_STS) put(i, s.first, s.second);
          }
        }
      }
    });
    if (in->fixed() && rnd.one_in(3)) {
      sticky_ = {{ISA_F_RA, rnd.below(kRegs)}, {ISA_F_RB, rnd.below(kRegs)}, {ISA_F_RC, rnd.below(kRegs)}};
    }
    in->exec = rnd.one_in(2)   ? ~0u
               : rnd.one_in(6) ? 0
               : rnd.one_in(3) ? beat_mask(~0u, 0) << (lanes * rnd.below(beats))
                               : rnd.u32();
    for (auto &p : in->ps) p = rnd.one_in(3) ? ~0u : rnd.u32();
    in->sval = rnd.u32();
    return in;
  }
  std::vector<std::pair<isa_field, unsigned>> sticky_;

  // Registers that the instruction reads or writes.
  template <typename F> void each_reg(const Instr &in, F f) {
    for (const auto &s : in.dec.src) {
      if (s.kind == ISA_REG && s.reg != ISA_RZ) {
        for (unsigned k = 0; k < s.words; k++) f(s.reg + k, false);
      }
    }
    if (in.dec.has_rd && in.dec.rd != ISA_RZ) {
      for (unsigned k = 0; k < in.dec.rd_words; k++) f(in.dec.rd + k, true);
    }
  }

  bool may_issue(const Instr &in, bool may_mem, bool may_gen) {
    Warp &wp = warps[in.warp];
    if (wp.now || cycle < wp.free_at) return false;
    if (in.dec.unit == ISA_UNIT_MEM ? !may_mem : !may_gen) return false;
    bool ok = true;
    each_reg(in, [&](unsigned r, bool) { ok &= wp.mem_pending[r] == 0; });
    // Fixed results: readers wait, later writers do not (writes of one warp stay in order by themselves).
    each_reg(in, [&](unsigned r, bool write) { ok &= (write && in.fixed()) || cycle >= wp.reg_at[r]; });
    // A memory result must not be overtaken by an older fixed one.
    return ok;
  }

  // Operands and results from the account of registers.
  void compute(Instr &in) {
    Warp &wp = warps[in.warp];
    const isa_op op = static_cast<isa_op>(in.dec.op);
    static const unsigned base[3] = {0, 2, 4};
    auto word = [&](unsigned s, unsigned k) {
      const isa_src &src = in.dec.src[s];
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
    if (op == ISA_OP_S2R) {
      in.used = 4;
      unsigned sreg = static_cast<unsigned>(isa_get(in.word, ISA_F_SREG));
      for (unsigned l = 0; l < 32; l++) {
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
        in.slot[2][l] = v;
      }
    }
    for (unsigned l = 0; l < 32; l++) {
      uint32_t a = in.slot[0][l], b = in.slot[2][l], c = in.slot[4][l], lo = 0, hi = 0;
      bool p0 = in.ps[0] >> l & 1, p1 = in.ps[1] >> l & 1, p2 = in.ps[2] >> l & 1, d0 = false, d1 = false;
      bool u = isa_get(in.word, ISA_F_SIGN) != 0;
      switch (op) {
      case ISA_OP_MOV:
      case ISA_OP_S2R:
        lo = b;
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
        unsigned lut = static_cast<unsigned>(isa_get(in.word, ISA_F_LUT));
        for (unsigned i = 0; i < 32; i++)
          lo |= (lut >> ((a >> i & 1) << 2 | (b >> i & 1) << 1 | (c >> i & 1)) & 1u) << i;
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
        float f = isa_get(in.word, ISA_F_ISRC) ? static_cast<float>(b) : static_cast<float>(static_cast<int32_t>(b));
        std::memcpy(&lo, &f, 4);
        break;
      }
      case ISA_OP_ISETP: {
        bool lt = u ? a < b : int32_t(a) < int32_t(b), eq = a == b, r = false;
        unsigned cmp = static_cast<unsigned>(isa_get(in.word, ISA_F_ICMP));
        r = ((cmp & 1) && lt) || ((cmp & 2) && eq) || ((cmp & 4) && !lt && !eq);
        unsigned bl = static_cast<unsigned>(isa_get(in.word, ISA_F_BOOL));
        auto comb = [&](bool x) { return bl == 0 ? x && p0 : bl == 1 ? x || p0 : x != p0; };
        d0 = comb(r), d1 = comb(!r);
        break;
      }
      case ISA_OP_PLOP3_LUT: {
        unsigned i = p0 << 2 | p1 << 1 | unsigned(p2);
        d0 = isa_get(in.word, ISA_F_PLUT0) >> i & 1, d1 = isa_get(in.word, ISA_F_PLUT1) >> i & 1;
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
    in.lat = in.dec.unit == ISA_UNIT_ALU   ? top->cfg_lat_alu_o
             : in.dec.unit == ISA_UNIT_FMA ? top->cfg_lat_fma_o
                                           : top->cfg_lat_cvt_o;
    if (in.fixed() && in.dec.has_rd && in.dec.rd != ISA_RZ) {
      for (unsigned k = 0; k < in.dec.rd_words; k++) {
        for (unsigned l = 0; l < 32; l++) {
          if (in.exec >> l & 1) wp.reg[in.dec.rd + k][l] = in.result[k][l];
        }
        wp.reg_at[in.dec.rd + k] = ~0ull;
      }
    }
    if (in.dec.unit == ISA_UNIT_MEM && in.dec.has_rd && in.dec.rd != ISA_RZ) {
      for (unsigned k = 0; k < in.dec.rd_words; k++) wp.mem_pending[in.dec.rd + k] += 1;
    }
  }

  bool busy() {
    if (forced_ || !rows_.empty() || !done_.empty() || !mem_order_.empty()) return true;
    for (auto &w : warps) {
      if (w.now) return true;
    }
    return false;
  }

  // ---- one cycle ------------------------------------------------------------------------------------------------
  void step(bool random) {
    clear_inputs();
    top->eval();
    bool may_gen = top->op_free_gen_o != 0, may_mem = top->op_free_mem_o != 0;
    std::unique_ptr<Instr> in;
    if (forced_) {
      if (may_issue(*forced_, may_mem, may_gen)) in = std::move(forced_);
    } else if (random && issuing_ && !rnd.one_in(8)) {
      for (int tries = 0; tries < 4 && !in; tries++) {
        auto cand = random_instr(rnd.below(static_cast<uint32_t>(warps.size())));
        if (may_issue(*cand, may_mem, may_gen)) in = std::move(cand);
      }
    }
    if (in) issue(std::move(in));
    top->op_mem_ready_i = random ? rnd.below(4) != 0 : 1;
    if (row_now_ < 0 && !rows_.empty() && rnd.below(3)) {
      unsigned pick = rnd.below(static_cast<uint32_t>(rows_.size()));
      if (rows_[pick].not_before <= cycle) row_now_ = static_cast<int>(pick);
    }
    if (row_now_ >= 0) drive_row(rows_[row_now_]);
    top->eval();
    observe();
    edge();
  }

  void issue(std::unique_ptr<Instr> in) {
    Warp &wp = warps[in->warp];
    in->seq = wp.seq++;
    compute(*in);
    top->is_valid_i = 1;
    top->is_word_i[0] = static_cast<uint32_t>(in->word.lo);
    top->is_word_i[1] = static_cast<uint32_t>(in->word.lo >> 32);
    top->is_word_i[2] = static_cast<uint32_t>(in->word.hi);
    top->is_word_i[3] = static_cast<uint32_t>(in->word.hi >> 32);
    top->is_slot_i = in->warp;
    top->is_gen_i = wp.gen;
    top->is_seq_i = in->seq;
    top->is_exec_i = in->exec;
    top->is_ps0_i = in->ps[0];
    top->is_ps1_i = in->ps[1];
    top->is_ps2_i = in->ps[2];
    top->is_sval_i = in->sval;
    top->is_rbase_i = wp.rbase;
    top->eval();
    if (!top->is_legal_o) error("decode() calls the word illegal");
    wp.free_at = cycle + 1;
    wp.now = std::move(in);
    issued_at_ = cycle;
    issued++;
  }
  uint64_t issued_at_ = 0;

  bool who(const char *what, unsigned slot, unsigned gen, uint32_t seq, unsigned beat) {
    Warp &wp = warps.at(slot % warps.size());
    if (slot >= warps.size() || !wp.now || wp.now->seq != seq || wp.gen != gen || wp.now->next_beat != beat) {
      error("%s: unexpected: warp %u gen %u seq %u beat %u", what, slot, gen, seq, beat);
      return false;
    }
    return true;
  }

  template <typename D>
  void operands(const char *what, const Instr &in, unsigned beat, unsigned used, uint32_t mask, const D &data) {
    if (used != in.used) error("%s: used %x, not %x", what, used, in.used);
    if (mask != beat_mask(in.exec, beat)) error("%s: mask %x, not %x", what, mask, beat_mask(in.exec, beat));
    for (unsigned s = 0; s < kSlots; s++) {
      if (!(in.used >> s & 1)) continue;
      for (unsigned l = 0; l < lanes; l++) {
        uint32_t got = data[s * lanes + l], want = in.slot[s][beat * lanes + l];
        if (got != want) {
          error("%s: %s warp %u seq %u beat %u slot %u lane %u: %08x, not %08x", what, isa_op_name(isa_op(in.dec.op)),
                in.warp, in.seq, beat, s, l, got, want);
          return;
        }
      }
    }
  }

  void observe() {
    if (top->ret_opg_valid_o &&
        who("dispatch", top->ret_opg_slot_o, top->ret_opg_gen_o, top->ret_opg_seq_o, top->ret_opg_beat_o)) {
      general_beat(top->ret_opg_slot_o);
    } else if (top->op_disp_valid_o & 1) {
      if (!errors) error("dispatched without a beat");
    }
    if (top->ret_opm_valid_o &&
        who("memory", top->ret_opm_slot_o, top->ret_opm_gen_o, top->ret_opm_seq_o, top->ret_opm_beat_o)) {
      memory_beat(top->ret_opm_slot_o);
    }
    if (row_now_ >= 0 && top->ls_wb_ready_o) {
      MemRow r = rows_[row_now_];
      rows_.erase(rows_.begin() + row_now_);
      row_now_ = -1;
      Warp &wp = warps[r.warp];
      if (r.rd != ISA_RZ && r.mask) writes_[{r.warp, r.seq, r.rd, r.beat}] = {r.mask, r.data, cycle};
      if (r.rd != ISA_RZ) {
        for (unsigned l = 0; l < lanes; l++) {
          if (r.mask >> l & 1) wp.reg[r.rd][r.beat * lanes + l] = r.data[r.beat * lanes + l];
        }
        if (--rows_left_[{r.warp, r.seq, r.rd}] == 0) {
          wp.mem_pending[r.rd]--;
          wp.reg_at[r.rd] = cycle;
        }
      }
    } else if (row_now_ >= 0) {
      quiet++;
    }
    register_writes();
    predicate_writes();
    ends();
  }
  std::map<std::array<uint32_t, 3>, unsigned> rows_left_;

  void general_beat(unsigned w) {
    Warp &wp = warps[w];
    Instr &in = *wp.now;
    unsigned beat = in.next_beat++;
    if (in.dec.unit == ISA_UNIT_MEM) error("memory instruction on the general bus");
    operands("dispatch", in, beat, top->ret_opg_used_o, top->ret_opg_mask_o, top->ret_opg_data_o);
    if (!rate_first_) rate_first_ = cycle, first_beat_latency = cycle - issued_at_;
    rate_last_ = cycle;
    dispatched++;
    uint32_t mask = beat_mask(in.exec, beat);
    if (in.dec.unit == ISA_UNIT_BR) {
      if (!top->op_br_valid_o || top->op_br_slot_o != w || top->op_br_beat_o != beat)
        error("register branch beat missing");
      for (unsigned l = 0; l < lanes; l++) {
        if (top->op_br_lo_o[l] != in.slot[0][beat * lanes + l] || top->op_br_hi_o[l] != in.slot[1][beat * lanes + l])
          error("branch target");
      }
    } else if (top->op_br_valid_o) {
      error("branch beat of another unit");
    }
    uint64_t due = cycle + in.lat - 1;
    if (in.fixed() && mask && in.dec.has_rd && in.dec.rd != ISA_RZ) {
      for (unsigned k = 0; k < in.dec.rd_words; k++)
        writes_[{w, in.seq, in.dec.rd + k, beat}] = {mask, in.result[k], due};
    }
    bool pd = (in.dec.has_pd0 && in.dec.pd0 != ISA_PT) || (in.dec.has_pd1 && in.dec.pd1 != ISA_PT);
    if (in.fixed() && mask && pd) {
      preds_[{w, in.seq, beat}] = {
          mask, in.dec.pd0, in.dec.pd1, beat_mask(in.d0, beat), beat_mask(in.d1, beat), static_cast<uint32_t>(due)};
    }
    bool last = beat == beats - 1;
    if (last != (top->op_disp_valid_o & 1)) error("dispatched event at beat %u", beat);
    if (!last) return;
    if ((top->op_disp_slot_o & 0xff) != w || (top->op_disp_rbar_o & 7) != in.dec.ctl.rbar)
      error("dispatched event: slot or rbar");
    if (in.fixed()) {
      done_[{w, in.seq}] = {in.dec.unit, due};
      if (in.dec.has_rd && in.dec.rd != ISA_RZ) {
        // The smallest distance: a reader arrives so that its beat k is read after beat k of this one was written.
        for (unsigned k = 0; k < in.dec.rd_words; k++) {
          wp.reg_at[in.dec.rd + k] = cycle + std::max(1, int(in.lat) - int(beats));
        }
      }
    }
    done_info_[{w, in.seq}] = in.dec.ctl.wbar;
    wp.free_at = cycle + 1;
    wp.now.reset();
  }
  std::map<std::array<uint32_t, 2>, unsigned> done_info_;

  void memory_beat(unsigned w) {
    Warp &wp = warps[w];
    Instr &in = *wp.now;
    unsigned beat = in.next_beat++;
    mem_beats++;
    if (in.dec.unit != ISA_UNIT_MEM) error("general instruction on the memory bus");
    operands("memory", in, beat, top->ret_opm_used_o, top->ret_opm_mask_o, top->ret_opm_data_o);
    for (unsigned s = 0; s < kSlots; s++) {
      for (unsigned l = 0; l < lanes; l++) {
        if ((in.used >> s & 1) && top->op_mem_data_o[s * lanes + l] != in.slot[s][beat * lanes + l])
          error("memory data");
      }
    }
    const isa_op op = isa_op(in.dec.op);
    bool atom = op == ISA_OP_ATOMG_E || op == ISA_OP_ATOMS || op == ISA_OP_RED_E;
    unsigned size = atom ? 4 : static_cast<unsigned>(isa_get(in.word, ISA_F_SIZE));
    uint32_t off = op == ISA_OP_LDC ? uint32_t(isa_get_signed(in.word, ISA_F_COFF16)) & 0xffffff
                                    : uint32_t(isa_get(in.word, ISA_F_OFF24));
    if (top->op_mem_slot_o != w || top->op_mem_seq_o != in.seq || top->op_mem_beat_o != beat ||
        top->op_mem_size_o != size || top->op_mem_off_o != off ||
        top->op_mem_rd_o != (in.dec.has_rd ? in.dec.rd : ISA_RZ) || top->op_mem_exec_o != in.exec ||
        top->op_mem_wbar_o != in.dec.ctl.wbar) {
      error("memop of %s", isa_op_name(op));
    }
    bool last = beat == beats - 1;
    if (last != (top->op_disp_valid_o >> 1 & 1)) error("memory dispatched event at beat %u", beat);
    if (!last) return;
    if ((top->op_disp_slot_o >> 8 & 0xff) != w || (top->op_disp_rbar_o >> 3 & 7) != in.dec.ctl.rbar)
      error("memory dispatched event");
    if (in.dec.has_rd && in.dec.rd != ISA_RZ) {
      uint64_t delay = rnd.one_in(3) ? 0 : rnd.below(60);
      for (unsigned k = 0; k < in.dec.rd_words; k++) {
        Row data;
        for (auto &v : data) v = rnd.u32();
        for (unsigned b = 0; b < beats; b++) {
          rows_.push_back({w, in.dec.rd + k, b, in.seq, beat_mask(in.exec, b), wp.gen, data, cycle + 2 + delay});
        }
        rows_left_[{w, in.seq, in.dec.rd + k}] = beats;
        wp.reg_at[in.dec.rd + k] = ~0ull;
      }
    }
    wp.free_at = cycle + 1;
    wp.now.reset();
  }

  uint32_t wb_mask(unsigned b) const {
    unsigned at = b * lanes;
    uint32_t words[4]{};
    std::memcpy(words, &top->ret_wb_mask_o, std::min(sizeof words, sizeof top->ret_wb_mask_o));
    if (lanes == 32) return words[b];
    return words[at / 32] >> (at % 32) & ((1u << lanes) - 1);
  }

  void register_writes() {
    for (unsigned b = 0; b < 4; b++) {
      if (!(top->ret_wb_valid_o >> b & 1)) continue;
      unsigned w = top->ret_wb_slot_o >> (8 * b) & 0xff, gen = top->ret_wb_gen_o >> (8 * b) & 0xff;
      unsigned rd = top->ret_wb_rd_o >> (8 * b) & 0xff, beat = top->ret_wb_beat_o >> (8 * b) & 0xff;
      uint32_t seq = top->ret_wb_seq_o[b];
      auto it = writes_.find({w, seq, rd, beat});
      if (it == writes_.end() || gen != warps[w].gen) {
        error("unexpected write: warp %u seq %u R%u beat %u", w, seq, rd, beat);
        continue;
      }
      const Write &want = it->second;
      if (want.due != cycle)
        error("write in cycle %llu, not %llu", (unsigned long long)cycle, (unsigned long long)want.due);
      if ((warps[w].rbase + rd) % top->cfg_banks_o != b) error("write of R%u in bank %u", rd, b);
      if (wb_mask(b) != want.mask) error("write mask %x, not %x", wb_mask(b), want.mask);
      for (unsigned l = 0; l < lanes; l++) {
        uint32_t got = top->ret_wb_data_o[b * lanes + l];
        if ((want.mask >> l & 1) && got != want.data[beat * lanes + l])
          error("write of R%u lane %u: %08x, not %08x", rd, l, got, want.data[beat * lanes + l]);
      }
      writes_.erase(it);
      written++;
    }
    for (auto &w : writes_) {
      if (w.second.due < cycle) {
        error("write due in %llu did not come", (unsigned long long)w.second.due);
        writes_.erase(w.first);
        break;
      }
    }
  }

  void predicate_writes() {
    if (!top->ret_pwb_valid_o) return;
    auto it = preds_.find({top->ret_pwb_slot_o, top->ret_pwb_seq_o, top->ret_pwb_beat_o});
    if (it == preds_.end()) return error("unexpected predicate write");
    auto &p = it->second;
    uint32_t m = p[0];
    if (top->ret_pwb_mask_o != m || top->ret_pwb_pd0_o != p[1] || top->ret_pwb_pd1_o != p[2] ||
        p[5] != uint32_t(cycle) || (p[1] != ISA_PT && (top->ret_pwb_d0_o & m) != (p[3] & m)) ||
        (p[2] != ISA_PT && (top->ret_pwb_d1_o & m) != (p[4] & m))) {
      error("predicate write of warp %u seq %u beat %u", top->ret_pwb_slot_o, top->ret_pwb_seq_o, top->ret_pwb_beat_o);
    }
    preds_.erase(it);
  }

  void ends() {
    for (unsigned u = 0; u < 3; u++) {
      bool want = false;
      unsigned w = top->done_slot_o >> (8 * u) & 0xff;
      for (auto it = done_.begin(); it != done_.end(); ++it) {
        if (it->second.first != u || it->second.second != cycle) continue;
        want = true;
        if (top->done_valid_o >> u & 1 &&
            (it->first[0] != w || (top->done_wbar_o >> (3 * u) & 7) != done_info_[it->first]))
          error("end of another instruction");
        done_.erase(it);
        break;
      }
      if (want != bool(top->done_valid_o >> u & 1)) error("end event of unit %u: %d", u, !want);
    }
  }
};

} // namespace

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
