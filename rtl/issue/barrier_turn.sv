// SPDX-License-Identifier: Apache-2.0
// Whose turn it is at the barriers: partitions ask one at a time, and the answer is about the state that all before have left.
// Latency: a turn is two cycles: in the first a partition is picked (the barriers read their memory), in the second it is granted.
// Whoever asks is granted after all others at the latest, unless the barriers hold the turns up.
// Handshake: a partition asks until it is granted and its instruction leaves; valid belongs to the granted one. One that stands
// still when granted asks again.
// It does not know what a barrier is.
`include "heddle_assert.svh"

module barrier_turn #(
  parameter  int unsigned N      = 2,
  localparam int unsigned SLOT_W = cfg_pkg::SM_WARP_W,
  localparam int unsigned BAR_W  = $bits(core_pkg::bar_t),
  localparam int unsigned WIDTH  = SLOT_W + BAR_W
) (
  input  logic                     clk_i,
  input  logic                     rst_ni,
  // from and to the partitions
  input  logic [N-1:0]             is_bar_ask_i,
  input  logic [N-1:0]             is_bar_valid_i,
  input  logic [N-1:0][SLOT_W-1:0] is_bar_slot_i,
  input  logic [N-1:0][BAR_W-1:0]  is_bar_i,        // bar_t each
  output logic [N-1:0]             ba_grant_o,
  // from and to the barriers
  input  logic                     ba_hold_i,       // nobody is picked in this cycle
  output logic                     bt_pick_o,       // slot and bar are those of the one that is picked
  output logic                     bt_ask_o,        // ... or granted, and still asks
  output logic                     bt_valid_o,
  output logic [SLOT_W-1:0]        bt_slot_o,
  output core_pkg::bar_t           bt_bar_o
);

  logic [N-1:0]            pick, grant_q, who;
  logic [N-1:0][WIDTH-1:0] all;

  arb_rr #(.N(N)) u_turn (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .req_i   (is_bar_ask_i),
    .grant_o (pick),
    .take_i  (bt_pick_o)
  );

  assign bt_pick_o = is_bar_ask_i != '0 && grant_q == '0 && !ba_hold_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) grant_q <= '0;
    else         grant_q <= bt_pick_o ? pick : '0;
  end

  for (genvar p = 0; p < N; p++) begin : gen_all
    assign all[p] = {is_bar_slot_i[p], is_bar_i[p]};
  end
  assign who = (grant_q != '0) ? grant_q : pick;
  onehot_mux #(.N(N), .WIDTH(WIDTH)) u_mux (
    .sel_i  (who),
    .data_i (all),
    .data_o ({bt_slot_o, bt_bar_o})
  );

  assign ba_grant_o = grant_q;
  assign bt_ask_o   = (is_bar_ask_i & grant_q) != '0;
  assign bt_valid_o = (is_bar_valid_i & grant_q) != '0;

  // Who arrives has the turn.
  `ASSERT(a_valid, (is_bar_valid_i & ~grant_q) == '0)

endmodule
