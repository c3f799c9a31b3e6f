// SPDX-License-Identifier: Apache-2.0
// The one shifter of an ALU lane: SHF, and the shifts of LEA. One word of {hi, lo} shifted left or right by 0 to 64.
// Latency: combinational; a funnel of 128 bits, seven levels.
// No handshake.
// It does not rotate, and shifts no further than 64: the amount is wrapped or clamped to its range here.
`default_nettype none

module alu_shift (
  // from alu
  input  exec_pkg::shift_ctl_t ctl_i,
  // operands
  input  logic [31:0]          lo_i,
  input  logic [31:0]          hi_i,
  input  logic [31:0]          amount_i,
  // result
  output logic [31:0]          word_o
);

  logic [31:0] hi;
  logic [6:0]  clamped, wrapped, amount, first;
  logic        fill;

  assign hi   = ctl_i.sext ? {32{lo_i[31]}} : hi_i;
  assign fill = ctl_i.arith && hi[31];

  // The amount: 0 to 64.
  assign wrapped = {1'b0, amount_i[5] && ctl_i.range64, amount_i[4:0]};
  always_comb begin
    clamped = amount_i[6:0];
    if (ctl_i.range64) begin
      if (amount_i[31:6] != '0) clamped = 7'd64;
    end else begin
      if (amount_i[31:5] != '0) clamped = 7'd32;
    end
  end
  always_comb begin
    if (ctl_i.fixed)     amount = {2'b00, ctl_i.amount};
    else if (ctl_i.wrap) amount = wrapped;
    else                    amount = clamped;
  end

  // A right shift reads {fill, hi, lo} from bit `amount` on; a left shift reads {hi, lo, 0} from bit 64 - amount on.
  logic [127:0] funnel;
  assign funnel = ctl_i.left ? {hi, lo_i, 64'b0} : {{64{fill}}, hi, lo_i};
  assign first  = (ctl_i.left ? 7'd64 - amount : amount) + (ctl_i.hi ? 7'd32 : 7'd0);

  logic [94:0] by_64;
  logic [62:0] by_32;
  logic [46:0] by_16;
  logic [38:0] by_8;
  logic [34:0] by_4;
  logic [32:0] by_2;
  assign by_64  = first[6] ? {31'b0, funnel[127:64]} : funnel[94:0];
  assign by_32  = first[5] ? by_64[94:32] : by_64[62:0];
  assign by_16  = first[4] ? by_32[62:16] : by_32[46:0];
  assign by_8   = first[3] ? by_16[46:8]  : by_16[38:0];
  assign by_4   = first[2] ? by_8[38:4]   : by_8[34:0];
  assign by_2   = first[1] ? by_4[34:2]   : by_4[32:0];
  assign word_o = first[0] ? by_2[32:1]   : by_2[31:0];

endmodule

`default_nettype wire
