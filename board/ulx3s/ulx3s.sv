// SPDX-License-Identifier: Apache-2.0
// Top of a ULX3S: pins, clocks, reset, lights. LADDER says how much stands behind the pins: 0 lights alone, 1 the link, 2 the link
// and memory with its test, 3 the link, memory and the core's registers, 4 the core (../README.md).
// Latency: a reset lasts 4,096 cycles behind the button and the PLL. Handshake: that of the pins.
// Lights: 0 heartbeat, 1 a grid runs, 2 a grid trapped (both as the host read STATUS last), 3 a frame was dropped in the last
// 0.3 s, 4 memory is ready, 5 the core is in.
`default_nettype none

module ulx3s #(
  parameter int unsigned LADDER  = 4,
  parameter int unsigned DIVIDER = 25,         // 25 MHz / 25: a million bits a second
  parameter int unsigned PHASE   = 180,        // of the SDRAM's clock
  parameter int unsigned RESET   = 4096,
  parameter int unsigned TRACE   = 1,          // of the core: what feeds the trace, by link_pkg::feed_e (0: nothing)
  parameter bit          FAULTS  = 1'b0        // of the core: the host may switch bugs on (heddle board --fault)
) (
  input  logic        clk_25mhz,
  input  logic        ftdi_txd,                // what the host sends
  output logic        ftdi_rxd,
  input  logic        btn_fire1,               // reset
  output logic [7:0]  led,
  output logic        wifi_gpio0,              // high, or the ESP32 takes the board over
  output logic        sdram_clk,
  output logic        sdram_cke,
  output logic        sdram_csn,
  output logic        sdram_wen,
  output logic        sdram_rasn,
  output logic        sdram_casn,
  output logic [12:0] sdram_a,
  output logic [1:0]  sdram_ba,
  output logic [1:0]  sdram_dqm,
  inout  wire  [15:0] sdram_d
);

  localparam logic [31:0] BOARD = 32'h3358_4c55;   // ULX3

  logic clk, sdram_clock, locked;

  clocks #(.PHASE(PHASE)) u_clocks (
    .clk_25_i    (clk_25mhz),
    .clk_o       (clk),
    .sdram_clk_o (sdram_clock),
    .locked_o    (locked)
  );

  // ---- reset: two registers each behind what is asynchronous ------------------------------------------
  localparam int unsigned RESET_W = $clog2(RESET + 1);

  logic [1:0]         locked_q, button_q;
  logic [RESET_W-1:0] reset_q;              // cleared while the PLL is not steady, whatever it held at first
  logic               rst_n;

  assign rst_n = reset_q == RESET_W'(RESET);
  always_ff @(posedge clk) begin
    locked_q <= {locked_q[0], locked};
    button_q <= {button_q[0], btn_fire1};
    if (!locked_q[1] || button_q[1]) reset_q <= '0;
    else if (!rst_n)                 reset_q <= reset_q + 1'b1;
  end

  // ---- lights ----------------------------------------------------------------------------------------
  logic [23:0] beat_q;
  logic [22:0] wrong_q;
  logic        wrong, ready, running, trapped;

  always_ff @(posedge clk) begin
    if (!rst_n) begin
      beat_q  <= '0;
      wrong_q <= '0;
    end else begin
      beat_q <= beat_q + 1'b1;
      if (wrong)              wrong_q <= '1;
      else if (wrong_q != '0) wrong_q <= wrong_q - 1'b1;
    end
  end
  assign led        = {2'd0, LADDER >= 4, ready, wrong_q != '0, trapped, running, beat_q[23]};
  assign wifi_gpio0 = 1'b1;
  assign sdram_clk  = sdram_clock;

  // ---- the rest ----------------------------------------------------------------------------------------
  if (LADDER == 0) begin : gen_lights
    assign {wrong, ready, running, trapped} = '0;
    assign ftdi_rxd = ftdi_txd;                // the cable's own echo
    assign {sdram_cke, sdram_a, sdram_ba, sdram_dqm} = '0;
    assign {sdram_csn, sdram_wen, sdram_rasn, sdram_casn} = '1;
  end else begin : gen_system
    board_system #(.CORE(LADDER < 3 ? 0 : LADDER - 2), .MEMORY(LADDER >= 2), .FEED(link_pkg::feed_e'(TRACE)), .FAULTS(FAULTS),
                   .DIVIDER(DIVIDER), .BOARD(BOARD)) u_system (
      .clk_i(clk), .rst_ni(rst_n),
      .rx_i         (ftdi_txd),
      .tx_o         (ftdi_rxd),
      .wrong_o      (wrong),
      .ready_o      (ready),
      .running_o    (running),
      .trapped_o    (trapped),
      .sdram_a_o    (sdram_a),
      .sdram_ba_o   (sdram_ba),
      .sdram_cke_o  (sdram_cke),
      .sdram_cs_no  (sdram_csn),
      .sdram_ras_no (sdram_rasn),
      .sdram_cas_no (sdram_casn),
      .sdram_we_no  (sdram_wen),
      .sdram_dm_o   (sdram_dqm),
      .sdram_dq_io  (sdram_d)
    );
  end

endmodule

`default_nettype wire
