// SPDX-License-Identifier: Apache-2.0
// The operand stage as issue knows it: an instruction stands until the last cycle of its last row, a row takes a cycle
// and as many more as the bench likes (holds), comes on the bus two cycles later; memory rows go to counted places.
#include "front_bench.h"

void Bench::drive_operand() {
  read_row();
  rows_on_bus();
  leave_collectors();
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
  Op &op = r.op;
  if (pipe(op.d) <= ISA_UNIT_CVT && (op.d.pd0 < 7 || op.d.pd1 < 7))
    pred.push_back({op, r.number, r.last, now + lat[pipe(op.d)]});
  if (!r.last) return;
  op.last = now;
  top.op_disp_valid_i = 1;
  top.op_disp_slot_i = op.slot;
  top.op_disp_rbar_i = op.d.ctl.rbar;
  Event e{};
  e.kind = DISPATCHED;
  e.op = op;
  events.push_back(e);
  if (op.coll) {
    op.when = later(busy_delay);
    collected.push_back(op);
  } else if (pipe(op.d) == ISA_UNIT_BR) {
    for (auto &c : ctl)
      if (c.slot == op.slot) c.regs_read = true;
  } else {
    fix.push_back(op);
  }
}

// Collected instructions leave in order.
void Bench::leave_collectors() {
  seen.crowded += places == top.cfg_collectors_o;
  top.op_leave_i = 0;
  if (collected.empty() || collected.front().when > now) return;
  Op op = collected.front();
  collected.pop_front();
  top.op_leave_i = wide(op.d);
  places -= wide(op.d);
  op.when = later(busy_delay);
  (op.mem ? lsu_check : late).push_back(op);
}
