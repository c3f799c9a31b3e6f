// SPDX-License-Identifier: Apache-2.0
// First step of alignment, by up to 15 places: of the addend in the multiply-add pipe, and of the special-function unit's fixed point.
// Leading zeros before the last step of a sum's normalisation.
// Latency and handshake: none, functions only. Two forms of the first, proved equal by tests/lab/fpga/synth/test_simulated.sh.
`include "heddle_form.svh"

package align_pkg;

  // {c, 15 zeros} shifted right. An FPGA has spare multipliers: c times a power of two takes two of them, and saves a lane 200 LUTs of
  // a shifter. The plain form shifts.
  function automatic logic [38:0] aligned(logic [23:0] c, logic [3:0] by);
`ifdef HEDDLE_PLAIN
    aligned = {c, 15'b0} >> by;
`else
    automatic logic [15:0] power = 16'h8000 >> by;
    automatic logic [33:0] low   = c[17:0] * power;
    automatic logic [20:0] high  = c[23:18] * power;
    aligned = {5'b0, low} | {high, 18'b0};
`endif
  endfunction

  // Leading zeros; 15 for 0. All nibbles are compared with zero in parallel.
  function automatic logic [3:0] zeros(logic [15:0] group);
    automatic logic [3:1] clear = {group[15:12] == '0, group[11:8] == '0, group[7:4] == '0};
    automatic logic       z3    = clear[3:2] == '1;
    automatic logic       z2    = z3 ? clear[1] : clear[3];
    automatic logic [3:1] w     = group[{~z3, ~z2, 2'd1} +: 3];
    automatic logic       z1    = w[3:2] == '0;
    automatic logic       z0    = !(z1 ? w[1] : w[3]);
    zeros = {z3, z2, z1, z0};
  endfunction

endpackage
