// SPDX-License-Identifier: Apache-2.0
// What memory answered, for the lanes of a row: each has a copy of its own, from which it reads the word that it wants. So the
// choice among the words of a sector is the memories' own and costs no logic.
// Latency: read data stands one cycle after rd_en_i, until the next rd_en_i.
// Handshake: none; nobody reads a piece that is written in the same cycle. It does not clear its storage.
`default_nettype none
`include "heddle_assert.svh"

module gmem_words #(
  localparam int unsigned LANES    = cfg_pkg::LSU_LANES,
  localparam int unsigned ENTRIES  = mem_pkg::ENTRIES,
  localparam int unsigned ENTRY_W  = mem_pkg::ENTRY_W,
  localparam int unsigned AXI_BITS = mem_pkg::AXI_BITS,
  localparam int unsigned CNT_W    = mem_pkg::AXI_CNT_W
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,       // for the check alone
  // a piece from memory
  input  logic                   wr_en_i,
  input  logic [ENTRY_W-1:0]     wr_entry_i,
  input  logic [CNT_W-1:0]       wr_beat_i,
  input  logic [AXI_BITS-1:0]    wr_data_i,
  // the words of a row
  input  logic                   rd_en_i,
  input  logic [ENTRY_W-1:0]     rd_entry_i,
  input  logic [LANES-1:0][2:0]  rd_at_i,
  output logic [LANES-1:0][31:0] rd_word_o
);

  localparam int unsigned WORDS  = AXI_BITS / 32;
  localparam int unsigned WORD_W = $clog2(WORDS);
  localparam int unsigned DEPTH  = ENTRIES * mem_pkg::AXI_BEATS;
  localparam int unsigned ADDR_W = $clog2(DEPTH);

  logic [ADDR_W-1:0] wr_addr;
  assign wr_addr = ADDR_W'(32'(wr_entry_i) * mem_pkg::AXI_BEATS + 32'(wr_beat_i));

`ifdef VERILATOR
  // The same, kept once.
  logic [WORDS-1:0][31:0] mem_q [DEPTH];

  always_ff @(posedge clk_i) begin
    if (wr_en_i) mem_q[wr_addr] <= wr_data_i;
  end

  always_ff @(posedge clk_i) begin
    if (rd_en_i) begin
      for (int unsigned l = 0; l < LANES; l++) begin
        rd_word_o[l] <= mem_q[ADDR_W'(32'(rd_entry_i) * mem_pkg::AXI_BEATS + 32'(rd_at_i[l] >> WORD_W))][WORD_W'(rd_at_i[l])];
      end
    end
  end
  `ASSERT_IF(a_apart, wr_en_i && rd_en_i, wr_entry_i != rd_entry_i)
`else
  for (genvar l = 0; l < LANES; l++) begin : gen_lane
    ram_unpack #(.WIDTH(32), .WORDS(WORDS), .DEPTH(DEPTH)) u_copy (
      .clk_i     (clk_i),
      .rst_ni    (rst_ni),
      .wr_en_i   (wr_en_i),
      .wr_addr_i (wr_addr),
      .wr_data_i (wr_data_i),
      .rd_en_i   (rd_en_i),
      .rd_addr_i (ADDR_W'(32'(rd_entry_i) * mem_pkg::AXI_BEATS + 32'(rd_at_i[l] >> WORD_W))),
      .rd_word_i (WORD_W'(rd_at_i[l])),
      .rd_data_o (rd_word_o[l])
    );
  end
`endif

endmodule

`default_nettype wire
