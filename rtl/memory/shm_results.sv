// SPDX-License-Identifier: Apache-2.0
// Results of shared memory on their way out: the places of the ring in which beats are put together, the instructions of these beats,
// and which row of the one in front leaves next.
// A beat is promised its places as its last pass is sent, so that what is under way always has room; it is whole once its last word
// is written, and gives its places back as it leaves.
// The instruction in front stands in registers, since it chooses what is offered and reaches the end of the unit in the same cycle;
// the others lie in LUT RAM, and what only passes on (identity, where its registers are) in block RAM. A load's beat gives a row for
// each register. LDSM has an order of its own: register by register, of each the rows of all 32 lanes; what came in one beat (with 4
// lanes, in two) makes four rows (eight).
//   32 lanes: rows are registers 0..3    16: two registers, of each two beats    8, 4: one register, its 4, 8 beats
// Whether the row in front is one, and the last of its beat, stands in registers: it is worked out a cycle ahead for each row that may
// be next, and whether the row here leaves chooses among them.
// Latency: an instruction is written with its first beat, and is in front before that beat is whole; from push_i to its first row one
// cycle; a row a cycle. A beat without rows that ends no instruction takes a cycle.
// Handshake: events in, a beat is sent only where owed_o leaves room; rows valid/ready out.
// It holds no data: words lie in the memories of its user, by wr_o, rd_o and step_o. It does not reorder.
`include "heddle_assert.svh"
`include "heddle_idle.svh"

module shm_results #(
  localparam int unsigned LANES   = cfg_pkg::LSU_LANES,
  localparam int unsigned BEATS   = mem_pkg::BEATS,
  localparam bit          WORDS   = LANES >= 16,            // a beat takes one place, else one for each word
  localparam int unsigned UNITS   = WORDS ? 8 : 16,         // places; a power of two
  localparam int unsigned PTR_W   = $clog2(UNITS),
  localparam int unsigned COUNT_W = $clog2(UNITS + 1),
  localparam int unsigned STEPS   = (LANES == 4) ? 8 : 4,   // rows of a beat, at most; with four lanes two beats leave together
  localparam int unsigned STEP_W  = $clog2(STEPS)
) (
  input  logic                       clk_i,
  input  logic                       rst_ni,
  // from the queue: a pass, its instruction's last, and the instruction
  input  logic                       ps_valid_i,
  input  logic                       ps_pop_i,
  input  logic [mem_pkg::BEAT_W-1:0] ps_beat_i,
  /* verilator lint_off UNUSEDSIGNAL */                     // a part of it
  input  core_pkg::memop_t           ps_op_i,
  /* verilator lint_on UNUSEDSIGNAL */
  // a beat is on its way
  input  logic                       sent_i,
  input  logic [COUNT_W-1:0]         sent_places_i,
  output logic [COUNT_W-1:0]         owed_o,        // places taken, or promised
  // a beat is whole
  output logic [PTR_W-1:0]           wr_o,          // first place of the beat that is being written
  input  logic                       push_i,
  input  logic [PTR_W-1:0]           push_places_i,
  // the row in front
  output logic [PTR_W-1:0]           rd_o,          // first place of the oldest beat
  output logic [STEP_W-1:0]          step_o,        // which row of that beat
  output logic                       matrix_o,
  output logic                       turned_o,      // of a transposed matrix
  // to the end of the unit
  output logic                       res_valid_o,
  input  logic                       res_ready_i,
  output mem_pkg::result_t           res_o,
  output logic                       res_pair_o,    // the instruction has a part in another pipe
  output logic [2:0]                 res_size_o
);

  localparam bit          HALVES = LANES == 4;      // a matrix is two beats, which leave together
  localparam int unsigned OPS    = 8;               // instructions with beats on their way
  localparam int unsigned OP_W   = $clog2(OPS);

  typedef struct packed {
    logic [2:0]  size;
    logic [1:0]  rd_n;
    logic        has_rd;
    logic        pair;
    logic        matrix;
    logic        turned;
    logic [1:0]  words;      // of a lane that return, minus one; of a store 0: its beat takes a place, too
    logic [31:0] exec;
  } entry_t;

  // The ring.
  logic [COUNT_W-1:0]         whole_q, sum, pop_places;    // whole beats
  logic                       any_whole, pop;
  // Instructions: the one that comes next, if this one leaves, or none has come in front.
  logic [OP_W-1:0]            op_wr_q, op_rd_q, op_rd;
  logic                       store, write, next;
  entry_t                     in, front;
  logic [31:0]                front_exec;                  // of LDSM: all
  mem_pkg::who_t              who;                         // of the one here
  logic [3:0]                 places_q;
  // Rows.
  logic [1:0]                 rd_n_q;
  logic                       has_rd_q, last_q, row_en_q, says_q, final_q, leave, begins, another;
  logic [31:0]                exec_q, exec_next;           // from the beat in front on
  logic [mem_pkg::BEAT_W-1:0] beat_q, beat_next;
  logic [STEP_W-1:0]          step_next;
  logic [1:0]                 word, word_beat, word_step;  // of the row here, of the next beat's first, of the next row
  logic [4:0]                 row, row_beat, row_step;
  logic                       op_row, beat_row, beat_last, step_row, step_final;

  // ---- places of the ring -------------------------------------------------------------------------
  assign sum        = sent_i ? owed_o + sent_places_i : owed_o;
  assign pop_places = WORDS ? COUNT_W'(1) : COUNT_W'(places_q);

  // Whether a beat leaves depends on whether the end of the unit takes a row, which is known late: it chooses between two sums.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      owed_o    <= '0;
      wr_o      <= '0;
      rd_o      <= '0;
      whole_q   <= '0;
      any_whole <= 1'b0;
    end else begin
      owed_o <= pop ? sum - pop_places : sum;
      if (push_i) wr_o <= wr_o + push_places_i;
      if (pop)    rd_o <= rd_o + PTR_W'(pop_places);
      if (push_i && !pop)      whole_q <= whole_q + 1'b1;
      else if (pop && !push_i) whole_q <= whole_q - 1'b1;
      if (push_i || pop)       any_whole <= push_i || whole_q != COUNT_W'(1);
    end
  end

  // ---- the instructions of its beats ----------------------------------------------------------------
  assign store = mem_pkg::is_store(ps_op_i.mem);
  assign write = ps_valid_i && ps_beat_i == '0;

  always_comb begin
    in.size   = ps_op_i.size;
    in.rd_n   = ps_op_i.rd_n;
    in.has_rd = !store && ps_op_i.rd != isa_pkg::RZ;
    in.pair   = ps_op_i.pair;
    in.matrix = core_pkg::is_matrix(ps_op_i.mem, ps_op_i.atom);
    in.turned = ps_op_i.atom == core_pkg::MATRIX_TURNED;
    in.words  = store ? 2'd0 : (ps_op_i.size == isa_pkg::SIZE_128) ? 2'd3 : (ps_op_i.size == isa_pkg::SIZE_64) ? 2'd1 : 2'd0;
    in.exec   = ps_op_i.exec;
  end

  // While the one here has whole beats the next one is read, which counts when the last of them leaves.
  assign op_rd      = op_rd_q + OP_W'(any_whole);
  assign front_exec = front.exec | {32{front.matrix}};

  ram_async #(.WIDTH($bits(entry_t)), .DEPTH(OPS)) u_op (
    .clk_i     (clk_i),
    .wr_en_i   (write),
    .wr_addr_i (op_wr_q),
    .wr_data_i (in),
    .rd_addr_i (op_rd),
    .rd_data_o (front)
  );

  // All that the retire port alone looks at lies above the rest. All that is written now is read again before it counts.
  ram_apart #(.WIDTH($bits(core_pkg::id_t) + 27), .DEPTH(OPS)) u_who (
    .clk_i     (clk_i),
    .rst_ni    (rst_ni),
    .wr_en_i   (write),
    .wr_addr_i (op_wr_q),
    .wr_data_i ({ps_op_i.id.gen, ps_op_i.id.seq, ps_op_i.id.slot, ps_op_i.rbase, ps_op_i.rd, ps_op_i.wbar}),
    .rd_en_i   (next && !(write && op_wr_q == op_rd)),
    .rd_addr_i (op_rd),
    .rd_data_o ({who.id.gen, who.id.seq, who.id.slot, who.rbase, who.rd, who.wbar})
  );
  assign {who.rd_n, who.has_rd} = {rd_n_q, has_rd_q};

  always_ff @(posedge clk_i) begin
    if (next) begin
      res_size_o <= front.size;
      turned_o   <= front.turned;
      places_q   <= front.matrix ? 4'(STEPS) : 4'(front.words) + 4'd1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      op_wr_q <= '0;
      op_rd_q <= '0;
    end else begin
      if (ps_pop_i)      op_wr_q <= op_wr_q + 1'b1;
      if (pop && last_q) op_rd_q <= op_rd_q + 1'b1;
    end
  end

  // ---- what may be next: another instruction, the next beat of this one, the next row of this beat ----
  // Register and row of LDSM's results.
  function automatic logic [6:0] place(logic [mem_pkg::BEAT_W-1:0] beat, logic [STEP_W-1:0] at);
    case (LANES)
      32:      place = {2'(at), 5'd0};
      16:      place = {1'(beat), 1'(at >> 1), 4'd0, 1'(at)};
      8:       place = {2'(beat), 5'(at)};
      default: place = {2'(beat >> 1), 5'(at)};
    endcase
  endfunction

  // The last row of a beat that has rows.
  function automatic logic ended(logic matrix, logic [1:0] at_word, logic [4:0] at_row, logic [STEP_W-1:0] at, logic [1:0] rd_n);
    ended = matrix ? at == STEP_W'(STEPS - 1) || (at_word == rd_n && at_row == 5'(BEATS - 1)) : at_word == rd_n;
  endfunction

  assign exec_next = exec_q >> LANES;
  assign beat_next = beat_q + ((HALVES && matrix_o) ? mem_pkg::BEAT_W'(2) : mem_pkg::BEAT_W'(1));
  assign step_next = step_o + 1'b1;

  assign {word_beat, row_beat} = matrix_o ? place(beat_next, '0) : {2'd0, 5'(beat_next)};
  assign {word_step, row_step} = matrix_o ? place(beat_q, step_next) : {2'(step_next), 5'(beat_q)};

  assign op_row     = front.has_rd && front_exec[LANES-1:0] != '0;
  assign beat_row   = has_rd_q && exec_next[LANES-1:0] != '0 && word_beat <= rd_n_q;
  assign beat_last  = 32'(beat_next) + ((HALVES && matrix_o) ? 32'd1 : 32'd0) == BEATS - 1;
  assign step_row   = row_en_q && word_step <= rd_n_q;
  assign step_final = !step_row || ended(matrix_o, word_step, row_step, step_next, rd_n_q);

  // Which of them it is does not wait for whether the row leaves.
  assign begins  = !any_whole && beat_q == '0 && owed_o != '0;
  assign another = begins || (final_q && last_q);
  assign leave   = any_whole && (res_ready_i || !says_q);
  assign pop     = leave && final_q;
  assign next    = (leave || begins) && another;

  always_ff @(posedge clk_i) begin
    if (leave || begins) begin
      if (another) begin
        has_rd_q   <= front.has_rd;
        rd_n_q     <= front.rd_n;
        res_pair_o <= front.pair;
        matrix_o   <= front.matrix;
        exec_q     <= front_exec;
        row_en_q   <= op_row;
        last_q     <= BEATS == 1;
        says_q     <= op_row || BEATS == 1;
        final_q    <= !op_row || ended(front.matrix, 2'd0, 5'd0, '0, front.rd_n);
      end else if (final_q) begin
        exec_q     <= exec_next;
        row_en_q   <= beat_row;
        last_q     <= beat_last;
        says_q     <= beat_row || beat_last;
        final_q    <= !beat_row || ended(matrix_o, word_beat, row_beat, '0, rd_n_q);
      end else begin
        row_en_q   <= step_row;
        says_q     <= step_row || last_q;
        final_q    <= step_final;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      beat_q <= '0;
      step_o <= '0;
    end else begin
      if (pop)   beat_q <= last_q ? '0 : beat_next;
      if (leave) step_o <= final_q ? '0 : step_next;
    end
  end

  // ---- the row here -----------------------------------------------------------------------------
  assign {word, row} = matrix_o ? place(beat_q, step_o) : {2'(step_o), 5'(beat_q)};
  assign res_valid_o = any_whole && says_q;

  always_comb begin
    res_o = 'x;
    if (`HEDDLE_LIVE(res_valid_o)) begin
      res_o        = '0;
      res_o.who    = who;
      res_o.row_en = row_en_q;
      res_o.beat   = row;
      res_o.mask   = exec_q[LANES-1:0];
      res_o.word   = word;
      res_o.last   = last_q && final_q;
    end
  end

  `ASSERT(a_whole, any_whole == (whole_q != '0))

  // The first beat of an instruction is whole later than its registers have it.
  logic written_q;
  always_ff @(posedge clk_i) written_q <= write && op_wr_q == op_rd_q + OP_W'(pop && last_q);
  `ASSERT(a_front, !any_whole || !written_q)

endmodule
