// SPDX-License-Identifier: Apache-2.0
// Where late results of the load/store unit and those of the partition's own units meet: which of them take the write ports
// that late results have, the predicate port, and the one place where the end of a late instruction is told.
// Latency: none for rows and predicates; the end of a unit's instruction is told one cycle after its last result was taken (as
// late_rows does), later while ends of memory instructions are told.
// Handshake: ls_wb and lr valid/ready. A result of a unit is taken whole: its row, its predicates and its end in one cycle.
// Memory and units have the first write port in turns; an end of a unit waits one cycle at the most.
// It does not store results, and does not order those of different instructions.
`include "heddle_assert.svh"

module late_join #(
  localparam int unsigned PORTS = core_pkg::LATE_PORTS,
  localparam int unsigned LS_W  = $bits(core_pkg::memwb_t)
) (
  input  logic                       clk_i,
  input  logic                       rst_ni,
  // from and to late_rows: register rows, ends
  input  logic [PORTS-1:0]           ls_wb_valid_i,
  output logic [PORTS-1:0]           ls_wb_ready_o,
  input  logic [PORTS-1:0][LS_W-1:0] ls_wb_i,           // core_pkg::memwb_t each
  input  logic                       ls_done_valid_i,
  input  core_pkg::done_t            ls_done_i,
  output logic                       ls_done_hold_o,    // no end in the next cycle
  // from and to the units
  input  logic                       lr_valid_i,
  output logic                       lr_ready_o,
  input  core_pkg::varres_t          lr_i,
  input  back_pkg::need_t            lr_need_i,         // back_pkg::needs(lr_i, wb_free_i), zero without a result
  // to and from writeback: register rows, in different banks; predicates
  output logic [PORTS-1:0]           lt_wb_valid_o,
  output logic [PORTS-1:0][LS_W-1:0] lt_wb_o,           // core_pkg::memwb_t each
  input  logic [cfg_pkg::BANKS-1:0]  wb_free_i,         // no fixed result is written in this bank: a row for it is
  output logic                       lt_pred_ask_o,     // predicates wait
  input  logic                       lt_pred_ready_i,   // their port is free
  output logic                       lt_pred_valid_o,   // they are written
  // to and from the uniform datapath
  output logic                       lt_uni_valid_o,
  input  logic                       lt_uni_ready_i,
  output core_pkg::unires_t          lt_uni_o,
  // to issue
  output logic                       lt_done_valid_o,
  output core_pkg::done_t            lt_done_o
);

  // ---- what the unit's result needs -------------------------------------------------------------------------------
  logic               row, pred, uni, last, others_ok, offer, row_free, row_taken, take, end_free;
  logic [PORTS-1:0]   ls_free;     // the write port of memory's rows, whether it is theirs or not
  logic [PORTS-1:0]   ls_valid;    // rows for the register file
  core_pkg::memwb_t   wb, ls_row;
  logic               ls_uni;      // memory's first row is a uniform register's

  // Whose row goes where is known last: that each has a free bank is found before, and beside it.
  assign row      = lr_need_i.row;
  assign pred     = lr_need_i.pred;
  assign uni      = lr_need_i.uni;
  assign last     = lr_need_i.last;
  assign row_free = lr_need_i.free;

  // A row that writes nothing needs no port.
  for (genvar p = 0; p < PORTS; p++) begin : gen_free
    core_pkg::memwb_t one;
    logic             unused_one;
    assign one        = ls_wb_i[p];
    assign unused_one = ^one;
    assign ls_free[p] = one.rd == isa_pkg::RZ || one.mask == '0
                        || wb_free_i[back_pkg::bank_of(back_pkg::wreg_of(one.rbase, one.rd))];
  end

  // ---- uniform results have a port of their own: memory first ---------------------------------------------------------
  if (cfg_pkg::HAS_UNI) begin : gen_uni
    assign lt_uni_valid_o = ls_uni || (uni && (!last || end_free));
    always_comb begin
      lt_uni_o.id   = ls_uni ? ls_row.id : lr_i.id;
      lt_uni_o.row  = ls_uni || (lr_i.row && lr_i.rd != isa_pkg::RZ);
      lt_uni_o.rd   = ls_uni ? ls_row.rd : lr_i.rd;
      lt_uni_o.data = ls_uni ? ls_row.data[0] : lr_i.data[0];
      lt_uni_o.pd0  = (!ls_uni && lr_i.pred) ? lr_i.pd0 : isa_pkg::PT;
      lt_uni_o.d0   = lr_i.d0[0];
    end
    logic [PORTS-1:0] unused_row;
    for (genvar p = 0; p < PORTS; p++) begin : gen_port
      core_pkg::memwb_t one;
      assign one           = ls_wb_i[p];
      assign ls_valid[p]   = ls_wb_valid_i[p] && !one.uni;
      assign unused_row[p] = ^one;
    end
    assign ls_row = ls_wb_i[0];
    assign ls_uni = ls_wb_valid_i[0] && ls_row.uni;
    logic unused_uni;
    assign unused_uni     = ^{ls_row, unused_row};
  end else begin : gen_no_uni
    assign lt_uni_valid_o = 1'b0;
    assign lt_uni_o       = '0;
    assign ls_valid       = ls_wb_valid_i;
    assign ls_row         = '0;
    assign ls_uni         = 1'b0;
    logic unused_uni;
    assign unused_uni     = ^{lt_uni_ready_i, ls_row};
  end

  always_comb begin
    wb.id    = lr_i.id;
    wb.uni   = 1'b0;
    wb.rd    = lr_i.rd + 8'(lr_i.word);
    wb.rbase = lr_i.rbase;
    wb.beat  = lr_i.beat;
    wb.mask  = lr_i.mask;
    wb.data  = lr_i.data;
  end

  // ---- its end: told when no end of a memory instruction is ---------------------------------------------------------
  logic            end_q;
  core_pkg::done_t done_q;

  assign end_free        = !end_q || !ls_done_valid_i;
  assign ls_done_hold_o  = end_q && ls_done_valid_i;
  assign lt_done_valid_o = ls_done_valid_i || end_q;
  assign lt_done_o       = ls_done_valid_i ? ls_done_i : done_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) end_q <= 1'b0;
    else         end_q <= (take && last) || !end_free;
  end
  always_ff @(posedge clk_i) begin
    if (take && last) begin
      done_q.slot   <= core_pkg::local_slot(lr_i.id.slot);
      done_q.wbar   <= lr_i.wbar;
      done_q.has_rd <= lr_i.rd != isa_pkg::RZ;
      done_q.rd     <= lr_i.rd;
      done_q.rd_n   <= lr_i.rd_n;
      done_q.pd0    <= lr_i.pd0;
      done_q.pd1    <= lr_i.pd1;
      done_q.preds  <= 1'b0;
      done_q.rd_uni <= lr_i.uni;
      done_q.pd_uni <= lr_i.uni;
      done_q.load   <= 1'b0;
    end
  end

  // ---- all of it in one cycle -----------------------------------------------------------------------------------------
  assign others_ok       = (!pred || lt_pred_ready_i) && (!last || end_free) && (!uni || (lt_uni_ready_i && !ls_uni));
  assign offer           = row && others_ok;
  assign take            = lr_valid_i && others_ok && (!row || row_taken);
  assign lr_ready_o      = take;
  assign lt_pred_ask_o   = pred;
  assign lt_pred_valid_o = pred && take;

  // ---- the write ports: the first in turns, the second for whoever is left and has another bank -------------------------
  logic turn_q, unit_first;   // turn_q: the unit's, if both ask

  assign unit_first       = offer && (turn_q || !ls_valid[0]);
  assign lt_wb_valid_o[0] = offer || ls_valid[0];
  assign lt_wb_o[0]       = unit_first ? wb : ls_wb_i[0];

  always_ff @(posedge clk_i) begin
    if (!rst_ni) turn_q <= 1'b0;
    else if (unit_first ? row_free : ls_valid[0] && ls_free[0]) turn_q <= !unit_first;
  end

  if (PORTS == 1) begin : gen_one
    assign ls_wb_ready_o[0] = ls_uni ? lt_uni_ready_i : ls_free[0] && !unit_first;
    assign row_taken        = row_free && unit_first;
  end else begin : gen_two
    logic                                   both, apart, ls_apart;
    logic [1:0][cfg_pkg::BANK_W-1:0]        bank;   // of memory's first and second row
    core_pkg::memwb_t                       ls_first, ls_second;

    assign ls_first  = ls_wb_i[0];
    assign ls_second = ls_wb_i[1];
    always_comb begin
      bank[0] = back_pkg::bank_of(back_pkg::wreg_of(ls_first.rbase, ls_first.rd));
      bank[1] = back_pkg::bank_of(back_pkg::wreg_of(ls_second.rbase, ls_second.rd));
    end
    assign both     = offer && ls_valid[0];
    assign apart    = bank[0] != lr_need_i.bank;
    // Where the unit has the first port alone, memory's second row needs another bank than that.
    assign ls_apart = ls_valid[1] && !(unit_first && bank[1] == lr_need_i.bank);
    always_comb begin
      if (both) begin
        lt_wb_valid_o[1] = apart;
        lt_wb_o[1]       = unit_first ? ls_wb_i[0] : wb;
      end else begin
        lt_wb_valid_o[1] = ls_apart;
        lt_wb_o[1]       = ls_wb_i[1];
      end
    end
    assign ls_wb_ready_o[0] = ls_uni ? lt_uni_ready_i : ls_free[0] && (!unit_first || (both && apart));
    assign ls_wb_ready_o[1] = !both && ls_apart && ls_free[1];
    assign row_taken        = row_free && (unit_first || (both && apart));
    logic unused;
    assign unused           = ^{ls_first, ls_second};
  end

  // d0, d1: writeback takes them itself.
  logic unused;
  assign unused = ^lr_i;

  // An end is never lost: none of memory comes while one of a unit has waited.
  logic held_q;
  always_ff @(posedge clk_i) held_q <= rst_ni && ls_done_hold_o;
  `ASSERT(a_hold, !held_q || !ls_done_valid_i)
  // What the unit's result needs is told as it is.
  `ASSERT(a_need, lr_need_i == (lr_valid_i ? back_pkg::needs(lr_i, wb_free_i) : '0))

endmodule
