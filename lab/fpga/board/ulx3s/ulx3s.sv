// SPDX-License-Identifier: Apache-2.0
// Top of a ULX3S: pins and clocks, and behind them what every board has (board_rungs, which says what the parameters
// and the lights 0 to 5 mean).
// Latency, handshake: those of board_rungs.
module ulx3s #(
  parameter int unsigned LADDER  = 4,
  parameter int unsigned DIVIDER = 25,         // 25 MHz / 25: a million bits a second
  parameter int unsigned PHASE   = 180,        // of the SDRAM's clock
  parameter int unsigned RESET   = 4096,
  parameter int unsigned TRACE   = 1           // of the core: what feeds the trace, by link_pkg::feed_e (0: nothing)
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

  // ---- the rest ----------------------------------------------------------------------------------------
  logic [5:0] lights;

  assign led        = {2'd0, lights};
  assign wifi_gpio0 = 1'b1;
  assign sdram_clk  = sdram_clock;

  board_rungs #(.LADDER(LADDER), .DIVIDER(DIVIDER), .RESET(RESET), .TRACE(TRACE), .BOARD(BOARD)) u_rungs (
    .clk_i        (clk),
    .locked_i     (locked),
    .button_i     (btn_fire1),
    .rx_i         (ftdi_txd),
    .tx_o         (ftdi_rxd),
    .lights_o     (lights),
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

endmodule
