// SPDX-License-Identifier: Apache-2.0
// What an atomic makes of memory: v, its operand b, and for compare-and-swap the new value c. Two words: one number of 64
// bits (wide), or two of 32 bits that know nothing of each other.
// Latency and handshake: none, functions and constants only.
// It does not add floats: that is atom_add, where the configuration has it; elsewhere nothing is a float here.
`default_nettype none

package atom_pkg;

  // Operations as the field of the word has them (the same numbers in ATOM and RED), and one more.
  localparam int unsigned OP_W = 6;
  localparam logic [OP_W-1:0] COMPARE_SWAP = '1;

  function automatic logic is_float(logic [OP_W-1:0] op);
    is_float = cfg_pkg::HAS_FATOM && core_pkg::float_op(op);
  endfunction

  // A number for the adder of floats: taken as the adder is free; its sum stands until it is taken.
  typedef struct packed {
    logic             valid;
    logic [OP_W-1:0]  op;
    logic [63:0]      v;
    logic [63:0]      b;
    logic             take;    // the sum, with done
  } add_req_t;

  // An operation for `result`, worked out a cycle before it is wanted.
  typedef struct packed {
    logic is_signed;
    logic smaller;     // the smaller, the larger of both
    logic larger;
    logic inc;
    logic dec;
    logic bit_and;
    logic bit_or;
    logic bit_xor;
    logic exch;
    logic compare;     // the first adder subtracts
    logic add;
  } act_t;

  function automatic act_t decode(logic [OP_W-1:0] op);
    decode.is_signed = op == isa_pkg::AOP_MIN_S32 || op == isa_pkg::AOP_MAX_S32 ||
                       op == isa_pkg::AOP_MIN_S64 || op == isa_pkg::AOP_MAX_S64;
    decode.smaller   = op == isa_pkg::AOP_MIN || op == isa_pkg::AOP_MIN_S32 ||
                       op == isa_pkg::AOP_MIN_U64 || op == isa_pkg::AOP_MIN_S64;
    decode.larger    = op == isa_pkg::AOP_MAX || op == isa_pkg::AOP_MAX_S32 ||
                       op == isa_pkg::AOP_MAX_U64 || op == isa_pkg::AOP_MAX_S64;
    decode.inc       = op == isa_pkg::AOP_INC;
    decode.dec       = op == isa_pkg::AOP_DEC;
    decode.bit_and   = op == isa_pkg::AOP_AND || op == isa_pkg::AOP_AND_64;
    decode.bit_or    = op == isa_pkg::AOP_OR || op == isa_pkg::AOP_OR_64;
    decode.bit_xor   = op == isa_pkg::AOP_XOR || op == isa_pkg::AOP_XOR_64;
    decode.exch      = op == isa_pkg::AOP_EXCH || op == isa_pkg::AOP_EXCH_64;
    decode.compare   = decode.smaller || decode.larger || decode.inc || decode.dec;
    decode.add       = !decode.compare && !decode.bit_and && !decode.bit_or && !decode.bit_xor && !decode.exch;
  endfunction

  // Compare-and-swap has `swapped`. Of a pair of words each is worked out with two adders: the first one adds, or compares by
  // subtracting, and the second one counts up or down. The first ones of both words are one chain, with a bit between them
  // that lets the carry pass, or begins anew.
  function automatic logic [1:0][31:0] result(act_t a, logic wide, logic [1:0][31:0] v, logic [1:0][31:0] b);
    // A carry says that v is not below b; of a decrement, without the one, that it is above.
    automatic logic            one   = a.compare && !a.dec;
    automatic logic [65:0]     chain = {1'b0, v[1], wide || one, v[0]}
                                       + {1'b0, b[1] ^ {32{a.compare}}, !wide && one, b[0] ^ {32{a.compare}}} + 66'(one);
    automatic logic [1:0][31:0] sum  = {chain[64:33], chain[31:0]};
    automatic logic [1:0]      carry = {chain[65], chain[32] ^ wide}
                                       ^ ({2{a.is_signed}} & {v[1][31] ^ b[1][31], v[0][31] ^ b[0][31]});
    for (int unsigned w = 0; w < 2; w++) begin
      automatic logic        above  = wide ? carry[1] : carry[w];
      automatic logic [32:0] step   = {1'b0, v[w]} + {1'b0, {32{a.dec}}} + 33'(!a.dec);   // its carry: there was something to take
      // Who is above is known last: what does not depend on it is there by then, and the choice is of whole words.
      automatic logic        take_v = above ? a.larger : a.smaller;
      automatic logic        take_b = (above ? a.smaller : a.larger) || (a.dec && (above || !step[32]));
      automatic logic        count  = !above && (a.inc || (a.dec && step[32]));   // an increment that wraps is zero
      // A sum modulo 2 of v, b and v & b.
      automatic logic [31:0] mixed  = (v[w] & {32{a.bit_or || a.bit_xor}})
                                      ^ (b[w] & ({32{a.bit_or || a.bit_xor || a.exch}} ^ (v[w] & {32{a.bit_and || a.bit_or}})));
      automatic logic [31:0] fixed  = a.add ? sum[w] : mixed;
      result[w] = fixed | ({32{take_v}} & v[w]) | ({32{take_b}} & b[w]) | ({32{count}} & step[31:0]);
    end
  endfunction

  function automatic logic [1:0][31:0] swapped(logic wide, logic [1:0][31:0] v, logic [1:0][31:0] b, logic [1:0][31:0] c);
    automatic logic [1:0] same = {v[1] == b[1], v[0] == b[0]};
    for (int unsigned w = 0; w < 2; w++) swapped[w] = ((same[w] && !wide) || same == '1) ? c[w] : v[w];
  endfunction

endpackage

`default_nettype wire
