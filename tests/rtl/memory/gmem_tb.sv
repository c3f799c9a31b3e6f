// SPDX-License-Identifier: Apache-2.0
// gmem with its AXI master, structs taken apart into plain ports; the caches' clients are driven by the bench as well.
// Latency, handshake: those of gmem and axi_master.
// It adds no logic.
`default_nettype none

module gmem_tb #(
  localparam int unsigned LANES  = cfg_pkg::LSU_LANES,
  localparam int unsigned WARP_W = cfg_pkg::SM_WARP_W,
  localparam int unsigned AXI    = cfg_pkg::AXI_BITS
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  input  logic [7:0]          fault_i,
  output logic                idle_o,
  output logic [31:0]         cfg_lanes_o,
  output logic [31:0]         cfg_warps_o,
  output logic [31:0]         cfg_axi_o,
  output logic [31:0]         cfg_ids_o,
  output logic [31:0]         cfg_gslots_o,
  output logic [31:0]         cfg_st_bits_o,
  // requests
  input  logic                rq_valid_i,
  output logic                rq_ready_o,
  input  logic [WARP_W-1:0]   rq_slot_i,
  input  logic [7:0]          rq_gen_i,
  input  logic [31:0]         rq_seq_i,
  input  logic [1:0]          rq_kind_i,
  input  logic [34:0]         rq_sector_i,
  input  logic [31:0]         rq_lanes_i,
  input  logic [mem_pkg::GSLOT_W-1:0] rq_gslot_i,
  input  logic [31:0]         rq_wstrb_i,
  // bytes of stores, ahead of their request
  input  logic                st_valid_i,
  output logic                st_ready_o,
  input  logic [31:0]         st_strb_i,
  input  logic [mem_pkg::ST_BITS-1:0] st_data_i,
  // operands of atomics
  input  logic                row_valid_i,
  input  logic [mem_pkg::GROW_W-1:0] row_i,
  input  logic [LANES-1:0][2:0]  row_word_i,
  input  logic [1:0][LANES-1:0][31:0] row_operand_i,
  input  logic [1:0][LANES-1:0][31:0] row_swap_i,
  input  logic                row_wide_i,
  input  logic [5:0]          row_atom_i,
  // answers
  output logic                rs_valid_o,
  input  logic                rs_ready_i,
  output logic [mem_pkg::GSLOT_W-1:0] rs_gslot_o,
  output logic [31:0]         rs_lanes_o,
  output logic [34:0]         rs_sector_o,
  output logic [255:0]        rs_rdata_o,
  output logic                rs_give_o,
  output logic                rs_done_o,
  output logic                rs_err_o,
  // a cache
  input  logic                ic_valid_i,
  output logic                ic_ready_o,
  input  logic [33:0]         ic_line_i,
  output logic                ic_beat_valid_o,
  output logic [AXI-1:0]      ic_beat_data_o,
  output logic                ic_beat_err_o,
  // retire port
  output logic                gmem_valid_o,
  output logic [7:0]          gmem_slot_o,
  output logic [7:0]          gmem_gen_o,
  output logic [31:0]         gmem_seq_o,
  output logic [1:0]          gmem_kind_o,
  output logic [31:0]         gmem_lanes_o,
  output logic [34:0]         gmem_sector_o,
  output logic [31:0]         gmem_wstrb_o,
  output logic [255:0]        gmem_wdata_o,
  output logic [255:0]        gmem_rdata_o,
  // AXI
  output logic                awvalid_o,
  input  logic                awready_i,
  output logic [mem_pkg::AXI_ID_W-1:0] awid_o,
  output logic [39:0]         awaddr_o,
  output logic [7:0]          awlen_o,
  output logic [2:0]          awsize_o,
  output logic [1:0]          awburst_o,
  output logic                wvalid_o,
  input  logic                wready_i,
  output logic [AXI-1:0]      wdata_o,
  output logic [AXI/8-1:0]    wstrb_o,
  output logic                wlast_o,
  input  logic                bvalid_i,
  output logic                bready_o,
  input  logic [mem_pkg::AXI_ID_W-1:0] bid_i,
  input  logic [1:0]          bresp_i,
  output logic                arvalid_o,
  input  logic                arready_i,
  output logic [mem_pkg::AXI_ID_W-1:0] arid_o,
  output logic [39:0]         araddr_o,
  output logic [7:0]          arlen_o,
  output logic [2:0]          arsize_o,
  output logic [1:0]          arburst_o,
  input  logic                rvalid_i,
  output logic                rready_o,
  input  logic [mem_pkg::AXI_ID_W-1:0] rid_i,
  input  logic [AXI-1:0]      rdata_i,
  input  logic [1:0]          rresp_i,
  input  logic                rlast_i
);

  retire_pkg::global_t perform;
  assign gmem_slot_o   = perform.id.slot;
  assign gmem_gen_o    = perform.id.gen;
  assign gmem_seq_o    = perform.id.seq;
  assign gmem_kind_o   = 2'(perform.access);
  assign gmem_lanes_o  = perform.lanes;
  assign gmem_sector_o = perform.sector[34:0];
  assign gmem_wstrb_o  = perform.wstrb;
  assign gmem_wdata_o  = perform.wdata;
  assign gmem_rdata_o  = perform.rdata;
  logic unused_records;
  assign unused_records = ^{perform};

  mem_pkg::greq_t                rq;
  mem_pkg::grsp_t                rs;
  core_pkg::memreq_t             req;
  logic                          ard_valid, ard_ready, awr_valid, awr_ready, r_valid, r_last, r_err, b_valid, b_err;
  logic [mem_pkg::ENTRY_W-1:0]   ard_entry, awr_entry, r_entry, b_entry;
  logic [34:0]                   ard_sector, awr_sector;
  logic [31:0]                   awr_strb;
  logic [255:0]                  awr_data;
  logic [mem_pkg::AXI_CNT_W-1:0] r_beat, awr_beat;
  logic [AXI-1:0]                r_data;
  logic                          unused_cc_ready, unused_cc_valid;
  logic [mem_pkg::IC_TAG_W-1:0]  unused_ic_tag;
  logic [mem_pkg::CC_TAG_W-1:0]  unused_cc_tag;
  logic [mem_pkg::LINE_CNT_W-1:0] r_line_beat;
  assign r_beat = r_line_beat[mem_pkg::AXI_CNT_W-1:0];
  logic                          unused_line_beat;
  assign unused_line_beat = ^r_line_beat;
  logic [5:0]                    unused_size;
  logic                          unused_next;
  logic [mem_pkg::BEATS-1:0]     unused_rows;
  logic [mem_pkg::GSLOT_W-1:0]   next_slot;
  logic [mem_pkg::BEAT_W-1:0]    next_beat;
  logic [LANES-1:0][31:0]        unused_words;
  logic                          unused_row;
  assign unused_row = ^{next_slot, next_beat};
  atom_pkg::add_req_t [1:0]      add_req;
  logic                          add_done, unused_add_done;
  logic [63:0]                   add_sum;

  assign cfg_lanes_o = LANES;
  assign cfg_warps_o = cfg_pkg::SM_WARPS;
  assign cfg_axi_o   = AXI;
  assign cfg_ids_o   = mem_pkg::ENTRIES;
  assign cfg_gslots_o  = mem_pkg::GSLOTS;
  assign cfg_st_bits_o = mem_pkg::ST_BITS;

  assign rq.meta.id.slot = rq_slot_i;
  assign rq.meta.id.gen  = rq_gen_i;
  assign rq.meta.id.seq  = rq_seq_i;
  assign rq.meta.kind    = rq_kind_i;
  assign rq.meta.sector  = {1'b0, rq_sector_i};
  assign rq.meta.part    = '0;
  assign rq.meta.lanes   = rq_lanes_i;
  assign rq.meta.gslot   = rq_gslot_i;
  assign rq.meta.size    = isa_pkg::SIZE_32;
  assign rq.wstrb        = rq_wstrb_i;

  mem_pkg::piece_t st_piece;
  always_comb begin
    st_piece = '0;
    for (int unsigned w = 0; w < 8; w++) begin
      st_piece.bytes[w%2] |= st_strb_i[4*w +: 4];
      if (st_strb_i[4*w +: 4] != '0) st_piece.pair[w%2] = 2'(w / 2);
    end
  end

  // Of the request of an atomic only the operation and its operands count.
  always_comb begin
    req         = '0;
    req.op.atom = row_atom_i;
    req.op.size = row_wide_i ? isa_pkg::SIZE_64 : isa_pkg::SIZE_32;
    req.data[3:2] = row_operand_i;
    req.data[5:4] = row_swap_i;
  end

  assign rs_gslot_o  = rs.gslot;
  assign unused_size = {rs.size, rs.part, rs.sector[mem_pkg::KEY_W-1]};
  assign rs_lanes_o  = rs.one ? 32'd1 << rs.lane : rs.lanes;
  assign rs_sector_o = rs.sector[34:0];
  assign rs_rdata_o  = !rs.one ? rs.rdata : (rs.size == isa_pkg::SIZE_64) ? {4{rs.words}} : {8{rs.words[0]}};
  assign rs_give_o   = rs.give;
  assign rs_done_o   = rs.done;
  assign rs_err_o    = rs.err;
  assign ic_beat_data_o = r_data;
  assign ic_beat_err_o  = r_err;

  gmem u_gmem (
    .clk_i             (clk_i),
    .rst_ni            (rst_ni),
    .fault_i           (fault_i),
    .rq_valid_i        (rq_valid_i),
    .rq_ready_o        (rq_ready_o),
    .rq_i              (rq),
    .st_valid_i        (st_valid_i),
    .st_ready_o        (st_ready_o),
    .st_strb_i         (st_strb_i),
    .st_piece_i        (st_piece),
    .st_data_i         (st_data_i),
    .launch_i          (1'b0),
    .local_base_i      ('0),
    .local_bytes_i     ('0),
    .ag_row_valid_i    (row_valid_i),
    .ag_row_i          (row_i),
    .ag_req_i          (req),
    .ck_row_valid_i    (row_valid_i),
    .ck_row_i          (row_i),
    .ck_word_i         (row_word_i),
    .gm_valid_o        (rs_valid_o),
    .gm_ready_i        (rs_ready_i),
    .gm_one_ready_i    (rs_ready_i),
    .gm_rsp_o          (rs),
    .gm_next_o         (unused_next),
    .gm_next_rows_o    (unused_rows),
    .gm_next_slot_o    (next_slot),
    .gm_next_beat_o    (next_beat),
    .gm_read_i         (1'b0),
    .gm_here_i         (1'b0),
    .gm_at_i           ('0),
    .gm_words_o        (unused_words),
    .ard_valid_o       (ard_valid),
    .ard_ready_i       (ard_ready),
    .ard_entry_o       (ard_entry),
    .ard_sector_o      (ard_sector),
    .awr_valid_o       (awr_valid),
    .awr_beat_i        (awr_beat),
    .awr_ready_i       (awr_ready),
    .awr_entry_o       (awr_entry),
    .awr_sector_o      (awr_sector),
    .awr_strb_o        (awr_strb),
    .awr_data_o        (awr_data),
    .ax_r_valid_i      (r_valid),
    .ax_r_entry_i      (r_entry),
    .ax_r_beat_i       (r_beat),
    .ax_r_last_i       (r_last),
    .ax_r_data_i       (r_data),
    .ax_r_err_i        (r_err),
    .ax_b_valid_i      (b_valid),
    .ax_b_entry_i      (b_entry),
    .ax_b_err_i        (b_err),
    .add_req_o         (add_req[1]),
    .add_done_i        (add_done),
    .add_sum_i         (add_sum),
    .ret_global_valid_o (gmem_valid_o),
    .ret_global_o       (perform),
    .idle_o            (idle_o)
  );

  // The adder of floats: its other unit, shared memory, asks for nothing.
  assign add_req[0] = '0;
  if (cfg_pkg::HAS_FATOM) begin : gen_add
    atom_share u_share (
      .clk_i     (clk_i),
      .rst_ni    (rst_ni),
      .fault_i   (fault_i),
      .add_req_i  (add_req),
      .add_done_o ({add_done, unused_add_done}),
      .add_sum_o  (add_sum)
    );
  end else begin : gen_no_add
    logic unused;
    assign {add_done, unused_add_done} = '0;
    assign add_sum = '0;
    assign unused  = ^add_req;
  end

  axi_master u_axi (
    .clk_i           (clk_i),
    .rst_ni          (rst_ni),
    .fault_i         (fault_i),
    .gm_rd_valid_i   (ard_valid),
    .gm_rd_ready_o   (ard_ready),
    .gm_rd_entry_i   (ard_entry),
    .gm_rd_sector_i  (ard_sector),
    .gm_wr_valid_i   (awr_valid),
    .gm_wr_beat_o    (awr_beat),
    .gm_wr_ready_o   (awr_ready),
    .gm_wr_entry_i   (awr_entry),
    .gm_wr_sector_i  (awr_sector),
    .gm_wr_strb_i    (awr_strb),
    .gm_wr_data_i    (awr_data),
    .ic_rd_valid_i   (ic_valid_i),
    .ic_rd_ready_o   (ic_ready_o),
    .ic_rd_line_i    (ic_line_i),
    .ic_rd_tag_i     ('0),
    .cc_rd_valid_i   (1'b0),
    .cc_rd_ready_o   (unused_cc_ready),
    .cc_rd_line_i    ('0),
    .cc_rd_tag_i     ('0),
    .ax_r_gm_valid_o (r_valid),
    .ax_r_ic_valid_o (ic_beat_valid_o),
    .ax_r_cc_valid_o (unused_cc_valid),
    .ax_r_entry_o    (r_entry),
    .ax_r_ic_tag_o   (unused_ic_tag),
    .ax_r_cc_tag_o   (unused_cc_tag),
    .ax_r_beat_o     (r_line_beat),
    .ax_r_last_o     (r_last),
    .ax_r_data_o     (r_data),
    .ax_r_err_o      (r_err),
    .ax_b_valid_o    (b_valid),
    .ax_b_entry_o    (b_entry),
    .ax_b_err_o      (b_err),
    .m_axi_awvalid_o (awvalid_o),
    .m_axi_awready_i (awready_i),
    .m_axi_awid_o    (awid_o),
    .m_axi_awaddr_o  (awaddr_o),
    .m_axi_awlen_o   (awlen_o),
    .m_axi_awsize_o  (awsize_o),
    .m_axi_awburst_o (awburst_o),
    .m_axi_wvalid_o  (wvalid_o),
    .m_axi_wready_i  (wready_i),
    .m_axi_wdata_o   (wdata_o),
    .m_axi_wstrb_o   (wstrb_o),
    .m_axi_wlast_o   (wlast_o),
    .m_axi_bvalid_i  (bvalid_i),
    .m_axi_bready_o  (bready_o),
    .m_axi_bid_i     (bid_i),
    .m_axi_bresp_i   (bresp_i),
    .m_axi_arvalid_o (arvalid_o),
    .m_axi_arready_i (arready_i),
    .m_axi_arid_o    (arid_o),
    .m_axi_araddr_o  (araddr_o),
    .m_axi_arlen_o   (arlen_o),
    .m_axi_arsize_o  (arsize_o),
    .m_axi_arburst_o (arburst_o),
    .m_axi_rvalid_i  (rvalid_i),
    .m_axi_rready_o  (rready_o),
    .m_axi_rid_i     (rid_i),
    .m_axi_rdata_i   (rdata_i),
    .m_axi_rresp_i   (rresp_i),
    .m_axi_rlast_i   (rlast_i)
  );

endmodule

`default_nettype wire
