// SPDX-License-Identifier: Apache-2.0
// Operands of a row of an atomic, on their way to memory: lane by lane, ascending; of each the words
// that count of b and of c (of a compare-and-swap), a piece of the 128 bits a beat.
// Latency: combinational from the row. A lane of one word takes a step; of more as many as its
// words need at TAKE words a step, which are kept until their piece is complete.
// Handshake: as store_beats: load_i, step_i, final_o. A step that completes no piece sends nothing.
// It does not read data: group_o is what data_i has to show in the next cycle (TAKE words of a lane).
`include "heddle_idle.svh"

module atom_beats #(
  localparam int unsigned LANES   = cfg_pkg::LSU_LANES,
  localparam int unsigned TAKE    = mem_pkg::ST_TAKE,
  localparam int unsigned GROUP_W = mem_pkg::ST_GROUP_W
) (
  input  logic                             clk_i,
  input  logic                             rst_ni,
  // from line_request: a row
  input  logic                             load_i,
  input  logic [LANES-1:0]                 lanes_i,
  input  logic [mem_pkg::BEAT_W-1:0]       row_i,         // its number
  input  logic                             wide_i,        // 64 bits
  input  logic                             swap_i,        // compare-and-swap
  input  logic [LANES-1:0][6:0]            offset_i,
  input  logic [TAKE-1:0][LANES-1:0][31:0] data_i,        // words of b, of c: TAKE of these four
  input  logic                             step_i,
  output logic                             more_o,
  output logic                             final_o,
  output logic [GROUP_W-1:0]               first_group_o,
  output logic [GROUP_W-1:0]               group_o,
  output logic                             sends_o,       // the step sends beat_o
  output line_pkg::write_t                 beat_o
);

  localparam int unsigned WORDS  = line_pkg::BITS / 32;
  localparam int unsigned PIECE  = (WORDS < 4) ? WORDS : 4;      // words of a piece
  localparam int unsigned STEP   = (TAKE < PIECE) ? TAKE : PIECE;
  localparam int unsigned LANE_W = (LANES > 1) ? $clog2(LANES) : 1;

  logic [LANES-1:0]            left_q, hot, after;
  logic [LANE_W-1:0]           lane;
  logic [1:0]                  word_q, word_next, follows;  // the first word of this step, of the next one of the lane
  logic                        lane_done;
  /* verilator lint_off UNUSEDSIGNAL */                   // it is a whole word
  logic [6:0]                  at;
  /* verilator lint_on UNUSEDSIGNAL */
  logic [LANES-1:0][32*STEP-1:0] shown;
  logic [32*STEP-1:0]          now;
  logic [3:0][31:0]            held_q, words;               // of the lane, at their places

  // Words b0, b1, c0, c1: which follows word_q, and whether any does.
  always_comb begin
    follows   = '0;
    lane_done = 1'b1;
    for (int w = 3; w > 0; w--) begin
      if (w >= 32'(word_q) + STEP && (w % 2 == 0 || wide_i) && (w < 2 || swap_i)) begin
        follows   = 2'(w / STEP * STEP);
        lane_done = 1'b0;
      end
    end
  end

  assign word_next     = !step_i ? word_q : lane_done ? '0 : follows;
  assign first_group_o = '0;
  assign group_o       = GROUP_W'(32'(word_next) / TAKE);
  assign after         = left_q & (left_q - LANES'(1));
  assign final_o       = lane_done && after == '0;
  assign sends_o       = lane_done || 32'(follows) / PIECE != 32'(word_q) / PIECE;

  lowest_one #(.N(LANES)) u_lane (
    .in_i     (left_q),
    .onehot_o (hot),
    .index_o  (lane),
    .any_o    (more_o)
  );
  onehot_mux #(.WIDTH(7), .N(LANES)) u_offset (
    .sel_i  (hot),
    .data_i (offset_i),
    .data_o (at)
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      left_q <= '0;
      word_q <= '0;
    end else begin
      word_q <= word_next;
      if (load_i)                   left_q <= lanes_i;
      else if (step_i && lane_done) left_q <= after;
    end
  end

  always_comb begin
    shown = 'x;
    `HEDDLE_ONLY(more_o) begin
      for (int unsigned l = 0; l < LANES; l++) begin
        for (int unsigned w = 0; w < STEP; w++) shown[l][32*w +: 32] = data_i[(32'(word_q) + w) % TAKE][l];
      end
    end
  end
  onehot_mux #(.WIDTH(32 * STEP), .N(LANES)) u_words (
    .sel_i  (hot),
    .data_i (shown),
    .data_o (now)
  );

  always_comb begin
    words = held_q;
    for (int unsigned w = 0; w < 4; w += STEP) begin
      if (32'(word_q) == w) words[w +: STEP] = now;
    end
  end
  always_ff @(posedge clk_i) begin
    if (step_i) held_q <= words;
  end

  always_comb begin
    beat_o       = '0;
    beat_o.atom  = 1'b1;
    beat_o.lane  = 5'(32'(row_i) * LANES + 32'(lane));
    beat_o.place = at[6:2];
    beat_o.piece = 2'(32'(word_q) / PIECE);
    beat_o.data[32*PIECE-1:0] = words[beat_o.piece * PIECE +: PIECE];
  end

endmodule
