// SPDX-License-Identifier: Apache-2.0
// mem_top with its structs taken apart into plain ports, for the C++ bench.
// Latency, handshake: those of mem_top. The numbers of the configuration are outputs (cfg_*_o).
// It adds no logic. Arrays stay packed: element i of width w lies at bit i * w.
`default_nettype none

module mem_tb #(
  localparam int unsigned LANES  = cfg_pkg::LSU_LANES,
  localparam int unsigned WARP_W = cfg_pkg::SM_WARP_W,
  localparam int unsigned AXI    = cfg_pkg::AXI_BITS
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  input  logic [7:0]          fault_i,
  input  logic                invalidate_i,
  output logic                idle_o,
  // configuration
  output logic [31:0]         cfg_lanes_o,
  output logic [31:0]         cfg_warps_o,
  output logic [31:0]         cfg_shared_o,
  output logic [31:0]         cfg_banks_o,
  output logic [31:0]         cfg_pass_o,      // lanes of a pass of shared memory
  output logic [31:0]         cfg_axi_o,
  output logic [31:0]         cfg_ids_o,
  output logic [31:0]         cfg_gslots_o,
  // launch, start
  input  logic [23:0]         shared_bytes_i,
  input  logic [39:0]         code_base_i,
  input  logic [31:0]         code_bytes_i,
  input  logic [3:0][39:0]    cbank_base_i,
  input  logic [3:0][16:0]    cbank_bytes_i,
  input  logic [15:0][39:0]   region_base_i,
  input  logic [15:0][40:0]   region_limit_i,
  input  logic [15:0]         region_write_i,
  input  logic [39:0]         local_base_i,
  input  logic [19:0]         local_bytes_i,
  input  logic                start_valid_i,
  input  logic [WARP_W-1:0]   start_slot_i,
  input  logic [23:0]         start_shm_base_i,
  // fetch, constants
  input  logic                if_req_valid_i,
  output logic                if_req_ready_o,
  input  logic [31:0]         if_req_pc_i,
  input  logic [core_pkg::SM_FETCH_TAG_W-1:0] if_req_tag_i,
  output logic                ic_rsp_valid_o,
  output logic [cfg_pkg::FETCH_WORDS-1:0][127:0] ic_rsp_word_o,
  output logic                ic_rsp_err_o,
  output logic [core_pkg::SM_FETCH_TAG_W-1:0] ic_rsp_tag_o,
  input  logic                if_cst_valid_i,
  output logic                if_cst_ready_o,
  input  logic [4:0]          if_cst_bank_i,
  input  logic [15:0]         if_cst_off_i,
  input  logic [core_pkg::SM_CST_TAG_W-1:0] if_cst_tag_i,
  output logic                cc_cst_valid_o,
  output logic [31:0]         cc_cst_data_o,
  output logic                cc_cst_range_o,
  output logic                cc_cst_err_o,
  output logic [core_pkg::SM_CST_TAG_W-1:0] cc_cst_tag_o,
  // operand
  input  logic                op_valid_i,
  output logic                op_ready_o,
  input  logic [WARP_W-1:0]   op_slot_i,
  input  logic [7:0]          op_gen_i,
  input  logic [31:0]         op_seq_i,
  input  logic [31:0]         op_pc_i,
  input  logic [3:0]          op_mem_i,
  input  logic [5:0]          op_atom_i,
  input  logic [2:0]          op_size_i,
  input  logic [23:0]         op_off_i,
  input  logic [4:0]          op_cbank_i,
  input  logic [7:0]          op_rd_i,
  input  logic [1:0]          op_rd_n_i,
  input  logic [2:0]          op_wbar_i,
  input  logic [31:0]         op_exec_i,
  input  logic [15:0]         op_rbase_i,
  input  logic [4:0]          op_beat_i,
  input  logic [5:0][LANES-1:0][31:0] op_data_i,
  // late results
  output logic                late_valid_o,
  input  logic                late_ready_i,
  output logic [WARP_W-1:0]   late_slot_o,
  output logic [7:0]          late_gen_o,
  output logic [31:0]         late_seq_o,
  output logic                late_is_row_o,
  output logic                late_uni_o,
  output logic [15:0]         late_rbase_o,
  output logic [1:0]          late_word_o,
  output logic [4:0]          late_row_o,
  output logic                late_last_o,
  output logic [2:0]          late_wbar_o,
  output logic                late_has_rd_o,
  output logic [7:0]          late_rd_o,
  output logic [1:0]          late_rd_n_o,
  output logic [LANES-1:0]    late_mask_o,
  output logic [LANES-1:0][31:0] late_data_o,
  // issue
  output logic                checked_valid_o,
  output logic [WARP_W-1:0]   checked_slot_o,
  output logic                trap_valid_o,
  output logic [3:0]          trap_cause_o,
  output logic [WARP_W-1:0]   trap_slot_o,
  output logic [7:0]          trap_gen_o,
  output logic [31:0]         trap_seq_o,
  output logic [31:0]         trap_pc_o,
  output logic [31:0]         trap_lanes_o,
  output logic [63:0]         trap_addr_o,
  // retire port
  output logic                shm_valid_o,
  output logic [7:0]          shm_slot_o,
  output logic [7:0]          shm_gen_o,
  output logic [31:0]         shm_seq_o,
  output logic [1:0]          shm_kind_o,
  output logic [31:0]         shm_lanes_o,
  output logic [mem_pkg::SHM_BANKS-1:0] shm_bank_en_o,
  output logic [mem_pkg::SHM_BANKS-1:0][15:0] shm_row_o,
  output logic [mem_pkg::SHM_BANKS-1:0][3:0] shm_wstrb_o,
  output logic [mem_pkg::SHM_BANKS-1:0][31:0] shm_wdata_o,
  output logic [mem_pkg::SHM_BANKS-1:0][31:0] shm_rdata_o,
  output logic                gmem_valid_o,
  output logic [7:0]          gmem_slot_o,
  output logic [7:0]          gmem_gen_o,
  output logic [31:0]         gmem_seq_o,
  output logic [2:0]          gmem_kind_o,
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

  retire_pkg::shared_t shm;
  assign shm_slot_o    = shm.id.slot;
  assign shm_gen_o     = shm.id.gen;
  assign shm_seq_o     = shm.id.seq;
  assign shm_kind_o    = 2'(shm.access);
  assign shm_lanes_o   = shm.lanes;
  assign shm_bank_en_o = shm.bank_en[mem_pkg::SHM_BANKS-1:0];
  assign shm_row_o     = shm.row;
  assign shm_wdata_o   = shm.wdata;
  assign shm_rdata_o   = shm.rdata;
  for (genvar b = 0; b < mem_pkg::SHM_BANKS; b++) begin : gen_strobe
    assign shm_wstrb_o[b] = shm.wstrb[b][3:0];
  end

  retire_pkg::global_t perform;
  assign gmem_slot_o   = perform.id.slot;
  assign gmem_gen_o    = perform.id.gen;
  assign gmem_seq_o    = perform.id.seq;
  assign gmem_kind_o   = 3'(perform.access);
  assign gmem_lanes_o  = perform.lanes;
  assign gmem_sector_o = perform.sector[34:0];
  assign gmem_wstrb_o  = perform.wstrb;
  assign gmem_wdata_o  = perform.wdata;
  assign gmem_rdata_o  = perform.rdata;
  logic unused_records;
  assign unused_records = ^{shm, perform};

  core_pkg::launch_t launch;
  logic [3:0]        region_index;
  core_pkg::start_t  start;
  core_pkg::memreq_t req;
  core_pkg::late_t   late;
  core_pkg::trap_t   trap;

  assign cfg_lanes_o  = LANES;
  assign cfg_warps_o  = cfg_pkg::SM_WARPS;
  assign cfg_shared_o = cfg_pkg::SHARED_BYTES;
  assign cfg_banks_o  = mem_pkg::SHM_BANKS;
  assign cfg_pass_o   = cfg_pkg::SHARED_LANES;
  assign cfg_axi_o    = AXI;
  assign cfg_ids_o    = mem_pkg::ENTRIES;
  assign cfg_gslots_o = mem_pkg::GSLOTS;

  always_comb begin
    launch = '0;
    launch.shared_bytes = shared_bytes_i;
    launch.code_base    = code_base_i;
    launch.code_bytes   = code_bytes_i;
    launch.cbank_base   = cbank_base_i;
    launch.cbank_bytes  = cbank_bytes_i;
    launch.region_write = region_write_i;
    launch.local_base   = local_base_i;
    launch.local_bytes  = local_bytes_i;
    start = '0;
    start.slot     = start_slot_i;
    start.shm_base = start_shm_base_i;
    req.op.id.slot  = op_slot_i;
    req.op.id.gen   = op_gen_i;
    req.op.id.seq   = op_seq_i;
    req.op.pc       = op_pc_i;
    req.op.mem      = isa_pkg::mem_e'(op_mem_i);
    req.op.atom     = op_atom_i;
    req.op.pair     = 1'b0;
    req.op.size     = op_size_i;
    req.op.off      = op_off_i;
    req.op.cbank    = op_cbank_i;
    req.op.rd       = op_rd_i;
    req.op.rd_n     = op_rd_n_i;
    req.op.wbar     = op_wbar_i;
    req.op.exec     = op_exec_i;
    req.op.rbase    = op_rbase_i;
    req.row         = op_beat_i;
    req.data        = op_data_i;
  end

  assign late_slot_o   = late.id.slot;
  assign late_gen_o    = late.id.gen;
  assign late_seq_o    = late.id.seq;
  assign late_is_row_o = late.kind == core_pkg::LATE_ROW;
  assign late_uni_o    = late.uni;
  assign late_rbase_o  = late.rbase;
  assign late_word_o   = late.word;
  assign late_row_o    = late.row;
  assign late_last_o   = late.last;
  assign late_wbar_o   = late.wbar;
  assign late_has_rd_o = late.has_rd;
  assign late_rd_o     = late.rd;
  assign late_rd_n_o   = late.rd_n;
  assign late_mask_o   = late.mask;
  assign late_data_o   = late.data;
  assign trap_cause_o = trap.cause;
  assign trap_slot_o  = trap.id.slot;
  assign trap_gen_o   = trap.id.gen;
  assign trap_seq_o   = trap.id.seq;
  assign trap_pc_o    = trap.pc;
  assign trap_lanes_o = trap.lanes;
  assign trap_addr_o  = trap.addr;

  mem_top u_mem (
    .clk_i              (clk_i),
    .rst_ni             (rst_ni),
    .fault_i            (fault_i),
    .launch_i           (launch),
    .region_index_o     (region_index),
    .region_base_i      (region_base_i[region_index]),
    .region_limit_i     (region_limit_i[region_index]),
    .invalidate_i       (invalidate_i),
    .ct_start_valid_i   (start_valid_i),
    .ct_start_i         (start),
    .idle_o             (idle_o),
    .if_req_valid_i     (if_req_valid_i),
    .if_req_ready_o     (if_req_ready_o),
    .if_req_pc_i        (if_req_pc_i),
    .if_req_tag_i       (if_req_tag_i),
    .ic_rsp_valid_o     (ic_rsp_valid_o),
    .ic_rsp_word_o      (ic_rsp_word_o),
    .ic_rsp_err_o       (ic_rsp_err_o),
    .ic_rsp_tag_o       (ic_rsp_tag_o),
    .if_cst_valid_i     (if_cst_valid_i),
    .if_cst_ready_o     (if_cst_ready_o),
    .if_cst_bank_i      (if_cst_bank_i),
    .if_cst_off_i       (if_cst_off_i),
    .if_cst_tag_i       (if_cst_tag_i),
    .cc_cst_valid_o     (cc_cst_valid_o),
    .cc_cst_data_o      (cc_cst_data_o),
    .cc_cst_range_o     (cc_cst_range_o),
    .cc_cst_err_o       (cc_cst_err_o),
    .cc_cst_tag_o       (cc_cst_tag_o),
    .op_req_valid_i     (op_valid_i),
    .op_req_ready_o     (op_ready_o),
    .op_req_i           (req),
    .ls_late_valid_o    (late_valid_o),
    .ls_late_ready_i    (late_ready_i),
    .ls_late_o          (late),
    .ls_checked_valid_o (checked_valid_o),
    .ls_checked_slot_o  (checked_slot_o),
    .ls_trap_valid_o    (trap_valid_o),
    .ls_trap_o          (trap),
    .ret_shared_valid_o (shm_valid_o),
    .ret_shared_o       (shm),
    .ret_global_valid_o (gmem_valid_o),
    .ret_global_o       (perform),
    .m_axi_awvalid_o    (awvalid_o),
    .m_axi_awready_i    (awready_i),
    .m_axi_awid_o       (awid_o),
    .m_axi_awaddr_o     (awaddr_o),
    .m_axi_awlen_o      (awlen_o),
    .m_axi_awsize_o     (awsize_o),
    .m_axi_awburst_o    (awburst_o),
    .m_axi_wvalid_o     (wvalid_o),
    .m_axi_wready_i     (wready_i),
    .m_axi_wdata_o      (wdata_o),
    .m_axi_wstrb_o      (wstrb_o),
    .m_axi_wlast_o      (wlast_o),
    .m_axi_bvalid_i     (bvalid_i),
    .m_axi_bready_o     (bready_o),
    .m_axi_bid_i        (bid_i),
    .m_axi_bresp_i      (bresp_i),
    .m_axi_arvalid_o    (arvalid_o),
    .m_axi_arready_i    (arready_i),
    .m_axi_arid_o       (arid_o),
    .m_axi_araddr_o     (araddr_o),
    .m_axi_arlen_o      (arlen_o),
    .m_axi_arsize_o     (arsize_o),
    .m_axi_arburst_o    (arburst_o),
    .m_axi_rvalid_i     (rvalid_i),
    .m_axi_rready_o     (rready_o),
    .m_axi_rid_i        (rid_i),
    .m_axi_rdata_i      (rdata_i),
    .m_axi_rresp_i      (rresp_i),
    .m_axi_rlast_i      (rlast_i)
  );

endmodule

`default_nettype wire
