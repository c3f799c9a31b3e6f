// SPDX-License-Identifier: Apache-2.0
// TLB of one stream of accesses: few places, all compared at once, both page sizes. A miss requests its page once; hits go on.
// Latency: the outcome a cycle after the lookup; a lookup a cycle. An answer or an invalidation takes a lookup's cycle.
// Handshake: lk_ valid/ready, ready from a register; outcome, answer, invalidation, came_ are events; ask_ valid/ready.
// A miss waits for the place of its page until came_ names that place; without a place it is looked up again after the next
// done or fault. A filled place is kept until done_: each lookup that waited for it was repeated. Faults are not kept.
// It holds neither waiting accesses nor the number of the walk.
`include "heddle_assert.svh"

module micro_tlb #(
  parameter  int unsigned PLACES = 16,
  parameter  int unsigned ASKS   = 8,             // places requested, or kept for waiting lookups
  localparam int unsigned PLACE_W = (PLACES > 1) ? $clog2(PLACES) : 1
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,
  // a lookup, and its outcome
  input  logic                        lk_valid_i,
  output logic                        lk_ready_o,
  input  mmu_pkg::lookup_t            lk_i,
  output logic                        res_valid_o,
  output mmu_pkg::outcome_t           res_o,
  // to and from the user's waiting accesses
  output logic                        came_valid_o,
  output mmu_pkg::came_t              came_o,
  input  logic                        done_valid_i,
  input  logic [mmu_pkg::WHO_W-1:0]   done_who_i,
  // to and from the mmu
  output logic                        ask_valid_o,
  input  logic                        ask_ready_i,
  output mmu_pkg::ask_t               ask_o,
  input  logic                        answer_valid_i,
  input  mmu_pkg::answer_t            answer_i,
  input  logic                        forget_valid_i,
  input  mmu_pkg::forget_t            forget_i
);

  localparam int unsigned COUNT_W = $clog2(ASKS + 1);

  typedef struct packed {
    logic [mmu_pkg::SPACE_W-1:0] space;
    logic [mmu_pkg::PAGE_W-1:0]  page;
  } key_t;

  // ---- places -----------------------------------------------------------------------------------
  logic [PLACES-1:0]    valid_q, pend_q, keep_q, used_q, large_q, shared_q, stores_q;
  key_t                 key_q [PLACES];

  // ---- in this cycle: an answer, an invalidation, or a lookup --------------------------------------
  logic                 come_q, forget_q, look;
  mmu_pkg::answer_t     answer_q;
  mmu_pkg::forget_t     what_q;
  key_t                 key;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      come_q   <= 1'b0;
      forget_q <= 1'b0;
    end else begin
      come_q   <= answer_valid_i;
      forget_q <= forget_valid_i;
    end
  end
  always_ff @(posedge clk_i) begin
    if (answer_valid_i) answer_q <= answer_i;
    if (forget_valid_i) what_q   <= forget_i;
  end

  assign lk_ready_o = !come_q && !forget_q;
  assign look       = lk_valid_i && lk_ready_o;
  always_comb begin
    key = {lk_i.space, lk_i.page};
    if (come_q)        key = {answer_q.space, answer_q.page};
    else if (forget_q) key = {what_q.space, what_q.page};
  end

  // ---- all places at once -----------------------------------------------------------------------
  logic [PLACES-1:0] upper, lower, own, covers, hits, waits, raises, meets, goes;

  always_comb begin
    for (int unsigned p = 0; p < PLACES; p++) begin
      upper[p] = key_q[p].page[mmu_pkg::PAGE_W-1:mmu_pkg::PART_W] == key.page[mmu_pkg::PAGE_W-1:mmu_pkg::PART_W];
      lower[p] = key_q[p].page[mmu_pkg::PART_W-1:0] == key.page[mmu_pkg::PART_W-1:0];
      own[p]   = key_q[p].space == key.space;
    end
  end

  assign covers = valid_q & upper & (lower | large_q) & (own | shared_q);
  assign hits   = covers & (stores_q | {PLACES{!lk_i.write}});
  assign waits  = pend_q & upper & lower & own;
  assign raises = covers & ~pend_q & ~keep_q;         // a store hits its page, without D
  // An answer replaces a translation of the same addresses, unless it is kept. If several places cover an address, any is right.
  assign meets  = upper & (lower | large_q | {PLACES{answer_q.leaf.big}}) & (own | shared_q | {PLACES{answer_q.leaf.shared}});
  assign goes   = ({PLACES{what_q.all_pages}} | (upper & (lower | large_q)))
                & ({PLACES{what_q.all_spaces}} | own | (shared_q & {PLACES{!what_q.all_pages}}));

  // ---- victim: an empty place, one not used lately, any ---------------------------------------------
  logic [PLACES-1:0]  able, fresh, choice, victim, asks, chosen, raised;
  logic               room, hit, wait_there, covered, raise, ask, all_used;
  logic [PLACE_W-1:0] victim_at, raise_at, hit_at, wait_at, at;
  logic [COUNT_W-1:0] busy_q;

  assign able     = ~pend_q & ~keep_q;
  assign fresh    = able & ~used_q;
  assign all_used = (able & ~valid_q) == '0 && fresh == '0;
  assign choice   = ((able & ~valid_q) != '0) ? able & ~valid_q : (fresh != '0) ? fresh : able;
  lowest_one #(.N(PLACES)) u_victim (
    .in_i     (choice),
    .onehot_o (victim),
    .index_o  (victim_at),
    .any_o    ()
  );
  lowest_one #(.N(PLACES)) u_hit (
    .in_i     (hits),
    .onehot_o (chosen),
    .index_o  (hit_at),
    .any_o    (hit)
  );
  lowest_one #(.N(PLACES)) u_raise (
    .in_i     (raises),
    .onehot_o (raised),
    .index_o  (raise_at),
    .any_o    (raise)
  );
  onehot_index #(.N(PLACES)) u_wait (
    .onehot_i (waits),
    .index_o  (wait_at)
  );

  // With places for all requests and one more, one place is always free.
  assign room       = busy_q != COUNT_W'(ASKS);
  assign wait_there = waits != '0;
  assign covered    = covers != '0;
  assign ask        = look && !hit && !wait_there && room && (!covered || raise);
  assign asks       = {PLACES{ask}} & (covered ? raised : victim);
  assign at         = covered ? raise_at : victim_at;

  // ---- outcome ----------------------------------------------------------------------------------
  logic                        res_valid_q, hit_q, waits_q, part_q;
  logic [PLACE_W-1:0]          at_q;
  logic [mmu_pkg::PART_W-1:0]  low_q;
  logic [mmu_pkg::FRAME_W-1:0] frame;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) res_valid_q <= 1'b0;
    else         res_valid_q <= look;
  end
  always_ff @(posedge clk_i) begin
    hit_q   <= hit;
    waits_q <= !hit && (wait_there || ask);
    at_q    <= hit ? hit_at : wait_there ? wait_at : at;
    part_q  <= (chosen & large_q) != '0;
    low_q   <= lk_i.page[mmu_pkg::PART_W-1:0];
  end

  // No lookup in the cycle of an answer: the frame of the lookup before it is still being read.
  ram_async #(.WIDTH(mmu_pkg::FRAME_W), .DEPTH(PLACES)) u_frames (
    .clk_i     (clk_i),
    .wr_en_i   (come_q && !answer_q.fault),
    .wr_addr_i (PLACE_W'(answer_q.who)),
    .wr_data_i (answer_q.leaf.frame),
    .rd_addr_i (at_q),
    .rd_data_o (frame)
  );

  assign res_valid_o = res_valid_q;
  assign res_o       = '{hit: hit_q, waits: waits_q, who: mmu_pkg::WHO_W'(at_q),
    frame: {frame[mmu_pkg::FRAME_W-1:mmu_pkg::PART_W], part_q ? low_q : frame[mmu_pkg::PART_W-1:0]}};

  // ---- the request ----------------------------------------------------------------------------------
  logic               ask_room;

  fifo #(.WIDTH($bits(mmu_pkg::ask_t)), .DEPTH(ASKS)) u_asks (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .in_valid_i  (ask),
    .in_ready_o  (ask_room),
    .in_data_i   ({lk_i, mmu_pkg::WHO_W'(at)}),
    .out_valid_o (ask_valid_o),
    .out_ready_i (ask_ready_i),
    .out_data_o  (ask_o),
    .count_o     ()
  );

  // ---- state ----------------------------------------------------------------------------------------
  logic [PLACES-1:0] come, done, found;

  assign come  = {PLACES{come_q}} & (PLACES'(1) << answer_q.who);
  assign found = come & {PLACES{!answer_q.fault}};
  assign done  = {PLACES{done_valid_i}} & (PLACES'(1) << done_who_i);
  assign came_valid_o = come_q;
  assign came_o       = '{who: answer_q.who, fault: answer_q.fault, kind: answer_q.kind, lists: answer_q.lists};

  // A fault frees its place and its request, as done_ does.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) busy_q <= '0;
    else         busy_q <= busy_q + COUNT_W'(ask) - COUNT_W'(done_valid_i) - COUNT_W'(come_q && answer_q.fault);
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid_q <= '0;
      pend_q  <= '0;
      keep_q  <= '0;
      used_q  <= '0;
    end else begin
      pend_q  <= (pend_q & ~come) | asks;
      keep_q  <= (keep_q & ~done) | found;
      if (come_q && !answer_q.fault) valid_q <= (valid_q & ~(meets & ~keep_q)) | come;
      else if (forget_q)             valid_q <= valid_q & ~goes;
      else if (ask && !covered)      valid_q <= valid_q & ~victim;
      if (come_q)                                used_q <= used_q | found;
      else if (ask && !covered && all_used)      used_q <= '0;
      else if (look && hit)                      used_q <= used_q | chosen;
    end
  end

  always_ff @(posedge clk_i) begin
    for (int unsigned p = 0; p < PLACES; p++) begin
      if (asks[p]) key_q[p] <= key;
      if (found[p]) begin
        large_q[p]  <= answer_q.leaf.big;
        shared_q[p] <= answer_q.leaf.shared;
        stores_q[p] <= answer_q.leaf.stores;
      end
    end
  end

  if (PLACES > 2**mmu_pkg::WHO_W || ASKS >= PLACES) begin : gen_check
    $error("micro_tlb: more places than who can name, or none left beside those that are asked for");
  end

  // A page is requested once.
  `ASSERT_IF(a_once, look, (waits & (waits - PLACES'(1))) == '0)
  // An answer has its request.
  `ASSERT_IF(a_answer, come_q, (pend_q & come) != '0 && !forget_q)
  // done_ names a filled place.
  `ASSERT_IF(a_done, done_valid_i, (keep_q & done) != '0)
  // Forward progress: a kept place is neither requested nor replaced.
  `ASSERT_IF(a_kept, ask, (asks & (keep_q | pend_q)) == '0)
  // A place and a request are free.
  `ASSERT_IF(a_room, ask, ask_room && asks != '0)

endmodule
