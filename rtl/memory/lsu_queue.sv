// SPDX-License-Identifier: Apache-2.0
// Queue of memory instructions of one space: an operation and its BEATS rows of addresses and data.
// Rows of loads have no data. Latency: a committed instruction is at the head one cycle later; the row of rd_beat_i is read in the same cycle.
// Handshake: in_ready_o = room for a whole instruction; rows are written in any cycle before or with in_commit_i (rows of
// an instruction that is never committed are overwritten). pop_i removes the head.
// It does not reorder.
`default_nettype none
`include "heddle_assert.svh"

module lsu_queue #(
  parameter int unsigned ADDR_BITS = 32,     // of a row
  parameter int unsigned DEPTH     = mem_pkg::QUEUE_DEPTH
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,
  // from the check
  output logic                        in_ready_o,
  input  logic                        in_row_valid_i,
  input  logic                        in_commit_i,
  input  core_pkg::memop_t            in_op_i,
  input  logic [mem_pkg::BEAT_W-1:0]  in_beat_i,
  input  logic [ADDR_BITS-1:0]        in_addr_i,
  input  logic [3:0][cfg_pkg::LANES-1:0][31:0] in_data_i,
  // to the pipe of this space
  output logic                        head_valid_o,
  output core_pkg::memop_t            head_op_o,
  input  logic [mem_pkg::BEAT_W-1:0]  rd_beat_i,
  output logic [ADDR_BITS-1:0]        rd_addr_o,
  output logic [3:0][cfg_pkg::LANES-1:0][31:0] rd_data_o,
  input  logic                        pop_i
);

  localparam int unsigned BEATS   = mem_pkg::BEATS;
  localparam int unsigned PTR_W   = $clog2(DEPTH);
  localparam int unsigned ADDR_W  = $clog2(DEPTH * BEATS);
  localparam int unsigned COUNT_W = $clog2(DEPTH + 1);

  logic [PTR_W-1:0]   wr_q, rd_q;
  logic [ADDR_W-1:0]  wr_row, rd_row;
  logic [COUNT_W-1:0] count_q;

  assign in_ready_o   = count_q != COUNT_W'(DEPTH);
  assign head_valid_o = count_q != '0;

  ram_async #(
    .WIDTH ($bits(core_pkg::memop_t)),
    .DEPTH (DEPTH)
  ) u_op (
    .clk_i     (clk_i),
    .wr_en_i   (in_commit_i),
    .wr_addr_i (wr_q),
    .wr_data_i (in_op_i),
    .rd_addr_i (rd_q),
    .rd_data_o (head_op_o)
  );

  assign wr_row = ADDR_W'(32'(wr_q) * BEATS + 32'(in_beat_i));
  assign rd_row = ADDR_W'(32'(rd_q) * BEATS + 32'(rd_beat_i));

  ram_async #(
    .WIDTH (ADDR_BITS),
    .DEPTH (DEPTH * BEATS)
  ) u_addr (
    .clk_i     (clk_i),
    .wr_en_i   (in_row_valid_i),
    .wr_addr_i (wr_row),
    .wr_data_i (in_addr_i),
    .rd_addr_i (rd_row),
    .rd_data_o (rd_addr_o)
  );

  ram_async #(
    .WIDTH (128 * cfg_pkg::LANES),
    .DEPTH (DEPTH * BEATS)
  ) u_data (
    .clk_i     (clk_i),
    .wr_en_i   (in_row_valid_i && (mem_pkg::is_store(in_op_i.mem) || mem_pkg::is_atom(in_op_i.mem))),
    .wr_addr_i (wr_row),
    .wr_data_i (in_data_i),
    .rd_addr_i (rd_row),
    .rd_data_o (rd_data_o)
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      wr_q    <= '0;
      rd_q    <= '0;
      count_q <= '0;
    end else begin
      if (in_commit_i) wr_q <= (wr_q == PTR_W'(DEPTH - 1)) ? '0 : wr_q + 1'b1;
      if (pop_i)       rd_q <= (rd_q == PTR_W'(DEPTH - 1)) ? '0 : rd_q + 1'b1;
      if (in_commit_i && !pop_i)      count_q <= count_q + 1'b1;
      else if (pop_i && !in_commit_i) count_q <= count_q - 1'b1;
    end
  end

  // Nothing is committed into a full queue, nothing leaves an empty one.
  `ASSERT(a_room, !in_commit_i || in_ready_o)
  `ASSERT(a_head, !pop_i || head_valid_o)

endmodule

`default_nettype wire
