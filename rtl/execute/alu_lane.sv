// SPDX-License-Identifier: Apache-2.0
// One lane of the integer, logic, compare and select pipe: two stages, each ending in registers.
//   stage 1  shift or logic; the two operands of the adder, of which one may be a sum already  -> rank 1
//   stage 2  carry add (which also compares), choice, predicates                               -> rank 2, the outputs
// What is chosen without arithmetic goes beside the adder as its operands: x is a, y the complement of b.
// Latency: two cycles from operands to outputs. One operation a cycle.
// No handshake; en1_i and en2_i enable the ranks and follow the operation (payload registers have no reset).
// It does not know instructions (see alu_decode) and does not mask lanes.
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
  logic [32:0] x_q, y_q;
  logic [31:0] word_q;
  logic        cin_q, zero_a_q, nan_a_q, nan_b_q, ps0_q, table0_q, table1_q;

  always_ff @(posedge clk_i) begin
    if (en1_i) begin
      automatic logic        low_a, low_b;
      automatic logic [31:0] a, b, c, shifted;
      automatic logic [32:0] sum_ac;
      // FP32 comparisons: sign changes, and (FTZ) no fraction where there is no exponent.
      low_a = a_i[30:23] == '0;
      low_b = b_i[30:23] == '0;
      a = {(a_i[31] && !ctl1_i.abs_a) ^ ctl1_i.sneg_a, a_i[30:23], (ctl1_i.ftz && low_a) ? 23'b0 : a_i[22:0]};
      b = {(b_i[31] && !ctl1_i.abs_b) ^ ctl1_i.sneg_b, b_i[30:23], (ctl1_i.ftz && low_b) ? 23'b0 : b_i[22:0]};
      // Complements for minus bring a carry in each; three adders take three of them.
      a = a ^ {32{ctl1_i.inv_a}};
      b = b ^ {32{ctl1_i.inv_b}};
      c = (c_i ^ {32{ctl1_i.inv_c}}) & {32{ctl1_i.use_c}};
      sum_ac  = {1'b0, a} + {1'b0, c} + 33'(ctl1_i.one_ac || (ctl1_i.ext && ps0_i));
      shifted = lane_pkg::shift(ctl1_i.shift, c_i, a_i, b_i);

      x_q   <= ctl1_i.lea ? {1'b0, shifted} : sum_ac;
      y_q   <= {1'b0, b} + 33'(ctl1_i.one_b);
      cin_q <= ctl1_i.one || (ctl1_i.ext && ps1_i) || (ctl1_i.lea_carry && ps0_i);
      if (!ctl1_i.word) word_q <= '0;
      else              word_q <= ctl1_i.shl ? shifted : lane_pkg::logic3(ctl1_i.lut, a_i, b_i, c_i);

      zero_a_q <= ctl1_i.flt && low_a && (ctl1_i.ftz || a_i[22:0] == '0);
      nan_a_q  <= ctl1_i.flt && a_i[30:23] == '1 && a_i[22:0] != '0;
      nan_b_q  <= ctl1_i.flt && b_i[30:23] == '1 && b_i[22:0] != '0;
      ps0_q    <= ps0_i;
      table0_q <= ctl1_i.plut0[{ps0_i, ps1_i, ps2_i}];
      table1_q <= ctl1_i.plut1[{ps0_i, ps1_i, ps2_i}];
    end
  end

  // ---- Stage 2 ---------------------------------------------------------------------------------
  always_ff @(posedge clk_i) begin
    if (en2_i) begin
      automatic logic [16:0] sum_lo;
      automatic logic [17:0] sum_hi;
      automatic logic [33:0] sum;
      automatic logic        sign_a, sign_b, same, above, below, unord, equal, less, greater, holds, take_a, take_b;

      sum_lo = {1'b0, x_q[15:0]} + {1'b0, y_q[15:0]} + 17'(cin_q);
      sum_hi = {1'b0, x_q[32:16]} + {1'b0, y_q[32:16]} + 18'(sum_lo[16] && !ctl2_i.cut_carry);
      sum    = {sum_hi, sum_lo[15:0]};

      // Comparison: the adder subtracts, and bits 30 to 0 are judged by the carry out of them; the signs stand above.
      sign_a  = x_q[31];
      sign_b  = !y_q[31];
      same    = (x_q[30:0] ^ y_q[30:0]) == '1;
      above   = sum[31] ^ x_q[31] ^ y_q[31];   // not below, really
      if (sign_a != sign_b)           below = ctl2_i.uns ? sign_b : sign_a;
      else if (ctl2_i.flt && sign_a)  below = above && !same;
      else                            below = !above;
      // Exactly one of less, equal, greater, unordered is true. In the order of `below`, -0 lies below +0.
      unord   = nan_a_q || nan_b_q;
      equal   = !unord && same && (sign_a == sign_b || zero_a_q);
      less    = !unord && !equal && below;
      greater = !unord && !equal && !below;
      holds   = |(ctl2_i.accept & {unord, greater, equal, less});
      // Minimum and maximum: a number wins over a NaN.
      if (ctl2_i.minmax) take_a = unord ? nan_b_q : below == ps0_q;
      else               take_a = ctl2_i.select && ps0_q;
      take_b = ctl2_i.choose && !take_a;
      take_a = ctl2_i.choose && take_a;

      if (nan_a_q && nan_b_q && ctl2_i.minmax) begin
        lo_o <= 32'h7fff_ffff;
      end else begin
        lo_o <= ({32{ctl2_i.sum}} & sum[31:0]) | word_q | ({32{take_a}} & x_q[31:0]) | ({32{take_b}} & ~y_q[31:0]);
      end

      case (ctl2_i.pd)
        exec_pkg::PD_CARRY: begin
          pd0_o <= sum[33] || sum[32];
          pd1_o <= sum[33];
        end
        exec_pkg::PD_NONZERO: begin
          pd0_o <= word_q != '0;
          pd1_o <= 1'b0;
        end
        exec_pkg::PD_COMPARE: begin
          if (ctl2_i.bool_or) begin
            pd0_o <= holds || ps0_q;
            pd1_o <= !holds || ps0_q;
          end else if (ctl2_i.bool_xor) begin
            pd0_o <= holds ^ ps0_q;
            pd1_o <= !holds ^ ps0_q;
          end else begin
            pd0_o <= holds && ps0_q;
            pd1_o <= !holds && ps0_q;
          end
        end
        default: begin
          pd0_o <= table0_q;
          pd1_o <= table1_q;
        end
      endcase
    end
  end

endmodule

`default_nettype wire
