// SPDX-License-Identifier: Apache-2.0
// The partition's end of the late-result channel: splits rows of the load/store unit into beats, writes them, and tells issue
// of an instruction's end once its last beat has been written.
// Latency: none from ls_late to the first ls_wb; done one cycle after the last beat was written, or after an end without a
// row came. A beat a cycle; beats without lanes take none. With LSU_LANES = LANES nothing is stored.
// Handshake: ls_late and ls_wb valid/ready, held until taken; done is an event. Rows that come while one is being split wait
// here, DEPTH of them, so that those for other partitions pass.
// It does not reorder, and knows register rows and ends alone: other kinds of late results are for units to come.
`default_nettype none
`include "heddle_assert.svh"

module late_rows #(
  parameter  int unsigned LANES = cfg_pkg::LANES,
  parameter  int unsigned DEPTH = 2,
  localparam int unsigned PARTS = cfg_pkg::LSU_LANES / LANES    // beats of a row
) (
  input  logic                       clk_i,
  input  logic                       rst_ni,
  // from the load/store unit
  input  logic                       ls_late_valid_i,
  output logic                       ls_late_ready_o,
  input  core_pkg::late_t            ls_late_i,
  // to writeback
  output logic                       ls_wb_valid_o,
  input  logic                       ls_wb_ready_i,
  output core_pkg::memwb_t           ls_wb_o,
  // to issue
  output logic                       ls_done_valid_o,
  output logic [cfg_pkg::WARP_W-1:0] ls_done_slot_o,
  output logic [2:0]                 ls_done_wbar_o,
  output logic                       ls_done_has_rd_o,
  output logic [7:0]                 ls_done_rd_o,
  output logic [1:0]                 ls_done_rd_n_o
);

  core_pkg::late_t head;
  logic            head_valid, row, leave, finish;

  assign row = head_valid && head.kind == core_pkg::LATE_ROW;

  if (PARTS == 1) begin : gen_wires
    assign head            = ls_late_i;
    assign head_valid      = ls_late_valid_i;
    assign leave           = head_valid && (!row || ls_wb_ready_i);
    assign ls_late_ready_o = leave;
    assign ls_wb_valid_o   = row;
    assign ls_wb_o.beat    = head.row;
    assign ls_wb_o.mask    = head.mask;
    assign ls_wb_o.data    = head.data;
  end else begin : gen_split
    localparam int unsigned PART_W  = $clog2(PARTS);
    localparam int unsigned COUNT_W = $clog2(DEPTH + 1);

    core_pkg::late_t                  kept;
    logic                             kept_valid, room;
    logic [PARTS-1:0]                 has, gone_q, todo, hot;
    logic [PART_W-1:0]                part;
    logic                             any;
    logic [COUNT_W-1:0]               unused_count;

    // What can't be finished in the cycle in which it comes is kept.
    fifo #(.WIDTH($bits(core_pkg::late_t)), .DEPTH(DEPTH)) u_kept (
      .clk_i       (clk_i),
      .rst_ni      (rst_ni),
      .in_valid_i  (ls_late_valid_i && (kept_valid || !leave)),
      .in_ready_o  (room),
      .in_data_i   (ls_late_i),
      .out_valid_o (kept_valid),
      .out_ready_i (leave),
      .out_data_o  (kept),
      .count_o     (unused_count)
    );

    assign ls_late_ready_o = room;
    assign head_valid      = kept_valid || ls_late_valid_i;
    always_comb begin
      head = '0;
      if (kept_valid)           head = kept;
      else if (ls_late_valid_i) head = ls_late_i;
    end

    // ---- its beats that have lanes and have not been written, ascending -------------------------------------------------
    for (genvar p = 0; p < PARTS; p++) begin : gen_has
      assign has[p] = row && head.mask[p*LANES +: LANES] != '0;
    end
    assign todo = has & ~gone_q;

    lowest_one #(.N(PARTS)) u_part (
      .in_i     (todo),
      .onehot_o (hot),
      .index_o  (part),
      .any_o    (any)
    );

    assign ls_wb_valid_o = any;
    assign leave         = head_valid && (todo & ~hot) == '0 && (!any || ls_wb_ready_i);
    assign ls_wb_o.beat  = (head.row << PART_W) | 5'(part);

    always_comb begin
      ls_wb_o.mask = '0;
      ls_wb_o.data = '0;
      for (int unsigned p = 0; p < PARTS; p++) begin
        if (hot[p]) begin
          ls_wb_o.mask |= head.mask[p*LANES +: LANES];
          ls_wb_o.data |= head.data[p*LANES +: LANES];
        end
      end
    end

    always_ff @(posedge clk_i) begin
      if (!rst_ni || leave)                    gone_q <= '0;
      else if (ls_wb_valid_o && ls_wb_ready_i) gone_q <= gone_q | hot;
    end
  end

  assign ls_wb_o.id    = head.id;
  assign ls_wb_o.rd    = head.rd + 8'(head.word);
  assign ls_wb_o.rbase = head.rbase;

  // ---- the end of an instruction ----------------------------------------------------------------------------------------
  assign finish = leave && head.last;

  always_ff @(posedge clk_i) begin
    if (finish) begin
      ls_done_slot_o   <= core_pkg::local_slot(head.id.slot);
      ls_done_wbar_o   <= head.wbar;
      ls_done_has_rd_o <= head.has_rd;
      ls_done_rd_o     <= head.rd;
      ls_done_rd_n_o   <= head.rd_n;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) ls_done_valid_o <= 1'b0;
    else         ls_done_valid_o <= finish;
  end

  // A row has lanes, or it would not have been sent; nothing but rows and ends is known here.
  `ASSERT(a_lanes, !row || head.mask != '0)
  `ASSERT(a_kind, !head_valid || row || (head.kind == core_pkg::LATE_NONE && head.last))

endmodule

`default_nettype wire
