// SPDX-License-Identifier: Apache-2.0
// rtl/l2/l2_tags.sv with l2_choose, as `backed` has it: eight sets of two. Any line is followed, with its set, one of its rows, and
// whether it is on its way to memory.
// config: backed
// memories: free
// without u_dut.a_dirty: the content of other sets is any
`include "properties.svh"

module l2_tags_formal (
  input logic                        clk_i,
  input logic                        ask_valid,
  input l2_pkg::ask_t                ask,
  input logic                        flush,
  input logic                        keep,
  input logic [line_pkg::LINE_W-1:0] base,
  input logic [line_pkg::LINE_W:0]   limit,
  input logic                        fix_valid,
  input l2_pkg::place_t              fix_place,
  input logic [l2_pkg::SECTORS-1:0]  fix_failed,
  input logic [l2_pkg::ROWS-1:0]     fix_dirty,
  input logic [l2_pkg::WAYS-1:0]     parked,
  input logic [l2_pkg::WAYS-1:0]     open,
  input logic                        park_free,
  input logic                        backing,
  input logic                        back_free,
  input logic [l2_pkg::BACK_W-1:0]   back,
  input logic                        task_ready,
  input logic                        answered      // memory has the line that is followed
);
  `RESET

  logic                           ask_ready, walked, dirty, fix_ready, task_valid, back_valid, put_valid, put_first, fetch_valid;
  logic [l2_pkg::SET_W-1:0]       set;
  logic [line_pkg::LINE_W-1:0]    line, back_line;
  l2_pkg::task_t                  work;
  l2_pkg::place_t                 put_place;
  l2_pkg::ask_t                   put;
  logic [l2_pkg::ROWS-1:0]        put_fresh, put_dirty, fetch_dirty;
  logic [l2_pkg::SECTORS-1:0]     fetch_sectors;

  l2_tags u_dut (
    .clk_i           (clk_i),
    .rst_ni          (rst_ni),
    .ask_valid_i     (ask_valid),
    .ask_ready_o     (ask_ready),
    .ask_i           (ask),
    .flush_i         (flush),
    .flush_keep_i    (keep),
    .flush_base_i    (base),
    .flush_limit_i   (limit),
    .walked_o        (walked),
    .dirty_o         (dirty),
    .fix_valid_i     (fix_valid),
    .fix_ready_o     (fix_ready),
    .fix_place_i     (fix_place),
    .fix_failed_i    (fix_failed),
    .fix_dirty_i     (fix_dirty),
    .set_o           (set),
    .parked_i        (parked),
    .open_i          (open),
    .park_free_i     (park_free),
    .line_o          (line),
    .backing_i       (backing),
    .back_free_i     (back_free),
    .back_i          (back),
    .task_valid_o    (task_valid),
    .task_ready_i    (task_ready),
    .task_o          (work),
    .back_valid_o    (back_valid),
    .back_line_o     (back_line),
    .put_valid_o     (put_valid),
    .put_first_o     (put_first),
    .put_place_o     (put_place),
    .put_o           (put),
    .put_fresh_o     (put_fresh),
    .put_dirty_o     (put_dirty),
    .fetch_valid_o   (fetch_valid),
    .fetch_sectors_o (fetch_sectors),
    .fetch_dirty_o   (fetch_dirty)
  );

  // ---- any line, and its set as the memory has it ------------------------------------------------
  logic [line_pkg::LINE_W-1:0]  watch_q;
  logic [l2_pkg::ROW_W-1:0]     row_q;
  l2_pkg::set_t                 set_q, read_q;
  logic                         known_q, of_watch, near;
  assign of_watch = u_dut.read && u_dut.read_set == l2_pkg::set_of(watch_q);
  assign near     = u_dut.write && u_dut.write_set == l2_pkg::set_of(watch_q);
  always_ff @(posedge clk_i) begin
    watch_q <= watch_q;
    row_q   <= row_q;
    if (!rst_ni)   set_q <= '0;
    else if (near) set_q <= u_dut.written;
    if (!rst_ni)        known_q <= 1'b0;
    else if (u_dut.read) known_q <= of_watch && !near;
    if (of_watch) read_q <= set_q;
  end
  // The memory gives its content. (A set that is empty before it is emptied after a reset costs nothing: none is served.)
  `GIVEN(g_ram, !known_q || u_dut.found == read_q)

  logic [l2_pkg::WAYS-1:0] valid_ways;
  always_comb begin
    for (int w = 0; w < int'(l2_pkg::WAYS); w++) valid_ways[w] = u_dut.was.way[w].valid;
  end

  // ---- what neighbours keep ----------------------------------------------------------------------
  logic            fixes_q, on_q;
  l2_pkg::place_t  place_q;
  logic [l2_pkg::SECTORS-1:0] failed_q;
  logic [l2_pkg::ROWS-1:0]    kept_q;
  always_ff @(posedge clk_i) begin
    fixes_q  <= rst_ni && fix_valid && !fix_ready;
    place_q  <= fix_place;
    failed_q <= fix_failed;
    kept_q   <= fix_dirty;
    if (!rst_ni) on_q <= 1'b0;
    else on_q <= (on_q && !answered) || (back_valid && back_line == watch_q);
  end
  // A line that did not come is reported until it is taken.
  `GIVEN(g_fix, !fixes_q || (fix_valid && fix_place == place_q && fix_failed == failed_q && fix_dirty == kept_q))
  // It is reported when requests are served, not while sets are emptied.
  `GIVEN(g_early, !fix_valid || u_dut.state_q != 2'd0)
  // A read wants a sector.
  `GIVEN(g_wants, ask.sectors != '0)
  // A request waits only for a line that has a place.
  `GIVEN(g_parked, (parked & ~valid_ways) == '0)
  // A flush holds until memory has all, and so does its kind.
  logic                        flush_q, keep_q;
  logic [line_pkg::LINE_W-1:0] base_q;
  logic [line_pkg::LINE_W:0]   limit_q;
  always_ff @(posedge clk_i) begin
    flush_q <= rst_ni && flush;
    keep_q  <= keep;
    base_q  <= base;
    limit_q <= limit;
  end
  `GIVEN(g_flush, !flush_q || flush || (walked && !on_q))
  `GIVEN(g_range, !(flush_q && flush) || (keep == keep_q && base == base_q && limit == limit_q))
  // Whether the line is on its way is known.
  `GIVEN(g_on, line != watch_q || backing == on_q)

  // ---- where it is -------------------------------------------------------------------------------
  logic [l2_pkg::WAYS-1:0]      at, fixed_at;
  logic                         dirty_q, dirties, gives, fixing, looked, meant;
  assign meant = watch_q >= base && {1'b0, watch_q} < limit;
  always_comb begin
    for (int w = 0; w < int'(l2_pkg::WAYS); w++) at[w] = set_q.way[w].valid && set_q.way[w].rest == l2_pkg::rest_of(watch_q);
  end
  assign looked  = u_dut.go && !u_dut.walk_q && line == watch_q;
  assign dirties = looked && (put.kind == line_pkg::STORE ? put.rows[row_q]
                            : put.kind == line_pkg::ATOM && put.sectors[l2_pkg::sector_of(row_q)]);
  assign gives   = back_valid && back_line == watch_q;
  assign fixing  = fix_ready && fix_place.index == l2_pkg::set_of(watch_q) && at[fix_place.way]
                && fix_failed[l2_pkg::sector_of(row_q)] && !fix_dirty[row_q];
  always_ff @(posedge clk_i) begin
    if (!rst_ni) dirty_q <= 1'b0;
    else         dirty_q <= (dirty_q && !gives && !fixing) || dirties;
  end
  logic [l2_pkg::WAYS-1:0] dirty_at;
  always_comb begin
    for (int w = 0; w < int'(l2_pkg::WAYS); w++) dirty_at[w] = at[w] && set_q.way[w].dirty[row_q];
  end

  logic at_hit;
  assign at_hit = u_dut.was.way[work.place.way].valid && u_dut.was.way[work.place.way].rest == l2_pkg::rest_of(line);

  // ---- what holds inside --------------------------------------------------------------------------
  logic                 viewed, holds, passed;
  logic [l2_pkg::SET_W-1:0] view;
  // The set that is decided about, or changed, is seen as it is.
  assign view   = u_dut.fixing_q ? fix_place.index : u_dut.set_q;
  assign viewed = !(u_dut.fixing_q || (u_dut.look_q && u_dut.state_q != 2'd0)) || view != l2_pkg::set_of(watch_q)
    || (u_dut.near_q ? u_dut.near_set_q == set_q : known_q && read_q == set_q);
  // Places of the flushed line that the walk has passed are empty, or clean; all are empty before a request is served.
  always_comb begin
    passed = 1'b1;
    for (int w = 0; w < int'(l2_pkg::WAYS); w++) begin
      automatic logic behind = l2_pkg::set_of(watch_q) < u_dut.walk_set_q
        || (l2_pkg::set_of(watch_q) == u_dut.walk_set_q && l2_pkg::WAY_W'(w) < u_dut.walk_way_q);
      if (((u_dut.state_q == 2'd2 && u_dut.walk_q && behind) || (u_dut.state_q == 2'd3 && flush)) && meant && at[w]
        && !(keep && set_q.way[w].dirty == '0)) passed = 1'b0;
      if (u_dut.state_q == 2'd0 && at[w]) passed = 1'b0;
      if (on_q && at[w] && !(u_dut.state_q >= 2'd2 && keep && set_q.way[w].dirty == '0)) passed = 1'b0;
    end
  end
  assign holds = (at & (at - 1'b1)) == '0 && (!dirty_q || dirty_at != '0) && viewed && passed
    && (u_dut.state_q < 2'd2 || flush_q)
    && (u_dut.state_q < 2'd2 ? !u_dut.walk_q : u_dut.look_q == u_dut.walk_q) && !(u_dut.state_q == 2'd3 && u_dut.look_q)
    && !(u_dut.state_q == 2'd0 && u_dut.look_q) && (!u_dut.fixing_q || (fixes_q && u_dut.state_q != 2'd0))
    && (!u_dut.walk_q || u_dut.set_q == u_dut.walk_set_q)
    && (!u_dut.look_q || u_dut.walk_q || u_dut.set_q == l2_pkg::set_of(line));

  // A line has one place, and the tags see the content of its set.
  `PROVE(p_one, holds)
  // A row that was written is marked until the line is evicted, and then goes along.
  `PROVE(p_dirty, holds && (!dirty_q || dirty_at != '0)
    && (!(gives && dirty_q) || (work.gives && work.back_rows[row_q] && task_valid && task_ready)))
  // A line that is on its way to memory has no place, or is kept; it is not fetched, performed, or sent once more before memory
  // has it.
  `PROVE(p_waits, holds && (!on_q || ((at == '0 || keep) && !looked && !gives)))
  // No request gets the place of a line for which another waits.
  `PROVE(p_parked, holds && (!(u_dut.go && parked[work.place.way] && line == watch_q) || (!u_dut.walk_q && at_hit)))
  // After a flush that means it, it has no place, or is kept and clean.
  `PROVE(p_walked, holds && (!walked || !flush || !meant || at == '0 || (keep && dirty_at == '0)))
  // A flush that does not mean it does not write it.
  `PROVE(p_spared, holds && !(u_dut.state_q >= 2'd2 && !meant && gives))
  // A request goes at once where nothing is in its way.
  `PROVE(p_goes, !(u_dut.look_q && !fix_valid && parked == '0 && park_free && back_free && task_ready && !backing) || u_dut.go)
  // The line is evicted with a row that was written, and comes back.
  `REACH(r_back, gives && dirty_q)
  // A flush keeps it.
  `REACH(r_kept, walked && at != '0 && keep && meant)
  // A request wants it while it is on its way.
  `REACH(r_again, on_q && u_dut.look_q && line == watch_q && !u_dut.go)
endmodule
