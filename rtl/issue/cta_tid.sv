// SPDX-License-Identifier: Apache-2.0
// Streams the thread ids of a block, x fastest, in rows of LANES lanes: counters with carry, no division.
// Latency: a row every LANES/STEP cycles while run_i is high, shown in the cycle after its last step, for one cycle.
// Handshake: restart_i (event) goes back to thread 0; run_i is an enable; row_valid_o is an event.
// It does not stop at the block's end: ids beyond the last thread are meaningless and belong to lanes that do not live.
`default_nettype none
`include "heddle_idle.svh"

module cta_tid #(
  parameter int unsigned STEP = 4      // threads counted in one cycle; divides LANES
) (
  input  logic                            clk_i,
  input  logic                            rst_ni,
  input  logic [7:0]                      fault_i,
  // from the host
  input  logic [2:0][10:0]                block_i,
  // from and to the dispatcher
  input  logic                            restart_i,
  input  logic                            run_i,
  output logic                            row_valid_o,
  output logic [4:0]                      row_beat_o,
  output logic [cfg_pkg::LANES-1:0][10:0] row_x_o,
  output logic [cfg_pkg::LANES-1:0][10:0] row_y_o,
  output logic [cfg_pkg::LANES-1:0][10:0] row_z_o
);

  localparam int unsigned LANES  = cfg_pkg::LANES;
  localparam int unsigned GROUPS = LANES / STEP;
  localparam logic [4:0]  LAST   = 5'(cfg_pkg::BEATS - 1);

  logic [10:0]            x_q, y_q, z_q, last_x_q, last_y_q;
  logic [STEP-1:0][10:0]  x, y, z;                  // of the next STEP threads
  logic [10:0]            after_x, after_y, after_z; // of the one behind them
  logic [LANES-1:0][10:0] row_x_q, row_y_q, row_z_q;
  logic [5:0]             group_q;
  logic [4:0]             beat_q;
  logic                   last_group, row_valid_q;
  logic [4:0]             row_beat_q;

  always_comb begin
    after_x = 'x;
    after_y = 'x;
    after_z = 'x;
    x       = 'x;
    y       = 'x;
    z       = 'x;
    if (`HEDDLE_LIVE(run_i)) begin
      after_x = x_q;
      after_y = y_q;
      after_z = z_q;
      for (int unsigned i = 0; i < STEP; i++) begin
        x[i] = after_x;
        y[i] = after_y;
        z[i] = after_z;
        after_x = after_x + 11'd1;
        if (x[i] == last_x_q) begin
          after_x = '0;
          after_y = after_y + 11'd1;
          if (y[i] == last_y_q) begin
            after_y = '0;
            after_z = after_z + 11'd1;
          end
        end
      end
    end
  end

  assign last_group = group_q == 6'(GROUPS - 1);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      row_valid_q <= 1'b0;
      group_q     <= '0;
      beat_q      <= '0;
    end else begin
      row_valid_q <= run_i && last_group;
      if (restart_i) begin
        group_q <= '0;
        beat_q  <= '0;
      end else if (run_i) begin
        group_q <= last_group ? '0 : group_q + 6'd1;
        if (last_group) beat_q <= (beat_q == LAST) ? '0 : beat_q + 5'd1;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    last_x_q   <= block_i[0] - 11'd1;
    last_y_q   <= block_i[1] - 11'd1;
    row_beat_q <= beat_q;
    if (restart_i) begin
      x_q <= '0;
      y_q <= '0;
      z_q <= '0;
    end else if (run_i) begin
      x_q <= after_x;
      y_q <= after_y;
      z_q <= after_z;
    end
    if (run_i) begin
      for (int unsigned l = 0; l < LANES; l++) begin
        if (group_q == 6'(l / STEP)) begin
          row_x_q[l] <= x[l % STEP];
          row_y_q[l] <= y[l % STEP];
          row_z_q[l] <= z[l % STEP];
        end
      end
    end
  end

  assign row_valid_o = row_valid_q;
  assign row_beat_o  = row_beat_q;
  assign row_x_o     = row_x_q;
  assign row_z_o     = row_z_q;
  always_comb begin
    row_y_o = row_y_q;
    if (fault_i == core_pkg::FAULT_TID_Y && row_beat_q == LAST) row_y_o[LANES-1] = row_y_q[LANES-1] + 11'd1;
  end

  // The planes need no count: the dispatcher stops in time.
  logic unused;
  assign unused = &{1'b0, block_i[2]};

endmodule

`default_nettype wire
