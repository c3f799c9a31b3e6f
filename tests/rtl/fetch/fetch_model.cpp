// SPDX-License-Identifier: Apache-2.0
// Fetch's own account. A request that is new in a cycle was chosen in the cycle before; it is judged by what stood
// then.
#include "tests/rtl/fetch/fetch_bench.h"

Jump jump_of(const Code &code, uint32_t pc) {
  heddle_isa_dec d;
  if (!code.known(pc, &d)) return UNKNOWN;
  const auto flow = heddle_isa_flow(heddle_isa_instr_info(heddle_isa_op(d.op))->flow); // whoever takes it
  bool leaves = flow == ISA_FLOW_BRANCH || flow == ISA_FLOW_CALL || flow == ISA_FLOW_RETURN || flow == ISA_FLOW_EXIT;
  bool always = d.guard.index == 7 && !d.guard.neg;
  bool back = d.op == ISA_OP_BRA && (heddle_isa_get(d.word, ISA_F_REL) >> 31 & 1);
  return leaves && (always || back) ? JUMPS : FALLS;
}

bool is_followed(const Code &code, uint32_t pc) {
  heddle_isa_dec d;
  return jump_of(code, pc) == JUMPS && code.known(pc, &d) && is_direct(d) && !code.error[pc / 16] && !code.middle(pc);
}

// Those with nothing come first, then those with less than half of their buffer; nobody waits while there is a free
// cycle.
void Model::judge(const Vtop &top, bool fresh, unsigned taker) {
  const size_t under_way = asks_.size() + here_.size();
  const bool waits = kGroup > 1 || code_.step == 8; // an answer may have to
  bool could = (!last_.req_valid || last_.req_ready) && (!waits || under_way < (kGroup > 1 ? 2 : 4));
  if (!fresh) {
    for (unsigned s = 0; could && s < w_.size(); s++)
      check_(!must_want(w_[s]), "a free cycle, and nothing asked for", s);
    idle += could;
    return;
  }
  asked++;
  if (taker >= w_.size()) return check_(false, "asked outside the code", taker);
  const Warp &x = w_[taker];
  check_(top.req_pc_o == x.pc / 16 * 16, "asked for another word than the next", taker);
  check_(x.alive && code_.has(x.pc), "asked outside the code, or for a dead warp", taker);
  check_(x.used + code_.room() <= ibuf_, "asked without room", taker);
  check_(x.stop != JUMPS, "asked past a likely jump", taker);
  check_(leads_ != int(taker), "asked behind a jump that is being followed", taker);
  for (unsigned s = 0; s < w_.size(); s++)
    check_(!must_want(w_[s]) || rank(w_[s]) >= rank(x), "asked before a warp with less", s);
}

// A word of the last cycle: the warp whose buffer it goes to, or -1 where there was none, or the answer (all that is
// left of it) was for an older path. Of a place that brings one entry the room for another is given back.
Model::Push Model::answer() {
  if (last_.rsp >= 0) {
    auto of = [&](const Ask &a) { return int(a.warp) == last_.rsp; };
    auto a = std::find_if(asks_.begin(), asks_.end(), of);
    check_(a != asks_.end(), "an answer without a request", 0);
    if (a != asks_.end()) {
      here_.push_back(*a);
      asks_.erase(a);
    }
  }
  run_ = here_.empty() ? 0 : run_ + 1;
  longest = std::max(longest, run_);
  if (here_.empty()) return {};
  Ask &front = here_.front();
  const Ask a = front;
  const Warp &x = w_[a.warp];
  const bool old = a.epoch != x.epoch || leads_ == int(a.warp),
             again = code_.pair(a.pc) && a.pc % 16 == 0; // the place's second comes next
  front.pc = again ? a.pc + 8 : a.pc / 16 * 16 + 16;
  front.first = false;
  front.places -= !again;
  if (old || front.places == 0) here_.pop_front();
  torn += old && !a.first && a.pc % 16 == 8;
  if (old) return {};
  if (code_.step == 8 && !again && (a.first || a.pc % 16 == 0)) w_[a.warp].used--;
  return {int(a.warp), a.epoch, a.pc};
}

// A word reaches its buffer, if its path is still the warp's.
Model::Push Model::arrives(bool goes) {
  Push p = answer();
  if (code_.step == 8) std::swap(p, late_);
  if (p.warp < 0 || w_[unsigned(p.warp)].epoch != p.epoch || leads_ == p.warp) {
    check_(!last_.followed, "followed what did not arrive", 0);
    return {};
  }
  pushed++;
  Warp &x = w_[unsigned(p.warp)];
  x.held++;
  const bool can = is_followed(code_, p.pc) && x.stop != JUMPS && (leads_ < 0 || goes);
  check_(!last_.followed || can, "followed what is no direct jump, or comes behind one that is not known",
         unsigned(p.warp));
  check_(last_.followed || !can || x.stop != FALLS, "a direct jump is not followed", unsigned(p.warp));
  const Jump jump = jump_of(code_, p.pc);
  if (!last_.followed && (x.stop == FALLS || jump == JUMPS)) x.stop = jump;
  return p;
}

// In the last cycle: does the warp that follows a jump go on at its target?
bool Model::goes() const {
  return leads_ >= 0 && !(last_.done && last_.redirect) && !flushed(unsigned(leads_));
}

bool Model::flushed(unsigned warp) const {
  return (last_.done && (last_.redirect || last_.ended) && last_.done_slot == warp) ||
         (last_.start && last_.start_slot == warp);
}

void Model::follow() {
  Warp &x = w_[unsigned(leads_)];
  x.pc = to_;
  x.used = x.held;
  x.epoch++;
  followed++;
}

bool Model::stale(unsigned warp) const {
  auto old = [&](const Ask &a) { return a.warp == warp && a.epoch != w_[warp].epoch; };
  const bool late = late_.warp == int(warp) && late_.epoch != w_[warp].epoch;
  return late || std::any_of(asks_.begin(), asks_.end(), old) || std::any_of(here_.begin(), here_.end(), old);
}

bool Model::begins() const {
  return std::any_of(w_.begin(), w_.end(), [](const Warp &x) { return x.alive && x.begins; });
}

void Model::flush(Warp &x) {
  x.begins = false;
  x.used = x.held = 0;
  x.epoch++;
  x.stop = FALLS;
}

void Model::events() {
  for (unsigned s = 0; s < w_.size(); s++) {
    const bool pop = last_.pop >> s & 1;
    w_[s].used -= pop;
    w_[s].held -= pop;
    w_[s].begins = w_[s].begins && !pop;
  }
  if (last_.done) {
    Warp &x = w_[last_.done_slot];
    x.stop = FALLS;
    if (last_.redirect || last_.ended) flush(x);
    if (last_.redirect) x.pc = last_.done_pc;
    if (last_.ended) x.alive = false;
  }
  if (last_.start) {
    Warp &x = w_[last_.start_slot];
    flush(x);
    x.alive = x.begins = true;
    x.pc = last_.entry_pc;
  }
}

void Model::cycle(const Vtop &top) {
  bool fresh = top.req_valid_o && (!last_.req_valid || last_.req_ready);
  unsigned taker = fresh ? top.req_pc_o / 16 / kStretch : 0;
  if (last_.there) judge(top, fresh, taker);
  const bool go = goes();
  const Push push = arrives(go);
  if (fresh && taker < w_.size()) {
    Warp &x = w_[taker];
    unsigned n = code_.has(x.pc) ? code_.brings(x.pc) : 1;
    asks_.push_back({taker, x.epoch, x.pc, n, true});
    x.pc = (x.pc / 16 + n) * 16;
    x.used += code_.step == 8 ? 2 * n : n;
  }
  events();
  if (go) follow();
  if (go || (leads_ >= 0 && flushed(unsigned(leads_)))) leads_ = -1;
  if (push.warp >= 0 && last_.followed && !flushed(unsigned(push.warp))) {
    leads_ = push.warp;
    to_ = code_.target(push.pc);
  }
  if (push.warp >= 0 && w_[unsigned(push.warp)].epoch == push.epoch)
    check_(top.valid_o >> push.warp & 1, "a word is in the buffer in the cycle after it came", unsigned(push.warp));
  for (unsigned s = 0; s < w_.size(); s++) {
    const Warp &x = w_[s];
    held_back += x.alive && x.stop == JUMPS && x.used + code_.room() <= ibuf_;
    check_(bool(top.bad_pc_o >> s & 1) == (x.alive && !code_.has(x.pc) && x.used == 0),
           "bad pc: exactly when nothing else is left", s);
  }
  last_ = {true,
           bool(top.req_valid_o),
           bool(top.req_ready_i),
           bool(top.start_valid_i),
           bool(top.done_valid_i),
           bool(top.done_redirect_i),
           bool(top.done_ended_i),
           bool(top.followed_now_o),
           top.rsp_valid_i ? next_ : -1,
           unsigned(top.start_slot_i),
           unsigned(top.done_slot_i),
           top.entry_pc_i,
           top.done_pc_i,
           uint64_t(top.pop_i)};
}
