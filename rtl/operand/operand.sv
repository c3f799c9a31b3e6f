// SPDX-License-Identifier: Apache-2.0
// Operand stage: reads the words of the instruction that issue holds out, beat by beat, and sends rows to the pipes and to the
// queues of units whose latency varies. One instruction is read at a time; the next one follows without a gap.
// Latency: an instruction issued in cycle t (is_pre) is read from t+1 on, its first row on the bus in t+3, then a row a cycle;
// each bank conflict, and each write port that is taken, one cycle more. All of that is known from the order of issue, so stall
// counts run from there and stand still while op_o.hold says that no row is completed.
// Handshake: is_issued_i stands until op_o.ready; rows for these queues go to places that issue has counted (op_o.leave).
// It does not order anything: operands are read strictly in the order of issue. A block diagram: here it is only said whose an
// instruction is, a queue's or the reuse cache's.
`include "heddle_assert.svh"

module operand (
  input  logic                                     clk_i,
  input  logic                                     rst_ni,
  input  core_pkg::wipe_t                          wipe_i,
  // from issue: an instruction issues in this cycle (the reuse cache is asked); it is read in the next ones
  input  front_pkg::pre_t                          is_pre_i,
  input  front_pkg::issued_t                       is_issued_i,
  input  core_pkg::uop_t                           is_uop_i,
  // to issue
  output front_pkg::operand_t                      op_o,
  // to and from issue: the predicates of a beat (P2R), a cycle later, else zero
  output front_pkg::pred_read_t                    op_pr_o,
  input  logic [6:0][cfg_pkg::LANES-1:0]           pf_row_i,
  // from the block dispatcher
  input  logic                                     ct_start_valid_i,
  input  core_pkg::start_t                         ct_start_i,
  input  logic                                     ct_tid_valid_i,
  input  sm_pkg::tid_t                             ct_tid_i,
  // to and from the reservation table: the write ports of a beat that is on the bus in two cycles, if it is taken; or of one that
  // leaves each queue
  output logic [core_pkg::LINES-1:0][bus_pkg::CLAIM_W-1:0] op_claim_o,   // claim_t each
  input  logic [core_pkg::LINES-1:0]               rs_ok_i,
  output logic [core_pkg::LINES-1:0]               op_take_o,
  // to the retire port: the operand bus
  output bus_pkg::row_t                            op_row_o,
  output bus_pkg::words_t                          op_words_o,
  // to the execute pipes and writeback: the rows of alu, cvt and half; of fma and register branches
  output bus_pkg::line_t                           op_alu_o,
  output bus_pkg::line_t                           op_fma_o,
  // to and from the load/store unit, and the units of the partition: from the queue of each
  output bus_pkg::mem_beat_t                       op_mem_o,
  input  logic                                     op_mem_ready_i,
  output bus_pkg::unit_beat_t                      op_var_o,
  input  logic [kind_pkg::UNITS-1:0]               op_var_ready_i,
  // from the write ports of the register file
  input  bus_pkg::write_t                          wb_write_i,
  input  bus_pkg::drop_t                           wb_drop_i
);

  localparam int unsigned LANES   = cfg_pkg::LANES;
  localparam int unsigned BANKS   = cfg_pkg::BANKS;
  localparam int unsigned BEAT_W  = cfg_pkg::BEAT_W;
  localparam int unsigned WORDS   = back_pkg::WORDS;
  localparam int unsigned QUEUES  = kind_pkg::QUEUES;

  logic [cfg_pkg::WARP_W-1:0] slot;   // of the instruction that is read
  assign slot = core_pkg::local_slot(is_uop_i.id.slot);

  // ---- what the instruction reads -----------------------------------------------------------------------------
  back_pkg::plan_t                         plan;
  back_pkg::reads_t                        reads;
  logic [WORDS-1:0][back_pkg::WREG_W-1:0]  wreg;
  logic [2:0]                              hit, fill, side;
  logic                                    tid;
  logic [1:0]                              row, next_row, early;
  logic [BEAT_W-1:0]                       beat;
  back_pkg::beat_t                         now;
  logic                                    ok, take, last;   // a row may be completed, is, and is the last
  logic [QUEUES-1:0]                       into;             // of units: the one that its rows go to

  operand_plan u_plan (
    .clk_i      (clk_i),
    .ready_i    (op_o.ready),
    .arrive_i   (is_pre_i.valid),
    .dec_i      (is_pre_i.dec),
    .rbase_i    (is_pre_i.rbase),
    .hit_i      (hit),
    .next_i     (take),
    .next_row_i (next_row),
    .early_i    (early),
    .plan_o     (plan),
    .reads_o    (reads)
  );

  assign into = back_pkg::queue_of(plan);

  operand_map u_map (
    .valid_i    (is_issued_i.valid),
    .uop_i      (is_uop_i),
    .plan_i     (plan),
    .beat_i     (beat),
    .row_i      (row),
    .wreg_o     (wreg),
    .side_o     (side),
    .tid_o      (tid),
    .beat_o     (now)
  );

  // ---- the walk through its beats -----------------------------------------------------------------------------
  logic [WORDS-1:0][BANKS-1:0]             read;
  logic [BANKS-1:0]                        rd_en;
  logic [BANKS-1:0][back_pkg::GROUP_W-1:0] rd_group;
  logic [BANKS-1:0][BEAT_W-1:0]            rd_beat;
  logic [1:0]                              got;

  reader u_reader (
    .clk_i      (clk_i),
    .rst_ni     (rst_ni),
    .valid_i    (is_issued_i.valid),
    .reads_i    (reads),
    .wreg_i     (wreg),
    .last_row_i (plan.last_row),
    .stay_i     (back_pkg::stay_of(plan)),
    .beat_o     (beat),
    .row_o      (row),
    .next_row_o (next_row),
    .early_o    (early),
    .rd_en_o    (rd_en),
    .rd_group_o (rd_group),
    .rd_beat_o  (rd_beat),
    .read_o     (read),
    .final_i    (ok),
    .final_o    (take),
    .last_o     (last),
    .got_o      (got),
    .ready_o    (op_o.ready),
    .hold_o     (op_o.hold)
  );

  // ---- register file and side memories ------------------------------------------------------------------------
  logic [BANKS-1:0][LANES-1:0][31:0] bank_data;
  logic [2:0][LANES-1:0][31:0]       reuse_data;
  logic [LANES-1:0][10:0]            tid_data;
  logic [2:0]                        reuse_en;
  logic                              tid_en;
  bus_pkg::coming_t                  coming;

  regfile u_regfile (
    .clk_i      (clk_i),
    .wipe_i     (wipe_i),
    .rd_en_i    (rd_en),
    .rd_group_i (rd_group),
    .rd_beat_i  (rd_beat),
    .rd_data_o  (bank_data),
    .wr_en_i    (wb_write_i.en),
    .wr_row_i   (wb_write_i.row),
    .wr_data_i  (wb_write_i.data)
  );

  row_reads u_reads (
    .clk_i      (clk_i),
    .rst_ni     (rst_ni),
    .valid_i    (is_issued_i.valid),
    .slot_i     (slot),
    .into_i     (into),
    .line_i     (core_pkg::QUEUED && (plan.pipe[cfg_pkg::PIPE_FMA] || plan.pipe == '0)),
    .beat_i     (now),
    .side_i     (side),
    .tid_i      (tid),
    .fill_i     (fill),
    .early_i    (early),
    .complete_i (take),
    .last_i     (last),
    .got_i      (got),
    .number_i   (beat),
    .read_i     (read),
    .reuse_en_o (reuse_en),
    .tid_en_o   (tid_en),
    .op_pr_o    (op_pr_o),
    .coming_o   (coming)
  );

  tid_rows u_tid_rows (
    .clk_i          (clk_i),
    .ct_tid_valid_i (ct_tid_valid_i),
    .ct_tid_slot_i  (core_pkg::local_slot(ct_tid_i.slot)),
    .ct_tid_beat_i  (ct_tid_i.beat),
    .ct_tid_x_i     (ct_tid_i.x),
    .ct_tid_y_i     (ct_tid_i.y),
    .ct_tid_z_i     (ct_tid_i.z),
    .tid_en_i       (tid_en),
    .tid_slot_i     (slot),
    .tid_beat_i     (beat),
    .tid_y_i        (coming.beat.tid_y),
    .tid_z_i        (coming.beat.tid_z),
    .tid_data_o     (tid_data)
  );

  logic                        ds_valid;
  logic [cfg_pkg::WARP_W-1:0]  ds_slot;
  logic [BEAT_W-1:0]           ds_beat;
  logic [2:0]                  ds_fill;
  logic [2:0][LANES-1:0][31:0] ds_word;

  reuse_row u_reuse_row (
    .clk_i      (clk_i),
    .coming_i   (coming),
    .op_row_i   (op_row_o),
    .valid_o    (ds_valid),
    .slot_o     (ds_slot),
    .beat_o     (ds_beat),
    .fill_o     (ds_fill)
  );

  reuse u_reuse (
    .clk_i         (clk_i),
    .rst_ni        (rst_ni),
    .start_valid_i (ct_start_valid_i),
    .start_slot_i  (core_pkg::local_slot(ct_start_i.slot)),
    .ready_i       (op_o.ready),
    .arrive_i      (is_pre_i.valid),
    .arrive_slot_i (is_pre_i.slot),
    .arrive_dec_i  (is_pre_i.dec),
    .read_i        (is_issued_i.valid && !plan.coll),
    .rd_slot_i     (slot),
    .hit_o         (hit),
    .fill_o        (fill),
    .rd_en_i       (reuse_en),
    .rd_beat_i     (beat),
    .rd_data_o     (reuse_data),
    .ds_valid_i    (ds_valid),
    .ds_slot_i     (ds_slot),
    .ds_beat_i     (ds_beat),
    .ds_fill_i     (ds_fill),
    .ds_word_i     (ds_word),
    .wr_valid_i    (wb_drop_i.valid),
    .wr_pair_i     (wb_drop_i.pair),
    .wr_slot_i     (wb_drop_i.slot),
    .wr_rd_i       (wb_drop_i.rd)
  );

  // ---- the bus ------------------------------------------------------------------------------------------------
  logic [QUEUES-1:0][WORDS-1:0]      ds_we;
  logic [WORDS-1:0]                  ds_take;
  logic [WORDS-1:0][LANES-1:0][31:0] ds_row;

  dispatch u_dispatch (
    .clk_i           (clk_i),
    .rst_ni          (rst_ni),
    .early_i         (coming.early),
    .into_i          (coming.into),
    .final_i         (coming.last_read),
    .beat_i          (coming.beat),
    .from_bank_i     (coming.from_bank),
    .from_early_i    (coming.from_early),
    .from_tid_i      (coming.from_tid),
    .bank_data_i     (bank_data),
    .reuse_data_i    (reuse_data),
    .tid_data_i      (tid_data),
    .preds_i         (pf_row_i),
    .ds_word_o       (ds_word),
    .ds_we_o         (ds_we),
    .ds_row_o        (ds_row),
    .ds_take_o       (ds_take),
    .op_row_o        (op_row_o),
    .op_words_o      (op_words_o),
    .op_disp_valid_o (op_o.disp_valid),
    .op_disp_slot_o  (op_o.disp_slot),
    .op_disp_rbar_o  (op_o.disp_rbar)
  );

  row_lines u_lines (
    .clk_i          (clk_i),
    .rst_ni         (rst_ni),
    .plan_i         ('{ports: plan.ports, pipe: plan.pipe, preds: plan.preds}),
    .take_i         (take),
    .ok_o           (ok),
    .coming_i       (coming),
    .ds_take_i      (ds_take),
    .ds_row_i       (ds_row),
    .bus_i          ('{row: op_row_o, words: op_words_o}),
    .op_claim_o     (op_claim_o),
    .rs_ok_i        (rs_ok_i),
    .op_take_o      (op_take_o),
    .op_alu_o       (op_alu_o),
    .op_fma_o       (op_fma_o),
    .op_gone_o      (op_o.gone),
    .op_gone_slot_o (op_o.gone_slot)
  );

  // ---- memory, and the units of the partition: a queue in front of each ---------------------------------------
  localparam int unsigned MEM   = kind_pkg::QUEUE_MEM;
  localparam int unsigned MEM_W = $bits(core_pkg::memop_t);

  logic [QUEUES-1:0] first;   // an instruction comes to this queue
  core_pkg::memop_t  memop;
  assign first = is_issued_i.first ? into : '0;

  mem_decode u_mem_decode (
    .en_i  (first[MEM]),
    .uop_i (is_uop_i),
    .op_o  (memop)
  );

  unit_queue #(.OP_W(MEM_W)) u_mem_queue (
    .clk_i         (clk_i),
    .rst_ni        (rst_ni),
    .is_new_i      (first[MEM]),
    .is_op_i       (memop),
    .is_last_row_i (plan.last_row),
    .ds_we_i       (ds_we[MEM]),
    .ds_row_i      (ds_row),
    .row_valid_i   (op_row_o.into[MEM]),
    .op_leave_o    (op_o.leave[MEM]),
    .op_valid_o    (op_mem_o.valid),
    .op_ready_i    (op_mem_ready_i),
    .op_o          (op_mem_o.op),
    .op_beat_o     (op_mem_o.beat),
    .op_data_o     (op_mem_o.data)
  );

  if (kind_pkg::HAS_UNITS) begin : gen_units
    localparam int unsigned ALL   = kind_pkg::QUEUE_UNITS;
    localparam int unsigned WIDE  = kind_pkg::UNIT_WORDS;
    localparam int unsigned VAR_W = kind_pkg::UNITS + $bits(core_pkg::varop_t);

    logic                       valid;
    logic [kind_pkg::UNITS-1:0] new_unit, unit;
    core_pkg::varop_t           varop;

    units_decode u_decode (
      .en_i   (first[ALL]),
      .uop_i  (is_uop_i),
      .unit_o (new_unit),
      .op_o   (varop)
    );

    unit_queue #(.OP_W(VAR_W), .ROWS(kind_pkg::UNIT_ROWS), .WORDS(WIDE), .NEAR(1'b1)) u_queue (
      .clk_i         (clk_i),
      .rst_ni        (rst_ni),
      .is_new_i      (first[ALL]),
      .is_op_i       ({new_unit, varop}),
      .is_last_row_i (plan.last_row),
      .ds_we_i       (ds_we[ALL][WIDE-1:0]),
      .ds_row_i      (ds_row[WIDE-1:0]),
      .row_valid_i   (op_row_o.into[ALL]),
      .op_leave_o    (op_o.leave[ALL]),
      .op_valid_o    (valid),
      .op_ready_i    ((unit & op_var_ready_i) != '0),
      .op_o          ({unit, op_var_o.op}),
      .op_beat_o     (op_var_o.beat),
      .op_data_o     (op_var_o.data)
    );
    assign op_var_o.valid = valid ? unit : '0;
  end else begin : gen_no_units
    assign op_var_o = '0;
  end

  // An instruction that is read is legal, and has a pipe here or is a register branch.
  `ASSERT_IF(a_unit, is_issued_i.valid,
             is_uop_i.dec.legal && (plan.coll || plan.pipe != '0 || is_uop_i.dec.unit == isa_pkg::UNIT_BR))

  // Fields that concern others.
  logic unused;
  assign unused = ^{is_issued_i, ct_start_i, ds_we, op_var_ready_i};

endmodule
