// SPDX-License-Identifier: Apache-2.0
// rtl/l2/l2_park.sv, as `backed` has it. Any request is followed from its arrival on, and any line that may park it.
// config: backed
// within 10: u_dut.a_first
// within 10: u_dut.a_joins
// within 10: u_dut.a_owed
// within 10: u_dut.a_room
// within 10: u_dut.u_ripe.a_count
// within 10: u_dut.u_ripe.a_in_stable
// within 10: u_dut.u_ripe.a_out_stable
`include "properties.svh"

module l2_park_formal (
  input logic                            clk_i,
  input logic                            put,
  input logic                            put_first,
  input l2_pkg::place_t                  put_place,
  input l2_pkg::ask_t                    ask,
  input logic                            fetch,
  input l2_pkg::fetched_t                come,
  input logic                            task_ready,
  input logic                            fix_ready
);
  `RESET
  localparam int unsigned PARKS   = l2_pkg::PARKS;
  localparam int unsigned ENTRIES = l2_pkg::ENTRIES;

  logic [l2_pkg::WAYS-1:0]     parked, open;
  logic                        park_free, task_valid, fix_valid;
  logic [l2_pkg::PARK_W-1:0]   fetch_park;
  l2_pkg::place_t              fix_place;
  logic [l2_pkg::SECTORS-1:0]  fix_failed;
  logic [l2_pkg::ROWS-1:0]     fix_dirty;
  l2_pkg::task_t               work;

  l2_park u_dut (
    .clk_i         (clk_i),
    .rst_ni        (rst_ni),
    .set_i         (put_place.index),
    .parked_o      (parked),
    .open_o        (open),
    .park_free_o   (park_free),
    .put_valid_i   (put),
    .put_first_i   (put_first),
    .put_place_i   (put_place),
    .put_i         (ask),
    .put_fresh_i   ('0),
    .put_dirty_i   ('0),
    .fetch_valid_i (fetch),
    .fetch_park_o  (fetch_park),
    .fix_valid_o   (fix_valid),
    .fix_ready_i   (fix_ready),
    .fix_place_o   (fix_place),
    .fix_failed_o  (fix_failed),
    .fix_dirty_o   (fix_dirty),
    .come_i        (come),
    .task_valid_o  (task_valid),
    .task_ready_i  (task_ready),
    .task_o        (work)
  );

  // ---- what is there, by entry; what is owed, by park ---------------------------------------------
  logic [ENTRIES-1:0]          there_q;
  logic [PARKS-1:0][2:0]       owed_q;
  logic                        handed;
  assign handed = task_valid && task_ready;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      there_q <= '0;
      owed_q  <= '0;
    end else begin
      if (handed) there_q[work.entry] <= 1'b0;
      if (put)    there_q[ask.entry]  <= 1'b1;
      for (int p = 0; p < int'(PARKS); p++)
        owed_q[p] <= owed_q[p] + 3'(put && fetch && 32'(fetch_park) == p) - 3'(come.valid && 32'(come.park) == p);
    end
  end

  // A request takes a free entry. The first of a line comes with a fetch, and where there is room; others where a request
  // waits that they may join. A line has four fetches at most; an absent way has no line.
  `GIVEN(g_put, !put || (32'(ask.entry) < ENTRIES && !there_q[ask.entry] && (put_first ? fetch && park_free && !parked[put_place.way]
    : parked[put_place.way] && open[put_place.way] && (!fetch || owed_q[fetch_park] != 3'd4))))
  // A line that comes was fetched.
  `GIVEN(g_come, !come.valid || (32'(come.park) < PARKS && owed_q[come.park] != '0))

  // ---- one request, any ---------------------------------------------------------------------------
  logic                        pick_q, followed_q;
  l2_pkg::ask_t                what_q;
  l2_pkg::place_t              place_q;
  logic [l2_pkg::PARK_W-1:0]   park_q;

  logic [l2_pkg::SECTORS-1:0]  failed_q;
  logic                        mine;
  assign mine = handed && work.place == place_q;
  always_ff @(posedge clk_i) begin
    pick_q <= !pick_q;
    if (!rst_ni) begin
      followed_q <= 1'b0;
    end else if (!followed_q) begin
      if (put && pick_q && put_first) begin
        followed_q <= 1'b1;
        what_q     <= ask;
        place_q    <= put_place;
        park_q     <= fetch_park;
        failed_q   <= '0;
      end
    end else begin
      if (come.valid && come.park == park_q) failed_q <= failed_q | come.failed;
      if (handed && work.entry == what_q.entry) followed_q <= 1'b0;
    end
  end

  // The first of a line is handed on before others of it, at its place, with an error just where a sector that it reads failed.
  `BOUND(10, p_first, !(followed_q && mine) || (work.entry == what_q.entry
    && work.err == (what_q.kind != line_pkg::STORE && (what_q.sectors & failed_q) != '0)))
  // It is not before all that was fetched for its line has come.
  `BOUND(8, p_all, !(followed_q && handed && work.entry == what_q.entry) || owed_q[park_q] == '0)
  // A request that is handed on was there.
  `BOUND(8, p_there, !task_valid || there_q[work.entry])
  // Nothing is left behind: with no park in use none waits.
  `BOUND(10, p_none, u_dut.active_q != '0 || there_q == '0)

  // ---- for how long -------------------------------------------------------------------------------
  // With tasks taken at once, and failures reported at once, all that has come is handed on within a round of all requests.
  logic [5:0] idle_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || !(followed_q && owed_q[park_q] == '0) || !task_ready || !fix_ready) idle_q <= '0;
    else if (idle_q != '1) idle_q <= idle_q + 6'd1;
  end
  `BOUND(17, p_soon, idle_q <= 6'(ENTRIES + 4))
  // A line that did not come is reported, when all have been handed on.
  `REACH(r_fix, fix_valid && there_q == 0)
endmodule
