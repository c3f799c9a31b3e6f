// SPDX-License-Identifier: Apache-2.0
// What a row of an instruction reads: the four words of a beat (back_pkg::WORDS), and what a beat takes along to its dispatch.
// Latency: combinational; what to read follows from the plan of the instruction, which operand_plan has made before.
// No handshake.
// It does not read anything: immediates, constants, RZ and lane values are put in when a beat is dispatched.
`include "heddle_idle.svh"

module operand_map (
  // from issue
  input  logic                                valid_i,
  input  core_pkg::uop_t                      uop_i,
  input  back_pkg::plan_t                     plan_i,   // of it, made as it issued
  // from the reader: which beat, and which row of a collected instruction's
  input  logic [cfg_pkg::BEAT_W-1:0]          beat_i,
  input  logic [1:0]                          row_i,
  // to the reader
  output logic [back_pkg::WORDS-1:0][back_pkg::WREG_W-1:0] wreg_o,
  output logic [2:0]                          side_o,   // read from the side memory of this place
  output logic                                tid_o,    // ... which for b is that of the thread ids
  // to dispatch: but for the last beat's mark
  output back_pkg::beat_t                     beat_o
);

  localparam int unsigned LANES  = cfg_pkg::LANES;

  isa_pkg::dec_t dec;
  logic          is_s2r, is_cs2r, is_br, is_tid, coll, second, row_c;
  logic [7:0]    sreg;

  assign dec    = uop_i.dec;
  assign sreg   = isa_pkg::f_sreg(uop_i.word);
  assign coll   = plan_i.coll;
  assign is_s2r = dec.op == isa_pkg::OP_S2R;
  assign is_br  = kind_pkg::br_result(dec);
  assign is_cs2r = dec.op == isa_pkg::OP_CS2R;
  assign is_tid = is_s2r && (sreg == isa_pkg::SREG_SR_TID_X || sreg == isa_pkg::SREG_SR_TID_Y
                             || sreg == isa_pkg::SREG_SR_TID_Z);

  // ---- words to read: their addresses; which of them, and from which banks, operand_plan says ------------------------------------
  back_pkg::words_t words;
  assign words  = back_pkg::words_of(plan_i, row_i);
  assign wreg_o = words.wreg;

  assign second = row_i != '0;
  assign row_c  = back_pkg::row_of_c(coll, plan_i.c_any, row_i);
  assign side_o = {plan_i.kept[2], plan_i.kept[1] || (is_tid && !coll), plan_i.kept[0]};
  assign tid_o  = is_tid;

  // ---- what goes along ------------------------------------------------------------------------------------------------
  // Masks of lanes: EQ has the own bit, LT what is below, LE both; GE and GT are the complements of LT and LE.
  back_pkg::lane_kind_t lane;
  always_comb begin
    lane = '0;
    case (sreg)
      isa_pkg::SREG_SR_EQMASK: lane.own = 1'b1;
      isa_pkg::SREG_SR_LTMASK: {lane.earlier, lane.below} = 2'b11;
      isa_pkg::SREG_SR_LEMASK: {lane.earlier, lane.below, lane.own} = 3'b111;
      isa_pkg::SREG_SR_GTMASK: {lane.earlier, lane.below, lane.own, lane.flip} = 4'b1111;
      isa_pkg::SREG_SR_GEMASK: {lane.earlier, lane.below, lane.flip} = 3'b111;
      default:                 lane.number = 1'b1;
    endcase
  end

  logic [exec_pkg::CTL_W-1:0] ctl;
  logic                       gen;
  assign gen = valid_i && !coll;
  exec_decode u_decode (.valid_i(gen), .dec_i(dec), .word_i(uop_i.word), .ctl_o(ctl));

  // One value for all lanes.
  function automatic logic broadcast(isa_pkg::src_e kind);
    broadcast = kind == isa_pkg::SRC_IMM || kind == isa_pkg::SRC_CONST || (cfg_pkg::HAS_UNI && kind == isa_pkg::SRC_UREG);
  endfunction

  // The lanes of this beat out of 32.
  function automatic logic [LANES-1:0] of_beat(logic [31:0] all);
    of_beat = LANES'(all >> ((cfg_pkg::BEATS > 1) ? 32'(beat_i) * LANES : 32'd0));
  endfunction

  // Which words the instruction has as operands: registers, RZ, a broadcast value, or special registers. (ULDC's address, a
  // uniform register, is shown as it is read.)
  logic [core_pkg::SLOTS-1:0] used;
  always_comb begin
    used    = '0;
    used[0] = dec.a_kind == isa_pkg::SRC_REG && !second;
    used[1] = dec.a_kind == isa_pkg::SRC_REG && dec.a_n != 2'd0 && !second;
    if (coll) begin
      for (int unsigned w = 0; w < 4; w++) begin
        used[2+w] = dec.b_kind != isa_pkg::SRC_NONE && 2'(w) <= dec.b_n && second == (w >= 2);
      end
      if (plan_i.c_near) used[4]  = 1'b1;
      if (row_c) begin
        if (row_i[1]) used[core_pkg::SLOTS-1 -: 2] = 2'b11;
        else          used[5:4] = {dec.c_n != 2'd0, 1'b1};
        if (core_pkg::HAS_QUADS && !row_i[1]) used[core_pkg::SLOTS-3 -: 2] |= {2{plan_i.a_more}};
      end
    end else begin
      used[2] = dec.b_kind != isa_pkg::SRC_NONE || is_s2r;
      used[4] = dec.c_kind != isa_pkg::SRC_NONE;
      used[5] = dec.c_kind != isa_pkg::SRC_NONE && dec.c_n != 2'd0;
    end
  end

  // Source predicates that few instructions have: the beat first, which takes fewer choices than the predicate first.
  function automatic logic [LANES-1:0] pick(input logic [6:0][LANES-1:0] all, input logic [3:0] index);
    logic [7:0][LANES-1:0] row;
    row  = {{LANES{1'b1}}, all};
    pick = row[index[2:0]] ^ {LANES{index[3]}};
  endfunction

  logic [6:0][LANES-1:0] preds;

  // Worked out only where an instruction is read.
  always_comb begin
    beat_o = '0;
    preds  = '0;
    if (`HEDDLE_LIVE(valid_i)) begin
      for (int unsigned p = 0; p < 7; p++) preds[p] = of_beat(uop_i.preds[p]);
      beat_o.dest.id    = uop_i.id;
      beat_o.dest.pipe  = plan_i.pipe;
      beat_o.dest.beat  = 5'(beat_i);
      beat_o.dest.mask  = of_beat(uop_i.exec);
      beat_o.dest.rd_en = plan_i.rd_en;
      beat_o.dest.rd    = dec.rd;
      beat_o.dest.rd_n  = dec.rd_n;
      beat_o.dest.wreg  = plan_i.d;
      beat_o.dest.pd0   = dec.has_pd0 ? dec.pd0 : isa_pkg::PT;
      beat_o.dest.pd1   = dec.has_pd1 ? dec.pd1 : isa_pkg::PT;
      beat_o.dest.preds = dec.op == isa_pkg::OP_R2P;
      beat_o.dest.wbar  = dec.wbar;
      beat_o.into       = back_pkg::queue_of(plan_i);
      beat_o.rbar       = dec.rbar;
      beat_o.used       = used;
      beat_o.ps0        = of_beat(uop_i.ps0);
      beat_o.ps1        = cfg_pkg::HAS_UNI ? of_beat(uop_i.ps1) : pick(preds, dec.ps1);
      beat_o.ps2        = cfg_pkg::HAS_UNI ? of_beat(uop_i.ps2) : pick(preds, dec.ps2);
      beat_o.sval       = uop_i.sval;
      beat_o.tid_b      = is_tid;
      beat_o.lane_b     = is_s2r && (sreg == isa_pkg::SREG_SR_LANEID
                                     || (sreg >= isa_pkg::SREG_SR_EQMASK && sreg <= isa_pkg::SREG_SR_GEMASK));
      if (coll) begin
        // Rows are a and b, or c; a near c is word b.
        beat_o.sval_hi  = uop_i.sval_hi;
        beat_o.sval_a   = kind_pkg::uniform_load(dec);
        beat_o.sval_b   = plan_i.c_near && broadcast(dec.c_kind);
        beat_o.sval_c   = plan_i.late && broadcast(row_c ? dec.c_kind : dec.b_kind);
        beat_o.sval_x   = plan_i.late && broadcast(row_c ? dec.c_kind : dec.b_kind) && (row_c ? dec.c_n : dec.b_n) != 2'd0;
      end else begin
        beat_o.sval_b   = broadcast(dec.b_kind) || (is_s2r && !is_tid && !beat_o.lane_b) || is_br;
        beat_o.sval_c   = broadcast(dec.c_kind) || is_cs2r;
        // A constant of two words; or CS2R's pair, which nothing shows as an operand.
        beat_o.sval_x   = (dec.c_kind == isa_pkg::SRC_CONST && dec.c_n != 2'd0) || is_cs2r;
        beat_o.sval_hi  = uop_i.sval_hi;
      end
      beat_o.preds_c    = dec.op == isa_pkg::OP_P2R;
      beat_o.lane       = lane;
      beat_o.tid_y      = sreg == isa_pkg::SREG_SR_TID_Y;
      beat_o.tid_z      = sreg == isa_pkg::SREG_SR_TID_Z;
      beat_o.ctl        = ctl;
    end
  end

  logic unused;
  assign unused = ^{uop_i, dec, plan_i, words.need};

endmodule
