// SPDX-License-Identifier: Apache-2.0
// Arbiter of a bank: its SMs in turns, a whole request at a time with all its beats, while the bank has room.
// Latency: two cycles from a taken offer to the bank, one of them in the SM's queue. A beat, or a request without beats, a cycle.
// Handshake: an offer is held until its request goes, when the SM's link is free, or until an SM nearer to the turn has a request.
// Towards the bank the request channel's rules. A turn counts whether there is room or not: while a request waits, for an atomic's
// place too, no other SM is served twice.
// It holds no requests.
`include "heddle_assert.svh"

module cross_turn #(
  parameter  int unsigned N       = 2,                                     // SMs
  localparam int unsigned ROOM_W  = 9                                      // of a bank: up to 510 requests
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  // from and to the queues of the SMs
  input  logic [N-1:0]            ask_i,
  input  logic [N-1:0]            atom_i,
  output logic [N-1:0]            offer_o,
  input  logic [N-1:0]            go_i,
  input  logic [N-1:0]            more_i,      // a link carries more of a request for this bank
  // sent in the cycle before
  input  logic [N-1:0]            to_i,        // of these to this bank
  input  logic [N-1:0]            lq_valid_i,
  input  line_pkg::request_t [N-1:0] lq_i,
  input  logic [N-1:0]            lw_valid_i,
  input  line_pkg::write_t [N-1:0] lw_i,
  // to and from the bank
  output logic                    lw_valid_o,
  output line_pkg::write_t        lw_o,
  output logic                    lq_valid_o,
  output line_pkg::request_t      lq_o,
  input  logic                    lc_valid_i,
  input  logic                    lc_atom_i
);

  // ---- the turn ------------------------------------------------------------------------------------
  logic [N-1:0] grant;
  logic         begins, atom, room;

  // An SM with a busy link holds no other back: a choice that is not taken may move.
  stream_arb #(.N(N), .WIDTH(1), .HOLD(1'b0)) u_turn (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .valid_i (ask_i),
    .ready_o (),
    .data_i  (atom_i),
    .valid_o (),
    .ready_i (begins),
    .last_i  (1'b1),
    .data_o  (atom),
    .sel_o   (grant)
  );
  assign begins  = go_i != '0;
  assign offer_o = (room && more_i == '0) ? grant : '0;

  // ---- room in the bank: its credits, spent when a request begins --------------------------------
  logic [ROOM_W-1:0] credits_q, atoms_q;

  assign room = credits_q != '0 && (!atom || atoms_q != '0);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      credits_q <= '0;
      atoms_q   <= '0;
    end else begin
      credits_q <= credits_q + ROOM_W'(lc_valid_i && !lc_atom_i) - ROOM_W'(begins);
      atoms_q   <= atoms_q + ROOM_W'(lc_valid_i && lc_atom_i) - ROOM_W'(begins && atom);
    end
  end

  // ---- to the bank -------------------------------------------------------------------------------
  line_pkg::request_t lq;
  line_pkg::write_t   lw;
  logic               lq_valid, lw_valid;

  assign lq_valid = (to_i & lq_valid_i) != '0;
  assign lw_valid = (to_i & lw_valid_i) != '0;

  onehot_mux #(.N(N), .WIDTH($bits(line_pkg::request_t))) u_request (
    .sel_i  (to_i),
    .data_i (lq_i),
    .data_o (lq)
  );
  onehot_mux #(.N(N), .WIDTH($bits(line_pkg::write_t))) u_beat (
    .sel_i  (to_i),
    .data_i (lw_i),
    .data_o (lw)
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      lw_valid_o <= 1'b0;
      lq_valid_o <= 1'b0;
    end else begin
      lw_valid_o <= lw_valid;
      lq_valid_o <= lq_valid;
    end
  end
  always_ff @(posedge clk_i) begin
    if (lw_valid) lw_o <= lw;
    if (lq_valid) lq_o <= lq;
  end

  // Pieces of one request alone.
  `ASSERT(a_one, (to_i & (to_i - N'(1))) == '0)
  // A bank gives no more credits than there may be requests.
  `ASSERT(a_credits, credits_q != '1 && atoms_q != '1)

endmodule
