// SPDX-License-Identifier: Apache-2.0
// Queue in front of the control unit: takes one control instruction a cycle, hands them over one at a time, fair among warps.
// Latency: combinational when nothing waits (the instruction is taken in the cycle of its event), else one cycle after its turn.
// What is handed over is its warp, and little of the instruction; all of it is read from the next cycle on, as long as it is at
// work.
// Handshake: the event needs no ready, since a warp has at most one instruction here; out_valid_o / out_ready_i towards the unit,
// the choice may move until it is taken. Register-target instructions wait until their targets are known (tg_done).
// It does not look into the instruction beyond `late_i`.
`include "heddle_assert.svh"

module divergence_intake #(
  parameter int unsigned WIDTH = 128,
  parameter int unsigned FIRST = 10
) (
  input  logic                       clk_i,
  input  logic                       rst_ni,
  // from issue
  input  logic                       in_valid_i,
  input  logic [cfg_pkg::WARP_W-1:0] in_slot_i,
  input  logic                       in_late_i,       // wait for tg_done
  input  logic [FIRST-1:0]           in_first_i,      // what is wanted of it as it is taken
  input  logic [WIDTH-1:0]           in_data_i,
  // from the target unit
  input  logic                       tg_done_valid_i,
  input  logic [cfg_pkg::WARP_W-1:0] tg_done_slot_i,
  // to the control unit
  output logic                       out_valid_o,
  input  logic                       out_ready_i,
  output logic [cfg_pkg::WARP_W-1:0] out_slot_o,
  output logic [FIRST-1:0]           out_first_o,
  // the instruction at work
  input  logic [cfg_pkg::WARP_W-1:0] work_slot_i,
  output logic [WIDTH-1:0]           work_o
);

  localparam int unsigned WARPS = cfg_pkg::WARPS;

  logic [WARPS-1:0]           wait_q, set, grant;
  logic [cfg_pkg::WARP_W-1:0] slot;
  logic [FIRST-1:0]           first;
  logic                       waiting, now;

  ram_async #(.WIDTH(WIDTH), .DEPTH(WARPS)) u_store (
    .clk_i     (clk_i),
    .wr_en_i   (in_valid_i),
    .wr_addr_i (in_slot_i),
    .wr_data_i (in_data_i),
    .rd_addr_i (work_slot_i),
    .rd_data_o (work_o)
  );
  ram_async #(.WIDTH(FIRST), .DEPTH(WARPS)) u_first (
    .clk_i     (clk_i),
    .wr_en_i   (in_valid_i),
    .wr_addr_i (in_slot_i),
    .wr_data_i (in_first_i),
    .rd_addr_i (slot),
    .rd_data_o (first)
  );

  arb_rr #(.N(WARPS)) u_pick (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .req_i   (wait_q),
    .grant_o (grant),
    .take_i  (out_ready_i)
  );
  onehot_index #(.N(WARPS)) u_slot (
    .onehot_i (grant),
    .index_o  (slot)
  );

  assign waiting     = wait_q != '0;
  assign now         = in_valid_i && !in_late_i;
  assign out_valid_o = waiting || now;
  assign out_slot_o  = waiting ? slot : in_slot_i;
  assign out_first_o = waiting ? first : in_first_i;

  always_comb begin
    set = '0;
    if (now && (waiting || !out_ready_i)) set[in_slot_i] = 1'b1;
    if (tg_done_valid_i) set[tg_done_slot_i] = 1'b1;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) wait_q <= '0;
    else wait_q <= (wait_q & ~(out_ready_i ? grant : '0)) | set;
  end

  // A warp that waits here sends nothing new.
  `ASSERT(a_one, !in_valid_i || !wait_q[in_slot_i])

endmodule
