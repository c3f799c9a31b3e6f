// SPDX-License-Identifier: Apache-2.0
// What an instruction reads and writes. Its plan is what its decoded word and the place of its warp's registers say: made while it
// issues and kept while it is read. Of the row that is read now: its four words (back_pkg::WORDS), those that are still to be read,
// and what it takes along to its dispatch. Whether a row can be completed, and so whether another instruction may issue, follows from
// registers.
// Latency: the plan a cycle, from the issue on; of a row none, but which banks it wants is worked out in the cycle before.
// Handshake: ready_i says that another instruction may issue; what is made of one that does not means nothing.
// It does not read anything: immediates, constants, RZ and lane values are put in by side_values.
`include "heddle_idle.svh"

module operand_map (
  input  logic              clk_i,
  // from issue: the instruction that issues in this cycle, if one does
  input  logic              ready_i,
  input  logic              arrive_i,
  input  isa_pkg::dec_t     dec_i,
  input  logic [15:0]       rbase_i,
  input  logic [2:0]        hit_i,       // operands a, b, c are in the reuse cache
  // the instruction that is read
  input  logic              valid_i,
  input  core_pkg::uop_t    uop_i,
  output back_pkg::plan_t   plan_o,
  // from the reader: its beat and row; a row is completed, and the next one; words a, b of a row are read early
  input  logic [cfg_pkg::BEAT_W-1:0] beat_i,
  input  logic [1:0]        row_i,
  input  logic              next_i,
  input  logic [1:0]        next_row_i,
  input  logic [1:0]        early_i,
  // to the reader: what is still to be read of this row, and the warp registers of its words
  output back_pkg::reads_t  reads_o,
  output logic [back_pkg::WORDS-1:0][back_pkg::WREG_W-1:0] wreg_o,
  // to dispatch
  output back_pkg::beat_t   beat_o
);

  localparam int unsigned LANES  = cfg_pkg::LANES;
  localparam int unsigned WREG_W = back_pkg::WREG_W;

  // ---- the plan -------------------------------------------------------------------------------------------------------
  back_pkg::plan_t plan_d, plan_q;

  function automatic logic is_reg(isa_pkg::src_e kind, logic [7:0] number);
    is_reg = kind == isa_pkg::SRC_REG && number != isa_pkg::RZ;
  endfunction

  logic late;
  assign late = kind_pkg::late_unit(dec_i.unit) != '0;

  always_comb begin
    plan_d = 'x;
    `HEDDLE_ONLY(arrive_i) begin
      plan_d.coll     = kind_pkg::collected(dec_i.unit);
      plan_d.late     = late;
      plan_d.c_near   = kind_pkg::near_c(dec_i);
      plan_d.last_row = kind_pkg::last_row(dec_i);
      plan_d.kept     = hit_i;
      plan_d.a_reg    = is_reg(dec_i.a_kind, dec_i.a_reg) && !hit_i[0];
      plan_d.b_reg    = is_reg(dec_i.b_kind, dec_i.b_reg) && !hit_i[1];
      plan_d.c_reg    = is_reg(dec_i.c_kind, dec_i.c_reg) && !hit_i[2];
      plan_d.a_pair   = plan_d.a_reg && dec_i.a_n != 2'd0;
      plan_d.b_pair   = plan_d.b_reg && dec_i.b_n != 2'd0;
      plan_d.c_pair   = plan_d.c_reg && dec_i.c_n != 2'd0;
      plan_d.c_any    = dec_i.c_kind != isa_pkg::SRC_NONE;
      plan_d.a_more   = core_pkg::HAS_QUADS && late && dec_i.a_kind == isa_pkg::SRC_REG && dec_i.a_n[1];
      plan_d.a        = back_pkg::wreg_of(rbase_i, dec_i.a_reg);
      plan_d.b        = back_pkg::wreg_of(rbase_i, dec_i.b_reg);
      plan_d.c        = back_pkg::wreg_of(rbase_i, dec_i.c_reg);
      plan_d.d        = back_pkg::wreg_of(rbase_i, dec_i.rd);
      plan_d.rd_en    = dec_i.has_rd && dec_i.rd != isa_pkg::RZ && !plan_d.coll;
      for (int unsigned p = 0; p < cfg_pkg::PIPES; p++) plan_d.pipe[p] = 32'(dec_i.unit) == cfg_pkg::PIPE_UNIT[p];
      if (kind_pkg::br_result(dec_i)) plan_d.pipe[cfg_pkg::PIPE_ALU] = 1'b1;
      plan_d.preds    = plan_d.pipe != '0 && (dec_i.op == isa_pkg::OP_R2P || (dec_i.has_pd0 && dec_i.pd0 != isa_pkg::PT)
                                          || (dec_i.has_pd1 && dec_i.pd1 != isa_pkg::PT));
      plan_d.ports    = '0;
      if (plan_d.rd_en) begin
        plan_d.ports |= cfg_pkg::BANKS'(1) << back_pkg::bank_of(plan_d.d);
        if (dec_i.rd_n != 2'd0) plan_d.ports |= cfg_pkg::BANKS'(1) << back_pkg::bank_of(plan_d.d + WREG_W'(1));
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (ready_i && `HEDDLE_LIVE(arrive_i)) plan_q <= plan_d;
  end
  assign plan_o = plan_q;

  // ---- what is still to be read: the banks of a row are worked out in the cycle before it, and which words want the same one: from that follows whether it can
  // be completed, and so whether another instruction may issue.
  back_pkg::reads_t reads_q;

  function automatic back_pkg::reads_t reads(back_pkg::words_t words);
    for (int unsigned w = 0; w < back_pkg::WORDS; w++) begin
      reads.bank[w] = words.need[w] ? cfg_pkg::BANKS'(1) << back_pkg::bank_of(words.wreg[w]) : '0;
    end
    for (int unsigned w = 0; w < 3; w++) reads.clash_a[w] = (reads.bank[back_pkg::WORD_A] & reads.bank[w+1]) != '0;
    for (int unsigned w = 0; w < 2; w++) reads.clash_b[w] = (reads.bank[back_pkg::WORD_B] & reads.bank[w+2]) != '0;
    reads.apart = reads.clash_a == '0 && reads.clash_b == '0;
  endfunction

  always_ff @(posedge clk_i) begin
    if (ready_i) begin
      if (`HEDDLE_LIVE(arrive_i)) reads_q <= reads(back_pkg::words_of(plan_d, 2'd0));
    end else if (next_i) begin
      reads_q <= reads(back_pkg::words_of(plan_q, next_row_i));
    end else if (early_i != '0) begin
      // What still waits: of a what clashes with it unless it is read now, or the other is; of b the same.
      reads_q.apart <= (early_i[0] || (reads_q.clash_a & {2'b11, !early_i[1]}) == '0) && (early_i[1] || reads_q.clash_b == '0);
      if (early_i[0]) begin
        reads_q.bank[back_pkg::WORD_A] <= '0;
        reads_q.clash_a                <= '0;
      end
      if (early_i[1]) begin
        reads_q.bank[back_pkg::WORD_B] <= '0;
        reads_q.clash_a[0]             <= 1'b0;
        reads_q.clash_b                <= '0;
      end
    end
  end
  assign reads_o = reads_q;

  // ---- the row that is read now ---------------------------------------------------------------------------------------
  isa_pkg::dec_t insn;
  logic          is_s2r, is_cs2r, is_br, is_tid, coll, second, row_c;
  logic [7:0]    sreg;

  assign insn    = uop_i.dec;
  assign sreg   = isa_pkg::f_sreg(uop_i.word);
  assign coll   = plan_q.coll;
  assign is_s2r = insn.op == isa_pkg::OP_S2R;
  assign is_br  = kind_pkg::br_result(insn);
  assign is_cs2r = insn.op == isa_pkg::OP_CS2R;
  assign is_tid = is_s2r && (sreg == isa_pkg::SREG_SR_TID_X || sreg == isa_pkg::SREG_SR_TID_Y
                             || sreg == isa_pkg::SREG_SR_TID_Z);

  back_pkg::words_t words;
  assign words  = back_pkg::words_of(plan_q, row_i);
  assign wreg_o = words.wreg;

  assign second = row_i != '0;
  assign row_c  = back_pkg::row_of_c(coll, plan_q.c_any, row_i);

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
  exec_decode u_decode (.valid_i(gen), .dec_i(insn), .word_i(uop_i.word), .ctl_o(ctl));

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
    used[0] = insn.a_kind == isa_pkg::SRC_REG && !second;
    used[1] = insn.a_kind == isa_pkg::SRC_REG && insn.a_n != 2'd0 && !second;
    if (coll) begin
      for (int unsigned w = 0; w < 4; w++) begin
        used[2+w] = insn.b_kind != isa_pkg::SRC_NONE && 2'(w) <= insn.b_n && second == (w >= 2);
      end
      if (plan_q.c_near) used[4]  = 1'b1;
      if (row_c) begin
        if (row_i[1]) used[core_pkg::SLOTS-1 -: 2] = 2'b11;
        else          used[5:4] = {insn.c_n != 2'd0, 1'b1};
        if (core_pkg::HAS_QUADS && !row_i[1]) used[core_pkg::SLOTS-3 -: 2] |= {2{plan_q.a_more}};
      end
    end else begin
      used[2] = insn.b_kind != isa_pkg::SRC_NONE || is_s2r;
      used[4] = insn.c_kind != isa_pkg::SRC_NONE;
      used[5] = insn.c_kind != isa_pkg::SRC_NONE && insn.c_n != 2'd0;
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
      beat_o.row.dest.id    = uop_i.id;
      beat_o.row.dest.pipe  = plan_q.pipe;
      beat_o.row.dest.beat  = 5'(beat_i);
      beat_o.row.dest.last  = 32'(beat_i) == cfg_pkg::BEATS - 1 && row_i == plan_q.last_row;
      beat_o.row.dest.mask  = of_beat(uop_i.exec);
      beat_o.row.dest.rd_en = plan_q.rd_en;
      beat_o.row.dest.rd    = insn.rd;
      beat_o.row.dest.rd_n  = insn.rd_n;
      beat_o.row.dest.wreg  = plan_q.d;
      beat_o.row.dest.pd0   = insn.has_pd0 ? insn.pd0 : isa_pkg::PT;
      beat_o.row.dest.pd1   = insn.has_pd1 ? insn.pd1 : isa_pkg::PT;
      beat_o.row.dest.preds = insn.op == isa_pkg::OP_R2P;
      beat_o.row.dest.wbar  = insn.wbar;
      beat_o.row.valid      = !coll;
      beat_o.row.into       = back_pkg::queue_of(plan_q);
      beat_o.row.rbar       = insn.rbar;
      beat_o.row.used       = used;
      beat_o.row.ps0        = of_beat(uop_i.ps0);
      beat_o.row.ps1        = cfg_pkg::HAS_UNI ? of_beat(uop_i.ps1) : pick(preds, insn.ps1);
      beat_o.row.ps2        = cfg_pkg::HAS_UNI ? of_beat(uop_i.ps2) : pick(preds, insn.ps2);
      beat_o.sval       = uop_i.sval;
      beat_o.tid_b      = is_tid;
      beat_o.lane_b     = is_s2r && (sreg == isa_pkg::SREG_SR_LANEID
                                     || (sreg >= isa_pkg::SREG_SR_EQMASK && sreg <= isa_pkg::SREG_SR_GEMASK));
      if (coll) begin
        // Rows are a and b, or c; a near c is word b.
        beat_o.sval_hi  = uop_i.sval_hi;
        beat_o.sval_a   = kind_pkg::uniform_load(insn);
        beat_o.sval_b   = plan_q.c_near && broadcast(insn.c_kind);
        beat_o.sval_c   = plan_q.late && broadcast(row_c ? insn.c_kind : insn.b_kind);
        beat_o.sval_x   = plan_q.late && broadcast(row_c ? insn.c_kind : insn.b_kind) && (row_c ? insn.c_n : insn.b_n) != 2'd0;
      end else begin
        beat_o.sval_b   = broadcast(insn.b_kind) || (is_s2r && !is_tid && !beat_o.lane_b) || is_br;
        beat_o.sval_c   = broadcast(insn.c_kind) || is_cs2r;
        // A constant of two words; or CS2R's pair, which nothing shows as an operand.
        beat_o.sval_x   = (insn.c_kind == isa_pkg::SRC_CONST && insn.c_n != 2'd0) || is_cs2r;
        beat_o.sval_hi  = uop_i.sval_hi;
      end
      beat_o.preds_c    = insn.op == isa_pkg::OP_P2R;
      beat_o.lane       = lane;
      beat_o.tid_y      = sreg == isa_pkg::SREG_SR_TID_Y;
      beat_o.tid_z      = sreg == isa_pkg::SREG_SR_TID_Z;
      beat_o.row.ctl        = ctl;
    end
  end

  // Fields that concern others.
  logic unused;
  assign unused = ^{dec_i, rbase_i, uop_i, insn, plan_q, words.need};

endmodule
