// SPDX-License-Identifier: Apache-2.0
// When translations are invalidated: answers as soon as every line that had one of them has been performed. These are the line that
// stands in line_translate, the one in line_request behind it, and those with a request in flight: of the first two it waits until
// they have a tag or have been put off, of the tags that are taken then until each has been given back once.
// Latency: two cycles where nothing is under way; else two from the end of the last such line.
// Handshake: events. One forgetting at a time: the next one comes no earlier than its answer.
// It names no line: of several that pass it follows none, since they keep their order. Lines that are not translated count as well.
`include "heddle_assert.svh"

module line_forget #(
  localparam int unsigned TAGS  = line_pkg::LINES,
  localparam int unsigned TAG_W = line_pkg::TAG_W
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  // from the mmu: what is looked up in this cycle or was before has an old translation
  input  logic             forget_i,     // event
  output logic             forgotten_o,  // event
  // from line_translate and line_request
  input  logic             enter_i,      // event: a row comes to line_translate
  input  logic             out_i,        // event: the last row of a line leaves it
  input  logic             fire_i,       // event: a row goes from it to line_request
  input  logic             sent_i,       // event: the request of a line has its tag
  output logic             busy_o,       // a line stands in line_request
  // from line_tags and line_gather
  input  logic [TAGS-1:0]  used_i,
  input  logic             give_i,       // event: the line of this tag has been performed
  input  logic [TAG_W-1:0] give_tag_i
);

  // ---- is there a line: in line_translate, in line_request --------------------------------------------
  logic            first_q, second_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      first_q  <= 1'b0;
      second_q <= 1'b0;
    end else begin
      first_q  <= enter_i || (first_q && !out_i);
      second_q <= fire_i || (second_q && !sent_i);
    end
  end
  assign busy_o = second_q;

  // ---- is that line an old one: there is one of each at most ---------------------------------------------
  logic            begins_q, old_first, old_second, old_first_q, old_second_q, lines_q, tags_q;
  logic [TAGS-1:0] left_q, give;

  assign give        = give_i ? TAGS'(1) << give_tag_i : '0;
  assign old_first   = begins_q ? first_q : old_first_q;
  assign old_second  = begins_q ? second_q : old_second_q;
  assign forgotten_o = tags_q && left_q == '0;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      begins_q     <= 1'b0;
      old_first_q  <= 1'b0;
      old_second_q <= 1'b0;
      lines_q      <= 1'b0;
      tags_q       <= 1'b0;
    end else begin
      begins_q     <= forget_i;
      old_first_q  <= old_first && !out_i;
      old_second_q <= (fire_i && old_first) || (old_second && !sent_i);
      lines_q      <= (begins_q || lines_q) && (old_first || old_second);
      tags_q       <= ((begins_q || lines_q) && !old_first && !old_second) || (tags_q && !forgotten_o);
    end
  end
  always_ff @(posedge clk_i) begin
    left_q <= (tags_q ? left_q : used_i) & ~give;
  end

  // One at a time.
  `ASSERT_IF(a_one, forget_i, !begins_q && !lines_q && (!tags_q || forgotten_o))

endmodule
