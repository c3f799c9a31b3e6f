// SPDX-License-Identifier: Apache-2.0
// Reservation table and write ports against a table of what each cycle must show: random beats of the three pipes, one
// offered a cycle, late rows (of memory) and late predicates in between. A refusal needs a reason, a write comes in its
// cycle with its words, and what is late never waits long, not even for a bank or a predicate port that every beat
// wants.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <vector>

#include <Vtop.h>
#include "tests/rtl/arguments.h"
#include "tests/rtl/random.h"
#include <verilated.h>

namespace {

struct Beat {
  bool live = false;
  unsigned pipe = 0, rd = 0, rd_n = 0, wreg = 0, beat = 0, pd0 = 7, pd1 = 7;
  bool rd_en = false, last = false;
  uint32_t mask = 0, seq = 0, p0 = 0, p1 = 0;
  std::vector<uint32_t> lo, hi;
};

struct Word {
  unsigned wreg, rd, beat;
  uint32_t seq, mask;
  std::vector<uint32_t> data;
};

struct Bench {
  Random rnd;
  std::unique_ptr<VerilatedContext> ctx{new VerilatedContext};
  std::unique_ptr<Vtop> top;
  unsigned lanes, banks, errors = 0;
  uint64_t cycle = 0, beats = 0, rows = 0, refusals = 0;
  bool late_wrote = false; // a cycle ago, a late row
  unsigned late_rd = 0;
  unsigned longest_wait = 0, longest_pred = 0;
  uint64_t preds = 0; // late ones
  uint32_t seq = 0;

  explicit Bench(uint64_t seed) : rnd{seed} {
    ctx->randReset(2);
    ctx->randSeed(static_cast<int>(seed + 1));
    top.reset(new Vtop(ctx.get()));
    top->clk_i = 0;
    top->rst_ni = 0;
    top->op_take_i = 0;
    top->op_valid_i = 0;
    top->ls_wb_valid_i = 0;
    top->lt_pred_ask_i = 0;
    top->op_pred_i = 0;
    top->eval();
    lanes = top->cfg_lanes_o, banks = top->cfg_banks_o;
    for (int i = 0; i < 3; i++) edge();
    top->rst_ni = 1;
  }

  void edge() {
    top->clk_i = 1;
    top->eval();
    top->clk_i = 0;
    top->eval();
  }
  void error(const char *what, uint32_t a = 0, uint32_t b = 0) {
    if (errors++ < 5) std::fprintf(stderr, "cycle %llu: %s (%x, %x)\n", (unsigned long long)cycle, what, a, b);
  }
  uint32_t all() const { return lanes == 32 ? ~0u : (1u << lanes) - 1; }
  std::vector<uint32_t> row() {
    std::vector<uint32_t> r(lanes);
    for (auto &v : r) v = rnd.u32();
    return r;
  }
  template <typename T> static void bits(T &port, unsigned at, unsigned n, uint32_t v) {
    uint32_t words[8]{};
    std::memcpy(words, &port, std::min(sizeof port, sizeof words));
    for (unsigned i = 0; i < n; i++) {
      unsigned k = at + i;
      words[k / 32] = (words[k / 32] & ~(1u << (k % 32))) | (v >> i & 1) << (k % 32);
    }
    std::memcpy(&port, words, std::min(sizeof port, sizeof words));
  }
  template <typename T> static uint32_t get(const T &port, unsigned at, unsigned n) {
    uint32_t words[8]{}, v = 0;
    std::memcpy(words, &port, std::min(sizeof port, sizeof words));
    for (unsigned i = 0; i < n; i++) v |= (words[(at + i) / 32] >> ((at + i) % 32) & 1) << i;
    return v;
  }

  // hot < banks: everything goes to this bank; kPredicates: to the predicate port.
  static constexpr unsigned kPredicates = 99;
  Beat random_beat(unsigned hot) {
    Beat b;
    b.live = true;
    b.pipe = rnd.below(3);
    b.rd_en = rnd.below(8) != 0;
    b.rd_n = b.pipe == 1 && rnd.below(2);
    b.rd = rnd.below(200);
    b.wreg = rnd.below(top->cfg_regs_o - 2);
    if (hot < banks) b.pipe = 0, b.rd_n = 0, b.rd_en = true, b.wreg = b.wreg / banks * banks + hot;
    b.beat = rnd.below(32 / lanes);
    b.last = rnd.below(2);
    b.mask = rnd.below(8) ? rnd.u32() & all() : 0;
    if (b.pipe == 0 && hot >= banks) b.pd0 = rnd.below(8), b.pd1 = rnd.below(8);
    if (hot == kPredicates) b.pipe = 0, b.rd_en = false, b.pd0 = rnd.below(7), b.mask |= 1;
    b.p0 = rnd.u32() & all(), b.p1 = rnd.u32() & all();
    b.lo = row(), b.hi = row();
    b.seq = ++seq;
    return b;
  }
  uint32_t ports(const Beat &b) const {
    if (!b.live || !b.rd_en) return 0;
    uint32_t p = 1u << b.wreg % banks;
    if (b.rd_n) p |= 1u << (b.wreg + 1) % banks;
    return p;
  }

  void run(uint64_t cycles, unsigned hot) {
    Beat want;                                      // what the operand stage offers
    std::map<uint64_t, uint32_t> taken;             // cycle -> banks
    std::map<uint64_t, std::vector<Beat>> arriving; // cycle -> beats at the end of their pipe
    Beat arriving_words, bus; // taken one cycle ago; at its pipe: two cycles ago, from a queue one
    Word mem{};
    bool mem_valid = false;
    unsigned waited = 0, pred_waited = 0;
    bool late_pred = false;
    uint32_t late_mask = 0, late_d0 = 0, late_seq = 0;
    for (uint64_t end = cycle + cycles; cycle < end; cycle++) {
      // A beat that is refused waits; now and then the bench offers another one instead, so as to judge more answers.
      bool other = !want.live || (hot >= banks && rnd.one_in(4));
      if (hot == kPredicates) other = !want.live;
      if (other && (hot < banks || hot == kPredicates || rnd.below(8))) want = random_beat(hot);
      top->op_ports_i = ports(want);
      top->op_pipe_i = want.live ? 1u << want.pipe : 0;
      top->op_pred_i = has_pred(want);
      if (!late_pred && rnd.below(3)) {
        late_pred = true;
        late_mask = (rnd.u32() | 1u << rnd.below(lanes)) & all(), late_d0 = rnd.u32() & all(), late_seq = ++seq;
      }
      top->lt_pred_ask_i = late_pred;
      bits(top->lr_mask_i, 0, lanes, late_mask), bits(top->lr_d0_i, 0, lanes, late_d0);
      top->lr_seq_i = late_seq;
      if (!mem_valid && rnd.below(3)) {
        mem_valid = true;
        mem = {rnd.below(top->cfg_regs_o - 2), rnd.below(200), rnd.below(32 / lanes), ++seq, rnd.u32() & all(), row()};
        if (hot < banks) mem.wreg = mem.wreg / banks * banks + hot, mem.mask |= 1;
      }
      top->ls_wb_valid_i = mem_valid;
      top->ls_wb_seq_i = mem.seq;
      top->ls_wb_rd_i = mem.rd;
      top->ls_wb_rbase_i = static_cast<uint16_t>(mem.wreg - mem.rd);
      top->ls_wb_beat_i = mem.beat;
      bits(top->ls_wb_mask_i, 0, lanes, mem.mask);
      for (unsigned l = 0; mem_valid && l < lanes; l++) top->ls_wb_data_i[l] = mem.data[l];

      top->op_valid_i = bus.live;
      if (bus.live) drive(bus);
      auto &now = arriving[cycle];
      uint32_t junk = rnd.u32();
      for (unsigned k = 0; k < 6 * lanes; k++) top->ex_word_i[k] = junk + k;
      for (auto &b : now) {
        // Words for a bank of even, of odd number; of two the first goes to that of wreg. Which of one is for the other
        // bank nobody looks at.
        uint32_t *word = &top->ex_word_i[b.pipe * 2 * lanes];
        const unsigned odd = b.wreg % 2;
        for (unsigned l = 0; l < lanes; l++) {
          word[odd * lanes + l] = b.lo[l];
          if (b.rd_n) word[(1 - odd) * lanes + l] = b.hi[l];
        }
        if (b.pipe == 0) bits(top->ex_pd0_i, 0, lanes, b.p0), bits(top->ex_pd1_i, 0, lanes, b.p1);
      }
      top->op_take_i = 0;
      top->eval();
      bool ok = top->rs_ok_o;
      uint64_t at = want.live ? cycle + lead() + get(top->cfg_lat_o, want.pipe * 8, 8) : 0;
      if (want.live) {
        bool clash = taken.count(at) && (taken[at] & ports(want));
        bool starving = waited >= 8 && (ports(want) >> mem.wreg % banks & 1);
        starving |= pred_waited >= 8 && has_pred(want);
        if (ok && (clash || starving)) error("allowed, but the port is taken", want.pipe);
        if (!ok && !clash && !starving) error("refused without reason", want.pipe);
        refusals += !ok;
      }
      Beat next;
      if (want.live && ok && (hot < banks || hot == kPredicates || rnd.below(8))) {
        top->op_take_i = 1;
        next = want;
        taken[at] |= ports(next);
        arriving[at].push_back(next);
        want.live = false;
        beats++;
      }
      top->eval();
      check(now, taken[cycle], mem_valid, mem);
      const bool pred_free = check_predicates(now, late_pred, late_mask, late_d0, late_seq);
      if (late_pred && pred_free) {
        late_pred = false, pred_waited = 0, preds++;
      } else if (late_pred) {
        longest_pred = std::max(longest_pred, ++pred_waited);
      }
      bool writes = mem.mask != 0 && mem.rd != 255;
      if (mem_valid && top->ls_wb_ready_o) {
        mem_valid = false, waited = 0, rows++;
      } else if (mem_valid) {
        if (!writes) error("a row that writes nothing was held up");
        longest_wait = std::max(longest_wait, ++waited);
      }
      arriving.erase(cycle);
      taken.erase(cycle);
      bus = lead() == 0 ? next : arriving_words;
      arriving_words = lead() == 0 ? Beat{} : next;
      edge();
    }
    late_wrote = false; // nobody looks any more
    // Let what is under way come out.
    top->op_take_i = 0;
    top->ls_wb_valid_i = 0;
    top->lt_pred_ask_i = 0;
    top->op_valid_i = bus.live;
    if (bus.live) drive(bus);
    for (int i = 0; i < 20; i++, cycle++) {
      edge();
      top->op_valid_i = arriving_words.live;
      if (arriving_words.live) drive(arriving_words);
      arriving_words.live = false;
      top->eval();
    }
  }

  void drive(const Beat &b) {
    top->dest_pipe_i = 1u << b.pipe;
    top->dest_seq_i = b.seq;
    top->dest_beat_i = b.beat;
    top->dest_last_i = b.last;
    bits(top->dest_mask_i, 0, lanes, b.mask);
    top->dest_rd_en_i = b.rd_en;
    top->dest_rd_i = b.rd;
    top->dest_rd_n_i = b.rd_n;
    top->dest_wreg_i = b.wreg;
    top->dest_pd0_i = b.pd0;
    top->dest_pd1_i = b.pd1;
  }

  // Cycles from a beat's take to the one before it comes to its pipe.
  unsigned lead() const { return top->cfg_queued_o ? 0 : 1; }

  unsigned latency(unsigned pipe) { return get(top->cfg_lat_o, pipe * 8, 8); }

  // Pipes of one latency are a group; groups are numbered as their first pipes are. With queues each is one.
  unsigned group(unsigned pipe) {
    if (top->cfg_lines_o) return pipe;
    unsigned number = 0, first = 0;
    while (latency(first) != latency(pipe)) first++;
    for (unsigned p = 0; p < first; p++) {
      bool leads = true;
      for (unsigned q = 0; q < p; q++) leads &= latency(q) != latency(p);
      number += leads;
    }
    return number;
  }

  static bool has_pred(const Beat &b) { return b.live && b.pipe == 0 && (b.pd0 != 7 || b.pd1 != 7); }

  // The predicate port: the beat that has come to its end there, else the late ones that ask. Was it free for these?
  bool check_predicates(const std::vector<Beat> &now, bool asks, uint32_t mask, uint32_t d0, uint32_t number) {
    const Beat *fixed = nullptr;
    for (auto &b : now)
      if (has_pred(b) && b.mask) fixed = &b;
    if (bool(top->pred_valid_o) != (fixed != nullptr || asks)) error("predicate write too many, or none");
    if (asks && bool(top->lt_pred_ready_o) != (fixed == nullptr)) error("late predicate: ready", number);
    if (fixed && (get(top->pred_mask_o, 0, lanes) != fixed->mask || top->pred_seq_o != fixed->seq ||
                  get(top->pred_d0_o, 0, lanes) != fixed->p0 || get(top->pred_d1_o, 0, lanes) != fixed->p1))
      error("predicate write", fixed->seq);
    if (!fixed && asks &&
        (get(top->pred_mask_o, 0, lanes) != mask || top->pred_seq_o != number || get(top->pred_d0_o, 0, lanes) != d0))
      error("late predicate write", number);
    return fixed == nullptr;
  }

  void check(const std::vector<Beat> &now, uint32_t fixed, bool mem_valid, const Word &mem) {
    std::map<unsigned, Word> expect;
    uint32_t ends = 0;
    for (auto &b : now) {
      if (b.rd_en) expect[b.wreg % banks] = {b.wreg, b.rd, b.beat, b.seq, b.mask, b.lo};
      if (b.rd_en && b.rd_n) expect[(b.wreg + 1) % banks] = {b.wreg + 1, b.rd + 1, b.beat, b.seq, b.mask, b.hi};
      ends |= uint32_t(b.last) << group(b.pipe);
    }
    if (ends != top->done_valid_o) error("end events", top->done_valid_o, ends);
    bool writes = mem_valid && mem.mask != 0 && mem.rd != 255, free = !(fixed >> mem.wreg % banks & 1);
    if (mem_valid && bool(top->ls_wb_ready_o) != (!writes || free)) error("memory row: ready", top->ls_wb_ready_o);
    // The reuse cache is told of what fixed pipes write, whatever the mask, and of a late row a cycle after.
    uint32_t drops = 0;
    for (auto &b : now) {
      if (!b.rd_en) continue;
      unsigned k = group(b.pipe);
      drops |= 1u << k;
      if (get(top->drop_rd_o, k * 8, 8) != (b.rd & 0xff)) error("its number", k);
      if (bool(top->drop_pair_o >> k & 1) != (b.rd_n != 0)) error("one register that drops or two", k);
    }
    if (top->drop_valid_o != drops) error("registers that drop", top->drop_valid_o, drops);
    if (bool(top->drop_late_valid_o) != late_wrote) error("register that drops, of a late row", late_wrote);
    if (late_wrote && top->drop_late_rd_o != late_rd) error("its number, of a late row", late_rd);
    late_wrote = writes && free;
    late_rd = mem.rd & 0xff;
    if (writes && free) expect[mem.wreg % banks] = mem;
    for (unsigned k = 0; k < 4; k++) {
      bool valid = expect.count(k) != 0, shown = top->ret_wb_valid_o >> k & 1;
      auto it = expect.find(k);
      uint32_t en = get(top->wr_en_o, k * lanes, lanes);
      if (!valid) {
        if (en || shown) error("write without a reason", k);
        continue;
      }
      const Word &w = it->second;
      if (en != w.mask || shown != (w.mask != 0)) error("write mask", en, w.mask);
      const unsigned row = w.wreg / banks * (32 / lanes) + w.beat;
      if (get(top->wr_row_o, k * 16, 16) != row) error("write row", w.wreg, w.beat);
      if (shown && (get(top->ret_wb_row_o, k * 16, 16) != row || get(top->ret_wb_bank_o, k * 8, 8) != k ||
                    get(top->ret_wb_port_o, k * 8, 8) != k))
        error("record: row, bank, port", k, w.seq);
      if (shown && (top->ret_wb_seq_o[k] != w.seq || get(top->ret_wb_rd_o, k * 8, 8) != (w.rd & 0xff)))
        error("record", k, w.seq);
      for (unsigned l = 0; l < lanes; l++) {
        if (top->wr_data_o[k * lanes + l] != w.data[l]) error("write data", k, l);
      }
    }
  }
};

} // namespace

int main(int argc, char **argv) {
  Arguments args(argc, argv);
  const uint64_t count = args.number("--count", 50000), seed = args.number("--seed", 1);
  args.all();
  unsigned bad = 0;
  Bench b(seed);
  b.run(count, ~0u);
  std::printf("mixed: %llu cycles, %llu beats, %llu refusals, %llu memory rows, longest wait %u\n",
              (unsigned long long)b.cycle, (unsigned long long)b.beats, (unsigned long long)b.refusals,
              (unsigned long long)b.rows, b.longest_wait);
  if (b.refusals < count / 100) bad++; // too few to mean anything
  for (unsigned hot = 0; hot < b.banks; hot++) {
    uint64_t beats = b.beats, rows = b.rows;
    b.longest_wait = 0;
    b.run(count / 10, hot);
    std::printf("bank %u only: %llu beats, %llu memory rows, longest wait %u\n", hot,
                (unsigned long long)(b.beats - beats), (unsigned long long)(b.rows - rows), b.longest_wait);
    // 8 cycles of patience, then what is reserved already (at most the longest latency).
    if (b.longest_wait > 16 || b.rows == rows) bad++;
  }
  uint64_t beats = b.beats, preds = b.preds;
  b.longest_pred = 0;
  b.run(count / 10, Bench::kPredicates);
  std::printf("predicates only: %llu beats, %llu late ones, longest wait %u\n", (unsigned long long)(b.beats - beats),
              (unsigned long long)(b.preds - preds), b.longest_pred);
  if (b.longest_pred > 16 || b.longest_pred < 8 || b.preds == preds) bad++;
  bad += b.errors;
  std::printf("%s\n", bad ? "FAILED" : "ok");
  return bad ? 1 : 0;
}
