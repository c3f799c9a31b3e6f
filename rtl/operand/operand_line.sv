// SPDX-License-Identifier: Apache-2.0
// One reader of operands and its bus: reads the words of an instruction, beat by beat, and sends rows to the pipes and to the
// queues of units of varying latency. One instruction is read at a time; the next one follows without a gap.
// Latency: with one reader an instruction that issues in cycle t (is_pre) is read from t+1 on, its first row on the bus in t+3, then
// a row a cycle; each bank conflict, and each write port that is taken, one cycle more. Of two readers each has an instruction of
// its own in front of it, from t+1 on, which goes on into the reader as soon as the last row before it is read, and that of what its
// warp has issued before, wherever that is; a cycle later if the latter has a stall count of more than BEATS. It is read from the
// cycle after that on.
// Handshake: is_valid_i holds until op_o.ready; rows for queues of units go to places that issue has counted.
// It does not order anything but what it reads: strictly in the order of issue. A block diagram but for the register behind is_uop_i
// and the words that say where a row goes.
`include "heddle_assert.svh"

module operand_line #(
  parameter  logic [cfg_pkg::PIPES-1:0] PIPES   = '0,     // their rows make passes on the bus
  parameter  bit                        SPECIAL = 1'b1,   // it has S2R and P2R
  localparam int unsigned LANES  = cfg_pkg::LANES,
  localparam int unsigned BANKS  = cfg_pkg::BANKS,
  localparam int unsigned BEATS  = cfg_pkg::BEATS,
  localparam int unsigned BEAT_W = cfg_pkg::BEAT_W,
  localparam int unsigned WORDS  = back_pkg::WORDS
) (
  input  logic                                     clk_i,
  input  logic                                     rst_ni,
  // from issue
  input  front_pkg::pre_t                          is_pre_i,
  input  logic                                     is_valid_i,
  input  logic                                     is_first_i,
  input  core_pkg::uop_t                           is_uop_i,
  // to issue
  output bus_pkg::read_t                           op_o,
  // from the other reader: the warp that it reads
  input  bus_pkg::reads_warp_t                     op_other_i,
  output bus_pkg::reads_warp_t                     op_reads_o,
  // to and from issue: the predicates of a beat (P2R), a cycle later, else zero
  output front_pkg::pred_read_t                    op_pr_o,
  input  logic [6:0][LANES-1:0]                    pf_row_i,
  // from the block dispatcher
  input  logic                                     ct_start_valid_i,
  input  logic [cfg_pkg::WARP_W-1:0]               ct_start_slot_i,
  input  logic                                     ct_tid_valid_i,
  input  sm_pkg::tid_t                             ct_tid_i,
  // to and from the bank arbiter, the register file
  output logic [BANKS-1:0]                         op_want_o,
  input  logic [BANKS-1:0]                         ba_free_i,
  output bus_pkg::bank_read_t                      op_read_o,
  input  logic [BANKS-1:0][LANES-1:0][31:0]        rf_data_i,
  // to and from the reservation table, or the row queues: a row may be completed
  output bus_pkg::claim_t                          op_claim_o,
  input  logic                                     rs_ok_i,
  output logic                                     op_take_o,
  // to the row queues and those of units: words on their way to the bus; an instruction that comes to a queue of units
  output bus_pkg::coming_t                         op_coming_o,
  output bus_pkg::entry_t                          op_entry_o,
  // the bus
  output bus_pkg::line_t                           op_bus_o,
  // from the write ports of the register file
  input  bus_pkg::drop_t                           wb_drop_i
);

  // ---- the instruction that is read -----------------------------------------------------------------------------
  front_pkg::pre_t            pre;     // it comes
  logic                       valid, first, ready;
  logic                       ask, take, last, near;   // a row may be completed, is, and is the last
  core_pkg::uop_t             uop;
  logic [cfg_pkg::WARP_W-1:0] read_slot;

  if (core_pkg::READERS > 1) begin : gen_ahead
    logic           go, valid_q, first_q;
    core_pkg::uop_t uop_q;
    logic [cfg_pkg::WARP_W-1:0] next;
    assign next = core_pkg::local_slot(is_uop_i.id.slot);
    // What its warp has issued before must have been read before, so that writes come after reads.
    assign go = is_valid_i && ready && !(op_other_i.valid && op_other_i.slot == next) && !(op_reads_o.valid && read_slot == next);
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        valid_q <= 1'b0;
        first_q <= 1'b0;
      end else begin
        valid_q <= go || (valid_q && !ready);
        first_q <= go;
      end
    end
    always_ff @(posedge clk_i) begin
      if (ready) uop_q <= is_uop_i;
    end
    assign pre        = '{valid: go, slot: core_pkg::local_slot(is_uop_i.id.slot), rbase: is_uop_i.rbase, dec: is_uop_i.dec};
    assign valid      = valid_q;
    assign first      = first_q;
    assign uop        = uop_q;
    assign op_o.ready = go;
    logic unused_pre;
    assign unused_pre = ^{is_pre_i, is_first_i};
  end else begin : gen_now
    assign pre        = is_pre_i;
    assign valid      = is_valid_i;
    assign first      = is_first_i;
    assign uop        = is_uop_i;
    assign op_o.ready = ready;
    logic unused_other;
    assign unused_other = ^op_other_i;
  end

  assign read_slot       = core_pkg::local_slot(uop.id.slot);
  assign op_reads_o = '{valid: valid && !(take && last && 32'(uop.dec.stall) <= BEATS), slot: read_slot};

  // ---- what it reads ------------------------------------------------------------------------------------------------
  back_pkg::plan_t                         read_plan;
  back_pkg::reads_t                        read_left;
  logic [WORDS-1:0][back_pkg::WREG_W-1:0]  wreg;
  logic [2:0]                              hit, fill;
  logic [1:0]                              read_row, next_row, early;
  logic [BEAT_W-1:0]                       read_beat;
  back_pkg::beat_t                         now;

  operand_map u_map (
    .clk_i      (clk_i),
    .ready_i    (ready),
    .arrive_i   (pre.valid),
    .dec_i      (pre.dec),
    .rbase_i    (pre.rbase),
    .hit_i      (hit),
    .valid_i    (valid),
    .uop_i      (uop),
    .plan_o     (read_plan),
    .beat_i     (read_beat),
    .row_i      (read_row),
    .next_i     (take),
    .next_row_i (next_row),
    .early_i    (early),
    .reads_o    (read_left),
    .wreg_o     (wreg),
    .beat_o     (now)
  );

  assign op_entry_o = '{into: first ? back_pkg::queue_of(read_plan) : '0, last_row: read_plan.last_row, uop: uop};
  assign op_claim_o = '{ports: read_plan.ports, pipe: (core_pkg::READERS == 1 || ask) ? read_plan.pipe : '0, preds: read_plan.preds};
  assign op_take_o  = take;

  // ---- the walk through its beats -----------------------------------------------------------------------------------
  logic [WORDS-1:0][BANKS-1:0]             read;
  logic [1:0]                              got;

  reader u_reader (
    .clk_i      (clk_i),
    .rst_ni     (rst_ni),
    .valid_i    (valid),
    .reads_i    (read_left),
    .wreg_i     (wreg),
    .last_row_i (read_plan.last_row),
    .stay_i     ((core_pkg::QUEUED ? '0 : back_pkg::stay_of(read_plan.pipe, read_plan.pipe == '0 && !read_plan.coll))),
    .beat_o     (read_beat),
    .row_o      (read_row),
    .next_row_o (next_row),
    .early_o    (early),
    .want_o     (op_want_o),
    .free_i     (ba_free_i),
    .rd_o       (op_read_o),
    .read_o     (read),
    .ask_o      (ask),
    .final_i    (rs_ok_i),
    .final_o    (take),
    .last_o     (last),
    .got_o      (got),
    .near_o     (near),
    .ready_o    (ready),
    .hold_o     (op_o.hold)
  );

  // Of two readers: its warp goes on. That is when the last row is read, or three beats before.
  if (core_pkg::READERS > 1) begin : gen_soon
    logic soon;
    assign soon           = 32'(uop.dec.stall) <= BEATS + 1 && back_pkg::soon_of(read_plan);
    assign op_o.gone      = take && (soon ? near : last);
    assign op_o.done      = take && last;
    assign op_o.gone_slot = read_slot;
  end else begin : gen_queued
    assign op_o.gone      = 1'b0;
    assign op_o.done      = 1'b0;
    assign op_o.gone_slot = '0;
    logic unused_near;
    assign unused_near = near;
  end

  // ---- what is read beside the register file: predicates, which younger instructions write later; kept words; what is no register ----
  logic [2:0][LANES-1:0][31:0]         reuse_data;
  logic [WORDS-1:0][LANES-1:0][31:0]   side_data;
  logic                                live, complete;
  back_pkg::beat_t                     beat;
  back_pkg::kept_t                     kept;

  assign op_pr_o = '{en: take && now.preds_c, slot: read_slot, beat: 5'(read_beat)};

  reuse u_reuse (
    .clk_i         (clk_i),
    .rst_ni        (rst_ni),
    .start_valid_i (ct_start_valid_i),
    .start_slot_i  (ct_start_slot_i),
    .ready_i       (ready),
    .arrive_i      (pre.valid),
    .arrive_slot_i (pre.slot),
    .arrive_dec_i  (pre.dec),
    .read_i        (valid && !read_plan.coll),
    .rd_slot_i     (read_slot),
    .hit_o         (hit),
    .fill_o        (fill),
    .rd_en_i       (take ? read_plan.kept : '0),
    .rd_beat_i     (read_beat),
    .rd_data_o     (reuse_data),
    .ds_kept_i     (kept),
    .wb_drop_i     (wb_drop_i)
  );

  side_values #(.SPECIAL(SPECIAL)) u_side (
    .clk_i          (clk_i),
    .rst_ni         (rst_ni),
    .ct_tid_valid_i (ct_tid_valid_i),
    .ct_tid_i       (ct_tid_i),
    .tid_en_i       (take && now.tid_b),
    .tid_slot_i     (read_slot),
    .tid_beat_i     (read_beat),
    .live_i         (live),
    .final_i        (complete),
    .beat_i         (beat),
    .preds_i        (pf_row_i),
    .side_o         (side_data)
  );

  // ---- the bus --------------------------------------------------------------------------------------------------------
  dispatch #(.PIPES(PIPES)) u_dispatch (
    .clk_i           (clk_i),
    .rst_ni          (rst_ni),
    .valid_i         (valid),
    .beat_i          (now),
    .fill_i          (fill),
    .early_i         (early),
    .complete_i      (take),
    .got_i           (got),
    .read_i          (read),
    .bank_data_i     (rf_data_i),
    .reuse_data_i    (reuse_data),
    .side_data_i     (side_data),
    .ds_live_o       (live),
    .ds_final_o      (complete),
    .ds_beat_o       (beat),
    .ds_kept_o       (kept),
    .ds_coming_o     (op_coming_o),
    .op_bus_o        (op_bus_o)
  );

  // An instruction that is read is legal, and has a pipe here or is a register branch.
  `ASSERT_IF(a_unit, valid, uop.dec.legal && (read_plan.coll || read_plan.pipe != '0 || uop.dec.unit == isa_pkg::UNIT_BR))

endmodule
