// SPDX-License-Identifier: Apache-2.0
// Two levels: round robin among the members of a small set; all others wait outside. A member that waits long (memory,
// barrier, a dependency counter) leaves, one a cycle; of those outside that do not wait long, the one that has been outside longest
// takes the place, one a cycle. So groups of warps reach their long waits at different times.
// A place that no member leaves for LIMIT cycles while another warp could use it is taken from the member that came first.
// Latency: combinational from request to pick, for members; a move is seen in the next cycle. In the cycle in which a place
// is left it is taken; one that is taken away, a cycle later.
// Handshake: pick_o is one-hot, or zero if no member asks; take_i says that it counts. Where every pick counts, a warp that asks in
// every cycle is picked within
// (N - SIZE) x (LIMIT + 1) + 2 x SIZE cycles, one more if it gave way: at most N - 1 less the members came before it, SIZE of them
// into empty places; a warp that leaves comes after it; once it is a member SIZE - 1 others go, and LIMIT >= SIZE lets it stay.
// Fan-in is N bits for each of N warps, as it is for age in oldest_first.
// It does not pick a warp outside the set, even if no member asks.
`include "heddle_assert.svh"
`include "heddle_idle.svh"

module two_level #(
  parameter int unsigned N     = 8,
  parameter int unsigned SIZE  = 4,     // members, 1 to N
  parameter int unsigned LIMIT = 256    // at least SIZE and 2
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  // a warp starts: of those outside it came last
  input  logic [N-1:0] start_i,
  // waits long, or is not alive; does not ask
  input  logic [N-1:0] long_i,
  // a requester gives way once
  input  logic [N-1:0] yield_i,
  // from and to the scheduler
  input  logic [N-1:0] req_i,
  output logic [N-1:0] pick_o,
  input  logic         take_i     // late: nothing but the members' order follows from it
);

  localparam int unsigned COUNT_W = $clog2(N + 1);
  localparam int unsigned WAIT_W  = $clog2(LIMIT);

  // before_q[i]: the warps that moved before i did, in or out.
  logic [N-1:0][N-1:0] before_q;
  logic [N-1:0][N-1:0] before_moved;
  logic [N-1:0]        member_q, done, ready, among, first, done_one, leave, enter, moved;
  logic [COUNT_W-1:0]  count_q;
  logic [WAIT_W-1:0]   wait_q;
  logic                full, wanted, take;

  // ---- the set --------------------------------------------------------------------------------------------------------------
  assign done   = member_q & long_i;
  assign ready  = ~member_q & ~long_i;
  assign full   = count_q == COUNT_W'(SIZE);
  assign wanted = full && ready != '0 && done == '0;
  assign take   = wanted && wait_q == WAIT_W'(LIMIT - 1);

  // Of the members, the one that is to lose its place; else of those outside, the one that is to come in.
  assign among = take ? member_q : ready;
  always_comb begin
    first = '0;
    `HEDDLE_ONLY(among != '0) begin
      for (int unsigned i = 0; i < N; i++) first[i] = among[i] && (among & before_q[i]) == '0;
    end
  end

  assign done_one = done & (~done + N'(1));
  assign leave    = take ? first : done_one;
  assign enter    = (!take && (!full || done != '0)) ? first : '0;
  assign moved    = leave | enter;

  // One that starts comes after one that leaves in the same cycle.
  always_comb begin
    before_moved = before_q;
    `HEDDLE_ONLY(moved != '0) begin
      for (int unsigned i = 0; i < N; i++) before_moved[i] = moved[i] ? before_q[i] | ~moved : before_q[i] & ~moved;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      member_q <= '0;
      count_q  <= '0;
      wait_q   <= '0;
      for (int unsigned i = 0; i < N; i++) before_q[i] <= (N'(1) << i) - N'(1);
    end else begin
      member_q <= (member_q & ~leave) | enter;
      count_q  <= count_q + COUNT_W'(enter != '0) - COUNT_W'(leave != '0);
      wait_q   <= wanted ? wait_q + WAIT_W'(1) : '0;   // never full in the cycle after take
      if (`HEDDLE_LIVE(moved != '0 || start_i != '0)) begin
        for (int unsigned i = 0; i < N; i++) before_q[i] <= start_i[i] ? ~start_i : before_moved[i] & ~start_i;
      end
    end
  end

  // ---- its members ----------------------------------------------------------------------------------------------------------
  round_robin #(.N(N)) u_members (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .yield_i (yield_i),
    .req_i   (req_i & member_q),
    .pick_o  (pick_o),
    .take_i  (take_i)
  );

  // A warp that waits long does not ask.
  `ASSERT(a_long, (req_i & long_i) == '0)
  // A place does not stay empty while a warp could use it, and not one too many comes in.
  `ASSERT(a_room, count_q <= COUNT_W'(SIZE) && (full || ready == '0 || enter != '0))

endmodule
