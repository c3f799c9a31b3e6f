// SPDX-License-Identifier: Apache-2.0
// N small counters side by side, kept as bit planes: plane b holds bit b of every counter, so that one word operation serves all.
// Latency: an event of cycle t shows from t+1 on.
// Handshake: events; each counter rises by up to two and falls by up to five in a cycle. clear_i wins.
// It does not saturate: below_o tells of counters that fell below zero in the last event, and must never be set.
`default_nettype none

module plane_counters #(
  parameter int unsigned N     = 8,
  parameter int unsigned WIDTH = 6    // 3 or more
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  input  logic [N-1:0]      clear_i,
  input  logic [1:0][N-1:0] up_i,
  input  logic [4:0][N-1:0] down_i,
  output logic [N-1:0]      nonzero_o,
  output logic [N-1:0]      near_full_o,   // the highest value or the one below it
  output logic [N-1:0]      full_o,        // the highest value
  output logic [N-1:0]      below_o
);

  logic [WIDTH-1:0][N-1:0] plane_q;
  logic [N-1:0]            below_q;

  // The falls of a cycle are added up first (two full adders); then come the rises, then the falls. The borrow goes on top.
  function automatic logic [WIDTH:0][N-1:0] next(input logic [WIDTH-1:0][N-1:0] plane, input logic [1:0][N-1:0] up,
                                                 input logic [4:0][N-1:0] down);
    logic [N-1:0]      half, pair, carry, borrow;
    logic [2:0][N-1:0] falls;
    half     = down[0] ^ down[1] ^ down[2];
    carry    = (down[0] & down[1]) | (down[2] & (down[0] ^ down[1]));
    pair     = (down[3] & down[4]) | (half & (down[3] ^ down[4]));
    falls[0] = half ^ down[3] ^ down[4];
    falls[1] = carry ^ pair;
    falls[2] = carry & pair;

    half    = up[0] ^ up[1];
    next[0] = plane[0] ^ half;
    carry   = (up[0] & up[1]) | (plane[0] & half);
    for (int unsigned b = 1; b < WIDTH; b++) begin
      next[b] = plane[b] ^ carry;
      carry   = plane[b] & carry;
    end

    borrow = '0;
    for (int unsigned b = 0; b < WIDTH; b++) begin
      half    = next[b] ^ ((b < 3) ? falls[b % 3] : '0);
      pair    = (~next[b] & half) | (~half & borrow);
      next[b] = half ^ borrow;
      borrow  = pair;
    end
    next[WIDTH] = borrow;
  endfunction

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      plane_q <= '0;
      below_q <= '0;
    end else if ((up_i != '0) || (down_i != '0) || (clear_i != '0)) begin
      {below_q, plane_q} <= next(plane_q, up_i, down_i) & {(WIDTH+1){~clear_i}};
    end
  end

  assign below_o = below_q;

  always_comb begin
    nonzero_o   = plane_q[0];
    near_full_o = '1;
    for (int unsigned b = 1; b < WIDTH; b++) begin
      nonzero_o   = nonzero_o | plane_q[b];
      near_full_o = near_full_o & plane_q[b];
    end
    full_o = near_full_o & plane_q[0];
  end

endmodule

`default_nettype wire
