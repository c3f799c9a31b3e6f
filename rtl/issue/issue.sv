// SPDX-License-Identifier: Apache-2.0
// Issue: S0 selects a warp; S1 reads its instruction, predicates and divergence state, checks, and issues or traps.
// Latency: selected in t, judged in t+1, is_uop / is_ctl / the issue record stand in t+2. One instruction a cycle, of one warp
// too: while one instruction stands in S1 its warp's next one is selected, unless it has to see what the first one does.
// Handshake: S1 waits until the operand stage can take the instruction; collectors are counted here. An instruction that the
// scoreboard or DEPBAR's counter refuses goes back to the head of its buffer. So does a BAR.RED that arrives: once its barrier
// is complete it comes a second time, without a record, and takes its result through the operand stage and the ALU.
// It does not read registers, move masks, or count barrier arrivals. Long because of its ports and named connections: it is the
// diagram of the stage.
`default_nettype none
`include "heddle_assert.svh"
`include "heddle_idle.svh"

module issue #(
  parameter bit STRAPS = 1'b0          // 1: sched_i chooses the scheduling policy; 0: the configuration does
) (
  input  logic                                              clk_i,
  input  logic                                              rst_ni,
  input  logic [7:0]                                        fault_i,
  input  logic [cfg_pkg::PART_W-1:0]                        part_i,        // number of the partition: constant
  // from the host
  input  logic                                              scoreboard_i,
  input  logic [1:0]                                        sched_i,
  input  logic                                              its_i,
  input  logic [39:0]                                       code_base_i,
  input  logic [63:0]                                       clock_i,       // cycles since go
  // from the dispatcher
  input  logic                                              ct_start_valid_i,
  input  core_pkg::start_t                                  ct_start_i,
  // from and to fetch and the instruction buffer
  input  logic [cfg_pkg::WARPS-1:0]                         if_bad_pc_i,
  input  logic [31:0]                                       if_q_pc_i,
  input  logic [cfg_pkg::WARPS-1:0]                         ib_valid_i,
  input  logic [issue_pkg::HEAD_W-1:0][cfg_pkg::WARPS-1:0]  ib_head_i,
  input  issue_pkg::entry_t                                 ib_entry_i,
  output logic [cfg_pkg::WARPS-1:0]                         is_sel_o,
  output logic [cfg_pkg::WARP_W-1:0]                        is_s1_slot_o,
  output logic [cfg_pkg::WARPS-1:0]                         is_pop_o,
  output logic [cfg_pkg::WARPS-1:0]                         is_back_o,      // refused: its entry is the head again
  // from the constant prefetch
  input  logic [cfg_pkg::WARPS-1:0]                         cf_ready_i,
  input  logic [31:0]                                       cf_data_i,
  input  logic [31:0]                                       cf_data_hi_i,   // of a 64-bit constant
  input  logic                                              cf_range_i,
  input  logic                                              cf_err_i,
  // to and from the uniform datapath: what is read now; an instruction that it executes stands in is_uop in the next cycle
  output logic                                              is_uni_read_o,
  output logic                                              is_uni_valid_o,
  input  logic [6:0]                                        un_pred_i,      // of the warp in S1
  input  logic                                              un_done_valid_i,
  input  core_pkg::done_t                                   un_done_i,
  input  logic                                              un_starved_i,   // late results wait for its write port
  // to and from operand: what issues now, what is read now
  output logic                                              is_pre_valid_o,
  output logic [cfg_pkg::WARP_W-1:0]                        is_pre_slot_o,
  output isa_pkg::dec_t                                     is_pre_dec_o,
  output logic [15:0]                                       is_pre_rbase_o,
  output logic                                              is_valid_o,
  output logic                                              is_new_o,
  output core_pkg::uop_t                                    is_uop_o,
  input  logic                                              op_ready_i,
  input  logic                                              op_hold_i,
  input  logic [1:0]                                        op_leave_i,
  input  logic                                              op_disp_valid_i,
  input  logic [cfg_pkg::WARP_W-1:0]                        op_disp_slot_i,
  input  logic [2:0]                                        op_disp_rbar_i,
  // from writeback
  input  logic [core_pkg::GROUPS-1:0]                        wb_done_valid_i,
  input  logic [core_pkg::GROUPS-1:0][issue_pkg::DONE_W-1:0] wb_done_i,
  input  logic                                              wb_pred_valid_i,
  input  logic [cfg_pkg::WARP_W-1:0]                        wb_pred_slot_i,
  input  logic [4:0]                                        wb_pred_beat_i,
  input  logic [cfg_pkg::LANES-1:0]                         wb_pred_mask_i,
  input  logic [2:0]                                        wb_pred_pd0_i,
  input  logic [2:0]                                        wb_pred_pd1_i,
  input  logic [cfg_pkg::LANES-1:0]                         wb_pred_d0_i,
  input  logic [cfg_pkg::LANES-1:0]                         wb_pred_d1_i,
  input  logic                                     wb_pred_all_i,
  input  logic [6:0][cfg_pkg::LANES-1:0]           wb_pred_en_i,
  input  logic [6:0][cfg_pkg::LANES-1:0]           wb_pred_val_i,
  // from and to operand: the predicates of a beat, a cycle later
  input  logic                                     op_pr_en_i,
  input  logic [cfg_pkg::WARP_W-1:0]               op_pr_slot_i,
  input  logic [4:0]                               op_pr_beat_i,
  output logic [6:0][cfg_pkg::LANES-1:0]           pf_row_o,
  // from the load/store unit
  input  logic                                              ls_checked_valid_i,
  input  logic [cfg_pkg::WARP_W-1:0]                        ls_checked_slot_i,
  input  logic                                              ls_trap_valid_i,
  input  core_pkg::trap_t                                   ls_trap_i,
  // from the load/store unit and the units of the partition
  input  logic                                              lt_done_valid_i,
  input  core_pkg::done_t                                   lt_done_i,
  // to and from divergence
  output logic                                              is_ctl_valid_o,
  output logic                                              is_sel_valid_o,
  output logic [cfg_pkg::WARP_W-1:0]                        is_sel_slot_o,
  output logic [3:0]                                        is_sel_bx_o,
  output logic [cfg_pkg::WARP_W-1:0]                        is_q_slot_o,
  output logic [3:0]                                        is_q_bx_o,
  input  logic [31:0]                                       dv_q_active_i,
  input  logic [31:0]                                       dv_q_live_i,
  input  logic [63:0]                                       dv_q_hash_i,
  input  logic [31:0]                                       dv_q_members_i,
  input  logic [31:0]                                       dv_q_parked_i,
  input  logic [31:0]                                       dv_q_parkpc_i,
  input  logic                                              dv_done_valid_i,
  input  logic [cfg_pkg::WARP_W-1:0]                        dv_done_slot_i,
  input  logic                                              dv_done_ended_i,
  input  logic                                              dv_trap_valid_i,
  input  core_pkg::trap_t                                   dv_trap_i,
  // to and from the barrier unit
  output logic                                              is_bar_ask_o,
  output logic                                              is_bar_valid_o,
  output logic [cfg_pkg::WARP_W-1:0]                        is_bar_slot_o,
  output core_pkg::bar_t                                    is_bar_o,
  input  logic                                              ba_grant_i,     // it is this partition's turn to ask
  input  logic                                              ba_misuse_i,
  input  logic                                              ba_release_valid_i,
  input  logic [cfg_pkg::WARPS-1:0]                         ba_release_warps_i,
  input  core_pkg::red_t                                    ba_release_red_i,
  input  logic                                              ba_busy_i,      // a release may come
  // to the dispatcher, to all
  output logic [cfg_pkg::WARPS-1:0]                         is_idle_o,
  input  logic                                              sm_halt_i,      // a trap somewhere in the SM
  output logic                                              is_halt_o,      // here
  output logic                                              is_drained_o,   // nothing under way that could trap or write
  output logic                                              is_trap_valid_o,
  output core_pkg::trap_t                                   is_trap_o,
  // to the host's registers
  input  logic [3:0]                                        is_cnt_index_i,
  output logic [31:0]                                       is_cnt_o,
  // to the retire port
  input  logic                                              ret_ready_i,
  output logic                                              ret_issue_valid_o,
  output retire_pkg::issue_t                                ret_issue_o
);

  localparam int unsigned WARPS  = cfg_pkg::WARPS;
  localparam int unsigned WARP_W = cfg_pkg::WARP_W;
  localparam int unsigned NSB    = issue_pkg::NSB;

  // ---- results that are complete: of the fixed pipes, uni, and last the late ones -----------------------------------------------
  logic [core_pkg::FIXED_ENDS-1:0]           fixed_valid;
  logic [core_pkg::FIXED_ENDS-1:0][issue_pkg::DONE_W-1:0] fixed;
  logic [core_pkg::ENDS:0]                   done_valid;
  logic [core_pkg::ENDS:0][issue_pkg::DONE_W-1:0] done;
  logic [core_pkg::ENDS:0][WARP_W-1:0]       done_slot;
  logic [core_pkg::ENDS:0][2:0]              done_wbar;
  core_pkg::done_t                           one_done;

  if (core_pkg::FIXED_ENDS < core_pkg::GROUPS) begin : gen_one_end
    always_comb begin
      fixed_valid[0] = wb_done_valid_i != '0;
      fixed[0]       = wb_done_i[0];
      for (int unsigned g = 1; g < core_pkg::GROUPS; g++) begin
        if (wb_done_valid_i[g]) fixed[0] = wb_done_i[g];
      end
    end
    `ASSERT(a_one_end, (wb_done_valid_i & (wb_done_valid_i - core_pkg::GROUPS'(1))) == '0)
  end else begin : gen_ends
    assign fixed_valid = wb_done_valid_i;
    assign fixed       = wb_done_i;
  end

  if (cfg_pkg::HAS_UNI) begin : gen_done
    assign done_valid = {lt_done_valid_i, un_done_valid_i, fixed_valid};
    assign done       = {lt_done_i, un_done_i, fixed};
  end else begin : gen_done_fixed
    assign done_valid = {lt_done_valid_i, fixed_valid};
    assign done       = {lt_done_i, fixed};
    logic unused;
    assign unused     = ^{un_done_valid_i, un_done_i};
  end
  always_comb begin
    one_done = '0;
    for (int unsigned i = 0; i < core_pkg::ENDS + 1; i++) begin
      one_done     = done[i];
      done_slot[i] = one_done.slot;
      done_wbar[i] = one_done.wbar;
    end
  end

  logic [WARPS-1:0] start;
  always_comb begin
    start = '0;
    if (ct_start_valid_i) start[core_pkg::local_slot(ct_start_i.slot)] = 1'b1;
  end

  // ---- S1 registers -----------------------------------------------------------------------------------------------------------
  logic              s1_valid_q, s1_bad_q;
  logic [WARP_W-1:0] s1_slot_q, sel_slot;
  issue_pkg::head_t  s1_head_q, sel_head;
  logic [issue_pkg::HEAD_W-1:0] head_bits;
  logic [WARPS-1:0]  sel, s1_here, s1_here_d, s1_here_q;
  logic              s1_there, s1_live, hazard, precise, may, commit, refused;
  logic              halt, s1_go, s1_stop;

  // A BAR.RED arrives (`first`), and waits; when it is `redo`, its result is there.
  logic [WARPS-1:0]  redo_q;
  logic              first, redo, go;

  // ---- the uop behind S1 --------------------------------------------------------------------------------------------------------
  core_pkg::uop_t uop_q;
  logic           ctl, uop_gen_q, uop_coll_q, uop_new_q, uop_ctl_q, uop_uni_q;

  if ($bits(lt_done_i) != issue_pkg::DONE_W || $bits(s1_head_q) != issue_pkg::HEAD_W) begin : gen_check
    $error("issue: a width in issue_pkg does not fit its struct");
  end

  // ---- what holds warps back ----------------------------------------------------------------------------------------------
  logic [WARPS-1:0]          alive, stalled, sync, bar, mem_busy, mem_full, quiet, sleep;
  logic [NSB-1:0][WARPS-1:0] nonzero, near_full;
  logic                      order_full;

  // Instructions that nobody has counted yet: the one in S1, and the one that issued a cycle ago (its counters rise now).
  // Their warp's next one must not need to know what they do.
  logic [WARPS-1:0] dep_sleep_q;   // DEPBAR waits until a counter falls
  logic [WARPS-1:0] there, counters, waits, drains, no_cst, mem_out, recent_here_q, recent_drain, recent_sb, blocked;
  logic [NSB-1:0]   recent_raise;
  logic             recent_q, recent_coll_q;
  logic [NSB-1:0]   recent_raise_q;

  always_comb begin
    recent_sb    = '0;
    recent_raise = s1_head_q.raise;
    `HEDDLE_ONLY((s1_valid_q && recent_raise != '0) || (recent_q && recent_raise_q != '0)) begin
      for (int unsigned n = 0; n < NSB; n++) begin
        recent_sb = recent_sb | ((ib_head_i[issue_pkg::HEAD_WAIT + n] | ib_head_i[issue_pkg::HEAD_RAISE + n])
          & ((recent_raise[n] ? s1_here : '0) | (recent_raise_q[n] ? recent_here_q : '0)));
      end
    end
  end
  assign recent_drain = ib_head_i[issue_pkg::HEAD_DRAIN] & ((s1_head_q.coll ? s1_here : '0) | (recent_coll_q ? recent_here_q : '0));
  assign blocked      = ((s1_head_q.alone || s1_head_q.stalls || s1_bad_q) ? s1_here : '0) | recent_sb | recent_drain;

  always_comb begin
    counters = '0;
    for (int unsigned n = 0; n < NSB; n++) begin
      counters = counters | (ib_head_i[issue_pkg::HEAD_WAIT + n] & nonzero[n])
        | (ib_head_i[issue_pkg::HEAD_RAISE + n] & near_full[n]);
    end
  end

  assign there   = ib_valid_i | if_bad_pc_i;
  assign waits   = sleep | dep_sleep_q | (ib_valid_i & counters);
  assign drains  = ib_valid_i & ib_head_i[issue_pkg::HEAD_DRAIN] & mem_busy;
  assign no_cst  = ib_valid_i & ~cf_ready_i;
  assign mem_out = ib_valid_i & ib_head_i[issue_pkg::HEAD_COLL] & mem_full;

  // ---- S0: eligibility ------------------------------------------------------------------------------------------------------
  localparam int unsigned COLL   = cfg_pkg::COLLECTORS;
  localparam int unsigned COLL_W = $clog2(COLL + 1);

  logic              run, s1_free, room_one, room_two, room_three;
  logic [WARPS-1:0]  eligible, pick, no_mem, no_uni, ready;
  logic [COLL_W-1:0] coll_q, coll_owed;   // collectors given away; that S1 may take, too

  always_comb begin
    coll_owed = coll_q;
    if (s1_valid_q && s1_head_q.coll) coll_owed = coll_q + (s1_head_q.three ? COLL_W'(3) : s1_head_q.two ? COLL_W'(2) : COLL_W'(1));
  end
  assign room_one = coll_owed < COLL_W'(COLL);
  assign room_two = coll_owed < COLL_W'(COLL - 1);
  assign room_three = !core_pkg::HAS_QUADS || 32'(coll_owed) + 32'd3 <= COLL;
  assign run      = !halt && ret_ready_i;

  assign no_mem   = (room_one ? '0 : ib_head_i[issue_pkg::HEAD_COLL]) | (room_two ? '0 : ib_head_i[issue_pkg::HEAD_TWO])
    | (room_three ? '0 : ib_head_i[issue_pkg::HEAD_THREE]) | (order_full ? ib_head_i[issue_pkg::HEAD_ORDERED] : '0);
  assign ready    = alive & there & ~sync & ~stalled & ~waits & ~drains & ~no_cst & ~mem_out & ~(ib_valid_i & blocked)
    & ~(if_bad_pc_i & s1_here);
  // A result that is there is written even when everything stops.
  assign no_uni   = (cfg_pkg::HAS_UNI && un_starved_i) ? ib_head_i[issue_pkg::HEAD_UNI] : '0;
  assign eligible = ready & ~(ib_valid_i & (no_mem | no_uni)) & (run ? '1 : redo_q);

  // ---- S0: selection ----------------------------------------------------------------------------------------------------------
  logic [WARPS-1:0] yielded, waits_long;

  // What takes as long as memory or fetch, or as other warps want: two levels give such a warp's place to another.
  assign waits_long = ~alive | ~there | bar | waits | drains | mem_out;

  warp_sched #(.STRAP(STRAPS)) u_sched (
    .clk_i      (clk_i),
    .rst_ni     (rst_ni),
    .sched_i    (sched_i),
    .start_i    (start),
    .eligible_i (eligible),
    .long_i     (waits_long),
    .yield_i    (yielded),
    .pick_o     (pick),
    .take_i     (s1_free),
    .sel_o      (sel)
  );
  // Whose instruction it is does not depend on whether S1 is free: that comes late.
  onehot_index #(.N(WARPS)) u_sel_slot (
    .onehot_i (pick),
    .index_o  (sel_slot)
  );
  // Without an instruction (a bad PC) there are no flags.
  always_comb begin
    head_bits = '0;
    `HEDDLE_ONLY(pick != '0) begin
      for (int unsigned f = 0; f < issue_pkg::HEAD_W; f++) head_bits[f] = (pick & ib_valid_i & ib_head_i[f]) != '0;
    end
  end
  assign sel_head = head_bits;

  // S1 stands while the operand stage is busy. Nothing is selected while stall counts stand still: selection is their last cycle.
  // A selection is void if its warp's instruction in S1 is refused, and at a halt.
  assign s1_go   = op_ready_i && (!is_bar_ask_o || ba_grant_i);
  assign s1_free = s1_valid_q ? s1_go : !op_hold_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      s1_valid_q <= 1'b0;
      s1_here_q  <= '0;
    end else if (s1_go || !s1_valid_q || s1_stop) begin
      s1_valid_q <= s1_here_d != '0;
      s1_here_q  <= s1_here_d;
    end
  end
  assign s1_here_d = sel & ~(refused ? s1_here : '0);
  assign s1_here   = s1_here_q;
  always_ff @(posedge clk_i) begin
    if (sel != '0) begin
      s1_slot_q <= sel_slot;
      s1_head_q <= sel_head;
      s1_bad_q  <= (pick & ib_valid_i) == '0;
    end
  end

  assign is_sel_o     = sel;
  assign is_s1_slot_o = s1_slot_q;

  // Divergence looks up the sets of a barrier a cycle ahead, everything else at once.
  assign is_sel_valid_o = sel != '0;
  assign is_sel_slot_o  = sel_slot;
  assign is_sel_bx_o    = sel_head.bx;
  assign is_q_slot_o    = s1_slot_q;
  assign is_q_bx_o      = s1_head_q.bx;

  // ---- S1: who the warp is ----------------------------------------------------------------------------------------------------
  logic [15:0]      rbase;
  logic [7:0]       gen;
  logic [2:0][31:0] ctaid;
  logic [31:0]      seq_kept, seq;
  logic [WARPS-1:0] fresh_q;

  ram_async #(.WIDTH(16), .DEPTH(WARPS)) u_rbase (
    .clk_i     (clk_i),
    .wr_en_i   (ct_start_valid_i),
    .wr_addr_i (core_pkg::local_slot(ct_start_i.slot)),
    .wr_data_i (ct_start_i.rbase),
    .rd_addr_i (s1_slot_q),
    .rd_data_o (rbase)
  );
  // Its generation, and its block, which S2R alone asks for: read with the selection. A warp is not selected in the cycle of its
  // start.
  ram_apart #(.WIDTH(104), .DEPTH(WARPS)) u_ctaid (
    .clk_i     (clk_i),
    .rst_ni    (rst_ni),
    .wr_en_i   (ct_start_valid_i),
    .wr_addr_i (core_pkg::local_slot(ct_start_i.slot)),
    .wr_data_i ({ct_start_i.gen, ct_start_i.ctaid_z, ct_start_i.ctaid_y, ct_start_i.ctaid_x}),
    .rd_en_i   (is_sel_valid_o),
    .rd_addr_i (sel_slot),
    .rd_data_o ({gen, ctaid})
  );
  ram_async #(.WIDTH(32), .DEPTH(WARPS)) u_seq (
    .clk_i     (clk_i),
    .wr_en_i   (go),
    .wr_addr_i (s1_slot_q),
    .wr_data_i (seq + 32'd1),
    .rd_addr_i (s1_slot_q),
    .rd_data_o (seq_kept)
  );
  assign seq = fresh_q[s1_slot_q] ? '0 : seq_kept;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) fresh_q <= '0;
    else         fresh_q <= (fresh_q & ~(go ? s1_here : '0)) | start;
  end

  // ---- S1: predicates, lanes, checks ------------------------------------------------------------------------------------------
  logic [6:0][31:0] pred;
  logic [31:0]      exec, ps0, ps1, ps2;
  logic             arrives, early_trap, late_trap, late_stop, sb_hazard, above;
  logic [WARPS-1:0] falls;
  core_pkg::trap_t  trap;
  core_pkg::id_t    id;
  isa_pkg::dec_t    dec;
  issue_pkg::kind_t kind;

  assign dec  = ib_entry_i.dec;
  assign kind = ib_entry_i.kind;

  always_comb begin
    id.slot = core_pkg::sm_slot(s1_slot_q, part_i);
    id.gen  = gen;
    id.seq  = seq;
  end

  pred_file u_pred (
    .clk_i           (clk_i),
    .wb_pred_valid_i (wb_pred_valid_i),
    .wb_pred_slot_i  (wb_pred_slot_i),
    .wb_pred_beat_i  (wb_pred_beat_i),
    .wb_pred_mask_i  (wb_pred_mask_i),
    .wb_pred_pd0_i   (wb_pred_pd0_i),
    .wb_pred_pd1_i   (wb_pred_pd1_i),
    .wb_pred_d0_i    (wb_pred_d0_i),
    .wb_pred_d1_i    (wb_pred_d1_i),
    .wb_pred_all_i   (wb_pred_all_i),
    .wb_pred_en_i    (wb_pred_en_i),
    .wb_pred_val_i   (wb_pred_val_i),
    .op_pr_en_i      (op_pr_en_i),
    .op_pr_slot_i    (op_pr_slot_i),
    .op_pr_beat_i    (op_pr_beat_i),
    .pf_row_o        (pf_row_o),
    .is_slot_i       (s1_slot_q),
    .pf_pred_o       (pred)
  );

  issue_check u_check (
    .fault_i        (fault_i),
    .entry_i        (ib_entry_i),
    .bad_pc_i       (s1_bad_q),
    .cst_range_i    (cf_range_i),
    .cst_err_i      (cf_err_i),
    .id_i           (id),
    .pc_i           (if_q_pc_i),
    .code_base_i    (code_base_i),
    .pred_i         (pred),
    .upred_i        (un_pred_i),
    .dv_q_active_i  (dv_q_active_i),
    .dv_q_live_i    (dv_q_live_i),
    .dv_q_members_i (dv_q_members_i),
    .dv_q_parked_i  (dv_q_parked_i),
    .dv_q_parkpc_i  (dv_q_parkpc_i),
    .its_i          (its_i),
    .ba_misuse_i    (ba_misuse_i),
    .redo_i         (redo),
    .exec_o         (exec),
    .ps0_o          (ps0),
    .ps1_o          (ps1),
    .ps2_o          (ps2),
    .arrives_o      (arrives),
    .early_trap_o   (early_trap),
    .late_trap_o    (late_trap),
    .late_stop_o    (late_stop),
    .trap_o         (trap)
  );

  scoreboard u_scoreboard (
    .clk_i         (clk_i),
    .rst_ni        (rst_ni),
    .enable_i      (scoreboard_i),
    .check_valid_i (s1_live && !early_trap),
    .check_slot_i  (s1_slot_q),
    .check_dec_i   (dec),
    .check_needs_i (ib_entry_i.needs),
    .sb_hazard_o   (sb_hazard),
    .alloc_i       (go),
    .done_valid_i  (done_valid),
    .done_i        (done),
    .sb_sleep_o    (sleep)
  );

  assign halt    = is_halt_o || sm_halt_i;
  assign s1_stop = halt && !redo;
  // Whether S1 may go on is known late, and so is what it would do then: each is worked out by itself. What depends on the
  // executing lanes comes last.
  assign s1_there = s1_valid_q && !s1_stop;
  assign s1_live  = s1_there && s1_go;
  assign precise  = (s1_there && (early_trap || (late_trap && !hazard))) && s1_go;
  assign may      = s1_there && !early_trap && !hazard && s1_go;
  assign commit   = may && !late_trap;
  assign refused  = (s1_there && !early_trap && hazard) && s1_go;
  assign hazard   = sb_hazard || (kind.depbar && above);

  always_comb begin
    is_pop_o  = s1_here & {WARPS{go}};
    is_back_o = s1_here & {WARPS{refused || first}};
    yielded  = s1_here & {WARPS{commit && dec.yield}};
  end

  // A warp that DEPBAR refused looks again when one of its counters falls.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) dep_sleep_q <= '0;
    else         dep_sleep_q <= (dep_sleep_q | (s1_here & {WARPS{refused && !sb_hazard}})) & ~falls;
  end

  // ---- S1: barriers between warps -----------------------------------------------------------------------------------------------
  // The barrier unit answers ba_misuse to slot, id, count and kind of a BAR; valid makes it count.
  logic       is_red, is_bar;
  logic [5:0] trues;

  assign is_red = kind.red;
  assign is_bar = kind.bar;
  assign redo   = s1_valid_q && redo_q[s1_slot_q];
  assign first  = commit && is_red && arrives;
  assign go     = may && !late_stop;

  always_comb begin
    trues = '0;
    if (is_bar_ask_o && is_red) begin
      for (int unsigned l = 0; l < 32; l++) trues += 6'(exec[l] && ps0[l]);
    end
  end

  assign is_bar_ask_o   = s1_valid_q && !redo && is_bar;
  assign is_bar_valid_o = (s1_there && !early_trap && arrives && !hazard) && op_ready_i && ba_grant_i;
  assign is_bar_slot_o  = s1_slot_q;
  always_comb begin
    is_bar_o.kind    = is_red ? core_pkg::BAR_RED : kind.arrive ? core_pkg::BAR_ARV : core_pkg::BAR_SYNC;
    is_bar_o.id      = isa_pkg::f_barid(ib_entry_i.word);
    is_bar_o.count   = isa_pkg::f_barcnt(ib_entry_i.word);
    is_bar_o.red.sum = 11'(trues);
    is_bar_o.red.all = (exec & ~ps0) == '0;
  end

  // What the barrier has found, until the warp comes for it.
  core_pkg::red_t [WARPS-1:0] red_q;
  core_pkg::red_t             red;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) redo_q <= '0;
    else if (`HEDDLE_LIVE(start != '0 || is_red || redo)) begin   // nothing changes otherwise
      for (int unsigned w = 0; w < WARPS; w++) begin
        if (start[w]) redo_q[w] <= 1'b0;
        else if (commit && s1_here[w]) redo_q[w] <= is_red && arrives;
      end
    end
  end
  always_ff @(posedge clk_i) begin
    if (ba_release_valid_i) begin
      for (int unsigned w = 0; w < WARPS; w++) begin
        if (ba_release_warps_i[w] && redo_q[w]) red_q[w] <= ba_release_red_i;
      end
    end
  end
  assign red = red_q[s1_slot_q];

  // ---- S1: what is handed on --------------------------------------------------------------------------------------------------
  // SR names of S2UR are numbered as those of S2R.
  logic [31:0] sval, sval_hi;
  logic [7:0]  sreg;

  assign sreg = (dec.op == isa_pkg::OP_S2UR) ? isa_pkg::f_usreg(ib_entry_i.word) : isa_pkg::f_sreg(ib_entry_i.word);
  assign ctl = s1_head_q.ordered && !s1_head_q.coll;

  always_comb begin
    sval    = dec.imm;
    sval_hi = '0;
    if (kind.cst) begin
      sval    = cf_data_i;
      sval_hi = cf_data_hi_i;
    end else if (core_pkg::wide_imm(dec)) begin
      sval    = '0;
      sval_hi = dec.imm;
    end else if (dec.imm_short) begin
      sval    = 32'(dec.imm[15:0]);
      sval_hi = 32'(dec.imm[31:16]);
    end else if (dec.op == isa_pkg::OP_BMOV_GET) begin
      sval    = dv_q_members_i;
    end else if (dec.op == isa_pkg::OP_BAR_RED_POPC) begin
      sval    = 32'(red.sum);
    end else if (dec.op == isa_pkg::OP_BAR_RED) begin
      sval    = '0;
      sval[0] = (isa_pkg::f_barred(ib_entry_i.word) == isa_pkg::BARRED_OR) ? red.sum != '0 : red.all;
    end else if (dec.op == isa_pkg::OP_S2R || dec.op == isa_pkg::OP_S2UR) begin
      case (sreg)
        isa_pkg::SREG_SR_CTAID_X: sval = ctaid[0];
        isa_pkg::SREG_SR_CTAID_Y: sval = ctaid[1];
        isa_pkg::SREG_SR_CTAID_Z: sval = ctaid[2];
        isa_pkg::SREG_SR_WARPID:  sval = 32'(id.slot);
        isa_pkg::SREG_SR_NWARPID: sval = cfg_pkg::SM_WARPS;
        isa_pkg::SREG_SR_NSMID:   sval = 32'd1;
        isa_pkg::SREG_SR_CLOCKLO: sval = clock_i[31:0];
        isa_pkg::SREG_SR_CLOCKHI: sval = clock_i[63:32];
        default:                  sval = '0;   // SR_SMID of the one SM, SRZ; others are made of the lane's number
      endcase
    end else if (dec.op == isa_pkg::OP_CS2R) begin
      {sval_hi, sval} = (isa_pkg::f_sreg2(ib_entry_i.word) == isa_pkg::SREG2_SR_CLOCKLO) ? clock_i : '0;
    end
  end

  // The uop stands until its operands have been read; what else follows from an issue is an event of its first cycle.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      uop_gen_q <= 1'b0;
      uop_coll_q <= 1'b0;
      uop_new_q <= 1'b0;
      uop_ctl_q <= 1'b0;
      uop_uni_q <= 1'b0;
      recent_q  <= 1'b0;
      recent_here_q <= '0;
    end else begin
      if (op_ready_i) begin
        uop_gen_q <= go && ib_entry_i.gen;
        uop_coll_q <= go && s1_head_q.coll;
      end
      uop_new_q <= go && (ib_entry_i.gen || s1_head_q.coll);
      uop_ctl_q <= go && ctl;
      uop_uni_q <= go && s1_head_q.uni;
      recent_q  <= commit;
      recent_here_q <= commit ? s1_here : '0;
    end
  end
  // Which one it was counts only if it did.
  always_ff @(posedge clk_i) begin
    if (s1_valid_q && s1_go) begin
      recent_raise_q <= s1_head_q.raise;
      recent_coll_q   <= s1_head_q.coll;
    end
  end

  // Collectors: taken at issue.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) coll_q <= '0;
    else         coll_q <= (commit && s1_head_q.coll) ? coll_owed - COLL_W'(op_leave_i) : coll_q - COLL_W'(op_leave_i);
  end

  // Whether the instruction commits comes too late to choose among so many bits: without that nobody looks at them.
  always_ff @(posedge clk_i) begin
    if (s1_valid_q && s1_go) begin
      uop_q.id    <= id;
      uop_q.pc    <= if_q_pc_i;
      uop_q.word  <= ib_entry_i.word;
      uop_q.dec   <= dec;
      uop_q.exec  <= exec;
      uop_q.ps0   <= ps0;
      uop_q.ps1   <= ps1;
      uop_q.ps2   <= ps2;
      uop_q.preds <= pred;
      uop_q.sval  <= sval;
      uop_q.sval_hi <= sval_hi;
      uop_q.rbase <= rbase;
    end
  end

  assign is_pre_valid_o = go && (ib_entry_i.gen || s1_head_q.coll);
  assign is_pre_slot_o  = s1_slot_q;
  assign is_pre_dec_o   = dec;
  assign is_pre_rbase_o = rbase;
  assign is_valid_o     = uop_gen_q || uop_coll_q;
  assign is_new_o       = uop_new_q;
  assign is_uop_o       = uop_q;
  assign is_uni_read_o  = cfg_pkg::HAS_UNI && commit;
  assign is_uni_valid_o = uop_uni_q;
  assign is_ctl_valid_o = uop_ctl_q;

  // A control instruction that the ALU writes nothing for.
  logic uop_plain;
  assign uop_plain = uop_ctl_q && !core_pkg::br_result(uop_q.dec);

  // ---- state ------------------------------------------------------------------------------------------------------------------
  warp_state u_state (
    .clk_i              (clk_i),
    .rst_ni             (rst_ni),
    .fault_i            (fault_i),
    .start_i            (start),
    .is_valid_i         (commit),
    .is_slot_i          (s1_slot_q),
    .is_ctl_i           (ctl),
    .is_bar_i           (arrives && !kind.arrive),
    .is_load_i          (core_pkg::uniform_load(dec)),
    .is_stall_i         (dec.stall),
    .op_hold_i          (op_hold_i),
    .uop_fixed_i        ((uop_new_q && uop_gen_q && !uop_plain) || uop_uni_q),
    .uop_coll_i         (uop_new_q && uop_coll_q),
    .uop_slot_i         (core_pkg::local_slot(uop_q.id.slot)),
    .wb_done_valid_i    (done_valid[core_pkg::ENDS-1:0]),
    .wb_done_slot_i     (done_slot[core_pkg::ENDS-1:0]),
    .lt_done_valid_i    (lt_done_valid_i),
    .lt_done_slot_i     (done_slot[core_pkg::ENDS]),
    .lt_done_load_i     (lt_done_i.load),
    .dv_done_valid_i    (dv_done_valid_i),
    .dv_done_slot_i     (dv_done_slot_i),
    .dv_done_ended_i    (dv_done_ended_i),
    .dv_trap_valid_i    (dv_trap_valid_i),
    .dv_trap_slot_i     (core_pkg::local_slot(dv_trap_i.id.slot)),
    .ba_release_valid_i (ba_release_valid_i),
    .ba_release_warps_i (ba_release_warps_i),
    .ws_alive_o         (alive),
    .ws_stall_o         (stalled),
    .ws_sync_o          (sync),
    .ws_bar_o           (bar),
    .ws_mem_busy_o      (mem_busy),
    .ws_mem_full_o      (mem_full),
    .ws_quiet_o         (quiet)
  );

  dep_counters u_dep (
    .clk_i           (clk_i),
    .rst_ni          (rst_ni),
    .fault_i         (fault_i),
    .start_i         (start),
    .raise_valid_i   (uop_new_q || uop_uni_q),
    .raise_slot_i    (core_pkg::local_slot(uop_q.id.slot)),
    .raise_wbar_i    (uop_plain ? 3'd7 : uop_q.dec.wbar),
    .raise_rbar_i    (uop_uni_q ? 3'd7 : uop_q.dec.rbar),
    .op_disp_valid_i (op_disp_valid_i),
    .op_disp_slot_i  (op_disp_slot_i),
    .op_disp_rbar_i  (op_disp_rbar_i),
    .done_valid_i    (done_valid),
    .done_slot_i     (done_slot),
    .done_wbar_i     (done_wbar),
    .dc_nonzero_o    (nonzero),
    .dc_near_full_o  (near_full),
    .q_slot_i        (s1_slot_q),
    .q_bar_i         (isa_pkg::f_sbn(ib_entry_i.word)),
    .q_limit_i       (isa_pkg::f_sbk(ib_entry_i.word)),
    .dc_above_o      (above),
    .dc_falls_o      (falls)
  );

  trap_ctl u_trap (
    .clk_i              (clk_i),
    .rst_ni             (rst_ni),
    .add_valid_i        (commit && s1_head_q.ordered),
    .add_slot_i         (s1_slot_q),
    .add_ctl_i          (ctl),
    .judged_i           (s1_valid_q && s1_go),
    .precise_i          (precise),
    .precise_trap_i     (trap),
    .ls_checked_valid_i (ls_checked_valid_i),
    .ls_checked_slot_i  (ls_checked_slot_i),
    .ls_trap_valid_i    (ls_trap_valid_i),
    .ls_trap_i          (ls_trap_i),
    .dv_done_valid_i    (dv_done_valid_i),
    .dv_done_slot_i     (dv_done_slot_i),
    .dv_trap_valid_i    (dv_trap_valid_i),
    .dv_trap_i          (dv_trap_i),
    .all_quiet_i        (quiet == '1 && !recent_q && !ba_busy_i && (redo_q & ~bar) == '0),
    .tc_full_o          (order_full),
    .is_halt_o          (is_halt_o),
    .tc_drained_o       (is_drained_o),
    .is_trap_valid_o    (is_trap_valid_o),
    .is_trap_o          (is_trap_o)
  );

  // A warp that starts in this cycle is alive in the next: until then its block has not seen it begin.
  assign is_idle_o = ~alive & quiet & ~s1_here & ~recent_here_q;

  // ---- retire port and counters -------------------------------------------------------------------------------------------
  issue_tap u_tap (
    .clk_i              (clk_i),
    .rst_ni             (rst_ni),
    .fault_i            (fault_i),
    .part_i             (part_i),
    .is_valid_i         (commit && !redo),
    .is_active_i        (dv_q_active_i),
    .is_dhash_i         (dv_q_hash_i),
    .is_clock_i         (clock_i),
    .is_uop_i           (uop_q),
    .ret_issue_valid_o  (ret_issue_valid_o),
    .ret_issue_o        (ret_issue_o)
  );

  // What each warp is doing, or why it waits.
  issue_pkg::reasons_t reasons;
  always_comb begin
    // What the host reads after a trap, here or in another partition, is of the grid alone.
    reasons.alive   = is_trap_valid_o || (sm_halt_i && !is_halt_o && is_drained_o) ? '0 : alive;
    reasons.s1      = s1_here;
    reasons.pick    = pick;
    reasons.sync    = sync;
    reasons.there   = there;
    reasons.stalled = stalled | (ib_valid_i & blocked);
    reasons.no_cst  = no_cst;
    reasons.waits   = waits;
    reasons.drains  = drains;
    reasons.no_room = mem_out | (ib_valid_i & no_mem);
    reasons.issued  = commit && !redo;
    reasons.redone  = commit && redo;
    reasons.s1_go   = s1_go;
    reasons.s1_free = s1_free;
    reasons.run     = run;
  end

  issue_counters u_counters (
    .clk_i          (clk_i),
    .rst_ni         (rst_ni),
    .reasons_i      (reasons),
    .is_cnt_index_i (is_cnt_index_i),
    .is_cnt_o       (is_cnt_o)
  );

  // Fields that concern others.
  logic unused;
  assign unused = ^{ct_start_i, s1_head_q, kind, one_done, un_starved_i};

  // An instruction that drains finds nothing of its warp in memory.
  `ASSERT(a_drain, !(commit && s1_head_q.drain && mem_busy[s1_slot_q]))
  // What issues belongs to a live warp that waits for nothing.
  `ASSERT(a_alive, !commit || (alive[s1_slot_q] && !sync[s1_slot_q]))
  // Nothing but the result of a BAR.RED is handed on after a halt.
  `ASSERT(a_halt, !commit || !halt || (redo && is_red))

endmodule

`default_nettype wire
