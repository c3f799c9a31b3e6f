// SPDX-License-Identifier: Apache-2.0 Operands of one instruction of the warp-wide unit: written beat by beat, read as a row, or as
// words of any lanes, which is SHFL. Operand a, a copy for each word that SHFL reads in a cycle; its upper word, or for SHFL the
// last of these copies; operands b and c of SHFL. LUT memory of BEATS rows; registers where an instruction is one beat.
// Latency: a row 0, of what was written a cycle ago. SHFL: ANSWERS lanes a cycle find their sources, and have their words a cycle
// later; STEPS cycles a beat.
// Handshake: both stages of SHFL stand while room_i is low. While nothing is read the outputs mean nothing; one kind of read a
// cycle.
// It does not clear anything.
`include "heddle_idle.svh"

module warp_words #(
  localparam int unsigned LANES   = cfg_pkg::LANES,
  localparam int unsigned LANE_W  = cfg_pkg::LANE_W,
  localparam int unsigned BEATS   = cfg_pkg::BEATS,
  localparam int unsigned BEAT_W  = cfg_pkg::BEAT_W,
  localparam int unsigned ANSWERS = warp_pkg::ANSWERS
) (
  input  logic                           clk_i,
  input  logic                           rst_ni,
  // a beat of operands
  input  logic                           take_i,
  input  logic                           shuffle_i,
  input  logic [BEAT_W-1:0]              beat_i,
  input  logic [core_pkg::MEM_SLOTS-1:0][LANES-1:0][31:0] data_i,
  // a row, and a lane of it
  input  logic                           read_i,
  input  logic [BEAT_W-1:0]              row_i,       // of SHFL the beat that is answered
  input  logic [LANE_W-1:0]              lane_i,
  output logic [LANES-1:0][31:0]         row_o,
  output logic [LANES-1:0][31:0]         high_row_o,
  output logic [31:0]                    high_o,
  // SHFL: a step of a beat, of lanes that execute; the last step of a beat
  input  logic                           hear_i,
  input  logic                           room_i,
  input  logic [2:0]                     mode_i,
  input  logic [31:0]                    exec_i,
  output logic                           step_last_o,
  // ... a cycle later; word 0 is also that of lane_i
  output logic                           heard_valid_o,
  output logic [1:0]                     heard_step_o,
  output logic [ANSWERS-1:0]             heard_o,     // another lane's word
  output logic [ANSWERS-1:0][31:0]       word_o
);

  localparam int unsigned LOWS = (ANSWERS > 1) ? ANSWERS - 1 : 1;

  // ---- the words of an instruction --------------------------------------------------------------------------------------------
  logic [LANES-1:0][31:0]         low_q [BEATS], high_q [BEATS], high_wr;
  warp_pkg::ask_t [LANES-1:0]     asks_q [BEATS], asks_wr;

  always_comb begin
    `HEDDLE_IDLE(high_wr, 'x);
    `HEDDLE_IDLE(asks_wr, 'x);
    if (take_i) begin
      high_wr = (ANSWERS > 1 && shuffle_i) ? data_i[0] : data_i[1];
      for (int unsigned l = 0; l < LANES; l++) asks_wr[l] = warp_pkg::asks(data_i[2][l], data_i[4][l]);
    end
  end
  always_ff @(posedge clk_i) begin
    if (take_i) begin
      low_q[beat_i]  <= data_i[0];
      high_q[beat_i] <= high_wr;
    end
    if (take_i && shuffle_i) asks_q[beat_i] <= asks_wr;
  end

  // ---- SHFL: from which lanes those of a step get their words ----------------------------------------------------------------
  logic [1:0]                 step_q, heard_step_q;
  logic                       valid_q;
  warp_pkg::ask_t [LANES-1:0] asks;
  logic [ANSWERS-1:0][4:0]    from_d, from_q;
  logic [ANSWERS-1:0]         heard_d, heard_q;

  assign step_last_o   = step_q == 2'(warp_pkg::STEPS - 1);
  assign heard_valid_o = valid_q;
  assign heard_step_o  = heard_step_q;
  assign heard_o       = heard_q;

  function automatic logic [4:0] lane_of(logic [LANE_W-1:0] place);
    lane_of = 5'(((BEATS > 1) ? 32'(row_i) * LANES : 32'd0) + 32'(place));
  endfunction

  always_comb begin
    {asks, from_d, heard_d} = 'x;
    if (hear_i) begin
      asks = asks_q[row_i];
      for (int unsigned i = 0; i < ANSWERS; i++) begin
        {heard_d[i], from_d[i]} = warp_pkg::source(mode_i, lane_of(LANE_W'(32'(step_q) * ANSWERS + i)),
          asks[LANE_W'(32'(step_q) * ANSWERS + i)], exec_i);
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni)     valid_q <= 1'b0;
    else if (room_i) valid_q <= hear_i;
  end
  always_ff @(posedge clk_i) begin
    if (take_i) step_q <= '0;
    if (hear_i && room_i) begin
      step_q       <= step_q + 2'd1;
      heard_step_q <= step_q;
      from_q       <= from_d;
      heard_q      <= heard_d;
    end
  end

  // ---- reads ------------------------------------------------------------------------------------------------------------------
  logic [ANSWERS-1:0][BEAT_W-1:0] row;
  logic [ANSWERS-1:0][LANE_W-1:0] lane;
  logic [BEAT_W-1:0]              high_row;
  logic [LANE_W-1:0]              high_lane;

  always_comb begin
    for (int unsigned p = 0; p < ANSWERS; p++) begin
      row[p]  = (BEATS > 1) ? BEAT_W'(32'(from_q[p]) / LANES) : '0;
      lane[p] = LANE_W'(from_q[p]);
    end
    if (!valid_q) begin
      row[0]  = row_i;
      lane[0] = lane_i;
    end
  end
  assign high_row  = (ANSWERS > 1 && valid_q) ? row[ANSWERS-1] : row[0];
  assign high_lane = (ANSWERS > 1 && valid_q) ? lane[ANSWERS-1] : lane_i;

  always_comb begin
    {row_o, high_row_o, high_o, word_o} = 'x;
    if (read_i || valid_q) begin
      row_o = low_q[row[0]];
      for (int unsigned p = 0; p < LOWS; p++) word_o[p] = low_q[row[p]][lane[p]];
    end
    if (read_i || (ANSWERS > 1 && valid_q)) begin
      high_row_o = high_q[high_row];
      high_o     = high_q[high_row][high_lane];
    end
    if (ANSWERS > 1) word_o[ANSWERS-1] = high_o;
  end

  // Some of the operand words count, and of some words some bits.
  logic unused;
  assign unused = ^{data_i[2], data_i[3], data_i[4], data_i[5]};

endmodule
