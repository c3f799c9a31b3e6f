// SPDX-License-Identifier: Apache-2.0
// Room for requests: the entry of the next request, the slot of the next atomic, and credits for both. Reset gives all credits, one a
// cycle; each end returns one.
// Latency: entry and slot are there always; a credit leaves a cycle after its end, those of atomics first.
// Handshake: events (lq_, lc_: the channel's rules).
// It does not hold requests.
`include "heddle_assert.svh"

module order_credit (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  // the channel
  input  logic                 lq_valid_i,
  input  line_pkg::request_t   lq_i,
  output logic                 lc_valid_o,
  output logic                 lc_atom_o,
  // the request and its places, which its earlier beats use, too
  output order_pkg::asked_t    asked_o,
  // from order_finish: a request ends
  input  order_pkg::leave_t    leave_i
);

  logic                          atom, owed, owed_atom;
  logic [order_pkg::ENTRY_W-1:0] entry;
  logic [order_pkg::SLOT_W-1:0]  slot;

  assign atom       = lq_i.kind == line_pkg::ATOM;
  assign lc_valid_o = owed || owed_atom;
  assign lc_atom_o  = owed_atom;
  assign asked_o    = '{valid: lq_valid_i, entry: entry, slot: slot, rq: lq_i};

  order_free #(.N(order_pkg::ENTRIES)) u_entries (
    .clk_i         (clk_i),
    .rst_ni        (rst_ni),
    .number_o      (entry),
    .take_i        (lq_valid_i),
    .give_i        (leave_i.valid),
    .give_number_i (leave_i.entry),
    .owed_o        (owed),
    .credit_i      (owed && !owed_atom)
  );

  order_free #(.N(order_pkg::SLOTS)) u_slots (
    .clk_i         (clk_i),
    .rst_ni        (rst_ni),
    .number_o      (slot),
    .take_i        (lq_valid_i && atom),
    .give_i        (leave_i.valid && leave_i.atom),
    .give_number_i (leave_i.slot),
    .owed_o        (owed_atom),
    .credit_i      (owed_atom)
  );

endmodule
