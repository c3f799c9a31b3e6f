// SPDX-License-Identifier: Apache-2.0
// From the decoded instruction to the control of the conversion lanes.
// Latency: combinational.
// No handshake.
// It does not look at operands, and instructions of other units give a meaningless control.
`default_nettype none

module cvt_decode (
  input  logic [7:0]         fault_i,
  // from issue
  input  isa_pkg::dec_t      dec_i,
  input  logic [127:0]       word_i,
  // to the lanes
  output exec_pkg::cvt_ctl_t ctl_o
);

  // Rounding to an integer has the directions of rounding to a number.
  logic [1:0] direction;
  always_comb begin
    case (isa_pkg::f_irnd(word_i))
      isa_pkg::IRND_FLOOR: direction = isa_pkg::RND_RM;
      isa_pkg::IRND_CEIL:  direction = isa_pkg::RND_RP;
      isa_pkg::IRND_TRUNC: direction = isa_pkg::RND_RZ;
      default:             direction = isa_pkg::RND_RN;
    endcase
  end

  always_comb begin
    ctl_o        = '0;
    ctl_o.to_int = dec_i.op == isa_pkg::OP_F2I;
    ctl_o.neg    = dec_i.b_neg;
    ctl_o.abs    = dec_i.b_abs;
    if (ctl_o.to_int) begin
      ctl_o.uns = isa_pkg::f_dint(word_i) == isa_pkg::ITYPE_U32;
      ctl_o.ftz = isa_pkg::f_ftz(word_i) == isa_pkg::FTZ_FTZ;
      ctl_o.rnd = direction;
    end else begin
      ctl_o.uns = isa_pkg::f_isrc(word_i) == isa_pkg::ITYPE_U32;
      ctl_o.rnd = isa_pkg::f_rnd(word_i);
    end
    if (fault_i == core_pkg::FAULT_CVT_SAT) ctl_o.wrap = 1'b1;
  end

  // Registers, control codes and the like are for others.
  logic unused;
  assign unused = ^{dec_i, word_i};

endmodule

`default_nettype wire
