// SPDX-License-Identifier: Apache-2.0
// Tags: a set is read in one cycle, decided about and written in the next. Requests come in order; one that waits (l2_choose gives the
// reasons) holds those behind it. Each decision leaves the line in its state after all decisions so far; rows and memory follow
// in this order.
// Latency: a request leaves in the cycle after it was taken. One a cycle.
// Reset clears all sets, one a cycle. A flush visits all places, one a cycle: dirty lines of the range are written back, and evicted,
// or kept clean.
// Handshake: ask_, fix_ valid/ready; task_ valid/ready; put_ (a parked request) and fetch_ are events with it.
// It accesses neither rows nor memory.
`include "heddle_assert.svh"

module l2_tags #(
  parameter int unsigned BANK = 0
) (
  input  logic                            clk_i,
  input  logic                            rst_ni,
  // from l2_arrive
  input  logic                            ask_valid_i,
  output logic                            ask_ready_o,
  input  l2_pkg::ask_t                    ask_i,
  // flush: a level, with its range; walked: no line of it is left here
  input  logic                            flush_i,
  input  logic                            flush_keep_i,
  input  logic [line_pkg::LINE_W-1:0]     flush_base_i,
  input  logic [line_pkg::LINE_W:0]       flush_limit_i,
  output logic                            walked_o,
  output logic                            dirty_o,      // some line is dirty
  // from l2_park: sectors of a place did not come
  input  logic                            fix_valid_i,
  output logic                            fix_ready_o,
  input  l2_pkg::place_t                  fix_place_i,
  input  logic [l2_pkg::SECTORS-1:0]      fix_failed_i,
  input  logic [l2_pkg::ROWS-1:0]         fix_dirty_i,  // rows of these that are written all the same
  // to and from l2_park: parked requests of this set
  output logic [l2_pkg::SET_W-1:0]        set_o,
  input  logic [l2_pkg::WAYS-1:0]         parked_i,     // requests are parked for this way's line,
  input  logic [l2_pkg::WAYS-1:0]         open_i,       // and others may join
  input  logic                            park_free_i,
  // to and from l2_backs
  output logic [line_pkg::LINE_W-1:0]     line_o,
  input  logic                            backing_i,    // it is being written back
  input  logic                            back_free_i,
  input  logic [l2_pkg::BACK_W-1:0]       back_i,       // the next one's number
  // the decision
  output logic                            task_valid_o,
  input  logic                            task_ready_i,
  output l2_pkg::task_t                   task_o,
  output logic                            back_valid_o, // event: a line is written back
  output logic [line_pkg::LINE_W-1:0]     back_line_o,
  output logic                            put_valid_o,  // event: a request is parked
  output logic                            put_first_o,  // ... as the first of its line
  output l2_pkg::place_t                  put_place_o,
  output l2_pkg::ask_t                    put_o,
  output logic [l2_pkg::ROWS-1:0]         put_fresh_o,
  output logic [l2_pkg::ROWS-1:0]         put_dirty_o,  // dirty rows of the line
  output logic                            fetch_valid_o, // event: part of a line is fetched, by put_
  output logic [l2_pkg::SECTORS-1:0]      fetch_sectors_o,
  output logic [l2_pkg::ROWS-1:0]         fetch_dirty_o
);

  localparam int unsigned SETS  = l2_pkg::SETS;
  localparam int unsigned SET_W = l2_pkg::SET_W;
  localparam int unsigned WAYS  = l2_pkg::WAYS;
  localparam int unsigned WAY_W = l2_pkg::WAY_W;
  localparam int unsigned DIRTY_W = $clog2(l2_pkg::PLACES + 1);

  // ---- the set in work ------------------------------------------------------------------------------
  typedef enum logic [1:0] {EMPTYING, SERVING, WALKING, WALKED} state_e;

  state_e            state_q;
  logic [SET_W-1:0]  walk_set_q;
  logic [WAY_W-1:0]  walk_way_q;
  logic              last_set, last_way, fixing_q, stay;
  logic              look_q, walk_q;              // a request, a place of the walk is being decided
  l2_pkg::ask_t      ask_q;
  logic              take, take_walk, go, read, write, near, near_q;
  logic [SET_W-1:0]  read_set, write_set, look_set, set_q;
  l2_pkg::set_t      found, near_set_q, was, after, fixed, written;

  assign stay      = fix_valid_i || (look_q && !go);
  assign take      = state_q == SERVING && !flush_i && ask_valid_i && !stay;
  assign take_walk = state_q == WALKING && !stay && !(walk_q && last_set && last_way);
  assign last_set  = walk_set_q == SET_W'(SETS - 1);
  assign last_way  = walk_way_q == WAY_W'(WAYS - 1);

  assign ask_ready_o = state_q == SERVING && !flush_i && !stay;
  assign walked_o    = state_q == WALKED;
  assign fix_ready_o = fixing_q;

  // The next place of the walk.
  logic [SET_W-1:0]  next_set;
  logic [WAY_W-1:0]  next_way;
  assign next_way = !walk_q ? '0 : last_way ? '0 : walk_way_q + 1'b1;
  assign next_set = !walk_q ? '0 : last_way ? walk_set_q + 1'b1 : walk_set_q;

  // A set with a failed sector is read, then written, while the decision waits; its set is read again.
  assign look_set = set_q;
  assign read     = (fix_valid_i && !fixing_q) || (fixing_q && look_q) || take || take_walk;
  assign read_set = (fix_valid_i && !fixing_q) ? fix_place_i.index : fixing_q ? look_set
                  : take_walk ? next_set : l2_pkg::set_of(ask_i.line);

  assign write     = state_q == EMPTYING || fixing_q || go;
  assign write_set = (state_q == EMPTYING) ? walk_set_q : fixing_q ? fix_place_i.index : look_set;
  assign written   = (state_q == EMPTYING) ? '0 : fixing_q ? fixed : after;
  assign near      = read && write && read_set == write_set;

  ram_1r1w #(.WIDTH($bits(l2_pkg::set_t)), .DEPTH(SETS), .RACE(1'b1)) u_sets (
    .clk_i     (clk_i),
    .wr_en_i   (write),
    .wr_addr_i (write_set),
    .wr_data_i (written),
    .rd_en_i   (read),
    .rd_addr_i (read_set),
    .rd_data_o (found)
  );
  assign was = near_q ? near_set_q : found;

  always_ff @(posedge clk_i) begin
    if (read)              near_q     <= near;
    if (read)              near_set_q <= written;
    if (take)              ask_q      <= ask_i;
    if (take || take_walk) set_q      <= read_set;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q    <= EMPTYING;
      walk_set_q <= '0;
      walk_way_q <= '0;
      fixing_q   <= 1'b0;
      look_q     <= 1'b0;
      walk_q     <= 1'b0;
    end else begin
      fixing_q <= fix_valid_i && !fixing_q;
      if (!stay) begin
        look_q <= take || take_walk;
        walk_q <= take_walk;
      end
      case (state_q)
        EMPTYING: begin
          walk_set_q <= walk_set_q + 1'b1;
          if (last_set) state_q <= SERVING;
        end
        SERVING: if (flush_i && !look_q) state_q <= WALKING;
        WALKING: begin
          if (take_walk) begin
            walk_set_q <= next_set;
            walk_way_q <= next_way;
          end
          if (walk_q && go && last_set && last_way) state_q <= WALKED;
        end
        default: if (!flush_i) state_q <= SERVING;
      endcase
    end
  end

  // ---- failed sectors are invalid -------------------------------------------------------------------
  always_comb begin
    fixed = was;
    fixed.way[fix_place_i.way].there = was.way[fix_place_i.way].there & ~fix_failed_i;
    fixed.way[fix_place_i.way].dirty = was.way[fix_place_i.way].dirty
      & (~l2_pkg::rows_of(fix_failed_i) | fix_dirty_i);
  end

  // ---- the decision ---------------------------------------------------------------------------------
  logic                        more, less;   // dirty lines
  logic [line_pkg::LINE_W-1:0] walk_line;
  logic                        meant;        // the walk's line is in the range
  assign walk_line = l2_pkg::line_of(was.way[walk_way_q].rest, set_q, BANK);
  assign meant     = walk_line >= flush_base_i && {1'b0, walk_line} < flush_limit_i;

  assign set_o  = set_q;
  assign line_o = ask_q.line;

  l2_choose #(.BANK(BANK)) u_choose (
    .valid_i         (look_q && !fix_valid_i),
    .walk_i          (walk_q),
    .walk_way_i      (walk_way_q),
    .walk_meant_i    (meant),
    .walk_keep_i     (flush_keep_i),
    .ask_i           (ask_q),
    .set_i           (set_q),
    .before_i        (was),
    .parked_i        (parked_i),
    .open_i          (open_i),
    .park_free_i     (park_free_i),
    .backing_i       (backing_i),
    .back_free_i     (back_free_i),
    .back_i          (back_i),
    .task_valid_o    (task_valid_o),
    .task_ready_i    (task_ready_i),
    .task_o          (task_o),
    .go_o            (go),
    .after_o         (after),
    .more_o          (more),
    .less_o          (less),
    .back_valid_o    (back_valid_o),
    .back_line_o     (back_line_o),
    .put_valid_o     (put_valid_o),
    .put_first_o     (put_first_o),
    .put_fresh_o     (put_fresh_o),
    .put_dirty_o     (put_dirty_o),
    .fetch_valid_o   (fetch_valid_o),
    .fetch_sectors_o (fetch_sectors_o),
    .fetch_dirty_o   (fetch_dirty_o)
  );
  assign put_place_o = task_o.place;
  assign put_o       = ask_q;

  // ---- number of dirty lines ------------------------------------------------------------------------
  logic [DIRTY_W-1:0] dirty_q;
  logic               grows, shrinks;
  assign dirty_o = dirty_q != '0;
  assign grows   = go && more;
  assign shrinks = (go && less) || (fixing_q && was.way[fix_place_i.way].dirty != '0 && fixed.way[fix_place_i.way].dirty == '0);

  always_ff @(posedge clk_i) begin
    if (!rst_ni)                  dirty_q <= '0;
    else if (grows && !shrinks)   dirty_q <= dirty_q + 1'b1;
    else if (shrinks && !grows)   dirty_q <= dirty_q - 1'b1;
  end

  // No more lines than places, no fewer than none.
  `ASSERT(a_dirty, grows == shrinks || (grows ? 32'(dirty_q) != l2_pkg::PLACES : dirty_q != '0))

endmodule
