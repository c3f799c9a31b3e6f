// SPDX-License-Identifier: Apache-2.0
// N small counters side by side, kept as bit planes: plane b holds bit b of every counter, so that one word operation serves all.
// Latency: an event of cycle t shows from t+1 on.
// Handshake: events; each counter rises by up to two and falls by up to FALLS in a cycle. clear_i wins.
// It does not saturate: below_o tells of counters that fell below zero in the last event, and must never be set.
`include "heddle_idle.svh"

module plane_counters #(
  parameter int unsigned N     = 8,
  parameter int unsigned WIDTH = 6,   // 3 or more
  parameter int unsigned FALLS = 5    // up to 7
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  input  logic [N-1:0]      clear_i,
  input  logic [1:0][N-1:0] up_i,
  input  logic [FALLS-1:0][N-1:0] down_i,
  output logic [N-1:0]      nonzero_o,
  output logic [N-1:0]      near_full_o,   // the highest value or the one below it
  output logic [N-1:0]      high_o,        // one of the four highest values
  output logic [N-1:0]      full_o,        // the highest value
  output logic [WIDTH-1:0][N-1:0] plane_o, // bit b of each
  output logic [N-1:0]      below_o
);

  // Three bits of every counter, added.
  typedef struct packed {
    logic [N-1:0] carry;
    logic [N-1:0] sum;
  } two_t;

  function automatic two_t add3(logic [N-1:0] a, logic [N-1:0] b, logic [N-1:0] c);
    add3.sum   = a ^ b ^ c;
    add3.carry = (a & b) | (c & (a ^ b));
  endfunction

  logic [N-1:0]      plane_q [WIDTH], plane_d [WIDTH];
  logic [N-1:0]      below_q;
  logic [6:0][N-1:0] down;
  logic [2:0][N-1:0] falls;    // bits of the sum of a cycle's falls
  two_t              few, more, ones, twos, up, left;
  logic              moves;

  assign down  = (7*N)'(down_i);
  assign moves = (up_i != '0) || (down_i != '0) || (clear_i != '0);

  // The falls of a cycle are added up first; then, bit by bit, come the rises (up) and go the falls (left): a - b - borrow is
  // ~(~a + b + borrow), with the borrow as its carry.
  // Worked out in the clocked block: where nothing changes it costs nothing in simulation.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      plane_q <= '{default: '0};
      below_q <= '0;
    end else if (`HEDDLE_LIVE(moves)) begin
      few   = add3(down[0], down[1], down[2]);
      more  = add3(down[3], down[4], down[5]);
      ones  = add3(few.sum, more.sum, down[6]);
      twos  = add3(few.carry, more.carry, ones.carry);
      falls = {twos.carry, twos.sum, ones.sum};

      up   = '0;
      left = '0;
      for (int unsigned b = 0; b < WIDTH; b++) begin
        up         = add3(plane_q[b], (b == 0) ? up_i[0] : up.carry, (b == 0) ? up_i[1] : '0);
        left       = add3(~up.sum, (b < 3) ? falls[b % 3] : '0, left.carry);
        plane_d[b] = ~left.sum & ~clear_i;
      end
      plane_q <= plane_d;
      if (moves) below_q <= left.carry & ~clear_i;   // for the check alone
    end
  end

  assign below_o = below_q;
  for (genvar b = 0; b < WIDTH; b++) begin : gen_plane
    assign plane_o[b] = plane_q[b];
  end

  always_comb begin
    nonzero_o   = plane_q[0];
    high_o      = '1;
    for (int unsigned b = 1; b < WIDTH; b++) nonzero_o = nonzero_o | plane_q[b];
    for (int unsigned b = 2; b < WIDTH; b++) high_o = high_o & plane_q[b];
    near_full_o = high_o & plane_q[1];
    full_o = near_full_o & plane_q[0];
  end

endmodule
