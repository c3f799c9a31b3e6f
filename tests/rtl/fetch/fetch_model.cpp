// SPDX-License-Identifier: Apache-2.0
// Fetch's own account. A request that is new in a cycle was chosen in the cycle before; it is judged by what stood
// then.
#include "fetch_bench.h"

Jump jump_of(const Code &code, uint32_t pc) {
  isa_dec d;
  if (!code.known(pc, &d)) return UNKNOWN;
  isa_flow flow = isa_flow_of(&d);
  bool leaves = flow == ISA_FLOW_BRANCH || flow == ISA_FLOW_CALL || flow == ISA_FLOW_RETURN || flow == ISA_FLOW_EXIT;
  bool always = d.guard.index == 7 && !d.guard.neg;
  bool back = d.op == ISA_OP_BRA && (isa_get(d.word, ISA_F_REL) >> 31 & 1);
  return leaves && (always || back) ? JUMPS : FALLS;
}

// Those with nothing come first, then those with less than half of their buffer; nobody waits while there is a free
// cycle.
void Model::judge(const Vtop &top, bool fresh, unsigned taker) {
  bool could = (!last_.req_valid || last_.req_ready) && (kGroup == 1 || asks_.size() + here_.size() < 2);
  if (!fresh) {
    for (unsigned s = 0; could && s < w_.size(); s++)
      check_(!must_want(w_[s]), "a free cycle, and nothing asked for", s);
    idle += could;
    return;
  }
  asked++;
  if (taker >= w_.size()) return check_(false, "asked outside the code", taker);
  const Warp &x = w_[taker];
  check_(top.req_pc_o == x.pc, "asked for another word than the next", taker);
  check_(x.alive && code_.has(x.pc), "asked outside the code, or for a dead warp", taker);
  check_(x.used + kGroup <= ibuf_, "asked without room", taker);
  check_(x.stop != JUMPS, "asked past a likely jump", taker);
  for (unsigned s = 0; s < w_.size(); s++)
    check_(!must_want(w_[s]) || rank(w_[s]) >= rank(x), "asked before a warp with less", s);
}

// A word of the last cycle: the warp whose buffer it went to, or -1 where there was none, or the answer (all that is
// left of it) was for an older path.
int Model::answer() {
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
  if (here_.empty()) return -1;
  Ask a = here_.front();
  Warp &x = w_[a.warp];
  bool old = a.epoch != x.epoch;
  if (old || a.words == 1) {
    here_.pop_front();
  } else {
    here_.front().pc += 16;
    here_.front().words--;
  }
  if (old) return -1;
  pushed++;
  Jump j = jump_of(code_, a.pc);
  if (x.stop == FALLS || j == JUMPS) x.stop = j;
  return int(a.warp);
}

bool Model::stale(unsigned warp) const {
  auto old = [&](const Ask &a) { return a.warp == warp && a.epoch != w_[warp].epoch; };
  return std::any_of(asks_.begin(), asks_.end(), old) || std::any_of(here_.begin(), here_.end(), old);
}

bool Model::begins() const {
  return std::any_of(w_.begin(), w_.end(), [](const Warp &x) { return x.alive && x.begins; });
}

void Model::flush(Warp &x) {
  x.begins = false;
  x.used = 0;
  x.epoch++;
  x.stop = FALLS;
}

void Model::events() {
  for (unsigned s = 0; s < w_.size(); s++) w_[s].used -= unsigned(last_.pop >> s & 1);
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
  int pushed = answer();
  if (fresh && taker < w_.size()) {
    Warp &x = w_[taker];
    unsigned n = code_.has(x.pc) ? code_.brings(x.pc) : 1;
    asks_.push_back({taker, x.epoch, x.pc, n});
    x.pc += 16 * n;
    x.used += n;
    x.begins = false;
  }
  unsigned epoch = pushed < 0 ? 0 : w_[unsigned(pushed)].epoch;
  events();
  if (pushed >= 0 && w_[unsigned(pushed)].epoch == epoch)
    check_(top.valid_o >> pushed & 1, "a word is in the buffer in the cycle after it came", unsigned(pushed));
  for (unsigned s = 0; s < w_.size(); s++) {
    const Warp &x = w_[s];
    held_back += x.alive && x.stop == JUMPS && x.used + kGroup <= ibuf_;
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
           top.rsp_valid_i ? next_ : -1,
           unsigned(top.start_slot_i),
           unsigned(top.done_slot_i),
           top.entry_pc_i,
           top.done_pc_i,
           uint64_t(top.pop_i)};
}
