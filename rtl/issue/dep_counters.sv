// SPDX-License-Identifier: Apache-2.0
// Dependency counters SB0-SB5 of every warp, 6 bits each.
// Latency: an event of cycle t shows in the flags from t+1 on.
// Handshake: events; one warp raises (up to two) a cycle; operands read, and ends of fixed pipes, of unit uni and of late results may
// lower, several of them the same counter.
// It does not decide who waits: `nonzero` answers wait masks, `near_full` stops a warp that could pass 63, `above` is for DEPBAR.
`include "heddle_assert.svh"
`include "heddle_idle.svh"

module dep_counters (
  input  logic                                                clk_i,
  input  logic                                                rst_ni,
  // from the dispatcher, for a check alone
  input  logic [cfg_pkg::WARPS-1:0]                           start_i,
  // from issue: 7 = none
  input  logic                                                raise_valid_i,
  input  logic [cfg_pkg::WARP_W-1:0]                          raise_slot_i,
  input  logic [2:0]                                          raise_wbar_i,
  input  logic [2:0]                                          raise_rbar_i,
  // from operand
  input  logic [core_pkg::READERS-1:0]                        op_disp_valid_i,
  input  logic [core_pkg::READERS-1:0][cfg_pkg::WARP_W-1:0]   op_disp_slot_i,
  input  logic [core_pkg::READERS-1:0][2:0]                   op_disp_rbar_i,
  // from writeback, uni and, as the last one, late results
  input  logic [core_pkg::ENDS:0]                            done_valid_i,
  input  logic [core_pkg::ENDS:0][cfg_pkg::WARP_W-1:0]       done_slot_i,
  input  logic [core_pkg::ENDS:0][2:0]                       done_wbar_i,
  // to issue
  output logic [issue_pkg::NSB-1:0][cfg_pkg::WARPS-1:0]       dc_nonzero_o,     // of each counter the warps
  output logic [issue_pkg::NSB-1:0][cfg_pkg::WARPS-1:0]       dc_near_full_o,
  // from and to issue: is a warp's counter above a limit? A counter that does not exist is not.
  input  logic [cfg_pkg::WARP_W-1:0]                          q_slot_i,
  input  logic [2:0]                                          q_bar_i,
  input  logic [5:0]                                          q_limit_i,
  output logic                                                dc_above_o,
  output logic [cfg_pkg::WARPS-1:0]                           dc_falls_o        // warps of which some counter falls now
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
    if (raise_valid_i) begin
      for (int unsigned n = 0; n < NSB; n++) begin
        if (raise_wbar_i == 3'(n)) up[n][0] = WARPS'(1) << raise_slot_i;
        if (raise_rbar_i == 3'(n)) up[n][1] = WARPS'(1) << raise_slot_i;
      end
    end
    for (int unsigned i = 0; i < core_pkg::ENDS + 1; i++) begin
      if (done_valid_i[i]) begin
        for (int unsigned n = 0; n < NSB; n++) begin
          if (done_wbar_i[i] == 3'(n)) down[n][i] = WARPS'(1) << done_slot_i[i];
        end
      end
    end
    for (int unsigned k = 0; k < core_pkg::READERS; k++) begin
      if (op_disp_valid_i[k]) begin
        for (int unsigned n = 0; n < NSB; n++) begin
          if (op_disp_rbar_i[k] == 3'(n)) down[n][core_pkg::ENDS+1+k] = WARPS'(1) << op_disp_slot_i[k];
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
  assign dc_above_o = value > q_limit_i;

  always_comb begin
    dc_falls_o = '0;
    `HEDDLE_ONLY(done_valid_i != '0 || op_disp_valid_i != '0) begin
      for (int unsigned n = 0; n < NSB; n++) begin
        for (int unsigned i = 0; i < FALLS; i++) dc_falls_o = dc_falls_o | down[n][i];
      end
    end
  end

  for (genvar n = 0; n < NSB; n++) begin : gen_counter
    logic [WARPS-1:0] unused_full, unused_high;

    plane_counters #(.N(WARPS), .WIDTH(6), .FALLS(FALLS)) u_counts (
      .clk_i       (clk_i),
      .rst_ni      (rst_ni),
      .clear_i     ('0),
      .up_i        (up[n]),
      .down_i      (down[n]),
      .nonzero_o   (dc_nonzero_o[n]),
      .near_full_o (dc_near_full_o[n]),
      .high_o      (unused_high),
      .full_o      (unused_full),
      .plane_o     (planes[n]),
      .below_o     (below[n])
    );
  end

  // A counter never falls more often than it was raised. A warp slot is used again when nothing of its last warp is in flight: its
  // counters are zero then, and a start needs to clear none of them.
  logic [WARPS-1:0] counts;
  always_comb begin
    counts = '0;
    for (int unsigned n = 0; n < NSB; n++) counts = counts | dc_nonzero_o[n];
  end
  `ASSERT(a_below, below == '0)
  `ASSERT(a_start, (start_i & counts) == '0)

endmodule
