// SPDX-License-Identifier: Apache-2.0
// Plain ports around `divergence` with `retire_hash` beside it, and an instruction word made from its fields by the generated accessors.
// Latency: none of its own.
// Handshake: that of `divergence`.
// It holds no bit number: the place of each bit of the word in its field is computed.
module divergence_tb (
  input  logic                            clk_i,
  input  logic                            rst_ni,
  input  logic [31:0]                     code_bytes_i,
  input  logic                            its_i,
  input  logic                            start_valid_i,
  input  logic [7:0]                      start_slot_i,
  input  logic [31:0]                     start_live_i,
  input  logic                            ctl_valid_i,
  input  logic [7:0]                      ctl_slot_i,
  input  logic [7:0]                      ctl_gen_i,
  input  logic [31:0]                     ctl_seq_i,
  input  logic [7:0]                      ctl_op_i,       // index into the list below
  input  logic [31:0]                     ctl_pc_i,
  input  logic                            ctl_short_i,
  input  logic                            ctl_followed_i,
  input  logic [31:0]                     ctl_exec_i,
  input  logic [31:0]                     ctl_off_i,
  input  logic [3:0]                      ctl_bx_i,
  input  logic                            br_valid_i,
  input  logic [7:0]                      br_slot_i,
  input  logic [4:0]                      br_beat_i,
  input  logic [core_pkg::BR_LANES-1:0][31:0] br_lo_i,
  input  logic [core_pkg::BR_LANES-1:0][31:0] br_hi_i,
  input  logic                            sel_valid_i,
  input  logic [7:0]                      sel_slot_i,
  input  logic [3:0]                      sel_bx_i,
  input  logic [7:0]                      q_slot_i,
  input  logic [3:0]                      q_bx_i,
  output logic [31:0]                     q_active_o,
  output logic [31:0]                     q_live_o,
  output logic [63:0]                     q_hash_o,
  output logic [31:0]                     q_members_o,
  output logic [31:0]                     q_parked_o,
  output logic [31:0]                     q_parkpc_o,
  output logic                            trap_valid_o,
  output logic [3:0]                      trap_cause_o,
  output logic [7:0]                      trap_slot_o,
  output logic [7:0]                      trap_gen_o,
  output logic [31:0]                     trap_seq_o,
  output logic [31:0]                     trap_pc_o,
  output logic [31:0]                     trap_lanes_o,
  output logic [63:0]                     trap_addr_o,
  output logic                            done_valid_o,
  output logic [7:0]                      done_slot_o,
  output logic                            done_redirect_o,
  output logic                            done_moved_o,
  output logic [31:0]                     done_pc_o,
  output logic                            done_ended_o,
  output logic [7:0]                      lanes_o,
  output logic [7:0]                      warps_o,
  output logic                            rank_o,         // a step takes two cycles
  output logic [7:0]                      step_o          // a PC is a multiple of it
);

  localparam int unsigned WARP_W = cfg_pkg::WARP_W;

  core_pkg::start_t           start;
  core_pkg::uop_t             uop;
  core_pkg::trap_t            trap;
  divergence_pkg::did_t       did;
  divergence_pkg::look_t      look;
  divergence_pkg::stored_t    stored;
  logic [127:0]               word, one;
  logic [31:0]                field;
  logic                       is_target, is_get;
  logic [WARP_W-1:0]          done_slot;

  always_comb begin
    uop   = '0;
    start = '0;
    case (ctl_op_i)
      8'd0:    uop.dec.op = isa_pkg::OP_BRA;
      8'd1:    uop.dec.op = isa_pkg::OP_CALL_REL;
      8'd2:    uop.dec.op = isa_pkg::OP_BRX;
      8'd3:    uop.dec.op = isa_pkg::OP_CALL_ABS;
      8'd4:    uop.dec.op = isa_pkg::OP_RET;
      8'd5:    uop.dec.op = isa_pkg::OP_BSSY;
      8'd6:    uop.dec.op = isa_pkg::OP_BSYNC;
      8'd7:    uop.dec.op = isa_pkg::OP_BREAK;
      8'd8:    uop.dec.op = isa_pkg::OP_EXIT;
      8'd9:    uop.dec.op = isa_pkg::OP_JMP;
      8'd10:   uop.dec.op = isa_pkg::OP_KILL;
      8'd11:   uop.dec.op = isa_pkg::OP_WARPSYNC;
      8'd12:   uop.dec.op = isa_pkg::OP_BMOV_SET;
      8'd13:   uop.dec.op = isa_pkg::OP_BMOV_GET;
      8'd14:   uop.dec.op = isa_pkg::OP_BMOV_GET;   // .CLEAR
      8'd15:   uop.dec.op = isa_pkg::OP_YIELD;
      default: uop.dec.op = isa_pkg::OP_NANOSLEEP;
    endcase
    is_get    = ctl_op_i == 8'd13 || ctl_op_i == 8'd14;
    is_target = ctl_op_i >= 8'd2 && ctl_op_i <= 8'd4;

    word  = '0;
    field = '0;
    for (int unsigned i = 0; i < 128; i++) begin
      one    = '0;
      one[i] = 1'b1;
      field = is_target ? isa_pkg::f_off32(one) : ctl_op_i == 8'd9 ? isa_pkg::f_abs32(one) : isa_pkg::f_rel(one);
      if ((field & ctl_off_i) != '0) word[i] = 1'b1;
      if (((is_get ? isa_pkg::f_bxs(one) : isa_pkg::f_bx(one)) & ctl_bx_i) != '0) word[i] = 1'b1;
      if (ctl_op_i == 8'd14 && isa_pkg::f_clear(one) == isa_pkg::CLEAR_CLEAR) word[i] = 1'b1;
    end

    uop.id.slot = ctl_slot_i[WARP_W-1:0];
    uop.id.gen  = ctl_gen_i;
    uop.id.seq  = ctl_seq_i;
    uop.pc      = ctl_pc_i;
    uop.is_short = ctl_short_i;
    uop.followed = ctl_followed_i;
    uop.word    = word;
    uop.exec    = ctl_exec_i;

    start.slot = start_slot_i[WARP_W-1:0];
    start.live = start_live_i;
  end

  divergence #(.ITS(1'b1)) u_dut (
    .clk_i              (clk_i),
    .rst_ni             (rst_ni),
    .code_bytes_i       (code_bytes_i),
    .its_i              (its_i),
    .ct_start_valid_i   (start_valid_i),
    .ct_start_i         (start),
    .is_ctl_valid_i     (ctl_valid_i),
    .is_ctl_uop_i       (uop),
    .is_sel_valid_i     (sel_valid_i),
    .is_sel_slot_i      (sel_slot_i[WARP_W-1:0]),
    .is_sel_bx_i        (sel_bx_i),
    .is_q_slot_i        (q_slot_i[WARP_W-1:0]),
    .is_q_bx_i          (q_bx_i),
    .op_br_valid_i      (br_valid_i),
    .op_br_slot_i       (br_slot_i[WARP_W-1:0]),
    .op_br_beat_i       (br_beat_i),
    .op_br_lo_i         (br_lo_i),
    .op_br_hi_i         (br_hi_i),
    .dv_q_active_o      (q_active_o),
    .dv_q_live_o        (q_live_o),
    .dv_q_members_o     (q_members_o),
    .dv_q_parked_o      (q_parked_o),
    .dv_q_parkpc_o      (q_parkpc_o),
    .dv_trap_valid_o    (trap_valid_o),
    .dv_trap_o          (trap),
    .dv_done_valid_o    (done_valid_o),
    .dv_done_slot_o     (done_slot),
    .dv_done_redirect_o (done_redirect_o),
    .dv_done_moved_o    (done_moved_o),
    .dv_done_pc_o       (done_pc_o),
    .dv_done_ended_o    (done_ended_o),
    .dv_did_o           (did),
    .rh_look_i          (look),
    .dv_stored_o        (stored)
  );

  retire_hash u_hash (
    .clk_i         (clk_i),
    .rst_ni        (rst_ni),
    .start_valid_i (start_valid_i),
    .start_slot_i  (core_pkg::local_slot(start.slot)),
    .dv_did_i      (did),
    .rh_look_o     (look),
    .dv_stored_i   (stored),
    .q_slot_i      (q_slot_i[WARP_W-1:0]),
    .q_live_i      (q_live_o),
    .ret_hash_o    (q_hash_o)
  );

  assign trap_cause_o = trap.cause;
  assign trap_slot_o  = 8'(trap.id.slot);
  assign trap_gen_o   = trap.id.gen;
  assign trap_seq_o   = trap.id.seq;
  assign trap_pc_o    = trap.pc;
  assign trap_lanes_o = trap.lanes;
  assign trap_addr_o  = trap.addr;
  assign done_slot_o  = 8'(done_slot);
  assign lanes_o      = 8'(core_pkg::BR_LANES);
  assign rank_o       = cfg_pkg::DIVERGENCE_RANKS != 0;
  assign warps_o      = 8'(cfg_pkg::WARPS);
  assign step_o  = 8'(isa_pkg::ISA_STEP);

  logic unused;
  assign unused = &{1'b0, ctl_slot_i, start_slot_i, sel_slot_i, q_slot_i, br_slot_i};

endmodule
