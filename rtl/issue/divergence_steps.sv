// SPDX-License-Identifier: Apache-2.0
// The steps of one control instruction: how masks, paths and barriers change (isa/doc/03-divergence.md), and when it is done.
// Latency: one step; one more for lanes that issue the instruction again, for each barrier that EXIT or YIELD looks at, for the
// end of a turn; two a pop. Of `its`, where other lanes are parked at the barrier at other PCs: a step for each path of the
// warp's list that is looked at, one to park, one to release; and one for each of the list when a path of it is released. Steps
// are cycles, or two each where hold_i is high in every other one (DIVERGENCE_RANKS).
// Handshake: takes an instruction with take_o. Nothing happens while hold_i (a warp starts).
// It holds what belongs to the steps of the instruction; that, masks, paths, sets are kept by the modules around it.
`include "heddle_assert.svh"
`include "heddle_idle.svh"

module divergence_steps #(
  parameter bit ITS = cfg_pkg::HAS_ITS
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  logic                  its_i,
  input  logic                  hold_i,
  // from and to the queue
  input  logic                  work_valid_i,
  output logic                  free_o,
  output logic                  take_o,
  input  divergence_pkg::ctl_t  work_i,        // from the next cycle on
  // from the targets
  input  logic [31:0]           tg_target_i,
  input  logic [31:0]           tg_same_i,
  input  logic                  tg_bad_i,
  // from and to the warp's row
  input  divergence_pkg::row_t  row_i,
  output logic                  step_o,
  output divergence_pkg::row_t  row_o,         // but for the waiting paths' number and place
  // from and to the barrier and its check
  output logic                  own_o,
  output logic                  executes_o,
  output logic                  yields_o,
  output logic                  listed_o,      // the list of strays is being walked for a release: of that barrier, not the next
  input  divergence_pkg::sets_t sets_i,
  input  logic [31:0]           stay_i,
  input  logic [31:0]           joined_i,
  input  logic [31:0]           go_i,
  input  logic                  released_i,
  input  logic                  unwanted_i,
  input  logic [4:0]            bx_i,          // which barrier it is
  output logic                  bar_o,
  output divergence_pkg::sets_t sets_o,
  // from and to the scan
  output logic                  scan_o,
  input  logic                  more_i,
  // from and to the waiting paths
  output logic                  push_o,
  output divergence_pkg::path_t push_path_o,
  output logic                  read_o,
  output logic                  pop_o,
  input  logic [31:0]           top_mask_i,
  input  logic [31:0]           top_pc_i,
  // from and to the list of strays
  output logic                  ls_start_o,
  output logic                  ls_next_o,
  input  divergence_pkg::path_t ls_entry_i,
  input  logic                  ls_last_i,
  output logic                  ls_keep_o,
  input  logic [5:0]            ls_kept_i,
  output logic                  ls_park_o,
  output logic                  ls_found_o,
  output divergence_pkg::path_t ls_path_o,
  output logic [31:0]           ls_old_o,      // what the entry was before
  // to the results
  output logic                  done_o,
  output logic                  moved_o,       // it goes on elsewhere than behind the instruction
  output logic                  redirect_o,    // ... than where fetch is
  output logic [31:0]           pc_o,
  output logic                  ended_o,
  output logic                  trap_o
);

  typedef enum logic [3:0] {
    ST_IDLE, ST_EXEC, ST_AGAIN, ST_RELEASE, ST_POP, ST_POPPED, ST_TRAP,
    ST_TURN,    // its: the active path goes to the end of the ring
    ST_SEEK,    // its: is there a path in the list that is parked at this barrier and PC?
    ST_PARK,    // its: the lanes are parked in the list
    ST_LET,     // its: ... and their barrier is released: a path in the list goes, too
    ST_WALK     // its: of a released barrier, the paths in the list
  } state_e;
  state_e state_q, state_d;

  logic [31:0] after_at, after_pc, next_pc, rest, others, first_parked, first_go;
  logic        again, parked;   // where a path that is pushed goes on: with this instruction; after that where it is parked
  logic        fin, idle, popping, can_go, away, exec_any;   // idle: no lane is active after this step
  logic        any_parked, freed;   // at the barrier if it is not released; whether it is

  assign executes_o = state_q == ST_EXEC;
  assign own_o      = state_q == ST_EXEC || state_q == ST_SEEK || state_q == ST_PARK || state_q == ST_LET;
  assign listed_o   = ITS && state_q == ST_WALK;
  assign free_o     = fin || state_q == ST_IDLE;
  assign take_o     = free_o && work_valid_i;
  assign read_o     = state_q == ST_POP;
  assign trap_o     = state_q == ST_TRAP && !hold_i;

  assign popping  = state_q == ST_POP || state_q == ST_POPPED || state_q == ST_TRAP;
  assign exec_any = work_i.exec != '0;
  // A path goes on after the instruction that it is parked at, or with or after this one: one sum. A turn (`its`) may end with a step
  // that pushes, so there it wants a sum of its own.
  assign again    = state_q == ST_AGAIN || (state_q == ST_EXEC && work_i.kind == divergence_pkg::KIND_TARGET && rest == '0);
  assign parked   = state_q == ST_RELEASE || (ITS && state_q == ST_LET) || (state_q == ST_EXEC
    && (work_i.kind == divergence_pkg::KIND_BREAK || work_i.kind == divergence_pkg::KIND_SET));
  assign after_at = parked ? sets_i.parkpc : work_i.at;
  assign after_pc = divergence_pkg::pc_of(after_at) + (again ? 32'd0 : divergence_pkg::size_of(after_at));
  assign next_pc  = ITS ? divergence_pkg::pc_of(work_i.at) + divergence_pkg::size_of(work_i.at) : after_pc;
  assign rest     = row_i.active & ~work_i.exec;
  assign others   = work_i.exec & ~tg_same_i;
  assign yields_o = its_i && work_i.kind == divergence_pkg::KIND_YIELD && exec_any;
  assign scan_o   = step_o && (state_q == ST_EXEC || state_q == ST_RELEASE)
    && (work_i.kind == divergence_pkg::KIND_EXIT || yields_o);

  // The first path of a barrier; lanes that park with it, and elsewhere.
  assign first_parked = sets_i.parked & ~row_i.strays;
  assign first_go     = go_i & ~row_i.strays;
  assign away         = its_i && sets_i.parked != '0 && !(first_parked != '0 && sets_i.parkpc == work_i.at);

  // The list: an entry of this barrier is known by its lanes.
  logic        found, found_q, more_q;
  logic [31:0] go_q, entry_go;
  assign found    = (ls_entry_i.mask & sets_i.parked) != '0 && ls_entry_i.pc == work_i.at;
  assign entry_go = ls_entry_i.mask & go_q;

  // A turn of `its` ends with YIELD, NANOSLEEP, or its 64th instruction, if another path waits.
  logic        due, due_q, turns;
  logic [31:0] turn_pc_q;
  assign due = (state_q != ST_EXEC) ? due_q : its_i && exec_any
    && (work_i.kind == divergence_pkg::KIND_YIELD || work_i.kind == divergence_pkg::KIND_SLEEP
        || (work_i.counts && row_i.turn == 6'd63));

  always_comb begin
    state_d       = state_q;
    step_o        = 1'b0;
    fin           = 1'b0;
    can_go        = 1'b0;
    bar_o         = 1'b0;
    push_o        = 1'b0;
    pop_o         = 1'b0;
    done_o        = 1'b0;
    moved_o       = 1'b0;
    ended_o       = 1'b0;
    turns         = 1'b0;
    any_parked    = 1'b0;
    freed         = 1'b0;
    idle          = state_q != ST_EXEC && !popping && row_i.active == '0;
    ls_start_o    = 1'b0;
    ls_next_o     = 1'b0;
    ls_keep_o     = 1'b0;
    ls_park_o     = 1'b0;

    // Nothing of it counts while there is no instruction.
    row_o       = 'x;
    sets_o      = 'x;
    push_path_o = 'x;
    pc_o        = 'x;
    ls_path_o   = 'x;
    if (`HEDDLE_LIVE(state_q != ST_IDLE)) begin
      row_o            = row_i;
      sets_o.members   = stay_i;
      sets_o.parked    = joined_i;
      sets_o.parkpc    = sets_i.parkpc;
      push_path_o.mask = rest;
      push_path_o.pc   = after_pc;
      pc_o             = next_pc;
      ls_path_o.mask   = ls_entry_i.mask & ~go_q;
      ls_path_o.pc     = ls_entry_i.pc;
    end

    if (!hold_i) begin
      case (state_q)
        ST_EXEC: begin
          step_o = 1'b1;
          fin    = 1'b1;
          case (work_i.kind)
            divergence_pkg::KIND_BRANCH: if (exec_any) begin
              push_o       = rest != '0;
              row_o.active = work_i.exec;
              pc_o         = work_i.target;
              moved_o      = 1'b1;
            end
            divergence_pkg::KIND_TARGET: if (exec_any) begin
              if (tg_bad_i) begin
                state_d = ST_TRAP;
                fin     = 1'b0;
              end else begin
                push_o = rest != '0 || others != '0;
                if (rest == '0) push_path_o.mask = others;
                row_o.active = tg_same_i;
                pc_o         = tg_target_i;
                moved_o      = 1'b1;
                if (rest != '0 && others != '0) begin
                  state_d = ST_AGAIN;
                  fin     = 1'b0;
                end
              end
            end
            divergence_pkg::KIND_BSSY: begin
              bar_o          = 1'b1;
              sets_o.members = sets_i.members | work_i.exec;
            end
            divergence_pkg::KIND_BSYNC, divergence_pkg::KIND_WARPSYNC: if (exec_any) begin
              if (work_i.kind == divergence_pkg::KIND_WARPSYNC && unwanted_i) begin
                state_d = ST_TRAP;
                fin     = 1'b0;
              end else begin
                row_o.active = rest;
                if (ITS && away) begin
                  ls_start_o = (sets_i.parked & row_i.strays) != '0;
                  state_d    = ls_start_o ? ST_SEEK : ST_PARK;
                  fin        = 1'b0;
                end else begin
                  bar_o            = 1'b1;
                  can_go           = 1'b1;
                  sets_o.parkpc    = work_i.at;
                  push_path_o.mask = first_go;
                  idle             = rest == '0;
                end
              end
            end
            divergence_pkg::KIND_BREAK, divergence_pkg::KIND_SET:
              if (exec_any || work_i.kind == divergence_pkg::KIND_BREAK) begin
                bar_o            = 1'b1;
                can_go           = 1'b1;
                push_path_o.mask = first_go;
              end
            divergence_pkg::KIND_CLEAR: bar_o = exec_any;
            divergence_pkg::KIND_SLEEP, divergence_pkg::KIND_NONE: ;
            divergence_pkg::KIND_YIELD: if (yields_o && more_i) begin
              state_d = ST_RELEASE;
              fin     = 1'b0;
            end
            default: begin   // EXIT
              row_o.live   = row_i.live & ~work_i.exec;
              row_o.active = rest;
              idle         = rest == '0;
              if (more_i) begin
                state_d = ST_RELEASE;
                fin     = 1'b0;
              end
            end
          endcase
          done_o = fin;
        end

        // The fall-through lanes are pushed; now those that issue this instruction again.
        ST_AGAIN: begin
          step_o           = 1'b1;
          push_o           = 1'b1;
          push_path_o.mask = others;
          fin              = 1'b1;
          done_o           = 1'b1;
          pc_o             = tg_target_i;
          moved_o          = 1'b1;
        end

        ST_RELEASE, ST_LET: begin
          step_o           = 1'b1;
          can_go           = 1'b1;
          bar_o            = released_i;
          push_path_o.mask = first_go;
          fin              = !more_i;
          done_o           = fin;
        end

        ST_TURN: if (ITS) begin
          step_o           = 1'b1;
          push_o           = 1'b1;
          push_path_o.mask = row_i.active;
          push_path_o.pc   = turn_pc_q;
          state_d          = ST_POP;
        end

        ST_SEEK: if (ITS) begin
          ls_next_o = !found && !ls_last_i;
          if (!ls_next_o) state_d = ST_PARK;
        end

        ST_PARK: if (ITS) begin
          step_o           = 1'b1;
          bar_o            = 1'b1;
          ls_park_o        = 1'b1;
          ls_path_o.mask   = ls_old_o | work_i.exec;
          ls_path_o.pc     = work_i.at;
          row_o.strays     = row_i.strays | work_i.exec;
          if (!found_q) row_o.stray_paths = row_i.stray_paths + 6'd1;
          fin              = !released_i;
          done_o           = fin;
          if (released_i) state_d = ST_LET;
        end

        ST_WALK: if (ITS) begin
          step_o           = 1'b1;
          push_o           = entry_go != '0;
          push_path_o.mask = entry_go;
          push_path_o.pc   = divergence_pkg::pc_of(ls_entry_i.pc) + divergence_pkg::size_of(ls_entry_i.pc);
          ls_keep_o        = ls_path_o.mask != '0;
          ls_next_o        = !ls_last_i;
          if (ls_last_i) begin
            row_o.strays      = row_i.strays & ~go_q;
            row_o.stray_paths = ls_kept_i;
            fin     = !more_q;
            done_o  = fin;
            state_d = ST_RELEASE;
          end
        end

        // The path memory is being read.
        ST_POP: begin
          state_d = ST_POPPED;
          if (row_i.depth == '0) begin
            if (row_i.live != '0) begin
              state_d = ST_TRAP;
            end else begin
              fin     = 1'b1;
              done_o  = 1'b1;
              ended_o = 1'b1;
            end
          end
        end

        ST_POPPED: begin
          step_o       = 1'b1;
          pop_o        = 1'b1;
          row_o.active = top_mask_i;
          fin          = 1'b1;
          done_o       = 1'b1;
          pc_o         = top_pc_i;
          moved_o      = top_pc_i != next_pc;
        end

        ST_TRAP: fin = 1'b1;

        default: ;
      endcase

      any_parked  = sets_o.parked != '0;
      freed       = can_go && released_i;
      if (freed) begin
        push_o         = first_go != '0;
        sets_o.members = (bx_i == divergence_pkg::BX_W) ? '0 : stay_i & ~go_i;
        sets_o.parked  = joined_i & ~go_i;
        if (ITS && (go_i & row_i.strays) != '0) begin
          ls_start_o = 1'b1;
          state_d    = ST_WALK;
          fin        = 1'b0;
          done_o     = 1'b0;
        end
      end
      if (fin && idle) begin
        fin     = 1'b0;
        done_o  = 1'b0;
        state_d = ST_POP;
      end
      if (ITS && fin && due && !popping && (row_i.depth != '0 || push_o)) begin
        turns   = 1'b1;
        fin     = 1'b0;
        done_o  = 1'b0;
        state_d = ST_TURN;
      end
      if (fin) state_d = ST_IDLE;
    end

    // Where lanes are parked now, and the turn. Whether the barrier is released comes late: it only chooses.
    if (bar_o) begin
      if (bx_i == divergence_pkg::BX_W) begin
        row_o.written_w = 1'b1;
        row_o.parked_w  = freed ? (joined_i & ~go_i) != '0 : any_parked;
      end else begin
        row_o.written[bx_i[3:0]]    = 1'b1;
        row_o.has_parked[bx_i[3:0]]  = freed ? (joined_i & ~go_i) != '0 : any_parked;
      end
    end
    if (pop_o) row_o.turn = '0;
    else if (state_q == ST_EXEC && work_i.counts && exec_any && row_i.turn != 6'd63) row_o.turn = row_i.turn + 6'd1;
  end

  // Of a jump that was followed fetch is at the target: right if lanes take it, and no other path comes first.
  assign redirect_o = work_i.followed ? !(state_q == ST_EXEC && exec_any) : moved_o;

  assign ls_found_o = found_q;
  assign ls_old_o   = (state_q == ST_PARK && !found_q) ? '0 : ls_entry_i.mask;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) state_q <= ST_IDLE;
    else         state_q <= take_o ? ST_EXEC : state_d;
  end

  always_ff @(posedge clk_i) begin
    if (step_o) due_q <= due;
    if (turns)  turn_pc_q <= pc_o;
    if (ITS) begin
      found_q <= state_q == ST_SEEK ? found : found_q && state_q == ST_PARK;
      if (ls_start_o) begin
        go_q   <= go_i;
        more_q <= state_q == ST_RELEASE && more_i;
      end
    end
  end

  // Others make use of the warp of the instruction, and of the barrier that it names.
  logic unused;
  assign unused = ^work_i;

  // With a rank before it a step sees in its first cycle what another one saw.
  logic unseen;
  assign unseen = cfg_pkg::DIVERGENCE_RANKS != 0 && hold_i;

  // Issue only commits a BSYNC of lanes that are members (and, on a stack, park at one PC).
  `ASSERT(a_bsync, state_q != ST_EXEC || unseen || work_i.kind != divergence_pkg::KIND_BSYNC
    || ((work_i.exec & ~sets_i.members) == '0
        && (its_i || sets_i.parked == '0 || work_i.exec == '0 || sets_i.parkpc == work_i.at)))
  // Executing lanes are active.
  `ASSERT(a_exec, state_q != ST_EXEC || unseen || (work_i.exec & ~row_i.active) == '0)
  // A path of the list is at one barrier.
  `ASSERT(a_list, state_q != ST_SEEK || unseen || (ls_entry_i.mask & sets_i.parked) == '0 || (ls_entry_i.mask & ~sets_i.parked) == '0)

endmodule
