// SPDX-License-Identifier: Apache-2.0
// Block memories and multipliers as Yosys does not infer them, on the same inputs: cells_ports.cpp has what they must do. The
// modules with vectors for pins (`block`, `multiplier`) are written by test_cells_ports.sh.
module cells_ports_tb (
  input  logic              clk_a, ce_a, oce_a, we_a, rst_a,
  input  logic [2:0]        cs_a,
  input  logic [13:0]       ad_a,
  input  logic [17:0]       di_a,
  input  logic              clk_b, ce_b, oce_b, we_b, rst_b,
  input  logic [2:0]        cs_b,
  input  logic [13:0]       ad_b,
  input  logic [17:0]       di_b,
  output logic [8:0][17:0]  do_a, do_b,
  input  logic [17:0]       a, b, c,
  input  logic              source,
  input  logic [3:0]        clk, ce, rst,
  output logic [1:0][35:0]  p,
  output logic [17:0]       sroa, rob, roc,
  output logic              signedp
);
  `define PORT_A .clk_a(clk_a), .ce_a(ce_a), .oce_a(oce_a), .we_a(we_a), .rst_a(rst_a), .cs_a(3'b0), .ad_a(ad_a), .di_a(di_a)
  `define PORT_B .clk_b(clk_b), .ce_b(ce_b), .oce_b(oce_b), .rst_b(rst_b), .cs_b(3'b0), .ad_b(ad_b), .di_b(di_b)
  `define OUT(n) .do_a(do_a[n]), .do_b(do_b[n])
  block #(.DATA_WIDTH_B(9), .WRITEMODE_B("WRITETHROUGH"), .REGMODE_B("OUTREG"), .ADA0MUX("INV"), .ADA1MUX("INV"))
    u_0 (.clk_a(clk_a), .ce_a(ce_a), .oce_a(oce_a), .we_a(we_a), .rst_a(rst_a), .cs_a(3'b0), .ad_a(ad_a ^ 14'h3), .di_a(di_a),
         `PORT_B, .we_b(we_b), `OUT(0));
  block #(.DATA_WIDTH_A(9), .WRITEMODE_A("READBEFOREWRITE"), .WRITEMODE_B("READBEFOREWRITE"))
    u_1 (`PORT_A, `PORT_B, .we_b(we_b), `OUT(1));
  block #(.DATA_WIDTH_A(4), .WRITEMODE_A("WRITETHROUGH"), .REGMODE_A("OUTREG"), .DATA_WIDTH_B(1))
    u_2 (`PORT_A, `PORT_B, .we_b(we_b), `OUT(2));
  block #(.DATA_WIDTH_A(36), .DATA_WIDTH_B(36), .REGMODE_A("OUTREG"), .REGMODE_B("OUTREG"))
    u_3 (`PORT_A, `PORT_B, .we_b(1'b0), `OUT(3));
  block #(.DATA_WIDTH_A(36))
    u_4 (`PORT_A, `PORT_B, .we_b(1'b0), `OUT(4));
  block #(.DATA_WIDTH_A(2), .WRITEMODE_A("READBEFOREWRITE"), .DATA_WIDTH_B(4), .WRITEMODE_B("READBEFOREWRITE"))
    u_5 (`PORT_A, `PORT_B, .we_b(we_b), `OUT(5));

  // Inverters of the part, and as many in front of it; blocks that are chosen.
  block #(.DATA_WIDTH_A(4), .DATA_WIDTH_B(1), .WRITEMODE_A("WRITETHROUGH"), .REGMODE_A("OUTREG"), .REGMODE_B("OUTREG"),
          .CSDECODE_A("0b101"), .CSDECODE_B("0b010"),
          .CLKAMUX("INV"), .CEAMUX("INV"), .OCEAMUX("INV"), .WEAMUX("INV"), .RSTAMUX("INV"), .ADA2MUX("INV"), .ADA3MUX("INV"),
          .CLKBMUX("INV"), .CEBMUX("INV"), .OCEBMUX("INV"), .WEBMUX("INV"), .RSTBMUX("INV"), .ADB0MUX("INV"), .ADB1MUX("INV"))
    u_6 (.clk_a(~clk_a), .ce_a(~ce_a), .oce_a(~oce_a), .we_a(~we_a), .rst_a(~rst_a), .cs_a(cs_a), .ad_a(ad_a ^ 14'hC), .di_a(di_a),
         .clk_b(~clk_b), .ce_b(~ce_b), .oce_b(~oce_b), .we_b(~we_b), .rst_b(~rst_b), .cs_b(cs_b), .ad_b(ad_b ^ 14'h3), .di_b(di_b),
         `OUT(6));

  // Asynchronous resets: no port is enabled in them.
  `define RESET_A .clk_a(clk_a), .ce_a(ce_a & ~rst_a), .oce_a(oce_a), .we_a(we_a), .rst_a(rst_a), .cs_a(3'b0), .ad_a(ad_a), .di_a(di_a)
  `define RESET_B .clk_b(clk_b), .ce_b(ce_b & ~rst_b), .oce_b(oce_b), .we_b(we_b), .rst_b(rst_b), .cs_b(3'b0), .ad_b(ad_b), .di_b(di_b)
  block #(.DATA_WIDTH_A(9), .REGMODE_A("OUTREG"), .DATA_WIDTH_B(9), .RESETMODE("ASYNC"), .ASYNC_RESET_RELEASE("ASYNC"))
    u_7 (`RESET_A, `RESET_B, `OUT(7));
  block #(.RESETMODE("ASYNC"))
    u_8 (`RESET_A, `RESET_B, `OUT(8));

  logic [17:0] shifted, any_a, any_b, any_c, any_ra, any_rb;
  logic        any_sign;
  multiplier #(.REG_INPUTA_CLK("CLK0"), .REG_INPUTB_CLK("CLK1"), .REG_INPUTB_CE("CE1"), .REG_INPUTB_RST("RST1"),
               .REG_INPUTC_CLK("CLK2"), .REG_INPUTC_CE("CE2"), .REG_INPUTC_RST("RST2"), .REG_PIPELINE_CLK("CLK0"),
               .REG_OUTPUT_CLK("CLK3"), .REG_OUTPUT_CE("CE3"), .REG_OUTPUT_RST("RST3"))
    u_full (.a(a), .b(b), .c(c), .signeda(1'b1), .signedb(1'b0), .sourcea(1'b0), .sourceb(1'b0), .clk(clk), .ce(ce), .rst(rst),
            .sria('0), .srib('0), .sroa(shifted), .srob(any_b), .roa(any_ra), .rob(rob), .roc(roc), .p(p[0]), .signedp(signedp));
  multiplier #(.REG_PIPELINE_CLK("CLK1"), .RESETMODE("ASYNC"))
    u_shift (.a(a), .b(b), .c(c), .signeda(1'b1), .signedb(1'b1), .sourcea(source), .sourceb(source), .clk(clk), .ce(ce), .rst(rst),
             .sria(shifted), .srib(c), .sroa(any_a), .srob(sroa), .roa(any_c), .rob(any_rb), .roc(), .p(p[1]), .signedp(any_sign));
endmodule
