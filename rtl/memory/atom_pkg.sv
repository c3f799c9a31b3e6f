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

  // Compare-and-swap has `swapped`. Of a pair of words each is worked out with two adders: the first one adds, or compares by
  // subtracting, and the second one counts up or down.
  function automatic logic [1:0][31:0] result(logic [OP_W-1:0] op, logic wide, logic [1:0][31:0] v, logic [1:0][31:0] b);
    automatic logic            is_signed = op == isa_pkg::AOP_MIN_S32 || op == isa_pkg::AOP_MAX_S32 ||
                                           op == isa_pkg::AOP_MIN_S64 || op == isa_pkg::AOP_MAX_S64;
    automatic logic            smaller   = op == isa_pkg::AOP_MIN || op == isa_pkg::AOP_MIN_S32 ||
                                           op == isa_pkg::AOP_MIN_U64 || op == isa_pkg::AOP_MIN_S64;
    automatic logic            larger    = op == isa_pkg::AOP_MAX || op == isa_pkg::AOP_MAX_S32 ||
                                           op == isa_pkg::AOP_MAX_U64 || op == isa_pkg::AOP_MAX_S64;
    automatic logic            inc       = op == isa_pkg::AOP_INC;
    automatic logic            dec       = op == isa_pkg::AOP_DEC;
    automatic logic            bit_and   = op == isa_pkg::AOP_AND || op == isa_pkg::AOP_AND_64;
    automatic logic            bit_or    = op == isa_pkg::AOP_OR || op == isa_pkg::AOP_OR_64;
    automatic logic            bit_xor   = op == isa_pkg::AOP_XOR || op == isa_pkg::AOP_XOR_64;
    automatic logic            exch      = op == isa_pkg::AOP_EXCH || op == isa_pkg::AOP_EXCH_64;
    automatic logic            compare   = smaller || larger || inc || dec;
    automatic logic            add       = !compare && !bit_and && !bit_or && !bit_xor && !exch;
    // A carry says that v is not below b; of a decrement, without the one, that it is above.
    automatic logic            one       = compare && !dec;
    automatic logic [32:0]     lo        = {1'b0, v[0]} + {1'b0, b[0] ^ {32{compare}}} + 33'(one);
    automatic logic [32:0]     hi        = {1'b0, v[1]} + {1'b0, b[1] ^ {32{compare}}} + {32'b0, wide ? lo[32] : one};
    automatic logic [1:0][31:0] sum      = {hi[31:0], lo[31:0]};
    automatic logic [1:0]      carry     = {hi[32], lo[32]} ^ ({2{is_signed}} & {v[1][31] ^ b[1][31], v[0][31] ^ b[0][31]});
    for (int unsigned w = 0; w < 2; w++) begin
      automatic logic        above  = wide ? carry[1] : carry[w];
      automatic logic [32:0] step   = {1'b0, v[w]} + {1'b0, {32{dec}}} + 33'(!dec);   // its carry: there was something to take
      automatic logic        wrap   = dec && (above || !step[32]);
      automatic logic        just_v = above ? larger : smaller;
      automatic logic        just_b = (above ? smaller : larger) || wrap || exch;
      // A sum modulo 2 of 1, v, b and v & b; where an adder has the word, ones and zeros say which.
      automatic logic        with_v = just_v || bit_or || bit_xor;
      automatic logic        with_b = just_b || bit_or || bit_xor;
      automatic logic [31:0] mixed  = {32{add}} ^ (v[w] & {32{with_v}}) ^ (b[w] & ({32{with_b}} ^ (v[w] & {32{bit_and || bit_or}})));
      result[w] = (add || (inc && !above) || (dec && !wrap)) ? (mixed & sum[w]) | (~mixed & step[31:0]) : mixed;
    end
  endfunction

  function automatic logic [1:0][31:0] swapped(logic wide, logic [1:0][31:0] v, logic [1:0][31:0] b, logic [1:0][31:0] c);
    automatic logic [1:0] same = {v[1] == b[1], v[0] == b[0]};
    for (int unsigned w = 0; w < 2; w++) swapped[w] = ((same[w] && !wide) || same == '1) ? c[w] : v[w];
  endfunction

endpackage

`default_nettype wire
