// SPDX-License-Identifier: Apache-2.0
// Groups of WORDS consecutive instructions from the cache, given to one decoder word by word: from the wanted word on, as many
// as were asked for; which these are comes with the group. A pair of short words shows twice, once for each; the first only if
// it is wanted.
// Latency: none for the first word, which goes by as it arrives; then a word a cycle. GROUPS of them wait here at the most, so
// that no answer is ever held up: no more than these may be asked for that are not done.
// Handshake: events; done_o goes with a group's last word, or with drop_i, which ends the group that shows at once.
// It does not hold epochs or PCs of warps. With WORDS = 1, and no pairs, it is wires.
`include "heddle_assert.svh"

module fetch_group #(
  parameter int unsigned WORDS = 4,
  parameter int unsigned TAG_W = 5,
  parameter int unsigned GROUPS = 2,
  localparam int unsigned PLACE_W = (WORDS > 1) ? $clog2(WORDS) : 1
) (
  input  logic                     clk_i,
  input  logic                     rst_ni,
  // from the instruction cache
  input  logic                     rsp_valid_i,
  input  logic [WORDS-1:0][127:0]  rsp_word_i,
  input  core_pkg::err_t           rsp_err_i,
  input  logic [TAG_W-1:0]         rsp_tag_i,
  input  logic [PLACE_W-1:0]       rsp_first_i, // the wanted word's place in the group
  input  logic [PLACE_W-1:0]       rsp_more_i,  // words that are wanted after it
  input  logic                     rsp_half_i,  // the wanted word lies 8 bytes after the start of its place
  // to fetch
  output logic                     valid_o,     // a word shows
  output logic [127:0]             word_o,
  output core_pkg::err_t           err_o,
  output logic [TAG_W-1:0]         tag_o,
  output logic                     pair_o,      // it is one of two short words
  output logic                     second_o,    // ... the second
  output logic                     middle_o,    // wanted was what lies 8 bytes after the start, but the word is a long one
  output logic                     single_o,    // the place that shows brings this word alone
  output logic                     done_o,
  input  logic                     drop_i
);

  localparam bit SHORT = isa_pkg::HAS_SHORT;

  if (WORDS == 1 && !SHORT) begin : gen_wires
    assign valid_o = rsp_valid_i;
    assign word_o  = rsp_word_i[0];
    assign err_o   = rsp_err_i;
    assign tag_o   = rsp_tag_i;
    assign done_o  = rsp_valid_i;
    assign {pair_o, second_o, middle_o} = '0;
    assign single_o = 1'b1;
    logic unused;
    assign unused  = &{1'b0, clk_i, rst_ni, rsp_first_i, rsp_more_i, rsp_half_i, drop_i};
  end else begin : gen_groups
    localparam int unsigned LONG_W = WORDS * 128 + core_pkg::ERR_W + TAG_W + 2 * PLACE_W, HELD_W = LONG_W + 32'(SHORT);

    logic                        held, keep, kept_room, place_done;
    logic [PLACE_W-1:0]          first, more, held_first, held_more, given_q, place;
    logic [WORDS-1:0][127:0]     held_word, group;
    logic [TAG_W-1:0]            held_tag;
    core_pkg::err_t              held_err;
    logic                        held_half;
    logic [LONG_W:0]             kept_in, kept_out;
    logic [$clog2(GROUPS+1)-1:0] unused_held;

    // What comes is kept, unless it is done with in the cycle in which it arrives.
    assign keep    = rsp_valid_i && (held || !done_o);
    assign kept_in = {rsp_half_i, rsp_tag_i, rsp_first_i, rsp_more_i, rsp_err_i, rsp_word_i};
    assign {held_half, held_tag, held_first, held_more, held_err, held_word} = kept_out;
    fifo #(.WIDTH(HELD_W), .DEPTH(GROUPS)) u_held (
      .clk_i       (clk_i),
      .rst_ni      (rst_ni),
      .in_valid_i  (keep),
      .in_ready_o  (kept_room),
      .in_data_i   (kept_in[HELD_W-1:0]),
      .out_valid_o (held),
      .out_ready_i (done_o),
      .out_data_o  (kept_out[HELD_W-1:0]),
      .count_o     (unused_held)
    );

    assign valid_o = held || rsp_valid_i;
    assign group   = held ? held_word : rsp_word_i;
    assign first   = held ? held_first : rsp_first_i;
    assign more    = held ? held_more : rsp_more_i;
    assign tag_o   = held ? held_tag : rsp_tag_i;
    assign place   = first + given_q;
    assign word_o  = group[(WORDS == 1) ? '0 : place];
    assign err_o   = held ? held_err : rsp_err_i;
    assign done_o  = valid_o && (drop_i || (given_q == more && place_done));

    always_ff @(posedge clk_i) begin
      if (!rst_ni)                              given_q <= '0;
      else if (valid_o && (done_o || place_done)) given_q <= done_o ? '0 : given_q + 1'b1;
    end

    // A place that could not be read is unknown: it shows once.
    if (SHORT) begin : gen_pairs
      logic second_q, half;
      assign half       = given_q == '0 && (held ? held_half : rsp_half_i);   // of the wanted place alone
      assign pair_o     = word_o[127] && err_o == '0;
      assign second_o   = pair_o && (second_q || half);
      assign middle_o   = half && !pair_o;
      assign single_o   = half || !pair_o;
      assign place_done = !pair_o || second_o;

      always_ff @(posedge clk_i) begin
        if (!rst_ni)      second_q <= 1'b0;
        else if (valid_o) second_q <= !place_done && !drop_i;
      end
    end else begin : gen_long
      assign {pair_o, second_o, middle_o} = '0;
      assign single_o         = 1'b1;
      assign place_done       = 1'b1;
      assign kept_out[LONG_W] = 1'b0;
      logic unused;
      assign unused           = ^{held_half, kept_in[LONG_W]};
    end

    // No more are asked for, so each has a place.
    `ASSERT(a_room, !keep || kept_room)
    // The words that are wanted lie in the group.
    `ASSERT_IF(a_inside, rsp_valid_i, {1'b0, rsp_first_i} + {1'b0, rsp_more_i} < (PLACE_W + 1)'(WORDS))
  end

endmodule
