// SPDX-License-Identifier: Apache-2.0
// Results of the matrix unit: a step's words come to their lanes; rows that are complete wait in a
// queue until they are taken.
// Latency: a row is offered two cycles after its last step; the second row of DMMA (its steps
// complete two) one cycle later.
// Handshake: steps come without asking (the unit counts the room that is left, of ROWS in all);
// rows leave by valid/ready.
// It does not carry their tag (mma_unit does).
`include "heddle_assert.svh"

module mma_rows #(
  parameter  int unsigned CYCLES = mma_pkg::CYCLES,
  parameter  int unsigned ROWS   = 16,
  localparam int unsigned LANES  = cfg_pkg::LANES,
  localparam int unsigned SUMS   = 128 / CYCLES
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  // a step
  input  logic                   valid_i,
  input  mma_pkg::token_t        token_i,
  input  logic [SUMS-1:0][31:0]  words_i,
  // a row, or an end alone
  output logic                   valid_o,
  input  logic                   ready_i,
  output logic                   row_o,
  output logic                   last_o,
  output logic [4:0]             beat_o,
  output logic [1:0]             word_o,
  output logic [LANES-1:0][31:0] data_o
);

  localparam int unsigned GROUPS = LANES / SUMS;
  localparam int unsigned PAIRS  = SUMS / 2;

  typedef struct packed {
    logic       row, last;
    logic [2:0] beat;
    logic [1:0] word;
  } head_t;

  logic fp64, halves, full, ends;
  assign fp64   = token_i.ctl.kind == mma_pkg::FP64 && !token_i.none;
  assign halves = token_i.ctl.acc16;
  assign full   = 32'(token_i.place.group) == GROUPS - 1 && (token_i.place.odd || !(fp64 || halves));
  assign ends   = valid_i && (token_i.none || full);

  // ---- Words to their lanes --------------------------------------------------------------------
  logic [LANES-1:0][31:0] row_q, high_q;
  logic [PAIRS-1:0][31:0] late_q;        // high words of DMMA follow a cycle later
  logic                   late_valid_q;
  logic [3:0]             late_group_q;

  always_ff @(posedge clk_i) begin
    if (valid_i && !fp64) begin
      for (int unsigned g = 0; g < GROUPS; g++) begin
        if (32'(token_i.place.group) == g) begin
          for (int unsigned d = 0; d < SUMS; d++) begin
            if (!halves)                row_q[g*SUMS+d]        <= words_i[d];
            else if (token_i.place.odd) row_q[g*SUMS+d][31:16] <= words_i[d][15:0];
            else                        row_q[g*SUMS+d][15:0]  <= words_i[d][15:0];
          end
        end
      end
    end
    if (valid_i && fp64) begin
      for (int unsigned g = 0; g < 2 * GROUPS; g++) begin
        if (32'(mma_pkg::lanes_of_fp64(token_i.place, GROUPS)) == g) begin
          for (int unsigned e = 0; e < PAIRS; e++) row_q[g*PAIRS+e] <= words_i[2*e];
        end
      end
      for (int unsigned e = 0; e < PAIRS; e++) late_q[e] <= words_i[2*e+1];
      late_group_q <= mma_pkg::lanes_of_fp64(token_i.place, GROUPS);
    end
    if (late_valid_q) begin
      for (int unsigned g = 0; g < 2 * GROUPS; g++) begin
        if (32'(late_group_q) == g) begin
          for (int unsigned e = 0; e < PAIRS; e++) high_q[g*PAIRS+e] <= late_q[e];
        end
      end
    end
  end

  // ---- Rows that are complete ------------------------------------------------------------------
  logic  push_q, pair_q, high_push_q, in_ready;
  head_t head_q, head, out;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      push_q       <= 1'b0;
      high_push_q  <= 1'b0;
      late_valid_q <= 1'b0;
    end else begin
      push_q       <= ends;
      high_push_q  <= push_q && pair_q;
      late_valid_q <= valid_i && fp64;
    end
  end

  // DMMA's second row has its head after the first.
  always_ff @(posedge clk_i) begin
    if (ends) begin
      pair_q      <= fp64;
      head_q.row  <= !token_i.none;
      head_q.last <= token_i.last;
      head_q.beat <= token_i.place.beat;
      head_q.word <= fp64 ? {token_i.place.half, 1'b0} : halves ? {1'b0, token_i.place.half} : {token_i.place.half, token_i.place.odd};
    end
  end

  always_comb begin
    head = head_q;
    if (high_push_q) head.word = head_q.word | 2'd1;
    else             head.last = head_q.last && !pair_q;
  end

  logic [$clog2(ROWS+1)-1:0] count;

  fifo #(.WIDTH($bits(head_t) + LANES * 32), .DEPTH(ROWS)) u_rows (
    .clk_i(clk_i), .rst_ni(rst_ni),
    .in_valid_i(push_q || high_push_q), .in_ready_o(in_ready), .in_data_i({head, high_push_q ? high_q : row_q}),
    .out_valid_o(valid_o), .out_ready_i(ready_i), .out_data_o({out, data_o}), .count_o(count));

  assign row_o  = out.row;
  assign last_o = out.last;
  assign beat_o = 5'(out.beat);
  assign word_o = out.word;

  // There is room for what comes; a DMMA row and the one after its fellow never come together.
  `ASSERT_IF(a_room, push_q || high_push_q, in_ready && !(push_q && high_push_q))

  logic unused;
  assign unused = ^{token_i, count};

endmodule
