// SPDX-License-Identifier: Apache-2.0
// Storage of the convergence barriers: for each warp and each of B0-B15 the members B[x], the parked lanes P[x], parkPC[x].
// Latency: reads 0, a write is seen from the next cycle on. Sets that are empty are kept as a flag, so a warp is cleared in one cycle.
// Handshake: none; one write a cycle through the processing port, which reads the same entry, and a free query port.
// It does not decide anything: release, park and join are computed in `divergence`.
`default_nettype none

module divergence_bar (
  input  logic                       clk_i,
  input  logic                       rst_ni,
  // from the dispatcher: a warp starts, its sets are empty
  input  logic                       clear_i,
  input  logic [cfg_pkg::WARP_W-1:0] clear_slot_i,
  // from and to the control unit
  input  logic [cfg_pkg::WARP_W-1:0] slot_i,
  input  logic [3:0]                 bx_i,
  output logic [31:0]                members_o,
  output logic [31:0]                parked_o,
  output logic [31:0]                parkpc_o,
  output logic [15:0]                armed_o,      // which P[x] of this warp are not empty
  input  logic                       members_we_i,
  input  logic [31:0]                members_i,
  input  logic                       parked_we_i,
  input  logic [31:0]                parked_i,
  input  logic [31:0]                parkpc_i,
  // from and to issue
  input  logic [cfg_pkg::WARP_W-1:0] q_slot_i,
  input  logic [3:0]                 q_bx_i,
  output logic [31:0]                q_members_o,
  output logic [31:0]                q_parked_o,
  output logic [31:0]                q_parkpc_o
);

  localparam int unsigned WARPS = cfg_pkg::WARPS;
  localparam int unsigned DEPTH = WARPS * 16;

  logic [WARPS-1:0][15:0] has_members_q, has_parked_q;
  logic [31:0]            members, q_members;
  logic [63:0]            parked, q_parked;

  ram_async #(.WIDTH(32), .DEPTH(DEPTH)) u_members (
    .clk_i     (clk_i),
    .wr_en_i   (members_we_i),
    .wr_addr_i ({slot_i, bx_i}),
    .wr_data_i (members_i),
    .rd_addr_i ({slot_i, bx_i}),
    .rd_data_o (members)
  );
  ram_async #(.WIDTH(32), .DEPTH(DEPTH)) u_members_q (
    .clk_i     (clk_i),
    .wr_en_i   (members_we_i),
    .wr_addr_i ({slot_i, bx_i}),
    .wr_data_i (members_i),
    .rd_addr_i ({q_slot_i, q_bx_i}),
    .rd_data_o (q_members)
  );
  ram_async #(.WIDTH(64), .DEPTH(DEPTH)) u_parked (
    .clk_i     (clk_i),
    .wr_en_i   (parked_we_i),
    .wr_addr_i ({slot_i, bx_i}),
    .wr_data_i ({parkpc_i, parked_i}),
    .rd_addr_i ({slot_i, bx_i}),
    .rd_data_o (parked)
  );
  ram_async #(.WIDTH(64), .DEPTH(DEPTH)) u_parked_q (
    .clk_i     (clk_i),
    .wr_en_i   (parked_we_i),
    .wr_addr_i ({slot_i, bx_i}),
    .wr_data_i ({parkpc_i, parked_i}),
    .rd_addr_i ({q_slot_i, q_bx_i}),
    .rd_data_o (q_parked)
  );

  assign members_o   = has_members_q[slot_i][bx_i] ? members : '0;
  assign parked_o    = has_parked_q[slot_i][bx_i] ? parked[31:0] : '0;
  assign parkpc_o    = parked[63:32];
  assign armed_o     = has_parked_q[slot_i];
  assign q_members_o = has_members_q[q_slot_i][q_bx_i] ? q_members : '0;
  assign q_parked_o  = has_parked_q[q_slot_i][q_bx_i] ? q_parked[31:0] : '0;
  assign q_parkpc_o  = q_parked[63:32];

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      has_members_q <= '0;
      has_parked_q  <= '0;
    end else begin
      if (members_we_i) has_members_q[slot_i][bx_i] <= members_i != '0;
      if (parked_we_i)  has_parked_q[slot_i][bx_i]  <= parked_i != '0;
      if (clear_i) begin
        has_members_q[clear_slot_i] <= '0;
        has_parked_q[clear_slot_i]  <= '0;
      end
    end
  end

endmodule

`default_nettype wire
