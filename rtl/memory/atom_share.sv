// SPDX-License-Identifier: Apache-2.0
// One adder of floats (atom_add) for the atomics of shared memory and those at the point of order, in turns.
// Latency: that of atom_add; a number waits while one of the other unit is added, and no longer.
// Handshake: a number counts in the cycle in which its turn comes; its sum stands (done, for that unit) until it is taken.
// It does not keep numbers that wait.
`default_nettype none
`include "heddle_assert.svh"
`include "heddle_idle.svh"

module atom_share #(
  localparam int unsigned UNITS = 2
) (
  input  logic                               clk_i,
  input  logic                               rst_ni,
  input  logic [7:0]                         fault_i,
  // from and to the units
  input  atom_pkg::add_req_t [UNITS-1:0]     add_req_i,
  output logic [UNITS-1:0]                   add_done_o,
  output logic [63:0]                        add_sum_o
);

  logic [UNITS-1:0] want, take, grant, owner_q;
  logic             ready, start, done;
  logic             second;       // unit 1 begins

  arb_rr #(.N(UNITS)) u_turns (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .req_i   (want),
    .grant_o (grant),
    .take_i  (start)
  );

  for (genvar u = 0; u < UNITS; u++) begin : gen_unit
    assign want[u] = add_req_i[u].valid;
    assign take[u] = add_req_i[u].take;
  end

  assign start      = ready && want != '0;
  assign second     = grant[1];
  assign add_done_o = done ? owner_q : '0;

  // What is added is looked at as it starts.
  logic [atom_pkg::OP_W-1:0] op;
  logic [63:0]               v, b;

  always_comb begin
    {op, v, b} = 'x;
    if (`HEDDLE_LIVE(start)) begin
      op = second ? add_req_i[1].op : add_req_i[0].op;
      v  = second ? add_req_i[1].v : add_req_i[0].v;
      b  = second ? add_req_i[1].b : add_req_i[0].b;
    end
  end

  atom_add u_add (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .fault_i (fault_i),
    .ready_o (ready),
    .start_i (start),
    .op_i    (op),
    .v_i     (v),
    .b_i     (b),
    .done_o  (done),
    .sum_o   (add_sum_o),
    .take_i  (take != '0)
  );

  always_ff @(posedge clk_i) begin
    if (start) owner_q <= grant;
  end

  // Nobody takes another's sum.
  `ASSERT(a_owner, (take & ~add_done_o) == '0)

endmodule

`default_nettype wire
