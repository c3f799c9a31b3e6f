// SPDX-License-Identifier: Apache-2.0
// rtl/cache/l1.sv, as `cached` has it: four tags of loads and stores, two of other caches', eight places in sets of two.
// Credits for ever; what becomes of a request only as far as cycles are looked at.
// config: cached
// within 12: u_dut.u_lines.a_once
// within 10: u_dut.u_read.gen_side[0].u_data.a_apart
// within 12: u_dut.a_refill
// within 12: u_dut.u_waits.a_tag
// within 12: u_dut.u_waits.a_done
// within 12: u_dut.u_fence.a_count
// within 12: u_dut.u_read.u_ends.a_count
// within 12: u_dut.u_read.u_ends.a_out_stable
`include "properties.svh"

module l1_formal (
  input logic                        clk_i,
  input logic [cfg_pkg::SM_WARPS-1:0] want,
  input logic [cfg_pkg::PARTITIONS-1:0][$bits(front_pkg::fence_t)-1:0] fence,
  input logic                        forget,
  input logic                        up_lw_valid,
  input line_pkg::write_t            up_lw,
  input logic                        up_lq_valid,
  input line_pkg::request_t          up_lq,
  input logic                        up_la_ready,
  input logic                        lc_valid,
  input logic                        lc_atom,
  input logic                        ld_valid,
  input line_pkg::read_t             ld,
  input logic                        la_valid,
  input line_pkg::answer_t           la
);
  `RESET
  localparam int unsigned TAGS = line_pkg::TAGS;

  logic                up_lc_valid, up_lc_atom, up_la_valid, lq_valid, la_ready;
  line_pkg::answer_t   up_la;
  line_pkg::request_t  lq;
  line_pkg::sent_t     sent;
  line_pkg::lsu_got_t  up_got;

  assign {up_lc_valid, up_lc_atom, up_la_valid, up_la} = {up_got.lc_valid, up_got.lc_atom, up_got.la_valid, up_got.la};
  assign {lq_valid, lq, la_ready}                      = {sent.lq_valid, sent.lq, sent.la_ready};

  l1 u_dut (
    .clk_i         (clk_i),
    .rst_ni        (rst_ni),
    .go_i          (1'b0),   // one launch
    .forget_i      (forget),
    .fence_want_i  (want),
    .fence_ok_o    (),
    .fence_i       (fence),
    .up_i          ('{lw_valid: up_lw_valid, lw: up_lw, lq_valid: up_lq_valid, lq: up_lq, la_ready: up_la_ready}),
    .up_o          (up_got),
    .up_note_i     ('0),
    .ch_o          (sent),
    .note_o        (),
    .ch_i          ('{lc_valid: lc_valid, lc_atom: lc_atom, ld_valid: ld_valid, ld: ld, la_valid: la_valid, la: la}),
    .cnt_index_i   ('0),
    .cnt_o         (),
    .ret_valid_o   (),
    .ret_o         ()
  );

  // Credits that the load/store unit holds, that memory has given; requests that memory has.
  logic [3:0] held_q, given_q, has_q;
  logic       end_mem, end_up;
  assign end_mem = la_valid && la_ready && la.done;
  assign end_up  = up_la_valid && up_la_ready && up_la.done;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) {held_q, given_q, has_q} <= '0;
    else begin
      held_q  <= held_q + 4'(up_lc_valid) - 4'(up_lq_valid);
      given_q <= given_q + 4'(lc_valid) - 4'(lq_valid);
      has_q   <= has_q + 4'(lq_valid) - 4'(end_mem);
    end
  end

  // Requests that have not been answered, that have gone to memory, that memory has; atomics.
  logic [TAGS-1:0] up_q, sent_q, mem_q, atom_q;
  logic [TAGS-1:0][line_pkg::SECTORS-1:0] asked_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) {up_q, sent_q, mem_q} <= '0;
    else begin
      if (end_up)  up_q[up_la.tag] <= 1'b0;
      if (end_mem) mem_q[la.tag]   <= 1'b0;
      if (lq_valid) begin
        mem_q[lq.tag]  <= 1'b1;
        sent_q[lq.tag] <= 1'b1;
        asked_q[lq.tag] <= lq.sectors;
      end
      if (up_lq_valid) begin
        up_q[up_lq.tag]   <= 1'b1;
        sent_q[up_lq.tag] <= 1'b0;
        atom_q[up_lq.tag] <= up_lq.kind == line_pkg::ATOM;
      end
    end
  end
  logic              wait_q;
  line_pkg::answer_t la_q;
  logic              none_q, atoms_q;
  always_ff @(posedge clk_i) begin
    wait_q  <= rst_ni && la_valid && !la_ready;
    la_q    <= la;
    none_q  <= rst_ni && !lc_valid && u_dut.spare_q != '0;
    atoms_q <= rst_ni && lc_valid && lc_atom;
  end

  // The load/store unit sends what it holds a credit for, with a tag that stands for nothing; other caches' have their own.
  `GIVEN(g_request, !up_lq_valid || (held_q != '0 && 32'(up_lq.tag) < TAGS && !up_q[up_lq.tag] && up_lq.sectors != '0
    && up_lq.kind <= line_pkg::FETCH && (up_lq.kind == line_pkg::FETCH) == (32'(up_lq.tag) >= line_pkg::LINES)))
  // Memory has room for all tags, and says so once.
  `GIVEN(g_credit, !lc_valid || given_q + has_q < 4'(TAGS))
  // It answers what it has, and waits until the answer is taken; only of atomics there is more than an end.
  `GIVEN(g_answer, (!la_valid || (32'(la.tag) < TAGS && mem_q[la.tag] && (la.done || atom_q[la.tag])))
     && (!wait_q || (la_valid && la == la_q)))
  // Beats are of sectors that were requested, and come before the end.
  `GIVEN(g_beat, !ld_valid || (32'(ld.tag) < TAGS && mem_q[ld.tag] && asked_q[ld.tag][32'(ld.beat) * line_pkg::BITS / 256]
    && !(la_valid && la.tag == ld.tag)))

  // No credit is lost and none is made: what memory has given is held, on its way, spent on what passes, or spare.
  logic right;
  assign right = given_q == held_q + 4'(up_lc_valid) + 4'(u_dut.spare_q) + 4'(u_dut.q_valid_q) + 4'(lq_valid)
    && given_q <= 4'(TAGS) && has_q <= 4'(TAGS) && given_q + has_q <= 4'(TAGS);
  `PROVE(p_credit, right)
  // There are never more spare ones than tags.
  `PROVE(p_spare, right && 32'(u_dut.spare_q) <= TAGS)
  // One that is spare goes back in a cycle after memory gave none; those of atomics pass as they come.
  `PROVE(p_gives, (!none_q || up_lc_valid) && up_lc_atom == atoms_q)
  // A request goes to memory once at the most, with its tag, and only one that has been made.
  `BOUND(14, p_sent, !lq_valid || (32'(lq.tag) < TAGS && up_q[lq.tag] && !sent_q[lq.tag] && !mem_q[lq.tag]))
  // An answer is one of a request, which memory no longer has: none is answered twice.
  `BOUND(14, p_answer, !up_la_valid || (32'(up_la.tag) < TAGS && up_q[up_la.tag] && !(up_la.done && mem_q[up_la.tag])))
  // A load is answered that has not been to memory.
  `REACH(r_hit, end_up && !sent_q[up_la.tag])
endmodule
