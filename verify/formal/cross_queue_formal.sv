// SPDX-License-Identifier: Apache-2.0
// rtl/crossbar/cross_queue.sv, with two places and requests of up to three beats.
// config: quad
`default_nettype none
`include "properties.svh"

module cross_queue_formal (
  input logic               clk_i,
  input logic               lw_valid,
  input line_pkg::write_t   lw,
  input logic               lq_valid,
  input line_pkg::request_t lq,
  input logic               go,
  input logic               watch      // the request that comes now is followed
);
  `RESET
  localparam int unsigned PLACES = 2, BEATS = 3, ATOMS = 2;

  logic               lc_valid, lc_atom, valid, last, has_beat;
  line_pkg::request_t out;
  line_pkg::write_t   beat;

  cross_queue #(.PLACES(PLACES), .BEATS(BEATS)) u_dut (
    .clk_i      (clk_i),
    .rst_ni     (rst_ni),
    .lw_valid_i (lw_valid),
    .lw_i       (lw),
    .lq_valid_i (lq_valid),
    .lq_i       (lq),
    .lc_valid_o (lc_valid),
    .lc_atom_o  (lc_atom),
    .valid_o    (valid),
    .last_o     (last),
    .lq_o       (out),
    .lw_valid_o (has_beat),
    .lw_o       (beat),
    .go_i       (go)
  );

  // What is compared of a request.
  localparam int unsigned KEY_W = line_pkg::TAG_W + 5;
  logic [KEY_W-1:0] key_in, key_out;
  logic             gone, atom;
  assign key_in  = {lq.tag, lq.kind, lq.line[1:0]};
  assign key_out = {out.tag, out.kind, out.line[1:0]};
  assign gone    = go && last;
  assign atom    = lq.kind == line_pkg::ATOM;

  // Credits that the SM holds, requests in the queue, atomics among them; beats since the last request that came, beats of
  // the oldest that have gone.
  logic [1:0] held_q, atoms_q, words_q, in_atoms_q;
  logic [2:0] open_q, sent_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      {held_q, atoms_q, words_q, in_atoms_q, open_q, sent_q} <= '0;
    end else begin
      held_q     <= held_q + 2'(lc_valid && !lc_atom) - 2'(lq_valid);
      atoms_q    <= atoms_q + 2'(lc_valid && lc_atom) - 2'(lq_valid && atom);
      words_q    <= words_q + 2'(lq_valid) - 2'(gone);
      in_atoms_q <= in_atoms_q + 2'(lq_valid && atom) - 2'(gone && out.kind == line_pkg::ATOM);
      open_q     <= lq_valid ? 3'd0 : open_q + 3'(lw_valid);
      sent_q     <= gone ? 3'd0 : sent_q + 3'(go && has_beat);
    end
  end

  // One request, followed.
  logic             in_q;
  logic [1:0]       before_q;
  logic [KEY_W-1:0] key_q;
  logic [2:0]       beats_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) in_q <= 1'b0;
    else if (!in_q && lq_valid && watch) begin
      in_q     <= 1'b1;
      before_q <= words_q - 2'(gone);
      key_q    <= key_in;
      beats_q  <= open_q + 3'(lw_valid);
    end else if (in_q && gone) begin
      in_q     <= before_q != 2'd0;
      before_q <= before_q - 2'd1;
    end
  end

  // What was offered and did not go.
  logic             kept_q, kept_last_q, kept_beat_q;
  logic [KEY_W-1:0] kept_key_q;
  always_ff @(posedge clk_i) begin
    kept_q      <= rst_ni && valid && !go;
    kept_last_q <= last;
    kept_beat_q <= has_beat;
    kept_key_q  <= key_out;
  end

  // The SM sends what it holds the credits for, and no more beats than a request has.
  `GIVEN(g_credit, !(lq_valid || lw_valid) || held_q != 2'd0)
  `GIVEN(g_atom, !(lq_valid && atom) || atoms_q != 2'd0)
  `GIVEN(g_beats, !lw_valid || 32'(open_q) < BEATS)
  // Only what is offered goes.
  `GIVEN(g_go, !go || valid)

  // Every request leaves unchanged, in its turn.
  `PROVE(p_order, !in_q || before_q != 2'd0 || key_out == key_q)
  // A request is offered exactly while there is one: none is lost, none doubled.
  `PROVE(p_all, valid == (words_q != 2'd0))
  // A request leaves with as many beats as came with it.
  `PROVE(p_beats, !(in_q && before_q == 2'd0 && last) || sent_q + 3'(has_beat) == beats_q)
  // Places in use, credits that the SM holds and those that it will be told are all places, of atomics too.
  `PROVE(p_room, 32'(words_q) + 32'(held_q) + 32'(u_dut.owed_q) == PLACES
    && 32'(in_atoms_q) + 32'(atoms_q) + 32'(u_dut.atoms_q) == ATOMS)
  // A credit is told as long as one is due.
  `PROVE(p_given, lc_valid == (32'(words_q) + 32'(held_q) != PLACES || 32'(in_atoms_q) + 32'(atoms_q) != ATOMS))
  // What is offered stays until it has gone.
  `PROVE(p_stable, !kept_q || (valid && key_out == kept_key_q && last == kept_last_q && has_beat == kept_beat_q))
  // It gets full of requests with beats, and the last one in is followed.
  `REACH(r_full, words_q == 2'd2 && in_q && before_q == 2'd1 && beats_q == 3'd3)
endmodule

`default_nettype wire
