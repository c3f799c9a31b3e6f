// SPDX-License-Identifier: Apache-2.0
// Instructions that may still trap, in issue order: memory until its addresses are checked, control until it is finished.
// Of a trap it says whether it is the first in issue order so far.
// Latency: judged in the cycle of the event; the list follows one cycle later.
// Handshake: events; `full_o` is judged three instructions ahead. Of one warp's memory operations the oldest is checked first.
// It does not stop anything: trap_ctl does.
`include "heddle_assert.svh"
`include "heddle_idle.svh"
`include "heddle_lanes.svh"

module issue_order #(
  parameter int unsigned DEPTH = 8
) (
  input  logic                          clk_i,
  input  logic                          rst_ni,
  // from issue
  input  logic                          add_valid_i,
  input  logic [cfg_pkg::WARP_W-1:0]    add_slot_i,
  input  logic                          add_ctl_i,
  input  logic                          near_i,        // add_valid_i may come, which is late: its fields stand
  // memory: passed, or trapped
  input  logic                          mem_pass_i,
  input  logic [cfg_pkg::WARP_W-1:0]    mem_pass_slot_i,
  input  logic                          mem_trap_i,
  input  logic [cfg_pkg::WARP_W-1:0]    mem_trap_slot_i,
  // control: finished, or trapped
  input  logic                          ctl_pass_i,
  input  logic [cfg_pkg::WARP_W-1:0]    ctl_pass_slot_i,
  input  logic                          ctl_trap_i,
  input  logic [cfg_pkg::WARP_W-1:0]    ctl_trap_slot_i,
  // from and to trap control
  input  logic                          taken_i,       // a trap is already known
  output logic                          mem_first_o,   // the memory trap of this cycle is the first
  output logic                          ctl_first_o,   // the control trap of this cycle is (it wins over mem_first)
  output logic                          empty_o,       // nothing left that could trap and is older
  output logic                          full_o,
  // to S0, where there are asynchronous copies: warps with memory operations in the list
  output logic [cfg_pkg::WARPS-1:0]     unchecked_o
);

  localparam int unsigned WARP_W  = cfg_pkg::WARP_W;
  localparam int unsigned COUNT_W = $clog2(DEPTH + 1);

  // The list: entry 0 is the oldest. An entry that leaves makes a hole; one hole a cycle, the lowest, is closed.
  // Once a trap is known, only what is older stays valid.
  typedef struct packed {
    logic              ctl;
    logic [WARP_W-1:0] slot;
  } entry_t;
  entry_t           entry_q [DEPTH], entry_d [DEPTH];
  logic [DEPTH-1:0] valid_q, valid_d, valid_up, hole, close, below_top, place;
  logic             add, closing;

  // ---- which entries the events name: of a warp's memory operations, the oldest -----------------------------------------
  function automatic logic [DEPTH-1:0] of_warp(input logic ctl, input logic [WARP_W-1:0] slot);
    for (int unsigned i = 0; i < DEPTH; i++) of_warp[i] = valid_q[i] && entry_q[i] == {ctl, slot};
  endfunction

  logic [DEPTH-1:0] pass_match, trap_match, mem_pass, ctl_pass, ctl_trap;
  always_comb begin
    pass_match = '0;
    trap_match = '0;
    ctl_pass   = '0;
    ctl_trap   = '0;
    if (mem_pass_i) pass_match = of_warp(1'b0, mem_pass_slot_i);
    if (mem_trap_i) trap_match = of_warp(1'b0, mem_trap_slot_i);
    if (ctl_pass_i) ctl_pass   = of_warp(1'b1, ctl_pass_slot_i);
    if (ctl_trap_i) ctl_trap   = of_warp(1'b1, ctl_trap_slot_i);
  end
  arb_fixed #(.N(DEPTH)) u_mem_pass (
    .req_i   (pass_match),
    .grant_o (mem_pass)
  );

  // ---- what a trap leaves: the entries older than it -------------------------------------------------------------------
  logic [DEPTH-1:0] keep_mem, keep_ctl;

  // A memory trap that has no entry had passed its checks (bus error): it counts if it is the only one.
  // Below the oldest of those that match: its bit need not be found before.
  assign mem_first_o = trap_match != '0 || (mem_trap_i && !taken_i);
  assign keep_mem    = (trap_match != '0) ? ~trap_match & (trap_match - DEPTH'(1)) : {DEPTH{!(mem_trap_i && !taken_i)}};
  assign ctl_first_o = (ctl_trap & keep_mem) != '0;
  assign keep_ctl    = ctl_first_o ? ctl_trap - DEPTH'(1) : '1;
  assign valid_d     = valid_q & ~mem_pass & ~ctl_pass & keep_mem & keep_ctl;

  // ---- state -------------------------------------------------------------------------------------------------------------
  assign add = add_valid_i && !mem_first_o && !ctl_first_o;

  // Entries at the lowest hole and above it take what is above them. A new entry goes behind the youngest.
  assign hole  = ~valid_q & (valid_q + DEPTH'(1));
  assign close = ~hole + DEPTH'(1);
  always_comb begin
    below_top = valid_q;
    if (`HEDDLE_LIVE(valid_q != '0)) for (int unsigned i = 1; i < DEPTH; i = 2 * i) below_top = below_top | (below_top >> i);
  end
  assign closing  = (close & below_top) != '0;
  assign place    = closing ? below_top & ~(below_top >> 1) : ~below_top & {below_top[DEPTH-2:0], 1'b1};
  assign valid_up = valid_d >> 1;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) valid_q <= '0;
    else         valid_q <= (close & valid_up) | (~close & valid_d) | (place & {DEPTH{add}});
  end
  always_ff @(posedge clk_i) begin
    if ((near_i && `HEDDLE_LIVE(add)) || closing) begin
      `LANE_LOOP (int i = 0; i < DEPTH; i++) begin
        entry_d[i] = entry_q[i];
        if (close[i]) entry_d[i] = (i + 1 < DEPTH) ? entry_q[(i + 1) % DEPTH] : '0;
        if (place[i]) entry_d[i] = {add_ctl_i, add_slot_i};   // empty from now on, unless one is added
      end
      entry_q <= entry_d;
    end
  end

  assign empty_o = valid_q == '0;

  always_comb begin
    unchecked_o = '0;
    if (cfg_pkg::HAS_ASYNC && `HEDDLE_LIVE(valid_q != '0)) begin
      for (int unsigned i = 0; i < DEPTH; i++) begin
        if (valid_q[i] && !entry_q[i].ctl) unchecked_o |= cfg_pkg::WARPS'(1) << entry_q[i].slot;
      end
    end
  end

  // Room is judged a cycle late, so three instructions ahead: in the check stage then, there now, being selected.
  logic [COUNT_W-1:0] free_count;
  always_comb begin
    free_count = COUNT_W'(DEPTH);
    if (`HEDDLE_LIVE(valid_q != '0)) begin
      free_count = '0;
      for (int unsigned i = 0; i < DEPTH; i++) free_count += COUNT_W'(!valid_q[i]);
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) full_o <= 1'b0;
    else         full_o <= free_count < COUNT_W'(3);
  end

  // There is a place for whatever issues.
  `ASSERT(a_room, !add_valid_i || valid_q != '1)
  // What ends had been issued, unless a trap has already settled the matter.
  `ASSERT_IF(a_known, mem_pass_i || ctl_pass_i || ctl_trap_i,
    taken_i || ((!mem_pass_i || mem_pass != '0) && (!ctl_pass_i || ctl_pass != '0)
                && (!ctl_trap_i || ctl_trap != '0 || mem_first_o)))

endmodule
