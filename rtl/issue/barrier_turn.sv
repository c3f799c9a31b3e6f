// SPDX-License-Identifier: Apache-2.0
// Turns at the barriers: partitions ask one at a time, and the answer is about the state that all before have left.
// Latency: a turn is two cycles: in the first a partition is picked (the barriers read their memory), in the second it is granted.
// A partition that asks is granted after all others at the latest, unless the barriers hold the turns up.
// Handshake: a partition asks until it is granted and its instruction leaves; valid belongs to the granted one. One that stands
// still when granted asks again.
// It does not know what a barrier is.
`include "heddle_assert.svh"

module barrier_turn #(
  parameter  int unsigned N      = 2,
  localparam int unsigned SLOT_W = cfg_pkg::SM_WARP_W,
  localparam int unsigned WIDTH  = SLOT_W + $bits(core_pkg::bar_t)
) (
  input  logic                     clk_i,
  input  logic                     rst_ni,
  // from and to the partitions
  input  logic [N-1:0]             is_bar_ask_i,
  input  logic [N-1:0]             is_bar_valid_i,
  input  logic [N-1:0][SLOT_W-1:0] is_bar_slot_i,
  input  core_pkg::bar_t [N-1:0]   is_bar_i,
  output logic [N-1:0]             ba_grant_o,
  // from and to the barriers
  input  logic                     ba_hold_i,       // none is picked in this cycle
  output logic                     bt_pick_o,       // slot and bar are those of the one that is picked
  output logic                     bt_ask_o,        // ... or granted, and still asks
  output logic                     bt_valid_o,
  output logic [SLOT_W-1:0]        bt_slot_o,
  output core_pkg::bar_t           bt_bar_o
);

  logic [N-1:0]            turn, grant_q;
  logic [N-1:0][WIDTH-1:0] all;
  logic                    some;

  for (genvar p = 0; p < N; p++) begin : gen_all
    assign all[p] = {is_bar_slot_i[p], is_bar_i[p]};
  end

  // A turn is two transfers: the pick, then the grant, which comes whatever the partition asks by then.
  stream_arb #(.N(N), .WIDTH(WIDTH)) u_turn (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .valid_i (grant_q | (ba_hold_i ? '0 : is_bar_ask_i)),
    .ready_o (),
    .data_i  (all),
    .valid_o (some),
    .ready_i (1'b1),
    .last_i  (grant_q != '0),
    .data_o  ({bt_slot_o, bt_bar_o}),
    .sel_o   (turn)
  );
  assign bt_pick_o = some && grant_q == '0;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) grant_q <= '0;
    else         grant_q <= bt_pick_o ? turn : '0;
  end

  assign ba_grant_o = grant_q;
  assign bt_ask_o   = (is_bar_ask_i & grant_q) != '0;
  assign bt_valid_o = (is_bar_valid_i & grant_q) != '0;

  // A partition that arrives has the turn.
  `ASSERT(a_valid, (is_bar_valid_i & ~grant_q) == '0)

endmodule
