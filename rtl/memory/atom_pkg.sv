// SPDX-License-Identifier: Apache-2.0
// The result of an atomic in memory: v, its operand b, and for compare-and-swap the new value c. Two words: one number of 64
// bits (wide), or two of 32 bits, each apart.
// Latency and handshake: none, functions and constants only.
// It does not add floats: that is atom_add, where the configuration has it; elsewhere nothing is a float here.
package atom_pkg;

  // Operations as the field of the word has them (the same numbers in ATOM and RED), and one more.
  localparam int unsigned OP_W = 6;
  localparam logic [OP_W-1:0] COMPARE_SWAP = '1;

  function automatic logic is_float(logic [OP_W-1:0] op);
    is_float = cfg_pkg::HAS_FATOM && kind_pkg::float_op(op);
  endfunction

  // A number for the adder of floats: taken as the adder is free; its sum stands until it is taken.
  typedef struct packed {
    logic             valid;
    logic [OP_W-1:0]  op;
    logic [63:0]      v;
    logic [63:0]      b;
    logic             take;    // the sum, with done
  } add_req_t;

  // An operation for `result`, worked out a cycle before it is wanted. A result is made of a sum, or not, ORed with bits of b. The
  // sum is v and a second word, and one more.
  typedef struct packed {
    logic       is_signed;
    logic       smaller;     // the smaller, the larger of both
    logic       larger;
    logic       inc;
    logic       dec;
    logic [1:0] second;      // 0: zero, 1: b, 2: ones, 3: all but v & b (with one more it takes these bits away from v)
    logic       one;
    logic       sum;         // else what is above decides
    logic [1:0] b;           // bits of b where v is zero, where it is one; or what is above decides
  } act_t;

  function automatic act_t decode(logic [OP_W-1:0] op);
    automatic logic bit_and = op == isa_pkg::AOP_AND || op == isa_pkg::AOP_AND_64;
    automatic logic bit_or  = op == isa_pkg::AOP_OR || op == isa_pkg::AOP_OR_64;
    automatic logic bit_xor = op == isa_pkg::AOP_XOR || op == isa_pkg::AOP_XOR_64;
    automatic logic exch    = op == isa_pkg::AOP_EXCH || op == isa_pkg::AOP_EXCH_64;
    automatic logic swap    = op == COMPARE_SWAP;
    automatic logic compare, add;
    decode.is_signed = op == isa_pkg::AOP_MIN_S32 || op == isa_pkg::AOP_MAX_S32 ||
                       op == isa_pkg::AOP_MIN_S64 || op == isa_pkg::AOP_MAX_S64;
    decode.smaller   = op == isa_pkg::AOP_MIN || op == isa_pkg::AOP_MIN_S32 ||
                       op == isa_pkg::AOP_MIN_U64 || op == isa_pkg::AOP_MIN_S64;
    decode.larger    = op == isa_pkg::AOP_MAX || op == isa_pkg::AOP_MAX_S32 ||
                       op == isa_pkg::AOP_MAX_U64 || op == isa_pkg::AOP_MAX_S64;
    decode.inc       = op == isa_pkg::AOP_INC;
    decode.dec       = op == isa_pkg::AOP_DEC;
    compare          = decode.smaller || decode.larger || decode.inc || decode.dec;
    add              = !compare && !bit_and && !bit_or && !bit_xor && !exch && !swap;
    decode.second    = {decode.dec || bit_xor, add || bit_xor};
    decode.one       = decode.inc || bit_xor;
    decode.sum       = add || bit_or || bit_xor || swap;
    decode.b         = {bit_and || bit_or || exch, bit_or || bit_xor || exch};
  endfunction

  // For a pair of words each is worked out with two carry chains: one compares, the other adds and counts. Those of both words
  // are one, with a bit between them that lets the carry pass, or begins anew. For a compare-and-swap it is v. Where b is asked
  // for it is b, where nothing is it is zero: for what else is written, and ORed to it.
  function automatic logic [1:0][31:0] result(act_t a, logic wide, logic [1:0][31:0] v, logic [1:0][31:0] b,
                                              logic [1:0] take_b, logic [1:0] nothing);
    // v - b borrows where v is below b, of a decrement where it is not above.
    automatic logic            pass  = !wide && !a.dec;
    automatic logic            begun = !wide && a.dec;
    /* verilator lint_off UNUSEDSIGNAL */   // it is the carries that count
    automatic logic [66:0]     minus = {1'b0, v[1], pass, v[0], 1'b0} - {1'b0, b[1], begun, b[0], a.dec};
    /* verilator lint_on UNUSEDSIGNAL */
    automatic logic [1:0]      beyond = ~{minus[66], minus[33] ^ !wide} ^ ({2{a.is_signed}} & {v[1][31] ^ b[1][31], v[0][31] ^ b[0][31]});
    automatic logic [1:0][31:0] other;
    automatic logic [65:0]     plus;
    for (int unsigned w = 0; w < 2; w++) begin
      other[w] = a.second[1] ? (a.second[0] ? ~(v[w] & b[w]) : '1) : b[w] & {32{a.second[0]}};
    end
    plus = {1'b0, v[1], wide || a.one, v[0]} + {1'b0, other[1], !wide && a.one, other[0]} + 66'(a.one);
    for (int unsigned w = 0; w < 2; w++) begin
      automatic logic        above  = wide ? beyond[1] : beyond[w];
      automatic logic        some   = (w == 1) ? plus[65] : plus[32];    // a decrement: there was something to take
      // The word above is known last: what does not depend on it is there by then, and the choice is of whole words. An increment
      // that wraps is zero.
      automatic logic        keep   = a.sum || (above ? a.larger : a.smaller || a.inc || (a.dec && some));
      automatic logic        give   = (above ? a.smaller || a.dec : a.larger || (a.dec && !some)) || take_b[w];
      automatic logic        sum    = keep && !take_b[w] && !nothing[w];
      automatic logic [1:0]  bits   = nothing[w] ? 2'd0 : a.b | {2{give}};
      automatic logic [31:0] of_b   = b[w] & ((v[w] & {32{bits[1]}}) | (~v[w] & {32{bits[0]}}));
      result[w] = of_b | (((w == 1) ? plus[64:33] : plus[31:0]) & {32{sum}});
    end
  endfunction

  // One word: what is written, and what a number of 64 bits carries from its low word to its high one.
  typedef struct packed {
    logic [31:0] word;
    logic        borrow;
    logic        carry;
    logic        above;     // v is not below b, of a decrement above it
  } word_t;

  // The same word by word, with two chains of 32 bits. A number of 64 bits is compared from the low word on; when the high one has
  // been, `again` says that `was_above` holds for the low one.
  /* verilator lint_off UNUSEDSIGNAL */   // it is the carries that count; the first one is given
  function automatic word_t word_result(act_t a, logic [31:0] v, logic [31:0] b, logic borrow, logic carry, logic again, logic was_above,
                                        logic take_b);
    automatic logic [33:0] minus = {1'b0, v, 1'b0} - {1'b0, b, borrow};
    automatic logic [31:0] other = a.second[1] ? (a.second[0] ? ~(v & b) : '1) : b & {32{a.second[0]}};
    automatic logic [33:0] plus  = {1'b0, v, 1'b1} + {1'b0, other, carry};
    automatic logic        some, above, keep, give, sum;
    automatic logic [1:0]  bits;
    word_result.borrow = minus[33];
    word_result.carry  = plus[33];
    word_result.above  = !minus[33] ^ (a.is_signed && (v[31] ^ b[31]));
    // As in `result`.
    some  = plus[33];
    above = again ? was_above : word_result.above;
    keep  = a.sum || (above ? a.larger : a.smaller || a.inc || (a.dec && some));
    give  = (above ? a.smaller || a.dec : a.larger || (a.dec && !some)) || take_b;
    sum   = keep && !take_b;
    bits  = a.b | {2{give}};
    word_result.word = (b & ((v & {32{bits[1]}}) | (~v & {32{bits[0]}}))) | (plus[32:1] & {32{sum}});
  endfunction
  /* verilator lint_on UNUSEDSIGNAL */

endpackage
