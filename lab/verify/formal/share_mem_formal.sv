// SPDX-License-Identifier: Apache-2.0
// rtl/memory/share_mem.sv (who reaches the load/store unit), with two partitions that take turns, and the eight rows of four
// lanes that `tiny` has.
// config: tiny
`include "properties.svh"

module share_mem_formal (
  input logic                              clk_i,
  input logic [1:0]                        req_valid,
  input core_pkg::memreq_t                 req_0,
  input core_pkg::memreq_t                 req_1,
  input logic                              ready
);
  `RESET
  localparam int unsigned ROWS = cfg_pkg::LSU_BEATS;

  logic [1:0]        req_ready;
  logic              valid, take;
  core_pkg::memreq_t out;

  share_mem #(.N(2)) u_dut (
    .clk_i          (clk_i),
    .rst_ni         (rst_ni),
    .op_req_valid_i (req_valid),
    .op_req_ready_o (req_ready),
    .op_req_i       ({req_1, req_0}),
    .sh_req_valid_o (valid),
    .sh_req_ready_i (ready),
    .sh_req_o       (out)
  );

  assign take = valid && ready;

  // Each partition offers its rows in ascending order, all of an instruction, and holds what it offers.
  logic [1:0]      held_q, done;
  logic [1:0][4:0] row_q;
  assign done = req_valid & req_ready;
  always_ff @(posedge clk_i) begin
    for (int p = 0; p < 2; p++) begin
      if (!rst_ni)      row_q[p] <= 5'd0;
      else if (done[p]) row_q[p] <= (row_q[p] == 5'(ROWS - 1)) ? 5'd0 : row_q[p] + 5'd1;
    end
    held_q <= rst_ni ? req_valid & ~req_ready : 2'b00;
  end
  `GIVEN(g_rows, req_0.row == row_q[0] && req_1.row == row_q[1])
  `GIVEN(g_held, (held_q & ~req_valid) == '0)

  // Who has begun an instruction; and instructions of the other that have begun since one asks.
  logic       begun_q, who_q, one_q;
  logic       other_q;
  always_ff @(posedge clk_i) begin
    one_q <= one_q;
    if (!rst_ni) begun_q <= 1'b0;
    else if (take) begin
      begun_q <= out.row != 5'(ROWS - 1);
      who_q   <= done[1];
    end
    if (!rst_ni || !req_valid[one_q] || done[one_q])              other_q <= 1'b0;
    else if (take && !done[one_q] && out.row == 5'(ROWS - 1))     other_q <= 1'b1;
  end

  // A row taken is the row of the one partition that is told so.
  `PROVE(p_word, !take || (done[0] != done[1] && out == (done[1] ? req_1 : req_0)))
  // Nobody's row is taken while the unit takes none.
  `PROVE(p_taken, take || done == 2'b00)
  // The rows of an instruction come one after the other, without one of another partition between them.
  `PROVE(p_whole, !(take && begun_q) || done[1] == who_q)
  // Rows come in order, the first of an instruction after the last of the one before.
  `PROVE(p_order, !take || (out.row == 5'd0) == !begun_q)
  // Whoever asks is served after one whole instruction of the other at the latest (one that has begun goes on).
  `PROVE(p_wait, !(other_q && take && !done[one_q] && req_valid[one_q]) || out.row != 5'd0)
  // Both ask, and the other one has begun.
  `REACH(r_both, req_valid == 2'b11 && begun_q && who_q != one_q)
endmodule
