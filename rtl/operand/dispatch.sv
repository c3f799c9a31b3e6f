// SPDX-License-Identifier: Apache-2.0
// The general dispatch bus: puts the words of a beat together as they come out of the memories, with early words (kept
// here), immediates, constants, RZ and special registers, and registers them for the pipes with where results go.
// Latency: one cycle from the words' arrival to op_valid_o.
// No handshake: the pipes take every beat.
// It does not choose the beat, and applies no negation or absolute value.
`default_nettype none
`include "heddle_lanes.svh"

module dispatch #(
  localparam int unsigned SLOTS  = core_pkg::SLOTS,
  localparam int unsigned LANES  = cfg_pkg::LANES,
  localparam int unsigned BANKS  = cfg_pkg::BANKS,
  localparam int unsigned BEAT_W = cfg_pkg::BEAT_W,
  localparam int unsigned WORDS  = back_pkg::WORDS
) (
  input  logic                                clk_i,
  input  logic                                rst_ni,
  input  logic [7:0]                          fault_i,
  // one cycle after the reads: an early word arrives
  input  logic [1:0]                          early_i,       // for a0, b0
  input  logic [BANKS-1:0]                    early_bank_i,
  // ... or the last words of a beat arrive
  input  logic                                final_i,
  input  back_pkg::held_t                     held_i,
  input  logic [BEAT_W-1:0]                   beat_i,
  input  logic                                last_i,
  input  logic [WORDS-1:0][BANKS-1:0]         from_bank_i,   // one-hot, or none
  input  logic [1:0]                          from_early_i,
  input  logic [2:0]                          from_side_i,
  // from the memories
  input  logic [BANKS-1:0][LANES-1:0][31:0]   bank_data_i,
  input  logic [2:0][LANES-1:0][31:0]         reuse_data_i,
  input  logic [LANES-1:0][10:0]              tid_data_i,
  // to the pipes and writeback
  output logic                                op_valid_o,
  output back_pkg::dest_t                     op_dest_o,
  output logic [exec_pkg::CTL_W-1:0]          op_ctl_o,
  output logic [2:0]                          op_rbar_o,
  output logic [SLOTS-1:0]                    op_used_o,
  output logic [LANES-1:0][31:0]              op_a_o,
  output logic [LANES-1:0][31:0]              op_b_o,
  output logic [LANES-1:0][31:0]              op_c_o,
  output logic [LANES-1:0][31:0]              op_x_o,        // second word of a or c
  output logic [LANES-1:0]                    op_ps0_o,
  output logic [LANES-1:0]                    op_ps1_o,
  output logic [LANES-1:0]                    op_ps2_o
);

  // The lanes of this beat out of 32.
  function automatic logic [LANES-1:0] of_beat(logic [31:0] all, logic [BEAT_W-1:0] k);
    of_beat = LANES'(all >> ((cfg_pkg::BEATS > 1) ? 32'(k) * LANES : 32'd0));
  endfunction

  // ---- early words ------------------------------------------------------------------------------------------
  logic [LANES-1:0][31:0] early_a_q, early_b_q;

  always_ff @(posedge clk_i) begin
    if (early_i != '0) begin
      for (int unsigned l = 0; l < LANES; l++) begin
        automatic logic [31:0] word;
        word = '0;
        for (int unsigned b = 0; b < BANKS; b++) word |= {32{early_bank_i[b]}} & bank_data_i[b][l];
        if (early_i[0]) early_a_q[l] <= word;
        if (early_i[1]) early_b_q[l] <= word;
      end
    end
  end

  // ---- what is not read -------------------------------------------------------------------------------------
  logic [LANES-1:0][31:0] lane_data;
  logic [31:0]            sval_b, sval_c;

  lane_values u_lane_values (
    .en_i   (final_i && held_i.lane_b),
    .beat_i (beat_i),
    .kind_i (held_i.lane),
    .data_o (lane_data)
  );

  assign sval_b = held_i.sval_b ? held_i.sval : '0;
  assign sval_c = held_i.sval_c ? held_i.sval : '0;

  // ---- the dispatch register --------------------------------------------------------------------------------
  back_pkg::dest_t            dest_d, dest_q;
  logic                       valid_q;
  logic [exec_pkg::CTL_W-1:0] ctl_q;
  logic [2:0]                 rbar_q;
  logic [SLOTS-1:0]           used_q;
  logic [LANES-1:0][31:0]     a_q, b_q, c_q, x_q;
  logic [31:0]                a_d [LANES], b_d [LANES], c_d [LANES], x_d [LANES];
  logic [LANES-1:0]           ps0_q, ps1_q, ps2_q;
  logic                       side_b, side_tid;

  assign side_b   = from_side_i[1] && !held_i.tid_b;
  assign side_tid = from_side_i[1] && held_i.tid_b;

  always_comb begin
    dest_d.id    = held_i.id;
    dest_d.pipe  = held_i.pipe;
    dest_d.beat  = 5'(beat_i);
    dest_d.last  = last_i;
    dest_d.mask  = of_beat(held_i.exec, beat_i);
    dest_d.rd_en = held_i.rd_en;
    dest_d.rd    = held_i.rd;
    dest_d.rd_n  = held_i.rd_n;
    dest_d.wreg  = held_i.wreg;
    dest_d.pd0   = held_i.pd0;
    dest_d.pd1   = held_i.pd1;
    dest_d.wbar  = held_i.wbar;
  end

  // Words that come from nowhere are zero: RZ, and what the instruction does not have.
  always_ff @(posedge clk_i) begin
    if (final_i) begin
      `LANE_LOOP (int l = 0; l < int'(LANES); l++) begin
        automatic logic [31:0] a = '0, b = '0, c = '0, x = '0;
        a = ({32{from_early_i[0]}} & early_a_q[l]) | ({32{from_side_i[0]}} & reuse_data_i[0][l]);
        b = ({32{from_early_i[1]}} & early_b_q[l]) | ({32{side_b}} & reuse_data_i[1][l])
            | sval_b | lane_data[l] | {21'b0, {11{side_tid}} & tid_data_i[l]};
        c = ({32{from_side_i[2]}} & reuse_data_i[2][l]) | sval_c;
        for (int unsigned k = 0; k < BANKS; k++) begin
          a |= {32{from_bank_i[0][k]}} & bank_data_i[k][l];
          b |= {32{from_bank_i[1][k]}} & bank_data_i[k][l];
          c |= {32{from_bank_i[2][k]}} & bank_data_i[k][l];
          x |= {32{from_bank_i[3][k]}} & bank_data_i[k][l];
        end
        a_d[l] = a;
        b_d[l] = b;
        c_d[l] = c;
        x_d[l] = x;
      end
      for (int unsigned l = 0; l < LANES; l++) begin
        a_q[l] <= a_d[l];
        b_q[l] <= b_d[l];
        c_q[l] <= c_d[l];
        x_q[l] <= x_d[l];
      end
      if (fault_i == core_pkg::FAULT_LANE_SWAP) begin
        a_q[0] <= a_d[1];
        a_q[1] <= a_d[0];
      end
      ctl_q  <= held_i.ctl;
      rbar_q <= held_i.rbar;
      used_q <= held_i.used;
      dest_q <= dest_d;
      ps0_q  <= of_beat(held_i.ps0, beat_i);
      ps1_q  <= of_beat(held_i.ps1, beat_i);
      ps2_q  <= of_beat(held_i.ps2, beat_i);
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) valid_q <= 1'b0;
    else         valid_q <= final_i;
  end

  assign op_valid_o = valid_q;
  assign op_dest_o  = dest_q;
  assign op_ctl_o   = ctl_q;
  assign op_rbar_o  = rbar_q;
  assign op_used_o  = used_q;
  assign op_a_o     = a_q;
  assign op_b_o     = b_q;
  assign op_c_o     = c_q;
  assign op_x_o     = x_q;
  assign op_ps0_o   = ps0_q;
  assign op_ps1_o   = ps1_q;
  assign op_ps2_o   = ps2_q;

  // Which thread id was chosen where it is read.
  logic unused;
  assign unused = ^{held_i.tid_y, held_i.tid_z};

  if ($bits(dest_d) != back_pkg::DEST_W) begin : gen_check
    $error("dispatch: a struct has another width than back_pkg says");
  end

endmodule

`default_nettype wire
