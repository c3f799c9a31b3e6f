// SPDX-License-Identifier: Apache-2.0
// Result rows of global instructions: of those that are complete one at a time sends its rows, register by register of each beat,
// and with the last its end, or a trap instead of rows where memory answered with an error or a page faults. Rows of an asynchronous
// copy go to lsu_shared, all of them, those without lanes too; its end comes from shared memory then. Copies go in the order in which
// they passed the check, and among them each LDGDEPBAR, which has nothing to wait for but its turn: so a group ends after the copies
// before it, and groups end in order. The cost: a copy that has its lines waits in its gslot for one that has not.
// All that a row needs is read in one cycle and sent in the next, so that data and most of the operation lie in block RAM; what says
// whether there is a row at all lies in LUT RAM.
// Latency: two cycles from ready_i to the first row. Handshake: valid/ready out, a row a cycle; the rest events.
// It sees no data: line_gather has the words of the row that it reads.
`include "heddle_assert.svh"
`include "heddle_idle.svh"

module global_results #(
  localparam int unsigned LANES   = cfg_pkg::LSU_LANES,
  localparam int unsigned BEATS   = mem_pkg::BEATS,
  localparam int unsigned GSLOTS  = mem_pkg::GSLOTS,
  localparam int unsigned GSLOT_W = mem_pkg::GSLOT_W,
  localparam int unsigned KEY_W   = mem_pkg::VKEY_W
) (
  input  logic                          clk_i,
  input  logic                          rst_ni,
  // from the check: an instruction; lanes of a beat
  /* verilator lint_off UNUSEDSIGNAL */                // not all of it is needed here
  input  mem_pkg::global_t              ck_i,
  input  core_pkg::memop_t              ck_op_i,
  /* verilator lint_on UNUSEDSIGNAL */
  // from and to global_track
  input  logic [GSLOTS-1:0]             ready_i,        // instructions that are complete
  input  logic [GSLOTS-1:0]             err_i,          // with a bus error, or a fault of a page
  input  logic [GSLOTS-1:0]             mute_i,         // given up without a trap: no result
  output logic                          start_o,        // event: the rows of this one are sent
  output logic [GSLOTS-1:0]             start_slot_o,
  output logic                          finish_o,       // event: it has ended
  output logic [GSLOT_W-1:0]            finish_slot_o,
  // from line_gather, line_translate: a line has answered with an error, or has no page
  input  logic                          dn_err_i,       // event
  input  logic [GSLOT_W-1:0]            dn_slot_i,
  input  logic [3:0]                    dn_cause_i,
  input  logic [31:0]                   dn_lanes_i,
  input  logic [KEY_W-1:0]              dn_key_i,
  // to line_gather: the result row to read
  output logic                          rd_en_o,
  output logic [mem_pkg::GROW_W-1:0]    rd_row_o,
  output logic [1:0]                    rd_word_o,
  // to the end of the unit
  output logic                          res_valid_o,
  input  logic                          res_ready_i,
  output mem_pkg::result_t              res_o,
  output logic [2:0]                    res_size_o,
  // to lsu_shared; the row of its addresses is read as cp_read_o says
  output logic                          cp_read_o,
  output logic                          cp_valid_o,
  input  logic                          cp_ready_i,
  output mem_pkg::copied_t              cp_o
);

  localparam int unsigned ID_BITS = $bits(core_pkg::id_t);

  // The instruction that is read, and the row that was read.
  logic                          get_valid_q, get_free, get_last, get_leave, get_row_en, get_rows, get_returns, get_copy;
  logic [GSLOT_W-1:0]            get_slot_q;
  logic [LANES-1:0]              get_mask;
  logic [1:0]                    get_word_q, get_n;
  logic [mem_pkg::BEAT_W-1:0]    get_beat_q;
  logic                          final_word, res_valid_q, res_row_q, res_last_q, res_copy_q, res_whole_q, res_taken, res_free;
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
  logic [KEY_W-1:0]              err_key;
  logic [3:0]                    err_cause;
  logic [GSLOT_W-1:0]            pick_index;

  // ---- the turn of asynchronous copies: gslots that may be read, of copies the oldest, of others all -------------
  logic [GSLOTS-1:0]             copies_q, turn, ready;
  logic [GSLOT_W-1:0]            head;
  logic                          head_valid, order_room;

  fifo #(.WIDTH(GSLOT_W), .DEPTH(GSLOTS)) u_order (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .in_valid_i  (cfg_pkg::HAS_ASYNC && ck_i.ends && ck_i.commit && ck_i.copy),
    .in_ready_o  (order_room),
    .in_data_i   (ck_i.slot),
    .out_valid_o (head_valid),
    .out_ready_i (cfg_pkg::HAS_ASYNC && start_o && (start_slot_o & copies_q) != '0),
    .out_data_o  (head),
    .count_o     ()
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni)       copies_q <= '0;
    else if (ck_i.ends) copies_q[ck_i.slot] <= cfg_pkg::HAS_ASYNC && ck_i.copy;
  end

  assign turn = ~copies_q | (head_valid ? GSLOTS'(1) << head : '0);

  // The order holds all that has a gslot, and what is read had its turn.
  `ASSERT(a_room, order_room || !ck_i.ends)
  `ASSERT(a_turn, !start_o || (start_slot_o & ~turn) == '0)

  assign ready = cfg_pkg::HAS_ASYNC ? ready_i & turn : ready_i;

  // ---- read a row, a cycle later send it -----------------------------------------------
  arb_rr #(.N(GSLOTS)) u_ready (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .req_i   (ready),
    .grant_o (start_slot_o),
    .take_i  (start_o)
  );

  onehot_index #(.N(GSLOTS)) u_pick (
    .onehot_i (start_slot_o),
    .index_o  (pick_index)
  );

  // All that reading needs of an instruction.
  ram_async #(.WIDTH(3), .DEPTH(GSLOTS)) u_returns (
    .clk_i     (clk_i),
    .wr_en_i   (ck_i.ends),
    .wr_addr_i (ck_i.slot),
    .wr_data_i ({mem_pkg::returns(ck_op_i.mem) && ck_op_i.rd != isa_pkg::RZ && !ck_i.copy, ck_op_i.rd_n}),
    .rd_addr_i (get_slot_q),
    .rd_data_o ({get_returns, get_n})
  );
  ram_live #(.WIDTH(LANES), .DEPTH(mem_pkg::GROWS)) u_rows (
    .clk_i     (clk_i),
    .wr_en_i   (ck_i.valid),
    .wr_addr_i (ck_i.row),
    .wr_data_i (ck_i.lanes),
    .rd_live_i (get_valid_q),
    .rd_addr_i (rd_row_o),
    .rd_data_o (get_mask)
  );

  assign get_copy   = cfg_pkg::HAS_ASYNC && copies_q[get_slot_q];
  assign res_taken  = res_copy_q ? cp_ready_i : res_ready_i;
  assign res_free   = !res_valid_q || res_taken;
  assign get_rows   = (get_returns || get_copy) && !err_i[get_slot_q] && !(mem_pkg::PAGED && mute_i[get_slot_q]);
  assign get_row_en = get_rows && get_mask != '0;
  assign final_word = !get_row_en || get_word_q == get_n;
  assign get_last   = final_word && (!get_rows || 32'(get_beat_q) == BEATS - 1);
  assign get_leave  = get_valid_q && res_free && get_last;
  assign get_free   = !get_valid_q || get_leave;
  assign start_o    = get_free && ready != '0;

  assign rd_en_o   = get_valid_q && res_free && get_row_en;
  assign rd_row_o  = mem_pkg::GROW_W'(32'(get_slot_q) * BEATS + 32'(get_beat_q));
  assign rd_word_o = get_word_q;
  assign cp_read_o = rd_en_o && get_copy;

  always_ff @(posedge clk_i) begin
    if (start_o) get_slot_q <= pick_index;
    if (get_valid_q && res_free) begin
      finish_slot_o <= get_slot_q;
      res_beat_q <= get_beat_q;
      res_word_q <= get_word_q;
      res_row_q  <= get_row_en;
      res_mask_q <= get_mask;
      res_has_rd_q <= get_returns;
      res_last_q <= get_last;
      res_copy_q  <= get_copy && get_rows;
      res_whole_q <= final_word;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      get_valid_q <= 1'b0;
      get_beat_q  <= '0;
      get_word_q  <= '0;
      res_valid_q <= 1'b0;
    end else begin
      if (get_free) get_valid_q <= start_o;
      if (get_valid_q && res_free) begin
        get_word_q <= final_word ? '0 : get_word_q + 1'b1;
        if (final_word) get_beat_q <= get_last ? '0 : get_beat_q + 1'b1;
      end
      if (res_free) res_valid_q <= get_valid_q && (get_row_en || get_last || (get_copy && get_rows));
    end
  end

  assign finish_o      = res_valid_q && res_taken && res_last_q;
  assign res_valid_o = res_valid_q && !res_copy_q;
  assign cp_valid_o  = cfg_pkg::HAS_ASYNC && res_valid_q && res_copy_q;
  assign cp_o        = '{id: res_id, wbar: res_wbar, size: res_size_o, beat: res_beat_q, mask: res_mask_q, word: res_word_q,
                         whole: res_whole_q, last: res_last_q};

  // All that the end needs of an instruction, read with its row.
  ram_apart #(.WIDTH(ID_BITS + 64), .DEPTH(GSLOTS)) u_op (
    .clk_i     (clk_i),
    .rst_ni    (rst_ni),
    .wr_en_i   (ck_i.ends),
    .wr_addr_i (ck_i.slot),
    .wr_data_i ({ck_op_i.id, ck_op_i.pc, ck_op_i.rbase, ck_op_i.rd, ck_op_i.rd_n, ck_op_i.wbar, ck_op_i.size}),
    .rd_en_i   (get_valid_q && res_free),
    .rd_addr_i (get_slot_q),
    .rd_data_o ({res_id, res_pc, res_rbase, res_rd, res_n, res_wbar, res_size_o})
  );

  // Where the error was, and of a machine with pages its cause. For an instruction with several failing lines it is the last of them.
  ram_live #(.WIDTH(36 + KEY_W), .DEPTH(GSLOTS)) u_err (
    .clk_i     (clk_i),
    .wr_en_i   (dn_err_i),
    .wr_addr_i (dn_slot_i),
    .wr_data_i ({dn_cause_i, dn_lanes_i, dn_key_i}),
    .rd_live_i (res_valid_q && err_i[finish_slot_o]),
    .rd_addr_i (finish_slot_o),
    .rd_data_o ({err_cause, err_lanes, err_key})
  );

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
      res_o.trap   = err_i[finish_slot_o];
      res_o.pc     = res_pc;
      res_o.cause  = mem_pkg::PAGED ? err_cause : core_pkg::TRAP_BUS;
      res_o.lanes  = err_lanes;
      res_o.addr   = {6'd0, err_key[KEY_W-1], (51-KEY_W)'('0), err_key[KEY_W-2:0], 7'd0};
    end
  end

endmodule
