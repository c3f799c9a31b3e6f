// SPDX-License-Identifier: Apache-2.0
// From the banks back to the lanes: each lane of a pass picks its words; a beat's passes are collected in a ring, whose
// oldest beat leaves register by register. The instructions of these beats wait in a queue of their own.
// Latency: bank data of cycle t is at res_ in cycle t+1. A load's pass takes as many cycles as it has words (SHM_GIVE 4: one).
// Handshake: events in; results valid/ready out; hold_o stops new passes so that the queue can't overflow.
// It does not order anything: beats leave as they came.
`default_nettype none
`include "heddle_assert.svh"

module shm_return #(
  localparam int unsigned LANES  = cfg_pkg::LSU_LANES,
  localparam int unsigned BANKS  = mem_pkg::SHM_BANKS,
  localparam int unsigned BANK_W = mem_pkg::SHM_BANK_W
) (
  input  logic                         clk_i,
  input  logic                         rst_ni,
  // from shm_conflict: a beat of so many words (minus one) is on its way
  output logic                         hold_o,
  input  logic                         sent_i,
  input  logic [1:0]                   sent_words_i,
  // from shm_conflict and the queue: a pass, its instruction's last; and the instruction
  input  logic                         ps_valid_i,
  input  logic                         ps_pop_i,
  input  logic [mem_pkg::BEAT_W-1:0]   ps_beat_i,
  input  core_pkg::id_t                ps_id_i,
  input  logic                         ps_store_i,
  input  logic                         ps_pair_i,
  input  logic [1:0]                   ps_words_i,     // minus one
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
  input  logic [LANES-1:0]             rt_grant_i,
  input  logic [LANES-1:0][BANK_W-1:0] rt_bank_i,
  input  logic [LANES-1:0][1:0]        rt_sub_i,
  // from the banks, one cycle after rt_valid_i
  input  logic [BANKS-1:0][31:0]       bk_rdata_i,
  // to the end of the unit
  output logic                         res_valid_o,
  input  logic                         res_ready_i,
  output mem_pkg::result_t             res_o,
  output logic [LANES-1:0][31:0]       res_data_o,
  // to mem_top
  output logic                         idle_o
);

  localparam int unsigned GIVE    = mem_pkg::SHM_GIVE;
  // Places of the ring: a beat takes one with room for all its words, or (SHM_GIVE 1) one for each word, a store one.
  localparam int unsigned UNITS   = (GIVE == 4) ? 8 : 16;
  localparam int unsigned MOST    = (GIVE == 4) ? 1 : 4;
  localparam int unsigned PTR_W   = $clog2(UNITS);
  localparam int unsigned COUNT_W = $clog2(UNITS + 1);
  localparam int unsigned OPS     = 8;                       // instructions with beats on their way
  localparam int unsigned OP_PTR_W = $clog2(OPS);

  localparam int unsigned OP_W    = $bits(core_pkg::id_t) + 65;

  // The pass whose bank data is here.
  logic                         bk_valid_q, bk_last_q, bk_store_q, bk_final;
  logic [2:0]                   bk_size_q;
  logic [1:0]                   bk_step_q;
  logic [LANES-1:0]             bk_grant_q;
  logic [LANES-1:0][BANK_W-1:0] bk_bank_q;
  logic [LANES-1:0][1:0]        bk_sub_q;
  logic                         wide, quad;

  // Ring of beats and queue of instructions.
  logic [PTR_W-1:0]             wr_q, rd_q;
  logic [OP_PTR_W-1:0]          op_wr_q, op_rd_q;
  logic [COUNT_W-1:0]           count_q, owed_q, more, less;   // whole beats; places taken
  logic                         push, rows_valid, rows_ready, pop, last;
  logic [mem_pkg::BEAT_W-1:0]   out_beat_q;
  core_pkg::id_t                out_id;
  logic                         store, pair;
  logic [7:0]                   out_rd;
  logic [1:0]                   out_rd_n, out_words;
  logic [2:0]                   out_wbar;
  logic [31:0]                  out_exec;
  logic [15:0]                  out_rbase;
  mem_pkg::rows_t               rows;
  logic [LANES-1:0][31:0]       unused_data;

  always_ff @(posedge clk_i) begin
    if (rt_valid_i) begin
      bk_last_q  <= rt_last_i;
      bk_store_q <= mem_pkg::is_store(rt_mem_i);
      bk_size_q  <= rt_size_i;
      bk_grant_q <= rt_grant_i;
      bk_bank_q  <= rt_bank_i;
      bk_sub_q   <= rt_sub_i;
    end
  end

  assign quad     = bk_size_q == isa_pkg::SIZE_128;
  assign wide     = quad || bk_size_q == isa_pkg::SIZE_64;
  assign bk_final = GIVE == 4 || bk_store_q || bk_step_q == {quad, wide};
  assign push     = bk_valid_q && bk_last_q && bk_final;

  // Each pass writes the words of its lanes; with the last one the beat is whole.
  if (GIVE == 4) begin : gen_all
    for (genvar l = 0; l < LANES; l++) begin : gen_lane
      logic [BANK_W-1:0] bank;
      logic [BANK_W-3:0] four;        // of four banks
      logic [3:0][31:0]  word, row;

      assign bank = bk_bank_q[l];
      assign four = bank[BANK_W-1:2];

      always_comb begin
        word = '0;
        if (bk_valid_q && !bk_store_q && bk_grant_q[l]) begin
          word[0] = mem_pkg::extend(bk_size_q, bk_sub_q[l], bk_rdata_i[bank]);
          if (wide) word[1] = bk_rdata_i[{four, bank[1], 1'b1}];
          if (quad) begin
            word[2] = bk_rdata_i[{four, 2'd2}];
            word[3] = bk_rdata_i[{four, 2'd3}];
          end
        end
      end

      ram_async #(.WIDTH(128), .DEPTH(UNITS)) u_data (
        .clk_i     (clk_i),
        .wr_en_i   (bk_valid_q && !bk_store_q && bk_grant_q[l]),
        .wr_addr_i (wr_q),
        .wr_data_i (word),
        .rd_addr_i (rd_q),
        .rd_data_o (row)
      );

      assign res_data_o[l] = row[res_o.word];
    end
  end else begin : gen_one
    for (genvar l = 0; l < LANES; l++) begin : gen_lane
      logic [BANK_W-1:0] bank;
      logic [31:0]       word;

      assign bank = bk_bank_q[l] | BANK_W'(bk_step_q);

      always_comb begin
        word = '0;
        if (bk_valid_q && !bk_store_q) word = mem_pkg::extend(bk_size_q, bk_sub_q[l], bk_rdata_i[bank]);
      end

      ram_async #(.WIDTH(32), .DEPTH(UNITS)) u_data (
        .clk_i     (clk_i),
        .wr_en_i   (bk_valid_q && !bk_store_q && bk_grant_q[l]),
        .wr_addr_i (wr_q + PTR_W'(bk_step_q)),
        .wr_data_i (word),
        .rd_addr_i (rd_q + PTR_W'(res_o.word)),
        .rd_data_o (res_data_o[l])
      );
    end
  end

  // The instruction is written with its first beat, before any of it can leave.
  ram_async #(.WIDTH(OP_W), .DEPTH(OPS)) u_op (
    .clk_i     (clk_i),
    .wr_en_i   (ps_valid_i && ps_beat_i == '0),
    .wr_addr_i (op_wr_q),
    .wr_data_i ({ps_id_i, ps_store_i, ps_pair_i, ps_words_i, ps_rd_i, ps_rd_n_i, ps_wbar_i, ps_exec_i, ps_rbase_i}),
    .rd_addr_i (op_rd_q),
    .rd_data_o ({out_id, store, pair, out_words, out_rd, out_rd_n, out_wbar, out_exec, out_rbase})
  );

  assign rows_valid = count_q != '0;
  assign pop        = rows_valid && rows_ready;
  assign last       = 32'(out_beat_q) == mem_pkg::BEATS - 1;
  assign more       = (GIVE == 4) ? COUNT_W'(1) : COUNT_W'(sent_words_i) + COUNT_W'(1);
  assign less       = (GIVE == 4 || store) ? COUNT_W'(1) : COUNT_W'(out_words) + COUNT_W'(1);
  assign hold_o     = owed_q > COUNT_W'(UNITS - MOST);
  assign idle_o     = owed_q == '0;

  always_comb begin
    rows          = '0;
    rows.op.id    = out_id;
    rows.op.mem   = store ? isa_pkg::MEM_SHARED_STORE : isa_pkg::MEM_SHARED_LOAD;   // returns a value or not
    rows.op.pair  = pair;
    rows.op.rd    = out_rd;
    rows.op.rd_n  = out_rd_n;
    rows.op.wbar  = out_wbar;
    rows.op.exec  = out_exec;
    rows.op.rbase = out_rbase;
    rows.beat     = 5'(out_beat_q);
    rows.rows     = 1'b1;
    rows.last     = last;
  end

  // Its data goes beside it: the word that it asks for is read from the queue.
  row_writer u_rows (
    .clk_i        (clk_i),
    .rst_ni       (rst_ni),
    .in_valid_i   (rows_valid),
    .in_ready_o   (rows_ready),
    .in_rows_i    (rows),
    .in_data_i    ('0),
    .out_valid_o  (res_valid_o),
    .out_ready_i  (res_ready_i),
    .out_result_o (res_o),
    .out_data_o   (unused_data)
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      bk_valid_q <= 1'b0;
      bk_step_q  <= '0;
      wr_q       <= '0;
      rd_q       <= '0;
      op_wr_q    <= '0;
      op_rd_q    <= '0;
      out_beat_q <= '0;
      count_q    <= '0;
      owed_q     <= '0;
    end else begin
      bk_valid_q <= rt_valid_i || (bk_valid_q && !bk_final);
      bk_step_q  <= (bk_valid_q && !bk_final) ? bk_step_q + 1'b1 : '0;
      if (push) wr_q <= wr_q + ((GIVE == 4) ? PTR_W'(1) : PTR_W'(bk_step_q) + PTR_W'(1));
      if (ps_pop_i) op_wr_q <= op_wr_q + 1'b1;
      if (pop) begin
        rd_q       <= rd_q + PTR_W'(less);
        out_beat_q <= last ? '0 : out_beat_q + 1'b1;
        if (last) op_rd_q <= op_rd_q + 1'b1;
      end
      if (push && !pop)      count_q <= count_q + 1'b1;
      else if (pop && !push) count_q <= count_q - 1'b1;
      if (sent_i || pop)     owed_q  <= owed_q + (sent_i ? more : '0) - (pop ? less : '0);
    end
  end

  // A pass comes when the words of the one before have been taken.
  `ASSERT(a_step, !rt_valid_i || !bk_valid_q || bk_final)

endmodule

`default_nettype wire
