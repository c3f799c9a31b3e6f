// SPDX-License-Identifier: Apache-2.0
// Arbiter with fixed priority: requester 0 goes first.
// Latency: combinational from request to grant.
// Handshake: grant_o is one-hot, or zero without a request; it follows the requests of the same cycle.
// It does not hold a grant: a higher request that appears takes it over.
`default_nettype none

module arb_fixed #(
  parameter int unsigned N = 4
) (
  // from the requesters
  input  logic [N-1:0] req_i,
  // to the requesters
  output logic [N-1:0] grant_o
);

  assign grant_o = req_i & (~req_i + N'(1));

endmodule

`default_nettype wire
