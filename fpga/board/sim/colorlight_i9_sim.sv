// SPDX-License-Identifier: Apache-2.0
// A Colorlight i9 with what is soldered to it: the SDRAM, whose CKE is high and whose CS and byte masks are low.
// Simulation only.
`default_nettype none

module colorlight_i9_sim #(
  parameter int unsigned LADDER  = 4,
  parameter int unsigned DIVIDER = 2,
  parameter int unsigned TRACE   = 1
) (
  input  logic        clk_i,          // 25 MHz
  input  logic        rx_i,
  output logic        tx_o,
  input  logic        button_i,
  output logic [7:0]  led_o,
  output logic [31:0] errors_o,       // violations that the SDRAM saw
  output logic [31:0] reads_o,
  output logic [31:0] writes_o,
  output logic [31:0] refreshes_o
);

  logic        clk, wen, rasn, casn, led_n;
  logic [10:0] a;
  logic [1:0]  ba;
  wire  [31:0] d;
  logic [7:0]  unused_rule;

  assign led_o = {7'd0, !led_n};

  colorlight_i9 #(.LADDER(LADDER), .DIVIDER(DIVIDER), .RESET(64), .TRACE(TRACE)) u_board (
    .clk_25mhz(clk_i), .uart_rx(rx_i), .uart_tx(tx_o), .button_n(!button_i), .led_n(led_n),
    .sdram_clk(clk), .sdram_wen(wen), .sdram_rasn(rasn), .sdram_casn(casn), .sdram_a(a), .sdram_ba(ba), .sdram_d(d)
  );

  sdram_model #(.DQ(32), .ROW_W(11), .COL_W(8), .TREFI(15_625_000)) u_sdram (
    .clk_i(clk), .cke_i(1'b1), .cs_ni(1'b0), .ras_ni(rasn), .cas_ni(casn), .we_ni(wen), .ba_i(ba), .a_i(a),
    .dm_i('0), .dq_io(d),
    .errors_o(errors_o), .rule_o(unused_rule), .reads_o(reads_o), .writes_o(writes_o), .refreshes_o(refreshes_o)
  );

endmodule

`default_nettype wire
