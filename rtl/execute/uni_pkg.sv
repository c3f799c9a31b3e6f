// SPDX-License-Identifier: Apache-2.0
// What the uniform pipe knows of an instruction once its word is read.
// Latency and handshake: none, types only.
// It does not hold operands.
`default_nettype none

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

endpackage

`default_nettype wire
