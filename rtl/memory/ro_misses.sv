// SPDX-License-Identifier: Apache-2.0
// Lines of a read-only cache that are on their way: a place for each, which has the line's index, and the address that memory
// is asked for next.
// Latency: pend_o, of the index that is looked up, at once; a line that is taken in cycle t is asked for from t+1 on.
// Handshake: take_i is an event, only where free_o; rd valid/ready; beats are events, of several tags in any order, those of one
// in turn, the last one marked. A line's place is its tag, free in the cycle after its last beat.
// For each line it is known whether a fault of its page comes to the host's list: one that must be told to the host shares none
// that is not (shares_o). One that lists serves its requester alone, the head when it ends.
// It has no tags of addresses: of one index there is one line at a time, so a request takes no index that is pending.
`include "heddle_assert.svh"

module ro_misses #(
  parameter int unsigned MISSES  = 2,
  parameter int unsigned INDEX_W = 6,
  localparam int unsigned MISS_W = (MISSES > 1) ? $clog2(MISSES) : 1
) (
  input  logic               clk_i,
  input  logic               rst_ni,
  // from and to the lookup
  input  logic [INDEX_W-1:0] look_i,
  input  logic               lists_i,     // what is looked up is told to the host if its page faults
  output logic [MISSES-1:0]  pend_o,      // the place of the line with this index
  output logic [MISSES-1:0]  shares_o,    // ... and its fault is one of what is looked up
  output logic               free_o,
  output logic [MISSES-1:0]  next_o,      // the place that is taken next
  input  logic               take_i,
  input  logic [33:0]        take_line_i, // address / 64; its lower bits are look_i
  // to memory
  output logic               rf_valid_o,
  input  logic               rf_ready_i,
  output logic [33:0]        rf_half_o,
  output logic [MISS_W-1:0]  rf_number_o,
  output logic               rf_lists_o,
  // from memory
  input  logic               beat_valid_i,
  input  logic [MISS_W-1:0]  beat_number_i,
  input  logic               done_valid_i,
  input  logic [MISS_W-1:0]  done_number_i,
  output logic [INDEX_W-1:0] fill_o,      // index of the line of this beat
  output logic [MISSES-1:0]  done_o,      // the place that ends in this cycle,
  output logic [INDEX_W-1:0] done_index_o  // and its index
);

  logic [MISSES-1:0]              busy_q, beat, lists_q;
  logic [MISSES-1:0][INDEX_W-1:0] index_q;
  logic [MISS_W-1:0]              next;
  logic                           some;

  lowest_one #(.N(MISSES)) u_next (
    .in_i     (~busy_q),
    .onehot_o (next_o),
    .index_o  (next),
    .any_o    (some)
  );

  assign free_o = some && !rf_valid_o;
  assign fill_o = index_q[(MISSES > 1) ? beat_number_i : '0];
  assign done_index_o = index_q[(MISSES > 1) ? done_number_i : '0];

  for (genvar m = 0; m < MISSES; m++) begin : gen_place
    assign pend_o[m] = busy_q[m] && index_q[m] == look_i;
    assign beat[m]   = beat_valid_i && (MISSES == 1 || beat_number_i == MISS_W'(m));
    assign done_o[m] = done_valid_i && (MISSES == 1 || done_number_i == MISS_W'(m));
    always_ff @(posedge clk_i) begin
      if (take_i && next_o[m]) index_q[m] <= look_i;
      if (take_i && next_o[m]) lists_q[m] <= lists_i;
    end
    assign shares_o[m] = pend_o[m] && (lists_q[m] || !lists_i);
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      busy_q     <= '0;
      rf_valid_o <= 1'b0;
    end else begin
      busy_q <= (busy_q & ~done_o) | (take_i ? next_o : '0);
      if (take_i)          rf_valid_o <= 1'b1;
      else if (rf_ready_i) rf_valid_o <= 1'b0;
    end
  end
  always_ff @(posedge clk_i) begin
    if (take_i) begin
      rf_half_o <= take_line_i;
      rf_number_o  <= next;
      rf_lists_o   <= lists_i;
    end
  end

  // A line is taken where there is a place, and while no other of its index is on the way.
  `ASSERT(a_take, !take_i || (free_o && pend_o == '0))
  // A beat belongs to a line that is on the way.
  `ASSERT(a_beat, ((beat | done_o) & ~busy_q) == '0)

endmodule
