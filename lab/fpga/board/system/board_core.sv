// SPDX-License-Identifier: Apache-2.0
// The core, and beside it what feeds the trace: the stream of what it retires (lab/fpga/board/stream), digests of it
// (lab/fpga/board/digest), or nothing.
// Latency: none of its own. Handshake: AXI4-Lite and AXI4 as gpu has them, st_ as the link takes it. While
// st_on_i is 0 what feeds the trace is in reset, and the core waits for nothing.
// A board leaves the retire port open. The bytes of the trace have no meaning here.
`include "heddle_assert.svh"

module board_core #(
  parameter bit              STRAPS = 1'b0,   // 1: all scheduling policies, both divergence units, MODE chooses; 0: the configuration's
  parameter link_pkg::feed_e FEED   = link_pkg::FEED_STREAM,
  localparam int unsigned    SMS    = cfg_pkg::SMS,
  localparam int unsigned    BANKS  = line_pkg::MEM_BANKS
) (
  input  logic                            clk_i,
  input  logic                            rst_ni,
  // from the link
  input  logic                            st_on_i,
  input  logic                            st_drop_i,
  // to the link
  output logic                            st_valid_o,
  input  logic                            st_ready_i,
  output logic [7:0]                      st_data_o,
  output logic                            st_lost_o,
  // from and to the host
  input  axi_pkg::axil_req_t              axil_i,
  output axi_pkg::axil_rsp_t              axil_o,
  output logic                            irq_o,
  // from and to memory
  output axi_pkg::axi_req_t               axi_o,
  input  axi_pkg::axi_rsp_t               axi_i,
  // retire port, for observers of the core beside the trace; ret_ready_i = 0 stops issue
  input  logic                            ret_ready_i,
  output retire_pkg::sm_t [SMS-1:0]       ret_sm_o,
  output retire_pkg::bank_t [BANKS-1:0]   ret_bank_o
);

  if (line_pkg::AXI_PORTS != 1) begin : gen_check
    $error("board_core has one memory: a configuration with axi_ports of 1");
  end

  // ---- the core; its requests to the point of order --------------------------------------------------
  logic                      st_ret_ready;
  logic [SMS-1:0]            rq_valid;
  line_pkg::seen_t [SMS-1:0] rq;

  gpu #(.STRAPS(STRAPS)) u_gpu (
    .clk_i(clk_i), .rst_ni(rst_ni),
    .axil_i      (axil_i),
    .axil_o      (axil_o),
    .irq_o       (irq_o),
    .axi_o       (axi_o),
    .axi_i       (axi_i),
    .ret_ready_i (ret_ready_i && st_ret_ready),
    .ret_sm_o    (ret_sm_o),
    .ret_bank_o  (ret_bank_o),
    .rq_valid_o  (rq_valid),
    .rq_o        (rq)
  );

  // ---- what feeds the trace ---------------------------------------------------------------------------
  if (FEED == link_pkg::FEED_STREAM || FEED == link_pkg::FEED_DIGEST) begin : gen_fed
    logic start, over, on;

    assign on = rst_ni && st_on_i;

    stream_launch u_launch (
      .clk_i(clk_i), .rst_ni(on),
      .req_i   (axil_i),
      .rsp_i   (axil_o),
      .start_o (start),
      .end_o   (over)
    );

    if (FEED == link_pkg::FEED_DIGEST) begin : gen_digest
      retire_digest u_digest (
        .clk_i(clk_i), .rst_ni(on),
        .start_i                     (start),
        .end_i                       (over),
        .drop_i                      (st_drop_i),
        .ret_ready_o                 (st_ret_ready),
        .ret_sm_i                    (ret_sm_o[0]),
        .rq_valid_i                  (rq_valid[0]),
        .rq_i                        (rq[0]),
        .st_valid_o                  (st_valid_o),
        .st_ready_i                  (st_ready_i),
        .st_data_o                   (st_data_o),
        .st_lost_o                   (st_lost_o)
      );
    end else begin : gen_stream
      logic [63:0] cycle_q;   // as the stream counts
      logic        unused;    // the stream has the order of memory in its records
      assign unused = ^{rq_valid, rq};

      retire_stream u_stream (
        .clk_i(clk_i), .rst_ni(on),
        .start_i                     (start),
        .end_i                       (over),
        .drop_i                      (st_drop_i),
        .ret_ready_o                 (st_ret_ready),
        .ret_sm_i                    (ret_sm_o[0]),
        .ret_bank_i                  (ret_bank_o[0]),
        .st_valid_o                  (st_valid_o),
        .st_ready_i                  (st_ready_i),
        .st_data_o                   (st_data_o),
        .st_lost_o                   (st_lost_o)
      );

      // The clock that a kernel reads is behind the stream's cycles, always by as much (docs/stream-format.md). Sent only
      // for a launch with a start that was seen.
      logic seen_q;
      always_ff @(posedge clk_i) begin
        seen_q  <= on && (start || seen_q);
        cycle_q <= start ? 64'd0 : cycle_q + 64'd1;
      end
      `ASSERT_IF(a_clock, seen_q && ret_sm_o[0].valid.front[0].issue,
                 ret_sm_o[0].ret.front[0].issue.clock + 64'(stream_pkg::CLOCK_BEHIND) == cycle_q)
    end
  end else begin : gen_silent
    logic unused;

    assign st_ret_ready = 1'b1;
    assign st_valid_o = 1'b0;
    assign st_data_o  = '0;
    assign st_lost_o  = 1'b0;
    assign unused = ^{st_on_i, st_drop_i, st_ready_i, rq_valid, rq};
  end

endmodule
