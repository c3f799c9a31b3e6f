// SPDX-License-Identifier: Apache-2.0
// Rows of operands in the queues in front of pipes that make passes: alu's with cvt's, fma's with register branches'.
// A row that was on the bus, or is, leaves once the one before it has made its passes but one and its write ports will
// be free; its first lanes come to the pipe in the next cycle. Of two that leave in one cycle the one of alu's queue
// has a port that both want.
#include "tests/rtl/operand/back_bench.h"

bool Bench::leaves(unsigned k) {
  Line &line = line_[k];
  if (line.left > 0) {
    line.left--;
    return false;
  }
  if (line.rows.empty() || line.rows.front().at > cycle) return false;
  const Instr &in = *line.rows.front().in;
  seen.waiting += cycle > line.rows.front().at;
  auto it = taken_.find(cycle + in.lat);
  const bool free = !starved(ports(in)) && (it == taken_.end() || !(it->second & ports(in)));
  seen.port_holds += !free;
  return free;
}

void Bench::leave(unsigned k) {
  Line &line = line_[k];
  const BusRow row = line.rows.front();
  const Instr &in = *row.in;
  line.rows.pop_front();
  line.left = passes(in) - 1;
  if (ports(in)) {
    taken_[cycle + in.lat] |= ports(in);
    for (unsigned r = 0; r < in.dec.rd_words; r++) drops_[cycle + in.lat].push_back({in.warp, in.dec.rd + r});
  }
  results_due(row, cycle + in.lat);
  if (!row.last) return;
  line.inside--;
  warps[in.warp].queued = false;
  warps[in.warp].issue_from = cycle + 2;
}

void Bench::queues_step() {
  if (!queues()) return;
  // What was taken a cycle ago stands at the pipe now.
  branch_pass(branch_.in && branch_.at == cycle ? &branch_ : nullptr);
  bool go[2];
  for (unsigned k = 0; k < 2; k++) {
    const BusRow row = line_[k].rows.empty() ? BusRow{} : line_[k].rows.front();
    go[k] = leaves(k);
    const bool gone = go[k] && row.last;
    if (bool(top->op_gone_o >> k & 1) != gone) error("queue %u: last row leaves: %d", k, !gone);
    if (gone && (top->op_gone_slot_o >> (8 * k) & 0xff) != row.in->warp) error("queue %u: another warp's", k);
    if (go[k]) leave(k);
    if (go[k] && row.in->dec.unit == ISA_UNIT_BR) branch_ = row, branch_.at = cycle + 1;
  }
  seen.both += go[0] && go[1];
}
