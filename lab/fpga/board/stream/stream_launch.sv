// SPDX-License-Identifier: Apache-2.0
// When a launch begins and ends, as its host sees it: it writes START, and reads from STATUS that the grid is over. It marks
// both in the stream of a judged board (docs/how-a-launch-travels.md).
// Latency: one cycle after the handshake that says so. Handshake: it listens; start_o and end_o are events.
// It does not answer the host. A START that is written while a launch is under way is ignored, as the machine does.
module stream_launch (
  input  logic               clk_i,
  input  logic               rst_ni,
  // of the host's registers
  input  axi_pkg::axil_req_t req_i,
  input  axi_pkg::axil_rsp_t rsp_i,
  // to the stream
  output logic               start_o,
  output logic               end_o
);

  logic addr_q, data_q, control_q, go_q, status_q, running_q;
  logic addr, data, control, go, over;
  assign addr    = req_i.awvalid && rsp_i.awready;
  assign data    = req_i.wvalid && rsp_i.wready;
  assign control = addr ? req_i.awaddr[11:2] == host_regs_pkg::W_CONTROL : control_q;
  assign go      = data ? req_i.wstrb[0] && req_i.wdata[host_regs_pkg::CONTROL_START] && !req_i.wdata[host_regs_pkg::CONTROL_ABORT]
                        : go_q;
  assign over    = rsp_i.rvalid && req_i.rready && status_q && !rsp_i.rdata[host_regs_pkg::STATUS_RUNNING]
                   && (rsp_i.rdata[host_regs_pkg::STATUS_DONE] || rsp_i.rdata[host_regs_pkg::STATUS_TRAPPED]
                       || rsp_i.rdata[host_regs_pkg::STATUS_REFUSED]);

  // Address and data of a write come in any order.
  logic written;
  assign written = (addr || addr_q) && (data || data_q);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      addr_q    <= 1'b0;
      data_q    <= 1'b0;
      running_q <= 1'b0;
      start_o   <= 1'b0;
      end_o     <= 1'b0;
      status_q  <= 1'b0;
    end else begin
      addr_q  <= (addr || addr_q) && !written;
      data_q  <= (data || data_q) && !written;
      start_o <= written && control && go && !running_q;
      end_o   <= over && running_q;
      if (written && control && go) running_q <= 1'b1;
      else if (over)                running_q <= 1'b0;
      if (req_i.arvalid && rsp_i.arready)   status_q <= req_i.araddr[11:2] == host_regs_pkg::W_STATUS;
    end
    if (addr) control_q <= control;
    if (data) go_q      <= go;
  end

  logic unused;
  assign unused = ^{req_i, rsp_i};

endmodule
