// SPDX-License-Identifier: Apache-2.0
// The uniform datapath beside issue: what an ordinary instruction reads of it takes the place of
// the value in its micro-op.
// Latency: that of `uni`; the micro-op passes through.
// Handshake: lt_uni valid/ready, as `uni` has it.
// It holds nothing itself. A machine without the datapath has no uniform registers either: the
// micro-op goes on as it is.
module issue_uniform (
  input  logic                            clk_i,
  input  logic                            rst_ni,
  input  core_pkg::wipe_t                 wipe_i,
  input  logic [cfg_pkg::PART_W-1:0]      part_i,
  // from and to issue: S1, and a cycle later
  input  logic [cfg_pkg::WARP_W-1:0]      is_s1_slot_i,
  input  front_pkg::uni_t                 is_uni_i,
  input  isa_pkg::dec_t                   ib_dec_i,
  input  front_pkg::issued_t              is_issued_i,
  input  core_pkg::uop_t [core_pkg::READERS-1:0] is_uop_i,
  output front_pkg::uniform_t             un_o,
  // to operand and divergence
  output core_pkg::uop_t [core_pkg::READERS-1:0] un_uop_o,
  // from and to late_join
  input  logic                            lt_uni_valid_i,
  output logic                            lt_uni_ready_o,
  input  exec_pkg::uni_write_t                 lt_uni_i,
  // to the retire port
  output logic                            ret_uniform_read_valid_o,
  output retire_pkg::uniform_read_t       ret_uniform_read_o,
  output logic                            ret_uniform_write_valid_o,
  output retire_pkg::uniform_write_t      ret_uniform_write_o
);

  if (cfg_pkg::HAS_UNI) begin : gen_uni
    logic            done_valid, starved;
    core_pkg::done_t done;
    logic [6:0]      pred;
    logic [31:0]     sval, sval_hi;
    exec_pkg::uni_words_t words;
    exec_pkg::uni_write_t write;

    uni u_uni (
      .clk_i                     (clk_i),
      .wipe_i                    (wipe_i),
      .rst_ni                    (rst_ni),
      .is_slot_i                 (is_s1_slot_i),
      .un_pred_o                 (pred),
      .is_uni_read_i             (is_uni_i.read),
      .is_dec_i                  (ib_dec_i),
      .is_uni_valid_i            (is_uni_i.valid),
      .is_uop_i                  (is_uop_i[0]),
      .un_sval_o                 (sval),
      .un_sval_hi_o              (sval_hi),
      .lt_uni_valid_i            (lt_uni_valid_i),
      .lt_uni_ready_o            (lt_uni_ready_o),
      .lt_uni_i                  (lt_uni_i),
      .un_starved_o              (starved),
      .un_done_valid_o           (done_valid),
      .un_done_o                 (done),
      .un_words_o                (words),
      .un_write_o                (write)
    );

    retire_uniform u_retire (
      .part_i                    (part_i),
      .is_uni_valid_i            (is_uni_i.valid),
      .is_new_i                  (is_issued_i.first),
      .is_uop_i                  (is_uop_i[0]),
      .un_words_i                (words),
      .un_write_i                (write),
      .ret_uniform_read_valid_o  (ret_uniform_read_valid_o),
      .ret_uniform_read_o        (ret_uniform_read_o),
      .ret_uniform_write_valid_o (ret_uniform_write_valid_o),
      .ret_uniform_write_o       (ret_uniform_write_o)
    );

    assign un_o = '{starved: starved, pred: pred, done_valid: done_valid, done: done};

    // ... and so does the address of ULDC.
    always_comb begin
      un_uop_o = is_uop_i;
      if (kind_pkg::uniform_load(is_uop_i[0].dec) || is_uop_i[0].dec.b_kind == isa_pkg::SRC_UREG
          || is_uop_i[0].dec.c_kind == isa_pkg::SRC_UREG) begin
        un_uop_o[0].sval    = sval;
        un_uop_o[0].sval_hi = sval_hi;
      end
    end
  end else begin : gen_no_uni
    assign un_o                      = '0;
    assign un_uop_o                  = is_uop_i;
    assign lt_uni_ready_o            = 1'b0;
    assign ret_uniform_read_valid_o  = 1'b0;
    assign ret_uniform_read_o        = '0;
    assign ret_uniform_write_valid_o = 1'b0;
    assign ret_uniform_write_o       = '0;
    logic unused_uni;
    assign unused_uni = ^{clk_i, rst_ni, wipe_i, part_i, is_s1_slot_i, is_uni_i, ib_dec_i,
      lt_uni_valid_i, lt_uni_i};
  end

  // Fields that concern others.
  logic unused;
  assign unused = ^is_issued_i;

endmodule
