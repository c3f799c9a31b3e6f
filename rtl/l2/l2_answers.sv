// SPDX-License-Identifier: Apache-2.0
// The row of answers: values of an atomic's lanes and ends of requests, in the order in which they were
// performed. An end goes out after its sectors were shown.
// Latency: two cycles. An answer a cycle.
// Handshake: at_ is an event while at_ready_o; la_ valid/ready.
// It does not know what was answered. Also the place of an injected fault.
`default_nettype none
`include "heddle_assert.svh"

module l2_answers (
  input  logic                        clk_i,
  input  logic                        rst_ni,
  input  logic [7:0]                  fault_i,
  // from the channel, for the fault
  /* verilator lint_off UNUSEDSIGNAL */   // a store's tag
  input  order_pkg::asked_t           asked_i,
  /* verilator lint_on UNUSEDSIGNAL */
  // from the rows
  input  logic                        at_valid_i,
  output logic                        at_ready_o,
  input  line_pkg::bank_answer_t      at_i,
  // to the channel
  output logic                        la_valid_o,
  input  logic                        la_ready_i,
  output line_pkg::bank_answer_t      la_o,
  output logic                        idle_o
);

  logic                    waits, free, early, late, push, ready;
  line_pkg::bank_answer_t  next, first;
  logic [(1<<line_pkg::BANK_TAG_W)-1:0] told_q;     // for the fault: answered already, by tag
  logic [2:0]              unused_count;

  // ---- an injected fault: a store is answered as it comes ----------------------------------------
  assign early = fault_i == fault_pkg::L2_ANSWER_EARLY && asked_i.valid && asked_i.rq.kind == line_pkg::STORE
    && !at_valid_i && ready;
  assign late  = fault_i == fault_pkg::L2_ANSWER_EARLY && told_q[at_i.tag] && at_i.done;
  always_comb begin
    first = at_i;
    if (early) first = '{tag: line_pkg::bank_tag(asked_i.rq.sm, asked_i.rq.tag), done: 1'b1, err: 1'b0, lane: '0, old: '0};
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      told_q <= '0;
    end else begin
      if (at_valid_i && at_i.done) told_q[at_i.tag] <= 1'b0;
      if (early)                   told_q[first.tag] <= 1'b1;
    end
  end

  // ---- the row ----------------------------------------------------------------------------------
  assign at_ready_o = ready;
  assign push       = early || (at_valid_i && !late);

  fifo #(.WIDTH($bits(line_pkg::bank_answer_t)), .DEPTH(4)) u_row (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .in_valid_i  (push),
    .in_ready_o  (ready),
    .in_data_i   (first),
    .out_valid_o (waits),
    .out_ready_i (free),
    .out_data_o  (next),
    .count_o     (unused_count)
  );

  assign free   = !la_valid_o || la_ready_i;
  assign idle_o = !waits && !la_valid_o;

  always_ff @(posedge clk_i) begin
    if (free) la_o <= next;
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni)   la_valid_o <= 1'b0;
    else if (free) la_valid_o <= waits;
  end

  `ASSERT(a_room, !at_valid_i || ready)

endmodule

`default_nettype wire
