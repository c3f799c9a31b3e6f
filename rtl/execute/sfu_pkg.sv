// SPDX-License-Identifier: Apache-2.0
// What the special-function unit knows of an instruction once its word is read, and its size.
// Latency and handshake: none, types and constants only.
// It does not hold operands, nor the tables (mufu_pkg, generated).
package sfu_pkg;

  // Lanes of the datapath. A beat takes PASSES passes. (A machine without the unit has a number, too.)
  localparam int unsigned LANES  = (cfg_pkg::SFU_LANES != 0) ? cfg_pkg::SFU_LANES : 1;
  localparam int unsigned PASSES = cfg_pkg::LANES / LANES;
  // Registers of the datapath from operand to result.
  localparam int unsigned RANKS  = 8;

  typedef enum logic [2:0] {FN_RCP, FN_RSQ, FN_SQRT, FN_EX2, FN_LG2, FN_SIN, FN_COS, FN_TANH} fn_e;

  // Format of operand and result; F64 is the upper word of one.
  typedef enum logic [1:0] {FMT_F32, FMT_F64, FMT_F16, FMT_BF16} fmt_e;

  typedef struct packed {
    fn_e  fn;
    fmt_e fmt;
    logic neg, abs;   // of the operand: first the absolute value
  } ctl_t;

endpackage
