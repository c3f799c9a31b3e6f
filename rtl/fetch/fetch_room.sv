// SPDX-License-Identifier: Apache-2.0
// How many entries of each warp's buffer are taken or spoken for, and how many are there already. With short words a place of code
// may bring two entries, and room is taken for both; of a place that brings one the other's is given back when it shows.
// Latency: an event of cycle t counts from t+1 on.
// Handshake: events, any of them together, of one warp or of several.
// It does not check that there is room: fetch has looked before it asks.
`include "heddle_assert.svh"
`include "heddle_idle.svh"

module fetch_room #(
  parameter int unsigned WORDS = 1,    // places of an answer
  localparam int unsigned PLACE_W = (WORDS > 1) ? $clog2(WORDS) : 1
) (
  input  logic                       clk_i,
  input  logic                       rst_ni,
  // from fetch
  input  logic                       take_i,
  input  logic [cfg_pkg::WARPS-1:0]  grant_i,   // with take_i: asks, for extra_i + 1 places
  input  logic [PLACE_W-1:0]         extra_i,
  input  logic [cfg_pkg::WARPS-1:0]  single_i,  // short words: a place of it shows that brings one entry
  input  logic [cfg_pkg::WARPS-1:0]  push_i,    // an entry arrives
  input  logic [cfg_pkg::WARPS-1:0]  flush_i,   // all is dropped
  input  logic [cfg_pkg::WARPS-1:0]  go_i,      // what was asked for is dropped; the warp asks for nothing in this cycle
  // from issue
  input  logic [cfg_pkg::WARPS-1:0]  is_pop_i,  // an entry is issued
  // to fetch: plane i has the warps with more than i entries
  output logic [cfg_pkg::WARPS-1:0]  used_o [cfg_pkg::IBUF]
);

  localparam int unsigned WARPS = cfg_pkg::WARPS;
  localparam int unsigned IBUF  = cfg_pkg::IBUF;

  logic [WARPS-1:0] used_q [IBUF], used_d [IBUF];
  logic [WARPS-1:0] held_q [IBUF], held_d [IBUF];   // of these, entries in the buffer: the same planes

  assign used_o = used_q;

  // One more or one less.
  logic [WARPS-1:0] more, less;
  assign more = push_i & ~is_pop_i;
  assign less = is_pop_i & ~push_i;
  for (genvar i = 0; i < IBUF; i++) begin : gen_held
    logic [WARPS-1:0] below, above;
    if (i == 0) begin : gen_first
      assign below = '1;
    end else begin : gen_next
      assign below = held_q[i-1];
    end
    if (i == IBUF - 1) begin : gen_last
      assign above = '0;
    end else begin : gen_inner
      assign above = held_q[i+1];
    end
    assign held_d[i] = ((held_q[i] & ~less) | (above & less) | (below & more)) & ~flush_i;
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) held_q <= '{default: '0};
    else if (`HEDDLE_LIVE((push_i | is_pop_i | flush_i) != '0)) held_q <= held_d;
  end

  if (!isa_pkg::HAS_SHORT) begin : gen_long
    logic [WORDS-1:0][WARPS-1:0] gain;      // [k]: k+1 entries more
    logic [WARPS-1:0]            gained [IBUF], fewer;

    // Entries asked for, less one that issues.
    always_comb begin
      gained = '{default: '0};
      for (int unsigned k = 0; k < WORDS; k++) begin
        gain[k] = (take_i && extra_i == PLACE_W'(k)) ? grant_i & ~is_pop_i : '0;
        if (k + 1 < WORDS && take_i && extra_i == PLACE_W'(k + 1)) gain[k] = gain[k] | (grant_i & is_pop_i);
        for (int unsigned i = 0; i < IBUF; i++) begin
          gained[i] = gained[i] | (gain[k] & ((i <= k) ? '1 : used_q[(i + IBUF - k - 1) % IBUF]));
        end
      end
    end
    assign fewer = is_pop_i & ~(take_i ? grant_i : '0);

    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        used_q <= '{default: '0};
      end else if (`HEDDLE_LIVE(take_i || (is_pop_i | flush_i | go_i) != '0)) begin
        for (int unsigned i = 0; i < IBUF; i++) begin
          used_d[i] = (used_q[i] | gained[i])
            & ~(fewer & ((i == IBUF - 1) ? '1 : ~used_q[(i + 1) % IBUF])) & ~flush_i;
          used_d[i] = (used_d[i] & ~go_i) | (held_d[i] & go_i);
        end
        used_q <= used_d;
      end
    end

    logic unused;
    assign unused = ^single_i;
  end else begin : gen_short
    logic [WARPS-1:0] issued [IBUF], left [IBUF], gained [IBUF];

    // One down, one more down, then up by twice the places: the grant comes last.
    for (genvar i = 0; i < IBUF; i++) begin : gen_down
      if (i == IBUF - 1) begin : gen_top
        assign issued[i] = used_q[i] & ~is_pop_i;
        assign left[i]   = issued[i] & ~single_i;
      end else begin : gen_plane
        assign issued[i] = (is_pop_i & used_q[i+1]) | (~is_pop_i & used_q[i]);
        assign left[i]   = (single_i & issued[i+1]) | (~single_i & issued[i]);
      end
    end
    always_comb begin
      gained = '{default: '0};
      for (int unsigned k = 0; k < WORDS; k++) begin
        for (int unsigned i = 0; i < IBUF; i++) begin
          if (take_i && extra_i == PLACE_W'(k))
            gained[i] |= grant_i & ((i < 2 * k + 2) ? '1 : left[(i + 2 * IBUF - 2 * k - 2) % IBUF]);
        end
      end
    end

    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        used_q <= '{default: '0};
      end else if (`HEDDLE_LIVE(take_i || (is_pop_i | flush_i | single_i | go_i) != '0)) begin
        for (int unsigned i = 0; i < IBUF; i++) used_d[i] = (((left[i] | gained[i]) & ~flush_i) & ~go_i) | (held_d[i] & go_i);
        used_q <= used_d;
      end
    end

    // Nothing is given back that was not taken.
    `ASSERT(a_there, ((is_pop_i | single_i) & ~used_q[0]) == '0 && (is_pop_i & single_i & ~used_q[1]) == '0)
  end

endmodule
