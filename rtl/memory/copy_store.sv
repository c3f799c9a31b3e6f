// SPDX-License-Identifier: Apache-2.0
// What asynchronous copies have loaded becomes stores to shared memory. Words come row by row from global_results, in the order of
// its turn; a row is put together and enters the pipe of shared memory with its addresses, which lie here by gslot since the
// check. There it is a store that has arrived and has been judged in one cycle: it takes the next place of the queue, behind all
// shared accesses that passed the check before, so those of its warp that are older come first. Its end is that store's.
// Latency: a word a cycle; a row without lanes takes one. Handshake: words valid/ready. From a copy's first word to its last
// row no other shared instruction may begin to arrive (hold_o): places of the queue are judged in the order in which they are taken.
//
// Nothing waits in a circle. A copy's row waits (1) for shared instructions that have begun to arrive, to arrive and be judged:
// their operands are read already, hold_o does not stop their later rows, and judging waits for reports alone, which leave by
// lsu_out; (2) for a place in the queue: the pipe waits for nothing but lsu_out, which takes its rows in turns. Behind this row
// wait results of global loads, and instructions that hold_o stops; neither (1) nor (2) waits for one of them.
//
// It does not look at addresses. Without asynchronous copies in the machine nothing of it is left.
`include "heddle_assert.svh"

module copy_store #(
  localparam int unsigned LANES = cfg_pkg::LSU_LANES,
  localparam int unsigned SHM_W = mem_pkg::SHM_W,
  localparam int unsigned ROW_W = mem_pkg::GROW_W
) (
  input  logic                         clk_i,
  input  logic                         rst_ni,
  // from the check: shared addresses of a row, block's base included
  input  logic                         ck_row_valid_i,  // event
  input  logic [ROW_W-1:0]             ck_row_i,        // gslot * BEATS + beat
  input  logic [LANES-1:0][SHM_W-1:0]  ck_addr_i,
  // from global_results: the row that is read; a cycle later a word of it
  input  logic                         cp_read_i,
  input  logic [ROW_W-1:0]             cp_row_i,
  input  logic                         cp_valid_i,
  output logic                         cp_ready_o,
  input  mem_pkg::copied_t             cp_i,
  input  logic [LANES-1:0][31:0]       cp_data_i,
  // from and to address generation
  input  logic                         ag_take_i,       // event: a row for shared memory is taken,
  input  logic                         ag_last_i,       // its instruction's last
  output logic                         hold_o,          // none may begin
  // from and to the pipe of shared memory
  input  logic                         free_i,          // its queue has a place
  input  logic                         even_i,          // all in it have been judged
  output logic                         put_o,           // event: a row enters
  output mem_pkg::judged_t             put_judged_o,
  output logic [LANES-1:0]             put_lanes_o,
  output logic [LANES-1:0][SHM_W-1:0]  put_addr_o,
  output logic [3:0][LANES-1:0][31:0]  put_data_o,
  output core_pkg::memop_t             put_op_o
);

  logic                        arrives_q, busy_q;   // a shared instruction is arriving; a copy is entering
  logic [2:0][LANES-1:0][31:0] word_q;              // the row's words so far

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      arrives_q <= 1'b0;
      busy_q    <= 1'b0;
    end else begin
      if (ag_take_i) arrives_q <= !ag_last_i;
      if (put_o)     busy_q    <= !cp_i.last;
    end
  end

  assign hold_o     = cfg_pkg::HAS_ASYNC && (cp_valid_i || busy_q);
  assign put_o      = cp_valid_i && cp_i.whole && even_i && free_i && !arrives_q;
  assign cp_ready_o = !cp_i.whole || put_o;

  // ---- addresses, by gslot ----------------------------------------------------------------------------
  ram_apart #(.WIDTH(LANES * SHM_W), .DEPTH(mem_pkg::GROWS), .RACE(1'b1)) u_addr (
    .clk_i     (clk_i),
    .rst_ni    (rst_ni),
    .wr_en_i   (ck_row_valid_i),
    .wr_addr_i (ck_row_i),
    .wr_data_i (ck_addr_i),
    .rd_en_i   (cp_read_i),
    .rd_addr_i (cp_row_i),
    .rd_data_o (put_addr_o)
  );

  // ---- the row ----------------------------------------------------------------------------------------
  always_ff @(posedge clk_i) begin
    if (cp_valid_i && cp_ready_o && cp_i.word != 2'd3) word_q[cp_i.word] <= cp_data_i;
  end

  always_comb begin
    put_data_o = {cp_data_i, word_q};
    if (cp_i.word != 2'd3) put_data_o[cp_i.word] = cp_data_i;
  end

  assign put_judged_o = '{valid: 1'b1, ends: cp_i.last, commit: 1'b1, beat: cp_i.beat};
  assign put_lanes_o  = cp_i.mask;

  always_comb begin
    put_op_o      = '0;
    put_op_o.id   = cp_i.id;
    put_op_o.mem  = isa_pkg::MEM_SHARED_STORE;
    put_op_o.size = cp_i.size;
    put_op_o.rd   = core_pkg::COPY_RD;
    put_op_o.wbar = cp_i.wbar;
  end

  // While a copy enters nothing else does.
  `ASSERT(a_alone, !(ag_take_i && put_o) && !(busy_q && (ag_take_i || !even_i)))
  // Beats come in order, all of them.
  `ASSERT_IF(a_beats, put_o, (cp_i.beat != '0) == busy_q && cp_i.last == (32'(cp_i.beat) == mem_pkg::BEATS - 1))

endmodule
