// SPDX-License-Identifier: Apache-2.0
// Which lines the cache has, sector by sector, and what becomes of each request that passes. In a cycle without one a
// refill that has ended is entered.
// Latency: none: looked up, decided and entered in the cycle in which it stands here.
// Handshake: ask_ and fill_ are events, never together. empty_i (event) makes all lines unknown; what passes in that
// cycle passes before.
//
// A load stays in the cache if each of its sectors is there, comes, or can be asked for. It does not, and goes to memory
// as if there were no cache, where a sector of it is stale, or where its set has no place: one that no load is to read.
// A request that goes to memory with its line known gives the sectors up, but for a store to local memory: a sector that is
// there takes its bytes, and one that is written as a whole is there from then on.
//
// All that a load is still to read (pins_i) is not given to another line, and a sector of it that is given up is stale
// until they have read it; refills under way have a reader, so they always find their place.
`include "heddle_assert.svh"

module l1_lines #(
  localparam int unsigned KEY_W   = l1_pkg::KEY_W,
  localparam int unsigned SET_W   = l1_pkg::SET_W,
  localparam int unsigned WAYS    = l1_pkg::WAYS,
  localparam int unsigned PLACES  = l1_pkg::PLACES,
  localparam int unsigned SECTORS = l1_pkg::SECTORS
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  logic                  empty_i,
  // a request passes
  input  logic                  ask_valid_i,
  input  logic                  ask_load_i,      // a load that may stay: else it goes to memory
  input  logic [KEY_W-1:0]      ask_key_i,
  input  logic [SECTORS-1:0]    ask_sectors_i,
  input  logic                  ask_store_i,     // a store to local memory: its bytes may be taken
  input  logic [SECTORS-1:0]    ask_whole_i,     // ... sectors of which it writes every byte
  output l1_pkg::passed_t       passed_o,
  // from l1_waits: ways of this set that a load is to read
  output logic [SET_W-1:0]      set_o,
  input  logic [WAYS-1:0]       pins_i,
  // a refill has ended
  input  l1_pkg::filled_t       fill_i
);

  logic [SET_W-1:0]                      set;
  logic [l1_pkg::REST_W-1:0]             rest;
  l1_pkg::entry_t [WAYS-1:0]             entry;
  logic [PLACES-1:0]                     live_q;        // the entry says something
  logic [WAYS-1:0]                       live, match, free, dead, victim, pick, put;
  logic [WAYS-1:0]                       used, touch;   // of the set: ways used lately; the way of this request
  logic                                  known, none, stays;
  l1_pkg::entry_t                        old, next, chosen;
  logic                                  pinned;
  logic [SECTORS-1:0]                    here, coming, stale, asked, taken;
  logic                                  enters;

  assign set   = fill_i.valid ? l1_pkg::set_of(fill_i.place) : SET_W'(ask_key_i);
  assign set_o = set;
  assign rest  = ask_key_i[KEY_W-1 -: l1_pkg::REST_W];

  for (genvar w = 0; w < WAYS; w++) begin : gen_way
    ram_async #(.WIDTH($bits(l1_pkg::entry_t)), .DEPTH(l1_pkg::SETS)) u_entry (
      .clk_i     (clk_i),
      .wr_en_i   (put[w]),
      .wr_addr_i (set),
      .wr_data_i (next),
      .rd_addr_i (set),
      .rd_data_o (entry[w])
    );
    assign live[w]  = live_q[l1_pkg::place_of(set, l1_pkg::WAY_W'(w))];
    assign match[w] = live[w] && entry[w].rest == rest;
  end

  // ---- the line that is known ---------------------------------------------------------------------
  assign known = match != '0;

  always_comb begin
    old = '0;
    for (int unsigned w = 0; w < WAYS; w++) begin
      if (match[w]) old = old | entry[w];
    end
  end
  assign pinned = (match & pins_i) != '0;

  always_comb begin
    for (int unsigned s = 0; s < SECTORS; s++) begin
      here[s]   = known && old.sector[s] == l1_pkg::HERE && ask_sectors_i[s];
      coming[s] = known && old.sector[s] == l1_pkg::COMING && ask_sectors_i[s];
      stale[s]  = known && old.sector[s] == l1_pkg::STALE && pinned && ask_sectors_i[s];
    end
  end

  // ---- or a place for it: an empty one, else one that was not used lately, never one with unread loads -------
  assign free = ~pins_i;
  assign dead = free & ~live;
  assign pick = (dead != '0) ? dead : ((free & ~used) != '0) ? free & ~used : free;
  assign none = free == '0;

  arb_fixed #(.N(WAYS)) u_victim (
    .req_i   (pick),
    .grant_o (victim)
  );

  // A bit a way: used since all of its set were.
  assign touch = !(stays || taken != '0) ? '0 : known ? match : victim;
  if (WAYS > 1) begin : gen_used
    logic [WAYS-1:0] kept, now;
    assign now  = (kept & live) | touch;
    assign used = kept & live;
    ram_async #(.WIDTH(WAYS), .DEPTH(l1_pkg::SETS)) u_used (
      .clk_i     (clk_i),
      .wr_en_i   (ask_valid_i && touch != '0),
      .wr_addr_i (set),
      .wr_data_i ((now == '1) ? touch : now),
      .rd_addr_i (set),
      .rd_data_o (kept)
    );
  end else begin : gen_one
    assign used = '0;
    logic unused;
    assign unused = ^touch;
  end

  // ---- what becomes of it -------------------------------------------------------------------------------
  assign stays = ask_load_i && (known ? stale == '0 : !none);
  assign asked = ask_sectors_i & ~here & ~coming;

  always_comb begin
    for (int unsigned s = 0; s < SECTORS; s++) begin
      taken[s] = ask_store_i && ask_sectors_i[s]
        && (known ? !pinned && (old.sector[s] == l1_pkg::HERE || ask_whole_i[s]) : !none && ask_whole_i[s]);
    end
  end
  assign enters = stays || taken != '0;     // it has a place

  logic [l1_pkg::WAY_W-1:0] way;
  onehot_index #(.N(WAYS)) u_way (
    .onehot_i (known ? match : victim),
    .index_o  (way)
  );

  always_comb begin
    chosen = '0;
    for (int unsigned w = 0; w < WAYS; w++) begin
      if (victim[w]) chosen = chosen | entry[w];
    end
  end

  always_comb begin
    passed_o         = '0;
    passed_o.valid   = ask_valid_i;
    passed_o.keeps   = stays;
    passed_o.asks    = stays && asked != '0;
    passed_o.evicts  = enters && !known && (live & victim) != '0;
    passed_o.takes   = taken != '0;
    passed_o.drops   = !stays && (ask_sectors_i & ~taken) != '0 && (known || taken == '0);
    passed_o.taken   = taken;
    passed_o.here    = here;
    passed_o.coming  = coming;
    passed_o.asked   = asked;
    passed_o.place   = l1_pkg::place_of(set, way);
    for (int unsigned s = 0; s < SECTORS; s++) passed_o.evicted[s] = chosen.sector[s] == l1_pkg::HERE;
  end

  // ---- and what is entered ------------------------------------------------------------------------------
  l1_pkg::entry_t     at_fill;

  // For a refill: what still waits for it is there; what was given up stays so.
  always_comb begin
    at_fill = '0;
    for (int unsigned w = 0; w < WAYS; w++) begin
      if (l1_pkg::way_of(fill_i.place) == l1_pkg::WAY_W'(w)) at_fill = at_fill | entry[w];
    end
    for (int unsigned s = 0; s < SECTORS; s++) begin
      if (fill_i.sectors[s] && at_fill.sector[s] == l1_pkg::COMING) at_fill.sector[s] = fill_i.err ? l1_pkg::STALE : l1_pkg::HERE;
    end
  end

  always_comb begin
    next      = known ? old : '0;
    next.rest = rest;
    for (int unsigned s = 0; s < SECTORS; s++) begin
      if (stays) begin
        if (asked[s]) next.sector[s] = l1_pkg::COMING;
      end else if (taken[s]) begin
        next.sector[s] = l1_pkg::HERE;
      end else if (ask_sectors_i[s] && next.sector[s] != l1_pkg::EMPTY) begin
        next.sector[s] = pinned ? l1_pkg::STALE : l1_pkg::EMPTY;
      end
    end
    if (fill_i.valid) next = at_fill;
  end

  always_comb begin
    put = '0;
    if (fill_i.valid)                       put[l1_pkg::way_of(fill_i.place)] = 1'b1;
    else if (ask_valid_i && known)          put = match;
    else if (ask_valid_i && enters)         put = victim;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || empty_i)                          live_q <= '0;
    else if (ask_valid_i && enters && !known)        live_q[passed_o.place] <= 1'b1;
  end

  // A line is known in one place.
  `ASSERT_IF(a_once, ask_valid_i, (match & (match - WAYS'(1))) == '0)
  `ASSERT(a_turns, !(ask_valid_i && fill_i.valid))

endmodule
