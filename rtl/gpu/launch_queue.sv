// SPDX-License-Identifier: Apache-2.0
// Which launch is where. A launch comes from the stage, the registers as the host writes them, into `next`, behind which others
// wait in slots; `front` is the one that runs, or is about to. While `next` is free and nothing waits it is kept equal to the
// stage, so that a START only says that it counts; else the stage is copied to a slot. A slot is copied to `next`.
// Latency: a START that finds `next` equal to the stage counts in the next cycle; a copy takes WORDS + 2 cycles, and one more for
// each register access meanwhile. hold_o from the cycle after a START that needs one until it has been taken.
// Handshake: events; none of the host comes while hold_o. load_o: `front` takes `next`.
// With DEPTH 0 there is one place: a START counts when no grid runs, and front is next is stage.
// It has no word of a launch: host_launch does.
`include "heddle_assert.svh"

module launch_queue #(
  parameter  int unsigned DEPTH  = cfg_pkg::LAUNCH_QUEUE,
  parameter  int unsigned WORDS  = 128,     // of a launch
  localparam int unsigned SLOT_W = (DEPTH > 1) ? $clog2(DEPTH) : 1,
  localparam int unsigned WORD_W = $clog2(WORDS)
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  // from and to the register port
  input  logic              start_i,
  input  logic              drop_i,        // all that wait are given up; wins
  input  logic              access_i,      // a launch register is read or written: copies wait
  output logic              hold_o,
  output logic              taken_o,       // event, with start_i: it counts
  output logic              full_o,        // it would not
  // from and to the control unit
  input  logic              running_i,
  input  logic              free_i,        // a level: front may change
  input  logic              begin_i,       // event: front's launch begins
  output logic              ready_o,       // front has a launch that has not begun
  output logic              waiting_o,     // some have not
  // to the memories
  output logic              load_o,
  output logic              open_o,        // next is free: what is written to the stage is written there, too
  output logic              rd_stage_o,    // word rd_word_o is read,
  output logic              rd_slot_o,
  output logic [WORD_W-1:0] rd_word_o,
  output logic [SLOT_W-1:0] rd_number_o,
  output logic              wr_slot_o,     // ... and the one read in the cycle before is written: word wr_word_o
  output logic              wr_next_o,
  output logic              wr_from_slot_o,
  output logic [WORD_W-1:0] wr_word_o,
  output logic [SLOT_W-1:0] wr_number_o
);

  if (DEPTH == 0) begin : gen_one
    logic start_q;

    always_ff @(posedge clk_i) begin
      if (!rst_ni)      start_q <= 1'b0;
      else if (drop_i)  start_q <= 1'b0;
      else if (taken_o) start_q <= 1'b1;
      else if (begin_i) start_q <= 1'b0;
    end

    assign full_o    = running_i;
    assign taken_o   = start_i && !drop_i && !running_i;
    assign ready_o   = 1'b1;
    assign waiting_o = start_q;
    assign open_o    = 1'b1;
    assign {hold_o, load_o, rd_stage_o, rd_slot_o, wr_slot_o, wr_next_o, wr_from_slot_o} = '0;
    assign {rd_word_o, rd_number_o, wr_word_o, wr_number_o} = '0;

    logic unused;
    assign unused = ^{access_i, free_i};
  end else begin : gen_queue
    typedef enum logic [1:0] {JOB_NONE, JOB_REFRESH, JOB_STORE, JOB_FILL} job_e;

    logic [SLOT_W:0]   waiting_q, slots_q;    // launches that have not begun; those of them that are in slots
    logic [SLOT_W-1:0] head_q, tail_q;
    logic              start_q;               // a START waits for a copy
    logic              same_q;                // next is free, and equal to the stage
    logic              next_q, front_q;       // there is a launch
    job_e              job_q;
    logic [WORD_W:0]   read_q;                // words read
    logic              have_q;                // one has been read that is not written
    logic [WORD_W-1:0] have_word_q;
    logic              moves, finish, take;

    assign full_o    = waiting_q == (SLOT_W+1)'(DEPTH);
    assign taken_o   = start_i && !drop_i && !full_o;
    assign hold_o    = start_q;
    assign ready_o   = front_q;
    assign waiting_o = waiting_q != '0;
    assign open_o    = !next_q && job_q != JOB_FILL;
    assign load_o    = next_q && !front_q && free_i && !drop_i;
    assign take      = (taken_o || start_q) && same_q;

    // ---- copies: a word is read, and written in the next cycle; a register access in between, and it is read again -----------
    assign moves  = job_q != JOB_NONE && !access_i && !drop_i;
    assign finish = moves && have_q && have_word_q == WORD_W'(WORDS - 1);

    assign rd_stage_o     = moves && !read_q[WORD_W] && job_q != JOB_FILL;
    assign rd_slot_o      = moves && !read_q[WORD_W] && job_q == JOB_FILL;
    assign rd_word_o      = read_q[WORD_W-1:0];
    assign rd_number_o    = head_q;
    assign wr_slot_o      = moves && have_q && job_q == JOB_STORE;
    assign wr_next_o      = moves && have_q && job_q != JOB_STORE;
    assign wr_from_slot_o = job_q == JOB_FILL;
    assign wr_word_o      = have_word_q;
    assign wr_number_o    = tail_q;

    always_ff @(posedge clk_i) begin
      if (moves) have_word_q <= read_q[WORD_W-1:0];
    end

    always_ff @(posedge clk_i) begin
      if (!rst_ni || drop_i) begin
        job_q  <= JOB_NONE;
        read_q <= '0;
        have_q <= 1'b0;
      end else if (job_q == JOB_NONE) begin
        if (!next_q && slots_q != '0)  job_q <= JOB_FILL;
        else if (start_q && next_q)    job_q <= JOB_STORE;
        else if (!next_q && !same_q)   job_q <= JOB_REFRESH;
      end else if (finish) begin
        job_q  <= JOB_NONE;
        read_q <= '0;
        have_q <= 1'b0;
      end else if (moves) begin
        have_q <= !read_q[WORD_W];
        if (!read_q[WORD_W]) read_q <= read_q + 1'b1;
      end else begin
        have_q <= 1'b0;
        if (have_q) read_q <= {1'b0, have_word_q};
      end
    end

    // ---- places --------------------------------------------------------------------------------------------------------------
    always_ff @(posedge clk_i) begin
      if (!rst_ni || drop_i) begin
        waiting_q <= '0;
        slots_q   <= '0;
        head_q    <= '0;
        tail_q    <= '0;
        start_q   <= 1'b0;
        next_q    <= 1'b0;
        front_q   <= 1'b0;
      end else begin
        waiting_q <= waiting_q + (SLOT_W+1)'(taken_o) - (SLOT_W+1)'(begin_i);
        start_q   <= (start_q || taken_o) && !same_q && !(finish && job_q == JOB_STORE);
        next_q    <= (next_q && !load_o) || take || (finish && job_q == JOB_FILL);
        front_q   <= (front_q && !begin_i) || load_o;
        slots_q   <= slots_q + (SLOT_W+1)'(finish && job_q == JOB_STORE) - (SLOT_W+1)'(finish && job_q == JOB_FILL);
        if (finish && job_q == JOB_STORE) tail_q <= tail_q + 1'b1;
        if (finish && job_q == JOB_FILL)  head_q <= head_q + 1'b1;
      end
    end

    // From the host's reset on all words are 0, and stay the same until a launch is in between.
    always_ff @(posedge clk_i) begin
      if (!rst_ni) same_q <= 1'b1;
      else         same_q <= (same_q && !take) || (finish && job_q == JOB_REFRESH);
    end

    logic unused;
    assign unused = running_i;

    // All that is counted is in one of the places.
    `ASSERT(a_count, waiting_q == slots_q + (SLOT_W+1)'(start_q) + (SLOT_W+1)'(next_q) + (SLOT_W+1)'(front_q))
    `ASSERT(a_same, !same_q || (!next_q && slots_q == '0))
    `ASSERT(a_begin, !begin_i || front_q)
    `ASSERT(a_held, !hold_o || (!start_i && !drop_i))
  end

endmodule
