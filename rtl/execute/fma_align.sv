// SPDX-License-Identifier: Apache-2.0
// Shifts the significand of c right into the 76-bit window; what falls out at the bottom is remembered in a sticky bit.
// Latency: combinational, seven levels.
// No handshake.
// It does not shift by more than 76 (shift_i is clamped in fma_exponent).
`default_nettype none

module fma_align (
  input  logic [23:0] mant_i,
  input  logic [6:0]  shift_i,    // 0 to 76
  output logic [76:0] addend_o    // window, sticky
);

  logic [99:0] shifted;
  assign shifted  = {mant_i, 76'b0} >> shift_i;
  assign addend_o = {shifted[99:24], shifted[23:0] != '0};

endmodule

`default_nettype wire
