// SPDX-License-Identifier: Apache-2.0
// Ports of one width for every configuration around `cta_dispatch` and the `grid_walk` that feeds it.
// Latency: none of its own.
// Handshake: that of `cta_dispatch`.
// It adds nothing.
module cta_tb (
  input  logic                            clk_i,
  input  logic                            rst_ni,
  input  logic [31:0]                     grid_x_i,
  input  logic [31:0]                     grid_y_i,
  input  logic [31:0]                     grid_z_i,
  input  logic [10:0]                     block_x_i,
  input  logic [10:0]                     block_y_i,
  input  logic [10:0]                     block_z_i,
  input  logic [8:0]                      regs_i,
  input  logic [23:0]                     shared_bytes_i,
  input  logic                            go_i,
  input  logic [31:0]                     idle_i,
  input  logic [7:0]                      is_halt_i,
  input  logic                            sm_halt_i,
  output logic                            busy_o,
  output logic                            grid_done_o,
  output logic [3:0]                      refuse_o,
  output logic                            tid_valid_o,
  output logic [7:0]                      tid_slot_o,
  output logic [4:0]                      tid_beat_o,
  output logic [cfg_pkg::LANES-1:0][31:0] tid_x_o,
  output logic [cfg_pkg::LANES-1:0][31:0] tid_y_o,
  output logic [cfg_pkg::LANES-1:0][31:0] tid_z_o,
  output logic                            start_valid_o,
  output logic [7:0]                      start_slot_o,
  output logic [7:0]                      start_gen_o,
  output logic [7:0]                      start_bslot_o,
  output logic [7:0]                      start_nwarps_o,
  output logic [31:0]                     start_live_o,
  output logic [15:0]                     start_rbase_o,
  output logic [23:0]                     start_shm_base_o,
  output logic [31:0]                     start_ctaid_x_o,
  output logic [31:0]                     start_ctaid_y_o,
  output logic [31:0]                     start_ctaid_z_o,
  output logic                            blk_valid_o,
  output logic [7:0]                      blk_bslot_o,
  output logic [31:0]                     blk_ctaid_x_o,
  output logic [31:0]                     blk_ctaid_y_o,
  output logic [31:0]                     blk_ctaid_z_o,
  output logic [31:0]                     blk_warps_o,
  output logic [23:0]                     blk_shm_base_o,
  output logic                            end_valid_o,
  output logic [7:0]                      end_bslot_o,
  output logic [31:0]                     cfg_lanes_o,
  output logic [31:0]                     cfg_warps_o,
  output logic [31:0]                     cfg_partitions_o,
  output logic [31:0]                     cfg_regs_o,
  output logic [31:0]                     cfg_blocks_o,
  output logic [31:0]                     cfg_shared_o
);

  localparam int unsigned LANES = cfg_pkg::LANES;
  localparam int unsigned WARPS = cfg_pkg::SM_WARPS;

  core_pkg::launch_t           launch;
  core_pkg::start_t            start;
  logic [cfg_pkg::SM_WARP_W-1:0]  tid_slot;
  logic [LANES-1:0][10:0]      x, y, z;
  logic [WARPS-1:0]            blk_warps;

  always_comb begin
    launch              = '0;
    launch.grid[0]      = grid_x_i;
    launch.grid[1]      = grid_y_i;
    launch.grid[2]      = grid_z_i;
    launch.block[0]     = block_x_i;
    launch.block[1]     = block_y_i;
    launch.block[2]     = block_z_i;
    launch.regs         = regs_i;
    launch.shared_bytes = shared_bytes_i;
  end

  logic                        ct_begin, unused_ask, walk_valid, walk_over, walk_take;
  logic [2:0][31:0]            walk_ctaid;

  grid_walk u_walk (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .grid_i  (launch.grid),
    .begin_i (ct_begin),
    .valid_o (walk_valid),
    .ctaid_o (walk_ctaid),
    .take_i  (walk_take),
    .over_o  (walk_over)
  );

  cta_dispatch u_dut (
    .clk_i                   (clk_i),
    .rst_ni                  (rst_ni),
    .launch_i                (launch),
    .go_i                    (go_i),
    .busy_o                  (busy_o),
    .grid_done_o             (grid_done_o),
    .ct_refuse_o             (refuse_o),
    .ct_begin_o              (ct_begin),
    .ct_ask_o                (unused_ask),
    .gb_valid_i              (walk_valid),
    .gb_ctaid_i              (walk_ctaid),
    .gb_over_i               (walk_over),
    .ct_take_o               (walk_take),
    .is_idle_i               (idle_i[WARPS-1:0]),
    .is_halt_i               (is_halt_i[cfg_pkg::PARTITIONS-1:0]),
    .sm_halt_i               (sm_halt_i),
    .ct_tid_valid_o          (tid_valid_o),
    .ct_tid_slot_o           (tid_slot),
    .ct_tid_beat_o           (tid_beat_o),
    .ct_tid_x_o              (x),
    .ct_tid_y_o              (y),
    .ct_tid_z_o              (z),
    .ct_start_valid_o        (start_valid_o),
    .ct_start_o              (start),
    .ct_blk_start_valid_o    (blk_valid_o),
    .ct_blk_start_bslot_o    (blk_bslot_o),
    .ct_blk_start_ctaid_x_o  (blk_ctaid_x_o),
    .ct_blk_start_ctaid_y_o  (blk_ctaid_y_o),
    .ct_blk_start_ctaid_z_o  (blk_ctaid_z_o),
    .ct_blk_start_warps_o    (blk_warps),
    .ct_blk_start_shm_base_o (blk_shm_base_o),
    .ct_blk_end_valid_o      (end_valid_o),
    .ct_blk_end_bslot_o      (end_bslot_o)
  );

  assign tid_slot_o       = 8'(tid_slot);
  for (genvar l = 0; l < LANES; l++) begin : gen_lane
    assign tid_x_o[l] = 32'(x[l]);
    assign tid_y_o[l] = 32'(y[l]);
    assign tid_z_o[l] = 32'(z[l]);
  end
  assign blk_warps_o      = 32'(blk_warps);
  assign start_slot_o     = 8'(start.slot);
  assign start_gen_o      = start.gen;
  assign start_bslot_o    = start.bslot;
  assign start_nwarps_o   = start.nwarps;
  assign start_live_o     = start.live;
  assign start_rbase_o    = start.rbase;
  assign start_shm_base_o = start.shm_base;
  assign start_ctaid_x_o  = start.ctaid_x;
  assign start_ctaid_y_o  = start.ctaid_y;
  assign start_ctaid_z_o  = start.ctaid_z;
  assign cfg_lanes_o      = cfg_pkg::LANES;
  assign cfg_warps_o      = cfg_pkg::SM_WARPS;
  assign cfg_partitions_o = cfg_pkg::PARTITIONS;
  assign cfg_regs_o       = cfg_pkg::REGS;
  assign cfg_blocks_o     = cfg_pkg::BLOCKS;
  assign cfg_shared_o     = cfg_pkg::SHARED_BYTES;

  logic unused;
  assign unused = &{1'b0, idle_i, is_halt_i};

endmodule
