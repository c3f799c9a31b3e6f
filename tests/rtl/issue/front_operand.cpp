// SPDX-License-Identifier: Apache-2.0
// The operand stage as issue knows it: an instruction stands until the last cycle of its last row, a row takes a cycle
// and as many more as the bench likes (holds), comes on the bus two cycles later; rows of memory and of units go to
// counted places.
#include "tests/rtl/issue/front_bench.h"

void Bench::drive_operand() {
  read_row();
  rows_on_bus();
  rows_leave();
  for (unsigned k = 0; k < 2; k++) leave_queue(k);
}

void Bench::read_row() {
  hold = false;
  ready = true;
  if (reading) {
    bool waits = delay > 0;
    if (waits) {
      delay--;
    } else {
      unsigned rows = beats * wide(read.d);
      bool last = ++row == rows;
      bus.push_back({read, (row - 1) / wide(read.d), last, now + 2});
      reading = !last;
      delay = rnd.percent(hold_rate) ? 1 + rnd.below(3) : 0;
    }
    hold = waits;
    ready = !reading;
  }
  seen.holds += hold;
  top.op_hold_i = hold;
  top.op_ready_i = ready;
}

void Bench::rows_on_bus() {
  top.op_disp_valid_i = 0;
  if (bus.empty() || bus.front().at != now) return;
  Row r = bus.front();
  bus.pop_front();
  const Op &op = r.op;
  if (queues() && !op.coll)
    line[line_of(op.d)].rows.push_back(r);
  else
    row_at_pipe(r, now);
  if (!r.last) return;
  top.op_disp_valid_i = 1;
  top.op_disp_slot_i = op.slot;
  top.op_disp_rbar_i = op.d.ctl.rbar;
  Event e{};
  e.kind = DISPATCHED;
  e.op = op;
  events.push_back(e);
}

// A row is with its pipe, or in its unit's queue.
void Bench::row_at_pipe(Row r, uint64_t at) {
  Op &op = r.op;
  if (pipe(op.d) <= ISA_UNIT_CVT && (op.d.pd0 < 7 || op.d.pd1 < 7))
    pred.push_back({op, r.number, r.last, at + lat[pipe(op.d)]});
  if (!r.last) return;
  op.last = at;
  if (op.coll) {
    op.when = later(busy_delay);
    waiting[unit_queue(op.d)].push_back(op);
  } else if (pipe(op.d) == ISA_UNIT_BR) {
    for (auto &c : ctl)
      if (c.slot == op.slot) c.regs_read = true;
  } else {
    fix.push_back(op);
  }
}

// Row queues: the oldest row of each leaves some time, as it comes to the bus at the earliest, and is with its pipe in
// the next cycle. With an instruction's last one its warp's stall count begins; it issues two cycles later, or more.
void Bench::rows_leave() {
  uint32_t slots = 0;
  top.op_gone_i = 0;
  exact.queued = w[0].queued; // a lone warp's
  for (unsigned k = 0; k < 2; k++) {
    if (line[k].left > 0) {
      line[k].left--;
      continue;
    }
    if (line[k].rows.empty()) continue;
    const Row r = line[k].rows.front();
    line[k].rows.pop_front();
    line[k].left = opt.lone() ? 0 : rnd.below(5);
    row_at_pipe(r, now + 1);
    if (!r.last) continue;
    top.op_gone_i |= 1u << k;
    slots |= r.op.slot << 8 * k;
    line[k].inside--;
    Warp &x = w[r.op.slot];
    x.queued = false;
    x.issued_at = active;
    x.last_stall = std::max(x.last_stall, 2u);
  }
  top.op_gone_slot_i = uint16_t(slots);
}

// Instructions leave a queue of units in order.
void Bench::leave_queue(unsigned k) {
  seen.crowded += places[k] == top.cfg_collectors_o;
  top.op_leave_i = uint8_t(top.op_leave_i & ~(3u << 2 * k));
  if (waiting[k].empty() || waiting[k].front().when > now) return;
  Op op = waiting[k].front();
  waiting[k].pop_front();
  top.op_leave_i = uint8_t(top.op_leave_i | wide(op.d) << 2 * k);
  places[k] -= wide(op.d);
  op.when = later(busy_delay);
  (op.mem ? lsu_check : late).push_back(op);
}
