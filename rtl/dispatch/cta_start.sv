// SPDX-License-Identifier: Apache-2.0
// Starts the warps of a block that has room: streams their thread ids, then starts each, the lowest slot first.
// Latency: a block's record one cycle after it is taken, the first start 32/STEP + 4 cycles after it, then one every 32/STEP,
// over the end of a block too: the next one is taken while the last warp's ids are counted.
// Handshake: begin_i (event: the launch stands from then on); valid_i and take_o: valid/ready, a block. All outputs are events.
// It does not choose slots, and does not look whether a warp ends. After halt_i it takes nothing more; what it has, it starts.
`include "heddle_assert.svh"
`include "heddle_idle.svh"

module cta_start #(
  parameter int unsigned STEP = 4      // threads counted in one cycle: 1, 2, 4 or 8; divides LANES
) (
  input  logic                            clk_i,
  input  logic                            rst_ni,
  // the launch
  input  logic                            begin_i,
  input  logic [1:0][10:0]                block_i,      // x, y: the dispatcher ends a block in time
  input  logic [10:0]                     threads_i,
  input  logic [7:0]                      nwarps_i,
  input  logic                            halt_i,
  // a block, and its room
  input  logic                            valid_i,
  output logic                            take_o,
  input  logic [cfg_pkg::BLOCK_W-1:0]     bslot_i,
  input  logic [cfg_pkg::SM_WARPS-1:0]    warps_i,
  input  logic [2:0][31:0]                ctaid_i,
  // where a place lies
  output logic [cfg_pkg::BLOCK_W-1:0]     bslot_o,
  input  logic [23:0]                     shm_base_i,   // of block slot bslot_o, in the same cycle
  output logic [cfg_pkg::WARP_W-1:0]      place_o,
  input  logic [15:0]                     rbase_i,      // of warp slot place_o of a partition, in the same cycle
  // the block begins
  output logic                            blk_valid_o,
  output logic [2:0][31:0]                blk_ctaid_o,
  output logic [cfg_pkg::SM_WARPS-1:0]    blk_warps_o,
  output logic [23:0]                     blk_shm_base_o,
  // rows of thread ids
  output logic                            tid_valid_o,
  output logic [cfg_pkg::SM_WARP_W-1:0]   tid_slot_o,
  output logic [4:0]                      tid_beat_o,
  output logic [cfg_pkg::LANES-1:0][10:0] tid_x_o,
  output logic [cfg_pkg::LANES-1:0][10:0] tid_y_o,
  output logic [cfg_pkg::LANES-1:0][10:0] tid_z_o,
  // a warp starts
  output logic                            start_valid_o,
  output core_pkg::start_t                start_o
);

  localparam int unsigned WARPS  = cfg_pkg::SM_WARPS;
  localparam int unsigned WARP_W = cfg_pkg::SM_WARP_W;
  localparam int unsigned STEPS  = 32 / STEP;        // cycles that a warp's ids take
  localparam logic [5:0]  LAST   = 6'(STEPS - 1);
  // A warp's first row comes after its fourth step at the earliest, its start LATE cycles after its last: in between start_q is its own.
  localparam int unsigned LATE   = 4;

  // ---- the block that is being started, and its warps ----------------------------------------------------------------------
  logic                        run_q, first_q, blk_valid_q, ready, warp_over, block_over;
  logic [5:0]                  step_q;
  logic [cfg_pkg::BLOCK_W-1:0] bslot_q;
  logic [2:0][31:0]            ctaid_q;
  logic [10:0]                 left_q;              // threads not yet counted
  logic [7:0]                  need_q;              // warps, likewise
  logic [WARPS-1:0]            todo_q, next, next_q; // not yet started; the lowest, a cycle later
  logic [WARP_W-1:0]           next_slot, next_slot_q;
  logic                        name;                // start_q becomes this warp's

  assign warp_over  = run_q && step_q == LAST;
  assign block_over = warp_over && need_q == 8'd1;
  assign take_o     = valid_i && (!run_q || block_over) && ready && !halt_i;
  assign name       = run_q && step_q == 6'(LATE - 1);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      run_q       <= 1'b0;
      blk_valid_q <= 1'b0;
    end else begin
      run_q       <= take_o || (run_q && !block_over);
      blk_valid_q <= take_o;
    end
  end
  always_ff @(posedge clk_i) begin
    next_q      <= next;
    next_slot_q <= next_slot;
    step_q      <= (!run_q || warp_over) ? '0 : step_q + 6'd1;
    if (run_q) first_q <= 1'b0;
    if (warp_over) begin
      left_q <= left_q - 11'd32;
      need_q <= need_q - 8'd1;
    end
    if (name) todo_q <= todo_q & ~next_q;
    if (take_o) begin
      first_q <= 1'b1;
      bslot_q <= bslot_i;
      ctaid_q <= ctaid_i;
      todo_q  <= warps_i;
      left_q  <= threads_i;
      need_q  <= nwarps_i;
    end
  end

  arb_fixed #(.N(WARPS)) u_next (
    .req_i   (todo_q),
    .grant_o (next)
  );
  onehot_index #(.N(WARPS)) u_next_slot (
    .onehot_i (next),
    .index_o  (next_slot)
  );

  // ---- thread ids ----------------------------------------------------------------------------------------------------------
  cta_tid #(.STEP(STEP)) u_tid (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .block_i     (block_i),
    .begin_i     (begin_i),
    .ready_o     (ready),
    .run_i       (run_q),
    .first_i     (first_q),
    .row_valid_o (tid_valid_o),
    .row_beat_o  (tid_beat_o),
    .row_x_o     (tid_x_o),
    .row_y_o     (tid_y_o),
    .row_z_o     (tid_z_o)
  );

  // ---- the start -----------------------------------------------------------------------------------------------------------
  core_pkg::start_t      start_q;
  logic [LATE-1:0]       late_q;                    // warp_over, up to LATE cycles ago
  logic [WARPS-1:0][7:0] gen_q;
  logic [7:0]            gen;

  assign gen = gen_q[next_slot_q] + 8'd1;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      late_q <= '0;
      gen_q  <= '0;
    end else begin
      late_q <= {late_q[LATE-2:0], warp_over};
      if (begin_i)   gen_q <= '0;              // generations count from 1 in each launch
      else if (name) gen_q[next_slot_q] <= gen;
    end
  end
  always_ff @(posedge clk_i) begin
    if (name) begin
      start_q.slot     <= next_slot_q;
      start_q.gen      <= gen;
      start_q.bslot    <= 8'(bslot_q);
      start_q.nwarps   <= nwarps_i;
      start_q.live     <= (left_q >= 11'd32) ? 32'hffff_ffff : ~(32'hffff_ffff << left_q[4:0]);
      start_q.rbase    <= rbase_i;
      start_q.shm_base <= shm_base_i;
      start_q.ctaid_x  <= ctaid_q[0];
      start_q.ctaid_y  <= ctaid_q[1];
      start_q.ctaid_z  <= ctaid_q[2];
    end
  end

  assign bslot_o        = bslot_q;
  assign place_o        = core_pkg::local_slot(next_slot_q);
  assign blk_valid_o    = blk_valid_q;
  assign blk_ctaid_o    = ctaid_q;
  assign blk_warps_o    = todo_q;
  assign blk_shm_base_o = shm_base_i;
  assign tid_slot_o     = start_q.slot;
  assign start_valid_o  = late_q[LATE-1];
  always_comb begin
    `HEDDLE_IDLE(start_o, 'x);
    if (`HEDDLE_LIVE(start_valid_o)) start_o = start_q;
  end

  // A warp takes at least as many steps as its start comes late: so start_q has one owner at a time.
  if (STEPS < LATE) begin : gen_step
    $error("cta_start: STEP is 8 at most");
  end

endmodule
