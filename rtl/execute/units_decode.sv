// SPDX-License-Identifier: Apache-2.0
// The unit with a latency of its own that executes an instruction, and its control word, when the instruction reaches the operand
// stage. It is made once, and waits with the instruction's operands in the queue of these units.
// Latency: combinational.
// No handshake.
// It does not look at operands; it gives zeros where en_i is low.
`include "heddle_idle.svh"

module units_decode (
  // from issue
  input  logic                       en_i,
  input  core_pkg::uop_t             uop_i,
  // to the queue of units
  output logic [kind_pkg::UNITS-1:0] unit_o,   // one-hot
  output core_pkg::varop_t           op_o
);

  localparam int unsigned UNITS = kind_pkg::UNITS;

  isa_pkg::dec_t                             dec;
  logic [UNITS-1:0][core_pkg::VAR_CTL_W-1:0] ctl;

  assign dec    = uop_i.dec;
  assign unit_o = `HEDDLE_LIVE(en_i) ? kind_pkg::late_unit(dec.unit) : '0;

  if (cfg_pkg::HAS_SFU) begin : gen_sfu
    sfu_decode u_decode (.en_i(unit_o[kind_pkg::UNIT_SFU]), .dec_i(dec), .word_i(uop_i.word),
                         .ctl_o(ctl[kind_pkg::UNIT_SFU]));
  end
  if (cfg_pkg::HAS_FP64) begin : gen_fp64
    fp64_decode u_decode (.en_i(unit_o[kind_pkg::UNIT_FP64]), .dec_i(dec), .word_i(uop_i.word),
                          .ctl_o(ctl[kind_pkg::UNIT_FP64]));
  end
  if (cfg_pkg::HAS_WARP) begin : gen_warp
    warp_decode u_decode (.en_i(unit_o[kind_pkg::UNIT_WARP]), .dec_i(dec), .word_i(uop_i.word),
                          .ctl_o(ctl[kind_pkg::UNIT_WARP]));
  end
  if (cfg_pkg::HAS_TENSOR) begin : gen_tensor
    mma_decode u_decode (.en_i(unit_o[kind_pkg::UNIT_TENSOR]), .dec_i(dec), .word_i(uop_i.word),
                         .ctl_o(ctl[kind_pkg::UNIT_TENSOR]));
  end

  for (genvar u = 0; u < UNITS; u++) begin : gen_unit
    if (!exec_pkg::LATE[u]) begin : gen_none
      assign ctl[u] = '0;
    end
  end

  always_comb begin
    op_o = '0;
    if (`HEDDLE_LIVE(en_i)) begin
      op_o.id    = uop_i.id;
      op_o.exec  = uop_i.exec;
      op_o.ps0   = uop_i.ps0;
      op_o.to    = core_pkg::target_of(dec);
      op_o.rbase = uop_i.rbase;
      for (int unsigned u = 0; u < UNITS; u++) op_o.ctl |= ctl[u];
    end
  end

  // Fields that concern others.
  logic unused;
  assign unused = ^{uop_i, dec};

endmodule
