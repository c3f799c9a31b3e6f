// SPDX-License-Identifier: Apache-2.0
// Types between the matrix unit's parts: the control word of an instruction, the place of
// a step in it, numbers taken apart. Functions that take raw elements apart.
// Latency and handshake: none, types and functions only.
// It has no instruction word (mma_decode has) and no state.
package mma_pkg;

  // Every part uses some of the constants, none uses all.
  /* verilator lint_off UNUSEDPARAM */

  // Cycles of 16 x 8 sums of 16 products. (A machine without the unit has a number, too.)
  localparam int unsigned CYCLES = (cfg_pkg::TENSOR_CYCLES != 0) ? cfg_pkg::TENSOR_CYCLES : 32;
  localparam int unsigned SLOTS  = 10;   // of operand words, see mma_unit
  localparam int unsigned TERMS  = 16;   // products of a sum
  localparam int unsigned STEP_W = 5;    // of a pass: 8 to 32 steps

  // Ranks: operands 1, numbers 2, sums 3 to 10, last addition 11 to 13; of DMMA operands 1, FP64 2
  // to 6.
  localparam int unsigned RANKS     = 13;
  localparam int unsigned RANK_SUM  = 10;
  localparam int unsigned RANK_FP64 = 6;

  typedef enum logic [1:0] {
    SUM,         // HMMA: the fused sum is the result
    ADD_F32,     // QMMA: C is added to the second of two sums
    ADD_INT,     // IMMA: C is added to the sum of all products
    FP64         // DMMA
  } kind_e;

  typedef enum logic [2:0] { F16, BF16, TF32, E4M3, E5M2, S8, U8 } format_e;

  typedef struct packed {
    kind_e      kind;
    format_e    fa, fb;          // of the elements of A and of B
    logic       acc16;           // C and D are F16
    logic       deep;            // A and B have a second register for each row or column
    logic       narrow;          // 8-bit elements of one register fill the places of two
    logic       sat;
    logic [1:0] passes;          // less one
  } ctl_t;

  // A step: as many elements of D as there are sums, of neighbouring lanes. In a pass, group
  // counts fastest.
  typedef struct packed {
    logic [2:0] beat;
    logic       half;            // rows 8 and above; of DMMA the second number of a lane
    logic       odd;             // column 2t + 1
    logic [2:0] group;           // of lanes in the beat
  } place_t;

  typedef struct packed {
    ctl_t       ctl;
    place_t     place;
    logic [STEP_W-1:0] step;
    logic [1:0] pass;
    logic       final_pass;      // results are D
    logic       last;            // of the instruction
    logic       none;            // nothing is computed: an end alone
  } token_t;

  // An element of A or B: sig * 2^(exp - 10), or an integer in sig.
  typedef struct packed {
    logic               nan, inf, zero, sign;
    logic signed [8:0]  exp;
    logic signed [11:0] sig;
  } number_t;

  // The addend of the products: sig * 2^(exp - 23), or an integer in sig.
  localparam logic signed [9:0] LEAST = -10'sd133;   // no sum has a smaller exponent
  typedef struct packed {
    logic               nan, inf, sign;
    logic signed [9:0]  exp;     // LEAST for zero
    logic [25:0]        sig;
  } addend_t;

  // Which half group of lanes a step of DMMA works on, in its beat of `groups` groups.
  /* verilator lint_off UNUSEDSIGNAL */
  function automatic logic [3:0] lanes_of_fp64(place_t place, int unsigned groups);
    lanes_of_fp64 = 4'((place.odd ? groups : 32'd0) + 32'(place.group));
  endfunction
  /* verilator lint_on UNUSEDSIGNAL */

  function automatic number_t of_f16(logic [15:0] raw);
    automatic logic low  = raw[14:10] == '0;
    automatic logic top  = raw[14:10] == '1;
    automatic logic frac = raw[9:0] != '0;
    of_f16.nan  = top && frac;
    of_f16.inf  = top && !frac;
    of_f16.zero = low && !frac;
    of_f16.sign = raw[15];
    of_f16.exp  = 9'({raw[14:11], raw[10] || low}) - 9'sd15;
    of_f16.sig  = {1'b0, !low, raw[9:0]};
  endfunction

  // BF16 and TF32 are an FP32 number with fewer bits.
  function automatic number_t of_top(logic sign, logic [7:0] exp, logic [9:0] fraction);
    automatic logic low  = exp == '0;
    automatic logic top  = exp == '1;
    automatic logic frac = fraction != '0;
    of_top.nan  = top && frac;
    of_top.inf  = top && !frac;
    of_top.zero = low && !frac;
    of_top.sign = sign;
    of_top.exp  = 9'({exp[7:1], exp[0] || low}) - 9'sd127;
    of_top.sig  = {1'b0, !low, fraction};
  endfunction

  function automatic number_t of_int(logic [7:0] raw, logic is_signed);
    of_int      = '0;
    of_int.zero = raw == '0;
    of_int.sig  = {{4{is_signed && raw[7]}}, raw};
  endfunction

  // The FP16 number of the same value.
  function automatic logic [15:0] widened(logic [7:0] raw);
    automatic logic [14:0] below;
    case (raw[2:0])
      3'd0:    below = 15'h0000;
      3'd1:    below = 15'h1800;                         // 2^-9
      3'd2:    below = 15'h1c00;                         // 2^-8
      3'd3:    below = 15'h1e00;
      default: below = {5'd8, raw[1:0], 8'b0};           // 2^-7 and above
    endcase
    widened = {raw[7], (raw[6:0] == '1)   ? 15'h7fff :
                       (raw[6:3] == '0)   ? below :
                                            {5'(raw[6:3]) + 5'd8, raw[2:0], 7'b0}};
  endfunction

  // An element of a word: number `sub` of those that one pass takes from it.
  function automatic number_t element(format_e format, logic [31:0] word, logic sub, logic [1:0] which);
    automatic logic [15:0] half  = sub ? word[31:16] : word[15:0];
    automatic logic [7:0]  bits8 = 8'(word >> {which, 3'b000});
    case (format)
      F16:     element = of_f16(half);
      BF16:    element = of_top(half[15], half[14:7], {half[6:0], 3'b0});
      TF32:    element = sub ? of_f16('0) : of_top(word[31], word[30:23], word[22:13]);
      E4M3:    element = of_f16(widened(bits8));
      E5M2:    element = of_f16({bits8, 8'b0});
      S8:      element = of_int(bits8, 1'b1);
      default: element = of_int(bits8, 1'b0);
    endcase
  endfunction

  function automatic addend_t addend_f32(logic [31:0] raw);
    automatic logic low  = raw[30:23] == '0;
    automatic logic top  = raw[30:23] == '1;
    automatic logic frac = raw[22:0] != '0;
    addend_f32.nan  = top && frac;
    addend_f32.inf  = top && !frac;
    addend_f32.sign = raw[31];
    addend_f32.exp  = (low && !frac) ? LEAST : 10'({raw[30:24], raw[23] || low}) - 10'sd127;
    addend_f32.sig  = {2'b0, !low, raw[22:0]};
  endfunction

  function automatic addend_t addend_f16(logic [15:0] raw);
    automatic number_t n = of_f16(raw);
    addend_f16.nan  = n.nan;
    addend_f16.inf  = n.inf;
    addend_f16.sign = n.sign;
    addend_f16.exp  = n.zero ? LEAST : 10'(n.exp);
    addend_f16.sig  = {2'b0, n.sig[10:0], 13'b0};
  endfunction

  function automatic addend_t addend_int(logic [25:0] raw);
    addend_int     = '0;
    addend_int.sig = raw;
  endfunction

  /* verilator lint_on UNUSEDPARAM */

endpackage
