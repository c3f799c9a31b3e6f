// SPDX-License-Identifier: Apache-2.0
// Walks the grid of a launch, x fastest: the block that starts next, in an SM that has room for it.
// Latency: the first block 2 cycles after begin_i, each further one 2 cycles after the one before was taken.
// Handshake: begin_i (event: grid_i stands from then on, no dimension is 0); valid_o and take_i: valid/ready, with the block
// stable until it is taken.
// It looks neither at room nor at ends of blocks.
`include "heddle_assert.svh"

module grid_walk (
  input  logic             clk_i,
  input  logic             rst_ni,
  // from the host
  input  logic [2:0][31:0] grid_i,   // x at index 0
  input  logic             begin_i,
  // a block
  output logic             valid_o,
  output logic [2:0][31:0] ctaid_o,
  input  logic             take_i,
  output logic             over_o    // none is left
);

  logic [2:0][31:0] at_q;
  logic [2:0]       last_q;          // a dimension is at its end; a cycle after at_q
  logic             left_q, settled_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      left_q    <= 1'b0;
      settled_q <= 1'b0;
    end else if (begin_i) begin
      left_q    <= 1'b1;
      settled_q <= 1'b0;
    end else if (take_i) begin
      left_q    <= !(&last_q);
      settled_q <= 1'b0;
    end else begin
      settled_q <= left_q;
    end
  end

  always_ff @(posedge clk_i) begin
    for (int unsigned d = 0; d < 3; d++) last_q[d] <= at_q[d] + 32'd1 == grid_i[d];
    if (begin_i) begin
      at_q <= '0;
    end else if (take_i) begin
      at_q[0] <= last_q[0] ? '0 : at_q[0] + 32'd1;
      if (last_q[0]) at_q[1] <= last_q[1] ? '0 : at_q[1] + 32'd1;
      if (&last_q[1:0]) at_q[2] <= at_q[2] + 32'd1;
    end
  end

  assign valid_o = settled_q;
  assign ctaid_o = at_q;
  assign over_o  = !left_q;

  // Only a block that is offered is taken.
  `ASSERT(a_take, !take_i || valid_o)

endmodule
