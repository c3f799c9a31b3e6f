// SPDX-License-Identifier: Apache-2.0
// A word of every lane of one warp instruction: written beat by beat, read as words of any lane (PORTS of them at a time) and
// as the whole row of port 0. LUT memory of BEATS rows, a copy a port; registers where an instruction is one beat.
// Latency: read 0; what is written in cycle t is read from t+1 on.
// No handshake. While en_i is low nothing is read and the outputs mean nothing.
// It does not clear anything, and does not know which lanes execute.
module warp_rows #(
  parameter int unsigned PORTS = 1,
  localparam int unsigned LANES  = cfg_pkg::LANES,
  localparam int unsigned LANE_W = cfg_pkg::LANE_W,
  localparam int unsigned BEAT_W = cfg_pkg::BEAT_W
) (
  input  logic                         clk_i,
  // write port
  input  logic                         wr_en_i,
  input  logic [BEAT_W-1:0]            wr_row_i,
  input  logic [LANES-1:0][31:0]       wr_data_i,
  // read ports
  input  logic                         en_i,
  input  logic [PORTS-1:0][BEAT_W-1:0] rd_row_i,
  input  logic [PORTS-1:0][LANE_W-1:0] rd_lane_i,
  output logic [PORTS-1:0][31:0]       rd_word_o,
  output logic [LANES-1:0][31:0]       rd_row_o
);

  logic [LANES-1:0][31:0] mem_q [cfg_pkg::BEATS];

  always_ff @(posedge clk_i) begin
    if (wr_en_i) mem_q[wr_row_i] <= wr_data_i;
  end

  always_comb begin
    rd_word_o = 'x;
    rd_row_o  = 'x;
    if (en_i) begin
      rd_row_o = mem_q[rd_row_i[0]];
      for (int unsigned p = 0; p < PORTS; p++) rd_word_o[p] = mem_q[rd_row_i[p]][rd_lane_i[p]];
    end
  end

endmodule
