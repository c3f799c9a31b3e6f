// SPDX-License-Identifier: Apache-2.0
// rtl/memory/ro_misses.sv (lines of a read-only cache on their way), with three places and indices of two bits.
// config: tiny
// quick
`default_nettype none
`include "properties.svh"

module ro_misses_formal (
  input logic        clk_i,
  input logic [33:0] line,      // that is looked up
  input logic        want,      // it is to be taken
  input logic        rd_ready,
  input logic        ax_valid,
  input logic [1:0]  ax_tag,
  input logic        ax_last,
  input logic        watch      // the line that is taken now is followed to its last beat
);
  `RESET
  localparam int unsigned MISSES = 3;

  logic [MISSES-1:0] pend, next, done;
  logic              free, take, rd_valid, idle;
  logic [33:0]       rd_line;
  logic [1:0]        rd_tag, fill;

  // Nobody takes a line whose index is pending.
  assign take = want && free && pend == '0;

  ro_misses #(.MISSES(MISSES), .INDEX_W(2)) u_dut (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .look_i      (line[1:0]),
    .pend_o      (pend),
    .free_o      (free),
    .next_o      (next),
    .take_i      (take),
    .take_line_i (line),
    .rd_valid_o  (rd_valid),
    .rd_ready_i  (rd_ready),
    .rd_line_o   (rd_line),
    .rd_tag_o    (rd_tag),
    .ax_valid_i  (ax_valid),
    .ax_tag_i    (ax_tag),
    .ax_last_i   (ax_last),
    .fill_o      (fill),
    .done_o      (done),
    .idle_o      (idle)
  );

  // Places that memory owes beats; one line, followed: taken, asked for, its place.
  logic [MISSES-1:0] owed_q, asked, ended;
  logic              in_q, out_q, kept_q;
  logic [33:0]       line_q, kept_line_q;
  logic [1:0]        tag_q, place, kept_tag_q;
  logic [1:0]        lines_q;    // on their way
  assign place = next[0] ? 2'd0 : next[1] ? 2'd1 : 2'd2;
  assign asked = (rd_valid && rd_ready) ? MISSES'(1) << rd_tag : '0;
  assign ended = (ax_valid && ax_last) ? MISSES'(1) << ax_tag : '0;
  always_ff @(posedge clk_i) begin
    kept_q      <= rst_ni && rd_valid && !rd_ready;
    kept_line_q <= rd_line;
    kept_tag_q  <= rd_tag;
    if (!rst_ni) begin
      owed_q  <= '0;
      in_q    <= 1'b0;
      out_q   <= 1'b0;
      lines_q <= 2'd0;
    end else begin
      owed_q  <= (owed_q | asked) & ~ended;
      lines_q <= lines_q + 2'(take) - 2'(ended != '0);
      if (!in_q && take && watch) begin
        in_q   <= 1'b1;
        out_q  <= 1'b0;
        line_q <= line;
        tag_q  <= place;
      end else if (in_q) begin
        if (rd_valid && rd_ready && rd_line == line_q) out_q <= 1'b1;
        if ((ended & (MISSES'(1) << tag_q)) != '0) in_q <= 1'b0;
      end
    end
  end
  // Beats come of lines that were asked for.
  `GIVEN(g_beat, !ax_valid || (ax_tag < 2'(MISSES) && (owed_q & (MISSES'(1) << ax_tag)) != '0))

  // Who looks up the index of a line on its way is told, with its place, until its last beat has come; and nobody else has it.
  `PROVE(p_pend, !(in_q && line[1:0] == line_q[1:0]) || pend == MISSES'(1) << tag_q)
  // A beat of it names its index, and its last one ends its place and no other.
  `PROVE(p_fill, !(in_q && ax_valid && ax_tag == tag_q) || (fill == line_q[1:0]
    && done == (ax_last ? MISSES'(1) << tag_q : '0)))
  // Its place is given to nobody else.
  `PROVE(p_place, !(in_q && take) || place != tag_q)
  // Memory is asked for it under its place, and once.
  `PROVE(p_ask, !(in_q && rd_valid && rd_tag == tag_q) || (rd_line == line_q && !out_q))
  // ... at the latest when memory has taken what it was asked for before.
  `PROVE(p_soon, !in_q || out_q || (rd_valid && rd_line == line_q))
  // What is asked for stands, with its tag, until it is taken.
  `PROVE(p_stable, !kept_q || (rd_valid && rd_line == kept_line_q && rd_tag == kept_tag_q))
  // A place is free exactly while fewer lines than places are on their way and nothing waits to be asked for; it is idle exactly
  // while none is.
  `PROVE(p_free, free == (lines_q != 2'(MISSES) && !rd_valid) && idle == (lines_q == 2'd0))
  // All places are in use, and the followed line is the last of them to come.
  `REACH(r_full, in_q && lines_q == 2'(MISSES) && tag_q == 2'd2)
endmodule

`default_nettype wire
