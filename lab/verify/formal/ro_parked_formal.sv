// SPDX-License-Identifier: Apache-2.0
// rtl/memory/ro_parked.sv (what waits for a line of a read-only cache), with four places, two sources, words of three bits with
// the source below them.
// config: tiny
// quick
`include "properties.svh"

module ro_parked_formal (
  input logic       clk_i,
  input logic       source,
  input logic       push,
  input logic [2:0] word,
  input logic       judged,
  input logic       pop,
  input logic       watch,      // the word that comes now is followed through the queue
  input logic       one         // any one source
);
  `RESET
  localparam int unsigned DEPTH = 4;

  logic       waits, room, head_valid;
  logic [DEPTH-1:0] sources_q;   // of all, the head's first
  logic [3:0] head;

  ro_parked #(.WIDTH(4), .ORDERS(2), .DEPTH(DEPTH)) u_dut (
    .clk_i         (clk_i),
    .rst_ni        (rst_ni),
    .source_i      (source),
    .waits_o       (waits),
    .push_i        (push),
    .push_word_i   ({word, source}),
    .room_o        (room),
    .judged_i      (judged),
    .head_valid_o  (head_valid),
    .head_o        (head),
    .head_source_i (sources_q[0]),
    .pop_i         (pop)
  );

  // Words here, of all sources and of one; one word, followed: how many are before it.
  logic       one_q, in_q, room_q;
  logic [2:0] here_q, mine_q, before_q;
  logic [3:0] word_q;
  always_ff @(posedge clk_i) begin
    room_q <= rst_ni && room;
    if (!rst_ni) begin
      one_q  <= one;
      here_q <= 3'd0;
      mine_q <= 3'd0;
      in_q   <= 1'b0;
    end else begin
      here_q <= here_q + 3'(push) - 3'(pop);
      mine_q <= mine_q + 3'(push && source == one_q) - 3'(pop && sources_q[0] == one_q);
      if (push) sources_q[here_q[1:0]] <= source;
      if (pop)  sources_q <= sources_q >> 1;
      if (!in_q && push && watch) begin
        in_q     <= 1'b1;
        word_q   <= {word, source};
        before_q <= here_q - 3'(pop);
      end else if (in_q && pop) begin
        in_q     <= before_q != 3'd0;
        before_q <= before_q - 3'd1;
      end
    end
  end
  // A request was let in while there was room, and comes in the cycle after it. It is judged, and goes, where there is one; the
  // lookup is one thing at a time.
  `GIVEN(g_room, !push || room_q)
  `GIVEN(g_pop, (!pop || judged) && (!judged || here_q != 3'd0) && !(push && judged))

  // Every word leaves unchanged, in its turn.
  `PROVE(p_order, !in_q || before_q != 3'(judged) || (head_valid && head == word_q))
  // A source waits exactly while a request of it is here.
  `PROVE(p_waits, source != one_q || waits == (mine_q != 3'd0))
  // There is a head exactly when something is here, and one after it when two are; there is never more than has a place.
  `PROVE(p_head, head_valid == (here_q > 3'(judged)) && here_q < 3'(DEPTH))
  // All places are in use but one, with requests of both sources.
  `REACH(r_full, here_q == 3'(DEPTH - 1) && mine_q == 3'd1)
endmodule
