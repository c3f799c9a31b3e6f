// SPDX-License-Identifier: Apache-2.0
// Adds floats for atomics: F32, F64, or two F16 one after the other; rounded to nearest even, subnormals kept, NaNs as FADD,
// DADD (v as operand a, b as b) and HADD2 have them. One number at a time, shifted by eight places or by one in a cycle.
// Latency: from a number that is taken to done 4 cycles and one for each shift, at most 19 in all: shifts are the distance of the exponents
// by eights and the rest by ones, and the same of the leading zeros of the sum. F16X2: 7 and the shifts of both. NaNs and
// infinities: 2 (F16X2: as the other half, or 3). No overlap.
// Handshake: a number (valid) is taken as the adder is free; done stands, with the sum, until it is taken (take).
// It does not touch memory, and does not keep a number that waits.
`include "heddle_assert.svh"
`include "heddle_idle.svh"

module atom_add (
  input  logic               clk_i,
  input  logic               rst_ni,
  // from and to an atomic unit: an operation of the three; operands of F32 and F16X2 in the low word
  input  atom_pkg::add_req_t add_req_i,
  output logic               add_done_o,
  output logic [63:0]        add_sum_o
);

  typedef enum logic [2:0] {IDLE, LOAD, ALIGN, ROUND, DONE} state_e;

  // A number: exponent field, fraction at the upper end of 52 bits.
  typedef struct packed {
    logic        sign;
    logic [10:0] exp;
    logic [51:0] frac;
  } number_t;

  state_e      state_q;
  logic        wide_q, half_q, high_q;
  logic [63:0] v_q, b_q;
  number_t     v, b, big;
  logic        low_sign;
  logic        b_bigger, v_top, b_top, v_some, b_some, v_nan, b_nan, special, nan, clash;
  logic [10:0] exp_v, exp_b, b_above, v_above, exp_q;
  logic        load, far, rest;
  logic [5:0]  left_q;
  logic        sign_q, sign, minus_q, normal, round_up;
  // Leading one at bit 55; below the 52 bits of the fraction three more: the last one stands for all that was shifted out.
  logic [56:0] big_q, low_q, sum_q;
  logic [56:0] low_next, sum_next, aligned;
  logic [1:0]  low_sel, sum_sel;
  logic        some_2, some_31, some_44, some;   // of the lowest 2, 31, 44 bits of sum_q, of all
  logic [62:0] rounded;
  logic        sign_out, plain;
  logic [63:0] value;
  logic [10:0] top_exp;

  // ---- what the operands are ----------------------------------------------------------------------------------------
  function automatic number_t unpack(logic [63:0] x, logic wide, logic half, logic high);
    automatic logic [15:0] h = high ? x[31:16] : x[15:0];
    if (wide)      unpack = '{sign: x[63], exp: x[62:52], frac: x[51:0]};
    else if (half) unpack = '{sign: h[15], exp: {6'd0, h[14:10]}, frac: {h[9:0], 42'd0}};
    else           unpack = '{sign: x[31], exp: {3'd0, x[30:23]}, frac: {x[22:0], 29'd0}};
  endfunction

  assign top_exp = wide_q ? 11'd2047 : half_q ? 11'd31 : 11'd255;
  assign load    = state_q == LOAD;

  // Looked at in one state alone.
  always_comb begin
    {v, b, b_bigger, big, low_sign, exp_v, exp_b, b_above, v_above, far, rest, v_top, b_top, v_some, b_some, v_nan, b_nan} = 'x;
    {special, nan, clash} = 'x;
    if (`HEDDLE_LIVE(load)) begin
      v        = unpack(v_q, wide_q, half_q, high_q);
      b        = unpack(b_q, wide_q, half_q, high_q);
      // The consequences of which is bigger are found for both, and chosen last.
      exp_v    = (v.exp == '0) ? 11'd1 : v.exp;
      exp_b    = (b.exp == '0) ? 11'd1 : b.exp;
      b_above  = exp_b - exp_v;
      v_above  = exp_v - exp_b;
      v_some   = v.frac != '0;
      b_some   = b.frac != '0;
      v_top    = v.exp == top_exp;
      b_top    = b.exp == top_exp;
      v_nan    = v_top && v_some;
      b_nan    = b_top && b_some;
      special  = v_top || b_top;
      nan      = v_nan || b_nan;
      clash    = v_top && b_top && v.sign != b.sign && !nan;
      // A NaN and an infinity are the bigger one, as they should be; of two NaNs it is b.
      b_bigger = {b.exp, b.frac} > {v.exp, v.frac} || b_nan;
      big      = b_bigger ? b : v;
      low_sign = b_bigger ? v.sign : b.sign;
      far      = b_bigger ? b_above > 11'd63 : v_above > 11'd63;
      rest     = b_bigger ? v.exp != '0 || v_some : b.exp != '0 || b_some;
    end
  end

  // ---- shifts: choices of four words ----------------------------------------------------------------------------------
  // The aligned one is loaded, of v or of b, and shifted on, once more than it is used.
  assign low_sel = load ? {1'b0, !b_bigger} : {1'b1, left_q > 6'd7};

  choice #(.WIDTH(57), .N(4)) u_low (
    .live_i (load || state_q == ALIGN),
    .sel_i  (low_sel),
    .data_i ({{8'd0, low_q[56:9], low_q[8:0] != '0}, {1'd0, low_q[56:2], low_q[1:0] != '0},
              {1'b0, b.exp != '0, b.frac, 3'd0}, {1'b0, v.exp != '0, v.frac, 3'd0}}),
    .also_i ('0),
    .data_o (low_next)
  );

  assign aligned = big_q + (low_q ^ {57{minus_q}}) + 57'(minus_q);
  assign sum_sel = (state_q == ALIGN) ? 2'd0 : sum_q[56] ? 2'd1 : (sum_q[55:48] == '0 && exp_q > 11'd8) ? 2'd3 : 2'd2;

  choice #(.WIDTH(57), .N(4)) u_sum (
    .live_i (state_q == ALIGN || state_q == ROUND),
    .sel_i  (sum_sel),
    .data_i ({{sum_q[48:0], 8'd0}, {sum_q[55:0], 1'b0}, {1'b0, sum_q[56:2], some_2}, aligned}),
    .also_i ('0),
    .data_o (sum_next)
  );

  // ---- rounding and packing -----------------------------------------------------------------------------------------
  // A sum that is not normal is exact. A carry out of the fraction makes the exponent that it should. NaNs and infinities take the
  // same way, a NaN of 64 bits with its highest bit set, others as the format's only one.
  assign normal   = sum_q[55] || exp_q == 11'd1;
  assign some_2   = sum_q[1:0] != '0;
  assign some_31  = sum_q[30:2] != '0 || some_2;
  assign some_44  = sum_q[43:31] != '0 || some_31;
  assign some     = sum_q[56:44] != '0 || some_44;
  assign sign     = sign_q && !(minus_q && !some);

  always_comb begin
    {rounded, round_up, plain, sign_out, value} = 'x;
    if (`HEDDLE_LIVE(load || state_q == ROUND)) begin
      round_up = wide_q ? sum_q[2] && (sum_q[3] || some_2)
               : half_q ? sum_q[44] && (sum_q[45] || some_44)
                        : sum_q[31] && (sum_q[32] || some_31);
      rounded  = {sum_q[55] ? exp_q : 11'd0, sum_q[54:3]} + (wide_q ? 63'(round_up) : half_q ? 63'(round_up) << 42 : 63'(round_up) << 29);
      // A slice's LUT a bit: the fraction as it is or 0, or an operand's as it is or ones.
      plain    = load ? wide_q || !(nan || clash) : rounded[62:52] != top_exp;
      rounded  = load ? {big.exp, big.frac | {52{!plain}}} : {rounded[62:52], rounded[51:0] & {52{plain}}};
      if (load && (nan || clash)) rounded[51] = 1'b1;
      sign_out = !load ? sign : (nan || clash) ? wide_q && (clash || big.sign) : big.sign;
      value    = {sign_out, rounded};
      if (!wide_q) value[31:0] = {sign_out, rounded[59:29]};
      if (half_q)  value[15:0] = {sign_out, rounded[56:42]};
    end
  end

  // ---- the course ---------------------------------------------------------------------------------------------------
  logic        start, finish;

  assign start  = add_req_i.valid && state_q == IDLE;
  assign finish = (load && special) || (state_q == ROUND && !sum_q[56] && (normal || !some));

  always_ff @(posedge clk_i) begin
    if (start) begin
      wide_q <= add_req_i.op == isa_pkg::AOP_ADD_F64;
      half_q <= add_req_i.op == isa_pkg::AOP_ADD_F16X2;
      high_q <= 1'b0;
      v_q    <= add_req_i.v;
      b_q    <= add_req_i.b;
    end
    case (state_q)
      LOAD: begin
        sign_q  <= big.sign;
        minus_q <= big.sign != low_sign;
        exp_q   <= b_bigger ? exp_b : exp_v;
        big_q   <= {1'b0, big.exp != '0, big.frac, 3'd0};
        left_q  <= far ? '0 : b_bigger ? b_above[5:0] : v_above[5:0];
      end
      ALIGN: begin
        left_q <= (left_q > 6'd7) ? left_q - 6'd8 : left_q - 6'd1;
      end
      ROUND: begin
        exp_q <= sum_sel[1] ? (sum_sel[0] ? exp_q - 11'd8 : exp_q - 11'd1) : exp_q + 11'd1;
      end
      default: ;
    endcase
    if (load && far)                     low_q <= {56'd0, rest};
    else if (load || state_q == ALIGN)   low_q <= low_next;
    if (state_q == ALIGN || state_q == ROUND) sum_q <= sum_next;
    if (finish) begin
      if (half_q && high_q) add_sum_o[31:16] <= value[15:0];
      else                  add_sum_o <= value;
      if (half_q)           high_q <= 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= IDLE;
    end else begin
      case (state_q)
        IDLE:    if (start) state_q <= LOAD;
        LOAD:    state_q <= ALIGN;
        ALIGN:   if (left_q == '0) state_q <= ROUND;
        ROUND:   ;
        default: if (add_req_i.take) state_q <= IDLE;
      endcase
      if (finish) state_q <= (half_q && !high_q) ? LOAD : DONE;
    end
  end

  assign add_done_o = state_q == DONE;

  // Nothing takes a sum that is not there.
  `ASSERT(a_take, !add_req_i.take || add_done_o)

endmodule
