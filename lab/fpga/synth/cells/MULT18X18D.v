// SPDX-License-Identifier: Apache-2.0
// MULT18X18D, the multiplier of an ECP5, for Verilator: pins and parameters as Yosys' library of cells names them. From
// FPGA-TN-02205 and the documentation of Project Trellis; README.md says what is not modelled. Operands come from A and B or from
// the neighbour's shift outputs; each register is there where a parameter gives it a clock.
/* verilator lint_off WIDTH */  // parameters that are words, of any length

module MULT18X18D (
  input  wire A17, A16, A15, A14, A13, A12, A11, A10, A9, A8, A7, A6, A5, A4, A3, A2, A1, A0,
  input  wire B17, B16, B15, B14, B13, B12, B11, B10, B9, B8, B7, B6, B5, B4, B3, B2, B1, B0,
  input  wire C17, C16, C15, C14, C13, C12, C11, C10, C9, C8, C7, C6, C5, C4, C3, C2, C1, C0,
  input  wire SIGNEDA, SIGNEDB, SOURCEA, SOURCEB, CLK3, CLK2, CLK1, CLK0, CE3, CE2, CE1, CE0, RST3, RST2, RST1, RST0,
  input  wire SRIA17, SRIA16, SRIA15, SRIA14, SRIA13, SRIA12, SRIA11, SRIA10, SRIA9, SRIA8, SRIA7, SRIA6, SRIA5, SRIA4,
              SRIA3, SRIA2, SRIA1, SRIA0,
  input  wire SRIB17, SRIB16, SRIB15, SRIB14, SRIB13, SRIB12, SRIB11, SRIB10, SRIB9, SRIB8, SRIB7, SRIB6, SRIB5, SRIB4,
              SRIB3, SRIB2, SRIB1, SRIB0,
  output wire SROA17, SROA16, SROA15, SROA14, SROA13, SROA12, SROA11, SROA10, SROA9, SROA8, SROA7, SROA6, SROA5, SROA4,
              SROA3, SROA2, SROA1, SROA0,
  output wire SROB17, SROB16, SROB15, SROB14, SROB13, SROB12, SROB11, SROB10, SROB9, SROB8, SROB7, SROB6, SROB5, SROB4,
              SROB3, SROB2, SROB1, SROB0,
  output wire ROA17, ROA16, ROA15, ROA14, ROA13, ROA12, ROA11, ROA10, ROA9, ROA8, ROA7, ROA6, ROA5, ROA4, ROA3, ROA2,
              ROA1, ROA0,
  output wire ROB17, ROB16, ROB15, ROB14, ROB13, ROB12, ROB11, ROB10, ROB9, ROB8, ROB7, ROB6, ROB5, ROB4, ROB3, ROB2,
              ROB1, ROB0,
  output wire ROC17, ROC16, ROC15, ROC14, ROC13, ROC12, ROC11, ROC10, ROC9, ROC8, ROC7, ROC6, ROC5, ROC4, ROC3, ROC2,
              ROC1, ROC0,
  output wire P35, P34, P33, P32, P31, P30, P29, P28, P27, P26, P25, P24, P23, P22, P21, P20, P19, P18, P17, P16, P15,
              P14, P13, P12, P11, P10, P9, P8, P7, P6, P5, P4, P3, P2, P1, P0, SIGNEDP
);
  parameter REG_INPUTA_CLK = "NONE";
  parameter REG_INPUTA_CE = "CE0";
  parameter REG_INPUTA_RST = "RST0";
  parameter REG_INPUTB_CLK = "NONE";
  parameter REG_INPUTB_CE = "CE0";
  parameter REG_INPUTB_RST = "RST0";
  parameter REG_INPUTC_CLK = "NONE";
  parameter REG_INPUTC_CE = "CE0";
  parameter REG_INPUTC_RST = "RST0";
  parameter REG_PIPELINE_CLK = "NONE";
  parameter REG_PIPELINE_CE = "CE0";
  parameter REG_PIPELINE_RST = "RST0";
  parameter REG_OUTPUT_CLK = "NONE";
  parameter REG_OUTPUT_CE = "CE0";
  parameter REG_OUTPUT_RST = "RST0";
  parameter CLK0_DIV = "ENABLED";
  parameter CLK1_DIV = "ENABLED";
  parameter CLK2_DIV = "ENABLED";
  parameter CLK3_DIV = "ENABLED";
  parameter HIGHSPEED_CLK = "NONE";
  parameter GSR = "ENABLED";  // the global reset comes with configuration alone: the cell GSR has no model
  parameter CAS_MATCH_REG = "FALSE";
  parameter SOURCEB_MODE = "B_SHIFT";
  parameter MULT_BYPASS = "DISABLED";
  parameter RESETMODE = "SYNC";

  // ---- what is modelled; anything else is refused when the design is elaborated
  `define REFUSED(condition, text) \
    if (condition) begin \
      $fatal(1, "MULT18X18D: %s", text); \
      initial $fatal(1, "%m: %s", text);  /* where a tool takes the former for a warning */ \
    end
  `define ONE_OF_4(value, a, b, c, d) ((value) == (a) || (value) == (b) || (value) == (c) || (value) == (d))
  `define REGISTER(name, clk, ce, rst) \
    `REFUSED(clk != "NONE" && !`ONE_OF_4(clk, "CLK0", "CLK1", "CLK2", "CLK3"), name) \
    `REFUSED(!`ONE_OF_4(ce, "CE0", "CE1", "CE2", "CE3"), name) \
    `REFUSED(!`ONE_OF_4(rst, "RST0", "RST1", "RST2", "RST3"), name)
  `REGISTER("REG_INPUTA", REG_INPUTA_CLK, REG_INPUTA_CE, REG_INPUTA_RST)
  `REGISTER("REG_INPUTB", REG_INPUTB_CLK, REG_INPUTB_CE, REG_INPUTB_RST)
  `REGISTER("REG_INPUTC", REG_INPUTC_CLK, REG_INPUTC_CE, REG_INPUTC_RST)
  `REGISTER("REG_PIPELINE", REG_PIPELINE_CLK, REG_PIPELINE_CE, REG_PIPELINE_RST)
  `REGISTER("REG_OUTPUT", REG_OUTPUT_CLK, REG_OUTPUT_CE, REG_OUTPUT_RST)
  `REFUSED(HIGHSPEED_CLK != "NONE", "HIGHSPEED_CLK is not modelled")
  `REFUSED(CLK0_DIV != "ENABLED" || CLK1_DIV != "ENABLED" || CLK2_DIV != "ENABLED" || CLK3_DIV != "ENABLED",
           "CLK0_DIV to CLK3_DIV are not modelled")
  `REFUSED(CAS_MATCH_REG != "FALSE", "CAS_MATCH_REG is not modelled")
  `REFUSED(SOURCEB_MODE != "B_SHIFT", "of SOURCEB_MODE only B_SHIFT is modelled")
  `REFUSED(MULT_BYPASS != "DISABLED", "MULT_BYPASS is not modelled")
  `REFUSED(RESETMODE != "SYNC" && RESETMODE != "ASYNC", "RESETMODE")
  `REFUSED(GSR != "ENABLED" && GSR != "DISABLED" && GSR != "AUTO", "GSR")

  // The last character of CLKn, CEn or RSTn; 4 where there is no register.
  `define SELECT(clk) ((clk) == "NONE" ? 4 : ((clk) & 3))
  `define NUMBER(name) ((name) & 3)
  localparam bit ASYNC = RESETMODE == "ASYNC";
  localparam bit CLOCKED = REG_INPUTA_CLK != "NONE" || REG_INPUTB_CLK != "NONE" || REG_PIPELINE_CLK != "NONE"
    || REG_OUTPUT_CLK != "NONE";

  wire [3:0]  clk = {CLK3, CLK2, CLK1, CLK0};
  wire [3:0]  ce = {CE3, CE2, CE1, CE0};
  wire [3:0]  rst = {RST3, RST2, RST1, RST0};
  wire [17:0] a = SOURCEA ? {SRIA17, SRIA16, SRIA15, SRIA14, SRIA13, SRIA12, SRIA11, SRIA10, SRIA9,
    SRIA8, SRIA7, SRIA6, SRIA5, SRIA4, SRIA3, SRIA2, SRIA1, SRIA0} : {A17, A16, A15, A14, A13, A12, A11, A10, A9,
    A8, A7, A6, A5, A4, A3, A2, A1, A0};
  wire [17:0] b = SOURCEB ? {SRIB17, SRIB16, SRIB15, SRIB14, SRIB13, SRIB12, SRIB11, SRIB10, SRIB9,
    SRIB8, SRIB7, SRIB6, SRIB5, SRIB4, SRIB3, SRIB2, SRIB1, SRIB0} : {B17, B16, B15, B14, B13, B12, B11, B10, B9,
    B8, B7, B6, B5, B4, B3, B2, B1, B0};
  wire [17:0] c = {C17, C16, C15, C14, C13, C12, C11, C10, C9,
    C8, C7, C6, C5, C4, C3, C2, C1, C0};

  wire [17:0] a_q, b_q, c_q;
  ecp5_dsp_reg #(.WIDTH(18), .SELECT(`SELECT(REG_INPUTA_CLK)), .ASYNC(ASYNC)) u_a (
    .clk(clk), .ce(ce[`NUMBER(REG_INPUTA_CE)]), .rst(rst[`NUMBER(REG_INPUTA_RST)]), .d(a), .q(a_q));
  ecp5_dsp_reg #(.WIDTH(18), .SELECT(`SELECT(REG_INPUTB_CLK)), .ASYNC(ASYNC)) u_b (
    .clk(clk), .ce(ce[`NUMBER(REG_INPUTB_CE)]), .rst(rst[`NUMBER(REG_INPUTB_RST)]), .d(b), .q(b_q));
  ecp5_dsp_reg #(.WIDTH(18), .SELECT(`SELECT(REG_INPUTC_CLK)), .ASYNC(ASYNC)) u_c (
    .clk(clk), .ce(ce[`NUMBER(REG_INPUTC_CE)]), .rst(rst[`NUMBER(REG_INPUTC_RST)]), .d(c), .q(c_q));

  // Sign or zero in front of either operand; of the product of 37 bits the lower 36 are whole in every case.
  wire signed [36:0] wide_a = {{19{SIGNEDA & a_q[17]}}, a_q};
  wire signed [36:0] wide_b = {{19{SIGNEDB & b_q[17]}}, b_q};
  wire        [35:0] product = 36'(wide_a * wide_b);
  wire        [35:0] product_q, p;
  ecp5_dsp_reg #(.WIDTH(36), .SELECT(`SELECT(REG_PIPELINE_CLK)), .ASYNC(ASYNC)) u_pipeline (
    .clk(clk), .ce(ce[`NUMBER(REG_PIPELINE_CE)]), .rst(rst[`NUMBER(REG_PIPELINE_RST)]), .d(product), .q(product_q));
  ecp5_dsp_reg #(.WIDTH(36), .SELECT(`SELECT(REG_OUTPUT_CLK)), .ASYNC(ASYNC)) u_output (
    .clk(clk), .ce(ce[`NUMBER(REG_OUTPUT_CE)]), .rst(rst[`NUMBER(REG_OUTPUT_RST)]), .d(product_q), .q(p));

  // Whether the signs pass the registers too is not documented, so that with registers they must not move.
  generate
    if (CLOCKED) begin : gen_signs
      reg [2:0] first = 3'b0;
      always @(posedge clk[0] or posedge clk[1] or posedge clk[2] or posedge clk[3]) begin
        first <= {1'b1, SIGNEDA, SIGNEDB};
        if (first[2] && first[1:0] != {SIGNEDA, SIGNEDB}) $fatal(1, "%m: SIGNEDA or SIGNEDB moves where registers are used");
      end
    end
  endgenerate

  assign {SROA17, SROA16, SROA15, SROA14, SROA13, SROA12, SROA11, SROA10, SROA9,
    SROA8, SROA7, SROA6, SROA5, SROA4, SROA3, SROA2, SROA1, SROA0} = a_q;
  assign {ROA17, ROA16, ROA15, ROA14, ROA13, ROA12, ROA11, ROA10, ROA9,
    ROA8, ROA7, ROA6, ROA5, ROA4, ROA3, ROA2, ROA1, ROA0} = a_q;
  assign {SROB17, SROB16, SROB15, SROB14, SROB13, SROB12, SROB11, SROB10, SROB9,
    SROB8, SROB7, SROB6, SROB5, SROB4, SROB3, SROB2, SROB1, SROB0} = b_q;
  assign {ROB17, ROB16, ROB15, ROB14, ROB13, ROB12, ROB11, ROB10, ROB9,
    ROB8, ROB7, ROB6, ROB5, ROB4, ROB3, ROB2, ROB1, ROB0} = b_q;
  assign {ROC17, ROC16, ROC15, ROC14, ROC13, ROC12, ROC11, ROC10, ROC9,
    ROC8, ROC7, ROC6, ROC5, ROC4, ROC3, ROC2, ROC1, ROC0} = c_q;
  assign {P35, P34, P33, P32, P31, P30, P29, P28, P27,
    P26, P25, P24, P23, P22, P21, P20, P19, P18,
    P17, P16, P15, P14, P13, P12, P11, P10, P9,
    P8, P7, P6, P5, P4, P3, P2, P1, P0} = p;
  assign SIGNEDP = SIGNEDA | SIGNEDB;

  `undef REFUSED
  `undef ONE_OF_4
  `undef REGISTER
  `undef SELECT
  `undef NUMBER
endmodule

/* verilator lint_on WIDTH */
