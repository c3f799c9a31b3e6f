// SPDX-License-Identifier: Apache-2.0
// Divergence (isa/doc/03-divergence.md): active paths, waiting paths, convergence barriers, for every warp. Of the units
// `stack` and `its` the one that its_i names. The instances stand around the steps of an instruction.
// Latency: dv_done two cycles after is_ctl when idle (queued behind other warps else, and behind the start of a warp), one more
// for each further step (divergence_steps); instructions that read a register four cycles after their last operand beat. With a rank
// between what a step sees and what it does (DIVERGENCE_RANKS) each step takes two cycles: that is one more, and for each further one.
// State is readable in dv_done. B and P are asked for a cycle before they are shown.
// Handshake: events only; at most one control instruction of a warp is in flight. After dv_trap no dv_done comes for it.
// It does not make the precise BSYNC checks (issue does, with the query port) and does not fetch.
`include "heddle_idle.svh"

module divergence #(
  parameter bit ITS = cfg_pkg::HAS_ITS   // 1: its_i chooses the unit; 0: there is only `stack`
) (
  input  logic                            clk_i,
  input  logic                            rst_ni,
  // from the host
  input  logic [31:0]                     code_bytes_i,
  input  logic                            its_i,
  // from the dispatcher
  input  logic                            ct_start_valid_i,
  input  core_pkg::start_t                ct_start_i,
  // from issue
  input  logic                            is_ctl_valid_i,
  input  core_pkg::uop_t                  is_ctl_uop_i,
  input  logic                            is_sel_valid_i,   // a warp is judged in the next cycle
  input  logic [cfg_pkg::WARP_W-1:0]      is_sel_slot_i,
  input  logic [3:0]                      is_sel_bx_i,
  input  logic [cfg_pkg::WARP_W-1:0]      is_q_slot_i,
  input  logic [3:0]                      is_q_bx_i,
  // from operand
  input  logic                            op_br_valid_i,
  input  logic [cfg_pkg::WARP_W-1:0]      op_br_slot_i,
  input  logic [4:0]                      op_br_beat_i,     // of BR_LANES lanes
  input  logic [core_pkg::BR_LANES-1:0][31:0] op_br_lo_i,
  input  logic [core_pkg::BR_LANES-1:0][31:0] op_br_hi_i,
  // to issue
  output logic [31:0]                     dv_q_active_o,
  output logic [31:0]                     dv_q_live_o,
  output logic [31:0]                     dv_q_members_o,
  output logic [31:0]                     dv_q_parked_o,
  output logic [31:0]                     dv_q_parkpc_o,
  output logic                            dv_trap_valid_o,
  output core_pkg::trap_t                 dv_trap_o,
  // to issue and fetch
  output logic                            dv_done_valid_o,
  output logic [cfg_pkg::WARP_W-1:0]      dv_done_slot_o,
  output logic                            dv_done_redirect_o, // fetch is not where it goes on
  output logic                            dv_done_moved_o,    // that is not behind the instruction
  output logic [31:0]                     dv_done_pc_o,
  output logic                            dv_done_ended_o,
  // for observers: what a step does, and what is stored where rh_look says
  output divergence_pkg::did_t            dv_did_o,
  input  divergence_pkg::look_t           rh_look_i,
  output divergence_pkg::stored_t         dv_stored_o
);

  localparam int unsigned WARP_W = cfg_pkg::WARP_W;

  logic its;
  assign its = ITS && its_i;

  // ---- intake ------------------------------------------------------------------------------------------------------------
  divergence_pkg::ctl_t            at_work, work_read, work;
  divergence_pkg::first_t          first, first_q;           // of the instruction that is taken; that is at work
  logic                            adds, queue_valid, free, take, tg_done_valid;
  logic [WARP_W-1:0]               slot, slot_q, next_slot, tg_done_slot;

  assign slot = slot_q;

  // What all the steps wait for stands in registers, the rest is read from memory.
  always_comb begin
    work_read        = at_work;
    work_read.kind   = first_q.kind;
    work_read.counts = first_q.counts;
    work_read.bx     = first_q.bx;
  end
  always_ff @(posedge clk_i) begin
    if (take) begin
      slot_q  <= next_slot;
      first_q <= first;
    end
  end

  divergence_intake u_intake (
    .clk_i           (clk_i),
    .rst_ni          (rst_ni),
    .in_valid_i      (is_ctl_valid_i),
    .uop_i           (is_ctl_uop_i),
    .adds_o          (adds),
    .tg_done_valid_i (tg_done_valid),
    .tg_done_slot_i  (tg_done_slot),
    .out_valid_o     (queue_valid),
    .out_ready_i     (free),
    .out_slot_o      (next_slot),
    .out_first_o     (first),
    .work_slot_i     (slot),
    .work_o          (at_work)
  );

  // ---- register targets; and plain values, those of the lowest executing lane ------------------------------------------------
  // They are looked up as an instruction is taken, and stand in registers for its steps.
  logic [31:0] tg_target, tg_same, tg_bad, tg_target_q, tg_same_q, tg_bad_q;
  logic [63:0] tg_bad_addr;
  logic        tg_any_bad, tg_any_bad_q;

  always_ff @(posedge clk_i) begin
    if (take) begin
      tg_target_q   <= tg_target;
      tg_same_q     <= tg_same;
      tg_bad_q      <= tg_bad;
      tg_any_bad_q  <= tg_any_bad;
    end
  end

  divergence_target u_target (
    .clk_i         (clk_i),
    .rst_ni        (rst_ni),
    .code_bytes_i  (code_bytes_i),
    .set_valid_i   (is_ctl_valid_i),
    .set_slot_i    (core_pkg::local_slot(is_ctl_uop_i.id.slot)),
    .set_exec_i    (is_ctl_uop_i.exec),
    .set_adds_i    (adds),
    .set_off_i     (isa_pkg::f_off32(is_ctl_uop_i.word)),
    .op_br_valid_i (op_br_valid_i),
    .op_br_slot_i  (op_br_slot_i),
    .op_br_beat_i  (op_br_beat_i),
    .op_br_lo_i    (op_br_lo_i),
    .op_br_hi_i    (op_br_hi_i),
    .done_valid_o  (tg_done_valid),
    .done_slot_o   (tg_done_slot),
    .slot_i        (next_slot),
    .target_o      (tg_target),
    .same_o        (tg_same),
    .any_bad_o     (tg_any_bad),
    .bad_o         (tg_bad),
    .addr_en_i     (first_q.kind == divergence_pkg::KIND_TARGET),
    .addr_slot_i   (slot),
    .bad_addr_o    (tg_bad_addr)
  );

  // ---- a warp's masks ----------------------------------------------------------------------------------------------------
  // The unit stands still while a warp starts, and in the cycle in which what the next step sees is on its way to the rank, where
  // there is one.
  divergence_pkg::row_t row_read, row, row_steps, row_new;
  logic                 hold, look, step;
  logic [5:0]           depth_new;
  logic [4:0]           first_new;
  logic [15:0]          q_written;

  assign hold = ct_start_valid_i || look;

  always_comb begin
    row_new       = row_steps;
    row_new.depth = depth_new;
    row_new.first = first_new;
  end

  divergence_row #(.ITS(ITS)) u_row (
    .clk_i           (clk_i),
    .rst_ni          (rst_ni),
    .start_valid_i   (ct_start_valid_i),
    .start_slot_i    (core_pkg::local_slot(ct_start_i.slot)),
    .start_live_i    (ct_start_i.live),
    .slot_i          (slot),
    .row_o           (row_read),
    .we_i            (step),
    .row_i           (row_new),
    .q_slot_i        (is_q_slot_i),
    .q_active_o      (dv_q_active_o),
    .q_live_o        (dv_q_live_o),
    .q_written_o     (q_written)
  );

  // ---- convergence barriers ----------------------------------------------------------------------------------------------
  // The instruction's own, or one after the other of those where lanes are parked.
  divergence_pkg::sets_t kept, sets_read, sets, sets_new, q_kept;
  logic                  own, executes, yields, listed, bar, scan, more;
  logic [4:0]            bx, scan_bx_q, next_bx, listed_bx_q;

  assign bx = listed ? listed_bx_q : own ? first_q.bx : scan_bx_q;
  always_ff @(posedge clk_i) if (bar) listed_bx_q <= bx;

  // EXIT and YIELD look at every barrier where lanes are parked, one a step, in ascending order: all of them while the instruction
  // executes, then those that are left. YIELD does not look at those that wait for WARPSYNC.
  logic [16:0] left, first_left, left_q;

  assign left = executes ? {row.parked_w && !yields, row.has_parked} : left_q;
  assign more = left != '0;

  arb_fixed #(.N(17)) u_first (
    .req_i   (left),
    .grant_o (first_left)
  );
  onehot_index #(.N(17)) u_bx (
    .onehot_i (first_left),
    .index_o  (next_bx)
  );

  always_ff @(posedge clk_i) begin
    if (scan) begin
      left_q  <= left & ~first_left;
      scan_bx_q <= next_bx;
    end
  end

  divergence_bar u_bar (
    .clk_i     (clk_i),
    .rst_ni    (rst_ni),
    .rd_en_i   (take || (scan && more)),
    .rd_slot_i (take ? next_slot : slot),
    .rd_bx_i   (take ? first.bx : next_bx),
    .sets_o    (kept),
    .wr_en_i   (bar),
    .wr_slot_i (slot),
    .wr_bx_i   (bx),
    .sets_i    (sets_new),
    .q_en_i    (is_sel_valid_i),
    .q_slot_i  (is_sel_slot_i),
    .q_bx_i    (is_sel_bx_i),
    .q_sets_o   (q_kept),
    .see_slot_i (rh_look_i.slot),
    .see_bx_i   (rh_look_i.bx),
    .see_sets_o (dv_stored_o.sets)
  );

  // Which barrier it is follows from the step: so what is known of it is looked up for each that it may be.
  function automatic logic has(logic [15:0] each, logic w, logic [4:0] which);
    has = which[4] ? w : each[which[3:0]];
  endfunction

  logic written, has_parked;
  always_comb begin
    written    = own ? has(row_read.written, row_read.written_w, first_q.bx) : has(row_read.written, row_read.written_w, scan_bx_q);
    has_parked = own ? has(row_read.has_parked, row_read.parked_w, first_q.bx) : has(row_read.has_parked, row_read.parked_w, scan_bx_q);
    if (listed) begin
      written    = has(row_read.written, row_read.written_w, listed_bx_q);
      has_parked = has(row_read.has_parked, row_read.parked_w, listed_bx_q);
    end
  end
  assign sets_read.members = written ? kept.members : '0;
  assign sets_read.parked  = has_parked ? kept.parked : '0;
  assign sets_read.parkpc  = kept.parkpc;

  // ---- what a step sees: at once, or a cycle after it was read ------------------------------------------------------------
  if (cfg_pkg::DIVERGENCE_RANKS == 0) begin : gen_at_once
    assign {look, work, row, sets} = {1'b0, work_read, row_read, sets_read};
  end else begin : gen_rank
    logic seen_q;   // the rank has what the step sees that is to be done
    assign look = !seen_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni || take) seen_q <= 1'b0;
      else                 seen_q <= !seen_q || hold;
    end
    always_ff @(posedge clk_i) begin
      if (look) {work, row, sets} <= {work_read, row_read, sets_read};
    end
  end

  assign dv_q_members_o = q_written[is_q_bx_i] ? q_kept.members : '0;
  assign dv_q_parked_o  = q_written[is_q_bx_i] ? q_kept.parked : '0;
  assign dv_q_parkpc_o  = divergence_pkg::pc_of(q_kept.parkpc);

  logic [31:0] stay, joined, go, strangers;
  logic        released, unwanted;

  divergence_check u_check (
    .its_i       (its),
    .work_i      (work),
    .own_i       (own),
    .yields_i    (yields),
    .value_i     (tg_target_q),
    .live_i      (row.live),
    .sets_i      (sets),
    .stay_o      (stay),
    .joined_o    (joined),
    .go_o        (go),
    .released_o  (released),
    .strangers_o (strangers),
    .unwanted_o  (unwanted)
  );

  // ---- waiting paths, and those that are parked beside the first one of their barrier --------------------------------------
  divergence_pkg::path_t pushed, top, entry, entry_new;
  logic                  push, read, pop, ls_start, ls_next, ls_last, ls_keep, ls_park, ls_found;
  logic [31:0]           entry_old;
  logic [5:0]            ls_kept;
  logic [4:0]            path_name, path_place, list_place;

  divergence_paths #(.ITS(ITS)) u_paths (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .its_i       (its),
    .slot_i      (slot),
    .strays_i    (row.stray_paths),
    .depth_i     (row.depth),
    .first_i     (row.first),
    .depth_o     (depth_new),
    .first_o     (first_new),
    .push_i      (push),
    .push_path_i (pushed),
    .read_i      (read),
    .pop_i       (pop),
    .top_o       (top),
    .start_i     (ls_start),
    .next_i      (ls_next),
    .entry_o     (entry),
    .last_o      (ls_last),
    .keep_i      (ls_keep),
    .kept_o      (ls_kept),
    .park_i      (ls_park),
    .found_i     (ls_found),
    .entry_i     (entry_new),
    .name_o      (path_name),
    .place_o     (path_place),
    .list_place_o(list_place),
    .see_slot_i  (rh_look_i.slot),
    .see_place_i (rh_look_i.path),
    .see_list_i  (rh_look_i.entry),
    .see_path_o  (dv_stored_o.path),
    .see_entry_o (dv_stored_o.entry)
  );

  // ---- the steps of one instruction --------------------------------------------------------------------------------------
  logic        done, redirect, moved, ended, trap;
  logic [31:0] done_pc;

  divergence_steps #(.ITS(ITS)) u_steps (
    .clk_i        (clk_i),
    .rst_ni       (rst_ni),
    .its_i        (its),
    .hold_i       (hold),
    .work_valid_i (queue_valid),
    .free_o       (free),
    .take_o       (take),
    .work_i       (work),
    .tg_target_i  (tg_target_q),
    .tg_same_i    (tg_same_q),
    .tg_bad_i     (tg_any_bad_q),
    .row_i        (row),
    .step_o       (step),
    .row_o        (row_steps),
    .own_o        (own),
    .executes_o   (executes),
    .yields_o     (yields),
    .listed_o     (listed),
    .sets_i       (sets),
    .stay_i       (stay),
    .joined_i     (joined),
    .go_i         (go),
    .released_i   (released),
    .unwanted_i   (unwanted),
    .bx_i         (bx),
    .bar_o        (bar),
    .sets_o       (sets_new),
    .scan_o       (scan),
    .more_i       (more),
    .push_o       (push),
    .push_path_o  (pushed),
    .read_o       (read),
    .pop_o        (pop),
    .top_mask_i   (top.mask),
    .top_pc_i     (top.pc),
    .ls_start_o   (ls_start),
    .ls_next_o    (ls_next),
    .ls_entry_i   (entry),
    .ls_last_i    (ls_last),
    .ls_keep_o    (ls_keep),
    .ls_kept_i    (ls_kept),
    .ls_park_o    (ls_park),
    .ls_found_o   (ls_found),
    .ls_path_o    (entry_new),
    .ls_old_o     (entry_old),
    .done_o       (done),
    .moved_o      (moved),
    .redirect_o   (redirect),
    .pc_o         (done_pc),
    .ended_o      (ended),
    .trap_o       (trap)
  );

  // ---- to issue and fetch: it is done, a cycle after the last step, and where its warp goes on; or its trap, which is a bad register
  // target, a WARPSYNC that does not fit, else a deadlock -----------------------------------------------------------------------
  logic                       done_q, redirect_q, moved_q, ended_q, misfit_q;
  logic [cfg_pkg::WARP_W-1:0] done_slot_q;
  logic [31:0]                pc_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) done_q <= 1'b0;
    else         done_q <= done;
  end

  always_ff @(posedge clk_i) begin
    if (done) begin
      done_slot_q     <= core_pkg::local_slot(work.id.slot);
      redirect_q <= redirect;
      moved_q    <= moved;
      pc_q       <= done_pc;
      ended_q    <= ended;
    end
    if (executes) misfit_q <= unwanted;
  end

  assign dv_done_valid_o    = done_q;
  assign dv_done_slot_o     = done_slot_q;
  assign dv_done_redirect_o = redirect_q;
  assign dv_done_moved_o    = moved_q;
  assign dv_done_pc_o       = pc_q;
  assign dv_done_ended_o    = ended_q;

  logic no_target, no_sync;
  assign no_target       = work.kind == divergence_pkg::KIND_TARGET;
  assign no_sync         = work.kind == divergence_pkg::KIND_WARPSYNC && misfit_q;
  assign dv_trap_valid_o = trap;
  always_comb begin
    dv_trap_o = 'x;
    if (`HEDDLE_LIVE(trap)) begin
      dv_trap_o.cause = no_target ? core_pkg::TRAP_BAD_PC : no_sync ? core_pkg::TRAP_DIVERGENCE : core_pkg::TRAP_DEADLOCK;
      dv_trap_o.id    = work.id;
      dv_trap_o.pc    = divergence_pkg::pc_of(work.at);
      dv_trap_o.lanes = no_target ? tg_bad_q : no_sync ? ((strangers != '0) ? strangers : work.exec) : row.live;
      dv_trap_o.addr  = tg_bad_addr;
    end
  end

  // ---- for observers -----------------------------------------------------------------------------------------------------
  assign dv_did_o = '{
    look:      '{slot: slot, bx: bx, entry: list_place, path: path_place},
    bar:       bar,
    park:      ITS && ls_park,
    listed:    ITS && listed,
    push:      push,
    pop:       pop,
    name:      path_name,
    top:       top,
    sets:      sets,
    strays:    row.strays,
    entry:     entry_new,
    entry_old: entry_old
  };

  // The rest of the start is for others.
  logic unused;
  assign unused = &{1'b0, ct_start_i, 1'b0};

endmodule
