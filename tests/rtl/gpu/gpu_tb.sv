// SPDX-License-Identifier: Apache-2.0
// Plain ports around `gpu_host`: the launch, field by field, and a trap made from its fields. Blocks of one SM begin at a
// time; counters of SM k are those given and k times 0x1000193; the ranges seen are those of one SM.
// Latency: none of its own.
// Handshake: that of `gpu_host`.
// It adds nothing.
module gpu_tb #(
  localparam int unsigned PORTS = line_pkg::AXI_PORTS
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  input  logic              s_axil_awvalid_i,
  output logic              s_axil_awready_o,
  input  logic [11:0]       s_axil_awaddr_i,
  input  logic              s_axil_wvalid_i,
  output logic              s_axil_wready_o,
  input  logic [31:0]       s_axil_wdata_i,
  input  logic [3:0]        s_axil_wstrb_i,
  output logic              s_axil_bvalid_o,
  input  logic              s_axil_bready_i,
  output logic [1:0]        s_axil_bresp_o,
  input  logic              s_axil_arvalid_i,
  output logic              s_axil_arready_o,
  input  logic [11:0]       s_axil_araddr_i,
  output logic              s_axil_rvalid_o,
  input  logic              s_axil_rready_i,
  output logic [31:0]       s_axil_rdata_o,
  output logic [1:0]        s_axil_rresp_o,
  output logic              sm_rst_no,
  output logic [13:0][31:0] launch_o,        // in the order of the registers from GRID_X on
  output logic [3:0][63:0]  cbank_base_o,
  output logic [3:0][31:0]  cbank_bytes_o,
  input  logic [7:0]        region_sm_i,
  input  logic [3:0]        region_index_i,
  output logic [63:0]       region_base_o,
  output logic [63:0]       region_limit_o,
  output logic              go_o,
  output logic              irq_o,
  output logic              stop_o,
  input  logic              drained_i,
  output logic              flush_o,
  output logic              flush_keep_o,
  output logic [63:0]       flush_base_o,
  output logic [63:0]       flush_limit_o,
  input  logic              flushed_i,
  input  logic              grid_done_i,
  input  logic [3:0]        ct_refuse_i,
  input  logic              trap_valid_i,
  input  logic [7:0]        trap_sm_i,
  input  logic [3:0]        trap_cause_i,
  input  logic [7:0]        trap_slot_i,
  input  logic [7:0]        trap_gen_i,
  input  logic [31:0]       trap_seq_i,
  input  logic [31:0]       trap_pc_i,
  input  logic [31:0]       trap_lanes_i,
  input  logic [63:0]       trap_addr_i,
  input  logic [15:0][31:0] cnt_i,
  input  logic              bstart_valid_i,
  input  logic [7:0]        bstart_sm_i,
  input  logic [7:0]        bstart_bslot_i,
  input  logic [31:0]       bstart_ctaid_x_i,
  input  logic [31:0]       bstart_ctaid_y_i,
  input  logic [31:0]       bstart_ctaid_z_i,
  input  logic [31:0]       bstart_warps_i,
  // of each port to memory
  input  logic [PORTS-1:0]  sm_awvalid_i,
  output logic [PORTS-1:0]  sm_awready_o,
  input  logic [PORTS-1:0]  sm_wvalid_i,
  output logic [PORTS-1:0]  sm_wready_o,
  input  logic [PORTS-1:0]  sm_wlast_i,
  input  logic [PORTS-1:0]  sm_bready_i,
  input  logic [PORTS-1:0]  sm_arvalid_i,
  output logic [PORTS-1:0]  sm_arready_o,
  input  logic [PORTS-1:0]  sm_rready_i,
  output logic [PORTS-1:0]  m_axi_awvalid_o,
  input  logic [PORTS-1:0]  m_axi_awready_i,
  output logic [PORTS-1:0]  m_axi_wvalid_o,
  input  logic [PORTS-1:0]  m_axi_wready_i,
  input  logic [PORTS-1:0]  m_axi_bvalid_i,
  output logic [PORTS-1:0]  m_axi_arvalid_o,
  input  logic [PORTS-1:0]  m_axi_arready_i,
  input  logic [PORTS-1:0]  m_axi_rvalid_i,
  input  logic [PORTS-1:0]  m_axi_rlast_i,
  output logic [63:0]       clock_o,
  output logic [31:0]       cfg_sms_o,
  output logic [31:0]       cfg_ports_o,
  output logic [31:0]       cfg_lanes_o,
  output logic [31:0]       cfg_warps_o,
  output logic [31:0]       cfg_regs_o,
  output logic [31:0]       cfg_blocks_o,
  output logic [31:0]       cfg_shared_o,
  output logic [31:0]       cfg_axi_bits_o,
  output logic [63:0]       cfg_hash_o,
  output logic [63:0]       isa_hash_o,
  output logic [63:0]       latency_hash_o,
  output logic [31:0]       counters_o,
  // virtual memory: what the host has written, what the mmu says
  output logic              mode_pages_o,
  output logic              mode_fault_trap_o,
  output logic [7:0]        space_o,
  output logic              wipe_o,          // what the launch before has left is set to 0
  output logic [63:0]       root_o,          // PAGE_ROOT
  output logic              mu_replay_o,
  output logic              mu_fail_o,
  output logic              mu_invalidate_o,
  output logic [7:0]        mu_all_o,        // as TLB_WHAT
  output logic [7:0]        mu_space_o,
  output logic [63:0]       mu_page_o,
  output logic              mu_exchange_o,
  output logic [63:0]       mu_word_o,
  output logic [63:0]       mu_value_o,
  output logic [7:0]        mu_at_o,
  output logic [31:0]       mu_ended_o,
  input  logic              mu_taken_i,
  input  logic              mu_idle_i,
  input  logic              mu_added_i,
  input  logic [7:0]        mu_faults_i,
  input  logic [7:0]        mu_fault_space_i,
  input  logic [63:0]       mu_fault_page_i,
  input  logic              mu_fault_write_i,
  input  logic [7:0]        mu_fault_kind_i,
  input  logic              mu_invalidating_i,
  input  logic              mu_exchanging_i,
  input  logic              mu_exchange_err_i,
  input  logic [63:0]       mu_old_i
);

  core_pkg::launch_t launch;
  core_pkg::trap_t   trap;
  sm_pkg::blocks_t   bstart;
  sm_pkg::blocks_t [cfg_pkg::SMS-1:0] blk;
  logic [3:0]        cnt_index;
  logic              cnt_cache;
  localparam int unsigned SMS = cfg_pkg::SMS;

  l2_pkg::flush_t flush;
  assign flush_o       = flush.valid;
  assign flush_keep_o  = flush.keep;
  assign flush_base_o  = 64'(flush.base);
  assign flush_limit_o = 64'(flush.limit);

  logic [SMS-1:0][3:0]  region_index;
  logic [SMS-1:0][39:0] region_base;
  logic [SMS-1:0][40:0] region_limit;
  logic [SMS-1:0][31:0] cnt;

  // The other SMs look at other regions.
  for (genvar s = 0; s < SMS; s++) begin : gen_sm
    assign region_index[s] = region_index_i ^ 4'(8'(s) ^ region_sm_i);
    assign cnt[s] = (!cnt_cache && 32'(cnt_index) < issue_pkg::NCNT) ? cnt_i[cnt_index] + s * 32'h1000193 : 32'd0;
  end
  assign region_base_o  = 64'(region_base[region_sm_i[line_pkg::SM_W-1:0]]);
  assign region_limit_o = 64'(region_limit[region_sm_i[line_pkg::SM_W-1:0]]);
  assign cfg_sms_o      = SMS;
  assign cfg_ports_o    = PORTS;

  always_comb begin
    bstart       = '0;
    bstart.warps = cfg_pkg::SM_WARPS'(bstart_warps_i);
    bstart.ctaid = {bstart_ctaid_z_i, bstart_ctaid_y_i, bstart_ctaid_x_i};
    bstart.bslot = bstart_bslot_i;
    blk          = {SMS{bstart}};
    for (int unsigned s = 0; s < SMS; s++) blk[s].start_valid = bstart_valid_i && 8'(s) == bstart_sm_i;
    trap.cause   = trap_cause_i;
    trap.id.slot = trap_slot_i[cfg_pkg::SM_WARP_W-1:0];
    trap.id.gen  = trap_gen_i;
    trap.id.seq  = trap_seq_i;
    trap.pc      = trap_pc_i;
    trap.lanes   = trap_lanes_i;
    trap.addr    = trap_addr_i;
    launch_o[0]  = launch.grid[0];
    launch_o[1]  = launch.grid[1];
    launch_o[2]  = launch.grid[2];
    launch_o[3]  = 32'(launch.block[0]);
    launch_o[4]  = 32'(launch.block[1]);
    launch_o[5]  = 32'(launch.block[2]);
    launch_o[6]  = launch.entry_pc;
    launch_o[7]  = 32'(launch.regs);
    launch_o[8]  = 32'(launch.shared_bytes);
    launch_o[9]  = launch.code_base[31:0];
    launch_o[10] = 32'(launch.code_base[39:32]);
    launch_o[11] = launch.code_bytes;
    launch_o[12] = 32'({launch.its, launch.sched, launch.scoreboard});
    launch_o[13] = 32'(launch.region_write);
    for (int unsigned i = 0; i < 4; i++) begin
      cbank_base_o[i]  = 64'(launch.cbank_base[i]);
      cbank_bytes_o[i] = 32'(launch.cbank_bytes[i]);
    end
  end

  // The host's port; of the memory's, the handshakes.
  axi_pkg::axil_req_t axil_req;
  axi_pkg::axil_rsp_t axil_rsp;
  axi_pkg::axi_req_t [PORTS-1:0] bk_req, axi_req;
  axi_pkg::axi_rsp_t [PORTS-1:0] bk_rsp, axi_rsp;

  assign axil_req = '{
    awvalid: s_axil_awvalid_i,
    awaddr:  s_axil_awaddr_i,
    wvalid:  s_axil_wvalid_i,
    wdata:   s_axil_wdata_i,
    wstrb:   s_axil_wstrb_i,
    bready:  s_axil_bready_i,
    arvalid: s_axil_arvalid_i,
    araddr:  s_axil_araddr_i,
    rready:  s_axil_rready_i
  };
  assign s_axil_awready_o  = axil_rsp.awready;
  assign s_axil_wready_o   = axil_rsp.wready;
  assign s_axil_bvalid_o   = axil_rsp.bvalid;
  assign s_axil_bresp_o    = axil_rsp.bresp;
  assign s_axil_arready_o  = axil_rsp.arready;
  assign s_axil_rvalid_o   = axil_rsp.rvalid;
  assign s_axil_rdata_o    = axil_rsp.rdata;
  assign s_axil_rresp_o    = axil_rsp.rresp;

  always_comb begin
    bk_req  = '0;
    axi_rsp = '0;
    for (int unsigned p = 0; p < PORTS; p++) begin
      bk_req[p].awvalid  = sm_awvalid_i[p];
      bk_req[p].wvalid   = sm_wvalid_i[p];
      bk_req[p].wlast    = sm_wlast_i[p];
      bk_req[p].bready   = sm_bready_i[p];
      bk_req[p].arvalid  = sm_arvalid_i[p];
      bk_req[p].rready   = sm_rready_i[p];
      axi_rsp[p].awready = m_axi_awready_i[p];
      axi_rsp[p].wready  = m_axi_wready_i[p];
      axi_rsp[p].bvalid  = m_axi_bvalid_i[p];
      axi_rsp[p].arready = m_axi_arready_i[p];
      axi_rsp[p].rvalid  = m_axi_rvalid_i[p];
      axi_rsp[p].rlast   = m_axi_rlast_i[p];
    end
  end
  for (genvar p = 0; p < PORTS; p++) begin : gen_port
    assign {sm_awready_o[p], sm_wready_o[p], sm_arready_o[p]} = {bk_rsp[p].awready, bk_rsp[p].wready, bk_rsp[p].arready};
    assign {m_axi_awvalid_o[p], m_axi_wvalid_o[p], m_axi_arvalid_o[p]}
      = {axi_req[p].awvalid, axi_req[p].wvalid, axi_req[p].arvalid};
  end

  logic [mmu_pkg::ROOT_W-1:0] root;
  mmu_pkg::do_t               mu_do;
  mmu_pkg::did_t              mu_did;
  core_pkg::wipe_t            wipe;
  assign wipe_o = wipe.valid;

  assign mode_pages_o      = launch.pages;
  assign mode_fault_trap_o = launch.fault_trap;
  assign space_o           = launch.space;
  assign root_o            = 64'({root, 13'd0});
  assign mu_replay_o       = mu_do.replay;
  assign mu_fail_o         = mu_do.fail;
  assign mu_invalidate_o   = mu_do.invalidate;
  assign mu_all_o          = 8'({mu_do.what.all_spaces, mu_do.what.all_pages});
  assign mu_space_o        = mu_do.what.space;
  assign mu_page_o         = 64'(mu_do.what.page);
  assign mu_exchange_o     = mu_do.exchange;
  assign mu_word_o         = 64'(mu_do.word);
  assign mu_value_o        = mu_do.value;
  assign mu_at_o           = 8'(mu_do.at);
  assign mu_ended_o        = mu_do.ended;
  assign mu_did = '{fault_added: mu_added_i, faults: mu_faults_i[mmu_pkg::COUNT_W-1:0],
    fault: '{space: mu_fault_space_i, page: mu_fault_page_i[mmu_pkg::PAGE_W-1:0], write: mu_fault_write_i,
             kind: mmu_pkg::kind_e'(mu_fault_kind_i[1:0])},
    invalidating: mu_invalidating_i, exchanging: mu_exchanging_i, exchange_err: mu_exchange_err_i, old: mu_old_i};

  gpu_host u_dut (
    .root_o               (root),
    .mu_do_o              (mu_do),
    .mu_taken_i           (mu_taken_i),
    .mu_did_i             (mu_did),
    .mu_idle_i            (mu_idle_i),
    .clk_i                (clk_i),
    .flush_o              (flush),
    .flushed_i            ('{flushed: flushed_i, default: '0}),
    .clock_o              (clock_o),
    .rst_ni               (rst_ni),
    .axil_i               (axil_req),
    .axil_o               (axil_rsp),
    .irq_o                (irq_o),
    .sm_rst_no            (sm_rst_no),
    .launch_o             (launch),
    .wipe_o               (wipe),
    .region_index_i       (region_index),
    .region_base_o        (region_base),
    .region_limit_o       (region_limit),
    .go_o                 (go_o),
    .grid_done_i          (grid_done_i),
    .stop_o               (stop_o),
    .drained_i            (drained_i),
    .ct_refuse_i          (ct_refuse_i),
    .is_trap_valid_i      (trap_valid_i),
    .is_trap_i            (trap),
    .trap_sm_i            (trap_sm_i[line_pkg::SM_W-1:0]),
    .is_cnt_index_o       (cnt_index),
    .is_cnt_cache_o       (cnt_cache),
    .is_cnt_i             (cnt),
    .ct_blk_i             (blk),
    .bk_axi_i             (bk_req),
    .bk_axi_o             (bk_rsp),
    .axi_o                (axi_req),
    .axi_i                (axi_rsp)
  );

  assign cfg_lanes_o    = cfg_pkg::LANES;
  assign cfg_warps_o    = cfg_pkg::SM_WARPS;
  assign cfg_regs_o     = cfg_pkg::REGS;
  assign cfg_blocks_o   = cfg_pkg::BLOCKS;
  assign cfg_shared_o   = cfg_pkg::SHARED_BYTES;
  assign cfg_axi_bits_o = cfg_pkg::AXI_BITS;
  assign cfg_hash_o     = cfg_pkg::CFG_HASH;
  assign isa_hash_o     = isa_pkg::ISA_HASH;
  assign latency_hash_o = cfg_pkg::LATENCY_HASH;
  assign counters_o     = issue_pkg::NCNT;

  logic unused;
  assign unused = &{1'b0, trap_slot_i, trap_sm_i, bstart_warps_i, cnt_i, launch.local_base, launch.local_bytes, wipe.at, bk_rsp, axi_req,
    mu_faults_i, mu_fault_page_i, mu_fault_kind_i};

endmodule
