// SPDX-License-Identifier: Apache-2.0
// From a shared memory of one word a cycle (configuration: shared_lanes = 1) back to the lanes, in the place of shm_return: each
// word goes into the ring as it comes, at the place of its lane and its register; the ring's oldest beat leaves register by
// register: whole words, with the bytes that are wanted of them beside. The instructions of these beats wait in a queue of their own.
// LDSM: a row of a matrix is a row of results, word by word; of a transposed matrix each word is two halves in neighbouring rows.
// A matrix is two beats, which leave together. shm_rows has the instruction in front, and says which row is next.
// Latency: a word read in the step of cycle t is in the ring from t+2 on, and at res_ if it was its beat's last.
// Handshake: events in; results valid/ready out; hold_o stops new passes so that the ring can't overflow.
// It does not order anything: beats leave as they came.
`default_nettype none
`include "heddle_assert.svh"

module shm_collect #(
  localparam int unsigned LANES = cfg_pkg::LSU_LANES      // four
) (
  input  logic                         clk_i,
  input  logic                         rst_ni,
  input  logic [7:0]                   fault_i,
  // from shm_walk: a beat of so many words (minus one) is on its way
  output logic                         hold_o,
  input  logic                         sent_i,
  input  logic [1:0]                   sent_words_i,
  // from shm_walk and the queue: a step, the instruction's last; the instruction, and the lane's address within a word
  input  logic                         ps_valid_i,
  /* verilator lint_off UNUSEDSIGNAL */                    // a part of it each
  input  mem_pkg::step_t               ps_step_i,
  /* verilator lint_on UNUSEDSIGNAL */
  input  logic                         ps_pop_i,
  input  logic [LANES-1:0]             ps_grant_i,
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
  input  logic [1:0]                   ps_sub_i,
  // from the memory, one cycle after ps_valid_i
  input  logic [31:0]                  sm_rdata_i,
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

  localparam int unsigned UNITS    = 16;                  // places of the ring: a beat takes one for each word, a store one
  localparam int unsigned PLACES   = 8;                   // that the rows of a matrix take
  localparam int unsigned PTR_W    = $clog2(UNITS);
  localparam int unsigned COUNT_W  = $clog2(UNITS + 1);
  localparam int unsigned OPS      = 8;                   // instructions with beats on their way
  localparam int unsigned OP_PTR_W = $clog2(OPS);
  localparam int unsigned OP_W     = 42;

  // The word that is here: whether its beat is whole with it, where it goes, and of a transposed matrix which half.
  logic                         bk_last_q, bk_down_q, bk_up_q;
  logic [PTR_W-1:0]             bk_by_q;        // places of its beat
  logic [2:0]                   bk_place_q;
  logic [LANES-1:0][1:0]        bk_en_q, en;    // halves of lanes that are written
  logic [1:0]                   bk_sub_q, lane;
  logic                         turned, swapped;
  logic [31:0]                  word;

  // Ring of beats and queue of instructions.
  logic [PTR_W-1:0]             wr_q, rd_q, wr_place, rd_place;
  logic [OP_PTR_W-1:0]          op_wr_q, op_rd_q, op_rd;
  logic [COUNT_W-1:0]           count_q, owed_q, more, less_q;   // whole beats; places taken
  logic                         rows_valid_q, pop, last, op_write;
  // The instruction that comes next, and what is kept of it here; the row in front.
  mem_pkg::who_t                front;        // of what is in front, but for what chooses its rows
  logic                         has_rd, pair, matrix, next, unused_matrix;
  logic [1:0]                   rd_n, out_words, ps_words;
  logic [31:0]                  out_exec;
  logic [2:0]                   step, size, size_q;

  // ---- into the ring ----------------------------------------------------------------------------
  assign lane    = {ps_grant_i[3] | ps_grant_i[2], ps_grant_i[3] | ps_grant_i[1]};
  assign turned  = ps_matrix_i && ps_turned_i;
  assign swapped = fault_i == core_pkg::FAULT_LDSM_TURN;

  always_comb begin
    for (int unsigned l = 0; l < LANES; l++) begin
      if (turned)           en[l] = {2{2'(l) == {ps_beat_i[0], lane[1]}}} & {lane[0] ^ swapped, !lane[0] ^ swapped};
      else if (ps_matrix_i) en[l] = {2{2'(l) == ps_step_i.number[1:0]}};
      else                  en[l] = {2{ps_grant_i[l]}};
    end
  end

  assign ps_words = ps_words_i & {2{!ps_store_i}};

  always_ff @(posedge clk_i) begin
    bk_down_q  <= turned && ps_step_i.number[0];
    bk_up_q    <= turned && !ps_step_i.number[0];
    bk_place_q <= (ps_matrix_i && !ps_turned_i) ? {ps_beat_i[0], lane} : ps_step_i.number;
    bk_by_q    <= ps_matrix_i ? PTR_W'(PLACES) : PTR_W'(ps_words) + PTR_W'(1);
    bk_sub_q   <= ps_sub_i;
  end

  assign word     = {bk_up_q ? sm_rdata_i[15:0] : sm_rdata_i[31:16], bk_down_q ? sm_rdata_i[31:16] : sm_rdata_i[15:0]};
  assign wr_place = wr_q + PTR_W'(bk_place_q);
  assign rd_place = rd_q + PTR_W'(step);
  assign more     = COUNT_W'(sent_words_i) + COUNT_W'(1);

  for (genvar l = 0; l < LANES; l++) begin : gen_lane
    ram_live #(.WIDTH(32), .DEPTH(UNITS), .PARTS(2)) u_data (
      .clk_i     (clk_i),
      .wr_en_i   (bk_en_q[l]),
      .wr_addr_i (wr_place),
      .wr_data_i (word),
      .rd_live_i (res_valid_o),
      .rd_addr_i (rd_place),
      .rd_data_o (res_data_o[l])
    );
    // Which bytes of its word a lane wants lies in the ring, too; what size it has is the instruction's.
    ram_live #(.WIDTH(2), .DEPTH(UNITS)) u_sub (
      .clk_i     (clk_i),
      .wr_en_i   (bk_en_q[l] != '0),
      .wr_addr_i (wr_place),
      .wr_data_i (bk_sub_q),
      .rd_live_i (res_valid_o),
      .rd_addr_i (rd_place),
      .rd_data_o (res_bytes_o.sub[l])
    );
  end

  assign res_bytes_o.size = size_q;

  // ---- the instructions -------------------------------------------------------------------------
  always_ff @(posedge clk_i) begin
    if (next) begin
      size_q <= size;
      less_q <= matrix ? COUNT_W'(PLACES) : COUNT_W'(out_words) + COUNT_W'(1);
    end
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
    .wr_data_i ({ps_size_i, ps_rd_n_i, !ps_store_i && ps_rd_i != isa_pkg::RZ, ps_pair_i, ps_matrix_i, ps_words, ps_exec_i}),
    .rd_addr_i (op_rd),
    .rd_data_o ({size, rd_n, has_rd, pair, matrix, out_words, out_exec})
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

  // A pass begins where a matrix has room, whatever it is.
  assign hold_o = owed_q > COUNT_W'(UNITS - PLACES);
  assign idle_o = owed_q == '0;

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
    .matrix_o     (unused_matrix),
    .step_o       (step),
    .out_valid_o  (res_valid_o),
    .out_ready_i  (res_ready_i),
    .out_result_o (res_o),
    .out_pair_o   (res_pair_o)
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      bk_last_q  <= 1'b0;
      bk_en_q    <= '0;
      wr_q       <= '0;
      rd_q       <= '0;
      op_wr_q    <= '0;
      op_rd_q    <= '0;
      count_q    <= '0;
      owed_q     <= '0;
      rows_valid_q <= 1'b0;
    end else begin
      // The first beat of a matrix waits for the second one.
      bk_last_q <= ps_valid_i && ps_step_i.last && !(ps_matrix_i && !ps_beat_i[0]);
      bk_en_q   <= (ps_valid_i && ps_step_i.gives) ? en : '0;
      if (bk_last_q) wr_q <= wr_q + bk_by_q;
      if (ps_pop_i) op_wr_q <= op_wr_q + 1'b1;
      if (pop) begin
        rd_q <= rd_q + PTR_W'(less_q);
        if (last) op_rd_q <= op_rd_q + 1'b1;
      end
      if (bk_last_q && !pop)      count_q <= count_q + 1'b1;
      else if (pop && !bk_last_q) count_q <= count_q - 1'b1;
      if (bk_last_q || pop)       rows_valid_q <= bk_last_q || count_q != COUNT_W'(1);
      // Whether a beat leaves comes last.
      owed_q <= pop ? owed_q + (sent_i ? more : '0) - less_q : owed_q + (sent_i ? more : '0);
    end
  end

  `ASSERT(a_whole, rows_valid_q == (count_q != '0))

  // The first beat of an instruction is whole later than its registers have it.
  logic written_q;
  always_ff @(posedge clk_i) written_q <= ps_valid_i && ps_beat_i == '0 && op_wr_q == op_rd_q + OP_PTR_W'(pop && last);
  `ASSERT(a_front, !rows_valid_q || !written_q)

endmodule

`default_nettype wire
