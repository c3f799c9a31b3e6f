// SPDX-License-Identifier: Apache-2.0
// The units of a partition with a latency of their own (kind_pkg::UNIT_*), and the one channel of their results: units that
// have one are served in turns.
// Latency: none of its own.
// Handshake: op valid/ready, a beat of one unit at a time; lr valid/ready, held until taken by the unit that is served.
// It does not store anything. A unit that the configuration leaves out takes part in nothing; the ends and results of a unit keep
// their order, those of different units have none.
`include "heddle_idle.svh"

module units #(
  localparam int unsigned SLOTS = core_pkg::SLOTS,
  localparam int unsigned LANES = cfg_pkg::LANES,
  localparam int unsigned UNITS = kind_pkg::UNITS,
  localparam int unsigned LR_W  = $bits(core_pkg::result_t),
  localparam int unsigned NEED_W = $bits(back_pkg::need_t)
) (
  input  logic                              clk_i,
  input  logic                              rst_ni,
  // from their queue: a beat for one of them
  input  logic [UNITS-1:0]                  op_valid_i,
  output logic [UNITS-1:0]                  op_ready_o,
  input  core_pkg::varop_t                  op_i,
  input  logic [4:0]                        op_beat_i,
  input  logic [SLOTS-1:0][LANES-1:0][31:0] op_data_i,
  // to writeback: results
  output logic                              lr_valid_o,
  input  logic                              lr_ready_i,
  output core_pkg::result_t                 lr_o,
  output back_pkg::need_t                   lr_need_o,  // zero without a result
  input  logic [cfg_pkg::BANKS-1:0]         wb_free_i   // banks that no fixed result is written in
);

  logic [UNITS-1:0]           valid, ready, grant;
  logic [LR_W-1:0]            lr [UNITS];   // core_pkg::result_t each

  // ---- the units: what the machine does not have takes no beat and gives no result --------------------------------
  if (cfg_pkg::HAS_SFU) begin : gen_sfu
    sfu_unit u_unit (
      .clk_i      (clk_i),
      .rst_ni     (rst_ni),
      .op_valid_i (op_valid_i[kind_pkg::UNIT_SFU]),
      .op_ready_o (op_ready_o[kind_pkg::UNIT_SFU]),
      .op_i       (op_i),
      .op_beat_i  (op_beat_i),
      .op_data_i  (op_data_i[core_pkg::MEM_SLOTS-1:0]),
      .lr_valid_o (valid[kind_pkg::UNIT_SFU]),
      .lr_ready_i (ready[kind_pkg::UNIT_SFU]),
      .lr_o       (lr[kind_pkg::UNIT_SFU])
    );
  end

  if (cfg_pkg::HAS_FP64) begin : gen_fp64
    fp64_unit u_unit (
      .clk_i      (clk_i),
      .rst_ni     (rst_ni),
      .op_valid_i (op_valid_i[kind_pkg::UNIT_FP64]),
      .op_ready_o (op_ready_o[kind_pkg::UNIT_FP64]),
      .op_i       (op_i),
      .op_beat_i  (op_beat_i),
      .op_data_i  (op_data_i[core_pkg::MEM_SLOTS-1:0]),
      .lr_valid_o (valid[kind_pkg::UNIT_FP64]),
      .lr_ready_i (ready[kind_pkg::UNIT_FP64]),
      .lr_o       (lr[kind_pkg::UNIT_FP64])
    );
  end

  if (cfg_pkg::HAS_WARP) begin : gen_warp
    warp_unit u_warp (
      .clk_i      (clk_i),
      .rst_ni     (rst_ni),
      .op_valid_i (op_valid_i[kind_pkg::UNIT_WARP]),
      .op_ready_o (op_ready_o[kind_pkg::UNIT_WARP]),
      .op_i       (op_i),
      .op_beat_i  (op_beat_i),
      .op_data_i  (op_data_i[core_pkg::MEM_SLOTS-1:0]),
      .lr_valid_o (valid[kind_pkg::UNIT_WARP]),
      .lr_ready_i (ready[kind_pkg::UNIT_WARP]),
      .lr_o       (lr[kind_pkg::UNIT_WARP])
    );
  end

  if (cfg_pkg::HAS_TENSOR) begin : gen_tensor
    mma_unit u_unit (
      .clk_i      (clk_i),
      .rst_ni     (rst_ni),
      .op_valid_i (op_valid_i[kind_pkg::UNIT_TENSOR]),
      .op_ready_o (op_ready_o[kind_pkg::UNIT_TENSOR]),
      .op_i       (op_i),
      .op_beat_i  (op_beat_i),
      .op_data_i  (op_data_i),
      .lr_valid_o (valid[kind_pkg::UNIT_TENSOR]),
      .lr_ready_i (ready[kind_pkg::UNIT_TENSOR]),
      .lr_o       (lr[kind_pkg::UNIT_TENSOR])
    );
  end

  for (genvar u = 0; u < UNITS; u++) begin : gen_unit
    if (!exec_pkg::LATE[u]) begin : gen_none
      assign {op_ready_o[u], valid[u], lr[u]} = '0;
    end
  end

  // ---- the unit that is served ------------------------------------------------------------------------------------------
  arb_rr #(.N(UNITS)) u_arb (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .req_i   (valid),
    .grant_o (grant),
    .take_i  (lr_ready_i)
  );

  assign lr_valid_o = valid != '0;
  assign ready      = grant & {UNITS{lr_ready_i}};

  // A result means something where it is valid. The need of each is worked out before the choice of the one that is served.
  always_comb begin
    `HEDDLE_IDLE(lr_o, 'x);
    lr_need_o = '0;
    if (`HEDDLE_LIVE(lr_valid_o)) begin
      lr_o = '0;
      for (int unsigned u = 0; u < UNITS; u++) begin
        lr_o      |= lr[u] & {LR_W{grant[u]}};
        lr_need_o |= back_pkg::needs(lr[u], wb_free_i) & {NEED_W{grant[u]}};
      end
    end
  end

  logic unused;
  assign unused = ^{op_valid_i, op_i, op_beat_i, op_data_i, ready};

endmodule
