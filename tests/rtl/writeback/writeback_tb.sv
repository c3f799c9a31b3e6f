// SPDX-License-Identifier: Apache-2.0
// Reservation table and writeback together, structs as flat ports.
// Latency: none of its own.
// Handshake: as reserve.sv and writeback.sv.
// It does not check anything; the bench plays operand stage, pipes and the load/store unit.
module writeback_tb #(
  localparam int unsigned LANES = cfg_pkg::LANES,
  localparam int unsigned BANKS = cfg_pkg::BANKS,
  localparam int unsigned PIPES = cfg_pkg::PIPES,
  localparam int unsigned LINES = core_pkg::LINES
) (
  input  logic                               clk_i,
  input  logic                               rst_ni,
  output logic [31:0]                        cfg_lanes_o, cfg_banks_o, cfg_regs_o,
  output logic [PIPES-1:0][7:0]              cfg_lat_o,
  output logic                               cfg_queued_o,    // beats come from queues
  output logic                               cfg_lines_o,     // ... or from two readers: each pipe has a line or shares it
  input  logic [BANKS-1:0]                   op_ports_i,
  input  logic [PIPES-1:0]                   op_pipe_i,
  input  logic                               op_pred_i,
  input  logic                               op_take_i,
  output logic                               rs_ok_o,
  input  logic                               op_valid_i,
  input  logic [PIPES-1:0]                   dest_pipe_i,
  input  logic [31:0]                        dest_seq_i,
  input  logic [4:0]                         dest_beat_i,
  input  logic                               dest_last_i,
  input  logic [LANES-1:0]                   dest_mask_i,
  input  logic                               dest_rd_en_i,
  input  logic [7:0]                         dest_rd_i,
  input  logic [1:0]                         dest_rd_n_i,
  input  logic [15:0]                        dest_wreg_i,
  input  logic [2:0]                         dest_pd0_i, dest_pd1_i,
  input  logic [PIPES-1:0][1:0][LANES-1:0][31:0] ex_word_i,
  input  logic [LANES-1:0]                   ex_pd0_i, ex_pd1_i,
  input  logic                               ls_wb_valid_i,
  output logic                               ls_wb_ready_o,
  input  logic [31:0]                        ls_wb_seq_i,
  input  logic [7:0]                         ls_wb_rd_i,
  input  logic [15:0]                        ls_wb_rbase_i,
  input  logic [4:0]                         ls_wb_beat_i,
  input  logic [LANES-1:0]                   ls_wb_mask_i,
  input  logic [LANES-1:0][31:0]             ls_wb_data_i,
  input  logic                               lt_pred_ask_i,
  output logic                               lt_pred_ready_o,
  input  logic [31:0]                        lr_seq_i,
  input  logic [LANES-1:0]                   lr_mask_i, lr_d0_i,
  output logic [3:0]                         drop_valid_o,    // to the reuse cache, of each group of pipes: it writes
  output logic [3:0]                         drop_pair_o,
  output logic [3:0][7:0]                    drop_rd_o,
  output logic                               drop_late_valid_o, // ... a late row a cycle ago
  output logic [7:0]                         drop_late_rd_o,
  output logic [3:0][LANES-1:0]              wr_en_o,
  output logic [3:0][15:0]                   wr_row_o,
  output logic [3:0][LANES-1:0][31:0]        wr_data_o,
  output logic [3:0]                         ret_wb_valid_o,
  output logic [3:0][31:0]                   ret_wb_seq_o,
  output logic [3:0][7:0]                    ret_wb_rd_o, ret_wb_bank_o, ret_wb_port_o,
  output logic [3:0][15:0]                   ret_wb_row_o,
  output logic                               pred_valid_o,
  output logic [LANES-1:0]                   pred_mask_o, pred_d0_o, pred_d1_o,
  output logic [31:0]                        pred_seq_o,
  output logic [cfg_pkg::GROUPS-1:0]         done_valid_o
);

  back_pkg::dest_t                            dest;
  core_pkg::result_t                          row;
  bus_pkg::write_t                            write;
  bus_pkg::writer_t [BANKS-1:0]               writer;
  front_pkg::pred_write_t                     pred;
  logic [cfg_pkg::BANKS-1:0]                  rs_taken;
  bus_pkg::due_t                              rs;
  logic                                       rs_pred;
  bus_pkg::starved_t                          starved;
  logic [BANKS-1:0]                           wb_free;
  bus_pkg::drop_t                             drop;
  core_pkg::result_t                          lr;
  retire_pkg::write_t [retire_pkg::PORTS-1:0] tap;
  logic                                       tap_pred_valid;
  retire_pkg::predicate_t                     tap_pred;
  front_pkg::ends_t                           ends;
  exec_pkg::uni_write_t                            uni;         // these machines have no uniform datapath
  logic                                       uni_valid, hold;

  assign cfg_lanes_o = LANES;
  assign cfg_banks_o = BANKS;
  assign cfg_regs_o  = cfg_pkg::REGS;
  assign pred_valid_o = pred.valid;
  assign pred_seq_o   = pred.id.seq;
  assign pred_mask_o  = pred.mask;
  assign pred_d0_o    = pred.d0;
  assign pred_d1_o    = pred.d1;
  always_comb begin
    for (int unsigned p = 0; p < PIPES; p++) cfg_lat_o[p] = 8'(cfg_pkg::PIPE_LATENCY[p]);
    dest         = '0;
    dest.id.seq  = dest_seq_i;
    dest.pipe    = dest_pipe_i;
    dest.beat    = dest_beat_i;
    dest.last    = dest_last_i;
    dest.mask    = dest_mask_i;
    dest.rd_en   = dest_rd_en_i;
    dest.rd      = dest_rd_i;
    dest.rd_n    = dest_rd_n_i;
    dest.wreg    = back_pkg::WREG_W'(dest_wreg_i);
    dest.pd0     = dest_pd0_i;
    dest.pd1     = dest_pd1_i;
    dest.wbar    = 3'd7;
    lr             = '0;
    lr.tag.id.seq  = lr_seq_i;
    lr.tag.pred    = 1'b1;
    lr.tag.to.pd1  = isa_pkg::PT;
    lr.mask        = lr_mask_i;
    lr.d0          = lr_d0_i;
    row            = '0;
    row.tag.id.seq = ls_wb_seq_i;
    row.tag.to.rd  = ls_wb_rd_i;
    row.tag.rbase  = ls_wb_rbase_i;
    row.tag.beat   = ls_wb_beat_i;
    row.mask       = ls_wb_mask_i;
    row.data       = ls_wb_data_i;
    drop_valid_o   = '0;
    drop_pair_o    = '0;
    drop_rd_o      = '0;
    drop_late_valid_o = drop.valid[cfg_pkg::GROUPS];
    drop_late_rd_o    = drop.rd[cfg_pkg::GROUPS];
    for (int unsigned g = 0; g < cfg_pkg::GROUPS; g++) begin
      drop_valid_o[g] = drop.valid[g];
      drop_pair_o[g]  = drop.pair[g];
      drop_rd_o[g]    = drop.rd[g];
    end
    wr_en_o        = '0;
    wr_row_o       = '0;
    wr_data_o      = '0;
    for (int unsigned k = 0; k < retire_pkg::PORTS; k++) begin
      ret_wb_seq_o[k]  = tap[k].id.seq;
      ret_wb_rd_o[k]   = tap[k].rd;
      ret_wb_bank_o[k] = tap[k].bank;
      ret_wb_port_o[k] = tap[k].port;
      ret_wb_row_o[k]  = tap[k].row;
    end
    for (int unsigned b = 0; b < BANKS; b++) begin
      wr_en_o[b]        = write.en[b];
      wr_row_o[b]       = 16'(write.row[b]);
      wr_data_o[b]      = write.data[b];
    end
  end

  // The bench offers a beat a cycle: to the line of its pipe.
  function automatic int unsigned of_line(logic [PIPES-1:0] pipe);
    of_line = 0;
    for (int unsigned p = 0; p < PIPES; p++) if (pipe[p]) of_line = core_pkg::line_of(p);
  endfunction

  logic [LINES-1:0][bus_pkg::CLAIM_W-1:0] claim;
  logic [LINES-1:0]                       take, ok;
  bus_pkg::claim_t                        offered;

  assign offered = '{ports: op_ports_i, pipe: op_pipe_i, preds: op_pred_i};
  always_comb begin
    claim = '0;
    take  = '0;
    claim[of_line(op_pipe_i)] = offered;
    take[of_line(op_pipe_i)]  = op_take_i;
  end
  assign rs_ok_o      = ok[of_line(op_pipe_i)];
  assign cfg_queued_o = core_pkg::QUEUED;
  assign cfg_lines_o  = LINES > 1;

  reserve u_reserve (
    .clk_i        (clk_i),
    .rst_ni       (rst_ni),
    .op_claim_i   (claim),
    .op_take_i    (take),
    .rs_ok_o      (ok),
    .op_alu_valid_i (op_valid_i && of_line(dest_pipe_i) == 0),
    .op_alu_dest_i  (dest),
    .op_fma_valid_i (op_valid_i && of_line(dest_pipe_i) == LINES - 1),
    .op_fma_dest_i  (dest),
    .wb_starved_i (starved.banks),
    .wb_pred_starved_i (starved.preds),
    .rs_taken_o   (rs_taken),
    .rs_valid_o   (rs.valid),
    .rs_dest_o    (rs.dest),
    .rs_pred_o    (rs_pred)
  );

  writeback u_writeback (
    .clk_i           (clk_i),
    .rst_ni          (rst_ni),
    .rs_taken_i      (rs_taken),
    .rs_i            (rs),
    .rs_pred_i       (rs_pred),
    .wb_starved_o    (starved),
    .ex_i            ('{word: ex_word_i, pd0: ex_pd0_i, pd1: ex_pd1_i}),
    .ls_wb_i         ('{valid: ls_wb_valid_i, row: row}),
    .ls_wb_ready_o   (ls_wb_ready_o),
    .ls_end_i        ('0),
    .wb_hold_o       (hold),
    .lr_valid_i      (lt_pred_ask_i),
    .lr_ready_o      (lt_pred_ready_o),
    .lr_i            (lr),
    .lr_need_i       (lt_pred_ask_i ? back_pkg::needs(lr, wb_free) : '0),
    .wb_free_o       (wb_free),
    .wb_write_o      (write),
    .wb_writer_o     (writer),
    .wb_drop_o       (drop),
    .lt_uni_valid_o  (uni_valid),
    .lt_uni_ready_i  (1'b1),
    .lt_uni_o        (uni),
    .wb_pred_o       (pred),
    .wb_ends_o       (ends)
  );
  assign done_valid_o = ends.fixed_valid;

  retire_writes u_retire (
    .part_i                ('0),
    .wb_write_i            (write),
    .wb_writer_i           (writer),
    .wb_pred_i             (pred),
    .ret_write_valid_o     (ret_wb_valid_o),
    .ret_write_o           (tap),
    .ret_predicate_valid_o (tap_pred_valid),
    .ret_predicate_o       (tap_pred)
  );

  logic unused;
  assign unused = ^{dest_wreg_i, pred, tap, tap_pred_valid, tap_pred, drop, ends, uni, uni_valid, hold};

endmodule
