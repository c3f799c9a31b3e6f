// SPDX-License-Identifier: Apache-2.0
// Global instructions from their first beat to their end: one gslot each, the order in which they
// passed the check, and the number of sectors whose answer is still to come. A complete
// instruction sends its result rows, row by row, register by register, and its end; then its gslot
// is free again.
// Latency: three cycles from the last answer to the first row. Handshake: begin, check, pop,
// count, close and done are events; results valid/ready, a row a cycle. Instructions complete in
// any order. A bus error sends a trap instead of rows.
// It does not know addresses.
`default_nettype none
`include "heddle_assert.svh"
`include "heddle_idle.svh"

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
  output logic                          go_store_o,
  output logic [BEATS-1:0]              go_rows_o,      // rows with lanes
  output logic [mem_pkg::BEAT_W-1:0]    go_beat_o,      // the first of them
  output logic [BEATS-1:0]              go_rows_local_o,
  output logic [1:0]                    go_words_o,
  // from and to store_merge
  input  logic                          rq_count_i,
  input  logic                          rq_close_i,
  input  logic [GSLOT_W-1:0]            rq_slot_i,
  input  logic [GSLOT_W-1:0]            op_slot_i,
  output core_pkg::id_t                 op_id_o,
  output isa_pkg::mem_e                 op_mem_o,
  output logic [2:0]                    op_size_o,
  // from load_gather
  input  logic                          dn_valid_i,
  input  logic [GSLOT_W-1:0]            dn_slot_i,
  input  logic                          dn_err_i,
  input  logic [31:0]                   dn_lanes_i,
  input  logic [mem_pkg::KEY_W-1:0]     dn_sector_i,
  // to load_gather: the result row to read
  output logic                          rd_en_o,
  output logic [mem_pkg::GROW_W-1:0]    rd_row_o,
  output logic [1:0]                    rd_word_o,
  // to the end of the unit; the row's data stand in load_gather
  output logic                          res_valid_o,
  input  logic                          res_ready_i,
  output mem_pkg::result_t              res_o,
  output logic [2:0]                    res_size_o,
  output logic                          idle_o
);

  localparam int unsigned MOST    = (mem_pkg::ENTRIES > 128) ? 128 : mem_pkg::ENTRIES;   // sectors of one that are in flight
  localparam int unsigned WAIT_W  = $clog2(MOST + 2);
  localparam int unsigned ID_BITS = $bits(core_pkg::id_t);

  logic [GSLOTS-1:0]             used_q, open_q, peer_q, err_q, free, release_ck, release_rs, ready, pick, unused_onehot;
  logic [WAIT_W-1:0]             wait_q [GSLOTS];
  logic                          next_valid_q, next_any, unused_ready;
  logic [GSLOT_W-1:0]            next_q, next, pick_index;
  logic [$clog2(GSLOTS+1)-1:0]   unused_count;
  logic [3:0]                    op_mem;
  logic [BEATS-1:0]              unused_first;
  logic [mem_pkg::BEAT_W-1:0]    ck_first;
  logic                          unused_some;

  // Reading: the instruction whose rows are read, and the row that was read.
  logic                          get_valid_q, get_free, get_last, get_leave, get_row_en, get_rows, get_returns, start;
  logic [GSLOT_W-1:0]            get_slot_q, res_slot_q;
  logic [LANES-1:0]              get_mask;
  logic [1:0]                    get_word_q, get_n;
  logic [mem_pkg::BEAT_W-1:0]    get_beat_q;
  logic                          final_word, res_valid_q, res_row_q, res_last_q, res_free, finish;
  logic [1:0]                    res_word_q;
  logic [mem_pkg::BEAT_W-1:0]    res_beat_q;
  logic [LANES-1:0]              res_mask_q;
  logic                          res_has_rd_q;
  core_pkg::id_t                 res_id;
  logic [31:0]                   res_pc;
  logic [15:0]                   res_rbase;
  logic [7:0]                    res_rd;
  logic [1:0]                    res_n;
  logic [2:0]                    res_wbar;
  logic [31:0]                   err_lanes;
  logic [mem_pkg::KEY_W-1:0]     err_sector;
  logic [1:0]                    words;

  // ---- gslots: the next free one is chosen beforehand -------------------------------------------
  assign release_ck = (ck_end_i && !ck_commit_i) ? GSLOTS'(1) << ck_slot_i : '0;
  assign release_rs = finish ? GSLOTS'(1) << res_slot_q : '0;
  assign free       = ~used_q & ~(next_valid_q ? GSLOTS'(1) << next_q : '0);

  lowest_one #(.N(GSLOTS)) u_free (
    .in_i     (free),
    .onehot_o (unused_onehot),
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
      used_q <= (used_q & ~release_ck & ~release_rs) | (ag_begin_i ? GSLOTS'(1) << next_q : '0);
    end
  end

  // ---- what each of them waits for: open until all its sectors are asked for, and again for its rows ---
  always_comb begin
    for (int unsigned s = 0; s < GSLOTS; s++) ready[s] = !open_q[s] && !peer_q[s] && wait_q[s] == '0;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      open_q <= '1;
      peer_q <= '0;
      err_q  <= '0;
    end else begin
      if (ck_end_i)     peer_q[ck_slot_i] <= ck_commit_i && ck_pair_i;
      if (peer_valid_i) peer_q[peer_slot_i] <= 1'b0;
      if (rq_close_i || start) begin
        open_q <= (open_q & ~(rq_close_i ? GSLOTS'(1) << rq_slot_i : '0)) | (start ? pick : '0);
      end
      if (ag_begin_i || dn_valid_i) begin
        err_q <= (err_q | ((dn_valid_i && dn_err_i) ? GSLOTS'(1) << dn_slot_i : '0))
                 & ~(ag_begin_i ? GSLOTS'(1) << next_q : '0);
      end
    end
  end

  // A sector asked for and one answered in the same cycle leave an instruction's count as it is.
  logic one_slot;
  assign one_slot = rq_slot_i == dn_slot_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      for (int unsigned s = 0; s < GSLOTS; s++) wait_q[s] <= '0;
    end else begin
      if (rq_count_i && !(dn_valid_i && one_slot)) wait_q[rq_slot_i] <= wait_q[rq_slot_i] + 1'b1;
      if (dn_valid_i && !(rq_count_i && one_slot)) wait_q[dn_slot_i] <= wait_q[dn_slot_i] - 1'b1;
    end
  end

  // An answer belongs to an instruction in flight.
  `ASSERT_IF(a_answer, dn_valid_i, used_q[dn_slot_i] && wait_q[dn_slot_i] != '0)

  // ---- order ------------------------------------------------------------------------------------
  // Local memory is walked a word at a time.
  assign words = (ck_rows_local_i == '0) ? 2'd0 : (ck_op_i.size == isa_pkg::SIZE_128) ? 2'd3 : (ck_op_i.size == isa_pkg::SIZE_64) ? 2'd1 : 2'd0;

  lowest_one #(.N(BEATS)) u_first (
    .in_i     (ck_rows_i),
    .onehot_o (unused_first),
    .index_o  (ck_first),
    .any_o    (unused_some)
  );

  fifo #(.WIDTH(GSLOT_W + mem_pkg::BEAT_W + 2 * BEATS + 3), .DEPTH(GSLOTS)) u_order (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .in_valid_i  (ck_end_i && ck_commit_i),
    .in_ready_o  (unused_ready),
    .in_data_i   ({ck_slot_i, mem_pkg::is_store(ck_op_i.mem), ck_rows_i, ck_first, ck_rows_local_i, words}),
    .out_valid_o (go_valid_o),
    .out_ready_i (go_pop_i),
    .out_data_o  ({go_slot_o, go_store_o, go_rows_o, go_beat_o, go_rows_local_o, go_words_o}),
    .count_o     (unused_count)
  );

  // What store_merge needs of an instruction.
  ram_async #(.WIDTH(ID_BITS + 7), .DEPTH(GSLOTS)) u_request (
    .clk_i     (clk_i),
    .wr_en_i   (ck_end_i),
    .wr_addr_i (ck_slot_i),
    .wr_data_i ({ck_op_i.id, ck_op_i.mem, ck_op_i.size}),
    .rd_addr_i (op_slot_i),
    .rd_data_o ({op_id_o, op_mem, op_size_o})
  );

  assign op_mem_o = isa_pkg::mem_e'(op_mem);

  // ---- results: read a row, a cycle later send it -----------------------------------------------
  arb_rr #(.N(GSLOTS)) u_ready (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .req_i   (ready),
    .grant_o (pick),
    .take_i  (start)
  );

  onehot_index #(.N(GSLOTS)) u_pick (
    .onehot_i (pick),
    .index_o  (pick_index)
  );

  // What reading needs of an instruction.
  ram_async #(.WIDTH(3), .DEPTH(GSLOTS)) u_returns (
    .clk_i     (clk_i),
    .wr_en_i   (ck_end_i),
    .wr_addr_i (ck_slot_i),
    .wr_data_i ({mem_pkg::returns(ck_op_i.mem) && ck_op_i.rd != isa_pkg::RZ, ck_op_i.rd_n}),
    .rd_addr_i (get_slot_q),
    .rd_data_o ({get_returns, get_n})
  );
  ram_live #(.WIDTH(LANES), .DEPTH(mem_pkg::GROWS)) u_rows (
    .clk_i     (clk_i),
    .wr_en_i   (ck_row_valid_i),
    .wr_addr_i (ck_row_i),
    .wr_data_i (ck_lanes_i),
    .rd_live_i (get_valid_q),
    .rd_addr_i (rd_row_o),
    .rd_data_o (get_mask)
  );

  assign res_free   = !res_valid_q || res_ready_i;
  assign get_rows   = get_returns && !err_q[get_slot_q];
  assign get_row_en = get_rows && get_mask != '0;
  assign final_word = !get_row_en || get_word_q == get_n;
  assign get_last   = final_word && (!get_rows || 32'(get_beat_q) == BEATS - 1);
  assign get_leave  = get_valid_q && res_free && get_last;
  assign get_free   = !get_valid_q || get_leave;
  assign start      = get_free && ready != '0;

  assign rd_en_o   = get_valid_q && res_free && get_row_en;
  assign rd_row_o  = mem_pkg::GROW_W'(32'(get_slot_q) * BEATS + 32'(get_beat_q));
  assign rd_word_o = get_word_q;

  always_ff @(posedge clk_i) begin
    if (start) get_slot_q <= pick_index;
    if (get_valid_q && res_free) begin
      res_slot_q <= get_slot_q;
      res_beat_q <= get_beat_q;
      res_word_q <= get_word_q;
      res_row_q  <= get_row_en;
      res_mask_q <= get_mask;
      res_has_rd_q <= get_returns;
      res_last_q <= get_last;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      get_valid_q <= 1'b0;
      get_beat_q  <= '0;
      get_word_q  <= '0;
      res_valid_q <= 1'b0;
    end else begin
      if (get_free) get_valid_q <= start;
      if (get_valid_q && res_free) begin
        get_word_q <= final_word ? '0 : get_word_q + 1'b1;
        if (final_word) get_beat_q <= get_last ? '0 : get_beat_q + 1'b1;
      end
      if (res_free) res_valid_q <= get_valid_q && (get_row_en || get_last);
    end
  end

  assign finish      = res_valid_q && res_ready_i && res_last_q;
  assign res_valid_o = res_valid_q;

  // What the end needs of an instruction, read with its row.
  ram_apart #(.WIDTH(ID_BITS + 64), .DEPTH(GSLOTS)) u_op (
    .clk_i     (clk_i),
    .rst_ni    (rst_ni),
    .wr_en_i   (ck_end_i),
    .wr_addr_i (ck_slot_i),
    .wr_data_i ({ck_op_i.id, ck_op_i.pc, ck_op_i.rbase, ck_op_i.rd, ck_op_i.rd_n, ck_op_i.wbar, ck_op_i.size}),
    .rd_en_i   (get_valid_q && res_free),
    .rd_addr_i (get_slot_q),
    .rd_data_o ({res_id, res_pc, res_rbase, res_rd, res_n, res_wbar, res_size_o})
  );

  // Where the error was. Lanes and address of an instruction with several failing sectors are those
  // of the last of them.
  ram_live #(.WIDTH(32 + mem_pkg::KEY_W), .DEPTH(GSLOTS)) u_err (
    .clk_i     (clk_i),
    .wr_en_i   (dn_valid_i && dn_err_i),
    .wr_addr_i (dn_slot_i),
    .wr_data_i ({dn_lanes_i, dn_sector_i}),
    .rd_live_i (res_valid_q && err_q[res_slot_q]),
    .rd_addr_i (res_slot_q),
    .rd_data_o ({err_lanes, err_sector})
  );

  assign idle_o = used_q == '0;

  always_comb begin
    res_o = 'x;
    if (`HEDDLE_LIVE(res_valid_q)) begin
      res_o.who    = '{id: res_id, rbase: res_rbase, rd: res_rd, rd_n: res_n, wbar: res_wbar, has_rd: res_has_rd_q};
      res_o.uni    = 1'b0;
      res_o.row_en = res_row_q;
      res_o.beat   = 5'(res_beat_q);
      res_o.mask   = res_mask_q;
      res_o.word   = res_word_q;
      res_o.last   = res_last_q;
      res_o.trap   = err_q[res_slot_q];
      res_o.pc     = res_pc;
      res_o.cause  = core_pkg::TRAP_BUS;
      res_o.lanes  = err_lanes;
      res_o.addr   = {6'd0, err_sector[mem_pkg::KEY_W-1], 17'd0, err_sector[mem_pkg::SECTOR_W-1:0], 5'd0};
    end
  end

  // The order holds whatever has a gslot.
  `ASSERT(a_order, unused_ready || !ck_end_i)

endmodule

`default_nettype wire
