// SPDX-License-Identifier: Apache-2.0
// Reset of one clock domain from an asynchronous one: asserted at once, with or without a clock, released at an edge.
// Latency: rst_no falls with arst_ni, and rises at edge HOLD + 3 of those in a row that sample it high.
// No handshake.
// Only the first of the two synchronising registers may be metastable: all others change only by the second one.
module reset_sync #(
  parameter int unsigned HOLD = 1       // cycles that a reset lasts beyond those of the registers, at least 1
) (
  input  logic clk_i,
  input  logic arst_ni,                 // asynchronous
  output logic rst_no
);

  localparam int unsigned HOLD_W = $clog2(HOLD + 1);

  (* keep, async_reg = "true" *)
  logic [1:0]        gone_q;
  logic [HOLD_W-1:0] held_q;

  always_ff @(posedge clk_i, negedge arst_ni) begin
    if (!arst_ni) begin
      gone_q <= '0;
      held_q <= '0;
      rst_no <= 1'b0;
    end else begin
      gone_q <= {gone_q[0], 1'b1};
      if (held_q == HOLD_W'(HOLD)) rst_no <= 1'b1;
      else if (gone_q[1])          held_q <= held_q + 1'b1;
    end
  end

endmodule
