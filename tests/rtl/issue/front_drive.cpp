// SPDX-License-Identifier: Apache-2.0
// What pipes, load/store unit and divergence answer.
#include "tests/rtl/issue/front_bench.h"

void Bench::pred_beat(const Op &op, unsigned beat) {
  uint32_t d0 = rnd.u32(), d1 = rnd.u32();
  if (op.d.pd0 == op.d.pd1) d0 = d1;
  uint32_t ones = lanes == 32 ? ~0u : (1u << lanes) - 1;
  top.wb_pred_valid_i = 1;
  top.wb_pred_slot_i = op.slot;
  top.wb_pred_beat_i = beat;
  top.wb_pred_mask_i = op.exec >> (beat * lanes) & ones;
  top.wb_pred_pd0_i = op.d.pd0;
  top.wb_pred_pd1_i = op.d.pd1;
  top.wb_pred_d0_i = (op.d.pd0 == op.d.pd1 ? ~d0 : d0) >> (beat * lanes) & ones;
  top.wb_pred_d1_i = d1 >> (beat * lanes) & ones;
  Event e{};
  e.kind = PRED_BEAT;
  e.op = op;
  e.a = beat;
  e.x = d0;
  e.y = d1;
  events.push_back(e);
}

// Units of the partition: predicates where the fixed pipes have none in this cycle; then the end, like memory's.
void Bench::late_predicates() {
  for (size_t i = 0; i < late.size(); i++) {
    Op &op = late[i];
    if (op.when > now) continue;
    const bool has = op.d.pd0 < 7 || op.d.pd1 < 7;
    if (has && op.pred_beats < beats) {
      if (top.wb_pred_valid_i) continue;
      pred_beat(op, op.pred_beats++);
      return;
    }
    op.when = later(busy_delay);
    lsu.push_back(op);
    late.erase(late.begin() + long(i));
    return;
  }
}

void Bench::drive_pipes() {
  unsigned wbits = 0;
  while ((1u << wbits) < warps) wbits++;
  top.wb_done_valid_i = 0;
  top.wb_pred_valid_i = 0;
  if (!pred.empty() && pred.front().at == now) {
    pred_beat(pred.front().op, pred.front().number);
    pred.pop_front();
  }
  late_predicates();
  uint64_t slot = 0, wbar = 0, has = 0, rd = 0, rdn = 0, pd0 = 0, pd1 = 0, valid = 0;
  for (size_t i = 0; i < fix.size();) {
    Op &op = fix[i];
    unsigned unit = pipe(op.d);
    uint64_t written = op.last + lat[unit]; // cycle of the last row
    if (written == now) {
      valid |= 1u << unit;
      slot |= uint64_t(op.slot) << (unit * wbits);
      wbar |= uint64_t(op.d.ctl.wbar) << (unit * 3);
      has |= uint64_t(op.d.has_rd) << unit;
      rd |= uint64_t(op.d.rd) << (unit * 8);
      rdn |= uint64_t(op.d.rd_words - 1u) << (unit * 2);
      pd0 |= uint64_t(op.d.pd0) << (unit * 3);
      pd1 |= uint64_t(op.d.pd1) << (unit * 3);
      Event e{};
      e.kind = FIXED_DONE;
      e.op = op;
      events.push_back(e);
      fix.erase(fix.begin() + long(i));
    } else {
      i++;
    }
  }
  top.wb_done_valid_i = uint8_t(valid);
  put(top.wb_done_slot_i, slot);
  top.wb_done_wbar_i = uint16_t(wbar);
  top.wb_done_has_rd_i = uint8_t(has);
  top.wb_done_rd_i = uint32_t(rd);
  top.wb_done_rd_n_i = uint8_t(rdn);
  top.wb_done_pd0_i = uint16_t(pd0);
  top.wb_done_pd1_i = uint16_t(pd1);
}

void Bench::drive_lsu() {
  top.ls_checked_valid_i = 0;
  top.lt_done_valid_i = 0;
  top.ls_trap_valid_i = 0;
  if (!lsu_check.empty() && lsu_check.front().when <= now) {
    Op op = lsu_check.front();
    lsu_check.pop_front();
    op.refused = w[op.slot].killed;
    if (op.refused) op.trap = false;
    if (op.trap) w[op.slot].killed = true;
    if (!op.refused && !op.trap) {
      top.ls_checked_valid_i = 1;
      top.ls_checked_slot_i = op.slot;
    }
    op.when = later(busy_delay * 2);
    // The ends of trapped and refused ones stay in order, and nothing else may overtake in this bench.
    if (op.trap || op.refused)
      for (auto &o : lsu)
        if (o.slot == op.slot && op.when <= o.when) op.when = o.when + 1;
    lsu.push_back(op);
    return;
  }
  for (size_t i = 0; i < lsu.size(); i++) {
    if (lsu[i].when > now) continue;
    Op op = lsu[i];
    bool behind = false;
    for (size_t j = 0; j < i; j++)
      behind |= lsu[j].slot == op.slot && (lsu[j].trap || lsu[j].refused || op.trap || op.refused);
    if (behind) continue;
    lsu.erase(lsu.begin() + long(i));
    top.lt_done_valid_i = 1;
    top.lt_done_slot_i = op.slot;
    top.lt_done_wbar_i = op.d.ctl.wbar;
    top.lt_done_has_rd_i = op.d.has_rd;
    top.lt_done_rd_i = op.d.rd;
    top.lt_done_rd_n_i = op.d.rd_words - 1;
    top.lt_done_pd0_i = op.d.has_pd0 ? op.d.pd0 : 7;
    top.lt_done_pd1_i = op.d.has_pd1 ? op.d.pd1 : 7;
    if (op.trap) {
      top.ls_trap_valid_i = 1;
      top.ls_trap_cause_i = MISALIGNED;
      top.ls_trap_slot_i = op.slot;
      top.ls_trap_gen_i = op.gen;
      top.ls_trap_seq_i = op.seq;
      top.ls_trap_pc_i = op.pc;
      top.ls_trap_lanes_i = op.exec;
      top.ls_trap_addr_i = hash32(op.seq, op.pc);
    }
    Event e{};
    e.kind = MEMORY_DONE;
    e.op = op;
    events.push_back(e);
    return;
  }
}

void Bench::drive_ctl() {
  top.dv_done_valid_i = 0;
  top.dv_trap_valid_i = 0;
  for (size_t i = 0; i < ctl.size(); i++) {
    Op op = ctl[i];
    if (!op.regs_read || op.when > now) continue;
    ctl.erase(ctl.begin() + long(i));
    if (op.trap) {
      top.dv_trap_valid_i = 1;
      top.dv_trap_cause_i = DEADLOCK;
      top.dv_trap_slot_i = op.slot;
      top.dv_trap_gen_i = op.gen;
      top.dv_trap_seq_i = op.seq;
      top.dv_trap_pc_i = op.pc;
      top.dv_trap_lanes_i = 0;
      top.dv_trap_addr_i = 0;
      return;
    }
    Event e{};
    e.kind = CONTROL_DONE;
    e.op = op;
    e.b = !opt.lone() && rnd.percent(4);
    e.a = !e.b && (rnd.percent(60) || next_pc(op.pc) == code_bytes());
    e.x = opt.traps && rnd.permille(5) ? rnd.u32() % 8192 : random_pc();
    if (opt.lone()) e.x = 0;
    // Of a jump that fetch has followed the target is no redirect, and everything else is one.
    const bool taken = op.followed && !e.b && (opt.traps || in_code(op.target)) && rnd.percent(opt.lone() ? 0 : 60);
    if (taken) {
      e.a = true;
      e.x = op.target;
    }
    (taken ? seen.followed : seen.recalled) += op.followed;
    top.dv_done_valid_i = 1;
    top.dv_done_slot_i = op.slot;
    top.dv_done_moved_i = e.a;
    top.dv_done_redirect_i = op.followed ? !taken && !e.b : e.a;
    top.dv_done_pc_i = e.a ? e.x : next_pc(op.pc);
    top.dv_done_ended_i = e.b;
    events.push_back(e);
    return;
  }
}
