// SPDX-License-Identifier: Apache-2.0
// The divergence unit `stack` (isa/doc/03-divergence.md): active paths, waiting paths, convergence barriers, hash, for every warp.
// Latency: dv_done two cycles after is_ctl when idle (queued behind other warps else, and behind the start of a warp); two more a
// pop, for EXIT one a barrier where lanes are parked; instructions that read an operand four cycles after its last beat.
// State is readable in dv_done, the hash two cycles later. B and P are asked for a cycle before they are shown.
// Handshake: events only; at most one control instruction of a warp is in flight. After dv_trap no dv_done comes for it.
// It does not make the precise BSYNC checks (issue does, with the query port) and does not fetch. Over 400 lines of named
// connections: the parts are modules of their own, what stays is the table of steps.
`default_nettype none
`include "heddle_assert.svh"

module divergence (
  input  logic                            clk_i,
  input  logic                            rst_ni,
  input  logic [7:0]                      fault_i,
  // from the host
  input  logic [31:0]                     code_bytes_i,
  // from the dispatcher
  input  logic                            ct_start_valid_i,
  input  core_pkg::start_t                ct_start_i,
  // from issue
  input  logic                            is_ctl_valid_i,
  input  core_pkg::uop_t                  is_ctl_uop_i,
  input  logic                            is_sel_valid_i,   // who is judged in the next cycle
  input  logic [cfg_pkg::WARP_W-1:0]      is_sel_slot_i,
  input  logic [3:0]                      is_sel_bx_i,
  input  logic [cfg_pkg::WARP_W-1:0]      is_q_slot_i,
  input  logic [3:0]                      is_q_bx_i,
  // from operand
  input  logic                            op_br_valid_i,
  input  logic [cfg_pkg::WARP_W-1:0]      op_br_slot_i,
  input  logic [4:0]                      op_br_beat_i,
  input  logic [cfg_pkg::LANES-1:0][31:0] op_br_lo_i,
  input  logic [cfg_pkg::LANES-1:0][31:0] op_br_hi_i,
  // to issue
  output logic [31:0]                     dv_q_active_o,
  output logic [31:0]                     dv_q_live_o,
  output logic [63:0]                     dv_q_hash_o,
  output logic [31:0]                     dv_q_members_o,
  output logic [31:0]                     dv_q_parked_o,
  output logic [31:0]                     dv_q_parkpc_o,
  output logic                            dv_trap_valid_o,
  output core_pkg::trap_t                 dv_trap_o,
  // to issue and fetch
  output logic                            dv_done_valid_o,
  output logic [cfg_pkg::WARP_W-1:0]      dv_done_slot_o,
  output logic                            dv_done_redirect_o,
  output logic [31:0]                     dv_done_pc_o,
  output logic                            dv_done_ended_o
);

  localparam int unsigned WARPS  = cfg_pkg::WARPS;
  localparam int unsigned WARP_W = cfg_pkg::WARP_W;

  localparam logic [2:0] ST_IDLE = 3'd0, ST_EXEC = 3'd1, ST_AGAIN = 3'd2, ST_RELEASE = 3'd3, ST_POP = 3'd4, ST_POPPED = 3'd5,
    ST_TRAP = 3'd6;
  logic [2:0] state_q;

  // What a control instruction is, once its word is gone.
  localparam logic [3:0] KIND_BRANCH = 4'd0, KIND_TARGET = 4'd1, KIND_BSSY = 4'd2, KIND_BSYNC = 4'd3, KIND_BREAK = 4'd4,
    KIND_EXIT = 4'd5, KIND_WARPSYNC = 4'd6, KIND_SET = 4'd7, KIND_CLEAR = 4'd8, KIND_SLEEP = 4'd9, KIND_NONE = 4'd10;
  // The barrier of WARPSYNC, beside B0-B15.
  localparam logic [4:0] BX_W = 5'd16;

  typedef struct packed {
    logic [3:0]    kind;
    core_pkg::id_t id;
    logic [31:0]   pc;
    logic [31:0]   exec;
    logic [31:0]   target;
    logic [4:0]    bx;
  } ctl_t;

  // ---- intake ------------------------------------------------------------------------------------------------------------
  ctl_t              ev, work, work_q;
  logic              work_valid, free, tg_done_valid, reads;
  logic [WARP_W-1:0] slot, tg_done_slot;

  assign slot = core_pkg::local_slot(work_q.id.slot);

  always_comb begin
    ev.kind = KIND_BRANCH;
    case (is_ctl_uop_i.dec.op)
      isa_pkg::OP_BRX, isa_pkg::OP_CALL_ABS, isa_pkg::OP_RET: ev.kind = KIND_TARGET;
      isa_pkg::OP_BSSY:  ev.kind = KIND_BSSY;
      isa_pkg::OP_BSYNC: ev.kind = KIND_BSYNC;
      isa_pkg::OP_BREAK: ev.kind = KIND_BREAK;
      isa_pkg::OP_EXIT, isa_pkg::OP_KILL: ev.kind = KIND_EXIT;
      isa_pkg::OP_WARPSYNC:  ev.kind = KIND_WARPSYNC;
      isa_pkg::OP_BMOV_SET:  ev.kind = KIND_SET;
      isa_pkg::OP_BMOV_GET:  ev.kind = (isa_pkg::f_clear(is_ctl_uop_i.word) == isa_pkg::CLEAR_CLEAR) ? KIND_CLEAR : KIND_NONE;
      isa_pkg::OP_NANOSLEEP: ev.kind = KIND_SLEEP;
      default: ;   // BRA, JMP, CALL.REL; BPT.TRAP comes only where no lane executes it
    endcase
    reads  = ev.kind == KIND_TARGET || ev.kind == KIND_WARPSYNC || ev.kind == KIND_SET || ev.kind == KIND_SLEEP;
    ev.id     = is_ctl_uop_i.id;
    ev.pc     = is_ctl_uop_i.pc;
    ev.exec   = is_ctl_uop_i.exec;
    ev.target = (is_ctl_uop_i.dec.op == isa_pkg::OP_JMP) ? isa_pkg::f_abs32(is_ctl_uop_i.word)
      : is_ctl_uop_i.pc + 32'd16 + isa_pkg::f_rel(is_ctl_uop_i.word);
    ev.bx     = {1'b0, isa_pkg::f_bx(is_ctl_uop_i.word)};
    if (ev.kind == KIND_WARPSYNC) ev.bx = BX_W;
    if (ev.kind == KIND_CLEAR)    ev.bx = {1'b0, isa_pkg::f_bxs(is_ctl_uop_i.word)};
  end

  divergence_intake #(.WIDTH($bits(ctl_t))) u_intake (
    .clk_i           (clk_i),
    .rst_ni          (rst_ni),
    .in_valid_i      (is_ctl_valid_i),
    .in_slot_i       (core_pkg::local_slot(ev.id.slot)),
    .in_late_i       (reads),
    .in_data_i       (ev),
    .tg_done_valid_i (tg_done_valid),
    .tg_done_slot_i  (tg_done_slot),
    .out_valid_o     (work_valid),
    .out_ready_i     (free),
    .out_data_o      (work)
  );

  // ---- register targets; and plain values, those of the lowest executing lane ------------------------------------------------
  logic [31:0] tg_target, tg_same, tg_bad;
  logic [63:0] tg_bad_addr;

  divergence_target u_target (
    .clk_i         (clk_i),
    .rst_ni        (rst_ni),
    .code_bytes_i  (code_bytes_i),
    .set_valid_i   (is_ctl_valid_i),
    .set_slot_i    (core_pkg::local_slot(ev.id.slot)),
    .set_exec_i    (ev.exec),
    .set_off_i     ((ev.kind == KIND_TARGET) ? isa_pkg::f_off32(is_ctl_uop_i.word) : '0),
    .op_br_valid_i (op_br_valid_i),
    .op_br_slot_i  (op_br_slot_i),
    .op_br_beat_i  (op_br_beat_i),
    .op_br_lo_i    (op_br_lo_i),
    .op_br_hi_i    (op_br_hi_i),
    .done_valid_o  (tg_done_valid),
    .done_slot_o   (tg_done_slot),
    .slot_i        (slot),
    .target_o      (tg_target),
    .same_o        (tg_same),
    .bad_o         (tg_bad),
    .bad_addr_o    (tg_bad_addr)
  );

  // ---- a warp's masks ----------------------------------------------------------------------------------------------------
  // The unit stands still while a warp starts, and for one cycle behind a step with two items for the hash.
  logic        hold, step, busy;
  logic [31:0] active, live, active_d, live_d;
  logic [16:0] has_members, has_parked, has_members_d, has_parked_d;
  logic [15:0] q_has_members, q_has_parked;
  logic [5:0]  depth, depth_d;

  assign hold = ct_start_valid_i || busy;

  divergence_row u_row (
    .clk_i           (clk_i),
    .rst_ni          (rst_ni),
    .start_valid_i   (ct_start_valid_i),
    .start_slot_i    (core_pkg::local_slot(ct_start_i.slot)),
    .start_live_i    (ct_start_i.live),
    .slot_i          (slot),
    .active_o        (active),
    .live_o          (live),
    .has_members_o   (has_members),
    .has_parked_o    (has_parked),
    .depth_o         (depth),
    .we_i            (step),
    .active_i        (active_d),
    .live_i          (live_d),
    .has_members_i   (has_members_d),
    .has_parked_i    (has_parked_d),
    .depth_i         (depth_d),
    .q_slot_i        (is_q_slot_i),
    .q_active_o      (dv_q_active_o),
    .q_live_o        (dv_q_live_o),
    .q_has_members_o (q_has_members),
    .q_has_parked_o  (q_has_parked)
  );

  // ---- convergence barriers ----------------------------------------------------------------------------------------------
  logic [4:0]  bx, scan_bx, scan_bx_q;
  logic [31:0] members, parked, parkpc, members_d, parked_d, parkpc_d, kept_members, kept_parked, q_members, q_parked;
  logic        bar_we, load;
  logic [16:0] scan;

  divergence_bar u_bar (
    .clk_i        (clk_i),
    .rst_ni       (rst_ni),
    .rd_en_i      (load || (step && work_q.kind == KIND_EXIT && scan != '0)),
    .rd_slot_i    (load ? core_pkg::local_slot(work.id.slot) : slot),
    .rd_bx_i      (load ? work.bx : scan_bx),
    .members_o    (kept_members),
    .parked_o     (kept_parked),
    .parkpc_o     (parkpc),
    .wr_en_i      (bar_we),
    .wr_slot_i    (slot),
    .wr_bx_i      (bx),
    .members_i    (members_d),
    .parked_i     (parked_d),
    .parkpc_i     (parkpc_d),
    .q_en_i       (is_sel_valid_i),
    .q_slot_i     (is_sel_slot_i),
    .q_bx_i       (is_sel_bx_i),
    .q_members_o  (q_members),
    .q_parked_o   (q_parked),
    .q_parkpc_o   (dv_q_parkpc_o)
  );

  assign members        = has_members[bx] ? kept_members : '0;
  assign parked         = has_parked[bx] ? kept_parked : '0;
  assign dv_q_members_o = q_has_members[is_q_bx_i] ? q_members : '0;
  assign dv_q_parked_o  = q_has_parked[is_q_bx_i] ? q_parked : '0;

  // ---- waiting paths: up to 31, and for a cycle or two a 32nd, when the last active lane parks and is released at once ----
  logic [4:0]  below;
  logic        push, pop;
  logic [31:0] push_mask, push_pc, top_mask, top_pc, top_ok, rest_lanes;

  assign below = depth[4:0] - 5'd1;

  ram_apart #(.WIDTH(64), .DEPTH(WARPS * 32)) u_paths (
    .clk_i     (clk_i),
    .rst_ni    (rst_ni),
    .wr_en_i   (push),
    .wr_addr_i ({slot, depth[4:0]}),
    .wr_data_i ({push_pc, push_mask}),
    .rd_en_i   (state_q == ST_POP),
    .rd_addr_i ({slot, below}),
    .rd_data_o ({top_pc, top_mask})
  );

  assign rest_lanes = top_mask & (top_mask - 32'd1);
  assign top_ok = (fault_i == core_pkg::FAULT_POP_MASK && rest_lanes != '0) ? rest_lanes : top_mask;

  // ---- the steps of one instruction --------------------------------------------------------------------------------------
  logic [2:0]  state_d;
  logic [16:0] scan_q, scan_first;
  logic [31:0] next_pc, rest, others, joined, stay, go_mask;
  logic        can_go, released, fin;
  logic        done_valid_d, done_redirect_d, done_ended_d;
  logic [31:0] done_pc_d;

  // EXIT looks at every barrier where lanes are parked: all of them while it executes, then those that are left.
  assign scan = (state_q == ST_EXEC) ? has_parked : scan_q;

  arb_fixed #(.N(17)) u_scan (
    .req_i   (scan),
    .grant_o (scan_first)
  );
  onehot_index #(.N(17)) u_scan_bx (
    .onehot_i (scan_first),
    .index_o  (scan_bx)
  );

  assign next_pc = work_q.pc + 32'd16;
  assign rest    = active & ~work_q.exec;
  assign others  = work_q.exec & ~tg_same;
  assign bx      = (state_q == ST_RELEASE) ? scan_bx_q : work_q.bx;
  assign free    = fin || state_q == ST_IDLE;
  assign load    = free && work_valid;

  // BSYNC, WARPSYNC, BREAK, BMOV and, barrier by barrier, EXIT: who is parked and who is a member then; when every live member is
  // parked, the parked members go.
  logic [31:0] awaited, strangers;
  logic        parks, unwanted;
  assign parks    = work_q.kind == KIND_BSYNC || work_q.kind == KIND_WARPSYNC;
  assign joined   = (state_q == ST_EXEC && parks) ? parked | work_q.exec : parked;
  always_comb begin
    stay = members;
    if (state_q == ST_EXEC) begin
      case (work_q.kind)
        KIND_BREAK:              stay = members & ~work_q.exec;
        KIND_WARPSYNC, KIND_SET: stay = tg_target;
        KIND_CLEAR:              stay = '0;
        default: ;
      endcase
    end
    awaited = stay & live & ~joined;
    if (fault_i == core_pkg::FAULT_SYNC_EARLY && bx == BX_W) awaited = awaited & ~highest(stay);
  end
  assign go_mask  = joined & stay
    & ((fault_i == core_pkg::FAULT_BSYNC_MASK && work_q.kind == KIND_BSYNC) ? work_q.exec : 32'hffff_ffff);
  assign released = (joined & stay) != '0 && awaited == '0;

  function automatic logic [31:0] highest(logic [31:0] mask);
    highest = '0;
    for (int unsigned l = 0; l < 32; l++) if (mask[l]) highest = 32'd1 << l;
  endfunction

  // WARPSYNC: lanes that its mask does not name; others that wait with another mask, or elsewhere.
  assign strangers = work_q.exec & ~tg_target;
  assign unwanted  = strangers != '0 || (parked != '0 && (members != tg_target || parkpc != work_q.pc));


  always_comb begin
    state_d    = state_q;
    step       = 1'b0;
    fin        = 1'b0;
    can_go     = 1'b0;
    active_d   = active;
    live_d     = live;
    bar_we     = 1'b0;
    members_d  = stay;
    parked_d   = joined;
    parkpc_d   = parkpc;
    push       = 1'b0;
    push_mask  = rest;
    push_pc    = next_pc;
    pop        = 1'b0;
    done_valid_d    = 1'b0;
    done_redirect_d = 1'b0;
    done_pc_d       = next_pc;
    done_ended_d    = 1'b0;

    if (!hold) begin
      case (state_q)
        ST_EXEC: begin
          step = 1'b1;
          fin  = 1'b1;
          case (work_q.kind)
            KIND_BRANCH: if (work_q.exec != '0) begin
              push            = rest != '0;
              active_d        = work_q.exec;
              done_pc_d       = work_q.target;
              done_redirect_d = 1'b1;
            end
            KIND_TARGET: if (work_q.exec != '0) begin
              if (tg_bad != '0) begin
                state_d = ST_TRAP;
                fin     = 1'b0;
              end else begin
                push            = rest != '0 || others != '0;
                if (rest == '0) begin
                  push_mask = others;
                  push_pc   = work_q.pc;
                end
                active_d        = tg_same;
                done_pc_d       = tg_target;
                done_redirect_d = 1'b1;
                if (rest != '0 && others != '0) begin
                  state_d = ST_AGAIN;
                  fin     = 1'b0;
                end
              end
            end
            KIND_BSSY: begin
              bar_we    = 1'b1;
              members_d = members | work_q.exec;
            end
            KIND_BSYNC: if (work_q.exec != '0) begin
              bar_we    = 1'b1;
              can_go    = 1'b1;
              parkpc_d  = work_q.pc;
              active_d  = rest;
              push_mask = go_mask;
              if (rest == '0) begin
                state_d = ST_POP;
                fin     = 1'b0;
              end
            end
            KIND_WARPSYNC: if (work_q.exec != '0) begin
              if (unwanted) begin
                state_d = ST_TRAP;
                fin     = 1'b0;
              end else begin
                bar_we    = 1'b1;
                can_go    = 1'b1;
                parkpc_d  = work_q.pc;
                active_d  = rest;
                push_mask = go_mask;
                if (rest == '0) begin
                  state_d = ST_POP;
                  fin     = 1'b0;
                end
              end
            end
            KIND_BREAK: begin
              bar_we    = 1'b1;
              can_go    = 1'b1;
              push_mask = go_mask;
              push_pc   = parkpc + 32'd16;
            end
            KIND_SET: if (work_q.exec != '0) begin
              bar_we    = 1'b1;
              can_go    = 1'b1;
              push_mask = go_mask;
              push_pc   = parkpc + 32'd16;
            end
            KIND_CLEAR: bar_we = work_q.exec != '0;
            KIND_SLEEP, KIND_NONE: ;
            default: begin   // EXIT
              live_d   = live & ~work_q.exec;
              active_d = rest;
              if (has_parked != '0 && fault_i != core_pkg::FAULT_EXIT_KEEP) begin
                state_d = ST_RELEASE;
                fin     = 1'b0;
              end else if (rest == '0) begin
                state_d = ST_POP;
                fin     = 1'b0;
              end
            end
          endcase
          done_valid_d = fin;
        end

        // The fall-through lanes are pushed; now those that issue this instruction again.
        ST_AGAIN: begin
          step            = 1'b1;
          push            = 1'b1;
          push_mask       = others;
          push_pc         = work_q.pc;
          fin             = 1'b1;
          done_valid_d    = 1'b1;
          done_pc_d       = tg_target;
          done_redirect_d = 1'b1;
        end

        ST_RELEASE: begin
          step      = 1'b1;
          can_go    = 1'b1;
          bar_we    = released;
          push_mask = go_mask;
          push_pc   = parkpc + 32'd16;
          if (scan_q == '0) begin
            fin          = active != '0;
            done_valid_d = fin;
            if (!fin) state_d = ST_POP;
          end
        end

        // The path memory is being read.
        ST_POP: begin
          state_d = ST_POPPED;
          if (depth == '0) begin
            if (live != '0) begin
              state_d = ST_TRAP;
            end else begin
              fin          = 1'b1;
              done_valid_d = 1'b1;
              done_ended_d = 1'b1;
            end
          end
        end

        ST_POPPED: begin
          step            = 1'b1;
          pop             = 1'b1;
          active_d        = top_ok;
          fin             = 1'b1;
          done_valid_d    = 1'b1;
          done_pc_d       = top_pc;
          done_redirect_d = top_pc != next_pc;
        end

        ST_TRAP: fin = 1'b1;

        default: ;
      endcase

      if (can_go && released) begin
        push      = 1'b1;
        members_d = (bx == BX_W) ? '0 : stay & ~go_mask;
        parked_d  = joined & ~go_mask;
      end
      if (fin) state_d = ST_IDLE;
    end
  end

  always_comb begin
    has_members_d = has_members;
    has_parked_d  = has_parked;
    if (bar_we) begin
      has_members_d[bx] = members_d != '0;
      has_parked_d[bx]  = parked_d != '0;
    end
    depth_d = depth;
    if (push) depth_d = depth + 6'd1;
    if (pop)  depth_d = depth - 6'd1;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) state_q <= ST_IDLE;
    else         state_q <= load ? ST_EXEC : state_d;
  end

  always_ff @(posedge clk_i) begin
    if (load) work_q <= work;
    if (step) begin
      scan_q    <= scan & ~scan_first;
      scan_bx_q <= scan_bx;
    end
  end

  // ---- hash ------------------------------------------------------------------------------------------------------------
  divergence_hash u_hash (
    .clk_i          (clk_i),
    .rst_ni         (rst_ni),
    .start_valid_i  (ct_start_valid_i),
    .start_slot_i   (core_pkg::local_slot(ct_start_i.slot)),
    .start_live_i   (ct_start_i.live),
    .busy_o         (busy),
    .slot_i         (slot),
    .bar_i          (bar_we),
    .bx_i           (bx),
    .members_old_i  (members),
    .members_new_i  (members_d),
    .parked_old_i   (parked),
    .parkpc_old_i   (parkpc[23:0]),
    .parked_new_i   (parked_d),
    .parkpc_new_i   (parkpc_d[23:0]),
    .path_i         (push || pop),
    .path_depth_i   (pop ? below : depth[4:0]),
    .path_mask_i    (pop ? top_mask : push_mask),
    .path_pc_i      (pop ? top_pc[23:0] : push_pc[23:0]),
    .live_i         (step && state_q == ST_EXEC && work_q.kind == KIND_EXIT),
    .live_old_i     (live),
    .live_new_i     (live_d),
    .q_slot_i       (is_q_slot_i),
    .q_hash_o       (dv_q_hash_o)
  );

  // ---- results -----------------------------------------------------------------------------------------------------------
  logic              done_valid_q, done_redirect_q, done_ended_q;
  logic [WARP_W-1:0] done_slot_q;
  logic [31:0]       done_pc_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) done_valid_q <= 1'b0;
    else         done_valid_q <= done_valid_d;
  end

  always_ff @(posedge clk_i) begin
    if (done_valid_d) begin
      done_slot_q     <= slot;
      done_redirect_q <= done_redirect_d;
      done_pc_q       <= done_pc_d;
      done_ended_q    <= done_ended_d;
    end
  end

  assign dv_done_valid_o    = done_valid_q;
  assign dv_done_slot_o     = done_slot_q;
  assign dv_done_redirect_o = done_redirect_q;
  assign dv_done_pc_o       = done_pc_q;
  assign dv_done_ended_o    = done_ended_q;

  // A bad register target, a WARPSYNC that does not fit, else a deadlock.
  logic no_target, no_sync, misfit_q;
  always_ff @(posedge clk_i) begin
    if (step) misfit_q <= unwanted;
  end
  assign no_target       = work_q.kind == KIND_TARGET;
  assign no_sync         = work_q.kind == KIND_WARPSYNC && misfit_q;
  assign dv_trap_valid_o = state_q == ST_TRAP && !hold;
  always_comb begin
    dv_trap_o.cause = no_target ? core_pkg::TRAP_BAD_PC : no_sync ? core_pkg::TRAP_DIVERGENCE : core_pkg::TRAP_DEADLOCK;
    dv_trap_o.id    = work_q.id;
    dv_trap_o.pc    = work_q.pc;
    dv_trap_o.lanes = no_target ? tg_bad : no_sync ? ((strangers != '0) ? strangers : work_q.exec) : live;
    dv_trap_o.addr  = no_target ? tg_bad_addr : '0;
  end

  // The rest of the two structs is for others.
  logic unused;
  assign unused = &{1'b0, is_ctl_uop_i, ct_start_i, 1'b0};

  // Issue only commits a BSYNC whose lanes are members and park at one PC.
  `ASSERT(a_bsync, state_q != ST_EXEC || work_q.kind != KIND_BSYNC || fault_i != '0
    || ((work_q.exec & ~members) == '0 && (parked == '0 || work_q.exec == '0 || parkpc == work_q.pc)))
  // Executing lanes are active.
  `ASSERT(a_exec, state_q != ST_EXEC || (work_q.exec & ~active) == '0)
  // Waiting paths are disjoint and not empty, so they are never more than 32.
  `ASSERT(a_depth, !push || depth != 6'd32)

endmodule

`default_nettype wire
