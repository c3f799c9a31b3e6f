// SPDX-License-Identifier: Apache-2.0
// Top of a Colorlight i9 v7.2 on its extension board: pins and clocks, and behind them what every board has
// (board_rungs, which says what the parameters and the lights mean). Its SDRAM of 8 MB and 32 bits has CKE, CS and the
// byte masks soldered fast.
// Latency, handshake: those of board_rungs. It has one light, low active: it beats, and stays on after a trap, and for
// as long as a damaged frame is shown.
module colorlight_i9 #(
  parameter int unsigned LADDER  = 4,
  parameter int unsigned DIVIDER = 25,         // 25 MHz / 25: a million bits a second
  parameter int unsigned PHASE   = 180,        // of the SDRAM's clock
  parameter int unsigned RESET   = 4096,
  parameter int unsigned TRACE   = 1
) (
  input  logic        clk_25mhz,
  input  logic        uart_rx,                 // what the host sends
  output logic        uart_tx,
  input  logic        button_n,                // reset
  output logic        led_n,
  output logic        sdram_clk,
  output logic        sdram_wen,
  output logic        sdram_rasn,
  output logic        sdram_casn,
  output logic [10:0] sdram_a,
  output logic [1:0]  sdram_ba,
  inout  wire  [31:0] sdram_d
);

  localparam logic [31:0] BOARD = 32'h3949_4c43;   // CLI9

  logic       clk, sdram_clock, locked;
  logic [5:0] lights;
  logic       unused_cke, unused_csn;
  logic [3:0] unused_dm;

  clocks #(.PHASE(PHASE)) u_clocks (
    .clk_25_i    (clk_25mhz),
    .clk_o       (clk),
    .sdram_clk_o (sdram_clock),
    .locked_o    (locked)
  );

  assign led_n     = !(lights[0] || lights[2] || lights[3]);
  assign sdram_clk = sdram_clock;

  board_rungs #(.LADDER(LADDER), .DIVIDER(DIVIDER), .RESET(RESET), .TRACE(TRACE), .BOARD(BOARD),
                .BYTES(40'h80_0000), .DQ(32), .ROW_W(11), .MASKS(1'b0)) u_rungs (
    .clk_i        (clk),
    .locked_i     (locked),
    .button_i     (!button_n),
    .rx_i         (uart_rx),
    .tx_o         (uart_tx),
    .lights_o     (lights),
    .sdram_a_o    (sdram_a),
    .sdram_ba_o   (sdram_ba),
    .sdram_cke_o  (unused_cke),
    .sdram_cs_no  (unused_csn),
    .sdram_ras_no (sdram_rasn),
    .sdram_cas_no (sdram_casn),
    .sdram_we_no  (sdram_wen),
    .sdram_dm_o   (unused_dm),
    .sdram_dq_io  (sdram_d)
  );

  logic unused;
  assign unused = ^{lights[5:4], lights[1]};

endmodule
