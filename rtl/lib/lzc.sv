// SPDX-License-Identifier: Apache-2.0
// Leading zero count: zeros above the highest set bit of a WIDTH-bit word.
// Latency: combinational, a tree of log2(WIDTH) levels. count_o is WIDTH-1 or above when in_i is zero: look at zero_o.
// No handshake.
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

  // A binary tree over 2**COUNT_W leaves, the word at the top, zeros below it. Node n has children 2n (upper half) and 2n+1.
  localparam int unsigned LEAVES = 2 ** COUNT_W;

  logic [LEAVES-1:0]                leaf;
  logic [2*LEAVES-1:0]              any;
  logic [2*LEAVES-1:0][COUNT_W-1:0] count;

  if (LEAVES > WIDTH) begin : gen_pad
    assign leaf = {in_i, {(LEAVES-WIDTH){1'b0}}};
  end else begin : gen_full
    assign leaf = in_i;
  end

  always_comb begin
    any   = '0;
    count = '0;
    for (int unsigned i = 0; i < LEAVES; i++) begin
      any[LEAVES+i] = leaf[LEAVES-1-i];
    end
    for (int unsigned level = 0; level < COUNT_W; level++) begin
      for (int unsigned i = 0; i < (LEAVES >> (level+1)); i++) begin
        any[(LEAVES>>(level+1))+i] = any[(LEAVES>>level)+2*i] | any[(LEAVES>>level)+2*i+1];
        count[(LEAVES>>(level+1))+i] = any[(LEAVES>>level)+2*i]
          ? count[(LEAVES>>level)+2*i]
          : (count[(LEAVES>>level)+2*i+1] | (COUNT_W'(1) << level));
      end
    end
  end

  assign count_o = count[1];
  assign zero_o  = !any[1];

endmodule

`default_nettype wire
