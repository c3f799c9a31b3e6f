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

  // Of each word: is v below b, as the operation compares? Of a wide number both words say the same.
  function automatic logic [1:0] below(logic is_signed, logic wide, logic [1:0][31:0] v, logic [1:0][31:0] b);
    automatic logic [1:0] flip = {2{is_signed}} & {v[1][31] ^ b[1][31], (v[0][31] ^ b[0][31]) && !wide};
    automatic logic [1:0] less = {v[1] < b[1], v[0] < b[0]} ^ flip;
    below = wide ? {2{less[1] || (v[1] == b[1] && less[0])}} : less;
  endfunction

  function automatic logic [1:0][31:0] result(logic [OP_W-1:0] op, logic wide, logic [1:0][31:0] v, logic [1:0][31:0] b,
                                              logic [1:0][31:0] c);
    automatic logic       is_signed = op == isa_pkg::AOP_MIN_S32 || op == isa_pkg::AOP_MAX_S32 || op == isa_pkg::AOP_MIN_S64
                                      || op == isa_pkg::AOP_MAX_S64;
    automatic logic [1:0] less  = below(is_signed, wide, v, b);
    automatic logic [1:0] same  = {v[1] == b[1], v[0] == b[0]};
    automatic logic [1:0] equal = wide ? {2{&same}} : same;
    automatic logic [32:0] low  = {1'b0, v[0]} + {1'b0, b[0]};
    result = '0;
    for (int unsigned w = 0; w < 2; w++) begin
      case (op)
        isa_pkg::AOP_MIN, isa_pkg::AOP_MIN_S32, isa_pkg::AOP_MIN_U64, isa_pkg::AOP_MIN_S64: result[w] = less[w] ? v[w] : b[w];
        isa_pkg::AOP_MAX, isa_pkg::AOP_MAX_S32, isa_pkg::AOP_MAX_U64, isa_pkg::AOP_MAX_S64: result[w] = less[w] ? b[w] : v[w];
        isa_pkg::AOP_INC:                        result[w] = less[w] ? v[w] + 32'd1 : '0;
        isa_pkg::AOP_DEC:                        result[w] = (v[w] == '0 || !(less[w] || same[w])) ? b[w] : v[w] - 32'd1;
        isa_pkg::AOP_AND, isa_pkg::AOP_AND_64:   result[w] = v[w] & b[w];
        isa_pkg::AOP_OR, isa_pkg::AOP_OR_64:     result[w] = v[w] | b[w];
        isa_pkg::AOP_XOR, isa_pkg::AOP_XOR_64:   result[w] = v[w] ^ b[w];
        isa_pkg::AOP_EXCH, isa_pkg::AOP_EXCH_64: result[w] = b[w];
        COMPARE_SWAP:                            result[w] = equal[w] ? c[w] : v[w];
        default:                                 result[w] = (w == 0) ? low[31:0] : v[1] + b[1] + 32'(wide && low[32]);   // ADD
      endcase
    end
  endfunction

endpackage

`default_nettype wire
