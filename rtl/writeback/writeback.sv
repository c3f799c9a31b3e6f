// SPDX-License-Identifier: Apache-2.0
// Writeback: the write ports of registers and of predicates, the ends of instructions, and before them the turns of late results.
// A block diagram: there is no logic here.
// Latency: none from a result to its ports; late ends come a cycle later (write_ends).
// Handshake: fixed results own their ports; ls_wb and lr are valid/ready, ls_wb's second row may be withdrawn.
// It does not store results.
module writeback (
  input  logic                                     clk_i,
  input  logic                                     rst_ni,
  // from and to the reservation table
  input  logic [cfg_pkg::BANKS-1:0]                rs_taken_i,      // banks that fixed results are written in
  input  bus_pkg::due_t                            rs_i,
  input  logic                                     rs_pred_i,       // predicates, of the beat at alu's end
  output bus_pkg::starved_t                        wb_starved_o,
  // from the fixed pipes
  input  bus_pkg::results_t                        ex_i,
  // from and to late_rows: memory's rows, and ends
  input  bus_pkg::late_rows_t                      ls_wb_i,
  output logic [core_pkg::LATE_PORTS-1:0]          ls_wb_ready_o,
  input  bus_pkg::late_end_t                       ls_end_i,
  output logic                                     wb_hold_o,       // no end in the next cycle
  // from and to the units
  input  logic                                     lr_valid_i,
  output logic                                     lr_ready_o,
  input  core_pkg::result_t                        lr_i,
  input  back_pkg::need_t                          lr_need_i,
  output logic [cfg_pkg::BANKS-1:0]                wb_free_o,       // banks that no fixed result is written in
  // to the register file, and beside it the instruction at each port; to the reuse cache
  output bus_pkg::write_t                          wb_write_o,
  output bus_pkg::writer_t [cfg_pkg::BANKS-1:0]    wb_writer_o,
  output bus_pkg::drop_t                           wb_drop_o,
  // to and from the uniform datapath
  output logic                                     lt_uni_valid_o,
  input  logic                                     lt_uni_ready_i,
  output exec_pkg::uni_write_t                          lt_uni_o,
  // to issue
  output front_pkg::pred_write_t                   wb_pred_o,
  output front_pkg::ends_t                         wb_ends_o
);

  // from late_join
  bus_pkg::late_rows_t lt_wb;
  logic                lt_pred_ask, lt_pred_valid, lt_end;
  // to it
  logic                wb_pred_ready, wb_end_free;

  late_join u_join (
    .clk_i(clk_i), .rst_ni(rst_ni),
    .ls_wb_i         (ls_wb_i),
    .ls_wb_ready_o   (ls_wb_ready_o),
    .lr_valid_i      (lr_valid_i),
    .lr_ready_o      (lr_ready_o),
    .lr_i            (lr_i),
    .lr_need_i       (lr_need_i),
    .lt_wb_o         (lt_wb),
    .wb_free_i       (wb_free_o),
    .lt_pred_ask_o   (lt_pred_ask),
    .wb_pred_ready_i (wb_pred_ready),
    .lt_pred_valid_o (lt_pred_valid),
    .lt_uni_valid_o  (lt_uni_valid_o),
    .lt_uni_ready_i  (lt_uni_ready_i),
    .lt_uni_o        (lt_uni_o),
    .wb_end_free_i   (wb_end_free),
    .lt_end_o        (lt_end)
  );

  write_ports u_ports (
    .clk_i(clk_i), .rst_ni(rst_ni),
    .rs_taken_i   (rs_taken_i),
    .rs_i         (rs_i),
    .ex_word_i    (ex_i.word),
    .wb_starved_o (wb_starved_o.banks),
    .lt_wb_i      (lt_wb),
    .wb_free_o    (wb_free_o),
    .wb_drop_o    (wb_drop_o),
    .wb_write_o   (wb_write_o),
    .wb_writer_o  (wb_writer_o)
  );

  write_predicates u_predicates (
    .clk_i(clk_i), .rst_ni(rst_ni),
    .rs_pred_i       (rs_pred_i),
    .rs_dest_i       (rs_i.dest[cfg_pkg::PIPE_ALU]),
    .ex_i            (ex_i),
    .wb_starved_o    (wb_starved_o.preds),
    .lt_pred_ask_i   (lt_pred_ask),
    .wb_pred_ready_o (wb_pred_ready),
    .lt_pred_valid_i (lt_pred_valid),
    .lr_i            (lr_i),
    .wb_pred_o       (wb_pred_o)
  );

  write_ends u_ends (
    .clk_i(clk_i), .rst_ni(rst_ni),
    .rs_i          (rs_i),
    .ls_end_i      (ls_end_i),
    .wb_hold_o     (wb_hold_o),
    .wb_end_free_o (wb_end_free),
    .lt_end_i      (lt_end),
    .lr_tag_i      (lr_i.tag),
    .wb_ends_o     (wb_ends_o)
  );

endmodule
