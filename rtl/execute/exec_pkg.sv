// SPDX-License-Identifier: Apache-2.0 Control of the lanes of alu, fma, cvt, half, sfu and uni, the same for all of them. It is
// made once an instruction, by its decoder, when it reaches the operand stage; pipes see no instruction word and no bit number.
// Latency and handshake: none, types and functions only.
// It does not hold controls of fp64, warp and tensor, which have packages of their own.
package exec_pkg;

  // Every folder uses some of the constants, none uses all.
  /* verilator lint_off UNUSEDPARAM */

  // A condition accepts some of: less, equal, greater, unordered.
  typedef struct packed {
    logic unord;
    logic gt;
    logic eq;
    logic lt;
  } accept_t;

  // The predicates' source.
  typedef enum logic [1:0] {PD_CARRY, PD_NONZERO, PD_COMPARE, PD_TABLE} alu_pd_e;

  typedef struct packed {
    logic       on;                    // else the shifter gives zero
    logic       left;                  // else right
    logic       hi;                    // the high word of 64
    logic       arith;                 // right shifts bring in the sign
    logic       sext;                  // the high word is the low one's sign
    logic       fixed;                 // the amount is `amount`, not operand b
    logic       range64;               // range of the amount: 64, else 32
    logic       by_a;                  // the amount is operand a, and the low word zero (BMSK)
    logic       twice;                 // the high word is the low one: of it PRMT takes bytes
    logic [4:0] amount;                // zero where it is an operand
  } shift_ctl_t;

  // Other operations on bits and bytes; SGXT and BMSK take their ones through the shifter.
  typedef struct packed {
    logic       permute;               // PRMT
    alu_bits_pkg::place_t place;       //   of what
    logic       extend;                // SGXT
    logic       ones;                  // SGXT, BMSK: the shifter's high word is as many ones as b says (there is no operand c)
    logic       no_b;                  // to the adder b is zero (SGXT, POPC)
    logic       count;                 // POPC
    logic       lead;                  // FLO
    logic       turn;                  // BREV
    logic       pair;                  // R2P
    logic       wrap;                  // amounts (of shifts too) modulo their range; else clamped to it
    logic       uns;                   // no sign
    logic       inv;                   // b is complemented first
    logic       from_top;              // the leading bit counts from bit 31
  } bits_ctl_t;

  // First ALU stage.
  typedef struct packed {
    logic       inv_a, inv_b, inv_c;   // complement; of c only where it is used
    logic       use_c;                 // else 0
    logic       one_ac, one_b, one;    // carries in: to a + c, to b, to the sum
    logic       ext;                   // IADD3.X: ps0 carries in to a + c, ps1 to the sum
    logic       lea;                   // the adder takes shifted a and b; else a + c and b
    logic       lea_carry;             // LEA.HI.X: ps0 carries in
    logic       sneg_a, sneg_b;        // FP32 comparisons: sign changes
    logic       abs_a, abs_b;
    logic       flt, ftz;              // FP32 comparison
    logic       abs_int;               // IABS: minus b where it is negative
    logic       diff, uns;             // VABSDIFF: the adders take |a - b|, of unsigned numbers, and c
    logic       y_c;                   // c, its bytes as PRMT takes them, or what BREV and R2P form, where b goes else
    logic       range;                 // FCHK: exponents alone go to the adder, and which are out of range to the table's place
    logic [7:0] lut;                   // the function of three
    logic [7:0] plut0, plut1;
    shift_ctl_t shift;
    bits_ctl_t  bits;
  } alu_ctl1_t;

  // Second ALU stage.
  typedef struct packed {
    logic       sum;                   // the result is the adder's
    logic       word;                  // the result is a logic function, a shifted word, or one of bits_ctl_t's
    logic       choose;                // the result is a or b: minimum or maximum, or a if ps0 (select), else b
    logic       minmax, select;
    logic       keep_nan;              // of minimum and maximum: one NaN is enough
    logic       flt, uns;              // comparison of FP32, of unsigned integers
    logic       range;                 // FCHK: the difference of exponents is judged
    accept_t    accept;
    logic       low_words;             // ISETP.EX: where a and b are equal, ps2 decides
    logic       as_word, as_one;       // FSET: pd0 as a word, all ones or 1.0
    logic       bool_or, bool_xor;     // neither: and
    alu_pd_e    pd;
  } alu_ctl2_t;

  typedef struct packed {
    logic [1:0] rnd;                   // isa_pkg::RND_*
    logic       ftz, sat;              // of the result
  } round_ctl_t;

  typedef struct packed {
    logic       fp;                    // else IMAD, IMAD.WIDE
    logic       add;                   // FADD: a * 1 + b
    logic       mul;                   // FMUL: a * b + 0
    logic       uns;                   // IMAD.WIDE: unsigned product
    logic       wide;                  // IMAD.WIDE, IMAD.HI: c is 64 bits
    logic       high;                  // IMAD.HI: the upper word is the result
    logic       dot;                   // IDP4A: the four products are of bytes
    logic       sign_a, sign_b;        //   which have a sign
    logic       neg_a, neg_b, neg_c;
    logic       abs_a, abs_b;
    logic       ftz;                   // of the operands
    round_ctl_t round;
  } fma_ctl_t;

  typedef struct packed {
    logic       to_int;                // F2I; else I2F, or one of the next two
    logic       in_place;              // FRND: a number to an integral one of its format
    logic       from_float;            // F2F, F2FP: a number to a number
    logic       from16, to16;          // the operand, the result is FP16; else FP32
    logic       upper;                 // an FP16 operand lies in the upper half
    logic       norm;                  // I2F, or FP16 to FP32: the leading one is sought
    logic       pack;                  // F2FP: a goes into the upper half
    logic       bits8, bits16;         // of the integer; neither: 32
    logic       uns;                   // the integer is unsigned
    logic       neg, abs, neg_a, abs_a;
    logic       ftz;                   // of FP32 operands
    logic       sat, relu;
    logic [1:0] rnd;                   // isa_pkg::RND_* (F2I: the same direction)
  } cvt_ctl_t;

  typedef struct packed {
    logic       math;                  // HADD2, HMUL2, HFMA2; else minimum, maximum, comparison
    logic       add;                   // HADD2: a * 1 + b
    logic       mul;                   // HMUL2: a * b + 0
    logic [1:0] from_a, from_b, from_c; // halves 1 and 0 of the result see the operand's upper half
    logic       neg_a, neg_b, neg_c;
    logic       abs_a, abs_b;
    logic       ftz, sat, relu;
    logic       minmax;
    logic       keep_nan;              // of minimum and maximum: one NaN is enough
    logic       one;                   // HSET2: 1.0 in place of all ones
    accept_t    accept;
    logic       bool_or, bool_xor;     // neither: and
  } half_ctl_t;

  // ---- sfu -----------------------------------------------------------------------------------------------------------
  // Lanes of the datapath, of which a beat takes some passes (a machine without the unit has a number, too); its registers from
  // operand to result.
  localparam int unsigned SFU_LANES  = (cfg_pkg::SFU_LANES != 0) ? cfg_pkg::SFU_LANES : 1;
  localparam int unsigned SFU_PASSES = cfg_pkg::LANES / SFU_LANES;
  localparam int unsigned SFU_RANKS  = 8;

  typedef enum logic [2:0] {FN_RCP, FN_RSQ, FN_SQRT, FN_EX2, FN_LG2, FN_SIN, FN_COS, FN_TANH} sfu_fn_e;

  // Format of operand and result; F64 is the upper word of one.
  typedef enum logic [1:0] {FMT_F32, FMT_F64, FMT_F16, FMT_BF16} sfu_fmt_e;

  typedef struct packed {
    sfu_fn_e    fn;
    sfu_fmt_e   fmt;
    logic       neg, abs;              // of the operand: first the absolute value
  } sfu_ctl_t;

  // ---- the pipes -----------------------------------------------------------------------------------------------------
  // The ALU's control, both stages.
  typedef struct packed {
    alu_ctl2_t  two;
    alu_ctl1_t  one;
  } alu_ctl_t;

  // It travels with an instruction to its pipe: the control of each, side by side. Much of it is fields of the word as they are, so
  // that registers cost less than a choice.
  localparam int unsigned ALU_CTL_W = $bits(alu_ctl_t), FMA_CTL_W = $bits(fma_ctl_t), CVT_CTL_W = $bits(cvt_ctl_t),
    HALF_CTL_W = $bits(half_ctl_t);
  localparam int unsigned FMA_AT = ALU_CTL_W, CVT_AT = FMA_AT + FMA_CTL_W, HALF_AT = CVT_AT + CVT_CTL_W;
  localparam int unsigned CTL_W = HALF_AT + (cfg_pkg::HAS_HALF ? HALF_CTL_W : 0);

  // ---- uni: its control, what it has read, its write port -----------------------------------------------------------------
  typedef struct packed {
    logic       uns;                   // the product is of unsigned numbers
    logic       neg;                   // c is negated (the low word alone is the result)
    logic       wide;                  // both words are the result
    logic       high;                  // the upper word is; neither: the lower one
  } uni_mul_ctl_t;

  typedef struct packed {
    alu_ctl_t     alu;
    uni_mul_ctl_t mul;
    logic         is_mul;
  } uni_ctl_t;

  typedef struct packed {
    logic [63:0] c;
    logic [31:0] b, a;
  } uni_words_t;

  typedef struct packed {
    core_pkg::id_t    id;
    logic [7:0]       rd;
    logic [1:0]       en;              // the even register of the pair, the odd one
    logic [1:0][31:0] data;
    logic [6:0]       pred_en, pred;
  } uni_write_t;

  // A predicate as a bit of pred_en; predicate 7 is none.
  function automatic logic [6:0] pred_bit(logic [2:0] index);
    pred_bit = 7'(8'd1 << index);
  endfunction

  // ---- functions -----------------------------------------------------------------------------------------------------
  // Conditions as the set of outcomes they accept: unordered, greater, equal, less.
  function automatic accept_t accepts_float(logic [3:0] fcmp);
    case (fcmp)
      isa_pkg::FCMP_LT:  accepts_float = 4'b0001;
      isa_pkg::FCMP_EQ:  accepts_float = 4'b0010;
      isa_pkg::FCMP_LE:  accepts_float = 4'b0011;
      isa_pkg::FCMP_GT:  accepts_float = 4'b0100;
      isa_pkg::FCMP_NE:  accepts_float = 4'b0101;
      isa_pkg::FCMP_GE:  accepts_float = 4'b0110;
      isa_pkg::FCMP_NUM: accepts_float = 4'b0111;
      isa_pkg::FCMP_NAN: accepts_float = 4'b1000;
      isa_pkg::FCMP_LTU: accepts_float = 4'b1001;
      isa_pkg::FCMP_EQU: accepts_float = 4'b1010;
      isa_pkg::FCMP_LEU: accepts_float = 4'b1011;
      isa_pkg::FCMP_GTU: accepts_float = 4'b1100;
      isa_pkg::FCMP_NEU: accepts_float = 4'b1101;
      isa_pkg::FCMP_GEU: accepts_float = 4'b1110;
      isa_pkg::FCMP_T:   accepts_float = 4'b1111;
      default:           accepts_float = 4'b0000;
    endcase
  endfunction

  // Does rounding go away from zero? guard is the first bit dropped, sticky says that a later one is set.
  function automatic logic round_up(logic [1:0] rnd, logic sign, logic lsb, logic guard, logic sticky);
    case (rnd)
      isa_pkg::RND_RN: round_up = guard && (sticky || lsb);
      isa_pkg::RND_RM: round_up = sign && (guard || sticky);
      isa_pkg::RND_RP: round_up = !sign && (guard || sticky);
      default:         round_up = 1'b0;
    endcase
  endfunction

  // Does a number that is too large become the largest finite one, not infinity?
  function automatic logic to_largest(logic [1:0] rnd, logic sign);
    to_largest = rnd == isa_pkg::RND_RZ || (rnd == isa_pkg::RND_RM && !sign) || (rnd == isa_pkg::RND_RP && sign);
  endfunction

  // Units with a latency of their own that the machine has.
  localparam logic [kind_pkg::UNITS-1:0] LATE = (kind_pkg::UNITS'(cfg_pkg::HAS_SFU) << kind_pkg::UNIT_SFU)
    | (kind_pkg::UNITS'(cfg_pkg::HAS_FP64) << kind_pkg::UNIT_FP64) | (kind_pkg::UNITS'(cfg_pkg::HAS_WARP) << kind_pkg::UNIT_WARP)
    | (kind_pkg::UNITS'(cfg_pkg::HAS_TENSOR) << kind_pkg::UNIT_TENSOR);

  /* verilator lint_on UNUSEDPARAM */

endpackage
