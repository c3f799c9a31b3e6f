// SPDX-License-Identifier: Apache-2.0
// Rows of the bank's lines, and all accesses to them, in steps: a row is read (stage 1), its operands are there (2), it is written,
// sent, recorded (3). Steps take effect in order. Data from memory for a row without newer bytes is written in a cycle without a
// writing step.
// Latency: from a step to its beat, its answer's place in the queue, its record: 2 cycles.
// A step a cycle. A step waits if one of the two before it writes its row, but for lanes of atomics of one width, to which the word
// is forwarded. While data from memory waits, no writing step begins.
// Handshake: step_, merge_, fill_, ld_ valid/ready; row_, leave_, done_ are events, and at_, where there is room.
// It does not hold tags.
`include "heddle_assert.svh"
`include "heddle_idle.svh"

module l2_rows (
  input  logic                            clk_i,
  input  logic                            rst_ni,
  // steps
  input  logic                            step_valid_i,
  output logic                            step_ready_o,
  input  l2_pkg::step_t                   step_i,
  // from and to l2_fetch
  input  logic                            fill_valid_i,
  output logic                            fill_ready_o,
  input  logic                            merge_valid_i,
  output logic                            merge_ready_o,
  output logic                            merged_o,
  input  l2_pkg::place_t                  come_place_i,
  input  logic [l2_pkg::ROW_W-1:0]        come_row_i,
  input  logic [l2_pkg::BITS-1:0]         come_data_i,
  // to and from order_data: bytes of a store
  output order_pkg::row_t                 store_o,
  input  order_pkg::bytes_t               store_i,
  // to and from l2_operands
  output logic                            lane_en_o,
  output logic                            words_en_o,
  output l2_pkg::step_t                   first_o,      // the step that begins
  input  logic [127:0]                    lane_i,
  input  logic [l2_pkg::WORDS-1:0][31:0]  low_i,
  input  logic [l2_pkg::WORDS/2-1:0][31:0] high_i,
  // to and from the adder of floats, where there is one
  output atom_pkg::add_req_t              add_req_o,
  input  logic                            add_done_i,
  input  logic [63:0]                     add_sum_i,
  output logic                            added_o,      // the sum of the lane that went to the adder
  // to the channel: a beat
  output logic                            ld_valid_o,
  input  logic                            ld_ready_i,
  output line_pkg::bank_read_t            ld_o,
  // to the queue of answers
  output logic                            at_valid_o,
  input  logic                            at_ready_i,
  output line_pkg::bank_answer_t          at_o,
  // to l2_backs
  output logic                            row_valid_o,
  output logic                            row_last_o,
  output logic [l2_pkg::BYTES-1:0]        row_strb_o,
  output logic [l2_pkg::BITS-1:0]         row_data_o,
  // a request has been performed; a step, for the record
  output order_pkg::leave_t               leave_o,
  output l2_pkg::done_t                   done_o
);

  localparam int unsigned WORDS  = l2_pkg::WORDS;
  localparam int unsigned BYTES  = l2_pkg::BYTES;
  localparam int unsigned ROWS   = l2_pkg::ROWS;
  localparam int unsigned DEPTH  = l2_pkg::PLACES * ROWS;
  localparam int unsigned ADDR_W = $clog2(DEPTH);
  localparam int unsigned PAIR_W = (WORDS > 2) ? $clog2(WORDS / 2) : 1;

  typedef logic [ADDR_W-1:0] addr_t;

  function automatic addr_t addr_of(l2_pkg::place_t place, logic [l2_pkg::ROW_W-1:0] row);
    addr_of = addr_t'((32'(place.index) * l2_pkg::WAYS + 32'(place.way)) * ROWS + 32'(row));
  endfunction
  function automatic logic writes(l2_pkg::step_e kind);
    writes = kind == l2_pkg::S_STORE || kind == l2_pkg::S_LANE || kind == l2_pkg::S_WORDS || kind == l2_pkg::S_MERGE
      || kind == l2_pkg::S_CLEAN;
  endfunction
  function automatic logic lane_of(l2_pkg::step_e kind);
    lane_of = kind == l2_pkg::S_LANE || kind == l2_pkg::S_ADD;
  endfunction
  function automatic logic reads(l2_pkg::step_e kind);
    reads = kind != l2_pkg::S_STORE && kind != l2_pkg::S_SHOW;
  endfunction

  // ---- a step begins ----------------------------------------------------------------------------
  logic              valid1_q, valid2_q, fire, go, after, held;
  logic [1:0]        kin;
  l2_pkg::step_t     first, step1_q, step2_q;
  addr_t             addr0, addr1_q, addr2_q, fill_addr;
  l2_pkg::row_t      found, row2_q, write_data;
  logic [BYTES-1:0]  write_en;
  logic              write2, fill;

  always_comb begin
    first = step_i;
    if (merge_valid_i) begin
      first       = '0;
      first.kind  = l2_pkg::S_MERGE;
      first.place = come_place_i;
      first.row   = come_row_i;
    end
  end

  assign addr0 = addr_of(first.place, first.row);
  // One of the two before writes the row, and not as a lane before a lane of the same width.
  assign kin   = {lane_of(first.kind) && step2_q.kind == l2_pkg::S_LANE && first.meta.wide == step2_q.meta.wide,
    lane_of(first.kind) && step1_q.kind == l2_pkg::S_LANE && first.meta.wide == step1_q.meta.wide};
  assign after = (valid1_q && writes(step1_q.kind) && addr1_q == addr0 && !kin[0])
    || (valid2_q && writes(step2_q.kind) && addr2_q == addr0 && !kin[1]);
  assign held  = (reads(first.kind) && after)
    || (writes(first.kind) && fill_valid_i && !fill_ready_o);
  assign fire  = (merge_valid_i || step_valid_i) && go && !held;

  assign merge_ready_o = go && !held;
  assign step_ready_o  = go && !held && !merge_valid_i;
  assign store_o       = '{valid: fire && first.kind == l2_pkg::S_STORE, atom: 1'b0, entry: first.entry, slot: '0, beat: first.row};
  assign lane_en_o     = fire && lane_of(first.kind);
  assign words_en_o    = fire && first.kind == l2_pkg::S_WORDS;
  assign first_o       = first;

  ram_1r1w #(.WIDTH(9 * BYTES), .DEPTH(DEPTH), .GRAIN(9), .RACE(1'b1)) u_rows (
    .clk_i     (clk_i),
    .wr_en_i   (write_en),
    .wr_addr_i (fill ? fill_addr : addr2_q),
    .wr_data_i (write_data),
    .rd_en_i   (fire && reads(first.kind)),
    .rd_addr_i (addr0),
    .rd_data_o (found)
  );

  always_ff @(posedge clk_i) begin
    if (fire) begin
      step1_q <= first;
      addr1_q <= addr0;
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid1_q <= 1'b0;
      valid2_q <= 1'b0;
    end else if (go) begin
      valid1_q <= fire;
      valid2_q <= valid1_q;
    end
  end

  // ---- stage 2 --------------------------------------------------------------------------------------
  logic [WORDS-1:0][31:0]  v, b, v2_q, b2_q, sum;
  logic [1:0][31:0]        pair, value, c2_q, last_q;
  logic                    same_now, same_last, last_valid_q;
  logic [4:0]              last_word_q;
  logic [WORDS-1:0][31:0]  found_words;
  logic [WORDS/2-1:0][1:0][31:0] pairs;
  addr_t                   last_addr_q;
  order_pkg::bytes_t       bytes2_q;
  atom_pkg::act_t          act2_q;

  for (genvar w = 0; w < WORDS; w++) begin : gen_word
    assign found_words[w] = {found[4*w+3][7:0], found[4*w+2][7:0], found[4*w+1][7:0], found[4*w][7:0]};
  end

  assign pairs = found_words;

  // A lane's word is in the lowest place; the lane before it may have changed it since the read.
  assign same_now  = valid2_q && step2_q.kind == l2_pkg::S_LANE && step2_q.word == step1_q.word && addr2_q == addr1_q;
  assign same_last = last_valid_q && last_word_q == step1_q.word && last_addr_q == addr1_q;

  always_comb begin
    {pair, value} = 'x;
    v = found_words;
    if (`HEDDLE_LIVE(valid1_q && lane_of(step1_q.kind))) begin
      pair  = (WORDS > 2) ? pairs[PAIR_W'(32'(step1_q.word) % WORDS / 2)] : pairs[0];
      value = same_now ? sum[1:0] : same_last ? last_q : {pair[1], pair[step1_q.word[0]]};
      if (lane_of(step1_q.kind)) v[1:0] = value;
    end
    for (int unsigned w = 0; w < WORDS; w++) b[w] = (w % 2 == 1 && step1_q.meta.wide) ? high_i[w/2] : low_i[w];
    if (lane_of(step1_q.kind)) b[1:0] = lane_i[63:0];
  end

  always_ff @(posedge clk_i) begin
    if (go && valid1_q) begin
      step2_q  <= step1_q;
      addr2_q  <= addr1_q;
      row2_q   <= found;
      bytes2_q <= store_i;
      v2_q     <= v;
      b2_q     <= b;
      c2_q     <= lane_i[127:64];
      act2_q   <= atom_pkg::decode(step1_q.meta.op);
    end
    if (go && valid2_q) begin
      last_word_q  <= step2_q.word;
      last_addr_q  <= addr2_q;
      last_q       <= sum[1:0];
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) last_valid_q <= 1'b0;
    else if (go) last_valid_q <= valid2_q && step2_q.kind == l2_pkg::S_LANE;
  end

  // ---- stage 3 --------------------------------------------------------------------------------------
  logic  is_atom, is_float, is_back;
  assign is_atom  = step2_q.kind == l2_pkg::S_LANE || step2_q.kind == l2_pkg::S_WORDS;
  assign is_back  = step2_q.kind == l2_pkg::S_BACK || step2_q.kind == l2_pkg::S_CLEAN;
  assign is_float = valid2_q && step2_q.kind == l2_pkg::S_LANE && atom_pkg::is_float(step2_q.meta.op);
  assign added_o  = add_done_i && !(valid1_q && lane_of(step1_q.kind)) && !(valid2_q && lane_of(step2_q.kind));

  l2_atom u_atom (
    .live_i    (valid2_q && is_atom),
    .op_i      (step2_q.meta.op),
    .act_i     (act2_q),
    .wide_i    (step2_q.meta.wide),
    .v_i       (v2_q),
    .b_i       (b2_q),
    .c_i       (c2_q),
    .add_sum_i (add_sum_i),
    .sum_o     (sum)
  );
  assign add_req_o = '{valid: valid2_q && step2_q.kind == l2_pkg::S_ADD, op: step2_q.meta.op, v: v2_q[1:0], b: b2_q[1:0],
    take: is_float && go};

  logic  answers;
  assign answers    = step2_q.ends || (step2_q.kind == l2_pkg::S_LANE && step2_q.meta.gives);
  assign at_valid_o = valid2_q && go && answers;
  assign at_o       = '{tag: step2_q.meta.tag, done: step2_q.ends, err: step2_q.err, lane: step2_q.lane, old: v2_q[1:0]};
  assign ld_valid_o = valid2_q && step2_q.kind == l2_pkg::S_LOAD && (!step2_q.ends || at_ready_i);
  assign go         = !valid2_q || ((step2_q.kind != l2_pkg::S_LOAD || ld_ready_i) && (!answers || at_ready_i));

  for (genvar i = 0; i < BYTES; i++) begin : gen_sent
    assign ld_o.data[8*i +: 8]       = row2_q[i][7:0];
    assign row_data_o[8*i +: 8]      = row2_q[i][7:0];
    assign row_strb_o[i]             = row2_q[i][8] && step2_q.dirty;
  end
  assign ld_o.tag    = step2_q.meta.tag;
  assign ld_o.beat   = step2_q.row;
  assign row_valid_o = valid2_q && go && is_back;
  assign row_last_o  = step2_q.last;
  assign merged_o    = valid2_q && go && step2_q.kind == l2_pkg::S_MERGE;
  assign leave_o     = '{valid: valid2_q && go && step2_q.ends, entry: step2_q.entry, atom: step2_q.meta.kind == line_pkg::ATOM,
    slot: step2_q.meta.slot};

  // Words that an atomic writes: a lane's, wherever it is. A row that stays is written back into the array without its marks.
  logic [WORDS-1:0]        words;
  logic [WORDS-1:0][31:0]  changed;
  always_comb begin
    for (int unsigned w = 0; w < WORDS; w++) begin
      if (step2_q.kind == l2_pkg::S_LANE) begin
        words[w]   = 32'(step2_q.word) % WORDS == w || (step2_q.meta.wide && 32'(step2_q.word) % WORDS == (w & ~32'd1));
        changed[w] = sum[step2_q.meta.wide ? w % 2 : 0];
      end else if (step2_q.kind == l2_pkg::S_CLEAN) begin
        words[w]   = 1'b1;
        changed[w] = v2_q[w];
      end else begin
        words[w]   = step2_q.words[w] || (step2_q.meta.wide && step2_q.words[w & ~32'd1]);
        changed[w] = sum[w];
      end
    end
  end

  assign write2       = valid2_q && go && writes(step2_q.kind);
  assign fill         = fill_valid_i && !write2;
  assign fill_ready_o = !write2;
  assign fill_addr    = addr_of(come_place_i, come_row_i);

  always_comb begin
    write_en   = '0;
    write_data = 'x;
    if (`HEDDLE_LIVE(fill || write2)) begin
      for (int unsigned i = 0; i < BYTES; i++) begin
        if (fill || step2_q.kind == l2_pkg::S_MERGE) begin
          write_data[i] = {1'b0, come_data_i[8*i +: 8]};
          write_en[i]   = fill || (write2 && !row2_q[i][8]);
        end else if (step2_q.kind == l2_pkg::S_STORE) begin
          write_data[i] = {bytes2_q.strb[i], bytes2_q.data[8*i +: 8]};
          write_en[i]   = write2 && (bytes2_q.strb[i] || step2_q.fresh);
        end else begin
          write_data[i] = {is_atom, changed[i/4][8*(i%4) +: 8]};
          write_en[i]   = write2 && words[i/4];
        end
      end
    end
  end

  // ---- for the record ---------------------------------------------------------------------------
  always_comb begin
    done_o       = 'x;
    done_o.valid = valid2_q && go && !is_back && step2_q.kind != l2_pkg::S_MERGE && step2_q.kind != l2_pkg::S_ADD && !step2_q.err;
    if (`HEDDLE_LIVE(done_o.valid)) begin
      done_o.step  = step2_q;
      for (int unsigned w = 0; w < WORDS; w++) begin
        done_o.found[w] = (step2_q.kind == l2_pkg::S_LANE) ? v2_q[step2_q.meta.wide ? w % 2 : 0] : v2_q[w];
        done_o.data[w]  = is_atom ? changed[w] : bytes2_q.data[32*w +: 32];
        done_o.strb[4*w +: 4] = is_atom ? {4{words[w]}} : (step2_q.kind == l2_pkg::S_STORE) ? bytes2_q.strb[4*w +: 4] : '0;
      end
    end
  end

  // A float's lane has its sum.
  `ASSERT_IF(a_sum, is_float, add_done_i)
  // No writing step is under way for the row that memory fills.
  `ASSERT_IF(a_apart, fill, !(valid1_q && addr1_q == fill_addr && writes(step1_q.kind))
    && !(valid2_q && addr2_q == fill_addr && writes(step2_q.kind)))

endmodule
