// SPDX-License-Identifier: Apache-2.0
// Load/store unit: address generation, checks in order, then a pipe for each space (global memory, shared memory, constants;
// each keeps what waits for it), and one end for register rows, ends of instructions and traps.
// Latency: op_req to the head of a pipe's queue three cycles; the rest by pipe (README.md). A beat a cycle.
// Rows of asynchronous copies go from the pipe of global memory into that of shared memory (copy_store).
// Handshake: op_req, ls_late and the constant cache valid/ready, the request channel (line_pkg); ls_checked and ls_trap are
// events. Within a space instructions start in order; between spaces there is no order. It
// does not know memory's answer times. Over 400 lines, since all pipes are joined here.
`include "heddle_idle.svh"

module lsu #(
  localparam int unsigned LANES = cfg_pkg::LSU_LANES,
  localparam int unsigned WARPS = cfg_pkg::SM_WARPS
) (
  input  logic                                       clk_i,
  input  logic                                       rst_ni,
  input  core_pkg::wipe_t                            wipe_i,
  input  logic [7:0]                                 sm_i,   // number of the SM: constant
  // from the host
  input  logic                                       invalidate_i,
  input  logic [23:0]                                shared_bytes_i,
  input  logic [3:0][16:0]                           cbank_bytes_i,
  output logic [3:0]                                 region_index_o,
  input  logic [39:0]                                region_base_i,
  input  logic [40:0]                                region_limit_i,
  input  logic [15:0]                                region_write_i,
  input  logic [line_pkg::LINE_W-1:0]                local_base_i,
  input  logic [19:0]                                local_bytes_i,
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
  input  logic [cfg_pkg::SM_WARP_W-1:0]                 start_slot_i,
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
  output logic [cfg_pkg::SM_WARP_W-1:0]                 ls_checked_slot_o,
  output logic                                       ls_trap_valid_o,
  output core_pkg::trap_t                            ls_trap_o,
  // to and from the request channel (line_pkg)
  input  logic [1:0]                                 credit_i,         // there is one: for any request, for an atomic
  output logic                                       lw_valid_o,
  output line_pkg::write_t                           lw_o,
  output logic                                       lq_valid_o,
  output line_pkg::request_t                         lq_o,
  output logic                                       lq_next_o,        // event: lq_valid_o follows, and takes a credit
  output logic                                       lq_next_atom_o,   // ... of both kinds
  output logic                                       lq_open_o,        // beats have gone, and their request has not
  input  logic                                       ld_valid_i,
  input  line_pkg::back_t                            ld_i,
  input  logic                                       la_valid_i,
  output logic                                       la_ready_o,
  input  line_pkg::answer_t                          la_i,
  // to and from the constant cache
  output logic                                       ldc_valid_o,
  input  logic                                       ldc_ready_i,
  output logic [1:0]                                 ldc_bank_o,
  output logic [15:0]                                ldc_off_o,
  output logic [mem_pkg::LDC_TAG_W-1:0]              ldc_tag_o,
  output logic                                       ldc_lists_o,      // a fault of its page comes to the host's list
  input  logic                                       cc_ld_valid_i,
  input  logic [31:0]                                cc_ld_data_i,
  input  core_pkg::err_t                             cc_ld_err_i,
  input  logic [mem_pkg::LDC_TAG_W-1:0]              cc_ld_tag_i,
  input  logic [34:0]                                cc_ld_sector_i,
  // from the host and the mmu: what LDC has to know of pages
  input  logic                                       ldc_fault_trap_i,
  input  logic                                       ldc_replay_i,
  input  logic                                       ldc_fail_i,
  input  logic                                       ldc_stop_i,
  // to and from the adder of floats, where there is one
  output atom_pkg::add_req_t                         add_req_o,
  input  logic                                       add_done_i,
  input  logic [63:0]                                add_sum_i,
  // retire port
  output logic                                       ret_shared_valid_o,
  output retire_pkg::shared_t                        ret_shared_o
);

  localparam int unsigned SHM_W   = mem_pkg::SHM_W;
  localparam int unsigned BEAT_W  = mem_pkg::BEAT_W;
  localparam int unsigned GSLOT_W = mem_pkg::GSLOT_W;
  localparam int unsigned LOCAL_KEY_W = cfg_pkg::SM_WARP_W + mem_pkg::LOCAL_W + 5;   // of slot, place and lane

  logic                          ag_valid, ag_ready, ag_arrive, ag_first, ag_last, ag_write, ck_valid;
  logic [2:0]                    commit;
  logic                          pair, joins, join_take, unused_pairs_ready, unused_pair_valid;
  logic [$clog2(mem_pkg::GSLOTS+1)-1:0] unused_pairs;
  logic [GSLOT_W-1:0]            peer_slot;
  logic [31:0]                   exec_shared;
  logic [LANES-1:0]              in_shared, goes_else;
  logic [mem_pkg::BEATS-1:0]     rows_local, rows_else;
  logic [2:0]                    room, take, ag_space, row_valid, ck_end;
  core_pkg::memop_t              op, ag_op, ck_op, to_global, to_shared;
  logic [4:0]                    ag_beat, ck_beat;
  logic [GSLOT_W-1:0]            free_slot, take_slot, ag_slot, ck_slot;
  logic [LANES-1:0][63:0]        ag_addr, ck_addr;
  logic [3:0][LANES-1:0][31:0]   op_data;
  logic [SHM_W-1:0]              shm_base;
  logic [LANES-1:0][mem_pkg::ADDR_W-1:0] ck_gaddr;
  logic [mem_pkg::GROW_W-1:0]    ag_row, ck_row;
  logic [LANES-1:0]              in_local;
  logic [LANES-1:0][SHM_W-1:0]   ck_saddr;
  logic [LANES-1:0][15:0]        ck_coff;

  // Asynchronous copies: their shared addresses, and their rows on the way to shared memory.
  logic                          copy, group, ck_move, ck_fire, cc_bad, far_copy, cp_read, cp_valid, cp_ready;
  logic                          hold, s_room, s_free, s_even, put, put_last;
  logic [LANES-1:0][31:0]        ag_far, cc_word;
  logic [31:0]                   cc_lanes, cc_addr;
  logic [3:0]                    cc_cause;
  logic [mem_pkg::GROW_W-1:0]    cp_row;
  mem_pkg::copied_t              cp;
  logic [BEAT_W-1:0]             put_beat;
  logic [LANES-1:0]              put_lanes;
  logic [LANES-1:0][SHM_W-1:0]   put_addr;
  logic [3:0][LANES-1:0][31:0]   put_data;
  core_pkg::memop_t              put_op;

  // Results: 0 stopped at the check, 1 shared, 2 constant, 3 global.
  logic [3:0]                             res_valid, res_ready;
  mem_pkg::result_t                       ck_res, s_res, s_part, c_res, g_res;
  logic                                   s_valid, s_ready, s_pair;
  logic [3:0][mem_pkg::RESULT_W-1:0]      res;
  logic [3:0][LANES-1:0][31:0]            res_data;
  mem_pkg::bytes_t                        s_bytes, c_bytes, g_bytes;
  logic [3:0][mem_pkg::BYTES_W-1:0]       res_bytes;

  assign res_data[0] = '0;

  assign op       = op_req_i.op;
  assign op_data  = op_req_i.data[5:2];
  assign ag_write = mem_pkg::is_store(op.mem) || mem_pkg::is_atom(op.mem);

  lsu_agen u_agen (
    .clk_i          (clk_i),
    .rst_ni         (rst_ni),
    .op_req_valid_i (op_req_valid_i),
    .op_req_ready_o (op_req_ready_o),
    .op_req_op_i    (op),
    .op_req_row_i   (op_req_i.row),
    .op_req_addr_i  (op_req_i.data[1:0]),
    .room_i         (room),
    .free_slot_i    (free_slot),
    .ag_take_o      (take),
    .ag_arrive_o    (ag_arrive),
    .ag_first_o     (ag_first),
    .ag_last_o      (ag_last),
    .ag_take_slot_o (take_slot),
    .ag_valid_o     (ag_valid),
    .ag_ready_i     (ag_ready),
    .ag_op_o        (ag_op),
    .ag_space_o     (ag_space),
    .ag_beat_o      (ag_beat),
    .ag_slot_o      (ag_slot),
    .ag_addr_o      (ag_addr)
  );

  lsu_check u_check (
    .clk_i              (clk_i),
    .rst_ni             (rst_ni),
    .invalidate_i       (invalidate_i),
    .pages_i            (paging_i.pages),
    .shared_bytes_i     (shared_bytes_i),
    .local_bytes_i      (local_bytes_i),
    .cbank_bytes_i      (cbank_bytes_i),
    .region_index_o     (region_index_o),
    .region_base_i      (region_base_i),
    .region_limit_i     (region_limit_i),
    .region_write_i     (region_write_i),
    .start_valid_i      (start_valid_i),
    .start_slot_i       (start_slot_i),
    .kill_valid_i       (ls_trap_valid_o),
    .kill_slot_i        (ls_trap_o.id.slot),
    .arrive_i           (ag_arrive),
    .arrive_op_i        (op),
    .ag_valid_i         (ag_valid),
    .ag_ready_o         (ag_ready),
    .ag_op_i            (ag_op),
    .ag_space_i         (ag_space),
    .ag_beat_i          (ag_beat),
    .ag_slot_i          (ag_slot),
    .ag_addr_i          (ag_addr),
    .ck_move_o          (ck_move),
    .ck_fire_o          (ck_fire),
    .cc_bad_i         (cc_bad),
    .cc_lanes_i         (cc_lanes),
    .cc_cause_i         (cc_cause),
    .cc_addr_i          (cc_addr),
    .ck_valid_o         (ck_valid),
    .ck_op_o            (ck_op),
    .ck_beat_o          (ck_beat),
    .ck_slot_o          (ck_slot),
    .ck_addr_o          (ck_addr),
    .ck_row_valid_o     (row_valid),
    .ck_end_o           (ck_end),
    .ck_commit_o        (commit),
    .ck_local_o         (in_local),
    .ck_shared_o        (in_shared),
    .ck_else_o          (goes_else),
    .ck_exec_shared_o   (exec_shared),
    .ck_rows_local_o    (rows_local),
    .ck_rows_else_o     (rows_else),
    .ls_checked_valid_o (ls_checked_valid_o),
    .ls_checked_slot_o  (ls_checked_slot_o),
    .ck_res_valid_o     (res_valid[0]),
    .ck_res_ready_i     (res_ready[0]),
    .ck_res_o           (ck_res)
  );

  assign cc_word  = op_data[0];
  assign far_copy = mem_pkg::is_copy(ag_op.mem);

  copy_check u_copy_check (
    .clk_i          (clk_i),
    .rst_ni         (rst_ni),
    .shared_bytes_i (shared_bytes_i),
    .take_i         (take[0] && mem_pkg::is_copy(op.mem)),
    .word_i         (cc_word),
    .ag_copy_i      (far_copy),
    .ag_beat_i      (ag_beat),
    .ag_exec_i      (ag_op.exec),
    .ag_size_i      (ag_op.size),
    .ag_far_o       (ag_far),
    .move_i         (ck_move),
    .fire_i         (ck_fire),
    .ck_beat_i      (ck_beat),
    .cc_bad_o     (cc_bad),
    .cc_lanes_o     (cc_lanes),
    .cc_cause_o     (cc_cause),
    .cc_addr_o      (cc_addr)
  );

  // Each block's shared memory starts somewhere else.
  ram_async #(.WIDTH(SHM_W), .DEPTH(WARPS)) u_base (
    .clk_i     (clk_i),
    .wr_en_i   (start_valid_i),
    .wr_addr_i (start_slot_i),
    .wr_data_i (start_shm_base_i),
    .rd_addr_i (ag_op.id.slot),
    .rd_data_o (shm_base)
  );

  // Beside the check's second stage.
  always_ff @(posedge clk_i) begin
    if (ag_ready) begin
      for (int unsigned l = 0; l < LANES; l++) ck_saddr[l] <= SHM_W'(far_copy ? ag_far[l] : ag_addr[l][31:0]) + shm_base;
    end
  end

  // What the spaces take of an address, with a row of theirs. Local memory: key of the line, place in it; an address that passes
  // the check is 0 above these bits.
  always_comb begin
    ck_gaddr = 'x;
    if (`HEDDLE_LIVE(row_valid[0])) begin
      for (int unsigned l = 0; l < LANES; l++) begin
        ck_gaddr[l]  = in_local[l]
          ? {1'b1, ck_addr[l][mem_pkg::VA_W-1:LOCAL_KEY_W], ck_op.id.slot, ck_addr[l][mem_pkg::LOCAL_W-1:2],
             5'(ck_beat * 5'(LANES) + 5'(l)), ck_addr[l][1:0]}
          : {1'b0, ck_addr[l][mem_pkg::VA_W-1:0]};
      end
    end
  end
  always_comb begin
    ck_coff = 'x;
    if (`HEDDLE_LIVE(row_valid[2])) begin
      for (int unsigned l = 0; l < LANES; l++) ck_coff[l] = ck_addr[l][15:0];
    end
  end

  assign ag_row = mem_pkg::GROW_W'(32'(take_slot) * mem_pkg::BEATS + 32'(op_req_i.row));
  assign ck_row = mem_pkg::GROW_W'(32'(ck_slot) * mem_pkg::BEATS + 32'(ck_beat));

  // A generic instruction goes to the pipes of its lanes. If these are two, the part in shared memory ends first, and the
  // other one with the instruction: whose end is awaited stands in a queue, since shared memory keeps its order.
  assign pair  = commit[0] && commit[1];
  assign copy  = mem_pkg::is_copy(ck_op.mem);
  assign group = copy && ck_op.atom == core_pkg::GROUP;

  always_comb begin
    to_global = 'x;
    to_shared = 'x;
    if (`HEDDLE_LIVE(ck_valid)) begin
      to_global      = ck_op;
      to_global.mem  = mem_pkg::in_global(ck_op.mem);
      to_shared      = ck_op;
      to_shared.mem  = mem_pkg::in_shared(ck_op.mem);
      to_shared.exec = exec_shared;
      to_shared.pair = pair;
    end
  end

  always_comb begin
    s_part    = 'x;
    res       = 'x;
    res_bytes = 'x;
    if (`HEDDLE_LIVE(res_valid != '0)) begin
      s_part      = s_res;
      s_part.last = s_res.last && !s_pair;
      res         = {g_res, c_res, s_part, ck_res};
      res_bytes   = {g_bytes, c_bytes, s_bytes, mem_pkg::BYTES_W'(0)};
    end
  end

  assign joins        = s_valid && s_res.last && s_pair;
  assign res_valid[1] = s_valid && !(joins && !s_res.row_en);
  assign s_ready      = res_ready[1] || (joins && !s_res.row_en);
  assign join_take    = joins && s_ready;

  fifo #(.WIDTH(GSLOT_W), .DEPTH(mem_pkg::GSLOTS)) u_pairs (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .in_valid_i  (ck_end[1] && pair),
    .in_ready_o  (unused_pairs_ready),
    .in_data_i   (ck_slot),
    .out_valid_o (unused_pair_valid),
    .out_ready_i (join_take),
    .out_data_o  (peer_slot),
    .count_o     (unused_pairs)
  );

  global_pipe u_global (
    .clk_i          (clk_i),
    .rst_ni         (rst_ni),
    .sm_i           (sm_i),
    .launch_i       (invalidate_i),
    .local_base_i   (local_base_i),
    .local_bytes_i  (local_bytes_i),
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
    .ag_first_i     (ag_first),
    .ag_mem_i       (op.mem),
    .ag_row_i       (ag_row),
    .ag_data_i      (op_data),
    .ck_row_valid_i (row_valid[0]),
    .ck_end_i       (ck_end[0]),
    .ck_commit_i    (commit[0]),
    .ck_slot_i      (ck_slot),
    .ck_op_i        (to_global),
    .ck_row_i       (ck_row),
    .ck_addr_i      (ck_gaddr),
    .ck_lanes_i     (goes_else),
    .ck_local_i     (in_local),
    .ck_rows_i      (rows_else),
    .ck_rows_local_i (rows_local),
    .ck_pair_i      (pair),
    .ck_copy_i      (copy),
    .ck_group_i     (group),
    .peer_valid_i   (join_take),
    .peer_slot_i    (peer_slot),
    .credit_i       (credit_i),
    .lw_valid_o     (lw_valid_o),
    .lw_o           (lw_o),
    .lq_valid_o     (lq_valid_o),
    .lq_o           (lq_o),
    .lq_next_o      (lq_next_o),
    .lq_next_atom_o (lq_next_atom_o),
    .lq_open_o      (lq_open_o),
    .ld_valid_i     (ld_valid_i),
    .ld_i           (ld_i),
    .la_valid_i     (la_valid_i),
    .la_ready_o     (la_ready_o),
    .la_i           (la_i),
    .res_valid_o    (res_valid[3]),
    .res_ready_i    (res_ready[3]),
    .res_o          (g_res),
    .res_bytes_o    (g_bytes),
    .res_data_o     (res_data[3]),
    .cp_read_o      (cp_read),
    .cp_row_o       (cp_row),
    .cp_valid_o     (cp_valid),
    .cp_ready_i     (cp_ready),
    .cp_o           (cp)
  );

  copy_store u_copy_store (
    .clk_i          (clk_i),
    .rst_ni         (rst_ni),
    .ck_row_valid_i (row_valid[0] && copy),
    .ck_row_i       (ck_row),
    .ck_addr_i      (ck_saddr),
    .cp_read_i      (cp_read),
    .cp_row_i       (cp_row),
    .cp_valid_i     (cp_valid),
    .cp_ready_o     (cp_ready),
    .cp_i           (cp),
    .cp_data_i      (res_data[3]),
    .ag_take_i      (take[1]),
    .ag_last_i      (ag_last),
    .hold_o         (hold),
    .free_i         (s_free),
    .even_i         (s_even),
    .put_o          (put),
    .put_last_o     (put_last),
    .put_beat_o     (put_beat),
    .put_lanes_o    (put_lanes),
    .put_addr_o     (put_addr),
    .put_data_o     (put_data),
    .put_op_o       (put_op)
  );

  assign room[1] = s_room && !(hold && ag_first);

  // What enters the pipe of shared memory: rows that arrive and that have been judged, or a copy's, which are both.
  logic                          sa_valid, sa_write, sa_last, sc_valid, sc_end, sc_commit;
  logic [BEAT_W-1:0]             sa_beat, sc_beat;
  logic [3:0][LANES-1:0][31:0]   sa_data;
  core_pkg::memop_t              sc_op;
  logic [LANES-1:0]              sc_lanes;
  logic [LANES-1:0][SHM_W-1:0]   sc_addr;

  assign sa_valid  = put || take[1];
  assign sa_write  = put || ag_write;
  assign sa_last   = put ? put_last : ag_last;
  assign sa_beat   = put ? put_beat : BEAT_W'(op_req_i.row);
  assign sa_data   = put ? put_data : op_data;
  assign sc_valid  = put || row_valid[1];
  assign sc_end    = put ? put_last : ck_end[1];
  assign sc_commit = put || commit[1];
  assign sc_op     = put ? put_op : to_shared;
  assign sc_lanes  = put ? put_lanes : in_shared;
  assign sc_beat   = put ? put_beat : BEAT_W'(ck_beat);
  assign sc_addr   = put ? put_addr : ck_saddr;

  // Shared memory: a word of a lane at a time, or a beat of lanes. Both have the same ports.
  if (cfg_pkg::SHARED_LANES == 1) begin : gen_serial
    shared_serial u_shared (
      .clk_i              (clk_i),
      .wipe_i             (wipe_i),
      .rst_ni             (rst_ni),
      .room_o             (s_room),
      .free_o             (s_free),
      .even_o             (s_even),
      .ag_row_valid_i     (sa_valid),
      .ag_write_i         (sa_write),
      .ag_last_i          (sa_last),
      .ag_beat_i          (sa_beat),
      .ag_data_i          (sa_data),
      .ck_row_valid_i     (sc_valid),
      .ck_end_i           (sc_end),
      .ck_commit_i        (sc_commit),
      .ck_op_i            (sc_op),
      .ck_active_i        (sc_lanes),
      .ck_beat_i          (sc_beat),
      .ck_addr_i          (sc_addr),
      .res_valid_o        (s_valid),
      .res_ready_i        (s_ready),
      .res_o              (s_res),
      .res_pair_o         (s_pair),
      .res_data_o         (res_data[1]),
      .res_bytes_o        (s_bytes),
      .add_req_o          (add_req_o),
      .add_done_i         (add_done_i),
      .add_sum_i          (add_sum_i),
      .ret_shared_valid_o (ret_shared_valid_o),
      .ret_shared_o       (ret_shared_o)
    );
  end else begin : gen_parallel
    shared_parallel u_shared (
      .clk_i              (clk_i),
      .wipe_i             (wipe_i),
      .rst_ni             (rst_ni),
      .room_o             (s_room),
      .free_o             (s_free),
      .even_o             (s_even),
      .ag_row_valid_i     (sa_valid),
      .ag_write_i         (sa_write),
      .ag_last_i          (sa_last),
      .ag_beat_i          (sa_beat),
      .ag_data_i          (sa_data),
      .ck_row_valid_i     (sc_valid),
      .ck_end_i           (sc_end),
      .ck_commit_i        (sc_commit),
      .ck_op_i            (sc_op),
      .ck_active_i        (sc_lanes),
      .ck_beat_i          (sc_beat),
      .ck_addr_i          (sc_addr),
      .res_valid_o        (s_valid),
      .res_ready_i        (s_ready),
      .res_o              (s_res),
      .res_pair_o         (s_pair),
      .res_data_o         (res_data[1]),
      .res_bytes_o        (s_bytes),
      .add_req_o          (add_req_o),
      .add_done_i         (add_done_i),
      .add_sum_i          (add_sum_i),
      .ret_shared_valid_o (ret_shared_valid_o),
      .ret_shared_o       (ret_shared_o)
    );
  end

  ldc u_ldc (
    .clk_i         (clk_i),
    .rst_ni        (rst_ni),
    .room_o        (room[2]),
    .ag_row_valid_i (take[2]),
    .ag_last_i     (ag_last),
    .ag_beat_i     (BEAT_W'(op_req_i.row)),
    .ck_row_valid_i (row_valid[2]),
    .ck_end_i      (ck_end[2]),
    .ck_commit_i   (commit[2]),
    .ck_op_i       (to_global),
    .ck_beat_i     (BEAT_W'(ck_beat)),
    .ck_off_i      (ck_coff),
    .ld_valid_o     (ldc_valid_o),
    .ld_ready_i     (ldc_ready_i),
    .ld_bank_o      (ldc_bank_o),
    .ld_off_o       (ldc_off_o),
    .ld_tag_o       (ldc_tag_o),
    .ld_lists_o     (ldc_lists_o),
    .cc_ld_valid_i (cc_ld_valid_i),
    .cc_ld_data_i  (cc_ld_data_i),
    .cc_ld_err_i   (cc_ld_err_i),
    .cc_ld_tag_i   (cc_ld_tag_i),
    .cc_ld_sector_i (cc_ld_sector_i),
    .fault_trap_i   (ldc_fault_trap_i),
    .mu_replay_i    (ldc_replay_i),
    .mu_fail_i      (ldc_fail_i),
    .stop_i         (ldc_stop_i),
    .res_valid_o   (res_valid[2]),
    .res_ready_i   (res_ready[2]),
    .res_o         (c_res),
    .res_bytes_o   (c_bytes),
    .res_data_o    (res_data[2])
  );

  lsu_out #(.TRAPS(4'b1101)) u_out (   // shared memory's have all passed the check
    .clk_i            (clk_i),
    .rst_ni           (rst_ni),
    .in_valid_i       (res_valid),
    .in_ready_o       (res_ready),
    .in_result_i      (res),
    .in_data_i        (res_data),
    .in_bytes_i       (res_bytes),
    .ls_late_valid_o  (ls_late_valid_o),
    .ls_late_ready_i  (ls_late_ready_i),
    .ls_late_o        (ls_late_o),
    .ls_trap_valid_o  (ls_trap_valid_o),
    .ls_trap_o        (ls_trap_o)
  );

endmodule
