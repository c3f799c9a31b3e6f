// SPDX-License-Identifier: Apache-2.0
// The memory part of an SM: load/store unit with shared memory, instruction and constant cache,
// point of order, AXI master.
// Latency and throughput of each part: README.md.
// Handshake: the nets of rtl/README.md, with _i and _o. idle_o: nothing is outstanding, neither
// inside nor on AXI. invalidate_i (one cycle, before a grid starts) empties both caches and makes
// the region table be read anew.
// It does not schedule anything; traps are only reported.
`default_nettype none

module mem_top #(
  localparam int unsigned LANES    = cfg_pkg::LSU_LANES,
  localparam int unsigned AXI_ID_W = mem_pkg::AXI_ID_W,
  localparam int unsigned AXI_BITS = cfg_pkg::AXI_BITS
) (
  input  logic                                       clk_i,
  input  logic                                       rst_ni,
  input  logic [7:0]                                 fault_i,
  // from the host and the dispatcher
  input  core_pkg::launch_t                          launch_i,
  output logic [3:0]                                 region_index_o,   // range of a region, at once
  input  logic [39:0]                                region_base_i,
  input  logic [40:0]                                region_limit_i,
  input  logic                                       invalidate_i,
  input  logic                                       ct_start_valid_i,
  input  core_pkg::start_t                           ct_start_i,
  output logic                                       idle_o,
  // fetch
  input  logic                                       if_req_valid_i,
  output logic                                       if_req_ready_o,
  input  logic [31:0]                                if_req_pc_i,
  input  logic [core_pkg::SM_FETCH_TAG_W-1:0]        if_req_tag_i,
  output logic                                       ic_rsp_valid_o,
  output logic [cfg_pkg::FETCH_WORDS-1:0][127:0]     ic_rsp_word_o,
  output logic                                       ic_rsp_err_o,
  output logic [core_pkg::SM_FETCH_TAG_W-1:0]        ic_rsp_tag_o,
  // issue: constant operands
  input  logic                                       if_cst_valid_i,
  output logic                                       if_cst_ready_o,
  input  logic [4:0]                                 if_cst_bank_i,
  input  logic [15:0]                                if_cst_off_i,
  input  logic [core_pkg::SM_CST_TAG_W-1:0]          if_cst_tag_i,
  output logic                                       cc_cst_valid_o,
  output logic [31:0]                                cc_cst_data_o,
  output logic                                       cc_cst_range_o,
  output logic                                       cc_cst_err_o,
  output logic [core_pkg::SM_CST_TAG_W-1:0]          cc_cst_tag_o,
  // operand
  input  logic                                       op_req_valid_i,
  output logic                                       op_req_ready_o,
  input  core_pkg::memreq_t                          op_req_i,
  // the partitions: late results
  output logic                                       ls_late_valid_o,
  input  logic                                       ls_late_ready_i,
  output core_pkg::late_t                            ls_late_o,
  // issue
  output logic                                       ls_checked_valid_o,
  output logic [cfg_pkg::SM_WARP_W-1:0]                 ls_checked_slot_o,
  output logic                                       ls_trap_valid_o,
  output core_pkg::trap_t                            ls_trap_o,
  // retire port
  output logic                                       ret_shared_valid_o,
  output retire_pkg::shared_t                        ret_shared_o,
  output logic                                       ret_global_valid_o,
  output retire_pkg::global_t                        ret_global_o,
  // AXI4 to memory
  output logic                                       m_axi_awvalid_o,
  input  logic                                       m_axi_awready_i,
  output logic [AXI_ID_W-1:0]                        m_axi_awid_o,
  output logic [39:0]                                m_axi_awaddr_o,
  output logic [7:0]                                 m_axi_awlen_o,
  output logic [2:0]                                 m_axi_awsize_o,
  output logic [1:0]                                 m_axi_awburst_o,
  output logic                                       m_axi_wvalid_o,
  input  logic                                       m_axi_wready_i,
  output logic [AXI_BITS-1:0]                        m_axi_wdata_o,
  output logic [AXI_BITS/8-1:0]                      m_axi_wstrb_o,
  output logic                                       m_axi_wlast_o,
  input  logic                                       m_axi_bvalid_i,
  output logic                                       m_axi_bready_o,
  input  logic [AXI_ID_W-1:0]                        m_axi_bid_i,
  input  logic [1:0]                                 m_axi_bresp_i,
  output logic                                       m_axi_arvalid_o,
  input  logic                                       m_axi_arready_i,
  output logic [AXI_ID_W-1:0]                        m_axi_arid_o,
  output logic [39:0]                                m_axi_araddr_o,
  output logic [7:0]                                 m_axi_arlen_o,
  output logic [2:0]                                 m_axi_arsize_o,
  output logic [1:0]                                 m_axi_arburst_o,
  input  logic                                       m_axi_rvalid_i,
  output logic                                       m_axi_rready_o,
  input  logic [AXI_ID_W-1:0]                        m_axi_rid_i,
  input  logic [AXI_BITS-1:0]                        m_axi_rdata_i,
  input  logic [1:0]                                 m_axi_rresp_i,
  input  logic                                       m_axi_rlast_i
);

  localparam int unsigned SECTOR_W = mem_pkg::SECTOR_W;
  localparam int unsigned ENTRY_W  = mem_pkg::ENTRY_W;

  logic                            rq_valid, rq_ready, st_valid, st_ready, ag_row_valid, ck_row_valid, gm_valid, gm_ready, gm_one_ready;
  logic                            gm_next;
  logic [mem_pkg::BEATS-1:0]       gm_next_rows;
  logic [mem_pkg::GSLOT_W-1:0]     gm_next_slot;
  logic [mem_pkg::BEAT_W-1:0]      gm_next_beat;
  logic                            gm_read, gm_here;
  logic [LANES-1:0][2:0]           gm_at;
  logic [LANES-1:0][31:0]          gm_words;
  mem_pkg::greq_t                  rq;
  logic [31:0]                     st_strb;
  mem_pkg::piece_t                 st_piece;
  logic [mem_pkg::ST_BITS-1:0]     st_data;
  logic [mem_pkg::GROW_W-1:0]      ag_row, ck_row;
  logic [LANES-1:0][2:0]           ck_word;
  mem_pkg::grsp_t                  gm_rsp;
  logic                            ld_valid, ld_ready, cc_ld_valid, cc_ld_err;
  logic [1:0]                      ld_bank;
  logic [15:0]                     ld_off;
  logic [mem_pkg::LDC_TAG_W-1:0]   ld_tag, cc_ld_tag;
  logic [31:0]                     cc_ld_data;
  logic [SECTOR_W-1:0]             cc_ld_sector;
  logic                            ic_rd_valid, ic_rd_ready, cc_rd_valid, cc_rd_ready;
  logic [33:0]                     ic_rd_line, cc_rd_line;
  logic [mem_pkg::IC_TAG_W-1:0]    ic_rd_tag, ax_r_ic_tag;
  logic [mem_pkg::CC_TAG_W-1:0]    cc_rd_tag, ax_r_cc_tag;
  logic [SECTOR_W-1:0]             gm_rd_sector, gm_wr_sector;
  logic                            gm_rd_valid, gm_rd_ready, gm_wr_valid, gm_wr_ready;
  logic [mem_pkg::AXI_CNT_W-1:0]   gm_wr_beat;
  logic [ENTRY_W-1:0]              gm_rd_entry, gm_wr_entry, ax_r_entry, ax_b_entry;
  logic [31:0]                     gm_wr_strb;
  logic [255:0]                    gm_wr_data;
  logic                            ax_r_gm_valid, ax_r_ic_valid, ax_r_cc_valid, ax_r_last, ax_r_err, ax_b_valid, ax_b_err;
  logic [mem_pkg::LINE_CNT_W-1:0]  ax_r_beat;
  logic [AXI_BITS-1:0]             ax_r_data;
  logic [3:0]                      idle;
  logic                            unused_launch;
  atom_pkg::add_req_t [1:0]        add_req;     // of shared memory, of the point of order
  logic [1:0]                      add_done;
  logic [63:0]                     add_sum;

  assign idle_o = &idle;

  // What others need of a launch and of a start.
  assign unused_launch = ^{launch_i.grid, launch_i.block, launch_i.entry_pc, launch_i.regs,
    launch_i.local_base[4:0], launch_i.scoreboard, launch_i.sched, launch_i.its, ct_start_i.gen, ct_start_i.bslot,
    ct_start_i.nwarps, ct_start_i.live, ct_start_i.rbase, ct_start_i.shm_base, ct_start_i.ctaid_x, ct_start_i.ctaid_y,
    ct_start_i.ctaid_z};

  lsu u_lsu (
    .clk_i              (clk_i),
    .rst_ni             (rst_ni),
    .fault_i            (fault_i),
    .invalidate_i       (invalidate_i),
    .shared_bytes_i     (launch_i.shared_bytes),
    .cbank_bytes_i      (launch_i.cbank_bytes),
    .region_index_o     (region_index_o),
    .region_base_i      (region_base_i),
    .region_limit_i     (region_limit_i),
    .region_write_i     (launch_i.region_write),
    .local_bytes_i      (launch_i.local_bytes),
    .start_valid_i      (ct_start_valid_i),
    .start_slot_i       (ct_start_i.slot),
    .start_shm_base_i   (mem_pkg::SHM_W'(ct_start_i.shm_base)),
    .op_req_valid_i     (op_req_valid_i),
    .op_req_ready_o     (op_req_ready_o),
    .op_req_i           (op_req_i),
    .ls_late_valid_o    (ls_late_valid_o),
    .ls_late_ready_i    (ls_late_ready_i),
    .ls_late_o          (ls_late_o),
    .ls_checked_valid_o (ls_checked_valid_o),
    .ls_checked_slot_o  (ls_checked_slot_o),
    .ls_trap_valid_o    (ls_trap_valid_o),
    .ls_trap_o          (ls_trap_o),
    .rq_valid_o         (rq_valid),
    .rq_ready_i         (rq_ready),
    .rq_o               (rq),
    .st_valid_o         (st_valid),
    .st_ready_i         (st_ready),
    .st_strb_o          (st_strb),
    .st_piece_o         (st_piece),
    .st_data_o          (st_data),
    .ag_row_valid_o     (ag_row_valid),
    .ag_row_o           (ag_row),
    .ck_row_valid_o     (ck_row_valid),
    .ck_row_o           (ck_row),
    .ck_word_o          (ck_word),
    .gm_valid_i         (gm_valid),
    .gm_ready_o         (gm_ready),
    .gm_one_ready_o     (gm_one_ready),
    .gm_rsp_i           (gm_rsp),
    .gm_next_i          (gm_next),
    .gm_next_rows_i     (gm_next_rows),
    .gm_next_slot_i     (gm_next_slot),
    .gm_next_beat_i     (gm_next_beat),
    .gm_read_o          (gm_read),
    .gm_here_o          (gm_here),
    .gm_at_o            (gm_at),
    .gm_words_i         (gm_words),
    .ld_valid_o         (ld_valid),
    .ld_ready_i         (ld_ready),
    .ld_bank_o          (ld_bank),
    .ld_off_o           (ld_off),
    .ld_tag_o           (ld_tag),
    .cc_ld_valid_i      (cc_ld_valid),
    .cc_ld_data_i       (cc_ld_data),
    .cc_ld_err_i        (cc_ld_err),
    .cc_ld_tag_i        (cc_ld_tag),
    .cc_ld_sector_i     (cc_ld_sector),
    .add_req_o          (add_req[0]),
    .add_done_i         (add_done[0]),
    .add_sum_i          (add_sum),
    .ret_shared_valid_o (ret_shared_valid_o),
    .ret_shared_o       (ret_shared_o),
    .idle_o             (idle[0])
  );

  icache u_icache (
    .clk_i          (clk_i),
    .rst_ni         (rst_ni),
    .invalidate_i   (invalidate_i),
    .code_base_i    (launch_i.code_base),
    .code_bytes_i   (launch_i.code_bytes),
    .if_req_valid_i (if_req_valid_i),
    .if_req_ready_o (if_req_ready_o),
    .if_req_pc_i    (if_req_pc_i),
    .if_req_tag_i   (if_req_tag_i),
    .ic_rsp_valid_o (ic_rsp_valid_o),
    .ic_rsp_word_o  (ic_rsp_word_o),
    .ic_rsp_err_o   (ic_rsp_err_o),
    .ic_rsp_tag_o   (ic_rsp_tag_o),
    .rd_valid_o     (ic_rd_valid),
    .rd_ready_i     (ic_rd_ready),
    .rd_line_o      (ic_rd_line),
    .rd_tag_o       (ic_rd_tag),
    .ax_valid_i     (ax_r_ic_valid),
    .ax_tag_i       (ax_r_ic_tag),
    .ax_beat_i      (ax_r_beat),
    .ax_last_i      (ax_r_last),
    .ax_data_i      (ax_r_data),
    .ax_err_i       (ax_r_err),
    .idle_o         (idle[1])
  );

  const_cache u_ccache (
    .clk_i          (clk_i),
    .rst_ni         (rst_ni),
    .fault_i        (fault_i),
    .invalidate_i   (invalidate_i),
    .cbank_base_i   (launch_i.cbank_base),
    .cbank_bytes_i  (launch_i.cbank_bytes),
    .if_cst_valid_i (if_cst_valid_i),
    .if_cst_ready_o (if_cst_ready_o),
    .if_cst_bank_i  (if_cst_bank_i),
    .if_cst_off_i   (if_cst_off_i),
    .if_cst_tag_i   (if_cst_tag_i),
    .cc_cst_valid_o (cc_cst_valid_o),
    .cc_cst_data_o  (cc_cst_data_o),
    .cc_cst_range_o (cc_cst_range_o),
    .cc_cst_err_o   (cc_cst_err_o),
    .cc_cst_tag_o   (cc_cst_tag_o),
    .ld_valid_i     (ld_valid),
    .ld_ready_o     (ld_ready),
    .ld_bank_i      (ld_bank),
    .ld_off_i       (ld_off),
    .ld_tag_i       (ld_tag),
    .cc_ld_valid_o  (cc_ld_valid),
    .cc_ld_data_o   (cc_ld_data),
    .cc_ld_err_o    (cc_ld_err),
    .cc_ld_tag_o    (cc_ld_tag),
    .cc_ld_sector_o (cc_ld_sector),
    .rd_valid_o     (cc_rd_valid),
    .rd_ready_i     (cc_rd_ready),
    .rd_line_o      (cc_rd_line),
    .rd_tag_o       (cc_rd_tag),
    .ax_valid_i     (ax_r_cc_valid),
    .ax_tag_i       (ax_r_cc_tag),
    .ax_beat_i      (ax_r_beat),
    .ax_last_i      (ax_r_last),
    .ax_data_i      (ax_r_data),
    .ax_err_i       (ax_r_err),
    .idle_o         (idle[2])
  );

  gmem u_gmem (
    .clk_i             (clk_i),
    .rst_ni            (rst_ni),
    .fault_i           (fault_i),
    .launch_i          (invalidate_i),
    .local_base_i      (launch_i.local_base[39:5]),
    .local_bytes_i     (launch_i.local_bytes),
    .rq_valid_i        (rq_valid),
    .rq_ready_o        (rq_ready),
    .rq_i              (rq),
    .st_valid_i        (st_valid),
    .st_ready_o        (st_ready),
    .st_strb_i         (st_strb),
    .st_piece_i        (st_piece),
    .st_data_i         (st_data),
    .ag_row_valid_i    (ag_row_valid),
    .ag_row_i          (ag_row),
    .ag_req_i          (op_req_i),
    .ck_row_valid_i    (ck_row_valid),
    .ck_row_i          (ck_row),
    .ck_word_i         (ck_word),
    .gm_valid_o        (gm_valid),
    .gm_ready_i        (gm_ready),
    .gm_one_ready_i    (gm_one_ready),
    .gm_rsp_o          (gm_rsp),
    .gm_next_o         (gm_next),
    .gm_next_rows_o    (gm_next_rows),
    .gm_next_slot_o    (gm_next_slot),
    .gm_next_beat_o    (gm_next_beat),
    .gm_read_i         (gm_read),
    .gm_here_i         (gm_here),
    .gm_at_i           (gm_at),
    .gm_words_o        (gm_words),
    .ard_valid_o       (gm_rd_valid),
    .ard_ready_i       (gm_rd_ready),
    .ard_entry_o       (gm_rd_entry),
    .ard_sector_o      (gm_rd_sector),
    .awr_valid_o       (gm_wr_valid),
    .awr_beat_i        (gm_wr_beat),
    .awr_ready_i       (gm_wr_ready),
    .awr_entry_o       (gm_wr_entry),
    .awr_sector_o      (gm_wr_sector),
    .awr_strb_o        (gm_wr_strb),
    .awr_data_o        (gm_wr_data),
    .ax_r_valid_i      (ax_r_gm_valid),
    .ax_r_entry_i      (ax_r_entry),
    .ax_r_beat_i       (ax_r_beat[mem_pkg::AXI_CNT_W-1:0]),
    .ax_r_last_i       (ax_r_last),
    .ax_r_data_i       (ax_r_data),
    .ax_r_err_i        (ax_r_err),
    .ax_b_valid_i      (ax_b_valid),
    .ax_b_entry_i      (ax_b_entry),
    .ax_b_err_i        (ax_b_err),
    .add_req_o         (add_req[1]),
    .add_done_i        (add_done[1]),
    .add_sum_i         (add_sum),
    .ret_global_valid_o (ret_global_valid_o),
    .ret_global_o      (ret_global_o),
    .idle_o            (idle[3])
  );

  if (cfg_pkg::HAS_FATOM) begin : gen_add
    atom_share u_share (
      .clk_i     (clk_i),
      .rst_ni    (rst_ni),
      .fault_i   (fault_i),
      .add_req_i  (add_req),
      .add_done_o (add_done),
      .add_sum_o  (add_sum)
    );
  end else begin : gen_no_add
    logic unused;
    assign add_done = '0;
    assign add_sum = '0;
    assign unused  = ^add_req;
  end

  axi_master u_axi (
    .clk_i           (clk_i),
    .rst_ni          (rst_ni),
    .fault_i         (fault_i),
    .gm_rd_valid_i   (gm_rd_valid),
    .gm_rd_ready_o   (gm_rd_ready),
    .gm_rd_entry_i   (gm_rd_entry),
    .gm_rd_sector_i  (gm_rd_sector),
    .gm_wr_valid_i   (gm_wr_valid),
    .gm_wr_beat_o    (gm_wr_beat),
    .gm_wr_ready_o   (gm_wr_ready),
    .gm_wr_entry_i   (gm_wr_entry),
    .gm_wr_sector_i  (gm_wr_sector),
    .gm_wr_strb_i    (gm_wr_strb),
    .gm_wr_data_i    (gm_wr_data),
    .ic_rd_valid_i   (ic_rd_valid),
    .ic_rd_ready_o   (ic_rd_ready),
    .ic_rd_line_i    (ic_rd_line),
    .ic_rd_tag_i     (ic_rd_tag),
    .cc_rd_valid_i   (cc_rd_valid),
    .cc_rd_ready_o   (cc_rd_ready),
    .cc_rd_line_i    (cc_rd_line),
    .cc_rd_tag_i     (cc_rd_tag),
    .ax_r_gm_valid_o (ax_r_gm_valid),
    .ax_r_ic_valid_o (ax_r_ic_valid),
    .ax_r_cc_valid_o (ax_r_cc_valid),
    .ax_r_entry_o    (ax_r_entry),
    .ax_r_ic_tag_o   (ax_r_ic_tag),
    .ax_r_cc_tag_o   (ax_r_cc_tag),
    .ax_r_beat_o     (ax_r_beat),
    .ax_r_last_o     (ax_r_last),
    .ax_r_data_o     (ax_r_data),
    .ax_r_err_o      (ax_r_err),
    .ax_b_valid_o    (ax_b_valid),
    .ax_b_entry_o    (ax_b_entry),
    .ax_b_err_o      (ax_b_err),
    .m_axi_awvalid_o (m_axi_awvalid_o),
    .m_axi_awready_i (m_axi_awready_i),
    .m_axi_awid_o    (m_axi_awid_o),
    .m_axi_awaddr_o  (m_axi_awaddr_o),
    .m_axi_awlen_o   (m_axi_awlen_o),
    .m_axi_awsize_o  (m_axi_awsize_o),
    .m_axi_awburst_o (m_axi_awburst_o),
    .m_axi_wvalid_o  (m_axi_wvalid_o),
    .m_axi_wready_i  (m_axi_wready_i),
    .m_axi_wdata_o   (m_axi_wdata_o),
    .m_axi_wstrb_o   (m_axi_wstrb_o),
    .m_axi_wlast_o   (m_axi_wlast_o),
    .m_axi_bvalid_i  (m_axi_bvalid_i),
    .m_axi_bready_o  (m_axi_bready_o),
    .m_axi_bid_i     (m_axi_bid_i),
    .m_axi_bresp_i   (m_axi_bresp_i),
    .m_axi_arvalid_o (m_axi_arvalid_o),
    .m_axi_arready_i (m_axi_arready_i),
    .m_axi_arid_o    (m_axi_arid_o),
    .m_axi_araddr_o  (m_axi_araddr_o),
    .m_axi_arlen_o   (m_axi_arlen_o),
    .m_axi_arsize_o  (m_axi_arsize_o),
    .m_axi_arburst_o (m_axi_arburst_o),
    .m_axi_rvalid_i  (m_axi_rvalid_i),
    .m_axi_rready_o  (m_axi_rready_o),
    .m_axi_rid_i     (m_axi_rid_i),
    .m_axi_rdata_i   (m_axi_rdata_i),
    .m_axi_rresp_i   (m_axi_rresp_i),
    .m_axi_rlast_i   (m_axi_rlast_i)
  );

endmodule

`default_nettype wire
