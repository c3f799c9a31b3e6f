// SPDX-License-Identifier: Apache-2.0
// Queue of the memory instructions of one space: holds each operation, and numbers the rows of addresses and data that its user
// keeps beside it (place * BEATS + beat). An instruction takes its place with its first beat, is judged with its last, and one
// that the check ends gives its place back when it comes to the head.
// Latency: an instruction that the check lets on is at the head one cycle later.
// Handshake: room_o = room for the beat that is offered; in a full queue there is some where that beat takes the row of one of
// the head's that has been read (freed_i). pop_i removes the head. Everything else is events.
// A copy's rows arrive and are judged in one cycle (lsu_shared), while even_o and free_o.
// It does not reorder, and does not hold addresses or data: rows of loads have no data, and each space reads in its own way.
`include "heddle_assert.svh"

module lsu_queue #(
  localparam int unsigned DEPTH  = mem_pkg::QUEUE_DEPTH,
  localparam int unsigned PTR_W  = $clog2(DEPTH),
  localparam int unsigned ROW_W  = mem_pkg::QROW_W,
  localparam int unsigned BEAT_W = mem_pkg::BEAT_W
) (
  input  logic               clk_i,
  input  logic               rst_ni,
  // from address generation
  output logic               room_o,
  input  logic               ag_row_valid_i,   // event
  input  logic               ag_last_i,
  input  logic [BEAT_W-1:0]  ag_beat_i,
  output logic [ROW_W-1:0]   ag_row_o,         // where the data of this beat goes
  // to copies that are put in here: a place is free; nothing has arrived and not been judged
  output logic               free_o,
  output logic               even_o,
  // from the check
  input  logic               ck_end_i,         // event, with the last row
  input  logic               ck_commit_i,      // else the check has ended it
  input  core_pkg::memop_t   ck_op_i,
  input  logic [BEAT_W-1:0]  ck_beat_i,
  output logic [ROW_W-1:0]   ck_row_o,         // where the addresses of this beat go
  // to the pipe of this space
  output logic               head_valid_o,
  output core_pkg::memop_t   head_op_o,
  output logic [PTR_W-1:0]   head_place_o,     // places are taken in turns, from 0 on
  input  logic               freed_i,          // the head's row of number ag_beat_i has been read, or is now
  input  logic               pop_i
);

  localparam int unsigned BEATS   = mem_pkg::BEATS;
  localparam int unsigned COUNT_W = $clog2(DEPTH + 1);

  logic [PTR_W-1:0]   ag_q, ck_q, rd_q;           // what arrives, what is judged, what is at the head
  logic [COUNT_W-1:0] held_q, judged_q;
  logic [DEPTH-1:0]   dead_q;                     // ended by the check
  logic               ag_end, leave;

  assign room_o       = held_q != COUNT_W'(DEPTH) || freed_i;
  assign free_o       = held_q != COUNT_W'(DEPTH);
  assign even_o       = held_q == judged_q;
  assign head_valid_o = judged_q != '0 && !dead_q[rd_q];
  assign head_place_o = rd_q;
  assign ag_row_o     = ROW_W'(32'(ag_q) * BEATS + 32'(ag_beat_i));
  assign ck_row_o     = ROW_W'(32'(ck_q) * BEATS + 32'(ck_beat_i));
  assign ag_end       = ag_row_valid_i && ag_last_i;
  assign leave        = pop_i || (judged_q != '0 && dead_q[rd_q]);

  ram_async #(
    .WIDTH ($bits(core_pkg::memop_t)),
    .DEPTH (DEPTH)
  ) u_op (
    .clk_i     (clk_i),
    .wr_en_i   (ck_end_i),
    .wr_addr_i (ck_q),
    .wr_data_i (ck_op_i),
    .rd_addr_i (rd_q),
    .rd_data_o (head_op_o)
  );

  always_ff @(posedge clk_i) begin
    if (ck_end_i) dead_q[ck_q] <= !ck_commit_i;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      ag_q     <= '0;
      ck_q     <= '0;
      rd_q     <= '0;
      held_q   <= '0;
      judged_q <= '0;
    end else begin
      if (ag_end)   ag_q <= (ag_q == PTR_W'(DEPTH - 1)) ? '0 : ag_q + 1'b1;
      if (ck_end_i) ck_q <= (ck_q == PTR_W'(DEPTH - 1)) ? '0 : ck_q + 1'b1;
      if (leave)    rd_q <= (rd_q == PTR_W'(DEPTH - 1)) ? '0 : rd_q + 1'b1;
      if (ag_end && !leave)        held_q <= held_q + 1'b1;
      else if (leave && !ag_end)   held_q <= held_q - 1'b1;
      if (ck_end_i && !leave)      judged_q <= judged_q + 1'b1;
      else if (leave && !ck_end_i) judged_q <= judged_q - 1'b1;
    end
  end

  // Nothing arrives where there is no room, nothing leaves an empty one, and only what has arrived is
  // judged.
  `ASSERT(a_room, !ag_row_valid_i || room_o)
  `ASSERT(a_head, !pop_i || head_valid_o)
  `ASSERT(a_judged, judged_q <= held_q)

endmodule
