// SPDX-License-Identifier: Apache-2.0
// rtl/crossbar/cross_turn.sv, with three SMs and requests of up to three pieces.
// config: quad
`include "properties.svh"

module cross_turn_formal (
  input logic                             clk_i,
  input logic [2:0]                       ask,
  input logic [2:0]                       is_atom,
  input logic [2:0]                       free,       // the link is: what is offered goes
  input logic [1:0]                       pieces,     // of what goes, more than the first
  input logic                             beats,      // ... each with a beat
  input logic [2:0][line_pkg::TAG_W-1:0]  tag,        // on the links
  input logic                             lc_valid,
  input logic                             lc_atom
);
  `RESET
  localparam int unsigned N = 3;

  logic [N-1:0]                                   offer, go, more, to_q, lq_valid, lw_valid;
  logic [N-1:0][$bits(line_pkg::request_t)-1:0]   lq;
  logic [N-1:0][$bits(line_pkg::write_t)-1:0]     lw;
  logic                                           bk_lw_valid, bk_lq_valid;
  line_pkg::write_t                               beat;
  line_pkg::request_t                             out;

  for (genvar s = 0; s < N; s++) begin : gen_sm
    line_pkg::request_t rq;
    line_pkg::write_t   w;
    always_comb begin
      rq      = '0;
      rq.sm   = 8'(s);
      rq.tag  = tag[s];
      w       = '0;
      w.lane  = 5'(s);
      w.data  = line_pkg::BITS'(tag[s]);
    end
    assign lq[s] = rq;
    assign lw[s] = w;
  end

  cross_turn #(.N(N)) u_dut (
    .clk_i      (clk_i),
    .rst_ni     (rst_ni),
    .ask_i      (ask),
    .atom_i     (is_atom),
    .offer_o    (offer),
    .go_i       (go),
    .more_i     (more),
    .to_i       (to_q),
    .lq_valid_i (lq_valid),
    .lq_i       (lq),
    .lw_valid_i (lw_valid),
    .lw_i       (lw),
    .lw_valid_o (bk_lw_valid),
    .lw_o       (beat),
    .lq_valid_o (bk_lq_valid),
    .lq_o       (out),
    .lc_valid_i (lc_valid),
    .lc_atom_i  (lc_atom)
  );

  // The links, as cross_queue has them: pieces of a request that goes follow one another.
  logic [N-1:0][1:0] left_q;
  logic [N-1:0]      last_q, with_q, here_q;
  assign go = offer & free;
  always_ff @(posedge clk_i) begin
    for (int s = 0; s < int'(N); s++) begin
      if (!rst_ni) left_q[s] <= 2'd0;
      else         left_q[s] <= go[s] ? pieces : left_q[s] - 2'(left_q[s] != 2'd0);
      last_q[s] <= go[s] ? pieces == 2'd0 : left_q[s] == 2'd1;
      if (go[s]) with_q[s] <= beats || pieces != 2'd0;
      here_q[s] <= rst_ni && (go[s] || left_q[s] != 2'd0);
    end
  end
  for (genvar s = 0; s < N; s++) begin : gen_link
    assign more[s]     = left_q[s] != 2'd0;
    assign lq_valid[s] = here_q[s] && last_q[s];
    assign lw_valid[s] = here_q[s] && with_q[s];
  end
  assign to_q = here_q;

  // A request stays, unchanged, until it goes.
  logic [N-1:0] ask_q, atom_q;
  always_ff @(posedge clk_i) begin
    ask_q  <= rst_ni ? ask & ~go : '0;
    atom_q <= is_atom;
  end
  `GIVEN(g_asks, (ask_q & ~ask) == '0 && (ask_q & (is_atom ^ atom_q)) == '0)

  // Room that the bank has reported, and not got requests for; as much as there may be of it.
  logic [1:0] room_q, atoms_q;
  logic       begins, atom;
  assign begins = go != '0;
  assign atom   = (go & is_atom) != '0;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) {room_q, atoms_q} <= '0;
    else begin
      room_q  <= room_q + 2'(lc_valid && !lc_atom) - 2'(begins);
      atoms_q <= atoms_q + 2'(lc_valid && lc_atom) - 2'(begins && atom);
    end
  end
  `GIVEN(g_room, !lc_valid || (lc_atom ? atoms_q != 2'd3 : room_q != 2'd3))

  // The links' content in the cycle before, and the SM of the request that the bank has begun to get.
  logic                       lw_q, lq_q;
  logic [N-1:0]               who_q, inside_q;
  logic [line_pkg::TAG_W-1:0] what_q;
  always_ff @(posedge clk_i) begin
    lw_q   <= rst_ni && (to_q & lw_valid) != '0;
    lq_q   <= rst_ni && (to_q & lq_valid) != '0;
    who_q  <= to_q;
    what_q <= to_q[0] ? tag[0] : to_q[1] ? tag[1] : tag[2];
    if (!rst_ni || (to_q & lq_valid) != '0) inside_q <= '0;
    else if (to_q != '0)                    inside_q <= to_q;
  end

  // Any one SM: requests of others that have gone since it began to request.
  logic [1:0] one_q, others_q;
  always_ff @(posedge clk_i) begin
    one_q <= one_q;
    if (!rst_ni || !ask[one_q] || go[one_q]) others_q <= 2'd0;
    else if (begins && others_q != 2'd3)     others_q <= others_q + 2'd1;
  end
  `GIVEN(g_one, one_q < 2'(N))


  // An offer is one requesting SM's.
  `PROVE(p_one, $countones(offer) <= 1 && (offer & ~ask) == '0)
  // A request's beats come together: nothing of another's between them, nor two pieces at once.
  `PROVE(p_whole, $countones(to_q) <= 1 && (inside_q == '0 || (to_q & ~inside_q) == '0))
  // A link's content for this bank is sent in the next cycle, and nothing else is.
  `PROVE(p_sent, bk_lw_valid == lw_q && bk_lq_valid == lq_q)
  // Request and beat are those of the link that carried them.
  `PROVE(p_word, (!bk_lq_valid || (who_q[2'(out.sm)] && out.sm < 8'(N) && out.tag == what_q))
    && (!bk_lw_valid || (who_q[2'(beat.lane)] && beat.lane < 5'(N) && line_pkg::TAG_W'(beat.data) == what_q)))
  // A request begins only where the bank has room for it.
  `PROVE(p_room, !begins || room_q != 2'd0)
  // An atomic only where it has room for its operands, too.
  `PROVE(p_atoms, !(begins && atom) || atoms_q != 2'd0)
  // While there is room for all requesters, and no request is in the middle, one is offered to be taken.
  `PROVE(p_offers, !(ask != '0 && room_q != 2'd0 && atoms_q != 2'd0 && more == '0) || offer != '0)
  // Each requester goes after one request of each other at the latest.
  `PROVE(p_wait, !(ask[one_q] && begins && !go[one_q]) || others_q < 2'(N - 1))
  // One has waited for both others, and its request of several pieces goes.
  `REACH(r_wait, others_q == 2'(N - 1) && go[one_q] && pieces != 2'd0)
endmodule
