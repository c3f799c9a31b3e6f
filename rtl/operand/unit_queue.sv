// SPDX-License-Identifier: Apache-2.0
// Instructions whose operands have been read, in front of a unit of varying latency: a queue for the load/store unit, and one for
// the units of the partition, so that none of these waits for memory. COLLECTORS places, each for a row (WORDS words a lane) of
// every beat; an instruction with beats of two or three rows (kind_pkg::last_row) takes as many places.
// Rows are in block RAM (collector), which is written while their words are on the way to the bus, and read while they are on it.
// Latency: a row on the bus in cycle t is offered in t+1 (with its other half where there are two).
// Handshake: rows are events, issue has counted the places (op_leave_o gives them back); op valid/ready, a beat at a time, held
// until taken.
// Instructions leave in the order in which they came. It does not look at what they do (mem_decode, units_decode), nor at
// masks: one with no lane executing passes like any.
`include "heddle_assert.svh"

module unit_queue #(
  parameter int unsigned OP_W  = 1,              // bits of what the unit shall do
  parameter int unsigned ROWS  = 2,              // of a beat, at the most
  parameter int unsigned WORDS = back_pkg::WORDS,   // of a row that count, from word a on
  parameter bit          NEAR  = 1'b0,           // of a beat of one row c may stand where a's second word would (kind_pkg::near_c)
  localparam int unsigned LANES  = cfg_pkg::LANES,
  localparam int unsigned BEATS  = cfg_pkg::BEATS,
  localparam int unsigned PLACES = cfg_pkg::COLLECTORS,
  localparam int unsigned SLOTS  = (ROWS > 2) ? core_pkg::SLOTS : core_pkg::MEM_SLOTS,
  localparam int unsigned DEPTH  = PLACES * BEATS,
  localparam int unsigned WORD_W = LANES * 32
) (
  input  logic                              clk_i,
  input  logic                              rst_ni,
  // from issue: an instruction, before its first row
  input  logic                              is_new_i,
  input  logic [OP_W-1:0]                   is_op_i,
  input  logic [1:0]                        is_last_row_i,   // rows of its beats, less one
  // from dispatch: words on their way to the bus, of a row that comes here
  input  bus_pkg::coming_t                  ds_coming_i,
  input  logic                              ds_here_i,
  // to issue: places that an instruction gives back as it leaves
  output logic [1:0]                        op_leave_o,
  // to and from the unit
  output logic                              op_valid_o,
  input  logic                              op_ready_i,
  output logic [OP_W-1:0]                   op_o,
  output logic [4:0]                        op_beat_o,
  output logic [SLOTS-1:0][LANES-1:0][31:0] op_data_o
);

  // ---- instructions -----------------------------------------------------------------------------------------------
  logic       in_ready, head_valid, leave;
  logic [1:0] last_row;   // of the oldest

  fifo #(
    .WIDTH (OP_W + 2),
    .DEPTH (PLACES)
  ) u_ops (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .in_valid_i  (is_new_i),
    .in_ready_o  (in_ready),
    .in_data_i   ({is_last_row_i, is_op_i}),
    .out_valid_o (head_valid),
    .out_ready_i (leave),
    .out_data_o  ({last_row, op_o}),
    .count_o     ()
  );

  // ---- rows: one is shown until it is taken ---------------------------------------------------------------------
  logic           row_valid, row_take;
  logic           keep;   // a second row has no words a, b that count: those of the first one stay
  logic [1:0]     row_q;  // of the beat, which row is shown
  bus_pkg::line_t line;
  logic [1:0][WORD_W-1:0] row_ab, row_cx;

  assign keep = ROWS == 2 && (row_valid ? !op_valid_o : row_q != '0);

  collector #(.WORDS(WORDS), .DEPTH(DEPTH), .BLOCK(1'b1)) u_rows (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .ds_coming_i (ds_coming_i),
    .ds_here_i   (ds_here_i),
    .op_valid_o  (),
    .op_ready_i  (!row_valid || row_take),
    .keep_i      (keep),
    .op_row_o    (),
    .op_line_o   (line)
  );
  assign row_valid        = line.row.valid;
  assign {row_cx, row_ab} = line.words;   // a word x that does not count is zero

  // ---- beats out of rows ------------------------------------------------------------------------------------------
  logic       taken, last;
  logic [4:0] beat_q;

  assign op_valid_o = row_valid && row_q == last_row;
  assign op_beat_o  = beat_q;
  assign taken      = op_valid_o && op_ready_i;
  assign row_take   = taken || !op_valid_o;
  assign last       = beat_q == 5'(BEATS - 1);
  assign leave      = taken && last;
  assign op_leave_o = !leave ? 2'd0 : last_row + 2'd1;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      row_q  <= '0;
      beat_q <= '0;
    end else begin
      if (row_valid && row_take) row_q <= op_valid_o ? '0 : row_q + 2'd1;
      if (taken) beat_q <= last ? '0 : beat_q + 5'd1;
    end
  end

  // ---- their words: of the first row slots 0 to 3; of a second one words c, x are slots 4, 5 (b's third and fourth, or c), words
  // a, b (of matrices) more of a; of a third one c, x are more of c. Of an instruction of fewer rows the others mean nothing. ----
  logic [1:0][WORD_W-1:0] ab_0, cx_0, ab_1, cx_1;

  if (ROWS == 1) begin : gen_one
    assign {ab_0, cx_0} = {row_ab, row_cx};
    assign {ab_1, cx_1} = '0;
  end else begin : gen_more
    logic [1:0][WORD_W-1:0] cx_0_q;   // kept while a later row is at the output
    always_ff @(posedge clk_i) begin
      if (row_valid && !op_valid_o && row_q == '0) cx_0_q <= row_cx;
    end
    assign cx_0 = (last_row != '0) ? cx_0_q : row_cx;
    if (ROWS == 2) begin : gen_two
      assign {ab_0, ab_1, cx_1} = {row_ab, row_ab, row_cx};
    end else begin : gen_three
      logic [1:0][WORD_W-1:0] ab_0_q, ab_1_q, cx_1_q;
      always_ff @(posedge clk_i) begin
        if (row_valid && !op_valid_o && row_q == '0)  ab_0_q <= row_ab;
        if (row_valid && !op_valid_o && row_q == 2'd1) {ab_1_q, cx_1_q} <= {row_ab, row_cx};
      end
      assign ab_0         = (last_row != '0) ? ab_0_q : row_ab;
      assign {ab_1, cx_1} = last_row[1] ? {ab_1_q, cx_1_q} : {row_ab, row_cx};
    end
  end

  always_comb begin
    op_data_o = '0;
    op_data_o[5:0] = {cx_1, cx_0, ab_0};
    if (NEAR && (ROWS == 1 || last_row == '0)) op_data_o[4] = ab_0[1];
    if (ROWS > 2) op_data_o[SLOTS-1 -: 4] = {row_cx, ab_1};
  end

  if (PLACES < ROWS) begin : gen_check
    $error("unit_queue: an instruction of ROWS rows a beat takes as many places");
  end

  // Issue has counted the places.
  `ASSERT(a_room, !is_new_i || in_ready)
  // A row belongs to an instruction, and there are as many as it says.
  `ASSERT(a_entry, !row_valid || head_valid)
  `ASSERT_IF(a_rows, is_new_i, 32'(is_last_row_i) < ROWS)

  logic unused;
  assign unused = ^{head_valid, ab_1, line};

endmodule
