// SPDX-License-Identifier: Apache-2.0
// rtl/memory/line_forget.sv, as `tiny` has it: four tags. Around it a row in line_translate and one in line_request, in any rhythm.
// config: tiny
// quick
`include "properties.svh"

module line_forget_formal (
  input logic                       clk_i,
  input logic                       forget,
  input logic                       comes,      // a row wants to come; it is its line's last
  input logic                       last,
  input logic                       asks,       // its line is looked up (with the first row)
  input logic                       goes,       // the row in line_translate may leave; its line goes on (with the first row)
  input logic                       on,
  input logic                       room,       // the row in line_request may leave
  input logic [line_pkg::TAG_W-1:0] take_tag,
  input logic                       give,
  input logic [line_pkg::TAG_W-1:0] give_tag,
  input logic                       watch       // the line that begins now is followed until it is performed
);
  `RESET
  localparam int unsigned TAGS = line_pkg::LINES;

  // ---- the rows, and the lines that they are of ----------------------------------------------------
  logic            first_q, first_last_q, first_new_q, second_q, second_last_q, on_q, leave, out, fire, done, sent, enter;
  logic            busy, forgotten, owed_q, fresh_q;
  logic [TAGS-1:0] used_q, given;

  assign done  = second_q && room;                       // its row leaves line_request
  assign sent  = done && second_last_q;
  assign leave = first_q && goes && (!(first_new_q ? on : on_q) || !second_q || done);
  assign fire  = leave && (first_new_q ? on : on_q);
  assign out   = leave && first_last_q;
  // No line is looked up in the cycle in which the micro-TLB invalidates.
  logic begins, mid_q;
  assign begins = !mid_q;                                // the row that comes begins a line: the one before was its line's last
  assign enter = comes && (!first_q || leave) && !(fresh_q && begins && asks);

  always_ff @(posedge clk_i) begin
    fresh_q <= rst_ni && forget;
    owed_q  <= rst_ni && (forget || (owed_q && !forgotten));
    if (!rst_ni) begin
      first_q  <= 1'b0;
      second_q <= 1'b0;
      mid_q    <= 1'b0;
      used_q   <= '0;
    end else begin
      first_q  <= enter || (first_q && !leave);
      second_q <= fire || (second_q && !done);
      if (enter) mid_q <= !last;
      used_q   <= (used_q & ~given) | (sent ? TAGS'(1) << take_tag : '0);
    end
    if (enter) begin
      first_last_q <= last;
      first_new_q  <= begins;
    end
    if (leave && first_new_q) on_q <= on;
    if (fire) second_last_q <= first_last_q;
  end
  assign given = give ? TAGS'(1) << give_tag : '0;
  `GIVEN(g_take, !sent || (32'(take_tag) < TAGS && !used_q[take_tag[1:0]]))
  `GIVEN(g_give, !give || (32'(give_tag) < TAGS && used_q[give_tag[1:0]]))
  `GIVEN(g_one, !forget || !owed_q)

  line_forget u_dut (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .forget_i    (forget),
    .forgotten_o (forgotten),
    .enter_i     (enter),
    .out_i       (out),
    .fire_i      (fire),
    .sent_i      (sent),
    .busy_o      (busy),
    .used_i      (used_q),
    .give_i      (give),
    .give_tag_i  (give_tag)
  );

  // ---- a line that is followed: in line_translate, in line_request (or in both), in flight --------
  logic                       in_first_q, in_second_q, in_tag_q, old_q, there;
  logic [line_pkg::TAG_W-1:0] tag_q;
  assign there = in_first_q || in_second_q || in_tag_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      in_first_q  <= 1'b0;
      in_second_q <= 1'b0;
      in_tag_q    <= 1'b0;
      old_q       <= 1'b0;
    end else begin
      if (!there && enter && begins && watch) in_first_q <= 1'b1;
      else if (out)                           in_first_q <= 1'b0;
      in_second_q <= (fire && in_first_q) || (in_second_q && !sent);
      in_tag_q    <= (sent && in_second_q) || (in_tag_q && !(give && give_tag == tag_q));
      // An invalidation while it is there, or as it is looked up.
      if (!there) old_q <= enter && begins && watch && forget;
      else        old_q <= old_q || forget;
    end
    if (sent && in_second_q) tag_q <= take_tag;
  end

  // Lines looked up before have been performed, or put off, when translations count as invalid.
  `PROVE(p_performed, !forgotten || !there || !old_q)
  // It is acknowledged once, by the one that was requested.
  `PROVE(p_once, !forgotten || owed_q)
  // Whether line_request has a line is known.
  `PROVE(p_busy, !in_second_q || busy)
  // The last old line has been performed while younger ones are everywhere.
  `REACH(r_last, forgotten && used_q == 4'b0111 && first_q && second_q)
  // An old line is in both.
  `REACH(r_both, in_first_q && in_second_q && old_q)
endmodule
