// SPDX-License-Identifier: Apache-2.0
// Which sectors have a transaction in flight. A request may enter when no transaction of its
// sector is in flight, or when it is a load and those in flight are loads of other warps (which
// read the same value in any order).
// Latency: the entry for the next request is chosen beforehand and stays until one enters; room_o
// answers the request of the same cycle; enter and leave take effect at the clock edge. Handshake:
// enter_i only with room_o; leave_i is an event.
// It does not hold data.
`default_nettype none
`include "heddle_assert.svh"
`include "heddle_idle.svh"
`include "heddle_lanes.svh"

module gmem_table #(
  localparam int unsigned ENTRIES = mem_pkg::ENTRIES,
  localparam int unsigned ENTRY_W = mem_pkg::ENTRY_W
) (
  input  logic                          clk_i,
  input  logic                          rst_ni,
  // the entry of the next request
  output logic                          free_o,
  output logic [ENTRY_W-1:0]            entry_o,
  // the request that waits
  input  logic                          valid_i,
  input  logic [mem_pkg::KEY_W-1:0]  sector_i,
  input  logic                          is_load_i,
  input  logic [cfg_pkg::SM_WARP_W-1:0]    slot_i,
  output logic                          room_o,
  input  logic                          enter_i,
  // the transaction that ends
  input  logic                          leave_i,
  input  logic [ENTRY_W-1:0]            leave_entry_i,
  output logic                          idle_o
);

  logic [ENTRIES-1:0]                         used_q, load_q, enter, leave, free, unused_onehot;
  logic [mem_pkg::KEY_W-1:0]               sector_q [ENTRIES];
  logic [cfg_pkg::SM_WARP_W-1:0]                 slot_q [ENTRIES];
  logic                                       clash;
  logic                                       next_valid_q, next_any;
  logic [ENTRY_W-1:0]                         next_q, next;

  // Entries for the request after the next one.
  assign free = ~used_q & ~(next_valid_q ? ENTRIES'(1) << next_q : '0) | leave;

  lowest_one #(.N(ENTRIES)) u_next (
    .in_i     (free),
    .onehot_o (unused_onehot),
    .index_o  (next),
    .any_o    (next_any)
  );

  // Sectors are compared only for a request that waits: which entries have its sector, and which are another warp's, a word of
  // them at a time.
  localparam int unsigned WORDS = (ENTRIES + 31) / 32;

  logic [32*WORDS-1:0] used, load;
  logic [31:0]         same, other;

  always_comb begin
    clash = 1'b0;
    used  = 'x;
    load  = 'x;
    same  = 'x;
    other = 'x;
    if (`HEDDLE_LIVE(valid_i)) begin
      used = (32*WORDS)'(used_q);
      load = (32*WORDS)'(load_q);
      for (int w = 0; w < int'(WORDS); w++) begin
        same  = '0;
        other = '0;
        `LANE_LOOP (int e = 32 * w; e < ((32 * w + 32 < int'(ENTRIES)) ? 32 * w + 32 : int'(ENTRIES)); e++) begin
          same  = same | (32'(sector_q[e] == sector_i) << (e - 32 * w));
          other = other | (32'(slot_q[e] != slot_i) << (e - 32 * w));
        end
        clash = clash || (same & used[32*w +: 32] & ~(load[32*w +: 32] & other & {32{is_load_i}})) != '0;
      end
    end
  end

  assign enter = enter_i ? ENTRIES'(1) << next_q : '0;
  assign leave = leave_i ? ENTRIES'(1) << leave_entry_i : '0;

  always_ff @(posedge clk_i) begin
    if (enter_i) begin
      sector_q[next_q] <= sector_i;
      slot_q[next_q]   <= slot_i;
      load_q[next_q]   <= is_load_i;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!next_valid_q || enter_i) next_q <= next;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      used_q       <= '0;
      next_valid_q <= 1'b0;
    end else begin
      used_q <= (used_q & ~leave) | enter;
      if (!next_valid_q || enter_i) next_valid_q <= next_any;
    end
  end

  assign free_o  = next_valid_q;
  assign entry_o = next_q;
  assign room_o  = next_valid_q && !clash;
  assign idle_o  = used_q == '0;

  // Only what is in flight ends; what enters was free.
  `ASSERT(a_leave, (leave & ~used_q) == '0)
  `ASSERT(a_enter, (enter & used_q) == '0)

endmodule

`default_nettype wire
