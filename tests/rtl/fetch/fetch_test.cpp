// SPDX-License-Identifier: Apache-2.0
// Fetch and instruction buffer against straight-line expectation: every entry that is read is the next word of its
// warp's path, whatever the cache's delays and however often the warp is redirected, ended and started, and its
// instructions refused; the head moves on with the selection; flags and legality agree with the C decoder; a PC
// outside the code shows only once everything before it was read; nobody starves. Who asks when: fetch_model.cpp.
#include "tests/rtl/arguments.h"
#include "tests/rtl/fetch/fetch_bench.h"

namespace {

struct Path {
  bool alive = false;
  bool followed = false; // the control instruction that was taken is a jump: fetch has gone on at its target,
  uint32_t target = 0;   // which is this
  uint32_t pc = 0;
  uint64_t since = 0; // nothing to read since
};

// The flags as the documents say, packed like issue_pkg::head_t.
uint32_t flags(heddle_isa_word word, const heddle_isa_dec &d) {
  bool mem = is_memory(d), br = d.unit == ISA_UNIT_BR, coll = collected(d), uni = in_uniform_pipe(d);
  // Control that has a result in registers or predicates, or reads operands, is read as others are.
  bool result = d.op == ISA_OP_BMOV_GET || d.op == ISA_OP_BAR_RED || d.op == ISA_OP_BAR_RED_POPC;
  bool collect = !uni && (!br || result || d.src[0].kind != ISA_NONE || d.src[1].kind != ISA_NONE);
  bool drain = d.op == ISA_OP_MEMBAR || d.op == ISA_OP_BAR_SYNC || d.op == ISA_OP_BAR_ARV || d.op == ISA_OP_BAR_RED ||
               d.op == ISA_OP_BAR_RED_POPC;
  bool depbar = d.op == ISA_OP_DEPBAR_LE;
  bool hint = d.op == ISA_OP_NOP || d.op == ISA_OP_YIELD || depbar;
  bool ordered = mem || (br && !drain && !hint);
  bool cst = false;
  for (auto &s : d.src) cst |= s.kind == ISA_CONST;
  uint32_t raise = 0;
  if ((!br || result) && d.ctl.wbar < 6) raise |= 1u << d.ctl.wbar;
  if (collect && d.ctl.rbar < 6) raise |= 1u << d.ctl.rbar;
  if (depbar) raise |= 1u << heddle_isa_get(word, ISA_F_SBN); // it wants to know that one
  const heddle_isa_field bx = d.op == ISA_OP_BMOV_GET ? ISA_F_BXS : ISA_F_BX;
  unsigned rows = rows_of_beat(d);
  bool alone = drain || (br && !hint) || uniform_load(d); // nothing of the warp goes on beside a uniform load
  bool fence = CACHE && d.op == ISA_OP_MEMBAR && heddle_isa_get(word, ISA_F_SCOPE) != ISA_SCOPE_CTA;
  bool line = QUEUES && (d.unit == ISA_UNIT_FMA || (br && !result));
  return uint32_t(collect && !coll) << 27 | uint32_t(coll) << 26 | uint32_t(rows >= 2) << 25 |
         uint32_t(rows == 3) << 24 | uint32_t(alone) << 23 | uint32_t(d.ctl.stall > 1) << 22 | uint32_t(ordered) << 21 |
         uint32_t(drain) << 20 | uint32_t(cst) << 19 | uint32_t(uni) << 18 | uint32_t(fence) << 17 |
         uint32_t(line) << 16 | uint32_t(heddle_isa_get(word, bx)) << 12 | uint32_t(d.ctl.wait) << 6 | raise;
}

class Bench {
public:
  Bench(uint64_t seed, unsigned limit, const Rows &rows);
  void run(uint64_t rounds);
  bool finish(uint64_t rounds);

private:
  Random rnd_;
  Vtop top_;
  Checks check_;
  Code code_;
  unsigned warps_ = 0, limit_; // warps of the machine; of the run
  std::vector<Path> w_;
  std::unique_ptr<Model> model_;
  struct Owed { // by the cache
    uint32_t word;
    uint64_t due;
    unsigned tag;
  };
  std::deque<Owed> cache_;
  uint64_t overtaken_ = 0;
  int s1_ = -1;    // the warp whose instruction stands in the check stage
  int event_ = -1; // the warp whose control instruction was taken
  int lost_ = -1;  // the warp that was last read outside the code
  bool away_ = false, held_ = false;
  uint32_t held_pc_ = 0;
  unsigned delay_ = 1;
  uint64_t popped_ = 0, refused_ = 0, followers_ = 0, void_ = 0, outside_ = 0, flushed_ = 0, bad_ = 0;
  uint64_t shorts_ = 0, seconds_ = 0, middles_ = 0; // of short words: taken, jumped to as seconds; middles of long ones

  void tick();
  void drive_cache();
  void offer();
  void answer(uint32_t k);
  void check_head(unsigned s, uint32_t pc);
  int select();
  bool runs_out(unsigned s, uint32_t pc) const;
  void read_entry(const Path &x, unsigned s);
  void check_stage();
  uint32_t target(unsigned s);
  void finish_control(unsigned s);
  void start_one();
  void events();
  void check_buffers();
};

Bench::Bench(uint64_t seed, unsigned limit, const Rows &rows) : rnd_{seed}, limit_(limit) {
  Verilated::randReset(2);
  Verilated::randSeed(int(seed));
  top_.rst_ni = 0;
  top_.start_valid_i = top_.done_valid_i = top_.rsp_valid_i = top_.halt_i = 0;
  top_.sel_i = top_.pop_i = top_.back_i = 0;
  top_.regs_i = kRegs;
  top_.entry_pc_i = 0;
  top_.clk_i = 0;
  top_.eval();
  warps_ = top_.cfg_warps_o;
  limit_ = std::min(limit_, warps_);
  code_ = make_code(rnd_, warps_, top_.cfg_units_o, top_.cfg_step_o, rows);
  top_.code_bytes_i = uint32_t(code_.place.size() * 16);
  top_.code_base_i = 0x7f00000000 + 64 * rnd_.below(1000) + 16 * code_.phase;
  w_.resize(warps_);
  tick();
  tick();
  top_.rst_ni = 1;
  top_.eval();
  model_ = std::make_unique<Model>(code_, check_, warps_, unsigned(top_.cfg_ibuf_o));
}

void Bench::tick() {
  top_.eval();
  if (model_) model_->cycle(top_);
  top_.clk_i = 1;
  top_.eval();
  top_.clk_i = 0;
  top_.eval();
  check_.now++;
}

// The group of place k; what lies in it outside the code may be anything.
void Bench::answer(uint32_t k) {
  top_.rsp_valid_i = 1;
  top_.rsp_err_i = code_.error[k];
  for (unsigned i = 0; i < kGroup; i++) {
    uint32_t at = k + i - code_.number(16 * k);
    heddle_isa_word x = code_.has(16 * at) ? code_.place[at] : heddle_isa_word{rnd_.next(), rnd_.next()};
    top_.rsp_word_i[4 * i] = uint32_t(x.lo);
    top_.rsp_word_i[4 * i + 1] = uint32_t(x.lo >> 32);
    top_.rsp_word_i[4 * i + 2] = uint32_t(x.hi);
    top_.rsp_word_i[4 * i + 3] = uint32_t(x.hi >> 32);
  }
}

// The oldest answer of any warp, if its time has come.
void Bench::offer() {
  top_.rsp_valid_i = 0;
  std::vector<size_t> due;
  for (size_t i = 0; i < cache_.size(); i++) {
    bool oldest = true;
    for (size_t j = 0; j < i; j++) oldest = oldest && cache_[j].word / kStretch != cache_[i].word / kStretch;
    if (oldest && cache_[i].due <= check_.now) due.push_back(i);
  }
  if (due.empty()) return;
  size_t i = due[rnd_.below(uint32_t(due.size()))];
  overtaken_ += i > 0;
  answer(cache_[i].word);
  top_.rsp_tag_i = decltype(Vtop::rsp_tag_i)(cache_[i].tag);
  model_->answers(cache_[i].word / kStretch);
  cache_.erase(cache_.begin() + long(i));
}

// A request is held until it is taken; answers come after any delay, in order for each warp.
void Bench::drive_cache() {
  if (held_) check_(top_.req_valid_o && top_.req_pc_o == held_pc_, "request not held", 0);
  top_.req_ready_i = rnd_.percent(70);
  held_ = top_.req_valid_o && !top_.req_ready_i;
  held_pc_ = top_.req_pc_o;
  offer();
  if (top_.req_valid_o && top_.req_ready_i) {
    check_(code_.has(top_.req_pc_o), "asked outside the code", 0);
    cache_.push_back({code_.has(top_.req_pc_o) ? top_.req_pc_o / 16 : 0, check_.now + 1 + rnd_.below(delay_),
                      unsigned(top_.req_tag_o)});
  }
}

// Flags of a warp's head, whose word lies at pc.
void Bench::check_head(unsigned s, uint32_t pc) {
  if (!code_.has(pc)) return check_(false, "an entry outside the code", s);
  heddle_isa_dec d;
  bool legal = code_.legal(pc, &d);
  check_(!legal || top_.head_o[s] == flags(code_.word(pc), d), "flags", s);
}

// Somebody with an entry, or with a PC outside the code.
int Bench::select() {
  unsigned s = rnd_.below(warps_);
  for (unsigned i = 0; i < warps_; i++, s = (s + 1) % warps_)
    if ((top_.valid_o | top_.bad_pc_o) >> s & 1) return int(s);
  return -1;
}

// The end of a warp's stretch; the last warp's is the end of the code, which it may run into.
bool Bench::runs_out(unsigned s, uint32_t pc) const {
  return s + 1 < warps_ && pc / 16 % kStretch >= kStretch - kMargin;
}

void Bench::read_entry(const Path &x, unsigned s) {
  const heddle_isa_word word = code_.word(x.pc);
  heddle_isa_dec d;
  bool legal = code_.legal(x.pc, &d), error = code_.error[x.pc / 16];
  check_(top_.word_lo_o == word.lo && top_.word_hi_o == word.hi, "word", s);
  check_(bool(top_.illegal_o) == !legal || error, "legality", s);
  check_(bool(top_.bus_err_o) == error, "bus error", s);
  check_(bool(top_.short_o) == (code_.size(x.pc) == 8), "size", s);
}

// What was selected is read, and taken or refused; in the same cycle the next one is selected.
void Bench::check_stage() {
  if (s1_ < 0) return;
  unsigned s = unsigned(s1_);
  Path &x = w_[s];
  check_(top_.pc_o == x.pc, "pc", s);
  bool entry = code_.has(x.pc); // else there is nothing to take, and nothing to give back
  outside_ += !entry;
  const bool middle = entry && code_.middle(x.pc); // illegal for sure: it stays until the warp is sent elsewhere
  middles_ += middle;
  lost_ = entry && !middle ? -1 : s1_;
  if (entry) read_entry(x, s);
  bool taken = entry && !middle && rnd_.percent(70), back = entry && !taken && rnd_.percent(50);
  bool control = taken && (runs_out(s, x.pc) || jump_of(code_, x.pc) != FALLS || rnd_.percent(10));
  if (entry && !taken && !back) return; // the operand stage is busy
  int next = -1;
  if (rnd_.percent(60)) next = rnd_.percent(50) && (top_.valid_o >> s & 1) ? s1_ : select();
  if ((control || middle || is_followed(code_, x.pc)) && next == s1_) next = -1; // nothing is selected after it
  if (next >= 0 && (top_.valid_o >> next & 1))
    check_head(unsigned(next), w_[unsigned(next)].pc + (next == s1_ ? code_.size(x.pc) : 0));
  if (next >= 0) put(top_.sel_i, UINT64_C(1) << next);
  followers_ += next == s1_ && taken;
  void_ += next == s1_ && back;
  refused_ += back;
  popped_ += taken;
  if (taken) {
    put(top_.pop_i, UINT64_C(1) << s);
    away_ = runs_out(s, x.pc);
    shorts_ += code_.size(x.pc) == 8;
    x.followed = control && top_.followed_o;
    if (x.followed) x.target = code_.target(x.pc);
    x.pc += code_.size(x.pc);
    x.since = check_.now;
    if (control) event_ = s1_;
  }
  if (back) put(top_.back_i, UINT64_C(1) << s);
  s1_ = back && next == s1_ ? -1 : next;
}

uint32_t Bench::target(unsigned s) {
  const uint32_t to = code_.somewhere(rnd_, s, warps_);
  seconds_ += to % 16 == 8 && code_.has(to) && code_.pair(to);
  return to;
}

// Its control instruction is finished: the warp ends, jumps, or goes straight on.
void Bench::finish_control(unsigned s) {
  Path &x = w_[s];
  const bool ends = rnd_.percent(10), jump = !ends && (away_ || rnd_.percent(80));
  const bool there = jump && x.followed && rnd_.percent(60); // where fetch is
  top_.done_valid_i = 1;
  top_.done_slot_i = s;
  top_.done_moved_i = jump;
  top_.done_redirect_i = !ends && (x.followed ? !there : jump);
  top_.done_ended_i = ends;
  top_.done_pc_i = there ? x.target : jump ? target(s) : x.pc;
  x.followed = false;
  if (jump) x.pc = top_.done_pc_i;
  if (ends) x.alive = false;
  flushed_ += top_.done_redirect_i || ends;
  x.since = check_.now + 1;
}

// Of a launch all warps begin at one place, which stands: here each has its own, as soon as nobody needs the one
// before.
void Bench::start_one() {
  unsigned s = rnd_.below(limit_);
  if (w_[s].alive || model_->begins()) return;
  top_.start_valid_i = 1;
  top_.start_slot_i = s;
  top_.entry_pc_i = 16 * (s * kStretch + rnd_.below(kStretch - kMargin));
  if (code_.pair(top_.entry_pc_i) && rnd_.percent(30)) top_.entry_pc_i += 8;
  w_[s].alive = true;
  w_[s].pc = top_.entry_pc_i;
  w_[s].since = check_.now + 1;
}

// Redirects and ends only when nothing of the warp stands in the check stage; without a word of its own path only when
// no answer for an older path is under way, since epochs have two bits.
void Bench::events() {
  if (event_ < 0) {
    away_ = false;
    if (rnd_.percent(limit_ == 1 ? 1 : 3)) event_ = int(rnd_.below(limit_));
    if (lost_ >= 0 && rnd_.percent(20)) event_ = lost_;
    if (event_ == s1_ || (event_ >= 0 && model_->stale(unsigned(event_)))) event_ = -1;
  }
  if (event_ >= 0 && w_[unsigned(event_)].alive)
    finish_control(unsigned(event_));
  else if (rnd_.percent(10))
    start_one();
  event_ = -1;
  top_.rsp_valid_i = 0;
  if (rnd_.percent(50)) offer();
  top_.req_ready_i = 0;
  if (held_) check_(top_.req_valid_o && top_.req_pc_o == held_pc_, "request not held", 0);
  held_ = top_.req_valid_o;
  held_pc_ = top_.req_pc_o;
}

void Bench::check_buffers() {
  for (unsigned s = 0; s < warps_; s++) {
    bool valid = top_.valid_o >> s & 1, outside = top_.bad_pc_o >> s & 1;
    bool there = int(s) == s1_ && code_.has(w_[s].pc); // its oldest entry stands in the check stage
    check_(!valid || w_[s].alive, "entry of a dead warp", s);
    check_(!outside || (w_[s].alive && !code_.has(w_[s].pc)), "bad pc reported wrongly", s);
    const bool middle = there && code_.middle(w_[s].pc); // what follows is never taken
    check_(!valid || middle || code_.has(w_[s].pc + (there ? code_.size(w_[s].pc) : 0)), "entry outside the code", s);
    check_(!outside || !there, "bad pc before everything else was taken", s);
    bad_ += outside;
    if (w_[s].alive && !valid && !outside && !there)
      check_(check_.now - w_[s].since < 60 * warps_ + 40 * delay_, "starves", s);
  }
}

// A round is three cycles: the check stage, an event, and (if the check stage is free) a selection.
void Bench::run(uint64_t rounds) {
  for (uint64_t t = 0; t < rounds && check_.failures == 0; t++) {
    delay_ = 1 + unsigned(t / 1000 % 15);
    top_.slot_i = s1_ >= 0 ? unsigned(s1_) : rnd_.below(warps_);
    drive_cache();
    top_.eval();
    check_stage();
    tick();
    top_.pop_i = top_.sel_i = top_.back_i = 0;
    events();
    tick();
    top_.done_valid_i = top_.start_valid_i = top_.rsp_valid_i = 0;
    top_.eval();
    check_buffers();
    if (s1_ < 0 && (s1_ = select()) >= 0) {
      put(top_.sel_i, UINT64_C(1) << s1_);
      if (top_.valid_o >> s1_ & 1) check_head(unsigned(s1_), w_[unsigned(s1_)].pc);
    }
    held_ = top_.req_valid_o;
    held_pc_ = top_.req_pc_o;
    tick();
    top_.sel_i = 0;
    top_.eval();
  }
  top_.final();
}

// Nothing failed, and enough happened.
bool Bench::finish(uint64_t rounds) {
  std::printf(
      "%u warps: %llu words, %llu refused, %llu followers taken, %llu void, %llu flushes, %llu cycles outside the "
      "code, %llu of them selected; %llu asked, %llu pushed, %llu cycles in a row; %llu free cycles, %llu held back by "
      "a jump, %llu jumps followed; %llu checks, %u failures\n",
      limit_, (unsigned long long)popped_, (unsigned long long)refused_, (unsigned long long)followers_,
      (unsigned long long)void_, (unsigned long long)flushed_, (unsigned long long)bad_, (unsigned long long)outside_,
      (unsigned long long)model_->asked, (unsigned long long)model_->pushed, (unsigned long long)model_->longest,
      (unsigned long long)model_->idle, (unsigned long long)model_->held_back, (unsigned long long)model_->followed,
      (unsigned long long)check_.done, check_.failures);
  // All warps find jumps in their code; a lone warp leaves free cycles.
  bool met = limit_ > 1 ? model_->held_back >= 100 : model_->idle >= 100;
  met = met && (kGroup == 1 || model_->longest > kGroup); // one answer after another
  met = met && (limit_ == 1 || overtaken_ >= 100);
  if (code_.step == 8) {
    std::printf(
        "short words: %llu taken, %llu jumps to a second, %llu middles of long ones, %llu pairs torn by a flush\n",
        (unsigned long long)shorts_, (unsigned long long)seconds_, (unsigned long long)middles_,
        (unsigned long long)model_->torn);
    met = met && shorts_ >= rounds / 80 && seconds_ >= 20 && middles_ >= 10 && model_->torn >= 2;
  }
  return check_.failures == 0 && met && popped_ >= rounds / 20 && refused_ >= 100 && followers_ >= 50 && void_ >= 20 &&
         outside_ >= 10 && flushed_ >= 100 && bad_ >= 10 && (limit_ == 1 || model_->followed >= 100);
}

} // namespace

int main(int argc, char **argv) {
  Arguments args(argc, argv);
  const uint64_t seed = args.number("--seed", 1), cycles = args.number("--cycles", 200000);
  const std::string isa = args.text("--isa");
  args.all();
  Rows rows;
  if (!isa.empty() && !rows.read(isa.c_str())) {
    std::fprintf(stderr, "fetch_test: cannot read the rows of short words of %s\n", isa.c_str());
    return 2;
  }
  Verilated::commandArgs(argc, argv);
  bool ok = true;
  for (unsigned limit : {~0u, 1u}) {
    Bench b(seed, limit, rows);
    b.run(cycles);
    ok &= b.finish(cycles);
  }
  return ok ? 0 : 1;
}
