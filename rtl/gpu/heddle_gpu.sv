// SPDX-License-Identifier: Apache-2.0
// The top: one SM, the point of order behind its request channel, the host's registers on AXI4-Lite, memory on AXI4, the retire port.
// Latency: none of its own; a launch is described in README.md.
// Handshake: AXI4-Lite, AXI4; retire records are events in the order that rtl/README.md gives.
// It does not compute anything: host side, SM and memory meet here.
`default_nettype none

module heddle_gpu #(
  parameter bit           FAULTS   = 1'b0,   // 1: fault_i injects bugs; 0: it is ignored and costs nothing
  parameter int unsigned  SM       = 0,      // number of the SM, as records and SR_SMID say it,
  parameter int unsigned  SMS      = 1,      // and of how many (SR_NSMID)
  parameter bit           STRAPS   = 1'b0,   // 1: all scheduling policies, both divergence units, MODE chooses; 0: the configuration's
  localparam int unsigned AXI_BITS = cfg_pkg::AXI_BITS,
  localparam int unsigned AXI_ID_W = order_pkg::ID_W
) (
  input  logic                              clk_i,
  input  logic                              rst_ni,
  // bug to inject (core_pkg::FAULT_*); no effect unless FAULTS is 1
  input  logic [7:0]                        fault_i,
  // from and to the host: registers (README.md)
  input  logic                              s_axil_awvalid_i,
  output logic                              s_axil_awready_o,
  input  logic [11:0]                       s_axil_awaddr_i,
  input  logic                              s_axil_wvalid_i,
  output logic                              s_axil_wready_o,
  input  logic [31:0]                       s_axil_wdata_i,
  input  logic [3:0]                        s_axil_wstrb_i,
  output logic                              s_axil_bvalid_o,
  input  logic                              s_axil_bready_i,
  output logic [1:0]                        s_axil_bresp_o,
  input  logic                              s_axil_arvalid_i,
  output logic                              s_axil_arready_o,
  input  logic [11:0]                       s_axil_araddr_i,
  output logic                              s_axil_rvalid_o,
  input  logic                              s_axil_rready_i,
  output logic [31:0]                       s_axil_rdata_o,
  output logic [1:0]                        s_axil_rresp_o,
  // from and to memory
  output logic                              m_axi_awvalid_o,
  input  logic                              m_axi_awready_i,
  output logic [AXI_ID_W-1:0]               m_axi_awid_o,
  output logic [39:0]                       m_axi_awaddr_o,
  output logic [7:0]                        m_axi_awlen_o,
  output logic [2:0]                        m_axi_awsize_o,
  output logic [1:0]                        m_axi_awburst_o,
  output logic                              m_axi_wvalid_o,
  input  logic                              m_axi_wready_i,
  output logic [AXI_BITS-1:0]               m_axi_wdata_o,
  output logic [AXI_BITS/8-1:0]             m_axi_wstrb_o,
  output logic                              m_axi_wlast_o,
  input  logic                              m_axi_bvalid_i,
  output logic                              m_axi_bready_o,
  input  logic [AXI_ID_W-1:0]               m_axi_bid_i,
  input  logic [1:0]                        m_axi_bresp_i,
  output logic                              m_axi_arvalid_o,
  input  logic                              m_axi_arready_i,
  output logic [AXI_ID_W-1:0]               m_axi_arid_o,
  output logic [39:0]                       m_axi_araddr_o,
  output logic [7:0]                        m_axi_arlen_o,
  output logic [2:0]                        m_axi_arsize_o,
  output logic [1:0]                        m_axi_arburst_o,
  input  logic                              m_axi_rvalid_i,
  output logic                              m_axi_rready_o,
  input  logic [AXI_ID_W-1:0]               m_axi_rid_i,
  input  logic [AXI_BITS-1:0]               m_axi_rdata_i,
  input  logic [1:0]                        m_axi_rresp_i,
  input  logic                              m_axi_rlast_i,
  // retire port (rtl/README.md); ret_ready_i = 0 stops issue
  input  logic                              ret_ready_i,
  output logic                                                          ret_block_start_valid_o,
  output retire_pkg::block_start_t                                      ret_block_start_o,
  output logic                                                          ret_warp_start_valid_o,
  output retire_pkg::warp_start_t                                       ret_warp_start_o,
  output logic                                                          ret_global_valid_o,
  output retire_pkg::global_t                                           ret_global_o,
  output logic                                                          ret_fill_valid_o,
  output retire_pkg::fill_t                                             ret_fill_o,
  output logic                                                          ret_ack_valid_o,
  output retire_pkg::ack_t                                              ret_ack_o,
  output logic [retire_pkg::TURNS-1:0]                                  ret_drop_valid_o,
  output retire_pkg::drop_t [retire_pkg::TURNS-1:0]                     ret_drop_o,
  output logic                                                          ret_merge_valid_o,
  output retire_pkg::merge_t                                            ret_merge_o,
  output logic [retire_pkg::TURNS-1:0]                                  ret_hit_valid_o,
  output retire_pkg::hit_t [retire_pkg::TURNS-1:0]                      ret_hit_o,
  output logic [cfg_pkg::PARTITIONS-1:0]                                ret_fence_valid_o,
  output retire_pkg::fence_t [cfg_pkg::PARTITIONS-1:0]                  ret_fence_o,
  output logic                                                          ret_shared_valid_o,
  output retire_pkg::shared_t                                           ret_shared_o,
  output logic [cfg_pkg::PARTITIONS-1:0][retire_pkg::PORTS-1:0]         ret_write_valid_o,
  output retire_pkg::write_t [cfg_pkg::PARTITIONS-1:0][retire_pkg::PORTS-1:0] ret_write_o,
  output logic [cfg_pkg::PARTITIONS-1:0]                                ret_predicate_valid_o,
  output retire_pkg::predicate_t [cfg_pkg::PARTITIONS-1:0]              ret_predicate_o,
  output logic [cfg_pkg::PARTITIONS-1:0]                                ret_operands_valid_o,
  output retire_pkg::operands_t [cfg_pkg::PARTITIONS-1:0]               ret_operands_o,
  output logic [cfg_pkg::PARTITIONS-1:0]                                ret_operands_memory_valid_o,
  output retire_pkg::operands_t [cfg_pkg::PARTITIONS-1:0]               ret_operands_memory_o,
  output logic                                                          ret_barrier_valid_o,
  output retire_pkg::barrier_t                                          ret_barrier_o,
  output logic [cfg_pkg::PARTITIONS-1:0]                                ret_issue_valid_o,
  output retire_pkg::issue_t [cfg_pkg::PARTITIONS-1:0]                  ret_issue_o,
  output logic [cfg_pkg::PARTITIONS-1:0]                                ret_uniform_read_valid_o,
  output retire_pkg::uniform_read_t [cfg_pkg::PARTITIONS-1:0]           ret_uniform_read_o,
  output logic [cfg_pkg::PARTITIONS-1:0]                                ret_uniform_write_valid_o,
  output retire_pkg::uniform_write_t [cfg_pkg::PARTITIONS-1:0]          ret_uniform_write_o,
  output logic                                                          ret_trap_valid_o,
  output retire_pkg::trap_t                                             ret_trap_o,
  output logic                                                          ret_block_end_valid_o,
  output retire_pkg::block_end_t                                        ret_block_end_o
);

  core_pkg::launch_t                launch;
  logic [63:0]                      clock;
  logic [3:0]                       region_index;
  logic [39:0]                      region_base;
  logic [40:0]                      region_limit;
  core_pkg::trap_t                  is_trap;
  logic [3:0]                       is_cnt_index;
  logic                             is_cnt_cache;
  logic [31:0]                      is_cnt;
  logic                             sm_rst_n, go, busy, grid_done, is_trap_valid;
  logic [3:0]                       ct_refuse;
  logic [7:0]                       fault, fault_q;
  logic                             ret_ready_q;
  ret_pkg::valid_t                  ret_valid;
  ret_pkg::ret_t                    ret;
  logic                             sm_awvalid, sm_awready, sm_wvalid, sm_wready, sm_arvalid, sm_arready;

  // The request channel between the SM and the point of order.
  logic                             lw_valid, lq_valid, lc_valid, lc_atom, ld_valid, la_valid, la_ready, order_idle;
  line_pkg::write_t                 lw;
  line_pkg::request_t               lq;
  line_pkg::read_t                  ld;
  line_pkg::answer_t                la;
  atom_pkg::add_req_t               add_req;
  logic                             add_done;
  logic [63:0]                      add_sum;

  // Both reach far into the machine: registered, so that no logic hangs on an input.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      fault_q     <= core_pkg::FAULT_NONE;
      ret_ready_q <= 1'b0;
    end else begin
      fault_q     <= fault_i;
      ret_ready_q <= ret_ready_i;
    end
  end
  assign fault = FAULTS ? fault_q : core_pkg::FAULT_NONE;

  gpu_host #(.STRAPS(STRAPS)) u_host (
    .clk_i                (clk_i),
    .rst_ni               (rst_ni),
    .s_axil_awvalid_i     (s_axil_awvalid_i),
    .s_axil_awready_o     (s_axil_awready_o),
    .s_axil_awaddr_i      (s_axil_awaddr_i),
    .s_axil_wvalid_i      (s_axil_wvalid_i),
    .s_axil_wready_o      (s_axil_wready_o),
    .s_axil_wdata_i       (s_axil_wdata_i),
    .s_axil_wstrb_i       (s_axil_wstrb_i),
    .s_axil_bvalid_o      (s_axil_bvalid_o),
    .s_axil_bready_i      (s_axil_bready_i),
    .s_axil_bresp_o       (s_axil_bresp_o),
    .s_axil_arvalid_i     (s_axil_arvalid_i),
    .s_axil_arready_o     (s_axil_arready_o),
    .s_axil_araddr_i      (s_axil_araddr_i),
    .s_axil_rvalid_o      (s_axil_rvalid_o),
    .s_axil_rready_i      (s_axil_rready_i),
    .s_axil_rdata_o       (s_axil_rdata_o),
    .s_axil_rresp_o       (s_axil_rresp_o),
    .sm_rst_no            (sm_rst_n),
    .launch_o             (launch),
    .region_index_i       (region_index),
    .region_base_o        (region_base),
    .region_limit_o       (region_limit),
    .go_o                 (go),
    .clock_o              (clock),
    .grid_done_i          (grid_done),
    .ct_refuse_i          (ct_refuse),
    .is_trap_valid_i      (is_trap_valid),
    .is_trap_i            (is_trap),
    .is_cnt_index_o       (is_cnt_index),
    .is_cnt_cache_o       (is_cnt_cache),
    .is_cnt_i             (is_cnt),
    .ret_block_start_valid_i (ret_block_start_valid_o),
    .ret_block_start_i    (ret_block_start_o),
    .sm_awvalid_i         (sm_awvalid),
    .sm_awready_o         (sm_awready),
    .sm_wvalid_i          (sm_wvalid),
    .sm_wready_o          (sm_wready),
    .sm_wlast_i           (m_axi_wlast_o),
    .sm_bready_i          (m_axi_bready_o),
    .sm_arvalid_i         (sm_arvalid),
    .sm_arready_o         (sm_arready),
    .sm_rready_i          (m_axi_rready_o),
    .m_axi_awvalid_o      (m_axi_awvalid_o),
    .m_axi_awready_i      (m_axi_awready_i),
    .m_axi_wvalid_o       (m_axi_wvalid_o),
    .m_axi_wready_i       (m_axi_wready_i),
    .m_axi_bvalid_i       (m_axi_bvalid_i),
    .m_axi_arvalid_o      (m_axi_arvalid_o),
    .m_axi_arready_i      (m_axi_arready_i),
    .m_axi_rvalid_i       (m_axi_rvalid_i),
    .m_axi_rlast_i        (m_axi_rlast_i)
  );

  sm #(.STRAPS(STRAPS)) u_sm (
    .clk_i                 (clk_i),
    .rst_ni                (sm_rst_n),
    .fault_i               (fault),
    .sm_i                  (8'(SM)),
    .sms_i                 (9'(SMS)),
    .launch_i              (launch),
    .clock_i               (clock),
    .region_index_o        (region_index),
    .region_base_i         (region_base),
    .region_limit_i        (region_limit),
    .go_i                  (go),
    .busy_o                (busy),
    .grid_done_o           (grid_done),
    .ct_refuse_o           (ct_refuse),
    .is_trap_valid_o       (is_trap_valid),
    .is_trap_o             (is_trap),
    .is_cnt_index_i        (is_cnt_index),
    .is_cnt_cache_i        (is_cnt_cache),
    .is_cnt_o              (is_cnt),
    .lw_valid_o            (lw_valid),
    .lw_o                  (lw),
    .lq_valid_o            (lq_valid),
    .lq_o                  (lq),
    .lc_valid_i            (lc_valid),
    .lc_atom_i             (lc_atom),
    .ld_valid_i            (ld_valid),
    .ld_i                  (ld),
    .la_valid_i            (la_valid),
    .la_ready_o            (la_ready),
    .la_i                  (la),
    .ret_ready_i           (ret_ready_q),
    .ret_valid_o           (ret_valid),
    .ret_o                 (ret)
  );
  retire_ports u_retire_ports (
    .sm_i                        (8'(SM)),
    .ret_valid_i                 (ret_valid),
    .ret_i                       (ret),
    .ret_block_start_valid_o     (ret_block_start_valid_o),
    .ret_block_start_o           (ret_block_start_o),
    .ret_warp_start_valid_o      (ret_warp_start_valid_o),
    .ret_warp_start_o            (ret_warp_start_o),
    .ret_shared_valid_o          (ret_shared_valid_o),
    .ret_shared_o                (ret_shared_o),
    .ret_barrier_valid_o         (ret_barrier_valid_o),
    .ret_barrier_o               (ret_barrier_o),
    .ret_trap_valid_o            (ret_trap_valid_o),
    .ret_trap_o                  (ret_trap_o),
    .ret_block_end_valid_o       (ret_block_end_valid_o),
    .ret_block_end_o             (ret_block_end_o),
    .ret_ack_valid_o             (ret_ack_valid_o),
    .ret_ack_o                   (ret_ack_o),
    .ret_drop_valid_o            (ret_drop_valid_o),
    .ret_drop_o                  (ret_drop_o),
    .ret_merge_valid_o           (ret_merge_valid_o),
    .ret_merge_o                 (ret_merge_o),
    .ret_hit_valid_o             (ret_hit_valid_o),
    .ret_hit_o                   (ret_hit_o),
    .ret_fence_valid_o           (ret_fence_valid_o),
    .ret_fence_o                 (ret_fence_o),
    .ret_write_valid_o           (ret_write_valid_o),
    .ret_write_o                 (ret_write_o),
    .ret_predicate_valid_o       (ret_predicate_valid_o),
    .ret_predicate_o             (ret_predicate_o),
    .ret_operands_valid_o        (ret_operands_valid_o),
    .ret_operands_o              (ret_operands_o),
    .ret_operands_memory_valid_o (ret_operands_memory_valid_o),
    .ret_operands_memory_o       (ret_operands_memory_o),
    .ret_issue_valid_o           (ret_issue_valid_o),
    .ret_issue_o                 (ret_issue_o),
    .ret_uniform_read_valid_o    (ret_uniform_read_valid_o),
    .ret_uniform_read_o          (ret_uniform_read_o),
    .ret_uniform_write_valid_o   (ret_uniform_write_valid_o),
    .ret_uniform_write_o         (ret_uniform_write_o)
  );


  order u_order (
    .clk_i              (clk_i),
    .rst_ni             (sm_rst_n),
    .fault_i            (fault),
    .lw_valid_i         (lw_valid),
    .lw_i               (lw),
    .lq_valid_i         (lq_valid),
    .lq_i               (lq),
    .lc_valid_o         (lc_valid),
    .lc_atom_o          (lc_atom),
    .ld_valid_o         (ld_valid),
    .ld_o               (ld),
    .la_valid_o         (la_valid),
    .la_ready_i         (la_ready),
    .la_o               (la),
    .add_req_o          (add_req),
    .add_done_i         (add_done),
    .add_sum_i          (add_sum),
    .ret_global_valid_o (ret_global_valid_o),
    .ret_global_o       (ret_global_o),
    .ret_fill_valid_o   (ret_fill_valid_o),
    .ret_fill_o         (ret_fill_o),
    .m_axi_awvalid_o    (sm_awvalid),
    .m_axi_awready_i    (sm_awready),
    .m_axi_awid_o       (m_axi_awid_o),
    .m_axi_awaddr_o     (m_axi_awaddr_o),
    .m_axi_awlen_o      (m_axi_awlen_o),
    .m_axi_awsize_o     (m_axi_awsize_o),
    .m_axi_awburst_o    (m_axi_awburst_o),
    .m_axi_wvalid_o     (sm_wvalid),
    .m_axi_wready_i     (sm_wready),
    .m_axi_wdata_o      (m_axi_wdata_o),
    .m_axi_wstrb_o      (m_axi_wstrb_o),
    .m_axi_wlast_o      (m_axi_wlast_o),
    .m_axi_bvalid_i     (m_axi_bvalid_i),
    .m_axi_bready_o     (m_axi_bready_o),
    .m_axi_bid_i        (m_axi_bid_i),
    .m_axi_bresp_i      (m_axi_bresp_i),
    .m_axi_arvalid_o    (sm_arvalid),
    .m_axi_arready_i    (sm_arready),
    .m_axi_arid_o       (m_axi_arid_o),
    .m_axi_araddr_o     (m_axi_araddr_o),
    .m_axi_arlen_o      (m_axi_arlen_o),
    .m_axi_arsize_o     (m_axi_arsize_o),
    .m_axi_arburst_o    (m_axi_arburst_o),
    .m_axi_rvalid_i     (m_axi_rvalid_i),
    .m_axi_rready_o     (m_axi_rready_o),
    .m_axi_rid_i        (m_axi_rid_i),
    .m_axi_rdata_i      (m_axi_rdata_i),
    .m_axi_rresp_i      (m_axi_rresp_i),
    .m_axi_rlast_i      (m_axi_rlast_i),
    .idle_o             (order_idle)
  );

  // Floats of global atomics are added here, those of shared memory in the SM.
  if (cfg_pkg::HAS_FATOM) begin : gen_add
    atom_float u_float (
      .clk_i      (clk_i),
      .rst_ni     (sm_rst_n),
      .fault_i    (fault),
      .add_req_i  (add_req),
      .add_done_o (add_done),
      .add_sum_o  (add_sum)
    );
  end else begin : gen_no_add
    logic unused_add;
    assign add_done   = 1'b0;
    assign add_sum    = '0;
    assign unused_add = ^add_req;
  end

  // The control unit follows go and grid_done; it needs no busy. The SM waits for its answers.
  logic unused;
  assign unused = &{1'b0, busy, order_idle, fault_i};

endmodule

`default_nettype wire
