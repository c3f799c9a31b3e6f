// SPDX-License-Identifier: Apache-2.0
// What an atomic makes of a word of memory: v, its operand b, and for compare-and-swap the new value c.
// Latency and handshake: none, a function and constants only.
// It knows operations on 32-bit integers; the others do not reach the hardware (a star in the ISA file).
`default_nettype none

package atom_pkg;

  // Operations as the field of the word has them (the same numbers in ATOM and RED), and one more.
  localparam int unsigned OP_W = 6;
  localparam logic [OP_W-1:0] COMPARE_SWAP = '1;

  function automatic logic [31:0] result(logic [OP_W-1:0] op, logic [31:0] v, logic [31:0] b, logic [31:0] c);
    automatic logic below   = v < b;
    automatic logic below_s = (v[31] != b[31]) ? v[31] : below;   // as signed numbers
    automatic logic equal   = v == b;
    case (op)
      isa_pkg::AOP_MIN:     result = below ? v : b;
      isa_pkg::AOP_MIN_S32: result = below_s ? v : b;
      isa_pkg::AOP_MAX:     result = below ? b : v;
      isa_pkg::AOP_MAX_S32: result = below_s ? b : v;
      isa_pkg::AOP_INC:     result = below ? v + 32'd1 : '0;
      isa_pkg::AOP_DEC:     result = (v == '0 || !(below || equal)) ? b : v - 32'd1;
      isa_pkg::AOP_AND:     result = v & b;
      isa_pkg::AOP_OR:      result = v | b;
      isa_pkg::AOP_XOR:     result = v ^ b;
      isa_pkg::AOP_EXCH:    result = b;
      COMPARE_SWAP:         result = equal ? c : v;
      default:              result = v + b;                               // AOP_ADD
    endcase
  endfunction

endpackage

`default_nettype wire
