// SPDX-License-Identifier: Apache-2.0
// Between the read-only caches and line_join: in a launch with pages the address of a refill is virtual, and is looked up in a
// micro-TLB of its own before it goes on. A refill without its page waits here by itself, whichever cache it is of: others pass.
// Latency: one cycle more than without, if the page is at hand; a refill every second cycle. A refill that gets its page is looked up
// again two cycles later. Without pages requests pass as they are, in the same cycle.
// Handshake: rf_ and tr_ valid/ready; ends, came and go are events. To the micro-TLB and the mmu: ../mmu/README.md.
//
// A fault ends the refill, with what it was (core_pkg::err_t): nothing waits for the host here, nor in the caches. Units that want
// what the host has to bring ask again behind REPLAY: fetch/refetch for words and operands, ldc for its own. lists: a fault
// of this refill comes to the host's list. If what came of a shared walk did not, it is looked up again. Refills that are read
// ahead do not list, and their faults are dropped by the caches.
//
// For an invalidation forgotten_o follows the forgetting when every refill that was translated before has ended; the caches are
// emptied in the cycle of the forgetting, so they keep nothing of these. At go_i what still waits is of the launch before: it ends
// with an error and goes nowhere.
// It does not order refills: each cache numbers its own.
`include "heddle_assert.svh"

module refill_translate #(
  localparam int unsigned CACHES = 2,                      // 0 of instructions, 1 of constants
  localparam int unsigned N      = cfg_pkg::ICACHE_MISSES + cfg_pkg::CCACHE_MISSES,
  localparam int unsigned TAG_W  = line_pkg::TAG_W,
  localparam int unsigned HALF_W = line_pkg::LINE_W + 1
) (
  input  logic                           clk_i,
  input  logic                           rst_ni,
  // from the host
  input  logic                           go_i,             // event: a launch begins
  input  logic                           pages_i,
  input  logic [mmu_pkg::SPACE_W-1:0]    space_i,
  // from the caches: half a line to read, and which refill of the cache it is
  input  logic [CACHES-1:0]              rf_valid_i,
  output logic [CACHES-1:0]              rf_ready_o,
  input  mem_pkg::refill_t [CACHES-1:0]  rf_i,
  // to the caches: its end, which line_join has told, or a fault
  output logic [CACHES-1:0]              rf_done_valid_o,  // event
  output logic [CACHES-1:0][TAG_W-1:0]   rf_done_number_o,
  output logic [CACHES-1:0][core_pkg::ERR_W-1:0] rf_err_o, // core_pkg::err_t each
  // to and from line_join
  output logic [CACHES-1:0]              tr_valid_o,
  input  logic [CACHES-1:0]              tr_ready_i,
  output logic [CACHES-1:0][HALF_W-1:0]  tr_half_o,
  output logic [CACHES-1:0][TAG_W-1:0]   tr_number_o,
  input  logic [CACHES-1:0]              lj_done_valid_i,  // event
  input  logic [CACHES-1:0][TAG_W-1:0]   lj_done_number_i,
  input  logic                           lj_err_i,
  // to and from the mmu
  output logic                           ask_valid_o,
  input  logic                           ask_ready_i,
  output mmu_pkg::ask_t                  ask_o,
  input  logic                           answer_valid_i,
  input  mmu_pkg::answer_t               answer_i,
  input  logic                           forget_valid_i,
  input  mmu_pkg::forget_t               forget_i,
  output logic                           forgotten_o,
  output logic                           quiet_o           // nothing is asked for, or on its way
);

  localparam int unsigned IC      = cfg_pkg::ICACHE_MISSES;     // refill n of the constant cache is number IC + n here
  localparam int unsigned INDEX_W = $clog2(N);
  localparam int unsigned LOW_W   = HALF_W - mmu_pkg::FRAME_W;   // of a half, within its page
  localparam int unsigned PLACES  = (N < 8) ? 8 : 16;

  // ---- refills: each waits to be looked up, or for a place of the micro-TLB to come, or has gone on, or is to end with an error ----
  logic [N-1:0]                        wait_q, pend_q, gone_q, bad_q;
  logic [N-1:0]                        lists_q, drop_q, owes_q;   // owes: it has waited for place who_q, which has come
  logic [N-1:0][mmu_pkg::WHO_W-1:0]    who_q;
  logic [N-1:0][core_pkg::ERR_W-1:0]   err_q;

  // ---- a lookup: those that have waited come first ------------------------------------------------------------------------
  logic               free, again, look, lk_ready, lk_valid, picked_drop, lists;
  logic [N-1:0]       picked, entry, taken;
  logic [CACHES-1:0]  grant;
  logic [INDEX_W-1:0] picked_at, new_at;
  logic [HALF_W-1:0]  new_half, kept_half, look_half;
  logic               s1_valid_q, s1_looked_q, hold_q;
  logic [N-1:0]       s1_entry_q;
  logic [LOW_W-1:0]   s1_low_q;

  assign again       = wait_q != '0;
  assign free        = !s1_valid_q && !hold_q;
  assign picked_drop = (picked & drop_q) != '0;
  assign lk_valid    = free && (again ? !picked_drop : pages_i && rf_valid_i != '0);
  assign look        = free && lk_ready && (again || (pages_i && rf_valid_i != '0));

  arb_rr #(.N(N)) u_again (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .req_i   (wait_q),
    .grant_o (picked),
    .take_i  (look)
  );
  arb_rr #(.N(CACHES)) u_new (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .req_i   (rf_valid_i),
    .grant_o (grant),
    .take_i  (look && !again)
  );
  onehot_index #(.N(N)) u_picked (
    .onehot_i (picked),
    .index_o  (picked_at)
  );

  assign new_at    = grant[0] ? INDEX_W'(rf_i[0].number) : INDEX_W'(IC) + INDEX_W'(rf_i[1].number);
  assign new_half  = grant[0] ? rf_i[0].half : rf_i[1].half;
  assign lists     = (grant & {rf_i[1].lists, rf_i[0].lists}) != '0;
  assign look_half = again ? kept_half : new_half;
  assign entry     = again ? picked : N'(1) << new_at;
  assign taken     = (look && !again) ? entry : '0;

  ram_async #(.WIDTH(HALF_W), .DEPTH(N)) u_halves (
    .clk_i     (clk_i),
    .wr_en_i   (look && !again),
    .wr_addr_i (new_at),
    .wr_data_i (new_half),
    .rd_addr_i (picked_at),
    .rd_data_o (kept_half)
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) s1_valid_q <= 1'b0;
    else         s1_valid_q <= look;
  end
  always_ff @(posedge clk_i) begin
    if (look) begin
      s1_looked_q <= lk_valid;
      s1_entry_q  <= entry;
      s1_low_q    <= look_half[LOW_W-1:0];
    end
  end

  // ---- the micro-TLB --------------------------------------------------------------------------------------------------------
  logic                       res_valid, came_valid, done_valid;
  mmu_pkg::outcome_t          res;
  logic [mmu_pkg::WHO_W-1:0]  s1_who;
  mmu_pkg::came_t             came;

  micro_tlb #(.PLACES(PLACES), .ASKS(N)) u_tlb (
    .clk_i          (clk_i),
    .rst_ni         (rst_ni),
    .lk_valid_i     (lk_valid),
    .lk_ready_o     (lk_ready),
    .lk_i           ('{space: space_i, page: mmu_pkg::PAGE_W'(look_half[HALF_W-1:LOW_W]), write: 1'b0,
                       lists: again ? (picked & lists_q) != '0 : lists}),
    .res_valid_o    (res_valid),
    .res_o          (res),
    .came_valid_o   (came_valid),
    .came_o         (came),
    .done_valid_i   (done_valid),
    .done_who_i     (s1_who),
    .ask_valid_o    (ask_valid_o),
    .ask_ready_i    (ask_ready_i),
    .ask_o          (ask_o),
    .answer_valid_i (answer_valid_i),
    .answer_i       (answer_i),
    .forget_valid_i (forget_valid_i),
    .forget_i       (forget_i)
  );

  // ---- what becomes of a lookup, and of those for which a place has come- -----------------------------------------------------
  logic [N-1:0] s1_entry, dropped, passes, waits, pend, comes, fails, over, owing;
  logic         own_fault;

  assign s1_entry = s1_valid_q ? s1_entry_q : '0;
  assign waits    = (s1_looked_q && res.waits) ? s1_entry : '0;
  assign dropped  = s1_entry & drop_q & ~waits;
  assign passes   = (s1_looked_q && res.hit) ? s1_entry & ~drop_q : '0;
  assign pend     = pend_q | waits;

  // It is done with the place that it waited for when it is the last that did.
  always_comb begin
    s1_who = '0;
    owing  = '0;
    for (int unsigned e = 0; e < N; e++) begin
      if (s1_entry[e]) s1_who |= who_q[e];
    end
    for (int unsigned e = 0; e < N; e++) owing[e] = owes_q[e] && who_q[e] == s1_who;
  end
  assign done_valid = (s1_entry & owes_q) != '0 && (owing & ~s1_entry) == '0;

  // An outcome counts before what comes in its cycle.
  always_comb begin
    for (int unsigned e = 0; e < N; e++) begin
      comes[e] = came_valid && pend[e] && (waits[e] ? res.who : who_q[e]) == came.who;
      fails[e] = comes[e] && own_fault && (came.kind == mmu_pkg::ERROR || came.lists || !lists_q[e]);
    end
  end
  assign own_fault = came.fault && came.kind != mmu_pkg::PROTECTED;

  // ---- ends: line_join's go by, and a fault is told when there is none of its cache --------------------------------------------
  logic [N-1:0] ended;

  for (genvar c = 0; c < CACHES; c++) begin : gen_end
    localparam int unsigned FIRST = (c == 0) ? 0 : IC;
    localparam int unsigned M     = (c == 0) ? IC : N - IC;
    localparam int unsigned M_W   = (M > 1) ? $clog2(M) : 1;
    logic [M-1:0]           first;
    logic [M_W-1:0]         at;
    logic                   some;
    logic [core_pkg::ERR_W-1:0] err;

    lowest_one #(.N(M)) u_first (
      .in_i     (bad_q[FIRST +: M]),
      .onehot_o (first),
      .index_o  (at),
      .any_o    (some)
    );
    always_comb begin
      err = '0;
      for (int unsigned m = 0; m < M; m++) begin
        if (first[m]) err |= err_q[FIRST + m];
        ended[FIRST + m] = lj_done_valid_i[c] && lj_done_number_i[c] == TAG_W'(m);
      end
    end
    assign over[FIRST +: M]    = lj_done_valid_i[c] ? '0 : first;
    assign rf_done_valid_o[c]  = lj_done_valid_i[c] || some;
    assign rf_done_number_o[c] = lj_done_valid_i[c] ? lj_done_number_i[c] : TAG_W'(at);
    assign rf_err_o[c]         = lj_done_valid_i[c] ? (lj_err_i ? core_pkg::ERR_BUS : '0) : err;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      wait_q <= '0;
      pend_q <= '0;
      owes_q <= '0;
      gone_q <= '0;
      bad_q  <= '0;
      drop_q <= '0;
    end else begin
      wait_q <= (wait_q & ~(passes | waits | dropped)) | taken | (comes & ~fails);
      pend_q <= pend & ~comes;
      owes_q <= (owes_q & ~s1_entry) | (came.fault ? '0 : comes);
      gone_q <= (gone_q | passes) & ~ended;
      bad_q  <= (bad_q & ~over) | dropped | fails;
      drop_q <= (drop_q | (go_i ? wait_q | pend_q : '0)) & ~(taken | dropped | fails);
    end
  end
  always_ff @(posedge clk_i) begin
    for (int unsigned e = 0; e < N; e++) begin
      if (waits[e]) who_q[e] <= res.who;
      if (taken[e]) lists_q[e] <= lists;
      else if (go_i) lists_q[e] <= 1'b0;
      if (dropped[e] || fails[e])
        err_q[e] <= (dropped[e] || came.kind == mmu_pkg::ERROR) ? core_pkg::ERR_BUS : core_pkg::ERR_PAGE;
    end
  end

  // ---- to line_join: what has just been translated, or stands here until it is taken --------------------------------------------
  logic               own, own_cache, hold_cache_q, s1_cache;
  logic [TAG_W-1:0]   own_number, hold_number_q, s1_number;
  logic [HALF_W-1:0]  own_half, hold_half_q;
  logic [INDEX_W-1:0] s1_at;

  onehot_index #(.N(N)) u_s1 (
    .onehot_i (s1_entry_q),
    .index_o  (s1_at)
  );
  assign s1_cache   = 32'(s1_at) >= IC;
  assign s1_number  = s1_cache ? TAG_W'(s1_at) - TAG_W'(IC) : TAG_W'(s1_at);
  assign own        = hold_q || passes != '0;
  assign own_cache  = hold_q ? hold_cache_q : s1_cache;
  assign own_number = hold_q ? hold_number_q : s1_number;
  assign own_half   = hold_q ? hold_half_q : {res.frame, s1_low_q};

  for (genvar c = 0; c < CACHES; c++) begin : gen_out
    logic mine;
    assign mine           = own && own_cache == (c == 1);
    assign tr_valid_o[c]  = mine || (!pages_i && rf_valid_i[c]);
    assign tr_half_o[c]   = mine ? own_half : rf_i[c].half;
    assign tr_number_o[c] = mine ? own_number : rf_i[c].number;
    assign rf_ready_o[c]  = pages_i ? look && !again && grant[c] : tr_ready_i[c] && !mine;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) hold_q <= 1'b0;
    else         hold_q <= own && !tr_ready_i[own_cache];
  end
  always_ff @(posedge clk_i) begin
    if (!hold_q) begin
      hold_cache_q  <= s1_cache;
      hold_number_q <= s1_number;
      hold_half_q   <= own_half;
    end
  end

  // ---- an invalidation: two cycles after it all that had been translated is known -----------------------------------------------
  logic [1:0]   forget_q;
  logic         forgets_q;
  logic [N-1:0] old_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      forget_q  <= '0;
      forgets_q <= 1'b0;
    end else begin
      forget_q  <= {forget_q[0], forget_valid_i};
      forgets_q <= forget_q[1] || (forgets_q && !forgotten_o);
    end
  end
  always_ff @(posedge clk_i) old_q <= (forget_q[1] ? gone_q : old_q) & ~ended;
  assign forgotten_o = forgets_q && old_q == '0;

  assign quiet_o = (wait_q | pend_q | gone_q | bad_q) == '0 && !s1_valid_q && !hold_q && rf_valid_i == '0;

  if (N >= PLACES) begin : gen_check
    $error("refill_translate: more refills than the micro-TLB has places for");
  end

  // A refill is one thing at a time; what is taken was nowhere.
  `ASSERT(a_once, (wait_q & pend_q) == '0 && ((wait_q | pend_q) & (gone_q | bad_q)) == '0 && (gone_q & bad_q) == '0)
  `ASSERT(a_taken, (taken & (wait_q | pend_q | gone_q | bad_q)) == '0)
  // Outcomes are of what was looked up.
  `ASSERT(a_outcome, res_valid == (s1_valid_q && s1_looked_q))
  // For invalidations there is one at a time.
  `ASSERT(a_forget, !(forget_valid_i && (forgets_q || forget_q != '0)))

endmodule
