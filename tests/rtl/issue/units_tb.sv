// SPDX-License-Identifier: Apache-2.0
// Plain ports around parts of issue: issue_order, scoreboard, dep_counters, plane_counters.
// Latency: none of its own.
// Handshake: that of the parts.
// It holds no state.
module units_tb (
  input  logic                         clk_i,
  input  logic                         rst_ni,
  // order of traps
  input  logic                         add_valid_i,
  input  logic [cfg_pkg::WARP_W-1:0]   add_slot_i,
  input  logic                         add_ctl_i,
  input  logic                         mem_pass_i,
  input  logic [cfg_pkg::WARP_W-1:0]   mem_pass_slot_i,
  input  logic                         mem_trap_i,
  input  logic [cfg_pkg::WARP_W-1:0]   mem_trap_slot_i,
  input  logic                         ctl_pass_i,
  input  logic [cfg_pkg::WARP_W-1:0]   ctl_pass_slot_i,
  input  logic                         ctl_trap_i,
  input  logic [cfg_pkg::WARP_W-1:0]   ctl_trap_slot_i,
  input  logic                         taken_i,
  output logic                         mem_first_o,
  output logic                         ctl_first_o,
  output logic                         empty_o,
  output logic                         full_o,
  // scoreboard
  input  logic [cfg_pkg::WARPS-1:0]    there_i,
  input  logic [cfg_pkg::WARPS-1:0]    moves_i,
  output logic [cfg_pkg::WARP_W-1:0]   look_slot_o,
  input  logic [63:0]                  look_word_lo_i,
  input  logic [63:0]                  look_word_hi_i,
  input  logic [cfg_pkg::WARPS-1:0]    here_i,
  input  logic [cfg_pkg::WARP_W-1:0]   s1_slot_i,
  input  logic [63:0]                  s1_word_lo_i,
  input  logic [63:0]                  s1_word_hi_i,
  input  logic                         alloc_i,
  input  logic [core_pkg::ENDS:0]      done_valid_i,
  input  logic [core_pkg::ENDS:0][cfg_pkg::WARP_W-1:0] done_slot_i,
  input  logic [core_pkg::ENDS:0]      done_has_rd_i,
  input  logic [core_pkg::ENDS:0]      done_rd_uni_i,
  input  logic [core_pkg::ENDS:0][7:0] done_rd_i,
  input  logic [core_pkg::ENDS:0]      done_pd_uni_i,
  input  logic [core_pkg::ENDS:0][2:0] done_pd0_i,
  input  logic [core_pkg::ENDS:0][2:0] done_pd1_i,
  input  logic [core_pkg::ENDS:0]      done_preds_i,
  output logic [cfg_pkg::WARPS-1:0]    hold_o,
  output logic [cfg_pkg::WARPS-1:0]    waits_o,
  // dependency counters (done_* above lower them, too)
  input  logic                         raise_valid_i,
  input  logic [cfg_pkg::WARP_W-1:0]   raise_slot_i,
  input  logic [2:0]                   raise_wbar_i,
  input  logic [2:0]                   raise_rbar_i,
  input  logic                         disp_valid_i,
  input  logic [cfg_pkg::WARP_W-1:0]   disp_slot_i,
  input  logic [2:0]                   disp_rbar_i,
  input  logic [core_pkg::ENDS:0]      lower_valid_i,
  input  logic [core_pkg::ENDS:0][2:0] lower_wbar_i,
  output logic [cfg_pkg::WARPS-1:0][7:0] nonzero_o,
  output logic [cfg_pkg::WARPS-1:0][7:0] near_full_o,
  input  logic [cfg_pkg::WARP_W-1:0]   q_slot_i,
  input  logic [2:0]                   q_bar_i,
  input  logic [5:0]                   q_limit_i,
  output logic                         above_o,
  input  logic [cfg_pkg::WARPS-1:0]    refused_i,
  output logic [cfg_pkg::WARPS-1:0]    refused_o,
  // plane counters of four bits, with all their flags
  input  logic [cfg_pkg::WARPS-1:0]      pc_clear_i,
  input  logic [1:0][cfg_pkg::WARPS-1:0] pc_up_i,
  input  logic [4:0][cfg_pkg::WARPS-1:0] pc_down_i,
  output logic [cfg_pkg::WARPS-1:0]      pc_nonzero_o,
  output logic [cfg_pkg::WARPS-1:0]      pc_near_full_o,
  output logic [cfg_pkg::WARPS-1:0]      pc_high_o,
  output logic [cfg_pkg::WARPS-1:0]      pc_full_o,
  output logic [3:0][cfg_pkg::WARPS-1:0] pc_plane_o,
  output logic [cfg_pkg::WARPS-1:0]      pc_below_o,
  output logic [7:0]                   cfg_warps_o,
  output logic [7:0]                   cfg_ends_o,      // the unit that reports ends
  output logic                         cfg_uni_o        // it has a uniform datapath
);

  stage_pkg::ends_t    ends, lowered;
  stage_pkg::begun_t   begun;
  stage_pkg::counts_t  counts;
  front_pkg::operand_t op;
  core_pkg::done_t     one;
  always_comb begin
    one = '0;
    ends.valid    = done_valid_i;
    lowered.valid = lower_valid_i;
    for (int unsigned i = 0; i < core_pkg::ENDS + 1; i++) begin
      one.slot   = done_slot_i[i];
      one.to.wbar   = 3'd7;
      one.to.has_rd = done_has_rd_i[i];
      one.to.uni    = done_rd_uni_i[i] || done_pd_uni_i[i];
      one.to.rd     = done_rd_i[i];
      one.to.pd0    = done_pd0_i[i];
      one.to.pd1    = done_pd1_i[i];
      one.preds  = done_preds_i[i];
      ends.done[i] = one;
      one.to.wbar  = lower_wbar_i[i];
      lowered.done[i] = one;
    end
    begun = '{valid: raise_valid_i, slot: raise_slot_i, wbar: raise_wbar_i, rbar: raise_rbar_i, default: '0};
    op    = '0;
    op.disp_valid[0] = disp_valid_i;
    op.disp_slot[0]  = disp_slot_i;
    op.disp_rbar[0]  = disp_rbar_i;
  end

  assign cfg_warps_o = 8'(cfg_pkg::WARPS);
  assign cfg_ends_o  = 8'(core_pkg::ENDS + 1);
  assign cfg_uni_o   = cfg_pkg::HAS_UNI;

  always_comb begin
    nonzero_o   = '0;
    near_full_o = '0;
    for (int unsigned w = 0; w < cfg_pkg::WARPS; w++) begin
      for (int unsigned n = 0; n < issue_pkg::NSB; n++) begin
        nonzero_o[w][n]   = counts.nonzero[n][w];
        near_full_o[w][n] = counts.near_full[n][w];
      end
    end
  end

  dep_counters u_dep (
    .clk_i     (clk_i),
    .rst_ni    (rst_ni),
    .start_i   ('0),
    .begun_i   (begun),
    .op_i      (op),
    .ends_i    (lowered),
    .counts_o  (counts),
    .q_slot_i  (q_slot_i),
    .q_bar_i   (q_bar_i),
    .q_limit_i (q_limit_i),
    .above_o   (above_o),
    .refused_i (refused_i)
  );
  assign refused_o = counts.refused;

  plane_counters #(.N(cfg_pkg::WARPS), .WIDTH(4)) u_planes (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .clear_i     (pc_clear_i),
    .up_i        (pc_up_i),
    .down_i      (pc_down_i),
    .nonzero_o   (pc_nonzero_o),
    .near_full_o (pc_near_full_o),
    .high_o      (pc_high_o),
    .full_o      (pc_full_o),
    .plane_o     (pc_plane_o),
    .below_o     (pc_below_o)
  );


  issue_order #(.DEPTH(8)) u_order (
    .clk_i           (clk_i),
    .rst_ni          (rst_ni),
    .add_valid_i     (add_valid_i),
    .add_slot_i      (add_slot_i),
    .add_ctl_i       (add_ctl_i),
    .near_i          (add_valid_i),
    .mem_pass_i      (mem_pass_i),
    .mem_pass_slot_i (mem_pass_slot_i),
    .mem_trap_i      (mem_trap_i),
    .mem_trap_slot_i (mem_trap_slot_i),
    .ctl_pass_i      (ctl_pass_i),
    .ctl_pass_slot_i (ctl_pass_slot_i),
    .ctl_trap_i      (ctl_trap_i),
    .ctl_trap_slot_i (ctl_trap_slot_i),
    .taken_i         (taken_i),
    .mem_first_o     (mem_first_o),
    .ctl_first_o     (ctl_first_o),
    .empty_o         (empty_o),
    .full_o          (full_o),
    .unchecked_o     (unchecked)
  );
  logic [cfg_pkg::WARPS-1:0] unchecked;
  logic unused;
  assign unused = ^unchecked;

  isa_pkg::dec_t look_dec, s1_dec;
  assign look_dec = isa_pkg::decode({look_word_hi_i, look_word_lo_i});
  assign s1_dec   = isa_pkg::decode({s1_word_hi_i, s1_word_lo_i});

  scoreboard #(.ENTRIES(4)) u_scoreboard (
    .clk_i         (clk_i),
    .rst_ni        (rst_ni),
    .enable_i      (1'b1),
    .there_i       (there_i),
    .moves_i       (moves_i),
    .look_slot_o   (look_slot_o),
    .look_i        (issue_pkg::look_of(look_dec)),
    .here_i        (here_i),
    .slot_i        (s1_slot_i),
    .dest_i        (issue_pkg::dest_of(s1_dec)),
    .alloc_i       (alloc_i),
    .ends_i        (ends),
    .sb_hold_o     (hold_o),
    .sb_waits_o    (waits_o)
  );

endmodule
