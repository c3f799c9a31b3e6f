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

  issue_pkg::push_t                                      push;
  logic                                                  followed;
  issue_pkg::jump_t                                      jump;
  front_pkg::place_t                                     place;
  front_pkg::at_t                                        at;
  front_pkg::moved_t                                     moved;
  logic [cfg_pkg::WARPS-1:0]                             flush;
  issue_pkg::heads_t                                     heads;
  logic [issue_pkg::HEAD_W-1:0][cfg_pkg::WARPS-1:0]      head;
  issue_pkg::entry_t                                     entry;

  assign moved = '{valid: done_valid_i, slot: done_slot_i, redirect: done_redirect_i, moved: done_moved_i, ended: done_ended_i,
    pc: done_pc_i};
  assign head  = heads.flag;
  assign valid_o  = heads.valid;
  assign bad_pc_o = place.bad_pc;
  assign pc_o     = at.pc;
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
  assign followed_now_o = push.valid && followed;
  assign cfg_warps_o = 8'(cfg_pkg::WARPS);
  assign cfg_ibuf_o  = 8'(cfg_pkg::IBUF);
  assign cfg_units_o = 32'(kind_pkg::UNITS_THERE);
  assign cfg_step_o  = 8'(isa_pkg::ISA_STEP);

  logic unused;
  assign unused = ^{entry, heads, place, at};

  fetch #(.WORDS(WORDS)) u_fetch (
    .clk_i              (clk_i),
    .rst_ni             (rst_ni),
    .entry_pc_i         (entry_pc_i),
    .code_bytes_i       (code_bytes_i),
    .code_base_i        (code_base_i),
    .ct_start_valid_i   (start_valid_i),
    .ct_start_slot_i    (start_slot_i),
    .dv_i               (moved),
    .if_req_valid_o     (req_valid_o),
    .if_req_ready_i     (req_ready_i),
    .if_req_pc_o        (req_pc_o),
    .if_req_tag_o       (req_tag_o),
    .ic_rsp_valid_i     (rsp_valid_i),
    .ic_rsp_word_i      (rsp_word_i),
    .ic_rsp_err_i       (rsp_err_i),
    .ic_rsp_tag_i       (rsp_tag_i),
    .if_push_o          (push),
    .if_followed_o      (followed),
    .if_flush_o         (flush),
    .ib_jump_i          (jump),
    .is_halt_i          (halt_i),
    .is_pop_i           (pop_i),
    .ib_short_i         (entry.is_short),
    .if_place_o         (place),
    .is_q_slot_i        (slot_i),
    .if_at_o            (at),
    .mu_replay_i        (1'b0),
    .mu_fail_i          (1'b0),
    .is_sel_i           ('0),
    .is_absent_i        ('0),   // no pages here
    .if_wants_o         ()
  );

  ibuf u_ibuf (
    .clk_i           (clk_i),
    .rst_ni          (rst_ni),
    .regs_i          (regs_i),
    .its_i           (1'b0),
    .if_push_i       (push),
    .if_followed_i   (followed),
    .if_flush_i      (flush),
    .ib_jump_o       (jump),
    .ib_cst_o        (),
    .ib_at_o         (),
    .ib_heads_o      (heads),
    .ib_entry_o      (entry),
    .ib_look_o       (),
    .is_take_i       ('{sel: sel_i, pop: pop_i, back: back_i}),
    .is_s1_slot_i    (slot_i),
    .is_look_slot_i  ('0),
    .ib_s1_index_o   ()
  );

endmodule
