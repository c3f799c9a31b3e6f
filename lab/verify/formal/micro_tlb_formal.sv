// SPDX-License-Identifier: Apache-2.0
// rtl/mmu/micro_tlb.sv, with three places of which two may be requested. Any page of any space is followed: which places have
// an answer for it, since the last invalidation that covers it. Any place is followed from its answer on.
// config: tiny
// memories: free
// within 14: u_dut.a_once
// within 14: u_dut.a_kept
// within 14: u_dut.a_room
// within 8: u_dut.u_asks.a_in_stable
// within 8: u_dut.u_asks.a_out_stable
`include "properties.svh"

module micro_tlb_formal (
  input logic                         clk_i,
  input logic                         look,
  input logic [mmu_pkg::SPACE_W-1:0]  space,
  input logic [mmu_pkg::PAGE_W-1:0]   page,
  input logic                         write,
  input logic                         done,
  input logic [mmu_pkg::WHO_W-1:0]    done_who,
  input logic                         ask_ready,
  input logic                         answers,
  input mmu_pkg::answer_t             answer,
  input logic                         forgets,
  input mmu_pkg::forget_t             forget
);
  `RESET
  localparam int unsigned PLACES = 3;
  localparam int unsigned PART_W = mmu_pkg::PART_W;

  logic                        ready, res_valid, came_valid, ask_valid;
  mmu_pkg::outcome_t           res;
  mmu_pkg::came_t              came;
  mmu_pkg::ask_t               ask;

  micro_tlb #(.PLACES(PLACES), .ASKS(2)) u_dut (
    .clk_i          (clk_i),
    .rst_ni         (rst_ni),
    .lk_valid_i     (look),
    .lk_ready_o     (ready),
    .lk_i           ('{space: space, page: page, write: write, lists: 1'b1}),
    .res_valid_o    (res_valid),
    .res_o          (res),
    .came_valid_o   (came_valid),
    .came_o         (came),
    .done_valid_i   (done),
    .done_who_i     (done_who),
    .ask_valid_o    (ask_valid),
    .ask_ready_i    (ask_ready),
    .ask_o          (ask),
    .answer_valid_i (answers),
    .answer_i       (answer),
    .forget_valid_i (forgets),
    .forget_i       (forget)
  );

  // ---- the mmu: an answer is for its request, and never beside an invalidation; the user -------
  logic                       come_q, gone_q;     // as they are known inside
  mmu_pkg::answer_t           answer_q;
  mmu_pkg::forget_t           forget_q;
  assign come_q   = u_dut.come_q;
  assign gone_q   = u_dut.forget_q;
  assign answer_q = u_dut.answer_q;
  assign forget_q = u_dut.what_q;
  logic [PLACES-1:0]          asked_q;
  always_ff @(posedge clk_i) begin
    for (int unsigned p = 0; p < PLACES; p++) begin
      asked_q[p] <= rst_ni && ((asked_q[p] && !(answers && 32'(answer.who) == p)) || (ask_valid && ask_ready && 32'(ask.who) == p));
    end
  end
  `GIVEN(g_answer, !answers || (!forgets && 32'(answer.who) < PLACES && asked_q[answer.who[1:0]] && !(come_q && answer_q.who == answer.who)
    && u_dut.pend_q[answer.who[1:0]]
    && u_dut.key_q[answer.who[1:0]].space == answer.space && u_dut.key_q[answer.who[1:0]].page == answer.page))
  `GIVEN(g_done, !done || (32'(done_who) < PLACES && u_dut.keep_q[done_who[1:0]]))

  // The memory of frames.
  logic [mmu_pkg::FRAME_W-1:0] frame_q [PLACES];
  always_ff @(posedge clk_i) begin
    if (come_q && !answer_q.fault) frame_q[answer_q.who[1:0]] <= answer_q.leaf.frame;
  end
  `GIVEN(g_memory, 32'(u_dut.at_q) >= PLACES || u_dut.frame == frame_q[u_dut.at_q])

  // ---- the page and the space: of each place what its answer has said of them ----------------------
  logic [mmu_pkg::SPACE_W-1:0] s_q;
  logic [mmu_pkg::PAGE_W-1:0]  p_q;
  logic [PLACES-1:0]           good_q, big_q, shared_q, stores_q, covers, agrees;   // good: it is there, and valid
  logic                        looked_q, looked_write_q, linked;

  function automatic logic meets(logic [mmu_pkg::PAGE_W-1:0] a, logic [mmu_pkg::PAGE_W-1:0] b, logic big);
    meets = a[mmu_pkg::PAGE_W-1:PART_W] == b[mmu_pkg::PAGE_W-1:PART_W] && (big || a[PART_W-1:0] == b[PART_W-1:0]);
  endfunction

  always_ff @(posedge clk_i) begin
    s_q <= s_q;
    p_q <= p_q;
    looked_q       <= rst_ni && look && ready && space == s_q && page == p_q;
    looked_write_q <= write;
    for (int unsigned p = 0; p < PLACES; p++) begin
      if (!rst_ni || (gone_q && (forget_q.all_pages || meets(forget_q.page, p_q, big_q[p]))
          && (forget_q.all_spaces || (shared_q[p] ? !forget_q.all_pages : forget_q.space == s_q)))) begin
        good_q[p] <= 1'b0;
      end else if (come_q && !answer_q.fault && 32'(answer_q.who) == p) begin
        good_q[p]   <= (answer_q.space == s_q || answer_q.leaf.shared) && meets(answer_q.page, p_q, answer_q.leaf.big);
        big_q[p]    <= answer_q.leaf.big;
        shared_q[p] <= answer_q.leaf.shared;
        stores_q[p] <= answer_q.leaf.stores;
      end
    end
  end

  always_comb begin
    for (int unsigned p = 0; p < PLACES; p++) begin
      covers[p] = u_dut.valid_q[p] && meets(u_dut.key_q[p].page, p_q, u_dut.large_q[p])
        && (u_dut.key_q[p].space == s_q || u_dut.shared_q[p]);
      agrees[p] = (!covers[p] || good_q[p]) && (!u_dut.valid_q[p] || (u_dut.large_q[p] == big_q[p]
        && u_dut.shared_q[p] == shared_q[p] && u_dut.stores_q[p] == stores_q[p]));
    end
  end

  // An answer is for its place.
  assign linked = !come_q || (32'(answer_q.who) < PLACES && !gone_q && u_dut.key_q[answer_q.who[1:0]].page == answer_q.page
    && u_dut.key_q[answer_q.who[1:0]].space == answer_q.space);

  // A hit is an answer for this page, for this space or for all, since the last invalidation that covers it; and a
  // store's is one with D. All places hold their answers.
  `PROVE(p_hit, linked && agrees == '1 && (!(looked_q && res.hit) || (32'(u_dut.at_q) < PLACES && good_q[u_dut.at_q]
    && (stores_q[u_dut.at_q] || !looked_write_q) && res.frame == {frame_q[u_dut.at_q][mmu_pkg::FRAME_W-1:PART_W],
      big_q[u_dut.at_q] ? p_q[PART_W-1:0] : frame_q[u_dut.at_q][PART_W-1:0]})))

  // ---- one place, from its answer on ---------------------------------------------------------------
  logic [1:0]                  k_q;
  logic                        kept_q;
  mmu_pkg::answer_t            kept_what_q;
  logic                        stands;
  always_ff @(posedge clk_i) begin
    k_q <= k_q;
    if (!rst_ni || gone_q || (done && done_who == 4'(k_q))) kept_q <= 1'b0;
    else if (come_q && !answer_q.fault) begin
      if (answer_q.who == 4'(k_q)) begin
        kept_q      <= 1'b1;
        kept_what_q <= answer_q;
      end
    end
  end
  assign stands = linked && 32'(k_q) < PLACES && u_dut.keep_q[k_q] && !u_dut.pend_q[k_q] && u_dut.valid_q[k_q]
    && u_dut.key_q[k_q].page == kept_what_q.page && u_dut.key_q[k_q].space == kept_what_q.space;
  // A place that has come stays there for those that waited, until all of them have been looked up again, unless something is
  // invalidated.
  `PROVE(p_kept, !kept_q || stands)
  // A page is requested once: one place waits for it.
  `BOUND(14, p_once, (u_dut.waits & (u_dut.waits - PLACES'(1))) == '0)
  // A page of 2 MiB of another space serves the one that is followed.
  `REACH(r_shared, looked_q && res.hit && looked_write_q && big_q[u_dut.at_q] && u_dut.key_q[u_dut.at_q].space != s_q)
endmodule
