// SPDX-License-Identifier: Apache-2.0
// 33 x 33 bit signed multiplier, low 64 bits: the integer product, and (with small positive operands) the FP32 significands'.
// Latency: one cycle; four partial products of at most 17 x 17 bits are registered (one DSP block each), then added.
// No handshake; en_i enables the rank between.
// It does not know formats; operands are sign- or zero-extended outside.
`default_nettype none

module fma_mul (
  input  logic               clk_i,
  input  logic               en_i,
  input  logic signed [32:0] a_i,
  input  logic signed [32:0] b_i,
  output logic [63:0]        product_o   // a cycle later
);

  // a = a_hi * 2^16 + a_lo, with a_lo unsigned (made signed by a zero in front).
  logic signed [16:0] a_hi, b_hi, a_lo, b_lo;
  assign a_hi = a_i[32:16];
  assign b_hi = b_i[32:16];
  assign a_lo = {1'b0, a_i[15:0]};
  assign b_lo = {1'b0, b_i[15:0]};

  logic signed [33:0] ll_q, lh_q, hl_q, hh_q;
  always_ff @(posedge clk_i) begin
    if (en_i) begin
      ll_q <= a_lo * b_lo;
      lh_q <= a_lo * b_hi;
      hl_q <= a_hi * b_lo;
      hh_q <= a_hi * b_hi;
    end
  end

  // Low 64 bits; hh and ll do not overlap.
  logic signed [34:0] middle;
  assign middle    = lh_q + hl_q;
  assign product_o = {hh_q[31:0], ll_q[31:0]} + {{13{middle[34]}}, middle, 16'b0};

  // Sign copies and what lies above 64 bits.
  logic unused;
  assign unused = ^{hh_q[33:32], ll_q[33:32]};

endmodule

`default_nettype wire
