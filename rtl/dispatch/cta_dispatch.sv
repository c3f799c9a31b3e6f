// SPDX-License-Identifier: Apache-2.0
// Thread block dispatcher of an SM: starts the blocks that gpu_blocks gives it, each as soon as the SM has room for it. What it is
// made of: cta_plan looks at the launch, cta_alloc finds room, cta_start starts the warps, cta_live sees blocks end.
// Latency: of the plan (cta_plan) and four cycles to the first block; from then on a warp every 32/STEP cycles while there is room,
// where STEP is a quarter of the SM's lanes, 8 at most. Room that an ended block leaves is used two cycles later.
// Handshake: events; go_i only when not busy. ct_begin_o: the launch is possible. ct_ask_o (a level): there is room for a block
// that is not in hand yet; gb_valid_i and ct_take_o: valid/take, with the block stable until it is taken; gb_over_i: none is left.
// grid_done_o ends the grid here, at once with ct_refuse_o != 0 when the launch is impossible.
// It does not check code or data addresses, and after a trap (halt) it begins and ends no block any more and stays busy until
// reset.
`include "heddle_assert.svh"

module cta_dispatch (
  input  logic                            clk_i,
  input  logic                            rst_ni,
  // from and to the host
  /* verilator lint_off UNUSEDSIGNAL */   // of the launch, its shape and its sizes
  input  core_pkg::launch_t               launch_i,
  /* verilator lint_on UNUSEDSIGNAL */
  input  logic                            go_i,
  output logic                            busy_o,
  output logic                            grid_done_o,
  output logic [3:0]                      ct_refuse_o,
  // to and from gpu_blocks
  output logic                            ct_begin_o,
  output logic                            ct_ask_o,
  input  logic                            gb_valid_i,
  input  logic [2:0][31:0]                gb_ctaid_i,
  input  logic                            gb_over_i,
  output logic                            ct_take_o,
  // from issue
  input  logic [cfg_pkg::SM_WARPS-1:0]       is_idle_i,
  input  logic [cfg_pkg::PARTITIONS-1:0]  is_halt_i,   // of a partition
  input  logic                            sm_halt_i,   // ... and all have it
  // to operand
  output logic                            ct_tid_valid_o,
  output logic [cfg_pkg::SM_WARP_W-1:0]      ct_tid_slot_o,
  output logic [4:0]                      ct_tid_beat_o,
  output logic [cfg_pkg::LANES-1:0][10:0] ct_tid_x_o,
  output logic [cfg_pkg::LANES-1:0][10:0] ct_tid_y_o,
  output logic [cfg_pkg::LANES-1:0][10:0] ct_tid_z_o,
  // to all
  output logic                            ct_start_valid_o,
  output core_pkg::start_t                ct_start_o,
  // to the retire port and the barriers
  output logic                            ct_blk_start_valid_o,
  output logic [7:0]                      ct_blk_start_bslot_o,
  output logic [31:0]                     ct_blk_start_ctaid_x_o,
  output logic [31:0]                     ct_blk_start_ctaid_y_o,
  output logic [31:0]                     ct_blk_start_ctaid_z_o,
  output logic [cfg_pkg::SM_WARPS-1:0]       ct_blk_start_warps_o,
  output logic [23:0]                     ct_blk_start_shm_base_o,
  output logic                            ct_blk_end_valid_o,
  output logic [7:0]                      ct_blk_end_bslot_o
);

  localparam int unsigned SM_LANES = cfg_pkg::LANES * cfg_pkg::PARTITIONS;
  localparam int unsigned STEP = (SM_LANES < 8) ? 1 : (SM_LANES < 32) ? SM_LANES / 4 : 8;

  localparam logic [1:0] ST_IDLE = 2'd0, ST_PLAN = 2'd1, ST_RUN = 2'd2;

  logic [1:0] state_q;
  logic [3:0] refuse_q;
  logic       done_q, begun, halt;

  // A halt counts in its first cycle, before the SM has chosen a trap: what it ends is idle already.
  assign halt = sm_halt_i || is_halt_i != '0;

  // ---- the launch ----------------------------------------------------------------------------------------------------------
  logic                        plan_done;
  logic [3:0]                  plan_refuse;
  logic [10:0]                 threads;
  logic [7:0]                  nwarps, room;
  logic [cfg_pkg::BLOCKS-1:0]  slots;
  logic [cfg_pkg::WARPS-1:0]   places;
  logic [cfg_pkg::BLOCK_W-1:0] blk_bslot;
  logic [cfg_pkg::WARP_W-1:0]  place;
  logic [23:0]                 shm_base;
  logic [15:0]                 rbase;

  cta_plan u_plan (
    .clk_i      (clk_i),
    .rst_ni     (rst_ni),
    .grid_i     (launch_i.grid),
    .block_i    (launch_i.block),
    .regs_i     (launch_i.regs),
    .shared_bytes_i(launch_i.shared_bytes),
    .start_i    (go_i && state_q == ST_IDLE),
    .done_o     (plan_done),
    .refuse_o   (plan_refuse),
    .threads_o  (threads),
    .warps_o    (nwarps),
    .slots_o    (slots),
    .places_o   (places),
    .room_o     (room),
    .bslot_i    (blk_bslot),
    .shm_base_o (shm_base),
    .place_i    (place),
    .rbase_o    (rbase)
  );
  assign begun = plan_done && plan_refuse == core_pkg::REFUSE_NONE;

  // ---- where the next block goes ------------------------------------------------------------------------------------------
  logic                         have, take, empty, open;
  logic [cfg_pkg::BLOCK_W-1:0]  bslot;
  logic [cfg_pkg::SM_WARPS-1:0] warps, end_warps;
  logic [cfg_pkg::BLOCKS-1:0]   block_end;

  cta_alloc u_alloc (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .begin_i     (begun),
    .slots_i     (slots),
    .places_i    (places),
    .room_i      (room),
    .warps_i     (nwarps),
    .want_i      (gb_valid_i && !halt),
    .open_o      (open),
    .valid_o     (have),
    .bslot_o     (bslot),
    .warps_o     (warps),
    .take_i      (take),
    .end_i       (block_end),
    .end_warps_i (end_warps),
    .empty_o     (empty)
  );

  // ---- its warps, and its end ----------------------------------------------------------------------------------------------
  logic [2:0][31:0] blk_ctaid;

  cta_start #(.STEP(STEP)) u_start (
    .clk_i          (clk_i),
    .rst_ni         (rst_ni),
    .begin_i        (go_i),
    .block_i        (launch_i.block[1:0]),
    .threads_i      (threads),
    .nwarps_i       (nwarps),
    .halt_i         (halt),
    .valid_i        (have),
    .take_o         (take),
    .bslot_i        (bslot),
    .warps_i        (warps),
    .ctaid_i        (gb_ctaid_i),
    .bslot_o        (blk_bslot),
    .shm_base_i     (shm_base),
    .place_o        (place),
    .rbase_i        (rbase),
    .blk_valid_o    (ct_blk_start_valid_o),
    .blk_ctaid_o    (blk_ctaid),
    .blk_warps_o    (ct_blk_start_warps_o),
    .blk_shm_base_o (ct_blk_start_shm_base_o),
    .tid_valid_o    (ct_tid_valid_o),
    .tid_slot_o     (ct_tid_slot_o),
    .tid_beat_o     (ct_tid_beat_o),
    .tid_x_o        (ct_tid_x_o),
    .tid_y_o        (ct_tid_y_o),
    .tid_z_o        (ct_tid_z_o),
    .start_valid_o  (ct_start_valid_o),
    .start_o        (ct_start_o)
  );

  logic [cfg_pkg::BLOCK_W-1:0] end_bslot;

  cta_live u_live (
    .clk_i         (clk_i),
    .rst_ni        (rst_ni),
    .blk_valid_i   (ct_blk_start_valid_o),
    .blk_bslot_i   (blk_bslot),
    .blk_warps_i   (ct_blk_start_warps_o),
    .start_valid_i (ct_start_valid_o),
    .start_slot_i  (ct_start_o.slot),
    .is_idle_i     (is_idle_i),
    .halt_i        (halt),
    .end_o         (block_end),
    .end_warps_o   (end_warps),
    .end_valid_o   (ct_blk_end_valid_o),
    .end_bslot_o   (end_bslot)
  );

  // ---- control -------------------------------------------------------------------------------------------------------------
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q  <= ST_IDLE;
      done_q   <= 1'b0;
      refuse_q <= core_pkg::REFUSE_NONE;
    end else begin
      done_q <= 1'b0;
      case (state_q)
        ST_IDLE: if (go_i) begin
          state_q  <= ST_PLAN;
          refuse_q <= core_pkg::REFUSE_NONE;
        end
        ST_PLAN: if (plan_done) begin
          refuse_q <= plan_refuse;
          done_q   <= !begun;
          state_q  <= begun ? ST_RUN : ST_IDLE;
        end
        default: if (gb_over_i && empty && !halt) begin
          state_q <= ST_IDLE;
          done_q  <= 1'b1;
        end
      endcase
    end
  end

  assign ct_blk_start_bslot_o   = 8'(blk_bslot);
  assign ct_blk_start_ctaid_x_o = blk_ctaid[0];
  assign ct_blk_start_ctaid_y_o = blk_ctaid[1];
  assign ct_blk_start_ctaid_z_o = blk_ctaid[2];
  assign ct_blk_end_bslot_o     = 8'(end_bslot);
  assign busy_o                 = state_q != ST_IDLE;
  assign ct_begin_o             = begun;
  assign ct_ask_o               = state_q == ST_RUN && open && !halt;
  assign ct_take_o              = take;
  assign grid_done_o            = done_q;
  assign ct_refuse_o            = refuse_q;

  // A grid starts only when the one before is over.
  `ASSERT(a_go, !go_i || state_q == ST_IDLE)

endmodule
