// SPDX-License-Identifier: Apache-2.0
// Leading zero count: zeros above the highest set bit of a word of up to 128 bits.
// Latency: combinational, log2(WIDTH) steps of a search by halves, in words of at most 64 bits (a tree of packed counts, and
// shifts of wider words, simulate slowly). count_o is WIDTH-1 or above when in_i is zero: look at zero_o. No handshake.
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

  localparam int unsigned STEPS = (COUNT_W > 6) ? 6 : COUNT_W;
  localparam int unsigned SPAN  = 2 ** STEPS;

  if (WIDTH > 128) begin : gen_check
    $error("lzc: WIDTH is above 128");
  end

  // The word, or of a wide one the half that holds the leading bit.
  logic [SPAN-1:0] head;
  if (WIDTH > SPAN) begin : gen_wide
    logic [SPAN-1:0] upper, lower;
    assign upper = in_i[WIDTH-1 -: SPAN];
    always_comb begin
      lower = '0;
      lower[SPAN-1 -: WIDTH-SPAN] = in_i[WIDTH-SPAN-1:0];
    end
    assign count_o[COUNT_W-1] = upper == '0;
    assign head = (upper == '0) ? lower : upper;
  end else begin : gen_plain
    always_comb begin
      head = '0;
      head[SPAN-1 -: WIDTH] = in_i;
    end
  end

  // Step k asks whether the upper 2**k bits of what is left are zero, and goes on with the other half if they are.
  logic [SPAN-1:0]  word;
  logic [STEPS-1:0] count;
  always_comb begin
    word  = head;
    count = '0;
    for (int k = int'(STEPS) - 1; k >= 0; k--) begin
      count[k] = (word >> (SPAN - (1 << k))) == '0;
      if (count[k]) word = word << (1 << k);
    end
  end

  assign count_o[STEPS-1:0] = count;
  assign zero_o             = in_i == '0;

endmodule

`default_nettype wire
