// SPDX-License-Identifier: Apache-2.0
// The uniform datapath against plain arithmetic: random instructions of several warps, one a cycle where nothing
// depends, late results between them. A result is written exactly four cycles after the issue, and read by an issue
// five cycles after it; operands, results and predicates are compared, each record in its cycle. Ordinary instructions
// read pairs. A late result waits for a cycle without one of the pipe, and says so after eight.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <memory>

#include <Vtop.h>
#include "tests/rtl/arguments.h"
#include "tests/rtl/random.h"
#include "tests/rtl/uni/uni_oracle.h"
#include "cosim/verilator/fault_number.hpp"
#include <verilated.h>

namespace {

constexpr unsigned URS = 63, WRITE_AGE = 4, SEEN_AGE = 5, PATIENCE = 8;

struct Expected {
  uint64_t cycle;
  uint32_t seq;
  unsigned slot, wbar, rd, words, pred, value;
  bool has_rd, writes;
  uint64_t data;
};

struct Warp {
  uint32_t ur[URS + 1] = {};
  unsigned up = 0;
  uint64_t ur_seen[URS + 1] = {}, up_seen[8] = {}; // the first cycle whose issue sees the latest write
  bool ur_late[URS + 1] = {}, up_late[8] = {};     // a late result is on its way
};

struct Late {
  bool valid = false;
  uint32_t seq = 0, data = 0;
  unsigned slot = 0, rd = 0, pd0 = 7;
  bool row = false, d0 = false;
};

struct Bench {
  Vtop top;
  Random rnd{5};
  Warp warp[64];
  std::deque<Expected> due;
  Late late;
  uint64_t now = 0, checks = 0, failed = 0, issued = 0, exact = 0, lates = 0, ordinary = 0, idle = 0;
  unsigned warps = 0, used_warps = 2, waited = 0;
  uint32_t seq = 0;
  bool full = false; // an instruction in every cycle

  void check(bool ok, const char *what, uint64_t a = 0, uint64_t b = 0) {
    checks++;
    if (!ok && failed++ < 12)
      std::printf("cycle %llu: %s (0x%llx, 0x%llx)\n", (unsigned long long)now, what, (unsigned long long)a,
                  (unsigned long long)b);
  }
  void edge() {
    top.clk_i = 1;
    top.eval();
    top.clk_i = 0;
    top.eval();
    now++;
  }
  void reset() {
    top.clk_i = 0;
    top.is_valid_i = top.late_valid_i = 0;
    top.rst_ni = 0;
    for (int i = 0; i < 3; i++) edge();
    top.rst_ni = 1;
    warps = top.warps_o;
    check(top.stall_o == SEEN_AGE, "STALL_UNI_REG of the configuration", top.stall_o);
  }

  static uint32_t edge_value(Random &r) {
    static const uint32_t edges[] = {0, 1, 31, 32, 33, 63, 64, 0x7f, 0x7fffffff, 0x80000000, 0x80000001, 0xffffffff};
    return r.one_in(3) ? edges[r.below(sizeof edges / sizeof *edges)] : r.u32();
  }

  // ---- a random word ------------------------------------------------------------------------------------------------
  bool draw(heddle_isa_dec &d) {
    const heddle_isa_encoding *e = heddle_isa_encoding_info(static_cast<heddle_isa_enc>(rnd.below(ISA_ENC_COUNT)));
    heddle_isa_word w = e->match;
    for (unsigned i = 0; i < e->n_fields; i++) {
      const heddle_isa_field f = static_cast<heddle_isa_field>(e->fields[i]);
      const unsigned kind = heddle_isa_field_info(f)->kind;
      uint64_t v = uint64_t(rnd.u32()) << 32 | rnd.u32();
      if (kind == ISA_K_UGPR_READ || kind == ISA_K_UGPR_WRITE) v = rnd.one_in(8) ? URS : rnd.below(10);
      if (kind == ISA_K_UGUARD && !rnd.one_in(3)) v = ISA_PT;
      if (kind == ISA_K_SBSET) v = rnd.one_in(2) ? 7 : rnd.below(6);
      if (kind == ISA_K_IMM32) v = edge_value(rnd);
      w = heddle_isa_put(w, f, v);
    }
    return heddle_isa_decode(w, &d) && heddle_isa_in_rtl(&d) && d.op != ISA_OP_ULDC;
  }

  // ---- what it reads and writes
  // ---------------------------------------------------------------------------------------
  bool ready(const Warp &w, const heddle_isa_dec &d, bool *just) {
    *just = false;
    auto reg = [&](unsigned r) {
      if (r >= URS) return true;
      *just = *just || w.ur_seen[r] == now;
      return w.ur_seen[r] <= now && !w.ur_late[r];
    };
    auto pred = [&](unsigned p) {
      if (p >= 7) return true;
      *just = *just || w.up_seen[p] == now;
      return w.up_seen[p] <= now && !w.up_late[p];
    };
    bool ok = true;
    for (const heddle_isa_src &s : d.src)
      for (unsigned k = 0; s.kind == ISA_UREG && k < s.words; k++) ok = reg(s.reg + k) && ok;
    if (d.uniform) ok = pred(d.guard.index) && ok;
    for (const heddle_isa_pred &p : d.ps) ok = (!d.ps_uniform || pred(p.index)) && ok;
    if (d.op == ISA_OP_UP2UR || d.op == ISA_OP_UR2UP)
      for (unsigned p = 0; p < 7; p++) ok = pred(p) && ok;
    const bool reads_now = *just;
    for (unsigned k = 0; d.uniform && d.has_rd && d.rd != ISA_RZ && k < d.rd_words; k++)
      ok = !w.ur_late[d.rd + k] && ok;
    if (d.pd_uniform) ok = !w.up_late[d.pd0] && !w.up_late[d.pd1] && ok;
    *just = reads_now;
    return ok;
  }

  static bool truth(const Warp &w, const heddle_isa_pred &p) {
    return (p.index == 7 || (w.up >> p.index & 1)) != p.neg;
  }
  static uint64_t source(const Warp &w, const heddle_isa_src &s, uint32_t sval) {
    if (s.kind == ISA_IMM) return sval;
    if (s.kind != ISA_UREG || s.reg == ISA_RZ) return 0;
    return s.words > 1 ? uint64_t(w.ur[s.reg + 1]) << 32 | w.ur[s.reg] : w.ur[s.reg];
  }

  // ---- an instruction issues
  // -------------------------------------------------------------------------------------------- What must be shown in
  // the next cycle.
  bool shows = false, plain = false;
  uint32_t shown_seq = 0, shown[4] = {};
  unsigned shown_used = 0;
  uint64_t plain_value = 0;

  void issue_uniform(Warp &w, unsigned slot, const heddle_isa_dec &d) {
    Operands o;
    const uint32_t sval = d.op == ISA_OP_S2UR ? rnd.u32() : d.imm;
    const bool go = truth(w, d.guard);
    o.a = uint32_t(source(w, d.src[0], sval));
    o.b = d.src[1].kind == ISA_UREG ? uint32_t(source(w, d.src[1], sval)) : sval;
    o.c = source(w, d.src[2], sval);
    o.up = w.up;
    for (unsigned i = 0; i < 3; i++) o.ps[i] = truth(w, d.ps[i]);
    top.is_go_i = go;
    top.is_ps_i = static_cast<uint8_t>(o.ps[2] << 2 | o.ps[1] << 1 | unsigned(o.ps[0]));
    top.is_sval_i = sval;
    shows = go;
    shown_seq = seq;
    shown_used = (d.src[0].kind != ISA_NONE ? 1u : 0) | (d.src[1].kind != ISA_NONE || d.op == ISA_OP_S2UR ? 2u : 0) |
                 (d.src[2].kind != ISA_NONE ? 4u : 0) | (d.src[2].kind != ISA_NONE && d.src[2].words > 1 ? 8u : 0);
    shown[0] = o.a, shown[1] = o.b, shown[2] = uint32_t(o.c), shown[3] = uint32_t(o.c >> 32);
    const Result r = uniform_result(d, o);
    Expected x{now + WRITE_AGE, seq, slot, d.ctl.wbar, d.rd, 0, r.named, r.value, d.has_rd && d.rd != ISA_RZ, go,
               r.data};
    for (unsigned k = 0; k < 2; k++) {
      const unsigned p = k == 0 ? d.pd0 : d.pd1;
      if (!(k == 0 ? d.has_pd0 : d.has_pd1) || p == ISA_PT) continue;
      x.pred |= 1u << p;
      x.value = (x.value & ~(1u << p)) | unsigned(r.pd[k]) << p;
    }
    if (x.has_rd) x.words = d.rd_words;
    if (go) remember(w, x);
    due.push_back(x);
  }

  void remember(Warp &w, const Expected &x) {
    for (unsigned k = 0; k < x.words; k++) {
      w.ur[x.rd + k] = uint32_t(x.data >> 32 * k);
      w.ur_seen[x.rd + k] = now + SEEN_AGE;
    }
    w.up = (w.up & ~x.pred) | x.value;
    for (unsigned p = 0; p < 7; p++)
      if (x.pred >> p & 1) w.up_seen[p] = now + SEEN_AGE;
  }

  // An ordinary instruction: the one uniform operand that it has.
  void issue_plain(Warp &w, const heddle_isa_dec &d) {
    plain = true;
    for (const heddle_isa_src &s : d.src)
      if (s.kind == ISA_UREG) plain_value = source(w, s, 0);
    ordinary++;
  }

  void issue() {
    heddle_isa_dec d;
    bool just = false;
    top.is_valid_i = 0;
    shows = plain = false;
    const unsigned slot = rnd.below(used_warps);
    top.is_slot_i = static_cast<uint8_t>(slot);
    if (!full && rnd.one_in(4)) return;
    for (unsigned tries = 0; tries < 400; tries++) {
      if (!draw(d) || !ready(warp[slot], d, &just)) continue;
      bool reads = false;
      for (const heddle_isa_src &s : d.src) reads = reads || s.kind == ISA_UREG;
      if (!d.uniform && (full || !reads || !rnd.one_in(4))) continue;
      top.is_valid_i = 1;
      top.is_word_lo_i = d.word.lo;
      top.is_word_hi_i = d.word.hi;
      top.is_seq_i = ++seq;
      if (d.uniform)
        issue_uniform(warp[slot], slot, d);
      else
        issue_plain(warp[slot], d);
      exact += just;
      issued++;
      return;
    }
    idle++;
  }

  void check_preds(unsigned slot) {
    const Warp &w = warp[slot];
    for (unsigned p = 0; p < 7; p++)
      if (w.up_seen[p] <= now && !w.up_late[p] && now > 200)
        check((top.un_pred_o >> p & 1) == (w.up >> p & 1), "a uniform predicate in S1", slot, p);
  }

  // ---- late results
  // -----------------------------------------------------------------------------------------------------
  void offer_late() {
    if (!late.valid && rnd.one_in(full ? 200 : 6)) {
      late.slot = rnd.below(used_warps);
      Warp &w = warp[late.slot];
      late.row = !rnd.one_in(5);
      late.rd = rnd.below(URS);
      late.pd0 = late.row && rnd.one_in(2) ? 7 : rnd.below(7);
      late.data = rnd.u32();
      late.d0 = rnd.one_in(2);
      // Nothing else is under way to the same places.
      late.valid = (!late.row || w.ur_seen[late.rd] <= now) && (late.pd0 == 7 || w.up_seen[late.pd0] <= now);
      if (late.valid && late.row) w.ur_late[late.rd] = true;
      if (late.valid && late.pd0 != 7) w.up_late[late.pd0] = true;
      late.seq = late.valid ? ++seq : seq;
      waited = 0;
    }
    top.late_valid_i = late.valid;
    top.late_slot_i = static_cast<uint8_t>(late.slot);
    top.late_seq_i = late.seq;
    top.late_row_i = late.row;
    top.late_rd_i = static_cast<uint8_t>(late.rd);
    top.late_data_i = late.data;
    top.late_pd0_i = static_cast<uint8_t>(late.pd0);
    top.late_d0_i = late.d0;
  }

  void take_late() {
    Warp &w = warp[late.slot];
    check(top.write_valid_o && top.write_seq_o == late.seq && top.write_slot_o == late.slot, "a late write", late.seq);
    check(top.write_used_o == (late.row ? 1 : 0) && (!late.row || (top.write_rd_o == late.rd && word(0) == late.data)),
          "its word", word(0), late.data);
    check(top.write_pred_o == (late.pd0 == 7 ? 0 : 1u << late.pd0) &&
              (late.pd0 == 7 || (top.write_value_o != 0) == late.d0),
          "its predicate", top.write_pred_o);
    if (late.row) w.ur[late.rd] = late.data, w.ur_late[late.rd] = false, w.ur_seen[late.rd] = now + 1;
    if (late.pd0 != 7) {
      w.up = (w.up & ~(1u << late.pd0)) | unsigned(late.d0) << late.pd0;
      w.up_late[late.pd0] = false, w.up_seen[late.pd0] = now + 1;
    }
    late.valid = false;
    lates++;
  }

  uint32_t word(unsigned k) const {
    uint32_t v;
    std::memcpy(&v, reinterpret_cast<const uint8_t *>(&top.write_data_o) + 4 * k, 4);
    return v;
  }

  // ---- what leaves the unit in this cycle
  // -----------------------------------------------------------------------------------
  void check_write(const Expected &x) {
    check(top.done_valid_o && top.done_slot_o == x.slot && top.done_wbar_o == x.wbar &&
              bool(top.done_has_rd_o) == x.has_rd,
          "an end, four cycles after its issue", x.seq);
    const bool shown_write = x.writes && (x.words != 0 || x.pred != 0);
    check(bool(top.write_valid_o) == shown_write, "a write, or none", x.seq, top.write_valid_o);
    if (!shown_write || !top.write_valid_o) return;
    check(top.write_seq_o == x.seq && top.write_slot_o == x.slot, "whose write", top.write_seq_o, x.seq);
    check(top.write_used_o == (1u << x.words) - 1, "how many words", top.write_used_o, x.words);
    for (unsigned k = 0; k < x.words; k++) check(word(k) == uint32_t(x.data >> 32 * k), "a result", word(k), x.data);
    if (x.words != 0) check(top.write_rd_o == x.rd, "its register", top.write_rd_o, x.rd);
    check(top.write_pred_o == x.pred && top.write_value_o == x.value, "its predicates", top.write_value_o, x.value);
  }

  void check_read(bool was_shown, uint32_t number, unsigned used, const uint32_t *want) {
    check(bool(top.read_valid_o) == was_shown, "operands shown, or not", number);
    if (!was_shown || !top.read_valid_o) return;
    check(top.read_seq_o == number && top.read_used_o == used, "whose operands", top.read_used_o, used);
    for (unsigned k = 0; k < 4; k++) {
      uint32_t v;
      std::memcpy(&v, reinterpret_cast<const uint8_t *>(&top.read_data_o) + 4 * k, 4);
      if (used >> k & 1) check(v == want[k], "an operand", v, want[k]);
    }
  }

  void cycle(bool may_issue) {
    const bool was_shown = shows, was_plain = plain;
    const uint32_t number = shown_seq;
    uint32_t want[4];
    std::memcpy(want, shown, sizeof want);
    const unsigned used = shown_used;
    const uint64_t value = plain_value;
    offer_late();
    if (may_issue) {
      issue();
    } else {
      top.is_valid_i = 0;
      shows = plain = false;
    }
    top.eval();
    check_read(was_shown, number, used, want);
    if (was_plain)
      check((uint64_t(top.sval_hi_o) << 32 | top.sval_o) == value, "what an ordinary instruction reads", value);
    check_preds(top.is_slot_i);
    const bool fixed = !due.empty() && due.front().cycle == now;
    check(bool(top.late_ready_o) == !fixed, "the write port is the pipe's", fixed);
    check(bool(top.starved_o) == (late.valid && waited == PATIENCE), "a late result that waits", waited);
    if (fixed) {
      check_write(due.front());
      due.pop_front();
      if (late.valid && waited < PATIENCE) waited++;
    } else {
      check(!top.done_valid_o, "an end of nobody");
      if (late.valid)
        take_late();
      else
        check(!top.write_valid_o, "a write of nobody");
    }
    edge();
  }

  // Every register and predicate of every warp has a value.
  void fill() {
    for (unsigned s = 0; s < warps; s++)
      for (unsigned r = 0; r < URS; r++) {
        late = Late{true, ++seq, edge_value(rnd), s, r, r < 7 ? r : 7, true, rnd.one_in(2)};
        if (r < 7) warp[s].up_late[r] = true;
        top.is_valid_i = 0;
        offer_late();
        top.eval();
        take_late();
        edge();
      }
  }

  void flush() {
    for (unsigned i = 0; i < 2 * SEEN_AGE; i++) cycle(false);
  }
};

} // namespace

int main(int argc, char **argv) {
  Arguments args(argc, argv);
  const unsigned fault = args.small("--fault", 0);
  const uint64_t count = args.number("--count", 200000);
  args.all();
  Verilated::randReset(2);
  Verilated::randSeed(1);
  if (fault != 0) heddle_fault() = fault;
  auto b = std::make_unique<Bench>();
  b->reset();
  b->fill();
  for (uint64_t i = 0; i < count && b->failed < 20; i++) {
    if (i % 1000 == 0) b->used_warps = 1 + b->rnd.below(b->rnd.one_in(2) ? b->warps : 2);
    b->cycle(true);
  }
  b->flush();
  // One a cycle, as long as nothing depends: the late results wait, and are let in.
  b->full = true;
  b->used_warps = b->warps;
  const uint64_t before = b->issued, late_before = b->lates;
  uint64_t offered = 0;
  for (uint64_t i = 0; i < count / 10 && b->failed < 20; i++) {
    const bool starved = b->late.valid && b->waited == PATIENCE;
    offered += !starved;
    b->cycle(!starved);
  }
  const uint64_t rate = b->issued - before;
  b->check(rate + b->idle >= offered && rate * 100 >= offered * 95, "an instruction a cycle", rate, offered);
  b->check(b->lates - late_before >= 10 || count < 100000, "late results pass", b->lates - late_before);
  b->flush();
  std::printf(
      "uniform datapath: %llu instructions (%llu see a result of five cycles ago), %llu ordinary reads, %llu late "
      "results, %llu of %llu cycles full, %llu checks, %llu failed\n",
      (unsigned long long)b->issued, (unsigned long long)b->exact, (unsigned long long)b->ordinary,
      (unsigned long long)b->lates, (unsigned long long)rate, (unsigned long long)offered,
      (unsigned long long)b->checks, (unsigned long long)b->failed);
  const bool enough = count < 100000 || (b->exact > 1000 && b->ordinary > 1000 && b->lates > 1000);
  return b->failed == 0 && enough ? 0 : 1;
}
