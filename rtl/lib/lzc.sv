// SPDX-License-Identifier: Apache-2.0
// Leading zero count: zeros above the highest set bit of a WIDTH-bit word.
// Latency: combinational, log2(WIDTH) steps of a search by halves (plain words: a tree of packed counts simulates slowly).
// count_o is WIDTH-1 or above when in_i is zero: look at zero_o. No handshake.
// It does not saturate or shift; normalisers use count_o as a left-shift amount.
`default_nettype none

module lzc #(
  parameter int unsigned WIDTH = 32,
  localparam int unsigned COUNT_W = (WIDTH > 1) ? $clog2(WIDTH) : 1
) (
  input  logic [WIDTH-1:0]   in_i,
  output logic [COUNT_W-1:0] count_o,
  output logic               zero_o
);

  localparam int unsigned SPAN = 2 ** COUNT_W;

  logic [SPAN-1:0] word;

  // Step k asks whether the upper 2**k bits of what is left are zero, and goes on with the other half if they are.
  always_comb begin
    word    = '0;
    word[SPAN-1-:WIDTH] = in_i;
    count_o = '0;
    for (int k = int'(COUNT_W) - 1; k >= 0; k--) begin
      count_o[k] = (word >> (SPAN - (1 << k))) == '0;
      if (count_o[k]) word = word << (1 << k);
    end
  end

  assign zero_o = in_i == '0;

endmodule

`default_nettype wire
