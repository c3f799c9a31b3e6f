// SPDX-License-Identifier: Apache-2.0
// Active and live lanes of every warp. A fresh warp has its start mask in both, until its first control instruction.
// Latency: reads 0, a write is seen from the next cycle on; a start too.
// Handshake: none; one write a cycle through the processing port, which reads the same warp, and a free query port.
// It does not compute masks. Starts have a memory of their own, so that every memory has one write port.
`default_nettype none

module divergence_mask (
  input  logic                       clk_i,
  input  logic                       rst_ni,
  // from the dispatcher
  input  logic                       start_valid_i,
  input  logic [cfg_pkg::WARP_W-1:0] start_slot_i,
  input  logic [31:0]                start_live_i,
  // from and to the control unit
  input  logic [cfg_pkg::WARP_W-1:0] slot_i,
  output logic [31:0]                active_o,
  output logic [31:0]                live_o,
  output logic [31:0]                start_live_o,
  input  logic                       we_i,
  input  logic [31:0]                active_i,
  input  logic [31:0]                live_i,
  // from and to issue
  input  logic [cfg_pkg::WARP_W-1:0] q_slot_i,
  output logic [31:0]                q_active_o,
  output logic [31:0]                q_live_o,
  output logic [31:0]                q_start_live_o
);

  localparam int unsigned WARPS = cfg_pkg::WARPS;

  logic [WARPS-1:0] fresh_q;
  logic [31:0]      kept_active, kept_live, q_kept_active, q_kept_live;

  ram_async #(.WIDTH(32), .DEPTH(WARPS)) u_start (
    .clk_i     (clk_i),
    .wr_en_i   (start_valid_i),
    .wr_addr_i (start_slot_i),
    .wr_data_i (start_live_i),
    .rd_addr_i (slot_i),
    .rd_data_o (start_live_o)
  );
  ram_async #(.WIDTH(32), .DEPTH(WARPS)) u_start_q (
    .clk_i     (clk_i),
    .wr_en_i   (start_valid_i),
    .wr_addr_i (start_slot_i),
    .wr_data_i (start_live_i),
    .rd_addr_i (q_slot_i),
    .rd_data_o (q_start_live_o)
  );
  ram_async #(.WIDTH(64), .DEPTH(WARPS)) u_kept (
    .clk_i     (clk_i),
    .wr_en_i   (we_i),
    .wr_addr_i (slot_i),
    .wr_data_i ({live_i, active_i}),
    .rd_addr_i (slot_i),
    .rd_data_o ({kept_live, kept_active})
  );
  ram_async #(.WIDTH(64), .DEPTH(WARPS)) u_kept_q (
    .clk_i     (clk_i),
    .wr_en_i   (we_i),
    .wr_addr_i (slot_i),
    .wr_data_i ({live_i, active_i}),
    .rd_addr_i (q_slot_i),
    .rd_data_o ({q_kept_live, q_kept_active})
  );

  assign active_o   = fresh_q[slot_i] ? start_live_o : kept_active;
  assign live_o     = fresh_q[slot_i] ? start_live_o : kept_live;
  assign q_active_o = fresh_q[q_slot_i] ? q_start_live_o : q_kept_active;
  assign q_live_o   = fresh_q[q_slot_i] ? q_start_live_o : q_kept_live;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      fresh_q <= '0;
    end else begin
      if (we_i) fresh_q[slot_i] <= 1'b0;
      if (start_valid_i) fresh_q[start_slot_i] <= 1'b1;
    end
  end

endmodule

`default_nettype wire
