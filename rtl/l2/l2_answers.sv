// SPDX-License-Identifier: Apache-2.0
// Queue of answers: old values of an atomic's lanes, and ends of requests, in the order of performance. An end leaves after its
// sectors' records.
// Latency: two cycles. An answer a cycle.
// Handshake: at_ is an event while at_ready_o; la_ valid/ready.
// It does not interpret answers.
`include "heddle_assert.svh"

module l2_answers (
  input  logic                        clk_i,
  input  logic                        rst_ni,
  // from the rows
  input  logic                        at_valid_i,
  output logic                        at_ready_o,
  input  line_pkg::bank_answer_t      at_i,
  // to the channel
  output logic                        la_valid_o,
  input  logic                        la_ready_i,
  output line_pkg::bank_answer_t      la_o
);

  logic                    waits, free;
  line_pkg::bank_answer_t  next;

  fifo #(.WIDTH($bits(line_pkg::bank_answer_t)), .DEPTH(4)) u_row (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .in_valid_i  (at_valid_i),
    .in_ready_o  (at_ready_o),
    .in_data_i   (at_i),
    .out_valid_o (waits),
    .out_ready_i (free),
    .out_data_o  (next),
    .count_o     ()
  );

  assign free = !la_valid_o || la_ready_i;

  always_ff @(posedge clk_i) begin
    if (free) la_o <= next;
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni)   la_valid_o <= 1'b0;
    else if (free) la_valid_o <= waits;
  end

  `ASSERT(a_room, !at_valid_i || at_ready_o)

endmodule
