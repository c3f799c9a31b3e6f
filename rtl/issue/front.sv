// SPDX-License-Identifier: Apache-2.0
// Front end of a partition: fetch, instruction buffer, constant prefetch, issue, the uniform
// datapath beside it.
// Latency: a word that arrives from the cache in cycle t may be selected in t+1 and stands at
// is_uop in t+3.
// Handshake: see rtl/README.md; ports are the nets of that table, together as front_pkg has them.
// It does not hold masks (divergence), barriers, or registers. A block diagram: there is no logic
// here.
module front #(
  parameter bit STRAPS = 1'b0   // 1: the launch chooses policy and divergence unit; 0: the configuration does
) (
  input  logic                                   clk_i,
  input  logic                                   rst_ni,
  input  core_pkg::wipe_t                        wipe_i,
  input  logic [cfg_pkg::PART_W-1:0]             part_i,
  input  logic [7:0]                             sm_i,          // number of the SM, how many there are: constant
  input  logic [8:0]                             sms_i,
  // from the host
  input  logic                                   go_i,          // event: a launch begins
  input  core_pkg::launch_t                      launch_i,
  input  logic [63:0]                            clock_i,       // cycles since go
  // from the dispatcher
  input  logic                                   ct_start_valid_i,
  input  core_pkg::start_t                       ct_start_i,
  // to and from the instruction cache
  output logic                                   if_req_valid_o,
  input  logic                                   if_req_ready_i,
  output logic [31:0]                            if_req_pc_o,
  output logic [core_pkg::FETCH_TAG_W-1:0]       if_req_tag_o,
  input  logic                                   ic_rsp_valid_i,
  input  sm_pkg::group_t                         ic_rsp_i,
  input  logic [core_pkg::FETCH_TAG_W-1:0]       ic_rsp_tag_i,
  // to and from the constant cache
  output logic                                   if_cst_valid_o,
  input  logic                                   if_cst_ready_i,
  output sm_pkg::const_at_t                      if_cst_o,
  output logic [core_pkg::CST_TAG_W-1:0]         if_cst_tag_o,
  input  logic                                   cc_cst_valid_i,
  input  sm_pkg::const_word_t                    cc_cst_i,
  input  logic [core_pkg::CST_TAG_W-1:0]         cc_cst_tag_i,
  // from the mmu, where there is one: pages may have come, or (with it) will not
  input  logic                                   mu_replay_i,
  input  logic                                   mu_fail_i,
  // to and from operand
  output front_pkg::pre_t                        is_pre_o,
  output front_pkg::issued_t                     is_issued_o,
  output core_pkg::uop_t [core_pkg::READERS-1:0] is_uop_o,
  output core_pkg::uop_t                         is_new_o,      // to divergence: what has issued a cycle ago
  input  front_pkg::operand_t                    op_i,
  input  front_pkg::pred_read_t                  op_pr_i,
  output logic [6:0][cfg_pkg::LANES-1:0]         pf_row_o,      // a cycle later
  // from writeback and the load/store unit
  input  front_pkg::ends_t                       wb_ends_i,
  input  front_pkg::pred_write_t                 wb_pred_i,
  input  front_pkg::checks_t                     ls_i,
  // from and to back: late uniform results
  input  logic                                   lt_uni_valid_i,
  output logic                                   lt_uni_ready_o,
  input  exec_pkg::uni_write_t                        lt_uni_i,
  // to and from divergence
  output logic                                   is_sel_valid_o,
  output front_pkg::look_t                       is_sel_o,      // a cycle ahead
  output front_pkg::look_t                       is_q_o,
  input  front_pkg::paths_t                      dv_q_i,
  input  front_pkg::moved_t                      dv_i,
  input  front_pkg::control_trap_t               dv_trap_i,
  // to and from the barriers between warps
  output front_pkg::arrive_t                     is_bar_o,
  output logic                                   is_bar_valid_o,
  input  front_pkg::answer_t                     ba_i,
  input  front_pkg::release_t                    ba_release_i,
  // to and from the cache: fences
  output logic [cfg_pkg::WARPS-1:0]              is_want_o,
  input  logic [cfg_pkg::WARPS-1:0]              fence_ok_i,
  output front_pkg::fence_t                      is_fence_o,
  // to the dispatcher, to all
  output logic [cfg_pkg::WARPS-1:0]              is_idle_o,
  input  logic                                   sm_halt_i,
  output logic                                   is_halt_o,
  output logic                                   is_drained_o,
  output logic                                   is_trap_valid_o,
  output core_pkg::trap_t                        is_trap_o,
  // to the host's registers
  input  logic [3:0]                             is_cnt_index_i,
  output logic [31:0]                            is_cnt_o,
  // to the retire port; the hash of the warp that is asked for (retire_hash)
  input  logic                                   ret_ready_i,
  input  logic [63:0]                            ret_hash_i,
  output retire_pkg::front_valid_t               ret_valid_o,
  output retire_pkg::front_ret_t                 ret_o
);

  // The strap of the divergence unit: a machine without `its` ignores it.
  localparam bit ITS = cfg_pkg::HAS_ITS || STRAPS;

  issue_pkg::push_t                             if_push;
  logic                                         if_followed;
  logic [cfg_pkg::WARPS-1:0]                    if_flush, if_wants;
  front_pkg::absent_t                           is_absent;
  front_pkg::place_t                            place;
  front_pkg::at_t                               at;
  issue_pkg::jump_t                             ib_jump;
  issue_pkg::want_t                             ib_cst;
  issue_pkg::heads_t                            ib_heads;
  logic [cfg_pkg::IBUF-1:0][cfg_pkg::WARPS-1:0] ib_at;
  issue_pkg::entry_t                            ib_entry;
  logic [issue_pkg::IDX_W-1:0]                  ib_s1_index;
  logic [cfg_pkg::WARPS-1:0]                    cf_ready;
  front_pkg::const_t                            cf;
  logic [1:0][31:0]                             cf_data;
  front_pkg::take_t                             is_take;
  logic [cfg_pkg::WARP_W-1:0]                   is_look_slot;
  issue_pkg::look_t                             ib_look;
  front_pkg::uni_t                              is_uni;
  front_pkg::uniform_t                          un;
  core_pkg::uop_t [core_pkg::READERS-1:0]       is_uop;

  fetch u_fetch (
    .clk_i(clk_i), .rst_ni(rst_ni),
    .entry_pc_i         (launch_i.entry_pc),
    .code_bytes_i       (launch_i.code_bytes),
    .code_base_i        (launch_i.code_base),
    .ct_start_valid_i   (ct_start_valid_i),
    .ct_start_slot_i    (core_pkg::local_slot(ct_start_i.slot)),
    .dv_i               (dv_i),
    .if_req_valid_o     (if_req_valid_o),
    .if_req_ready_i     (if_req_ready_i),
    .if_req_pc_o        (if_req_pc_o),
    .if_req_tag_o       (if_req_tag_o),
    .ic_rsp_valid_i     (ic_rsp_valid_i),
    .ic_rsp_word_i      (ic_rsp_i.word),
    .ic_rsp_err_i       (ic_rsp_i.err),
    .ic_rsp_tag_i       (ic_rsp_tag_i),
    .if_push_o          (if_push),
    .if_followed_o      (if_followed),
    .if_flush_o         (if_flush),
    .ib_jump_i          (ib_jump),
    .is_halt_i          (is_halt_o || sm_halt_i),
    .is_pop_i           (is_take.pop),
    .ib_short_i         (ib_entry.is_short),
    .if_place_o         (place),
    .is_q_slot_i        (is_q_o.slot),
    .if_at_o            (at),
    .mu_replay_i        (mu_replay_i),
    .mu_fail_i          (mu_fail_i),
    .is_sel_i           (is_take.sel),
    .is_absent_i        (is_absent),
    .if_wants_o         (if_wants)
  );

  ibuf u_ibuf (
    .clk_i(clk_i), .rst_ni(rst_ni),
    .regs_i          (launch_i.regs),
    .its_i           (ITS && launch_i.its),
    .if_push_i       (if_push),
    .if_followed_i   (if_followed),
    .if_flush_i      (if_flush),
    .ib_jump_o       (ib_jump),
    .ib_cst_o        (ib_cst),
    .ib_at_o         (ib_at),
    .ib_heads_o      (ib_heads),
    .ib_entry_o      (ib_entry),
    .ib_look_o       (ib_look),
    .is_take_i       (is_take),
    .is_s1_slot_i    (is_q_o.slot),
    .is_look_slot_i  (is_look_slot),
    .ib_s1_index_o   (ib_s1_index)
  );

  const_fetch u_const_fetch (
    .clk_i(clk_i), .rst_ni(rst_ni),
    .ib_cst_i       (ib_cst),
    .ib_at_i        (ib_at),
    .if_flush_i     (if_flush),
    .if_wants_i     (if_wants),
    .if_cst_valid_o (if_cst_valid_o),
    .if_cst_ready_i (if_cst_ready_i),
    .if_cst_o       (if_cst_o),
    .if_cst_tag_o   (if_cst_tag_o),
    .cc_cst_valid_i (cc_cst_valid_i),
    .cc_cst_i       (cc_cst_i),
    .cc_cst_tag_i   (cc_cst_tag_i),
    .is_s1_slot_i   (is_q_o.slot),
    .ib_s1_index_i  (ib_s1_index),
    .cf_ready_o     (cf_ready),
    .cf_data_o      (cf_data),
    .cf_o           (cf)
  );

  issue #(.STRAPS(STRAPS)) u_issue (
    .clk_i(clk_i), .rst_ni(rst_ni), .wipe_i(wipe_i), .part_i(part_i), .sm_i(sm_i), .sms_i(sms_i),
    .go_i(go_i), .launch_i(launch_i), .its_i(ITS && launch_i.its), .clock_i(clock_i),
    .ct_start_valid_i(ct_start_valid_i), .ct_start_i(ct_start_i),
    .if_i(place), .if_at_i(at), .ib_heads_i(ib_heads), .ib_entry_i(ib_entry), .ib_look_i(ib_look), .if_flush_i(if_flush),
    .cf_ready_i(cf_ready), .cf_i(cf), .cf_data_i(cf_data),
    .is_take_o(is_take), .is_absent_o(is_absent), .is_look_slot_o(is_look_slot),
    .un_i(un), .is_uni_o(is_uni),
    .is_pre_o(is_pre_o), .is_issued_o(is_issued_o), .is_uop_o(is_uop), .is_new_o(is_new_o), .op_i(op_i),
    .op_pr_i(op_pr_i), .pf_row_o(pf_row_o),
    .wb_ends_i(wb_ends_i), .wb_pred_i(wb_pred_i), .ls_i(ls_i),
    .is_sel_valid_o(is_sel_valid_o), .is_sel_o(is_sel_o), .is_q_o(is_q_o),
    .dv_q_i(dv_q_i), .dv_i(dv_i), .dv_trap_i(dv_trap_i),
    .is_bar_o(is_bar_o), .is_bar_valid_o(is_bar_valid_o), .ba_i(ba_i), .ba_release_i(ba_release_i),
    .is_want_o(is_want_o), .fence_ok_i(fence_ok_i), .is_fence_o(is_fence_o),
    .is_idle_o(is_idle_o),
    .sm_halt_i(sm_halt_i), .is_halt_o(is_halt_o), .is_drained_o(is_drained_o),
    .is_trap_valid_o(is_trap_valid_o), .is_trap_o(is_trap_o),
    .is_cnt_index_i(is_cnt_index_i), .is_cnt_o(is_cnt_o),
    .ret_ready_i(ret_ready_i), .ret_hash_i(ret_hash_i), .ret_issue_valid_o(ret_valid_o.issue), .ret_issue_o(ret_o.issue)
  );

  issue_uniform u_uniform (
    .clk_i(clk_i), .rst_ni(rst_ni), .wipe_i(wipe_i), .part_i(part_i),
    .is_s1_slot_i(is_q_o.slot), .is_uni_i(is_uni), .ib_dec_i(ib_entry.dec),
    .is_issued_i(is_issued_o), .is_uop_i(is_uop), .un_o(un), .un_uop_o(is_uop_o),
    .lt_uni_valid_i(lt_uni_valid_i), .lt_uni_ready_o(lt_uni_ready_o), .lt_uni_i(lt_uni_i),
    .ret_uniform_read_valid_o  (ret_valid_o.uniform_read),
    .ret_uniform_read_o        (ret_o.uniform_read),
    .ret_uniform_write_valid_o (ret_valid_o.uniform_write),
    .ret_uniform_write_o       (ret_o.uniform_write)
  );

endmodule
