// SPDX-License-Identifier: Apache-2.0
// Load/store unit: addresses and their checks, in order (lsu_front), then a pipe for each space (global memory, shared memory,
// constants; each keeps what waits for it), and one end for register rows, ends of instructions and traps. A block diagram.
// Latency: op_req to the head of a pipe's queue three cycles; the rest by pipe (README.md). A beat a cycle.
// Rows of asynchronous copies go from the pipe of global memory into that of shared memory.
// Handshake: op_req, ls_late and the constant cache valid/ready, the request channel (line_pkg); ls_checked and ls_trap are
// events. Within a space instructions start in order; between spaces there is no order. It
// does not count on memory's answer times.
module lsu #(
  localparam int unsigned LANES = cfg_pkg::LSU_LANES
) (
  input  logic                                       clk_i,
  input  logic                                       rst_ni,
  input  core_pkg::wipe_t                            wipe_i,
  input  logic [7:0]                                 sm_i,   // number of the SM: constant
  // from the host
  input  logic                                       invalidate_i,
  input  mem_pkg::limits_t                           limits_i,
  output logic [3:0]                                 region_index_o,
  input  logic [39:0]                                region_base_i,
  input  logic [40:0]                                region_limit_i,
  input  logic [line_pkg::LINE_W-1:0]                local_base_i,
  input  mem_pkg::paging_t                           paging_i,
  // from and to the mmu, where there are pages
  output logic                                       ask_valid_o,
  input  logic                                       ask_ready_i,
  output mmu_pkg::ask_t                              ask_o,
  input  logic                                       answer_valid_i,
  input  mmu_pkg::answer_t                           answer_i,
  input  mmu_pkg::news_t                             news_i,
  output logic                                       forgotten_o,
  // from the dispatcher
  input  logic                                       start_valid_i,
  input  logic [cfg_pkg::SM_WARP_W-1:0]              start_slot_i,
  input  logic [mem_pkg::SHM_W-1:0]                  start_shm_base_i,
  // from operand
  input  logic                                       op_req_valid_i,
  output logic                                       op_req_ready_o,
  input  core_pkg::memreq_t                          op_req_i,
  // to the partitions: late results
  output logic                                       ls_late_valid_o,
  input  logic                                       ls_late_ready_i,
  output core_pkg::late_t                            ls_late_o,
  // to issue
  output logic                                       ls_checked_valid_o,
  output logic [cfg_pkg::SM_WARP_W-1:0]              ls_checked_slot_o,
  output logic                                       ls_trap_valid_o,
  output core_pkg::trap_t                            ls_trap_o,
  // to and from the request channel (line_pkg)
  input  logic [1:0]                                 credit_i,         // there is one: for any request, for an atomic
  output line_pkg::sent_t                                   ch_o,
  output line_pkg::note_t                            note_o,
  output logic [1:0]                                 lq_next_o,        // event: a request follows, and takes a credit: of any, of an atomic
  output logic                                       lq_open_o,        // beats have gone, and their request has not
  input  line_pkg::lsu_back_t                               ch_i,
  // to and from the constant cache
  output logic                                       ldc_valid_o,
  input  logic                                       ldc_ready_i,
  output mem_pkg::const_ask_t                        ldc_o,
  input  logic                                       cc_ld_valid_i,
  input  mem_pkg::const_got_t                        cc_ld_i,
  // retire port
  output logic                                       ret_shared_valid_o,
  output retire_pkg::shared_t                        ret_shared_o
);

  // Arrival, and what has been judged.
  logic [2:0]                             room, take;        // bit 0 global and local, 1 shared, 2 constant
  logic                                   first, last, write;
  logic [mem_pkg::GSLOT_W-1:0]            free_slot;
  logic [mem_pkg::GROW_W-1:0]             ag_row;
  mem_pkg::global_t                       ck_global;
  mem_pkg::judged_t                       ck_shared, ck_const;
  core_pkg::memop_t                       ck_global_op, ck_shared_op;
  logic [LANES-1:0][mem_pkg::ADDR_W-1:0]  ck_global_addr;
  logic [LANES-1:0][mem_pkg::SHM_W-1:0]   ck_shared_addr;
  logic [LANES-1:0][15:0]                 ck_const_off;
  logic [LANES-1:0]                       ck_local, ck_shared_lanes;
  // Between global and shared memory: rows of copies, the end of a part.
  logic                                   cp_read, cp_valid, cp_ready, peer_valid;
  logic [mem_pkg::GROW_W-1:0]             cp_row;
  mem_pkg::copied_t                       cp;
  logic [mem_pkg::GSLOT_W-1:0]            peer_slot;
  // Results: 0 stopped at the check, 1 shared, 2 constant, 3 global.
  logic [3:0]                             res_valid, res_ready;
  mem_pkg::result_t [3:0]                 res;
  logic [3:0][LANES-1:0][31:0]            res_data;
  mem_pkg::bytes_t [3:0]                  res_bytes;

  lsu_front u_front (
    .clk_i              (clk_i),
    .rst_ni             (rst_ni),
    .invalidate_i       (invalidate_i),
    .pages_i            (paging_i.pages),
    .limits_i           (limits_i),
    .region_index_o     (region_index_o),
    .region_base_i      (region_base_i),
    .region_limit_i     (region_limit_i),
    .start_valid_i      (start_valid_i),
    .start_slot_i       (start_slot_i),
    .start_shm_base_i   (start_shm_base_i),
    .kill_valid_i       (ls_trap_valid_o),
    .kill_slot_i        (ls_trap_o.id.slot),
    .op_req_valid_i     (op_req_valid_i),
    .op_req_ready_o     (op_req_ready_o),
    .op_req_op_i        (op_req_i.op),
    .op_req_row_i       (op_req_i.row),
    .op_req_data_i      (op_req_i.data[2:0]),
    .room_i             (room),
    .free_slot_i        (free_slot),
    .ag_take_o          (take),
    .ag_first_o         (first),
    .ag_last_o          (last),
    .ag_write_o         (write),
    .ag_row_o           (ag_row),
    .ck_global_o        (ck_global),
    .ck_global_op_o     (ck_global_op),
    .ck_global_addr_o   (ck_global_addr),
    .ck_local_o         (ck_local),
    .ck_shared_o        (ck_shared),
    .ck_shared_lanes_o  (ck_shared_lanes),
    .ck_shared_op_o     (ck_shared_op),
    .ck_shared_addr_o   (ck_shared_addr),
    .ck_const_o         (ck_const),
    .ck_const_off_o     (ck_const_off),
    .ls_checked_valid_o (ls_checked_valid_o),
    .ls_checked_slot_o  (ls_checked_slot_o),
    .res_valid_o        (res_valid[0]),
    .res_ready_i        (res_ready[0]),
    .res_o              (res[0])
  );
  assign res_data[0]  = '0;
  assign res_bytes[0] = '0;

  global_pipe u_global (
    .clk_i          (clk_i),
    .rst_ni         (rst_ni),
    .sm_i           (sm_i),
    .launch_i       (invalidate_i),
    .local_base_i   (local_base_i),
    .local_bytes_i  (limits_i.local_bytes),
    .paging_i       (paging_i),
    .ask_valid_o    (ask_valid_o),
    .ask_ready_i    (ask_ready_i),
    .ask_o          (ask_o),
    .answer_valid_i (answer_valid_i),
    .answer_i       (answer_i),
    .news_i         (news_i),
    .forgotten_o    (forgotten_o),
    .room_o         (room[0]),
    .free_slot_o    (free_slot),
    .ag_take_i      (take[0]),
    .ag_first_i     (first),
    .ag_write_i     (write),
    .ag_row_i       (ag_row),
    .ag_data_i      (op_req_i.data[5:2]),
    .ck_i           (ck_global),
    .ck_op_i        (ck_global_op),
    .ck_addr_i      (ck_global_addr),
    .ck_local_i     (ck_local),
    .peer_valid_i   (peer_valid),
    .peer_slot_i    (peer_slot),
    .credit_i       (credit_i),
    .ch_o           (ch_o),
    .note_o         (note_o),
    .lq_next_o      (lq_next_o),
    .lq_open_o      (lq_open_o),
    .ch_i           (ch_i),
    .res_valid_o    (res_valid[3]),
    .res_ready_i    (res_ready[3]),
    .res_o          (res[3]),
    .res_bytes_o    (res_bytes[3]),
    .res_data_o     (res_data[3]),
    .cp_read_o      (cp_read),
    .cp_row_o       (cp_row),
    .cp_valid_o     (cp_valid),
    .cp_ready_i     (cp_ready),
    .cp_o           (cp)
  );

  lsu_shared u_shared (
    .clk_i              (clk_i),
    .rst_ni             (rst_ni),
    .wipe_i             (wipe_i),
    .room_o             (room[1]),
    .ag_first_i         (first),
    .ag_valid_i         (take[1]),
    .ag_last_i          (last),
    .ag_write_i         (write),
    .ag_beat_i          (mem_pkg::BEAT_W'(op_req_i.row)),
    .ag_data_i          (op_req_i.data[5:2]),
    .ck_i               (ck_shared),
    .ck_op_i            (ck_shared_op),
    .ck_lanes_i         (ck_shared_lanes),
    .ck_addr_i          (ck_shared_addr),
    .ck_slot_i          (ck_global.slot),
    .ck_copy_i          (ck_global.valid && ck_global.copy),
    .ck_copy_row_i      (ck_global.row),
    .cp_read_i          (cp_read),
    .cp_row_i           (cp_row),
    .cp_valid_i         (cp_valid),
    .cp_ready_o         (cp_ready),
    .cp_i               (cp),
    .cp_data_i          (res_data[3]),
    .peer_valid_o       (peer_valid),
    .peer_slot_o        (peer_slot),
    .res_valid_o        (res_valid[1]),
    .res_ready_i        (res_ready[1]),
    .res_o              (res[1]),
    .res_data_o         (res_data[1]),
    .res_bytes_o        (res_bytes[1]),
    .ret_shared_valid_o (ret_shared_valid_o),
    .ret_shared_o       (ret_shared_o)
  );

  ldc u_ldc (
    .clk_i          (clk_i),
    .rst_ni         (rst_ni),
    .room_o         (room[2]),
    .ag_row_valid_i (take[2]),
    .ag_last_i      (last),
    .ag_beat_i      (mem_pkg::BEAT_W'(op_req_i.row)),
    .ck_i           (ck_const),
    .ck_op_i        (ck_global_op),
    .ck_off_i       (ck_const_off),
    .ld_valid_o     (ldc_valid_o),
    .ld_ready_i     (ldc_ready_i),
    .ld_o           (ldc_o),
    .cc_ld_valid_i  (cc_ld_valid_i),
    .cc_ld_i        (cc_ld_i),
    .fault_trap_i   (paging_i.fault_trap),
    .mu_replay_i    (news_i.replay),
    .mu_fail_i      (news_i.fail),
    .stop_i         (paging_i.stop),
    .res_valid_o    (res_valid[2]),
    .res_ready_i    (res_ready[2]),
    .res_o          (res[2]),
    .res_bytes_o    (res_bytes[2]),
    .res_data_o     (res_data[2])
  );

  lsu_out #(.TRAPS(4'b1101)) u_out (   // shared memory's have all passed the check
    .clk_i           (clk_i),
    .rst_ni          (rst_ni),
    .in_valid_i      (res_valid),
    .in_ready_o      (res_ready),
    .in_result_i     (res),
    .in_data_i       (res_data),
    .in_bytes_i      (res_bytes),
    .ls_late_valid_o (ls_late_valid_o),
    .ls_late_ready_i (ls_late_ready_i),
    .ls_late_o       (ls_late_o),
    .ls_trap_valid_o (ls_trap_valid_o),
    .ls_trap_o       (ls_trap_o)
  );

endmodule
