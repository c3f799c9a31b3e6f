// SPDX-License-Identifier: Apache-2.0
// Shows what the mmu does on the retire port: walks as they begin, the first of a launch behind its root and space, or end with an
// error of memory; invalidations, REPLAY, FAIL. One record a cycle: of what comes together walks are first, since none begins while
// an invalidation empties what is shared.
// Latency: a cycle, and one more for each that goes before.
// Handshake: events.
// It does not show what a walk reads: the bank's records do.
`include "heddle_assert.svh"

module retire_pages (
  input  logic                clk_i,
  input  logic                rst_ni,
  input  logic                go_i,
  input  logic [31:0]         ended_i,   // launches before it
  input  logic [mmu_pkg::SPACE_W-1:0] space_i,
  input  logic [mmu_pkg::ROOT_W-1:0]  root_i,
  input  logic                walk_valid_i,
  input  mmu_pkg::walk_t      walk_i,
  input  logic                rec_valid_i,
  /* verilator lint_off UNUSEDSIGNAL */   // the source of an access, if it has ended with an error
  input  mmu_pkg::record_t    rec_i,
  /* verilator lint_on UNUSEDSIGNAL */
  input  mmu_pkg::news_t      news_i,
  input  logic                invalidating_i,
  output logic                ret_pages_valid_o,
  output retire_pkg::pages_t  ret_pages_o
);

  localparam int unsigned ITEM_W = $bits(mmu_pkg::walk_t);

  logic             fresh_q, walk_valid, walk_ready, error_q, forget_q, over_q, news_q, fail_q, was_q;
  logic             takes_error, takes_launch, takes_walk, takes_forget, takes_over, takes_news;
  mmu_pkg::walk_t   walk;
  mmu_pkg::forget_t what_q;
  logic [31:0]      number_q;

  fifo #(.WIDTH(ITEM_W), .DEPTH(4)) u_walks (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .in_valid_i  (walk_valid_i),
    .in_ready_o  (walk_ready),
    .in_data_i   (walk_i),
    .out_valid_o (walk_valid),
    .out_ready_i (takes_walk),
    .out_data_o  (walk),
    .count_o     ()
  );

  assign takes_error  = error_q;
  assign takes_launch = walk_valid && fresh_q && !error_q;
  assign takes_walk   = walk_valid && !fresh_q && !error_q;
  assign takes_forget = forget_q && !error_q && !walk_valid;
  assign takes_over   = over_q && !forget_q && !error_q && !walk_valid;
  assign takes_news   = news_q && !over_q && !forget_q && !error_q && !walk_valid;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      fresh_q  <= 1'b0;
      error_q  <= 1'b0;
      forget_q <= 1'b0;
      over_q   <= 1'b0;
      news_q   <= 1'b0;
      was_q    <= 1'b0;
    end else begin
      fresh_q  <= go_i || (fresh_q && !takes_launch);
      error_q  <= rec_valid_i && rec_i.err && !rec_i.exchange;
      forget_q <= (forget_q && !takes_forget) || news_i.forgets;
      over_q   <= (over_q && !takes_over) || (was_q && !invalidating_i);
      news_q   <= (news_q && !takes_news) || news_i.replay;
      was_q    <= invalidating_i;
    end
  end
  always_ff @(posedge clk_i) begin
    number_q <= rec_i.number;
    if (news_i.forgets) what_q <= news_i.forget;
    if (news_i.replay)  fail_q <= news_i.fail;
  end

  assign ret_pages_valid_o = error_q || walk_valid || forget_q || over_q || news_q;
  always_comb begin
    ret_pages_o = '0;
    if (takes_error) begin
      ret_pages_o.what   = 8'd6;
      ret_pages_o.number = number_q;
    end else if (takes_launch) begin
      ret_pages_o.what   = 8'd7;
      ret_pages_o.number = ended_i + 32'd1;
      ret_pages_o.space  = space_i;
      ret_pages_o.page   = 64'({root_i, 1'b0});
    end else if (takes_walk) begin
      ret_pages_o.what   = 8'(walk.write);
      ret_pages_o.number = walk.number;
      ret_pages_o.space  = walk.space;
      ret_pages_o.page   = 64'(walk.page);
    end else if (takes_forget || takes_over) begin
      ret_pages_o.what  = takes_forget ? 8'd2 : 8'd3;
      ret_pages_o.space = what_q.space;
      ret_pages_o.page  = 64'(what_q.page);
      ret_pages_o.all   = 8'({what_q.all_spaces, what_q.all_pages});
    end else if (takes_news) begin
      ret_pages_o.what = fail_q ? 8'd5 : 8'd4;
    end
  end

  // None is lost.
  `ASSERT_IF(a_go, go_i, !error_q && !walk_valid && !walk_valid_i)
  `ASSERT_IF(a_walk, walk_valid_i, walk_ready)
  `ASSERT(a_one, !(forget_q && news_i.forgets) && !(news_q && news_i.replay && !takes_news))

endmodule
