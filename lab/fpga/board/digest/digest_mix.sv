// SPDX-License-Identifier: Apache-2.0
// Words of an item as one: d0 + x^8 d1 + x^16 d2 + ... in GF(2^32) (docs/digest-format.md). From the last word on: times
// x^8, of which eight bits fold back, and the next one added.
// Latency: none. Handshake: none; a function.
// It does not multiply by g: that depends on where the words were written.
module digest_mix #(
  parameter int unsigned WORDS = 5
) (
  input  logic [WORDS-1:0][31:0] words_i,
  output logic [31:0]            r_o
);

  // Which of the eight bits that leave go into each bit.
  typedef logic [31:0][7:0] fold_t;
  function automatic fold_t fold();
    automatic logic [31:0] a = digest_pkg::POLY;
    for (int unsigned b = 0; b < 8; b++) begin
      for (int unsigned k = 0; k < 32; k++) fold[k][b] = a[k];
      a = digest_pkg::times_x(a);
    end
  endfunction
  localparam fold_t FOLD = fold();

  logic [WORDS-1:0][31:0] sum;
  assign sum[WORDS-1] = words_i[WORDS-1];
  for (genvar w = 0; w < WORDS - 1; w++) begin : gen_word
    for (genvar k = 0; k < 32; k++) begin : gen_bit
      if (k < 8) begin : gen_low
        assign sum[w][k] = words_i[w][k] ^ (^(sum[w+1][31:24] & FOLD[k]));
      end else begin : gen_high
        assign sum[w][k] = words_i[w][k] ^ sum[w+1][k-8] ^ (^(sum[w+1][31:24] & FOLD[k]));
      end
    end
  end
  assign r_o = sum[0];

endmodule
