// SPDX-License-Identifier: Apache-2.0
// rtl/crossbar/cross_queue.sv with cross_beats.sv: two banks, three tags, requests of up to three beats in chunks of two.
// config: quad
// That chunks suffice is counting: bounded.
// within 12: u_dut.u_beats.a_room
// within 12: u_dut.u_beats.u_beats.a_apart
// within 12: u_dut.u_beats.u_free.a_count
// within 12: u_dut.u_beats.u_free.a_in_stable
// within 12: u_dut.u_beats.u_free.a_out_stable
// within 12: u_dut.u_requests.a_apart
`include "properties.svh"

module cross_queue_formal (
  input logic               clk_i,
  input logic               lw_valid,
  input line_pkg::write_t   lw,
  input logic               lq_valid,
  input line_pkg::request_t lq,
  input logic [1:0]         offer,
  input logic               watch,     // the request that comes now is followed
  input logic [1:0]         place      // ... and this beat of it
);
  `RESET
  localparam int unsigned BANKS = 2, TAGS = 3, MOST = 3, CHUNK = 2, CHUNKS = 4, EACH = 2;

  logic               lc_valid, lc_atom, out_lw_valid, out_lq_valid;
  logic [BANKS-1:0]   ask, atom, go, more, to;
  line_pkg::request_t out;
  line_pkg::write_t   beat;

  cross_queue #(.BANKS(BANKS), .PLACES(TAGS), .MOST(MOST), .CHUNK(CHUNK), .CHUNKS(CHUNKS)) u_dut (
    .clk_i      (clk_i),
    .rst_ni     (rst_ni),
    .lw_valid_i (lw_valid),
    .lw_i       (lw),
    .lq_valid_i (lq_valid),
    .lq_i       (lq),
    .lc_valid_o (lc_valid),
    .lc_atom_o  (lc_atom),
    .ask_o      (ask),
    .atom_o     (atom),
    .offer_i    (offer & ask),
    .go_o       (go),
    .more_o     (more),
    .to_o       (to),
    .lw_valid_o (out_lw_valid),
    .lw_o       (beat),
    .lq_valid_o (out_lq_valid),
    .lq_o       (out)
  );

  // The compared part of a request, and of a beat.
  localparam int unsigned KEY_W = line_pkg::TAG_W + 1;
  logic [KEY_W-1:0] key_in, key_out;
  logic             bank;
  assign key_in  = {lq.tag, lq.line[0]};
  assign key_out = {out.tag, out.line[0]};
  assign bank    = lq.line[0];

  // Credits that the SM holds; tags in use, until what they name has been shown; beats since the last request that came.
  logic [1:0]      held_q;
  logic [1:0]      atoms_q;
  logic [TAGS-1:0] busy_q;
  logic [1:0]      open_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) {held_q, atoms_q, busy_q, open_q} <= '0;
    else begin
      held_q  <= held_q + 2'(lc_valid && !lc_atom) - 2'(lq_valid);
      atoms_q <= atoms_q + 2'(lc_valid && lc_atom) - 2'(lq_valid && lq.kind == line_pkg::ATOM);
      busy_q  <= (busy_q | (lq_valid ? TAGS'(1) << lq.tag : '0)) & ~(out_lq_valid ? TAGS'(1) << out.tag : '0);
      open_q  <= lq_valid ? 2'd0 : open_q + 2'(lw_valid);
    end
  end

  // Requests of each bank that have come and not gone.
  logic [BANKS-1:0][1:0] words_q;
  always_ff @(posedge clk_i) begin
    for (int b = 0; b < int'(BANKS); b++) begin
      if (!rst_ni) words_q[b] <= 2'd0;
      else         words_q[b] <= words_q[b] + 2'(lq_valid && bank == b[0]) - 2'(go[b]);
    end
  end

  // One request, followed: those of its bank ahead of it, then its pieces.
  logic             in_q, out_q;       // it waits; its pieces are shown
  logic [1:0]       before_q, beats_q, shown_q, place_q;
  logic [KEY_W-1:0] key_q;
  logic             data_q, data;
  logic             bank_q, marked;
  assign marked = watch && !in_q && !out_q;
  assign data   = lw.data[0];
  // The beat is chosen before it comes: it is that of the request which is followed, if that comes marked.
  logic             seen_q;
  always_ff @(posedge clk_i) begin
    if (lw_valid && open_q == place) seen_q <= data;
    place_q <= place_q;
  end
  `GIVEN(g_place, place == place_q)
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      in_q  <= 1'b0;
      out_q <= 1'b0;
    end else begin
      if (lq_valid && marked) begin
        in_q     <= 1'b1;
        before_q <= words_q[bank] - 2'(go[bank]);
        key_q    <= key_in;
        bank_q   <= bank;
        beats_q  <= open_q + 2'(lw_valid);
        data_q   <= (lw_valid && open_q == place) ? data : seen_q;
      end else if (in_q && go[bank_q]) begin
        in_q     <= before_q != 2'd0;
        out_q    <= before_q == 2'd0;
        before_q <= before_q - 2'd1;
        shown_q  <= 2'd0;
      end else if (out_q) begin
        out_q    <= !out_lq_valid;
        shown_q  <= shown_q + 2'(out_lw_valid);
      end
    end
  end

  // The SM sends what it holds the credits for, with free tags, and no more beats than a request has.
  `GIVEN(g_credit, !(lq_valid || lw_valid) || held_q != 2'd0)
  `GIVEN(g_atom, !(lq_valid && lq.kind == line_pkg::ATOM) || atoms_q != 2'd0)
  `GIVEN(g_tag, !lq_valid || (32'(lq.tag) < TAGS && !busy_q[2'(lq.tag)]))
  `GIVEN(g_beats, !lw_valid || 32'(open_q) < MOST)

  // A bank is offered a request exactly while there is one for it: none is lost, none doubled, none waits for another bank's.
  `BOUND(14, p_all, ask[0] == (words_q[0] != 2'd0) && ask[1] == (words_q[1] != 2'd0))
  // One of the offers is chosen, unless the link still carries something.
  `PROVE(p_goes, $countones(go) <= 1 && (go & ~(offer & ask)) == '0 && ((go == '0) == (more != '0 || (offer & ask) == '0)))
  // Requests of a bank go in their order, each unchanged and to its bank.
  `BOUND(14, p_order, !out_q || (key_out == key_q && to == (bank_q ? 2'd2 : 2'd1)))
  // A request goes with as many beats as came with it.
  `BOUND(14, p_beats, !out_q || (shown_q + 2'(out_lw_valid) <= beats_q && out_lq_valid == (shown_q + 2'(out_lw_valid) == beats_q)
    && out_lw_valid == (beats_q != 2'd0)))
  // Each beat of it is what it was.
  `BOUND(14, p_data, !(out_q && out_lw_valid && shown_q == place) || beat.data[0] == data_q)
  // Credits of the SM have room, and so have arrived entries.
  `BOUND(14, p_room, 32'(u_dut.used) <= CHUNKS && u_dut.held_q == held_q)
  // A credit is sent as long as there is room for one more.
  `BOUND(14, p_given, lc_valid || 32'(u_dut.used) + EACH * (32'(held_q) + 1) > CHUNKS)
  // A request with beats in two chunks goes before one of the other bank that came earlier.
  `REACH(r_passes, out_q && beats_q == 2'd3 && words_q[!bank_q] == 2'd2)
endmodule
