// SPDX-License-Identifier: Apache-2.0
// Walks through a beat of shared-memory accesses lane by lane and word by word (configuration: shared_lanes = 1), in the place of
// shm_conflict. A pass serves one lane, the lowest that waits, so lanes that collide keep their order; it takes a step for each
// cycle. It keeps, in step with the queue of the instructions, what it needs of each beat, and works a cycle ahead of its reader.
// Latency: from the end of the check to the first step two cycles; a step a cycle without gaps:
//   load, store   a step for each word
//   LDSM          four steps, of a transposed matrix eight: each half of a word
//   atomic        of 32 bits two: read, write; of 64 bits five: read low, read high, write high, read low, write low
//   CAS           of 32 bits three: read, compare, write; of 64 bits five: read low, read high, compare, write high, write low
//   no lane       one
// With a rank behind the words (SHARED_RANKS), so that a word can be worked on two steps after it was read:
//   atomic        of 32 bits three: read, nothing, write; of 64 bits five: read low, high, low, write high, low
//   CAS           of 32 bits four: read, nothing, compare, write; of 64 bits six: read low, high, compare low, high, write high, low
// Handshake: steps are events; pop_o comes with the last of an instruction; hold_i stops the first step of a pass. Beats ascend.
// It does not touch data.
`include "heddle_assert.svh"

module shm_walk #(
  localparam int unsigned LANES  = cfg_pkg::LSU_LANES,
  localparam int unsigned BEATS  = mem_pkg::BEATS,
  localparam int unsigned BEAT_W = mem_pkg::BEAT_W,
  localparam int unsigned LANE_W = $clog2(LANES)
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,
  // from the check, as into the queue
  input  mem_pkg::judged_t            ck_i,
  input  isa_pkg::mem_e               ck_mem_i,
  input  logic [2:0]                  ck_size_i,
  input  logic                        ck_swap_i,       // a compare-and-swap
  input  logic                        ck_turned_i,     // LDSM of a transposed matrix
  input  logic [LANES-1:0]            ck_lanes_i,      // lanes of the row that execute here
  // to and from the return path
  input  logic                        hold_i,
  output logic                        sent_o,          // event: the last step of a beat goes, a cycle before ps_valid_o
  output logic [1:0]                  sent_words_o,    // words of that access, minus one
  output logic [BEAT_W-1:0]           gone_o,          // beats of the instruction in work with the last step gone
  // to the queue, a cycle before ps_valid_o: row, lane and word of the step
  output logic                        next_valid_o,    // event
  output logic [mem_pkg::QROW_W-1:0]  next_row_o,
  output logic [LANE_W-1:0]           next_lane_o,
  output logic [1:0]                  next_word_o,     // of its data
  // to the memory and the return path
  output logic                        ps_valid_o,      // event
  output mem_pkg::step_t              ps_step_o,
  output logic [LANES-1:0]            ps_grant_o,      // its lane
  output logic [BEAT_W-1:0]           ps_beat_o,
  output logic                        pop_o            // the last step of the instruction
);

  localparam int unsigned DEPTH   = mem_pkg::QUEUE_DEPTH;     // a power of two, as BEATS is
  localparam int unsigned PTR_W   = $clog2(DEPTH);
  localparam int unsigned ADDR_W  = mem_pkg::QROW_W;
  localparam int unsigned COUNT_W = $clog2(DEPTH + 1);

  logic [PTR_W-1:0]   wr_q, rd_q;
  logic [COUNT_W-1:0] count_q;
  logic [BEAT_W-1:0]  beat_q;
  logic [LANES-1:0]   done_q;     // lanes of this beat that have gone
  logic [2:0]         step_q, final_step;
  logic [DEPTH-1:0]   dead_q;     // ended by the check
  logic [1:0]         in_words, words;
  logic               valid, skip, atomic, swap, store, turned, wide, any, ends, last, final_beat, issue, finish, leave;
  logic [LANES-1:0]   active, pend, grant;
  mem_pkg::step_t     step;

  assign in_words = (ck_size_i == isa_pkg::SIZE_128) ? 2'd3 : (ck_size_i == isa_pkg::SIZE_64) ? 2'd1 : 2'd0;

  ram_async #(
    .WIDTH (LANES + 6),
    .DEPTH (DEPTH * BEATS)
  ) u_rows (
    .clk_i     (clk_i),
    .wr_en_i   (ck_i.valid),
    .wr_addr_i (ADDR_W'(32'(wr_q) * BEATS + 32'(ck_i.beat))),
    .wr_data_i ({ck_turned_i, ck_swap_i, mem_pkg::is_atom(ck_mem_i), mem_pkg::is_store(ck_mem_i), in_words, ck_lanes_i}),
    .rd_addr_i (next_row_o),
    .rd_data_o ({turned, swap, atomic, store, words, active})
  );

  // All that the check has ended gives its place back at once, as in the queue, where that takes a cycle too.
  assign valid = count_q != '0 && !dead_q[rd_q];
  assign skip  = count_q != '0 && dead_q[rd_q];
  assign pend  = active & ~done_q;

  lowest_one #(.N(LANES)) u_lane (
    .in_i     (pend),
    .onehot_o (grant),
    .index_o  (next_lane_o),
    .any_o    (any)
  );

  // The actions of a step.
  // (With a rank: of 64 bits, data of the high word is wanted in step 3, and by a compare-and-swap once more, to be written.)
  localparam bit RANK = cfg_pkg::SHARED_RANKS != 0;

  assign wide = words[0];
  always_comb begin
    step.number = step_q;
    step.last   = last && ends;
    step.ends   = ends && any;
    if (atomic && RANK) begin
      final_step  = wide ? {2'd2, swap} : {2'd1, swap};
      next_word_o = {swap && (wide ? step_q[2] : step_q[1:0] == 2'd3), wide && (step_q == 3'd3 || (step_q == 3'd4 && swap))};
      step.at     = {1'b0, wide && (step_q == 3'd1 || step_q == 3'd3 || (step_q == 3'd4 && swap))};
      step.write  = wide ? step_q[2] || (step_q == 3'd3 && !swap) : step_q == {2'd1, swap};
      step.read   = step_q == 3'd0 || (wide && (step_q == 3'd1 || (step_q == 3'd2 && !swap)));
      step.gives  = step_q == 3'd0 || (wide && step_q == 3'd1);
    end else if (atomic) begin
      final_step  = wide ? 3'd4 : {1'b0, swap, !swap};
      next_word_o = {swap && (wide ? step_q >= 3'd3 : step_q[1]), wide && (step_q == 3'd2 || (step_q == 3'd3 && swap))};
      step.at     = {1'b0, wide && (step_q == 3'd1 || step_q == 3'd2 || (step_q == 3'd3 && swap))};
      step.write  = wide ? step_q[2] || (swap ? step_q == 3'd3 : step_q == 3'd2) : step_q[1] || (step_q[0] && !swap);
      step.read   = step_q == 3'd0 || (wide && (step_q == 3'd1 || (step_q == 3'd3 && !swap)));
      step.gives  = step_q == 3'd0 || (wide && step_q == 3'd1);
    end else begin
      final_step  = turned ? 3'd7 : {1'b0, words};
      next_word_o = step_q[1:0];
      step.at     = turned ? step_q[2:1] : step_q[1:0];
      step.write  = store;
      step.read   = !store;
      step.gives  = !store;
    end
    if (!any) {step.write, step.read, step.gives} = '0;
  end

  assign ends       = step_q == final_step || !any;
  assign last       = (pend & ~grant) == '0;
  assign final_beat = 32'(beat_q) == BEATS - 1;
  assign issue      = valid && (step_q != '0 || !hold_i);
  assign sent_o     = issue && ends && last;
  assign finish     = sent_o && final_beat;
  assign leave      = finish || skip;

  assign next_valid_o = issue;
  assign next_row_o   = ADDR_W'(32'(rd_q) * BEATS + 32'(beat_q));
  assign sent_words_o = words & {2{!store}};
  assign gone_o       = beat_q;

  always_ff @(posedge clk_i) begin
    if (ck_i.ends) dead_q[wr_q] <= !ck_i.commit;
  end

  always_ff @(posedge clk_i) begin
    ps_step_o  <= step;
    ps_grant_o <= grant;
    ps_beat_o  <= beat_q;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      wr_q       <= '0;
      rd_q       <= '0;
      count_q    <= '0;
      beat_q     <= '0;
      done_q     <= '0;
      step_q     <= '0;
      ps_valid_o <= 1'b0;
      pop_o      <= 1'b0;
    end else begin
      ps_valid_o <= issue;
      pop_o      <= finish;
      if (issue) begin
        step_q <= ends ? '0 : step_q + 1'b1;
        if (ends) done_q <= last ? '0 : done_q | grant;
      end
      if (sent_o)   beat_q <= beat_q + 1'b1;
      if (ck_i.ends) wr_q <= wr_q + 1'b1;
      if (leave)    rd_q <= rd_q + 1'b1;
      if (ck_i.ends && !leave)      count_q <= count_q + 1'b1;
      else if (leave && !ck_i.ends) count_q <= count_q - 1'b1;
    end
  end

  // The queue of the instructions has room, so this one has.
  `ASSERT(a_room, !ck_i.ends || count_q != COUNT_W'(DEPTH))

endmodule
