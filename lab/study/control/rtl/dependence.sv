// SPDX-License-Identifier: Apache-2.0
// The part of issue that makes an instruction wait for another one's result, with the machine's own modules. It has the warps that
// may go, the one that does, the checks that hold the next one, and its entries in the instruction buffer. A
// mechanism that a parameter leaves out has its inputs tied here, and synthesis removes it.
// Latency: all inputs and outputs are registers of this module, so that every path is between two registers.
// No handshake: it is made for synthesis (area.py), not to run.
// It has no predicates, traps, barriers, or halt, and of the buffer the head of each warp alone.
module dependence #(
  parameter bit STALLS     = 1'b1,   // stall counts
  parameter bit COUNTERS   = 1'b1,   // SB0-SB5: waits, write and read counters, DEPBAR
  parameter bit RBAR       = 1'b1,   // ... read counters among them
  parameter bit DEPBAR     = 1'b1,   // ... and the comparison with a limit
  parameter bit YIELD      = 1'b1,
  parameter bit SCOREBOARD = 1'b1
) (
  input  logic                                clk_i,
  input  logic                                rst_ni,
  // from fetch: an instruction for the buffer, the flags of the heads
  input  logic                                push_valid_i,
  input  logic [cfg_pkg::WARP_W-1:0]          push_slot_i,
  input  issue_pkg::entry_t                   push_i,
  input  issue_pkg::look_t                    push_look_i,
  input  issue_pkg::heads_t                   heads_i,
  input  logic [cfg_pkg::WARPS-1:0]           cst_ready_i,
  input  logic [cfg_pkg::WARPS-1:0]           start_i,
  // from behind
  input  front_pkg::operand_t                 op_i,
  input  stage_pkg::full_t                    full_i,
  input  stage_pkg::ends_t                    ends_i,
  input  logic                                dv_done_valid_i,
  input  logic [cfg_pkg::WARP_W-1:0]          dv_done_slot_i,
  input  logic                                dv_done_ended_i,
  // to behind
  output front_pkg::take_t                    take_o,
  output stage_pkg::act_t                     act_o,
  output logic [cfg_pkg::WARPS-1:0]           eligible_o,
  output stage_pkg::why_t                     why_o,
  output logic [cfg_pkg::WARP_W-1:0]          slot_o,
  output isa_pkg::dec_t                       dec_o,
  output logic [cfg_pkg::WARPS-1:0]           idle_o,
  output logic                                quiet_o
);

  localparam int unsigned WARPS = cfg_pkg::WARPS, WARP_W = cfg_pkg::WARP_W, NSB = issue_pkg::NSB;

  // ---- inputs are registers; of the heads only the fields in use- ----------------------------------
  issue_pkg::heads_t         heads_d, heads_q;
  logic [WARPS-1:0]          cst_q, start_q;
  front_pkg::operand_t       op_q, op;
  stage_pkg::full_t          full_q;
  stage_pkg::ends_t          ends_q;
  front_pkg::moved_t         moved_q;

  always_comb begin
    heads_d = heads_i;
    if (!STALLS) heads_d.flag.stalls = '0;
    if (!COUNTERS) begin
      for (int unsigned n = 0; n < NSB; n++) begin
        heads_d.flag.wait_mask[n]  = '0;
        heads_d.flag.raise[n] = '0;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    heads_q              <= heads_d;
    cst_q                <= cst_ready_i;
    start_q              <= start_i;
    op_q                 <= op_i;
    full_q               <= full_i;
    ends_q               <= ends_i;
    moved_q              <= '0;
    moved_q.valid        <= dv_done_valid_i;
    moved_q.slot         <= dv_done_slot_i;
    moved_q.ended        <= dv_done_ended_i;
  end

  always_comb begin
    op = op_q;
    if (!RBAR || !COUNTERS) op.disp_valid = '0;
  end

  // ---- the buffer: entries read when a warp is in S1, each mechanism's in a memory of its own --
  issue_pkg::entry_t         entry, out;
  logic                      push_q;
  logic [WARP_W-1:0]         push_slot_q;
  issue_pkg::entry_t         in_q;
  issue_pkg::look_t          in_look_q;
  stage_pkg::s1_t            s1;

  always_ff @(posedge clk_i) begin
    push_q      <= push_valid_i;
    push_slot_q <= push_slot_i;
    in_q        <= push_i;
    in_look_q   <= push_look_i;
  end

  logic [3:0]                        stall;
  logic [2:0]                        wbar, rbar, bar;
  logic [5:0]                        limit;
  logic                              yields, depbar;
  issue_pkg::look_t                  look;
  logic [WARP_W-1:0]                 look_slot;
  logic [$bits(isa_pkg::dec_t)-1:0]  dec;
  isa_pkg::dec_t                     decoded;

  kept #(.WIDTH(4)) u_stall (.clk_i(clk_i), .wr_i(push_q), .wr_slot_i(push_slot_q), .data_i(in_q.dec.stall),
    .slot_i(s1.slot), .data_o(stall));
  kept #(.WIDTH(3)) u_wbar (.clk_i(clk_i), .wr_i(push_q), .wr_slot_i(push_slot_q), .data_i(in_q.dec.wbar),
    .slot_i(s1.slot), .data_o(wbar));
  kept #(.WIDTH(3)) u_rbar (.clk_i(clk_i), .wr_i(push_q), .wr_slot_i(push_slot_q), .data_i(in_q.dec.rbar),
    .slot_i(s1.slot), .data_o(rbar));
  kept #(.WIDTH(1)) u_yield (.clk_i(clk_i), .wr_i(push_q), .wr_slot_i(push_slot_q), .data_i(in_q.dec.yield),
    .slot_i(s1.slot), .data_o(yields));
  kept #(.WIDTH(10)) u_depbar (.clk_i(clk_i), .wr_i(push_q), .wr_slot_i(push_slot_q),
    .data_i({in_q.kind.depbar, isa_pkg::f_sbn(in_q.word), isa_pkg::f_sbk(in_q.word)}),
    .slot_i(s1.slot), .data_o({depbar, bar, limit}));
  kept #(.WIDTH($bits(issue_pkg::look_t))) u_head (.clk_i(clk_i), .wr_i(push_q), .wr_slot_i(push_slot_q),
    .data_i(in_look_q), .slot_i(look_slot), .data_o(look));
  // A field with other readers is there in any case.
  kept #(.WIDTH($bits(isa_pkg::dec_t))) u_dec (.clk_i(clk_i), .wr_i(push_q), .wr_slot_i(push_slot_q),
    .data_i(in_q.dec), .slot_i(s1.slot), .data_o(dec));
  assign decoded = dec;

  always_comb begin
    entry            = '0;
    entry.dec        = decoded;
    entry.dec.stall  = STALLS ? stall : 4'd1;
    entry.dec.wbar   = COUNTERS ? wbar : 3'd7;
    entry.dec.rbar   = (COUNTERS && RBAR) ? rbar : 3'd7;
    entry.dec.yield  = YIELD && yields;
    entry.kind.depbar = COUNTERS && DEPBAR && depbar;
  end

  // ---- S0, S1 and the warps' state, as in `issue` --------------------------------------------------
  stage_pkg::state_t         state, known;
  stage_pkg::counts_t        counts, counted;
  stage_pkg::why_t           why;
  stage_pkg::verdict_t       verdict;
  stage_pkg::flow_t          flow;
  stage_pkg::act_t           act;
  stage_pkg::recent_t        recent;
  stage_pkg::begun_t         begun_q;
  front_pkg::take_t          take;
  logic [WARPS-1:0]          eligible, slow, sel, sb_hold, sb_waits, idle, refused;
  logic                      above, quiet;

  // A mechanism that is left out holds no warp back.
  always_comb begin
    known   = state;
    counted = counts;
    if (!STALLS) known.stalled = '0;
    if (!COUNTERS) begin
      counted.nonzero   = '0;
      counted.near_full = '0;
    end
    if (!COUNTERS || !DEPBAR) counted.refused = '0;
  end

  issue_ready u_ready (.clk_i(clk_i), .rst_ni(rst_ni), .if_i('0), .ib_heads_i(heads_q), .cf_ready_i(cst_q),
    .state_i(known), .counts_i(counted), .sb_hold_i(sb_hold), .sb_waits_i(sb_waits), .fence_ok_i('1), .full_i(full_q),
    .s1_i(s1), .run_i(flow.run), .judged_i(flow.judged), .commit_i(act.commit), .redo_i('0),
    .eligible_o(eligible), .slow_o(slow), .wants_o(), .why_o(why), .recent_o(recent), .want_o());

  issue_select u_select (.clk_i(clk_i), .rst_ni(rst_ni), .part_i('0), .sched_i('0), .ct_start_valid_i(1'b0), .ct_start_i('0),
    .start_i(start_q), .eligible_i(eligible), .slow_i(slow), .ib_heads_i(heads_q), .op_hold_i(op_q.hold), .flow_i(flow),
    .act_i(act), .pick_o(), .free_o(), .sel_o(sel), .is_sel_valid_o(), .is_sel_o(), .is_q_o(), .s1_o(s1), .origin_o());

  if (SCOREBOARD) begin : gen_scoreboard
    scoreboard u_scoreboard (.clk_i(clk_i), .rst_ni(rst_ni), .enable_i(1'b1),
      .there_i(heads_q.valid & ~heads_q.fresh), .moves_i(take.sel | take.back), .look_slot_o(look_slot), .look_i(look),
      .here_i(s1.here), .slot_i(s1.slot), .dest_i(issue_pkg::dest_of(entry.dec)), .alloc_i(act.go),
      .ends_i(ends_q), .sb_hold_o(sb_hold), .sb_waits_o(sb_waits));
  end else begin : gen_no_scoreboard
    assign sb_hold   = '0;
    assign sb_waits  = '0;
    assign look_slot = '0;
  end
  assign verdict = '0;

  always_comb begin
    out      = entry;
    out.word = '0;
  end
  issue_commit u_commit (.clk_i(clk_i), .rst_ni(rst_ni), .start_i(start_q), .ret_ready_i(1'b1), .halt_i(1'b0),
    .ib_entry_i(out), .op_ready_i(op_q.ready[0]), .sel_i(sel), .valid_i(s1.valid), .slot_i(s1.slot), .here_i(s1.here),
    .exec_i('0), .ps0_i('0), .verdict_i(verdict), .above_i(above), .ba_grant_i(1'b0), .ba_release_i('0), .bar_o(),
    .bar_valid_o(), .again_o(), .flow_o(flow), .act_o(act), .take_o(take), .absent_o());

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      begun_q <= '0;
    end else begin
      begun_q.valid <= act.go;
      begun_q.fixed <= act.go && !s1.head.coll;
      begun_q.coll  <= act.go && s1.head.coll;
      if (flow.judged) begin
        begun_q.slot <= s1.slot;
        begun_q.wbar <= entry.dec.wbar;
        begun_q.rbar <= entry.dec.rbar;
      end
    end
  end

  // DEPBAR's counter and limit come in the word's own places.
  issue_pkg::entry_t asked;
  always_comb begin
    asked      = entry;
    asked.word = in_places(bar, limit);
  end

  warp_state u_state (.clk_i(clk_i), .rst_ni(rst_ni), .start_i(start_q), .s1_i(s1), .commit_i(act.commit), .go_i(act.go),
    .is_bar_i(1'b0), .is_load_i(1'b0), .is_stall_i(entry.dec.stall), .redo_i('0), .recent_i(recent), .begun_i(begun_q),
    .op_i(op), .ends_i(ends_q), .unchecked_i('0), .dv_i(moved_q), .dv_trap_i('0), .ba_release_i('0), .state_o(state), .is_idle_o(idle),
    .all_quiet_o(quiet));

  assign refused = act.refused ? s1.here : '0;
  dep_counters u_dep (.clk_i(clk_i), .rst_ni(rst_ni), .start_i(start_q), .begun_i(begun_q), .op_i(op), .ends_i(ends_q),
    .counts_o(counts), .q_slot_i(s1.slot), .q_bar_i(isa_pkg::f_sbn(asked.word)), .q_limit_i(isa_pkg::f_sbk(asked.word)),
    .above_o(above), .refused_i(refused));

  // ---- outputs are registers -------------------------------------------------------------------------
  always_ff @(posedge clk_i) begin
    take_o  <= take;
    act_o   <= act;
    eligible_o <= eligible;
    why_o   <= why;
    slot_o  <= s1.slot;
    dec_o   <= decoded;
    idle_o  <= idle;
    quiet_o <= quiet;
  end

  // A word that has nothing but these two fields, wherever the instruction set puts them.
  function automatic logic [127:0] in_places(logic [2:0] counter, logic [5:0] most);
    in_places = '0;
    for (int unsigned b = 0; b < 128; b++) begin
      for (int unsigned n = 0; n < 3; n++) if (isa_pkg::f_sbn(128'(1) << b) == 3'(1 << n)) in_places[b] = counter[n];
      for (int unsigned n = 0; n < 6; n++) if (isa_pkg::f_sbk(128'(1) << b) == 6'(1 << n)) in_places[b] = most[n];
    end
  endfunction

endmodule
