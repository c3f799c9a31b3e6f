// SPDX-License-Identifier: Apache-2.0
// Ports of one width for every configuration around `barrier`.
// Latency: none of its own.
// Handshake: that of `barrier`.
// It adds nothing.
module barrier_tb (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        blk_valid_i,
  input  logic [7:0]  blk_bslot_i,
  input  logic [31:0] blk_warps_i,
  input  logic        pick_i,
  input  logic        ask_i,
  input  logic        bar_valid_i,
  input  logic [7:0]  bar_slot_i,
  input  logic [1:0]  bar_kind_i,
  input  logic [3:0]  bar_id_i,
  input  logic [11:0] bar_count_i,
  input  logic [10:0] bar_sum_i,
  input  logic        bar_all_i,
  input  logic        done_valid_i,
  input  logic [7:0]  done_slot_i,
  input  logic        done_ended_i,
  output logic        misuse_o,
  output logic        hold_o,
  output logic        busy_o,
  output logic        release_valid_o,
  output logic [7:0]  release_bslot_o,
  output logic [3:0]  release_id_o,
  output logic [31:0] release_warps_o,
  output logic [10:0] release_sum_o,
  output logic        release_all_o,
  output logic [7:0]  warps_o
);

  localparam int unsigned WARPS = cfg_pkg::SM_WARPS;

  logic [WARPS-1:0] release_warps, ended;
  core_pkg::bar_t   bar;
  core_pkg::red_t   red;

  always_comb begin
    bar.kind    = bar_kind_i;
    bar.id      = bar_id_i;
    bar.count   = bar_count_i;
    bar.red.sum = bar_sum_i;
    bar.red.all = bar_all_i;
  end
  assign release_sum_o = red.sum;
  assign release_all_o = red.all;

  assign ended = WARPS'(done_valid_i && done_ended_i) << done_slot_i;

  barrier u_dut (
    .clk_i                (clk_i),
    .rst_ni               (rst_ni),
    .ct_blk_start_valid_i (blk_valid_i),
    .ct_blk_start_bslot_i (blk_bslot_i),
    .ct_blk_start_warps_i (blk_warps_i[WARPS-1:0]),
    .bt_pick_i            (pick_i),
    .bt_ask_i             (ask_i),
    .bt_valid_i           (bar_valid_i),
    .bt_slot_i            (bar_slot_i[cfg_pkg::SM_WARP_W-1:0]),
    .bt_bar_i             (bar),
    .is_ended_i           (ended),
    .ba_misuse_o          (misuse_o),
    .ba_hold_o            (hold_o),
    .ba_busy_o            (busy_o),
    .ba_release_valid_o   (release_valid_o),
    .ba_release_bslot_o   (release_bslot_o),
    .ba_release_id_o      (release_id_o),
    .ba_release_warps_o   (release_warps),
    .ba_release_red_o     (red)
  );

  assign release_warps_o = 32'(release_warps);
  assign warps_o         = 8'(WARPS);

  logic unused;
  assign unused = &{1'b0, blk_warps_i, bar_slot_i, done_slot_i};

endmodule
