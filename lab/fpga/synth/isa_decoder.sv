// SPDX-License-Identifier: Apache-2.0
// The generated decoder (isa_pkg::decode) between registers, whole: what an encoding costs to decode, for `heddle isa report`.
// Latency: two cycles. No handshake.
// It leaves no unit out, so it is larger than what a machine has that lacks some.
module isa_decoder (
  input  logic          clk_i,
  input  logic [127:0]  word_i,
  output isa_pkg::dec_t dec_o
);

  logic [127:0] word_q;

  always_ff @(posedge clk_i) begin
    word_q <= word_i;
    dec_o  <= isa_pkg::decode(word_q);
  end

endmodule
