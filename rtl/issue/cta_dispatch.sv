// SPDX-License-Identifier: Apache-2.0
// Thread block dispatcher: walks the grid (x fastest), gives each block a slot, registers, shared memory and warp slots,
// streams the thread ids and starts the warps; frees a block when all its warps have ended and are idle.
// Latency: blk_start comes two cycles and one a warp after a slot is free; a warp starts 32/STEP + 2 cycles after the one before,
// where STEP = LANES/4 threads are counted in a cycle (4 at most).
// Handshake: events; go_i only when not busy. grid_done_o ends a grid, at once with ct_refuse_o != 0 when the launch is impossible.
// It does not check code or data addresses, and after a trap (is_halt_i) it starts and ends nothing more and stays busy until reset.
`default_nettype none
`include "heddle_assert.svh"
`include "heddle_idle.svh"

module cta_dispatch (
  input  logic                            clk_i,
  input  logic                            rst_ni,
  input  logic [7:0]                      fault_i,
  // from and to the host
  input  core_pkg::launch_t               launch_i,
  input  logic                            go_i,
  output logic                            busy_o,
  output logic                            grid_done_o,
  output logic [3:0]                      ct_refuse_o,
  // from issue
  input  logic [cfg_pkg::SM_WARPS-1:0]       is_idle_i,
  input  logic                            is_halt_i,
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

  localparam int unsigned WARPS   = cfg_pkg::SM_WARPS;
  localparam int unsigned WARP_W  = cfg_pkg::SM_WARP_W;
  localparam int unsigned PARTS   = cfg_pkg::PARTITIONS;
  localparam int unsigned BLOCKS  = cfg_pkg::BLOCKS;
  localparam int unsigned BLOCK_W = cfg_pkg::BLOCK_W;
  localparam int unsigned STEP    = (cfg_pkg::LANES < 8) ? 1 : ((cfg_pkg::LANES < 16) ? 2 : 4);
  localparam logic [4:0]  LAST    = 5'(cfg_pkg::BEATS - 1);

  localparam logic [2:0] ST_IDLE = 3'd0, ST_PLAN = 3'd1, ST_BLOCK = 3'd2, ST_ALLOC = 3'd3, ST_TIDS = 3'd4, ST_START = 3'd5,
    ST_DRAIN = 3'd6;

  logic [2:0]         state_q;
  logic [BLOCK_W-1:0] bslot_q;          // block slot that is being filled
  logic               start_valid_q;    // a warp starts

  // ---- the plan ------------------------------------------------------------------------------------------------------------
  logic              plan_done;
  logic [3:0]        plan_refuse;
  logic [10:0]       plan_threads;
  logic [7:0]        plan_warps;
  logic [BLOCKS-1:0] plan_slots;
  logic [15:0]       plan_rbase;
  logic [23:0]       plan_shm_base;

  cta_plan u_plan (
    .clk_i      (clk_i),
    .rst_ni     (rst_ni),
    .launch_i   (launch_i),
    .start_i    (go_i && state_q == ST_IDLE),
    .done_o     (plan_done),
    .refuse_o   (plan_refuse),
    .threads_o  (plan_threads),
    .warps_o    (plan_warps),
    .slots_o    (plan_slots),
    .bslot_i    (bslot_q),
    .rbase_o    (plan_rbase),
    .shm_base_o (plan_shm_base)
  );

  // ---- blocks that live, and their end -----------------------------------------------------------------------------------
  // A warp: owned by a block, begun (started, and seen to be busy), finished (begun, and idle again).
  logic [BLOCKS-1:0]            used_q, whole_q, block_over, end_pick, free_pick;
  logic [BLOCKS-1:0][WARPS-1:0] warps_q;
  logic [WARPS-1:0]             owned_q, started_q, started, begun_q, finished, end_warps;
  logic [BLOCK_W-1:0]           end_bslot, free_bslot;
  logic                         end_any, free_any;

  assign finished = begun_q & is_idle_i;
  for (genvar b = 0; b < BLOCKS; b++) begin : gen_over
    // A warp whose access trapped may have ended: its block stays, since the trap names it.
    assign block_over[b] = used_q[b] && whole_q[b] && (warps_q[b] & ~finished) == '0 && !is_halt_i;
  end

  lowest_one #(.N(BLOCKS)) u_end (
    .in_i     (block_over),
    .onehot_o (end_pick),
    .index_o  (end_bslot),
    .any_o    (end_any)
  );
  lowest_one #(.N(BLOCKS)) u_free (
    .in_i     (plan_slots & ~used_q),
    .onehot_o (free_pick),
    .index_o  (free_bslot),
    .any_o    (free_any)
  );

  onehot_mux #(.N(BLOCKS), .WIDTH(WARPS)) u_end_warps (
    .sel_i  (end_pick),
    .data_i (warps_q),
    .data_o (end_warps)
  );

  // ---- the block that is being started -------------------------------------------------------------------------------------
  logic [2:0][31:0]   pos_q, pos_next;  // its place in the grid, one further in each dimension
  logic [2:0]         pos_last;
  logic [BLOCKS-1:0]  bslot_hot_q;
  logic [WARPS-1:0]   mine_q, todo_q, alloc_pick, todo_low, todo_first_q;
  logic [7:0]         need_q;           // warp slots still to be found
  logic [10:0]        left_q;           // threads not yet started
  logic [WARP_W-1:0]  todo_low_slot, todo_slot_q;
  logic               last_warp;
  logic [WARPS-1:0][7:0] gen_q;

  always_comb begin
    pos_next = 'x;
    pos_last = 'x;
    `HEDDLE_ONLY(state_q == ST_START) begin
      for (int unsigned d = 0; d < 3; d++) begin
        pos_next[d] = pos_q[d] + 32'd1;
        pos_last[d] = pos_next[d] == launch_i.grid[d];
      end
    end
  end

  // Partitions give the block's warps in turns; the plan has counted their slots.
  logic [PARTS-1:0] turn_q;
  logic [WARPS-1:0] in_turn;

  for (genvar w = 0; w < WARPS; w++) begin : gen_in_turn
    assign in_turn[w] = turn_q[w % PARTS];
  end
  arb_fixed #(.N(WARPS)) u_alloc (
    .req_i   (~owned_q & in_turn),
    .grant_o (alloc_pick)
  );
  arb_fixed #(.N(WARPS)) u_todo (
    .req_i   (todo_q),
    .grant_o (todo_low)
  );
  onehot_index #(.N(WARPS)) u_todo_slot (
    .onehot_i (todo_low),
    .index_o  (todo_low_slot)
  );

  // Who is next stands in registers, a cycle after todo_q: its thread ids come later still, and it starts after them.
  always_ff @(posedge clk_i) begin
    todo_first_q <= todo_low;
    todo_slot_q  <= todo_low_slot;
  end

  assign started   = started_q | (start_valid_q ? todo_first_q : '0);
  assign last_warp = (todo_q & ~todo_first_q) == '0;

  // ---- thread ids ----------------------------------------------------------------------------------------------------------
  logic       tid_run, tid_last_row;
  logic [5:0] rows_q;                   // steps of this warp's rows

  cta_tid #(.STEP(STEP)) u_tid (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .fault_i     (fault_i),
    .block_i     (launch_i.block),
    .restart_i   (state_q == ST_BLOCK),
    .run_i       (tid_run),
    .row_valid_o (ct_tid_valid_o),
    .row_beat_o  (ct_tid_beat_o),
    .row_x_o     (ct_tid_x_o),
    .row_y_o     (ct_tid_y_o),
    .row_z_o     (ct_tid_z_o)
  );

  assign tid_run       = state_q == ST_TIDS && rows_q != 6'(32 / STEP);
  assign tid_last_row  = ct_tid_valid_o && ct_tid_beat_o == LAST;
  assign ct_tid_slot_o = todo_slot_q;

  // ---- control -------------------------------------------------------------------------------------------------------------
  logic       blk_valid_q, end_valid_q, done_q;
  logic [3:0] refuse_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q       <= ST_IDLE;
      used_q        <= '0;
      whole_q       <= '0;
      owned_q       <= '0;
      started_q     <= '0;
      begun_q       <= '0;
      gen_q         <= '0;
      blk_valid_q   <= 1'b0;
      start_valid_q <= 1'b0;
      end_valid_q   <= 1'b0;
      done_q        <= 1'b0;
      refuse_q      <= core_pkg::REFUSE_NONE;
    end else begin
      blk_valid_q   <= 1'b0;
      start_valid_q <= 1'b0;
      done_q        <= 1'b0;
      end_valid_q   <= end_any;
      used_q        <= used_q & ~end_pick;
      whole_q       <= whole_q & ~end_pick;
      owned_q       <= owned_q & ~end_warps;
      started_q     <= started & ~end_warps;
      begun_q       <= (begun_q | (started & ~is_idle_i)) & ~end_warps;

      case (state_q)
        ST_IDLE: if (go_i) begin
          state_q  <= ST_PLAN;
          refuse_q <= core_pkg::REFUSE_NONE;
        end

        ST_PLAN: if (plan_done) begin
          refuse_q <= plan_refuse;
          done_q   <= plan_refuse != core_pkg::REFUSE_NONE;
          state_q  <= (plan_refuse != core_pkg::REFUSE_NONE) ? ST_IDLE : ST_BLOCK;
        end

        // Wait for a block slot; its warp slots are free then, too.
        ST_BLOCK: if (free_any && !is_halt_i) begin
          state_q <= ST_ALLOC;
          used_q  <= (used_q & ~end_pick) | free_pick;
        end

        ST_ALLOC: begin
          if (need_q != '0) begin
            owned_q <= (owned_q & ~end_warps) | alloc_pick;
          end else begin
            blk_valid_q <= 1'b1;
            state_q     <= ST_TIDS;
          end
        end

        ST_TIDS: if (tid_last_row) begin
          state_q          <= ST_START;
          start_valid_q    <= 1'b1;
          gen_q[todo_slot_q] <= gen_q[todo_slot_q] + 8'd1;
        end

        // The warp starts in this cycle.
        ST_START: begin
          state_q <= ST_TIDS;
          if (last_warp) begin
            whole_q <= (whole_q & ~end_pick) | bslot_hot_q;
            state_q <= (&pos_last) ? ST_DRAIN : ST_BLOCK;
          end
        end

        default: if (used_q == '0 && !is_halt_i) begin   // all blocks started: wait for their end
          state_q <= ST_IDLE;
          done_q  <= 1'b1;
        end
      endcase
    end
  end

  always_ff @(posedge clk_i) begin
    case (state_q)
      ST_PLAN: pos_q <= '0;
      ST_BLOCK: begin
        bslot_q     <= free_bslot;
        bslot_hot_q <= free_pick;
        need_q      <= plan_warps;
        turn_q      <= PARTS'(1);
        mine_q      <= '0;
      end
      ST_ALLOC: begin
        left_q <= plan_threads;
        rows_q <= '0;
        if (need_q != '0) begin
          need_q <= need_q - 8'd1;
          turn_q <= (turn_q << 1) | (turn_q >> (PARTS - 1));
          mine_q <= mine_q | alloc_pick;
        end else begin
          warps_q[bslot_q] <= mine_q;
          todo_q           <= mine_q;
        end
      end
      ST_TIDS: if (tid_run) rows_q <= rows_q + 6'd1;
      ST_START: begin
        rows_q <= '0;
        left_q <= left_q - 11'd32;
        todo_q <= todo_q & ~todo_first_q;
        if (last_warp) begin
          pos_q[0] <= pos_last[0] ? '0 : pos_next[0];
          if (pos_last[0]) pos_q[1] <= pos_last[1] ? '0 : pos_next[1];
          if (pos_last[0] && pos_last[1]) pos_q[2] <= pos_next[2];
        end
      end
      default: ;
    endcase
  end

  // ---- results -------------------------------------------------------------------------------------------------------------
  logic [PARTS-1:0][15:0] rbase_q;      // of each partition's next warp
  logic [cfg_pkg::PART_W-1:0] todo_part;
  logic [31:0]        live;
  logic [BLOCK_W-1:0] end_bslot_q;

  always_ff @(posedge clk_i) begin
    if (state_q == ST_ALLOC) rbase_q <= {PARTS{plan_rbase}};
    else if (state_q == ST_START) rbase_q[todo_part] <= rbase_q[todo_part] + 16'(launch_i.regs);
    end_bslot_q <= end_bslot;
  end

  assign todo_part = core_pkg::part_of(todo_slot_q);
  assign live = (left_q >= 11'd32) ? 32'hffff_ffff : ~(32'hffff_ffff << left_q[4:0]);

  always_comb begin
    ct_start_o = 'x;
    if (`HEDDLE_LIVE(start_valid_q)) begin
      ct_start_o.slot     = todo_slot_q;
      ct_start_o.gen      = gen_q[todo_slot_q];
      ct_start_o.bslot    = 8'(bslot_q);
      ct_start_o.nwarps   = plan_warps;
      ct_start_o.live     = live;
      ct_start_o.rbase    = rbase_q[todo_part];
      ct_start_o.shm_base = plan_shm_base;
      ct_start_o.ctaid_x  = pos_q[0];
      ct_start_o.ctaid_y  = pos_q[1];
      ct_start_o.ctaid_z  = pos_q[2];
    end
  end

  assign ct_start_valid_o        = start_valid_q;
  assign ct_blk_start_valid_o    = blk_valid_q;
  assign ct_blk_start_bslot_o    = 8'(bslot_q);
  assign ct_blk_start_ctaid_x_o  = pos_q[0];
  assign ct_blk_start_ctaid_y_o  = pos_q[1];
  assign ct_blk_start_ctaid_z_o  = pos_q[2];
  assign ct_blk_start_warps_o    = mine_q;
  assign ct_blk_start_shm_base_o = plan_shm_base;
  assign ct_blk_end_valid_o      = end_valid_q;
  assign ct_blk_end_bslot_o      = 8'(end_bslot_q);
  assign busy_o                  = state_q != ST_IDLE;
  assign grid_done_o             = done_q;
  assign ct_refuse_o             = refuse_q;

  // A block slot comes with enough free warp slots.
  `ASSERT(a_room, state_q != ST_ALLOC || need_q == '0 || alloc_pick != '0)
  // A grid starts only when the one before is over.
  `ASSERT(a_go, !go_i || state_q == ST_IDLE)

endmodule

`default_nettype wire
