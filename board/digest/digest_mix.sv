// SPDX-License-Identifier: Apache-2.0
// Words of an item as one: d0 + x^8 d1 + x^16 d2 + ... in GF(2^32) (docs/digest-format.md).
// Latency: none. Handshake: none; a function. Each bit is the XOR of bits that are known beforehand.
// It does not multiply by g: that depends on where the words were written.
`default_nettype none

module digest_mix #(
  parameter int unsigned WORDS = 5
) (
  input  logic [WORDS-1:0][31:0] words_i,
  output logic [31:0]            r_o
);

  // Which bits go into each bit of the result.
  typedef logic [31:0][WORDS-1:0][31:0] matrix_t;
  function automatic matrix_t matrix();
    automatic logic [31:0] a;
    for (int unsigned b = 0; b < 32; b++) begin
      a = 32'd1 << b;
      for (int unsigned w = 0; w < WORDS; w++) begin
        for (int unsigned k = 0; k < 32; k++) matrix[k][w][b] = a[k];
        for (int unsigned k = 0; k < 8; k++) a = digest_pkg::times_x(a);
      end
    end
  endfunction
  localparam matrix_t MATRIX = matrix();

  for (genvar k = 0; k < 32; k++) begin : gen_bit
    assign r_o[k] = ^(words_i & MATRIX[k]);
  end

endmodule

`default_nettype wire
