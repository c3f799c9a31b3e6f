// SPDX-License-Identifier: Apache-2.0
// The general dispatch bus: takes the chosen collector's beat, puts in what is not read (immediate, constant, RZ, special
// registers), and registers it for the pipes together with where its results go.
// Latency: one cycle from take_i to op_valid_o.
// No handshake: take_i is one-hot or zero, and the pipes take every beat.
// It does not choose the beat, and applies no negation or absolute value.
`default_nettype none

module dispatch #(
  localparam int unsigned SLOTS  = core_pkg::SLOTS,
  localparam int unsigned LANES  = cfg_pkg::LANES,
  localparam int unsigned COLL   = cfg_pkg::COLLECTORS,
  localparam int unsigned BEAT_W = cfg_pkg::BEAT_W,
  localparam int unsigned WORDS  = 4,          // a0 b0 c0 x1
  parameter  int unsigned HELD_W = $bits(back_pkg::held_t)
) (
  input  logic                                           clk_i,
  input  logic                                           rst_ni,
  input  logic [7:0]                                     fault_i,
  // from the collectors
  input  logic [COLL-1:0]                                take_i,
  input  logic [COLL-1:0][HELD_W-1:0]             held_i,
  input  logic [COLL-1:0][BEAT_W-1:0]                    beat_i,
  input  logic [COLL-1:0]                                last_i,
  input  logic [COLL-1:0][WORDS-1:0][LANES-1:0][31:0]    words_i,
  // to the pipes and writeback
  output logic                                           op_valid_o,
  output core_pkg::uop_t                                 op_uop_o,
  output back_pkg::dest_t                                op_dest_o,
  output logic [SLOTS-1:0]                               op_used_o,
  output logic [LANES-1:0][31:0]                         op_a_o,
  output logic [LANES-1:0][31:0]                         op_a_hi_o,
  output logic [LANES-1:0][31:0]                         op_b_o,
  output logic [LANES-1:0][31:0]                         op_c_o,
  output logic [LANES-1:0][31:0]                         op_c_hi_o,
  output logic [LANES-1:0]                               op_ps0_o,
  output logic [LANES-1:0]                               op_ps1_o,
  output logic [LANES-1:0]                               op_ps2_o
);

  back_pkg::held_t                    sel;
  logic [BEAT_W-1:0]                  sel_beat;
  logic                               sel_last;
  logic [WORDS-1:0][LANES-1:0][31:0]  sel_words;
  logic [LANES-1:0][31:0]             a_d, a_hi_d, b_d, c_d, c_hi_d, swap_a, lane_data;
  back_pkg::dest_t                    dest_d;
  logic [SLOTS-1:0]                   used_d;
  logic                               sel_s2r, sel_lane;
  logic [7:0]                         sel_sreg;

  logic                               op_valid_q;
  core_pkg::uop_t                     uop_q;
  back_pkg::dest_t                    dest_q;
  logic [SLOTS-1:0]                   used_q;
  logic [LANES-1:0][31:0]             a_q, a_hi_q, b_q, c_q, c_hi_q;
  logic [LANES-1:0]                   ps0_q, ps1_q, ps2_q;

  always_comb begin
    sel       = '0;
    sel_beat  = '0;
    sel_last  = 1'b0;
    sel_words = '0;
    for (int unsigned i = 0; i < COLL; i++) begin
      if (take_i[i]) begin
        sel       |= held_i[i];
        sel_beat  |= beat_i[i];
        sel_last  |= last_i[i];
        sel_words |= words_i[i];
      end
    end
  end

  lane_values u_lane_values (
    .beat_i (sel_beat),
    .sreg_i (sel_sreg),
    .data_o (lane_data)
  );

  // The lanes of this beat out of 32.
  function automatic logic [LANES-1:0] of_beat(logic [31:0] all, logic [BEAT_W-1:0] k);
    of_beat = LANES'(all >> ((cfg_pkg::BEATS > 1) ? 32'(k) * LANES : 32'd0));
  endfunction

  // Which words the instruction has as operands, and what they are: registers, RZ, a broadcast value, or special registers.
  assign sel_sreg = isa_pkg::f_sreg(sel.uop.word);
  assign sel_s2r  = sel.uop.dec.op == isa_pkg::OP_S2R;
  assign sel_lane = sel_sreg == isa_pkg::SREG_SR_LANEID
                    || sel_sreg >= isa_pkg::SREG_SR_EQMASK;

  always_comb begin
    used_d    = '0;
    used_d[0] = sel.uop.dec.a_kind == isa_pkg::SRC_REG;
    used_d[1] = sel.uop.dec.a_kind == isa_pkg::SRC_REG && sel.uop.dec.a_n != 2'd0;
    used_d[2] = sel.uop.dec.b_kind != isa_pkg::SRC_NONE || sel_s2r;
    used_d[4] = sel.uop.dec.c_kind != isa_pkg::SRC_NONE;
    used_d[5] = sel.uop.dec.c_kind == isa_pkg::SRC_REG && sel.uop.dec.c_n != 2'd0;
    a_d    = '0;
    a_hi_d = '0;
    b_d    = '0;
    c_d    = '0;
    c_hi_d = '0;
    if (used_d[0] && sel.uop.dec.a_reg != isa_pkg::RZ) a_d    = sel_words[0];
    if (used_d[1] && sel.uop.dec.a_reg != isa_pkg::RZ) a_hi_d = sel_words[3];
    case (sel.uop.dec.b_kind)
      isa_pkg::SRC_REG:                    if (sel.uop.dec.b_reg != isa_pkg::RZ) b_d = sel_words[1];
      isa_pkg::SRC_IMM, isa_pkg::SRC_CONST: b_d = {LANES{sel.uop.sval}};
      default:                             b_d = '0;
    endcase
    if (sel_s2r) begin
      if (sel_lane) b_d = lane_data;
      else if (sel_sreg <= isa_pkg::SREG_SR_TID_Z) b_d = sel_words[1];
      else b_d = {LANES{sel.uop.sval}};
    end
    case (sel.uop.dec.c_kind)
      isa_pkg::SRC_REG:                    if (sel.uop.dec.c_reg != isa_pkg::RZ) c_d = sel_words[2];
      isa_pkg::SRC_IMM, isa_pkg::SRC_CONST: c_d = {LANES{sel.uop.sval}};
      default:                             c_d = '0;
    endcase
    if (used_d[5] && sel.uop.dec.c_reg != isa_pkg::RZ) c_hi_d = sel_words[3];
    swap_a = a_d;
    if (fault_i == core_pkg::FAULT_LANE_SWAP) swap_a[1:0] = {a_d[0], a_d[1]};
  end

  always_comb begin
    dest_d.id    = sel.uop.id;
    dest_d.pipe  = sel.pipe;
    dest_d.beat  = 5'(sel_beat);
    dest_d.last  = sel_last;
    dest_d.mask  = of_beat(sel.uop.exec, sel_beat);
    dest_d.rd_en = sel.rd_en;
    dest_d.rd    = sel.uop.dec.rd;
    dest_d.rd_n  = sel.uop.dec.rd_n;
    dest_d.wreg  = sel.rd_wreg;
    dest_d.pd0   = sel.uop.dec.has_pd0 ? sel.uop.dec.pd0 : isa_pkg::PT;
    dest_d.pd1   = sel.uop.dec.has_pd1 ? sel.uop.dec.pd1 : isa_pkg::PT;
    dest_d.wbar  = sel.uop.dec.wbar;
  end

  always_ff @(posedge clk_i) begin
    if (take_i != '0) begin
      uop_q  <= sel.uop;
      dest_q <= dest_d;
      used_q <= used_d;
      a_q    <= swap_a;
      a_hi_q <= a_hi_d;
      b_q    <= b_d;
      c_q    <= c_d;
      c_hi_q <= c_hi_d;
      ps0_q  <= of_beat(sel.uop.ps0, sel_beat);
      ps1_q  <= of_beat(sel.uop.ps1, sel_beat);
      ps2_q  <= of_beat(sel.uop.ps2, sel_beat);
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) op_valid_q <= 1'b0;
    else         op_valid_q <= take_i != '0;
  end

  assign op_valid_o = op_valid_q;
  assign op_uop_o   = uop_q;
  assign op_dest_o  = dest_q;
  assign op_used_o  = used_q;
  assign op_a_o     = a_q;
  assign op_a_hi_o  = a_hi_q;
  assign op_b_o     = b_q;
  assign op_c_o     = c_q;
  assign op_c_hi_o  = c_hi_q;
  assign op_ps0_o   = ps0_q;
  assign op_ps1_o   = ps1_q;
  assign op_ps2_o   = ps2_q;

  if ($bits(sel) != HELD_W || $bits(dest_d) != back_pkg::DEST_W) begin : gen_check
    $error("dispatch: a struct has another width than back_pkg says");
  end

endmodule

`default_nettype wire
