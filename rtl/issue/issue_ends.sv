// SPDX-License-Identifier: Apache-2.0
// Ends of instructions, side by side: of the fixed pipes, of the uniform datapath, and last the
// late ones.
// Latency: combinational.
// Handshake: events only.
// It does not know what an end releases: counters, the scoreboard and the warps' state do. Where
// instructions of all fixed pipes end one at a time (cfg_pkg::FIXED_ENDS) they share a place.
`include "heddle_assert.svh"

module issue_ends (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  // from writeback, and the uniform datapath
  input  front_pkg::ends_t     wb_ends_i,
  input  front_pkg::uniform_t  un_i,
  // to issue
  output stage_pkg::ends_t     ends_o
);

  localparam int unsigned DONE_W = $bits(core_pkg::done_t);

  logic [cfg_pkg::FIXED_ENDS-1:0]              fixed_valid;
  logic [cfg_pkg::FIXED_ENDS-1:0][DONE_W-1:0]  fixed;
  logic [core_pkg::ENDS:0]                     valid;
  logic [core_pkg::ENDS:0][DONE_W-1:0]         done;
  logic [core_pkg::ENDS:0][cfg_pkg::WARP_W-1:0] slot;
  logic [core_pkg::ENDS:0][2:0]                wbar;
  core_pkg::done_t                             one;

  if (cfg_pkg::FIXED_ENDS < cfg_pkg::GROUPS) begin : gen_one_end
    always_comb begin
      fixed_valid[0] = wb_ends_i.fixed_valid != '0;
      fixed[0]       = wb_ends_i.fixed[0];
      for (int unsigned g = 1; g < cfg_pkg::GROUPS; g++) begin
        if (wb_ends_i.fixed_valid[g]) fixed[0] = wb_ends_i.fixed[g];
      end
    end
    logic [cfg_pkg::GROUPS-1:0] several;
    assign several = wb_ends_i.fixed_valid & (wb_ends_i.fixed_valid - cfg_pkg::GROUPS'(1));
    `ASSERT(a_one_end, several == '0)
  end else begin : gen_ends
    assign fixed_valid = wb_ends_i.fixed_valid;
    assign fixed       = wb_ends_i.fixed;
  end

  if (cfg_pkg::HAS_UNI) begin : gen_uni
    assign valid = {wb_ends_i.late_valid, un_i.done_valid, fixed_valid};
    assign done  = {wb_ends_i.late, un_i.done, fixed};
  end else begin : gen_no_uni
    assign valid = {wb_ends_i.late_valid, fixed_valid};
    assign done  = {wb_ends_i.late, fixed};
  end

  always_comb begin
    one = '0;
    for (int unsigned i = 0; i < core_pkg::ENDS + 1; i++) begin
      one     = done[i];
      slot[i] = one.slot;
      wbar[i] = one.to.wbar;
    end
  end

  assign ends_o = '{valid: valid, slot: slot, wbar: wbar, done: done};

  // Fields that concern others.
  logic unused;
  assign unused = ^{clk_i, rst_ni, un_i, one};

endmodule
