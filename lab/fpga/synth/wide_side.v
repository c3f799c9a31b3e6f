// SPDX-License-Identifier: Apache-2.0
// A LUT before the side ALUT (with SIDE_A defined) or BLUT of a slice's multiplexer, which place and route asks for: for sides where
// opt_lut has taken it away, since it passed on what another LUT or a register says.

module PFUMX (
  input  ALUT, BLUT, C0,
  output Z
);
  wire side;
`ifdef SIDE_A
  LUT4 #(.INIT(16'hAAAA)) side_i (.A(ALUT), .B(1'b0), .C(1'b0), .D(1'b0), .Z(side));
  PFUMX mux_i (.ALUT(side), .BLUT(BLUT), .C0(C0), .Z(Z));
`else
  LUT4 #(.INIT(16'hAAAA)) side_i (.A(BLUT), .B(1'b0), .C(1'b0), .D(1'b0), .Z(side));
  PFUMX mux_i (.ALUT(ALUT), .BLUT(side), .C0(C0), .Z(Z));
`endif
endmodule
