// SPDX-License-Identifier: Apache-2.0
// The operand stage as issue knows it: an instruction stands until the last cycle of its last row, a row takes a cycle
// and as many more as the bench likes (holds), comes on the bus two cycles later; rows of memory and of units go to
// counted places.
#include "tests/rtl/issue/front_bench.h"

void Bench::drive_operand() {
  hold = false;
  ready = true;
  top.op_disp_valid_i = 0;
  top.op_gone_i = top.op_done_i = 0;
  top.op_gone_slot_i = 0;
  top.op_ready_i = two() ? 0 : 1;
  exact.queued = w[0].queued || w[0].reads_none; // a lone warp's
  if (two()) {
    for (auto &r : reader) r.ends = false;
    for (auto &r : reader) next_row(r);
    for (auto &r : reader) go_on(r);
  } else {
    read_row(reader[0]);
  }
  for (unsigned k = 0; k < 2; k++) rows_on_bus(k);
  if (queues()) rows_leave();
  for (unsigned k = 0; k < 2; k++) leave_queue(k);
}

// One reader: what is read stands, and while it waits stall counts do.
void Bench::read_row(Reader &r) {
  hold = r.reading && r.delay > 0;
  next_row(r);
  ready = !r.reading;
  seen.holds += hold;
  top.op_hold_i = hold;
  top.op_ready_i = ready;
}

void Bench::next_row(Reader &r) {
  if (!r.reading) return;
  if (r.delay > 0) {
    seen.holds += two();
    r.delay--;
    return;
  }
  const unsigned rows = beats * wide(r.read.d);
  const bool last = ++r.row == rows;
  r.bus.push_back({r.read, (r.row - 1) / wide(r.read.d), last, now + 2});
  r.reading = !last;
  r.delay = rnd.percent(hold_rate) ? 1 + rnd.below(3) : 0;
  if (!two()) return;
  const unsigned k = unsigned(&r - reader), stall = r.read.d.ctl.stall;
  if (r.soon ? r.row == (beats - 3) * wide(r.read.d) : last) goes(k, r.read, stall > beats + 2u ? stall - beats : 2);
  if (!last) return;
  r.ends = true;
  top.op_done_i |= uint8_t(1u << k);
  top.op_gone_slot_i |= uint16_t(r.read.slot << 8 * k);
  Warp &x = w[r.read.slot];
  x.read_end = now;
  if (--x.unread != 0 || !x.reads_none) return;
  x.issued_at = active; // the count of what read nothing begins
  x.last_stall = std::max(2u, x.last_stall + 1);
  x.reads_none = false;
}

// Its warp issues its next one `least` cycles later, at the earliest two.
void Bench::goes(unsigned k, const Op &op, unsigned least) {
  top.op_gone_i |= uint8_t(1u << k);
  top.op_gone_slot_i |= uint16_t(op.slot << 8 * k);
  Warp &x = w[op.slot];
  x.queued = false;
  x.issued_at = active;
  x.last_stall = std::max(least, 2u);
}

// The instruction in front of a reader is read from the next cycle on, or later: what its warp has issued before is
// read to its end, with a count above BEATS in a cycle before.
void Bench::go_on(Reader &r) {
  if (!r.waits || r.reading) return;
  for (auto &o : reader)
    if ((o.reading || (o.ends && o.read.d.ctl.stall > beats)) && o.read.slot == r.front.slot) return;
  top.op_ready_i |= uint8_t(1u << (&r - reader));
  r.waits = false;
  r.reading = true;
  r.read = r.front;
  r.row = 0;
  r.delay = rnd.percent(hold_rate) ? 1 + rnd.below(3) : 0;
  r.soon = r.read.d.ctl.stall <= beats + 1 && (opt.lone() || rnd.below(2));
}

void Bench::rows_on_bus(unsigned k) {
  auto &bus = reader[k].bus;
  if (bus.empty() || bus.front().at != now) return;
  Row r = bus.front();
  bus.pop_front();
  const Op &op = r.op;
  if (queues() && !op.coll)
    line[line_of(op.d)].rows.push_back(r);
  else
    row_at_pipe(r, now);
  if (!r.last) return;
  top.op_disp_valid_i |= uint8_t(1u << k);
  top.op_disp_slot_i = uint16_t((top.op_disp_slot_i & ~(0xff << 8 * k)) | op.slot << 8 * k);
  top.op_disp_rbar_i = uint8_t((top.op_disp_rbar_i & ~(7 << 3 * k)) | op.d.ctl.rbar << 3 * k);
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
    line[k].inside--;
    goes(k, r.op, w[r.op.slot].last_stall);
  }
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
