// SPDX-License-Identifier: Apache-2.0
// The core, and beside it what feeds the trace: the stream of what it retires (fpga/board/stream), digests of it
// (fpga/board/digest), or nothing.
// Latency: none of its own. Handshake: AXI4-Lite and AXI4 as heddle_gpu has them, st_ as the link takes it. While
// st_on_i is 0 what feeds the trace is in reset, and the core waits for nothing.
// The retire port ends here. It does not know what the bytes of the trace mean.
`default_nettype none
`include "heddle_assert.svh"

module board_core #(
  parameter link_pkg::feed_e FEED   = link_pkg::FEED_STREAM,
  localparam int unsigned    ID_W   = l2_pkg::AXI_ID_W,
  localparam int unsigned    BITS   = cfg_pkg::AXI_BITS
) (
  input  logic               clk_i,
  input  logic               rst_ni,
  // from the link
  input  logic               st_on_i,
  input  logic               st_drop_i,
  // to the link
  output logic               st_valid_o,
  input  logic               st_ready_i,
  output logic [7:0]         st_data_o,
  output logic               st_lost_o,
  // from and to the host
  input  logic               s_axil_awvalid_i,
  output logic               s_axil_awready_o,
  input  logic [11:0]        s_axil_awaddr_i,
  input  logic               s_axil_wvalid_i,
  output logic               s_axil_wready_o,
  input  logic [31:0]        s_axil_wdata_i,
  input  logic [3:0]         s_axil_wstrb_i,
  output logic               s_axil_bvalid_o,
  input  logic               s_axil_bready_i,
  output logic [1:0]         s_axil_bresp_o,
  input  logic               s_axil_arvalid_i,
  output logic               s_axil_arready_o,
  input  logic [11:0]        s_axil_araddr_i,
  output logic               s_axil_rvalid_o,
  input  logic               s_axil_rready_i,
  output logic [31:0]        s_axil_rdata_o,
  output logic [1:0]         s_axil_rresp_o,
  // from and to memory
  output logic               m_axi_awvalid_o,
  input  logic               m_axi_awready_i,
  output logic [ID_W-1:0]    m_axi_awid_o,
  output logic [39:0]        m_axi_awaddr_o,
  output logic [7:0]         m_axi_awlen_o,
  output logic [2:0]         m_axi_awsize_o,
  output logic [1:0]         m_axi_awburst_o,
  output logic               m_axi_wvalid_o,
  input  logic               m_axi_wready_i,
  output logic [BITS-1:0]    m_axi_wdata_o,
  output logic [BITS/8-1:0]  m_axi_wstrb_o,
  output logic               m_axi_wlast_o,
  input  logic               m_axi_bvalid_i,
  output logic               m_axi_bready_o,
  input  logic [ID_W-1:0]    m_axi_bid_i,
  input  logic [1:0]         m_axi_bresp_i,
  output logic               m_axi_arvalid_o,
  input  logic               m_axi_arready_i,
  output logic [ID_W-1:0]    m_axi_arid_o,
  output logic [39:0]        m_axi_araddr_o,
  output logic [7:0]         m_axi_arlen_o,
  output logic [2:0]         m_axi_arsize_o,
  output logic [1:0]         m_axi_arburst_o,
  input  logic               m_axi_rvalid_i,
  output logic               m_axi_rready_o,
  input  logic [ID_W-1:0]    m_axi_rid_i,
  input  logic [BITS-1:0]    m_axi_rdata_i,
  input  logic [1:0]         m_axi_rresp_i,
  input  logic               m_axi_rlast_i
);

  localparam int unsigned SMS   = cfg_pkg::SMS;
  localparam int unsigned BANKS = line_pkg::MEM_BANKS;
  localparam int unsigned PARTS = cfg_pkg::PARTITIONS;
  localparam int unsigned PORTS = retire_pkg::PORTS;

  // ---- the retire port -------------------------------------------------------------------------------
  logic                                                  ret_ready;
  logic [SMS-1:0]                                        ret_block_start_valid;
  retire_pkg::block_start_t [SMS-1:0]                    ret_block_start;
  logic [BANKS-1:0]                                      ret_global_valid;
  retire_pkg::global_t [BANKS-1:0]                       ret_global;
  logic [SMS-1:0]                                        ret_shared_valid;
  retire_pkg::shared_t [SMS-1:0]                         ret_shared;
  logic [SMS-1:0][PARTS-1:0][PORTS-1:0]                  ret_write_valid;
  retire_pkg::write_t [SMS-1:0][PARTS-1:0][PORTS-1:0]    ret_write;
  logic [SMS-1:0][PARTS-1:0]                             ret_predicate_valid;
  retire_pkg::predicate_t [SMS-1:0][PARTS-1:0]           ret_predicate;
  logic [SMS-1:0][PARTS-1:0]                             ret_operands_valid;
  retire_pkg::operands_t [SMS-1:0][PARTS-1:0]            ret_operands;
  logic [SMS-1:0][PARTS-1:0]                             ret_operands_memory_valid;
  retire_pkg::operands_t [SMS-1:0][PARTS-1:0]            ret_operands_memory;
  logic [SMS-1:0]                                        ret_barrier_valid;
  retire_pkg::barrier_t [SMS-1:0]                        ret_barrier;
  logic [SMS-1:0][PARTS-1:0]                             ret_issue_valid;
  retire_pkg::issue_t [SMS-1:0][PARTS-1:0]               ret_issue;
  logic [SMS-1:0][PARTS-1:0]                             ret_uniform_read_valid;
  retire_pkg::uniform_read_t [SMS-1:0][PARTS-1:0]        ret_uniform_read;
  logic [SMS-1:0][PARTS-1:0]                             ret_uniform_write_valid;
  retire_pkg::uniform_write_t [SMS-1:0][PARTS-1:0]       ret_uniform_write;
  logic [SMS-1:0]                                        ret_trap_valid;
  retire_pkg::trap_t [SMS-1:0]                           ret_trap;
  logic [SMS-1:0]                                        ret_block_end_valid;
  retire_pkg::block_end_t [SMS-1:0]                      ret_block_end;
  // requests to the point of order
  logic [SMS-1:0]                                        rq_valid;
  line_pkg::seen_t [SMS-1:0]                             rq;

  // What other machines show, and no feed tells, stays inside (warp starts, caches).
  /* verilator lint_off PINMISSING */
  heddle_gpu u_gpu (
    .clk_i(clk_i), .rst_ni(rst_ni),
    .s_axil_awvalid_i    (s_axil_awvalid_i),
    .s_axil_awready_o    (s_axil_awready_o),
    .s_axil_awaddr_i     (s_axil_awaddr_i),
    .s_axil_wvalid_i     (s_axil_wvalid_i),
    .s_axil_wready_o     (s_axil_wready_o),
    .s_axil_wdata_i      (s_axil_wdata_i),
    .s_axil_wstrb_i      (s_axil_wstrb_i),
    .s_axil_bvalid_o     (s_axil_bvalid_o),
    .s_axil_bready_i     (s_axil_bready_i),
    .s_axil_bresp_o      (s_axil_bresp_o),
    .s_axil_arvalid_i    (s_axil_arvalid_i),
    .s_axil_arready_o    (s_axil_arready_o),
    .s_axil_araddr_i     (s_axil_araddr_i),
    .s_axil_rvalid_o     (s_axil_rvalid_o),
    .s_axil_rready_i     (s_axil_rready_i),
    .s_axil_rdata_o      (s_axil_rdata_o),
    .s_axil_rresp_o      (s_axil_rresp_o),
    .m_axi_awvalid_o     (m_axi_awvalid_o),
    .m_axi_awready_i     (m_axi_awready_i),
    .m_axi_awid_o        (m_axi_awid_o),
    .m_axi_awaddr_o      (m_axi_awaddr_o),
    .m_axi_awlen_o       (m_axi_awlen_o),
    .m_axi_awsize_o      (m_axi_awsize_o),
    .m_axi_awburst_o     (m_axi_awburst_o),
    .m_axi_wvalid_o      (m_axi_wvalid_o),
    .m_axi_wready_i      (m_axi_wready_i),
    .m_axi_wdata_o       (m_axi_wdata_o),
    .m_axi_wstrb_o       (m_axi_wstrb_o),
    .m_axi_wlast_o       (m_axi_wlast_o),
    .m_axi_bvalid_i      (m_axi_bvalid_i),
    .m_axi_bready_o      (m_axi_bready_o),
    .m_axi_bid_i         (m_axi_bid_i),
    .m_axi_bresp_i       (m_axi_bresp_i),
    .m_axi_arvalid_o     (m_axi_arvalid_o),
    .m_axi_arready_i     (m_axi_arready_i),
    .m_axi_arid_o        (m_axi_arid_o),
    .m_axi_araddr_o      (m_axi_araddr_o),
    .m_axi_arlen_o       (m_axi_arlen_o),
    .m_axi_arsize_o      (m_axi_arsize_o),
    .m_axi_arburst_o     (m_axi_arburst_o),
    .m_axi_rvalid_i      (m_axi_rvalid_i),
    .m_axi_rready_o      (m_axi_rready_o),
    .m_axi_rid_i         (m_axi_rid_i),
    .m_axi_rdata_i       (m_axi_rdata_i),
    .m_axi_rresp_i       (m_axi_rresp_i),
    .m_axi_rlast_i       (m_axi_rlast_i),
    .ret_ready_i                 (ret_ready),
    .ret_block_start_valid_o     (ret_block_start_valid),
    .ret_block_start_o           (ret_block_start),
    .ret_global_valid_o          (ret_global_valid),
    .ret_global_o                (ret_global),
    .ret_shared_valid_o          (ret_shared_valid),
    .ret_shared_o                (ret_shared),
    .ret_write_valid_o           (ret_write_valid),
    .ret_write_o                 (ret_write),
    .ret_predicate_valid_o       (ret_predicate_valid),
    .ret_predicate_o             (ret_predicate),
    .ret_operands_valid_o        (ret_operands_valid),
    .ret_operands_o              (ret_operands),
    .ret_operands_memory_valid_o (ret_operands_memory_valid),
    .ret_operands_memory_o       (ret_operands_memory),
    .ret_barrier_valid_o         (ret_barrier_valid),
    .ret_barrier_o               (ret_barrier),
    .ret_issue_valid_o           (ret_issue_valid),
    .ret_issue_o                 (ret_issue),
    .ret_uniform_read_valid_o    (ret_uniform_read_valid),
    .ret_uniform_read_o          (ret_uniform_read),
    .ret_uniform_write_valid_o   (ret_uniform_write_valid),
    .ret_uniform_write_o         (ret_uniform_write),
    .ret_trap_valid_o            (ret_trap_valid),
    .ret_trap_o                  (ret_trap),
    .ret_block_end_valid_o       (ret_block_end_valid),
    .ret_block_end_o             (ret_block_end),
    .rq_valid_o                  (rq_valid),
    .rq_o                        (rq)
  );
  /* verilator lint_on PINMISSING */

  // ---- what feeds the trace ---------------------------------------------------------------------------
  if (FEED == link_pkg::FEED_STREAM || FEED == link_pkg::FEED_DIGEST) begin : gen_fed
    logic start, over, on;

    assign on = rst_ni && st_on_i;

    stream_launch u_launch (
      .clk_i(clk_i), .rst_ni(on),
      .awvalid_i (s_axil_awvalid_i),
      .awready_i (s_axil_awready_o),
      .awaddr_i  (s_axil_awaddr_i),
      .wvalid_i  (s_axil_wvalid_i),
      .wready_i  (s_axil_wready_o),
      .wdata_i   (s_axil_wdata_i),
      .wstrb_i   (s_axil_wstrb_i),
      .arvalid_i (s_axil_arvalid_i),
      .arready_i (s_axil_arready_o),
      .araddr_i  (s_axil_araddr_i),
      .rvalid_i  (s_axil_rvalid_o),
      .rready_i  (s_axil_rready_i),
      .rdata_i   (s_axil_rdata_o),
      .start_o   (start),
      .end_o     (over)
    );

    if (FEED == link_pkg::FEED_DIGEST) begin : gen_digest
      retire_digest u_digest (
        .clk_i(clk_i), .rst_ni(on),
        .start_i                     (start),
        .end_i                       (over),
        .drop_i                      (st_drop_i),
        .ret_ready_o                 (ret_ready),
        .ret_block_start_valid_i     (ret_block_start_valid[0]),
        .ret_block_start_i           (ret_block_start[0]),
        .ret_shared_valid_i          (ret_shared_valid[0]),
        .ret_shared_i                (ret_shared[0]),
        .ret_write_valid_i           (ret_write_valid[0]),
        .ret_write_i                 (ret_write[0]),
        .ret_predicate_valid_i       (ret_predicate_valid[0]),
        .ret_predicate_i             (ret_predicate[0]),
        .ret_issue_valid_i           (ret_issue_valid[0]),
        .ret_issue_i                 (ret_issue[0]),
        .ret_uniform_write_valid_i   (ret_uniform_write_valid[0]),
        .ret_uniform_write_i         (ret_uniform_write[0]),
        .ret_trap_valid_i            (ret_trap_valid[0]),
        .ret_trap_i                  (ret_trap[0]),
        .ret_block_end_valid_i       (ret_block_end_valid[0]),
        .ret_block_end_i             (ret_block_end[0]),
        .rq_valid_i                  (rq_valid[0]),
        .rq_i                        (rq[0]),
        .st_valid_o                  (st_valid_o),
        .st_ready_i                  (st_ready_i),
        .st_data_o                   (st_data_o),
        .st_lost_o                   (st_lost_o)
      );

      // Accesses as such, operands and barriers are in no digest.
      logic unused;
      assign unused = ^{ret_global_valid, ret_global, ret_operands_valid, ret_operands, ret_operands_memory_valid,
                        ret_operands_memory, ret_barrier_valid, ret_barrier, ret_uniform_read_valid, ret_uniform_read};
    end else begin : gen_stream
      logic [63:0] cycle_q;   // as the stream counts
      logic        unused;    // the stream has the order of memory in its records
      assign unused = ^{rq_valid, rq};

      retire_stream u_stream (
        .clk_i(clk_i), .rst_ni(on),
        .start_i                     (start),
        .end_i                       (over),
        .drop_i                      (st_drop_i),
        .ret_ready_o                 (ret_ready),
        .ret_block_start_valid_i     (ret_block_start_valid[0]),
        .ret_block_start_i           (ret_block_start[0]),
        .ret_global_valid_i          (ret_global_valid[0]),
        .ret_global_i                (ret_global[0]),
        .ret_shared_valid_i          (ret_shared_valid[0]),
        .ret_shared_i                (ret_shared[0]),
        .ret_write_valid_i           (ret_write_valid[0]),
        .ret_write_i                 (ret_write[0]),
        .ret_predicate_valid_i       (ret_predicate_valid[0]),
        .ret_predicate_i             (ret_predicate[0]),
        .ret_operands_valid_i        (ret_operands_valid[0]),
        .ret_operands_i              (ret_operands[0]),
        .ret_operands_memory_valid_i (ret_operands_memory_valid[0]),
        .ret_operands_memory_i       (ret_operands_memory[0]),
        .ret_barrier_valid_i         (ret_barrier_valid[0]),
        .ret_barrier_i               (ret_barrier[0]),
        .ret_issue_valid_i           (ret_issue_valid[0]),
        .ret_issue_i                 (ret_issue[0]),
        .ret_uniform_read_valid_i    (ret_uniform_read_valid[0]),
        .ret_uniform_read_i          (ret_uniform_read[0]),
        .ret_uniform_write_valid_i   (ret_uniform_write_valid[0]),
        .ret_uniform_write_i         (ret_uniform_write[0]),
        .ret_trap_valid_i            (ret_trap_valid[0]),
        .ret_trap_i                  (ret_trap[0]),
        .ret_block_end_valid_i       (ret_block_end_valid[0]),
        .ret_block_end_i             (ret_block_end[0]),
        .st_valid_o                  (st_valid_o),
        .st_ready_i                  (st_ready_i),
        .st_data_o                   (st_data_o),
        .st_lost_o                   (st_lost_o)
      );

      // The clock that a kernel reads is behind the stream's cycles, always by as much (docs/stream-format.md). Told only
      // of a launch whose start was seen.
      logic seen_q;
      always_ff @(posedge clk_i) begin
        seen_q  <= on && (start || seen_q);
        cycle_q <= start ? 64'd0 : cycle_q + 64'd1;
      end
      `ASSERT_IF(a_clock, seen_q && ret_issue_valid[0][0],
                 ret_issue[0][0].clock + 64'(stream_pkg::CLOCK_BEHIND) == cycle_q)
    end
  end else begin : gen_silent
    logic unused;

    assign ret_ready  = 1'b1;
    assign st_valid_o = 1'b0;
    assign st_data_o  = '0;
    assign st_lost_o  = 1'b0;
    assign unused = ^{st_on_i, st_drop_i, st_ready_i, ret_block_start_valid, ret_block_start, ret_global_valid,
                      ret_global, ret_shared_valid, ret_shared, ret_write_valid, ret_write, ret_predicate_valid,
                      ret_predicate, ret_operands_valid, ret_operands, ret_operands_memory_valid, ret_operands_memory,
                      ret_barrier_valid, ret_barrier, ret_issue_valid, ret_issue, ret_uniform_read_valid,
                      ret_uniform_read, ret_uniform_write_valid, ret_uniform_write, ret_trap_valid, ret_trap,
                      ret_block_end_valid, ret_block_end, rq_valid, rq};
  end

endmodule

`default_nettype wire
