// SPDX-License-Identifier: Apache-2.0
// Instructions that may still trap, in issue order: memory until its addresses are checked, control until it is finished.
// Tells of a trap whether it is the first in issue order so far.
// Latency: judged in the cycle of the event; the list follows one cycle later.
// Handshake: events; `full_o` is judged three instructions ahead. Of one warp's memory operations the oldest is checked first.
// It does not stop anything: trap_ctl does.
`default_nettype none
`include "heddle_assert.svh"

module issue_order #(
  parameter int unsigned DEPTH = 8
) (
  input  logic                          clk_i,
  input  logic                          rst_ni,
  // from issue
  input  logic                          add_valid_i,
  input  logic [cfg_pkg::WARP_W-1:0]    add_slot_i,
  input  logic                          add_ctl_i,
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
  output logic                          full_o
);

  localparam int unsigned WARP_W  = cfg_pkg::WARP_W;
  localparam int unsigned COUNT_W = $clog2(DEPTH + 1);

  // Once a trap is known, only what is older stays valid.
  logic [DEPTH-1:0]             valid_q, ctl_q, place;
  logic [DEPTH-1:0][WARP_W-1:0] slot_q;
  // older_q[i][j], i < j: entry i was issued before entry j.
  logic [DEPTH-1:0][DEPTH-1:0]  older_q, older;
  logic                         add;

  always_comb begin
    for (int unsigned i = 0; i < DEPTH; i++) begin
      for (int unsigned j = 0; j < DEPTH; j++) older[i][j] = (i < j) ? older_q[i][j] : (i != j) && !older_q[j][i];
    end
  end

  // ---- which entries the events name -----------------------------------------------------------------------------------
  logic [DEPTH-1:0] pass_match, trap_match, mem_pass, mem_trap, ctl_pass, ctl_trap;
  always_comb begin
    for (int unsigned i = 0; i < DEPTH; i++) begin
      pass_match[i] = valid_q[i] && !ctl_q[i] && mem_pass_i && slot_q[i] == mem_pass_slot_i;
      trap_match[i] = valid_q[i] && !ctl_q[i] && mem_trap_i && slot_q[i] == mem_trap_slot_i;
      ctl_pass[i]   = valid_q[i] && ctl_q[i] && ctl_pass_i && slot_q[i] == ctl_pass_slot_i;
      ctl_trap[i]   = valid_q[i] && ctl_q[i] && ctl_trap_i && slot_q[i] == ctl_trap_slot_i;
    end
  end
  // Of a warp's memory operations, the oldest.
  always_comb begin
    mem_pass = pass_match;
    mem_trap = trap_match;
    for (int unsigned i = 0; i < DEPTH; i++) begin
      for (int unsigned j = 0; j < DEPTH; j++) begin
        if (pass_match[j] && older[j][i]) mem_pass[i] = 1'b0;
        if (trap_match[j] && older[j][i]) mem_trap[i] = 1'b0;
      end
    end
  end

  // ---- what a trap leaves: the entries older than it -------------------------------------------------------------------
  logic [DEPTH-1:0] before_mem, before_ctl, keep_mem, valid_d;
  always_comb begin
    before_mem = '0;
    before_ctl = '0;
    for (int unsigned i = 0; i < DEPTH; i++) begin
      for (int unsigned j = 0; j < DEPTH; j++) begin
        if (mem_trap[j] && older[i][j]) before_mem[i] = 1'b1;
        if (ctl_trap[j] && older[i][j]) before_ctl[i] = 1'b1;
      end
    end
  end

  // A memory trap that has no entry had passed its checks (bus error): it counts if it is the only one.
  assign mem_first_o = mem_trap != '0 || (mem_trap_i && !taken_i);
  assign keep_mem    = mem_first_o ? before_mem : '1;
  assign ctl_first_o = (ctl_trap & keep_mem) != '0;
  assign valid_d     = valid_q & ~mem_pass & ~ctl_pass & keep_mem & (ctl_first_o ? before_ctl : '1);

  // ---- state -------------------------------------------------------------------------------------------------------------
  assign add = add_valid_i && !mem_first_o && !ctl_first_o;

  arb_fixed #(.N(DEPTH)) u_place (
    .req_i   (~valid_q),
    .grant_o (place)
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) valid_q <= '0;
    else         valid_q <= valid_d | (place & {DEPTH{add}});
  end
  always_ff @(posedge clk_i) begin
    for (int unsigned i = 0; i < DEPTH; i++) begin
      if (add && place[i]) begin
        slot_q[i] <= add_slot_i;
        ctl_q[i]  <= add_ctl_i;
      end
      for (int unsigned j = 0; j < DEPTH; j++) begin
        if (i < j && add && place[i])      older_q[i][j] <= 1'b0;
        else if (i < j && add && place[j]) older_q[i][j] <= 1'b1;
      end
    end
  end

  logic [DEPTH-1:0] unused;
  always_comb begin
    for (int unsigned i = 0; i < DEPTH; i++) unused[i] = ^older_q[i];   // only one triangle is kept
  end

  assign empty_o = valid_q == '0;

  // Room is judged a cycle late, so three instructions ahead: in the check stage then, there now, being selected.
  logic [COUNT_W-1:0] free_count;
  always_comb begin
    free_count = '0;
    for (int unsigned i = 0; i < DEPTH; i++) free_count += COUNT_W'(!valid_q[i]);
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) full_o <= 1'b0;
    else         full_o <= free_count < COUNT_W'(3);
  end

  // There is a place for whatever issues.
  `ASSERT(a_room, !add_valid_i || valid_q != '1)
  // What ends had been issued, unless a trap has already settled the matter.
  `ASSERT(a_known, taken_i || ((!mem_pass_i || mem_pass != '0) && (!ctl_pass_i || ctl_pass != '0)
                               && (!ctl_trap_i || ctl_trap != '0 || mem_first_o)))

endmodule

`default_nettype wire
