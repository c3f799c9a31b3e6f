// SPDX-License-Identifier: Apache-2.0
// Shared-memory instructions from their queue to their result rows: conflict passes, crossbar, banks, return.
// Latency: queue head to first result row eight cycles without conflicts; one beat a cycle (conflicts: one pass a cycle;
// atomics: one pass in three cycles).
// Handshake: valid/ready towards the end of the unit; the queue's head is popped.
// In order, also among warps. It does not check addresses.
`default_nettype none

module shared_pipe #(
  localparam int unsigned LANES = cfg_pkg::LANES,
  localparam int unsigned ROW_W = mem_pkg::SHM_ROW_W
) (
  input  logic                               clk_i,
  input  logic                               rst_ni,
  input  logic [7:0]                         fault_i,
  // from the queue
  input  logic                               head_valid_i,
  input  core_pkg::memop_t                   head_op_i,
  output logic [mem_pkg::BEAT_W-1:0]         rd_beat_o,
  input  logic [LANES-1:0][mem_pkg::SHM_W-1:0] rd_addr_i,
  input  logic [3:0][LANES-1:0][31:0]        rd_data_i,
  output logic                               pop_o,
  // to the end of the unit
  output logic                               res_valid_o,
  input  logic                               res_ready_i,
  output mem_pkg::result_t                   res_o,
  output logic [LANES-1:0][31:0]             res_data_o,
  output logic                               idle_o,
  // retire port
  output logic                               ret_shm_valid_o,
  output logic [7:0]                         ret_shm_slot_o,
  output logic [7:0]                         ret_shm_gen_o,
  output logic [31:0]                        ret_shm_seq_o,
  output logic [1:0]                         ret_shm_kind_o,
  output logic [31:0]                        ret_shm_lanes_o,
  output logic [31:0]                        ret_shm_bank_en_o,
  output logic [31:0][15:0]                  ret_shm_row_o,
  output logic [31:0][3:0]                   ret_shm_wstrb_o,
  output logic [31:0][31:0]                  ret_shm_wdata_o,
  output logic [31:0][31:0]                  ret_shm_rdata_o
);

  logic                         hold, ps_valid, ps_last, rt_valid, rt_last, rows_valid, rows_ready;
  logic                         idle_conflict, idle_return;
  core_pkg::memop_t             ps_op, rt_op;
  logic [4:0]                   ps_beat, rt_beat;
  logic [LANES-1:0]             ps_grant, ps_leader, rt_grant;
  logic [LANES-1:0][4:0]        ps_bank, rt_bank;
  logic [LANES-1:0][ROW_W-1:0]  ps_row;
  logic [LANES-1:0][1:0]        ps_sub, rt_sub;
  logic [3:0][LANES-1:0][31:0]  ps_data;
  logic [31:0]                  rt_bank_en;
  logic [31:0][ROW_W-1:0]       rt_row;
  logic [31:0][3:0]             rt_wstrb;
  logic [31:0][31:0]            rt_wdata, bk_rdata;
  mem_pkg::rows_t               rows;
  logic [3:0][LANES-1:0][31:0]  rows_data;

  shm_conflict u_conflict (
    .clk_i        (clk_i),
    .rst_ni       (rst_ni),
    .head_valid_i (head_valid_i),
    .head_op_i    (head_op_i),
    .rd_beat_o    (rd_beat_o),
    .rd_addr_i    (rd_addr_i),
    .rd_data_i    (rd_data_i),
    .pop_o        (pop_o),
    .hold_i       (hold),
    .ps_valid_o   (ps_valid),
    .ps_op_o      (ps_op),
    .ps_beat_o    (ps_beat),
    .ps_last_o    (ps_last),
    .ps_grant_o   (ps_grant),
    .ps_leader_o  (ps_leader),
    .ps_bank_o    (ps_bank),
    .ps_row_o     (ps_row),
    .ps_sub_o     (ps_sub),
    .ps_data_o    (ps_data),
    .idle_o       (idle_conflict)
  );

  shm_route u_route (
    .clk_i        (clk_i),
    .rst_ni       (rst_ni),
    .fault_i      (fault_i),
    .ps_valid_i   (ps_valid),
    .ps_op_i      (ps_op),
    .ps_beat_i    (ps_beat),
    .ps_last_i    (ps_last),
    .ps_grant_i   (ps_grant),
    .ps_leader_i  (ps_leader),
    .ps_bank_i    (ps_bank),
    .ps_row_i     (ps_row),
    .ps_sub_i     (ps_sub),
    .ps_data_i    (ps_data),
    .rt_valid_o   (rt_valid),
    .rt_op_o      (rt_op),
    .rt_beat_o    (rt_beat),
    .rt_last_o    (rt_last),
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
    .rst_ni            (rst_ni),
    .fault_i           (fault_i),
    .rt_valid_i        (rt_valid),
    .rt_id_i           (rt_op.id),
    .rt_mem_i          (rt_op.mem),
    .rt_lanes_i        (32'(rt_grant) << (32'(rt_beat) * LANES)),
    .rt_bank_en_i      (rt_bank_en),
    .rt_row_i          (rt_row),
    .rt_wstrb_i        (rt_wstrb),
    .rt_wdata_i        (rt_wdata),
    .bk_rdata_o        (bk_rdata),
    .ret_shm_valid_o   (ret_shm_valid_o),
    .ret_shm_slot_o    (ret_shm_slot_o),
    .ret_shm_gen_o     (ret_shm_gen_o),
    .ret_shm_seq_o     (ret_shm_seq_o),
    .ret_shm_kind_o    (ret_shm_kind_o),
    .ret_shm_lanes_o   (ret_shm_lanes_o),
    .ret_shm_bank_en_o (ret_shm_bank_en_o),
    .ret_shm_row_o     (ret_shm_row_o),
    .ret_shm_wstrb_o   (ret_shm_wstrb_o),
    .ret_shm_wdata_o   (ret_shm_wdata_o),
    .ret_shm_rdata_o   (ret_shm_rdata_o)
  );

  shm_return u_return (
    .clk_i        (clk_i),
    .rst_ni       (rst_ni),
    .sent_i       (ps_valid && ps_last),
    .hold_o       (hold),
    .rt_valid_i   (rt_valid),
    .rt_op_i      (rt_op),
    .rt_beat_i    (rt_beat),
    .rt_last_i    (rt_last),
    .rt_grant_i   (rt_grant),
    .rt_bank_i    (rt_bank),
    .rt_sub_i     (rt_sub),
    .bk_rdata_i   (bk_rdata),
    .rows_valid_o (rows_valid),
    .rows_ready_i (rows_ready),
    .rows_o       (rows),
    .rows_data_o  (rows_data),
    .idle_o       (idle_return)
  );

  row_writer u_rows (
    .clk_i        (clk_i),
    .rst_ni       (rst_ni),
    .in_valid_i   (rows_valid),
    .in_ready_o   (rows_ready),
    .in_rows_i    (rows),
    .in_data_i    (rows_data),
    .out_valid_o  (res_valid_o),
    .out_ready_i  (res_ready_i),
    .out_result_o (res_o),
    .out_data_o   (res_data_o)
  );

  assign idle_o = idle_conflict && idle_return;

endmodule

`default_nettype wire
