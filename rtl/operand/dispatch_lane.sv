// SPDX-License-Identifier: Apache-2.0
// The operand bus of a machine whose pipes all have one lane (back_pkg::SERIAL): what `dispatch` does, for less. The lanes of a word
// are a chain: a row's words from the banks enter it at once, and come down a lane a cycle to the lowest one, which pipes and
// register branches take. What comes from elsewhere (the reuse cache, immediates, constants, special registers) enters at the lowest
// lane, in the cycle of its lane. A chain is empty once its row has passed, so that a word that no bank has leaves it alone, and what
// comes down is ORed to what enters. Rows for the collectors enter no chain.
// Latency: one cycle from the words' arrival to the bus; then a lane a cycle.
// No handshake: whoever is named takes the row.
// It does not choose the beat or count passes, and applies no negation or absolute value. Lanes above the lowest of op_words_o are
// for the records of rows for the collectors alone, as these keep them.
`default_nettype none
`include "heddle_assert.svh"
`include "heddle_idle.svh"

module dispatch_lane #(
  localparam int unsigned LANES  = cfg_pkg::LANES,
  localparam int unsigned BANKS  = cfg_pkg::BANKS,
  localparam int unsigned LANE_W = back_pkg::STAY_W,
  localparam int unsigned WORDS  = back_pkg::WORDS
) (
  input  logic                                clk_i,
  input  logic                                rst_ni,
  // one cycle after the reads: early words a, b arrive, each from its bank
  input  logic [1:0][BANKS-1:0]               early_i,
  input  logic                                coll_i,        // ... of a row for the collectors, these and the last ones
  // ... or the last words of a row arrive; then it passes, a lane a cycle: which one comes to the bus next
  input  logic                                final_i,
  input  logic [LANE_W-1:0]                   pass_i,        // 0 with the row and while none passes
  input  back_pkg::beat_t                     beat_i,        // until the last of its lanes
  input  logic [WORDS-1:0][BANKS-1:0]         from_bank_i,   // one-hot, or none
  input  logic [1:0]                          from_early_i,
  input  logic                                from_tid_i,    // word b from the thread ids
  // from the memories
  input  logic [BANKS-1:0][LANES-1:0][31:0]   bank_data_i,
  input  logic [2:0][31:0]                    reuse_lane_i,  // of the lane that comes to the bus next
  input  logic [31:0]                         lane_data_i,   // of that lane: what follows from its number, else zero
  input  logic [LANES-1:0][10:0]              tid_data_i,
  input  logic [6:0][LANES-1:0]               preds_i,       // of the row's lanes, P0 first; zero if it has none (not P2R)
  // to the reuse cache: words a, b, c on the bus
  output logic [2:0][LANES-1:0][31:0]         ds_word_o,
  // to the collectors: words x, c, b, a on their way to the bus, and which of a row's last words come from nowhere: they are zero
  output logic [WORDS-1:0]                    ds_we_o,
  output logic [WORDS-1:0]                    ds_none_o,
  output logic [WORDS-1:0][LANES-1:0][31:0]   ds_row_o,
  // to the pipes, the collectors and writeback
  output bus_pkg::row_t                       op_row_o,
  output bus_pkg::words_t                     op_words_o,
  // to issue: with an instruction's last row on the bus all its operands have been read
  output logic                                op_disp_valid_o,
  output logic [cfg_pkg::WARP_W-1:0]          op_disp_slot_o,
  output logic [2:0]                          op_disp_rbar_o
);

  localparam int unsigned A = back_pkg::WORD_A, B = back_pkg::WORD_B, C = back_pkg::WORD_C, X = back_pkg::WORD_X;

  // ---- from the banks ---------------------------------------------------------------------------------------
  logic [WORDS-1:0][BANKS-1:0]       from;
  logic [WORDS-1:0]                  enter;   // a bank has the word
  logic [WORDS-1:0]                  take;    // the word is known now: a bank has it, or none and it is not early
  logic                              pass, live;
  logic [WORDS-1:0][LANES-1:0][31:0] chain_q, chain_d;

  assign pass = pass_i != '0;
  assign live = final_i || early_i != '0 || pass;
  assign from = final_i ? from_bank_i : {(2*BANKS)'(0), early_i};
  assign take = {final_i, final_i, final_i ? ~from_early_i : {early_i[1] != '0, early_i[0] != '0}};

  // Of a bank that was not read the data is zero, so a passing row has its own lanes alone.
  always_comb begin
    for (int unsigned w = 0; w < WORDS; w++) begin
      enter[w] = from[w] != '0;
      `HEDDLE_IDLE(chain_d[w], 'x);
      if (`HEDDLE_LIVE(live)) chain_d[w] = (from[w][1] ? bank_data_i[1] : bank_data_i[0]) | {32'b0, chain_q[w][LANES-1:1]};
    end
  end

  // The collectors' memory keeps an early word as the bus does.
  assign ds_we_o   = !coll_i ? '0 : take;
  assign ds_none_o = ~enter & take;
  assign ds_row_o  = chain_d;

  // ---- from elsewhere, lane by lane -------------------------------------------------------------------------
  logic                  turn;
  logic [6:0][LANES-1:0] preds_q, preds;   // of the lanes that are still to come
  logic [WORDS-1:0][31:0] other;

  assign turn  = final_i || pass;
  assign preds = pass ? preds_q : preds_i;

  always_comb begin
    for (int unsigned w = 0; w < WORDS; w++) `HEDDLE_IDLE(other[w], 'x);
    if (`HEDDLE_LIVE(live)) begin
      other[A] = reuse_lane_i[0];
      other[B] = reuse_lane_i[1] | ((turn && beat_i.sval_b) ? beat_i.sval : 32'b0) | lane_data_i |
                 ((turn && from_tid_i) ? 32'(tid_data_i[pass_i]) : 32'b0);
      other[C] = reuse_lane_i[2] | ((turn && beat_i.sval_c) ? beat_i.sval : 32'b0);
      other[X] = (turn && beat_i.sval_x) ? beat_i.sval_hi : 32'b0;
      for (int unsigned p = 0; p < 7; p++) other[C][p] |= preds[p][0];
    end
  end

  // ---- the bus ------------------------------------------------------------------------------------------------
  back_pkg::dest_t            dest_q;
  logic                       valid_q, coll_q;
  logic [exec_pkg::CTL_W-1:0] ctl_q;
  logic [2:0]                 rbar_q;
  logic [core_pkg::SLOTS-1:0] used_q;
  logic [LANES-1:0]           ps0_q, ps1_q, ps2_q;

  always_ff @(posedge clk_i) begin
    for (int unsigned w = 0; w < WORDS; w++) begin
      if (take[w] || pass) chain_q[w][0] <= (chain_d[w][0] & {32{enter[w] || pass}}) | other[w];
      if (!rst_ni)                            chain_q[w][LANES-1:1] <= '0;
      else if ((enter[w] && !coll_i) || pass) chain_q[w][LANES-1:1] <= chain_d[w][LANES-1:1];
    end
  end

  always_ff @(posedge clk_i) begin
    if (final_i) begin
      ctl_q  <= beat_i.ctl;
      rbar_q <= beat_i.rbar;
      used_q <= beat_i.used;
      dest_q <= beat_i.dest;
    end
    if (final_i || pass) begin
      ps0_q <= pass ? ps0_q >> 1 : beat_i.ps0;
      ps1_q <= pass ? ps1_q >> 1 : beat_i.ps1;
      ps2_q <= pass ? ps2_q >> 1 : beat_i.ps2;
      for (int unsigned p = 0; p < 7; p++) preds_q[p] <= preds[p] >> 1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid_q <= 1'b0;
      coll_q  <= 1'b0;
    end else begin
      valid_q <= final_i && !beat_i.coll;
      coll_q  <= final_i && beat_i.coll;
    end
  end

  // ---- rows for the collectors, as they are kept there: for records ----------------------------------------------------------
  logic [WORDS-1:0][LANES-1:1][31:0] row_q;

  always_ff @(posedge clk_i) begin
    for (int unsigned w = 0; w < WORDS; w++) begin
      if (ds_we_o[w]) row_q[w] <= ds_none_o[w] ? '0 : ds_row_o[w][LANES-1:1];
    end
  end

  assign ds_word_o = {op_words_o.c, op_words_o.b, op_words_o.a};
  assign op_row_o = '{
    valid: valid_q,
    coll:  coll_q,
    dest:  dest_q,
    used:  used_q,
    ctl:   ctl_q,
    ps0:   ps0_q,
    ps1:   ps1_q,
    ps2:   ps2_q
  };
  assign op_disp_valid_o = (valid_q || coll_q) && dest_q.last;
  assign op_disp_slot_o  = core_pkg::local_slot(dest_q.id.slot);
  assign op_disp_rbar_o  = rbar_q;
  assign op_words_o.a = {row_q[A], chain_q[A][0]};
  assign op_words_o.b = {row_q[B], chain_q[B][0]};
  assign op_words_o.c = {row_q[C], chain_q[C][0]};
  assign op_words_o.x = {row_q[X], chain_q[X][0]};

  `ASSERT_IF(a_coll, final_i, coll_i == beat_i.coll)
  `ASSERT_IF(a_passes, pass, !final_i && early_i == '0 && bank_data_i == '0)
  // Which thread id was chosen where it is read.
  logic unused;
  assign unused = ^{beat_i.preds_c, beat_i.tid_b, beat_i.tid_y, beat_i.tid_z, beat_i.sval_a, beat_i.lane_b, beat_i.lane};

endmodule

`default_nettype wire
