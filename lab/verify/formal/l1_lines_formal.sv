// SPDX-License-Identifier: Apache-2.0
// rtl/cache/l1_lines.sv, as `cached` has it: eight places in sets of two, four loads. One line is followed, any; loads that are
// still to be read is kept here as l1_waits keeps it (its proof says that it does).
// config: cached
// without u_dut.a_once: of the line that passes now; p_one says it of any line
`include "properties.svh"

module l1_lines_formal (
  input logic                        clk_i,
  input logic                        empty,
  input logic                        ask,
  input logic                        load,
  input logic [l1_pkg::KEY_W-1:0]    key,
  input logic [l1_pkg::SECTORS-1:0]  sectors,
  input logic                        store,
  input logic [l1_pkg::SECTORS-1:0]  whole,
  input logic [l1_pkg::LOAD_W-1:0]   pass_tag,
  input logic                        fill,
  input logic [l1_pkg::LOAD_W-1:0]   fill_tag,
  input logic                        fill_err,
  input logic                        done,
  input logic [l1_pkg::LOAD_W-1:0]   done_tag,
  input logic                        written    // the bytes of a store have come to their place
);
  `RESET
  localparam int unsigned WAYS = l1_pkg::WAYS;

  l1_pkg::passed_t             passed;
  l1_pkg::filled_t             filled;
  logic [l1_pkg::SET_W-1:0]    set;
  logic [WAYS-1:0]             pins;

  logic                        pass;
  logic [l1_pkg::PLACE_W-1:0]  pass_place;
  logic [l1_pkg::SECTORS-1:0]  pass_sectors, pass_waits, pass_asked;
  assign pass         = ask && passed.keeps;
  assign pass_place   = passed.place;
  assign pass_sectors = sectors;
  assign pass_waits   = passed.coming | passed.asked;
  assign pass_asked   = passed.asked;

  `include "l1_loads.svh"

  assign filled = '{valid: fill, err: fill_err, place: place_q[fill_tag], sectors: asked_q[fill_tag]};

  l1_lines u_dut (
    .clk_i         (clk_i),
    .rst_ni        (rst_ni),
    .empty_i       (empty),
    .ask_valid_i   (ask),
    .ask_load_i    (load),
    .ask_key_i     (key),
    .ask_sectors_i (sectors),
    .ask_store_i   (store),
    .ask_whole_i   (whole),
    .passed_o      (passed),
    .set_o         (set),
    .pins_i        (pins),
    .fill_i        (filled)
  );

  // The one line; whether what passes is of it, and has a place.
  logic [l1_pkg::KEY_W-1:0] watch_q;
  logic                     is, takes, enters;
  assign is     = ask && key == watch_q;
  assign takes  = ask && passed.takes;
  assign enters = pass || takes;

  // A store with bytes on their way into the cache.
  logic                        busy_q, busy_same_q, busy_old_q;
  logic [l1_pkg::PLACE_W-1:0]  busy_place_q;
  logic [SECTORS-1:0]          busy_sectors_q;

  // Each load: of that line; from before an emptying; the sectors that its refill still brings for others; those dropped.
  logic [LOADS-1:0]               same_q, old_q;
  logic [LOADS-1:0][SECTORS-1:0]  good_q, gone_q;
  // The cached sectors of the line, and their place: brought by a refill that nothing overtook, or by a store.
  logic [SECTORS-1:0]             fresh_q, given;
  logic [l1_pkg::PLACE_W-1:0]     where_q;
  assign given = (is && !passed.keeps) ? sectors & ~passed.taken : '0;

  always_ff @(posedge clk_i) begin
    watch_q <= watch_q;
    if (pass) begin
      same_q[pass_tag] <= is;
      old_q[pass_tag]  <= 1'b0;
      good_q[pass_tag] <= passed.asked;
      gone_q[pass_tag] <= '0;
    end
    for (int t = 0; t < int'(LOADS); t++) begin
      if (same_q[t] && given != '0) begin
        good_q[t] <= good_q[t] & ~given;
        gone_q[t] <= gone_q[t] | (given & sectors_q[t]);
      end
      if (fill && fill_err && place_q[t] == place_q[fill_tag]) gone_q[t] <= gone_q[t] | (asked_q[fill_tag] & sectors_q[t]);
      if (empty) old_q[t] <= 1'b1;
    end
    if (takes) begin
      busy_place_q   <= passed.place;
      busy_sectors_q <= passed.taken;
      busy_same_q    <= is;
      busy_old_q     <= empty;
    end else if (empty) begin
      busy_old_q     <= 1'b1;
    end
    if (!rst_ni)      busy_q <= 1'b0;
    else if (takes)   busy_q <= 1'b1;
    else if (written) busy_q <= 1'b0;
    if (is && enters) where_q <= passed.place;
    if (!rst_ni || empty || (enters && !is && passed.place == where_q)) fresh_q <= '0;
    else if (is && takes)                                               fresh_q <= (fresh_q | passed.taken) & ~given;
    else if (fill && !fill_err && same_q[fill_tag] && !old_q[fill_tag]) fresh_q <= fresh_q | good_q[fill_tag];
    else                                                                fresh_q <= fresh_q & ~given;
  end

  always_comb begin
    pins = '0;
    for (int t = 0; t < int'(LOADS); t++) begin
      if (there_q[t] && l1_pkg::set_of(place_q[t]) == set) pins[l1_pkg::way_of(place_q[t])] = 1'b1;
    end
    if (busy_q && l1_pkg::set_of(busy_place_q) == set) pins[l1_pkg::way_of(busy_place_q)] = 1'b1;
  end

  // A request has a free tag, and sectors; one store at a time has its bytes taken.
  `GIVEN(g_ask, !ask || (!there_q[pass_tag] && sectors != '0 && !(load && store) && !(store && busy_q)))
  // A refill ends that is under way, while nothing passes.
  `GIVEN(g_fill, !fill || (refill_q[fill_tag] && !ask))
  // A load that has been read was there, and nothing that it waited for is under way.
  `GIVEN(g_done, !done || (there_q[done_tag] && await_q[done_tag] == '0))

  // ---- inside: the line's entry, and the places of all its loads ------------------------------------------
  logic [l1_pkg::SET_W-1:0]         at;
  l1_pkg::entry_t [WAYS-1:0]        entry;
  logic [WAYS-1:0]                  mine;
  l1_pkg::entry_t                   own;
  logic [l1_pkg::PLACE_W-1:0]       home;
  logic                             right, loads_right;
  logic [SECTORS-1:0]               come;
  assign at       = l1_pkg::SET_W'(watch_q);
  assign entry[0] = u_dut.gen_way[0].u_entry.mem_q[at];
  assign entry[1] = u_dut.gen_way[1].u_entry.mem_q[at];
  always_comb begin
    own  = '0;
    home = '0;
    for (int w = 0; w < int'(WAYS); w++) begin
      automatic logic [l1_pkg::PLACE_W-1:0] p = l1_pkg::place_of(at, l1_pkg::WAY_W'(w));
      mine[w] = u_dut.live_q[p] && entry[w].rest == watch_q[l1_pkg::KEY_W-1 -: l1_pkg::REST_W];
      if (mine[w]) begin
        own  = own | entry[w];
        home = home | p;
      end
    end
  end
  // A load that is there waits for its own refill, for nothing that is over, and only for what it wants.
  always_comb begin
    loads_right = (refill_q & ~there_q) == '0;
    for (int t = 0; t < int'(LOADS); t++) begin
      if (there_q[t] && ((await_q[t] & ~refill_q) != '0 || (refill_q[t] && !await_q[t][t])
        || (refill_q[t] && ((asked_q[t] & ~sectors_q[t]) != '0 || (good_q[t] & ~asked_q[t]) != '0)))) loads_right = 1'b0;
    end
  end
  // The line is in one place or none; its sectors are there, come or are stale as they must be. Loads that are to read
  // them are at that place, and no others.
  always_comb begin
    right = loads_right && (mine & (mine - WAYS'(1))) == '0 && (mine != '0 || fresh_q == '0)
      && (mine == '0 || where_q == home);
    come = '0;
    for (int t = 0; t < int'(LOADS); t++) begin
      if (there_q[t]) begin
        if (same_q[t] && !old_q[t]) begin
          if (mine == '0 || place_q[t] != home) right = 1'b0;
          if (refill_q[t]) begin
            if ((asked_q[t] & ~good_q[t] & ~gone_q[t]) != '0 || (come & asked_q[t]) != '0) right = 1'b0;
            come = come | asked_q[t];
          end
          for (int s = 0; s < int'(SECTORS); s++) begin
            if (sectors_q[t][s] && own.sector[s] == l1_pkg::EMPTY) right = 1'b0;
            if (gone_q[t][s] && own.sector[s] != l1_pkg::STALE) right = 1'b0;
          end
        end else if (mine != '0 && place_q[t] == home) right = 1'b0;
        if (same_q[t] && old_q[t] && u_dut.live_q[place_q[t]]) right = 1'b0;
      end
    end
    if (busy_q && busy_same_q && !busy_old_q) begin
      if (mine == '0 || busy_place_q != home) right = 1'b0;
      for (int s = 0; s < int'(SECTORS); s++) begin
        if (busy_sectors_q[s] && own.sector[s] == l1_pkg::EMPTY) right = 1'b0;
      end
    end else if (busy_q && mine != '0 && busy_place_q == home) right = 1'b0;
    if (busy_q && busy_same_q && busy_old_q && u_dut.live_q[busy_place_q]) right = 1'b0;
    come = '0;
    for (int t = 0; t < int'(LOADS); t++) begin
      if (refill_q[t] && same_q[t] && !old_q[t]) come = come | good_q[t];
    end
    for (int s = 0; s < int'(SECTORS); s++) begin
      if (mine != '0 && (own.sector[s] == l1_pkg::HERE) != fresh_q[s]) right = 1'b0;
      if (mine != '0 && (own.sector[s] == l1_pkg::COMING) != come[s]) right = 1'b0;
    end
  end

  // ---- as it is seen from outside, for what passes now ----------------------------------------------------------
  logic                clash, mixed, again;       // with loads that are to read
  logic [SECTORS-1:0]  comes_good;
  logic                emptied_q;
  always_comb begin
    clash      = 1'b0;
    mixed      = 1'b0;
    again      = 1'b0;
    comes_good = '0;
    for (int t = 0; t < int'(LOADS); t++) begin
      if (there_q[t] && place_q[t] == passed.place) begin
        if (is ? (!same_q[t] || old_q[t]) : same_q[t])                                    mixed = 1'b1;
        if (is && (takes || (pass && (passed.asked & sectors_q[t]) != '0)))               clash = 1'b1;
        if (is && pass && same_q[t] && !old_q[t] && (gone_q[t] & sectors) != '0)          again = 1'b1;
        if (refill_q[t] && same_q[t] && !old_q[t]) comes_good = comes_good | good_q[t];
      end
    end
    if (busy_q && busy_place_q == passed.place) begin
      if (is ? (!busy_same_q || busy_old_q) : busy_same_q)                                mixed = 1'b1;
      if (is && (takes || (pass && (passed.asked & busy_sectors_q) != '0)))               clash = 1'b1;
    end
  end
  always_ff @(posedge clk_i) emptied_q <= rst_ni && empty;

  // A line is known in one place at most.
  `PROVE(p_one, right && (mine & (mine - WAYS'(1))) == '0)
  // A place that a load is to read, or that a store is written to, is given to no other line, nor to the same one
  // after an emptying.
  `PROVE(p_pinned, right && (!enters || !mixed))
  // A hit sector was brought by a refill that nothing overtook, or by a store, since the last emptying, and is
  // at the named place. A store that writes a part of a sector is taken only there.
  `PROVE(p_here, right && (!(is && pass) || (passed.here & ~fresh_q) == '0) && (!takes || !is || (passed.taken & ~whole & ~fresh_q) == '0)
    && (!is || !enters || fresh_q == '0 || passed.place == where_q))
  // A joined sector is under way to its place, and nothing has overtaken it: no store, no emptying.
  `PROVE(p_coming, right && (!(is && pass) || (passed.coming & ~comes_good) == '0))
  // A sector that was dropped before all waiting loads had read it is neither there nor coming, nor requested again,
  // until they have.
  `PROVE(p_stale, right && !again)
  // A sector that a load is to read does not change: it is neither requested again, nor does a store write to it.
  `PROVE(p_bytes, right && !clash)
  // Nothing is known after an emptying.
  `PROVE(p_empty, !emptied_q || !ask || ((passed.here | passed.coming | (passed.taken & ~whole)) == '0))
  // Each sector that a load wants has one state: there, coming, or requested; and l1_waits gets that state.
  `PROVE(p_sectors, right && (!(is && pass) || (pass_right && passed.asks == (passed.asked != '0)
    && (passed.here | passed.coming | passed.asked) == sectors && (passed.here & pass_waits) == '0
     && (passed.coming & passed.asked) == '0)))
  // A load stays but for a sector that was dropped, or a set with all places pinned.
  `PROVE(p_stays, right && (!(is && load) || pass || pins == '1 || (mine & pins) != '0))
  // A line has another place while a refill from before an emptying is under way for it, and one of its own comes, too.
  `REACH(r_wrap, come != '0 && (there_q & same_q & old_q & refill_q) != '0 && mine != '0)
  // Four wait at one place, of which a sector was dropped; another one is requested.
  `REACH(r_stale, there_q == '1 && same_q == '1 && old_q == '0 && gone_q[0] != '0 && come != '0)
endmodule
