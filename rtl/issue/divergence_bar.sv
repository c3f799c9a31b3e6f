// SPDX-License-Identifier: Apache-2.0
// Storage of the convergence barriers: for each warp and each of B0-B15 and W (16) the members B[x], the parked lanes P[x],
// parkPC[x], in block RAM, once for the control unit and (but for W) once for issue.
// Latency: a read answers in the cycle after its request and stands until the next one.
// Handshake: none; one read and one write a cycle, not of one place. The query port never asks for a warp that is at work.
// It does not know which sets are empty (divergence_row does): what is read then is left over from earlier.
module divergence_bar (
  input  logic                       clk_i,
  input  logic                       rst_ni,
  // from and to the control unit
  input  logic                       rd_en_i,
  input  logic [cfg_pkg::WARP_W-1:0] rd_slot_i,
  input  logic [4:0]                 rd_bx_i,
  output divergence_pkg::sets_t      sets_o,
  input  logic                       wr_en_i,
  input  logic [cfg_pkg::WARP_W-1:0] wr_slot_i,
  input  logic [4:0]                 wr_bx_i,
  input  divergence_pkg::sets_t      sets_i,
  // from and to issue
  input  logic                       q_en_i,
  input  logic [cfg_pkg::WARP_W-1:0] q_slot_i,
  input  logic [3:0]                 q_bx_i,
  output divergence_pkg::sets_t      q_sets_o,
  // for observers: what is stored
  input  logic [cfg_pkg::WARP_W-1:0] see_slot_i,
  input  logic [4:0]                 see_bx_i,
  output divergence_pkg::sets_t      see_sets_o
);

  localparam int unsigned DEPTH = cfg_pkg::WARPS * 16;

  ram_seen #(.WIDTH($bits(divergence_pkg::sets_t)), .DEPTH(2 * DEPTH)) u_sets (
    .clk_i      (clk_i),
    .rst_ni     (rst_ni),
    .wr_en_i    (wr_en_i),
    .wr_addr_i  ({wr_slot_i, wr_bx_i}),
    .wr_data_i  (sets_i),
    .rd_en_i    (rd_en_i),
    .rd_addr_i  ({rd_slot_i, rd_bx_i}),
    .rd_data_o  (sets_o),
    .see_addr_i ({see_slot_i, see_bx_i}),
    .see_data_o (see_sets_o)
  );
  ram_apart #(.WIDTH($bits(divergence_pkg::sets_t)), .DEPTH(DEPTH)) u_sets_q (
    .clk_i     (clk_i),
    .rst_ni    (rst_ni),
    .wr_en_i   (wr_en_i && !wr_bx_i[4]),
    .wr_addr_i ({wr_slot_i, wr_bx_i[3:0]}),
    .wr_data_i (sets_i),
    .rd_en_i   (q_en_i),
    .rd_addr_i ({q_slot_i, q_bx_i}),
    .rd_data_o (q_sets_o)
  );

endmodule
