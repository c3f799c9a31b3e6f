// SPDX-License-Identifier: Apache-2.0
// From the banks back to the lanes: each lane of a pass picks its words; a beat's passes are collected in a ring, whose
// oldest beat leaves register by register: whole words, with the bytes that are wanted of them beside. The instructions of these
// beats wait in a queue of their own.
// LDSM is a load of 128 bits until here: matrix_words (SHM_GIVE 4, as rows leave the ring) or matrix_steps (on the way into it)
// make rows of results of it. shm_rows has the instruction in front, and says which row is next.
// Latency: bank data of cycle t is at res_ in cycle t+1. A load's pass takes as many cycles as it has words (SHM_GIVE 4: one), one of
// a transposed matrix 8 (4 lanes: 16; SHM_GIVE 4: one).
// Handshake: events in; results valid/ready out; hold_o stops new passes so that the queue can't overflow.
// It does not order anything: beats leave as they came.
`default_nettype none
`include "heddle_assert.svh"
`include "heddle_idle.svh"

module shm_return #(
  localparam int unsigned LANES  = cfg_pkg::LSU_LANES,
  localparam int unsigned BANKS  = mem_pkg::SHM_BANKS,
  localparam int unsigned BANK_W = mem_pkg::SHM_BANK_W
) (
  input  logic                         clk_i,
  input  logic                         rst_ni,
  input  logic [7:0]                   fault_i,
  // from shm_conflict: a beat of so many words (minus one) is on its way
  output logic                         hold_o,
  output logic                         hold_turned_o, // stops beats of transposed matrices
  input  logic                         sent_i,
  input  logic [1:0]                   sent_words_i,
  // from shm_conflict and the queue: a pass, its instruction's last; and the instruction
  input  logic                         ps_valid_i,
  input  logic                         ps_pop_i,
  input  logic [mem_pkg::BEAT_W-1:0]   ps_beat_i,
  input  core_pkg::id_t                ps_id_i,
  input  logic                         ps_store_i,
  input  logic                         ps_pair_i,
  input  logic                         ps_matrix_i,
  input  logic                         ps_turned_i,
  input  logic [1:0]                   ps_words_i,     // minus one
  input  logic [2:0]                   ps_size_i,
  input  logic [7:0]                   ps_rd_i,
  input  logic [1:0]                   ps_rd_n_i,
  input  logic [2:0]                   ps_wbar_i,
  input  logic [31:0]                  ps_exec_i,
  input  logic [15:0]                  ps_rbase_i,
  // from shm_route, and the memory: a pass that returns something, in the cycle before its bank data
  input  logic                         rt_valid_i,
  input  logic                         rt_last_i,
  input  isa_pkg::mem_e                rt_mem_i,
  input  logic [2:0]                   rt_size_i,
  input  logic                         rt_matrix_i,
  input  logic                         rt_turned_i,
  input  logic                         rt_odd_i,       // the lowest bit of its beat
  input  logic [LANES-1:0]             rt_grant_i,
  input  logic [LANES-1:0][BANK_W-1:0] rt_bank_i,
  input  logic [LANES-1:0][1:0]        rt_sub_i,
  // from the banks, one cycle after rt_valid_i
  input  logic [BANKS-1:0][31:0]       bk_rdata_i,
  // to the end of the unit
  output logic                         res_valid_o,
  input  logic                         res_ready_i,
  output mem_pkg::result_t             res_o,
  output logic                         res_pair_o,     // the instruction has a part in another pipe
  output logic [LANES-1:0][31:0]       res_data_o,
  output mem_pkg::bytes_t              res_bytes_o,
  // to mem_top
  output logic                         idle_o
);

  localparam int unsigned GIVE    = mem_pkg::SHM_GIVE;
  // Places of the ring: a beat takes one with room for all its words, or (SHM_GIVE 1) one for each word, a store one.
  localparam int unsigned UNITS   = (GIVE == 4) ? 8 : 16;
  localparam int unsigned MOST    = (GIVE == 4) ? 1 : 4;
  localparam int unsigned PTR_W   = $clog2(UNITS);
  localparam int unsigned COUNT_W = $clog2(UNITS + 1);
  // LDSM with four lanes: a matrix is two beats, which leave together.
  localparam bit          HALVES  = LANES == 4;
  localparam int unsigned PLACES  = HALVES ? 8 : 4;          // that the rows of a register take (SHM_GIVE 1)
  localparam int unsigned PLACE_W = $clog2(PLACES);
  localparam int unsigned OPS     = 8;                       // instructions with beats on their way
  localparam int unsigned OP_PTR_W = $clog2(OPS);

  localparam int unsigned OP_W    = 44;

  // The pass whose bank data is here.
  logic                         bk_valid_q, bk_last_q, bk_store_q, bk_matrix_q, bk_turned_q, bk_first_half_q, bk_final;
  logic [2:0]                   bk_size_q;
  logic [3:0]                   bk_step_q;
  logic [LANES-1:0]             bk_grant_q;
  logic [LANES-1:0][BANK_W-1:0] bk_bank_q;
  logic [LANES-1:0][1:0]        bk_sub_q;
  logic                         wide, quad, gives;

  // Ring of beats and queue of instructions.
  logic [PTR_W-1:0]             wr_q, rd_q;
  logic [OP_PTR_W-1:0]          op_wr_q, op_rd_q;
  logic [COUNT_W-1:0]           count_q, owed_q, more, less;   // whole beats; places taken
  logic [PTR_W-1:0]             push_by;
  logic                         push, rows_valid_q, pop, last;
  // The instruction that comes next, and what is kept of it here; the row in front.
  mem_pkg::who_t                front;        // of what is in front, but for what chooses its rows
  logic                         has_rd, op_write;
  logic [1:0]                   rd_n;
  logic                         store, pair, matrix, turned, matrix_q, next;
  logic [1:0]                   out_words;
  logic [31:0]                  out_exec;
  logic [OP_PTR_W-1:0]          op_rd;
  logic [PLACE_W-1:0]           step;
  logic [2:0]                   size, size_q;
  logic [LANES-1:0]             sub_en;
  logic [PTR_W-1:0]             sub_place, sub_row;

  always_ff @(posedge clk_i) begin
    if (rt_valid_i) begin
      bk_last_q  <= rt_last_i;
      bk_store_q <= mem_pkg::is_store(rt_mem_i);
      bk_size_q  <= rt_size_i;
      bk_matrix_q     <= rt_matrix_i;
      bk_turned_q     <= rt_turned_i;
      bk_first_half_q <= HALVES && rt_matrix_i && !rt_odd_i;
      bk_grant_q <= rt_grant_i;
      bk_bank_q  <= rt_bank_i;
      bk_sub_q   <= rt_sub_i;
    end
  end

  assign quad     = bk_size_q == isa_pkg::SIZE_128;
  assign wide     = quad || bk_size_q == isa_pkg::SIZE_64;
  assign gives    = bk_valid_q && !bk_store_q;
  assign push     = bk_valid_q && bk_last_q && bk_final && !bk_first_half_q;

  // Each pass writes the words of its lanes; with the last one the beat is whole.
  if (GIVE == 4) begin : gen_all
    logic [LANES-1:0][3:0][31:0] row;
    logic [LANES-1:0][31:0]      words;
    logic                        turned_q;

    assign bk_final = 1'b1;
    assign more     = COUNT_W'(1);
    assign less     = COUNT_W'(1);
    assign push_by  = PTR_W'(1);

    always_ff @(posedge clk_i) begin
      if (next) turned_q <= turned;
    end

    matrix_words u_words (
      .fault_i  (fault_i),
      .en_i     (res_valid_o && matrix_q),
      .turned_i (turned_q),
      .row_i    (step),
      .read_i   (row),
      .words_o  (words)
    );

    // Words that the banks have for each lane, in passes that return some.
    logic [31:0]                 from [BANKS];     // an index into an array costs a simulator less than one into a vector
    logic [LANES-1:0][3:0][31:0] word;

    always_comb begin
      `HEDDLE_IDLE(word, 'x);
      for (int unsigned b = 0; b < BANKS; b++) from[b] = 'x;
      `HEDDLE_ONLY(gives) begin
        for (int unsigned b = 0; b < BANKS; b++) from[b] = bk_rdata_i[b];
        for (int unsigned l = 0; l < LANES; l++) word[l][0] = from[bk_bank_q[l]];
        if (`HEDDLE_LIVE(wide)) begin
          for (int unsigned l = 0; l < LANES; l++) word[l][1] = from[bk_bank_q[l] | BANK_W'(1)];
        end
        if (`HEDDLE_LIVE(quad)) begin
          for (int unsigned l = 0; l < LANES; l++) begin
            word[l][2] = from[(bk_bank_q[l] & ~BANK_W'(3)) | BANK_W'(2)];
            word[l][3] = from[bk_bank_q[l] | BANK_W'(3)];
          end
        end
      end
    end

    ram_live #(.WIDTH(LANES * 128), .DEPTH(UNITS), .PARTS(LANES)) u_data (
      .clk_i     (clk_i),
      .wr_en_i   (gives ? bk_grant_q : '0),
      .wr_addr_i (wr_q),
      .wr_data_i (word),
      .rd_live_i (res_valid_o),
      .rd_addr_i (rd_q),
      .rd_data_o (row)
    );

    always_comb begin
      `HEDDLE_IDLE(res_data_o, 'x);
      if (`HEDDLE_LIVE(res_valid_o)) begin
        for (int unsigned l = 0; l < LANES; l++) res_data_o[l] = matrix_q ? words[l] : row[l][step];
      end
    end
    // A lane has words of a matrix whether or not it has read some.
    assign sub_en    = !gives ? '0 : bk_matrix_q ? '1 : bk_grant_q;
    assign sub_place = '0;
    assign sub_row   = rd_q;
    logic unused;
    assign unused = ^{bk_matrix_q, bk_turned_q, bk_step_q, sent_words_i, out_words, store};
  end else begin : gen_one
    logic                                 unused;
    assign unused = turned ^ matrix_q;    // have told on the way into the ring

    logic [COUNT_W-1:0] less_q;
    always_ff @(posedge clk_i) begin
      if (next) less_q <= store ? COUNT_W'(1) : matrix ? COUNT_W'(PLACES) : COUNT_W'(out_words) + COUNT_W'(1);
    end
    assign less = less_q;

    logic                                 steps_final, unit_final;
    logic [2:0]                           steps_row;
    logic [LANES-1:0][$clog2(LANES)-1:0]  from;
    logic [LANES-1:0][1:0]                from_word, half_en;
    logic [LANES-1:0]                     upper;

    assign unit_final = bk_step_q == 4'({quad, wide});
    assign bk_final   = bk_store_q || (bk_matrix_q ? steps_final : unit_final);
    assign more       = COUNT_W'(sent_words_i) + COUNT_W'(1);
    assign push_by    = bk_matrix_q ? PTR_W'(PLACES) : PTR_W'(bk_step_q) + PTR_W'(1);

    matrix_steps u_steps (
      .fault_i   (fault_i),
      .en_i      (bk_valid_q && bk_matrix_q),
      .turned_i  (bk_turned_q),
      .second_i  (!bk_first_half_q),
      .step_i    (bk_step_q),
      .grant_i   (bk_grant_q),
      .final_o   (steps_final),
      .row_o     (steps_row),
      .from_o    (from),
      .word_o    (from_word),
      .upper_o   (upper),
      .half_en_o (half_en)
    );

    for (genvar l = 0; l < LANES; l++) begin : gen_lane
      logic [BANK_W-1:0] bank;
      logic [31:0]       word, asked;
      logic [1:0]        en;
      logic              upper_half;

      always_comb begin
        {bank, asked, upper_half, word} = 'x;
        en = '0;
        `HEDDLE_ONLY(gives) begin
          bank  = bk_matrix_q ? bk_bank_q[from[l]] | BANK_W'(from_word[l]) : bk_bank_q[l] | BANK_W'(bk_step_q[1:0]);
          asked = bk_rdata_i[bank];
          // Of a transposed matrix half a word, for either half.
          upper_half = bk_matrix_q && bk_turned_q && upper[l];
          word[15:0]  = upper_half ? asked[31:16] : asked[15:0];
          word[31:16] = (bk_matrix_q && bk_turned_q && !upper[l]) ? asked[15:0] : asked[31:16];
          en    = !gives ? '0 : bk_matrix_q ? half_en[l] : {2{bk_grant_q[l]}};
        end
      end

      ram_live #(.WIDTH(32), .DEPTH(UNITS), .PARTS(2)) u_data (
        .clk_i     (clk_i),
        .wr_en_i   (en),
        .wr_addr_i (wr_q + sub_place),
        .wr_data_i (word),
        .rd_live_i (res_valid_o),
        .rd_addr_i (sub_row),
        .rd_data_o (res_data_o[l])
      );
      assign sub_en[l] = en != '0;
    end

    assign sub_place = PTR_W'(bk_matrix_q ? 4'(steps_row) : bk_step_q);
    assign sub_row   = rd_q + PTR_W'(step);
  end

  // Which bytes of its word a lane wants lies in the ring, too; what size it has is the instruction's.
  ram_live #(.WIDTH(LANES * 2), .DEPTH(UNITS), .PARTS(LANES)) u_sub (
    .clk_i     (clk_i),
    .wr_en_i   (sub_en),
    .wr_addr_i (wr_q + sub_place),
    .wr_data_i (bk_matrix_q ? '0 : bk_sub_q),
    .rd_live_i (res_valid_o),
    .rd_addr_i (sub_row),
    .rd_data_o (res_bytes_o.sub)
  );
  assign res_bytes_o.size = size_q;

  always_ff @(posedge clk_i) begin
    if (next) size_q <= size;
  end

  // The instruction is written with its first beat, before any of it can leave. The one in front stands in registers: what it
  // says chooses what is offered, and reaches the end of the unit in the same cycle. It is there before its first beat is whole;
  // while it has whole beats the next one is read, which counts when the last of them leaves.
  assign op_rd    = op_rd_q + OP_PTR_W'(rows_valid_q);
  assign op_write = ps_valid_i && ps_beat_i == '0;

  ram_async #(.WIDTH(OP_W), .DEPTH(OPS)) u_op (
    .clk_i     (clk_i),
    .wr_en_i   (op_write),
    .wr_addr_i (op_wr_q),
    .wr_data_i ({ps_size_i, ps_rd_n_i, !ps_store_i && ps_rd_i != isa_pkg::RZ, ps_store_i, ps_pair_i, ps_matrix_i, ps_turned_i, ps_words_i,
                 ps_exec_i}),
    .rd_addr_i (op_rd),
    .rd_data_o ({size, rd_n, has_rd, store, pair, matrix, turned, out_words, out_exec})
  );

  // What only passes on comes from block RAM, that of the retire port above the rest; what is written now is read again before it
  // counts.
  ram_apart #(.WIDTH($bits(core_pkg::id_t) + 27), .DEPTH(OPS)) u_who (
    .clk_i     (clk_i),
    .rst_ni    (rst_ni),
    .wr_en_i   (op_write),
    .wr_addr_i (op_wr_q),
    .wr_data_i ({ps_id_i.gen, ps_id_i.seq, ps_id_i.slot, ps_rbase_i, ps_rd_i, ps_wbar_i}),
    .rd_en_i   (next && !(op_write && op_wr_q == op_rd)),
    .rd_addr_i (op_rd),
    .rd_data_o ({front.id.gen, front.id.seq, front.id.slot, front.rbase, front.rd, front.wbar})
  );
  assign {front.rd_n, front.has_rd} = '0;

  assign hold_o     = owed_q > COUNT_W'(UNITS - MOST);
  // With four lanes the first beat of a transposed matrix writes into all places of both.
  assign hold_turned_o = owed_q > COUNT_W'(UNITS - (HALVES ? PLACES : MOST));
  assign idle_o     = owed_q == '0;

  // Its data goes beside it: the word that it asks for is read from the ring.
  shm_rows u_rows (
    .clk_i        (clk_i),
    .rst_ni       (rst_ni),
    .live_i       (owed_q != '0),
    .op_has_rd_i  (has_rd),
    .op_rd_n_i    (rd_n),
    .op_pair_i    (pair),
    .op_matrix_i  (matrix),
    .op_exec_i    (out_exec | {32{matrix}}),
    .next_o       (next),
    .who_i        (front),
    .valid_i      (rows_valid_q),
    .pop_o        (pop),
    .last_o       (last),
    .matrix_o     (matrix_q),
    .step_o       (step),
    .out_valid_o  (res_valid_o),
    .out_ready_i  (res_ready_i),
    .out_result_o (res_o),
    .out_pair_o   (res_pair_o)
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      bk_valid_q <= 1'b0;
      bk_step_q  <= '0;
      wr_q       <= '0;
      rd_q       <= '0;
      op_wr_q    <= '0;
      op_rd_q    <= '0;
      count_q    <= '0;
      owed_q     <= '0;
      rows_valid_q <= 1'b0;
    end else begin
      bk_valid_q <= rt_valid_i || (bk_valid_q && !bk_final);
      bk_step_q  <= (bk_valid_q && !bk_final) ? bk_step_q + 1'b1 : '0;
      if (push) wr_q <= wr_q + push_by;
      if (ps_pop_i) op_wr_q <= op_wr_q + 1'b1;
      if (pop) begin
        rd_q <= rd_q + PTR_W'(less);
        if (last) op_rd_q <= op_rd_q + 1'b1;
      end
      if (push && !pop)      count_q <= count_q + 1'b1;
      else if (pop && !push) count_q <= count_q - 1'b1;
      if (push || pop)       rows_valid_q <= push || count_q != COUNT_W'(1);
      // Whether a beat leaves comes last.
      owed_q <= pop ? owed_q + (sent_i ? more : '0) - less : owed_q + (sent_i ? more : '0);
    end
  end

  `ASSERT(a_whole, rows_valid_q == (count_q != '0))

  // The first beat of an instruction is whole later than its registers have it.
  logic written_q;
  always_ff @(posedge clk_i) written_q <= ps_valid_i && ps_beat_i == '0 && op_wr_q == op_rd_q + OP_PTR_W'(pop && last);
  `ASSERT(a_front, !rows_valid_q || !written_q)

  // A pass comes when the words of the one before have been taken.
  `ASSERT(a_step, !rt_valid_i || !bk_valid_q || bk_final)

endmodule

`default_nettype wire
