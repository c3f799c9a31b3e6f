// SPDX-License-Identifier: Apache-2.0
// rtl/lib/arb_rr.sv, with four requesters.
// config: tiny
// quick
`include "properties.svh"

module arb_rr_formal (
  input logic       clk_i,
  input logic [3:0] req,
  input logic       take
);
  `RESET

  logic [3:0] grant;

  arb_rr #(.N(4)) u_dut (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .req_i   (req),
    .grant_o (grant),
    .take_i  (take)
  );

  // Any one of them.
  logic [1:0] who_q;
  always_ff @(posedge clk_i) who_q <= who_q;

  // Grants taken by others since it began to request.
  logic [2:0] others_q;
  logic [3:0] req_q, grant_q;
  logic       idle_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || !req[who_q] || (take && grant[who_q])) others_q <= 3'd0;
    else if (take && others_q != 3'd7)                    others_q <= others_q + 3'd1;
    req_q   <= req;
    grant_q <= grant;
    idle_q  <= rst_ni && !take;
  end

  // Exactly one of the requesters is granted.
  `PROVE(p_one, (req == '0) ? grant == '0 : $countones(grant) == 1 && (grant & ~req) == '0)
  // A requester that keeps its request is served after three others at the most.
  `PROVE(p_wait, !(req[who_q] && take && !grant[who_q]) || others_q < 3'd3)
  // A grant that was not taken stays while the requests stay.
  `PROVE(p_stays, !idle_q || req != req_q || grant == grant_q)
  // Three others may go first.
  `REACH(r_wait, others_q == 3'd3 && grant[who_q])
endmodule
