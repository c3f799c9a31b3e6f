// SPDX-License-Identifier: Apache-2.0
// Where late results of the load/store unit and those of the partition's own units meet: which of them take the write ports
// that late results have.
// Latency: none.
// Handshake: ls_wb and lr valid/ready. A result of a unit is taken whole: its row, its predicates and its end in one cycle.
// Memory and units have the first write port in turns; memory goes first at the port of uniform results.
// It does not store results, and does not order those of different instructions.
`include "heddle_assert.svh"

module late_join #(
  localparam int unsigned PORTS = core_pkg::LATE_PORTS
) (
  input  logic                       clk_i,
  input  logic                       rst_ni,
  // from and to late_rows: register rows
  input  bus_pkg::late_rows_t        ls_wb_i,
  output logic [PORTS-1:0]           ls_wb_ready_o,
  // from and to the units
  input  logic                       lr_valid_i,
  output logic                       lr_ready_o,
  input  core_pkg::result_t          lr_i,
  input  back_pkg::need_t            lr_need_i,         // back_pkg::needs(lr_i, wb_free_i), zero without a result
  // to and from the write ports: register rows, in different banks
  output bus_pkg::late_rows_t        lt_wb_o,
  input  logic [cfg_pkg::BANKS-1:0]  wb_free_i,         // no fixed result is written in this bank: a row for it is
  // to and from the port of predicates: they wait; it is free; they are written
  output logic                       lt_pred_ask_o,
  input  logic                       wb_pred_ready_i,
  output logic                       lt_pred_valid_o,
  // to and from the uniform datapath
  output logic                       lt_uni_valid_o,
  input  logic                       lt_uni_ready_i,
  output exec_pkg::uni_write_t            lt_uni_o,
  // from and to write_ends: the end of a unit's instruction
  input  logic                       wb_end_free_i,
  output logic                       lt_end_o
);

  logic             others_ok, offer, row_taken, take;
  logic [PORTS-1:0] ls_free;     // the write port of memory's rows, whether it is theirs or not
  logic [PORTS-1:0] ls_valid;    // rows for the register file
  logic             ls_uni;      // memory's first row is a uniform register's

  // The choice of a row for each port comes last: a free bank for each row is found before, and beside it. A row that writes
  // nothing needs no port.
  logic [PORTS-1:0][cfg_pkg::BANK_W-1:0] bank;   // of memory's rows
  for (genvar p = 0; p < PORTS; p++) begin : gen_free
    core_pkg::result_t row;
    assign row         = ls_wb_i.row[p];
    assign bank[p]     = back_pkg::bank_of(back_pkg::wreg_of(row.tag.rbase, core_pkg::reg_of(row.tag)));
    assign ls_free[p]  = core_pkg::reg_of(row.tag) == isa_pkg::RZ || row.mask == '0 || wb_free_i[bank[p]];
    assign ls_valid[p] = ls_wb_i.valid[p] && !(cfg_pkg::HAS_UNI && row.tag.to.uni);
    logic unused_row;
    assign unused_row  = ^row;
  end

  // ---- uniform results have a port of their own: memory first ---------------------------------------------------------
  if (cfg_pkg::HAS_UNI) begin : gen_uni
    core_pkg::result_t from;
    logic              row;
    assign ls_uni         = ls_wb_i.valid[0] && !ls_valid[0];
    assign lt_uni_valid_o = ls_uni || (lr_need_i.uni && (!lr_need_i.last || wb_end_free_i));
    assign from           = ls_uni ? ls_wb_i.row[0] : lr_i;
    assign row            = ls_uni || (lr_i.tag.row && lr_i.tag.to.has_rd);
    always_comb begin
      lt_uni_o.id      = from.tag.id;
      lt_uni_o.rd      = core_pkg::reg_of(from.tag);
      lt_uni_o.en      = row ? {lt_uni_o.rd[0], !lt_uni_o.rd[0]} : '0;
      lt_uni_o.data    = {2{from.data[0]}};
      lt_uni_o.pred_en = (!ls_uni && lr_i.tag.pred) ? exec_pkg::pred_bit(lr_i.tag.to.pd0) : '0;
      lt_uni_o.pred    = {7{lr_i.d0[0]}};
    end
    logic unused_uni;
    assign unused_uni     = ^from;
  end else begin : gen_no_uni
    assign ls_uni         = 1'b0;
    assign lt_uni_valid_o = 1'b0;
    assign lt_uni_o       = '0;
    logic unused_uni;
    assign unused_uni     = lt_uni_ready_i;
  end

  // ---- a unit's result: all of it in one cycle -----------------------------------------------------------------------
  assign others_ok       = (!lr_need_i.pred || wb_pred_ready_i) && (!lr_need_i.last || wb_end_free_i)
                           && (!lr_need_i.uni || (lt_uni_ready_i && !ls_uni));
  assign offer           = lr_need_i.row && others_ok;
  assign take            = lr_valid_i && others_ok && (!lr_need_i.row || row_taken);
  assign lr_ready_o      = take;
  assign lt_pred_ask_o   = lr_need_i.pred;
  assign lt_pred_valid_o = lr_need_i.pred && take;
  assign lt_end_o        = lr_need_i.last && take;

  // ---- the write ports: the first in turns, the second for the unit that is left and has another bank ------------------
  logic turn_q, unit_first;   // turn_q: the unit's, if both have a row

  assign unit_first       = offer && (turn_q || !ls_valid[0]);
  assign lt_wb_o.valid[0] = offer || ls_valid[0];
  assign lt_wb_o.row[0]   = unit_first ? lr_i : ls_wb_i.row[0];

  always_ff @(posedge clk_i) begin
    if (!rst_ni) turn_q <= 1'b0;
    else if (unit_first ? lr_need_i.free : ls_valid[0] && ls_free[0]) turn_q <= !unit_first;
  end

  if (PORTS == 1) begin : gen_one
    assign ls_wb_ready_o[0] = ls_uni ? lt_uni_ready_i : ls_free[0] && !unit_first;
    assign row_taken        = lr_need_i.free && unit_first;
    logic unused_bank;
    assign unused_bank      = ^bank;
  end else begin : gen_two
    logic both, apart, ls_apart;
    assign both     = offer && ls_valid[0];
    assign apart    = bank[0] != lr_need_i.bank;
    // Where the unit has the first port alone, memory's second row needs another bank than that.
    assign ls_apart = ls_valid[1] && !(unit_first && bank[1] == lr_need_i.bank);
    assign lt_wb_o.valid[1] = both ? apart : ls_apart;
    assign lt_wb_o.row[1]   = !both ? ls_wb_i.row[1] : unit_first ? ls_wb_i.row[0] : lr_i;
    assign ls_wb_ready_o[0] = ls_uni ? lt_uni_ready_i : ls_free[0] && (!unit_first || (both && apart));
    assign ls_wb_ready_o[1] = !both && ls_apart && ls_free[1];
    assign row_taken        = lr_need_i.free && (unit_first || (both && apart));
  end

  // The need of the unit's result is its own.
  `ASSERT(a_need, lr_need_i == (lr_valid_i ? back_pkg::needs(lr_i, wb_free_i) : '0))

endmodule
