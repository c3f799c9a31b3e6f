// SPDX-License-Identifier: Apache-2.0
// What travels together between the partitions of an SM and what they share. As in front_pkg, a
// struct holds nets of one producer that are known at the same time.
`default_nettype none

package sm_pkg;

  // Users pick what they need.
  /* verilator lint_off UNUSEDPARAM */

  // ---- from the dispatcher ---------------------------------------------------------------------
  // One row of thread ids: of a beat of a warp.
  typedef struct packed {
    logic [cfg_pkg::SM_WARP_W-1:0]    slot;
    logic [4:0]                       beat;
    logic [cfg_pkg::LANES-1:0][10:0]  x, y, z;
  } tid_t;

  /* verilator lint_on UNUSEDPARAM */
endpackage

`default_nettype wire
