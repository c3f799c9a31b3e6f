// SPDX-License-Identifier: Apache-2.0
// The PC of the oldest entry of a warp. Where all words are long it lies as many words behind the one to be asked for next as
// are buffered or asked for. With short words each warp has a PC of its own here, which goes on by an entry's size when it issues.
// Latency: combinational; an event of cycle t shows in t+1.
// Handshake: events. A warp does not issue while it starts or jumps.
// It does not know which PCs are places of code. Two may be written in a cycle, so each writer has a memory of its own (a start
// needs none: all warps begin at one place), and flags say who was the last.
`default_nettype none

module head_pc (
  input  logic                       clk_i,
  // from the host
  input  logic [31:0]                entry_pc_i,
  // from fetch: who starts and jumps; what is asked for next (long words)
  input  logic [cfg_pkg::WARPS-1:0]  start_i,
  input  logic [cfg_pkg::WARPS-1:0]  jump_i,
  input  logic                       move_i,         // the PC of move_slot_i goes on to place move_place_i
  input  logic [cfg_pkg::WARP_W-1:0] move_slot_i,
  input  logic [27:0]                move_place_i,
  input  logic [cfg_pkg::WARPS-1:0]  took_i,         // ... does so only now, and is counted already
  input  logic [cfg_pkg::WARPS-1:0]  began_i,        // it is the entry's; a jump's
  input  logic [cfg_pkg::WARPS-1:0]  jumped_i,
  input  logic [cfg_pkg::WARPS-1:0]  used_i [cfg_pkg::IBUF],
  // from divergence: where the jump goes
  input  logic [cfg_pkg::WARP_W-1:0] dv_done_slot_i,
  input  logic [31:0]                dv_done_pc_i,
  // from and to issue
  input  logic [cfg_pkg::WARPS-1:0]  is_pop_i,       // of the warp that is looked at
  input  logic                       ib_short_i,     // its instruction is a short word
  input  logic [cfg_pkg::WARP_W-1:0] is_q_slot_i,
  output logic [31:0]                q_pc_o
);

  localparam int unsigned WARPS = cfg_pkg::WARPS;

  logic [31:0] q_jump;

  ram_async #(.WIDTH(32), .DEPTH(WARPS)) u_q_jump (
    .clk_i     (clk_i),
    .wr_en_i   (jump_i != '0),
    .wr_addr_i (dv_done_slot_i),
    .wr_data_i (dv_done_pc_i),
    .rd_addr_i (is_q_slot_i),
    .rd_data_o (q_jump)
  );

  if (!isa_pkg::HAS_SHORT) begin : gen_long
    logic [27:0] q_word, q_used;
    logic [31:0] q_pc;   // next to be asked for
    logic [1:0]  q_from;

    ram_async #(.WIDTH(28), .DEPTH(WARPS)) u_q_word (
      .clk_i     (clk_i),
      .wr_en_i   (move_i),
      .wr_addr_i (move_slot_i),
      .wr_data_i (move_place_i),
      .rd_addr_i (is_q_slot_i),
      .rd_data_o (q_word)
    );

    assign q_from = {began_i[is_q_slot_i], jumped_i[is_q_slot_i]};
    assign q_pc   = q_from[1] ? entry_pc_i : q_from[0] ? q_jump : {q_word, 4'd0};

    always_comb begin
      q_used = '0;
      for (int unsigned i = 0; i < cfg_pkg::IBUF; i++) q_used += 28'(used_i[i][is_q_slot_i]);
      q_used -= 28'(took_i[is_q_slot_i]);   // its PC goes on in this cycle
    end
    assign q_pc_o = {q_pc[31:4] - q_used, q_pc[3:0]};

    logic unused;
    assign unused = ^{start_i, is_pop_i, ib_short_i};
  end else begin : gen_short
    logic [WARPS-1:0] began_q, jumped_q;
    logic [28:0]      q_next, next;   // what issues is an instruction: its PC is a multiple of 8

    always_ff @(posedge clk_i) begin
      began_q  <= (began_q & ~is_pop_i & ~jump_i) | start_i;
      jumped_q <= ((jumped_q & ~is_pop_i) | jump_i) & ~start_i;
    end

    ram_async #(.WIDTH(29), .DEPTH(WARPS)) u_q_next (
      .clk_i     (clk_i),
      .wr_en_i   (is_pop_i != '0),
      .wr_addr_i (is_q_slot_i),
      .wr_data_i (next),
      .rd_addr_i (is_q_slot_i),
      .rd_data_o (q_next)
    );
    assign q_pc_o = began_q[is_q_slot_i] ? entry_pc_i : jumped_q[is_q_slot_i] ? q_jump : {q_next, 3'd0};
    assign next   = q_pc_o[31:3] + (ib_short_i ? 29'd1 : 29'd2);

    logic [cfg_pkg::IBUF-1:0] unused_planes;
    logic                     unused;
    for (genvar i = 0; i < cfg_pkg::IBUF; i++) begin : gen_unused
      assign unused_planes[i] = ^used_i[i];
    end
    assign unused = ^{move_i, move_slot_i, move_place_i, took_i, began_i, jumped_i, unused_planes};
  end

endmodule

`default_nettype wire
