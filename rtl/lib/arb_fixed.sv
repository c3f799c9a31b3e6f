// SPDX-License-Identifier: Apache-2.0
// Arbiter with fixed priority: requester 0 goes first.
// Latency: combinational from request to grant.
// Handshake: grant_o is one-hot, or zero without a request; it follows the requests of the same cycle.
// It does not hold a grant: a higher request that appears takes it over.
`include "heddle_form.svh"

module arb_fixed #(
  parameter int unsigned N = 4
) (
  // from the requesters
  input  logic [N-1:0] req_i,
  // to the requesters
  output logic [N-1:0] grant_o
);

  // Few requesters: a term each; many: an adder. Both forms are equal and plain; the carry chain of an FPGA is fast only for many.
`ifdef HEDDLE_SIMULATED
  assign grant_o = req_i & (~req_i + N'(1));
`else
  if (N > 4 && N <= 8) begin : gen_few
    for (genvar i = 0; i < N; i++) begin : gen_one
      assign grant_o[i] = req_i[i] && (req_i & N'((1 << i) - 1)) == '0;
    end
  end else begin : gen_many
    assign grant_o = req_i & (~req_i + N'(1));
  end
`endif

endmodule
