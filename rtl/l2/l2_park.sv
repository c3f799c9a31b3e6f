// SPDX-License-Identifier: Apache-2.0
// Requests that wait for sectors of their line: a park for each line, with its requests in order. When all fetches of the line have
// come, the requests are performed one after the other; those with a failed sector end with an error, and the tags invalidate it.
// From then on no request joins.
// Latency: the first of a line is offered two cycles after its last fetch has come; one a cycle.
// Handshake: put_, fetch_ and come_ are events; task_ and fix_ valid/ready.
// It does not fetch.
`include "heddle_assert.svh"
`include "heddle_lanes.svh"

module l2_park (
  input  logic                            clk_i,
  input  logic                            rst_ni,
  // from and to the tags
  input  logic [l2_pkg::SET_W-1:0]        set_i,
  output logic [l2_pkg::WAYS-1:0]         parked_o,
  output logic [l2_pkg::WAYS-1:0]         open_o,
  output logic                            park_free_o,
  input  logic                            put_valid_i,
  input  logic                            put_first_i,
  input  l2_pkg::place_t                  put_place_i,
  /* verilator lint_off UNUSEDSIGNAL */   // of the request, its sectors
  input  l2_pkg::ask_t                    put_i,
  /* verilator lint_on UNUSEDSIGNAL */
  input  logic [l2_pkg::ROWS-1:0]         put_fresh_i,
  input  logic [l2_pkg::ROWS-1:0]         put_dirty_i,
  input  logic                            fetch_valid_i,   // with put_: something is fetched for it
  output logic [l2_pkg::PARK_W-1:0]       fetch_park_o,    // for this park
  output logic                            fix_valid_o,
  input  logic                            fix_ready_i,
  output l2_pkg::place_t                  fix_place_o,
  output logic [l2_pkg::SECTORS-1:0]      fix_failed_o,
  output logic [l2_pkg::ROWS-1:0]         fix_dirty_o,
  // from l2_fetch: a fetch is complete
  input  l2_pkg::fetched_t                come_i,
  // to the queue of tasks
  output logic                            task_valid_o,
  input  logic                            task_ready_i,
  output l2_pkg::task_t                   task_o
);

  localparam int unsigned PARKS   = l2_pkg::PARKS;
  localparam int unsigned PARK_W  = l2_pkg::PARK_W;
  localparam int unsigned ENTRIES = l2_pkg::ENTRIES;
  localparam int unsigned ENTRY_W = l2_pkg::ENTRY_W;

  // ---- parks ------------------------------------------------------------------------------------
  logic [PARKS-1:0]               active_q, free_hot, at_set;
  l2_pkg::place_t                 place_q   [PARKS];
  logic [2:0]                     owed_q    [PARKS];      // fetches under way: at most one a sector
  logic [l2_pkg::SECTORS-1:0]     failed_q  [PARKS];
  logic [l2_pkg::ROWS-1:0]        dirty_q   [PARKS];      // rows that stores have written, or will
  logic [ENTRY_W-1:0]             head_q    [PARKS];
  logic [ENTRY_W-1:0]             tail_q    [PARKS];
  logic [PARK_W-1:0]              free, joined, park;
  logic [l2_pkg::WAYS-1:0][PARK_W-1:0] whose;             // park of each way of the set

  lowest_one #(.N(PARKS)) u_free (
    .in_i     (~active_q),
    .onehot_o (free_hot),
    .index_o  (free),
    .any_o    (park_free_o)
  );

  always_comb begin
    parked_o = '0;
    open_o   = '0;
    whose    = '0;
    `LANE_LOOP (int p = 0; p < int'(PARKS); p++) begin
      at_set[p] = active_q[p] && place_q[p].index == set_i;
      if (at_set[p]) begin
        parked_o[place_q[p].way] = 1'b1;
        open_o[place_q[p].way]   = owed_q[p] != '0;
        whose[place_q[p].way]    = PARK_W'(p);
      end
    end
  end
  assign joined       = whose[put_place_i.way];
  assign park         = put_first_i ? free : joined;
  assign fetch_park_o = park;

  // ---- their lists ------------------------------------------------------------------------------
  typedef struct packed {
    logic                         store;
    logic [l2_pkg::SECTORS-1:0]   sectors;
    logic [l2_pkg::ROWS-1:0]      fresh;
  } kept_t;

  logic [ENTRY_W-1:0] now, following;
  kept_t              kept;

  ram_async #(.WIDTH($bits(kept_t)), .DEPTH(ENTRIES)) u_kept (
    .clk_i     (clk_i),
    .wr_en_i   (put_valid_i),
    .wr_addr_i (put_i.entry),
    .wr_data_i ({put_i.kind == line_pkg::STORE, put_i.sectors, put_fresh_i}),
    .rd_addr_i (now),
    .rd_data_o (kept)
  );
  ram_async #(.WIDTH(ENTRY_W), .DEPTH(ENTRIES)) u_next (
    .clk_i     (clk_i),
    .wr_en_i   (put_valid_i && !put_first_i),
    .wr_addr_i (tail_q[joined]),
    .wr_data_i (put_i.entry),
    .rd_addr_i (now),
    .rd_data_o (following)
  );

  // ---- complete parks, in turn ----------------------------------------------------------------------
  logic              ripe, ripe_ready, leave, turn_valid, over, fixes, step;
  logic [PARK_W-1:0] turn;
  logic              more, less;

  assign more = put_valid_i && fetch_valid_i;
  assign less = come_i.valid;
  assign ripe = less && owed_q[come_i.park] == 3'd1 && !(more && park == come_i.park);

  fifo #(.WIDTH(PARK_W), .DEPTH(PARKS)) u_ripe (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .in_valid_i  (ripe),
    .in_ready_o  (ripe_ready),
    .in_data_i   (come_i.park),
    .out_valid_o (turn_valid),
    .out_ready_i (leave),
    .out_data_o  (turn),
    .count_o     ()
  );

  assign now   = head_q[turn];
  assign over  = now == tail_q[turn];
  assign fixes = failed_q[turn] != '0;

  // The last has left: failed sectors go to the tags first.
  logic handed_q;
  assign task_valid_o = turn_valid && !handed_q;
  assign step         = task_valid_o && task_ready_i;
  assign fix_valid_o  = turn_valid && handed_q;
  assign leave        = (step && over && !fixes) || (fix_valid_o && fix_ready_i);
  assign fix_place_o  = place_q[turn];
  assign fix_failed_o = failed_q[turn];
  assign fix_dirty_o  = dirty_q[turn];

  always_comb begin
    task_o           = '0;
    task_o.place     = place_q[turn];
    task_o.what      = l2_pkg::PERFORM;
    task_o.entry     = now;
    task_o.fresh     = kept.fresh;
    task_o.err       = !kept.store && (kept.sectors & failed_q[turn]) != '0;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) handed_q <= 1'b0;
    else         handed_q <= (handed_q || (step && over && fixes)) && !leave;
  end

  always_ff @(posedge clk_i) begin
    if (put_valid_i) begin
      tail_q[park] <= put_i.entry;
      if (put_first_i) begin
        place_q[park]  <= put_place_i;
        head_q[park]   <= put_i.entry;
        failed_q[park] <= '0;
        dirty_q[park]  <= put_dirty_i;
      end else begin
        dirty_q[park]  <= dirty_q[park] | put_dirty_i;
      end
    end
    if (less)              failed_q[come_i.park] <= failed_q[come_i.park] | come_i.failed;
    if (step && !over)     head_q[turn] <= following;
    if (put_valid_i && put_first_i)                       owed_q[park] <= 3'd1;
    else if (more && !(less && park == come_i.park))      owed_q[park] <= owed_q[park] + 3'd1;
    if (less && !(more && park == come_i.park))           owed_q[come_i.park] <= owed_q[come_i.park] - 3'd1;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) active_q <= '0;
    else begin
      active_q <= (active_q | ((put_valid_i && put_first_i) ? free_hot : '0)) & ~(leave ? PARKS'(1) << turn : '0);
    end
  end

  // A new park has a fetch.
  `ASSERT_IF(a_first, put_valid_i && put_first_i, fetch_valid_i && park_free_o)
  // A request joins a park that still has fetches.
  `ASSERT_IF(a_joins, put_valid_i && !put_first_i, parked_o[put_place_i.way] && open_o[put_place_i.way])
  // A completed fetch was under way.
  `ASSERT_IF(a_owed, come_i.valid, active_q[come_i.park] && owed_q[come_i.park] != '0)
  `ASSERT(a_room, !ripe || ripe_ready)

endmodule
