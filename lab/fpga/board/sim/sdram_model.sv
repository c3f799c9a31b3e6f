// SPDX-License-Identifier: Apache-2.0
// An SDRAM of 4 banks, held to its data sheet. Each command is checked
// against initialisation, open rows, tRCD, tRP, tRAS, tRC, tRRD, tWR, tRFC, tMRD and refresh. Simulation only.
// Its size is that of its parameters: 8,192 rows and 512 columns of 16 bits, if not said.
// Latency: the CAS latency of the mode register; burst length 1. Times are in picoseconds, those of the slowest part of the
// kind (MT48LC16M16A2-7E/75); CLOCK_PS is the period of clk_i.
// A violation is counted in errors_o, named in rule_o and printed on standard output; memory's content then means nothing.
// It has no power down, no self refresh, no burst terminate, no burst longer than 1: their use is a violation.
// bad_i: its cells are broken, each bit in a way of its own.
module sdram_model #(
  parameter longint CLOCK_PS = 40_000,
  parameter longint POWER_UP = 100_000_000,   // before the first command
  parameter int REFRESHES = 8,            // before use
  parameter longint TRCD = 20_000,
  parameter longint TRP  = 20_000,
  parameter longint TRAS = 44_000,
  parameter longint TRC  = 66_000,
  parameter longint TRRD = 15_000,
  parameter longint TWR  = 15_000,
  parameter longint TRFC = 66_000,
  parameter longint TMRD = 2 * CLOCK_PS,
  parameter longint TREFI = 7_812_500,
  parameter int unsigned DQ    = 16,      // data pins
  parameter int unsigned ROW_W = 13,
  parameter int unsigned COL_W = 9        // 10 at most: the next is A10
) (
  input  logic        clk_i,          // the SDRAM's own
  input  logic        cke_i,
  input  logic        cs_ni,
  input  logic        ras_ni,
  input  logic        cas_ni,
  input  logic        we_ni,
  input  logic [1:0]  ba_i,
  input  logic [ROW_W-1:0] a_i,
  input  logic [DQ/8-1:0] dm_i,
  input  logic [DQ-1:0] dq_i,
  output logic [DQ-1:0] dq_o,
  output logic [DQ/8-1:0] drives_o,   // these bytes of dq_o
  input  logic [3:0]  bad_i,          // 0 no row keeps its data, 1 one does not, 2 a bit is stuck, 3 a bit turns another over
  output logic [31:0] errors_o,
  output logic [7:0]  rule_o,         // of the last violation, rule_e
  output logic [31:0] reads_o,
  output logic [31:0] writes_o,
  output logic [31:0] refreshes_o
);

  typedef enum logic [7:0] {
    NONE = 0, TOO_EARLY, NOT_INITIALISED, CKE_FELL, NO_SUCH_COMMAND, BANK_OPEN, BANK_CLOSED, RCD, RP, RAS, RC, RRD, WR, RFC, MRD,
    OPEN_AT_REFRESH, OPEN_AT_MODE, BAD_MODE, REFRESH_LATE, CONTENTION
  } rule_e;

  localparam longint LONG_AGO = -64'sd1_000_000_000_000;
  localparam int     WORDS    = 4 << (ROW_W + COL_W);

  logic [DQ-1:0] mem_q [WORDS];
  longint      now_q;                                // ps
  longint      act_q [4], write_q [4], idle_q [4];   // last ACTIVE and write; when the bank is precharged
  longint      any_act_q, refresh_q, mode_q;
  logic [3:0]  open_q;
  logic [ROW_W-1:0] row_q [4];
  logic        cke_q, precharged_q, ready_q;
  logic        stale_q;                              // what it held is gone; used again only after initialisation
  int          counted_q;                            // refreshes before use
  longint      debt_q;                               // ps of refresh that are owed
  logic [2:0]  cl_q;

  // Broken cells. A row that is not kept is gone after LEAK, and each cell of the row then holds the same.
  localparam longint LEAK = 64'sd8_000_000_000;
  localparam logic [ROW_W+1:0]       WEAK   = {2'd2, ROW_W'(1)};                       // bank, row
  localparam logic [ROW_W+COL_W+1:0] STUCK  = {2'd1, ROW_W'(0), COL_W'('h55)};
  localparam logic [ROW_W+COL_W+1:0] TURNED = {2'd0, ROW_W'(1), COL_W'('h43)};         // by the next one
  longint opened_q [4 << ROW_W];

  // Read data on its way out: stage 1 is driven after the next edge if the CAS latency is 2.
  logic [3:0]       out_valid_q;
  logic [3:0][DQ-1:0] out_q;
  logic [DQ/8-1:0]  dm_q;
  logic             drive_q, drove_q;                // until the next edge, until this one
  logic [DQ-1:0]    drive_data_q;
  logic [DQ/8-1:0]  drive_mask_q;

  initial begin
    now_q = 0;
    for (int b = 0; b < 4; b++) begin
      act_q[b] = LONG_AGO;
      write_q[b] = LONG_AGO;
      idle_q[b] = LONG_AGO;
    end
    any_act_q = LONG_AGO;
    refresh_q = LONG_AGO;
    mode_q = LONG_AGO;
    open_q = '0;
    cke_q = 1'b0;
    precharged_q = 1'b0;
    ready_q = 1'b0;
    stale_q = 1'b0;
    counted_q = 0;
    debt_q = 0;
    cl_q = 3'd2;
    for (int i = 0; i < (4 << ROW_W); i++) opened_q[i] = 0;
    out_valid_q = '0;
    drive_q = 1'b0;
    drove_q = 1'b0;
    errors_o = 0;
    rule_o = NONE;
    reads_o = 0;
    writes_o = 0;
    refreshes_o = 0;
  end

  function automatic void wrong(input rule_e rule, input logic [1:0] bank);
    errors_o = errors_o + 1;
    rule_o = rule;
    if (errors_o <= 10) $display("sdram: %0s, bank %0d, at %0d ns", rule.name(), bank, now_q / 1000);
  endfunction

  function automatic void precharge(input logic [1:0] b, input longint at);
    if (open_q[b]) begin
      if (at - act_q[b] < TRAS) wrong(RAS, b);
      if (at - write_q[b] < TWR) wrong(WR, b);
      open_q[b] = 1'b0;
      idle_q[b] = at;
    end
  endfunction

  function automatic logic [ROW_W+COL_W+1:0] place(input logic [1:0] b, input logic [COL_W-1:0] column);
    return {b, row_q[b], column};
  endfunction

  function automatic void leak(input logic [1:0] b, input logic [ROW_W-1:0] row);
    if ((bad_i[0] || (bad_i[1] && {b, row} == WEAK)) && now_q - opened_q[{b, row}] > LEAK)
      for (int c = 0; c < (1 << COL_W); c++) mem_q[{b, row, COL_W'(c)}] = {DQ{row[0]}};
    opened_q[{b, row}] = now_q;
  endfunction

  // None of these may come while a refresh or a change of mode is under way.
  function automatic void quiet();
    if (now_q - refresh_q < TRFC) wrong(RFC, ba_i);
    if (now_q - mode_q < TMRD) wrong(MRD, ba_i);
  endfunction

  function automatic void active();
    quiet();
    if (!ready_q) wrong(NOT_INITIALISED, ba_i);
    if (stale_q) wrong(REFRESH_LATE, ba_i);
    if (open_q[ba_i]) wrong(BANK_OPEN, ba_i);
    if (now_q - idle_q[ba_i] < TRP) wrong(RP, ba_i);
    if (now_q - act_q[ba_i] < TRC) wrong(RC, ba_i);
    if (now_q - any_act_q < TRRD) wrong(RRD, ba_i);
    open_q[ba_i] = 1'b1;
    row_q[ba_i] = a_i;
    leak(ba_i, a_i);
    act_q[ba_i] = now_q;
    any_act_q = now_q;
  endfunction

  function automatic void access(input logic is_write);
    logic [DQ-1:0]          old;
    logic [ROW_W+COL_W+1:0] at;
    if (!open_q[ba_i]) begin
      wrong(BANK_CLOSED, ba_i);
      return;
    end
    if (now_q - act_q[ba_i] < TRCD) wrong(RCD, ba_i);
    at = place(ba_i, a_i[COL_W-1:0]);
    old = mem_q[at];
    if (bad_i[2] && at == STUCK) old[6] = 1'b1;
    if (is_write) begin
      if (drove_q || drive_q) wrong(CONTENTION, ba_i);
      if (bad_i[3] && at == TURNED + 1'b1 && !dm_i[0] && dq_i[0] && !old[0]) mem_q[TURNED][0] = !mem_q[TURNED][0];
      for (int i = 0; i < DQ / 8; i++) if (!dm_i[i]) old[8*i +: 8] = dq_i[8*i +: 8];
      mem_q[at] = old;
      write_q[ba_i] = now_q;
      writes_o = writes_o + 1;
    end else begin
      out_valid_q[2'(cl_q - 3'd2)] = 1'b1;
      out_q[2'(cl_q - 3'd2)] = old;
      reads_o = reads_o + 1;
    end
    // With A10 the bank precharges itself: a cycle after a read, tWR after what is written.
    if (a_i[10]) precharge(ba_i, is_write ? now_q + TWR : now_q + CLOCK_PS);
  endfunction

  function automatic void refresh();
    quiet();
    if (open_q != '0) wrong(OPEN_AT_REFRESH, 2'd0);
    if (!precharged_q) wrong(NOT_INITIALISED, 2'd0);
    for (int b = 0; b < 4; b++) if (now_q - idle_q[b] < TRP) wrong(RP, 2'(b));
    refresh_q = now_q;
    counted_q = counted_q + 1;
    debt_q = debt_q - TREFI;
    if (debt_q < 0) debt_q = 0;
    refreshes_o = refreshes_o + 1;
  endfunction

  function automatic void set_mode();
    quiet();
    if (open_q != '0) wrong(OPEN_AT_MODE, 2'd0);
    if (!precharged_q || counted_q < REFRESHES) wrong(NOT_INITIALISED, 2'd0);
    if (ba_i != 2'd0 || (a_i >> 10) != '0 || a_i[8:7] != '0 || a_i[3:0] != '0 || (a_i[6:4] != 3'd2 && a_i[6:4] != 3'd3))
      wrong(BAD_MODE, 2'd0);
    cl_q = a_i[6:4];
    mode_q = now_q;
    if (!ready_q || stale_q) debt_q = 0;
    ready_q = 1'b1;
    stale_q = 1'b0;
  endfunction

  /* verilator lint_off BLKSEQ */
  always @(posedge clk_i) begin
    now_q = now_q + CLOCK_PS;
    // Read data goes out; a mask blanks the data two edges after it.
    drove_q = drive_q;
    drive_q = out_valid_q[0];
    drive_data_q = out_q[0];
    drive_mask_q = dm_q;
    out_valid_q = out_valid_q >> 1;
    out_q = out_q >> DQ;
    dm_q = dm_i;
    if (ready_q) begin
      debt_q = debt_q + CLOCK_PS;
      if (debt_q > 9 * TREFI) begin
        stale_q = 1'b1;
        counted_q = 0;
        debt_q = 0;
      end
    end
    if (cke_q && !cke_i) wrong(CKE_FELL, 2'd0);
    if (cke_i && !cs_ni) begin
      if ({ras_ni, cas_ni, we_ni} != 3'b111 && now_q < POWER_UP) wrong(TOO_EARLY, ba_i);
      case ({ras_ni, cas_ni, we_ni})
        3'b011: active();
        3'b101: access(1'b0);
        3'b100: access(1'b1);
        3'b010: begin
          quiet();
          if (a_i[10]) begin
            for (int b = 0; b < 4; b++) precharge(2'(b), now_q);
            precharged_q = 1'b1;
          end else precharge(ba_i, now_q);
        end
        3'b001: refresh();
        3'b000: set_mode();
        3'b110: wrong(NO_SUCH_COMMAND, ba_i);
        default: ;
      endcase
    end
    cke_q = cke_i;
  end
  /* verilator lint_on BLKSEQ */

  assign dq_o     = drive_data_q;
  assign drives_o = drive_q ? ~drive_mask_q : '0;

endmodule
