// SPDX-License-Identifier: Apache-2.0
// The memory side of the request channel, order or (SHARED) l2_bank, and the adder of floats, with the channel's structs as
// single ports. Ports of SHARED alone do nothing without it.
/* verilator lint_off UNUSEDSIGNAL */   // numbers are bytes, whatever the configuration

module bank_tb #(
  parameter  bit          SHARED = 1'b0,
  localparam int unsigned BITS   = line_pkg::BITS,
  localparam int unsigned BYTES  = line_pkg::BYTES
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  input  logic                flush_i,
  input  logic                flush_keep_i,
  input  logic [32:0]         flush_base_i,
  input  logic [33:0]         flush_limit_i,
  output logic                flushed_o,
  output logic                dirty_o,
  output logic                lost_o,
  output logic [32:0]         lost_line_o,
  // the configuration
  output logic [31:0]         cfg_bits_o,
  output logic [31:0]         cfg_tags_o,
  output logic [31:0]         cfg_atoms_o,
  output logic [31:0]         cfg_warps_o,
  output logic [31:0]         cfg_sms_o,
  output logic [31:0]         cfg_tag_w_o,
  output logic [31:0]         cfg_entries_o,
  output logic [31:0]         cfg_banks_o,
  output logic [31:0]         cfg_sets_o,
  output logic [31:0]         cfg_ways_o,
  // lw_
  input  logic                lw_valid_i,
  input  logic                lw_atom_i,
  input  logic [4:0]          lw_lane_i,
  input  logic [4:0]          lw_place_i,
  input  logic [1:0]          lw_piece_i,
  input  logic [4:0]          lw_beat_i,
  input  logic [BYTES-1:0]    lw_strb_i,
  input  logic [BITS-1:0]     lw_data_i,
  // lq_
  input  logic                lq_valid_i,
  input  logic [7:0]          lq_sm_i,
  input  logic [7:0]          lq_tag_i,
  input  logic [2:0]          lq_kind_i,
  input  logic [32:0]         lq_line_i,
  input  logic [3:0]          lq_sectors_i,
  input  logic [5:0]          lq_op_i,
  input  logic                lq_wide_i,
  input  logic                lq_gives_i,
  input  logic [7:0]          lq_slot_i,
  input  logic [7:0]          lq_gen_i,
  input  logic [31:0]         lq_seq_i,
  input  logic [31:0]         lq_lanes_i,
  input  logic [63:0]         lq_at_i,
  input  logic                lq_is_local_i,
  input  logic [17:0]         lq_word_i,
  // lc_, ld_, la_
  output logic                lc_valid_o,
  output logic                lc_atom_o,
  output logic                ld_valid_o,
  input  logic                ld_ready_i,
  output logic [15:0]         ld_tag_o,
  output logic [4:0]          ld_beat_o,
  output logic [BITS-1:0]     ld_data_o,
  output logic                la_valid_o,
  input  logic                la_ready_i,
  output logic [15:0]         la_tag_o,
  output logic                la_done_o,
  output logic                la_err_o,
  output logic [4:0]          la_lane_o,
  output logic [63:0]         la_old_o,
  // retire port
  output logic                rec_valid_o,
  output logic [3:0]          rec_fill_o,     // of a refill: its sectors, all at once
  output logic [31:0]         rec_number_o,
  output logic                rec_same_o,
  output logic [7:0]          rec_sm_o,
  output logic [7:0]          rec_slot_o,
  output logic [7:0]          rec_gen_o,
  output logic [31:0]         rec_seq_o,
  output logic [7:0]          rec_access_o,
  output logic [63:0]         rec_sector_o,
  output logic [63:0]         rec_stamp_o,
  output logic [7:0]          rec_bank_o,
  output logic [31:0]         rec_lanes_o,
  output logic [31:0]         rec_wstrb_o,
  output logic [255:0]        rec_wdata_o,
  output logic [255:0]        rec_rdata_o,
  // AXI
  output logic                awvalid_o,
  input  logic                awready_i,
  output logic [7:0]          awid_o,
  output logic [39:0]         awaddr_o,
  output logic [7:0]          awlen_o,
  output logic [2:0]          awsize_o,
  output logic [1:0]          awburst_o,
  output logic                wvalid_o,
  input  logic                wready_i,
  output logic [BITS-1:0]     wdata_o,
  output logic [BYTES-1:0]    wstrb_o,
  output logic                wlast_o,
  input  logic                bvalid_i,
  output logic                bready_o,
  input  logic [7:0]          bid_i,
  input  logic [1:0]          bresp_i,
  output logic                arvalid_o,
  input  logic                arready_i,
  output logic [7:0]          arid_o,
  output logic [39:0]         araddr_o,
  output logic [7:0]          arlen_o,
  output logic [2:0]          arsize_o,
  output logic [1:0]          arburst_o,
  input  logic                rvalid_i,
  output logic                rready_o,
  input  logic [7:0]          rid_i,
  input  logic [BITS-1:0]     rdata_i,
  input  logic [1:0]          rresp_i,
  input  logic                rlast_i
);

  line_pkg::write_t         lw;
  line_pkg::request_t       lq;
  line_pkg::sent_t          sent;
  line_pkg::bank_got_t      got;
  line_pkg::note_t [line_pkg::SENDERS-1:0] note;
  retire_pkg::global_t      record;
  retire_pkg::fill_t [retire_pkg::LINE-1:0] fills;
  retire_pkg::fill_t        fill;
  logic                     record_valid, unused_record, add_done;
  atom_pkg::add_req_t       add_req;
  logic [63:0]              add_sum;
  axi_pkg::axi_req_t        req;
  axi_pkg::axi_rsp_t        rsp;

  assign cfg_bits_o  = BITS;
  assign cfg_tags_o  = line_pkg::TAGS;
  assign cfg_atoms_o = SHARED ? l2_pkg::SLOTS : line_pkg::ATOMS;
  assign cfg_sms_o   = line_pkg::SMS;
  assign cfg_tag_w_o = line_pkg::TAG_W;
  assign cfg_entries_o = l2_pkg::ENTRIES;
  assign cfg_banks_o = l2_pkg::BANKS;
  assign cfg_sets_o  = l2_pkg::SETS;
  assign cfg_ways_o  = l2_pkg::WAYS;
  assign cfg_warps_o = cfg_pkg::SM_WARPS;

  assign lw = '{atom: lw_atom_i, lane: lw_lane_i, place: lw_place_i, piece: lw_piece_i,
    beat: line_pkg::BEAT_W'(lw_beat_i), strb: lw_strb_i, data: lw_data_i};
  assign lq = '{sm: SHARED ? lq_sm_i : 8'd5, tag: line_pkg::TAG_W'(lq_tag_i), kind: line_pkg::kind_e'(lq_kind_i), scope: line_pkg::GPU,
    line: lq_line_i, sectors: lq_sectors_i, op: lq_op_i, wide: lq_wide_i, gives: lq_gives_i,
    slot: cfg_pkg::SM_WARP_W'(lq_slot_i), lanes: lq_lanes_i, is_local: lq_is_local_i};
  assign sent = '{lw_valid: lw_valid_i, lw: lw, lq_valid: lq_valid_i, lq: lq, la_ready: la_ready_i};
  // A refill's number comes as its lanes.
  always_comb begin
    note = '0;
    for (int unsigned s = 0; s < line_pkg::SENDERS; s++) begin
      note[s] = '{valid: lq_valid_i && (line_pkg::SENDERS == 1 || 32'(lq.sm) == s), tag: lq.tag, gen: lq_gen_i,
        seq: (lq.kind == line_pkg::FILL) ? lq_lanes_i : lq_seq_i, at: lq_at_i, word: lq_word_i};
    end
  end

  assign lc_valid_o = got.lc_valid;
  assign lc_atom_o  = got.lc_atom;
  assign ld_valid_o = got.ld_valid;
  assign ld_tag_o   = 16'(got.ld.tag);
  assign ld_beat_o  = 5'(got.ld.beat);
  assign ld_data_o  = got.ld.data;
  assign la_valid_o = got.la_valid;
  assign la_tag_o   = 16'(got.la.tag);
  assign la_done_o  = got.la.done;
  assign la_err_o   = got.la.err;
  assign la_lane_o  = got.la.lane;
  assign la_old_o   = got.la.old;

  assign rec_valid_o   = record_valid || rec_fill_o != '0;
  // The first of them; the others say the same of their sectors.
  always_comb begin
    fill         = '0;
    rec_same_o   = 1'b1;
    for (int unsigned s = 0; s < 4; s++) begin
      if (rec_fill_o[3-s]) fill = fills[3-s];
    end
    for (int unsigned s = 0; s < 4; s++) begin
      automatic retire_pkg::fill_t want = fill;
      want.sector[1:0] = 2'(s);
      if (rec_fill_o[s] && fills[s] != want) rec_same_o = 1'b0;
    end
  end
  assign rec_number_o  = fill.number;
  assign rec_sm_o      = (rec_fill_o != '0) ? fill.sm : record.id.sm;
  assign rec_slot_o    = record.id.slot;
  assign rec_gen_o     = record.id.gen;
  assign rec_seq_o     = record.id.seq;
  assign rec_access_o  = (rec_fill_o != '0) ? 8'd3 * fill.is_local : record.access;
  assign rec_sector_o  = (rec_fill_o != '0) ? fill.sector : record.sector;
  assign rec_stamp_o   = (rec_fill_o != '0) ? fill.stamp : record.stamp;
  assign rec_bank_o    = (rec_fill_o != '0) ? fill.bank : record.bank;
  assign rec_lanes_o   = record.lanes;
  assign rec_wstrb_o   = record.wstrb;
  assign rec_wdata_o   = record.wdata;
  assign rec_rdata_o   = record.rdata;
  assign unused_record = ^{record, fill};

  if (SHARED) begin : gen_shared
    l2_pkg::flushed_t flushed;
    assign {flushed_o, dirty_o, lost_o, lost_line_o} = flushed;
    l2_bank #(.BANK(l2_pkg::BANKS - 1)) u_dut (
      .clk_i              (clk_i),
      .rst_ni             (rst_ni),
      .ch_i               (sent),
      .ld_ready_i         (ld_ready_i),
      .ch_o               (got),
      .note_i             (note),
      .add_req_o          (add_req),
      .add_done_i         (add_done),
      .add_sum_i          (add_sum),
      .flush_i            ('{valid: flush_i, keep: flush_keep_i, base: flush_base_i, limit: flush_limit_i}),
      .flushed_o          (flushed),
      .ret_global_valid_o (record_valid),
      .ret_global_o       (record),
      .ret_fill_valid_o   (rec_fill_o),
      .ret_fill_o         (fills),
      .axi_o              (req),
      .axi_i              (rsp)
    );
  end else begin : gen_order
    order #(.BANK(3)) u_dut (
      .clk_i              (clk_i),
      .rst_ni             (rst_ni),
      .ch_i               (sent),
      .ch_o               (got),
      .note_i             (note),
      .add_req_o          (add_req),
      .add_done_i         (add_done),
      .add_sum_i          (add_sum),
      .ret_global_valid_o (record_valid),
      .ret_global_o       (record),
      .ret_fill_valid_o   (rec_fill_o),
      .ret_fill_o         (fills),
      .axi_o              (req),
      .axi_i              (rsp)
    );
    assign flushed_o   = 1'b0;
    assign dirty_o     = 1'b0;
    assign lost_o      = 1'b0;
    assign lost_line_o = '0;
  end
  assign awvalid_o = req.awvalid;
  assign awaddr_o  = req.awaddr;
  assign awlen_o   = req.awlen;
  assign awsize_o  = req.awsize;
  assign awburst_o = req.awburst;
  assign wvalid_o  = req.wvalid;
  assign wdata_o   = req.wdata;
  assign wstrb_o   = req.wstrb;
  assign wlast_o   = req.wlast;
  assign bready_o  = req.bready;
  assign arvalid_o = req.arvalid;
  assign araddr_o  = req.araddr;
  assign arlen_o   = req.arlen;
  assign arsize_o  = req.arsize;
  assign arburst_o = req.arburst;
  assign rready_o  = req.rready;
  assign awid_o    = 8'(req.awid);
  assign arid_o    = 8'(req.arid);
  assign rsp = '{awready: awready_i, wready: wready_i, bvalid: bvalid_i, bid: l2_pkg::AXI_ID_W'(bid_i), bresp: bresp_i, arready: arready_i,
    rvalid: rvalid_i, rid: l2_pkg::AXI_ID_W'(rid_i), rdata: rdata_i, rresp: rresp_i, rlast: rlast_i};

  // The adder of floats.
  if (cfg_pkg::HAS_FATOM) begin : gen_add
    atom_add u_add (
      .clk_i      (clk_i),
      .rst_ni     (rst_ni),
      .add_req_i  (add_req),
      .add_done_o (add_done),
      .add_sum_o  (add_sum)
    );
  end else begin : gen_no_add
    logic unused;
    assign add_done = 1'b0;
    assign add_sum = '0;
    assign unused  = ^add_req;
  end

endmodule
