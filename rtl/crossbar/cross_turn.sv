// SPDX-License-Identifier: Apache-2.0
// Which SM sends to a bank: of those whose oldest request is for it one after another, a whole
// request at a time with all its beats, while the bank has room.
// Latency: a cycle. A beat, or a request without beats, a cycle.
// Handshake: requests valid and go, offered until gone; towards the bank the request channel's
// rules. Turns are those of requests, whether there is room for one or not: so nobody who waits, for
// places of atomics too, sees another served twice.
// It keeps no requests.
`default_nettype none
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
  input  logic [N-1:0]            valid_i,     // it is for this bank
  input  logic [N-1:0]            last_i,
  input  logic [N-1:0][LQ_W-1:0]  lq_i,        // line_pkg::request_t each
  input  logic [N-1:0]            lw_valid_i,
  input  logic [N-1:0][LW_W-1:0]  lw_i,        // line_pkg::write_t each
  output logic [N-1:0]            go_o,
  // to and from the bank
  output logic                    lw_valid_o,
  output line_pkg::write_t        lw_o,
  output logic                    lq_valid_o,
  output line_pkg::request_t      lq_o,
  input  logic                    lc_valid_i,
  input  logic                    lc_atom_i
);

  // ---- whose turn it is --------------------------------------------------------------------------
  logic [N-1:0]       ask, grant, inside_q;   // inside a request: whose
  logic               any, last, go, over, room;
  line_pkg::request_t lq;
  line_pkg::write_t   lw;
  logic               lw_valid;

  assign ask = (inside_q != '0) ? inside_q : valid_i;

  arb_rr #(.N(N)) u_turn (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .req_i   (ask),
    .grant_o (grant),
    .take_i  (over)
  );
  onehot_mux #(.N(N), .WIDTH(LQ_W)) u_request (
    .sel_i  (grant),
    .data_i (lq_i),
    .data_o (lq)
  );
  onehot_mux #(.N(N), .WIDTH(LW_W)) u_beat (
    .sel_i  (grant),
    .data_i (lw_i),
    .data_o (lw)
  );

  assign any      = grant != '0;
  assign last     = (grant & last_i) != '0;
  assign lw_valid = (grant & lw_valid_i) != '0;
  assign go       = any && (inside_q != '0 || room);
  assign over     = go && last;
  assign go_o     = go ? grant : '0;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) inside_q <= '0;
    else if (go) inside_q <= last ? '0 : grant;
  end

  // ---- room in the bank: its credits, spent when a request begins --------------------------------
  logic [ROOM_W-1:0] credits_q, atoms_q;
  logic              atom, begins;

  assign atom   = lq.kind == line_pkg::ATOM;
  assign begins = go && inside_q == '0;
  assign room   = credits_q != '0 && (!atom || atoms_q != '0);

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
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      lw_valid_o <= 1'b0;
      lq_valid_o <= 1'b0;
    end else begin
      lw_valid_o <= go && lw_valid;
      lq_valid_o <= over;
    end
  end
  always_ff @(posedge clk_i) begin
    if (go)   lw_o <= lw;
    if (over) lq_o <= lq;
  end

  // Turns are fair: while one waits, nobody else is served twice.
  logic [N-1:0][N-1:0] before_q;   // of each who waits: who has been served since
  logic [N-1:0]        served, unfair;
  assign served = over ? grant : '0;
  always_comb begin
    unfair = '0;
    for (int unsigned s = 0; s < N; s++) unfair[s] = valid_i[s] && (served & before_q[s]) != '0;
  end
  always_ff @(posedge clk_i) begin
    for (int unsigned s = 0; s < N; s++) begin
      if (!rst_ni || !valid_i[s] || served[s]) before_q[s] <= '0;
      else                                     before_q[s] <= before_q[s] | served;
    end
  end
  `ASSERT(a_fair, unfair == '0)
  // A bank gives no more credits than there may be requests.
  `ASSERT(a_credits, credits_q != '1 && atoms_q != '1)

endmodule

`default_nettype wire
