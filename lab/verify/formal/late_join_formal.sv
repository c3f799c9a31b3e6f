// SPDX-License-Identifier: Apache-2.0
// rtl/writeback/late_join.sv with write_ends.sv, as `duo` has them: two write ports, a uniform datapath. Memory's rows and a unit's
// results come at once; any of them, and any end.
// config: duo
`include "properties.svh"

module late_join_formal (
  input logic                     clk_i,
  input logic [1:0]               ls_valid,
  input core_pkg::result_t        ls_0,
  input core_pkg::result_t        ls_1,
  input logic                     ls_end_valid,
  input core_pkg::tag_t           ls_end,
  input logic                     lr_valid,
  input core_pkg::result_t        lr,
  input logic [cfg_pkg::BANKS-1:0] free,
  input logic                     pred_ready,
  input logic                     uni_ready
);
  `RESET
  logic [1:0]           ls_ready, valid, ready;
  bus_pkg::late_rows_t  out;
  core_pkg::result_t    want, ls_row, out_0, out_1;
  logic                 hold, lr_ready, pred_ask, pred_valid, uni_valid, end_free, lt_end, done_valid;
  exec_pkg::uni_write_t      uni;
  front_pkg::ends_t     ends;
  core_pkg::done_t      done;

  late_join u_dut (
    .clk_i           (clk_i),
    .rst_ni          (rst_ni),
    .ls_wb_i         ({ls_valid, ls_1, ls_0}),
    .ls_wb_ready_o   (ls_ready),
    .lr_valid_i      (lr_valid),
    .lr_ready_o      (lr_ready),
    .lr_i            (lr),
    .lr_need_i       (lr_valid ? back_pkg::needs(lr, free) : '0),
    .lt_wb_o         (out),
    .wb_free_i       (free),
    .lt_pred_ask_o   (pred_ask),
    .wb_pred_ready_i (pred_ready),
    .lt_pred_valid_o (pred_valid),
    .lt_uni_valid_o  (uni_valid),
    .lt_uni_ready_i  (uni_ready),
    .lt_uni_o        (uni),
    .wb_end_free_i   (end_free),
    .lt_end_o        (lt_end)
  );

  write_ends u_ends (
    .clk_i         (clk_i),
    .rst_ni        (rst_ni),
    .rs_i          ('0),
    .ls_end_i      ({ls_end_valid, ls_end}),
    .wb_hold_o     (hold),
    .wb_end_free_o (end_free),
    .lt_end_i      (lt_end),
    .lr_tag_i      (lr.tag),
    .wb_ends_o     (ends)
  );
  assign done_valid = ends.late_valid;
  assign done       = ends.late;
  assign valid      = out.valid;
  assign out_0      = out.row[0];
  assign out_1      = out.row[1];

  // ---- what the neighbours keep -----------------------------------------------------------------------------------------------
  // The three rows are three: of different instructions, words or beats. Memory's are in two banks, as late_rows
  // shows them (late_rows_formal.sv: p_banks).
  function automatic logic [cfg_pkg::BANK_W-1:0] bank(core_pkg::tag_t tag);
    bank = cfg_pkg::BANK_W'((32'(tag.rbase) + 32'(core_pkg::reg_of(tag))) % cfg_pkg::BANKS);
  endfunction
  `GIVEN(g_apart, ls_0 != ls_1 && ls_0 != want && ls_1 != want)
  `GIVEN(g_banks, ls_valid != 2'b11 || bank(ls_0.tag) != bank(ls_1.tag))
  // Memory has no end while one is held; each is registered.
  `GIVEN(g_hold, !hold || !ls_end_valid)

  // ---- results by port----------------------------------------------------------------------------------------------------------
  // For each row: how many ports wrote it. Needs of the unit's result, and whether it was taken.
  logic [1:0] taken, ports_0, ports_1, ports_u;
  logic       row, pred, to_uni, took, ls_uni;
  always_comb begin
    want       = lr;
    ls_row     = ls_0;
  end
  assign taken  = ls_valid & ls_ready;
  assign took   = lr_valid && lr_ready;
  assign ls_uni = ls_valid[0] && ls_row.tag.to.uni;
  assign row    = lr.tag.row && lr.tag.to.has_rd && lr.mask != '0 && !lr.tag.to.uni;
  assign pred   = lr.tag.pred && (lr.tag.to.pd0 != isa_pkg::PT || lr.tag.to.pd1 != isa_pkg::PT) && lr.mask != '0 && !lr.tag.to.uni;
  assign to_uni = lr.tag.to.uni && (lr.tag.row || lr.tag.pred);
  // A row is written where its bank is free, or it has nothing to write.
  for (genvar p = 0; p < 2; p++) begin : gen_port
    core_pkg::result_t wb;
    assign wb         = (p == 0) ? out_0 : out_1;
    assign ready[p]   = core_pkg::reg_of(wb.tag) == isa_pkg::RZ || wb.mask == '0 || free[bank(wb.tag)];
    assign ports_0[p] = valid[p] && ready[p] && wb == ls_0;
    assign ports_1[p] = valid[p] && ready[p] && wb == ls_1;
    assign ports_u[p] = valid[p] && ready[p] && wb == want;
  end

  // Memory's rows are written by one port exactly when they are taken; a uniform register's goes to the uniform datapath instead.
  `PROVE(p_memory, $countones(ports_0) == 32'(taken[0] && !ls_uni) && $countones(ports_1) == 32'(taken[1])
    && (!(taken[0] && ls_uni) || (uni_valid && uni_ready && uni.en == {uni.rd[0], !uni.rd[0]} && uni.id == ls_0.tag.id
      && uni.rd == core_pkg::reg_of(ls_0.tag) && uni.data == {2{ls_0.data[0]}} && uni.pred_en == '0)))
  // A unit's result is taken whole. In that cycle its row is written by one port, its predicates are, its uniform result is; and
  // nothing of one that is not taken.
  `PROVE(p_whole, $countones(ports_u) == 32'(took && row) && pred_valid == (took && pred) && (!pred_valid || pred_ready)
    && (uni_valid && uni_ready && !ls_uni) == (took && to_uni))
  // The ports write nothing else.
  `PROVE(p_only, (!(valid[0] && ready[0]) || ports_0[0] || ports_1[0] || ports_u[0])
    && (!(valid[1] && ready[1]) || ports_0[1] || ports_1[1] || ports_u[1]))
  // The two ports never write one bank.
  `PROVE(p_banks, valid != 2'b11 || bank(out_0.tag) != bank(out_1.tag))

  // ---- ends -----------------------------------------------------------------------------------------------------------------
  logic            owed_q, ls_owed_q, ls_told, lr_told;
  core_pkg::done_t ls_end_q, end_q;        // the ends for issue

  // Neither is R2P's, which is ALU's; a warp goes on with ULDC's alone, which alone of memory writes a uniform register.
  function automatic core_pkg::done_t end_of(core_pkg::tag_t tag, logic load);
    end_of = '{slot: core_pkg::local_slot(tag.id.slot), to: tag.to, preds: 1'b0, load: load};
  endfunction

  assign ls_told = done_valid && ls_owed_q && done == ls_end_q;
  assign lr_told = done_valid && !ls_owed_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) {owed_q, ls_owed_q} <= '0;
    else begin
      ls_owed_q <= ls_end_valid;
      owed_q    <= (took && lr.tag.last) || (owed_q && !lr_told);
    end
    if (ls_end_valid)        ls_end_q <= end_of(ls_end, ls_end.to.uni);
    if (took && lr.tag.last) end_q    <= end_of(lr.tag, 1'b0);
  end
  logic [1:0] late_q;
  always_ff @(posedge clk_i) late_q <= (rst_ni && owed_q && !lr_told) ? late_q + 2'd1 : 2'd0;

  // An end of memory is reported in the next cycle, with all its fields for issue.
  `PROVE(p_ls_end, !ls_owed_q || ls_told)
  // An end of a unit is reported once, with all its fields for issue; no other end comes over it, and none else is reported.
  `PROVE(p_lr_end, !(lr_told && !owed_q) && !(owed_q && !lr_told && took && lr.tag.last)
    && (!(lr_told && owed_q) || done == end_q))
  // It waits one cycle at the most.
  `PROVE(p_soon, late_q < 2'd2)
  // While memory's register row waits, no two rows of units go before it: they take turns.
  logic ls_lost_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || !(ls_valid[0] && !ls_uni) || taken[0]) ls_lost_q <= 1'b0;
    else if (ports_u[0])                                  ls_lost_q <= 1'b1;
  end
  `PROVE(p_turns, !(ls_lost_q && ports_u[0] && ls_valid[0] && !ls_uni && !taken[0]))
  // All three are written in two cycles.
  `REACH(r_three, ports_0[0] && ports_u[1] && taken[0] && took && ls_valid[1])
endmodule
