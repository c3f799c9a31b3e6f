// SPDX-License-Identifier: Apache-2.0
// Everything of the top but SMs and memory: host registers, start and abort, the gates on the AXI masters, where a trap was.
// Latency: that of its parts.
// Handshake: AXI4-Lite towards the host; AXI4 of the machine passes through a gate a port.
// It does not execute, and it does not look at retire records.
module gpu_host #(
  parameter bit STRAPS = 1'b0,         // 1: the machine has all scheduling policies and both divergence units
  parameter bit WARM   = 1'b1,         // 0: there is a reset between launches of a queue, too
  localparam int unsigned SMS   = cfg_pkg::SMS,
  localparam int unsigned PORTS = line_pkg::AXI_PORTS
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  // from and to the host
  input  axi_pkg::axil_req_t axil_i,
  output axi_pkg::axil_rsp_t axil_o,
  output logic              irq_o,
  // to and from the SMs
  output logic              sm_rst_no,
  input  logic [SMS-1:0][3:0]  region_index_i,   // range of a region, at once
  output logic [SMS-1:0][39:0] region_base_o,
  output logic [SMS-1:0][40:0] region_limit_o,
  output core_pkg::launch_t launch_o,
  output core_pkg::wipe_t   wipe_o,
  output logic              go_o,
  input  logic              grid_done_i,
  output logic              stop_o,           // all SMs are stopped,
  input  logic              drained_i,        // ... and have drained
  input  logic [3:0]        ct_refuse_i,
  output logic [63:0]       clock_o,          // cycles since go
  input  logic              is_trap_valid_i,
  input  core_pkg::trap_t   is_trap_i,
  input  logic [line_pkg::SM_W-1:0] trap_sm_i,
  output logic [3:0]        is_cnt_index_o,
  output logic              is_cnt_cache_o,
  input  logic [SMS-1:0][31:0] is_cnt_i,
  input  sm_pkg::blocks_t [SMS-1:0] ct_blk_i,
  // from and to the cache that SMs share
  output l2_pkg::flush_t    flush_o,
  input  l2_pkg::flushed_t  flushed_i,
  // from and to the mmu, where there is one
  output logic [mmu_pkg::ROOT_W-1:0] root_o,
  output mmu_pkg::do_t      mu_do_o,
  input  logic              mu_taken_i,
  input  mmu_pkg::did_t     mu_did_i,
  input  logic              mu_idle_i,
  // from and to the banks of memory: their end of the gates
  input  axi_pkg::axi_req_t [PORTS-1:0] bk_axi_i,
  output axi_pkg::axi_rsp_t [PORTS-1:0] bk_axi_o,
  // to and from memory
  output axi_pkg::axi_req_t [PORTS-1:0] axi_o,
  input  axi_pkg::axi_rsp_t [PORTS-1:0] axi_i
);

  gpu_pkg::command_t command;
  gpu_pkg::state_t   state;
  gpu_pkg::where_t   where;
  logic              drain, waiting, next_ready, free, begins, mmu_runs, clean, flush, range, flush_keep;
  logic [line_pkg::LINE_W-1:0] base;
  logic [line_pkg::LINE_W:0]   limit;
  logic [PORTS-1:0]  drained;
  logic [SMS-1:0][2:0][31:0] where_ctaid;   // of each SM
  logic [SMS-1:0][4:0]       where_warp;

  host_regs #(.STRAPS(STRAPS)) u_regs (
    .clk_i            (clk_i),
    .rst_ni           (rst_ni),
    .axil_i           (axil_i),
    .axil_o           (axil_o),
    .irq_o            (irq_o),
    .command_o        (command),
    .base_o           (base),
    .limit_o          (limit),
    .waiting_o        (waiting),
    .next_ready_o     (next_ready),
    .free_i           (free),
    .begin_i          (begins),
    .state_i          (state),
    .lost_i           (flushed_i.lost),
    .lost_line_i      (flushed_i.lost_line),
    .where_i          (where),
    .region_index_i   (region_index_i),
    .region_base_o    (region_base_o),
    .region_limit_o   (region_limit_o),
    .launch_o         (launch_o),
    .is_cnt_index_o   (is_cnt_index_o),
    .is_cnt_cache_o   (is_cnt_cache_o),
    .is_cnt_i         (is_cnt_i),
    .root_o           (root_o),
    .sm_rst_ni        (sm_rst_no),
    .runs_i           (mmu_runs),
    .mu_do_o          (mu_do_o),
    .mu_taken_i       (mu_taken_i),
    .mu_did_i         (mu_did_i)
  );

  // A flush is of everything, but for the host's commands.
  assign flush_o = '{valid: flush, keep: flush_keep, base: range ? base : '0,
    limit: range ? limit : {1'b1, {line_pkg::LINE_W{1'b0}}}};

  assign clock_o = state.cycles;

  if (cfg_pkg::MMU != 0) begin : gen_wipe
    gpu_wipe u_wipe (
      .clk_i    (clk_i),
      .rst_ni   (rst_ni),
      .launch_i (launch_o),
      .ready_i  (next_ready),
      .begin_i  (begins),
      .clean_o  (clean),
      .wipe_o   (wipe_o)
    );
  end else begin : gen_no_wipe
    assign clean  = 1'b1;
    assign wipe_o = '0;
  end

  gpu_ctrl #(.WARM(WARM)) u_ctrl (
    .clk_i           (clk_i),
    .rst_ni          (rst_ni),
    .command_i       (command),
    .state_o         (state),
    .waiting_i       (waiting),
    .next_ready_i    (next_ready && clean),
    .free_o          (free),
    .begin_o         (begins),
    .drain_o         (drain),
    .drained_i       (drained == '1),
    .sm_rst_no       (sm_rst_no),
    .go_o            (go_o),
    .grid_done_i     (grid_done_i),
    .ct_refuse_i     (ct_refuse_i),
    .is_trap_valid_i (is_trap_valid_i),
    .stop_o          (stop_o),
    .sm_drained_i    (drained_i),
    .flush_o         (flush),
    .flush_range_o   (range),
    .flush_keep_o    (flush_keep),
    .flushed_i       (flushed_i.flushed),
    .dirty_i         (flushed_i.dirty),
    .mmu_idle_i      (mu_idle_i),
    .mmu_runs_o      (mmu_runs)
  );

  for (genvar s = 0; s < SMS; s++) begin : gen_where
    trap_where u_where (
      .clk_i        (clk_i),
      .ct_blk_i     (ct_blk_i[s]),
      .trap_valid_i (is_trap_valid_i),
      .look_i       (state.trapped),
      .slot_i       (is_trap_i.id.slot),
      .ctaid_o      (where_ctaid[s]),
      .warp_o       (where_warp[s])
    );
  end
  assign where = '{trap: is_trap_i, sm: trap_sm_i, ctaid: where_ctaid[(SMS > 1) ? trap_sm_i : '0],
    warp: where_warp[(SMS > 1) ? trap_sm_i : '0]};

  for (genvar p = 0; p < PORTS; p++) begin : gen_port
    axi_drain u_drain (
      .clk_i       (clk_i),
      .rst_ni      (rst_ni),
      .drain_i     (drain),
      .drained_o   (drained[p]),
      .s_i         (bk_axi_i[p]),
      .s_o         (bk_axi_o[p]),
      .m_o         (axi_o[p]),
      .m_i         (axi_i[p])
    );
  end

endmodule
