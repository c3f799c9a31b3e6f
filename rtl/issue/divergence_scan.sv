// SPDX-License-Identifier: Apache-2.0
// EXIT and YIELD look at every barrier where lanes are parked, one a step, in ascending order: all of them while the instruction
// executes, then those that are left. YIELD does not look at those that wait for WARPSYNC.
// Latency: the barrier that a step asks for is looked at in the next one.
// Handshake: take_i says that a step of EXIT or YIELD is being done.
// It does not know what becomes of a barrier.
module divergence_scan (
  input  logic        clk_i,
  input  logic [15:0] parked_i,     // B0-B15 where lanes are parked
  input  logic        parked_w_i,   // ... and WARPSYNC
  input  logic        begin_i,      // the instruction executes: all barriers are still to be looked at
  input  logic        yields_i,
  input  logic        take_i,
  output logic        more_o,       // there is one to ask for in this step
  output logic [4:0]  next_bx_o,    // which
  output logic [4:0]  bx_o          // the one that is looked at now
);

  logic [16:0] left, first, left_q;
  logic [4:0]  bx_q;

  assign left   = begin_i ? {parked_w_i && !yields_i, parked_i} : left_q;
  assign more_o = left != '0;
  assign bx_o   = bx_q;

  arb_fixed #(.N(17)) u_first (
    .req_i   (left),
    .grant_o (first)
  );
  onehot_index #(.N(17)) u_bx (
    .onehot_i (first),
    .index_o  (next_bx_o)
  );

  always_ff @(posedge clk_i) begin
    if (take_i) begin
      left_q <= left & ~first;
      bx_q   <= next_bx_o;
    end
  end

endmodule
