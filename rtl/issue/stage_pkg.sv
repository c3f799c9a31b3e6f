// SPDX-License-Identifier: Apache-2.0
// What travels together between the stages of issue: S0, which selects a warp, and S1, which
// judges its instruction. A struct holds nets of one producer that are known at the same time, as
// in front_pkg.
package stage_pkg;

  typedef logic [cfg_pkg::WARPS-1:0]        warps_t;   // a bit for each warp
  typedef logic [cfg_pkg::WARP_W-1:0]       slot_t;
  typedef warps_t [issue_pkg::NSB-1:0]      sets_t;    // of each dependency counter the warps

  // Results that are complete: of the fixed pipes, uni, and last the late ones.
  typedef struct packed {
    logic            [core_pkg::ENDS:0] valid;
    core_pkg::done_t [core_pkg::ENDS:0] done;
  } ends_t;

  // Fixed pipes of which instructions end one at a time (cfg_pkg::FIXED_ENDS) share a place.
  /* verilator lint_off UNUSEDSIGNAL */   // of the uniform datapath its ends alone
  function automatic ends_t ends_of(front_pkg::ends_t wb, front_pkg::uniform_t un);
    ends_of = '0;
    for (int unsigned g = 0; g < cfg_pkg::GROUPS; g++) begin
      if (g < cfg_pkg::FIXED_ENDS || wb.fixed_valid[g]) ends_of.done[g % cfg_pkg::FIXED_ENDS] = wb.fixed[g];
      if (wb.fixed_valid[g]) ends_of.valid[g % cfg_pkg::FIXED_ENDS] = 1'b1;
    end
    if (cfg_pkg::HAS_UNI) begin
      ends_of.valid[core_pkg::ENDS-1] = un.done_valid;
      ends_of.done[core_pkg::ENDS-1]  = un.done;
    end
    ends_of.valid[core_pkg::ENDS] = wb.late_valid;
    ends_of.done[core_pkg::ENDS]  = wb.late;
  endfunction
  /* verilator lint_on UNUSEDSIGNAL */

  // ---- S0 ---------------------------------------------------------------------------------------
  // What holds warps back, from registers.
  typedef struct packed {
    warps_t            alive;
    warps_t            stalled;     // stall count has not run out
    warps_t            sync;        // divergence, a barrier, or an ULDC
    warps_t            bar;         // ... a barrier
    warps_t            mem_busy;    // memory operations not performed yet
    warps_t            copy_busy;   // asynchronous copies neither
    warps_t            unchecked;   // addresses that may still trap, of any (kept where there are copies)
    warps_t            mem_full;    // no more of them can be counted
  } state_t;

  // Dependency counters.
  typedef struct packed {
    sets_t             nonzero;
    sets_t             near_full;
    warps_t            refused;     // by DEPBAR, and none has fallen since
  } counts_t;

  // No room behind S1 for what the warp's next instruction is.
  typedef struct packed {
    warps_t            mem;         // its unit's queue has no place, or the order of traps
    warps_t            rows;        // its row queue is full
    warps_t            uni;         // the uniform write port is wanted
  } full_t;

  // Why warps may not go.
  typedef struct packed {
    warps_t            there;       // has an instruction
    warps_t            stalled;     // stall count, or the next one must see what S1 does first
    warps_t            no_cst;
    warps_t            waits;       // for a counter, or the scoreboard
    warps_t            drains;
    warps_t            no_room;
    warps_t            no_rows;     // no place in a row queue
  } why_t;

  // ---- S1 ---------------------------------------------------------------------------------------
  // The warp that stands there, from registers.
  typedef struct packed {
    logic              valid;
    logic              bad;         // without an instruction: its PC is no place of code
    slot_t             slot;
    warps_t            here;        // the slot as a vector, 0 if none is there
    issue_pkg::head_t  head;
  } s1_t;

  // Its number, registers and block.
  typedef struct packed {
    logic [15:0]       rbase;
    core_pkg::id_t     id;
    logic [2:0][31:0]  ctaid;
  } origin_t;

  // Lanes of its instruction.
  typedef struct packed {
    logic [31:0]       exec;
    logic [31:0]       ps0, ps1, ps2;
    logic [6:0][31:0]  preds;
  } lanes_t;

  // Its judgement. Traps that depend on lanes come late.
  typedef struct packed {
    logic              early_trap;
    logic              late_trap;
    logic              late_stop;   // ... or a BAR.RED that arrives
    logic              arrives;     // BAR that counts
    logic              absent;      // its page, or that of its constant, is not there, and the host is to be asked
    logic              absent_cst;  // ... of its constant
  } verdict_t;

  // A BAR.RED comes for what the barrier has found.
  typedef struct packed {
    logic              redo;
    warps_t            warps;       // that have arrived and not come again
    core_pkg::red_t    red;
  } again_t;

  // May S1 go on?
  typedef struct packed {
    logic              run;         // selection: no halt, the retire port is ready
    logic              stop;        // a halt, which what stands there does not outlive
    logic              free;        // nothing behind S1 holds it up
    logic              judged;      // it leaves S1, whichever way
  } flow_t;

  // What it does now.
  typedef struct packed {
    logic              commit;      // issues
    logic              shown;       // ... for the first time: with a record
    logic              go;          // ... and leaves its buffer
    logic              refused;     // back to its buffer
    logic              precise;     // traps
    logic              yields;
  } act_t;

  // What began a cycle ago: counters rise.
  typedef struct packed {
    logic              valid;
    logic              fixed;       // for alu (also control), fma, cvt, half, uni
    logic              coll;        // its latency varies
    logic              copy;        // ... and it is an asynchronous copy
    slot_t             slot;
    logic [2:0]        wbar, rbar;
  } begun_t;

  // What issued a cycle ago, whatever it was.
  typedef struct packed {
    logic              any;
    warps_t            here;
  } recent_t;

  // An instruction for divergence.
  /* verilator lint_off UNUSEDSIGNAL */   // of the flags, most
  function automatic logic is_ctl(issue_pkg::head_t head);
    is_ctl = head.ordered && !head.coll;
  endfunction
  /* verilator lint_on UNUSEDSIGNAL */

endpackage
