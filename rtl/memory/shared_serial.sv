// SPDX-License-Identifier: Apache-2.0
// shared_pipe for a small machine (configuration: shared_lanes = 1): lane by lane and word by word, so that nothing stands four
// times and there is no crossbar. Their queue stands beside it: shm_walk plans from what the check writes; a cycle later the
// address of one lane and one word of its data are read from the queue, as the memory's own choice.
// Beats and lanes ascend: later ones see what earlier ones did.
// Latency: queue head to the first result row two cycles and the steps of its beat (shm_walk); a step a cycle without gaps.
// Handshake: as shared_pipe.
// In order, also among warps. It does not check addresses and adds no floats.
`default_nettype none

module shared_serial #(
  localparam int unsigned LANES  = cfg_pkg::LSU_LANES,
  localparam int unsigned SHM_W  = mem_pkg::SHM_W
) (
  input  logic                               clk_i,
  input  logic                               rst_ni,
  input  logic [7:0]                         fault_i,
  // from the check: what goes into the queue
  input  logic                               ck_row_valid_i,
  input  logic                               ck_end_i,      // event, with the last row
  input  logic                               ck_commit_i,   // else the check has ended it
  input  isa_pkg::mem_e                      ck_mem_i,
  input  logic [2:0]                         ck_size_i,
  input  logic [atom_pkg::OP_W-1:0]          ck_atom_i,
  input  logic [LANES-1:0]                   ck_active_i,
  input  logic [mem_pkg::BEAT_W-1:0]         ck_beat_i,
  // from the queue
  /* verilator lint_off UNUSEDSIGNAL */                    // addresses are formed and judged: no pc, off, cbank
  input  core_pkg::memop_t                   head_op_i,
  /* verilator lint_on UNUSEDSIGNAL */
  output logic                               rd_next_o,     // event: this row, lane and word in the next cycle
  output logic [mem_pkg::QROW_W-1:0]         rd_next_row_o,
  output logic [$clog2(LANES)-1:0]           rd_next_lane_o,
  output logic [1:0]                         rd_next_word_o,
  input  logic [SHM_W-1:0]                   rd_addr_i,     // byte address, block's base included
  input  logic [31:0]                        rd_data_i,
  output logic [mem_pkg::BEAT_W-1:0]         gone_o,        // beats of the head that have been read, or are now
  output logic                               pop_o,
  // to the end of the unit
  output logic                               res_valid_o,
  input  logic                               res_ready_i,
  output mem_pkg::result_t                   res_o,
  output logic                               res_pair_o,   // its instruction has another part
  output logic [LANES-1:0][31:0]             res_data_o,
  output mem_pkg::bytes_t                    res_bytes_o,
  output logic                               idle_o,        // nothing on its way (beyond the queue)
  // retire port
  output logic                               ret_shared_valid_o,
  output retire_pkg::shared_t                ret_shared_o
);

  logic                       hold, sent, ps_valid;
  logic [1:0]                 sent_words;
  mem_pkg::step_t             ps_step;
  logic [LANES-1:0]           ps_grant;
  logic [mem_pkg::BEAT_W-1:0] ps_beat;
  logic [31:0]                sm_rdata;

  shm_walk u_walk (
    .clk_i          (clk_i),
    .rst_ni         (rst_ni),
    .fault_i        (fault_i),
    .ck_row_valid_i (ck_row_valid_i),
    .ck_end_i       (ck_end_i),
    .ck_commit_i    (ck_commit_i),
    .ck_mem_i       (ck_mem_i),
    .ck_size_i      (ck_size_i),
    .ck_swap_i      (mem_pkg::is_atom(ck_mem_i) && ck_atom_i == atom_pkg::COMPARE_SWAP),
    .ck_turned_i    (core_pkg::is_matrix(ck_mem_i, ck_atom_i) && ck_atom_i == core_pkg::MATRIX_TURNED),
    .ck_active_i    (ck_active_i),
    .ck_beat_i      (ck_beat_i),
    .hold_i         (hold),
    .sent_o         (sent),
    .sent_words_o   (sent_words),
    .gone_o         (gone_o),
    .next_valid_o   (rd_next_o),
    .next_row_o     (rd_next_row_o),
    .next_lane_o    (rd_next_lane_o),
    .next_word_o    (rd_next_word_o),
    .ps_valid_o     (ps_valid),
    .ps_step_o      (ps_step),
    .ps_grant_o     (ps_grant),
    .ps_beat_o      (ps_beat),
    .pop_o          (pop_o)
  );

  shm_word u_mem (
    .clk_i              (clk_i),
    .rst_ni             (rst_ni),
    .fault_i            (fault_i),
    .ps_valid_i         (ps_valid),
    .ps_step_i          (ps_step),
    .ps_grant_i         (ps_grant),
    .ps_beat_i          (ps_beat),
    .ps_id_i            (head_op_i.id),
    .ps_mem_i           (head_op_i.mem),
    .ps_atom_i          (head_op_i.atom),
    .ps_size_i          (head_op_i.size),
    .rd_addr_i          (rd_addr_i),
    .rd_data_i          (rd_data_i),
    .sm_rdata_o         (sm_rdata),
    .ret_shared_valid_o (ret_shared_valid_o),
    .ret_shared_o       (ret_shared_o)
  );

  shm_collect u_collect (
    .clk_i        (clk_i),
    .rst_ni       (rst_ni),
    .fault_i      (fault_i),
    .hold_o       (hold),
    .sent_i       (sent),
    .sent_words_i (sent_words),
    .ps_valid_i   (ps_valid),
    .ps_step_i    (ps_step),
    .ps_pop_i     (pop_o),
    .ps_grant_i   (ps_grant),
    .ps_beat_i    (ps_beat),
    .ps_id_i      (head_op_i.id),
    .ps_store_i   (mem_pkg::is_store(head_op_i.mem)),
    .ps_pair_i    (head_op_i.pair),
    .ps_matrix_i  (core_pkg::is_matrix(head_op_i.mem, head_op_i.atom)),
    .ps_turned_i  (head_op_i.atom == core_pkg::MATRIX_TURNED),
    .ps_words_i   ((head_op_i.size == isa_pkg::SIZE_128) ? 2'd3 : (head_op_i.size == isa_pkg::SIZE_64) ? 2'd1 : 2'd0),
    .ps_size_i    (head_op_i.size),
    .ps_rd_i      (head_op_i.rd),
    .ps_rd_n_i    (head_op_i.rd_n),
    .ps_wbar_i    (head_op_i.wbar),
    .ps_exec_i    (head_op_i.exec),
    .ps_rbase_i   (head_op_i.rbase),
    .ps_sub_i     (rd_addr_i[1:0]),
    .sm_rdata_i   (sm_rdata),
    .res_valid_o  (res_valid_o),
    .res_ready_i  (res_ready_i),
    .res_o        (res_o),
    .res_pair_o   (res_pair_o),
    .res_data_o   (res_data_o),
    .res_bytes_o  (res_bytes_o),
    .idle_o       (idle_o)
  );

endmodule

`default_nettype wire
