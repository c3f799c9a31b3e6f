// SPDX-License-Identifier: Apache-2.0
// One lane of the FP64 unit: a fused multiply-add with full subnormals, comparisons, and conversions with 64-bit numbers.
//   open      operands apart, special values, comparisons                          1 cycle
//   product   one product in PASSES parts, addend shifted beside it                PASSES cycles
//   sum       sum or difference; rounding to an integer                            1 cycle
//   close     leading zeros and shift, or saturation; rounding and packing         2 cycles
// Latency: PASSES + 4 cycles. One operation every PASSES cycles.
// No handshake; en_i enables the ranks in this order and follows the operation.
// It does not know warps, beats or registers (see fp64_unit).
module fp64_lane #(
  parameter int unsigned PASSES = 3
) (
  input  logic                 clk_i,
  // from the unit
  input  logic                 en_open_i,
  input  logic [PASSES-1:0]    en_pass_i,
  input  logic                 en_sum_i,
  input  logic [1:0]           en_close_i,
  input  fp64_pkg::ctl_t       ctl_open_i,
  input  fp64_pkg::ctl_t       ctl_sum_i,
  input  fp64_pkg::ctl_t [1:0] ctl_close_i,
  // operands
  input  logic [63:0]          a_i,
  input  logic [63:0]          b_i,
  input  logic [63:0]          c_i,
  input  logic                 ps0_i,
  // results
  output logic [63:0]          result_o,
  output logic                 pd0_o,
  output logic                 pd1_o
);

  fp64_pkg::opened_t           opened;
  logic [105:0]                product;
  logic [fp64_pkg::WINDOW-1:0] addend, sum;
  fp64_pkg::side_t             product_side, sum_side;

  fp64_open u_open (
    .clk_i(clk_i), .en_i(en_open_i), .ctl_i(ctl_open_i), .a_i(a_i), .b_i(b_i), .c_i(c_i), .ps0_i(ps0_i), .opened_o(opened));

  fp64_product #(.PASSES(PASSES)) u_product (
    .clk_i(clk_i), .en_i(en_pass_i), .opened_i(opened), .product_o(product), .addend_o(addend), .side_o(product_side));

  fp64_sum u_sum (
    .clk_i(clk_i), .en_i(en_sum_i), .ctl_i(ctl_sum_i), .product_i(product), .addend_i(addend), .side_i(product_side),
    .sum_o(sum), .side_o(sum_side));

  fp64_close u_close (
    .clk_i(clk_i), .en_i(en_close_i), .ctl_i(ctl_close_i), .sum_i(sum), .side_i(sum_side),
    .result_o(result_o), .pd0_o(pd0_o), .pd1_o(pd1_o));

endmodule
