// SPDX-License-Identifier: Apache-2.0
// Makes the request of a line from its rows, as the coalescer finds them: which lanes, in which
// sectors. Ahead of it go the beats of its data: bytes of a store (store_beats), operands of an
// atomic (atom_beats), row by row. Where the line lies: one of global memory at its own number, one of local memory in the slice of
// its warp slot, which holds a line (a word of 32 lanes) for each word of a thread; slices of an SM lie behind those of the SMs before
// it. Where each slice begins is kept in a small memory, written a slot a cycle from launch_i on (and after reset), as many cycles as
// there are slots of this SM and those before it, which it counts past; lines of local memory wait so long.
// Latency: two cycles. A load's row a cycle; a row of data as many cycles as it has beats. A last
// row without lanes costs none while beats still go out.
// Handshake: rows valid/ready; beats and request are events of the request channel, which wait for
// a tag, credits, and (local memory) a place. Data lie here by gslot since they arrived; launch_i is an event, base and size of local
// memory stand from it on.
// It does not wait for the answer; rq_count_o and rq_close_o say to global_track what to wait for.
`include "heddle_assert.svh"
`include "heddle_idle.svh"

module line_request #(
  localparam int unsigned LANES   = cfg_pkg::LSU_LANES,
  localparam int unsigned ROWS    = mem_pkg::BEATS,
  localparam int unsigned GSLOT_W = mem_pkg::GSLOT_W,
  localparam int unsigned LINE_W  = line_pkg::LINE_W,
  localparam int unsigned KEY_W   = mem_pkg::KEY_W,
  localparam int unsigned VKEY_W  = mem_pkg::VKEY_W,
  localparam int unsigned TAKE    = mem_pkg::ST_TAKE,
  localparam int unsigned GROUP_W = mem_pkg::ST_GROUP_W
) (
  input  logic                          clk_i,
  input  logic                          rst_ni,
  input  logic [7:0]                    sm_i,          // number of the SM: constant
  // from the host
  input  logic                          launch_i,
  input  logic [LINE_W-1:0]             local_base_i,  // first line of local memory
  input  logic [19:0]                   local_bytes_i, // of a thread: four of them are a line of its slice
  // from address generation: data of a row of lanes
  input  logic                          ag_row_valid_i,
  input  logic [mem_pkg::GROW_W-1:0]    ag_row_i,      // gslot * ROWS + row
  input  logic [3:0][LANES-1:0][31:0]   ag_data_i,     // words of b, of c
  // from the coalescer, or line_translate
  input  logic                          co_valid_i,
  output logic                          co_ready_o,
  input  mem_pkg::walk_t                co_i,
  input  logic [VKEY_W-1:0]             co_key_i,      // with its first row: the line, before it was translated
  // from and to global_track: the instruction of co_i
  output logic [GSLOT_W-1:0]            op_slot_o,
  input  mem_pkg::asked_t               op_i,
  output logic [GSLOT_W-1:0]            rq_slot_o,
  output logic                          rq_count_o,    // event: an answer will come
  output logic                          rq_close_o,    // event: that was the last line
  // from and to line_tags: whether there is a tag, and which
  input  logic                          tag_valid_i,
  input  logic [line_pkg::TAG_W-1:0]    tag_i,
  output logic                          rq_valid_o,    // event: it is sent
  output mem_pkg::tagged_t              rq_tagged_o,
  // from and to the request channel
  input  logic [1:0]                    credit_i,      // there is one: for any request, for an atomic
  output logic                          lw_valid_o,
  output line_pkg::write_t              lw_o,
  output logic [1:0]                    lq_next_o,     // event: a request follows, and takes a credit: of any, of an atomic
  output logic                          lq_open_o,     // beats have gone, and their request has not
  output logic                          lq_valid_o,
  output line_pkg::request_t            lq_o,
  output line_pkg::note_t               note_o
);

  // ---- the row here -----------------------------------------------------------------------------
  logic                                   valid_q, load, take, free, leave, close;
  logic                                   store, atom;
  /* verilator lint_off UNUSEDSIGNAL */                // its lanes count as it comes
  mem_pkg::walk_t                         row_q;
  /* verilator lint_on UNUSEDSIGNAL */
  mem_pkg::asked_t                        op_q;
  line_pkg::kind_e                        kind;
  line_pkg::scope_e                       scope;
  // For all rows so far: lanes, and where in the line each begins.
  logic [ROWS-1:0][LANES-1:0]             lanes_q;
  logic [ROWS-1:0][LANES-1:0][1:0]        at_q;
  logic [line_pkg::SECTORS-1:0]           sectors_q, row_sectors;

  // Beats of the row: those of a store, those of an atomic.
  logic                                   sends, step, merged, asked, room;
  logic [1:0]                             more;        // beats are left
  logic [1:0]                             final_beat;  // the one that is shown is the last
  logic                                   whole;       // of an atomic: a piece of its operands is complete
  logic [1:0][GROUP_W-1:0]                first_group, group;
  line_pkg::write_t                       store_beat, atom_beat;
  logic [TAKE-1:0][LANES-1:0][31:0]       data;
  logic [mem_pkg::GROW_W-1:0]             data_row, data_row_q;

  assign store = op_q.mem == isa_pkg::MEM_GLOBAL_STORE;
  assign atom  = mem_pkg::is_atom(op_q.mem);
  assign kind  = store ? line_pkg::STORE : atom ? line_pkg::ATOM : line_pkg::LOAD;

  // ---- where its line lies --------------------------------------------------------------------------
  localparam int unsigned WARPS  = cfg_pkg::SM_WARPS;
  localparam int unsigned WARP_W = cfg_pkg::SM_WARP_W;
  localparam int unsigned FILL_W = WARP_W + 1 + ((line_pkg::SMS > 1) ? line_pkg::SM_W : 0);

  logic               is_local, filled;
  logic [FILL_W-1:0]  fill_q, ahead;       // slots that have their slice, of this SM and those ahead it; those
  logic [LINE_W-1:0]  last_q, next;         // where the slice ahead begins, and the next one
  logic [LINE_W-1:0]  begins, line;

  assign is_local = row_q.key[KEY_W-1];
  assign ahead    = (line_pkg::SMS > 1) ? FILL_W'(32'(sm_i) * WARPS) : '0;
  assign filled   = fill_q == ahead + FILL_W'(WARPS);
  assign next     = last_q + ((fill_q == '0) ? local_base_i : LINE_W'(local_bytes_i >> 2));

  always_ff @(posedge clk_i) begin
    if (!rst_ni || launch_i) begin
      fill_q <= '0;
      last_q <= '0;
    end else if (!filled) begin
      fill_q <= fill_q + FILL_W'(1);
      last_q <= next;
    end
  end

  ram_async #(.WIDTH(LINE_W), .DEPTH(WARPS)) u_slices (
    .clk_i     (clk_i),
    .wr_en_i   (!filled && !(line_pkg::SMS > 1 && fill_q < ahead)),
    .wr_addr_i (WARP_W'(fill_q - ahead)),
    .wr_data_i (next),
    .rd_addr_i (op_q.id.slot),
    .rd_data_o (begins)
  );

  // For a key of local memory the word alone counts: the warp slot above it is in the slice.
  assign line = is_local ? begins + LINE_W'(row_q.key[mem_pkg::LOCAL_W-3:0]) : row_q.key[LINE_W-1:0];
  assign room = tag_valid_i && (filled || !is_local) && credit_i[0] && (credit_i[1] || kind != line_pkg::ATOM);

  // A row is done with when its beats have gone; a line, with its last row, when its request goes.
  assign sends   = valid_q && more != '0;
  assign step    = sends && room;
  assign merged  = !sends || (step && (final_beat & more) != '0);
  assign asked   = valid_q && row_q.final_row && merged;
  assign leave   = valid_q && merged && (!row_q.final_row || room);
  assign free    = !valid_q || leave;
  assign close   = co_valid_i && co_i.lanes == '0 && !free;   // it only says that the row here was the last
  assign load    = co_valid_i && free;
  assign take    = free && `HEDDLE_LIVE(co_valid_i);          // what counts only with a valid row

  assign co_ready_o = free || close;
  assign op_slot_o  = co_i.slot;
  assign rq_slot_o  = row_q.slot;
  assign rq_valid_o = asked && room;
  assign rq_count_o = rq_valid_o;
  assign rq_close_o = leave && row_q.final_row && row_q.last_line;
  assign lq_next_o  = {rq_valid_o && kind == line_pkg::ATOM, rq_valid_o};

  always_ff @(posedge clk_i) begin
    if (!rst_ni)   valid_q <= 1'b0;
    else if (free) valid_q <= co_valid_i;
  end

  // For a line's rows the first names it. Local memory is walked a word at a time.
  always_ff @(posedge clk_i) begin
    if (take) begin
      row_q <= co_i;
      op_q  <= op_i;
      if (!co_i.first) begin
        row_q.key <= row_q.key;
        op_q.size <= op_q.size;
      end else if (co_i.key[KEY_W-1] && mem_pkg::size_mask(op_i.size) > 4'd3) begin
        op_q.size <= isa_pkg::SIZE_32;
      end
    end else if (close) begin
      row_q.final_row <= 1'b1;
      row_q.last_line <= co_i.last_line;
    end
  end

  // A report has the line as the instruction had it.
  logic [VKEY_W-1:0] key_q;

  always_ff @(posedge clk_i) begin
    if (load && co_i.first) key_q <= co_key_i;
  end

  for (genvar r = 0; r < ROWS; r++) begin : gen_row
    always_ff @(posedge clk_i) begin
      if (load && 32'(co_i.row) == r) begin
        lanes_q[r] <= co_i.lanes;
        for (int unsigned l = 0; l < LANES; l++) at_q[r][l] <= co_i.offset[l][6:5];
      end else if (load && co_i.first) begin
        lanes_q[r] <= '0;
      end
    end
  end

  // Sectors of the row that comes; no access reaches into a second one.
  always_comb begin
    row_sectors = '0;
    `HEDDLE_ONLY(load) begin
      for (int unsigned l = 0; l < LANES; l++) begin
        for (int unsigned s = 0; s < line_pkg::SECTORS; s++) begin
          if (co_i.lanes[l] && co_i.offset[l][6:5] == 2'(s)) row_sectors[s] = 1'b1;
        end
      end
    end
  end
  always_ff @(posedge clk_i) begin
    if (load) sectors_q <= (co_i.first ? '0 : sectors_q) | row_sectors;
  end

  // ---- its data ---------------------------------------------------------------------------------
  // Read when a row comes, and kept while it is here; with few lanes a group of words at a time.
  assign data_row = mem_pkg::GROW_W'(32'(co_i.slot) * ROWS + 32'(co_i.row));

  always_ff @(posedge clk_i) begin
    if (take) data_row_q <= data_row;
  end

  if (TAKE == 4) begin : gen_whole
    logic unused;
    assign unused = ^{data_row_q, first_group, group};
    ram_apart #(.WIDTH(LANES * 128), .DEPTH(mem_pkg::GROWS), .RACE(1'b1)) u_data (
      .clk_i     (clk_i),
      .rst_ni    (rst_ni),
      .wr_en_i   (ag_row_valid_i),
      .wr_addr_i (ag_row_i),
      .wr_data_i (ag_data_i),
      .rd_en_i   (take && op_i.mem != isa_pkg::MEM_GLOBAL_LOAD),
      .rd_addr_i (data_row),
      .rd_data_o (data)
    );
  end else begin : gen_groups
    logic [GROUP_W-1:0] here;
    assign here = mem_pkg::is_atom(take ? op_i.mem : op_q.mem) ? (take ? first_group[1] : group[1])
      : (take ? first_group[0] : group[0]);
    ram_unpack #(.WIDTH(TAKE * LANES * 32), .WORDS(mem_pkg::ST_GROUPS), .DEPTH(mem_pkg::GROWS), .RACE(1'b1)) u_data (
      .clk_i     (clk_i),
      .rst_ni    (rst_ni),
      .wr_en_i   (ag_row_valid_i),
      .wr_addr_i (ag_row_i),
      .wr_data_i (ag_data_i),
      .rd_en_i   (take ? op_i.mem != isa_pkg::MEM_GLOBAL_LOAD : sends),
      .rd_addr_i (take ? data_row : data_row_q),
      .rd_word_i (here),
      .rd_data_o (data)
    );
  end

  store_beats u_store (
    .clk_i         (clk_i),
    .rst_ni        (rst_ni),
    .load_i        (load && op_i.mem == isa_pkg::MEM_GLOBAL_STORE),
    .lanes_i       (co_i.lanes),
    .size_i        (op_q.size),
    .part_i        (row_q.part),
    .new_part_i    (co_i.part),
    .offset_i      (row_q.offset),
    .data_i        (data),
    .step_i        (step),
    .more_o        (more[0]),
    .final_o       (final_beat[0]),
    .first_group_o (first_group[0]),
    .group_o       (group[0]),
    .beat_o        (store_beat)
  );

  atom_beats u_atom (
    .clk_i         (clk_i),
    .rst_ni        (rst_ni),
    .load_i        (load && mem_pkg::is_atom(op_i.mem)),
    .lanes_i       (co_i.lanes),
    .row_i         (row_q.row),
    .wide_i        (op_q.size == isa_pkg::SIZE_64),
    .swap_i        (op_q.atom == atom_pkg::COMPARE_SWAP),
    .offset_i      (row_q.offset),
    .data_i        (data),
    .step_i        (step),
    .more_o        (more[1]),
    .final_o       (final_beat[1]),
    .first_group_o (first_group[1]),
    .group_o       (group[1]),
    .sends_o       (whole),
    .beat_o        (atom_beat)
  );

  // ---- to the channel: a cycle later ----------------------------------------------------------------
  // Where there is no cache, all of them come to the same.
  assign scope = (l1_pkg::THERE && kind == line_pkg::LOAD) ? line_pkg::scope_e'(op_q.atom[1:0]) : line_pkg::GPU;

  line_pkg::note_t note_q;

  assign rq_tagged_o = '{slot: row_q.slot, load: kind == line_pkg::LOAD, size: op_q.size, part: row_q.part, sectors: sectors_q,
    lanes: lanes_q, key: mem_pkg::PAGED ? key_q : VKEY_W'(row_q.key)};

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      lq_open_o  <= 1'b0;
      lq_valid_o <= 1'b0;
      lw_valid_o <= 1'b0;
    end else begin
      lq_open_o  <= (lq_open_o || step) && !rq_valid_o;
      lq_valid_o <= rq_valid_o;
      lw_valid_o <= step && (store || whole);
    end
  end

  always_ff @(posedge clk_i) begin
    if (step) lw_o <= atom ? atom_beat : store_beat;
    if (rq_valid_o) begin
      lq_o <= '{sm: '0, tag: tag_i, kind: kind, scope: scope, line: line, sectors: sectors_q,
        op: op_q.atom, wide: op_q.size == isa_pkg::SIZE_64, gives: op_q.mem == isa_pkg::MEM_GLOBAL_ATOM,
        slot: op_q.id.slot, lanes: lanes_q, is_local: is_local};
      note_q <= '{valid: 1'b1, tag: tag_i, gen: op_q.id.gen, seq: op_q.id.seq, at: at_q, word: row_q.key[17:0] & {18{is_local}}};
    end
  end

  always_comb begin
    note_o       = note_q;
    note_o.valid = lq_valid_o;
  end

  // A row without lanes ends the line of the row that is here.
  `ASSERT_IF(a_close, close, !row_q.final_row && row_q.slot == co_i.slot && !co_i.first)
  // Beats are a store's or an atomic's, never of both.
  `ASSERT_IF(a_beats, sends, more == ((kind == line_pkg::STORE) ? 2'b01 : 2'b10))

endmodule
