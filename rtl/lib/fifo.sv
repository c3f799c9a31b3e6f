// SPDX-License-Identifier: Apache-2.0
// First in, first out queue of DEPTH words (any DEPTH >= 1; storage is LUT memory without reset).
// Latency: a word taken in cycle t is offered in cycle t+1. One word in and one out every cycle.
// Handshake: valid/ready on both sides. No combinational path from one side to the other, so in_ready_o is low
// when the queue is full even if a word leaves in that cycle. count_o is the number of words held.
// It does not bypass when empty, and it cannot be flushed (reset empties it).
`include "heddle_assert.svh"

module fifo #(
  parameter int unsigned WIDTH = 32,
  parameter int unsigned DEPTH = 4,
  localparam int unsigned COUNT_W = $clog2(DEPTH + 1)
) (
  input  logic               clk_i,
  input  logic               rst_ni,
  // from the producer
  input  logic               in_valid_i,
  output logic                    in_ready_o,
  input  logic [WIDTH-1:0]   in_data_i,
  // to the consumer
  output logic                    out_valid_o,
  input  logic               out_ready_i,
  output logic [WIDTH-1:0]        out_data_o,
  // fill level
  output logic [COUNT_W-1:0]      count_o
);

  localparam int unsigned PTR_W = (DEPTH > 1) ? $clog2(DEPTH) : 1;

  logic [WIDTH-1:0]   mem_q [DEPTH];
  logic [PTR_W-1:0]   wr_q, rd_q;
  logic [COUNT_W-1:0] count_q;
  logic               push, pop;

  assign in_ready_o  = count_q != COUNT_W'(DEPTH);
  assign out_valid_o = count_q != '0;
  assign out_data_o  = mem_q[rd_q];
  assign count_o     = count_q;
  assign push        = in_valid_i && in_ready_o;
  assign pop         = out_valid_o && out_ready_i;

  always_ff @(posedge clk_i) begin
    if (push) mem_q[wr_q] <= in_data_i;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      wr_q    <= '0;
      rd_q    <= '0;
      count_q <= '0;
    end else begin
      if (push) wr_q <= (wr_q == PTR_W'(DEPTH - 1)) ? '0 : wr_q + 1'b1;
      if (pop)  rd_q <= (rd_q == PTR_W'(DEPTH - 1)) ? '0 : rd_q + 1'b1;
      if (push && !pop)      count_q <= count_q + 1'b1;
      else if (pop && !push) count_q <= count_q - 1'b1;
    end
  end

  // The pointers meet exactly when the queue is empty or full.
  `ASSERT_IF(a_count, push || pop, (wr_q == rd_q) == (count_q == '0 || count_q == COUNT_W'(DEPTH)))

  // Offered input stays, with its payload, until it is taken.
  logic             held_q;
  logic [WIDTH-1:0] held_data_q;
  always_ff @(posedge clk_i) begin
    held_q <= rst_ni && in_valid_i && !in_ready_o;
    if (in_valid_i && !in_ready_o) held_data_q <= in_data_i;
  end
  `ASSUME_IF(a_in_stable, held_q, in_valid_i && in_data_i == held_data_q)

  // Offered output is held, with its payload, until it is taken: only a pop lowers the count and moves the read pointer, and no push
  // overwrites the offered word.
  `ASSERT_IF(a_out_stable, push, !out_valid_o || wr_q != rd_q)

endmodule
