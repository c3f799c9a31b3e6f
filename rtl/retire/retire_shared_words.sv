// SPDX-License-Identifier: Apache-2.0
// The records of shared memory that works word by word (shm_word): a pass is gathered as its words come, each in the bank of
// shared_parallel that would have it.
// Latency: a pass is shown, with all its words, a cycle after its last step.
// Handshake: events. A record means something where it is valid; wdata for stores and atomics, rdata for loads and atomics.
// Passes of no lane (empty beats) are not shown.
`include "heddle_idle.svh"

module retire_shared_words #(
  localparam int unsigned LANES  = cfg_pkg::LSU_LANES,
  localparam int unsigned BANK_W = mem_pkg::SHM_BANK_W
) (
  input  logic                         clk_i,
  input  logic                         rst_ni,
  // from shm_walk: a step; its instruction
  input  logic                         ps_valid_i,
  /* verilator lint_off UNUSEDSIGNAL */                    // a part of it each
  input  mem_pkg::step_t               ps_step_i,
  /* verilator lint_on UNUSEDSIGNAL */
  input  logic [LANES-1:0]             ps_grant_i,
  input  logic [mem_pkg::BEAT_W-1:0]   ps_beat_i,
  input  core_pkg::id_t                ps_id_i,
  input  isa_pkg::mem_e                ps_mem_i,
  // from the memory: what becomes of the step, and the word that was read in the one before
  input  mem_pkg::word_t               sm_word_i,
  input  logic [31:0]                  sm_rdata_i,
  // to the retire port
  output logic                         ret_shared_valid_o,
  output retire_pkg::shared_t          ret_shared_o
);

  retire_pkg::shared_t         now_q;
  logic                        read_q;     // the word that was asked for in the last cycle is here
  logic [BANK_W-1:0]           bank, bank_q;

  assign bank = sm_word_i.place[BANK_W-1:0];

  // A compare-and-swap that finds another word writes nothing, and is shown with what it found.
  always_ff @(posedge clk_i) begin
    if (ps_valid_i) begin
      if (ps_step_i.number == '0) begin
        now_q         <= '0;
        now_q.id      <= core_pkg::who(ps_id_i, core_pkg::part_of(ps_id_i.slot));
        now_q.lanes   <= 32'(ps_grant_i) << (32'(ps_beat_i) * LANES);
        now_q.access  <= (ps_mem_i == isa_pkg::MEM_SHARED_ATOM) ? 8'd2 : (ps_mem_i == isa_pkg::MEM_SHARED_STORE) ? 8'd1 : 8'd0;
      end
      now_q.bank_en[5'(bank)] <= 1'b1;
      now_q.row[bank]     <= 16'(sm_word_i.place >> BANK_W);
      now_q.wstrb[bank]   <= (ps_mem_i == isa_pkg::MEM_SHARED_LOAD) ? 8'd0 : 8'(sm_word_i.strobe);
      if (ps_step_i.write) now_q.wdata[bank] <= sm_word_i.write ? sm_word_i.data : now_q.rdata[bank];
      bank_q <= bank;
    end
    if (read_q && !(ps_valid_i && ps_step_i.number == '0)) now_q.rdata[bank_q] <= sm_rdata_i;
  end

  always_comb begin
    `HEDDLE_IDLE(ret_shared_o, '0);
    if (`HEDDLE_LIVE(ret_shared_valid_o)) begin
      ret_shared_o = now_q;
      if (read_q) ret_shared_o.rdata[bank_q] = sm_rdata_i;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      read_q             <= 1'b0;
      ret_shared_valid_o <= 1'b0;
    end else begin
      read_q             <= sm_word_i.read;
      ret_shared_valid_o <= ps_valid_i && ps_step_i.ends;
    end
  end

endmodule
