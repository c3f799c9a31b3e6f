// SPDX-License-Identifier: Apache-2.0
// The pipe of shared memory: its queue, which rows of instructions enter as they arrive and as they are judged, rows of asynchronous
// copies as both at once, and shared memory, a word of a lane at a time or a beat of lanes.
// The queue (lsu_queue) holds operations; addresses and data lie beside it, as shared memory reads them.
// A generic instruction may have lanes in global memory, too. Then its part here ends first, and without an end: the pipe of global
// memory gets an event (peer_), and carries it. A queue has the gslots of these, since shared memory keeps its order.
// Loaded words of copies become stores. Words come row by row from global_results, in their turns; a row is put together and enters
// with its addresses, which lie here by gslot since the check. It takes the next place of the queue, behind all shared accesses that
// passed the check before, so those of its warp that are older come first. Its end is that store's. From a copy's first word to its
// last row no other shared instruction may begin to arrive: places of the queue are judged in the order in which they are taken.
//
// Nothing waits in a circle. A copy's row waits (1) for shared instructions that have begun to arrive, to arrive and be judged:
// their operands are read already, hold does not stop their later rows, and judging waits for reports alone, which leave by
// lsu_out; (2) for a place in the queue: the pipe waits for nothing but lsu_out, which takes its rows in turns. Behind this row
// wait results of global loads, and instructions that hold stops; neither (1) nor (2) waits for one of them.
//
// Latency: a word of a copy a cycle, a row without lanes one; the rest is shared_parallel's, shared_serial's. Handshake: events in, room_o for what address generation offers; results valid/ready.
// In order, also among warps. It does not check addresses.
`include "heddle_assert.svh"
`include "heddle_idle.svh"

module lsu_shared #(
  localparam int unsigned LANES   = cfg_pkg::LSU_LANES,
  localparam int unsigned SHM_W   = mem_pkg::SHM_W,
  localparam int unsigned GSLOT_W = mem_pkg::GSLOT_W
) (
  input  logic                               clk_i,
  input  logic                               rst_ni,
  input  core_pkg::wipe_t                    wipe_i,
  // from and to address generation
  output logic                               room_o,         // for the beat that is offered
  input  logic                               ag_first_i,     // of what is offered
  input  logic                               ag_valid_i,     // event: it is taken
  input  logic                               ag_last_i,
  input  logic                               ag_write_i,     // it has data
  input  logic [mem_pkg::BEAT_W-1:0]         ag_beat_i,
  input  logic [3:0][LANES-1:0][31:0]        ag_data_i,
  // from the check
  input  mem_pkg::judged_t                   ck_i,
  input  core_pkg::memop_t                   ck_op_i,
  input  logic [LANES-1:0]                   ck_lanes_i,
  input  logic [LANES-1:0][SHM_W-1:0]        ck_addr_i,      // byte address, block's base included; of a copy, too
  input  logic [GSLOT_W-1:0]                 ck_slot_i,      // of an instruction that is in the pipe of global memory, too
  // from and to the pipe of global memory: copies; a part here has ended
  input  logic                               ck_copy_i,      // event: addresses of a copy's row
  input  logic [mem_pkg::GROW_W-1:0]         ck_copy_row_i,
  input  logic                               cp_read_i,
  input  logic [mem_pkg::GROW_W-1:0]         cp_row_i,
  input  logic                               cp_valid_i,
  output logic                               cp_ready_o,
  input  mem_pkg::copied_t                   cp_i,
  input  logic [LANES-1:0][31:0]             cp_data_i,
  output logic                               peer_valid_o,   // event
  output logic [GSLOT_W-1:0]                 peer_slot_o,
  // to the end of the unit
  output logic                               res_valid_o,
  input  logic                               res_ready_i,
  output mem_pkg::result_t                   res_o,
  output logic [LANES-1:0][31:0]             res_data_o,
  output mem_pkg::bytes_t                    res_bytes_o,
  // retire port
  output logic                               ret_shared_valid_o,
  output retire_pkg::shared_t                ret_shared_o
);

  // ---- rows of copies: each is put together, and enters as one that has arrived and been judged at once -----
  logic                          room, free, even, hold, put, pop;
  logic                          ag_valid, ag_write, ag_last;
  mem_pkg::judged_t              put_judged, ck;
  logic [LANES-1:0]              put_lanes, lanes;
  logic [LANES-1:0][SHM_W-1:0]   put_addr, addr;
  logic [3:0][LANES-1:0][31:0]   put_data, data;
  core_pkg::memop_t              put_op, op, head_op;
  logic [mem_pkg::BEAT_W-1:0]    ag_beat, gone;
  logic [mem_pkg::QROW_W-1:0]    ag_row, ck_row;
  logic                          arrives_q, busy_q;         // a shared instruction is arriving; a copy is entering
  logic [2:0][LANES-1:0][31:0]   word_q;                    // the row's words so far

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      arrives_q <= 1'b0;
      busy_q    <= 1'b0;
    end else begin
      if (ag_valid_i) arrives_q <= !ag_last_i;
      if (put)        busy_q    <= !cp_i.last;
    end
  end

  assign hold       = cfg_pkg::HAS_ASYNC && (cp_valid_i || busy_q);
  assign put        = cp_valid_i && cp_i.whole && even && free && !arrives_q;
  assign cp_ready_o = !cp_i.whole || put;

  // Addresses, by gslot.
  ram_apart #(.WIDTH(LANES * SHM_W), .DEPTH(mem_pkg::GROWS), .RACE(1'b1)) u_addr (
    .clk_i     (clk_i),
    .rst_ni    (rst_ni),
    .wr_en_i   (ck_copy_i),
    .wr_addr_i (ck_copy_row_i),
    .wr_data_i (ck_addr_i),
    .rd_en_i   (cp_read_i),
    .rd_addr_i (cp_row_i),
    .rd_data_o (put_addr)
  );

  // The row.
  always_ff @(posedge clk_i) begin
    if (cp_valid_i && cp_ready_o && cp_i.word != 2'd3) word_q[cp_i.word] <= cp_data_i;
  end

  always_comb begin
    put_data = {cp_data_i, word_q};
    if (cp_i.word != 2'd3) put_data[cp_i.word] = cp_data_i;
  end

  assign put_judged = '{valid: 1'b1, ends: cp_i.last, commit: 1'b1, beat: cp_i.beat};
  assign put_lanes  = cp_i.mask;

  always_comb begin
    put_op      = '0;
    put_op.id   = cp_i.id;
    put_op.mem  = isa_pkg::MEM_SHARED_STORE;
    put_op.size = cp_i.size;
    put_op.rd   = core_pkg::COPY_RD;
    put_op.wbar = cp_i.wbar;
  end

  // While a copy enters nothing else does.
  `ASSERT(a_alone, !(ag_valid_i && put) && !(busy_q && (ag_valid_i || !even)))
  // Beats come in order, all of them.
  `ASSERT_IF(a_beats, put, (cp_i.beat != '0) == busy_q && cp_i.last == (32'(cp_i.beat) == mem_pkg::BEATS - 1))

  // ---- what enters ----------------------------------------------------------------------------------
  assign room_o   = room && !(hold && ag_first_i);
  assign ag_valid = put || ag_valid_i;
  assign ag_write = ag_valid && (put || ag_write_i);
  assign ag_last  = put ? put_judged.ends : ag_last_i;
  assign ag_beat  = put ? put_judged.beat : ag_beat_i;
  assign data     = put ? put_data : ag_data_i;
  assign ck       = put ? put_judged : ck_i;
  assign op       = put ? put_op : ck_op_i;
  assign lanes    = put ? put_lanes : ck_lanes_i;
  assign addr     = put ? put_addr : ck_addr_i;

  lsu_queue u_queue (
    .clk_i          (clk_i),
    .rst_ni         (rst_ni),
    .room_o         (room),
    .ag_row_valid_i (ag_valid),
    .ag_last_i      (ag_last),
    .ag_beat_i      (ag_beat),
    .ag_row_o       (ag_row),
    .free_o         (free),
    .even_o         (even),
    .ck_end_i       (ck.ends),
    .ck_commit_i    (ck.commit),
    .ck_op_i        (op),
    .ck_beat_i      (ck.beat),
    .ck_row_o       (ck_row),
    .head_valid_o   (),
    .head_op_o      (head_op),
    .head_place_o   (),
    .freed_i        (pop || ag_beat < gone),
    .pop_i          (pop)
  );

  // ---- shared memory: both have the same ports ----------------------------------------------------------
  logic                          valid, ready, pair;
  mem_pkg::result_t              row;

  if (cfg_pkg::SHARED_LANES == 1) begin : gen_serial
    shared_serial u_shared (
      .clk_i              (clk_i),
      .rst_ni             (rst_ni),
      .wipe_i             (wipe_i),
      .ag_row_valid_i     (ag_write),
      .ag_row_i           (ag_row),
      .ag_data_i          (data),
      .ck_i               (ck),
      .ck_op_i            (op),
      .ck_row_i           (ck_row),
      .ck_lanes_i         (lanes),
      .ck_addr_i          (addr),
      .head_op_i          (head_op),
      .gone_o             (gone),
      .pop_o              (pop),
      .res_valid_o        (valid),
      .res_ready_i        (ready),
      .res_o              (row),
      .res_pair_o         (pair),
      .res_data_o         (res_data_o),
      .res_bytes_o        (res_bytes_o),
      .ret_shared_valid_o (ret_shared_valid_o),
      .ret_shared_o       (ret_shared_o)
    );
  end else begin : gen_parallel
    shared_parallel u_shared (
      .clk_i              (clk_i),
      .rst_ni             (rst_ni),
      .wipe_i             (wipe_i),
      .ag_row_valid_i     (ag_write),
      .ag_row_i           (ag_row),
      .ag_data_i          (data),
      .ck_i               (ck),
      .ck_op_i            (op),
      .ck_row_i           (ck_row),
      .ck_lanes_i         (lanes),
      .ck_addr_i          (addr),
      .head_op_i          (head_op),
      .gone_o             (gone),
      .pop_o              (pop),
      .res_valid_o        (valid),
      .res_ready_i        (ready),
      .res_o              (row),
      .res_pair_o         (pair),
      .res_data_o         (res_data_o),
      .res_bytes_o        (res_bytes_o),
      .ret_shared_valid_o (ret_shared_valid_o),
      .ret_shared_o       (ret_shared_o)
    );
  end

  // ---- results: the end of a part says so to the other one -------------------------------------------------
  logic                          joins;

  always_comb begin
    res_o = 'x;
    if (`HEDDLE_LIVE(res_valid_o)) begin
      res_o      = row;
      res_o.last = row.last && !pair;
    end
  end

  assign joins        = valid && row.last && pair;
  assign res_valid_o  = valid && !(joins && !row.row_en);
  assign ready        = res_ready_i || (joins && !row.row_en);
  assign peer_valid_o = joins && ready;

  fifo #(.WIDTH(GSLOT_W), .DEPTH(mem_pkg::GSLOTS)) u_pairs (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .in_valid_i  (ck_i.ends && ck_op_i.pair),
    .in_ready_o  (),
    .in_data_i   (ck_slot_i),
    .out_valid_o (),
    .out_ready_i (peer_valid_o),
    .out_data_o  (peer_slot_o),
    .count_o     ()
  );

endmodule
