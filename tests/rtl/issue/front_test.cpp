// SPDX-License-Identifier: Apache-2.0
// Random programs through `front`; `--distance` checks the exact cycle of every instruction of a lone warp, `--speed`
// measures the issue rate instead.
//   rtl_front_CONFIG [--seed N] [--seeds N] [--cycles N] [--traps] [--scoreboard] [--pages] [--fault N] [--distance]
//   [--speed]

#include "tests/rtl/arguments.h"
#include "tests/rtl/issue/front_bench.h"
#include "cosim/verilator/fault_number.hpp"

// The aligned group of words in which the wanted one lies; anything may lie outside the code.
void Bench::answer(uint32_t pc) {
  constexpr unsigned kGroup = sizeof top.ic_rsp_word_i / 16;
  for (unsigned i = 0; i < kGroup; i++) {
    size_t phase = top.launch_code_base_i / 16 % kGroup;
    size_t at = (pc / 16 + phase) / kGroup * kGroup + i - phase; // below 0: beyond any end
    heddle_isa_word x = at < code.size() ? code[at] : heddle_isa_word{rnd.next(), rnd.next()};
    top.ic_rsp_word_i[4 * i] = uint32_t(x.lo);
    top.ic_rsp_word_i[4 * i + 1] = uint32_t(x.lo >> 32);
    top.ic_rsp_word_i[4 * i + 2] = uint32_t(x.hi);
    top.ic_rsp_word_i[4 * i + 3] = uint32_t(x.hi >> 32);
  }
}

// Instructions of an answer reach the buffer one by one: those from the wanted place on to the end of what is asked for
// at once, or to that of the code.
void Bench::arrives(uint32_t pc) {
  constexpr unsigned kGroup = sizeof top.ic_rsp_word_i / 16,
                     kAsked = ISA_STEP != 16 && kGroup > 1 ? kGroup / 2 : kGroup;
  const size_t phase = top.launch_code_base_i / 16 % kGroup, end = pc / 16 + kAsked - (pc / 16 + phase) % kAsked;
  for (size_t at = pc / 16; at < end && at < code.size(); at++)
    for (unsigned n = ISA_STEP != 16 && code[at].hi >> 63 ? 2 : 1; n > 0; n--)
      exact.came.push_back(exact.came.empty() ? now : std::max(now, exact.came.back() + 1));
}

// Of the answers whose time has come any, those of one warp in order.
bool Bench::next_answer(std::deque<Owed> &cache, Owed *x) {
  std::vector<size_t> due;
  for (size_t i = 0; i < cache.size(); i++) {
    bool oldest = true;
    for (size_t j = 0; j < i; j++) oldest = oldest && cache[j].warp != cache[i].warp;
    if (oldest && cache[i].due <= now) due.push_back(i);
  }
  if (due.empty()) return false;
  size_t i = due[rnd.below(uint32_t(due.size()))];
  *x = cache[i];
  cache.erase(cache.begin() + long(i));
  return true;
}

void Bench::drive() {
  start_some();
  if (opt.pages) host_acts();
  // Caches.
  top.if_req_ready_i = opt.lone() || rnd.percent(80);
  top.ic_rsp_valid_i = 0;
  Owed x;
  if (next_answer(ic, &x)) {
    top.ic_rsp_valid_i = 1;
    if (opt.distance) arrives(x.what);
    top.ic_rsp_err_i = x.absent ? 2 : no_word(x.what);
    top.ic_rsp_tag_i = decltype(Vtop::ic_rsp_tag_i)(x.tag);
    answer(x.what);
  }
  if (top.if_req_valid_o && top.if_req_ready_i) {
    check(in_code(top.if_req_pc_o), "asked for a word outside the code", 0);
    ic.push_back({in_code(top.if_req_pc_o) ? top.if_req_pc_o : 0, later(ic_delay), top.if_req_tag_o,
                  top.if_req_tag_o % slots(), false, 0, false, true});
    asked_for_word();
  }
  top.if_cst_ready_i = rnd.percent(80);
  top.cc_cst_valid_i = 0;
  if (next_answer(cc, &x)) {
    uint32_t where = x.what, bank = where >> 16, off = where & 0xffff;
    top.cc_cst_valid_i = 1;
    top.cc_cst_data_i = constant(bank, off);
    top.cc_cst_range_i = off + 4 > bank_bytes[bank];
    top.cc_cst_err_i = x.absent && !top.cc_cst_range_i ? 2 : !top.cc_cst_range_i && no_constant(bank, off);
    top.cc_cst_tag_i = decltype(Vtop::cc_cst_tag_i)(x.tag);
  }
  if (top.if_cst_valid_o && top.if_cst_ready_i) {
    cc.push_back({uint32_t(top.if_cst_bank_o) << 16 | top.if_cst_off_o, later(cc_delay), top.if_cst_tag_o,
                  top.if_cst_tag_o, false, 0, false, true});
    asked_for_constant();
  }

  drive_operand();
  drive_pipes();
  drive_lsu();
  drive_ctl();

  // Barriers: whoever waits long enough goes on.
  top.ba_release_valid_i = 0;
  top.ba_release_warps_i = 0;
  top.ba_busy_i = 0;
  uint64_t out = 0;
  const unsigned sum = rnd.percent(30) ? 0 : rnd.below(1025);
  const bool all = rnd.percent(50);
  for (size_t i = 0; i < bar_wait.size();) {
    if (bar_wait[i].second <= now + 2) top.ba_busy_i = 1;
    if (bar_wait[i].second <= now) {
      out |= UINT64_C(1) << bar_wait[i].first;
      Event e{};
      e.kind = RELEASED;
      e.op.slot = bar_wait[i].first;
      events.push_back(e);
      w[e.op.slot].red_sum = sum;
      w[e.op.slot].red_all = all;
      bar_wait.erase(bar_wait.begin() + long(i));
    } else {
      i++;
    }
  }
  top.ba_release_sum_i = uint16_t(sum);
  top.ba_release_all_i = all;
  if (out) {
    top.ba_release_valid_i = 1;
    put(top.ba_release_warps_i, out);
  }
  top.ret_ready_i = opt.lone() || rnd.percent(95);
}

// Combinational answers in the check stage.
void Bench::queries() {
  top.eval();
  Warp &x = w[top.is_q_slot_o];
  top.dv_q_active_i = x.active;
  top.dv_q_live_i = x.live;
  top.ret_hash_i = x.hash;
  top.dv_q_members_i = x.members[top.is_q_bx_o];
  top.dv_q_parked_i = x.parked[top.is_q_bx_o];
  top.dv_q_parkpc_i = x.parkpc[top.is_q_bx_o];
  top.ba_misuse_i = misuse(top.is_bar_slot_o, top.is_bar_id_o, top.is_bar_count_o);
  top.eval();
  selected = top.is_sel_valid_o ? int(top.is_sel_slot_o) : -1;
  halt_before = top.is_halt_o;
  if (selected >= 0) {
    check(!hold, "selection while stall counts stand still", unsigned(selected));
    check(s1 < 0 || ready, "selection over an instruction in the check stage", unsigned(selected));
  }
  if (top.is_bar_valid_o && !top.ba_misuse_i) {
    unsigned s = top.is_bar_slot_o;
    heddle_isa_dec d;
    bool ok = decode_at(w[s].pc, &d) && is_bar(d);
    check(ok && heddle_isa_get(d.word, ISA_F_BARID) == top.is_bar_id_o &&
              heddle_isa_get(d.word, ISA_F_BARCNT) == top.is_bar_count_o,
          "barrier arrival", s);
    if (!ok) return;
    const uint32_t exec = w[s].active & guard_of(w[s], d.guard), ps0 = guard_of(w[s], d.ps[0]);
    check(top.is_bar_kind_o == (is_red(d) ? 2u : d.op == ISA_OP_BAR_ARV ? 1u : 0u), "kind of an arrival", s);
    if (is_red(d))
      check(top.is_bar_sum_o == unsigned(__builtin_popcount(exec & ps0)) && top.is_bar_all_o == ((exec & ~ps0) == 0),
            "what an arrival brings", s);
    check(!w[s].at_bar && !w[s].redo, "second arrival", s);
    if (d.op != ISA_OP_BAR_ARV) bar_wait.push_back({s, now + 2 + rnd.below(busy_delay)});
  }
}

void Bench::observe() {
  if (top.is_halt_o && !halted) {
    halted = true;
    for (unsigned s = 0; s < warps; s++) at_halt[s] = precise(s);
    for (unsigned s = 0; s < warps; s++) at_halt_page[s] = precise(s, true);
  }
  observe_stage();
  if (top.ret_issue_valid_o) {
    record(top.ret_issue_slot_o);
    heddle_isa_dec d;
    // An arrival: its warp waits from the record on.
    if (heddle_isa_decode({top.ret_issue_word_lo_o, top.ret_issue_word_hi_o}, &d) && is_bar(d) &&
        d.op != ISA_OP_BAR_ARV && top.ret_issue_exec_o != 0)
      w[top.ret_issue_slot_o].at_bar = true;
  } else if (top.is_new_o) {
    redo(top.uop_slot_o);
  } else {
    check(!top.is_ctl_valid_o, "control instruction without a record", 0);
  }
  for (unsigned k = 0; k < 2; k++) {
    const bool there = two() ? reader[k].waits : reader[k].reading;
    const Op &op = two() ? reader[k].front : reader[k].read;
    check((top.is_valid_o >> k & 1) == there, "uop stands until its operands have been read, or it goes on", 0);
    if (there)
      check((top.is_slot_o >> 8 * k & 0xff) == op.slot && uint32_t(top.is_seq_o >> 32 * k) == op.seq &&
                top.is_word_lo_o[2 * k] == uint32_t(op.d.word.lo) &&
                top.is_word_lo_o[2 * k + 1] == uint32_t(op.d.word.lo >> 32) &&
                uint32_t(top.is_exec_o >> 32 * k) == op.exec && uint32_t(top.is_pc_o >> 32 * k) == op.pc,
            "uop changed while it stood", op.slot);
  }
  active += apart() || !hold;
  apply();
  for (unsigned s = 0; s < warps; s++) grid_alive += w[s].alive;
}

// Every live warp is counted in one class each cycle; the counters lag a few cycles.
void Bench::check_counters() {
  uint64_t sum = 0, issued = 0;
  for (unsigned i = 0; i < 16; i++) {
    top.is_cnt_index_i = i;
    top.eval();
    sum += top.is_cnt_o;
    if (i == 0) issued = top.is_cnt_o;
  }
  check(issued <= grid_issued && issued + 4 >= grid_issued, "counter of issued instructions", 0);
  check(sum <= grid_alive + 4 * warps && sum + 4 * warps >= grid_alive, "sum of the counters", 0);
}

void Bench::clock() {
  observe();
  drive();
  queries();
  top.clk_i = 1;
  top.eval();
  top.clk_i = 0;
  top.eval();
  now++;
}

int Bench::run() {
  uint64_t halted_at = 0, end = now + opt.cycles, busy_from = 0, issued_from = 0;
  reset();
  uint64_t stop = now + 1000 + rnd.below(5000);
  while (now < end && failures == 0) {
    clock();
    if (opt.speed && now == 400) {
      busy_from = now;
      issued_from = issued;
    }
    if (top.is_halt_o && halted_at == 0) halted_at = now;
    if (!opt.traps && (top.is_halt_o || top.is_trap_valid_o)) {
      std::printf("trap cause %u\n", top.is_trap_cause_o);
      fail("unexpected trap", top.is_trap_slot_o);
    }
    if (top.is_trap_valid_o) finish_trap();
    if (halted_at && now - halted_at > 3000 && !done) fail("halted but never drained", 0);
    if (!halted_at && now - last_issue > 2000) fail("nothing issues any more", 0);
    if (!halted_at && opt.pages) check_progress();
    if (done || (!opt.speed && now > stop && !halted_at)) {
      check_counters();
      reset();
      halted_at = 0;
      stop = now + 1000 + rnd.below(5000);
    }
  }
  std::printf("seed %llu: %llu cycles, %llu grids, %llu instructions, %llu traps, %llu checks, %u failures\n",
              (unsigned long long)opt.seed, (unsigned long long)now, (unsigned long long)grids,
              (unsigned long long)issued, (unsigned long long)traps_seen, (unsigned long long)checks, failures);
  if (opt.traps) {
    std::printf("causes:");
    for (unsigned c = 1; c < 16; c++)
      if (cause_count[c]) std::printf(" %u:%llu", c, (unsigned long long)cause_count[c]);
    std::printf("\n");
  }
  if (opt.speed) {
    double rate = double(issued - issued_from) / double(now - busy_from);
    std::printf("%llu warps, %u beats: %.3f instructions a cycle\n", (unsigned long long)opt.seed, beats, rate);
  }
  top.final();
  return failures == 0 && issued > 100 ? 0 : 1;
}

// What the random programs must have met.
static bool met(const Seen &s, const Options &o) {
  std::printf(
      "met: %llu selected right after their warp's last, %llu waits for its counters, %llu drains; %llu held, %llu "
      "refused, "
      "%llu of them with a follower; %llu of two places, %llu cycles with all places taken, %llu past them to another "
      "queue; %llu holds; %llu traps "
      "with the next instruction in the check stage; %llu results of barriers, %llu waits of DEPBAR; "
      "%llu matrices, %llu traps of others; %llu jumps followed, %llu in vain; %llu short words, %llu of them the "
      "second of two, "
      "%llu of these jumped to; %llu middles and %llu short words without a meaning refused; %llu faults that the host "
      "was not told "
      "of, %llu words and %llu constants that it was, %llu instructions beside, %llu traps\n",
      (unsigned long long)s.next_cycle, (unsigned long long)s.waits, (unsigned long long)s.drains,
      (unsigned long long)s.held, (unsigned long long)s.refused, (unsigned long long)s.followers,
      (unsigned long long)s.two_places, (unsigned long long)s.crowded, (unsigned long long)s.beside,
      (unsigned long long)s.holds, (unsigned long long)s.trap_in_s1, (unsigned long long)s.results,
      (unsigned long long)s.depbars, (unsigned long long)s.matrices, (unsigned long long)s.torn,
      (unsigned long long)s.followed, (unsigned long long)s.recalled, (unsigned long long)s.is_short,
      (unsigned long long)s.second, (unsigned long long)s.jumped, (unsigned long long)s.middle,
      (unsigned long long)s.absent, (unsigned long long)s.quiet, (unsigned long long)s.listed,
      (unsigned long long)s.listed_cst, (unsigned long long)s.passed, (unsigned long long)s.page_traps);
  bool ok = s.next_cycle >= 100 && s.waits >= 20 && s.drains >= 20 && s.two_places >= 20 && s.crowded >= 100 &&
            s.holds >= 100 && s.followed >= 100 && s.recalled >= 100 && (s.units == 0 || s.beside >= 5) &&
            s.results >= 20 && s.depbars >= 5 && s.matrices >= 10 && (!o.scoreboard || s.held >= 1000) &&
            s.followers >= 1 && (!o.traps || (s.trap_in_s1 >= 2 && s.torn >= 2)) &&
            (ISA_STEP == 16 || (s.is_short >= 1000 && s.second >= 500 && s.jumped >= 100)) &&
            (!o.pages || (s.quiet >= 100 && s.listed >= 100 && s.listed_cst >= 20 && s.passed >= 100 &&
                          (!o.traps || s.page_traps >= 5))) &&
            (ISA_STEP == 16 || !o.traps || (s.middle >= 10 && s.absent >= 10));
  if (!ok) std::printf("too little of something to mean anything\n");
  return ok;
}

int main(int argc, char **argv) {
  Verilated::commandArgs(argc, argv);
  Options o;
  unsigned seeds = 1;
  Arguments args(argc, argv);
  o.seed = args.number("--seed", o.seed);
  o.cycles = args.number("--cycles", o.cycles);
  seeds = args.small("--seeds", seeds);
  if (const unsigned fault = args.small("--fault", 0)) heddle_fault() = fault;
  o.traps = args.flag("--traps");
  o.scoreboard = args.flag("--scoreboard");
  o.pages = args.flag("--pages");
  o.distance = args.flag("--distance");
  o.speed = args.flag("--speed");
  args.all();
  int bad = 0;
  Seen seen;
  for (unsigned k = 0; k < seeds; k++) {
    Verilated::randReset(2);
    Verilated::randSeed(int(o.seed));
    Bench *b = new Bench(o, &seen);
    bad |= o.distance ? b->distances() : b->run();
    delete b;
    o.seed++;
  }
  if (seeds >= 10 && !o.lone()) bad |= !met(seen, o);
  return bad;
}
