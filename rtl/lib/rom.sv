// SPDX-License-Identifier: Apache-2.0
// Constant words, read by one or several readers, a word each. In an FPGA block RAM without a write port, a copy for each reader (one
// for two readers, where a memory has two ports).
// Latency: read data one cycle after rd_en_i with its address, held until the next rd_en_i.
// No handshake: all readers take a request every cycle.
// It has no reset. The words are the memory's initial content; a technology without it makes gates of them.
`include "heddle_lanes.svh"

module rom #(
  parameter int unsigned      WIDTH = 32,
  parameter int unsigned      DEPTH = 256,
  parameter int unsigned      READERS = 1,
  parameter logic [WIDTH-1:0] WORDS [DEPTH] = '{default: '0},
  localparam int unsigned     ADDR_W = (DEPTH > 1) ? $clog2(DEPTH) : 1
) (
  input  logic              clk_i,
  input  logic              rd_en_i,
  input  logic [ADDR_W-1:0] rd_addr_i [READERS],
  output logic [WIDTH-1:0]  rd_data_o [READERS]
);

  logic [WIDTH-1:0] mem_q [DEPTH];
  logic [WIDTH-1:0] word_d [READERS];

  initial mem_q = WORDS;

  /* verilator lint_off BLKSEQ */  // a loop that a simulator keeps
  always_ff @(posedge clk_i) begin
    if (rd_en_i) begin
      `LANE_LOOP (int r = 0; r < int'(READERS); r++) word_d[r] = mem_q[rd_addr_i[r]];
      rd_data_o <= word_d;
    end
  end
  /* verilator lint_on BLKSEQ */

endmodule
