// SPDX-License-Identifier: Apache-2.0
// The link: a serial line to commands, from and to host registers (AXI4-Lite) and memory (AXI4); a trace channel beside it.
// Latency: that of the line; a command is executed when its last byte has come. README.md has frames and commands.
// Handshake: AXI4-Lite and AXI4 as a master with one access at a time; the stream of the trace is valid/ready.
// sys_rst_no resets all that is behind the link, this one's bus side too: at first, and by command.
// Devices behind the buses and the bytes of the trace have no meaning here.
module board_link #(
  parameter int unsigned DIVIDER   = 25,             // clock cycles of a bit
  parameter int unsigned BUS_LIMIT = 1 << 20,        // cycles after which an access has failed
  parameter int unsigned TRACE_IDLE = 4096,          // cycles without a byte after which a frame is closed
  parameter logic [31:0] BOARD     = 32'd0,
  parameter logic [31:0] CLOCK_HZ  = 32'd25_000_000,
  parameter logic [39:0] MEM_BASE  = 40'd0,
  parameter logic [39:0] MEM_BYTES = 40'd0,
  parameter link_pkg::feed_e FEED  = link_pkg::FEED_NONE    // what feeds the trace
) (
  input  logic               clk_i,
  input  logic               rst_ni,
  // pins
  input  logic               rx_i,
  output logic               tx_o,
  // from and to the board
  output logic               sys_rst_no,
  input  logic               ready_i,
  input  logic               failed_i,
  output logic               wrong_o,          // a pulse: a frame was dropped
  // from the trace
  input  logic               st_valid_i,
  output logic               st_ready_o,
  input  logic [7:0]         st_data_i,
  input  logic               st_lost_i,
  output logic               st_on_o,          // 0: what feeds it is to be silent, as after a reset
  output logic               st_drop_o,        // 1: the core does not wait for it
  // to the host registers
  output axi_pkg::axil_req_t axil_o,
  input  axi_pkg::axil_rsp_t axil_i,
  // to memory
  output axi_pkg::axi_req_t  axi_o,
  input  axi_pkg::axi_rsp_t  axi_i
);

  logic                         rx_valid, rx_error, tx_valid, tx_ready;
  logic [7:0]                   rx_byte, tx_byte;
  logic                         cmd_valid, cmd_done, cmd_bad, cmd_busy;
  logic [31:0]                  cmd_seq, cmd_crc;
  logic [15:0]                  cmd_length;
  logic [link_pkg::INDEX_W-1:0] cmd_addr;
  logic [7:0]                   cmd_byte;
  logic [1:0]                   req_valid, req_done, pay_valid, pay_ready;
  link_pkg::head_t [1:0]        head;
  logic [1:0][7:0]              pay;
  logic                         bus_req, bus_done, bus_error, bus_dead;
  link_pkg::access_t            bus_access;
  logic [63:0]                  bus_data;
  logic                         trace_begun, flush, trace_empty;
  logic [31:0]                  trace_seq;

  assign wrong_o = cmd_bad || cmd_busy;

  uart_rx #(.DIVIDER(DIVIDER)) u_uart_rx (
    .clk_i(clk_i), .rst_ni(rst_ni),
    .rx_i    (rx_i),
    .valid_o (rx_valid),
    .error_o (rx_error),
    .data_o  (rx_byte)
  );

  frame_rx u_frame_rx (
    .clk_i(clk_i), .rst_ni(rst_ni),
    .byte_valid_i (rx_valid),
    .byte_error_i (rx_error),
    .byte_i       (rx_byte),
    .valid_o      (cmd_valid),
    .done_i       (cmd_done),
    .seq_o        (cmd_seq),
    .length_o     (cmd_length),
    .crc_o        (cmd_crc),
    .rd_addr_i    (cmd_addr),
    .rd_data_o    (cmd_byte),
    .bad_o        (cmd_bad),
    .busy_o       (cmd_busy)
  );

  link_exec #(.BOARD(BOARD), .CLOCK_HZ(CLOCK_HZ), .MEM_BASE(MEM_BASE), .MEM_BYTES(MEM_BYTES), .FEED(FEED)) u_exec (
    .clk_i(clk_i), .rst_ni(rst_ni),
    .cmd_valid_i   (cmd_valid),
    .cmd_done_o    (cmd_done),
    .cmd_seq_i     (cmd_seq),
    .cmd_length_i  (cmd_length),
    .cmd_crc_i     (cmd_crc),
    .cmd_addr_o    (cmd_addr),
    .cmd_byte_i    (cmd_byte),
    .cmd_bad_i     (cmd_bad),
    .cmd_busy_i    (cmd_busy),
    .req_valid_o   (req_valid[0]),
    .head_o        (head[0]),
    .done_i        (req_done[0]),
    .pay_valid_o   (pay_valid[0]),
    .pay_ready_i   (pay_ready[0]),
    .pay_o         (pay[0]),
    .bus_req_o     (bus_req),
    .bus_access_o  (bus_access),
    .bus_done_i    (bus_done),
    .bus_error_i   (bus_error),
    .bus_dead_i    (bus_dead),
    .bus_data_i    (bus_data),
    .flush_o       (flush),
    .trace_empty_i (trace_empty),
    .trace_seq_i   (trace_seq),
    .st_on_o       (st_on_o),
    .st_drop_o     (st_drop_o),
    .sys_rst_no    (sys_rst_no),
    .ready_i       (ready_i),
    .failed_i      (failed_i)
  );

  trace_pack #(.IDLE(TRACE_IDLE)) u_trace (
    .clk_i(clk_i), .rst_ni(rst_ni),
    .flush_i     (flush),
    .empty_o     (trace_empty),
    .seq_o       (trace_seq),
    .st_valid_i  (st_valid_i),
    .st_ready_o  (st_ready_o),
    .st_data_i   (st_data_i),
    .st_lost_i   (st_lost_i),
    .req_valid_o (req_valid[1]),
    .head_o      (head[1]),
    .begun_i     (trace_begun),
    .done_i      (req_done[1]),
    .pay_valid_o (pay_valid[1]),
    .pay_ready_i (pay_ready[1]),
    .pay_o       (pay[1])
  );

  frame_tx u_frame_tx (
    .clk_i(clk_i), .rst_ni(rst_ni),
    .req_valid_i  (req_valid),
    .head_i       (head),
    .begun_o      (trace_begun),
    .done_o       (req_done),
    .pay_valid_i  (pay_valid),
    .pay_ready_o  (pay_ready),
    .pay_i        (pay),
    .byte_valid_o (tx_valid),
    .byte_ready_i (tx_ready),
    .byte_o       (tx_byte)
  );

  uart_tx #(.DIVIDER(DIVIDER)) u_uart_tx (
    .clk_i(clk_i), .rst_ni(rst_ni),
    .valid_i (tx_valid),
    .ready_o (tx_ready),
    .data_i  (tx_byte),
    .tx_o    (tx_o)
  );

  link_bus #(.LIMIT(BUS_LIMIT)) u_bus (
    .clk_i(clk_i), .rst_ni(sys_rst_no),
    .req_i    (bus_req),
    .access_i (bus_access),
    .done_o   (bus_done),
    .error_o  (bus_error),
    .dead_o   (bus_dead),
    .data_o   (bus_data),
    .axil_o   (axil_o),
    .axil_i   (axil_i),
    .axi_o    (axi_o),
    .axi_i    (axi_i)
  );

endmodule
