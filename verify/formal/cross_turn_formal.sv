// SPDX-License-Identifier: Apache-2.0
// rtl/crossbar/cross_turn.sv, with three SMs.
// config: quad
`default_nettype none
`include "properties.svh"

module cross_turn_formal (
  input logic                             clk_i,
  input logic [2:0]                       valid,
  input logic [2:0]                       last,
  input logic [2:0]                       has_beat,
  input logic [2:0][line_pkg::TAG_W-1:0]  tag,
  input logic [2:0]                       is_atom,
  input logic                             lc_valid,
  input logic                             lc_atom
);
  `RESET
  localparam int unsigned N = 3;

  logic [N-1:0]                                   go;
  logic [N-1:0][$bits(line_pkg::request_t)-1:0]   lq;
  logic [N-1:0][$bits(line_pkg::write_t)-1:0]     lw;
  logic                                           lw_valid, lq_valid;
  line_pkg::write_t                               beat;
  line_pkg::request_t                             out;

  for (genvar s = 0; s < N; s++) begin : gen_sm
    line_pkg::request_t rq;
    line_pkg::write_t   w;
    always_comb begin
      rq      = '0;
      rq.sm   = 8'(s);
      rq.tag  = tag[s];
      rq.kind = is_atom[s] ? line_pkg::ATOM : line_pkg::STORE;
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
    .valid_i    (valid),
    .last_i     (last),
    .lq_i       (lq),
    .lw_valid_i (has_beat),
    .lw_i       (lw),
    .go_o       (go),
    .lw_valid_o (lw_valid),
    .lw_o       (beat),
    .lq_valid_o (lq_valid),
    .lq_o       (out),
    .lc_valid_i (lc_valid),
    .lc_atom_i  (lc_atom)
  );

  logic [1:0] who;
  logic       over;
  assign who  = go[0] ? 2'd0 : go[1] ? 2'd1 : 2'd2;
  assign over = (go & last) != '0;

  // Offers stay until they go; between the pieces of a request there is another one.
  logic [N-1:0]                            held_q, inside_q, last_q, beat_q, atom_q;
  logic [N-1:0][line_pkg::TAG_W-1:0]       tag_q;
  logic                                    steady;
  always_ff @(posedge clk_i) begin
    held_q <= rst_ni ? valid & ~go : '0;
    last_q <= last;
    beat_q <= has_beat;
    atom_q <= is_atom;
    tag_q  <= tag;
    if (!rst_ni) inside_q <= '0;
    else         inside_q <= (inside_q | go) & ~(go & last);
  end
  always_comb begin
    steady = ((held_q | inside_q) & ~valid) == '0 && (valid & ~last & ~has_beat) == '0;
    for (int s = 0; s < int'(N); s++) begin
      if (held_q[s]) steady = steady && last[s] == last_q[s] && has_beat[s] == beat_q[s];
      if (held_q[s] || inside_q[s]) steady = steady && tag[s] == tag_q[s] && is_atom[s] == atom_q[s];
      if (inside_q[s]) steady = steady && has_beat[s];
    end
  end
  `GIVEN(g_steady, steady)

  // Room that the bank has told of, and not got requests for; as much as there may be of it.
  logic [1:0] room_q, atoms_q;
  logic       begins, atom;
  assign begins = go != '0 && inside_q == '0;
  assign atom   = is_atom[who];
  always_ff @(posedge clk_i) begin
    if (!rst_ni) {room_q, atoms_q} <= '0;
    else begin
      room_q  <= room_q + 2'(lc_valid && !lc_atom) - 2'(begins);
      atoms_q <= atoms_q + 2'(lc_valid && lc_atom) - 2'(begins && atom);
    end
  end
  `GIVEN(g_room, !lc_valid || (lc_atom ? atoms_q != 2'd3 : room_q != 2'd3))

  // What went in the cycle before.
  logic                       went_q, over_q, with_q;
  logic [1:0]                 who_q;
  logic [line_pkg::TAG_W-1:0] what_q;
  always_ff @(posedge clk_i) begin
    went_q <= rst_ni && go != '0;
    over_q <= rst_ni && over;
    with_q <= has_beat[who];
    who_q  <= who;
    what_q <= tag[who];
  end

  // Any one SM: requests of others that have gone since it began to ask.
  logic [1:0] one_q, others_q;
  always_ff @(posedge clk_i) begin
    one_q <= one_q;
    if (!rst_ni || !valid[one_q] || go[one_q]) others_q <= 2'd0;
    else if (over && others_q != 2'd3)         others_q <= others_q + 2'd1;
  end
  `GIVEN(g_one, one_q < 2'(N))

  // One goes at a time, of those that ask, and who has begun goes on alone: a request's beats come together.
  `PROVE(p_whole, $countones(go) <= 1 && (go & ~valid) == '0 && (inside_q == '0 || (go & ~inside_q) == '0))
  // What has gone is sent in the next cycle, a beat where there is one, the request with the last: nothing else is.
  `PROVE(p_sent, lw_valid == (went_q && with_q) && lq_valid == over_q)
  // Request and beat are those of who went.
  `PROVE(p_word, (!lq_valid || (out.sm == 8'(who_q) && out.tag == what_q))
    && (!lw_valid || (beat.lane == 5'(who_q) && line_pkg::TAG_W'(beat.data) == what_q)))
  // A request begins only where the bank has room for it.
  `PROVE(p_room, !begins || room_q != 2'd0)
  // An atomic only where it has room for its operands, too.
  `PROVE(p_atoms, !(begins && atom) || atoms_q != 2'd0)
  // While there is room for whoever asks, somebody goes.
  `PROVE(p_goes, !(valid != '0 && room_q != 2'd0 && atoms_q != 2'd0) || go != '0)
  // Whoever asks goes after one request of each other at the latest.
  `PROVE(p_wait, !(valid[one_q] && over && !go[one_q]) || others_q < 2'(N - 1))
  // Somebody has waited for both others, and goes with the first of several beats.
  `REACH(r_wait, others_q == 2'(N - 1) && go[one_q] && !last[one_q])
endmodule

`default_nettype wire
