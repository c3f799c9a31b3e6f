// SPDX-License-Identifier: Apache-2.0
// Everything of the top but SMs and memory: host registers, start and abort, the gate on the AXI master, where a trap was.
// Latency: that of its parts.
// Handshake: AXI4-Lite towards the host; of the AXI master only the handshakes pass here, payloads go straight.
// It does not execute, and it does not look at retire records.
`default_nettype none

module gpu_host #(
  parameter bit STRAPS = 1'b0,         // 1: the machine has all scheduling policies and both divergence units
  parameter  int unsigned SMS  = cfg_pkg::SMS,
  localparam int unsigned SM_W = (SMS > 1) ? $clog2(SMS) : 1
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  // from and to the host
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
  // to and from the SMs
  output logic              sm_rst_no,
  input  logic [SMS-1:0][3:0]  region_index_i,   // range of a region, at once
  output logic [SMS-1:0][39:0] region_base_o,
  output logic [SMS-1:0][40:0] region_limit_o,
  output core_pkg::launch_t launch_o,
  output logic              go_o,
  input  logic              grid_done_i,
  input  logic [3:0]        ct_refuse_i,
  output logic [63:0]       clock_o,          // cycles since go
  input  logic              is_trap_valid_i,
  input  core_pkg::trap_t   is_trap_i,
  input  logic [SM_W-1:0]   trap_sm_i,
  output logic [3:0]        is_cnt_index_o,
  output logic              is_cnt_cache_o,
  input  logic [SMS-1:0][31:0] is_cnt_i,
  input  sm_pkg::blocks_t [SMS-1:0] ct_blk_i,
  // from and to the cache that SMs share
  output logic              flush_o,
  input  logic              flushed_i,
  input  logic              dirty_i,
  input  logic              lost_i,
  input  logic [line_pkg::LINE_W-1:0] lost_line_i,
  // from and to the point of order: its end of the gate
  input  logic              sm_awvalid_i,
  output logic              sm_awready_o,
  input  logic              sm_wvalid_i,
  output logic              sm_wready_o,
  input  logic              sm_wlast_i,
  input  logic              sm_bready_i,
  input  logic              sm_arvalid_i,
  output logic              sm_arready_o,
  input  logic              sm_rready_i,
  // to and from memory
  output logic              m_axi_awvalid_o,
  input  logic              m_axi_awready_i,
  output logic              m_axi_wvalid_o,
  input  logic              m_axi_wready_i,
  input  logic              m_axi_bvalid_i,
  output logic              m_axi_arvalid_o,
  input  logic              m_axi_arready_i,
  input  logic              m_axi_rvalid_i,
  input  logic              m_axi_rlast_i
);

  logic            start, stop, running, done, trapped, refused, draining, drain, drained, dropped;
  logic [3:0]      refuse;
  logic [63:0]     cycles;
  logic [2:0][31:0] trap_ctaid;
  logic [4:0]      trap_warp;

  host_regs #(.STRAPS(STRAPS), .SMS(SMS)) u_regs (
    .clk_i            (clk_i),
    .rst_ni           (rst_ni),
    .s_axil_awvalid_i (s_axil_awvalid_i),
    .s_axil_awready_o (s_axil_awready_o),
    .s_axil_awaddr_i  (s_axil_awaddr_i),
    .s_axil_wvalid_i  (s_axil_wvalid_i),
    .s_axil_wready_o  (s_axil_wready_o),
    .s_axil_wdata_i   (s_axil_wdata_i),
    .s_axil_wstrb_i   (s_axil_wstrb_i),
    .s_axil_bvalid_o  (s_axil_bvalid_o),
    .s_axil_bready_i  (s_axil_bready_i),
    .s_axil_bresp_o   (s_axil_bresp_o),
    .s_axil_arvalid_i (s_axil_arvalid_i),
    .s_axil_arready_o (s_axil_arready_o),
    .s_axil_araddr_i  (s_axil_araddr_i),
    .s_axil_rvalid_o  (s_axil_rvalid_o),
    .s_axil_rready_i  (s_axil_rready_i),
    .s_axil_rdata_o   (s_axil_rdata_o),
    .s_axil_rresp_o   (s_axil_rresp_o),
    .start_o          (start),
    .abort_o          (stop),
    .running_i        (running),
    .done_i           (done),
    .trapped_i        (trapped),
    .refused_i        (refused),
    .draining_i       (draining),
    .refuse_i         (refuse),
    .cycles_i         (cycles),
    .dropped_i        (dropped),
    .lost_i           (lost_i),
    .lost_line_i      (lost_line_i),
    .trap_i           (is_trap_i),
    .trap_sm_i        (trap_sm_i),
    .trap_ctaid_x_i   (trap_ctaid[0]),
    .trap_ctaid_y_i   (trap_ctaid[1]),
    .trap_ctaid_z_i   (trap_ctaid[2]),
    .trap_warp_i      (trap_warp),
    .region_index_i   (region_index_i),
    .region_base_o    (region_base_o),
    .region_limit_o   (region_limit_o),
    .launch_o         (launch_o),
    .is_cnt_index_o   (is_cnt_index_o),
    .is_cnt_cache_o   (is_cnt_cache_o),
    .is_cnt_i         (is_cnt_i)
  );

  assign clock_o = cycles;

  gpu_ctrl u_ctrl (
    .clk_i           (clk_i),
    .rst_ni          (rst_ni),
    .start_i         (start),
    .abort_i         (stop),
    .running_o       (running),
    .done_o          (done),
    .trapped_o       (trapped),
    .refused_o       (refused),
    .draining_o      (draining),
    .refuse_o        (refuse),
    .cycles_o        (cycles),
    .dropped_o       (dropped),
    .drain_o         (drain),
    .drained_i       (drained),
    .sm_rst_no       (sm_rst_no),
    .go_o            (go_o),
    .grid_done_i     (grid_done_i),
    .ct_refuse_i     (ct_refuse_i),
    .is_trap_valid_i (is_trap_valid_i),
    .flush_o         (flush_o),
    .flushed_i       (flushed_i),
    .dirty_i         (dirty_i)
  );

  gpu_where #(.N(SMS)) u_where (
    .clk_i           (clk_i),
    .ct_blk_i        (ct_blk_i),
    .trap_valid_i    (is_trap_valid_i),
    .trap_sm_i       (trap_sm_i),
    .look_i          (trapped),
    .slot_i          (is_trap_i.id.slot),
    .ctaid_o         (trap_ctaid),
    .warp_o          (trap_warp)
  );

  axi_drain u_drain (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .drain_i     (drain),
    .drained_o   (drained),
    .s_awvalid_i (sm_awvalid_i),
    .s_awready_o (sm_awready_o),
    .s_wvalid_i  (sm_wvalid_i),
    .s_wready_o  (sm_wready_o),
    .s_wlast_i   (sm_wlast_i),
    .s_bready_i  (sm_bready_i),
    .s_arvalid_i (sm_arvalid_i),
    .s_arready_o (sm_arready_o),
    .s_rready_i  (sm_rready_i),
    .m_awvalid_o (m_axi_awvalid_o),
    .m_awready_i (m_axi_awready_i),
    .m_wvalid_o  (m_axi_wvalid_o),
    .m_wready_i  (m_axi_wready_i),
    .m_bvalid_i  (m_axi_bvalid_i),
    .m_arvalid_o (m_axi_arvalid_o),
    .m_arready_i (m_axi_arready_i),
    .m_rvalid_i  (m_axi_rvalid_i),
    .m_rlast_i   (m_axi_rlast_i)
  );

endmodule

`default_nettype wire
