// SPDX-License-Identifier: Apache-2.0
// What the uniform datapath hands on: what its pipe knows of an instruction once its word is read, what that has read, what is
// written.
// Latency and handshake: none, types only.
// It does not hold operands.
package uni_pkg;

  typedef struct packed {
    logic uns;       // the product is of unsigned numbers
    logic neg;       // c is negated (the low word alone is the result)
    logic wide;      // both words are the result
    logic high;      // the upper word is; neither: the lower one
  } mul_ctl_t;

  typedef struct packed {
    exec_pkg::alu_ctl_t alu;
    mul_ctl_t           mul;
    logic               is_mul;
  } ctl_t;

  // What an instruction has read; c of two words.
  typedef struct packed {
    logic [63:0]        c;
    logic [31:0]        b, a;
  } words_t;

  // The write port of the registers and predicates: whose, one word of a pair or both, which predicates.
  typedef struct packed {
    core_pkg::id_t      id;
    logic [7:0]         rd;
    logic [1:0]         en;        // the even register of the pair, the odd one
    logic [1:0][31:0]   data;
    logic [6:0]         pred_en, pred;
  } write_t;

  // A predicate as a bit of pred_en; predicate 7 is none.
  function automatic logic [6:0] pred_bit(logic [2:0] index);
    pred_bit = 7'(8'd1 << index);
  endfunction

endpackage
