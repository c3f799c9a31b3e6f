// SPDX-License-Identifier: Apache-2.0
// rtl/memory/ro_misses.sv (lines of a read-only cache on their way), with three places and indices of two bits.
// config: tiny
// quick
`include "properties.svh"

module ro_misses_formal (
  input logic        clk_i,
  input logic [33:0] line,      // that is looked up
  input logic        want,      // it is to be taken
  input logic        lists,
  input logic        rf_ready,
  input logic        beat_valid,
  input logic [1:0]  beat_number,
  input logic        done_valid,
  input logic [1:0]  done_number,
  input logic        watch      // the line that is taken now is followed to its end
);
  `RESET
  localparam int unsigned MISSES = 3;

  logic [MISSES-1:0] pend, shares, next, done;
  logic              free, take, rf_valid, rf_lists;
  logic [33:0]       rf_half;
  logic [1:0]        rf_number, fill, done_index;

  // No request takes a line with a pending index.
  assign take = want && free && pend == '0;

  ro_misses #(.MISSES(MISSES), .INDEX_W(2)) u_dut (
    .clk_i         (clk_i),
    .rst_ni        (rst_ni),
    .look_i        (line[1:0]),
    .lists_i       (lists),
    .pend_o        (pend),
    .shares_o      (shares),
    .free_o        (free),
    .next_o        (next),
    .take_i        (take),
    .take_line_i   (line),
    .rf_valid_o    (rf_valid),
    .rf_ready_i    (rf_ready),
    .rf_half_o     (rf_half),
    .rf_number_o   (rf_number),
    .rf_lists_o    (rf_lists),
    .beat_valid_i  (beat_valid),
    .beat_number_i (beat_number),
    .done_valid_i  (done_valid),
    .done_number_i (done_number),
    .fill_o        (fill),
    .done_o        (done),
    .done_index_o  (done_index)
  );

  // Places that memory owes an end; one line, followed: taken, requested, its place.
  logic [MISSES-1:0] owed_q, asked, ended;
  logic              in_q, out_q, kept_q;
  logic [33:0]       line_q, kept_line_q;
  logic [1:0]        tag_q, place, kept_tag_q;
  logic [1:0]        lines_q;    // on their way
  assign place = next[0] ? 2'd0 : next[1] ? 2'd1 : 2'd2;
  assign asked = (rf_valid && rf_ready) ? MISSES'(1) << rf_number : '0;
  assign ended = done_valid ? MISSES'(1) << done_number : '0;
  always_ff @(posedge clk_i) begin
    kept_q      <= rst_ni && rf_valid && !rf_ready;
    kept_line_q <= rf_half;
    kept_tag_q  <= rf_number;
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
        if (rf_valid && rf_ready && rf_half == line_q) out_q <= 1'b1;
        if ((ended & (MISSES'(1) << tag_q)) != '0) in_q <= 1'b0;
      end
    end
  end
  // Beats come of lines that were requested, and ends.
  `GIVEN(g_beat, !beat_valid || (beat_number < 2'(MISSES) && (owed_q & (MISSES'(1) << beat_number)) != '0))
  `GIVEN(g_done, !done_valid || (done_number < 2'(MISSES) && (owed_q & (MISSES'(1) << done_number)) != '0))

  // A lookup of the index of a line on its way is answered with its place, until its end has come; and no other line has it.
  `PROVE(p_pend, !(in_q && line[1:0] == line_q[1:0]) || pend == MISSES'(1) << tag_q)
  // A beat of it names its index, and so does its end, which ends its place and no other.
  `PROVE(p_fill, !in_q || ((!(beat_valid && beat_number == tag_q) || fill == line_q[1:0])
    && (!(done_valid && done_number == tag_q) || (done_index == line_q[1:0] && done == MISSES'(1) << tag_q))))
  // Its place is given to no other.
  `PROVE(p_place, !(in_q && take) || place != tag_q)
  // Memory gets its request under its place, and once.
  `PROVE(p_ask, !(in_q && rf_valid && rf_number == tag_q) || (rf_half == line_q && !out_q))
  // ... at the latest when memory has taken the request before.
  `PROVE(p_soon, !in_q || out_q || (rf_valid && rf_half == line_q))
  // A request holds, with its tag, until it is taken.
  `PROVE(p_stable, !kept_q || (rf_valid && rf_half == kept_line_q && rf_number == kept_tag_q))
  // A place is free exactly while fewer lines than places are on their way and nothing waits to be requested.
  `PROVE(p_free, free == (lines_q != 2'(MISSES) && !rf_valid))
  // All places are in use, and the followed line is the last of them to come.
  `REACH(r_full, in_q && lines_q == 2'(MISSES) && tag_q == 2'd2)
endmodule
