// SPDX-License-Identifier: Apache-2.0
// Simulation models of the cells of an ECP5 that LiteDRAM's pins are made of. Registers beside pins, a pin of two
// directions, a register with a preset (of its reset), a PLL with a second output half a period later (nothing else).
// A register with a preset begins with 1, as the part leaves it when it has been configured.
// Simulation only; zero delay.
/* verilator lint_off DECLFILENAME */
/* verilator lint_off UNUSEDPARAM */  // what only the real cell heeds
/* verilator lint_off UNUSEDSIGNAL */

module OFS1P3BX (
  input  logic SCLK, SP, D, PD,
  output logic Q
);
  initial Q = 1'b1;
  always_ff @(posedge SCLK, posedge PD) begin
    if (PD)      Q <= 1'b1;
    else if (SP) Q <= D;
  end
endmodule

module IFS1P3BX (
  input  logic SCLK, SP, D, PD,
  output logic Q
);
  initial Q = 1'b1;
  always_ff @(posedge SCLK, posedge PD) begin
    if (PD)      Q <= 1'b1;
    else if (SP) Q <= D;
  end
endmodule

module FD1S3BX (
  input  logic CK, D, PD,
  output logic Q
);
  initial Q = 1'b1;
  always_ff @(posedge CK, posedge PD) begin
    if (PD) Q <= 1'b1;
    else    Q <= D;
  end
endmodule

module TRELLIS_IO #(
  parameter DIR = "INPUT"
) (
  inout  wire  B,
  input  logic I, T,
  output logic O
);
  assign B = (DIR == "BIDIR" && !T) ? I : 1'bz;
  assign O = B;
endmodule

module EHXPLLL #(
  parameter PLLRST_ENA = "", parameter INTFB_WAKE = "", parameter STDBY_ENABLE = "", parameter DPHASE_SOURCE = "",
  parameter OUTDIVIDER_MUXA = "", parameter OUTDIVIDER_MUXB = "", parameter OUTDIVIDER_MUXC = "", parameter OUTDIVIDER_MUXD = "",
  parameter FEEDBK_PATH = "", parameter int CLKI_DIV = 1, parameter int CLKFB_DIV = 1,
  parameter CLKOP_ENABLE = "", parameter int CLKOP_DIV = 1, parameter int CLKOP_CPHASE = 0, parameter int CLKOP_FPHASE = 0,
  parameter CLKOS_ENABLE = "", parameter int CLKOS_DIV = 1, parameter int CLKOS_CPHASE = 0, parameter int CLKOS_FPHASE = 0
) (
  input  logic CLKI, CLKFB, RST, STDBY, PHASESEL0, PHASESEL1, PHASEDIR, PHASESTEP, PHASELOADREG, PLLWAKESYNC, ENCLKOP,
  output logic CLKOP, CLKOS, LOCK
);
  if (CLKI_DIV != CLKFB_DIV || CLKOP_DIV != CLKOS_DIV || 2 * (CLKOS_CPHASE - CLKOP_CPHASE) != CLKOP_DIV) begin : gen_check
    $error("EHXPLLL: the simulated one has the input's frequency, and half a period between its outputs");
  end
  logic [3:0] count_q;
  initial count_q = '0;
  /* verilator lint_off BLKSEQ */
  always @(posedge CLKI) if (count_q != '1) count_q = count_q + 1'b1;
  /* verilator lint_on BLKSEQ */
  assign CLKOP = CLKI;
  assign CLKOS = !CLKI;
  assign LOCK  = count_q == '1;
endmodule
