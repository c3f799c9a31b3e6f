// SPDX-License-Identifier: Apache-2.0
// The unit of warp-wide instructions against the words of isa/doc/11-warp-uniform.md, lane by lane in plain arithmetic:
// random instructions with gaps and answers that wait, then the same without either, where each answer has its cycle.
// Every executing lane is answered once, no other lane ever, and one end comes, last of all. Over 400 lines: formulas,
// the cycle of each answer and the bench that holds both against the unit are three views of one instruction.
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <memory>
#include <vector>

#include <Vtop.h>
#include <heddle/isa_gen.h>
#include "tests/rtl/arguments.h"
#include "tests/rtl/random.h"
#include "cosim/verilator/fault_number.hpp"
#include <verilated.h>
extern "C" {
#include <heddle/isa.h>
}

namespace {

constexpr unsigned WARP = 32, RZ = 255, PT = 7;

struct Instruction {
  heddle_isa_op op = ISA_OP_SHFL;
  heddle_isa_word word{0, 0};
  unsigned mode = 0;
  bool pairs = false;
  uint32_t seq = 0, exec = 0, ps0 = 0;
  unsigned rd = RZ, pd0 = PT, wbar = 7, rbase = 0;
  uint32_t a[WARP], a_hi[WARP], b[WARP], c[WARP];
  // What must come.
  uint32_t value[WARP] = {}, verdict = 0;
  bool uniform() const { return op == ISA_OP_REDUX || op == ISA_OP_R2UR || op == ISA_OP_VOTEU; }
  bool silent() const { return exec == 0 || (rd == RZ && pd0 == PT); }
};

// An answer, and its cycle counted from the one in which the last beat is taken.
struct Answer {
  unsigned cycle, beat;
  uint32_t lanes;
  bool last;
};

// ---- what the prose says ------------------------------------------------------------------------------------------
void shuffle(Instruction &i) {
  for (int lane = 0; lane < static_cast<int>(WARP); lane++) {
    const int b = i.b[lane] & 31, clamp = i.c[lane] & 31, seg = i.c[lane] >> 8 & 31;
    const int lo = lane & seg, hi = lo | (clamp & ~seg);
    int j = 0;
    bool in = false;
    switch (i.mode) {
    case ISA_SHFL_UP:
      j = lane - b, in = j >= hi;
      break;
    case ISA_SHFL_DOWN:
      j = lane + b, in = j <= hi;
      break;
    case ISA_SHFL_BFLY:
      j = lane ^ b, in = j <= hi;
      break;
    default:
      j = lo | (b & ~seg & 31), in = j <= hi;
    }
    const bool heard = in && (i.exec >> j & 1) != 0;
    i.value[lane] = i.a[heard ? j : lane];
    i.verdict |= static_cast<uint32_t>(heard) << lane;
  }
}

void vote(Instruction &i) {
  const uint32_t v = i.op == ISA_OP_ACTIVEMASK ? i.exec : i.exec & i.ps0;
  const bool all = v == i.exec;
  const bool p = i.mode == ISA_VOTE_ALL ? all : i.mode == ISA_VOTE_ANY ? v != 0 : all || v == 0;
  for (uint32_t &x : i.value) x = v;
  i.verdict = p ? ~0u : 0;
}

uint32_t equals(const Instruction &i, unsigned lane) {
  uint32_t mask = 0;
  for (unsigned j = 0; j < WARP; j++)
    if ((i.exec >> j & 1) != 0 && i.a[j] == i.a[lane] && (!i.pairs || i.a_hi[j] == i.a_hi[lane])) mask |= 1u << j;
  return mask;
}

void match(Instruction &i) {
  bool all = true;
  for (unsigned l = 0; l < WARP; l++)
    if ((i.exec >> l & 1) != 0) all = all && equals(i, l) == i.exec;
  for (unsigned l = 0; l < WARP; l++) i.value[l] = i.mode == ISA_MATCH_ALL ? (all ? i.exec : 0) : equals(i, l);
  i.verdict = i.mode == ISA_MATCH_ALL && !all ? 0 : ~0u;
}

// One value of all executing lanes, or of the lowest.
void fold(Instruction &i) {
  bool first = true;
  uint32_t v = 0;
  for (unsigned l = 0; l < WARP; l++) {
    if ((i.exec >> l & 1) == 0) continue;
    const uint32_t x = i.a[l];
    const bool below = i.pairs ? x < v : static_cast<int32_t>(x) < static_cast<int32_t>(v);
    if (first) {
      v = x;
    } else if (i.op == ISA_OP_REDUX) {
      switch (i.mode) {
      case ISA_REDUX_SUM:
        v += x;
        break;
      case ISA_REDUX_MIN:
        v = below ? x : v;
        break;
      case ISA_REDUX_MAX:
        v = below ? v : x;
        break;
      case ISA_REDUX_AND:
        v &= x;
        break;
      case ISA_REDUX_OR:
        v |= x;
        break;
      default:
        v ^= x;
      }
    }
    first = false;
  }
  i.value[0] = v;
}

// ---- when it must come, where nobody waits --------------------------------------------------------------------------
uint32_t lanes_of(unsigned beat, unsigned lanes) {
  return static_cast<uint32_t>(((uint64_t{1} << lanes) - 1) << beat * lanes);
}

std::vector<unsigned> beats_of(uint32_t mask, unsigned lanes) {
  std::vector<unsigned> beats;
  for (unsigned b = 0; b < WARP / lanes; b++)
    if ((mask & lanes_of(b, lanes)) != 0) beats.push_back(b);
  return beats;
}

std::vector<Answer> schedule(const Instruction &i, unsigned lanes) {
  std::vector<Answer> out;
  if (i.silent()) return {{2, 0, 0, true}};
  if (i.uniform()) {
    const unsigned n = static_cast<unsigned>(__builtin_popcount(i.exec));
    return {{i.op == ISA_OP_VOTEU ? 2 : i.op == ISA_OP_R2UR ? 3 : 2 + n, 0, 0, true}};
  }
  if (i.op == ISA_OP_MATCH) {
    unsigned cycle = 1; // the leader of the first group is looked up
    for (uint32_t left = i.exec; left != 0;) {
      const uint32_t group = i.mode == ISA_MATCH_ALL ? i.exec : equals(i, static_cast<unsigned>(__builtin_ctz(left)));
      cycle += 1 + static_cast<unsigned>(beats_of(left, lanes).size());
      for (unsigned b : beats_of(group, lanes)) out.push_back({++cycle, b, group & lanes_of(b, lanes), false});
      left &= ~group;
    }
  } else {
    const unsigned first = i.op == ISA_OP_SHFL ? 6 : 2, step = i.op == ISA_OP_SHFL ? 4 : 1;
    for (unsigned b : beats_of(i.exec, lanes))
      out.push_back({first + step * static_cast<unsigned>(out.size()), b, i.exec & lanes_of(b, lanes), false});
  }
  out.back().last = true;
  return out;
}

// ---- random instructions --------------------------------------------------------------------------------------------
uint32_t random_mask(Random &r) {
  switch (r.below(6)) {
  case 0:
    return ~0u;
  case 1:
    return 1u << r.below(32);
  case 2:
    return r.one_in(3) ? 0 : r.u32() & r.u32() & r.u32();
  case 3:
    return r.u32() | r.u32();
  case 4:
    return ~0u << r.below(32); // whole beats are off
  default:
    return r.u32();
  }
}

void random_operands(Instruction &i, Random &r) {
  const uint32_t base = r.u32(), kinds = 1 + r.below(r.one_in(4) ? 32 : 4);
  const uint32_t b = r.u32(),
                 c = r.one_in(4) ? r.u32() : (r.one_in(2) ? 0x1fu : 0u) | (~0u << (8 + r.below(6)) & 0x1f00);
  const bool each = r.one_in(3);
  for (unsigned l = 0; l < WARP; l++) {
    // Few values, which differ in one half of a word or in the other.
    const uint32_t k = r.below(kinds);
    i.a[l] =
        i.op == ISA_OP_SHFL || i.uniform() ? r.u32() : base ^ ((k & 1) << 31) ^ ((k >> 1 & 3) << 14) ^ (k >> 3 & 1);
    i.a_hi[l] = i.pairs && r.one_in(8) ? base ^ 1u << r.below(32) : base;
    i.b[l] = each ? r.u32() : b;
    i.c[l] = each ? r.u32() : c;
  }
}

Instruction random_instruction(Random &r, uint32_t seq, bool uniform) {
  static const heddle_isa_op ops[] = {ISA_OP_SHFL,  ISA_OP_SHFL,  ISA_OP_VOTE, ISA_OP_ACTIVEMASK, ISA_OP_MATCH,
                                      ISA_OP_MATCH, ISA_OP_REDUX, ISA_OP_R2UR, ISA_OP_VOTEU};
  Instruction i;
  i.op = ops[r.below(uniform ? 9 : 6)];
  i.seq = seq;
  i.exec = random_mask(r);
  i.ps0 = r.one_in(4) ? ~0u : r.one_in(3) ? ~i.exec : random_mask(r);
  i.rd = r.one_in(8) ? RZ : r.below(255);
  const bool no_pd = i.op == ISA_OP_ACTIVEMASK || i.op == ISA_OP_REDUX || i.op == ISA_OP_R2UR;
  i.pd0 = no_pd || r.one_in(3) ? PT : r.below(7);
  i.wbar = r.below(8);
  i.rbase = r.u32() & 0xffff;
  switch (i.op) {
  case ISA_OP_SHFL:
    i.mode = r.below(4);
    i.word = heddle_isa_put(i.word, ISA_F_SHFL, i.mode);
    break;
  case ISA_OP_REDUX:
    i.mode = r.below(6);
    i.pairs = r.one_in(2); // unsigned numbers
    i.word =
        heddle_isa_put(heddle_isa_put(i.word, ISA_F_REDUX, i.mode), ISA_F_SIGN, i.pairs ? ISA_SIGN_U32 : ISA_SIGN_S32);
    break;
  case ISA_OP_VOTE:
  case ISA_OP_VOTEU:
    i.mode = r.below(3);
    i.word = heddle_isa_put(i.word, ISA_F_VOTE, i.mode);
    break;
  case ISA_OP_MATCH:
    i.mode = r.below(2);
    i.pairs = r.one_in(2);
    i.word =
        heddle_isa_put(heddle_isa_put(i.word, ISA_F_MATCH, i.mode), ISA_F_M64, i.pairs ? ISA_M64_U64 : ISA_M64_U32);
    break;
  default:
    break;
  }
  random_operands(i, r);
  if (i.op == ISA_OP_SHFL) shuffle(i);
  if (i.op == ISA_OP_VOTE || i.op == ISA_OP_VOTEU || i.op == ISA_OP_ACTIVEMASK) vote(i);
  if (i.op == ISA_OP_REDUX || i.op == ISA_OP_R2UR) fold(i);
  if (i.op == ISA_OP_MATCH) match(i);
  return i;
}

// ---- the bench ------------------------------------------------------------------------------------------------------
struct Bench {
  Vtop top;
  Random rnd;
  unsigned lanes = 0;
  uint64_t now = 0, checks = 0, failed = 0, answers = 0, ends = 0;
  bool quick = false;           // nobody waits, and cycles are checked
  Instruction in;               // on its way in
  unsigned beat = 0;            // of it
  bool offered = false;         // and not taken
  std::deque<Instruction> open; // taken as a whole, and not ended
  std::deque<Answer> due;       // of open.front(), when quick
  uint64_t taken_at = 0;
  uint32_t row_left = 0, pred_left = 0, seq = 0;
  bool only = false; // full instructions of one kind
  heddle_isa_op wanted = ISA_OP_SHFL;
  bool held = false; // an answer stood in the last cycle and was not taken
  std::vector<uint32_t> shown;

  explicit Bench(uint64_t seed) : rnd{seed ^ 0x3a9fu} {}

  Instruction next() {
    Instruction i;
    do i = random_instruction(rnd, seq, top.uniform_o);
    while (only && (i.op != wanted || i.exec != ~0u || i.rd == RZ));
    seq++;
    return i;
  }

  void check(bool ok, const char *what, uint64_t want = 0, uint64_t got = 0) {
    checks++;
    if (!ok && failed++ < 10)
      std::printf("cycle %llu, instruction %u: %s: expected %llx, got %llx\n", (unsigned long long)now,
                  open.empty() ? in.seq : open.front().seq, what, (unsigned long long)want, (unsigned long long)got);
  }
  void same(const char *what, uint64_t want, uint64_t got) { check(want == got, what, want, got); }

  void reset() {
    top.op_valid_i = 0;
    top.lr_ready_i = 0;
    top.rst_ni = 0;
    for (int k = 0; k < 4; k++) clock();
    top.rst_ni = 1;
    lanes = top.lanes_o;
    in = next();
  }

  void clock() {
    top.clk_i = 0;
    top.eval();
    top.clk_i = 1;
    top.eval();
    now++;
  }

  void drive(bool may_start) {
    if (!offered) offered = (may_start || beat != 0) && (quick || !rnd.one_in(4));
    top.op_valid_i = offered;
    top.lr_ready_i = quick || rnd.one_in(2);
    if (!offered) return;
    top.op_op_i = static_cast<CData>(in.op);
    top.op_word_i[0] = static_cast<uint32_t>(in.word.lo);
    top.op_word_i[1] = static_cast<uint32_t>(in.word.lo >> 32);
    top.op_word_i[2] = static_cast<uint32_t>(in.word.hi);
    top.op_word_i[3] = static_cast<uint32_t>(in.word.hi >> 32);
    top.op_seq_i = in.seq;
    top.op_exec_i = in.exec;
    top.op_ps0_i = in.ps0;
    top.op_rd_i = static_cast<CData>(in.rd);
    top.op_pd0_i = static_cast<CData>(in.pd0);
    top.op_wbar_i = static_cast<CData>(in.wbar);
    top.op_rbase_i = static_cast<SData>(in.rbase);
    top.op_beat_i = static_cast<CData>(beat);
    for (unsigned l = 0; l < lanes; l++) {
      top.op_a_i[l] = in.a[beat * lanes + l];
      top.op_a_hi_i[l] = in.a_hi[beat * lanes + l];
      top.op_b_i[l] = in.b[beat * lanes + l];
      top.op_c_i[l] = in.c[beat * lanes + l];
    }
  }

  // A beat is taken in this cycle; with the last one answers are awaited.
  void taken() {
    offered = false;
    if (++beat != WARP / lanes) return;
    beat = 0;
    row_left = in.rd != RZ ? in.exec : 0;
    pred_left = in.pd0 != PT ? in.exec : 0;
    check(open.empty(), "taken before the instruction before it has ended");
    open.push_back(in);
    if (quick) {
      const std::vector<Answer> when = schedule(in, lanes);
      due.assign(when.begin(), when.end());
    }
    taken_at = now;
    in = next();
  }

  std::vector<uint32_t> answer() const {
    std::vector<uint32_t> v = {top.lr_seq_o,  top.lr_row_o,   top.lr_pred_o, top.lr_last_o, top.lr_beat_o,
                               top.lr_word_o, top.lr_rd_o,    top.lr_rd_n_o, top.lr_pd0_o,  top.lr_pd1_o,
                               top.lr_wbar_o, top.lr_rbase_o, top.lr_mask_o, top.lr_d0_o};
    for (unsigned l = 0; l < lanes; l++) v.push_back(top.lr_data_o[l]);
    return v;
  }

  void identity(const Instruction &i) {
    same("sequence number", i.seq, top.lr_seq_o);
    same("register", i.rd, top.lr_rd_o);
    same("words", 0, top.lr_rd_n_o);
    same("word", 0, top.lr_word_o);
    same("predicate", i.pd0, top.lr_pd0_o);
    same("second predicate", PT, top.lr_pd1_o);
    same("counter", i.wbar, top.lr_wbar_o);
    same("base", i.rbase, top.lr_rbase_o);
  }

  void row(const Instruction &i, uint32_t mask) {
    check((mask & ~row_left) == 0, "lanes answered twice, or not executing", row_left, mask);
    row_left &= ~mask;
    for (unsigned l = 0; l < lanes; l++) {
      const unsigned lane = top.lr_beat_o * lanes + l;
      if ((mask >> lane & 1) != 0) same("value", i.value[lane], top.lr_data_o[l]);
    }
  }

  void predicate(const Instruction &i, uint32_t mask) {
    check((mask & ~pred_left) == 0, "predicates answered twice, or not executing", pred_left, mask);
    pred_left &= ~mask;
    same("predicate values", i.verdict & mask, static_cast<uint32_t>(top.lr_d0_o) << top.lr_beat_o * lanes & mask);
  }

  void timed(uint32_t mask) {
    if (due.empty()) return check(false, "an answer too many");
    const Answer a = due.front();
    due.pop_front();
    same("cycle", a.cycle, now - taken_at);
    same("end", a.last, top.lr_last_o);
    if (a.lanes == 0) return;
    same("beat", a.beat, top.lr_beat_o);
    same("lanes", a.lanes, mask);
  }

  // One answer, whatever the lanes are: lane 0 of it counts.
  void uniform_answer(const Instruction &i) {
    answers++;
    ends++;
    identity(i);
    check(top.lr_uni_o && top.lr_last_o, "a uniform answer and the end at once");
    same("a uniform word", !i.silent() && i.rd != RZ, top.lr_row_o);
    same("a uniform predicate", !i.silent() && i.pd0 != PT, top.lr_pred_o);
    if (top.lr_row_o) same("value", i.value[0], top.lr_data_o[0]);
    if (top.lr_pred_o) same("predicate value", i.verdict & 1, top.lr_d0_o & 1);
    if (quick) timed(0);
    check(!quick || due.empty(), "one answer");
    row_left = pred_left = 0;
    open.pop_front();
  }

  // An answer is taken in this cycle.
  void answered() {
    if (open.empty()) return check(false, "an answer that nobody asked for");
    const Instruction &i = open.front();
    if (i.uniform()) return uniform_answer(i);
    check(!top.lr_uni_o, "no uniform answer");
    const bool some = top.lr_row_o || top.lr_pred_o;
    const uint32_t mask = some ? static_cast<uint32_t>(top.lr_mask_o) << top.lr_beat_o * lanes : 0;
    answers++;
    identity(i);
    same("a row", some && i.rd != RZ, top.lr_row_o);
    same("predicates", some && i.pd0 != PT, top.lr_pred_o);
    check(some || top.lr_last_o, "an answer without anything");
    check(!some || mask != 0, "an answer of no lane");
    if (top.lr_row_o) row(i, mask);
    if (top.lr_pred_o) predicate(i, mask);
    if (quick) timed(mask);
    if (!top.lr_last_o) return;
    ends++;
    same("lanes without a value at the end", 0, row_left);
    same("lanes without a predicate at the end", 0, pred_left);
    check(!quick || due.empty(), "an end before the last answer");
    open.pop_front();
  }

  void cycle(bool may_start) {
    drive(may_start);
    top.clk_i = 0;
    top.eval();
    if (held) check(top.lr_valid_o && answer() == shown, "an answer changed before it was taken");
    held = top.lr_valid_o && !top.lr_ready_i;
    if (held) shown = answer();
    if (top.lr_valid_o && top.lr_ready_i) answered();
    if (top.op_valid_i && top.op_ready_o) taken();
    top.clk_i = 1;
    top.eval();
    now++;
  }

  // Until `count` more instructions have begun; then until all have ended.
  void phase(uint64_t count, bool fast) {
    quick = fast;
    const uint32_t until = seq + static_cast<uint32_t>(count);
    for (uint64_t k = 0; k < count * 2000 && seq < until; k++) cycle(true);
    for (uint64_t k = 0; k < 5000 && (!open.empty() || beat != 0 || offered); k++) cycle(false);
    check(open.empty() && beat == 0 && !offered, "it stands still");
  }

  // Instructions of one kind, all lanes executing, back to back: cycles for each of them.
  void rate(const char *what, heddle_isa_op op, unsigned cycles) {
    const unsigned n = 10;
    quick = only = true;
    wanted = op;
    in = next();
    uint64_t first = 0, last = 0;
    for (const uint64_t start = ends, limit = now + 10000; ends < start + n && now < limit;) {
      const uint64_t before = ends;
      cycle(true);
      if (ends != before) last = now;
      if (ends == start + 1 && before == start) first = now;
    }
    same(what, cycles * (n - 1), last - first);
    phase(0, true);
    only = false;
  }
};

} // namespace

int main(int argc, char **argv) {
  Arguments args(argc, argv);
  const uint64_t count = args.number("--count", 20000), seed = args.number("--seed", 1);
  const unsigned fault = args.small("--fault", 0);
  args.all();
  Verilated::randReset(2);
  Verilated::randSeed(static_cast<int>(seed));
  if (fault != 0) heddle_fault() = fault;
  auto b = std::make_unique<Bench>(seed);
  b->reset();
  b->phase(count, false);
  b->phase(count, true);
  const unsigned beats = WARP / b->lanes;
  b->rate("cycles of SHFL", ISA_OP_SHFL, 5 * beats + 2);
  b->rate("cycles of VOTE", ISA_OP_VOTE, 2 * beats + 1);
  if (b->top.uniform_o) {
    b->rate("cycles of REDUX", ISA_OP_REDUX, beats + 34);
    b->rate("cycles of R2UR", ISA_OP_R2UR, beats + 3);
    b->rate("cycles of VOTEU", ISA_OP_VOTEU, beats + 2);
  }
  b->top.final();
  std::printf("warp: %u lanes, %u instructions, %llu answers, %llu checks, %llu failed\n", b->lanes, b->seq,
              (unsigned long long)b->answers, (unsigned long long)b->checks, (unsigned long long)b->failed);
  return b->failed == 0 && b->ends >= 2 * count ? 0 : 1;
}
