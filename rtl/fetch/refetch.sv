// SPDX-License-Identifier: Apache-2.0
// Warps with an oldest instruction that would issue, but has no page for its word or for its constant operand: each drops what it has
// buffered, and asks again from its PC; of this request a fault comes to the host's list, and of that for its constant if it was
// this that had no page (what may yet be illegal asks the host for nothing). If the same faults again the warp does the same, but
// waits for REPLAY before it asks.
// Latency: a warp that is named in cycle t is sent back in t+1, or in the first cycle after it in which divergence sends none.
// Handshake: events. One that is named while another is about to be sent back is not taken: it is still the head, and is named
// again.
// Of FAIL: what waits then asks without the list, and what faults then, of word or constant as before, is a trap (lost_).
// It does not know pages, and keeps nothing of the caches: what waits for the host waits here, a few bits a warp.
`include "heddle_assert.svh"

module refetch (
  input  logic                       clk_i,
  input  logic                       rst_ni,
  // from the mmu: REPLAY, or with it FAIL
  input  logic                       replay_i,
  input  logic                       fail_i,
  // from issue: the instruction of this warp, at this PC
  input  logic                       absent_i,
  input  logic                       absent_cst_i,  // ... lacks the page of its constant
  input  logic [cfg_pkg::WARP_W-1:0] slot_i,
  input  logic [31:0]                pc_i,
  output logic                       lost_o,        // of this warp: there is no page for its word,
  output logic                       lost_cst_o,    // for its constant
  // from fetch
  input  logic [cfg_pkg::WARPS-1:0]  sel_i,         // its oldest instruction is selected, and has its constant
  input  logic [cfg_pkg::WARPS-1:0]  clear_i,       // it has issued, starts, or is sent elsewhere
  input  logic                       busy_i,        // a warp is sent elsewhere, or ends, in this cycle
  input  logic [cfg_pkg::WARPS-1:0]  ask_i,         // asks for its next word, or group
  // to fetch
  output logic [cfg_pkg::WARPS-1:0]  leaves_o,      // is about to be sent back
  output logic [cfg_pkg::WARPS-1:0]  go_o,          // ... and is in this cycle
  output logic [cfg_pkg::WARP_W-1:0] go_slot_o,
  output logic [31:0]                go_pc_o,
  output logic [cfg_pkg::WARPS-1:0]  hold_o,        // waits for the host: asks for nothing
  output logic [cfg_pkg::WARPS-1:0]  lists_o,       // a fault of what it asks for next comes to the list
  // to the constant prefetch
  output logic [cfg_pkg::WARPS-1:0]  wants_o        // a fault of the oldest entry's constant comes to the list
);

  localparam int unsigned WARPS = cfg_pkg::WARPS;

  logic                       valid_q, named;
  logic [cfg_pkg::WARP_W-1:0] slot_q;
  logic [31:0]                pc_q;
  logic [WARPS-1:0]           name, other, taken, waits;
  logic [WARPS-1:0]           first_q;   // what it asks for next is the word that would issue
  logic [WARPS-1:0]           asked_q;   // that has been asked for with the list, and there was no REPLAY since
  logic [WARPS-1:0]           wants_q;   // ... and its constant may still be: nothing has been selected
  logic [WARPS-1:0]           fail_q;    // FAIL found it waiting: it asks without
  logic [WARPS-1:0]           last_q;    // ... and has
  logic [WARPS-1:0]           cst_q;     // it was its constant that had no page

  assign named     = absent_i && !valid_q;
  assign name      = WARPS'(named) << slot_i;
  assign other     = name & (absent_cst_i ? ~cst_q : cst_q);   // not what it was sent back for before
  assign leaves_o  = WARPS'(valid_q) << slot_q;
  assign go_o      = busy_i ? '0 : leaves_o & ~clear_i;
  assign go_slot_o = slot_q;
  assign go_pc_o   = pc_q;
  assign hold_o    = first_q & asked_q;
  assign lists_o   = first_q & ~fail_q;
  assign wants_o   = wants_q & cst_q;
  assign taken     = ask_i & first_q;
  assign waits     = (first_q | leaves_o) & asked_q;

  assign lost_o     = last_q[slot_i] && !cst_q[slot_i];
  assign lost_cst_o = last_q[slot_i] && cst_q[slot_i];

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid_q <= 1'b0;
      first_q <= '0;
      asked_q <= '0;
      wants_q <= '0;
      fail_q  <= '0;
      last_q  <= '0;
    end else begin
      valid_q <= named || (valid_q && go_o == '0 && (leaves_o & clear_i) == '0);
      first_q <= ((first_q & ~taken) | go_o) & ~clear_i;
      // What is asked for in the cycle of a REPLAY comes to the mmu behind it.
      asked_q <= ((asked_q & {WARPS{!replay_i}} & ~other) | (taken & ~fail_q)) & ~clear_i;
      wants_q <= ((wants_q & {WARPS{!replay_i}} & ~sel_i) | (taken & ~fail_q)) & ~clear_i;
      fail_q  <= ((fail_q & ~taken) | ((replay_i && fail_i) ? waits : '0)) & ~clear_i;
      last_q  <= ((last_q & ~taken) | (taken & fail_q)) & ~clear_i;
    end
  end
  always_ff @(posedge clk_i) begin
    cst_q <= (cst_q & ~name) | (absent_cst_i ? name : '0);
    if (named) begin
      slot_q <= slot_i;
      pc_q   <= pc_i;
    end
  end

  // A warp that waits for the host asks for nothing.
  `ASSERT(a_hold, (ask_i & hold_o) == '0)

endmodule
