// SPDX-License-Identifier: Apache-2.0
// Which SM sends to a bank: of those that have a request for it one after another, a whole request at a time with all its beats,
// while the bank has room.
// Latency: two cycles from an offer that is taken to the bank, one of them in the SM's queue. A beat, or a request without beats, a
// cycle.
// Handshake: an offer to one SM stands until its request goes, which it does when the SM's link is free; towards the bank the
// request channel's rules. Turns are those of requests, whether there is room for one or not: so nobody who waits, for places of
// atomics too, sees another served twice.
// It keeps no requests.
`include "heddle_assert.svh"

module cross_turn #(
  parameter  int unsigned N       = 2,                                     // SMs
  localparam int unsigned ROOM_W  = 9,                                     // of a bank: up to 510 requests
  localparam int unsigned LQ_W    = $bits(line_pkg::request_t),
  localparam int unsigned LW_W    = $bits(line_pkg::write_t)
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  // from and to the queues of the SMs
  input  logic [N-1:0]            ask_i,
  input  logic [N-1:0]            atom_i,
  output logic [N-1:0]            offer_o,
  input  logic [N-1:0]            go_i,
  input  logic [N-1:0]            more_i,      // a link carries more of a request for this bank
  // what went in the cycle before
  input  logic [N-1:0]            to_i,        // of these to this bank
  input  logic [N-1:0]            lq_valid_i,
  input  logic [N-1:0][LQ_W-1:0]  lq_i,        // line_pkg::request_t each
  input  logic [N-1:0]            lw_valid_i,
  input  logic [N-1:0][LW_W-1:0]  lw_i,        // line_pkg::write_t each
  // to and from the bank
  output logic                    lw_valid_o,
  output line_pkg::write_t        lw_o,
  output logic                    lq_valid_o,
  output line_pkg::request_t      lq_o,
  input  logic                    lc_valid_i,
  input  logic                    lc_atom_i
);

  // ---- whose turn it is --------------------------------------------------------------------------
  logic [N-1:0] grant;
  logic         begins, atom, room;

  arb_rr #(.N(N)) u_turn (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .req_i   (ask_i),
    .grant_o (grant),
    .take_i  (begins)
  );
  assign atom    = (grant & atom_i) != '0;
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

  onehot_mux #(.N(N), .WIDTH(LQ_W)) u_request (
    .sel_i  (to_i),
    .data_i (lq_i),
    .data_o (lq)
  );
  onehot_mux #(.N(N), .WIDTH(LW_W)) u_beat (
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

  // Turns are fair: while one waits, nobody else is served twice.
  logic [N-1:0][N-1:0] before_q;   // of each who waits: who has been served since
  logic [N-1:0]        unfair;
  always_comb begin
    unfair = '0;
    for (int unsigned s = 0; s < N; s++) unfair[s] = ask_i[s] && (go_i & before_q[s]) != '0;
  end
  always_ff @(posedge clk_i) begin
    for (int unsigned s = 0; s < N; s++) begin
      if (!rst_ni || !ask_i[s] || go_i[s]) before_q[s] <= '0;
      else                                 before_q[s] <= before_q[s] | go_i;
    end
  end
  `ASSERT(a_fair, unfair == '0)
  // Pieces of one request alone.
  `ASSERT(a_one, (to_i & (to_i - N'(1))) == '0)
  // A bank gives no more credits than there may be requests.
  `ASSERT(a_credits, credits_q != '1 && atoms_q != '1)

endmodule
