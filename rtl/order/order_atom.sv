// SPDX-License-Identifier: Apache-2.0
// Atomics of a request: lanes in ascending order, each a read-modify-write of the line in order_lines, with an answer if one is wanted;
// then the line is written back. Floats use atom_add, where the configuration has it. Operands are held by slot.
// Latency: lanes + 5 cycles from start to write-back, a lane a cycle. A float's lane takes atom_add's latency and one more. One line at
// a time.
// Handshake: beats and requests are events, as is the write-back; start and answers valid/ready.
// It does not read or write memory itself.
`include "heddle_assert.svh"
`include "heddle_idle.svh"

module order_atom #(
  localparam int unsigned SLOTS  = order_pkg::SLOTS,
  localparam int unsigned SLOT_W = order_pkg::SLOT_W
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,
  // from the channel
  input  logic                        lw_valid_i,
  /* verilator lint_off UNUSEDSIGNAL */   // of a beat, an atomic's operands; of the request, its operation
  input  line_pkg::write_t            lw_i,
  input  order_pkg::asked_t           asked_i,
  /* verilator lint_on UNUSEDSIGNAL */
  // from order_read: a beat of a line; a line is there
  input  order_pkg::found_t           found_i,
  input  logic                        start_valid_i,
  output logic                        start_ready_o,
  input  logic [SLOT_W-1:0]           start_slot_i,
  // to and from the adder of floats, where there is one
  output atom_pkg::add_req_t          add_req_o,
  input  logic                        add_done_i,
  input  logic [63:0]                 add_sum_i,
  // to order_finish: a lane's old value
  output logic                        at_valid_o,
  input  logic                        at_ready_i,
  output line_pkg::bank_answer_t      at_o,
  // to order_write: the line is to be written; its rows
  output logic                        back_valid_o,   // event
  output order_pkg::towrite_t         back_o,
  input  order_pkg::row_t             row_i,
  output order_pkg::bytes_t           bytes_o,
  // to retire_order: a write of a line
  output order_pkg::changed_t         changed_o
);

  // ---- operands and operations ----------------------------------------------------------------------
  localparam int unsigned PIECE  = (order_pkg::BITS < 128) ? order_pkg::BITS : 128;
  localparam int unsigned PIECES = 128 / PIECE;
  localparam int unsigned PART   = PIECE + 5;       // each piece has the number of the lane's word

  logic                          step;
  logic [4:0]                    lane, place;
  logic [PIECES-1:0][PART-1:0]   piece;
  logic [PIECES-1:0]             piece_en;
  logic [127:0]                  words;
  order_pkg::atom_t              asked, started, now_q;
  logic [SLOT_W-1:0]             slot_q;
  logic [31:0]                   lanes;

  assign piece_en = (lw_valid_i && lw_i.atom) ? PIECES'(1) << lw_i.piece : '0;

  ram_apart #(.WIDTH(PIECES * PART), .DEPTH(SLOTS * 32), .PARTS(PIECES)) u_operands (
    .clk_i     (clk_i),
    .rst_ni    (rst_ni),
    .wr_en_i   (piece_en),
    .wr_addr_i (($clog2(SLOTS * 32))'({asked_i.slot, lw_i.lane})),
    .wr_data_i ({PIECES{lw_i.place, lw_i.data[PIECE-1:0]}}),
    .rd_en_i   (step),
    .rd_addr_i (($clog2(SLOTS * 32))'({slot_q, lane})),
    .rd_data_o (piece)
  );
  for (genvar p = 0; p < PIECES; p++) begin : gen_piece
    assign words[p*PIECE +: PIECE] = piece[p][PIECE-1:0];
  end
  assign place = piece[0][PIECE +: 5];   // the first piece of a lane always comes

  assign asked = '{entry: asked_i.entry, tag: line_pkg::bank_tag(asked_i.rq.sm, asked_i.rq.tag), op: asked_i.rq.op, wide: asked_i.rq.wide,
    gives: asked_i.rq.gives};

  ram_async #(.WIDTH(32 + $bits(order_pkg::atom_t)), .DEPTH(SLOTS)) u_asked (
    .clk_i     (clk_i),
    .wr_en_i   (asked_i.valid && asked_i.rq.kind == line_pkg::ATOM),
    .wr_addr_i (asked_i.slot),
    .wr_data_i ({asked_i.rq.lanes, asked}),
    .rd_addr_i (start_slot_i),
    .rd_data_o ({lanes, started})
  );

  // ---- lanes: operands are read, then the word, then the result is computed --------------------------
  // lane_t: a lane from the read of its word on.
  typedef struct packed {
    logic [4:0]       lane;
    logic [4:0]       place;
    logic [1:0][31:0] b;
    logic [1:0][31:0] c;
  } lane_t;

  logic             busy_q, start, left, is_float, compare_q;
  logic [31:0]      left_q, lane_hot;
  atom_pkg::act_t   act_q;
  logic             op_valid_q, op_free, old_valid_q, old_free, old_leave, do_valid_q, do_free, ready,
                    read, write, room;
  logic [4:0]       op_lane_q;
  lane_t            old_q, do_q;
  logic [1:0][31:0] value, value_q, sum;
  logic [1:0][31:0] pair;
  // The last word written: forwarded to a lane that read its word in the same cycle.
  logic             last_valid_q, same_now, same_last;
  logic [4:0]       last_place_q;
  logic [1:0][31:0] last_q;

  assign start_ready_o = !busy_q;
  assign start         = start_valid_i && start_ready_o;
  assign ready         = do_valid_q && room && (!is_float || add_done_i);
  assign write         = ready && (!now_q.gives || at_ready_i);
  assign do_free       = !do_valid_q || write;
  assign old_leave     = old_valid_q && do_free;
  assign old_free      = !old_valid_q || do_free;
  assign op_free       = !op_valid_q || old_free;
  assign step          = left && op_free;
  assign read          = op_valid_q && old_free;

  lowest_one #(.N(32)) u_lane (
    .in_i     (left_q),
    .onehot_o (lane_hot),
    .index_o  (lane),
    .any_o    (left)
  );

  always_ff @(posedge clk_i) begin
    if (start) begin
      slot_q    <= start_slot_i;
      now_q     <= started;
      act_q     <= atom_pkg::decode(started.op);
      compare_q <= started.op == atom_pkg::COMPARE_SWAP;
    end
    if (step) op_lane_q <= lane;
    if (read) old_q <= '{lane: op_lane_q, place: place, b: words[63:0], c: words[127:64]};
    if (old_leave) begin
      do_q    <= old_q;
      value_q <= value;
    end
    if (write) begin
      last_place_q <= do_q.place;
      last_q       <= sum;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      busy_q       <= 1'b0;
      left_q       <= '0;
      op_valid_q   <= 1'b0;
      old_valid_q  <= 1'b0;
      do_valid_q   <= 1'b0;
      last_valid_q <= 1'b0;
    end else begin
      if (start)             busy_q <= 1'b1;
      else if (back_valid_o) busy_q <= 1'b0;
      if (start)     left_q <= lanes;
      else if (step) left_q <= left_q & ~lane_hot;
      if (op_free)   op_valid_q  <= step;
      if (old_free)  old_valid_q <= op_valid_q;
      if (do_free)   do_valid_q  <= old_valid_q;
      if (start)           last_valid_q <= 1'b0;
      else if (write) last_valid_q <= 1'b1;
    end
  end

  // A word is in the lower place, whichever of the pair it is. Words of one request are all of 32 bits or all of 64: equal or disjoint.
  assign same_now  = do_valid_q && do_q.place == old_q.place;
  assign same_last = last_valid_q && last_place_q == old_q.place;

  always_comb begin
    value = 'x;
    if (`HEDDLE_LIVE(old_leave)) begin
      value = same_now ? sum : same_last ? last_q : {pair[1], pair[old_q.place[0]]};
    end
  end

  order_lines u_lines (
    .clk_i      (clk_i),
    .rst_ni     (rst_ni),
    .found_i    (found_i),
    .at_slot_i  (slot_q),
    .at_read_i  (read),
    .at_from_i  (place),
    .at_pair_o  (pair),
    .at_ready_o (room),
    .at_write_i (write),
    .at_word_i  (do_q.place),
    .at_wide_i  (now_q.wide),
    .at_sum_i   (now_q.wide ? sum : {2{sum[0]}}),
    .row_i      (row_i),
    .bytes_o    (bytes_o),
    .changed_o  (changed_o)
  );

  // ---- the result -----------------------------------------------------------------------------------
  logic [1:0][31:0] other;
  logic [1:0]       equal, swapped;

  assign is_float  = atom_pkg::is_float(now_q.op);
  assign add_req_o = '{valid: do_valid_q && is_float, op: now_q.op, v: value_q, b: do_q.b, take: write && is_float};

  always_comb begin
    {sum, other, equal, swapped} = 'x;
    if (`HEDDLE_LIVE(do_valid_q)) begin
      equal   = {value_q[1] == do_q.b[1], value_q[0] == do_q.b[0]};
      swapped = {2{compare_q}} & (now_q.wide ? {2{equal == '1}} : equal);
      other   = add_sum_i & {64{is_float}};
      for (int unsigned w = 0; w < 2; w++) other[w] |= do_q.c[w] & {32{swapped[w]}};
      sum = other | atom_pkg::result(act_q, now_q.wide, value_q, do_q.b, '0, swapped | {2{is_float}});
    end
  end

  // ---- answers, and the end of the line ---------------------------------------------------------
  assign at_valid_o = ready && now_q.gives;
  assign at_o       = '{tag: now_q.tag, done: 1'b0, err: 1'b0, lane: do_q.lane, old: value_q};

  assign back_valid_o = busy_q && !left && !op_valid_q && !old_valid_q && !do_valid_q;
  assign back_o       = '{atom: 1'b1, entry: now_q.entry, slot: slot_q};

  // A line comes only for lanes that change it.
  `ASSERT_IF(a_lanes, start, lanes != '0)

endmodule
