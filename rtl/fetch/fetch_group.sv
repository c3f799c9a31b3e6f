// SPDX-License-Identifier: Apache-2.0
// Groups of WORDS consecutive instructions from the cache, given to one decoder word by word: from the wanted word on, as many
// as were asked for; which these are comes with the group.
// Latency: none for the first word, which goes by as it arrives; then a word a cycle. Two groups wait here at the most, so that
// no answer is ever held up: no more than two may be asked for that are not done.
// Handshake: events; done_o goes with a group's last word, or with drop_i, which ends the group that shows at once.
// It does not know whose the words are. With WORDS = 1 it is wires.
`default_nettype none
`include "heddle_assert.svh"

module fetch_group #(
  parameter int unsigned WORDS = 4,
  parameter int unsigned TAG_W = 5,
  localparam int unsigned PLACE_W = (WORDS > 1) ? $clog2(WORDS) : 1
) (
  input  logic                     clk_i,
  input  logic                     rst_ni,
  // from the instruction cache
  input  logic                     rsp_valid_i,
  input  logic [WORDS-1:0][127:0]  rsp_word_i,
  input  logic                     rsp_err_i,
  input  logic [TAG_W-1:0]         rsp_tag_i,
  input  logic [PLACE_W-1:0]       rsp_first_i, // the wanted word's place in the group
  input  logic [PLACE_W-1:0]       rsp_more_i,  // words that are wanted after it
  // to fetch
  output logic                     valid_o,     // a word shows
  output logic [127:0]             word_o,
  output logic                     err_o,
  output logic [TAG_W-1:0]         tag_o,
  output logic                     done_o,
  input  logic                     drop_i
);

  if (WORDS == 1) begin : gen_wires
    assign valid_o = rsp_valid_i;
    assign word_o  = rsp_word_i[0];
    assign err_o   = rsp_err_i;
    assign tag_o   = rsp_tag_i;
    assign done_o  = rsp_valid_i;
    logic unused;
    assign unused  = &{1'b0, clk_i, rst_ni, rsp_first_i, rsp_more_i, drop_i};
  end else begin : gen_groups
    localparam int unsigned GROUPS = 2;

    logic                    held, keep, kept_room;
    logic [PLACE_W-1:0]      first, more, held_first, held_more, given_q, place;
    logic [WORDS-1:0][127:0] held_word, group;
    logic [TAG_W-1:0]        held_tag;
    logic                    held_err;
    logic [1:0]              unused_held;

    // What comes is kept, unless it is done with in the cycle in which it arrives.
    assign keep = rsp_valid_i && (held || !done_o);
    fifo #(.WIDTH(WORDS * 128 + 1 + TAG_W + 2 * PLACE_W), .DEPTH(GROUPS)) u_held (
      .clk_i       (clk_i),
      .rst_ni      (rst_ni),
      .in_valid_i  (keep),
      .in_ready_o  (kept_room),
      .in_data_i   ({rsp_tag_i, rsp_first_i, rsp_more_i, rsp_err_i, rsp_word_i}),
      .out_valid_o (held),
      .out_ready_i (done_o),
      .out_data_o  ({held_tag, held_first, held_more, held_err, held_word}),
      .count_o     (unused_held)
    );

    assign valid_o = held || rsp_valid_i;
    assign group   = held ? held_word : rsp_word_i;
    assign first   = held ? held_first : rsp_first_i;
    assign more    = held ? held_more : rsp_more_i;
    assign tag_o   = held ? held_tag : rsp_tag_i;
    assign place   = first + given_q;
    assign word_o  = group[place];
    assign err_o   = held ? held_err : rsp_err_i;
    assign done_o  = valid_o && (drop_i || given_q == more);

    always_ff @(posedge clk_i) begin
      if (!rst_ni)      given_q <= '0;
      else if (valid_o) given_q <= done_o ? '0 : given_q + 1'b1;
    end

    // Two are asked for at the most, so each has a place.
    `ASSERT(a_room, !keep || kept_room)
    // The words that are wanted lie in the group.
    `ASSERT_IF(a_inside, rsp_valid_i, {1'b0, rsp_first_i} + {1'b0, rsp_more_i} < (PLACE_W + 1)'(WORDS))
  end

endmodule

`default_nettype wire
