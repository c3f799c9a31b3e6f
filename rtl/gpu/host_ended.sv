// SPDX-License-Identifier: Apache-2.0
// How launches ended: the number of the last one taken and of the last one ended, and for the last KEPT of these how long they ran
// and how they ended, in block RAM.
// Latency: an end is written in three cycles, in which the cycles stand, and counts in the fourth; what is read comes a cycle after
// rd_en_i.
// Handshake: events. Ends are three cycles apart or more; those that drop_i gives up are written one after the other, and hold_o
// is high meanwhile: no START.
// It does not name the launch that runs: they end in the order in which they were taken.
`include "heddle_assert.svh"

module host_ended #(
  parameter  int unsigned KEPT  = host_regs_pkg::ENDED_KEPT,
  localparam int unsigned KEPT_W = $clog2(KEPT)
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  // from the launch registers, the host, the control unit
  input  logic              taken_i,
  input  logic              drop_i,        // all that have not ended are given up
  input  logic              ended_i,
  input  logic [2:0]        how_i,         // refused, trapped, done
  input  logic [63:0]       cycles_i,
  // from and to the register port
  output logic              hold_o,
  output logic              told_o,        // event: an end can be read
  output logic [31:0]       launches_o,
  output logic [31:0]       ended_o,
  input  logic              rd_en_i,
  input  logic [9:0]        rd_word_i,
  output logic [31:0]       rd_data_o      // 0 for other words
);

  typedef enum logic [1:0] {WR_NONE, WR_LOW, WR_HIGH, WR_HOW} write_e;

  logic [31:0]       launches_q, ended_q, number, data;
  logic              drop_q;      // some are given up
  write_e            write_q, write;
  logic [2:0]        how_q;
  logic              next, is_kept;

  // The low word is written at once, but for those that are given up.
  assign write  = ended_i ? WR_LOW : write_q;
  assign number = ended_q + 32'd1;
  assign next   = drop_q && write == WR_NONE && ended_q != launches_q;
  assign hold_o = drop_q;
  assign told_o = write == WR_HOW;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      launches_q <= '0;
      ended_q    <= '0;
      drop_q     <= 1'b0;
      write_q    <= WR_NONE;
    end else begin
      if (taken_i) launches_q <= launches_q + 32'd1;
      if (told_o)  ended_q    <= number;
      drop_q <= drop_i || (drop_q && (write != WR_NONE || next));
      case (write)
        WR_NONE: write_q <= next ? WR_LOW : WR_NONE;
        WR_LOW:  write_q <= WR_HIGH;
        WR_HIGH: write_q <= WR_HOW;
        default: write_q <= WR_NONE;
      endcase
    end
  end
  always_ff @(posedge clk_i) begin
    if (ended_i)   how_q <= how_i;
    else if (next) how_q <= '0;
  end

  always_comb begin
    case (write)
      WR_LOW:  data = cycles_i[31:0];
      WR_HIGH: data = cycles_i[63:32];
      default: data = {number[23:0], 4'd0, how_q, 1'b0};
    endcase
  end

  // The memory is not cleared, so what was never written reads 0, and so does the fourth word of an entry.
  logic [KEPT-1:0]   there_q;
  logic [9:0]        from;
  logic [KEPT_W-1:0] entry, looked;

  assign entry   = number[KEPT_W-1:0];
  assign from    = rd_word_i - host_regs_pkg::W_ENDED_CYCLES;
  assign looked  = from[KEPT_W+1:2];
  assign is_kept = from < 10'(4 * KEPT) && from[1:0] != 2'd3 && there_q[looked];

  always_ff @(posedge clk_i) begin
    if (!rst_ni)     there_q        <= '0;
    else if (told_o) there_q[entry] <= 1'b1;
  end

  ram_1r1w #(.WIDTH(32), .DEPTH(4 * KEPT), .RACE(1'b1), .ZERO(1'b1)) u_kept (
    .clk_i     (clk_i),
    .wr_en_i   (write != WR_NONE),
    .wr_addr_i ({entry, 2'(write - WR_LOW)}),
    .wr_data_i (data),
    .rd_en_i   (rd_en_i && is_kept),
    .rd_addr_i (from[KEPT_W+1:0]),
    .rd_data_o (rd_data_o)
  );

  assign launches_o = launches_q;
  assign ended_o    = ended_q;

  // Ends keep their distance, and none ends that was not taken.
  `ASSERT(a_apart, !ended_i || write_q == WR_NONE)
  `ASSERT(a_taken, !told_o || ended_q != launches_q)

endmodule
