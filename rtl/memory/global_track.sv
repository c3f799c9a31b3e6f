// SPDX-License-Identifier: Apache-2.0
// Global instructions from their first beat to their end: one gslot each (global_slots), the order in which they passed the
// check, and once their lines have answered their result rows and their end (global_results); then the gslot is free again.
// What others ask of an instruction lies here by gslot, so that a line on its way carries no more than that number.
// Latency: three cycles from the last answer to the first row. Handshake: begin, check, pop,
// count, close and done are events; results valid/ready, a row a cycle. Instructions complete in
// any order. A bus error or a fault of a page sends a trap instead of rows; what is given up as the SM stops has an end alone.
// It does not know addresses.
`include "heddle_assert.svh"

module global_track #(
  localparam int unsigned LANES   = cfg_pkg::LSU_LANES,
  localparam int unsigned BEATS   = mem_pkg::BEATS,
  localparam int unsigned GSLOTS  = mem_pkg::GSLOTS,
  localparam int unsigned GSLOT_W = mem_pkg::GSLOT_W
) (
  input  logic                          clk_i,
  input  logic                          rst_ni,
  // from and to address generation: the gslot of the next instruction
  output logic                          free_o,
  output logic [GSLOT_W-1:0]            free_slot_o,
  input  logic                          ag_begin_i,     // event: it is taken
  // from the check: an instruction is judged, in order
  input  logic                          ck_end_i,       // event
  input  logic                          ck_commit_i,    // it goes on (else its gslot is free again)
  input  logic                          ck_pair_i,      // and another part of it through shared memory
  input  logic                          ck_copy_i,      // an asynchronous copy, or LDGDEPBAR,
  input  logic                          ck_group_i,     // which has no lines
  input  logic [GSLOT_W-1:0]            ck_slot_i,
  /* verilator lint_off UNUSEDSIGNAL */                // not all of it is needed here
  input  core_pkg::memop_t              ck_op_i,
  /* verilator lint_on UNUSEDSIGNAL */
  input  logic [BEATS-1:0]              ck_rows_i,      // beats with lanes that execute
  input  logic [BEATS-1:0]              ck_rows_local_i, // and with lanes in local memory
  input  logic                          ck_row_valid_i, // event: lanes of a beat
  input  logic [mem_pkg::GROW_W-1:0]    ck_row_i,       // gslot * BEATS + beat
  input  logic [LANES-1:0]              ck_lanes_i,
  // from the pipe of shared memory: that part has ended
  input  logic                          peer_valid_i,   // event
  input  logic [GSLOT_W-1:0]            peer_slot_i,
  // to and from the coalescer: the next one to walk
  output logic                          go_valid_o,
  input  logic                          go_pop_i,
  output logic [GSLOT_W-1:0]            go_slot_o,
  output logic [BEATS-1:0]              go_rows_o,      // rows with lanes
  output logic [mem_pkg::BEAT_W-1:0]    go_beat_o,      // the first of them
  output logic [BEATS-1:0]              go_rows_local_o,
  output logic [1:0]                    go_words_o,
  // from and to line_request
  input  logic                          rq_count_i,
  input  logic                          rq_close_i,
  input  logic [GSLOT_W-1:0]            rq_slot_i,
  input  logic [GSLOT_W-1:0]            op_slot_i,
  output mem_pkg::asked_t               op_o,
  // from line_gather
  input  logic                          dn_valid_i,
  input  mem_pkg::finished_t            dn_i,
  // from and to line_translate, where there are pages: of the instruction whose row it is given; one that is given up
  input  logic [GSLOT_W-1:0]            tr_slot_i,
  output logic                          tr_write_o,     // a store or an atomic
  output logic [cfg_pkg::SM_WARP_W-1:0] tr_warp_o,
  input  logic                          dead_valid_i,   // event, but in a cycle of an error of line_gather's
  input  mem_pkg::dead_t                dead_i,
  // to line_gather: the result row to read
  output logic                          rd_en_o,
  output logic [mem_pkg::GROW_W-1:0]    rd_row_o,
  output logic [1:0]                    rd_word_o,
  // to the end of the unit; the row's data stand in line_gather
  output logic                          res_valid_o,
  input  logic                          res_ready_i,
  output mem_pkg::result_t              res_o,
  output logic [2:0]                    res_size_o,
  // to copy_store: rows of copies, and the read of the next one
  output logic                          cp_read_o,
  output logic                          cp_valid_o,
  input  logic                          cp_ready_i,
  output mem_pkg::copied_t              cp_o
);

  logic [GSLOTS-1:0]             ready, err, mute, rd_start_slot, copies, turn;
  logic                          rd_start, rd_finish, unused_ready, unused_some;
  logic [GSLOT_W-1:0]            rd_finish_slot;
  logic [$clog2(GSLOTS+1)-1:0]   unused_count;
  logic [$bits(mem_pkg::asked_t)-1:0] asked;
  logic [BEATS-1:0]              unused_first;
  logic [mem_pkg::BEAT_W-1:0]    ck_first;
  logic [1:0]                    words;
  // A report: of a line in error, or of one whose page faults.
  logic                          fails, dies;
  /* verilator lint_off UNUSEDSIGNAL */         // that it is one
  mem_pkg::dead_t                report;
  /* verilator lint_on UNUSEDSIGNAL */

  assign dies   = mem_pkg::PAGED && dead_valid_i && dead_i.trap;
  assign fails  = (dn_valid_i && dn_i.err) || dies;

  always_comb begin
    report = '{slot: dn_i.slot, trap: 1'b1, cause: core_pkg::TRAP_BUS, lanes: dn_i.lanes, key: dn_i.key};
    if (dies) report = dead_i;
  end

  global_slots u_slots (
    .clk_i            (clk_i),
    .rst_ni           (rst_ni),
    .free_o           (free_o),
    .free_slot_o      (free_slot_o),
    .ag_begin_i       (ag_begin_i),
    .ck_end_i         (ck_end_i),
    .ck_commit_i      (ck_commit_i),
    .ck_pair_i        (ck_pair_i),
    .ck_group_i       (ck_group_i),
    .ck_slot_i        (ck_slot_i),
    .peer_valid_i     (peer_valid_i),
    .peer_slot_i      (peer_slot_i),
    .rq_count_i       (rq_count_i),
    .rq_close_i       (rq_close_i),
    .rq_slot_i        (rq_slot_i),
    .dn_valid_i       (dn_valid_i),
    .dn_slot_i        (dn_i.slot),
    .dn_err_i         (dn_i.err),
    .dead_valid_i     (dead_valid_i),
    .dead_slot_i      (dead_i.slot),
    .dead_trap_i      (dead_i.trap),
    .ready_o          (ready),
    .err_o            (err),
    .mute_o           (mute),
    .rd_start_i       (rd_start),
    .rd_start_slot_i  (rd_start_slot),
    .rd_finish_i      (rd_finish),
    .rd_finish_slot_i (rd_finish_slot)
  );

  // ---- order ------------------------------------------------------------------------------------
  // Local memory is walked a word at a time.
  assign words = (ck_rows_local_i == '0) ? 2'd0 : (ck_op_i.size == isa_pkg::SIZE_128) ? 2'd3 : (ck_op_i.size == isa_pkg::SIZE_64) ? 2'd1 : 2'd0;

  lowest_one #(.N(BEATS)) u_first (
    .in_i     (ck_rows_i),
    .onehot_o (unused_first),
    .index_o  (ck_first),
    .any_o    (unused_some)
  );

  fifo #(.WIDTH(GSLOT_W + mem_pkg::BEAT_W + 2 * BEATS + 2), .DEPTH(GSLOTS)) u_order (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .in_valid_i  (ck_end_i && ck_commit_i && !ck_group_i),
    .in_ready_o  (unused_ready),
    .in_data_i   ({ck_slot_i, ck_rows_i, ck_first, ck_rows_local_i, words}),
    .out_valid_o (go_valid_o),
    .out_ready_i (go_pop_i),
    .out_data_o  ({go_slot_o, go_rows_o, go_beat_o, go_rows_local_o, go_words_o}),
    .count_o     (unused_count)
  );

  // What line_request needs of an instruction.
  ram_async #(.WIDTH($bits(mem_pkg::asked_t)), .DEPTH(GSLOTS)) u_request (
    .clk_i     (clk_i),
    .wr_en_i   (ck_end_i),
    .wr_addr_i (ck_slot_i),
    .wr_data_i ({ck_op_i.id, ck_op_i.mem, ck_op_i.size, mem_pkg::is_atom(ck_op_i.mem) || !l1_pkg::THERE ? ck_op_i.atom : 6'(ck_op_i.cbank)}),
    .rd_addr_i (op_slot_i),
    .rd_data_o (asked)
  );
  assign op_o = mem_pkg::asked_t'(asked);

  if (mem_pkg::PAGED) begin : gen_translated
    ram_async #(.WIDTH(1 + cfg_pkg::SM_WARP_W), .DEPTH(GSLOTS)) u_translated (
      .clk_i     (clk_i),
      .wr_en_i   (ck_end_i),
      .wr_addr_i (ck_slot_i),
      .wr_data_i ({mem_pkg::is_store(ck_op_i.mem) || mem_pkg::is_atom(ck_op_i.mem), ck_op_i.id.slot}),
      .rd_addr_i (tr_slot_i),
      .rd_data_o ({tr_write_o, tr_warp_o})
    );
    // A report at a time.
    `ASSERT_IF(a_report, dies, !(dn_valid_i && dn_i.err))
  end else begin : gen_physical
    logic unused;
    assign {tr_write_o, tr_warp_o} = '0;
    assign unused = ^{tr_slot_i, dead_valid_i, dead_i};
  end

  copy_order u_copies (
    .clk_i        (clk_i),
    .rst_ni       (rst_ni),
    .ck_end_i     (ck_end_i),
    .ck_commit_i  (ck_commit_i),
    .ck_copy_i    (ck_copy_i),
    .ck_slot_i    (ck_slot_i),
    .start_i      (rd_start),
    .start_slot_i (rd_start_slot),
    .copies_o     (copies),
    .turn_o       (turn)
  );

  global_results u_results (
    .clk_i          (clk_i),
    .rst_ni         (rst_ni),
    .ck_end_i       (ck_end_i),
    .ck_slot_i      (ck_slot_i),
    .ck_op_i        (ck_op_i),
    .ck_row_valid_i (ck_row_valid_i),
    .ck_row_i       (ck_row_i),
    .ck_lanes_i     (ck_lanes_i),
    .ready_i        (ready & turn),
    .ck_copy_i      (ck_copy_i),
    .copies_i       (copies),
    .err_i          (err),
    .mute_i         (mute),
    .start_o        (rd_start),
    .start_slot_o   (rd_start_slot),
    .finish_o       (rd_finish),
    .finish_slot_o  (rd_finish_slot),
    .dn_err_i       (fails),
    .dn_slot_i      (report.slot),
    .dn_cause_i     (report.cause),
    .dn_lanes_i     (report.lanes),
    .dn_key_i       (report.key),
    .rd_en_o        (rd_en_o),
    .rd_row_o       (rd_row_o),
    .rd_word_o      (rd_word_o),
    .res_valid_o    (res_valid_o),
    .res_ready_i    (res_ready_i),
    .res_o          (res_o),
    .res_size_o     (res_size_o),
    .cp_read_o      (cp_read_o),
    .cp_valid_o     (cp_valid_o),
    .cp_ready_i     (cp_ready_i),
    .cp_o           (cp_o)
  );

  // The order holds whatever has a gslot.
  `ASSERT(a_order, unused_ready || !ck_end_i)

endmodule
