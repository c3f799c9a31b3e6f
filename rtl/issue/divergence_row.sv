// SPDX-License-Identifier: Apache-2.0
// What is known of every warp's divergence but the sets themselves: active and live lanes, which B[x] and P[x] are not empty,
// how many paths wait. One row a warp, in LUT memory.
// Latency: reads 0, a write is seen from the next cycle on; a start too, which goes before a write.
// Handshake: none; one write a cycle through the processing port, which reads the same warp, and a free query port.
// It does not compute anything. In the cycle of a start the processing port must not write.
`default_nettype none
`include "heddle_assert.svh"

module divergence_row #(
  localparam int unsigned WIDTH = 104
) (
  input  logic                       clk_i,
  input  logic                       rst_ni,
  // from the dispatcher: all lanes of the start are active, every set is empty
  input  logic                       start_valid_i,
  input  logic [cfg_pkg::WARP_W-1:0] start_slot_i,
  input  logic [31:0]                start_live_i,
  // from and to the control unit
  input  logic [cfg_pkg::WARP_W-1:0] slot_i,
  output logic [31:0]                active_o,
  output logic [31:0]                live_o,
  output logic [16:0]                has_members_o,
  output logic [16:0]                has_parked_o,
  output logic [5:0]                 depth_o,
  input  logic                       we_i,
  input  logic [31:0]                active_i,
  input  logic [31:0]                live_i,
  input  logic [16:0]                has_members_i,
  input  logic [16:0]                has_parked_i,
  input  logic [5:0]                 depth_i,
  // from and to issue
  input  logic [cfg_pkg::WARP_W-1:0] q_slot_i,
  output logic [31:0]                q_active_o,
  output logic [31:0]                q_live_o,
  output logic [15:0]                q_has_members_o,
  output logic [15:0]                q_has_parked_o
);

  localparam int unsigned WARPS = cfg_pkg::WARPS;

  logic [WIDTH-1:0]           row;
  logic [cfg_pkg::WARP_W-1:0] slot;
  logic                       we;

  assign we   = we_i || start_valid_i;
  assign slot = start_valid_i ? start_slot_i : slot_i;
  assign row  = start_valid_i ? {40'd0, start_live_i, start_live_i}
                              : {depth_i, has_parked_i[16], has_members_i[16],
                                 has_parked_i[15:0], has_members_i[15:0], live_i, active_i};

  // The same contents twice: one copy for each reader.
  ram_async #(.WIDTH(WIDTH), .DEPTH(WARPS)) u_rows (
    .clk_i     (clk_i),
    .wr_en_i   (we),
    .wr_addr_i (slot),
    .wr_data_i (row),
    .rd_addr_i (slot_i),
    .rd_data_o ({depth_o, has_parked_o[16], has_members_o[16],
                 has_parked_o[15:0], has_members_o[15:0], live_o, active_o})
  );
  ram_async #(.WIDTH(96), .DEPTH(WARPS)) u_rows_q (
    .clk_i     (clk_i),
    .wr_en_i   (we),
    .wr_addr_i (slot),
    .wr_data_i (row[95:0]),
    .rd_addr_i (q_slot_i),
    .rd_data_o ({q_has_parked_o, q_has_members_o, q_live_o, q_active_o})
  );

  // A start is alone.
  `ASSERT(a_alone, !(start_valid_i && we_i))

endmodule

`default_nettype wire
