// SPDX-License-Identifier: Apache-2.0
// Operand collector: gathers, beat by beat and in order, the WORDS operand words of one instruction.
// Latency: load in cycle t, words asked for from t+1, their data arrives the cycle after the grant and may leave in that
// same cycle. Two beats are in work at once: with words in different banks one beat leaves every cycle.
// Handshake: full_o says that beat_o is complete with data_o; it stays so until take_i. busy_o falls after the last take.
// It does not arbitrate, does not know what a word means, and gives undefined data for words not needed.
`default_nettype none
`include "heddle_assert.svh"

module collector #(
  parameter int unsigned WORDS  = 4,
  parameter int unsigned META_W = 8
) (
  input  logic                                              clk_i,
  input  logic                                              rst_ni,
  // from the allocator: an instruction (only while not busy)
  input  logic                                              load_i,
  input  logic [WORDS-1:0]                                  need_i,   // word is read from somewhere
  input  logic [WORDS-1:0]                                  side_i,   // ... from the side memory of this word
  input  logic [WORDS-1:0][back_pkg::WREG_W-1:0]            wreg_i,   // ... else from this warp register
  input  logic [META_W-1:0]                                 meta_i,
  // to and from the arbiters: one ask a bank, one a side memory
  output logic [cfg_pkg::BANKS-1:0]                         ask_o,
  output logic [cfg_pkg::BANKS-1:0][back_pkg::WREG_W-1:0]   ask_wreg_o,
  output logic [WORDS-1:0]                                  ask_side_o,
  output logic [cfg_pkg::BEAT_W-1:0]                       ask_beat_o,
  input  logic [cfg_pkg::BANKS-1:0]                         grant_i,
  input  logic [WORDS-1:0]                                  grant_side_i,
  // from the memories, one cycle after the grant
  input  logic [cfg_pkg::BANKS-1:0][cfg_pkg::LANES-1:0][31:0] bank_data_i,
  input  logic [WORDS-1:0][cfg_pkg::LANES-1:0][31:0]        side_data_i,
  // to and from dispatch
  output logic                                              busy_o,
  output logic                                              full_o,
  output logic [cfg_pkg::BEAT_W-1:0]                       beat_o,
  output logic                                              last_o,
  output logic [META_W-1:0]                                 meta_o,
  output logic [WORDS-1:0][cfg_pkg::LANES-1:0][31:0]        data_o,
  input  logic                                              take_i
);

  localparam int unsigned BUFS = (cfg_pkg::BEATS > 1) ? 2 : 1;
  localparam logic [cfg_pkg::BEAT_W-1:0] LAST = cfg_pkg::BEAT_W'(cfg_pkg::BEATS - 1);

  // The instruction.
  logic                                     busy_q;
  logic [WORDS-1:0]                         need_q, side_q;
  logic [WORDS-1:0][back_pkg::WREG_W-1:0]   wreg_q;
  logic [META_W-1:0]                        meta_q;
  // Asking: beat ask_q, words of it not granted yet. Taking: beat beat_q.
  logic [cfg_pkg::BEAT_W-1:0]              ask_q, beat_q;
  logic [WORDS-1:0]                         todo_q, todo_d;
  // Granted in the last cycle: arriving now, for buffer arrive_buf_q.
  logic [WORDS-1:0]                         arrive_q, granted;
  logic                                     arrive_buf_q;
  logic [BUFS-1:0][WORDS-1:0]               have_q, have_d;
  logic [BUFS-1:0][WORDS-1:0][cfg_pkg::LANES-1:0][31:0] buf_q;
  logic [WORDS-1:0][cfg_pkg::LANES-1:0][31:0] arrive_data;
  logic [cfg_pkg::BANKS-1:0][WORDS-1:0]     pick;
  logic                                     asking, ahead, ask_buf, beat_buf;

  assign ask_buf  = (BUFS > 1) && ask_q[0];
  assign beat_buf = (BUFS > 1) && beat_q[0];
  // Both buffers are in use while ask_q is two beats ahead; asking beat k+1 while beat k is incomplete is fine.
  assign ahead    = (BUFS > 1) && (cfg_pkg::BEAT_W'(ask_q - beat_q) > cfg_pkg::BEAT_W'(1));
  assign asking   = busy_q && !ahead;

  // For each bank the lowest word that still waits for it.
  always_comb begin
    ask_o      = '0;
    ask_wreg_o = '0;
    pick       = '0;
    for (int unsigned b = 0; b < cfg_pkg::BANKS; b++) begin
      for (int unsigned w = WORDS; w > 0; w--) begin
        if (todo_q[w-1] && !side_q[w-1] && back_pkg::bank_of(wreg_q[w-1]) == cfg_pkg::BANK_W'(b)) begin
          ask_o[b]      = asking;
          ask_wreg_o[b] = wreg_q[w-1];
          pick[b]       = WORDS'(1) << (w - 1);
        end
      end
    end
  end
  assign ask_side_o = asking ? (todo_q & side_q) : '0;
  assign ask_beat_o = ask_q;

  always_comb begin
    granted = grant_side_i;
    for (int unsigned b = 0; b < cfg_pkg::BANKS; b++) begin
      if (grant_i[b]) granted |= pick[b];
    end
    todo_d = todo_q & ~granted;
  end

  // Arriving words go straight through when their beat is the one that is taken, else into their buffer.
  always_comb begin
    for (int unsigned w = 0; w < WORDS; w++) begin
      arrive_data[w] = side_q[w] ? side_data_i[w] : bank_data_i[back_pkg::bank_of(wreg_q[w])];
      data_o[w]      = have_q[beat_buf][w] ? buf_q[beat_buf][w] : arrive_data[w];
    end
    have_d = have_q;
    have_d[arrive_buf_q] |= arrive_q;
    if (take_i) have_d[beat_buf] = '0;
  end

  assign busy_o = busy_q;
  assign full_o = busy_q && (need_q & ~have_q[beat_buf] & ~((arrive_buf_q == beat_buf) ? arrive_q : '0)) == '0;
  assign beat_o = beat_q;
  assign last_o = beat_q == LAST;
  assign meta_o = meta_q;

  always_ff @(posedge clk_i) begin
    for (int unsigned w = 0; w < WORDS; w++) begin
      if (arrive_q[w]) buf_q[arrive_buf_q][w] <= arrive_data[w];
    end
    if (load_i) begin
      need_q <= need_i;
      side_q <= side_i;
      wreg_q <= wreg_i;
      meta_q <= meta_i;
    end
  end

  always_ff @(posedge clk_i) begin
    arrive_buf_q <= ask_buf;
    if (!rst_ni) begin
      busy_q   <= 1'b0;
      ask_q    <= '0;
      beat_q   <= '0;
      todo_q   <= '0;
      arrive_q <= '0;
      have_q   <= '0;
    end else begin
      arrive_q <= granted;
      have_q   <= have_d;
      if (load_i) begin
        busy_q <= 1'b1;
        ask_q  <= '0;
        beat_q <= '0;
        todo_q <= need_i;
      end else begin
        todo_q <= todo_d;
        if (asking && todo_d == '0 && ask_q != LAST) begin
          ask_q  <= ask_q + cfg_pkg::BEAT_W'(1);
          todo_q <= need_q;
        end
        if (take_i) begin
          beat_q <= beat_q + cfg_pkg::BEAT_W'(1);
          if (last_o) busy_q <= 1'b0;
        end
      end
    end
  end

  // A collector is loaded only when it is free.
  `ASSERT(a_load, !load_i || !busy_q)
  // A beat is taken only when it is complete.
  `ASSERT(a_take, !take_i || full_o)
  // Nothing is granted that was not asked for.
  `ASSERT(a_grant, (grant_i & ~ask_o) == '0 && (grant_side_i & ~ask_side_o) == '0)

endmodule

`default_nettype wire
