// SPDX-License-Identifier: Apache-2.0
// The block memories of a Gowin GW5A, for Verilator: SP, SPX9 with one port, SDPB, SDPX9B with one that writes and one that reads,
// DPB, DPX9B with two that do either; pins and parameters as Yosys' library of cells names them, behaviour in gowin_bsram below.
// README.md says what is not modelled. All in one file: they differ by their pins.
/* verilator lint_off WIDTH */         // parameters that are words, of any length
/* verilator lint_off WIDTHCONCAT */
/* verilator lint_off DECLFILENAME */

// The contents: words of the bits that the cell has.
`define GOWIN_INIT(BITS) parameter [(BITS)-1:0] \
    INIT_RAM_00 = 0, INIT_RAM_01 = 0, INIT_RAM_02 = 0, INIT_RAM_03 = 0, INIT_RAM_04 = 0, INIT_RAM_05 = 0, \
    INIT_RAM_06 = 0, INIT_RAM_07 = 0, INIT_RAM_08 = 0, INIT_RAM_09 = 0, INIT_RAM_0A = 0, INIT_RAM_0B = 0, \
    INIT_RAM_0C = 0, INIT_RAM_0D = 0, INIT_RAM_0E = 0, INIT_RAM_0F = 0, INIT_RAM_10 = 0, INIT_RAM_11 = 0, \
    INIT_RAM_12 = 0, INIT_RAM_13 = 0, INIT_RAM_14 = 0, INIT_RAM_15 = 0, INIT_RAM_16 = 0, INIT_RAM_17 = 0, \
    INIT_RAM_18 = 0, INIT_RAM_19 = 0, INIT_RAM_1A = 0, INIT_RAM_1B = 0, INIT_RAM_1C = 0, INIT_RAM_1D = 0, \
    INIT_RAM_1E = 0, INIT_RAM_1F = 0, INIT_RAM_20 = 0, INIT_RAM_21 = 0, INIT_RAM_22 = 0, INIT_RAM_23 = 0, \
    INIT_RAM_24 = 0, INIT_RAM_25 = 0, INIT_RAM_26 = 0, INIT_RAM_27 = 0, INIT_RAM_28 = 0, INIT_RAM_29 = 0, \
    INIT_RAM_2A = 0, INIT_RAM_2B = 0, INIT_RAM_2C = 0, INIT_RAM_2D = 0, INIT_RAM_2E = 0, INIT_RAM_2F = 0, \
    INIT_RAM_30 = 0, INIT_RAM_31 = 0, INIT_RAM_32 = 0, INIT_RAM_33 = 0, INIT_RAM_34 = 0, INIT_RAM_35 = 0, \
    INIT_RAM_36 = 0, INIT_RAM_37 = 0, INIT_RAM_38 = 0, INIT_RAM_39 = 0, INIT_RAM_3A = 0, INIT_RAM_3B = 0, \
    INIT_RAM_3C = 0, INIT_RAM_3D = 0, INIT_RAM_3E = 0, INIT_RAM_3F = 0
`define GOWIN_WORDS { \
    INIT_RAM_3F, INIT_RAM_3E, INIT_RAM_3D, INIT_RAM_3C, INIT_RAM_3B, INIT_RAM_3A, INIT_RAM_39, INIT_RAM_38, \
    INIT_RAM_37, INIT_RAM_36, INIT_RAM_35, INIT_RAM_34, INIT_RAM_33, INIT_RAM_32, INIT_RAM_31, INIT_RAM_30, \
    INIT_RAM_2F, INIT_RAM_2E, INIT_RAM_2D, INIT_RAM_2C, INIT_RAM_2B, INIT_RAM_2A, INIT_RAM_29, INIT_RAM_28, \
    INIT_RAM_27, INIT_RAM_26, INIT_RAM_25, INIT_RAM_24, INIT_RAM_23, INIT_RAM_22, INIT_RAM_21, INIT_RAM_20, \
    INIT_RAM_1F, INIT_RAM_1E, INIT_RAM_1D, INIT_RAM_1C, INIT_RAM_1B, INIT_RAM_1A, INIT_RAM_19, INIT_RAM_18, \
    INIT_RAM_17, INIT_RAM_16, INIT_RAM_15, INIT_RAM_14, INIT_RAM_13, INIT_RAM_12, INIT_RAM_11, INIT_RAM_10, \
    INIT_RAM_0F, INIT_RAM_0E, INIT_RAM_0D, INIT_RAM_0C, INIT_RAM_0B, INIT_RAM_0A, INIT_RAM_09, INIT_RAM_08, \
    INIT_RAM_07, INIT_RAM_06, INIT_RAM_05, INIT_RAM_04, INIT_RAM_03, INIT_RAM_02, INIT_RAM_01, INIT_RAM_00}
// What is not modelled, as the design is elaborated.
`define GOWIN_REFUSE(CONDITION, TEXT) if (CONDITION) begin : gen_refused \
    $fatal(1, TEXT); \
    initial $fatal(1, TEXT);  /* where a tool takes the former for a warning */ \
  end

// 2,048 bytes of nine bits behind two ports of one clock.
// Latency: read data stands one clock after ce without we, and stays until the next one or a reset, which does not wait for ce.
// An access of 9, 18 or 36 bits takes whole bytes, one of 8, 16 or 32 the lower eight bits of each; with several bytes the lowest
// bits of a write's address enable one each. A write shows nothing at its own port, or what it writes (SHOW). Chance is what no
// document promises: what is read, or written twice, as the other port writes it; bytes that a shown write leaves.
module gowin_bsram #(
  parameter int WIDTH_A = 36,
  parameter int WIDTH_B = 36,
  parameter bit SHOW_A = 1'b0,
  parameter bit SHOW_B = 1'b0,
  parameter bit NINE = 1'b1,        // bits of a byte that INIT and wide data have: nine, or eight
  parameter bit ASYNC = 1'b0,       // a reset without a clock: refused when it comes
  parameter bit [18431:0] INIT = '0
) (
  input  wire        clk_a, ce_a, we_a, rst_a,
  input  wire [13:0] ad_a,
  input  wire [35:0] di_a,
  output reg  [35:0] do_a,
  input  wire        clk_b, ce_b, we_b, rst_b,
  input  wire [13:0] ad_b,
  input  wire [35:0] di_b,
  output reg  [35:0] do_b,
  input  wire        fixed          // no chip select, output registers pass
);
  localparam int BITS = NINE ? 9 : 8;

  reg [8:0] bytes [0:2047];

  function automatic bit known(input int width);
    known = width inside {1, 2, 4, BITS, 2 * BITS, 4 * BITS};
  endfunction
  `GOWIN_REFUSE(!known(WIDTH_A) || !known(WIDTH_B), "gowin_bsram: a width that is none")

  initial begin
    for (int i = 0; i < 2048; i++) bytes[i] = 9'(INIT[BITS*i +: BITS]);
    do_a = '0;
    do_b = '0;
  end

  function automatic int count(input int width);   // bytes of an access
    count = width < 8 ? 1 : width / 8;
  endfunction
  function automatic [10:0] place(input int width, input [13:0] ad, input int j);   // of the j-th of them
    place = (ad[13:3] & ~11'(count(width) - 1)) | 11'(j);
  endfunction

  // Of byte k: the bits that a write changes, and what it writes there.
  function automatic [8:0] changed(input int width, input we, input [13:0] ad, input [10:0] k);
    automatic bit [10:0] j = k & 11'(count(width) - 1);
    if (!we || place(width, ad, 32'(j)) != k) changed = '0;
    else if (width < 8)                       changed = 9'((1 << width) - 1) << ad[2:0];
    else                                      changed = {9{count(width) == 1 || ad[j[1:0]]}};
  endfunction
  function automatic [8:0] written(input int width, input [13:0] ad, input [35:0] data, input [10:0] k);
    written = width < 8 ? 9'(data << ad[2:0]) : 9'(data[BITS*32'(k & 11'(count(width) - 1)) +: BITS]);
  endfunction

  // What a port reads; `other` writes at the same edge.
  function automatic [35:0] answer(input int width, input [13:0] ad, input int other_width, input other, input [13:0] other_ad);
    automatic bit [10:0] k;
    automatic bit [8:0]  data, spoilt;
    answer = '0;
    for (int j = 0; j < count(width); j++) begin
      k      = place(width, ad, j);
      spoilt = changed(other_width, other, other_ad, k);
      data   = (bytes[k] & ~spoilt) | (9'($urandom) & spoilt);
      if (width < 8) answer = 36'(data >> ad[2:0]) & 36'((1 << width) - 1);
      else           answer[BITS*j +: BITS] = data[BITS-1:0];
    end
  endfunction

  // What a port shows of its own write.
  function automatic [35:0] shown(input int width, input [13:0] ad, input [35:0] data);
    shown = '0;
    if (width < 8) shown = data & 36'((1 << width) - 1);
    else begin
      for (int j = 0; j < count(width); j++) begin
        shown[BITS*j +: BITS] = count(width) == 1 || ad[2'(j)] ? data[BITS*j +: BITS] : BITS'($urandom);
      end
    end
  endfunction

  wire write_a = ce_a && we_a;
  wire write_b = ce_b && we_b;
  /* verilator lint_off BLKSEQ */  // read before they are written
  always @(posedge clk_a) begin
    automatic bit [10:0] k;
    automatic bit [8:0]  mask;
    if (ce_a && !we_a) do_a <= answer(WIDTH_A, ad_a, WIDTH_B, write_b, ad_b);
    if (ce_b && !we_b) do_b <= answer(WIDTH_B, ad_b, WIDTH_A, write_a, ad_a);
    if (write_a && SHOW_A) do_a <= shown(WIDTH_A, ad_a, di_a);
    if (write_b && SHOW_B) do_b <= shown(WIDTH_B, ad_b, di_b);
    if (rst_a) do_a <= '0;
    if (rst_b) do_b <= '0;
    if (!clk_b || !fixed || (ASYNC && (rst_a || rst_b))) $fatal(1, "gowin_bsram: two clocks, a chip select or a reset without a clock");
    for (int j = 0; j < count(WIDTH_A) && write_a; j++) begin
      k        = place(WIDTH_A, ad_a, j);
      mask     = changed(WIDTH_A, 1'b1, ad_a, k);
      bytes[k] = (bytes[k] & ~mask) | (written(WIDTH_A, ad_a, di_a, k) & mask);
    end
    for (int j = 0; j < count(WIDTH_B) && write_b; j++) begin
      k        = place(WIDTH_B, ad_b, j);
      mask     = changed(WIDTH_B, 1'b1, ad_b, k);
      bytes[k] = (bytes[k] & ~mask) | (written(WIDTH_B, ad_b, di_b, k) & mask);
      mask    &= changed(WIDTH_A, write_a, ad_a, k);
      bytes[k] = (bytes[k] & ~mask) | (9'($urandom) & mask);
    end
  end
  /* verilator lint_on BLKSEQ */
endmodule

module SP (
  input  wire        CLK, CE, OCE, RESET, WRE,
  input  wire [13:0] AD,
  input  wire [2:0]  BLKSEL,
  input  wire [31:0] DI,
  output wire [31:0] DO
);
  parameter READ_MODE = 0, WRITE_MODE = 0, BIT_WIDTH = 32, BLK_SEL = 0, RESET_MODE = "SYNC";
  `GOWIN_INIT(256);
  `GOWIN_REFUSE(READ_MODE != 0 || WRITE_MODE > 1 || BLK_SEL != 0, "SP: READ_MODE and BLK_SEL are 0 here, WRITE_MODE 0 or 1")
  wire [35:0] data;
  assign DO = data;
  gowin_bsram #(.WIDTH_A(BIT_WIDTH), .WIDTH_B(8), .SHOW_A(WRITE_MODE == 1), .NINE(0),
    .ASYNC(RESET_MODE == "ASYNC"), .INIT(`GOWIN_WORDS)) u_bsram (
    .clk_a(CLK), .ce_a(CE), .we_a(WRE), .rst_a(RESET), .ad_a(AD), .di_a(DI), .do_a(data),
    .clk_b(CLK), .ce_b(1'b0), .we_b(1'b0), .rst_b(1'b0), .ad_b(14'd0), .di_b(36'd0), .do_b(), .fixed(BLKSEL == 0 && OCE));
endmodule

module SPX9 (
  input  wire        CLK, CE, OCE, RESET, WRE,
  input  wire [13:0] AD,
  input  wire [2:0]  BLKSEL,
  input  wire [35:0] DI,
  output wire [35:0] DO
);
  parameter READ_MODE = 0, WRITE_MODE = 0, BIT_WIDTH = 36, BLK_SEL = 0, RESET_MODE = "SYNC";
  `GOWIN_INIT(288);
  `GOWIN_REFUSE(READ_MODE != 0 || WRITE_MODE > 1 || BLK_SEL != 0, "SPX9: READ_MODE and BLK_SEL are 0 here, WRITE_MODE 0 or 1")
  wire [35:0] data;
  assign DO = data;
  gowin_bsram #(.WIDTH_A(BIT_WIDTH), .WIDTH_B(9), .SHOW_A(WRITE_MODE == 1), .NINE(1),
    .ASYNC(RESET_MODE == "ASYNC"), .INIT(`GOWIN_WORDS)) u_bsram (
    .clk_a(CLK), .ce_a(CE), .we_a(WRE), .rst_a(RESET), .ad_a(AD), .di_a(DI), .do_a(data),
    .clk_b(CLK), .ce_b(1'b0), .we_b(1'b0), .rst_b(1'b0), .ad_b(14'd0), .di_b(36'd0), .do_b(), .fixed(BLKSEL == 0 && OCE));
endmodule

module SDPB (
  input  wire        CLKA, CEA, CLKB, CEB, OCE, RESET,
  input  wire [13:0] ADA, ADB,
  input  wire [2:0]  BLKSELA, BLKSELB,
  input  wire [31:0] DI,
  output wire [31:0] DO
);
  parameter READ_MODE = 0, BIT_WIDTH_0 = 32, BIT_WIDTH_1 = 32, BLK_SEL_0 = 0, BLK_SEL_1 = 0, RESET_MODE = "SYNC";
  `GOWIN_INIT(256);
  `GOWIN_REFUSE(READ_MODE != 0 || BLK_SEL_0 != 0 || BLK_SEL_1 != 0, "SDPB: READ_MODE and BLK_SEL are 0 here")
  wire [35:0] data;
  assign DO = data;
  gowin_bsram #(.WIDTH_A(BIT_WIDTH_0), .WIDTH_B(BIT_WIDTH_1), .NINE(0), .ASYNC(RESET_MODE == "ASYNC"), .INIT(`GOWIN_WORDS)) u_bsram (
    .clk_a(CLKA), .ce_a(CEA), .we_a(1'b1), .rst_a(1'b0), .ad_a(ADA), .di_a(DI), .do_a(),
    .clk_b(CLKB), .ce_b(CEB), .we_b(1'b0), .rst_b(RESET), .ad_b(ADB), .di_b(36'd0), .do_b(data),
    .fixed(BLKSELA == 0 && BLKSELB == 0 && OCE));
endmodule

module SDPX9B (
  input  wire        CLKA, CEA, CLKB, CEB, OCE, RESET,
  input  wire [13:0] ADA, ADB,
  input  wire [2:0]  BLKSELA, BLKSELB,
  input  wire [35:0] DI,
  output wire [35:0] DO
);
  parameter READ_MODE = 0, BIT_WIDTH_0 = 36, BIT_WIDTH_1 = 36, BLK_SEL_0 = 0, BLK_SEL_1 = 0, RESET_MODE = "SYNC";
  `GOWIN_INIT(288);
  `GOWIN_REFUSE(READ_MODE != 0 || BLK_SEL_0 != 0 || BLK_SEL_1 != 0, "SDPX9B: READ_MODE and BLK_SEL are 0 here")
  wire [35:0] data;
  assign DO = data;
  gowin_bsram #(.WIDTH_A(BIT_WIDTH_0), .WIDTH_B(BIT_WIDTH_1), .NINE(1), .ASYNC(RESET_MODE == "ASYNC"), .INIT(`GOWIN_WORDS)) u_bsram (
    .clk_a(CLKA), .ce_a(CEA), .we_a(1'b1), .rst_a(1'b0), .ad_a(ADA), .di_a(DI), .do_a(),
    .clk_b(CLKB), .ce_b(CEB), .we_b(1'b0), .rst_b(RESET), .ad_b(ADB), .di_b(36'd0), .do_b(data),
    .fixed(BLKSELA == 0 && BLKSELB == 0 && OCE));
endmodule

module DPB (
  input  wire        CLKA, CEA, OCEA, RESETA, WREA, CLKB, CEB, OCEB, RESETB, WREB,
  input  wire [13:0] ADA, ADB,
  input  wire [2:0]  BLKSELA, BLKSELB,
  input  wire [15:0] DIA, DIB,
  output wire [15:0] DOA, DOB
);
  parameter READ_MODE0 = 0, READ_MODE1 = 0, WRITE_MODE0 = 0, WRITE_MODE1 = 0, BIT_WIDTH_0 = 16, BIT_WIDTH_1 = 16;
  parameter BLK_SEL_0 = 0, BLK_SEL_1 = 0, RESET_MODE = "SYNC";
  `GOWIN_INIT(256);
  `GOWIN_REFUSE(READ_MODE0 != 0 || READ_MODE1 != 0 || WRITE_MODE0 > 1 || WRITE_MODE1 > 1 || BLK_SEL_0 != 0 || BLK_SEL_1 != 0,
    "DPB: READ_MODE and BLK_SEL are 0 here, WRITE_MODE 0 or 1")
  wire [35:0] data_a, data_b;
  assign DOA = data_a;
  assign DOB = data_b;
  gowin_bsram #(.WIDTH_A(BIT_WIDTH_0), .WIDTH_B(BIT_WIDTH_1), .SHOW_A(WRITE_MODE0 == 1), .SHOW_B(WRITE_MODE1 == 1),
    .NINE(0), .ASYNC(RESET_MODE == "ASYNC"), .INIT(`GOWIN_WORDS)) u_bsram (
    .clk_a(CLKA), .ce_a(CEA), .we_a(WREA), .rst_a(RESETA), .ad_a(ADA), .di_a(DIA), .do_a(data_a),
    .clk_b(CLKB), .ce_b(CEB), .we_b(WREB), .rst_b(RESETB), .ad_b(ADB), .di_b(DIB), .do_b(data_b),
    .fixed(BLKSELA == 0 && BLKSELB == 0 && OCEA && OCEB));
endmodule

module DPX9B (
  input  wire        CLKA, CEA, OCEA, RESETA, WREA, CLKB, CEB, OCEB, RESETB, WREB,
  input  wire [13:0] ADA, ADB,
  input  wire [2:0]  BLKSELA, BLKSELB,
  input  wire [17:0] DIA, DIB,
  output wire [17:0] DOA, DOB
);
  parameter READ_MODE0 = 0, READ_MODE1 = 0, WRITE_MODE0 = 0, WRITE_MODE1 = 0, BIT_WIDTH_0 = 18, BIT_WIDTH_1 = 18;
  parameter BLK_SEL_0 = 0, BLK_SEL_1 = 0, RESET_MODE = "SYNC";
  `GOWIN_INIT(288);
  `GOWIN_REFUSE(READ_MODE0 != 0 || READ_MODE1 != 0 || WRITE_MODE0 > 1 || WRITE_MODE1 > 1 || BLK_SEL_0 != 0 || BLK_SEL_1 != 0,
    "DPX9B: READ_MODE and BLK_SEL are 0 here, WRITE_MODE 0 or 1")
  wire [35:0] data_a, data_b;
  assign DOA = data_a;
  assign DOB = data_b;
  gowin_bsram #(.WIDTH_A(BIT_WIDTH_0), .WIDTH_B(BIT_WIDTH_1), .SHOW_A(WRITE_MODE0 == 1), .SHOW_B(WRITE_MODE1 == 1),
    .NINE(1), .ASYNC(RESET_MODE == "ASYNC"), .INIT(`GOWIN_WORDS)) u_bsram (
    .clk_a(CLKA), .ce_a(CEA), .we_a(WREA), .rst_a(RESETA), .ad_a(ADA), .di_a(DIA), .do_a(data_a),
    .clk_b(CLKB), .ce_b(CEB), .we_b(WREB), .rst_b(RESETB), .ad_b(ADB), .di_b(DIB), .do_b(data_b),
    .fixed(BLKSELA == 0 && BLKSELB == 0 && OCEA && OCEB));
endmodule

`undef GOWIN_INIT
`undef GOWIN_WORDS
`undef GOWIN_REFUSE
