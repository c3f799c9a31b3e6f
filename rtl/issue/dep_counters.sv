// SPDX-License-Identifier: Apache-2.0
// Dependency counters SB0-SB5 of every warp, 6 bits each.
// Latency: an event of cycle t shows in the flags from t+1 on.
// Handshake: events; one warp raises (up to two) a cycle; operands read, and ends of fixed pipes, of unit uni and of late results may
// lower, several of them the same counter.
// It does not decide which warp waits: `nonzero` answers wait masks, `near_full` stops a warp that could pass 63, `above` is for
// DEPBAR.
`include "heddle_assert.svh"
`include "heddle_idle.svh"

module dep_counters (
  input  logic                        clk_i,
  input  logic                        rst_ni,
  // from the dispatcher, for a check alone
  input  logic [cfg_pkg::WARPS-1:0]   start_i,
  // from issue: it has begun; from operand, writeback
  input  stage_pkg::begun_t           begun_i,
  input  front_pkg::operand_t         op_i,
  input  stage_pkg::ends_t            ends_i,
  // to S0
  output stage_pkg::counts_t          counts_o,
  // from and to S1: is a warp's counter above a limit? A counter that does not exist is not. The warp that DEPBAR refuses.
  input  logic [cfg_pkg::WARP_W-1:0]  q_slot_i,
  input  logic [2:0]                  q_bar_i,
  input  logic [5:0]                  q_limit_i,
  output logic                        above_o,
  input  logic [cfg_pkg::WARPS-1:0]   refused_i
);

  localparam int unsigned WARPS  = cfg_pkg::WARPS;
  localparam int unsigned NSB    = issue_pkg::NSB;
  localparam int unsigned FALLS  = core_pkg::ENDS + 1 + core_pkg::READERS;

  logic [NSB-1:0][1:0][WARPS-1:0] up;
  logic [NSB-1:0][FALLS-1:0][WARPS-1:0] down;
  logic [NSB-1:0][WARPS-1:0] below;   // a counter would pass zero downwards

  always_comb begin
    up   = '0;
    down = '0;
    if (begun_i.valid) begin
      for (int unsigned n = 0; n < NSB; n++) begin
        if (begun_i.wbar == 3'(n)) up[n][0] = WARPS'(1) << begun_i.slot;
        if (begun_i.rbar == 3'(n)) up[n][1] = WARPS'(1) << begun_i.slot;
      end
    end
    for (int unsigned i = 0; i < core_pkg::ENDS + 1; i++) begin
      if (ends_i.valid[i]) begin
        for (int unsigned n = 0; n < NSB; n++) begin
          if (ends_i.done[i].to.wbar == 3'(n)) down[n][i] = WARPS'(1) << ends_i.done[i].slot;
        end
      end
    end
    for (int unsigned k = 0; k < core_pkg::READERS; k++) begin
      if (op_i.disp_valid[k]) begin
        for (int unsigned n = 0; n < NSB; n++) begin
          if (op_i.disp_rbar[k] == 3'(n)) down[n][core_pkg::ENDS+1+k] = WARPS'(1) << op_i.disp_slot[k];
        end
      end
    end
  end

  logic [NSB-1:0][5:0][WARPS-1:0] planes;
  logic [5:0]                     value;

  // Of the warp that is asked about: its counters first, by its number, then the one.
  logic [NSB-1:0][5:0] own;

  for (genvar n = 0; n < NSB; n++) begin : gen_own
    for (genvar b = 0; b < 6; b++) begin : gen_bit
      choice #(.WIDTH(1), .N(WARPS)) u_own (
        .live_i (q_bar_i == 3'(n)),
        .sel_i  (q_slot_i),
        .data_i (planes[n][b]),
        .also_i ('0),
        .data_o (own[n][b])
      );
    end
  end

  always_comb begin
    value = '0;
    for (int unsigned n = 0; n < NSB; n++) begin
      if (q_bar_i == 3'(n)) value = own[n];
    end
  end
  assign above_o = value > q_limit_i;

  // A warp that DEPBAR refused looks again when one of its counters falls.
  logic [WARPS-1:0] falls, refused_q;
  always_comb begin
    falls = '0;
    `HEDDLE_ONLY(ends_i.valid != '0 || op_i.disp_valid != '0) begin
      for (int unsigned n = 0; n < NSB; n++) begin
        for (int unsigned i = 0; i < FALLS; i++) falls = falls | down[n][i];
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) refused_q <= '0;
    else         refused_q <= (refused_q | refused_i) & ~falls;
  end
  assign counts_o.refused = refused_q;

  for (genvar n = 0; n < NSB; n++) begin : gen_counter
    plane_counters #(.N(WARPS), .WIDTH(6), .FALLS(FALLS)) u_counts (
      .clk_i       (clk_i),
      .rst_ni      (rst_ni),
      .clear_i     ('0),
      .up_i        (up[n]),
      .down_i      (down[n]),
      .nonzero_o   (counts_o.nonzero[n]),
      .near_full_o (counts_o.near_full[n]),
      .high_o      (),
      .full_o      (),
      .plane_o     (planes[n]),
      .below_o     (below[n])
    );
  end

  // A counter never falls more often than it was raised. A warp slot is used again when nothing of its last warp is in flight: its
  // counters are zero then, and a start needs to clear none of them.
  logic [WARPS-1:0] counts;
  always_comb begin
    counts = '0;
    for (int unsigned n = 0; n < NSB; n++) counts = counts | counts_o.nonzero[n];
  end
  `ASSERT(a_below, below == '0)
  `ASSERT(a_start, (start_i & counts) == '0)

  // Fields that concern others.
  logic unused;
  assign unused = ^{begun_i, op_i, ends_i};

endmodule
