// SPDX-License-Identifier: Apache-2.0
// The lanes of the integer, logic, compare and select pipe: two stages, each ending in registers.
//   stage 1  shift, logic or bits; the adder's operands, one perhaps a sum or a difference     -> rank 1
//   stage 2  carry add (which also compares), choice, predicates                               -> rank 2, the outputs
// A choice without arithmetic goes beside the adder as its operands: x is a, y the complement of b.
// Latency: two cycles from operands to outputs. One operation a cycle.
// No handshake; en1_i and en2_i enable the ranks and follow the operation (payload registers have no reset).
// It names no instructions (alu_decode does) and does not mask lanes.
// A stage is worked out in its clocked block, in a loop over lanes, and in words of at most 64 bits: an idle stage then
// costs nothing in simulation, a busy one becomes vector code. Questions that are the same for all lanes are outside of the loops:
// where a loop has branches, it does not.
`include "heddle_idle.svh"
`include "heddle_lanes.svh"

module alu_lanes #(
  parameter int LANES = int'(cfg_pkg::LANES)
) (
  input  logic                            clk_i,
  // from alu
  input  logic                            en1_i,
  input  logic                            en2_i,
  input  exec_pkg::alu_ctl1_t             ctl1_i,   // of the operation in stage 1
  input  exec_pkg::alu_ctl2_t             ctl2_i,   // of the operation in stage 2
  // operands
  input  logic [LANES-1:0][31:0] a_i,
  input  logic [LANES-1:0][31:0] b_i,
  input  logic [LANES-1:0][31:0] c_i,
  input  logic [LANES-1:0]       ps0_i,
  input  logic [LANES-1:0]       ps1_i,
  input  logic [LANES-1:0]       ps2_i,
  // results
  output logic [LANES-1:0][31:0] lo_o,
  output logic [LANES-1:0]       pd0_o,
  output logic [LANES-1:0]       pd1_o
);

  // ---- The shifter of stage 1 ------------------------------------------------------------------
  // A choice among {hi, lo, all zeros, all ones}; see `shift`.
  localparam logic [1:0] PICK_ZERO = 2'b00, PICK_LO = 2'b01, PICK_HI = 2'b10, PICK_ONES = 2'b11;
  function automatic logic [31:0] pick(logic [1:0] what, logic [31:0] hi, logic [31:0] lo);
    pick = (hi & {32{what[1]}}) | (lo & {32{what[0]}}) | {32{what == PICK_ONES}};
  endfunction

  // The one shifter of a lane. One word of {hi, lo} shifted left or right by 0 to 64; or (by_a) of {hi, 0} left by `lo`. Whole
  // words are moved by choosing the two words of a funnel, which then shifts right by 0 to 31; a left shift by n is a right shift
  // by 32 - n of the words above.
  // Whether an amount is out of its range is known last: until then it is worked with as if it were not.
  // Found here are the words and the shift to the right. `sign` is that of hi, where it is c: ones come later. `full`, known last
  // as well: all ones in the place of hi.
  typedef struct packed {
    logic [62:0] words;
    logic [4:0]  by;
  } moves_t;
  function automatic moves_t moves(exec_pkg::shift_ctl_t ctl, logic wrap, logic sign, logic full, logic [31:0] hi,
                                   logic [31:0] lo, logic [31:0] by);
    automatic logic       by_b    = !ctl.fixed && !ctl.by_a;
    automatic logic       over    = (!wrap && by_b && (by[31:6] != '0 || (by[5] && !ctl.range64))) ||
                                    (ctl.by_a && alu_bits_pkg::over(wrap, lo[31:5]));
    automatic logic [4:0] bits    = ctl.amount | (by[4:0] & {5{by_b}}) | (lo[4:0] & {5{ctl.by_a}});
    automatic logic       whole   = by[5] && ctl.range64 && !ctl.fixed;
    automatic logic [1:0] fill    = {2{ctl.arith && sign}};
    automatic logic [1:0] hi_word = ctl.twice ? PICK_LO : ctl.sext ? {2{lo[31]}} : PICK_HI;
    automatic logic [1:0] lo_word = PICK_LO & ~{2{ctl.by_a}};
    // Left, of {hi, lo, 0, 0}; right, of {fill, fill, hi, lo}; `none` of the first word, one or two.
    automatic logic       next    = ctl.left ^ ctl.hi;
    automatic logic [1:0] word0   = ctl.left ? hi_word : lo_word;
    automatic logic [1:0] word1   = ctl.left ? lo_word : hi_word;
    automatic logic [1:0] rest    = ctl.left ? PICK_ZERO : fill;
    automatic logic [1:0] first   = (whole && next) ? rest : (whole || next) ? word1 : word0;
    automatic logic [1:0] second  = (whole || next) ? rest : word1;
    // A shift to the left takes the words in the order of its list, one to the right in the other.
    automatic logic [1:0] low_in  = (ctl.left && bits != '0) ? second : first;
    automatic logic [1:0] beyond  = (ctl.range64 || next) ? rest : word1;   // all that is left of an amount out of range
    automatic logic [1:0] high    = (ctl.left ? first : second) & {2{ctl.on}};
    automatic logic [1:0] low     = (over ? beyond : low_in) & {2{ctl.on}};
    // 32 - n, without a carry chain.
    automatic logic [4:0] right   = bits ^ ({5{ctl.left}} & {bits[3:0] != '0, bits[2:0] != '0, bits[1:0] != '0, bits[0], 1'b0});
    high[0] |= full && high[1];   // PICK_HI becomes PICK_ONES
    low[0]  |= full && low[1];
    moves = {31'(pick(high, hi, lo)), pick(low, hi, lo), right & ~{5{over}}};
  endfunction

  // ---- Stage 1 ---------------------------------------------------------------------------------
  typedef struct packed {
    logic cin;                     // of the adder
    logic same;                    // of the operands compared: equal but for the sign
    logic zero_a, nan_a, nan_b;
    logic [3:0] sign;              // of these bytes, which are chosen between x and y, the sign alone
    logic ps0, ps2, table0, table1;
  } flags_t;

  logic [32:0] x_d [LANES], x_q [LANES], y_d [LANES], y_q [LANES];
  logic [31:0] word_d [LANES], word_q [LANES], shifted [LANES], upper [LANES];
  logic [31:0] y_c [LANES], function3 [LANES], bytes [LANES];
  logic [3:0]  bytes_d [LANES], sign_d [LANES];
  logic [31:0] plain_a [LANES], plain_b [LANES];
  logic        top_d [LANES], fill_d [LANES], cin_d [LANES], full [LANES];
  logic [7:0]  plut0, plut1;
  logic [4:0]  low_d [LANES], ones_lo [LANES], ones_hi [LANES];
  flags_t      flags_d [LANES], flags_q [LANES];

  // Choices that an FPGA's slices make best with their own multiplexers are modules (rtl/lib): the shifter, whose first step takes
  // bytes as PRMT wants them; the bytes of c, with words ORed to them that BREV and R2P form (they have no operand c); the function
  // of three. Without PRMT no byte is moved.
  logic [62:0]     words [LANES];
  logic [4:0]      by [LANES];
  logic [3:0][1:0] rest [LANES];
  logic [31:0]     also_c [LANES];

  always_comb begin
    `LANE_LOOP (int l = 0; l < LANES; l++) begin
      `HEDDLE_IDLE(rest[l], '0);
      `HEDDLE_IDLE(also_c[l], '0);
      `HEDDLE_IDLE(upper[l], 'x);
      `HEDDLE_IDLE(full[l], 'x);
      `HEDDLE_IDLE(words[l], 'x);
      `HEDDLE_IDLE(by[l], 'x);
    end
    if (`HEDDLE_LIVE(en1_i)) begin
      `LANE_LOOP (int l = 0; l < LANES; l++) begin
        upper[l] = c_i[l];
        full[l]  = 1'b0;
      end
      `HEDDLE_ONLY(ctl1_i.bits.ones) begin
        `LANE_LOOP (int l = 0; l < LANES; l++) begin
          upper[l] = c_i[l] | alu_bits_pkg::ones(ctl1_i.bits.ones, b_i[l][4:0]);
          full[l]  = ctl1_i.bits.ones && alu_bits_pkg::over(ctl1_i.bits.wrap, b_i[l][31:5]);
        end
      end
      `LANE_LOOP (int l = 0; l < LANES; l++) begin
        automatic moves_t m = moves(ctl1_i.shift, ctl1_i.bits.wrap, c_i[l][31], full[l], upper[l], a_i[l], b_i[l]);
        words[l]  = m.words;
        by[l]     = m.by;
        rest[l]   = '0;
        also_c[l] = '0;
      end
      `HEDDLE_ONLY(ctl1_i.bits.permute) begin
        `LANE_LOOP (int l = 0; l < LANES; l++) begin
          for (int i = 0; i < 4; i++) rest[l][i] = 2'(alu_bits_pkg::place(ctl1_i.bits.place, b_i[l], 2'(i)));
        end
      end
      if (ctl1_i.bits.turn) begin
        `LANE_LOOP (int l = 0; l < LANES; l++) also_c[l] = alu_bits_pkg::reversed(b_i[l]);
      end else if (ctl1_i.bits.pair) begin
        // For writeback the predicates, and above them which ones.
        `LANE_LOOP (int l = 0; l < LANES; l++) also_c[l] = {17'b0, b_i[l][6:0], 1'b0, a_i[l][6:0]};
      end
    end
  end

  funnel #(.LANES(LANES)) u_shifted (
    .live_i  (en1_i),
    .bytes_i (ctl1_i.bits.permute),
    .words_i (words),
    .by_i    (by),
    .more_i  (rest),
    .data_o  (shifted)
  );

  turned_bytes #(.LANES(LANES)) u_y_c (
    .live_i  (en1_i),
    .bytes_i (ctl1_i.bits.permute),
    .word_i  (c_i),
    .more_i  (rest),
    .also_i  (also_c),
    .data_o  (y_c)
  );

  any_of_three #(.LANES(LANES)) u_function (
    .live_i  (en1_i),
    .table_i (ctl1_i.lut),
    .a_i     (a_i),
    .b_i     (b_i),
    .c_i     (c_i),
    .data_o  (function3)
  );

  always_ff @(posedge clk_i) begin
    if (en1_i) begin
      // SGXT's sign.
      `LANE_LOOP (int l = 0; l < LANES; l++) top_d[l] = 1'b0;
      if (ctl1_i.bits.extend) begin
        `LANE_LOOP (int l = 0; l < LANES; l++) begin
          top_d[l] = !ctl1_i.bits.uns && alu_bits_pkg::top_of(ctl1_i.bits.wrap, b_i[l], a_i[l]);
        end
      end
      // PRMT: bytes of a come out of the shifter, those of c go where b does else.
      `LANE_LOOP (int l = 0; l < LANES; l++) begin
        sign_d[l]  = '0;
        bytes_d[l] = '0;
      end
      if (ctl1_i.bits.permute) begin
        `LANE_LOOP (int l = 0; l < LANES; l++) begin
          for (int i = 0; i < 4; i++) begin
            automatic logic [3:0] place = alu_bits_pkg::place(ctl1_i.bits.place, b_i[l], 2'(i));
            sign_d[l][i]  = place[3];
            bytes_d[l][i] = !place[2];   // which of the two it is
          end
        end
      end

      plut0 = ctl1_i.plut0;
      plut1 = ctl1_i.plut1;
      `LANE_LOOP (int l = 0; l < LANES; l++) begin
        // FP32 comparisons: sign changes, and (FTZ) no fraction where there is no exponent; of FCHK none at all.
        automatic logic [31:0] in_a = a_i[l];
        automatic logic [31:0] in_b = b_i[l];
        automatic logic        no_b = ctl1_i.bits.no_b;   // SGXT chooses by its ones between a and its sign, as y
        plain_a[l] = {(in_a[31] && !ctl1_i.abs_a) ^ ctl1_i.sneg_a, in_a[30:23],
                      in_a[22:0] & ~{23{ctl1_i.range || (ctl1_i.ftz && in_a[30:23] == '0)}}};
        plain_b[l] = {(in_b[31] && !ctl1_i.abs_b && !no_b) ^ ctl1_i.sneg_b, in_b[30:23] & {8{!no_b}},
                      in_b[22:0] & ~{23{ctl1_i.range || (ctl1_i.ftz && in_b[30:23] == '0) || no_b}}};
      end

      // POPC: the adder adds the ones of both halves.
      `LANE_LOOP (int l = 0; l < LANES; l++) begin
        ones_lo[l] = '0;
        ones_hi[l] = '0;
      end
      if (ctl1_i.bits.count) begin
        `LANE_LOOP (int l = 0; l < LANES; l++) begin
          ones_lo[l] = alu_bits_pkg::ones_in(b_i[l][15:0] ^ {16{ctl1_i.bits.inv}});
          ones_hi[l] = alu_bits_pkg::ones_in(b_i[l][31:16] ^ {16{ctl1_i.bits.inv}});
        end
      end

      `LANE_LOOP (int l = 0; l < LANES; l++) begin
        // Complements for minus bring a carry in each; three adders take three of them.
        automatic logic [31:0] in_a    = a_i[l];
        automatic logic [31:0] in_b    = b_i[l];
        automatic logic [31:0] in_c    = c_i[l];
        automatic logic [31:0] a       = plain_a[l] ^ {32{ctl1_i.inv_a}};
        automatic logic [1:0]  pick_c  = {ctl1_i.diff || ctl1_i.inv_c, ctl1_i.diff || (ctl1_i.use_c && !ctl1_i.inv_c)};
        automatic logic [31:0] c       = ({32{pick_c == 2'b01}} & in_c) | ({32{pick_c == 2'b10}} & ~in_c) |
                                         ({32{pick_c == 2'b11}} & ~in_b);
        automatic logic [32:0] sum_ac  = {1'b0, a} + {1'b0, c} + 33'(ctl1_i.one_ac || (ctl1_i.ext && ps0_i[l]));
        // Below zero: no carry out of a - b, or a is the negative one of two.
        automatic logic        negative = ctl1_i.diff && ((!ctl1_i.uns && in_a[31] != in_b[31]) ? in_a[31] : !sum_ac[32]);
        automatic logic [31:0] size_ac  = sum_ac[31:0] ^ {32{negative}};

        x_d[l]   = ctl1_i.lea ? {1'b0, shifted[l] | 32'(ones_lo[l])} : {sum_ac[32], size_ac};
        cin_d[l] = ctl1_i.one || (ctl1_i.ext && ps1_i[l]) || (ctl1_i.lea_carry && ps0_i[l]) || (ctl1_i.abs_int && in_b[31]) ||
                   negative;
      end

      `LANE_LOOP (int l = 0; l < LANES; l++) begin
        automatic logic        minus = ctl1_i.abs_int && b_i[l][31];
        automatic logic [31:0] y     = (ctl1_i.y_c ? y_c[l] : plain_b[l]) ^ {32{(ctl1_i.inv_b && !top_d[l]) || minus}};
        y_d[l] = ({1'b0, y} + 33'(ctl1_i.one_b)) | 33'(ones_hi[l]);
      end

      `LANE_LOOP (int l = 0; l < LANES; l++) begin
        automatic logic [31:0] in_a  = a_i[l];
        automatic logic [31:0] in_b  = b_i[l];
        // Exponents that leave a division nothing to scale, if their difference (stage 2) does not either.
        automatic logic [7:0]  exp_a = in_a[30:23];
        automatic logic [7:0]  exp_b = in_b[30:23];
        automatic logic        plain = (exp_a[7:5] != '0 || (exp_a[4:3] == '1 && exp_a[2:0] != '0)) && exp_a != '1   // 25 to 254
                                       && exp_b[7:1] != '0 && !(exp_b[7:2] == '1 && exp_b[1:0] != '0);        // 2 to 252
        automatic logic [2:0]  row   = {ps0_i[l], ps1_i[l], ps2_i[l]};
        // With FTZ two numbers without exponent are the same.
        flags_d[l] = {cin_d[l], in_a[30:0] == in_b[30:0] || (ctl1_i.ftz && exp_a == '0 && exp_b == '0),
                      ctl1_i.flt && exp_a == '0 && (ctl1_i.ftz || in_a[22:0] == '0),
                      ctl1_i.flt && exp_a == '1 && in_a[22:0] != '0,
                      ctl1_i.flt && exp_b == '1 && in_b[22:0] != '0,
                      sign_d[l], ps0_i[l], ps2_i[l], ctl1_i.range ? !plain : plut0[row], plut1[row]};
      end

      // Bits and bytes. Where nothing is asked for, the parts are zero: each is worked out only when it is.
      `LANE_LOOP (int l = 0; l < LANES; l++) begin
        fill_d[l]   = 1'b0;
        low_d[l]    = '0;
      end
      if (ctl1_i.bits.lead) begin
        // A negative number is searched for its highest zero.
        `LANE_LOOP (int l = 0; l < LANES; l++) begin
          automatic logic flip = ctl1_i.bits.uns ? ctl1_i.bits.inv : b_i[l][31];
          {fill_d[l], low_d[l]} = alu_bits_pkg::leading(ctl1_i.bits.from_top, b_i[l] ^ {32{flip}});
        end
      end
      `LANE_LOOP (int l = 0; l < LANES; l++) bytes[l] = {32{fill_d[l]}};
      `HEDDLE_ONLY(ctl1_i.bits.permute) begin
        `LANE_LOOP (int l = 0; l < LANES; l++) begin
          for (int i = 0; i < 4; i++) bytes[l][8*i +: 8] |= {8{bytes_d[l][i]}};
        end
      end
      // SGXT: the shifter's ones say which bits are a's.
      `LANE_LOOP (int l = 0; l < LANES; l++) begin
        word_d[l] = function3[l] | (shifted[l] & {32{!ctl1_i.lea}}) | bytes[l] | 32'(low_d[l]);
      end
      x_q     <= x_d;
      y_q     <= y_d;
      word_q  <= word_d;
      flags_q <= flags_d;
    end
  end

  // ---- Stage 2 ---------------------------------------------------------------------------------
  logic [31:0]      lo_d [LANES], lo_q [LANES], sign_here [LANES], sign_bits [LANES];
  logic             pd0_d [LANES], pd1_d [LANES];
  logic [LANES-1:0] pd0, pd1;
  logic             carry, nonzero, compare, tables;    // where the predicates come from

  always_ff @(posedge clk_i) begin
    if (en2_i) begin
      carry   = ctl2_i.pd == exec_pkg::PD_CARRY;
      nonzero = ctl2_i.pd == exec_pkg::PD_NONZERO;
      compare = ctl2_i.pd == exec_pkg::PD_COMPARE;
      tables  = ctl2_i.pd == exec_pkg::PD_TABLE;
      // PRMT's signs: bytes that are one bit of what is chosen.
      `LANE_LOOP (int l = 0; l < LANES; l++) begin
        sign_here[l] = '0;
        sign_bits[l] = '0;
      end
      `HEDDLE_ONLY(ctl2_i.choose && ctl2_i.word) begin
        `LANE_LOOP (int l = 0; l < LANES; l++) begin
          for (int i = 0; i < 4; i++) begin
            automatic logic sign = flags_q[l].sign[i];
            sign_here[l][8*i +: 8] = {8{sign}};
            sign_bits[l][8*i +: 8] = {8{sign && (word_q[l][8*i] ? x_q[l][8*i+7] : !y_q[l][8*i+7])}};
          end
        end
      end
      `LANE_LOOP (int l = 0; l < LANES; l++) begin
        automatic flags_t      f       = flags_q[l];
        automatic logic [32:0] x       = x_q[l];
        automatic logic [32:0] y       = y_q[l];
        automatic logic [33:0] whole   = {1'b0, x} + {1'b0, y} + 34'(f.cin);
        automatic logic [31:0] sum     = whole[31:0];

        // Comparison: the adder subtracts, and bits 30 to 0 are judged by the carry out of them; the signs stand above.
        automatic logic        sign_a  = x[31];
        automatic logic        sign_b  = !y[31];
        automatic logic        above   = sum[31] ^ x[31] ^ y[31];   // not below, really
        automatic logic        below   = (sign_a != sign_b) ? (ctl2_i.uns ? sign_b : sign_a) :
                                         (ctl2_i.flt && sign_a) ? above && !f.same : !above;
        // Exactly one of less, equal, greater, unordered is true. In the order of `below`, -0 lies below +0.
        automatic logic        unord   = f.nan_a || f.nan_b;
        automatic logic        equal   = !unord && f.same && (sign_a == sign_b || f.zero_a);
        automatic logic        less    = !unord && !equal && below;
        automatic logic        greater = !unord && !equal && !below;
        automatic logic        holds   = |(ctl2_i.accept & {unord, greater, equal, less}) || (ctl2_i.low_words && equal && f.ps2);
        automatic logic        verdict = ctl2_i.bool_or ? holds || f.ps0 : ctl2_i.bool_xor ? holds ^ f.ps0 : holds && f.ps0;
        // Minimum and maximum: a number wins over a NaN.
        automatic logic        first   = ctl2_i.minmax ? (unord ? f.nan_b : below == f.ps0) : ctl2_i.select && f.ps0;
        automatic logic        no_num  = ctl2_i.minmax && (ctl2_i.keep_nan ? unord : f.nan_a && f.nan_b);
        automatic logic        either  = ctl2_i.choose && !no_num;
        // FCHK: exponents differ by -100 to 125.
        automatic logic [8:0]  gap     = sum[31:23];
        automatic logic        apart   = ctl2_i.range && (gap[8] ? !gap[7] || (gap[6:5] == '0 && gap[4:2] != '1)
                                                                 : gap[7] || gap[6:1] == '1);
        // One of four: sum, word, zero, one; where the last two do not stand for themselves they choose between a and b.
        automatic logic        set     = ctl2_i.choose ? no_num || first : ctl2_i.as_word && verdict;
        automatic logic [31:0] where   = {!ctl2_i.as_one && either == ctl2_i.choose, !ctl2_i.as_one, 7'h7f, {23{!ctl2_i.as_one}}};
        automatic logic [31:0] word    = word_q[l];
        automatic logic [31:0] plain   = ~sign_here[l];
        automatic logic [31:0] code    = ((({32{set}} & where) | {32{ctl2_i.word}}) & plain) | sign_bits[l];
        automatic logic [31:0] gate    = {32{ctl2_i.sum || ctl2_i.word}} & plain;
        automatic logic [31:0] from_ab = {32{either}} & plain;
        automatic logic [31:0] of_four = (gate & ((word & code) | (sum & ~code))) | (~gate & code);
        lo_d[l] = (from_ab & ((x[31:0] & of_four) | (~y[31:0] & ~of_four))) | (~from_ab & of_four);

        pd0_d[l] = (carry && (whole[33] || whole[32])) || (nonzero && word_q[l] != '0) || (compare && verdict) ||
                   (tables && (f.table0 || apart));
        pd1_d[l] = (carry && whole[33]) || (tables && f.table1) ||
                   (compare && (ctl2_i.bool_or ? !holds || f.ps0 : ctl2_i.bool_xor ? !holds ^ f.ps0 : !holds && f.ps0));
      end
      pd0 = '0;
      pd1 = '0;
      `LANE_LOOP (int l = 0; l < LANES; l++) begin
        pd0 |= LANES'(pd0_d[l]) << l;
        pd1 |= LANES'(pd1_d[l]) << l;
      end
      lo_q  <= lo_d;
      pd0_o <= pd0;
      pd1_o <= pd1;
    end
  end

  always_comb begin
    for (int l = 0; l < LANES; l++) lo_o[l] = lo_q[l];
  end

endmodule
