// SPDX-License-Identifier: Apache-2.0
// Decision about a request, or about a place in a flush, given its set: performed, or parked; which line is evicted and written back;
// which part is fetched. A flush writes a dirty line of the range back, and evicts it or keeps it clean. A decision waits, and all
// behind it, while
// - its line is being written back,
// - the parked requests of its line are being performed, or the fetch would fall under bytes of a parked store,
// - each place of its set has parked requests, or there is no room for a parked request, a write-back or a task.
// Latency: combinational.
// Handshake: task_ valid/ready; go_o: the decision holds.
// It has no state.
`include "heddle_idle.svh"

module l2_choose #(
  parameter int unsigned BANK = 0
) (
  // from l2_tags
  input  logic                            valid_i,
  input  logic                            walk_i,
  input  logic [l2_pkg::WAY_W-1:0]        walk_way_i,
  input  logic                            walk_meant_i,   // its line is in the flushed range,
  input  logic                            walk_keep_i,    // and stays, clean
  input  l2_pkg::ask_t                    ask_i,
  input  logic [l2_pkg::SET_W-1:0]        set_i,
  input  l2_pkg::set_t                    before_i,
  // from l2_park and l2_backs
  input  logic [l2_pkg::WAYS-1:0]         parked_i,
  input  logic [l2_pkg::WAYS-1:0]         open_i,
  input  logic                            park_free_i,
  input  logic                            backing_i,
  input  logic                            back_free_i,
  input  logic [l2_pkg::BACK_W-1:0]       back_i,
  // the decision
  output logic                            task_valid_o,
  input  logic                            task_ready_i,
  output l2_pkg::task_t                   task_o,
  // its consequences
  output logic                            go_o,
  output l2_pkg::set_t                    after_o,
  output logic                            more_o,       // one more dirty line
  output logic                            less_o,       // one less
  output logic                            back_valid_o,
  output logic [line_pkg::LINE_W-1:0]     back_line_o,
  output logic                            put_valid_o,
  output logic                            put_first_o,
  output logic [l2_pkg::ROWS-1:0]         put_fresh_o,
  output logic [l2_pkg::ROWS-1:0]         put_dirty_o,
  output logic                            fetch_valid_o,
  output logic [l2_pkg::SECTORS-1:0]      fetch_sectors_o,
  output logic [l2_pkg::ROWS-1:0]         fetch_dirty_o
);

  localparam int unsigned WAYS  = l2_pkg::WAYS;
  localparam int unsigned WAY_W = l2_pkg::WAY_W;

  // ---- the place of its line ----------------------------------------------------------------------
  logic [WAYS-1:0]   hits, valids, usable, rotated, pick;
  logic              hit, store, atom, some;
  logic [WAY_W-1:0]  hit_way, pick_way, victim_way, way;
  l2_pkg::way_t      now, next;

  assign store = ask_i.kind == line_pkg::STORE;
  assign atom  = ask_i.kind == line_pkg::ATOM;

  always_comb begin
    for (int unsigned w = 0; w < WAYS; w++) begin
      valids[w] = before_i.way[w].valid;
      hits[w]   = valids[w] && before_i.way[w].rest == l2_pkg::rest_of(ask_i.line);
    end
  end

  onehot_index #(.N(WAYS)) u_hit (
    .onehot_i (hits),
    .index_o  (hit_way)
  );
  assign hit = hits != '0;

  // Victim: an empty place, else the next in turn without parked requests.
  assign usable = (valids != '1) ? ~valids : ~parked_i;
  for (genvar w = 0; w < WAYS; w++) begin : gen_turn
    assign rotated[w] = usable[WAY_W'((w + 32'(before_i.turn)) % WAYS)];
  end
  lowest_one #(.N(WAYS)) u_pick (
    .in_i     (rotated),
    .onehot_o (pick),
    .index_o  (pick_way),
    .any_o    (some)
  );
  assign victim_way = WAY_W'((32'(pick_way) + 32'(before_i.turn)) % WAYS);
  assign way        = walk_i ? walk_way_i : hit ? hit_way : victim_way;
  assign now        = before_i.way[way];

  // ---- missing sectors, parked requests -------------------------------------------------------------
  logic                        parked, open, there, gives, clash;
  logic [l2_pkg::SECTORS-1:0]  lacks;
  logic [l2_pkg::ROWS-1:0]     dirty;        // of its own line, before it

  assign there  = hit && !walk_i;
  assign parked = parked_i[way];
  assign open   = open_i[way];
  assign dirty  = there ? now.dirty : '0;
  assign lacks  = store ? '0 : ask_i.sectors & ~(there ? now.there : '0);
  assign gives  = !there && now.valid && now.dirty != '0 && (!walk_i || walk_meant_i);
  // Rows that a parked store may still write are not fetched before it has.
  assign clash  = parked && lacks != '0 && (dirty & l2_pkg::rows_of(lacks)) != '0;

  logic waits, able;
  assign waits = !walk_i && (lacks != '0 || (there && parked));

  always_comb begin
    able = !gives || back_free_i;
    if (walk_i)      able = able && !parked;
    else if (there)  able = able && (!parked || (open && !clash)) && (parked || lacks == '0 || park_free_i);
    else             able = able && some && !backing_i && (lacks == '0 || park_free_i);
  end

  // ---- the task -------------------------------------------------------------------------------------
  logic needs;      // a task: not for a request that joins parked ones, nor for a clean place of a flush
  assign needs        = gives || lacks != '0 || (!walk_i && !waits);
  assign task_valid_o = valid_i && able && (walk_i ? gives : needs);
  assign go_o         = valid_i && able && ((walk_i ? !gives : !needs) || task_ready_i);

  always_comb begin
    task_o.place     = '{index: set_i, way: way};
    task_o.gives     = gives;
    task_o.keeps     = walk_i && walk_keep_i;
    task_o.back      = back_i;
    task_o.back_rows = now.dirty;
    task_o.what      = walk_i ? l2_pkg::NOTHING : (lacks != '0) ? l2_pkg::FETCHES : waits ? l2_pkg::NOTHING : l2_pkg::PERFORM;
    task_o.entry     = ask_i.entry;
    task_o.fresh     = put_fresh_o;
    task_o.err       = 1'b0;
  end

  assign back_valid_o    = go_o && gives;
  assign back_line_o     = l2_pkg::line_of(now.rest, set_i, BANK);
  assign put_valid_o     = go_o && waits;
  assign put_first_o     = !(there && parked);
  assign fetch_valid_o   = go_o && !walk_i && lacks != '0;
  assign fetch_sectors_o = lacks;
  assign fetch_dirty_o   = dirty;
  // Rows of a store without a valid byte before it.
  assign put_fresh_o     = ask_i.rows & ~(dirty | l2_pkg::rows_of(there ? now.there : '0));
  assign put_dirty_o     = store ? ask_i.rows : put_first_o ? dirty : '0;

  // ---- the set after it -------------------------------------------------------------------------
  always_comb begin
    next.valid = !walk_i;
    next.rest  = l2_pkg::rest_of(ask_i.line);
    next.there = (there ? now.there : '0) | lacks | (store ? ask_i.full : '0);
    next.dirty = dirty | (store ? ask_i.rows : atom ? l2_pkg::rows_of(ask_i.sectors) : '0);
    if (walk_i) begin
      next.there = '0;
      if (walk_keep_i || !walk_meant_i) next = now;
      if (walk_meant_i) next.dirty = '0;
    end
    after_o          = before_i;
    after_o.way[way] = next;
    if (!there && !walk_i) after_o.turn = (32'(way) == WAYS - 1) ? '0 : way + 1'b1;
  end

  assign more_o = !walk_i && next.dirty != '0 && dirty == '0;
  assign less_o = gives;

  logic unused;
  assign unused = &{1'b0, pick};

endmodule
