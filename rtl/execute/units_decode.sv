// SPDX-License-Identifier: Apache-2.0
// What a unit with a latency of its own shall do, as its control word (core_pkg::varop_t.ctl). It is made once, when the
// instruction reaches the operand stage, and waits with it in its collector.
// Latency: combinational.
// No handshake.
// It does not look at operands; it gives zeros where en_i is low and for instructions of other units.
`default_nettype none
`include "heddle_idle.svh"

module units_decode (
  // from issue
  input  logic                           en_i,
  input  isa_pkg::dec_t                  dec_i,
  input  logic [127:0]                   word_i,
  // to the collectors
  output logic [core_pkg::VAR_CTL_W-1:0] ctl_o
);

  localparam int unsigned UNITS = kind_pkg::UNITS;

  logic [UNITS-1:0]                          en;
  logic [UNITS-1:0][core_pkg::VAR_CTL_W-1:0] ctl;

  assign en = `HEDDLE_LIVE(en_i) ? kind_pkg::late_unit(dec_i.unit) : '0;

  if (cfg_pkg::HAS_SFU) begin : gen_sfu
    sfu_decode u_decode (.en_i(en[kind_pkg::UNIT_SFU]), .dec_i(dec_i), .word_i(word_i),
                         .ctl_o(ctl[kind_pkg::UNIT_SFU]));
  end else begin : gen_no_sfu
    assign ctl[kind_pkg::UNIT_SFU] = '0;
  end
  if (cfg_pkg::HAS_FP64) begin : gen_fp64
    fp64_decode u_decode (.en_i(en[kind_pkg::UNIT_FP64]), .dec_i(dec_i), .word_i(word_i),
                          .ctl_o(ctl[kind_pkg::UNIT_FP64]));
  end else begin : gen_no_fp64
    assign ctl[kind_pkg::UNIT_FP64] = '0;
  end
  if (cfg_pkg::HAS_WARP) begin : gen_warp
    warp_decode u_decode (.en_i(en[kind_pkg::UNIT_WARP]), .dec_i(dec_i), .word_i(word_i),
                          .ctl_o(ctl[kind_pkg::UNIT_WARP]));
  end else begin : gen_no_warp
    assign ctl[kind_pkg::UNIT_WARP] = '0;
  end
  if (cfg_pkg::HAS_TENSOR) begin : gen_tensor
    mma_decode u_decode (.en_i(en[kind_pkg::UNIT_TENSOR]), .dec_i(dec_i), .word_i(word_i),
                         .ctl_o(ctl[kind_pkg::UNIT_TENSOR]));
  end else begin : gen_no_tensor
    assign ctl[kind_pkg::UNIT_TENSOR] = '0;
  end

  always_comb begin
    ctl_o = '0;
    for (int unsigned u = 0; u < UNITS; u++) ctl_o |= ctl[u];
  end

  logic unused;
  assign unused = ^{en, dec_i, word_i};

endmodule

`default_nettype wire
