// SPDX-License-Identifier: Apache-2.0
// BAR in S1: asks the barriers between warps, arrives, and keeps what a BAR.RED has found until
// its warp comes for it.
// Latency: combinational to the barriers; a release of cycle t is there in t+1.
// Handshake: arrive_o.ask stands with slot, id, count and kind until this partition has its turn
// (ba_i.grant); valid, in such a cycle, makes it count.
// It does not count arrivals, and does not keep a warp from being selected meanwhile: warp_state
// does.
`include "heddle_idle.svh"

module issue_bar (
  input  logic                       clk_i,
  input  logic                       rst_ni,
  // from the dispatcher and the instruction buffer
  input  logic [cfg_pkg::WARPS-1:0]  start_i,
  input  issue_pkg::entry_t          ib_entry_i,
  // from S1
  input  stage_pkg::s1_t             s1_i,
  input  stage_pkg::lanes_t          lanes_i,
  input  stage_pkg::verdict_t        verdict_i,
  input  stage_pkg::flow_t           flow_i,
  input  stage_pkg::act_t            act_i,
  // from and to the barriers
  input  front_pkg::answer_t         ba_i,
  input  front_pkg::release_t        ba_release_i,
  output front_pkg::arrive_t         bar_o,
  output logic                       bar_valid_o,
  // to S0 and S1
  output stage_pkg::again_t          again_o
);

  localparam int unsigned WARPS = cfg_pkg::WARPS;

  logic             is_red, ask, redo;
  logic [5:0]       trues;
  logic [WARPS-1:0] redo_q;
  core_pkg::bar_t   bar;

  assign is_red = ib_entry_i.kind.red;
  assign redo   = s1_i.valid && redo_q[s1_i.slot];
  assign ask    = s1_i.valid && !redo && ib_entry_i.kind.bar;

  // ---- arrive ----------------------------------------------------------------------------------
  always_comb begin
    trues = '0;
    if (ask && is_red) begin
      for (int unsigned l = 0; l < 32; l++) trues += 6'(lanes_i.exec[l] && lanes_i.ps0[l]);
    end
  end

  always_comb begin
    bar.kind    = is_red ? core_pkg::BAR_RED
      : ib_entry_i.kind.arrive ? core_pkg::BAR_ARV : core_pkg::BAR_SYNC;
    bar.id      = isa_pkg::f_barid(ib_entry_i.word);
    bar.count   = isa_pkg::f_barcnt(ib_entry_i.word);
    bar.red.sum = 11'(trues);
    bar.red.all = (lanes_i.exec & ~lanes_i.ps0) == '0;
  end

  assign bar_o       = '{ask: ask, slot: s1_i.slot, bar: bar};
  assign bar_valid_o = (flow_i.there && !verdict_i.early_trap && !verdict_i.absent && verdict_i.arrives) && flow_i.free && ba_i.grant;

  // ---- come again ------------------------------------------------------------------------------
  always_ff @(posedge clk_i) begin
    if (!rst_ni) redo_q <= '0;
    else if (`HEDDLE_LIVE(start_i != '0 || is_red || redo)) begin   // nothing changes otherwise
      for (int unsigned w = 0; w < WARPS; w++) begin
        if (start_i[w]) redo_q[w] <= 1'b0;
        else if (act_i.commit && s1_i.here[w]) redo_q[w] <= is_red && verdict_i.arrives;
      end
    end
  end

  // What the barrier has found, until the warp comes for it.
  core_pkg::red_t [WARPS-1:0] red_q;

  always_ff @(posedge clk_i) begin
    if (ba_release_i.valid) begin
      for (int unsigned w = 0; w < WARPS; w++) begin
        if (ba_release_i.warps[w] && redo_q[w]) red_q[w] <= ba_release_i.red;
      end
    end
  end

  assign again_o = '{redo: redo, warps: redo_q, red: red_q[s1_i.slot]};

  // Fields that concern others.
  logic unused;
  assign unused = ^{ib_entry_i, s1_i, lanes_i, verdict_i, flow_i, act_i, ba_i, ba_release_i};

endmodule
