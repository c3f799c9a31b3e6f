// SPDX-License-Identifier: Apache-2.0
// Lines in flight. Requests wait in the order of arrival; the first goes on when no other request of its line is under way. Loads of
// different warps share a line; two of one warp do not, so that its records stay in program order.
// A refill of the SM's cache is a read of all its warps and shares its line with no request. Refills of read-only data skip the rule, not
// the queue.
// Latency: a request leaves a cycle after it came. One a cycle.
// Handshake: events; write_ready_i may hold a store.
// It does not look behind the first request that waits.
`include "heddle_assert.svh"
`include "heddle_idle.svh"
`include "heddle_lanes.svh"

module order_table #(
  localparam int unsigned ENTRIES = order_pkg::ENTRIES
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,
  // from the channel
  /* verilator lint_off UNUSEDSIGNAL */   // of the request, the rule's inputs
  input  order_pkg::asked_t           asked_i,
  /* verilator lint_on UNUSEDSIGNAL */
  // the request that goes on
  output order_pkg::going_t           going_o,
  output logic                        read_valid_o,
  output logic                        write_valid_o,
  input  logic                        write_ready_i,
  // from order_finish: a request is performed
  /* verilator lint_off UNUSEDSIGNAL */   // of its places, the entry
  input  order_pkg::leave_t           leave_i
  /* verilator lint_on UNUSEDSIGNAL */
);

  typedef logic [order_pkg::WARP_W-1:0] warp_t;

  // ---- waiting requests -------------------------------------------------------------------------------
  logic              waits, go, clash, load, fetch, store, ready;
  order_pkg::going_t asked;

  assign asked = '{entry: asked_i.entry, kind: asked_i.rq.kind,
    warp: warp_t'({asked_i.rq.sm, asked_i.rq.slot}), line: asked_i.rq.line, sectors: asked_i.rq.sectors};

  fifo #(.WIDTH($bits(order_pkg::going_t)), .DEPTH(ENTRIES)) u_waiting (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .in_valid_i  (asked_i.valid),
    .in_ready_o  (ready),
    .in_data_i   (asked),
    .out_valid_o (waits),
    .out_ready_i (go),
    .out_data_o  (going_o),
    .count_o     ()
  );

  assign load          = going_o.kind == line_pkg::LOAD;
  assign fetch         = going_o.kind == line_pkg::FETCH;
  assign store         = going_o.kind == line_pkg::STORE;
  assign go            = waits && !clash && (!store || write_ready_i);
  assign read_valid_o  = go && !store;
  assign write_valid_o = go && store;

  // ---- lines in flight --------------------------------------------------------------------------
  logic [ENTRIES-1:0]            flight_q, load_q, enter, leave;
  logic [line_pkg::LINE_W-1:0]   line_q [ENTRIES];
  warp_t                         warp_q [ENTRIES];

  assign enter = (go && !fetch) ? ENTRIES'(1) << going_o.entry : '0;
  assign leave = leave_i.valid ? ENTRIES'(1) << leave_i.entry : '0;

  always_ff @(posedge clk_i) begin
    if (go) begin
      line_q[going_o.entry] <= going_o.line;
      warp_q[going_o.entry] <= going_o.warp;
      load_q[going_o.entry] <= load;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) flight_q <= '0;
    else         flight_q <= (flight_q & ~leave) | enter;
  end

  // Compared only for the first waiting request, a word of entries at a time: same line, and another warp.
  localparam int unsigned WORDS = (ENTRIES + 31) / 32;

  logic [32*WORDS-1:0] flight, loads;
  logic [31:0]         same, other;

  always_comb begin
    clash  = 1'b0;
    flight = 'x;
    loads  = 'x;
    same   = 'x;
    other  = 'x;
    if (`HEDDLE_LIVE(waits)) begin
      flight = (32*WORDS)'(flight_q);
      loads  = (32*WORDS)'(load_q);
      for (int w = 0; w < int'(WORDS); w++) begin
        same  = '0;
        other = '0;
        `LANE_LOOP (int e = 32 * w; e < ((32 * w + 32 < int'(ENTRIES)) ? 32 * w + 32 : int'(ENTRIES)); e++) begin
          same  = same | (32'(line_q[e] == going_o.line) << (e - 32 * w));
          other = other | (32'(warp_q[e] != going_o.warp) << (e - 32 * w));
        end
        clash = clash || (same & flight[32*w +: 32] & ~(loads[32*w +: 32] & other & {32{load}})) != '0;
      end
      clash = clash && !fetch;
    end
  end

  // Each request has a place.
  `ASSERT(a_room, !asked_i.valid || ready)
  // A request that goes on was not in flight; one that ends was, unless it is a refill.
  `ASSERT(a_enter, (enter & flight_q) == '0)

endmodule
