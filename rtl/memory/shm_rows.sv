// SPDX-License-Identifier: Apache-2.0
// Result rows of the shared-memory instruction in front (shm_pending): which of them is next, and whether it is the last. A load's
// beat gives a row for each register. LDSM has an order of its own: register by register, of each the rows of all 32 lanes; what
// came in one beat (with 4 lanes, in two) makes four rows (eight).
//   32 lanes: rows are registers 0..3    16: two registers, of each two beats    8, 4: one register, its 4, 8 beats
// Whether the row in front is one, and the last of its beat, stands in registers: it is worked out a cycle ahead for each row that may
// be next, and whether the row here leaves chooses among them.
// Latency: none from valid_i to out_valid_o; a row a cycle. A beat without rows that ends no instruction takes a cycle.
// Handshake: valid/ready out; pop_o (an event) tells that the beat in front is done, next_o that the instruction offered is taken.
// It does not know data: step_o says which row of the beat is asked for.
`include "heddle_idle.svh"

module shm_rows #(
  localparam int unsigned LANES  = cfg_pkg::LSU_LANES,
  localparam int unsigned BEATS  = mem_pkg::BEATS,
  localparam int unsigned STEPS  = (LANES == 4) ? 8 : 4,    // rows of a beat, at most
  localparam int unsigned STEP_W = $clog2(STEPS)
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  // from the queue of instructions: the one that comes next, if this one leaves, or none has come in front
  input  logic                    live_i,      // beats are on their way
  input  logic                    op_has_rd_i,
  input  logic [1:0]              op_rd_n_i,
  input  logic                    op_pair_i,
  input  logic                    op_matrix_i,
  input  logic [31:0]             op_exec_i,   // of LDSM: all
  output logic                    next_o,      // it is taken
  input  mem_pkg::who_t           who_i,       // from the next cycle on: the rest of it
  // from and to the ring of beats
  input  logic                    valid_i,     // a beat is whole
  output logic                    pop_o,
  output logic                    last_o,      // the beat here ends its instruction
  output logic                    matrix_o,
  output logic [STEP_W-1:0]       step_o,
  // to the end of the unit
  output logic                    out_valid_o,
  input  logic                    out_ready_i,
  output mem_pkg::result_t        out_result_o,
  output logic                    out_pair_o
);

  // With four lanes a matrix is two beats, which leave together.
  localparam bit HALVES = LANES == 4;

  logic [1:0]                 rd_n_q;
  logic                       has_rd_q, pair_q, matrix_q, last_q, row_en_q, says_q, final_q, leave, begins, another;
  logic [31:0]                exec_q, exec_next;    // from the beat in front on
  logic [mem_pkg::BEAT_W-1:0] beat_q, beat_next;
  logic [STEP_W-1:0]          step_q, step_next;
  logic [1:0]                 word, word_beat, word_step;      // of the row here, of the next beat's first, of the next row
  logic [4:0]                 row, row_beat, row_step;
  logic                       op_row, beat_row, beat_last, step_row, step_final;

  // Register and row of LDSM's results.
  function automatic logic [6:0] place(logic [mem_pkg::BEAT_W-1:0] beat, logic [STEP_W-1:0] at);
    case (LANES)
      32:      place = {2'(at), 5'd0};
      16:      place = {1'(beat), 1'(at >> 1), 4'd0, 1'(at)};
      8:       place = {2'(beat), 5'(at)};
      default: place = {2'(beat >> 1), 5'(at)};
    endcase
  endfunction

  // ---- what may be next: another instruction, the next beat of this one, the next row of this beat ----
  assign exec_next = exec_q >> LANES;
  assign beat_next = beat_q + ((HALVES && matrix_q) ? mem_pkg::BEAT_W'(2) : mem_pkg::BEAT_W'(1));
  assign step_next = step_q + 1'b1;

  assign {word_beat, row_beat} = matrix_q ? place(beat_next, '0) : {2'd0, 5'(beat_next)};
  assign {word_step, row_step} = matrix_q ? place(beat_q, step_next) : {2'(step_next), 5'(beat_q)};

  assign op_row     = op_has_rd_i && op_exec_i[LANES-1:0] != '0;
  assign beat_row   = has_rd_q && exec_next[LANES-1:0] != '0 && word_beat <= rd_n_q;
  assign beat_last  = 32'(beat_next) + ((HALVES && matrix_q) ? 32'd1 : 32'd0) == BEATS - 1;
  assign step_row   = row_en_q && word_step <= rd_n_q;
  assign step_final = !step_row || ended(matrix_q, word_step, row_step, step_next, rd_n_q);

  // The last row of a beat that has rows.
  function automatic logic ended(logic matrix, logic [1:0] at_word, logic [4:0] at_row, logic [STEP_W-1:0] at, logic [1:0] rd_n);
    ended = matrix ? at == STEP_W'(STEPS - 1) || (at_word == rd_n && at_row == 5'(BEATS - 1)) : at_word == rd_n;
  endfunction

  // Which of them it is does not wait for whether the row leaves.
  assign begins  = !valid_i && beat_q == '0 && live_i;
  assign another = begins || (final_q && last_q);
  assign leave   = valid_i && (out_ready_i || !says_q);
  assign pop_o   = leave && final_q;
  assign next_o  = (leave || begins) && another;

  always_ff @(posedge clk_i) begin
    if (leave || begins) begin
      if (another) begin
        has_rd_q <= op_has_rd_i;
        rd_n_q   <= op_rd_n_i;
        pair_q   <= op_pair_i;
        matrix_q <= op_matrix_i;
        exec_q   <= op_exec_i;
        row_en_q <= op_row;
        last_q   <= BEATS == 1;
        says_q   <= op_row || BEATS == 1;
        final_q  <= !op_row || ended(op_matrix_i, 2'd0, 5'd0, '0, op_rd_n_i);
      end else if (final_q) begin
        exec_q   <= exec_next;
        row_en_q <= beat_row;
        last_q   <= beat_last;
        says_q   <= beat_row || beat_last;
        final_q  <= !beat_row || ended(matrix_q, word_beat, row_beat, '0, rd_n_q);
      end else begin
        row_en_q <= step_row;
        says_q   <= step_row || last_q;
        final_q  <= step_final;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      beat_q <= '0;
      step_q <= '0;
    end else begin
      if (pop_o) beat_q <= last_q ? '0 : beat_next;
      if (leave) step_q <= final_q ? '0 : step_next;
    end
  end

  // ---- the row here -----------------------------------------------------------------------------
  assign {word, row} = matrix_q ? place(beat_q, step_q) : {2'(step_q), 5'(beat_q)};
  assign out_valid_o = valid_i && says_q;
  assign out_pair_o  = pair_q;
  assign matrix_o    = matrix_q;
  assign last_o      = last_q;
  assign step_o      = step_q;

  always_comb begin
    out_result_o = 'x;
    if (`HEDDLE_LIVE(out_valid_o)) begin
      out_result_o        = '0;
      out_result_o.who    = who_i;
      out_result_o.who.rd_n   = rd_n_q;
      out_result_o.who.has_rd = has_rd_q;
      out_result_o.row_en = row_en_q;
      out_result_o.beat   = row;
      out_result_o.mask   = exec_q[LANES-1:0];
      out_result_o.word   = word;
      out_result_o.last   = last_q && final_q;
    end
  end

endmodule
