// SPDX-License-Identifier: Apache-2.0
// Queue of memory instructions of one space: an operation and its BEATS rows of addresses and
// data. Rows of loads have no data. Latency: an instruction that the check lets on is at the head
// one cycle later; addresses and data lie in block RAM, and stand from one cycle after they were asked for until the next row is:
// with EARLY by their row, by a pipe that plans ahead of the head, else by the beat of the head. Without EARLY most of the operation
// stands with them: who it is, size and bank, but not its lanes and registers, which are there with head_valid_o.
// Handshake: in_ready_o = room for the beat that is offered. In a full queue these are, with EARLY, the rows that
// the pipe has read of the head: those of beats below gone_i, all with pop_i. An instruction's data come as address
// generation takes its beats, its addresses as the check judges them; one that the check ends gives
// its place back when it comes to the head. pop_i removes the head.
// It does not reorder.
`default_nettype none
`include "heddle_assert.svh"

module lsu_queue #(
  parameter int unsigned ADDR_BITS = 32,     // of a row
  parameter bit          EARLY     = 1'b1,   // rows are asked for ahead of the head; pop_i and gone_i come from registers
  parameter bit          WORDS     = 1'b0,   // EARLY: of a row the address of one lane is read, and one word of its data
  localparam int unsigned DEPTH    = mem_pkg::QUEUE_DEPTH,
  localparam int unsigned LANES    = cfg_pkg::LSU_LANES,
  localparam int unsigned ADDR_OUT = WORDS ? ADDR_BITS / LANES : ADDR_BITS,
  localparam int unsigned DATA_OUT = WORDS ? 32 : 128 * LANES
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,
  // from address generation
  output logic                        in_ready_o,
  input  logic                        ag_row_valid_i,   // event
  input  logic                        ag_write_i,       // the row has data
  input  logic                        ag_last_i,
  input  logic [mem_pkg::BEAT_W-1:0]  ag_beat_i,
  input  logic [3:0][cfg_pkg::LSU_LANES-1:0][31:0] ag_data_i,
  // from the check
  input  logic                        ck_row_valid_i,   // event
  input  logic                        ck_end_i,         // event, with the last row
  input  logic                        ck_commit_i,
  input  core_pkg::memop_t            ck_op_i,
  input  logic [mem_pkg::BEAT_W-1:0]  ck_beat_i,
  input  logic [ADDR_BITS-1:0]        ck_addr_i,
  // to the pipe of this space
  output logic                        head_valid_o,
  output core_pkg::memop_t            head_op_o,
  input  logic                        rd_next_i,        // event: this row in the next cycle
  input  logic [mem_pkg::QROW_W-1:0]  rd_next_row_i,    // EARLY: place * BEATS + beat; places are taken in turns, from 0 on
  input  logic [mem_pkg::BEAT_W-1:0]  rd_next_beat_i,   // else: of the head
  input  logic [$clog2(LANES)-1:0]    rd_next_lane_i,   // WORDS
  input  logic [1:0]                  rd_next_word_i,
  output logic [ADDR_OUT-1:0]         rd_addr_o,
  output logic [DATA_OUT-1:0]         rd_data_o,        // [3:0][LANES-1:0][31:0]
  input  logic [mem_pkg::BEAT_W-1:0]  gone_i,           // beats of the head read, or now (0 when pop_i)
  input  logic                        pop_i
);

  localparam int unsigned BEATS   = mem_pkg::BEATS;
  localparam int unsigned PTR_W   = $clog2(DEPTH);
  localparam int unsigned ADDR_W  = mem_pkg::QROW_W;
  localparam int unsigned COUNT_W = $clog2(DEPTH + 1);

  logic [PTR_W-1:0]   ag_q, ck_q, rd_q;           // who arrives, who is judged, who is at the head
  logic [ADDR_W-1:0]  rd_row;
  logic [COUNT_W-1:0] held_q, judged_q;
  logic [DEPTH-1:0]   dead_q;                     // ended by the check
  logic               ag_end, leave;

  assign in_ready_o   = held_q != COUNT_W'(DEPTH) || (EARLY && (pop_i || ag_beat_i < gone_i));
  assign head_valid_o = judged_q != '0 && !dead_q[rd_q];
  assign ag_end       = ag_row_valid_i && ag_last_i;
  assign leave        = pop_i || (judged_q != '0 && dead_q[rd_q]);
  assign rd_row       = EARLY ? rd_next_row_i : ADDR_W'(32'(rd_q) * BEATS + 32'(rd_next_beat_i));

  core_pkg::memop_t  head;
  logic [ADDR_W-1:0] ck_row;

  assign ck_row = ADDR_W'(32'(ck_q) * BEATS + 32'(ck_beat_i));

  ram_async #(
    .WIDTH ($bits(core_pkg::memop_t)),
    .DEPTH (DEPTH)
  ) u_op (
    .clk_i     (clk_i),
    .wr_en_i   (ck_end_i),
    .wr_addr_i (ck_q),
    .wr_data_i (ck_op_i),
    .rd_addr_i (rd_q),
    .rd_data_o (head)
  );

  if (WORDS) begin : gen_words
    assign head_op_o = head;

    ram_unpack #(
      .WIDTH (ADDR_OUT),
      .WORDS (LANES),
      .DEPTH (DEPTH * BEATS)
    ) u_addr (
      .clk_i     (clk_i),
      .rst_ni    (rst_ni),
      .wr_en_i   (ck_row_valid_i),
      .wr_addr_i (ck_row),
      .wr_data_i (ck_addr_i),
      .rd_en_i   (rd_next_i),
      .rd_addr_i (rd_row),
      .rd_word_i (rd_next_lane_i),
      .rd_data_o (rd_addr_o)
    );
  end else if (EARLY) begin : gen_now
    assign head_op_o = head;

    ram_apart #(
      .WIDTH (ADDR_BITS),
      .DEPTH (DEPTH * BEATS)
    ) u_addr (
      .clk_i     (clk_i),
      .rst_ni    (rst_ni),
      .wr_en_i   (ck_row_valid_i),
      .wr_addr_i (ck_row),
      .wr_data_i (ck_addr_i),
      .rd_en_i   (rd_next_i),
      .rd_addr_i (rd_row),
      .rd_data_o (rd_addr_o)
    );
  end else begin : gen_asked
    core_pkg::id_t id;
    logic [31:0]   pc;
    logic [1:0]    cbank;
    logic [2:0]    size;

    // With each row of addresses: of bits that block RAM has beside them.
    ram_apart #(
      .WIDTH (ADDR_BITS + $bits(core_pkg::id_t) + 37),
      .DEPTH (DEPTH * BEATS)
    ) u_addr (
      .clk_i     (clk_i),
      .rst_ni    (rst_ni),
      .wr_en_i   (ck_row_valid_i),
      .wr_addr_i (ck_row),
      .wr_data_i ({ck_addr_i, ck_op_i.id, ck_op_i.pc, ck_op_i.cbank[1:0], ck_op_i.size}),
      .rd_en_i   (rd_next_i),
      .rd_addr_i (rd_row),
      .rd_data_o ({rd_addr_o, id, pc, cbank, size})
    );

    always_comb begin
      head_op_o       = head;
      head_op_o.id    = id;
      head_op_o.pc    = pc;
      head_op_o.cbank = 5'(cbank);
      head_op_o.size  = size;
    end
  end

  if (WORDS) begin : gen_word
    ram_unpack #(
      .WIDTH (32),
      .WORDS (4 * LANES),
      .DEPTH (DEPTH * BEATS)
    ) u_data (
      .clk_i     (clk_i),
      .rst_ni    (rst_ni),
      .wr_en_i   (ag_row_valid_i && ag_write_i),
      .wr_addr_i (ADDR_W'(32'(ag_q) * BEATS + 32'(ag_beat_i))),
      .wr_data_i (ag_data_i),
      .rd_en_i   (rd_next_i),
      .rd_addr_i (rd_row),
      .rd_word_i ({rd_next_word_i, rd_next_lane_i}),
      .rd_data_o (rd_data_o)
    );
  end else begin : gen_row
    ram_apart #(
      .WIDTH (128 * LANES),
      .DEPTH (DEPTH * BEATS)
    ) u_data (
      .clk_i     (clk_i),
      .rst_ni    (rst_ni),
      .wr_en_i   (ag_row_valid_i && ag_write_i),
      .wr_addr_i (ADDR_W'(32'(ag_q) * BEATS + 32'(ag_beat_i))),
      .wr_data_i (ag_data_i),
      .rd_en_i   (rd_next_i),
      .rd_addr_i (rd_row),
      .rd_data_o (rd_data_o)
    );

    logic unused;
    assign unused = ^{rd_next_lane_i, rd_next_word_i};
  end

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
  `ASSERT(a_room, !ag_row_valid_i || in_ready_o)
  `ASSERT(a_head, !pop_i || head_valid_o)
  `ASSERT(a_judged, judged_q <= held_q)

endmodule

`default_nettype wire
