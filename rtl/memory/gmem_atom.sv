// SPDX-License-Identifier: Apache-2.0
// Atomics on one sector: one read-modify-write a lane and cycle, ascending lanes, on the
// sector as it lies in gmem's RAM of data to write; each lane is answered with its word (64 bits: two)
// as it was before its own; then the sector is written back. Floats are added beside it
// (atom_share), where the configuration has it.
// Latency: lanes + 5 cycles from start to the write-back request; floats: for each lane atom_add's latency and a cycle more. One
// sector at a time.
// Handshake: valid/ready for start, answers and write-back; a lane's word is read from gmem's RAM with its operand, in a cycle
// in which nobody else has that word (ram_taken_i), and written a cycle later or when the RAM is lent (ram_ok_i); the next lane
// takes it from there. Operands lie here by gslot since they arrived. It does not read or write memory itself, and holds no
// sector.
`default_nettype none
`include "heddle_idle.svh"

module gmem_atom #(
  localparam int unsigned LANES   = cfg_pkg::LSU_LANES,
  localparam int unsigned BEATS   = mem_pkg::BEATS,
  localparam int unsigned ROW_W   = mem_pkg::GROW_W,
  localparam int unsigned ENTRY_W = mem_pkg::ENTRY_W
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,
  input  logic [7:0]                  fault_i,
  // from the load/store unit: operands of a row of lanes, and which words of their sectors they are
  // for
  input  logic                        ag_row_valid_i,
  input  logic [ROW_W-1:0]            ag_row_i,
  /* verilator lint_off UNUSEDSIGNAL */                // of the operands, b and c
  input  core_pkg::memreq_t           ag_req_i,
  /* verilator lint_on UNUSEDSIGNAL */
  input  logic                        ck_row_valid_i,
  input  logic [ROW_W-1:0]            ck_row_i,
  input  logic [LANES-1:0][2:0]       ck_word_i,
  // from gmem: a sector was read
  input  logic                        start_valid_i,
  output logic                        start_ready_o,
  input  logic [ENTRY_W-1:0]          start_entry_i,
  input  logic [31:0]                 start_lanes_i,
  input  logic [mem_pkg::GSLOT_W-1:0] start_gslot_i,
  // to and from gmem's RAM: the sector of at_entry_o, in the same cycle
  output logic [ENTRY_W-1:0]          at_entry_o,
  input  logic [7:0]                  ram_taken_i,   // these words are another sector's
  output logic [1:0]                  at_read_o,     // the pair of words that is read
  input  logic [1:0][31:0]            ram_data_i,
  input  logic                        ram_ok_i,      // it can be written
  output logic                        at_add_o,      // event: write at_sum_o into word at_word_o
  output logic                        at_wide_o,     // and its neighbour
  output logic [2:0]                  at_word_o,
  output logic [63:0]                 at_sum_o,      // one word twice, or two
  // answers to the lanes: held until taken
  output logic                        at_rsp_valid_o,
  input  logic                        at_rsp_ready_i,
  output logic [mem_pkg::GSLOT_W-1:0] at_rsp_gslot_o,
  output logic [4:0]                  at_rsp_lane_o,
  output logic                        at_rsp_wide_o,
  output logic [63:0]                 at_rsp_data_o,
  // to and from the adder of floats, where there is one
  output atom_pkg::add_req_t          add_req_o,
  input  logic                        add_done_i,
  input  logic [63:0]                 add_sum_i,
  // write-back
  output logic                        at_wr_valid_o,
  input  logic                        at_wr_ready_i,
  output logic [31:0]                 at_wr_strb_o
);

  localparam int unsigned LANE_W = (LANES > 1) ? $clog2(LANES) : 1;

  logic                        busy_q, any_todo, more, step, fetch_able, fetch_leave, fetch_free, lane_free, start;
  logic [ENTRY_W-1:0]          entry_q;
  logic [mem_pkg::GSLOT_W-1:0] gslot_q;
  logic [31:0]                 todo_q, lane_hot, first, first_old;
  logic [1:0][31:0]            old_q, sum, other;
  logic [1:0]                  equal, swapped;
  logic                        wide, wide_q, is_float, free;
  logic [4:0]                  lane;
  logic [7:0]                  touched_q;
  logic [ROW_W-1:0]            row;

  // The lane whose row has been read, and the one whose operand stands in a register.
  logic                        fetch_valid_q, lane_valid_q;
  logic [4:0]                  fetch_lane_q, lane_q;
  logic [LANE_W-1:0]           sub;
  logic [atom_pkg::OP_W-1:0]   op, op_q;
  atom_pkg::act_t              act_q;
  logic                        compare_q;   // compare-and-swap
  logic [1:0][31:0]            operand, swap;
  logic [LANES-1:0][2:0]       words, words_q;
  logic [2:0]                  word_q, word, pair_word;
  logic                        same;
  logic [1:0][31:0]            operand_q, swap_q;

  assign row = ROW_W'(32'(gslot_q) * BEATS + 32'(lane) / LANES);

  // Operands of few lanes are chosen by memory: written a row at a time, read a lane at a time.
  if (LANES <= 8) begin : gen_lanes
    logic [LANES-1:0][3:0][31:0] given;

    always_comb begin
      given = 'x;
      `HEDDLE_ONLY(ag_row_valid_i) begin
        for (int unsigned l = 0; l < LANES; l++) begin
          given[l] = {ag_req_i.data[5][l], ag_req_i.data[4][l], ag_req_i.data[3][l], ag_req_i.data[2][l]};
        end
      end
    end

    ram_unpack #(.WIDTH(128), .WORDS(LANES), .DEPTH(mem_pkg::GROWS)) u_operand (
      .clk_i     (clk_i),
      .rst_ni    (rst_ni),
      .wr_en_i   (ag_row_valid_i),
      .wr_addr_i (ag_row_i),
      .wr_data_i (given),
      .rd_en_i   (step),
      .rd_addr_i (row),
      .rd_word_i (LANE_W'(32'(lane) % LANES)),
      .rd_data_o ({swap, operand})
    );
  end else begin : gen_rows
    logic [1:0][LANES-1:0][31:0] operands, swaps;

    ram_apart #(.WIDTH(LANES * 64), .DEPTH(mem_pkg::GROWS)) u_operand (
      .clk_i     (clk_i),
      .rst_ni    (rst_ni),
      .wr_en_i   (ag_row_valid_i),
      .wr_addr_i (ag_row_i),
      .wr_data_i (ag_req_i.data[3:2]),
      .rd_en_i   (step),
      .rd_addr_i (row),
      .rd_data_o (operands)
    );
    ram_apart #(.WIDTH(LANES * 64), .DEPTH(mem_pkg::GROWS)) u_swap (
      .clk_i     (clk_i),
      .rst_ni    (rst_ni),
      .wr_en_i   (ag_row_valid_i),
      .wr_addr_i (ag_row_i),
      .wr_data_i (ag_req_i.data[5:4]),
      .rd_en_i   (step && compare_q),
      .rd_addr_i (row),
      .rd_data_o (swaps)
    );
    assign operand = {operands[1][sub], operands[0][sub]};
    assign swap    = {swaps[1][sub], swaps[0][sub]};
  end
  ram_async #(.WIDTH(atom_pkg::OP_W + 1), .DEPTH(mem_pkg::GROWS)) u_op (
    .clk_i     (clk_i),
    .wr_en_i   (ag_row_valid_i),
    .wr_addr_i (ag_row_i),
    .wr_data_i ({ag_req_i.op.size == isa_pkg::SIZE_64, ag_req_i.op.atom}),
    .rd_addr_i (ROW_W'(32'(start_gslot_i) * BEATS)),
    .rd_data_o ({wide, op})
  );

  ram_live #(.WIDTH(LANES * 3), .DEPTH(mem_pkg::GROWS)) u_word (
    .clk_i     (clk_i),
    .wr_en_i   (ck_row_valid_i),
    .wr_addr_i (ck_row_i),
    .wr_data_i (ck_word_i),
    .rd_live_i (step),
    .rd_addr_i (row),
    .rd_data_o (words)
  );

  lowest_one #(.N(32)) u_lane (
    .in_i     (todo_q),
    .onehot_o (lane_hot),
    .index_o  (lane),
    .any_o    (any_todo)
  );

  assign start_ready_o = !busy_q;
  assign start         = start_valid_i && start_ready_o;
  // Whether the lane before can leave is known last.
  assign lane_free     = !lane_valid_q || at_add_o;
  assign fetch_able    = !ram_taken_i[word] && !(wide_q && ram_taken_i[pair_word]);
  assign fetch_leave   = (fetch_valid_q && fetch_able) && lane_free;
  assign fetch_free    = !fetch_valid_q || (fetch_able && lane_free);
  assign more          = busy_q && any_todo;
  assign step          = (more && !fetch_valid_q) || ((more && fetch_able) && lane_free);   // the next lane reads its row
  assign sub           = LANE_W'(32'(fetch_lane_q) % LANES);

  always_ff @(posedge clk_i) begin
    if (start) begin
      entry_q   <= start_entry_i;
      gslot_q   <= start_gslot_i;
      op_q      <= op;
      act_q     <= atom_pkg::decode(op);
      compare_q <= op == atom_pkg::COMPARE_SWAP;
      wide_q    <= wide;
      todo_q    <= start_lanes_i;
      touched_q <= '0;
    end
    if (step) begin
      todo_q       <= todo_q & ~lane_hot;
      fetch_lane_q <= lane;
      words_q      <= words;
    end
    if (fetch_leave) begin
      lane_q    <= fetch_lane_q;
      operand_q <= operand;
      swap_q    <= swap;
      word_q    <= word;
      old_q     <= same ? sum : {ram_data_i[1], ram_data_i[word[0]]};
    end
    if (at_add_o) begin
      touched_q[word_q] <= 1'b1;
      if (wide_q) touched_q[word_q | 3'd1] <= 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      busy_q        <= 1'b0;
      fetch_valid_q <= 1'b0;
      lane_valid_q  <= 1'b0;
    end else begin
      if (start)                               busy_q <= 1'b1;
      else if (at_wr_valid_o && at_wr_ready_i) busy_q <= 1'b0;
      if (fetch_free) fetch_valid_q <= step;
      if (lane_free)  lane_valid_q  <= fetch_leave;
    end
  end

  // Gmem's RAM answers in this cycle. A word stands in the lower place, whichever of the pair it is. Of the lane before, which
  // leaves as this one is read, it is the sum, on its way to the RAM; two words are a pair, so they are the same or apart.
  assign at_entry_o = entry_q;
  assign at_read_o  = word[2:1];
  assign word       = words_q[sub];
  assign pair_word  = word | 3'd1;
  assign same       = lane_valid_q && word_q == word;
  assign is_float   = atom_pkg::is_float(op_q);
  assign free       = !at_rsp_valid_o || at_rsp_ready_i;
  assign at_add_o   = lane_valid_q && ram_ok_i && free && (!is_float || add_done_i);
  assign at_wide_o  = wide_q;
  assign at_word_o  = word_q;
  assign at_sum_o   = wide_q ? sum : {2{sum[0]}};
  assign add_req_o  = '{valid: lane_valid_q && is_float, op: op_q, v: old_q, b: operand_q, take: at_add_o && is_float};
  assign first_old  = (fault_i == core_pkg::FAULT_ATOM_ORDER && touched_q[word_q]) ? first : old_q[0];

  // Looked at as it is written, and by the lane that comes then.
  always_comb begin
    {sum, other, equal, swapped} = 'x;
    if (`HEDDLE_LIVE(lane_valid_q)) begin
      equal = {old_q[1] == operand_q[1], old_q[0] == operand_q[0]};
      swapped = {2{compare_q}} & (wide_q ? {2{equal == '1}} : equal);
      other = add_sum_i & {64{is_float}};
      for (int unsigned w = 0; w < 2; w++) other[w] |= swap_q[w] & {32{swapped[w]}};
      sum = other | atom_pkg::result(act_q, wide_q, old_q, operand_q, '0, swapped | {2{is_float}});
    end
  end

  always_ff @(posedge clk_i) begin
    if (at_add_o) begin
      at_rsp_gslot_o <= gslot_q;
      at_rsp_lane_o  <= lane_q;
      at_rsp_wide_o  <= wide_q;
      at_rsp_data_o  <= {old_q[1], first_old};
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni)   at_rsp_valid_o <= 1'b0;
    else if (free) at_rsp_valid_o <= at_add_o;
  end

  // For the injected fault: each word as it was before the first add.
  ram_async #(.WIDTH(32), .DEPTH(8)) u_first (
    .clk_i     (clk_i),
    .wr_en_i   (at_add_o && !touched_q[word_q]),
    .wr_addr_i (word_q),
    .wr_data_i (old_q[0]),
    .rd_addr_i (word_q),
    .rd_data_o (first)
  );

  assign at_wr_valid_o = busy_q && !any_todo && !fetch_valid_q && !lane_valid_q && !at_rsp_valid_o;
  for (genvar w = 0; w < 8; w++) begin : gen_word
    assign at_wr_strb_o[4*w +: 4] = {4{touched_q[w]}};
  end

endmodule

`default_nettype wire
