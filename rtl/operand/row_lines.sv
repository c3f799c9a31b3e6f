// SPDX-License-Identifier: Apache-2.0
// How rows come to the fixed pipes: from the operand bus, where they stand for as many cycles as their pipe makes passes, or, with
// row queues (core_pkg::QUEUED), from two of them, one in front of alu and cvt, one in front of fma; then the bus is free for the
// next row at once, and rows of different warps make their passes side by side.
// Latency: none, or that of row_queue.
// Handshake: rows are completed one by one in the order of issue (op_take_i); from the bus the one that is completed claims its
// write ports, from the queues each oldest row as it leaves, two of them in one cycle.
// What a warp sees of its own instructions is the same: it issues the next one only when the last row of the one before has left
// its queue (issue: `gone`), so that a row is read no sooner after those of the instructions that it depends on than from the bus.
// It does not choose among rows, nor know whose turn it is.
module row_lines #(
  localparam int unsigned LANES = cfg_pkg::LANES,
  localparam int unsigned LINES = core_pkg::LINES,
  localparam int unsigned WORDS = back_pkg::WORDS
) (
  input  logic                                clk_i,
  input  logic                                rst_ni,
  // from operand_plan and the reader: write ports of the row that is read; it is completed
  input  bus_pkg::claim_t                     plan_i,
  input  logic                                take_i,
  // to the reader: a row may be completed
  output logic                                ok_o,
  // from row_reads and dispatch: a row, or early words, on the way to the bus; the bus
  input  bus_pkg::coming_t                    coming_i,
  input  logic [WORDS-1:0]                    ds_take_i,
  input  logic [WORDS-1:0][LANES-1:0][31:0]   ds_row_i,
  input  bus_pkg::line_t                      bus_i,
  // to and from the reservation table, of each line
  output logic [LINES-1:0][bus_pkg::CLAIM_W-1:0] op_claim_o,   // claim_t each
  input  logic [LINES-1:0]                    rs_ok_i,
  output logic [LINES-1:0]                    op_take_o,
  // to the pipes: alu, cvt and half; fma and register branches
  output bus_pkg::line_t                      op_alu_o,
  output bus_pkg::line_t                      op_fma_o,
  // to issue, of each queue
  output logic [LINES-1:0]                    op_gone_o,
  output logic [LINES-1:0][cfg_pkg::WARP_W-1:0] op_gone_slot_o
);

  if (core_pkg::QUEUED) begin : gen_queues
    logic [LINES-1:0] here;   // a row, or words of it, for this queue
    assign ok_o = 1'b1;
    assign here = (coming_i.into != '0) ? '0 : {coming_i.line, !coming_i.line};

    row_queue #(.LINE(0)) u_alu (
      .clk_i          (clk_i),
      .rst_ni         (rst_ni),
      .ds_take_i      (here[0] ? ds_take_i : '0),
      .ds_row_i       (ds_row_i),
      .ds_last_i      (here[0] && coming_i.last_read),
      .ds_beat_i      (coming_i.beat),
      .op_claim_o     (op_claim_o[0]),
      .rs_ok_i        (rs_ok_i[0]),
      .op_take_o      (op_take_o[0]),
      .op_line_o      (op_alu_o),
      .op_gone_o      (op_gone_o[0]),
      .op_gone_slot_o (op_gone_slot_o[0])
    );

    row_queue #(.LINE(1)) u_fma (
      .clk_i          (clk_i),
      .rst_ni         (rst_ni),
      .ds_take_i      (here[1] ? ds_take_i : '0),
      .ds_row_i       (ds_row_i),
      .ds_last_i      (here[1] && coming_i.last_read),
      .ds_beat_i      (coming_i.beat),
      .op_claim_o     (op_claim_o[1]),
      .rs_ok_i        (rs_ok_i[1]),
      .op_take_o      (op_take_o[1]),
      .op_line_o      (op_fma_o),
      .op_gone_o      (op_gone_o[1]),
      .op_gone_slot_o (op_gone_slot_o[1])
    );

    logic unused_bus;
    assign unused_bus = ^{plan_i, take_i, bus_i, coming_i};
  end else begin : gen_bus
    assign ok_o           = rs_ok_i[0];
    assign op_claim_o[0]  = plan_i;
    assign op_take_o[0]   = take_i;
    assign op_alu_o       = bus_i;
    assign op_fma_o       = bus_i;
    assign op_gone_o      = '0;
    assign op_gone_slot_o = '0;
    logic unused_queues;
    assign unused_queues = ^{clk_i, rst_ni, coming_i, ds_take_i, ds_row_i};
  end

endmodule
