// SPDX-License-Identifier: Apache-2.0
// Places of the ring in which beats of shared memory are put together: where the next word goes, where the oldest beat lies, and
// how many places are promised. A beat is promised its places as its last pass is sent, so that what is under way always has
// room; it is whole once its last word is written, and gives its places back as it leaves.
// Latency: one cycle from push_i to whole_o. Handshake: events alone; who sends looks at owed_o first.
// It holds no data: words lie in the memories of its user, by wr_o and rd_o.
`include "heddle_assert.svh"

module shm_ring #(
  parameter  int unsigned UNITS   = 16,           // places; a power of two
  localparam int unsigned PTR_W   = $clog2(UNITS),
  localparam int unsigned COUNT_W = $clog2(UNITS + 1)
) (
  input  logic               clk_i,
  input  logic               rst_ni,
  // a beat is on its way
  input  logic               sent_i,
  input  logic [COUNT_W-1:0] sent_places_i,
  output logic [COUNT_W-1:0] owed_o,          // places taken, or promised
  // a beat is whole
  output logic [PTR_W-1:0]   wr_o,            // first place of the beat that is being written
  input  logic               push_i,
  input  logic [PTR_W-1:0]   push_places_i,
  // the oldest beat leaves
  output logic [PTR_W-1:0]   rd_o,
  output logic               whole_o,         // there is one
  input  logic               pop_i,
  input  logic [COUNT_W-1:0] pop_places_i
);

  logic [COUNT_W-1:0] whole_q, sum;           // whole beats

  assign sum = sent_i ? owed_o + sent_places_i : owed_o;

  // pop_i depends on whether the end of the unit takes a row, which is known late: it chooses between two sums.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      owed_o  <= '0;
      wr_o    <= '0;
      rd_o    <= '0;
      whole_q <= '0;
      whole_o <= 1'b0;
    end else begin
      owed_o <= pop_i ? sum - pop_places_i : sum;
      if (push_i) wr_o <= wr_o + push_places_i;
      if (pop_i)  rd_o <= rd_o + PTR_W'(pop_places_i);
      if (push_i && !pop_i)      whole_q <= whole_q + 1'b1;
      else if (pop_i && !push_i) whole_q <= whole_q - 1'b1;
      if (push_i || pop_i)       whole_o <= push_i || whole_q != COUNT_W'(1);
    end
  end

  `ASSERT(a_whole, whole_o == (whole_q != '0))

endmodule
