// SPDX-License-Identifier: Apache-2.0
// Round-robin arbiter: after a grant was taken, the requester behind it has priority.
// Latency: combinational from request to grant; the priority moves at the clock edge.
// Handshake: grant_o is one-hot, or zero without a request. take_i says that the grant is used in this cycle;
// without it the priority stays. A requester that keeps its request is granted within N takes.
// It does not hold a grant: while not taken it may move if a requester nearer to the priority appears.
`include "heddle_assert.svh"
`include "heddle_form.svh"

module arb_rr #(
  parameter int unsigned N = 4
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  // from the requesters
  input  logic [N-1:0] req_i,
  // to the requesters
  output logic [N-1:0] grant_o,
  // from the user of the grant
  input  logic         take_i
);

  // Requesters above the one served last.
  logic [N-1:0] above_q, above, above_req, lowest, lowest_above;

  // Both candidates are computed in parallel with the choice between them.
  assign above_req = req_i & above_q;
  assign grant_o   = (above_req != '0) ? lowest_above : lowest;

  arb_fixed #(.N(N)) u_above (
    .req_i   (above_req),
    .grant_o (lowest_above)
  );
  arb_fixed #(.N(N)) u_all (
    .req_i   (req_i),
    .grant_o (lowest)
  );

  // Those above the granted one; for few requesters a term each (arb_fixed).
`ifdef HEDDLE_SIMULATED
  assign above = ~(grant_o | (grant_o - N'(1)));
`else
  if (N > 4 && N <= 8) begin : gen_few
    for (genvar i = 0; i < N; i++) begin : gen_one
      assign above[i] = (grant_o & N'((1 << i) - 1)) != '0;
    end
  end else begin : gen_many
    assign above = ~(grant_o | (grant_o - N'(1)));
  end
`endif

  always_ff @(posedge clk_i) begin
    if (!rst_ni) above_q <= '0;
    else if (take_i && req_i != '0) above_q <= above;
  end

  // With a request exactly one is granted.
  `ASSERT_IF(a_onehot, req_i != '0, grant_o != '0 && (grant_o & (grant_o - N'(1))) == '0)
  // A grant has its request.
  `ASSERT_IF(a_asked, grant_o != '0, (grant_o & ~req_i) == '0)

endmodule
