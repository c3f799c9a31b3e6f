// SPDX-License-Identifier: Apache-2.0
// Whose turn it is among asynchronous copies: they go on to shared memory in the order in which they passed the check, and among
// them each LDGDEPBAR, which has nothing to wait for but its turn. So a group ends after the copies before it, whatever comes
// when, and groups end in order; what it costs is that a copy whose lines are there waits in its gslot for one whose are not.
// Latency: a copy has its turn the cycle after it has passed the check, or after the one before has begun to send its rows.
// Handshake: events. Without asynchronous copies in the machine nothing of it is left.
// It does not know lines: whose turn it is may still wait for its own.
`include "heddle_assert.svh"

module copy_order #(
  localparam int unsigned GSLOTS  = mem_pkg::GSLOTS,
  localparam int unsigned GSLOT_W = mem_pkg::GSLOT_W
) (
  input  logic               clk_i,
  input  logic               rst_ni,
  // from the check: an instruction is judged
  input  logic               ck_end_i,       // event
  input  logic               ck_commit_i,    // it goes on
  input  logic               ck_copy_i,
  input  logic [GSLOT_W-1:0] ck_slot_i,
  // from global_results: its rows are read
  input  logic               start_i,        // event
  input  logic [GSLOTS-1:0]  start_slot_i,
  // to global_results
  output logic [GSLOTS-1:0]  copies_o,       // gslots of copies
  output logic [GSLOTS-1:0]  turn_o          // gslots that may be read: of copies the oldest, of others all
);

  if (cfg_pkg::HAS_ASYNC) begin : gen_order
    logic [GSLOTS-1:0]           copies_q;
    logic [GSLOT_W-1:0]          head;
    logic                        head_valid, in_ready, pop;
    logic [$clog2(GSLOTS+1)-1:0] unused_count;

    assign pop = start_i && (start_slot_i & copies_q) != '0;

    fifo #(.WIDTH(GSLOT_W), .DEPTH(GSLOTS)) u_order (
      .clk_i       (clk_i),
      .rst_ni      (rst_ni),
      .in_valid_i  (ck_end_i && ck_commit_i && ck_copy_i),
      .in_ready_o  (in_ready),
      .in_data_i   (ck_slot_i),
      .out_valid_o (head_valid),
      .out_ready_i (pop),
      .out_data_o  (head),
      .count_o     (unused_count)
    );

    always_ff @(posedge clk_i) begin
      if (!rst_ni)       copies_q <= '0;
      else if (ck_end_i) copies_q[ck_slot_i] <= ck_copy_i;
    end

    assign copies_o = copies_q;
    assign turn_o   = ~copies_q | (head_valid ? GSLOTS'(1) << head : '0);

    // The order holds whatever has a gslot, and who is read had its turn.
    `ASSERT(a_room, in_ready || !ck_end_i)
    `ASSERT(a_turn, !start_i || (start_slot_i & ~turn_o) == '0)
  end else begin : gen_none
    logic unused;
    assign copies_o = '0;
    assign turn_o   = '1;
    assign unused   = ^{clk_i, rst_ni, ck_end_i, ck_commit_i, ck_copy_i, ck_slot_i, start_i, start_slot_i};
  end

endmodule
