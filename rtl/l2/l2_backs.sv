// SPDX-License-Identifier: Apache-2.0
// Write-backs: a number for each line from the decision to the acknowledgement, during which the line is not fetched. The burst of its
// rows, from the first to the last dirty one. Failed write-backs.
// Latency: AW and W a cycle after a row was read. A beat a cycle.
// Handshake: back_ is an event, with free_o; a line's rows are events after room_o for all of them; AXI4; BREADY is always 1. lost_ is
// held from the first failed write-back to reset.
// It does not keep a line.
`include "heddle_assert.svh"
`include "heddle_lanes.svh"

module l2_backs (
  input  logic                            clk_i,
  input  logic                            rst_ni,
  // from and to the tags
  input  logic [line_pkg::LINE_W-1:0]     line_i,
  output logic                            backing_o,    // this line is being written back
  output logic                            free_o,
  output logic [l2_pkg::BACK_W-1:0]       back_o,
  input  logic                            back_valid_i,
  input  logic [line_pkg::LINE_W-1:0]     back_line_i,
  input  logic [l2_pkg::ROWS-1:0]         back_rows_i,
  output logic                            some_o,       // some line is
  // from and to the rows
  output logic                            room_o,       // for one more line
  input  logic                            begin_i,      // event: its first row is read,
  input  logic [l2_pkg::BACK_W-1:0]       begin_back_i,
  input  logic                            row_valid_i,  // event: a row
  input  logic                            row_last_i,
  input  logic [l2_pkg::BYTES-1:0]        row_strb_i,
  input  logic [l2_pkg::BITS-1:0]         row_data_i,
  // failed write-backs: the first line
  output logic                            lost_o,
  output logic [line_pkg::LINE_W-1:0]     lost_line_o,
  // AXI4
  output logic                            aw_valid_o,
  input  logic                            aw_ready_i,
  output axi_pkg::burst_t                 aw_o,
  output logic                            w_valid_o,
  input  logic                            w_ready_i,
  output axi_pkg::beat_t                          w_o,
  input  logic                            b_valid_i,
  output logic                            b_ready_o,
  input  axi_pkg::written_t               b_i
);

  localparam int unsigned BACKS  = l2_pkg::BACKS;
  localparam int unsigned BACK_W = l2_pkg::BACK_W;
  localparam int unsigned ROWS   = l2_pkg::ROWS;

  // ---- numbers ----------------------------------------------------------------------------------
  logic [BACKS-1:0]               active_q, free_hot, same;
  logic [line_pkg::LINE_W-1:0]    line_q [BACKS];
  logic [BACK_W-1:0]              bid;

  lowest_one #(.N(BACKS)) u_free (
    .in_i     (~active_q),
    .onehot_o (free_hot),
    .index_o  (back_o),
    .any_o    (free_o)
  );

  always_comb begin
    `LANE_LOOP (int b = 0; b < int'(BACKS); b++) same[b] = line_q[b] == line_i;
  end
  assign backing_o = (same & active_q) != '0;
  assign some_o    = active_q != '0;
  assign bid       = BACK_W'(b_i.id);

  always_ff @(posedge clk_i) begin
    if (back_valid_i) line_q[back_o] <= back_line_i;
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      active_q <= '0;
    end else begin
      active_q <= (active_q | (back_valid_i ? free_hot : '0)) & ~(b_valid_i ? BACKS'(1) << bid : '0);
    end
  end

  // ---- failed write-backs -------------------------------------------------------------------------
  always_ff @(posedge clk_i) begin
    if (!rst_ni)                                      lost_o <= 1'b0;
    else if (b_valid_i && b_i.resp != '0)             lost_o <= 1'b1;
  end
  always_ff @(posedge clk_i) begin
    if (b_valid_i && !lost_o) lost_line_o <= line_q[bid];
  end

  // ---- bursts -----------------------------------------------------------------------------------
  typedef struct packed {
    logic [l2_pkg::ROW_W-1:0]     first;
    logic [l2_pkg::ROW_W-1:0]     more;
  } span_t;

  logic [BACK_W-1:0]              aw;
  span_t                          span;
  logic [1:0]                     ready;

  ram_async #(.WIDTH($bits(span_t)), .DEPTH(BACKS)) u_span (
    .clk_i     (clk_i),
    .wr_en_i   (back_valid_i),
    .wr_addr_i (back_o),
    .wr_data_i ({l2_pkg::first_row(back_rows_i), l2_pkg::ROW_W'(l2_pkg::last_row(back_rows_i) - l2_pkg::first_row(back_rows_i))}),
    .rd_addr_i (aw),
    .rd_data_o (span)
  );
  fifo #(.WIDTH(BACK_W), .DEPTH(BACKS)) u_aw (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .in_valid_i  (begin_i),
    .in_ready_o  (ready[0]),
    .in_data_i   (begin_back_i),
    .out_valid_o (aw_valid_o),
    .out_ready_i (aw_ready_i),
    .out_data_o  (aw),
    .count_o     ()
  );
  fifo #(.WIDTH($bits(axi_pkg::beat_t)), .DEPTH(2 * ROWS)) u_w (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .in_valid_i  (row_valid_i),
    .in_ready_o  (ready[1]),
    .in_data_i   ({row_data_i, row_strb_i, row_last_i}),
    .out_valid_o (w_valid_o),
    .out_ready_i (w_ready_i),
    .out_data_o  (w_o),
    .count_o     ()
  );

  assign aw_o      = axi_pkg::burst_of(l2_pkg::AXI_ID_W'(aw), {line_q[aw], 7'd0} | (40'(span.first) << $clog2(l2_pkg::BYTES)),
    8'(span.more));
  assign b_ready_o = 1'b1;

  // Room for the rows of two lines.
  logic [1:0] lines_q;
  logic       taken;
  assign room_o = lines_q != 2'd2;
  assign taken  = w_valid_o && w_ready_i && w_o.last;
  always_ff @(posedge clk_i) begin
    if (!rst_ni)               lines_q <= '0;
    else if (begin_i != taken) lines_q <= begin_i ? lines_q + 2'd1 : lines_q - 2'd1;
  end

  logic [BACKS-1:0] same_line;    // the line that begins is among them
  always_comb begin
    for (int b = 0; b < int'(BACKS); b++) same_line[b] = line_q[b] == back_line_i;
  end

  // Answers have the numbers of lines on their way.
  `ASSUME_IF(a_bid, b_valid_i, active_q[bid] && 32'(b_i.id) < BACKS)
  `ASSERT_IF(a_free, back_valid_i, free_o)
  // A line has one write-back at a time.
  `ASSERT_IF(a_once, back_valid_i, !(|(active_q & same_line)))
  `ASSERT(a_room, (ready | ~{row_valid_i, begin_i}) == '1)

endmodule
