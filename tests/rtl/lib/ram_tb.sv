// SPDX-License-Identifier: Apache-2.0
// The memories: a block RAM with byte enables and odd depth, one with a single enable, and a LUT RAM.
// Latency: the cells' own. No handshake.
// It only gathers ports: the bench keeps the expected contents.
`default_nettype none

module ram_tb (
  input  logic        clk_i,
  input  logic [3:0]  wr_en_i,
  input  logic [5:0]  wr_addr_i,
  input  logic [31:0] wr_data_i,
  input  logic        rd_en_i,
  input  logic [5:0]  rd_addr_i,
  output logic [31:0] bytes_o,   // 48 words, enable for each byte
  output logic [31:0] whole_o,   // 64 words, enable bit 0
  output logic [31:0] async_o    // 48 words, enable bit 0
);

  ram_1r1w #(.WIDTH(32), .DEPTH(48), .GRAIN(8)) u_bytes (
    .clk_i(clk_i), .wr_en_i(wr_en_i), .wr_addr_i(wr_addr_i), .wr_data_i(wr_data_i), .rd_en_i(rd_en_i), .rd_addr_i(rd_addr_i),
    .rd_data_o(bytes_o));
  ram_1r1w #(.WIDTH(32), .DEPTH(64)) u_whole (
    .clk_i(clk_i), .wr_en_i(wr_en_i[0]), .wr_addr_i(wr_addr_i), .wr_data_i(wr_data_i), .rd_en_i(rd_en_i),
    .rd_addr_i(rd_addr_i), .rd_data_o(whole_o));
  ram_async #(.WIDTH(32), .DEPTH(48)) u_async (
    .clk_i(clk_i), .wr_en_i(wr_en_i[0]), .wr_addr_i(wr_addr_i), .wr_data_i(wr_data_i), .rd_addr_i(rd_addr_i),
    .rd_data_o(async_o));

endmodule

`default_nettype wire
