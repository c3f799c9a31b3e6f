// SPDX-License-Identifier: Apache-2.0
// One streaming multiprocessor: its partitions and what they share. Read the instances as a block diagram, the nets as
// rtl/README.md names them; p_ are the nets of the partitions, one of each.
// Latency: none of its own.
// Handshake: rtl/README.md. go_i starts a grid, grid_done_o ends it; a trap shows on is_trap_valid_o until reset.
// A block diagram: beside the instances there are sums, and bits of warps in another order.
module sm #(
  parameter bit STRAPS = 1'b0          // 1: the launch chooses scheduling policy and divergence unit; 0: the configuration does
) (
  input  logic                                                 clk_i,
  input  logic                                                 rst_ni,
  input  core_pkg::wipe_t                                      wipe_i,
  input  logic [7:0]                                           sm_i,      // number of this SM: constant
  input  logic [8:0]                                           sms_i,     // how many there are: constant
  // from and to the host
  input  core_pkg::launch_t                                    launch_i,
  input  logic [63:0]                                          clock_i,   // cycles since go
  output logic [3:0]                                           region_index_o,
  input  logic [39:0]                                          region_base_i,
  input  logic [40:0]                                          region_limit_i,
  input  logic                                                 go_i,
  output logic                                                 busy_o,
  output logic                                                 grid_done_o,
  output logic [3:0]                                           ct_refuse_o,
  output logic                                                 ct_begin_o,
  output logic                                                 ct_ask_o,
  input  logic                                                 gb_valid_i,
  input  logic [2:0][31:0]                                     gb_ctaid_i,
  input  logic                                                 gb_over_i,
  output logic                                                 ct_take_o,
  input  logic                                                 gpu_halt_i,   // a trap in another SM
  output logic                                                 is_halt_o,
  output logic                                                 is_drained_o,
  output logic                                                 is_trap_valid_o,
  output core_pkg::trap_t                                      is_trap_o,
  input  logic                                                 trap_won_i,   // it counts, and is shown
  input  logic [3:0]                                           is_cnt_index_i,
  input  logic                                                 is_cnt_cache_i,   // of the cache's counters
  output logic [31:0]                                          is_cnt_o,
  output sm_pkg::blocks_t                                      ct_blk_o,         // blocks that begin and end
  // to and from memory: the request channel (line_pkg)
  output line_pkg::sent_t                                     ch_o,
  output line_pkg::note_t                                     note_o,
  input  line_pkg::got_t                                      ch_i,
  // from and to the mmu: 0 of global memory, 1 of code and constants
  output logic [1:0]                                           tl_ask_valid_o,
  input  logic [1:0]                                           mu_ask_ready_i,
  output mmu_pkg::ask_t [1:0]                                  tl_ask_o,
  input  logic [1:0]                                           mu_answer_valid_i,
  input  mmu_pkg::answer_t                                     mu_answer_i,
  input  mmu_pkg::news_t                                       mu_news_i,
  output logic [1:0]                                           tl_forgotten_o,
  output logic                                                 tl_quiet_o,         // nothing is translated, nor will be before a warp asks
  // retire port
  input  logic                                                 ret_ready_i,
  output retire_pkg::sm_valid_t                                    ret_valid_o,
  output retire_pkg::sm_ret_t                                      ret_o
);

  localparam int unsigned PARTS = cfg_pkg::PARTITIONS;

  // from the partitions, one of each
  logic [PARTS-1:0]                                    p_if_req_valid;
  logic [PARTS-1:0][31:0]                              p_if_req_pc;
  logic [PARTS-1:0][core_pkg::FETCH_TAG_W-1:0]         p_if_req_tag;
  logic [PARTS-1:0]                                    p_if_cst_valid;
  sm_pkg::const_at_t [PARTS-1:0]                       p_if_cst;
  logic [PARTS-1:0][core_pkg::CST_TAG_W-1:0]           p_if_cst_tag;
  logic [PARTS-1:0]                                    p_op_req_valid;
  core_pkg::memreq_t [PARTS-1:0]                       p_op_req;
  logic [PARTS-1:0]                                    p_ls_late_ready;
  logic [PARTS-1:0]                                    p_is_bar_ask;
  logic [PARTS-1:0]                                    p_is_bar_valid;
  logic [PARTS-1:0][cfg_pkg::SM_WARP_W-1:0]            p_is_bar_slot;
  core_pkg::bar_t [PARTS-1:0]                          p_is_bar;
  logic [PARTS-1:0][cfg_pkg::WARPS-1:0]                p_is_ended;
  logic [PARTS-1:0][cfg_pkg::WARPS-1:0]                p_is_idle;
  logic [PARTS-1:0][cfg_pkg::WARPS-1:0]                p_is_want;
  front_pkg::fence_t [PARTS-1:0]                       p_is_fence;
  logic [PARTS-1:0]                                    p_is_halt;
  logic [PARTS-1:0]                                    p_is_drained;
  logic [PARTS-1:0]                                    p_is_trap_valid;
  core_pkg::trap_t [PARTS-1:0]                         p_is_trap;
  logic [PARTS-1:0][31:0]                              p_is_cnt;
  // to the partitions, one of each
  logic [PARTS-1:0]                                    p_if_req_ready, p_ic_rsp_valid, p_if_cst_ready, p_cc_cst_valid;
  logic [PARTS-1:0]                                    p_op_req_ready, p_ba_grant;
  logic [PARTS-1:0][cfg_pkg::WARPS-1:0]                p_fence_ok, p_ba_warps;
  // from the dispatcher
  logic                                                ct_start_valid, ct_tid_valid;
  core_pkg::start_t                                    ct_start;
  sm_pkg::tid_t                                        ct_tid;
  // to and from the caches
  logic                                                if_req_valid, if_req_ready, ic_rsp_valid;
  logic [31:0]                                         if_req_pc;
  logic [core_pkg::SM_FETCH_TAG_W-1:0]                 if_req_tag, ic_rsp_tag;
  sm_pkg::group_t                                      ic_rsp;
  logic [core_pkg::FETCH_TAG_W-1:0]                    ic_rsp_own;   // the tag without the partition
  logic                                                if_cst_valid, if_cst_ready, cc_cst_valid;
  sm_pkg::const_at_t                                   if_cst;
  logic [core_pkg::SM_CST_TAG_W-1:0]                   if_cst_tag, cc_cst_tag;
  sm_pkg::const_word_t                                 cc_cst;
  logic [core_pkg::CST_TAG_W-1:0]                      cc_cst_own;
  // to and from the load/store unit
  logic                                                op_req_valid, op_req_ready, ls_late_valid, ls_late_ready;
  core_pkg::memreq_t                                   op_req;
  core_pkg::late_t                                     ls_late;
  sm_pkg::checks_t                                     ls;
  // to and from the barriers; of all warps
  logic                                                bt_pick, bt_ask, bt_valid, ba_misuse, ba_hold;
  logic [cfg_pkg::SM_WARP_W-1:0]                       bt_slot;
  core_pkg::bar_t                                      bt_bar;
  sm_pkg::release_t                                    ba_release;
  logic [cfg_pkg::SM_WARPS-1:0]                        is_idle, is_ended, is_want, fence_ok;
  logic                                                sm_halt;
  // between the load/store unit and the cache: the request channel
  line_pkg::sent_t                                     mt_sent;
  line_pkg::lsu_got_t                                  mt_got;
  line_pkg::note_t                                     mt_note;
  logic [31:0]                                         l1_cnt;

  // ---- partitions ------------------------------------------------------------------------------------------------------
  for (genvar p = 0; p < PARTS; p++) begin : gen_partition
    partition #(.STRAPS(STRAPS)) u_partition (
      .clk_i(clk_i), .rst_ni(rst_ni), .wipe_i(wipe_i), .sm_i(sm_i), .sms_i(sms_i),
      .part_i             (cfg_pkg::PART_W'(p)),
      .go_i               (go_i),
      .launch_i           (launch_i),
      .clock_i            (clock_i),
      .ct_start_valid_i   (ct_start_valid),
      .ct_start_i         (ct_start),
      .ct_tid_valid_i     (ct_tid_valid),
      .ct_tid_i           (ct_tid),
      .if_req_valid_o     (p_if_req_valid[p]),
      .if_req_ready_i     (p_if_req_ready[p]),
      .if_req_pc_o        (p_if_req_pc[p]),
      .if_req_tag_o       (p_if_req_tag[p]),
      .ic_rsp_valid_i     (p_ic_rsp_valid[p]),
      .ic_rsp_i           (ic_rsp),
      .ic_rsp_tag_i       (ic_rsp_own),
      .if_cst_valid_o     (p_if_cst_valid[p]),
      .if_cst_ready_i     (p_if_cst_ready[p]),
      .if_cst_o           (p_if_cst[p]),
      .if_cst_tag_o       (p_if_cst_tag[p]),
      .cc_cst_valid_i     (p_cc_cst_valid[p]),
      .cc_cst_i           (cc_cst),
      .cc_cst_tag_i       (cc_cst_own),
      .mu_replay_i        (mu_news_i.replay),
      .mu_fail_i          (mu_news_i.fail),
      .op_req_valid_o     (p_op_req_valid[p]),
      .op_req_ready_i     (p_op_req_ready[p]),
      .op_req_o           (p_op_req[p]),
      .ls_i               (ls),
      .ls_late_valid_i    (ls_late_valid),
      .ls_late_ready_o    (p_ls_late_ready[p]),
      .ls_late_i          (ls_late),
      .is_bar_ask_o       (p_is_bar_ask[p]),
      .ba_grant_i         (p_ba_grant[p]),
      .ba_misuse_i        (ba_misuse),
      .is_bar_valid_o     (p_is_bar_valid[p]),
      .is_bar_slot_o      (p_is_bar_slot[p]),
      .is_bar_o           (p_is_bar[p]),
      .is_ended_o         (p_is_ended[p]),
      .ba_release_i       ('{valid: ba_release.valid, warps: p_ba_warps[p], red: ba_release.red, busy: ba_release.busy}),
      .is_want_o          (p_is_want[p]),
      .fence_ok_i         (p_fence_ok[p]),
      .is_fence_o         (p_is_fence[p]),
      .is_idle_o          (p_is_idle[p]),
      .sm_halt_i          (sm_halt),
      .is_halt_o          (p_is_halt[p]),
      .is_drained_o       (p_is_drained[p]),
      .is_trap_valid_o    (p_is_trap_valid[p]),
      .is_trap_o          (p_is_trap[p]),
      .is_cnt_index_i     (is_cnt_index_i),
      .is_cnt_o           (p_is_cnt[p]),
      .ret_ready_i        (ret_ready_i),
      .ret_front_valid_o  (ret_valid_o.front[p]),
      .ret_front_o        (ret_o.front[p]),
      .ret_back_valid_o   (ret_valid_o.back[p]),
      .ret_back_o         (ret_o.back[p])
    );
  end

  assign is_idle    = sm_pkg::sm_warps(p_is_idle);
  assign is_ended   = sm_pkg::sm_warps(p_is_ended);
  assign is_want    = sm_pkg::sm_warps(p_is_want);
  assign p_fence_ok = sm_pkg::part_warps(fence_ok);
  assign p_ba_warps = sm_pkg::part_warps(ba_release.warps);

  // A late result is for the partition of its warp.
  assign ls_late_ready = p_ls_late_ready != '0;

  // ---- what they share: the caches' ports, the load/store unit, barriers, traps, counters ---------------------------------
  share_req #(.N(PARTS), .WIDTH(32), .TAG_W(core_pkg::FETCH_TAG_W)) u_share_fetch (
    .clk_i(clk_i), .rst_ni(rst_ni),
    .req_valid_i (p_if_req_valid),
    .req_ready_o (p_if_req_ready),
    .req_i       (p_if_req_pc),
    .req_tag_i   (p_if_req_tag),
    .valid_o     (if_req_valid),
    .ready_i     (if_req_ready),
    .req_o       (if_req_pc),
    .req_tag_o   (if_req_tag),
    .rsp_valid_i (ic_rsp_valid),
    .rsp_tag_i   (ic_rsp_tag),
    .rsp_valid_o (p_ic_rsp_valid),
    .rsp_tag_o   (ic_rsp_own)
  );

  share_req #(.N(PARTS), .WIDTH($bits(sm_pkg::const_at_t)), .TAG_W(core_pkg::CST_TAG_W)) u_share_cst (
    .clk_i(clk_i), .rst_ni(rst_ni),
    .req_valid_i (p_if_cst_valid),
    .req_ready_o (p_if_cst_ready),
    .req_i       (p_if_cst),
    .req_tag_i   (p_if_cst_tag),
    .valid_o     (if_cst_valid),
    .ready_i     (if_cst_ready),
    .req_o       (if_cst),
    .req_tag_o   (if_cst_tag),
    .rsp_valid_i (cc_cst_valid),
    .rsp_tag_i   (cc_cst_tag),
    .rsp_valid_o (p_cc_cst_valid),
    .rsp_tag_o   (cc_cst_own)
  );

  // A turn is an instruction: all its rows, one after the other.
  stream_arb #(.N(PARTS), .WIDTH($bits(core_pkg::memreq_t))) u_share_mem (
    .clk_i(clk_i), .rst_ni(rst_ni),
    .valid_i (p_op_req_valid),
    .ready_o (p_op_req_ready),
    .data_i  (p_op_req),
    .valid_o (op_req_valid),
    .ready_i (op_req_ready),
    .last_i  (op_req.row == 5'(cfg_pkg::LSU_BEATS - 1)),
    .data_o  (op_req),
    .sel_o   ()
  );

  barrier_turn #(.N(PARTS)) u_barrier_turn (
    .clk_i(clk_i), .rst_ni(rst_ni),
    .is_bar_ask_i   (p_is_bar_ask),
    .is_bar_valid_i (p_is_bar_valid),
    .is_bar_slot_i  (p_is_bar_slot),
    .is_bar_i       (p_is_bar),
    .ba_grant_o     (p_ba_grant),
    .ba_hold_i      (ba_hold),
    .bt_pick_o      (bt_pick),
    .bt_ask_o       (bt_ask),
    .bt_valid_o     (bt_valid),
    .bt_slot_o      (bt_slot),
    .bt_bar_o       (bt_bar)
  );

  barrier u_barrier (
    .clk_i(clk_i), .rst_ni(rst_ni),
    .ct_blk_start_valid_i (ct_blk_o.start_valid),
    .ct_blk_start_bslot_i (ct_blk_o.bslot),
    .ct_blk_start_warps_i (ct_blk_o.warps),
    .bt_pick_i            (bt_pick),
    .bt_ask_i             (bt_ask),
    .bt_valid_i           (bt_valid),
    .bt_slot_i            (bt_slot),
    .bt_bar_i             (bt_bar),
    .is_ended_i           (is_ended),
    .ba_misuse_o          (ba_misuse),
    .ba_hold_o            (ba_hold),
    .ba_busy_o            (ba_release.busy),
    .ba_release_valid_o   (ba_release.valid),
    .ba_release_bslot_o   (ba_release.bslot),
    .ba_release_id_o      (ba_release.id),
    .ba_release_warps_o   (ba_release.warps),
    .ba_release_red_o     (ba_release.red)
  );

  sm_trap #(.N(PARTS)) u_trap (
    .clk_i(clk_i), .rst_ni(rst_ni),
    .is_halt_i       (p_is_halt),
    .is_drained_i    (p_is_drained),
    .is_trap_valid_i (p_is_trap_valid),
    .is_trap_i       (p_is_trap),
    .gpu_halt_i      (gpu_halt_i),
    .sm_halt_o       (sm_halt),
    .own_halt_o      (is_halt_o),
    .drained_o       (is_drained_o),
    .sm_trap_valid_o (is_trap_valid_o),
    .sm_trap_o       (is_trap_o)
  );

  // Each is the sum of the partitions', or the cache's.
  always_comb begin
    is_cnt_o = '0;
    for (int unsigned p = 0; p < PARTS; p++) is_cnt_o += p_is_cnt[p];
    if (is_cnt_cache_i) is_cnt_o = l1_cnt;
  end

  // ---- thread block dispatcher -----------------------------------------------------------------------------------------
  cta_dispatch u_cta_dispatch (
    .clk_i(clk_i), .rst_ni(rst_ni),
    .launch_i                (launch_i),
    .go_i                    (go_i),
    .busy_o                  (busy_o),
    .grid_done_o             (grid_done_o),
    .ct_refuse_o             (ct_refuse_o),
    .ct_begin_o              (ct_begin_o),
    .ct_ask_o                (ct_ask_o),
    .gb_valid_i              (gb_valid_i),
    .gb_ctaid_i              (gb_ctaid_i),
    .gb_over_i               (gb_over_i),
    .ct_take_o               (ct_take_o),
    .is_idle_i               (is_idle),
    .is_halt_i               (p_is_halt),
    .sm_halt_i               (sm_halt),
    .ct_tid_valid_o          (ct_tid_valid),
    .ct_tid_slot_o           (ct_tid.slot),
    .ct_tid_beat_o           (ct_tid.beat),
    .ct_tid_x_o              (ct_tid.x),
    .ct_tid_y_o              (ct_tid.y),
    .ct_tid_z_o              (ct_tid.z),
    .ct_start_valid_o        (ct_start_valid),
    .ct_start_o              (ct_start),
    .ct_blk_start_valid_o    (ct_blk_o.start_valid),
    .ct_blk_start_bslot_o    (ct_blk_o.bslot),
    .ct_blk_start_ctaid_x_o  (ct_blk_o.ctaid[0]),
    .ct_blk_start_ctaid_y_o  (ct_blk_o.ctaid[1]),
    .ct_blk_start_ctaid_z_o  (ct_blk_o.ctaid[2]),
    .ct_blk_start_warps_o    (ct_blk_o.warps),
    .ct_blk_start_shm_base_o (ct_blk_o.shm_base),
    .ct_blk_end_valid_o      (ct_blk_o.end_valid),
    .ct_blk_end_bslot_o      (ct_blk_o.end_bslot)
  );

  // ---- caches, load/store unit, the SM's end of the channel --------------------------------------------------------------
  mem_top u_mem_top (
    .clk_i(clk_i), .rst_ni(rst_ni), .wipe_i(wipe_i), .sm_i(sm_i),
    .launch_i           (launch_i),
    .region_index_o     (region_index_o),
    .region_base_i      (region_base_i),
    .region_limit_i     (region_limit_i),
    .invalidate_i       (go_i),
    .sm_halt_i          (sm_halt),
    .ct_start_valid_i   (ct_start_valid),
    .ct_start_i         (ct_start),
    .if_req_valid_i     (if_req_valid),
    .if_req_ready_o     (if_req_ready),
    .if_req_pc_i        (if_req_pc),
    .if_req_tag_i       (if_req_tag),
    .ic_rsp_valid_o     (ic_rsp_valid),
    .ic_rsp_o           (ic_rsp),
    .ic_rsp_tag_o       (ic_rsp_tag),
    .if_cst_valid_i     (if_cst_valid),
    .if_cst_ready_o     (if_cst_ready),
    .if_cst_i           (if_cst),
    .if_cst_tag_i       (if_cst_tag),
    .cc_cst_valid_o     (cc_cst_valid),
    .cc_cst_o           (cc_cst),
    .cc_cst_tag_o       (cc_cst_tag),
    .op_req_valid_i     (op_req_valid),
    .op_req_ready_o     (op_req_ready),
    .op_req_i           (op_req),
    .ls_late_valid_o    (ls_late_valid),
    .ls_late_ready_i    (ls_late_ready),
    .ls_late_o          (ls_late),
    .ls_o               (ls),
    .tl_ask_valid_o     (tl_ask_valid_o),
    .mu_ask_ready_i     (mu_ask_ready_i),
    .tl_ask_o           (tl_ask_o),
    .mu_answer_valid_i  (mu_answer_valid_i),
    .mu_answer_i        (mu_answer_i),
    .mu_news_i          (mu_news_i),
    .tl_forgotten_o     (tl_forgotten_o),
    .tl_quiet_o         (tl_quiet_o),
    .ret_shared_valid_o (ret_valid_o.memory.shared),
    .ret_shared_o       (ret_o.memory.shared),
    .ch_o               (mt_sent),
    .note_o             (mt_note),
    .ch_i               (mt_got)
  );

  // The cache of loads, on the channel; or there is none.
  if (l1_pkg::THERE) begin : gen_l1
    l1 u_l1 (
      .clk_i(clk_i), .rst_ni(rst_ni), .go_i(go_i),
      .forget_i      (tl_forgotten_o[0]),
      .fence_want_i  (is_want),
      .fence_ok_o    (fence_ok),
      .fence_i       (p_is_fence),
      .up_i          (mt_sent),
      .up_o          (mt_got),
      .up_note_i     (mt_note),
      .ch_o          (ch_o),
      .note_o        (note_o),
      .ch_i          (ch_i),
      .cnt_index_i   (is_cnt_index_i),
      .cnt_o         (l1_cnt),
      .ret_valid_o   (ret_valid_o.cache),
      .ret_o         (ret_o.cache)
    );
  end else begin : gen_no_l1
    logic unused_fence;
    assign ch_o              = mt_sent;
    assign note_o            = mt_note;
    assign mt_got            = '{lc_valid: ch_i.lc_valid, lc_atom: ch_i.lc_atom, ld_valid: ch_i.ld_valid, ld: line_pkg::back_of(ch_i.ld),
                                 la_valid: ch_i.la_valid, la: ch_i.la};
    assign fence_ok          = '0;
    assign l1_cnt            = '0;
    assign ret_valid_o.cache = '0;
    assign ret_o.cache       = '0;
    assign unused_fence      = ^{is_want, p_is_fence};
  end

  // ---- records ---------------------------------------------------------------------------------------------------------
  retire_sm u_retire_sm (
    .clk_i(clk_i), .rst_ni(rst_ni),
    .ct_blk_i         (ct_blk_o),
    .ct_start_valid_i (ct_start_valid),
    .ct_start_i       (ct_start),
    .ba_release_i     (ba_release),
    .sm_trap_valid_i  (trap_won_i),
    .sm_trap_i        (is_trap_o),
    .ret_valid_o      (ret_valid_o.blocks),
    .ret_o            (ret_o.blocks)
  );

endmodule
