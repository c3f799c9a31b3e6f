// SPDX-License-Identifier: Apache-2.0
// Tasks as steps of the rows' pipeline: rows of an evicted line; then rows of a request, or an atomic's sectors for the record, or the
// start of a fetch. Lanes of an atomic step aside: tasks of other places alternate with them, those of its place wait.
// All accesses to rows but fills go this way, so tasks of one place are performed in order.
// Latency: the first step of a task is offered two cycles after it came. A step a cycle, without a gap between tasks; a fetch has none.
// A RED with lanes of different words (no float, no comparison) has a step a row; other atomics one a lane and one a sector.
// A lane of a float has one step to the adder and one for the sum, at added_i.
// Handshake: task_, step_ valid/ready; send_ and begin_ are events; room_ is held until a line begins.
// It does not read or write a row.
`include "heddle_assert.svh"

module l2_steps (
  input  logic                            clk_i,
  input  logic                            rst_ni,
  // from the channel
  input  order_pkg::asked_t               asked_i,
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
  // from and to the rows
  input  logic                            added_i,        // the sum of the lane in the adder
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

  // ---- the current task -----------------------------------------------------------------------------
  logic              valid_q, load, over, free;
  logic              fire, fire_now, of_now;   // a step is taken: of the current task, or of an atomic aside
  /* verilator lint_off UNUSEDSIGNAL */   // of the current task, the rest
  l2_pkg::task_t     now_q;
  /* verilator lint_on UNUSEDSIGNAL */
  l2_pkg::meta_t     meta_q;
  logic [31:0]       words_q;
  logic [ROWS-1:0]   back_q, rows_q, back_hot, row_hot, span;
  logic [l2_pkg::SECTORS-1:0] shows_q, show_hot;
  logic              backs, rows, shows, performs, begun_q, early, back_over;
  logic [l2_pkg::ROW_W-1:0]   back_row, row;
  logic [1:0]        show_sector;
  logic              lanes_first;              // the next task has lanes that step aside
  logic              aside_q, showing_q, show, aside_over, beside, lanes, lanes_over, adds, adding_q, lane_step;

  assign performs     = now_q.what == l2_pkg::PERFORM;
  assign back_over    = backs && fire_now && (back_q & ~back_hot) == '0;
  assign over         = valid_q && (backs ? back_over && !performs : performs ? fire_now && step_o.ends : 1'b1);
  assign free         = !valid_q || over;
  assign load         = task_valid_i && !early && free && !show && !beside && !(lanes_first && aside_q && !aside_over);
  assign task_ready_o = early || load;
  // A fetch without an eviction does not wait for steps of another place.
  assign early        = task_valid_i && task_i.what == l2_pkg::FETCHES && !task_i.gives && !beside
    && (!valid_q || (now_q.what != l2_pkg::FETCHES && now_q.place != task_i.place));

  // ---- an atomic's lanes, aside -----------------------------------------------------------------
  // The current task records its sectors, all together; the atomic stays here until then.
  l2_pkg::place_t    aside_place_q;
  logic [l2_pkg::ENTRY_W-1:0] aside_entry_q;
  l2_pkg::meta_t     aside_meta_q;
  logic [31:0]       lanes_q, lanes_left, lane_hot;

  assign lanes_first  = task_i.what == l2_pkg::PERFORM && lanes_one;
  assign adds         = atom_pkg::is_float(aside_meta_q.op) && !adding_q;
  assign lane_step    = lanes && (!adding_q || added_i);
  assign lanes_left   = fire && !of_now && !adds ? lanes_q & ~lane_hot : lanes_q;
  assign lanes_over   = lanes_left == '0;
  assign show         = aside_q && !showing_q && lanes_over && free;
  assign aside_over   = showing_q && over;
  assign beside       = aside_q && !aside_over && task_i.place == aside_place_q;

  // Rows from the first dirty one to the last.
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
  assign at_slot_o = aside_meta_q.slot;

  always_ff @(posedge clk_i) begin
    if (load) begin
      now_q   <= task_i;
      meta_q  <= meta;
      words_q <= words_i;
    end else if (show) begin
      now_q.what  <= l2_pkg::PERFORM;
      now_q.err   <= 1'b0;
      now_q.place <= aside_place_q;
      now_q.entry <= aside_entry_q;
      meta_q      <= aside_meta_q;
    end
    if (load && lanes_first) begin
      aside_place_q <= task_i.place;
      aside_entry_q <= task_i.entry;
      aside_meta_q  <= meta;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid_q   <= 1'b0;
      begun_q   <= 1'b0;
      aside_q   <= 1'b0;
      showing_q <= 1'b0;
      back_q    <= '0;
      rows_q    <= '0;
      adding_q  <= 1'b0;
      lanes_q   <= '0;
      shows_q   <= '0;
    end else begin
      if (free) valid_q <= show || (load && !lanes_first);
      if (fire_now && backs) begun_q <= (back_q & ~back_hot) != '0;
      if (load) begin
        back_q  <= span;
        rows_q  <= (task_i.what != l2_pkg::PERFORM || task_i.err || lanes_one) ? '0 : atom ? word_rows : l2_pkg::rows_of(meta.sectors);
      end else if (fire_now) begin
        if (backs)     back_q <= back_q & ~back_hot;
        else if (rows) rows_q <= rows_q & ~row_hot;
      end
      if (show)                               shows_q <= aside_meta_q.sectors;
      else if (fire_now && !backs && !rows)   shows_q <= shows_q & ~show_hot;
      if (load && lanes_first) lanes_q <= lanes_i;
      else                     lanes_q <= lanes_left;
      if (load && lanes_first) aside_q <= 1'b1;
      else if (aside_over)     aside_q <= 1'b0;
      if (free)                showing_q <= show;
      if (fire && !of_now)     adding_q <= adds;
    end
  end

  // ---- its steps --------------------------------------------------------------------------------
  logic [ROWS-1:0]            rows_left, of_sector;
  logic [l2_pkg::SECTORS-1:0] shows_left;
  logic                       sector_over;

  // Alternates with lanes; an offered step stays.
  logic                       now_step, turn_q, held_q, held_now_q;

  assign now_step     = valid_q && (backs ? begun_q || room_i : performs);
  assign of_now       = held_q ? held_now_q : now_step && !(lane_step && turn_q);
  assign step_valid_o = now_step || lane_step;
  assign fire         = step_valid_o && step_ready_i;
  assign fire_now     = fire && of_now;
  assign begin_o      = fire_now && backs && !begun_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      turn_q <= 1'b0;
      held_q <= 1'b0;
    end else begin
      held_q <= step_valid_o && !step_ready_i;
      if (fire) turn_q <= of_now;
    end
  end
  always_ff @(posedge clk_i) begin
    held_now_q <= of_now;
  end

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
    if (!of_now) begin
      step_o.kind   = adds ? l2_pkg::S_ADD : l2_pkg::S_LANE;
      step_o.place  = aside_place_q;
      step_o.entry  = aside_entry_q;
      step_o.meta   = aside_meta_q;
      step_o.row    = l2_pkg::ROW_W'(32'(at_word_i) / WORDS);
    end else if (backs) begin
      step_o.kind   = now_q.keeps ? l2_pkg::S_CLEAN : l2_pkg::S_BACK;
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
    end else begin
      step_o.kind   = l2_pkg::S_SHOW;
      step_o.ends   = shows_left == '0;
      step_o.err    = now_q.err;
      step_o.shows  = shows;
      step_o.sector = show_sector;
    end
  end

  // A performed task has a row, a sector or an error; an atomic aside has lanes, or is being recorded.
  `ASSERT_IF(a_some, valid_q && performs && !backs && !now_q.err, rows || shows)
  `ASSERT_IF(a_aside, aside_q, lanes != showing_q || (!lanes && valid_q))
  // No other task of this place is under way, unless it evicts.
  `ASSERT_IF(a_place, aside_q && valid_q && now_q.place == aside_place_q, showing_q)
  `ASSERT_IF(a_gives, load && lanes_first, !task_i.gives)

endmodule
