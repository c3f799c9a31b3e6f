// SPDX-License-Identifier: Apache-2.0
// rtl/memory/line_tags.sv, as `tiny` has it: four tags of requests.
// config: tiny
// quick
`include "properties.svh"

module line_tags_formal (
  input logic                       clk_i,
  input logic                       want,       // a request takes the tag that is offered
  input mem_pkg::tagged_t           stands,     // for this
  input logic                       give,
  input logic [line_pkg::TAG_W-1:0] give_tag,
  input logic                       watch       // the tag that is taken now is followed until it is given back
);
  `RESET
  localparam int unsigned TAGS  = line_pkg::LINES;
  localparam int unsigned TAG_W = line_pkg::TAG_W;

  logic             free, take;
  logic [TAG_W-1:0] tag, tag_q, kept_tag_q;
  mem_pkg::tagged_t what, what_q;

  assign take = want && free;

  line_tags u_dut (
    .clk_i      (clk_i),
    .rst_ni     (rst_ni),
    .free_o     (free),
    .tag_o      (tag),
    .used_o     (),
    .take_i     (take),
    .tagged_i   (stands),
    .of_i       (tag_q),
    .tagged_o   (what),
    .give_i     (give),
    .give_tag_i (give_tag)
  );

  // Tags in use; whether one was free and not taken; one tag, followed, and its request.
  logic [TAGS-1:0] used_q, taken, given;
  logic            in_q, kept_q, room_q;
  assign taken = take ? TAGS'(1) << tag : '0;
  assign given = give ? TAGS'(1) << give_tag : '0;
  always_ff @(posedge clk_i) begin
    kept_q     <= rst_ni && free && !take;
    kept_tag_q <= tag;
    room_q     <= rst_ni && (used_q | taken) != '1;
    if (!rst_ni) begin
      used_q <= '0;
      in_q   <= 1'b0;
    end else begin
      used_q <= (used_q | taken) & ~given;
      if (!in_q && take && watch) begin
        in_q   <= 1'b1;
        tag_q  <= tag;
        what_q <= stands;
      end else if (in_q && give && give_tag == tag_q) begin
        in_q <= 1'b0;
      end
    end
  end
  // Only what is in use is given back.
  `GIVEN(g_give, !give || (32'(give_tag) < TAGS && (used_q & given) != '0))

  // The module holds the tags in use, and offers none of them.
  logic whole;
  assign whole = u_dut.used_q == used_q && (!free || (32'(tag) < TAGS && !used_q[tag[1:0]]))
    && (!in_q || (32'(tag_q) < TAGS && used_q[tag_q[1:0]]));

  // A tag is never given twice while it is in use.
  `PROVE(p_new, whole && (!free || !used_q[tag[1:0]]))
  // The tag that is offered stays until it is taken.
  `PROVE(p_stable, !kept_q || (free && tag == kept_tag_q))
  // A free tag is offered in the next cycle.
  `PROVE(p_soon, whole && (!room_q || free))
  // A tag stands for what it was taken for, until it is given back.
  `PROVE(p_what, whole && (!in_q || what == what_q))
  // All tags are in use, and the followed one was the last to be taken.
  `REACH(r_full, used_q == '1 && in_q && tag_q == TAG_W'(TAGS - 1))
endmodule
