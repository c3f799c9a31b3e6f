// SPDX-License-Identifier: Apache-2.0
// Instructions of global memory of which lines were put off (line_translate): of each warp a list, in program order. The first of a
// list waits for a page; those behind it wait for it. When the page has come it is walked again, before anything new; once
// a walk has put nothing off, the next of its warp is walked.
// A fault that the host is asked about leaves it waiting until replay_i; with fail_i what it then faults is a trap. Such a fault, an
// error of memory, and stop_i (the SM has been stopped) while it waits for the host make it *die*: it is walked once more, does
// nothing, and ends. All that comes of its warp behind one that stop_i has ended ends so, too; what waits for a walk alone goes on.
// An answer that was another's, of a shared walk, is none: it is requested again.
// Latency: two cycles from an event to rt_valid_o. A walk at a time is offered; of several warps in turns.
// Handshake: rt_ is valid/ready; the rest are events and levels. replay_i comes no earlier than the faults that the host has.
// Lists are linked in LUT RAM: a word each for warps and gslots. It has neither lines nor lanes, and never drops one that waits.
`include "heddle_assert.svh"

module line_waits #(
  localparam int unsigned WARPS   = cfg_pkg::SM_WARPS,
  localparam int unsigned WARP_W  = cfg_pkg::SM_WARP_W,
  localparam int unsigned GSLOTS  = mem_pkg::GSLOTS,
  localparam int unsigned GSLOT_W = mem_pkg::GSLOT_W,
  localparam int unsigned BEATS   = mem_pkg::BEATS,
  localparam int unsigned BEAT_W  = mem_pkg::BEAT_W,
  localparam int unsigned WHO_W   = mmu_pkg::WHO_W
) (
  input  logic               clk_i,
  input  logic               rst_ni,
  // from the host, and from traps
  input  logic               replay_i,        // event: what waits for the host is looked up again;
  input  logic               fail_i,          // with it: what faults then is a trap
  input  logic               stop_i,          // a level: what waits for the host, dies
  // from and to line_translate: the row that it has
  input  mem_pkg::walked_t   of_i,
  output logic               of_dies_o,
  output logic               of_fault_o,      // ... of a fault, which is a trap,
  output mmu_pkg::kind_e     of_kind_o,       // of this kind
  // events of that row's walk
  input  mmu_pkg::missed_t   miss_i,
  input  mem_pkg::ended_t    end_i,
  output logic [WARPS-1:0]   blocked_o,
  output logic [WARPS-1:0]   fails_o,
  // from and to the micro-TLB
  input  logic               came_valid_i,
  input  mmu_pkg::came_t     came_i,
  output logic               done_valid_o,
  output logic [WHO_W-1:0]   done_who_o,
  // to the coalescer: an instruction to walk again, and its rows
  output logic               rt_valid_o,
  input  logic               rt_ready_i,
  output logic [GSLOT_W-1:0] rt_slot_o,
  output logic [BEATS-1:0]   rt_rows_o,
  output logic [BEAT_W-1:0]  rt_beat_o        // the first of them
);

  localparam int unsigned PLACES = 2**WHO_W;

  // ---- of each warp: its list, and what the first of it waits for ----------------------------------
  logic [WARPS-1:0]       blocked_q;    // one is put off, or in the list
  logic [WARPS-1:0]       linked_q;     // one is in the list
  logic [WARPS-1:0]       page_q;       // for a place of the micro-TLB: who_q
  logic [WARPS-1:0]       host_q;       // for the host
  logic [WARPS-1:0]       turn_q;       // for a turn of the micro-TLB
  logic [WARPS-1:0]       want_q;       // for nothing any more
  logic [WARPS-1:0]       serve_q;      // its place has come, and is kept for it
  logic [WARPS-1:0]       flight_q;     // it is being walked again
  logic [WARPS-1:0]       fails_q, dies_q, fault_q;
  logic [WARPS-1:0]       write_q, lists_q;   // how it was looked up
  logic [WARPS-1:0]       doomed_q;     // ... to die: known when the walk began
  logic [WARPS-1:0]       shut_q;       // stop_i has ended one of the warp's: nothing of it goes on
  logic [WHO_W-1:0]       who_q  [WARPS];
  mmu_pkg::kind_e         kind_q [WARPS];

  logic [WARPS-1:0]       of, link, pop, same, comes, faults, again;
  logic [GSLOT_W-1:0]     of_head, of_tail, behind, head;
  logic                   empty_after, pops, links, moved, room;
  logic [1:0]             room_q;

  assign of    = WARPS'(1) << of_i.warp;
  assign links = end_i.valid && end_i.left && !of_i.again;
  assign pops  = end_i.valid && !end_i.left && of_i.again;
  assign link  = links ? of : '0;
  assign pop   = pops ? of : '0;
  assign empty_after = of_head == of_tail;

  assign of_dies_o  = of_i.again && doomed_q[of_i.warp];
  assign of_fault_o = fault_q[of_i.warp];
  assign of_kind_o  = kind_q[of_i.warp];
  assign blocked_o  = blocked_q | shut_q;
  assign fails_o    = fails_q | doomed_q;   // for one that dies there is no request

  // All that comes in this cycle is for those that wait for its place, and for the one that is told to wait for it just now.
  always_comb begin
    for (int unsigned w = 0; w < WARPS; w++) same[w] = who_q[w] == came_i.who;
  end
  assign comes  = {WARPS{came_valid_i}} & ((page_q & same)
                  | ((miss_i.valid && miss_i.waits && miss_i.who == came_i.who) ? of : '0));
  assign faults = comes & {WARPS{came_i.fault}};
  // Those that found no place in the micro-TLB, as it has room again: two cycles more, for it may have been looked up just then.
  assign room   = done_valid_o || (came_valid_i && came_i.fault);
  assign again  = {WARPS{room || room_q != '0}};

  always_ff @(posedge clk_i) begin
    if (!rst_ni) room_q <= '0;
    else         room_q <= {room_q[0], room};
  end

  logic [WARP_W-1:0]      walk_q;             // the warp of which the first is offered
  logic [WARPS-1:0]       goes;

  // ---- lists ---------------------------------------------------------------------------------------------
  logic first;
  assign first = links && !linked_q[of_i.warp];      // of its list
  assign moved = pops && !empty_after;

  ram_async #(.WIDTH(GSLOT_W), .DEPTH(GSLOTS)) u_behind (
    .clk_i     (clk_i),
    .wr_en_i   (links && !first),
    .wr_addr_i (of_tail),
    .wr_data_i (of_i.slot),
    .rd_addr_i (of_i.slot),
    .rd_data_o (behind)
  );
  ram_async #(.WIDTH(GSLOT_W), .DEPTH(WARPS)) u_tail (
    .clk_i     (clk_i),
    .wr_en_i   (links),
    .wr_addr_i (of_i.warp),
    .wr_data_i (of_i.slot),
    .rd_addr_i (of_i.warp),
    .rd_data_o (of_tail)
  );
  // Read for the row here and for the next one to walk.
  ram_async #(.WIDTH(GSLOT_W), .DEPTH(WARPS)) u_head (
    .clk_i     (clk_i),
    .wr_en_i   (first || moved),
    .wr_addr_i (of_i.warp),
    .wr_data_i (first ? of_i.slot : behind),
    .rd_addr_i (of_i.warp),
    .rd_data_o (of_head)
  );
  ram_async #(.WIDTH(GSLOT_W), .DEPTH(WARPS)) u_next (
    .clk_i     (clk_i),
    .wr_en_i   (first || moved),
    .wr_addr_i (of_i.warp),
    .wr_data_i (first ? of_i.slot : behind),
    .rd_addr_i (walk_q),
    .rd_data_o (head)
  );
  ram_async #(.WIDTH(BEATS), .DEPTH(GSLOTS)) u_rows (
    .clk_i     (clk_i),
    .wr_en_i   (end_i.valid && end_i.left),
    .wr_addr_i (of_i.slot),
    .wr_data_i (end_i.rows),
    .rd_addr_i (head),
    .rd_data_o (rt_rows_o)
  );

  // ---- what they wait for ----------------------------------------------------------------------------------
  logic [WARPS-1:0] miss, ends, told, stops, alone, shuts, writes, asked, meant, kills;
  logic             errs;

  assign miss  = miss_i.valid ? of : '0;
  assign ends  = (end_i.valid && of_i.again) ? of : '0;
  // For those that a fault reaches: the owner of the answer, for the host or a trap.
  assign writes = miss_i.valid ? (write_q & ~of) | (miss_i.write ? of : '0) : write_q;
  assign asked  = miss_i.valid ? (lists_q & ~of) | (miss_i.lists ? of : '0) : lists_q;
  assign errs   = came_i.kind == mmu_pkg::ERROR;
  assign meant  = faults & ({WARPS{errs}} | ((writes | {WARPS{came_i.kind != mmu_pkg::PROTECTED}}) & (~asked | {WARPS{came_i.lists}})));
  assign told   = meant & asked & ~{WARPS{errs}};
  assign kills  = meant & ~told;
  // Behind one that stop_i has ended there may be nothing to wait for.
  assign alone = (first && !miss_i.valid) ? of & ~blocked_q : '0;
  assign shuts = pop & doomed_q & ~fault_q & {WARPS{stop_i}};
  assign stops = host_q & linked_q & ~flight_q & ~dies_q & {WARPS{stop_i}};

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      blocked_q <= '0;
      linked_q  <= '0;
      page_q    <= '0;
      host_q    <= '0;
      turn_q    <= '0;
      want_q    <= '0;
      serve_q   <= '0;
      flight_q  <= '0;
      fails_q   <= '0;
      dies_q    <= '0;
      doomed_q  <= '0;
      shut_q    <= '0;
      fault_q   <= '0;
    end else begin
      blocked_q <= (blocked_q & ~((pops && empty_after) ? of : '0)) | miss | link;
      linked_q  <= (linked_q & ~((pops && empty_after) ? of : '0)) | link;
      page_q    <= (page_q | (miss_i.waits ? miss : '0)) & ~comes;
      host_q    <= (host_q | told) & ~{WARPS{replay_i}} & ~stops;
      turn_q    <= (turn_q & ~again) | (miss_i.waits ? '0 : miss);
      want_q    <= (want_q & ~goes) | (comes & ~told) | (turn_q & again) | ((host_q | told) & {WARPS{replay_i}})
                   | alone
                   | (moved ? of : '0) | stops;
      // A walk that leaves something off has missed: what came since then is for the next one.
      serve_q   <= (serve_q & ~pop & ~miss) | (comes & ~faults);
      flight_q  <= (flight_q & ~ends) | goes;
      doomed_q  <= (doomed_q & ~ends) | (goes & (dies_q | shut_q));
      shut_q    <= (shut_q | shuts) & {WARPS{stop_i}};
      fails_q   <= (fails_q & ~pop & ~kills) | ((host_q | told) & {WARPS{replay_i && fail_i}});
      dies_q    <= (dies_q & ~pop) | kills | stops;
      fault_q   <= (fault_q & ~pop) | kills;
    end
  end
  always_ff @(posedge clk_i) begin
    write_q <= writes;
    lists_q <= asked;
    for (int unsigned w = 0; w < WARPS; w++) begin
      if (miss[w])   who_q[w]  <= miss_i.who;
      if (kills[w])  kind_q[w] <= came_i.kind;
    end
  end

  // ---- a place that has come is given back when all that it is kept for have been walked: one is looked at in each cycle ---
  logic [PLACES-1:0] kept_q;
  logic [WHO_W-1:0]  look_q;
  logic [WARPS-1:0]  needs;

  always_comb begin
    for (int unsigned w = 0; w < WARPS; w++) needs[w] = serve_q[w] && who_q[w] == look_q;
  end
  assign done_valid_o = kept_q[look_q] && needs == '0;
  assign done_who_o   = look_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      kept_q <= '0;
      look_q <= '0;
    end else begin
      look_q <= look_q + 1'b1;
      kept_q <= (kept_q & ~(done_valid_o ? PLACES'(1) << look_q : '0))
                | ((came_valid_i && !came_i.fault) ? PLACES'(1) << came_i.who : '0);
    end
  end

  // ---- the next walk ----------------------------------------------------------------------------------------
  logic [WARPS-1:0]   asks, grant;
  logic [WARP_W-1:0]  grant_at;
  logic               walk_valid_q, pick;

  assign asks = want_q & linked_q & ~flight_q;
  assign pick = !walk_valid_q || rt_ready_i;

  arb_rr #(.N(WARPS)) u_turn (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .req_i   (asks),
    .take_i  (pick),
    .grant_o (grant)
  );
  onehot_index #(.N(WARPS)) u_at (
    .onehot_i (grant),
    .index_o  (grant_at)
  );
  assign goes = grant & {WARPS{pick}};

  always_ff @(posedge clk_i) begin
    if (!rst_ni)   walk_valid_q <= 1'b0;
    else if (pick) walk_valid_q <= asks != '0;
  end
  always_ff @(posedge clk_i) begin
    if (pick) walk_q <= grant_at;
  end

  assign rt_valid_o = walk_valid_q;
  assign rt_slot_o  = head;
  lowest_one #(.N(BEATS)) u_first (
    .in_i     (rt_rows_o),
    .onehot_o (),
    .index_o  (rt_beat_o),
    .any_o    ()
  );

  // The first of a list waits for one thing at most.
  `ASSERT(a_one, ((page_q & host_q) | (page_q & turn_q) | (host_q & turn_q)) == '0)
  // All that is walked again is the first of a list.
  `ASSERT(a_flight, (flight_q & ~linked_q) == '0)
  `ASSERT_IF(a_again, end_i.valid && of_i.again, flight_q[of_i.warp] && of_head == of_i.slot)
  // None that has gone on is left wanting.
  `ASSERT(a_want, (want_q & ~blocked_q) == '0)
  // Nothing is lost: what is in a list waits for something, or is on its way.
  `ASSERT(a_lost, (linked_q & ~(page_q | host_q | turn_q | want_q | flight_q)) == '0)

endmodule
