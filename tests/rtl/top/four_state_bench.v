// SPDX-License-Identifier: Apache-2.0
// heddle_gpu as four-state Verilog, from power-on to the end of a launch. The host writes writes.hex; memory holds memory.hex, and
// X elsewhere; what a launch must leave is expected.hex. From the end of the reset on no handshake is X, nor a payload that is valid.
// +never_reset: the reset never asserts.
`timescale 1ns / 1ns

module four_state_bench;
  parameter WRITES = 1;      // lines of writes.hex: a register's offset, its value
  parameter WORDS  = 1;      // of 64 bits, from BASE on
  parameter EXPECTED = 1;    // lines of expected.hex: address of a word, mask of its bits, value
  parameter [39:0] BASE = 0;
  parameter ID_W = 1;        // of an AXI ID
  parameter LIMIT = 20000;   // cycles
  localparam [11:0] CONTROL = 12'h040, STATUS = 12'h044;

  reg          clk = 1'b0, rst_n, ended = 1'b0;   // the reset has
  reg          awvalid = 1'b0, wvalid = 1'b0, arvalid = 1'b0;
  reg  [11:0]  awaddr, araddr;
  reg  [31:0]  wdata;
  wire         awready, wready, bvalid, arready, rvalid, irq;
  wire [1:0]   bresp, rresp;
  wire [31:0]  rdata;
  wire         m_awvalid, m_wvalid, m_wlast, m_bready, m_arvalid, m_rready;
  wire [39:0]  m_awaddr, m_araddr;
  wire [7:0]   m_awlen, m_arlen, m_wstrb;
  wire [2:0]   m_awsize, m_arsize;
  wire [1:0]   m_awburst, m_arburst;
  wire [63:0]  m_wdata;
  wire [ID_W-1:0] m_awid, m_arid;

  // ---- memory: one burst of each kind at a time
  reg  [63:0]  memory [0:WORDS-1];
  reg  [39:0]  raddr, waddr;
  reg  [7:0]   left;
  reg  [ID_W-1:0] rid, bid;
  reg          reading = 1'b0, writing = 1'b0, answers = 1'b0;
  wire [63:0]  bits = {{8{m_wstrb[7]}}, {8{m_wstrb[6]}}, {8{m_wstrb[5]}}, {8{m_wstrb[4]}}, {8{m_wstrb[3]}}, {8{m_wstrb[2]}},
                       {8{m_wstrb[1]}}, {8{m_wstrb[0]}}};

  heddle_gpu u_gpu (
    .clk_i(clk), .rst_ni(rst_n),
    .s_axil_awvalid_i(awvalid), .s_axil_awready_o(awready), .s_axil_awaddr_i(awaddr),
    .s_axil_wvalid_i(wvalid), .s_axil_wready_o(wready), .s_axil_wdata_i(wdata), .s_axil_wstrb_i(4'hf),
    .s_axil_bvalid_o(bvalid), .s_axil_bready_i(1'b1), .s_axil_bresp_o(bresp),
    .s_axil_arvalid_i(arvalid), .s_axil_arready_o(arready), .s_axil_araddr_i(araddr),
    .s_axil_rvalid_o(rvalid), .s_axil_rready_i(1'b1), .s_axil_rdata_o(rdata), .s_axil_rresp_o(rresp), .irq_o(irq),
    .m_axi_awvalid_o(m_awvalid), .m_axi_awready_i(!writing && !answers), .m_axi_awid_o(m_awid), .m_axi_awaddr_o(m_awaddr),
    .m_axi_awlen_o(m_awlen), .m_axi_awsize_o(m_awsize), .m_axi_awburst_o(m_awburst),
    .m_axi_wvalid_o(m_wvalid), .m_axi_wready_i(writing), .m_axi_wdata_o(m_wdata), .m_axi_wstrb_o(m_wstrb), .m_axi_wlast_o(m_wlast),
    .m_axi_bvalid_i(answers), .m_axi_bready_o(m_bready), .m_axi_bid_i(bid), .m_axi_bresp_i(2'b00),
    .m_axi_arvalid_o(m_arvalid), .m_axi_arready_i(!reading), .m_axi_arid_o(m_arid), .m_axi_araddr_o(m_araddr),
    .m_axi_arlen_o(m_arlen), .m_axi_arsize_o(m_arsize), .m_axi_arburst_o(m_arburst),
    .m_axi_rvalid_i(reading), .m_axi_rready_o(m_rready), .m_axi_rid_i(rid), .m_axi_rdata_i(memory[(raddr - BASE) >> 3]),
    .m_axi_rresp_i(2'b00), .m_axi_rlast_i(left == 8'd0),
    .ret_ready_i(1'b1), .ret_sm_o(), .ret_bank_o(), .rq_valid_o(), .rq_o()
  );

  always #5 clk = !clk;

  always @(posedge clk) begin
    if (m_arvalid && !reading) begin
      {reading, raddr, left, rid} <= {1'b1, m_araddr, m_arlen, m_arid};
    end else if (reading && m_rready) begin
      {reading, raddr, left} <= {left != 8'd0, raddr + 40'd8, left - 8'd1};
    end
    if (m_awvalid && !writing && !answers) {writing, waddr, bid} <= {1'b1, m_awaddr, m_awid};
    if (m_wvalid && writing) begin
      memory[(waddr - BASE) >> 3] <= (memory[(waddr - BASE) >> 3] & ~bits) | (m_wdata & bits);
      waddr <= waddr + 40'd8;
      if (m_wlast) {writing, answers} <= 2'b01;
    end
    if (answers && m_bready) answers <= 1'b0;
  end

  // ---- what may not be X
  task known;
    input [8*8-1:0] name;
    input           value;   // X if any bit of it is
    if (value === 1'bx) begin
      $display("X on %0s at cycle %0d", name, cycle);
      $finish_and_return(1);
    end
  endtask

  integer cycle = 0, i;
  always @(negedge clk) begin
    cycle <= cycle + 1;
    if (cycle == LIMIT) begin
      $display("no end in %0d cycles", LIMIT);
      $finish_and_return(1);
    end
    if (ended) begin
      known("s_axil", ^{awready, wready, bvalid, arready, rvalid});
      known("irq", irq);
      known("m_axi", ^{m_awvalid, m_wvalid, m_bready, m_arvalid, m_rready});
      known("b", ^(bvalid ? bresp : 2'd0));
      known("r", ^(rvalid ? {rresp, rdata} : 34'd0));
      if (m_awvalid === 1'b1) known("aw", ^{m_awid, m_awaddr, m_awlen, m_awsize, m_awburst});
      if (m_arvalid === 1'b1) known("ar", ^{m_arid, m_araddr, m_arlen, m_arsize, m_arburst});
      if (m_wvalid === 1'b1) known("w", ^{m_wlast, m_wstrb, m_wdata & bits});
    end
  end

  // ---- the host
  task write;
    input [11:0] at;
    input [31:0] value;
    begin
      {awvalid, awaddr, wvalid, wdata} <= {1'b1, at, 1'b1, value};
      while (awvalid || wvalid) begin
        @(posedge clk);
        if (awready) awvalid <= 1'b0;
        if (wready) wvalid <= 1'b0;
        #1;
      end
      while (!bvalid) @(posedge clk);
      @(posedge clk);
    end
  endtask

  task read;
    input [11:0] at;
    begin
      {arvalid, araddr} <= {1'b1, at};
      @(posedge clk);
      while (!arready) @(posedge clk);
      arvalid <= 1'b0;
      #1;
      while (!rvalid) @(posedge clk);
      got = rdata;
      @(posedge clk);
    end
  endtask

  reg [43:0]  writes [0:WRITES-1];
  reg [167:0] expected [0:EXPECTED-1];   // address, mask, value
  reg [31:0]  got;
  reg [63:0]  word;
  integer     wrong = 0;
  initial begin
    $readmemh("writes.hex", writes);
    $readmemh("memory.hex", memory);
    $readmemh("expected.hex", expected);
    rst_n = $test$plusargs("never_reset") ? 1'b1 : 1'b0;
    repeat (6) @(posedge clk);
    #1 {rst_n, ended} = 2'b11;
    repeat (4) @(posedge clk);
    for (i = 0; i < WRITES; i = i + 1) write(writes[i][43:32], writes[i][31:0]);
    write(CONTROL, 32'd1);
    got = 32'd0;
    while ((got & 32'he) == 32'd0) read(STATUS);
    for (i = 0; i < EXPECTED; i = i + 1) begin
      word = memory[(expected[i][167:128] - BASE) >> 3];
      if ((word & expected[i][127:64]) !== expected[i][63:0]) wrong = wrong + 1;
    end
    $display("status %0h, %0d words wrong, %0d cycles", got, wrong, cycle);
    $finish_and_return((got & 32'he) != 32'd2 || wrong != 0);
  end
endmodule
