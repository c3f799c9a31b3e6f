// SPDX-License-Identifier: Apache-2.0
// A queue with its oldest word at its end, in block RAM or LUT memory.
// Latency: two cycles from push_i to valid_o. Throughput: one word in and one out every cycle.
// Handshake: push_i only while not full_o; valid_o with its word until take_i. deep_o: LIMIT or more are in it.
// Its words have no meaning here. All queues of one latency: words pushed together come together, if the words before
// them have been taken.
`include "heddle_assert.svh"

module digest_queue #(
  parameter int unsigned  WIDTH = 32,
  parameter int unsigned  DEPTH = 512,    // a power of two
  parameter int unsigned  LIMIT = 64,
  parameter bit           LUT   = 1'b0,   // LUT memory
  localparam int unsigned ADDR_W = $clog2(DEPTH)
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  input  logic              push_i,
  input  logic [WIDTH-1:0]  data_i,
  output logic              valid_o,
  input  logic              take_i,
  output logic [WIDTH-1:0]  data_o,
  output logic              full_o,
  output logic              deep_o,
  output logic              empty_o       // nothing is in it, on its way neither
);

  logic [ADDR_W:0]  head_q, tail_q, head, count;
  logic             valid_q;

  assign count   = tail_q - head_q;
  assign empty_o = count == '0;
  assign full_o  = count[ADDR_W];
  assign deep_o  = count >= (ADDR_W + 1)'(LIMIT);
  assign valid_o = valid_q;

  // The word that will be the oldest is read in every cycle; one that is written now counts in the next.
  assign head = head_q + (ADDR_W + 1)'(take_i);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      head_q  <= '0;
      tail_q  <= '0;
      valid_q <= 1'b0;
    end else begin
      head_q  <= head;
      if (push_i) tail_q <= tail_q + 1'b1;
      valid_q <= tail_q != head;
    end
  end

  if (LUT) begin : gen_lut
    ram_async #(.WIDTH(WIDTH), .DEPTH(DEPTH)) u_ram (
      .clk_i     (clk_i),
      .wr_en_i   (push_i),
      .wr_addr_i (tail_q[ADDR_W-1:0]),
      .wr_data_i (data_i),
      .rd_addr_i (head_q[ADDR_W-1:0]),
      .rd_data_o (data_o)
    );
  end else begin : gen_block
    ram_1r1w #(.WIDTH(WIDTH), .DEPTH(DEPTH), .RACE(1'b1)) u_ram (
      .clk_i     (clk_i),
      .wr_en_i   (push_i),
      .wr_addr_i (tail_q[ADDR_W-1:0]),
      .wr_data_i (data_i),
      .rd_en_i   (1'b1),
      .rd_addr_i (head[ADDR_W-1:0]),
      .rd_data_o (data_o)
    );
  end

  // Nothing is pushed into a full queue, or taken from an empty one.
  `ASSERT(a_push, !(push_i && full_o))
  `ASSERT(a_take, !(take_i && !valid_o))

endmodule
