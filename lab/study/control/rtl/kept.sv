// SPDX-License-Identifier: Apache-2.0
// A field of the head of each warp's instruction buffer, as the buffer keeps it: LUT memory.
// Latency: read at once, written at the clock edge.
// No handshake. It does not say which warps have an instruction.
module kept #(
  parameter int unsigned WIDTH = 4
) (
  input  logic                        clk_i,
  input  logic                        wr_i,
  input  logic [cfg_pkg::WARP_W-1:0]  wr_slot_i,
  input  logic [WIDTH-1:0]            data_i,
  input  logic [cfg_pkg::WARP_W-1:0]  slot_i,
  output logic [WIDTH-1:0]            data_o
);

  ram_async #(.WIDTH(WIDTH), .DEPTH(cfg_pkg::WARPS)) u_field (
    .clk_i     (clk_i),
    .wr_en_i   (wr_i),
    .wr_addr_i (wr_slot_i),
    .wr_data_i (data_i),
    .rd_addr_i (slot_i),
    .rd_data_o (data_o)
  );

endmodule
