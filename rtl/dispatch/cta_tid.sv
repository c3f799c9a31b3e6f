// SPDX-License-Identifier: Apache-2.0
// Streams the thread ids of blocks, x fastest, in rows of LANES lanes: STEP threads a cycle, without a division.
// The thread n further on lies (n mod X, n / X mod Y, n / X / Y) further on, with a carry of one at most from x to y and from y
// to z. Those offsets, for n up to STEP, are counted once a launch; after that each cycle adds them to where the last one ended.
// Latency: ready_o STEP + 2 cycles after begin_i; a row 3 cycles after its last threads, for one cycle, every LANES/STEP cycles
// while run_i is high.
// Handshake: begin_i (event: block_i is new, and stands from then on), run_i (enable, only when ready_o), first_i with it: this
// is thread 0 of a block. row_valid_o is an event.
// It does not stop at the block's end: ids beyond the last thread are meaningless and belong to lanes that do not live.
`include "heddle_assert.svh"
`include "heddle_idle.svh"

module cta_tid #(
  parameter int unsigned STEP = 4      // threads counted in one cycle; divides LANES
) (
  input  logic                            clk_i,
  input  logic                            rst_ni,
  // from the host
  input  logic [1:0][10:0]                block_i,   // x, y: how far z goes does not matter, the dispatcher stops in time
  // from and to the dispatcher
  input  logic                            begin_i,
  output logic                            ready_o,
  input  logic                            run_i,
  input  logic                            first_i,
  output logic                            row_valid_o,
  output logic [4:0]                      row_beat_o,
  output logic [cfg_pkg::LANES-1:0][10:0] row_x_o,
  output logic [cfg_pkg::LANES-1:0][10:0] row_y_o,
  output logic [cfg_pkg::LANES-1:0][10:0] row_z_o
);

  localparam int unsigned LANES    = cfg_pkg::LANES;
  localparam int unsigned GROUPS   = LANES / STEP;
  localparam int unsigned OFFSET_W = $clog2(STEP + 1);
  localparam logic [4:0]  LAST     = 5'(cfg_pkg::BEATS - 1);
  typedef logic [OFFSET_W-1:0] offset_t;

  // ---- offsets of a launch: counted one by one ----------------------------------------------------------------------------
  offset_t [STEP:0] off_x_q, off_y_q, off_z_q;    // of 0: none
  offset_t          x_walk_q, y_walk_q, z_walk_q, number_q;
  offset_t          x_walk, y_walk, z_walk;
  logic             counting_q, wrap_x, wrap_y;

  assign wrap_x = 11'(x_walk_q) + 11'd1 == block_i[0];
  assign wrap_y = 11'(y_walk_q) + 11'd1 == block_i[1];
  assign x_walk = wrap_x ? '0 : x_walk_q + 1'b1;
  assign y_walk = !wrap_x ? y_walk_q : (wrap_y ? '0 : y_walk_q + 1'b1);
  assign z_walk = (wrap_x && wrap_y) ? z_walk_q + 1'b1 : z_walk_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni)                              counting_q <= 1'b0;
    else if (begin_i)                         counting_q <= 1'b1;
    else if (number_q == offset_t'(STEP))     counting_q <= 1'b0;
  end
  always_ff @(posedge clk_i) begin
    off_x_q[0] <= '0;
    off_y_q[0] <= '0;
    off_z_q[0] <= '0;
    if (begin_i) begin
      x_walk_q <= '0;
      y_walk_q <= '0;
      z_walk_q <= '0;
      number_q <= offset_t'(1);
    end else if (counting_q) begin
      x_walk_q          <= x_walk;
      y_walk_q          <= y_walk;
      z_walk_q          <= z_walk;
      number_q          <= number_q + 1'b1;
      off_x_q[number_q] <= x_walk;
      off_y_q[number_q] <= y_walk;
      off_z_q[number_q] <= z_walk;
    end
  end
  assign ready_o = !counting_q;

  // ---- x, then y with x's carries, then z with y's: a cycle each -------------------------------------------------------------
  logic [10:0]           x_q, y_q, z_q;            // of the thread that comes next
  logic [STEP:0][10:0]   x, y, z;                  // of the next STEP threads, and of the one after them
  logic [STEP:0]         carry_x, carry_y, carry_x_q, carry_y_q;
  logic [STEP-1:0][10:0] x1_q, x2_q, y2_q;
  logic                  run1_q, run2_q, first1_q, first2_q;

  // One dimension of a position: what was, further by an offset and a carry, less its size where that is reached.
  function automatic logic [11:0] further(input logic [10:0] from, input offset_t by, input logic carry, input logic [10:0] size);
    logic [11:0] sum;
    sum = 12'(from) + 12'(by) + 12'(carry);
    return (sum >= 12'(size)) ? {1'b1, 11'(sum - 12'(size))} : {1'b0, sum[10:0]};
  endfunction

  always_comb begin
    x = 'x;
    y = 'x;
    z = 'x;
    carry_x = 'x;
    carry_y = 'x;
    if (`HEDDLE_LIVE(run_i))
      for (int unsigned i = 0; i <= STEP; i++)
        {carry_x[i], x[i]} = further(first_i ? '0 : x_q, off_x_q[i], 1'b0, block_i[0]);
    if (`HEDDLE_LIVE(run1_q))
      for (int unsigned i = 0; i <= STEP; i++)
        {carry_y[i], y[i]} = further(first1_q ? '0 : y_q, off_y_q[i], carry_x_q[i], block_i[1]);
    if (`HEDDLE_LIVE(run2_q))
      for (int unsigned i = 0; i <= STEP; i++)
        z[i] = (first2_q ? '0 : z_q) + 11'(off_z_q[i]) + 11'(carry_y_q[i]);
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      run1_q <= 1'b0;
      run2_q <= 1'b0;
    end else begin
      run1_q <= run_i;
      run2_q <= run1_q;
    end
  end
  always_ff @(posedge clk_i) begin
    first1_q <= first_i;
    first2_q <= first1_q;
    if (run_i) begin
      x_q       <= x[STEP];
      x1_q      <= x[STEP-1:0];
      carry_x_q <= carry_x;
    end
    if (run1_q) begin
      y_q       <= y[STEP];
      x2_q      <= x1_q;
      y2_q      <= y[STEP-1:0];
      carry_y_q <= carry_y;
    end
    if (run2_q) z_q <= z[STEP];
  end

  // ---- rows --------------------------------------------------------------------------------------------------------------
  logic [LANES-1:0][10:0] row_x_q, row_y_q, row_z_q;
  logic [5:0]             group_q;
  logic [4:0]             beat_q, row_beat_q;
  logic                   last_group, row_valid_q;

  assign last_group = group_q == 6'(GROUPS - 1);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      row_valid_q <= 1'b0;
      group_q     <= '0;
      beat_q      <= '0;
    end else begin
      row_valid_q <= run2_q && last_group;
      if (run2_q) begin
        group_q <= last_group ? '0 : group_q + 6'd1;
        if (last_group) beat_q <= (beat_q == LAST) ? '0 : beat_q + 5'd1;
      end
    end
  end
  always_ff @(posedge clk_i) begin
    row_beat_q <= beat_q;
    if (run2_q) begin
      for (int unsigned l = 0; l < LANES; l++) begin
        if (group_q == 6'(l / STEP)) begin
          row_x_q[l] <= x2_q[l % STEP];
          row_y_q[l] <= y2_q[l % STEP];
          row_z_q[l] <= z[l % STEP];
        end
      end
    end
  end

  assign row_valid_o = row_valid_q;
  assign row_beat_o  = row_beat_q;
  assign row_x_o     = row_x_q;
  assign row_y_o     = row_y_q;
  assign row_z_o     = row_z_q;

  // A block begins with a row of its own.
  `ASSERT(a_first, !(run2_q && first2_q) || (group_q == '0 && beat_q == '0))
  // It counts only when the launch's offsets are there.
  `ASSERT(a_ready, !run_i || ready_o)

endmodule
