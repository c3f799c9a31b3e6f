// SPDX-License-Identifier: Apache-2.0
// The memories: a block RAM with byte enables and odd depth, one of halves that may be read as they are written, two with
// a single enable. LUT RAMs (one with byte enables), one written by rows of words, and constants with two readers.
// Latency: the cells' own. No handshake.
// It only gathers ports: the bench keeps the expected contents.
module ram_tb (
  input  logic        clk_i,
  input  logic [3:0]  wr_en_i,
  input  logic [5:0]  wr_addr_i,
  input  logic [31:0] wr_data_i,
  input  logic        rd_en_i,
  input  logic [5:0]  rd_addr_i,
  output logic [31:0] bytes_o,   // 48 words, enable for each byte
  output logic [31:0] whole_o,   // 64 words, enable bit 0
  output logic [31:0] race_o,    // 48 words, enable for each half; a half that is read as it is written has any value
  output logic [31:0] zero_o,    // as whole_o, zero after a cycle without a read
  output logic [31:0] async_o,   // 48 words, enable bit 0
  output logic [31:0] live_o,    // 48 words, enable for each byte; of a word that rd_en_i looks at
  // the memory of rows: 16 of four words
  input  logic         rst_ni,
  input  logic         row_en_i,
  input  logic [3:0]   row_addr_i,
  input  logic [127:0] row_data_i,
  input  logic         word_en_i,
  input  logic [5:0]   word_addr_i,
  output logic [31:0]  word_o,
  // constants: word i is i * 9E3779B1, modulo 2^32; the second reader has the inverse address
  output logic [31:0]  constant_o,
  output logic [31:0]  other_o
);

  typedef logic [31:0] words_t [64];
  function automatic words_t constants();
    for (int unsigned i = 0; i < 64; i++) constants[i] = i * 32'h9e37_79b1;
  endfunction
  logic [5:0]  at [2];
  logic [31:0] constant [2];
  assign at = '{rd_addr_i, ~rd_addr_i};
  assign {constant_o, other_o} = {constant[0], constant[1]};

  ram_1r1w #(.WIDTH(32), .DEPTH(48), .GRAIN(8)) u_bytes (
    .clk_i(clk_i), .wr_en_i(wr_en_i), .wr_addr_i(wr_addr_i), .wr_data_i(wr_data_i), .rd_en_i(rd_en_i), .rd_addr_i(rd_addr_i),
    .rd_data_o(bytes_o));
  ram_1r1w #(.WIDTH(32), .DEPTH(48), .GRAIN(16), .RACE(1'b1)) u_race (
    .clk_i(clk_i), .wr_en_i({wr_en_i[2], wr_en_i[0]}), .wr_addr_i(wr_addr_i), .wr_data_i(wr_data_i), .rd_en_i(rd_en_i),
    .rd_addr_i(rd_addr_i), .rd_data_o(race_o));
  ram_1r1w #(.WIDTH(32), .DEPTH(64)) u_whole (
    .clk_i(clk_i), .wr_en_i(wr_en_i[0]), .wr_addr_i(wr_addr_i), .wr_data_i(wr_data_i), .rd_en_i(rd_en_i),
    .rd_addr_i(rd_addr_i), .rd_data_o(whole_o));
  ram_1r1w #(.WIDTH(32), .DEPTH(64), .ZERO(1'b1)) u_zero (
    .clk_i(clk_i), .wr_en_i(wr_en_i[0]), .wr_addr_i(wr_addr_i), .wr_data_i(wr_data_i), .rd_en_i(rd_en_i),
    .rd_addr_i(rd_addr_i), .rd_data_o(zero_o));
  ram_async #(.WIDTH(32), .DEPTH(48)) u_async (
    .clk_i(clk_i), .wr_en_i(wr_en_i[0]), .wr_addr_i(wr_addr_i), .wr_data_i(wr_data_i), .rd_addr_i(rd_addr_i),
    .rd_data_o(async_o));
  ram_live #(.WIDTH(32), .DEPTH(48), .PARTS(4)) u_live (
    .clk_i(clk_i), .wr_en_i(wr_en_i), .wr_addr_i(wr_addr_i), .wr_data_i(wr_data_i), .rd_live_i(rd_en_i), .rd_addr_i(rd_addr_i),
    .rd_data_o(live_o));
  ram_unpack #(.WIDTH(32), .WORDS(4), .DEPTH(16)) u_rows (
    .clk_i(clk_i), .rst_ni(rst_ni), .wr_en_i(row_en_i), .wr_addr_i(row_addr_i), .wr_data_i(row_data_i), .rd_en_i(word_en_i),
    .rd_addr_i(word_addr_i[5:2]), .rd_word_i(word_addr_i[1:0]), .rd_data_o(word_o));
  rom #(.WIDTH(32), .DEPTH(64), .READERS(2), .WORDS(constants())) u_constants (
    .clk_i(clk_i), .rd_en_i(rd_en_i), .rd_addr_i(at), .rd_data_o(constant));

endmodule
