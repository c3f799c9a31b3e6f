// SPDX-License-Identifier: Apache-2.0
// Effect of the instruction in S1 in this cycle: it waits, issues, is refused, or traps; a BAR arrives at the barriers between
// warps.
// Latency: combinational; a release of cycle t is there in t+1.
// Handshake: S1 waits for the operand stage (op_ready_i; with two readers issue_room has counted the place) and, with a BAR, for
// its turn at the barriers: bar_o.ask comes with slot, id, count and kind until then (ba_grant_i), and bar_valid_o makes it count.
// An instruction goes back to the head of its buffer if DEPBAR's counter refuses it, if it lacks a page (its warp is sent back to
// fetch it anew), and if it is a BAR.RED that arrives: once its barrier is complete it comes a second time, without a record.
// It does not judge (issue_judge), nor keep a warp that waits at a barrier from being selected (warp_state).
`include "heddle_assert.svh"
`include "heddle_idle.svh"

module issue_commit (
  input  logic                       clk_i,
  input  logic                       rst_ni,
  // from the dispatcher, the retire port, trap control
  input  logic [cfg_pkg::WARPS-1:0]  start_i,
  input  logic                       ret_ready_i,
  input  logic                       halt_i,
  // from the instruction buffer, operand
  input  issue_pkg::entry_t          ib_entry_i,
  input  logic                       op_ready_i,   // one reader: the stage takes the instruction
  // from S0 and S1
  input  logic [cfg_pkg::WARPS-1:0]  sel_i,
  input  logic                       valid_i,
  input  logic [cfg_pkg::WARP_W-1:0] slot_i,
  input  logic [cfg_pkg::WARPS-1:0]  here_i,
  input  logic [31:0]                exec_i,
  input  logic [31:0]                ps0_i,
  input  stage_pkg::verdict_t        verdict_i,
  input  logic                       above_i,      // the counter that DEPBAR names is above its limit
  // from and to the barriers
  input  logic                       ba_grant_i,
  input  front_pkg::release_t        ba_release_i,
  output front_pkg::arrive_t         bar_o,
  output logic                       bar_valid_o,
  // to S0 and S1
  output stage_pkg::again_t          again_o,
  output stage_pkg::flow_t           flow_o,
  output stage_pkg::act_t            act_o,
  // to the instruction buffer and fetch
  output front_pkg::take_t           take_o,
  output front_pkg::absent_t         absent_o
);

  localparam int unsigned WARPS = cfg_pkg::WARPS;

  logic             is_red, ask, redo, stop, there, free, hazard, may, commit, refused, first, go;
  logic [5:0]       trues;
  logic [WARPS-1:0] redo_q;
  core_pkg::bar_t   bar;

  // ---- may S1 go on? ---------------------------------------------------------------------------
  assign is_red = ib_entry_i.kind.red;
  assign redo   = valid_i && redo_q[slot_i];
  assign ask    = valid_i && !redo && ib_entry_i.kind.bar;
  assign stop   = halt_i && !redo;
  assign there  = valid_i && !stop;
  assign free   = (core_pkg::READERS > 1 || op_ready_i) && (!ask || ba_grant_i);

  assign flow_o = '{run: !halt_i && ret_ready_i, stop: stop, free: free, judged: valid_i && free};

  // ---- its effect ------------------------------------------------------------------------------
  // Whether S1 may go on is known late, and so is the effect it would have then: each is worked out by
  // itself. What depends on the executing lanes comes last.
  assign hazard  = ib_entry_i.kind.depbar && above_i;
  assign may     = there && !verdict_i.early_trap && !verdict_i.absent && !hazard && free;
  assign commit  = may && !verdict_i.late_trap;
  assign go      = may && !verdict_i.late_stop;
  assign first   = commit && is_red && verdict_i.arrives;
  assign refused = (there && !verdict_i.early_trap && (hazard || verdict_i.absent)) && free;

  assign act_o.commit  = commit;
  assign act_o.shown   = commit && !redo;
  assign act_o.go      = go;
  assign act_o.refused = refused;
  assign act_o.precise = (there && (verdict_i.early_trap || (verdict_i.late_trap && !hazard && !verdict_i.absent)))
    && free;
  assign act_o.yields  = commit && ib_entry_i.dec.yield;

  assign take_o   = '{sel: sel_i, pop: here_i & {WARPS{go}}, back: here_i & {WARPS{refused || first}}};
  assign absent_o = '{valid: there && verdict_i.absent && free, cst: verdict_i.absent_cst};

  // ---- a BAR arrives ---------------------------------------------------------------------------
  always_comb begin
    trues = '0;
    if (ask && is_red) begin
      for (int unsigned l = 0; l < 32; l++) trues += 6'(exec_i[l] && ps0_i[l]);
    end
  end

  always_comb begin
    bar.kind    = is_red ? core_pkg::BAR_RED
      : ib_entry_i.kind.arrive ? core_pkg::BAR_ARV : core_pkg::BAR_SYNC;
    bar.id      = isa_pkg::f_barid(ib_entry_i.word);
    bar.count   = isa_pkg::f_barcnt(ib_entry_i.word);
    bar.red.sum = 11'(trues);
    bar.red.all = (exec_i & ~ps0_i) == '0;
  end

  assign bar_o       = '{ask: ask, slot: slot_i, bar: bar};
  assign bar_valid_o = (there && !verdict_i.early_trap && !verdict_i.absent && verdict_i.arrives) && free && ba_grant_i;

  // ---- ... and comes again for its result ------------------------------------------------------
  always_ff @(posedge clk_i) begin
    if (!rst_ni) redo_q <= '0;
    else if (`HEDDLE_LIVE(start_i != '0 || is_red || redo)) begin   // nothing changes otherwise
      for (int unsigned w = 0; w < WARPS; w++) begin
        if (start_i[w]) redo_q[w] <= 1'b0;
        else if (commit && here_i[w]) redo_q[w] <= is_red && verdict_i.arrives;
      end
    end
  end

  // The result stays until the warp comes for it.
  core_pkg::red_t [WARPS-1:0] red_q;

  always_ff @(posedge clk_i) begin
    if (ba_release_i.valid) begin
      for (int unsigned w = 0; w < WARPS; w++) begin
        if (ba_release_i.warps[w] && redo_q[w]) red_q[w] <= ba_release_i.red;
      end
    end
  end

  assign again_o = '{redo: redo, warps: redo_q, red: red_q[slot_i]};

  // Nothing but the result of a BAR.RED is handed on after a halt.
  `ASSERT(a_halt, !commit || !halt_i || (redo && is_red))

  // Fields that concern others.
  logic unused;
  assign unused = ^{ib_entry_i, ba_release_i.busy};

endmodule
