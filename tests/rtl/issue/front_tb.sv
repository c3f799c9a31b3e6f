// SPDX-License-Identifier: Apache-2.0
// Plain ports around `front`: structs taken apart, the configuration's numbers as outputs.
// Latency: none of its own.
// Handshake: that of `front`.
// It holds no state. Over 400 lines, since each port of `front` is there twice, structs field by field.
`include "heddle_assert.svh"

module front_tb (
  input  logic                                        clk_i,
  input  logic                                        rst_ni,
  // from the host
  input  logic [31:0]                                 launch_entry_pc_i,
  input  logic [31:0]                                 launch_code_bytes_i,
  input  logic [8:0]                                  launch_regs_i,
  input  logic [39:0]                                 launch_code_base_i,
  input  logic                                        launch_scoreboard_i,
  input  logic                                        launch_fault_trap_i,
  // from the mmu
  input  logic                                        mu_replay_i,
  input  logic                                        mu_fail_i,
  // from the dispatcher
  input  logic                                        ct_start_valid_i,
  input  logic [cfg_pkg::WARP_W-1:0]                  ct_start_slot_i,
  input  logic [7:0]                                  ct_start_gen_i,
  input  logic [15:0]                                 ct_start_rbase_i,
  input  logic [31:0]                                 ct_start_ctaid_x_i,
  input  logic [31:0]                                 ct_start_ctaid_y_i,
  input  logic [31:0]                                 ct_start_ctaid_z_i,
  // to and from the instruction cache
  output logic                                        if_req_valid_o,
  input  logic                                        if_req_ready_i,
  output logic [31:0]                                 if_req_pc_o,
  output logic [core_pkg::FETCH_TAG_W-1:0]            if_req_tag_o,
  input  logic                                        ic_rsp_valid_i,
  input  logic [cfg_pkg::FETCH_WORDS-1:0][127:0]      ic_rsp_word_i,
  output logic                                        if_req_lists_o,  // of its tag
  input  core_pkg::err_t                              ic_rsp_err_i,
  input  logic [core_pkg::FETCH_TAG_W-1:0]            ic_rsp_tag_i,
  // to and from the constant cache
  output logic                                        if_cst_valid_o,
  input  logic                                        if_cst_ready_i,
  output logic [4:0]                                  if_cst_bank_o,
  output logic [15:0]                                 if_cst_off_o,
  output logic [core_pkg::CST_TAG_W-1:0]              if_cst_tag_o,
  input  logic                                        cc_cst_valid_i,
  input  logic [31:0]                                 cc_cst_data_i,
  input  logic                                        cc_cst_range_i,
  output logic                                        if_cst_lists_o,
  input  core_pkg::err_t                              cc_cst_err_i,
  input  logic [core_pkg::CST_TAG_W-1:0]              cc_cst_tag_i,
  // to and from operand
  output logic                                        is_pre_valid_o,
  output logic [1:0]                                  is_valid_o,       // in front of each reader of operands
  output logic [1:0][7:0]                             is_slot_o,
  output logic [1:0][31:0]                            is_seq_o, is_pc_o, is_exec_o,
  output logic [1:0][63:0]                            is_word_lo_o,
  output logic                                        is_new_o,
  output logic [7:0]                                  uop_slot_o,
  output logic [7:0]                                  uop_gen_o,
  output logic [31:0]                                 uop_seq_o,
  output logic [31:0]                                 uop_pc_o,
  output logic                                        uop_short_o,
  output logic                                        uop_followed_o,
  output logic [63:0]                                 uop_word_lo_o,
  output logic [63:0]                                 uop_word_hi_o,
  output logic [31:0]                                 uop_exec_o,
  output logic [31:0]                                 uop_ps0_o,
  output logic [31:0]                                 uop_ps1_o,
  output logic [31:0]                                 uop_ps2_o,
  output logic [31:0]                                 uop_sval_o,
  output logic [31:0]                                 uop_sval_hi_o,
  output logic [15:0]                                 uop_rbase_o,
  input  logic [1:0]                                  op_ready_i,
  input  logic                                        op_hold_i,
  /* verilator lint_off UNUSEDSIGNAL */             // of a partition without units of its own, the first
  input  logic [1:0][1:0]                             op_leave_i,       // of memory's queue, of that of the partition's units
  /* verilator lint_on UNUSEDSIGNAL */
  input  logic [1:0]                                  op_disp_valid_i,  // of each reader
  input  logic [1:0][7:0]                             op_disp_slot_i,
  input  logic [1:0][2:0]                             op_disp_rbar_i,
  input  logic [1:0]                                  op_gone_i,        // of each row queue, or reader
  input  logic [1:0]                                  op_done_i,        // of each of two readers
  input  logic [1:0][7:0]                             op_gone_slot_i,
  // from writeback
  input  logic [2:0]                                  wb_done_valid_i,   // of each pipe; of one latency never two at once
  input  logic [2:0][cfg_pkg::WARP_W-1:0]             wb_done_slot_i,
  input  logic [2:0][2:0]                             wb_done_wbar_i,
  input  logic [2:0]                                  wb_done_has_rd_i,
  input  logic [2:0][7:0]                             wb_done_rd_i,
  input  logic [2:0][1:0]                             wb_done_rd_n_i,
  input  logic [2:0][2:0]                             wb_done_pd0_i,
  input  logic [2:0][2:0]                             wb_done_pd1_i,
  input  logic                                        wb_pred_valid_i,
  input  logic [cfg_pkg::WARP_W-1:0]                  wb_pred_slot_i,
  input  logic [4:0]                                  wb_pred_beat_i,
  input  logic [cfg_pkg::LANES-1:0]                   wb_pred_mask_i,
  input  logic [2:0]                                  wb_pred_pd0_i,
  input  logic [2:0]                                  wb_pred_pd1_i,
  input  logic [cfg_pkg::LANES-1:0]                   wb_pred_d0_i,
  input  logic [cfg_pkg::LANES-1:0]                   wb_pred_d1_i,
  // from the load/store unit
  input  logic                                        ls_checked_valid_i,
  input  logic [cfg_pkg::WARP_W-1:0]                  ls_checked_slot_i,
  // ... and from the units of the partition
  input  logic                                        lt_done_valid_i,
  input  logic [cfg_pkg::WARP_W-1:0]                  lt_done_slot_i,
  input  logic [2:0]                                  lt_done_wbar_i,
  input  logic                                        lt_done_has_rd_i,
  input  logic [7:0]                                  lt_done_rd_i,
  input  logic [1:0]                                  lt_done_rd_n_i,
  input  logic [2:0]                                  lt_done_pd0_i,
  input  logic [2:0]                                  lt_done_pd1_i,
  input  logic                                        ls_trap_valid_i,
  input  logic [3:0]                                  ls_trap_cause_i,
  input  logic [7:0]                                  ls_trap_slot_i,
  input  logic [7:0]                                  ls_trap_gen_i,
  input  logic [31:0]                                 ls_trap_seq_i,
  input  logic [31:0]                                 ls_trap_pc_i,
  input  logic [31:0]                                 ls_trap_lanes_i,
  input  logic [63:0]                                 ls_trap_addr_i,
  // to and from divergence
  output logic                                        is_ctl_valid_o,
  output logic                                        is_sel_valid_o,
  output logic [7:0]                                  is_sel_slot_o,
  output logic [cfg_pkg::WARP_W-1:0]                  is_q_slot_o,
  output logic [3:0]                                  is_q_bx_o,
  input  logic [31:0]                                 dv_q_active_i,
  input  logic [31:0]                                 dv_q_live_i,
  input  logic [63:0]                                 ret_hash_i,
  input  logic [31:0]                                 dv_q_members_i,
  input  logic [31:0]                                 dv_q_parked_i,
  input  logic [31:0]                                 dv_q_parkpc_i,
  input  logic                                        dv_done_valid_i,
  input  logic [cfg_pkg::WARP_W-1:0]                  dv_done_slot_i,
  input  logic                                        dv_done_redirect_i,
  input  logic                                        dv_done_moved_i,
  input  logic [31:0]                                 dv_done_pc_i,
  input  logic                                        dv_done_ended_i,
  input  logic                                        dv_trap_valid_i,
  input  logic [3:0]                                  dv_trap_cause_i,
  input  logic [7:0]                                  dv_trap_slot_i,
  input  logic [7:0]                                  dv_trap_gen_i,
  input  logic [31:0]                                 dv_trap_seq_i,
  input  logic [31:0]                                 dv_trap_pc_i,
  input  logic [31:0]                                 dv_trap_lanes_i,
  input  logic [63:0]                                 dv_trap_addr_i,
  // to and from the barrier unit
  output logic                                        is_bar_valid_o,
  output logic [cfg_pkg::WARP_W-1:0]                  is_bar_slot_o,
  output logic [3:0]                                  is_bar_id_o,
  output logic [11:0]                                 is_bar_count_o,
  output logic [1:0]                                  is_bar_kind_o,
  output logic [10:0]                                 is_bar_sum_o,
  output logic                                        is_bar_all_o,
  input  logic                                        ba_misuse_i,
  input  logic                                        ba_busy_i,
  input  logic [10:0]                                 ba_release_sum_i,
  input  logic                                        ba_release_all_i,
  input  logic                                        ba_release_valid_i,
  input  logic [cfg_pkg::WARPS-1:0]                   ba_release_warps_i,
  // to the dispatcher, to all
  output logic [cfg_pkg::WARPS-1:0]                   is_idle_o,
  output logic                                        is_halt_o,
  output logic                                        is_trap_valid_o,
  output logic [3:0]                                  is_trap_cause_o,
  output logic [7:0]                                  is_trap_slot_o,
  output logic [7:0]                                  is_trap_gen_o,
  output logic [31:0]                                 is_trap_seq_o,
  output logic [31:0]                                 is_trap_pc_o,
  output logic [31:0]                                 is_trap_lanes_o,
  output logic [63:0]                                 is_trap_addr_o,
  // to the host's registers
  input  logic [3:0]                                  is_cnt_index_i,
  output logic [31:0]                                 is_cnt_o,
  // to the retire port
  input  logic                                        ret_ready_i,
  output logic                                        ret_issue_valid_o,
  output logic [7:0]                                  ret_issue_slot_o,
  output logic [7:0]                                  ret_issue_gen_o,
  output logic [31:0]                                 ret_issue_seq_o,
  output logic [31:0]                                 ret_issue_pc_o,
  output logic [63:0]                                 ret_issue_word_lo_o,
  output logic [63:0]                                 ret_issue_word_hi_o,
  output logic [31:0]                                 ret_issue_active_o,
  output logic [31:0]                                 ret_issue_exec_o,
  output logic [31:0]                                 ret_issue_ps0_o,
  output logic [31:0]                                 ret_issue_ps1_o,
  output logic [31:0]                                 ret_issue_ps2_o,
  output logic [63:0]                                 ret_issue_dhash_o,
  output logic [63:0]                                 ret_issue_clock_o,
  output logic [63:0]                                 clock_o,
  output logic [7:0]                                   cfg_lanes_o,
  output logic [7:0]                                   cfg_beats_o,
  output logic [7:0]                                   cfg_warps_o,
  output logic [7:0]                                   cfg_latency_alu_o,
  output logic [7:0]                                   cfg_latency_fma_o,
  output logic [7:0]                                   cfg_latency_cvt_o,
  output logic [7:0]                                   cfg_ibuf_o,
  output logic [7:0]                                   cfg_collectors_o,
  output logic [7:0]                                   cfg_queues_o, cfg_readers_o,
  output logic [31:0]                                  cfg_units_o
);

  core_pkg::launch_t launch;
  core_pkg::start_t  start;
  core_pkg::uop_t    uop;
  core_pkg::uop_t [core_pkg::READERS-1:0] front;
  core_pkg::trap_t   ls_trap, dv_trap, is_trap;
  core_pkg::done_t   one, lt_done;
  logic [cfg_pkg::GROUPS-1:0]                        done_valid;
  logic [cfg_pkg::GROUPS-1:0][$bits(core_pkg::done_t)-1:0] done;
  front_pkg::operand_t    op;
  front_pkg::ends_t       ends;
  front_pkg::pred_write_t pred;
  front_pkg::checks_t     ls;
  front_pkg::paths_t      paths;
  front_pkg::moved_t      moved;
  front_pkg::control_trap_t control_trap;
  front_pkg::answer_t     answer;
  front_pkg::release_t    released;

  always_comb begin
    launch = '0;
    launch.entry_pc = launch_entry_pc_i;
    launch.code_bytes = launch_code_bytes_i;
    launch.regs = launch_regs_i;
    launch.code_base = launch_code_base_i;
    launch.scoreboard = launch_scoreboard_i;
    launch.pages = 1'b1;
    launch.fault_trap = launch_fault_trap_i;
    start  = '0;
    start.slot = ct_start_slot_i;
    start.gen = ct_start_gen_i;
    start.rbase = ct_start_rbase_i;
    start.ctaid_x = ct_start_ctaid_x_i;
    start.ctaid_y = ct_start_ctaid_y_i;
    start.ctaid_z = ct_start_ctaid_z_i;
    pred         = '0;
    pred.valid   = wb_pred_valid_i;
    pred.id.slot = wb_pred_slot_i;
    pred.beat    = wb_pred_beat_i;
    pred.mask    = wb_pred_mask_i;
    pred.pd0     = wb_pred_pd0_i;
    pred.pd1     = wb_pred_pd1_i;
    pred.d0      = wb_pred_d0_i;
    pred.d1      = wb_pred_d1_i;
    done_valid   = '0;
    done         = '0;
    for (int unsigned i = 0; i < 3; i++) begin
      one.preds  = 1'b0;   // the bench draws no R2P
      one.slot   = wb_done_slot_i[i];
      one.to.wbar   = wb_done_wbar_i[i];
      one.to.has_rd = wb_done_has_rd_i[i];
      one.to.rd     = wb_done_rd_i[i];
      one.to.rd_n   = wb_done_rd_n_i[i];
      one.to.pd0    = wb_done_pd0_i[i];
      one.to.pd1    = wb_done_pd1_i[i];
      one.to.uni    = 1'b0;
      one.load   = 1'b0;
      one.preds  = 1'b0;
      if (wb_done_valid_i[i]) begin
        done_valid[cfg_pkg::PIPE_GROUP[i]] = 1'b1;
        done[cfg_pkg::PIPE_GROUP[i]]      |= one;
      end
    end
    lt_done.slot   = lt_done_slot_i;
    lt_done.to.wbar   = lt_done_wbar_i;
    lt_done.to.has_rd = lt_done_has_rd_i;
    lt_done.to.rd     = lt_done_rd_i;
    lt_done.to.rd_n   = lt_done_rd_n_i;
    lt_done.to.pd0    = lt_done_pd0_i;
    lt_done.to.pd1    = lt_done_pd1_i;
    lt_done.preds  = 1'b0;
    lt_done.to.uni    = 1'b0;
    lt_done.load   = 1'b0;
    ls_trap.cause   = ls_trap_cause_i;
    ls_trap.id.slot = cfg_pkg::WARP_W'(ls_trap_slot_i);
    ls_trap.id.gen  = ls_trap_gen_i;
    ls_trap.id.seq  = ls_trap_seq_i;
    ls_trap.pc      = ls_trap_pc_i;
    ls_trap.lanes   = ls_trap_lanes_i;
    ls_trap.addr    = ls_trap_addr_i;
    dv_trap.cause   = dv_trap_cause_i;
    dv_trap.id.slot = cfg_pkg::WARP_W'(dv_trap_slot_i);
    dv_trap.id.gen  = dv_trap_gen_i;
    dv_trap.id.seq  = dv_trap_seq_i;
    dv_trap.pc      = dv_trap_pc_i;
    dv_trap.lanes   = dv_trap_lanes_i;
    dv_trap.addr    = dv_trap_addr_i;
    op.ready      = op_ready_i[core_pkg::READERS-1:0];
    op.hold       = op_hold_i;
    op.leave      = op_leave_i[kind_pkg::QUEUES-1:0];
    op.disp_valid = op_disp_valid_i[core_pkg::READERS-1:0];
    op.disp_rbar  = op_disp_rbar_i[core_pkg::READERS-1:0];
    for (int unsigned k = 0; k < core_pkg::READERS; k++) op.disp_slot[k] = cfg_pkg::WARP_W'(op_disp_slot_i[k]);
    op.gone       = op_gone_i[core_pkg::LINES-1:0];
    op.done       = op_done_i[core_pkg::LINES-1:0];
    for (int unsigned k = 0; k < core_pkg::LINES; k++) op.gone_slot[k] = cfg_pkg::WARP_W'(op_gone_slot_i[k]);
    ends = '{fixed_valid: done_valid, fixed: done, late_valid: lt_done_valid_i, late: lt_done};
    ls.checked_valid = ls_checked_valid_i;
    ls.checked_slot  = ls_checked_slot_i;
    ls.trap_valid    = ls_trap_valid_i;
    ls.trap          = ls_trap;
    paths.active  = dv_q_active_i;
    paths.live    = dv_q_live_i;
    paths.members = dv_q_members_i;
    paths.parked  = dv_q_parked_i;
    paths.parkpc  = dv_q_parkpc_i;
    moved.valid    = dv_done_valid_i;
    moved.slot     = dv_done_slot_i;
    moved.redirect = dv_done_redirect_i;
    moved.moved    = dv_done_moved_i;
    moved.ended    = dv_done_ended_i;
    moved.pc       = dv_done_pc_i;
    control_trap        = '{valid: dv_trap_valid_i, trap: dv_trap};
    answer = '{grant: 1'b1, misuse: ba_misuse_i};
    released.valid   = ba_release_valid_i;
    released.warps   = ba_release_warps_i;
    released.red.sum = ba_release_sum_i;
    released.red.all = ba_release_all_i;
    released.busy    = ba_busy_i;
  end

  assign if_req_lists_o = core_pkg::WANT_W != 0 && if_req_tag_o[core_pkg::FETCH_TAG_W-1];
  assign if_cst_lists_o = core_pkg::WANT_W != 0 && if_cst_tag_o[core_pkg::CST_TAG_W-1];
  always_comb begin
    {is_valid_o, is_slot_o, is_seq_o, is_pc_o, is_exec_o, is_word_lo_o} = '0;
    for (int unsigned k = 0; k < core_pkg::READERS; k++) begin
      is_valid_o[k]   = issued.valid[k];
      is_slot_o[k]    = 8'(front[k].id.slot);
      is_seq_o[k]     = front[k].id.seq;
      is_pc_o[k]      = front[k].pc;
      is_exec_o[k]    = front[k].exec;
      is_word_lo_o[k] = front[k].word[63:0];
    end
  end
  assign cfg_readers_o = 8'(core_pkg::READERS);
  assign uop_gen_o = uop.id.gen;
  assign uop_seq_o = uop.id.seq;
  assign uop_slot_o = 8'(uop.id.slot);
  assign {uop_word_hi_o, uop_word_lo_o} = uop.word;
  assign uop_pc_o = uop.pc;
  assign uop_short_o = uop.is_short;
  assign uop_followed_o = uop.followed;
  assign uop_exec_o = uop.exec;
  assign uop_ps0_o = uop.ps0;
  assign uop_ps1_o = uop.ps1;
  assign uop_ps2_o = uop.ps2;
  assign uop_sval_o = uop.sval;
  assign uop_sval_hi_o = uop.sval_hi;
  assign uop_rbase_o = uop.rbase;
  assign is_trap_cause_o = is_trap.cause;
  assign is_trap_slot_o = 8'(is_trap.id.slot);
  assign is_trap_gen_o = is_trap.id.gen;
  assign is_trap_seq_o = is_trap.id.seq;
  assign is_trap_pc_o = is_trap.pc;
  assign is_trap_lanes_o = is_trap.lanes;
  assign is_trap_addr_o = is_trap.addr;

  assign cfg_lanes_o       = 8'(cfg_pkg::LANES);
  assign cfg_beats_o       = 8'(cfg_pkg::BEATS);
  assign cfg_warps_o       = 8'(cfg_pkg::WARPS);
  assign cfg_latency_alu_o = 8'(cfg_pkg::LATENCY_ALU);
  assign cfg_latency_fma_o = 8'(cfg_pkg::LATENCY_FMA);
  assign cfg_latency_cvt_o = 8'(cfg_pkg::LATENCY_CVT);
  assign cfg_ibuf_o        = 8'(cfg_pkg::IBUF);
  assign cfg_collectors_o  = 8'(cfg_pkg::COLLECTORS);
  assign cfg_queues_o      = 8'(cfg_pkg::ROW_QUEUES);
  assign cfg_units_o       = 32'(kind_pkg::UNITS_THERE);

  logic unused_drained;
  logic [cfg_pkg::WARPS-1:0] unused_want;
  front_pkg::fence_t unused_fence;
  logic [6:0][cfg_pkg::LANES-1:0] unused_row;

  front u_front (
    .wipe_i('0),
    .clk_i                (clk_i),
    .rst_ni               (rst_ni),
    .part_i               ('0),
    .sm_i                 (8'd5),
    .sms_i                (9'd256),
    .go_i                 (1'b0),
    .launch_i             (launch),
    .clock_i              (clock_q),
    .ct_start_valid_i     (ct_start_valid_i),
    .ct_start_i           (start),
    .if_req_valid_o       (if_req_valid_o),
    .if_req_ready_i       (if_req_ready_i),
    .if_req_pc_o          (if_req_pc_o),
    .if_req_tag_o         (if_req_tag_o),
    .ic_rsp_valid_i       (ic_rsp_valid_i),
    .ic_rsp_i             ('{word: ic_rsp_word_i, err: ic_rsp_err_i}),
    .ic_rsp_tag_i         (ic_rsp_tag_i),
    .if_cst_valid_o       (if_cst_valid_o),
    .if_cst_ready_i       (if_cst_ready_i),
    .if_cst_o             ({if_cst_bank_o, if_cst_off_o}),
    .if_cst_tag_o         (if_cst_tag_o),
    .cc_cst_valid_i       (cc_cst_valid_i),
    .cc_cst_i             ('{data: cc_cst_data_i, range: cc_cst_range_i, err: cc_cst_err_i}),
    .cc_cst_tag_i         (cc_cst_tag_i),
    .mu_replay_i          (mu_replay_i),
    .mu_fail_i            (mu_fail_i),
    .is_pre_o             (pre),
    .is_issued_o          (issued),
    .is_uop_o             (front),
    .is_new_o             (uop),
    .op_i                 (op),
    .op_pr_i              ('0),
    .pf_row_o             (unused_row),
    .wb_ends_i            (ends),
    .wb_pred_i            (pred),
    .ls_i                 (ls),
    .is_sel_valid_o       (sel_valid),
    .is_sel_o             (sel),
    .is_q_o               (query),
    .dv_q_i               (paths),
    .dv_i                 (moved),
    .dv_trap_i            (control_trap),
    .is_bar_o             (arrive),
    .is_bar_valid_o       (is_bar_valid_o),
    .ba_i                 (answer),
    .ba_release_i         (released),
    .is_want_o            (unused_want),
    .fence_ok_i           ('1),
    .is_fence_o           (unused_fence),
    .is_idle_o            (is_idle_o),
    .sm_halt_i            (1'b0),
    .is_drained_o         (unused_drained),
    .is_halt_o            (is_halt_o),
    .is_trap_valid_o      (is_trap_valid_o),
    .is_trap_o            (is_trap),
    .is_cnt_index_i       (is_cnt_index_i),
    .is_cnt_o             (is_cnt_o),
    .ret_ready_i          (ret_ready_i),
    .ret_hash_i           (ret_hash_i),
    .ret_valid_o          (ret_valid),
    .ret_o                (ret),
    .lt_uni_valid_i       (1'b0),
    .lt_uni_ready_o       (unused_uni),
    .lt_uni_i             ('0)
  );
  // These machines have no uniform datapath.
  logic unused_uni;

  retire_pkg::front_valid_t ret_valid;
  retire_pkg::front_ret_t   ret;
  retire_pkg::issue_t       ret_issue;
  assign ret_issue           = ret.issue;
  assign ret_issue_valid_o   = ret_valid.issue;
  logic unused_ret;
  assign unused_ret = ^{ret_valid, ret};
  assign ret_issue_slot_o    = ret_issue.id.slot;
  assign ret_issue_gen_o     = ret_issue.id.gen;
  assign ret_issue_seq_o     = ret_issue.id.seq;
  assign ret_issue_pc_o      = ret_issue.pc;
  assign ret_issue_word_lo_o = ret_issue.word[63:0];
  assign ret_issue_word_hi_o = ret_issue.word[127:64];
  assign ret_issue_active_o  = ret_issue.active;
  assign ret_issue_exec_o    = ret_issue.exec;
  assign ret_issue_ps0_o     = ret_issue.ps[0];
  assign ret_issue_ps1_o     = ret_issue.ps[1];
  assign ret_issue_ps2_o     = ret_issue.ps[2];
  assign ret_issue_dhash_o   = ret_issue.dhash;
  assign ret_issue_clock_o   = ret_issue.clock;
  assign clock_o             = clock_q;

  // The low word overflows soon.
  logic [63:0] clock_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) clock_q <= 64'h0123_4567_ffff_fc00;
    else         clock_q <= clock_q + 64'd1;
  end

  front_pkg::arrive_t arrive;
  assign is_bar_slot_o  = arrive.slot;
  assign is_bar_kind_o  = arrive.bar.kind;
  assign is_bar_id_o    = arrive.bar.id;
  assign is_bar_count_o = arrive.bar.count;
  assign is_bar_sum_o   = arrive.bar.red.sum;
  assign is_bar_all_o   = arrive.bar.red.all;

  // A warp that arrives at a barrier has requested before.
  `ASSERT(a_ask, !is_bar_valid_o || arrive.ask)

  // The divergence request ahead is the one judged in the next cycle.
  logic             sel_valid, sel_valid_q;
  front_pkg::look_t sel, sel_q, query;
  always_ff @(posedge clk_i) begin
    sel_valid_q <= rst_ni && sel_valid;
    sel_q       <= sel;
  end
  `ASSERT(a_sel, !sel_valid_q || query == sel_q)

  assign is_sel_valid_o = sel_valid;
  assign is_sel_slot_o  = 8'(sel.slot);
  assign is_q_slot_o    = query.slot;
  assign is_q_bx_o      = query.bx;

  // An instruction that issues and reads operands is read from the next cycle on.
  front_pkg::pre_t    pre, pre_q;
  front_pkg::issued_t issued;
  logic               pre_valid_q;
  always_ff @(posedge clk_i) begin
    pre_valid_q <= rst_ni && pre.valid;
    pre_q       <= pre;
  end
  `ASSERT(a_pre, pre_valid_q == is_new_o && (!is_new_o || (is_valid_o != '0 && uop.id.slot == pre_q.slot && uop.dec == pre_q.dec
    && uop.rbase == pre_q.rbase)))

  assign is_pre_valid_o = pre.valid;
  assign is_new_o       = issued.first;
  assign is_ctl_valid_o = issued.ctl;

  // Fields that concern others.
  logic unused;
  assign unused = ^{uop, front, ret_issue, pre_q, ls_trap_slot_i, dv_trap_slot_i, op_gone_i, op_gone_slot_i, op_done_i, op_ready_i, op_disp_valid_i,
    op_disp_slot_i, op_disp_rbar_i};

endmodule
