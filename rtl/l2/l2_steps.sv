// SPDX-License-Identifier: Apache-2.0
// Tasks, one after the other, as steps of the rows' pipeline: rows of a line that gives way; then
// rows of a request, or lanes of an atomic and after them its sectors for the record, or the order to
// fetch. All that touches rows goes this way, but what comes from memory; so the order of tasks is
// the order in which requests are performed.
// Latency: a task's first step is offered two cycles after it came. A step a cycle, without a gap
// from task to task; a fetch takes no step. Of an atomic that gives nothing back, no float and no comparison, whose lanes all
// change different words: a step for each row; of others a lane a cycle, and one for each sector.
// Handshake: task_, step_ valid/ready; send_ and begin_ are events; room_ stands until a line begins.
// It does not read or write a row.
`default_nettype none
`include "heddle_assert.svh"

module l2_steps (
  input  logic                            clk_i,
  input  logic                            rst_ni,
  // from the channel
  /* verilator lint_off UNUSEDSIGNAL */   // of a request, what is done
  input  order_pkg::asked_t               asked_i,
  /* verilator lint_on UNUSEDSIGNAL */
  // tasks
  input  logic                            task_valid_i,
  output logic                            task_ready_o,
  input  l2_pkg::task_t                   task_i,
  // to and from l2_operands: an atomic's lanes
  output logic [l2_pkg::SLOT_W-1:0]       slot_o,
  input  logic [31:0]                     lanes_i,
  input  logic [31:0]                     words_i,        // the words that they change
  input  logic                            apart_i,        // ... each by one
  output logic [l2_pkg::SLOT_W-1:0]       at_slot_o,      // the word of this lane
  output logic [4:0]                      at_lane_o,
  input  logic [4:0]                      at_word_i,
  // to the rows
  output logic                            step_valid_o,
  input  logic                            step_ready_i,
  output l2_pkg::step_t                   step_o,
  // to l2_fetch
  output logic                            send_valid_o,
  output logic [l2_pkg::ENTRY_W-1:0]      send_entry_o,
  // to and from l2_backs
  input  logic                            room_i,
  output logic                            begin_o
);

  localparam int unsigned ROWS  = l2_pkg::ROWS;
  localparam int unsigned WORDS = l2_pkg::WORDS;

  // ---- the next task ----------------------------------------------------------------------------
  l2_pkg::meta_t     meta, asked;
  logic              atom, apart, lanes_one;
  logic [ROWS-1:0]   word_rows;

  assign asked = '{tag: line_pkg::bank_tag(asked_i.rq.sm, asked_i.rq.tag), kind: asked_i.rq.kind,
    sectors: asked_i.rq.sectors, slot: asked_i.slot, op: asked_i.rq.op, wide: asked_i.rq.wide, gives: asked_i.rq.gives};

  ram_async #(.WIDTH($bits(l2_pkg::meta_t)), .DEPTH(l2_pkg::ENTRIES)) u_meta (
    .clk_i     (clk_i),
    .wr_en_i   (asked_i.valid),
    .wr_addr_i (asked_i.entry),
    .wr_data_i (asked),
    .rd_addr_i (task_i.entry),
    .rd_data_o (meta)
  );
  assign slot_o    = meta.slot;
  assign atom      = meta.kind == line_pkg::ATOM;
  assign apart     = apart_i && !meta.gives && !atom_pkg::is_float(meta.op) && meta.op != atom_pkg::COMPARE_SWAP;
  assign lanes_one = atom && !apart && !task_i.err;
  always_comb begin
    for (int unsigned r = 0; r < ROWS; r++) word_rows[r] = words_i[r*WORDS +: WORDS] != '0;
  end

  // ---- the one whose steps are taken ------------------------------------------------------------
  logic              valid_q, load, over;
  /* verilator lint_off UNUSEDSIGNAL */   // of it, what is left to do
  l2_pkg::task_t     now_q;
  /* verilator lint_on UNUSEDSIGNAL */
  l2_pkg::meta_t     meta_q;
  logic [31:0]       words_q;
  logic [ROWS-1:0]   back_q, rows_q, back_hot, row_hot, span;
  logic [31:0]       lanes_q, lane_hot;
  logic [l2_pkg::SECTORS-1:0] shows_q, show_hot;
  logic              backs, rows, lanes, shows, performs, fire, begun_q, early, back_over;
  logic [l2_pkg::ROW_W-1:0]   back_row, row;
  logic [1:0]        show_sector;

  assign back_over    = backs && fire && (back_q & ~back_hot) == '0;
  assign over         = valid_q && (backs ? back_over && !performs : performs ? fire && step_o.ends : 1'b1);
  assign load         = task_valid_i && !early && (!valid_q || over);
  assign task_ready_o = early || !valid_q || over;
  // A fetch for which no line gives way need not wait for steps at another place.
  assign early        = task_valid_i && task_i.what == l2_pkg::FETCHES && !task_i.gives
    && (!valid_q || (now_q.what != l2_pkg::FETCHES && now_q.place != task_i.place));

  // Rows from the first to the last that has been written.
  always_comb begin
    for (int unsigned r = 0; r < ROWS; r++) begin
      span[r] = task_i.gives && r >= 32'(l2_pkg::first_row(task_i.back_rows)) && r <= 32'(l2_pkg::last_row(task_i.back_rows));
    end
  end

  lowest_one #(.N(ROWS)) u_back (
    .in_i     (back_q),
    .onehot_o (back_hot),
    .index_o  (back_row),
    .any_o    (backs)
  );
  lowest_one #(.N(ROWS)) u_row (
    .in_i     (rows_q),
    .onehot_o (row_hot),
    .index_o  (row),
    .any_o    (rows)
  );
  lowest_one #(.N(32)) u_lane (
    .in_i     (lanes_q),
    .onehot_o (lane_hot),
    .index_o  (at_lane_o),
    .any_o    (lanes)
  );
  lowest_one #(.N(l2_pkg::SECTORS)) u_show (
    .in_i     (shows_q),
    .onehot_o (show_hot),
    .index_o  (show_sector),
    .any_o    (shows)
  );
  assign at_slot_o = meta_q.slot;

  always_ff @(posedge clk_i) begin
    if (load) begin
      now_q   <= task_i;
      meta_q  <= meta;
      words_q <= words_i;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid_q <= 1'b0;
      begun_q <= 1'b0;
      back_q  <= '0;
      rows_q  <= '0;
      lanes_q <= '0;
      shows_q <= '0;
    end else begin
      if (!valid_q || over) valid_q <= load;
      if (fire && backs) begun_q <= (back_q & ~back_hot) != '0;
      if (load) begin
        back_q  <= span;
        rows_q  <= (task_i.what != l2_pkg::PERFORM || task_i.err || lanes_one) ? '0 : atom ? word_rows : l2_pkg::rows_of(meta.sectors);
        lanes_q <= (task_i.what == l2_pkg::PERFORM && lanes_one) ? lanes_i : '0;
        shows_q <= (task_i.what == l2_pkg::PERFORM && lanes_one) ? meta.sectors : '0;
      end else if (fire) begin
        if (backs)      back_q  <= back_q & ~back_hot;
        else if (rows)  rows_q  <= rows_q & ~row_hot;
        else if (lanes) lanes_q <= lanes_q & ~lane_hot;
        else            shows_q <= shows_q & ~show_hot;
      end
    end
  end

  // ---- its steps --------------------------------------------------------------------------------
  logic [ROWS-1:0]            rows_left, of_sector;
  logic [l2_pkg::SECTORS-1:0] shows_left;
  logic                       sector_over;

  assign performs     = now_q.what == l2_pkg::PERFORM;
  assign step_valid_o = valid_q && (backs ? begun_q || room_i : performs);
  assign fire         = step_valid_o && step_ready_i;
  assign begin_o      = fire && backs && !begun_q;
  assign send_valid_o = early || (valid_q && (!backs || back_over) && now_q.what == l2_pkg::FETCHES);
  assign send_entry_o = early ? task_i.entry : now_q.entry;

  assign rows_left  = rows_q & ~row_hot;
  assign shows_left = shows_q & ~show_hot;
  always_comb begin
    for (int unsigned r = 0; r < ROWS; r++) of_sector[r] = 2'(r * l2_pkg::SECTORS / ROWS) == l2_pkg::sector_of(row);
  end
  assign sector_over = (rows_left & of_sector) == '0;

  always_comb begin
    step_o        = '0;
    step_o.place  = now_q.place;
    step_o.entry  = now_q.entry;
    step_o.meta   = meta_q;
    step_o.lane   = at_lane_o;
    step_o.word   = at_word_i;
    step_o.back   = now_q.back;
    step_o.dirty  = now_q.back_rows[back_row];
    step_o.last   = (back_q & ~back_hot) == '0;
    if (backs) begin
      step_o.kind   = l2_pkg::S_BACK;
      step_o.row    = back_row;
    end else if (rows) begin
      step_o.kind   = (meta_q.kind == line_pkg::STORE) ? l2_pkg::S_STORE
                    : (meta_q.kind == line_pkg::ATOM)  ? l2_pkg::S_WORDS : l2_pkg::S_LOAD;
      step_o.row    = row;
      step_o.ends   = rows_left == '0;
      step_o.sector = l2_pkg::sector_of(row);
      step_o.shows  = (meta_q.kind == line_pkg::FILL) ? rows_left == '0 : meta_q.kind != line_pkg::FETCH && sector_over;
      step_o.fresh  = now_q.fresh[row];
      step_o.words  = words_q[32'(row) * WORDS +: WORDS];
    end else if (lanes) begin
      step_o.kind   = l2_pkg::S_LANE;
      step_o.row    = l2_pkg::ROW_W'(32'(at_word_i) / WORDS);
    end else begin
      step_o.kind   = l2_pkg::S_SHOW;
      step_o.ends   = shows_left == '0;
      step_o.err    = now_q.err;
      step_o.shows  = shows;
      step_o.sector = show_sector;
    end
  end

  // Who is performed has a row or a lane, or an error.
  `ASSERT_IF(a_some, valid_q && performs && !backs && !now_q.err, rows || lanes || shows)

endmodule

`default_nettype wire
