// SPDX-License-Identifier: Apache-2.0
// Rows of results, of pipes of one lane whose rows end in different cycles (core_pkg::ROWS_APART): lanes are kept as they leave the
// pipes, lowest first. A row is shown with its last lane, and in every other cycle zero: whoever wants it ORs.
// Latency: none from a row's last lane. A lane of each pipe every cycle.
// Handshake: none.
// alu and cvt share what keeps their lanes: cvt is one rank longer, so that a row of one begins with the last lane of the other's at
// the earliest. It does not know whose row it shows, nor which bank it is for.
`default_nettype none
`include "heddle_assert.svh"

module pass_rows #(
  localparam int unsigned LANES = cfg_pkg::LANES
) (
  input  logic                     clk_i,
  input  logic                     rst_ni,
  // from the pipes: a lane
  input  logic                     alu_valid_i,
  input  logic [31:0]              alu_lo_i,
  input  logic                     cvt_valid_i,
  input  logic [31:0]              cvt_lo_i,
  input  logic                     fma_valid_i,
  input  logic [31:0]              fma_even_i,
  input  logic [31:0]              fma_odd_i,
  // to writeback: rows of alu or cvt; of fma for a bank of even, of odd number
  output logic [LANES-1:0][31:0]   ex_lo_o,
  output logic [LANES-1:0][31:0]   ex_even_o,
  output logic [LANES-1:0][31:0]   ex_odd_o
);

  localparam int unsigned ALU = 0, CVT = 1, FMA = 2;
  localparam int unsigned COUNT_W = $clog2(LANES);

  logic [2:0]               valid, last, but_one;   // a lane; the last of a row; the one before it
  logic [2:0][COUNT_W-1:0]  count_q;

  assign valid = {fma_valid_i, cvt_valid_i, alu_valid_i};

  always_comb begin
    for (int unsigned p = 0; p < 3; p++) begin
      last[p]    = valid[p] && count_q[p] == COUNT_W'(LANES - 1);
      but_one[p] = valid[p] && count_q[p] == COUNT_W'(LANES - 2);
    end
  end

  always_ff @(posedge clk_i) begin
    for (int unsigned p = 0; p < 3; p++) begin
      if (!rst_ni)       count_q[p] <= '0;
      else if (valid[p]) count_q[p] <= count_q[p] + 1'b1;   // the last is followed by the first
    end
  end

  // Lanes that are kept, the latest on top; and those of a row that is shown.
  logic [31:0]                 lo;
  logic [LANES-2:0][31:0]      lo_here, even_here, odd_here;
  logic [LANES-3:0][31:0]      lo_q, even_q, odd_q;
  logic [LANES-2:0][31:0]      lo_row_q, even_row_q, odd_row_q;

  assign lo        = alu_valid_i ? alu_lo_i : cvt_lo_i;
  assign lo_here   = {lo, lo_q};
  assign even_here = {fma_even_i, even_q};
  assign odd_here  = {fma_odd_i, odd_q};

  always_ff @(posedge clk_i) begin
    if (alu_valid_i || cvt_valid_i) lo_q <= lo_here[LANES-2:1];
    if (fma_valid_i) begin
      even_q <= even_here[LANES-2:1];
      odd_q  <= odd_here[LANES-2:1];
    end
    lo_row_q   <= (but_one[ALU] || but_one[CVT]) ? lo_here : '0;
    even_row_q <= but_one[FMA] ? even_here : '0;
    odd_row_q  <= but_one[FMA] ? odd_here : '0;
  end

  assign ex_lo_o   = {(alu_lo_i & {32{last[ALU]}}) | (cvt_lo_i & {32{last[CVT]}}), lo_row_q};
  assign ex_even_o = {fma_even_i & {32{last[FMA]}}, even_row_q};
  assign ex_odd_o  = {fma_odd_i & {32{last[FMA]}}, odd_row_q};

  // Of two lanes in one cycle that of cvt is its row's last, which is not kept.
  `ASSERT(a_shared, !(alu_valid_i && cvt_valid_i) || last[CVT])
  `ASSERT(a_apart, (last & (last - 3'd1)) == '0)

endmodule

`default_nettype wire
