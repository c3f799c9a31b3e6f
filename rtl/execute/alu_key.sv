// SPDX-License-Identifier: Apache-2.0
// Makes an operand comparable: unsigned order of key_o is the order of the operand as a signed, unsigned or FP32 number.
// Also the operand itself as minimum and maximum return it (sign changes and flush of FP32 applied), and what it is.
// Latency: combinational.
// No handshake.
// It does not compare. In the order of keys -0 lies below +0; zero_o lets a comparison treat them as equal. NaNs have no order.
`default_nettype none

module alu_key (
  // from alu
  input  logic        flt_i,
  input  logic        uns_i,
  input  logic        ftz_i,
  input  logic        neg_i,
  input  logic        abs_i,
  // operand
  input  logic [31:0] raw_i,
  // results
  output logic [31:0] value_o,
  output logic [31:0] key_o,
  output logic        zero_o,
  output logic        nan_o
);

  logic sign, flush;

  assign sign    = flt_i ? ((raw_i[31] && !abs_i) ^ neg_i) : raw_i[31];
  assign flush   = flt_i && ftz_i && raw_i[30:23] == '0;
  assign value_o = {sign, flush ? 31'b0 : raw_i[30:0]};
  assign zero_o  = flt_i && value_o[30:0] == '0;
  assign nan_o   = flt_i && raw_i[30:23] == '1 && raw_i[22:0] != '0;

  always_comb begin
    if (flt_i) key_o = {!sign, value_o[30:0] ^ {31{sign}}};
    else       key_o = {raw_i[31] ^ !uns_i, raw_i[30:0]};
  end

endmodule

`default_nettype wire
