// SPDX-License-Identifier: Apache-2.0
// Operand stage: the readers of operands with their buses (operand_line), the register file that they read, and behind them the queues
// of rows for the pipes (collector) and of instructions for memory and the units (unit_queue).
// With two readers the first one has instructions of alu, cvt and half, and so special registers and predicates; the second one has
// fma, register branches, memory and units. Each reads in the order of issue; the two have at most one read a bank and cycle between
// them (bank_arb).
// Latency: see operand_line; words of a row are on its bus two cycles after its last read.
// Handshake: is_issued_i holds until op_o.ready; rows for queues of units go to places that issue has counted (op_o.leave).
// A block diagram, but for which row goes to which queue, and what a row says to issue and to divergence.
module operand #(
  localparam int unsigned LANES   = cfg_pkg::LANES,
  localparam int unsigned BANKS   = cfg_pkg::BANKS,
  localparam int unsigned WORDS   = back_pkg::WORDS,
  localparam int unsigned READERS = core_pkg::READERS,
  localparam int unsigned LINES   = core_pkg::LINES
) (
  input  logic                                     clk_i,
  input  logic                                     rst_ni,
  input  core_pkg::wipe_t                          wipe_i,
  // from issue: an instruction issues in this cycle (the reuse cache is looked up); it is read in the next ones
  input  front_pkg::pre_t                          is_pre_i,
  input  front_pkg::issued_t                       is_issued_i,
  input  core_pkg::uop_t [READERS-1:0]             is_uop_i,
  // to issue
  output front_pkg::operand_t                      op_o,
  // to and from issue: the predicates of a beat (P2R), a cycle later, else zero
  output front_pkg::pred_read_t                    op_pr_o,
  input  logic [6:0][LANES-1:0]                    pf_row_i,
  // from the block dispatcher
  input  logic                                     ct_start_valid_i,
  input  core_pkg::start_t                         ct_start_i,
  input  logic                                     ct_tid_valid_i,
  input  sm_pkg::tid_t                             ct_tid_i,
  // to and from the reservation table: the write ports of a beat that is on its bus in two cycles, if it is taken; or of one that
  // leaves each queue
  output logic [LINES-1:0][bus_pkg::CLAIM_W-1:0]   op_claim_o,   // claim_t each
  input  logic [LINES-1:0]                         rs_ok_i,
  output logic [LINES-1:0]                         op_take_o,
  // to the retire port: the operand buses
  output bus_pkg::line_t [READERS-1:0]             op_bus_o,
  // to the execute pipes and writeback: the rows of alu, cvt and half; of fma and register branches
  output bus_pkg::line_t                           op_alu_o,
  output bus_pkg::line_t                           op_fma_o,
  // to and from the load/store unit, and the units of the partition: from the queue of each
  output bus_pkg::mem_beat_t                       op_mem_o,
  input  logic                                     op_mem_ready_i,
  output bus_pkg::unit_beat_t                      op_var_o,
  input  logic [kind_pkg::UNITS-1:0]               op_var_ready_i,
  // to divergence: what register branches read
  output bus_pkg::branch_t                         op_br_o,
  // from the write ports of the register file
  input  bus_pkg::write_t                          wb_write_i,
  input  bus_pkg::drop_t                           wb_drop_i
);

  // ---- the readers ------------------------------------------------------------------------------------------------
  logic [READERS-1:0][BANKS-1:0]              want, free;
  bus_pkg::read_t [READERS-1:0]               reader;
  bus_pkg::reads_warp_t [READERS-1:0]         reads;
  bus_pkg::bank_read_t [READERS-1:0]          bank_read;
  bus_pkg::bank_read_t                        bank;
  bus_pkg::claim_t [READERS-1:0]              claim;
  logic [READERS-1:0]                         ok, take;
  bus_pkg::coming_t [READERS-1:0]             coming;
  bus_pkg::entry_t [READERS-1:0]              entry;
  front_pkg::pred_read_t [READERS-1:0]        pred_read;
  logic [BANKS-1:0][LANES-1:0][31:0]          bank_data;

  for (genvar k = 0; k < READERS; k++) begin : gen_line
    operand_line #(.PIPES(core_pkg::QUEUED ? '0 : back_pkg::pipes_of(k)), .SPECIAL(k == 0)) u_line (
      .clk_i(clk_i), .rst_ni(rst_ni),
      .is_pre_i         (is_pre_i),
      .is_valid_i       (is_issued_i.valid[k]),
      .is_first_i       (is_issued_i.first),
      .is_uop_i         (is_uop_i[k]),
      .op_o             (reader[k]),
      .op_other_i       (reads[READERS-1-k]),
      .op_reads_o       (reads[k]),
      .op_pr_o          (pred_read[k]),
      .pf_row_i         (pf_row_i),
      .ct_start_valid_i (ct_start_valid_i),
      .ct_start_slot_i  (core_pkg::local_slot(ct_start_i.slot)),
      .ct_tid_valid_i   (ct_tid_valid_i),
      .ct_tid_i         (ct_tid_i),
      .op_want_o        (want[k]),
      .ba_free_i        (free[k]),
      .op_read_o        (bank_read[k]),
      .rf_data_i        (bank_data),
      .op_claim_o       (claim[k]),
      .rs_ok_i          (ok[k]),
      .op_take_o        (take[k]),
      .op_coming_o      (coming[k]),
      .op_entry_o       (entry[k]),
      .op_bus_o         (op_bus_o[k]),
      .wb_drop_i        (wb_drop_i)
    );
    assign op_o.ready[k]      = reader[k].ready;
    // With an instruction's last row on the bus all its operands have been read.
    assign op_o.disp_valid[k] = (op_bus_o[k].row.valid || op_bus_o[k].row.into != '0) && op_bus_o[k].row.dest.last;
    assign op_o.disp_slot[k]  = core_pkg::local_slot(op_bus_o[k].row.dest.id.slot);
    assign op_o.disp_rbar[k]  = op_bus_o[k].row.rbar;
  end

  assign op_o.hold = READERS == 1 && reader[0].hold;   // of two each holds its own warp alone
  assign op_pr_o   = pred_read[0];

  // ---- what they read ---------------------------------------------------------------------------------------------
  bank_arb u_arb (
    .clk_i     (clk_i),
    .rst_ni    (rst_ni),
    .op_want_i (want),
    .ba_free_o (free),
    .op_read_i (bank_read),
    .ba_read_o (bank)
  );

  regfile u_regfile (
    .clk_i      (clk_i),
    .wipe_i     (wipe_i),
    .read_i     (bank),
    .rd_data_o  (bank_data),
    .wb_write_i (wb_write_i)
  );

  // ---- how rows come to the fixed pipes: from the buses, or from row queues, one in front of alu and cvt, one in front of fma; then
  // the bus is free for the next row at once, and rows of different warps make their passes side by side ---------------------------
  if (core_pkg::QUEUED) begin : gen_queues
    bus_pkg::line_t [1:0] line;
    for (genvar k = 0; k < LINES; k++) begin : gen_line
      localparam int unsigned WIDE = (k == 0) ? WORDS - 1 : WORDS;   // word x is fma's, or a branch's
      logic           there;                                         // a row may leave
      back_pkg::row_t oldest;

      collector #(.WORDS(WIDE), .DEPTH(cfg_pkg::ROW_QUEUES * cfg_pkg::BEATS), .PIPES(back_pkg::pipes_of(k))) u_rows (
        .clk_i       (clk_i),
        .rst_ni      (rst_ni),
        .ds_coming_i (coming[0]),
        .ds_here_i   (coming[0].into == '0 && coming[0].fma == 1'(k)),
        .op_valid_o  (there),
        .op_ready_i  (rs_ok_i[k]),
        .keep_i      (1'b0),
        .op_row_o    (oldest),
        .op_line_o   (line[k])
      );
      assign op_claim_o[k]     = bus_pkg::claim_of(there, oldest.dest);
      assign op_take_o[k]      = there && rs_ok_i[k];
      assign op_o.gone[k]      = op_take_o[k] && oldest.dest.last;
      assign op_o.gone_slot[k] = core_pkg::local_slot(oldest.dest.id.slot);
      logic unused_oldest;
      assign unused_oldest = ^oldest;
    end
    assign op_o.done = '0;
    assign op_alu_o = line[0];
    assign op_fma_o = line[1];
    assign ok       = '1;
    logic unused_claim;
    assign unused_claim = ^{claim, take};
  end else begin : gen_buses
    for (genvar k = 0; k < LINES; k++) begin : gen_line
      assign op_claim_o[k]     = claim[k];
      assign op_o.gone[k]      = reader[k].gone;
      assign op_o.done[k]      = reader[k].done;
      assign op_o.gone_slot[k] = reader[k].gone_slot;
    end
    assign ok        = rs_ok_i;
    assign op_take_o = take;
    assign op_alu_o  = op_bus_o[0];
    assign op_fma_o  = op_bus_o[READERS-1];
  end

  // ---- to divergence: a pair a, or a word b, of as many lanes as fma takes in a pass; a word that is not there is zero -------------
  localparam int unsigned BR_LANES = core_pkg::BR_LANES;
  assign op_br_o = '{
    valid: (op_fma_o.row.valid || op_fma_o.more) && op_fma_o.row.dest.pipe == '0,
    slot:  core_pkg::local_slot(op_fma_o.row.dest.id.slot),
    beat:  5'((32'(op_fma_o.row.dest.beat) + 32'd1) * cfg_pkg::FMA_PASSES - 32'd1 - 32'(op_fma_o.left)),
    lo:    op_fma_o.words.a[BR_LANES-1:0] | op_fma_o.words.b[BR_LANES-1:0],
    hi:    op_fma_o.words.x[BR_LANES-1:0]
  };

  // ---- memory, and the units of the partition: a queue in front of each, behind the last reader -----------------------------------
  localparam int unsigned LAST  = READERS - 1;
  localparam int unsigned MEM   = kind_pkg::QUEUE_MEM;
  localparam int unsigned MEM_W = $bits(core_pkg::memop_t);

  core_pkg::memop_t  memop;

  mem_decode u_mem_decode (
    .en_i  (entry[LAST].into[MEM]),
    .uop_i (entry[LAST].uop),
    .op_o  (memop)
  );

  unit_queue #(.OP_W(MEM_W)) u_mem_queue (
    .clk_i         (clk_i),
    .rst_ni        (rst_ni),
    .is_new_i      (entry[LAST].into[MEM]),
    .is_op_i       (memop),
    .is_last_row_i (entry[LAST].last_row),
    .ds_coming_i   (coming[LAST]),
    .ds_here_i     (coming[LAST].into[MEM]),
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
      .en_i   (entry[LAST].into[ALL]),
      .uop_i  (entry[LAST].uop),
      .unit_o (new_unit),
      .op_o   (varop)
    );

    unit_queue #(.OP_W(VAR_W), .ROWS(kind_pkg::UNIT_ROWS), .WORDS(WIDE), .NEAR(1'b1)) u_queue (
      .clk_i         (clk_i),
      .rst_ni        (rst_ni),
      .is_new_i      (entry[LAST].into[ALL]),
      .is_op_i       ({new_unit, varop}),
      .is_last_row_i (entry[LAST].last_row),
      .ds_coming_i   (coming[LAST]),
      .ds_here_i     (coming[LAST].into[ALL]),
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
    logic unused_ready;
    assign unused_ready = ^op_var_ready_i;
  end

  // Fields that concern others; special registers and predicates are read by the first one alone.
  logic unused;
  assign unused = ^{is_issued_i, ct_start_i, reader, coming, pred_read, entry};

endmodule
