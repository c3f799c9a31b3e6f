// SPDX-License-Identifier: Apache-2.0
// What a simulator has in place of the cells of an ECP5 that LiteDRAM's pins are made of: registers beside pins, a pin of
// two directions, a register with a preset (of its reset). Simulation only; zero delay.
`default_nettype none
/* verilator lint_off DECLFILENAME */

module OFS1P3BX (
  input  logic SCLK, SP, D, PD,
  output logic Q
);
  always_ff @(posedge SCLK, posedge PD) begin
    if (PD)      Q <= 1'b1;
    else if (SP) Q <= D;
  end
endmodule

module IFS1P3BX (
  input  logic SCLK, SP, D, PD,
  output logic Q
);
  always_ff @(posedge SCLK, posedge PD) begin
    if (PD)      Q <= 1'b1;
    else if (SP) Q <= D;
  end
endmodule

module FD1S3BX (
  input  logic CK, D, PD,
  output logic Q
);
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

`default_nettype wire
