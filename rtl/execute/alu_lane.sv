// SPDX-License-Identifier: Apache-2.0
// One lane of the integer, logic, compare and select pipe: two stages, each ending in registers.
//   stage 1  shift, logic, table look-up, operands of the adder      -> rank 1
//   stage 2  34-bit carry add (which also compares), choice, predicates -> rank 2, the outputs
// Latency: two cycles from operands to outputs. One operation a cycle.
// No handshake; en1_i and en2_i enable the ranks and follow the operation (payload registers have no reset).
// It does not know instructions (see alu.sv) and does not mask lanes.
`default_nettype none

module alu_lane (
  input  logic                clk_i,
  // from alu
  input  logic                en1_i,
  input  logic                en2_i,
  input  exec_pkg::alu_ctl1_t ctl1_i,   // of the operation in stage 1
  input  exec_pkg::alu_ctl2_t ctl2_i,   // of the operation in stage 2
  // operands
  input  logic [31:0]         a_i,
  input  logic [31:0]         b_i,
  input  logic [31:0]         c_i,
  input  logic                ps0_i,
  input  logic                ps1_i,
  input  logic                ps2_i,
  // results
  output logic [31:0]         lo_o,
  output logic                pd0_o,
  output logic                pd1_o
);

  // ---- Stage 1 ---------------------------------------------------------------------------------
  logic [31:0] shifted, logic3;
  logic        table0, table1;

  alu_shift u_shift (.ctl_i(ctl1_i.shift), .lo_i(a_i), .hi_i(c_i), .amount_i(b_i), .word_o(shifted));
  alu_logic3 #(.WIDTH(32)) u_lop3 (.lut_i(ctl1_i.lut), .a_i(a_i), .b_i(b_i), .c_i(c_i), .word_o(logic3));
  alu_logic3 #(.WIDTH(1)) u_plop0 (.lut_i(ctl1_i.plut0), .a_i(ps0_i), .b_i(ps1_i), .c_i(ps2_i), .word_o(table0));
  alu_logic3 #(.WIDTH(1)) u_plop1 (.lut_i(ctl1_i.plut1), .a_i(ps0_i), .b_i(ps1_i), .c_i(ps2_i), .word_o(table1));

  logic [31:0] value_a, value_b, key_a, key_b;
  logic        zero_a, zero_b, nan_a, nan_b;

  alu_key u_key_a (
    .flt_i(ctl1_i.flt), .uns_i(ctl1_i.uns), .ftz_i(ctl1_i.ftz), .neg_i(ctl1_i.neg_a), .abs_i(ctl1_i.abs_a),
    .raw_i(a_i), .value_o(value_a), .key_o(key_a), .zero_o(zero_a), .nan_o(nan_a));
  alu_key u_key_b (
    .flt_i(ctl1_i.flt), .uns_i(ctl1_i.uns), .ftz_i(ctl1_i.ftz), .neg_i(ctl1_i.neg_b), .abs_i(ctl1_i.abs_b),
    .raw_i(b_i), .value_o(value_b), .key_o(key_b), .zero_o(zero_b), .nan_o(nan_b));

  // Operands of the adder.
  logic [33:0] x3, y3, x, y;
  logic        cin3, cin;

  alu_add3 u_add3 (
    .ext_i(ctl1_i.ext), .neg_a_i(ctl1_i.neg_a), .neg_b_i(ctl1_i.neg_b), .neg_c_i(ctl1_i.neg_c),
    .a_i(a_i), .b_i(b_i), .c_i(c_i), .ps0_i(ps0_i), .ps1_i(ps1_i), .x_o(x3), .y_o(y3), .cin_o(cin3));

  always_comb begin
    x   = x3;
    y   = y3;
    cin = cin3;
    if (ctl1_i.lea) begin
      x   = {2'b00, shifted};
      y   = {2'b00, b_i};
      cin = ctl1_i.lea_carry && ps0_i;
    end else if (ctl1_i.cmp) begin
      x   = {2'b00, key_a};
      y   = {2'b00, ~key_b};
      cin = 1'b1;
    end
  end

  // The other candidates: `word`, and `other` for minimum and maximum.
  logic [31:0] word;
  always_comb begin
    case (ctl1_i.word)
      exec_pkg::ALU_LOGIC:  word = logic3;
      exec_pkg::ALU_SHIFT:  word = shifted;
      exec_pkg::ALU_SELECT: word = (ps0_i || ctl1_i.minmax) ? value_a : value_b;
      default:              word = b_i;
    endcase
  end

  logic [33:0] x_q, y_q;
  logic [31:0] word_q, other_q;
  logic        cin_q, equal_q, zeros_q, nan_a_q, nan_b_q, ps0_q, table0_q, table1_q;

  always_ff @(posedge clk_i) begin
    if (en1_i) begin
      x_q      <= x;
      y_q      <= y;
      cin_q    <= cin;
      word_q   <= word;
      other_q  <= value_b;
      equal_q  <= key_a == key_b;
      zeros_q  <= zero_a && zero_b;
      nan_a_q  <= nan_a;
      nan_b_q  <= nan_b;
      ps0_q    <= ps0_i;
      table0_q <= table0;
      table1_q <= table1;
    end
  end

  // ---- Stage 2 ---------------------------------------------------------------------------------
  logic [16:0] sum_lo;
  logic [17:0] sum_hi;
  logic [33:0] sum;

  assign sum_lo = {1'b0, x_q[15:0]} + {1'b0, y_q[15:0]} + 17'(cin_q);
  assign sum_hi = x_q[33:16] + y_q[33:16] + 18'(sum_lo[16] && !ctl2_i.cut_carry);
  assign sum    = {sum_hi, sum_lo[15:0]};

  // Exactly one of less, equal, greater, unordered is true.
  logic unord, less, equal, greater, below, holds, take_a;
  assign below   = !sum[32];   // in the order of keys
  assign unord   = nan_a_q || nan_b_q;
  assign equal   = !unord && (equal_q || zeros_q);
  assign less    = !unord && !equal && below;
  assign greater = !unord && !equal && !below;
  assign holds   = |(ctl2_i.accept & {unord, greater, equal, less});
  // Minimum and maximum: a number wins over a NaN; -0 lies below +0.
  assign take_a  = unord ? nan_b_q : (below == ps0_q);

  logic [31:0] lo;
  always_comb begin
    lo = word_q;
    if (ctl2_i.sum) begin
      lo = sum[31:0];
    end else if (ctl2_i.minmax) begin
      if (nan_a_q && nan_b_q) lo = 32'h7fff_ffff;
      else if (!take_a)       lo = other_q;
    end
  end

  logic pd0, pd1;
  always_comb begin
    case (ctl2_i.pd)
      exec_pkg::PD_CARRY: begin
        pd0 = sum[33] || sum[32];
        pd1 = sum[33];
      end
      exec_pkg::PD_NONZERO: begin
        pd0 = word_q != '0;
        pd1 = 1'b0;
      end
      exec_pkg::PD_COMPARE: begin
        if (ctl2_i.bool_or) begin
          pd0 = holds || ps0_q;
          pd1 = !holds || ps0_q;
        end else if (ctl2_i.bool_xor) begin
          pd0 = holds ^ ps0_q;
          pd1 = !holds ^ ps0_q;
        end else begin
          pd0 = holds && ps0_q;
          pd1 = !holds && ps0_q;
        end
      end
      default: begin
        pd0 = table0_q;
        pd1 = table1_q;
      end
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (en2_i) begin
      lo_o  <= lo;
      pd0_o <= pd0;
      pd1_o <= pd1;
    end
  end

endmodule

`default_nettype wire
