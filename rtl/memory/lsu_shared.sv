// SPDX-License-Identifier: Apache-2.0
// The pipe of shared memory: its queue, which rows of instructions enter as they arrive and as they are judged, rows of asynchronous
// copies as both at once (copy_store), and shared memory, a word of a lane at a time or a beat of lanes.
// The queue (lsu_queue) holds operations; addresses and data lie beside it, as shared memory reads them.
// A generic instruction may have lanes in global memory, too. Then its part here ends first, and without an end: the pipe of global
// memory is told (peer_), and carries it. Whose end is awaited stands in a queue, since shared memory keeps its order.
// Latency: that of shared_parallel, shared_serial. Handshake: events in, room_o for what address generation offers; results valid/ready.
// In order, also among warps. It does not check addresses.
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
  // to and from the adder of floats, where there is one
  output atom_pkg::add_req_t                 add_req_o,
  input  logic                               add_done_i,
  input  logic [63:0]                        add_sum_i,
  // retire port
  output logic                               ret_shared_valid_o,
  output retire_pkg::shared_t                ret_shared_o
);

  // ---- what enters ----------------------------------------------------------------------------------
  logic                          room, free, even, hold, put, pop;
  logic                          ag_valid, ag_write, ag_last;
  mem_pkg::judged_t              put_judged, ck;
  logic [LANES-1:0]              put_lanes, lanes;
  logic [LANES-1:0][SHM_W-1:0]   put_addr, addr;
  logic [3:0][LANES-1:0][31:0]   put_data, data;
  core_pkg::memop_t              put_op, op, head_op;
  logic [mem_pkg::BEAT_W-1:0]    ag_beat, gone;
  logic [mem_pkg::QROW_W-1:0]    ag_row, ck_row;

  copy_store u_copy_store (
    .clk_i          (clk_i),
    .rst_ni         (rst_ni),
    .ck_row_valid_i (ck_copy_i),
    .ck_row_i       (ck_copy_row_i),
    .ck_addr_i      (ck_addr_i),
    .cp_read_i      (cp_read_i),
    .cp_row_i       (cp_row_i),
    .cp_valid_i     (cp_valid_i),
    .cp_ready_o     (cp_ready_o),
    .cp_i           (cp_i),
    .cp_data_i      (cp_data_i),
    .ag_take_i      (ag_valid_i),
    .ag_last_i      (ag_last_i),
    .hold_o         (hold),
    .free_i         (free),
    .even_i         (even),
    .put_o          (put),
    .put_judged_o   (put_judged),
    .put_lanes_o    (put_lanes),
    .put_addr_o     (put_addr),
    .put_data_o     (put_data),
    .put_op_o       (put_op)
  );

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
      .add_req_o          (add_req_o),
      .add_done_i         (add_done_i),
      .add_sum_i          (add_sum_i),
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
      .add_req_o          (add_req_o),
      .add_done_i         (add_done_i),
      .add_sum_i          (add_sum_i),
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
