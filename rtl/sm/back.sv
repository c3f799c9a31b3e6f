// SPDX-License-Identifier: Apache-2.0
// The back half of a partition: operand stage, fixed pipes, units of varying latency, reservation table, writeback, and their
// retire records.
// Latency: issued (is_pre) in cycle t, beat 0 on the bus in t+3, its result in the register file LATENCY_x cycles later; with row
// queues, LATENCY_x cycles after its first lanes come to the pipe.
// Handshake: is_issued holds until op.ready; op_mem and ls_wb are valid/ready; everything else are events.
// It does not issue, execute memory or control instructions, and keeps no order between warps. A block diagram: there is no logic
// here.
module back (
  input  logic                                     clk_i,
  input  logic                                     rst_ni,
  input  core_pkg::wipe_t                          wipe_i,
  input  logic [cfg_pkg::PART_W-1:0]               part_i,
  // from issue
  input  front_pkg::pre_t                          is_pre_i,
  input  front_pkg::issued_t                       is_issued_i,
  input  core_pkg::uop_t [core_pkg::READERS-1:0]   is_uop_i,
  // to issue
  output front_pkg::operand_t                      op_o,
  output front_pkg::ends_t                         wb_ends_o,
  output front_pkg::pred_write_t                   wb_pred_o,
  output logic                                     lt_uni_valid_o,
  input  logic                                     lt_uni_ready_i,
  output exec_pkg::uni_write_t                          lt_uni_o,
  // to and from issue: the predicates of a beat, a cycle later
  output front_pkg::pred_read_t                    op_pr_o,
  input  logic [6:0][cfg_pkg::LANES-1:0]           pf_row_i,
  // from the block dispatcher
  input  logic                                     ct_start_valid_i,
  input  core_pkg::start_t                         ct_start_i,
  input  logic                                     ct_tid_valid_i,
  input  sm_pkg::tid_t                             ct_tid_i,
  // to divergence
  output bus_pkg::branch_t                         op_br_o,
  // to and from the load/store unit
  output bus_pkg::mem_beat_t                       op_mem_o,
  input  logic                                     op_mem_ready_i,
  input  bus_pkg::late_rows_t                      ls_wb_i,
  output logic [core_pkg::LATE_PORTS-1:0]          ls_wb_ready_o,
  input  bus_pkg::late_end_t                       ls_end_i,
  output logic                                     wb_hold_o,
  // to the retire port: operands read (of fixed pipes and branches; of all that is collected), writes of each bank, predicate writes
  output retire_pkg::back_valid_t                  ret_valid_o,
  output retire_pkg::back_ret_t                    ret_o
);

  // from operand
  logic [core_pkg::LINES-1:0][bus_pkg::CLAIM_W-1:0] op_claim;
  logic [core_pkg::LINES-1:0]      op_take;
  bus_pkg::line_t [core_pkg::READERS-1:0] op_bus;
  bus_pkg::line_t                  op_alu, op_fma;
  bus_pkg::unit_beat_t             op_var;
  // from reserve
  logic [core_pkg::LINES-1:0]      rs_ok;
  logic [cfg_pkg::BANKS-1:0]       rs_taken;
  bus_pkg::due_t                   rs;
  logic                            rs_pred;
  // from the pipes
  bus_pkg::results_t               ex;
  // from the units
  logic [kind_pkg::UNITS-1:0]      op_var_ready;
  logic                            lr_valid;
  core_pkg::result_t               lr;
  back_pkg::need_t                 lr_need;
  // from writeback
  bus_pkg::starved_t               wb_starved;
  logic [cfg_pkg::BANKS-1:0]       wb_free;
  logic                            lr_ready;
  bus_pkg::write_t                 wb_write;
  bus_pkg::writer_t [cfg_pkg::BANKS-1:0] wb_writer;
  bus_pkg::drop_t                  wb_drop;

  // ---- operands, and the write ports that their results will need ------------------------------------------------
  operand u_operand (
    .clk_i(clk_i), .rst_ni(rst_ni), .wipe_i(wipe_i),
    .is_pre_i         (is_pre_i),
    .is_issued_i      (is_issued_i),
    .is_uop_i         (is_uop_i),
    .op_o             (op_o),
    .op_pr_o          (op_pr_o),
    .pf_row_i         (pf_row_i),
    .ct_start_valid_i (ct_start_valid_i),
    .ct_start_i       (ct_start_i),
    .ct_tid_valid_i   (ct_tid_valid_i),
    .ct_tid_i         (ct_tid_i),
    .op_claim_o       (op_claim),
    .rs_ok_i          (rs_ok),
    .op_take_o        (op_take),
    .op_bus_o         (op_bus),
    .op_alu_o         (op_alu),
    .op_fma_o         (op_fma),
    .op_mem_o         (op_mem_o),
    .op_mem_ready_i   (op_mem_ready_i),
    .op_var_o         (op_var),
    .op_var_ready_i   (op_var_ready),
    .op_br_o          (op_br_o),
    .wb_write_i       (wb_write),
    .wb_drop_i        (wb_drop)
  );

  reserve u_reserve (
    .clk_i(clk_i), .rst_ni(rst_ni),
    .op_claim_i        (op_claim),
    .op_take_i         (op_take),
    .rs_ok_o           (rs_ok),
    .op_alu_valid_i    (op_alu.row.valid),
    .op_alu_dest_i     (op_alu.row.dest),
    .op_fma_valid_i    (op_fma.row.valid),
    .op_fma_dest_i     (op_fma.row.dest),
    .wb_starved_i      (wb_starved.banks),
    .wb_pred_starved_i (wb_starved.preds),
    .rs_taken_o        (rs_taken),
    .rs_valid_o        (rs.valid),
    .rs_dest_o         (rs.dest),
    .rs_pred_o         (rs_pred)
  );

  // ---- what takes a row from the bus: fixed pipes, the records -----------------------------------------
  fixed_pipes u_pipes (
    .clk_i(clk_i), .rst_ni(rst_ni),
    .op_alu_i   (op_alu),
    .op_fma_i   (op_fma),
    .rs_i       (rs),
    .ex_o       (ex)
  );

  retire_operands u_retire_operands (
    .clk_i(clk_i), .rst_ni(rst_ni), .part_i(part_i),
    .op_bus_i                    (op_bus),
    .ret_operands_valid_o        (ret_valid_o.operands),
    .ret_operands_o              (ret_o.operands),
    .ret_operands_memory_valid_o (ret_valid_o.operands_memory),
    .ret_operands_memory_o       (ret_o.operands_memory)
  );

  // ---- units of varying latency, and the write ports -------------------------------------------------------------
  units u_units (
    .clk_i(clk_i), .rst_ni(rst_ni),
    .op_valid_i (op_var.valid),
    .op_ready_o (op_var_ready),
    .op_i       (op_var.op),
    .op_beat_i  (op_var.beat),
    .op_data_i  (op_var.data),
    .lr_valid_o (lr_valid),
    .lr_ready_i (lr_ready),
    .lr_o       (lr),
    .lr_need_o  (lr_need),
    .wb_free_i  (wb_free)
  );

  writeback u_writeback (
    .clk_i(clk_i), .rst_ni(rst_ni),
    .rs_taken_i      (rs_taken),
    .rs_i            (rs),
    .rs_pred_i       (rs_pred),
    .wb_starved_o    (wb_starved),
    .ex_i            (ex),
    .ls_wb_i         (ls_wb_i),
    .ls_wb_ready_o   (ls_wb_ready_o),
    .ls_end_i        (ls_end_i),
    .wb_hold_o       (wb_hold_o),
    .lr_valid_i      (lr_valid),
    .lr_ready_o      (lr_ready),
    .lr_i            (lr),
    .lr_need_i       (lr_need),
    .wb_free_o       (wb_free),
    .wb_write_o      (wb_write),
    .wb_writer_o     (wb_writer),
    .wb_drop_o       (wb_drop),
    .lt_uni_valid_o  (lt_uni_valid_o),
    .lt_uni_ready_i  (lt_uni_ready_i),
    .lt_uni_o        (lt_uni_o),
    .wb_pred_o       (wb_pred_o),
    .wb_ends_o       (wb_ends_o)
  );

  retire_writes u_retire_writes (
    .part_i                (part_i),
    .wb_write_i            (wb_write),
    .wb_writer_i           (wb_writer),
    .wb_pred_i             (wb_pred_o),
    .ret_write_valid_o     (ret_valid_o.write),
    .ret_write_o           (ret_o.write),
    .ret_predicate_valid_o (ret_valid_o.predicate),
    .ret_predicate_o       (ret_o.predicate)
  );

endmodule
