// SPDX-License-Identifier: Apache-2.0
// Shared memory, a beat of lanes at a time: conflict passes, crossbar to BANKS banks, and the way back to result rows.
// A pass takes every lane that meets no other in a bank, and conflicts are replayed: k lanes that want k rows of a bank take k
// passes. Beats ascend: later ones see what earlier ones did; of lanes that store the same byte, or add to the same word, the
// order is that of the lanes. Fast for its crossbars; where lanes are few and area counts, shared_serial stands in its place.
// Latency: queue head to first result row four cycles without conflicts; a beat a cycle (conflicts: a pass a cycle; atomics: a
// pass in two cycles, compare-and-swap three; floats: 3 and for each word, of 64 bits two, atom_add's latency and one; loads of
// n words below 16 lanes: a pass in n cycles).
// Handshake: events in, room is lsu_shared's; results valid/ready. Passes are planned from what the check writes (shm_conflict); a
// cycle later their addresses and data are read.
// In order, also among warps. It does not check addresses.
module shared_parallel #(
  localparam int unsigned LANES  = cfg_pkg::LSU_LANES,
  localparam int unsigned SHM_W  = mem_pkg::SHM_W,
  localparam int unsigned BANKS  = mem_pkg::SHM_BANKS,
  localparam int unsigned BANK_W = mem_pkg::SHM_BANK_W
) (
  input  logic                               clk_i,
  input  logic                               rst_ni,
  input  core_pkg::wipe_t                    wipe_i,
  // from address generation: a row of data
  input  logic                               ag_row_valid_i, // event
  input  logic [mem_pkg::QROW_W-1:0]         ag_row_i,      // of the queue
  input  logic [3:0][LANES-1:0][31:0]        ag_data_i,
  // from the check: rows of addresses, and the instruction with its last
  input  mem_pkg::judged_t                   ck_i,
  input  logic [mem_pkg::QROW_W-1:0]         ck_row_i,
  input  logic [LANES-1:0]                   ck_lanes_i,    // lanes of the row that execute here
  input  logic [LANES-1:0][SHM_W-1:0]        ck_addr_i,     // byte address, block's base included
  // the instruction that is judged, and the head of the queue
  /* verilator lint_off UNUSEDSIGNAL */                    // addresses are formed and judged: no pc, off, cbank
  input  core_pkg::memop_t                   ck_op_i,
  input  core_pkg::memop_t                   head_op_i,
  /* verilator lint_on UNUSEDSIGNAL */
  output logic [mem_pkg::BEAT_W-1:0]         gone_o,        // beats of the head that have been read, or are now
  output logic                               pop_o,
  // to the end of the unit
  output logic                               res_valid_o,
  input  logic                               res_ready_i,
  output mem_pkg::result_t                   res_o,
  output logic                               res_pair_o,    // its instruction has another part
  output logic [LANES-1:0][31:0]             res_data_o,
  output mem_pkg::bytes_t                    res_bytes_o,
  // retire port
  output logic                               ret_shared_valid_o,
  output retire_pkg::shared_t                ret_shared_o
);

  // rows read from the queue
  logic                         next;
  logic [mem_pkg::QROW_W-1:0]   next_row;
  logic [LANES-1:0][SHM_W-1:0]  rd_addr;
  logic [3:0][LANES-1:0][31:0]  rd_data;
  // shm_conflict: passes
  logic                         sent, pass_turned, ps_valid, ps_second, ps_last;
  logic [1:0]                   pass_words;
  logic [LANES-1:0]             ps_grant, ps_send;
  logic [mem_pkg::BEAT_W-1:0]   ps_beat;
  // shm_route: a pass at the banks
  logic                         rt_valid, rt_second, rt_last;
  logic [LANES-1:0]             rt_grant;
  isa_pkg::mem_e                rt_mem;
  logic [atom_pkg::OP_W-1:0]    rt_atom;
  logic [2:0]                   rt_size;
  logic [mem_pkg::BEAT_W-1:0]   rt_beat;
  logic [LANES-1:0][BANK_W-1:0] rt_bank;
  logic [LANES-1:0][1:0]        rt_sub;
  logic [BANKS-1:0]             rt_bank_en;
  logic [BANKS-1:0][15:0]       rt_row;
  logic [BANKS-1:0][3:0]        rt_wstrb;
  logic [BANKS-1:0][31:0]       rt_wdata;
  // shared_mem and shm_return
  logic                         busy, sm_valid, hold, hold_turned;
  logic [BANKS-1:0][31:0]       sm_rdata, sm_wdata;
  logic                         sm_write, sm_last;
  logic [BANKS-1:0]             sm_turn;
  logic [3:0]                   pass_wait;

  // Rows of addresses and of data, each read as a whole.
  ram_apart #(.WIDTH(LANES * SHM_W), .DEPTH(mem_pkg::QUEUE_DEPTH * mem_pkg::BEATS)) u_addr (
    .clk_i     (clk_i),
    .rst_ni    (rst_ni),
    .wr_en_i   (ck_i.valid),
    .wr_addr_i (ck_row_i),
    .wr_data_i (ck_addr_i),
    .rd_en_i   (next),
    .rd_addr_i (next_row),
    .rd_data_o (rd_addr)
  );

  ram_apart #(.WIDTH(128 * LANES), .DEPTH(mem_pkg::QUEUE_DEPTH * mem_pkg::BEATS)) u_data (
    .clk_i     (clk_i),
    .rst_ni    (rst_ni),
    .wr_en_i   (ag_row_valid_i),
    .wr_addr_i (ag_row_i),
    .wr_data_i (ag_data_i),
    .rd_en_i   (next),
    .rd_addr_i (next_row),
    .rd_data_o (rd_data)
  );

  shm_conflict u_conflict (
    .clk_i          (clk_i),
    .rst_ni         (rst_ni),
    .ck_i           (ck_i),
    .ck_mem_i       (ck_op_i.mem),
    .ck_size_i      (ck_op_i.size),
    .ck_swap_i      (mem_pkg::is_atom(ck_op_i.mem) && ck_op_i.atom == atom_pkg::COMPARE_SWAP),
    .ck_float_i     (mem_pkg::is_atom(ck_op_i.mem) && atom_pkg::is_float(ck_op_i.atom)),
    .ck_turned_i    (core_pkg::is_matrix(ck_op_i.mem, ck_op_i.atom) && ck_op_i.atom == core_pkg::MATRIX_TURNED),
    .ck_lanes_i     (ck_lanes_i),
    .ck_addr_i      (ck_addr_i),
    .busy_i         (busy),
    .hold_i         (hold),
    .hold_turned_i  (hold_turned),
    .sent_o         (sent),
    .pass_words_o   (pass_words),
    .pass_turned_o  (pass_turned),
    .pass_wait_i    (pass_wait),
    .gone_o         (gone_o),
    .next_valid_o   (next),
    .next_row_o     (next_row),
    .ps_valid_o     (ps_valid),
    .ps_second_o    (ps_second),
    .ps_last_o      (ps_last),
    .pop_o          (pop_o),
    .ps_beat_o      (ps_beat),
    .ps_grant_o     (ps_grant),
    .ps_send_o      (ps_send)
  );

  shm_route u_route (
    .clk_i        (clk_i),
    .rst_ni       (rst_ni),
    .ps_valid_i   (ps_valid),
    .ps_second_i  (ps_second),
    .ps_last_i    (ps_last),
    .ps_grant_i   (ps_grant),
    .ps_send_i    (ps_send),
    .ps_beat_i    (ps_beat),
    .ps_mem_i     (head_op_i.mem),
    .ps_atom_i    (head_op_i.atom),
    .ps_size_i    (head_op_i.size),
    .rd_addr_i    (rd_addr),
    .rd_data_i    (rd_data),
    .rt_valid_o   (rt_valid),
    .rt_second_o  (rt_second),
    .rt_last_o    (rt_last),
    .rt_mem_o     (rt_mem),
    .rt_atom_o    (rt_atom),
    .rt_size_o    (rt_size),
    .rt_beat_o    (rt_beat),
    .rt_grant_o   (rt_grant),
    .rt_bank_o    (rt_bank),
    .rt_sub_o     (rt_sub),
    .rt_bank_en_o (rt_bank_en),
    .rt_row_o     (rt_row),
    .rt_wstrb_o   (rt_wstrb),
    .rt_wdata_o   (rt_wdata)
  );

  shared_mem u_mem (
    .clk_i             (clk_i),
    .wipe_i            (wipe_i),
    .rst_ni            (rst_ni),
    .rt_valid_i        (rt_valid),
    .rt_second_i       (rt_second),
    .rt_wide_i         (rt_size == isa_pkg::SIZE_64),
    .busy_o            (busy),
    .rt_mem_i          (rt_mem),
    .rt_atom_i         (rt_atom),
    .rt_bank_en_i      (rt_bank_en),
    .rt_row_i          (rt_row),
    .rt_wstrb_i        (rt_wstrb),
    .rt_wdata_i        (rt_wdata),
    .sm_valid_o        (sm_valid),
    .sm_rdata_o        (sm_rdata),
    .sm_write_o        (sm_write),
    .sm_last_o         (sm_last),
    .sm_turn_o         (sm_turn),
    .sm_wdata_o        (sm_wdata)
  );

  retire_shared u_retire (
    .clk_i              (clk_i),
    .rst_ni             (rst_ni),
    .ps_valid_i         (ps_valid),
    .ps_id_i            (head_op_i.id),
    .rt_valid_i         (rt_valid),
    .rt_mem_i           (rt_mem),
    .rt_beat_i          (rt_beat),
    .rt_grant_i         (rt_grant),
    .rt_bank_en_i       (rt_bank_en),
    .rt_row_i           (rt_row),
    .rt_wstrb_i         (rt_wstrb),
    .sm_write_i         (sm_write),
    .sm_last_i          (sm_last),
    .sm_turn_i          (sm_turn),
    .sm_wdata_i         (sm_wdata),
    .sm_rdata_i         (sm_rdata),
    .ret_shared_valid_o (ret_shared_valid_o),
    .ret_shared_o       (ret_shared_o)
  );

  shm_return u_return (
    .clk_i         (clk_i),
    .rst_ni        (rst_ni),
    .sent_i        (sent),
    .pass_words_i  (pass_words),
    .pass_turned_i (pass_turned),
    .pass_wait_o   (pass_wait),
    .hold_o        (hold),
    .hold_turned_o (hold_turned),
    .ps_valid_i    (ps_valid),
    .ps_pop_i      (pop_o),
    .ps_beat_i     (ps_beat),
    .ps_op_i       (head_op_i),
    .rt_valid_i    (sm_valid),
    .rt_last_i     (rt_last),
    .rt_mem_i      (rt_mem),
    .rt_size_i     (rt_size),
    .rt_matrix_i   (core_pkg::is_matrix(rt_mem, rt_atom)),
    .rt_turned_i   (rt_atom == core_pkg::MATRIX_TURNED),
    .rt_odd_i      (rt_beat[0]),
    .rt_grant_i    (rt_grant),
    .rt_bank_i     (rt_bank),
    .rt_sub_i      (rt_sub),
    .bk_rdata_i    (sm_rdata),
    .res_valid_o   (res_valid_o),
    .res_ready_i   (res_ready_i),
    .res_o         (res_o),
    .res_pair_o    (res_pair_o),
    .res_data_o    (res_data_o),
    .res_bytes_o   (res_bytes_o)
  );

endmodule
