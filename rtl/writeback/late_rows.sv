// SPDX-License-Identifier: Apache-2.0
// The partition's end of the late-result channel: splits rows of the load/store unit into beats, writes them, and reports an
// instruction's end with its last beat.
// Latency: none from ls_late to the first ls_wb, and to an end without a row. A row a cycle comes in; a beat a cycle is written of
// the oldest row here, and one of the next row unless both lie in one bank; beats without lanes take no cycle. An end waits while
// wb_hold. With LSU_LANES = LANES or fewer nothing is stored: a row is a beat, or some lanes of one, which are written by
// themselves.
// Handshake: ls_late valid/ready, held until taken; ls_wb valid/ready, the second may be withdrawn; ls_end is an event. Two rows
// can wait here, so that those for other partitions pass.
// Rows leave in order, so no end overtakes a write. The row of a uniform register is one lane, which late_join sends elsewhere.
`include "heddle_assert.svh"

module late_rows #(
  localparam int unsigned LANES = cfg_pkg::LANES,
  localparam int unsigned WIDTH = cfg_pkg::LSU_LANES,
  localparam int unsigned PARTS = (WIDTH > LANES) ? WIDTH / LANES : 1,   // beats of a row
  localparam int unsigned ROWS  = (LANES > WIDTH) ? LANES / WIDTH : 1,   // rows of a beat
  localparam int unsigned PORTS = core_pkg::LATE_PORTS
) (
  input  logic                       clk_i,
  input  logic                       rst_ni,
  // from the load/store unit
  input  logic                       ls_late_valid_i,
  output logic                       ls_late_ready_o,
  input  core_pkg::late_t            ls_late_i,
  // to writeback: rows, the end of an instruction
  output bus_pkg::late_rows_t        ls_wb_o,
  input  logic [PORTS-1:0]           ls_wb_ready_i,
  output bus_pkg::late_end_t         ls_end_o,
  input  logic                       wb_hold_i        // no end in this cycle
);

  core_pkg::late_t head;      // the oldest
  logic            may_leave; // it is no end that has to wait
  logic            leave;     // it has been written, or is in this cycle

  assign may_leave = !(wb_hold_i && head.tag.last);
  assign ls_end_o  = '{valid: leave && head.tag.last, tag: head.tag};

  if (PARTS == 1) begin : gen_beat
    core_pkg::result_t wb;

    assign head             = ls_late_i;
    assign leave            = ls_late_valid_i && may_leave && (!ls_wb_o.valid[0] || ls_wb_ready_i[0]);
    assign ls_late_ready_o  = leave;
    assign ls_wb_o.valid[0] = ls_late_valid_i && may_leave && head.tag.row;
    assign ls_wb_o.row[0]   = wb;

    always_comb begin
      wb          = '0;
      wb.tag      = head.tag;
      wb.tag.beat = head.tag.beat >> $clog2(ROWS);
      for (int unsigned r = 0; r < ROWS; r++) begin
        if (32'(head.tag.beat) % ROWS == r) wb.mask[r*WIDTH +: WIDTH] = head.mask;
        wb.data[r*WIDTH +: WIDTH] = head.data;
      end
    end
  end else begin : gen_row
    localparam int unsigned PART_W = $clog2(PARTS);

    core_pkg::late_t               kept_q [2];
    logic [1:0]                    valid_q;
    logic                          old_q;            // which of the kept is the oldest; of one kept, that
    logic [1:0][PARTS-1:0]         gone_q;           // beats of each that have been written
    core_pkg::late_t               next;
    logic                          head_valid, next_valid, take;
    logic [1:0][PARTS-1:0]         has, gone, todo, hot, left;   // 0: of head, 1: of next
    logic [1:0][PART_W-1:0]        part;
    logic [1:0][cfg_pkg::BANK_W-1:0] bank;

    // ---- the two oldest: kept ones, then what comes ---------------------------------------------------------------------
    assign ls_late_ready_o = valid_q != 2'b11;
    assign take            = ls_late_valid_i && ls_late_ready_o;
    assign head_valid      = valid_q[old_q] || ls_late_valid_i;
    assign next_valid      = valid_q[old_q] && (valid_q[!old_q] || ls_late_valid_i);

    always_comb begin
      head = '0;
      next = '0;
      if (head_valid) head = valid_q[old_q]  ? kept_q[old_q]  : ls_late_i;
      if (next_valid) next = valid_q[!old_q] ? kept_q[!old_q] : ls_late_i;
      gone[0] = valid_q[old_q]  ? gone_q[old_q]  : '0;
      gone[1] = valid_q[!old_q] ? gone_q[!old_q] : '0;
    end

    // ---- their beats that have lanes and have not been written, ascending -------------------------------------------------
    for (genvar p = 0; p < PARTS; p++) begin : gen_has
      assign has[0][p] = head_valid && head.tag.row && head.mask[p*LANES +: LANES] != '0;
      assign has[1][p] = next_valid && next.tag.row && next.mask[p*LANES +: LANES] != '0;
    end
    assign todo    = has & ~gone;
    assign bank[0] = back_pkg::bank_of(back_pkg::wreg_of(head.tag.rbase, core_pkg::reg_of(head.tag)));
    assign bank[1] = back_pkg::bank_of(back_pkg::wreg_of(next.tag.rbase, core_pkg::reg_of(next.tag)));

    assign ls_wb_o.valid[0] = todo[0] != '0;
    assign ls_wb_o.valid[1] = todo[1] != '0 && (todo[0] == '0 || bank[1] != bank[0]);

    for (genvar i = 0; i < 2; i++) begin : gen_port
      core_pkg::late_t   row;
      core_pkg::result_t wb;
      logic              unused_any, unused_row;

      lowest_one #(.N(PARTS)) u_part (
        .in_i     (todo[i]),
        .onehot_o (hot[i]),
        .index_o  (part[i]),
        .any_o    (unused_any)
      );

      assign row        = (i == 0) ? head : next;
      assign unused_row = ^row;
      assign ls_wb_o.row[i] = wb;
      assign left[i]    = (ls_wb_o.valid[i] && ls_wb_ready_i[i]) ? todo[i] & ~hot[i] : todo[i];

      always_comb begin
        wb = '0;
        if (ls_wb_o.valid[i]) begin
          wb.tag      = row.tag;
          wb.tag.beat = (row.tag.beat << PART_W) | 5'(part[i]);
          for (int unsigned p = 0; p < PARTS; p++) begin
            if (hot[i][p]) begin
              wb.mask |= row.mask[p*LANES +: LANES];
              wb.data |= row.data[p*LANES +: LANES];
            end
          end
        end
      end
    end

    // ---- what stays ---------------------------------------------------------------------------------------------------------
    assign leave = head_valid && left[0] == '0 && may_leave;

    always_ff @(posedge clk_i) begin
      if (take) kept_q[valid_q[old_q] ? !old_q : old_q] <= ls_late_i;
      gone_q[old_q]  <= has[0] & ~left[0];
      gone_q[!old_q] <= has[1] & ~left[1];
    end

    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        valid_q <= '0;
        old_q   <= 1'b0;
      end else begin
        valid_q[old_q]  <= head_valid && !leave;
        valid_q[!old_q] <= next_valid;
        if (leave && next_valid) old_q <= !old_q;
      end
    end

    // The oldest of what is kept is known.
    `ASSERT(a_old, valid_q == '0 || valid_q[old_q])
    // A row has lanes, or it would not have been sent.
    `ASSERT(a_lanes, !take || !ls_late_i.tag.row || ls_late_i.mask != '0)
  end

  // It is a row, an end, or both.
  `ASSERT(a_kind, !ls_late_valid_i || ls_late_i.tag.row || ls_late_i.tag.last)

endmodule
