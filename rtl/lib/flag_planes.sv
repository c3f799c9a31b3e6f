// SPDX-License-Identifier: Apache-2.0
// Flags of columns (of warps), in registers: all flags of one column are written at a time, and each flag is read of all
// columns at once, as a plane.
// Latency: a write in cycle t is visible in t+1.
// No handshake: a column a cycle.
// It has no reset.
`include "heddle_form.svh"
`include "heddle_lanes.svh"

module flag_planes #(
  parameter int unsigned COLUMNS = 4,
  parameter int unsigned FLAGS = 8
) (
  input  logic               clk_i,
  input  logic [COLUMNS-1:0] put_i,             // the column that is written; none, or one
  input  logic [FLAGS-1:0]   flags_i,
  output logic [COLUMNS-1:0] plane_o [FLAGS]
);

  logic [COLUMNS-1:0] plane_q [FLAGS];

`ifdef HEDDLE_SIMULATED
  // One operation for all columns.
  logic [COLUMNS-1:0] plane_d [FLAGS];

  /* verilator lint_off BLKSEQ */
  always_ff @(posedge clk_i) begin
    if (put_i != '0) begin
      `LANE_LOOP (int f = 0; f < int'(FLAGS); f++) plane_d[f] = (plane_q[f] & ~put_i) | (flags_i[f] ? put_i : '0);
      plane_q <= plane_d;
    end
  end
  /* verilator lint_on BLKSEQ */
`else
  // An enable for each column.
  always_ff @(posedge clk_i) begin
    for (int unsigned f = 0; f < FLAGS; f++) begin
      for (int unsigned c = 0; c < COLUMNS; c++) begin
        if (put_i[c]) plane_q[f][c] <= flags_i[f];
      end
    end
  end
`endif

  always_comb begin
    `LANE_LOOP (int f = 0; f < int'(FLAGS); f++) plane_o[f] = plane_q[f];
  end

endmodule
