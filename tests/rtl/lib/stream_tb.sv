// SPDX-License-Identifier: Apache-2.0
// Cells with a handshake on both sides, one port each: fifo of depth 1, 2, 3 and 8, the spare cell.
// Latency: the cells' own. Handshake: valid/ready, one bit a cell; all get and give 16-bit words.
// It only gathers ports: the bench keeps the expected contents, the cells' own assertions watch them too.
module stream_tb (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic [4:0]       in_valid_i,
  output logic [4:0]       in_ready_o,
  input  logic [4:0][15:0] in_data_i,
  output logic [4:0]       out_valid_o,
  input  logic [4:0]       out_ready_i,
  output logic [4:0][15:0] out_data_o,
  output logic [3:0][3:0]  count_o
);

  logic       count1;
  logic [1:0] count2, count3;
  assign count_o[2:0] = {4'(count3), 4'(count2), 4'(count1)};

  fifo #(.WIDTH(16), .DEPTH(1)) u_fifo1 (
    .clk_i(clk_i), .rst_ni(rst_ni), .in_valid_i(in_valid_i[0]), .in_ready_o(in_ready_o[0]), .in_data_i(in_data_i[0]),
    .out_valid_o(out_valid_o[0]), .out_ready_i(out_ready_i[0]), .out_data_o(out_data_o[0]), .count_o(count1));
  fifo #(.WIDTH(16), .DEPTH(2)) u_fifo2 (
    .clk_i(clk_i), .rst_ni(rst_ni), .in_valid_i(in_valid_i[1]), .in_ready_o(in_ready_o[1]), .in_data_i(in_data_i[1]),
    .out_valid_o(out_valid_o[1]), .out_ready_i(out_ready_i[1]), .out_data_o(out_data_o[1]), .count_o(count2));
  fifo #(.WIDTH(16), .DEPTH(3)) u_fifo3 (
    .clk_i(clk_i), .rst_ni(rst_ni), .in_valid_i(in_valid_i[2]), .in_ready_o(in_ready_o[2]), .in_data_i(in_data_i[2]),
    .out_valid_o(out_valid_o[2]), .out_ready_i(out_ready_i[2]), .out_data_o(out_data_o[2]), .count_o(count3));
  fifo #(.WIDTH(16), .DEPTH(8)) u_fifo8 (
    .clk_i(clk_i), .rst_ni(rst_ni), .in_valid_i(in_valid_i[3]), .in_ready_o(in_ready_o[3]), .in_data_i(in_data_i[3]),
    .out_valid_o(out_valid_o[3]), .out_ready_i(out_ready_i[3]), .out_data_o(out_data_o[3]), .count_o(count_o[3]));

  spare #(.WIDTH(16)) u_spare (
    .clk_i(clk_i), .rst_ni(rst_ni), .in_valid_i(in_valid_i[4]), .in_ready_o(in_ready_o[4]), .in_data_i(in_data_i[4]),
    .out_valid_o(out_valid_o[4]), .out_ready_i(out_ready_i[4]), .out_data_o(out_data_o[4]));

endmodule
