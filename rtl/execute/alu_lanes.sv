// SPDX-License-Identifier: Apache-2.0
// The lanes of the integer, logic, compare and select pipe: two stages, each ending in registers.
//   stage 1  shift, logic, table look-up, operands of the adder                 -> rank 1
//   stage 2  34-bit carry add (which also compares), choice, predicates         -> rank 2, the outputs
// Latency: two cycles from operands to outputs. One operation a cycle.
// No handshake; en1_i and en2_i enable the ranks and follow the operation (payload registers have no reset).
// It does not know instructions (see alu.sv) and does not mask lanes.
// A stage is worked out in its clocked block, in a loop over lanes, and in words of at most 64 bits: an idle stage then
// costs nothing in simulation, a busy one becomes vector code.
`default_nettype none
`include "heddle_lanes.svh"

module alu_lanes (
  input  logic                            clk_i,
  // from alu
  input  logic                            en1_i,
  input  logic                            en2_i,
  input  exec_pkg::alu_ctl1_t             ctl1_i,   // of the operation in stage 1
  input  exec_pkg::alu_ctl2_t             ctl2_i,   // of the operation in stage 2
  // operands
  input  logic [cfg_pkg::LANES-1:0][31:0] a_i,
  input  logic [cfg_pkg::LANES-1:0][31:0] b_i,
  input  logic [cfg_pkg::LANES-1:0][31:0] c_i,
  input  logic [cfg_pkg::LANES-1:0]       ps0_i,
  input  logic [cfg_pkg::LANES-1:0]       ps1_i,
  input  logic [cfg_pkg::LANES-1:0]       ps2_i,
  // results
  output logic [cfg_pkg::LANES-1:0][31:0] lo_o,
  output logic [cfg_pkg::LANES-1:0]       pd0_o,
  output logic [cfg_pkg::LANES-1:0]       pd1_o
);

  localparam int LANES = int'(cfg_pkg::LANES);

  // ---- Pieces of stage 1 -----------------------------------------------------------------------
  // Any function of three inputs, given as a truth table with index a<<2 | b<<1 | c: for LOP3 of words, for PLOP3 of predicates.
  function automatic logic [31:0] logic3(logic [7:0] lut, logic [31:0] a, logic [31:0] b, logic [31:0] c);
    automatic logic [31:0] c0 = ({32{lut[0]}} & ~c) | ({32{lut[1]}} & c);
    automatic logic [31:0] c1 = ({32{lut[2]}} & ~c) | ({32{lut[3]}} & c);
    automatic logic [31:0] c2 = ({32{lut[4]}} & ~c) | ({32{lut[5]}} & c);
    automatic logic [31:0] c3 = ({32{lut[6]}} & ~c) | ({32{lut[7]}} & c);
    logic3 = (~a & ((~b & c0) | (b & c1))) | (a & ((~b & c2) | (b & c3)));
  endfunction

  // SHF, and the shifts of LEA: one word of {hi, lo} shifted left or right by 0 to 64. A right shift reads {fill, hi, lo} from
  // bit `amount` on; a left shift reads {hi, lo, 0} from bit 64 - amount on. Chosen are two words, then a shift by up to 31.
  function automatic logic [31:0] shift(exec_pkg::shift_ctl_t ctl, logic [31:0] lo, logic [31:0] hi_in, logic [31:0] by);
    automatic logic [31:0] hi      = ctl.sext ? {32{lo[31]}} : hi_in;
    automatic logic [31:0] fill    = {32{ctl.arith && hi[31]}};
    automatic logic [6:0]  wrapped = {1'b0, by[5] && ctl.range64, by[4:0]};
    automatic logic [6:0]  clamped = ctl.range64 ? ((by[31:6] != '0) ? 7'd64 : by[6:0])
                                                 : ((by[31:5] != '0) ? 7'd32 : by[6:0]);
    automatic logic [6:0]  amount  = ctl.fixed ? {2'b00, ctl.amount} : ctl.wrap ? wrapped : clamped;
    automatic logic [6:0]  first   = (ctl.left ? 7'd64 - amount : amount) + (ctl.hi ? 7'd32 : 7'd0);
    automatic logic [31:0] w0      = ctl.left ? 32'b0 : lo;
    automatic logic [31:0] w1      = ctl.left ? 32'b0 : hi;
    automatic logic [31:0] w2      = ctl.left ? lo : fill;
    automatic logic [31:0] w3      = ctl.left ? hi : fill;
    automatic logic [31:0] low     = first[6] ? (first[5] ? w3 : w2) : (first[5] ? w1 : w0);
    automatic logic [31:0] high    = first[6] ? (first[5] ? 32'b0 : w3) : (first[5] ? w2 : w1);
    shift = 32'({high, low} >> first[4:0]);
  endfunction

  // Makes an operand comparable: unsigned order of `key` is the order of the operand as a signed, unsigned or FP32 number.
  // `value` is what minimum and maximum return (sign changes and flush of FP32 applied). In the order of keys -0 lies below
  // +0; `zero` lets a comparison treat them as equal. NaNs have no order.
  typedef struct packed {
    logic [31:0] value;
    logic        zero, nan;
  } operand_t;

  function automatic operand_t operand(exec_pkg::alu_ctl1_t ctl, logic [31:0] raw, logic neg, logic abs);
    automatic logic sign  = ctl.flt ? ((raw[31] && !abs) ^ neg) : raw[31];
    automatic logic flush = ctl.flt && ctl.ftz && raw[30:23] == '0;
    operand.value = {sign, flush ? 31'b0 : raw[30:0]};
    operand.zero  = ctl.flt && (flush || raw[30:0] == '0);
    operand.nan   = ctl.flt && raw[30:23] == '1 && raw[22:0] != '0;
  endfunction

  function automatic logic [31:0] key(exec_pkg::alu_ctl1_t ctl, logic [31:0] value);
    key = ctl.flt ? {!value[31], value[30:0] ^ {31{value[31]}}} : {value[31] ^ !ctl.uns, value[30:0]};
  endfunction

  // ---- Stage 1 ---------------------------------------------------------------------------------
  typedef struct packed {
    logic cin;                         // of the adder
    logic equal, zeros, nan_a, nan_b;  // of the operands compared
    logic ps0, table0, table1;
  } flags_t;

  logic [33:0] x_d [LANES], x_q [LANES], y_d [LANES], y_q [LANES];
  logic [31:0] word_d [LANES], word_q [LANES], other_d [LANES], other_q [LANES];
  flags_t      flags_d [LANES], flags_q [LANES];

  always_ff @(posedge clk_i) begin
    if (en1_i) begin
      `LANE_LOOP (int l = 0; l < LANES; l++) begin
        automatic logic [31:0] shifted = shift(ctl1_i.shift, a_i[l], c_i[l], b_i[l]);
        automatic logic [2:0]  row     = {ps0_i[l], ps1_i[l], ps2_i[l]};
        automatic operand_t    a       = operand(ctl1_i, a_i[l], ctl1_i.neg_a, ctl1_i.abs_a);
        automatic operand_t    b       = operand(ctl1_i, b_i[l], ctl1_i.neg_b, ctl1_i.abs_b);
        automatic logic [31:0] key_a   = key(ctl1_i, a.value);
        automatic logic [31:0] key_b   = key(ctl1_i, b.value);

        // IADD3: three numbers become two, whose sum is formed a stage later: x + y + cin = a' + b' + c' exactly (34 bits), where
        // a minus makes 2^32 - x of x (2^32 of 0), ~ the complement. Complements for minus bring a carry in each; three adders
        // take three of them.
        automatic logic [32:0] add_a   = {1'b0, a_i[l] ^ {32{ctl1_i.neg_a}}};
        automatic logic [32:0] add_b   = {1'b0, b_i[l] ^ {32{ctl1_i.neg_b}}};
        automatic logic [32:0] add_c   = {1'b0, c_i[l] ^ {32{ctl1_i.neg_c}}};
        automatic logic [32:0] ac      = add_a + add_c + 33'(ctl1_i.ext ? ps0_i[l] : ctl1_i.neg_a);
        automatic logic [32:0] b_carry = add_b + 33'(!ctl1_i.ext && ctl1_i.neg_c);

        x_d[l] = ctl1_i.lea ? {2'b00, shifted} : ctl1_i.cmp ? {2'b00, key_a} : {1'b0, ac};
        y_d[l] = ctl1_i.lea ? {2'b00, b_i[l]} : ctl1_i.cmp ? {2'b00, ~key_b} : {1'b0, b_carry};

        // The other candidates: `word`, and `other` for minimum and maximum.
        case (ctl1_i.word)
          exec_pkg::ALU_LOGIC:  word_d[l] = logic3(ctl1_i.lut, a_i[l], b_i[l], c_i[l]);
          exec_pkg::ALU_SHIFT:  word_d[l] = shifted;
          exec_pkg::ALU_SELECT: word_d[l] = (ps0_i[l] || ctl1_i.minmax) ? a.value : b.value;
          default:              word_d[l] = b_i[l];
        endcase
        other_d[l] = b.value;

        flags_d[l].cin    = ctl1_i.lea ? ctl1_i.lea_carry && ps0_i[l] :
                            (ctl1_i.cmp || (ctl1_i.ext ? ps1_i[l] : ctl1_i.neg_b));
        flags_d[l].equal  = key_a == key_b;
        flags_d[l].zeros  = a.zero && b.zero;
        flags_d[l].nan_a  = a.nan;
        flags_d[l].nan_b  = b.nan;
        flags_d[l].ps0    = ps0_i[l];
        flags_d[l].table0 = ctl1_i.plut0[row];
        flags_d[l].table1 = ctl1_i.plut1[row];
      end
      x_q     <= x_d;
      y_q     <= y_d;
      word_q  <= word_d;
      other_q <= other_d;
      flags_q <= flags_d;
    end
  end

  // ---- Stage 2 ---------------------------------------------------------------------------------
  logic [31:0]      lo_d [LANES], lo_q [LANES];
  logic [LANES-1:0] pd0_d, pd1_d;

  always_ff @(posedge clk_i) begin
    if (en2_i) begin
      `LANE_LOOP (int l = 0; l < LANES; l++) begin
        automatic flags_t      f       = flags_q[l];
        automatic logic [16:0] sum_lo  = {1'b0, x_q[l][15:0]} + {1'b0, y_q[l][15:0]} + 17'(f.cin);
        automatic logic [17:0] sum_hi  = x_q[l][33:16] + y_q[l][33:16] + 18'(sum_lo[16] && !ctl2_i.cut_carry);

        // Exactly one of less, equal, greater, unordered is true.
        automatic logic        below   = !sum_hi[16];   // in the order of keys
        automatic logic        unord   = f.nan_a || f.nan_b;
        automatic logic        equal   = !unord && (f.equal || f.zeros);
        automatic logic        less    = !unord && !equal && below;
        automatic logic        greater = !unord && !equal && !below;
        automatic logic        holds   = |(ctl2_i.accept & {unord, greater, equal, less});
        // Minimum and maximum: a number wins over a NaN; -0 lies below +0.
        automatic logic        take_a  = unord ? f.nan_b : (below == f.ps0);
        automatic logic [31:0] chosen  = (f.nan_a && f.nan_b) ? 32'h7fff_ffff : take_a ? word_q[l] : other_q[l];

        lo_d[l] = ctl2_i.sum ? {sum_hi[15:0], sum_lo[15:0]} : ctl2_i.minmax ? chosen : word_q[l];

        case (ctl2_i.pd)
          exec_pkg::PD_CARRY: begin
            pd0_d[l] = sum_hi[17] || sum_hi[16];
            pd1_d[l] = sum_hi[17];
          end
          exec_pkg::PD_NONZERO: begin
            pd0_d[l] = word_q[l] != '0;
            pd1_d[l] = 1'b0;
          end
          exec_pkg::PD_COMPARE: begin
            pd0_d[l] = ctl2_i.bool_or ? holds || f.ps0 : ctl2_i.bool_xor ? holds ^ f.ps0 : holds && f.ps0;
            pd1_d[l] = ctl2_i.bool_or ? !holds || f.ps0 : ctl2_i.bool_xor ? !holds ^ f.ps0 : !holds && f.ps0;
          end
          default: begin
            pd0_d[l] = f.table0;
            pd1_d[l] = f.table1;
          end
        endcase
      end
      lo_q  <= lo_d;
      pd0_o <= pd0_d;
      pd1_o <= pd1_d;
    end
  end

  always_comb begin
    for (int l = 0; l < LANES; l++) lo_o[l] = lo_q[l];
  end

endmodule

`default_nettype wire
