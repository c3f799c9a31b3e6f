// SPDX-License-Identifier: Apache-2.0
// Issue: S0 selects a warp; S1 reads its instruction, predicates and divergence state, judges, and
// issues or traps.
// Latency: selected in t, judged in t+1; micro-op, control instruction and issue record stand in
// t+2. One instruction a cycle, of one warp too: while one stands in S1 its warp's next one is
// selected, unless it has to see what the first one does.
// Handshake: S1 waits until the operand stage can take the instruction (issue_commit).
// It does not read registers, move masks, or count barrier arrivals.
`include "heddle_assert.svh"

module issue #(
  parameter bit STRAPS = 1'b0   // 1: the launch chooses the scheduling policy; 0: the configuration does
) (
  input  logic                               clk_i,
  input  logic                               rst_ni,
  input  core_pkg::wipe_t                    wipe_i,
  input  logic [cfg_pkg::PART_W-1:0]         part_i,           // number of the partition: constant
  input  logic [7:0]                         sm_i,             // of the SM: constant
  input  logic [8:0]                         sms_i,            // how many SMs there are: constant
  // from the host
  input  logic                               go_i,             // event: a launch begins
  input  core_pkg::launch_t                  launch_i,
  input  logic                               its_i,
  input  logic [63:0]                        clock_i,          // cycles since go
  // from the dispatcher
  input  logic                               ct_start_valid_i,
  input  core_pkg::start_t                   ct_start_i,
  // from and to fetch, the instruction buffer, the constant prefetch
  input  front_pkg::place_t                  if_i,
  input  front_pkg::at_t                     if_at_i,
  input  issue_pkg::heads_t                  ib_heads_i,
  input  issue_pkg::entry_t                  ib_entry_i,
  input  issue_pkg::look_t                   ib_look_i,
  input  logic [cfg_pkg::WARPS-1:0]          if_flush_i,
  input  logic [cfg_pkg::WARPS-1:0]          cf_ready_i,
  input  front_pkg::const_t                  cf_i,
  input  logic [1:0][31:0]                   cf_data_i,
  output front_pkg::take_t                   is_take_o,
  output front_pkg::absent_t                 is_absent_o,
  output logic [cfg_pkg::WARP_W-1:0]         is_look_slot_o,
  // from and to the uniform datapath
  input  front_pkg::uniform_t                un_i,
  output front_pkg::uni_t                    is_uni_o,
  // to and from operand: what issues now, the micro-op; predicates of a beat
  output front_pkg::pre_t                    is_pre_o,
  output front_pkg::issued_t                 is_issued_o,
  output core_pkg::uop_t [core_pkg::READERS-1:0] is_uop_o,
  output core_pkg::uop_t                     is_new_o,         // that of the instruction that has issued a cycle ago
  input  front_pkg::operand_t                op_i,
  input  front_pkg::pred_read_t              op_pr_i,
  output logic [6:0][cfg_pkg::LANES-1:0]     pf_row_o,
  // from writeback and the load/store unit
  input  front_pkg::ends_t                   wb_ends_i,
  input  front_pkg::pred_write_t             wb_pred_i,
  input  front_pkg::checks_t                 ls_i,
  // to and from divergence: looked up a cycle ahead, and now
  output logic                               is_sel_valid_o,
  output front_pkg::look_t                   is_sel_o,
  output front_pkg::look_t                   is_q_o,
  input  front_pkg::paths_t                  dv_q_i,
  input  front_pkg::moved_t                  dv_i,
  input  front_pkg::control_trap_t           dv_trap_i,
  // to and from the barriers between warps
  output front_pkg::arrive_t                 is_bar_o,
  output logic                               is_bar_valid_o,
  input  front_pkg::answer_t                 ba_i,
  input  front_pkg::release_t                ba_release_i,
  // to and from the cache: fences
  output logic [cfg_pkg::WARPS-1:0]          is_want_o,
  input  logic [cfg_pkg::WARPS-1:0]          fence_ok_i,
  output front_pkg::fence_t                  is_fence_o,
  // to the dispatcher, to all
  output logic [cfg_pkg::WARPS-1:0]          is_idle_o,
  input  logic                               sm_halt_i,        // a trap somewhere in the SM
  output logic                               is_halt_o,        // here
  output logic                               is_drained_o,     // nothing left that could trap or write
  output logic                               is_trap_valid_o,
  output core_pkg::trap_t                    is_trap_o,
  // to the host's registers and the retire port
  input  logic [3:0]                         is_cnt_index_i,
  output logic [31:0]                        is_cnt_o,
  input  logic                               ret_ready_i,
  input  logic [63:0]                        ret_hash_i,    // of the warp that is asked for
  output logic                               ret_issue_valid_o,
  output retire_pkg::issue_t                 ret_issue_o
);

  localparam int unsigned WARPS = cfg_pkg::WARPS;

  stage_pkg::ends_t     ends;
  stage_pkg::state_t    state;
  stage_pkg::counts_t   counts;
  stage_pkg::full_t     full;
  stage_pkg::why_t      why;
  stage_pkg::s1_t       s1;
  stage_pkg::origin_t   origin;
  stage_pkg::lanes_t    lanes;
  stage_pkg::verdict_t  verdict;
  stage_pkg::again_t    again;
  stage_pkg::flow_t     flow;
  stage_pkg::act_t      act;
  stage_pkg::recent_t   recent;
  stage_pkg::begun_t    begun;
  core_pkg::trap_t      trap;
  logic [WARPS-1:0]     start, sb_hold, sb_waits, eligible, slow, wants, pick, sel, unchecked, refused;
  logic                 pick_free, above, all_quiet, tc_full, tc_halt, tc_over;

  assign start   = WARPS'(ct_start_valid_i) << core_pkg::local_slot(ct_start_i.slot);
  assign ends    = stage_pkg::ends_of(wb_ends_i, un_i);
  assign refused = s1.here & {WARPS{act.refused && !verdict.absent}};

  // ---- S0: which warps may, and which one does --------------------------------------------------
  issue_room u_room (
    .clk_i(clk_i), .rst_ni(rst_ni),
    .ib_heads_i(ib_heads_i), .wants_i(wants), .s1_i(s1), .commit_i(act.commit), .go_i(act.go),
    .op_i(op_i), .tc_full_i(tc_full), .un_starved_i(un_i.starved),
    .full_o(full)
  );

  scoreboard u_scoreboard (
    .clk_i(clk_i), .rst_ni(rst_ni), .enable_i(launch_i.scoreboard),
    .there_i(ib_heads_i.valid & ~ib_heads_i.fresh), .moves_i(is_take_o.sel | is_take_o.back | if_flush_i),
    .look_slot_o(is_look_slot_o), .look_i(ib_look_i),
    .here_i(s1.here), .slot_i(s1.slot), .dest_i(issue_pkg::dest_of(ib_entry_i.dec)), .alloc_i(act.go), .ends_i(ends),
    .sb_hold_o(sb_hold), .sb_waits_o(sb_waits)
  );

  issue_ready u_ready (
    .clk_i(clk_i), .rst_ni(rst_ni),
    .if_i(if_i), .ib_heads_i(ib_heads_i), .cf_ready_i(cf_ready_i),
    .state_i(state), .counts_i(counts), .sb_hold_i(sb_hold), .sb_waits_i(sb_waits), .fence_ok_i(fence_ok_i), .full_i(full),
    .s1_i(s1), .run_i(flow.run), .judged_i(flow.judged), .commit_i(act.commit), .redo_i(again.warps),
    .eligible_o(eligible), .slow_o(slow), .wants_o(wants), .why_o(why), .recent_o(recent), .want_o(is_want_o)
  );

  issue_select #(.STRAPS(STRAPS)) u_select (
    .clk_i(clk_i), .rst_ni(rst_ni), .part_i(part_i),
    .sched_i(launch_i.sched), .ct_start_valid_i(ct_start_valid_i), .ct_start_i(ct_start_i), .start_i(start),
    .eligible_i(eligible), .slow_i(slow), .ib_heads_i(ib_heads_i), .op_hold_i(op_i.hold), .flow_i(flow), .act_i(act),
    .pick_o(pick), .free_o(pick_free), .sel_o(sel),
    .is_sel_valid_o(is_sel_valid_o), .is_sel_o(is_sel_o), .is_q_o(is_q_o),
    .s1_o(s1), .origin_o(origin)
  );

  // ---- S1: its instruction, and the effect of that ----------------------------------------------
  issue_judge u_judge (
    .clk_i(clk_i), .wipe_i(wipe_i),
    .its_i(its_i), .code_base_i(launch_i.code_base), .fault_trap_i(launch_i.fault_trap),
    .at_i(if_at_i), .ib_entry_i(ib_entry_i), .cf_i(cf_i), .un_pred_i(un_i.pred),
    .wb_pred_i(wb_pred_i), .op_pr_i(op_pr_i), .pf_row_o(pf_row_o),
    .dv_q_i(dv_q_i), .ba_misuse_i(ba_i.misuse),
    .slot_i(s1.slot), .bad_i(s1.bad), .id_i(origin.id), .redo_i(again.redo),
    .lanes_o(lanes), .verdict_o(verdict), .trap_o(trap)
  );

  issue_commit u_commit (
    .clk_i(clk_i), .rst_ni(rst_ni), .start_i(start), .ret_ready_i(ret_ready_i), .halt_i(tc_halt),
    .ib_entry_i(ib_entry_i), .op_ready_i(op_i.ready[0]),
    .sel_i(sel), .valid_i(s1.valid), .slot_i(s1.slot), .here_i(s1.here), .exec_i(lanes.exec), .ps0_i(lanes.ps0),
    .verdict_i(verdict), .above_i(above),
    .ba_grant_i(ba_i.grant), .ba_release_i(ba_release_i), .bar_o(is_bar_o), .bar_valid_o(is_bar_valid_o),
    .again_o(again), .flow_o(flow), .act_o(act), .take_o(is_take_o), .absent_o(is_absent_o)
  );

  issue_uop u_uop (
    .clk_i(clk_i), .rst_ni(rst_ni), .sm_i(sm_i), .sms_i(sms_i), .clock_i(clock_i),
    .pc_i(if_at_i.pc), .ib_entry_i(ib_entry_i), .cf_data_i(cf_data_i), .members_i(dv_q_i.members),
    .s1_i(s1), .origin_i(origin), .lanes_i(lanes), .red_i(again.red),
    .judged_i(flow.judged), .commit_i(act.commit), .shown_i(act.shown), .go_i(act.go),
    .pre_o(is_pre_o), .issued_o(is_issued_o), .uop_o(is_uop_o), .new_o(is_new_o), .uni_o(is_uni_o), .op_ready_i(op_i.ready),
    .begun_o(begun), .fence_o(is_fence_o)
  );

  // ---- after that: the warps' state, traps, record and counters ---------------------------------
  warp_state u_state (
    .clk_i(clk_i), .rst_ni(rst_ni), .start_i(start),
    .s1_i(s1), .commit_i(act.commit), .go_i(act.go), .is_bar_i(verdict.arrives && !ib_entry_i.kind.arrive),
    .is_load_i(kind_pkg::uniform_load(ib_entry_i.dec)), .is_stall_i(ib_entry_i.dec.stall), .redo_i(again.warps),
    .recent_i(recent), .begun_i(begun),
    .op_i(op_i), .ends_i(ends), .unchecked_i(unchecked), .dv_i(dv_i), .dv_trap_i(dv_trap_i), .ba_release_i(ba_release_i),
    .state_o(state), .is_idle_o(is_idle_o), .all_quiet_o(all_quiet)
  );

  dep_counters u_dep (
    .clk_i(clk_i), .rst_ni(rst_ni), .start_i(start), .begun_i(begun), .op_i(op_i), .ends_i(ends),
    .counts_o(counts),
    .q_slot_i(s1.slot), .q_bar_i(isa_pkg::f_sbn(ib_entry_i.word)), .q_limit_i(isa_pkg::f_sbk(ib_entry_i.word)),
    .above_o(above), .refused_i(refused)
  );

  trap_ctl u_trap (
    .clk_i(clk_i), .rst_ni(rst_ni),
    .slot_i(s1.slot), .ordered_i(s1.head.ordered), .ctl_i(stage_pkg::is_ctl(s1.head)),
    .judged_i(flow.judged), .commit_i(act.commit), .precise_i(act.precise), .precise_trap_i(trap),
    .ls_i(ls_i), .dv_done_valid_i(dv_i.valid), .dv_done_slot_i(dv_i.slot), .dv_trap_i(dv_trap_i), .all_quiet_i(all_quiet), .pages_i(launch_i.pages), .sm_halt_i(sm_halt_i),
    .tc_full_o(tc_full), .tc_unchecked_o(unchecked), .tc_halt_o(tc_halt), .tc_over_o(tc_over),
    .is_halt_o(is_halt_o), .tc_drained_o(is_drained_o),
    .is_trap_valid_o(is_trap_valid_o), .is_trap_o(is_trap_o)
  );

  retire_issue u_retire (
    .clk_i(clk_i), .rst_ni(rst_ni), .part_i(part_i),
    .is_valid_i(act.shown), .is_active_i(dv_q_i.active), .ret_hash_i(ret_hash_i),
    .is_clock_i(clock_i), .is_uop_i(is_new_o),
    .ret_issue_valid_o(ret_issue_valid_o), .ret_issue_o(ret_issue_o)
  );

  issue_counters u_counters (
    .clk_i(clk_i), .rst_ni(rst_ni), .go_i(go_i),
    .alive_i(state.alive), .sync_i(state.sync), .why_i(why), .pick_i(pick), .pick_free_i(pick_free),
    .here_i(s1.here), .run_i(flow.run), .free_i(flow.free), .shown_i(act.shown), .commit_i(act.commit),
    .absent_i(is_absent_o.valid), .tc_over_i(tc_over),
    .is_cnt_index_i(is_cnt_index_i), .is_cnt_o(is_cnt_o)
  );

  // An instruction that drains finds nothing of its warp in memory.
  `ASSERT(a_drain, !(act.commit && s1.head.drain && state.mem_busy[s1.slot]))
  // What issues belongs to a live warp that waits for nothing.
  `ASSERT(a_alive, !act.commit || (state.alive[s1.slot] && !state.sync[s1.slot]))
  // Fixed pipes that share a place end one instruction at a time.
  `ASSERT(a_one_end, cfg_pkg::FIXED_ENDS == cfg_pkg::GROUPS || $onehot0(wb_ends_i.fixed_valid))

  // Fields that concern others.
  logic unused;
  assign unused = ^launch_i;

endmodule
