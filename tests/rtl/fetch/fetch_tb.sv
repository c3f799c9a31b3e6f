// SPDX-License-Identifier: Apache-2.0
// `fetch` and `ibuf` together, as `front` connects them, with plain ports.
// Latency: none of its own.
// Handshake: that of the two.
// It holds no state.
module fetch_tb #(
  parameter int unsigned WORDS = cfg_pkg::FETCH_WORDS,
  localparam int unsigned TAG_W = cfg_pkg::WARP_W + 2 + 2 * $clog2(WORDS) + 32'(isa_pkg::HAS_SHORT)
) (
  input  logic                            clk_i,
  input  logic                            rst_ni,
  input  logic [31:0]                     entry_pc_i,
  input  logic [31:0]                     code_bytes_i,
  input  logic [39:0]                     code_base_i,
  input  logic [8:0]                      regs_i,
  input  logic                            start_valid_i,
  input  logic [cfg_pkg::WARP_W-1:0]      start_slot_i,
  input  logic                            done_valid_i,
  input  logic [cfg_pkg::WARP_W-1:0]      done_slot_i,
  input  logic                            done_redirect_i,
  input  logic                            done_moved_i,
  input  logic [31:0]                     done_pc_i,
  input  logic                            done_ended_i,
  output logic                            req_valid_o,
  input  logic                            req_ready_i,
  output logic [31:0]                     req_pc_o,
  output logic [TAG_W-1:0]                req_tag_o,
  input  logic                            rsp_valid_i,
  input  logic [WORDS-1:0][127:0]         rsp_word_i,
  input  logic                            rsp_err_i,
  input  logic [TAG_W-1:0]                rsp_tag_i,
  input  logic                            halt_i,
  input  logic [cfg_pkg::WARPS-1:0]       sel_i,
  input  logic [cfg_pkg::WARPS-1:0]       pop_i,
  input  logic [cfg_pkg::WARPS-1:0]       back_i,
  input  logic [cfg_pkg::WARP_W-1:0]      slot_i,
  output logic [cfg_pkg::WARPS-1:0]       valid_o,
  output logic [cfg_pkg::WARPS-1:0]       bad_pc_o,
  output logic [cfg_pkg::WARPS-1:0][31:0] head_o,
  output logic [31:0]                     pc_o,
  output logic [63:0]                     word_lo_o,
  output logic [63:0]                     word_hi_o,
  output logic                            illegal_o,
  output logic                            bus_err_o,
  output logic                            short_o,
  output logic                            followed_o,
  output logic                            followed_now_o, // the word that arrives in this cycle
  output logic [7:0]                      cfg_warps_o,
  output logic [7:0]                      cfg_ibuf_o,
  output logic [31:0]                     cfg_units_o,
  output logic [7:0]                      cfg_step_o    // bytes between instructions at least
);

  logic                                                  push_valid, push_err, push_short, push_middle;
  logic [cfg_pkg::WARP_W-1:0]                            push_slot;
  logic [127:0]                                          push_word;
  logic                                                  push_followed;
  issue_pkg::jump_t                                      jump;
  logic [cfg_pkg::WARPS-1:0]                             flush;
  logic [issue_pkg::HEAD_W-1:0][cfg_pkg::WARPS-1:0]      head;
  issue_pkg::entry_t                                     entry;
  logic                                                  unused_valid, unused_need, unused_wide;
  logic [cfg_pkg::WARP_W-1:0]                            unused_slot;
  logic [cfg_pkg::WARPS-1:0]                             unused_fresh;
  issue_pkg::look_t                                      unused_look;
  logic [issue_pkg::IDX_W-1:0]                           unused_index, unused_s1_index;
  logic [4:0]                                            unused_bank;
  logic [15:0]                                           unused_off;
  logic [cfg_pkg::IBUF-1:0][cfg_pkg::WARPS-1:0]          unused_place;

  always_comb begin
    head_o = '0;
    for (int unsigned w = 0; w < cfg_pkg::WARPS; w++) begin
      for (int unsigned f = 0; f < issue_pkg::HEAD_W; f++) head_o[w][f] = head[f][w];
    end
  end
  assign {word_hi_o, word_lo_o} = entry.word;
  assign illegal_o   = entry.illegal;
  assign bus_err_o   = entry.bus_err;
  assign short_o     = entry.is_short;
  assign followed_o  = entry.followed;
  assign followed_now_o = push_valid && push_followed;
  assign cfg_warps_o = 8'(cfg_pkg::WARPS);
  assign cfg_ibuf_o  = 8'(cfg_pkg::IBUF);
  assign cfg_units_o = 32'(kind_pkg::UNITS_THERE);
  assign cfg_step_o  = 8'(isa_pkg::ISA_STEP);

  logic unused;
  assign unused = ^entry;

  // Pages: none here.
  logic [cfg_pkg::WARPS-1:0] unused_leaves, unused_wants;
  logic                      unused_lost, unused_lost_cst;

  fetch #(.WORDS(WORDS)) u_fetch (
    .clk_i              (clk_i),
    .rst_ni             (rst_ni),
    .entry_pc_i         (entry_pc_i),
    .code_bytes_i       (code_bytes_i),
    .code_base_i        (code_base_i),
    .ct_start_valid_i   (start_valid_i),
    .ct_start_slot_i    (start_slot_i),
    .dv_done_valid_i    (done_valid_i),
    .dv_done_slot_i     (done_slot_i),
    .dv_done_redirect_i (done_redirect_i),
    .dv_done_moved_i    (done_moved_i),
    .dv_done_pc_i       (done_pc_i),
    .dv_done_ended_i    (done_ended_i),
    .if_req_valid_o     (req_valid_o),
    .if_req_ready_i     (req_ready_i),
    .if_req_pc_o        (req_pc_o),
    .if_req_tag_o       (req_tag_o),
    .ic_rsp_valid_i     (rsp_valid_i),
    .ic_rsp_word_i      (rsp_word_i),
    .ic_rsp_err_i       (rsp_err_i),
    .ic_rsp_tag_i       (rsp_tag_i),
    .if_push_valid_o    (push_valid),
    .if_push_slot_o     (push_slot),
    .if_push_word_o     (push_word),
    .if_push_err_o      (push_err),
    .if_push_short_o    (push_short),
    .if_push_middle_o   (push_middle),
    .if_push_followed_o (push_followed),
    .if_flush_o         (flush),
    .ib_jump_i          (jump),
    .is_halt_i          (halt_i),
    .is_pop_i           (pop_i),
    .ib_short_i         (entry.is_short),
    .if_bad_pc_o        (bad_pc_o),
    .is_q_slot_i        (slot_i),
    .if_q_pc_o          (pc_o),
    .mu_replay_i        (1'b0),
    .mu_fail_i          (1'b0),
    .is_sel_i           ('0),
    .is_absent_i        (1'b0),
    .is_absent_cst_i    (1'b0),
    .if_leaves_o        (unused_leaves),
    .if_q_lost_o        (unused_lost),
    .if_q_lost_cst_o    (unused_lost_cst),
    .if_wants_o         (unused_wants)
  );

  ibuf u_ibuf (
    .clk_i           (clk_i),
    .rst_ni          (rst_ni),
    .regs_i          (regs_i),
    .its_i           (1'b0),
    .if_push_valid_i (push_valid),
    .if_push_slot_i  (push_slot),
    .if_push_word_i  (push_word),
    .if_push_err_i   (push_err),
    .if_push_short_i  (push_short),
    .if_push_middle_i (push_middle),
    .if_push_followed_i (push_followed),
    .if_flush_i      (flush),
    .ib_jump_o       (jump),
    .ib_cst_valid_o  (unused_valid),
    .ib_cst_slot_o   (unused_slot),
    .ib_cst_index_o  (unused_index),
    .ib_cst_need_o   (unused_need),
    .ib_cst_wide_o   (unused_wide),
    .ib_cst_bank_o   (unused_bank),
    .ib_cst_off_o    (unused_off),
    .ib_valid_o      (valid_o),
    .ib_fresh_o      (unused_fresh),
    .ib_head_o       (head),
    .ib_at_o         (unused_place),
    .ib_entry_o      (entry),
    .ib_look_o       (unused_look),
    .is_sel_i        (sel_i),
    .is_s1_slot_i    (slot_i),
    .is_look_slot_i  ('0),
    .ib_s1_index_o   (unused_s1_index),
    .is_pop_i        (pop_i),
    .is_back_i       (back_i)
  );

endmodule
