// SPDX-License-Identifier: Apache-2.0
// The uniform pipe: one value a warp. An ALU lane of its own, and a multiplier with a 64-bit sum.
// Latency: operands in cycle T, results registered in T+2 (two ranks). An operation a cycle.
// Handshake: none; op_valid_i marks an operation. Outputs keep their value while none arrives.
// It does not read registers, look at guards, or know where results go.
module uni_pipe (
  input  logic               clk_i,
  input  logic               rst_ni,
  // operands
  input  logic               op_valid_i,
  input  uni_pkg::ctl_t      op_ctl_i,
  input  logic [31:0]        op_a_i,
  input  logic [31:0]        op_b_i,
  input  logic [63:0]        op_c_i,
  input  logic [2:0]         op_ps_i,     // ps2, ps1, ps0
  // results
  output logic [63:0]        ex_data_o,   // a result of one word stands in both halves
  output logic               ex_pd0_o,
  output logic               ex_pd1_o
);

  logic                valid_q, mul_q, high_q, wide_q, is_mul_q, is_high_q, is_wide_q, neg_q;
  exec_pkg::alu_ctl2_t ctl2_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) valid_q <= 1'b0;
    else         valid_q <= op_valid_i;
  end

  // ---- ALU --------------------------------------------------------------------------------------
  logic [0:0][31:0] alu;

  alu_lanes #(.LANES(1)) u_alu (
    .clk_i  (clk_i),
    .en1_i  (op_valid_i && !op_ctl_i.is_mul),
    .en2_i  (valid_q && !mul_q),
    .ctl1_i (op_ctl_i.alu.one),
    .ctl2_i (ctl2_q),
    .a_i    (op_a_i),
    .b_i    (op_b_i),
    .c_i    (op_c_i[31:0]),
    .ps0_i  (op_ps_i[0]),
    .ps1_i  (op_ps_i[1]),
    .ps2_i  (op_ps_i[2]),
    .lo_o   (alu),
    .pd0_o  (ex_pd0_o),
    .pd1_o  (ex_pd1_o)
  );

  // ---- multiplier: 33 bits with sign hold every factor ----------------------------------------------
  logic signed [32:0] factor_a, factor_b;
  logic signed [65:0] product;
  logic [63:0]        product_q, c_q, sum_q;

  assign factor_a = {op_a_i[31] && !op_ctl_i.mul.uns, op_a_i};
  assign factor_b = {op_b_i[31] && !op_ctl_i.mul.uns, op_b_i};
  assign product  = mul_pkg::s33(factor_a, factor_b);

  always_ff @(posedge clk_i) begin
    if (op_valid_i) begin
      ctl2_q <= op_ctl_i.alu.two;
      mul_q  <= op_ctl_i.is_mul;
      if (op_ctl_i.is_mul) begin
        product_q <= product[63:0];
        c_q       <= op_ctl_i.mul.neg ? ~op_c_i : op_c_i;
        neg_q     <= op_ctl_i.mul.neg;
        high_q    <= op_ctl_i.mul.high;
        wide_q    <= op_ctl_i.mul.wide;
      end
    end
    if (valid_q) begin
      is_mul_q  <= mul_q;
      is_high_q <= high_q;
      is_wide_q <= wide_q;
      if (mul_q) sum_q <= product_q + c_q + 64'(neg_q);
    end
  end

  always_comb begin
    if (!is_mul_q)      ex_data_o = {alu[0], alu[0]};
    else if (is_high_q) ex_data_o = {sum_q[63:32], sum_q[63:32]};
    else if (is_wide_q) ex_data_o = sum_q;
    else                ex_data_o = {sum_q[31:0], sum_q[31:0]};
  end

  // The product of 33 bits has two more than its sum needs.
  logic unused;
  assign unused = ^product[65:64];

endmodule
