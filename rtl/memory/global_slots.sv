// SPDX-License-Identifier: Apache-2.0
// Gslots of global instructions: which are taken, and which of their instructions are complete. A gslot is taken with the first
// beat of an instruction and kept to its end; the instruction is complete once all its lines have been asked for and have
// answered, and its part in shared memory, if it has one, has ended.
// The next free one is found a cycle ahead, so that address generation has its number in a register.
// Latency: one cycle from an event to ready_o. Handshake: events alone.
// It knows neither what instructions are nor their order.
`include "heddle_assert.svh"

module global_slots #(
  localparam int unsigned GSLOTS  = mem_pkg::GSLOTS,
  localparam int unsigned GSLOT_W = mem_pkg::GSLOT_W
) (
  input  logic               clk_i,
  input  logic               rst_ni,
  // from and to address generation: the gslot of the next instruction
  output logic               free_o,
  output logic [GSLOT_W-1:0] free_slot_o,
  input  logic               ag_begin_i,       // event: it is taken
  // from the check: an instruction is judged
  input  logic               ck_end_i,         // event
  input  logic               ck_commit_i,      // it goes on (else its gslot is free again)
  input  logic               ck_pair_i,        // and another part of it through shared memory
  input  logic               ck_group_i,       // it has no lines (LDGDEPBAR)
  input  logic [GSLOT_W-1:0] ck_slot_i,
  // from the pipe of shared memory: that part has ended
  input  logic               peer_valid_i,     // event
  input  logic [GSLOT_W-1:0] peer_slot_i,
  // from line_request: a line is asked for; all are
  input  logic               rq_count_i,
  input  logic               rq_close_i,
  input  logic [GSLOT_W-1:0] rq_slot_i,
  // from line_gather: a line has answered
  input  logic               dn_valid_i,
  input  logic [GSLOT_W-1:0] dn_slot_i,
  input  logic               dn_err_i,
  // from line_translate: what was put off of an instruction is given up; no line of it is asked for any more
  input  logic               dead_valid_i,     // event, when what it has asked for has been counted
  input  logic [GSLOT_W-1:0] dead_slot_i,
  input  logic               dead_trap_i,      // a trap (else the SM has been stopped)
  // to and from global_results
  output logic [GSLOTS-1:0]  ready_o,          // instructions that are complete
  output logic [GSLOTS-1:0]  err_o,            // with a bus error, or a fault of a page
  output logic [GSLOTS-1:0]  mute_o,           // given up without a trap: no result
  input  logic               rd_start_i,       // event: the rows of this one are sent
  input  logic [GSLOTS-1:0]  rd_start_slot_i,
  input  logic               rd_finish_i,      // event: it has ended
  input  logic [GSLOT_W-1:0] rd_finish_slot_i
);

  localparam int unsigned MOST   = line_pkg::LINES;   // of one that are in flight
  localparam int unsigned WAIT_W = $clog2(MOST + 2);

  logic [GSLOTS-1:0]  used_q, open_q, peer_q, free, release_ck, release_rs, unused_onehot;
  logic [WAIT_W-1:0]  wait_q [GSLOTS];
  logic               next_valid_q, next_any;
  logic [GSLOT_W-1:0] next_q, next;

  // ---- gslots: the next free one is chosen beforehand -------------------------------------------
  assign release_ck = (ck_end_i && !ck_commit_i) ? GSLOTS'(1) << ck_slot_i : '0;
  assign release_rs = rd_finish_i ? GSLOTS'(1) << rd_finish_slot_i : '0;
  assign free       = ~used_q & ~(next_valid_q ? GSLOTS'(1) << next_q : '0);

  lowest_one #(.N(GSLOTS)) u_free (
    .in_i     (free),
    .onehot_o (unused_onehot),
    .index_o  (next),
    .any_o    (next_any)
  );

  assign free_o      = next_valid_q;
  assign free_slot_o = next_q;

  always_ff @(posedge clk_i) begin
    if (!next_valid_q || ag_begin_i) next_q <= next;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      next_valid_q <= 1'b0;
      used_q       <= '0;
    end else begin
      if (!next_valid_q || ag_begin_i) next_valid_q <= next_any;
      used_q <= (used_q & ~release_ck & ~release_rs) | (ag_begin_i ? GSLOTS'(1) << next_q : '0);
    end
  end

  logic               none, dead;
  logic [GSLOTS-1:0]  dead_slot;
  assign none      = ck_end_i && ck_commit_i && ck_group_i;
  assign dead      = mem_pkg::PAGED && dead_valid_i;
  assign dead_slot = dead ? GSLOTS'(1) << dead_slot_i : '0;

  // ---- what each of them waits for: open until all its lines are asked for, and again for its rows ---
  always_comb begin
    for (int unsigned s = 0; s < GSLOTS; s++) ready_o[s] = !open_q[s] && !peer_q[s] && wait_q[s] == '0;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      open_q <= '1;
      peer_q <= '0;
      err_o  <= '0;
    end else begin
      if (ck_end_i)     peer_q[ck_slot_i] <= ck_commit_i && ck_pair_i;
      if (peer_valid_i) peer_q[peer_slot_i] <= 1'b0;
      if (rq_close_i || rd_start_i || none || dead) begin
        open_q <= (open_q & ~(rq_close_i ? GSLOTS'(1) << rq_slot_i : '0) & ~(none ? GSLOTS'(1) << ck_slot_i : '0) & ~dead_slot)
                  | (rd_start_i ? rd_start_slot_i : '0);
      end
      if (ag_begin_i || dn_valid_i || dead) begin
        err_o <= (err_o | ((dn_valid_i && dn_err_i) ? GSLOTS'(1) << dn_slot_i : '0) | (dead_slot & {GSLOTS{dead_trap_i}}))
                 & ~(ag_begin_i ? GSLOTS'(1) << next_q : '0);
      end
    end
  end

  // A line asked for and one answered in the same cycle leave an instruction's count as it is.
  logic one_slot;
  assign one_slot = rq_slot_i == dn_slot_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      for (int unsigned s = 0; s < GSLOTS; s++) wait_q[s] <= '0;
    end else begin
      if (rq_count_i && !(dn_valid_i && one_slot)) wait_q[rq_slot_i] <= wait_q[rq_slot_i] + 1'b1;
      if (dn_valid_i && !(rq_count_i && one_slot)) wait_q[dn_slot_i] <= wait_q[dn_slot_i] - 1'b1;
    end
  end

  if (mem_pkg::PAGED) begin : gen_mute
    always_ff @(posedge clk_i) begin
      if (!rst_ni)                 mute_o <= '0;
      else if (ag_begin_i || dead) mute_o <= (mute_o | (dead_slot & {GSLOTS{!dead_trap_i}})) & ~(ag_begin_i ? GSLOTS'(1) << next_q : '0);
    end
    // What is given up is open.
    `ASSERT_IF(a_dead, dead, used_q[dead_slot_i] && open_q[dead_slot_i])
  end else begin : gen_sound
    logic unused;
    assign mute_o = '0;
    assign unused = ^{dead_valid_i, dead_slot_i, dead_trap_i};
  end

  // An answer belongs to an instruction in flight.
  `ASSERT_IF(a_answer, dn_valid_i, used_q[dn_slot_i] && wait_q[dn_slot_i] != '0)

endmodule
