// SPDX-License-Identifier: Apache-2.0
// Block RAM that is written a row of words at a time and read by several readers, each a word of its own: each has a copy, so
// the choice among the words of a row is the memories' own and costs no logic. A simulator keeps them once.
// Latency: read data stands one cycle after rd_en_i, until the next rd_en_i.
// Handshake: none; nobody reads a row that is written in the same cycle.
// It does not clear its storage.
`default_nettype none
`include "heddle_assert.svh"
`include "heddle_form.svh"

module ram_lanes #(
  parameter int unsigned LANES = 4,       // readers
  parameter int unsigned WIDTH = 32,      // of a word
  parameter int unsigned WORDS = 4,       // of a row; a power of two
  parameter int unsigned DEPTH = 32,      // rows
  localparam int unsigned ADDR_W = $clog2(DEPTH),
  localparam int unsigned WORD_W = $clog2(WORDS)
) (
  input  logic                         clk_i,
  input  logic                         rst_ni,       // for the check alone
  // write port
  input  logic                         wr_en_i,
  input  logic [ADDR_W-1:0]            wr_addr_i,
  input  logic [WORDS-1:0][WIDTH-1:0]  wr_data_i,
  // read ports
  input  logic                         rd_en_i,
  input  logic [LANES-1:0][ADDR_W-1:0] rd_addr_i,
  input  logic [LANES-1:0][WORD_W-1:0] rd_word_i,
  output logic [LANES-1:0][WIDTH-1:0]  rd_data_o
);

`ifdef HEDDLE_SIMULATED
  logic [WORDS-1:0][WIDTH-1:0] mem_q [DEPTH];

  always_ff @(posedge clk_i) begin
    if (wr_en_i) mem_q[wr_addr_i] <= wr_data_i;
  end

  always_ff @(posedge clk_i) begin
    if (rd_en_i) begin
      for (int unsigned l = 0; l < LANES; l++) rd_data_o[l] <= mem_q[rd_addr_i[l]][rd_word_i[l]];
    end
  end

  // What is read now is not written now.
  logic apart;
  always_comb begin
    apart = 1'b1;
    if (wr_en_i && rd_en_i) begin
      for (int unsigned l = 0; l < LANES; l++) apart = apart && wr_addr_i != rd_addr_i[l];
    end
  end
  `ASSERT(a_apart, apart)
`else
  for (genvar l = 0; l < LANES; l++) begin : gen_lane
    ram_unpack #(.WIDTH(WIDTH), .WORDS(WORDS), .DEPTH(DEPTH)) u_copy (
      .clk_i     (clk_i),
      .rst_ni    (rst_ni),
      .wr_en_i   (wr_en_i),
      .wr_addr_i (wr_addr_i),
      .wr_data_i (wr_data_i),
      .rd_en_i   (rd_en_i),
      .rd_addr_i (rd_addr_i[l]),
      .rd_word_i (rd_word_i[l]),
      .rd_data_o (rd_data_o[l])
    );
  end
`endif

endmodule

`default_nettype wire
