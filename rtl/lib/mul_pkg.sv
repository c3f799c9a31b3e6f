// SPDX-License-Identifier: Apache-2.0
// Products, a function for each shape; no multiplier is written elsewhere (tests/lab/fpga/synth/test_places.sh).
// Latency: none, functions only; the user registers the product directly, so that the register is a multiplier cell's own.
// Portable: plain products, from which synthesis infers an FPGA's multipliers by size.
// u: unsigned, s: signed; bits of the factors. A product wider than an FPGA's multipliers (18 x 18, 25 x 18) takes several of them.
package mul_pkg;

  function automatic logic [21:0] u11(logic [10:0] a, logic [10:0] b);
    u11 = 22'(a) * 22'(b);
  endfunction

  function automatic logic signed [23:0] s12(logic signed [11:0] a, logic signed [11:0] b);
    s12 = 24'(a) * 24'(b);
  endfunction

  function automatic logic signed [33:0] s17(logic signed [16:0] a, logic signed [16:0] b);
    s17 = 34'(a) * 34'(b);
  endfunction

  function automatic logic signed [35:0] s18(logic signed [17:0] a, logic signed [17:0] b);
    s18 = 36'(a) * 36'(b);
  endfunction

  function automatic logic signed [65:0] s33(logic signed [32:0] a, logic signed [32:0] b);
    s33 = 66'(a) * 66'(b);
  endfunction

  function automatic logic [70:0] u53x18(logic [52:0] a, logic [17:0] b);
    u53x18 = 71'(a) * 71'(b);
  endfunction

  function automatic logic [105:0] u53(logic [52:0] a, logic [52:0] b);
    u53 = 106'(a) * 106'(b);
  endfunction

endpackage
