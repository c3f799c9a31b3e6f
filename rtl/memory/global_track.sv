// SPDX-License-Identifier: Apache-2.0
// Global instructions from their first beat to their end: which gslots are taken, the order in which instructions passed the check,
// which are complete, and once they are their result rows and their end (global_results); then the gslot is free again.
// A gslot is taken with the first beat of an instruction; the instruction is complete once all its lines have been asked for and have
// answered, and its part in shared memory, if it has one, has ended. The next free gslot is found a cycle ahead, so that address
// generation has its number in a register.
// All that others ask of an instruction lies here by gslot, so that a line on its way carries no more than that number.
// Latency: three cycles from the last answer to the first row. Handshake: begin, check, pop,
// count, close and done are events; results valid/ready, a row a cycle. Instructions complete in
// any order. A bus error or a fault of a page sends a trap instead of rows; what is given up as the SM stops has an end alone.
// It has no addresses.
`include "heddle_assert.svh"

module global_track #(
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
  input  mem_pkg::global_t              ck_i,
  input  core_pkg::memop_t              ck_op_i,
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
  // from and to line_translate, where there are pages: of the instruction of its row; one that is given up
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
  // to lsu_shared: rows of copies, and the read of the next one
  output logic                          cp_read_o,
  output logic                          cp_valid_o,
  input  logic                          cp_ready_i,
  output mem_pkg::copied_t              cp_o
);

  localparam int unsigned WAIT_W = $clog2(line_pkg::LINES + 2);   // lines of one that are in flight

  logic [GSLOTS-1:0]             rd_start_slot;
  logic                          rd_start, rd_finish, order_room;
  logic [GSLOT_W-1:0]            rd_finish_slot;
  logic [$bits(mem_pkg::asked_t)-1:0] asked;
  logic [mem_pkg::BEAT_W-1:0]    ck_first;
  logic [1:0]                    words;
  // Gslots: taken, of instructions with lines to come, with another part to come, in error, given up without a trap; complete.
  logic [GSLOTS-1:0]             used_q, open_q, peer_q, err_q, mute_q, ready;
  logic [GSLOTS-1:0]             release_ck, release_rs, begin_slot, dead_slot;
  logic [WAIT_W-1:0]             wait_q [GSLOTS];                 // lines asked for that have not answered
  logic                          next_valid_q, next_any, none, dead, one_slot;
  logic [GSLOT_W-1:0]            next_q, next;
  // A report: of a line in error, or of one without a page.
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

  // ---- gslots: the next free one is chosen beforehand -------------------------------------------
  assign release_ck = (ck_i.ends && !ck_i.commit) ? GSLOTS'(1) << ck_i.slot : '0;
  assign release_rs = rd_finish ? GSLOTS'(1) << rd_finish_slot : '0;
  assign begin_slot = ag_begin_i ? GSLOTS'(1) << next_q : '0;

  lowest_one #(.N(GSLOTS)) u_free (
    .in_i     (~used_q & ~(next_valid_q ? GSLOTS'(1) << next_q : '0)),
    .onehot_o (),
    .index_o  (next),
    .any_o    (next_any)
  );

  assign free_o      = next_valid_q;
  assign free_slot_o = next_q;

  always_ff @(posedge clk_i) begin
    if (!next_valid_q || ag_begin_i) next_q <= next;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      next_valid_q <= 1'b0;
      used_q       <= '0;
    end else begin
      if (!next_valid_q || ag_begin_i) next_valid_q <= next_any;
      used_q <= (used_q & ~release_ck & ~release_rs) | begin_slot;
    end
  end

  // ---- what each of them waits for: open until all its lines are asked for, and again for its rows ---
  assign none      = ck_i.ends && ck_i.commit && ck_i.group;
  assign dead      = mem_pkg::PAGED && dead_valid_i;
  assign dead_slot = dead ? GSLOTS'(1) << dead_i.slot : '0;

  always_comb begin
    for (int unsigned s = 0; s < GSLOTS; s++) ready[s] = !open_q[s] && !peer_q[s] && wait_q[s] == '0;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      open_q <= '1;
      peer_q <= '0;
      err_q  <= '0;
      mute_q <= '0;
    end else begin
      if (ck_i.ends)     peer_q[ck_i.slot] <= ck_i.commit && ck_op_i.pair;
      if (peer_valid_i) peer_q[peer_slot_i] <= 1'b0;
      if (rq_close_i || rd_start || none || dead) begin
        open_q <= (open_q & ~(rq_close_i ? GSLOTS'(1) << rq_slot_i : '0) & ~(none ? GSLOTS'(1) << ck_i.slot : '0) & ~dead_slot)
                  | (rd_start ? rd_start_slot : '0);
      end
      if (ag_begin_i || dn_valid_i || dead) begin
        err_q <= (err_q | ((dn_valid_i && dn_i.err) ? GSLOTS'(1) << dn_i.slot : '0) | (dead_slot & {GSLOTS{dead_i.trap}}))
                 & ~begin_slot;
      end
      if (ag_begin_i || dead) mute_q <= (mute_q | (dead_slot & {GSLOTS{!dead_i.trap}})) & ~begin_slot;
    end
  end

  // A line asked for and one answered in the same cycle leave an instruction's count as it is.
  assign one_slot = rq_slot_i == dn_i.slot;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      for (int unsigned s = 0; s < GSLOTS; s++) wait_q[s] <= '0;
    end else begin
      if (rq_count_i && !(dn_valid_i && one_slot)) wait_q[rq_slot_i] <= wait_q[rq_slot_i] + 1'b1;
      if (dn_valid_i && !(rq_count_i && one_slot)) wait_q[dn_i.slot] <= wait_q[dn_i.slot] - 1'b1;
    end
  end

  // ---- order ------------------------------------------------------------------------------------
  // Local memory is walked a word at a time.
  assign words = (ck_i.rows_local == '0) ? 2'd0 : (ck_op_i.size == isa_pkg::SIZE_128) ? 2'd3 : (ck_op_i.size == isa_pkg::SIZE_64) ? 2'd1 : 2'd0;

  lowest_one #(.N(BEATS)) u_first (
    .in_i     (ck_i.rows),
    .onehot_o (),
    .index_o  (ck_first),
    .any_o    ()
  );

  fifo #(.WIDTH(GSLOT_W + mem_pkg::BEAT_W + 2 * BEATS + 2), .DEPTH(GSLOTS)) u_order (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .in_valid_i  (ck_i.ends && ck_i.commit && !ck_i.group),
    .in_ready_o  (order_room),
    .in_data_i   ({ck_i.slot, ck_i.rows, ck_first, ck_i.rows_local, words}),
    .out_valid_o (go_valid_o),
    .out_ready_i (go_pop_i),
    .out_data_o  ({go_slot_o, go_rows_o, go_beat_o, go_rows_local_o, go_words_o}),
    .count_o     ()
  );

  // All that line_request needs of an instruction.
  ram_async #(.WIDTH($bits(mem_pkg::asked_t)), .DEPTH(GSLOTS)) u_request (
    .clk_i     (clk_i),
    .wr_en_i   (ck_i.ends),
    .wr_addr_i (ck_i.slot),
    .wr_data_i ({ck_op_i.id, ck_op_i.mem, ck_op_i.size, mem_pkg::is_atom(ck_op_i.mem) || !l1_pkg::THERE ? ck_op_i.atom : 6'(ck_op_i.cbank)}),
    .rd_addr_i (op_slot_i),
    .rd_data_o (asked)
  );
  assign op_o = mem_pkg::asked_t'(asked);

  // All that translation needs of it.
  ram_async #(.WIDTH(1 + cfg_pkg::SM_WARP_W), .DEPTH(GSLOTS)) u_translated (
    .clk_i     (clk_i),
    .wr_en_i   (ck_i.ends),
    .wr_addr_i (ck_i.slot),
    .wr_data_i ({mem_pkg::is_store(ck_op_i.mem) || mem_pkg::is_atom(ck_op_i.mem), ck_op_i.id.slot}),
    .rd_addr_i (tr_slot_i),
    .rd_data_o ({tr_write_o, tr_warp_o})
  );

  global_results u_results (
    .clk_i          (clk_i),
    .rst_ni         (rst_ni),
    .ck_i           (ck_i),
    .ck_op_i        (ck_op_i),
    .ready_i        (ready),
    .err_i          (err_q),
    .mute_i         (mute_q),
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

  // The order holds all that has a gslot.
  `ASSERT(a_order, order_room || !ck_i.ends)
  // An answer belongs to an instruction in flight.
  `ASSERT_IF(a_answer, dn_valid_i, used_q[dn_i.slot] && wait_q[dn_i.slot] != '0)
  // All that is given up is open; a report at a time.
  `ASSERT_IF(a_dead, dead, used_q[dead_i.slot] && open_q[dead_i.slot])
  `ASSERT_IF(a_report, dies, !(dn_valid_i && dn_i.err))

endmodule
