// SPDX-License-Identifier: Apache-2.0
// rtl/writeback/late_join.sv, as `duo` has it: two write ports, a uniform datapath. Memory's rows and a unit's results come at
// once; any of them, and any end.
// config: duo
`include "properties.svh"

module late_join_formal (
  input logic                     clk_i,
  input logic [1:0]               ls_valid,
  input core_pkg::memwb_t         ls_0,
  input core_pkg::memwb_t         ls_1,
  input logic                     ls_done_valid,
  input core_pkg::done_t          ls_done,
  input logic                     lr_valid,
  input core_pkg::varres_t        lr,
  input logic [cfg_pkg::BANKS-1:0] free,
  input logic                     pred_ready,
  input logic                     uni_ready
);
  `RESET
  localparam int unsigned LS_W = $bits(core_pkg::memwb_t);

  logic [1:0]           ls_ready, valid, ready;
  logic [1:0][LS_W-1:0] out;
  core_pkg::memwb_t     want, ls_row;
  logic                 hold, lr_ready, pred_ask, pred_valid, uni_valid, done_valid;
  core_pkg::unires_t    uni;
  core_pkg::done_t      done;

  late_join u_dut (
    .clk_i           (clk_i),
    .rst_ni          (rst_ni),
    .ls_wb_valid_i   (ls_valid),
    .ls_wb_ready_o   (ls_ready),
    .ls_wb_i         ({ls_1, ls_0}),
    .ls_done_valid_i (ls_done_valid),
    .ls_done_i       (ls_done),
    .ls_done_hold_o  (hold),
    .lr_valid_i      (lr_valid),
    .lr_ready_o      (lr_ready),
    .lr_i            (lr),
    .lr_need_i       (lr_valid ? back_pkg::needs(lr, free) : '0),
    .lt_wb_valid_o   (valid),
    .lt_wb_o         (out),
    .wb_free_i       (free),
    .lt_pred_ask_o   (pred_ask),
    .lt_pred_ready_i (pred_ready),
    .lt_pred_valid_o (pred_valid),
    .lt_uni_valid_o  (uni_valid),
    .lt_uni_ready_i  (uni_ready),
    .lt_uni_o        (uni),
    .lt_done_valid_o (done_valid),
    .lt_done_o       (done)
  );

  // ---- what the neighbours keep -----------------------------------------------------------------------------------------------
  // The three rows are three: of different instructions, words or beats. Memory's are in two banks, as late_rows
  // shows them (late_rows_formal.sv: p_banks).
  function automatic logic [cfg_pkg::BANK_W-1:0] bank(logic [15:0] rbase, logic [7:0] rd);
    bank = cfg_pkg::BANK_W'((32'(rbase) + 32'(rd)) % cfg_pkg::BANKS);
  endfunction
  `GIVEN(g_apart, ls_0 != ls_1 && ls_0 != want && ls_1 != want)
  `GIVEN(g_banks, ls_valid != 2'b11 || bank(ls_0.rbase, ls_0.rd) != bank(ls_1.rbase, ls_1.rd))
  // Memory tells no end in the cycle after it is asked to hold (in simulations that is a_hold).
  logic hold_q;
  always_ff @(posedge clk_i) hold_q <= rst_ni && hold;
  `GIVEN(g_hold, !hold_q || !ls_done_valid)

  // ---- who got what -------------------------------------------------------------------------------------------------------------
  // Of each row: how many ports wrote it. What the unit's result needs, and whether it was taken.
  logic [1:0] taken, ports_0, ports_1, ports_u;
  logic       row, pred, to_uni, took, ls_uni;
  always_comb begin
    want.id    = lr.id;
    want.uni   = 1'b0;
    want.rd    = lr.rd + 8'(lr.word);
    want.rbase = lr.rbase;
    want.beat  = lr.beat;
    want.mask  = lr.mask;
    want.data  = lr.data;
    ls_row     = ls_0;
  end
  assign taken  = ls_valid & ls_ready;
  assign took   = lr_valid && lr_ready;
  assign ls_uni = ls_valid[0] && ls_row.uni;
  assign row    = lr.row && lr.rd != isa_pkg::RZ && lr.mask != '0 && !lr.uni;
  assign pred   = lr.pred && (lr.pd0 != isa_pkg::PT || lr.pd1 != isa_pkg::PT) && lr.mask != '0 && !lr.uni;
  assign to_uni = lr.uni && (lr.row || lr.pred);
  // A row is written where its bank is free, or it has nothing to write.
  for (genvar p = 0; p < 2; p++) begin : gen_port
    core_pkg::memwb_t wb;
    assign wb         = out[p];
    assign ready[p]   = wb.rd == isa_pkg::RZ || wb.mask == '0 || free[bank(wb.rbase, wb.rd)];
    assign ports_0[p] = valid[p] && ready[p] && out[p] == ls_0;
    assign ports_1[p] = valid[p] && ready[p] && out[p] == ls_1;
    assign ports_u[p] = valid[p] && ready[p] && out[p] == want;
  end

  core_pkg::memwb_t wb_0, wb_1;
  assign wb_0 = out[0];
  assign wb_1 = out[1];

  // Memory's rows are written by one port exactly when they are taken; a uniform register's goes to the uniform datapath instead.
  `PROVE(p_memory, $countones(ports_0) == 32'(taken[0] && !ls_uni) && $countones(ports_1) == 32'(taken[1])
    && (!(taken[0] && ls_uni) || (uni_valid && uni_ready && uni.row && uni.id == ls_0.id && uni.rd == ls_0.rd
      && uni.data == ls_0.data[0])))
  // A unit's result is taken whole: in that cycle its row is written by one port, its predicates are, its uniform result is; and
  // nothing of one that is not taken.
  `PROVE(p_whole, $countones(ports_u) == 32'(took && row) && pred_valid == (took && pred) && (!pred_valid || pred_ready)
    && (uni_valid && uni_ready && !ls_uni) == (took && to_uni))
  // The ports write nothing else.
  `PROVE(p_only, (!(valid[0] && ready[0]) || ports_0[0] || ports_1[0] || ports_u[0])
    && (!(valid[1] && ready[1]) || ports_0[1] || ports_1[1] || ports_u[1]))
  // The two ports never write one bank.
  `PROVE(p_banks, valid != 2'b11 || bank(wb_0.rbase, wb_0.rd) != bank(wb_1.rbase, wb_1.rd))

  // ---- ends -----------------------------------------------------------------------------------------------------------------
  logic            owed_q, ls_told, lr_told;
  core_pkg::done_t end_q;        // what issue is to be told of it

  // None of a unit's is R2P's, which is ALU's, nor lets a warp go on as ULDC's does.
  function automatic core_pkg::done_t end_of(core_pkg::varres_t r);
    end_of        = '0;
    end_of.slot   = core_pkg::local_slot(r.id.slot);
    end_of.wbar   = r.wbar;
    end_of.has_rd = r.rd != isa_pkg::RZ;
    end_of.rd     = r.rd;
    end_of.rd_n   = r.rd_n;
    end_of.pd0    = r.pd0;
    end_of.pd1    = r.pd1;
    end_of.rd_uni = r.uni;
    end_of.pd_uni = r.uni;
  endfunction

  assign ls_told = done_valid && ls_done_valid && done == ls_done;
  assign lr_told = done_valid && !ls_done_valid;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) owed_q <= 1'b0;
    else         owed_q <= (took && lr.last) || (owed_q && !lr_told);
    if (took && lr.last) end_q <= end_of(lr);
  end
  logic [1:0] late_q;
  always_ff @(posedge clk_i) late_q <= (rst_ni && owed_q && !lr_told) ? late_q + 2'd1 : 2'd0;

  // An end of memory is told in its cycle, as it is.
  `PROVE(p_ls_end, !ls_done_valid || ls_told)
  // An end of a unit is told once, with all that issue is told of it; no other end comes over it, and nothing else is told.
  `PROVE(p_lr_end, !(lr_told && !owed_q) && !(owed_q && !lr_told && took && lr.last)
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
