// SPDX-License-Identifier: Apache-2.0
// Any function of three inputs, given as a truth table: LOP3 bit by bit (WIDTH 32), PLOP3 on predicates (WIDTH 1).
// Latency: combinational.
// No handshake.
// It does not complement its inputs; the table says it all.
`default_nettype none

module alu_logic3 #(
  parameter int unsigned WIDTH = 32
) (
  input  logic [7:0]       lut_i,   // index a<<2 | b<<1 | c
  input  logic [WIDTH-1:0] a_i,
  input  logic [WIDTH-1:0] b_i,
  input  logic [WIDTH-1:0] c_i,
  output logic [WIDTH-1:0] word_o
);

  always_comb begin
    for (int unsigned i = 0; i < WIDTH; i++) begin
      word_o[i] = lut_i[{a_i[i], b_i[i], c_i[i]}];
    end
  end

endmodule

`default_nettype wire
