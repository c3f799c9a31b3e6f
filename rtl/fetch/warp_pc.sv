// SPDX-License-Identifier: Apache-2.0
// A PC for each warp: it starts at the entry, is set by a jump, and goes on as the warp that is looked at does. Two of them: of the
// word that arrives next, and of the oldest in the buffer.
// Latency: combinational; an event of cycle t shows in t+1.
// Handshake: events. A jump and a start go before a step of the same warp.
// It does not know which PCs are places of code. Two may be written in a cycle, so each writer has a memory of its own (a start
// needs none: all warps begin at one place), and flags say which was the last.
module warp_pc (
  input  logic                       clk_i,
  input  logic [31:0]                entry_pc_i,
  input  logic [cfg_pkg::WARPS-1:0]  start_i,
  input  logic [cfg_pkg::WARPS-1:0]  jump_i,         // of warp jump_slot_i, or none
  input  logic [cfg_pkg::WARP_W-1:0] jump_slot_i,
  input  logic [31:0]                jump_pc_i,
  input  logic                       go_i,           // the PC of q_slot_i goes on to go_pc_i
  input  logic [31:0]                go_pc_i,        // counts as a place of an instruction: lower bits are dropped
  input  logic [cfg_pkg::WARP_W-1:0] q_slot_i,
  output logic [31:0]                q_pc_o
);

  localparam int unsigned WARPS  = cfg_pkg::WARPS;
  localparam int unsigned LOW    = core_pkg::PC_LOW;
  localparam int unsigned PLACE_W = 32 - LOW;

  logic [WARPS-1:0]   began_q, jumped_q, go;
  logic [31:0]        jumped;
  logic [PLACE_W-1:0] gone;

  assign go = WARPS'(go_i) << q_slot_i;

  always_ff @(posedge clk_i) begin
    began_q  <= (began_q & ~go & ~jump_i) | start_i;
    jumped_q <= ((jumped_q & ~go) | jump_i) & ~start_i;
  end

  ram_async #(.WIDTH(32), .DEPTH(WARPS)) u_jumped (
    .clk_i     (clk_i),
    .wr_en_i   (jump_i != '0),
    .wr_addr_i (jump_slot_i),
    .wr_data_i (jump_pc_i),
    .rd_addr_i (q_slot_i),
    .rd_data_o (jumped)
  );
  ram_async #(.WIDTH(PLACE_W), .DEPTH(WARPS)) u_gone (
    .clk_i     (clk_i),
    .wr_en_i   (go_i),
    .wr_addr_i (q_slot_i),
    .wr_data_i (go_pc_i[31:LOW]),
    .rd_addr_i (q_slot_i),
    .rd_data_o (gone)
  );

  assign q_pc_o = began_q[q_slot_i] ? entry_pc_i : jumped_q[q_slot_i] ? jumped : {gone, LOW'(0)};

  logic unused;
  assign unused = ^go_pc_i[LOW-1:0];

endmodule
