// SPDX-License-Identifier: Apache-2.0
// Whose turn it is at the barriers: partitions ask one at a time, and the answer is about the state that all before have left.
// Latency: none. A partition a cycle; whoever asks is granted after all others at the latest.
// Handshake: a partition asks until it is granted and its instruction leaves; valid belongs to the granted one.
// It does not know what a barrier is. With one partition it is wires.
`default_nettype none

module barrier_turn #(
  parameter  int unsigned N      = 2,
  localparam int unsigned SLOT_W = cfg_pkg::SM_WARP_W,
  localparam int unsigned WIDTH  = SLOT_W + 4 + 12
) (
  input  logic                     clk_i,
  input  logic                     rst_ni,
  // from and to the partitions
  input  logic [N-1:0]             is_bar_ask_i,
  input  logic [N-1:0]             is_bar_valid_i,
  input  logic [N-1:0][SLOT_W-1:0] is_bar_slot_i,
  input  logic [N-1:0][3:0]        is_bar_id_i,
  input  logic [N-1:0][11:0]       is_bar_count_i,
  output logic [N-1:0]             ba_grant_o,
  // to the barriers
  output logic                     bt_ask_o,
  output logic                     bt_valid_o,
  output logic [SLOT_W-1:0]        bt_slot_o,
  output logic [3:0]               bt_id_o,
  output logic [11:0]              bt_count_o
);

  if (N == 1) begin : gen_wires
    assign bt_ask_o   = is_bar_ask_i[0];
    assign bt_valid_o = is_bar_valid_i[0];
    assign bt_slot_o  = is_bar_slot_i[0];
    assign bt_id_o    = is_bar_id_i[0];
    assign bt_count_o = is_bar_count_i[0];
    assign ba_grant_o = '1;
    logic unused;
    assign unused     = &{1'b0, clk_i, rst_ni};
  end else begin : gen_turn
    logic [N-1:0]            grant;
    logic [N-1:0][WIDTH-1:0] all;

    arb_rr #(.N(N)) u_turn (
      .clk_i   (clk_i),
      .rst_ni  (rst_ni),
      .req_i   (is_bar_ask_i),
      .grant_o (grant),
      .take_i  (1'b1)
    );

    for (genvar p = 0; p < N; p++) begin : gen_all
      assign all[p] = {is_bar_slot_i[p], is_bar_id_i[p], is_bar_count_i[p]};
    end
    onehot_mux #(.N(N), .WIDTH(WIDTH)) u_mux (
      .sel_i  (grant),
      .data_i (all),
      .data_o ({bt_slot_o, bt_id_o, bt_count_o})
    );
    assign ba_grant_o = grant;
    assign bt_ask_o   = is_bar_ask_i != '0;
    assign bt_valid_o = (is_bar_valid_i & grant) != '0;
  end

endmodule

`default_nettype wire
