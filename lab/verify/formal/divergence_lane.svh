// SPDX-License-Identifier: Apache-2.0
// One lane of one warp of the divergence unit, wherever the unit's memories have it. Included in tops of divergence.sv, after
// the instance u_dut (their ports: start_valid, start; ITS: which unit). The lane's writes are kept here, as the
// memories would keep them; its reads are given by that. With a rank between inputs and outputs of a step
// (DIVERGENCE_RANKS) all of this holds for memory's outputs; the rank has them when a step is done.
  // ---- the unit's steps, and one warp's part of its memories ------------------------------------------------------------------
  localparam logic [3:0] IDLE = 4'd0, EXEC = 4'd1, AGAIN = 4'd2, RELEASE = 4'd3, POP = 4'd4, POPPED = 4'd5, TRAP = 4'd6,
    TURN = 4'd7, SEEK = 4'd8, PARK = 4'd9, LET = 4'd10, WALK = 4'd11;
  localparam logic [3:0] LAST = ITS ? WALK : TRAP;

  logic [cfg_pkg::WARP_W-1:0] warp_q, slot, next_slot;
  logic [4:0]                 lane_q;
  logic [3:0]                 state;
  logic                       own, started_q, starts;
  divergence_pkg::ctl_t       work;
  divergence_pkg::row_t       row_q;

  assign state  = u_dut.u_steps.state_q;
  assign work   = u_dut.work_read;
  assign slot   = u_dut.slot;
  assign next_slot = u_dut.next_slot;
  assign own    = state != IDLE && slot == warp_q;
  assign starts = start_valid && start.slot == warp_q;

  // Whether what a step sees is that of now; and what the check would say of what memory gives.
  logic        seen, ranked;
  logic [31:0] stay_now, joined_now, go_now, strangers_now;
  logic        released_now, unwanted_now;
  if (cfg_pkg::DIVERGENCE_RANKS == 0) begin : gen_at_once
    assign seen = 1'b1;
  end else begin : gen_rank
    assign seen = u_dut.gen_rank.seen_q;
  end
  assign ranked = u_dut.work == u_dut.work_read && u_dut.row == u_dut.row_read && u_dut.sets == u_dut.sets_read;
  divergence_check u_now (
    .its_i       (ITS),
    .work_i      (work),
    .own_i       (u_dut.own),
    .yields_i    (ITS && work.kind == divergence_pkg::KIND_YIELD && work.exec != '0),
    .value_i     (u_dut.tg_target_q),
    .live_i      (u_dut.row_read.live),
    .sets_i      (u_dut.sets_read),
    .stay_o      (stay_now),
    .joined_o    (joined_now),
    .go_o        (go_now),
    .released_o  (released_now),
    .strangers_o (strangers_now),
    .unwanted_o  (unwanted_now)
  );

  // Its row; and of the lane whether it is in each of the waiting paths, parked at each of the barriers, in each entry of the list.
  logic [31:0] waits_q, list_q, go_q;
  logic [16:0] parked_q, member_q;
  logic        list_wr, list_rd;
  logic [4:0]  list_wr_at, list_rd_at, at;
  logic [5:0]  kept;
  if (ITS) begin : gen_its
    assign list_wr    = u_dut.ls_keep || u_dut.ls_park;
    assign list_wr_at = u_dut.u_paths.gen_list.write_at;
    assign list_rd    = u_dut.ls_start || u_dut.ls_next;
    assign list_rd_at = u_dut.u_paths.gen_list.next_at;
    assign at         = u_dut.u_paths.gen_list.at_q;
    assign kept       = u_dut.u_paths.gen_list.kept_q;
    assign go_q       = u_dut.u_steps.go_q;
  end else begin : gen_stack
    assign {list_wr, list_wr_at, list_rd, list_rd_at, at, kept, go_q} = '0;
  end
  always_ff @(posedge clk_i) begin
    warp_q    <= warp_q;
    lane_q    <= lane_q;
    started_q <= rst_ni && (started_q || starts);
    if (u_dut.u_row.we && u_dut.u_row.slot == warp_q)
      row_q <= ITS ? u_dut.u_row.row : u_dut.u_row.row & divergence_pkg::row_t'({49'd0, {104{1'b1}}});
    if (u_dut.push && slot == warp_q) waits_q[u_dut.u_paths.last] <= u_dut.pushed.mask[lane_q];
    if (u_dut.bar && slot == warp_q)  {parked_q[u_dut.bx], member_q[u_dut.bx]} <=
      {u_dut.sets_new.parked[lane_q], u_dut.sets_new.members[lane_q]};
    if (list_wr && slot == warp_q)    list_q[list_wr_at] <= u_dut.entry_new.mask[lane_q];
  end
  // The last read, if it was this warp's.
  logic       path_own_q, path_bit_q, bar_own_q, bar_bit_q, bar_member_q, list_own_q, list_bit_q;
  logic [4:0] bar_at_q, path_at_q;
  always_ff @(posedge clk_i) begin
    if (u_dut.read) begin
      path_own_q <= slot == warp_q;
      path_at_q  <= u_dut.u_paths.top;
      path_bit_q <= waits_q[u_dut.u_paths.top];
    end
    if (u_dut.u_bar.rd_en_i) begin
      bar_own_q <= u_dut.u_bar.rd_slot_i == warp_q;
      bar_at_q  <= u_dut.u_bar.rd_bx_i;
      bar_bit_q <= parked_q[u_dut.u_bar.rd_bx_i];
      bar_member_q <= member_q[u_dut.u_bar.rd_bx_i];
    end
    if (list_rd) begin
      list_own_q <= slot == warp_q;
      list_bit_q <= list_q[list_rd_at];
    end
  end
  // A word that was read holds until the next one is.
  divergence_pkg::sets_t kept_q;
  logic                  bar_read_q;
  always_ff @(posedge clk_i) begin
    kept_q     <= u_dut.kept;
    bar_read_q <= u_dut.u_bar.rd_en_i;
  end
  `GIVEN(g_kept, bar_read_q || u_dut.kept == kept_q)
  `GIVEN(g_row, slot != warp_q || u_dut.row_read == row_q)
  `GIVEN(g_top, !path_own_q || u_dut.top.mask[lane_q] == path_bit_q)
  `GIVEN(g_sets, !bar_own_q || (u_dut.kept.parked[lane_q] == bar_bit_q && u_dut.kept.members[lane_q] == bar_member_q))
  `GIVEN(g_entry, !ITS || !list_own_q || u_dut.entry.mask[lane_q] == list_bit_q)

  // ---- what the neighbours keep -----------------------------------------------------------------------------------------------
  logic [31:0] same_q, target_q;
  logic        exec_any;
  always_ff @(posedge clk_i) begin
    same_q   <= u_dut.tg_same_q;
    target_q <= u_dut.tg_target_q;
  end
  assign exec_any = work.exec != '0;

  // An instruction's lanes are active.
  `GIVEN(g_exec, state != EXEC || (work.exec & ~u_dut.row_read.active) == '0)
  // Lanes that come to BSYNC are members, and (on a stack) those that wait there wait at the same PC.
  `GIVEN(g_bsync, state != EXEC || work.kind != divergence_pkg::KIND_BSYNC || ((work.exec & ~u_dut.sets_read.members) == '0
    && (ITS || u_dut.sets_read.parked == '0 || !exec_any || u_dut.sets_read.parkpc == work.at)))
  // A warp has one instruction here; and it has none before it starts, and when it starts.
  `GIVEN(g_one, !(u_dut.take && state != IDLE) || next_slot != slot)
  `GIVEN(g_started, !u_dut.take || next_slot != warp_q || started_q)
  `GIVEN(g_start, !start_valid || ((state == IDLE || start.slot != slot) && (!u_dut.take || start.slot != next_slot)))
  // Warps do not start in two cycles in a row, nor with one between (cta_dispatch_formal.sv: p_apart).
  logic [1:0] began_q;
  always_ff @(posedge clk_i) began_q <= rst_ni ? {began_q[0], start_valid} : 2'b00;
  `GIVEN(g_starts, began_q == '0 || !start_valid)
  // It is one that divergence_intake can make.
  `GIVEN(g_kind, (!u_dut.take || u_dut.first.bx <= divergence_pkg::BX_W) && (state == IDLE || work.kind <= divergence_pkg::KIND_NONE))
  // Memory has it as long as it is at work: nothing of its warp is written meanwhile (divergence_intake: a_one, and see g_one). Its
  // barrier was read from a copy as it was taken.
  divergence_pkg::ctl_t work_q;
  logic [4:0]           own_bx_q;
  logic                 take_q;
  always_ff @(posedge clk_i) begin
    work_q <= work;
    take_q <= u_dut.take;
    if (u_dut.take) own_bx_q <= u_dut.first.bx;
  end
  `GIVEN(g_work, state == IDLE || (work.bx == own_bx_q && work.id.slot == slot && (take_q || work == work_q)))
  // The lanes that share a target execute, and there is one; targets hold while their instruction is at work.
  `GIVEN(g_same, state != EXEC || work.kind != divergence_pkg::KIND_TARGET || !exec_any
    || ((u_dut.tg_same_q & ~work.exec) == '0 && u_dut.tg_same_q != '0))
  `GIVEN(g_stands, state == IDLE || state == EXEC || (u_dut.tg_same_q == same_q && u_dut.tg_target_q == target_q))
  // By counting: paths are not empty and disjoint, so that there are no more than lanes; where a lane is in the list, the list has
  // an entry.
  `GIVEN(g_depth, !u_dut.push || u_dut.row.depth < 6'd32)
  `GIVEN(g_list, !ITS || ((!u_dut.ls_start || (u_dut.row.stray_paths != '0 && u_dut.row.stray_paths <= 6'd32))
    && (!u_dut.ls_park || u_dut.ls_found || u_dut.row.stray_paths < 6'd32)))

  // A row's read holds until the next is read (memories_formal.sv): its number of entries, while they are walked.
  logic [5:0] entries_q;
  always_ff @(posedge clk_i) if (u_dut.ls_start) entries_q <= u_dut.row.stray_paths;
  `GIVEN(g_entries, !u_dut.ls_next || u_dut.row.stray_paths == entries_q)

  // ---- where the lane is ------------------------------------------------------------------------------------------------------
  // Waiting, parked, or between two steps. Then it is about to be pushed again (AGAIN), to be parked (SEEK, PARK), or its entry of the list
  // has not been looked at in the walk of a release.
  logic [31:0] waits, listed, ahead;
  logic [16:0] has, written, parked;
  logic        active, flight, goes;
  logic [9:0]  fits;
  logic [5:0]  places;
  logic        scans;      // the barrier that was read is the scan's
  assign scans = state == RELEASE || (ITS && state == WALK && u_dut.u_steps.more_q);
  always_comb begin
    for (int d = 0; d < 32; d++) begin
      waits[d]  = {1'b0, 5'(d) - row_q.first} < row_q.depth && waits_q[d];
      ahead[d]  = own && state == WALK && 5'(d) >= at && 6'(d) < row_q.stray_paths && list_q[d];
      listed[d] = ((own && state == WALK) ? 6'(d) < kept : 6'(d) < row_q.stray_paths) && list_q[d];
    end
    has    = {row_q.parked_w, row_q.has_parked};
    written = {row_q.written_w, row_q.written};
    parked = has & parked_q;
    goes   = own && state == WALK && go_q[lane_q] && row_q.strays[lane_q];
    flight = (own && state == AGAIN && work.exec[lane_q] && !same_q[lane_q])
      || (own && (state == SEEK || state == PARK) && work.exec[lane_q]) || (goes && ahead != '0);
    // At the end of a turn the active path is pushed before another one takes its place.
    active = row_q.active[lane_q] && !(own && (state == POP || state == POPPED));
    places = 6'(active) + 6'($countones(waits)) + 6'($countones(parked)) + 6'(flight);
    // The work and the last read belong together.
    fits = '1;
    fits[0] = row_q.depth <= 6'd32 && row_q.stray_paths <= 6'd32 && (ITS || (row_q.first == '0 && row_q.strays == '0));
    // The list: the lane is in one entry exactly if the row says so, and then it is parked.
    fits[6] = goes ? $countones(ahead) <= 1 && listed == '0 && parked == '0
      : $countones(listed) + $countones(ahead) == 32'(row_q.strays[lane_q]) && (!row_q.strays[lane_q] || parked != '0);
    if (own) begin
      fits[1] = work.bx <= divergence_pkg::BX_W && work.kind <= divergence_pkg::KIND_NONE
        && (!scans || work.kind == divergence_pkg::KIND_EXIT || (ITS && work.kind == divergence_pkg::KIND_YIELD && exec_any))
        && (!scans || (u_dut.scan_bx_q <= divergence_pkg::BX_W && !u_dut.left_q[u_dut.scan_bx_q]))
        && (!(state == SEEK || state == PARK || state == LET) || work.kind == divergence_pkg::KIND_BSYNC
            || work.kind == divergence_pkg::KIND_WARPSYNC);
      if (state == EXEC || state == SEEK || state == PARK || state == LET || scans)
        fits[2] = bar_own_q && bar_at_q == (scans ? u_dut.scan_bx_q : work.bx)
          && (bar_bit_q || (state == LET && work.exec[lane_q])) == parked_q[bar_at_q] && (state == EXEC || scans || has[bar_at_q])
          && (bar_member_q == member_q[bar_at_q] || !written[bar_at_q] || (state == LET && work.kind == divergence_pkg::KIND_WARPSYNC));
      if (state == POP || state == POPPED) fits[3] = !row_q.active[lane_q] || row_q.depth != '0;
      if (state == POPPED) fits[4] = path_own_q && path_at_q == (ITS ? row_q.first : row_q.depth[4:0] - 5'd1) && row_q.depth != '0
        && path_bit_q == waits_q[path_at_q];
      if (state == TURN)   fits[4] = row_q.active != '0;
      if (state == AGAIN)  fits[5] = work.kind == divergence_pkg::KIND_TARGET && (work.exec & ~same_q) != '0;
      // A lane that parks in the list is a member, and so goes when all have come.
      if (state == SEEK || state == PARK || state == LET) fits[8] = exec_any && (work.exec & ~stay_now) == '0
        && (state != LET || (released_now && (work.exec & ~row_q.strays) == '0));
      if (state == SEEK || state == WALK || (state == PARK && u_dut.ls_found))
        fits[7] = list_own_q && list_bit_q == list_q[at] && 6'(at) < row_q.stray_paths && (state != WALK || kept <= 6'(at));
      // A step of the followed warp sees the state after the last one, not before it.
      fits[9] = !seen || ranked;
    end
  end

  // All of it: the invariant.
  logic whole;
  assign whole = state <= LAST && (!started_q || (fits == '1 && places == 6'(row_q.live[lane_q])));

  // The barrier in question: whether the lane is a member after the instruction, and has come to it.
  logic member, come;
  always_comb begin
    member = written[u_dut.bx] && member_q[u_dut.bx];
    come   = parked[u_dut.bx];
    if (u_dut.own) begin
      case (work.kind)
        divergence_pkg::KIND_WARPSYNC, divergence_pkg::KIND_SET: member = u_dut.tg_target_q[lane_q];
        divergence_pkg::KIND_CLEAR: member = 1'b0;
        divergence_pkg::KIND_BREAK: member = member && !work.exec[lane_q];
        default: ;
      endcase
      if (work.kind == divergence_pkg::KIND_BSYNC || work.kind == divergence_pkg::KIND_WARPSYNC) come = come || work.exec[lane_q];
    end
  end
