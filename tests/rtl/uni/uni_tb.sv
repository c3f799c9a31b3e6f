// SPDX-License-Identifier: Apache-2.0
// The uniform datapath under test. The bench names an instruction by its word in the cycle of its issue (S1). Its uop is in
// the next one, with the predicates and the value that issue would hand on.
// Latency, handshake: the unit's own.
// It does not check anything itself.
module uni_tb (
  input  logic         clk_i,
  input  logic         rst_ni,
  // S1
  input  logic [7:0]   is_slot_i,
  output logic [6:0]   un_pred_o,
  input  logic         is_valid_i,
  input  logic [63:0]  is_word_lo_i,
  input  logic [63:0]  is_word_hi_i,
  // with it: what its uop shall have
  input  logic [31:0]  is_seq_i,
  input  logic         is_go_i,      // its guard is true
  input  logic [2:0]   is_ps_i,
  input  logic [31:0]  is_sval_i,
  // late results
  input  logic         late_valid_i,
  output logic         late_ready_o,
  input  logic [7:0]   late_slot_i,
  input  logic [31:0]  late_seq_i,
  input  logic         late_row_i,
  input  logic [7:0]   late_rd_i,
  input  logic [31:0]  late_data_i,
  input  logic [2:0]   late_pd0_i,
  input  logic         late_d0_i,
  // ends
  output logic         starved_o,
  output logic         done_valid_o,
  output logic [7:0]   done_slot_o,
  output logic [2:0]   done_wbar_o,
  output logic         done_has_rd_o,
  output logic [7:0]   done_rd_o,
  // what an ordinary instruction would read: the uop of the last cycle
  output logic [31:0]  sval_o,
  output logic [31:0]  sval_hi_o,
  // records
  output logic         read_valid_o,
  output logic [31:0]  read_seq_o,
  output logic [7:0]   read_used_o,
  output logic [3:0][31:0] read_data_o,
  output logic         write_valid_o,
  output logic [31:0]  write_seq_o,
  output logic [7:0]   write_slot_o,
  output logic [7:0]   write_used_o,
  output logic [7:0]   write_rd_o,
  output logic [1:0][31:0] write_data_o,
  output logic [7:0]   write_pred_o,
  output logic [7:0]   write_value_o,
  output logic [7:0]   warps_o,
  output logic [7:0]   stall_o
);

  isa_pkg::dec_t              dec;
  core_pkg::uop_t             uop_d, uop_q;
  exec_pkg::uni_write_t            late;
  core_pkg::done_t            done;
  retire_pkg::uniform_read_t  read;
  retire_pkg::uniform_write_t write;
  exec_pkg::uni_words_t            words;
  exec_pkg::uni_write_t            wr;
  logic                       valid_q;

  assign dec = isa_pkg::decode({is_word_hi_i, is_word_lo_i});

  always_comb begin
    uop_d         = '0;
    uop_d.id.slot = core_pkg::sm_slot(cfg_pkg::WARP_W'(is_slot_i), '0);
    uop_d.id.seq  = is_seq_i;
    uop_d.word    = {is_word_hi_i, is_word_lo_i};
    uop_d.dec     = dec;
    uop_d.exec    = {32{is_go_i}};
    {uop_d.ps2, uop_d.ps1, uop_d.ps0} = {{32{is_ps_i[2]}}, {32{is_ps_i[1]}}, {32{is_ps_i[0]}}};
    uop_d.sval    = is_sval_i;
    late         = '0;
    late.id.slot = core_pkg::sm_slot(cfg_pkg::WARP_W'(late_slot_i), '0);
    late.id.seq  = late_seq_i;
    late.en      = late_row_i ? {late_rd_i[0], !late_rd_i[0]} : '0;
    late.rd      = late_rd_i;
    late.data    = {2{late_data_i}};
    late.pred_en = exec_pkg::pred_bit(late_pd0_i);
    late.pred    = {7{late_d0_i}};
  end

  always_ff @(posedge clk_i) begin
    valid_q <= rst_ni && is_valid_i;
    if (is_valid_i) uop_q <= uop_d;
  end

  uni u_uni (
    .wipe_i('0),
    .clk_i                     (clk_i),
    .rst_ni                    (rst_ni),
    .is_slot_i                 (cfg_pkg::WARP_W'(is_slot_i)),
    .un_pred_o                 (un_pred_o),
    .is_uni_read_i             (is_valid_i),
    .is_dec_i                  (dec),
    .is_uni_valid_i            (valid_q && kind_pkg::uniform(uop_q.dec)),
    .is_uop_i                  (uop_q),
    .un_sval_o                 (sval_o),
    .un_sval_hi_o              (sval_hi_o),
    .lt_uni_valid_i            (late_valid_i),
    .lt_uni_ready_o            (late_ready_o),
    .lt_uni_i                  (late),
    .un_starved_o              (starved_o),
    .un_done_valid_o           (done_valid_o),
    .un_done_o                 (done),
    .un_words_o                (words),
    .un_write_o                (wr)
  );

  retire_uniform u_retire (
    .part_i                    ('0),
    .is_uni_valid_i            (valid_q && kind_pkg::uniform(uop_q.dec)),
    .is_new_i                  (1'b0),
    .is_uop_i                  (uop_q),
    .un_words_i                (words),
    .un_write_i                (wr),
    .ret_uniform_read_valid_o  (read_valid_o),
    .ret_uniform_read_o        (read),
    .ret_uniform_write_valid_o (write_valid_o),
    .ret_uniform_write_o       (write)
  );

  assign done_slot_o   = 8'(done.slot);
  assign done_wbar_o   = done.to.wbar;
  assign done_has_rd_o = done.to.has_rd;
  assign done_rd_o     = done.to.rd;
  assign read_seq_o    = read.id.seq;
  assign read_used_o   = read.used;
  assign read_data_o   = read.data;
  assign write_seq_o   = write.id.seq;
  assign write_slot_o  = 8'(core_pkg::local_slot(cfg_pkg::SM_WARP_W'(write.id.slot)));
  assign write_used_o  = write.used;
  assign write_rd_o    = write.rd;
  assign write_data_o  = write.data;
  assign write_pred_o  = write.pred;
  assign write_value_o = write.value;
  assign warps_o       = 8'(cfg_pkg::WARPS);
  assign stall_o       = 8'(cfg_pkg::STALL_UNI_REG);

  logic unused;
  assign unused = ^{done, read, write, is_slot_i, late_slot_i};

endmodule
