// SPDX-License-Identifier: Apache-2.0
// Whether two words are the same, or differ, in a chain of carry cells: half a cell compares two bits of each and lets the carry pass
// (two bits and two bits are its LUT's four inputs; with INJECT1 it makes no carry of its own), the first half makes it, the last one
// shows it. As LUTs alone it takes two thirds of a LUT for each bit and three or four of them in a row; here half a site, and none of
// the LUTs. scripts/ecp5.sh maps comparisons of this many bits and more so; with a constant a LUT compares four bits, and is left.
// What shows the carry is the second half of the last cell: a first one would pass its cell's carry on as it comes, and ABC9's &mfs
// (Yosys 0.70) takes such an output of a cell for a constant.

(* techmap_celltype = "$eq $ne" *)
module wide_equal (A, B, Y);
  parameter A_SIGNED = 0;
  parameter B_SIGNED = 0;
  parameter A_WIDTH = 1;
  parameter B_WIDTH = 1;
  parameter Y_WIDTH = 1;
  parameter _TECHMAP_CELLTYPE_ = "";
  parameter [A_WIDTH-1:0] _TECHMAP_CONSTMSK_A_ = 0;
  parameter [B_WIDTH-1:0] _TECHMAP_CONSTMSK_B_ = 0;
  (* force_downto *) input [A_WIDTH-1:0] A;
  (* force_downto *) input [B_WIDTH-1:0] B;
  (* force_downto *) output [Y_WIDTH-1:0] Y;

  localparam LEAST  = 16;
  localparam WIDTH  = A_WIDTH;
  localparam HALVES = (WIDTH + 2) / 2 + 1;             // the first one compares one bit, the last one none
  localparam CELLS  = (HALVES + 1) / 2;                // of an odd number of halves the last but one compares zeros

  wire _TECHMAP_FAIL_ = A_WIDTH != B_WIDTH || WIDTH < LEAST || |_TECHMAP_CONSTMSK_A_ || |_TECHMAP_CONSTMSK_B_;

  // Bit 0 for the first half, then two for each; 0 and 0 where there are no more.
  wire [4*CELLS:0] a = A, b = B;
  wire [CELLS:0] pass;
  wire [CELLS-1:0] shown;

  assign pass[0] = 1'b0;
  generate
    genvar i;
    for (i = 0; i < CELLS; i = i + 1) begin : cell_i
      localparam FIRST = i == 0, LAST = i == CELLS - 1;
      // Bits of its first half and of its second one.
      wire a0 = FIRST ? a[0] : a[4*i-1], b0 = FIRST ? b[0] : b[4*i-1];
      wire c0 = FIRST ? 1'b1 : a[4*i], d0 = FIRST ? 1'b1 : b[4*i];
      CCU2C #(
        .INIT0(FIRST ? 16'h0009 : 16'h9009),
        .INIT1(!LAST ? 16'h9009 : (_TECHMAP_CELLTYPE_ == "$eq") ? 16'h0000 : 16'hFFFF),
        .INJECT1_0(FIRST ? "NO" : "YES"),
        .INJECT1_1(LAST ? "NO" : "YES")
      ) equal_i (
        .CIN(pass[i]), .A0(a0), .B0(b0), .C0(c0), .D0(d0),
        .A1(LAST ? 1'b1 : a[4*i+1]), .B1(LAST ? 1'b1 : b[4*i+1]),
        .C1(LAST ? 1'b1 : a[4*i+2]), .D1(LAST ? 1'b1 : b[4*i+2]),
        .S1(shown[i]), .COUT(pass[i+1])
      );
    end
  endgenerate
  assign Y = shown[CELLS-1];
endmodule
