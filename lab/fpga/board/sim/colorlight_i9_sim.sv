// SPDX-License-Identifier: Apache-2.0
// A Colorlight i9 with what is soldered to it: the SDRAM, with CKE high, CS and byte masks low.
// Simulation only.
module colorlight_i9_sim #(
  parameter int unsigned LADDER  = 4,
  parameter int unsigned DIVIDER = 2,
  parameter int unsigned TRACE   = 1
) (
  input  logic        clk_i,          // 25 MHz
  input  logic        rx_i,
  output logic        tx_o,
  input  logic        button_i,
  input  logic [7:0]  fault_i,        // of the board (board_faults)
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
  // At the SDRAM.
  logic        m_cke, m_csn, m_wen, m_rasn, m_casn;
  logic [10:0] m_a;
  logic [1:0]  m_ba;
  logic [3:0]  m_dqm, m_drives, m_bad;
  logic [31:0] m_d, m_q;

  assign led_o = {7'd0, !led_n};

  colorlight_i9 #(.LADDER(LADDER), .DIVIDER(DIVIDER), .RESET(64), .TRACE(TRACE)) u_board (
    .clk_25mhz(clk_i), .uart_rx(rx_i), .uart_tx(tx_o), .button_n(!button_i), .led_n(led_n),
    .sdram_clk(clk), .sdram_wen(wen), .sdram_rasn(rasn), .sdram_casn(casn), .sdram_a(a), .sdram_ba(ba), .sdram_d(d)
  );

  board_faults #(.DQ(32), .ROW_W(11)) u_wires (
    .clk_i(clk), .fault_i(fault_i),
    .cke_i(1'b1), .cs_ni(1'b0), .ras_ni(rasn), .cas_ni(casn), .we_ni(wen), .ba_i(ba), .a_i(a), .dm_i('0), .dq_io(d),
    .cke_o(m_cke), .cs_no(m_csn), .ras_no(m_rasn), .cas_no(m_casn), .we_no(m_wen), .ba_o(m_ba), .a_o(m_a), .dm_o(m_dqm),
    .dq_o(m_d), .bad_o(m_bad),
    .dq_i(m_q), .drives_i(m_drives)
  );

  sdram_model #(.DQ(32), .ROW_W(11), .COL_W(8), .TREFI(15_625_000)) u_sdram (
    .clk_i(clk), .cke_i(m_cke), .cs_ni(m_csn), .ras_ni(m_rasn), .cas_ni(m_casn), .we_ni(m_wen), .ba_i(m_ba), .a_i(m_a),
    .dm_i(m_dqm), .dq_i(m_d), .dq_o(m_q), .drives_o(m_drives), .bad_i(m_bad),
    .errors_o(errors_o), .rule_o(unused_rule), .reads_o(reads_o), .writes_o(writes_o), .refreshes_o(refreshes_o)
  );

endmodule
