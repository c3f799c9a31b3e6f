// SPDX-License-Identifier: Apache-2.0
// The host's registers and the second master of memory: the core, or its substitute.
// CORE 2: the machine of the configuration; 1: its registers alone; 0 with MEMORY: march_test; 0 without: nothing.
// FEED: what feeds the trace channel of the link beside the core (link_pkg; board_core). Others feed nothing.
// Latency: none of its own. Handshake: AXI4-Lite, AXI4, that of the trace.
module board_master #(
  parameter int unsigned CORE     = 2,
  parameter bit          MEMORY   = 1'b1,
  parameter link_pkg::feed_e FEED = link_pkg::FEED_NONE,
  parameter logic [39:0] BASE     = 40'h4000_0000,
  parameter logic [39:0] BYTES    = 40'h200_0000
) (
  input  logic               clk_i,
  input  logic               rst_ni,
  // trace, from and to the link
  input  logic               st_on_i,
  input  logic               st_drop_i,
  output logic               st_valid_o,
  input  logic               st_ready_i,
  output logic [7:0]         st_data_o,
  output logic               st_lost_o,
  // host registers, from the link
  input  axi_pkg::axil_req_t axil_i,
  output axi_pkg::axil_rsp_t axil_o,
  // to memory
  output axi_pkg::axi_req_t  axi_o,
  input  axi_pkg::axi_rsp_t  axi_i
);

  if (CORE != 2) begin : gen_no_feed
    logic unused;

    assign {st_valid_o, st_data_o, st_lost_o} = '0;
    assign unused = ^{st_on_i, st_drop_i, st_ready_i};
  end

  if (CORE == 2) begin : gen_core
    logic                                          unused, irq;   // the host polls
    retire_pkg::sm_t [cfg_pkg::SMS-1:0]            ret_sm;
    retire_pkg::bank_t [line_pkg::MEM_BANKS-1:0]   ret_bank;
    assign unused = ^{irq, ret_sm, ret_bank};

    board_core #(.FEED(FEED)) u_core (
      .clk_i(clk_i), .rst_ni(rst_ni),
      .st_on_i     (st_on_i),
      .st_drop_i   (st_drop_i),
      .st_valid_o  (st_valid_o),
      .st_ready_i  (st_ready_i),
      .st_data_o   (st_data_o),
      .st_lost_o   (st_lost_o),
      .axil_i      (axil_i),
      .axil_o      (axil_o),
      .irq_o       (irq),
      .axi_o       (axi_o),
      .axi_i       (axi_i),
      .ret_ready_i (1'b1),
      .ret_sm_o    (ret_sm),
      .ret_bank_o  (ret_bank)
    );
  end else if (CORE == 1) begin : gen_registers
    logic unused;

    registers_only u_registers (
      .clk_i(clk_i), .rst_ni(rst_ni),
      .axil_i (axil_i),
      .axil_o (axil_o)
    );
    assign axi_o  = '0;
    assign unused = ^axi_i;
  end else if (MEMORY) begin : gen_march
    march_test #(.BASE(BASE), .WORD_W($clog2(BYTES) - 3)) u_march (
      .clk_i(clk_i), .rst_ni(rst_ni),
      .axil_i (axil_i),
      .axil_o (axil_o),
      .axi_o  (axi_o),
      .axi_i  (axi_i)
    );
  end else begin : gen_nothing
    logic unused;

    axil_none u_none (
      .clk_i(clk_i), .rst_ni(rst_ni),
      .axil_i (axil_i),
      .axil_o (axil_o)
    );
    assign axi_o  = '0;
    assign unused = ^axi_i;
  end

endmodule
