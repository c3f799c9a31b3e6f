// SPDX-License-Identifier: Apache-2.0
// The system behind a board's pins, for any vendor: the link, the bus with memory, and the core or what tries memory in its
// place (board_master).
// CORE 2: the machine of the configuration; 1: its registers alone; 0 with MEMORY: march_test; 0 without: nothing.
// Latency: none of its own. Handshake: that of the pins. One clock; rx_i alone is asynchronous to it.
// FEED: what feeds the trace channel of the link beside the core (link_pkg; board_core).
module board_system #(
  parameter int unsigned CORE     = 2,
  parameter bit          MEMORY   = 1'b1,
  parameter link_pkg::feed_e FEED = link_pkg::FEED_NONE,
  parameter int unsigned DIVIDER  = 25,
  parameter logic [31:0] BOARD    = 32'd0,
  parameter logic [31:0] CLOCK_HZ = 32'd25_000_000,
  parameter logic [39:0] BASE     = 40'h4000_0000,
  parameter logic [39:0] BYTES    = 40'h200_0000,
  parameter int unsigned DQ       = 16,            // pins of memory: data, address; it has byte masks
  parameter int unsigned ROW_W    = 13,
  parameter bit          MASKS    = 1'b1
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  // pins of the link
  input  logic        rx_i,
  output logic        tx_o,
  // for lights
  output logic        wrong_o,        // a pulse: a frame was dropped
  output logic        ready_o,        // memory has been initialised
  output logic        running_o,      // STATUS of the core, as the host read it last
  output logic        trapped_o,
  // pins of memory
  output logic [ROW_W-1:0] sdram_a_o,
  output logic [1:0]  sdram_ba_o,
  output logic        sdram_cke_o,
  output logic        sdram_cs_no,
  output logic        sdram_ras_no,
  output logic        sdram_cas_no,
  output logic        sdram_we_no,
  output logic [DQ/8-1:0] sdram_dm_o,
  inout  wire  [DQ-1:0] sdram_dq_io
);

  logic sys_rst_n, memory_ready, memory_failed;
  assign ready_o    = memory_ready;

  // ---- host registers, the link's; memory, of two masters: 0 the link, 1 the core or the test ----------
  axi_pkg::axil_req_t      reg_req;
  axi_pkg::axil_rsp_t      reg_rsp;
  axi_pkg::axi_req_t [1:0] m_req;
  axi_pkg::axi_rsp_t [1:0] m_rsp;

  if (cfg_pkg::AXI_BITS != 64) begin : gen_check
    $error("board_system: the bus of the configuration has to be 64 bits wide");
  end
  if (line_pkg::AXI_PORTS != 1) begin : gen_check_ports
    $error("board_system: a board has one memory: a configuration with axi_ports of 1");
  end

  // ---- the trace: what the core's feed says, when the link lets it ------------------------------------
  logic       st_on, st_drop, st_valid, st_ready, st_lost;
  logic [7:0] st_data;

  board_link #(.DIVIDER(DIVIDER), .BOARD(BOARD), .CLOCK_HZ(CLOCK_HZ), .MEM_BASE(BASE), .MEM_BYTES(MEMORY ? BYTES : '0),
               .FEED(CORE == 2 ? FEED : link_pkg::FEED_NONE)) u_link (
    .clk_i(clk_i), .rst_ni(rst_ni),
    .rx_i       (rx_i),
    .tx_o       (tx_o),
    .sys_rst_no (sys_rst_n),
    .ready_i    (memory_ready),
    .failed_i   (memory_failed),
    .wrong_o    (wrong_o),
    .st_valid_i (st_valid),
    .st_ready_o (st_ready),
    .st_data_i  (st_data),
    .st_lost_i  (st_lost),
    .st_on_o    (st_on),
    .st_drop_o  (st_drop),
    .axil_o     (reg_req),
    .axil_i     (reg_rsp),
    .axi_o      (m_req[0]),
    .axi_i      (m_rsp[0])
  );

  board_bus #(.MEMORY(MEMORY), .BASE(BASE), .BYTES(BYTES), .DQ(DQ), .ROW_W(ROW_W), .MASKS(MASKS)) u_bus (
    .clk_i(clk_i), .rst_ni(sys_rst_n),
    .ready_o      (memory_ready),
    .failed_o     (memory_failed),
    .m_i          (m_req),
    .m_o          (m_rsp),
    .sdram_a_o(sdram_a_o), .sdram_ba_o(sdram_ba_o), .sdram_cke_o(sdram_cke_o), .sdram_cs_no(sdram_cs_no),
    .sdram_ras_no(sdram_ras_no), .sdram_cas_no(sdram_cas_no), .sdram_we_no(sdram_we_no), .sdram_dm_o(sdram_dm_o),
    .sdram_dq_io(sdram_dq_io)
  );

  board_master #(.CORE(CORE), .MEMORY(MEMORY), .FEED(FEED), .BASE(BASE), .BYTES(BYTES)) u_master (
    .clk_i(clk_i), .rst_ni(sys_rst_n),
    .st_on_i           (st_on),
    .st_drop_i         (st_drop),
    .st_valid_o        (st_valid),
    .st_ready_i        (st_ready),
    .st_data_o         (st_data),
    .st_lost_o         (st_lost),
    .axil_i            (reg_req),
    .axil_o            (reg_rsp),
    .axi_o             (m_req[1]),
    .axi_i             (m_rsp[1])
  );

  // ---- what the host saw last of the core --------------------------------------------------------------
  logic status_q;       // the read under way is of STATUS
  always_ff @(posedge clk_i) begin
    if (!sys_rst_n) begin
      status_q  <= 1'b0;
      running_o <= 1'b0;
      trapped_o <= 1'b0;
    end else begin
      if (reg_req.arvalid && reg_rsp.arready) status_q <= CORE != 0 && reg_req.araddr[11:2] == host_regs_pkg::W_STATUS;
      if (reg_rsp.rvalid && reg_req.rready && status_q) begin
        running_o <= reg_rsp.rdata[host_regs_pkg::STATUS_RUNNING];
        trapped_o <= reg_rsp.rdata[host_regs_pkg::STATUS_TRAPPED];
      end
    end
  end

endmodule
