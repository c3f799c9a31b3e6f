// SPDX-License-Identifier: Apache-2.0
// Operands of one instruction of the warp-wide unit: written beat by beat, read as words of any lane, and as a whole row. Operand a, a
// copy for each word that SHFL reads in a cycle; its upper word, or for SHFL the last of these copies; which lanes SHFL asks for. LUT
// memory of BEATS rows; registers where an instruction is one beat.
// Latency: read 0; what is written in cycle t is read from t+1 on.
// No handshake. While nothing is read the outputs mean nothing; one kind of read a cycle.
// It does not clear anything, and does not look at which lanes execute.
`include "heddle_idle.svh"

module warp_words #(
  localparam int unsigned LANES   = cfg_pkg::LANES,
  localparam int unsigned LANE_W  = cfg_pkg::LANE_W,
  localparam int unsigned BEATS   = cfg_pkg::BEATS,
  localparam int unsigned BEAT_W  = cfg_pkg::BEAT_W,
  localparam int unsigned ANSWERS = warp_pkg::ANSWERS
) (
  input  logic                           clk_i,
  // a beat of operands
  input  logic                           take_i,
  input  logic                           shuffle_i,
  input  logic [BEAT_W-1:0]              beat_i,
  input  logic [core_pkg::MEM_SLOTS-1:0][LANES-1:0][31:0] data_i,
  // a row, and a lane of it
  input  logic                           read_i,
  input  logic [BEAT_W-1:0]              row_i,
  input  logic [LANE_W-1:0]              lane_i,
  output logic [LANES-1:0][31:0]         row_o,
  output logic [LANES-1:0][31:0]         high_row_o,
  output logic [31:0]                    high_o,
  // SHFL: words of any lanes; word 0 is also that of lane_i
  input  logic                           hear_i,
  input  logic [ANSWERS-1:0][4:0]        from_i,
  output logic [ANSWERS-1:0][31:0]       word_o,
  // ... what the lanes of a beat ask for
  input  logic                           ask_i,
  input  logic [BEAT_W-1:0]              asker_i,
  output warp_pkg::ask_t [LANES-1:0]     asks_o
);

  localparam int unsigned LOWS = (ANSWERS > 1) ? ANSWERS - 1 : 1;

  logic [LANES-1:0][31:0]         low_q [BEATS], high_q [BEATS], high_wr;
  warp_pkg::ask_t [LANES-1:0]     asks_q [BEATS], asks_wr;
  logic [ANSWERS-1:0][BEAT_W-1:0] row;
  logic [ANSWERS-1:0][LANE_W-1:0] lane;
  logic [BEAT_W-1:0]              high_row;
  logic [LANE_W-1:0]              high_lane;

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

  always_comb begin
    for (int unsigned p = 0; p < ANSWERS; p++) begin
      row[p]  = (BEATS > 1) ? BEAT_W'(32'(from_i[p]) / LANES) : '0;
      lane[p] = LANE_W'(from_i[p]);
    end
    if (!hear_i) begin
      row[0]  = row_i;
      lane[0] = lane_i;
    end
  end
  assign high_row  = (ANSWERS > 1 && hear_i) ? row[ANSWERS-1] : row[0];
  assign high_lane = (ANSWERS > 1 && hear_i) ? lane[ANSWERS-1] : lane_i;

  always_comb begin
    {row_o, high_row_o, high_o, word_o, asks_o} = 'x;
    if (read_i || hear_i) begin
      row_o = low_q[row[0]];
      for (int unsigned p = 0; p < LOWS; p++) word_o[p] = low_q[row[p]][lane[p]];
    end
    if (read_i || (ANSWERS > 1 && hear_i)) begin
      high_row_o = high_q[high_row];
      high_o     = high_q[high_row][high_lane];
    end
    if (ANSWERS > 1) word_o[ANSWERS-1] = high_o;
    if (ask_i) asks_o = asks_q[asker_i];
  end

  // Some of the operand words count, and of some words some bits.
  logic unused;
  assign unused = ^{data_i[2], data_i[3], data_i[4], data_i[5]};

endmodule
