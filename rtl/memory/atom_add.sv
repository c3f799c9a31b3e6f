// SPDX-License-Identifier: Apache-2.0
// Adds floats for atomics: F32, F64, or two F16 one after the other; rounded to nearest even, subnormals kept, NaNs as FADD,
// DADD (v as operand a, b as b) and HADD2 have them. One number at a time, shifted by eight places or by one in a cycle.
// Latency: from start_i to done_o 4 cycles and one for each shift, at most 19 in all: shifts are the distance of the exponents
// by eights and the rest by ones, and the same of the leading zeros of the sum. F16X2: 7 and the shifts of both. NaNs and
// infinities: 2 (F16X2: as the other half, or 3). No overlap.
// Handshake: start_i is an event while ready_o; operands are taken with it; done_o stands, with the sum, until take_i.
// It does not touch memory.
`default_nettype none
`include "heddle_assert.svh"
`include "heddle_idle.svh"

module atom_add (
  input  logic                      clk_i,
  input  logic                      rst_ni,
  input  logic [7:0]                fault_i,
  // from and to an atomic unit
  output logic                      ready_o,
  input  logic                      start_i,
  input  logic [atom_pkg::OP_W-1:0] op_i,      // one of the three; F32 and F16X2 in the low word
  input  logic [63:0]               v_i,
  input  logic [63:0]               b_i,
  output logic                      done_o,
  output logic [63:0]               sum_o,
  input  logic                      take_i
);

  typedef enum logic [2:0] {IDLE, LOAD, ALIGN, ROUND, DONE} state_e;

  // A number: exponent field, fraction at the upper end of 52 bits.
  typedef struct packed {
    logic        sign;
    logic [10:0] exp;
    logic [51:0] frac;
  } number_t;

  state_e      state_q;
  logic        wide_q, half_q, high_q, away;
  logic [63:0] v_q, b_q;
  number_t     v, b, big, low;
  logic        b_bigger, v_top, b_top, v_nan, b_nan, special;
  logic [10:0] exp_v, exp_b, b_above, v_above, exp_q;
  logic        far, rest;
  logic [5:0]  left_q;
  logic        sign_q, sign, minus_q, normal, round_up;
  // Leading one at bit 55; below the 52 bits of the fraction three more: the last one stands for all that was shifted out.
  logic [56:0] big_q, low_q, sum_q;
  logic [62:0] rounded;
  logic [63:0] packed_sum, odd;
  logic [10:0] top_exp;

  // ---- what the operands are ----------------------------------------------------------------------------------------
  function automatic number_t unpack(logic [63:0] x, logic wide, logic half, logic high);
    automatic logic [15:0] h = high ? x[31:16] : x[15:0];
    if (wide)      unpack = '{sign: x[63], exp: x[62:52], frac: x[51:0]};
    else if (half) unpack = '{sign: h[15], exp: {6'd0, h[14:10]}, frac: {h[9:0], 42'd0}};
    else           unpack = '{sign: x[31], exp: {3'd0, x[30:23]}, frac: {x[22:0], 29'd0}};
  endfunction

  assign top_exp = wide_q ? 11'd2047 : half_q ? 11'd31 : 11'd255;

  // Looked at in one state alone.
  always_comb begin
    {v, b, b_bigger, big, low, exp_v, exp_b, b_above, v_above, far, rest, v_top, b_top, v_nan, b_nan, special, odd} = 'x;
    if (`HEDDLE_LIVE(state_q == LOAD)) begin
      v        = unpack(v_q, wide_q, half_q, high_q);
      b        = unpack(b_q, wide_q, half_q, high_q);
      // What follows from which is bigger is found for both, and chosen last.
      exp_v    = (v.exp == '0) ? 11'd1 : v.exp;
      exp_b    = (b.exp == '0) ? 11'd1 : b.exp;
      b_above  = exp_b - exp_v;
      v_above  = exp_v - exp_b;
      b_bigger = {b.exp, b.frac} > {v.exp, v.frac};
      big      = b_bigger ? b : v;
      low      = b_bigger ? v : b;
      far      = b_bigger ? b_above > 11'd63 : v_above > 11'd63;
      rest     = b_bigger ? {v.exp, v.frac} != '0 : {b.exp, b.frac} != '0;
      v_top    = v.exp == top_exp;
      b_top    = b.exp == top_exp;
      v_nan    = v_top && v.frac != '0;
      b_nan    = b_top && b.frac != '0;
      special  = v_top || b_top;
      // A NaN, or the infinity that is there.
      odd = b_top ? b_q : v_q;
      if (half_q && high_q) odd[15:0] = odd[31:16];
      if (wide_q) begin
        if (b_nan)                               odd = b_q | 64'h0008_0000_0000_0000;
        else if (v_nan)                          odd = v_q | 64'h0008_0000_0000_0000;
        else if (v_top && b_top && v.sign != b.sign) odd = 64'hfff8_0000_0000_0000;
      end else if (v_nan || b_nan || (v_top && b_top && v.sign != b.sign)) begin
        odd[31:0] = half_q ? 32'h7fff : 32'h7fff_ffff;
      end
    end
  end

  // ---- rounding and packing -----------------------------------------------------------------------------------------
  // A sum that is not normal is exact. A carry out of the fraction makes the exponent that it should.
  assign normal   = sum_q[55] || exp_q == 11'd1;
  assign sign     = sign_q && !(minus_q && sum_q == '0);
  assign away     = fault_i == core_pkg::FAULT_ATOM_ROUND;   // injected fault: ties away from zero

  always_comb begin
    {rounded, round_up, packed_sum} = 'x;
    if (`HEDDLE_LIVE(state_q == ROUND)) begin
      rounded  = {sum_q[55] ? exp_q : 11'd0, sum_q[54:3]};
      round_up = wide_q ? sum_q[2] && (sum_q[3] || sum_q[1:0] != '0 || away)
               : half_q ? sum_q[44] && (sum_q[45] || sum_q[43:0] != '0 || away)
                        : sum_q[31] && (sum_q[32] || sum_q[30:0] != '0 || away);
      rounded  = rounded + (wide_q ? 63'(round_up) : half_q ? 63'(round_up) << 42 : 63'(round_up) << 29);
      if (rounded[62:52] == top_exp) rounded[51:0] = '0;
      packed_sum = {sign, rounded};
      if (!wide_q) packed_sum[31:0] = {sign, rounded[59:29]};
      if (half_q)  packed_sum[15:0] = {sign, rounded[56:42]};
    end
  end

  // ---- the course ---------------------------------------------------------------------------------------------------
  logic        finish;
  logic [63:0] value;

  assign finish = (state_q == LOAD && special) || (state_q == ROUND && !sum_q[56] && (normal || sum_q == '0));
  assign value  = (state_q == LOAD) ? odd : packed_sum;   // bits above the number's mean nothing

  always_ff @(posedge clk_i) begin
    if (start_i) begin
      wide_q <= op_i == isa_pkg::AOP_ADD_F64;
      half_q <= op_i == isa_pkg::AOP_ADD_F16X2;
      high_q <= 1'b0;
      v_q    <= v_i;
      b_q    <= b_i;
    end
    case (state_q)
      LOAD: begin
        sign_q  <= big.sign;
        minus_q <= big.sign != low.sign;
        exp_q   <= b_bigger ? exp_b : exp_v;
        big_q   <= {1'b0, big.exp != '0, big.frac, 3'd0};
        low_q   <= far ? {56'd0, rest} : {1'b0, low.exp != '0, low.frac, 3'd0};
        left_q  <= far ? '0 : b_bigger ? b_above[5:0] : v_above[5:0];
      end
      ALIGN: begin
        if (left_q > 6'd7)       low_q <= {8'd0, low_q[56:9], low_q[8:0] != '0};
        else if (left_q != '0)   low_q <= {1'd0, low_q[56:2], low_q[1:0] != '0};
        left_q <= (left_q > 6'd7) ? left_q - 6'd8 : left_q - 6'd1;
        sum_q  <= minus_q ? big_q - low_q : big_q + low_q;
      end
      ROUND: begin
        if (sum_q[56]) begin
          sum_q <= {1'b0, sum_q[56:2], sum_q[1:0] != '0};
          exp_q <= exp_q + 11'd1;
        end else if (sum_q[55:48] == '0 && exp_q > 11'd8) begin
          sum_q <= {sum_q[48:0], 8'd0};
          exp_q <= exp_q - 11'd8;
        end else begin
          sum_q <= {sum_q[55:0], 1'b0};
          exp_q <= exp_q - 11'd1;
        end
      end
      default: ;
    endcase
    if (finish) begin
      if (half_q && high_q) sum_o[31:16] <= value[15:0];
      else                  sum_o <= value;
      if (half_q)           high_q <= 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= IDLE;
    end else begin
      case (state_q)
        IDLE:    if (start_i) state_q <= LOAD;
        LOAD:    state_q <= ALIGN;
        ALIGN:   if (left_q == '0) state_q <= ROUND;
        ROUND:   ;
        default: if (take_i) state_q <= IDLE;
      endcase
      if (finish) state_q <= (half_q && !high_q) ? LOAD : DONE;
    end
  end

  assign ready_o = state_q == IDLE;
  assign done_o  = state_q == DONE;

  // Nobody starts what runs, nor takes what is not there.
  `ASSERT(a_start, !start_i || ready_o)
  `ASSERT(a_take, !take_i || done_o)

endmodule

`default_nettype wire
