// SPDX-License-Identifier: Apache-2.0
// Performance counters: in every cycle each live warp belongs to one class (issue_pkg::CNT_*), the first reason that applies;
// a counter adds up its warps.
// Latency: two cycles after the event; a read is combinational and exact.
// No handshake; the counters run from go_i on (event: a launch begins) and wrap at 2^32. In the first NCNT cycles reads give 0.
// It does not say how a warp comes by what it waits for: see `issue`. Classes are formed a cycle after, from registers.
module issue_counters (
  input  logic                                             clk_i,
  input  logic                                             rst_ni,
  input  logic                                             go_i,
  // from S0: what each warp is doing, or why it waits
  input  logic [cfg_pkg::WARPS-1:0]                        alive_i,
  input  logic [cfg_pkg::WARPS-1:0]                        sync_i,
  input  stage_pkg::why_t                                  why_i,
  input  logic [cfg_pkg::WARPS-1:0]                        pick_i,      // selected, where S1
  input  logic                                             pick_free_i, // ... can take it
  // from S1 and trap control
  input  logic [cfg_pkg::WARPS-1:0]                        here_i,
  input  logic                                             run_i,
  input  logic                                             free_i,
  input  logic                                             shown_i,
  input  logic                                             commit_i,
  input  logic                                             absent_i,    // that of S1 is sent back for want of a page
  input  logic                                             tc_over_i,   // a trap has been met: nothing counts
  // from and to the host's registers
  input  logic [3:0]                                       is_cnt_index_i,
  output logic [31:0]                                      is_cnt_o
);

  localparam int unsigned WARPS = cfg_pkg::WARPS;
  localparam int unsigned NCNT  = issue_pkg::NCNT;
  localparam int unsigned COUNT_W = $clog2(WARPS + 1);

  logic [WARPS-1:0]              in_class [NCNT];
  logic [NCNT-1:0][COUNT_W-1:0]  step;

  // Of the cycle before; field by field, which costs a simulator less than the struct.
  logic [WARPS-1:0] alive_q, s1_q, pick_q, sync_q, there_q, stalled_q, no_cst_q, waits_q, drains_q, no_room_q, no_rows_q;
  logic             issued_q, redone_q, absent_q, s1_go_q, s1_free_q, run_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      alive_q   <= '0;
      s1_q      <= '0;
      pick_q    <= '0;
      sync_q    <= '0;
      there_q   <= '0;
      stalled_q <= '0;
      no_cst_q  <= '0;
      waits_q   <= '0;
      drains_q  <= '0;
      no_room_q <= '0;
      no_rows_q <= '0;
      issued_q  <= 1'b0;
      redone_q  <= 1'b0;
      absent_q  <= 1'b0;
      s1_go_q   <= 1'b0;
      s1_free_q <= 1'b0;
      run_q     <= 1'b0;
    end else begin
      alive_q   <= tc_over_i ? '0 : alive_i;
      s1_q      <= here_i;
      pick_q    <= pick_i;
      sync_q    <= sync_i;
      there_q   <= why_i.there;
      stalled_q <= why_i.stalled;
      no_cst_q  <= why_i.no_cst;
      waits_q   <= why_i.waits;
      drains_q  <= why_i.drains;
      no_room_q <= why_i.no_room;
      no_rows_q <= why_i.no_rows;
      issued_q  <= shown_i;
      redone_q  <= commit_i && !shown_i;
      absent_q  <= absent_i;
      s1_go_q   <= free_i;
      s1_free_q <= pick_free_i;
      run_q     <= run_i;
    end
  end

  // The first reason that applies is a warp's class: `left_x` are the warps that no reason before x applies to.
  logic [WARPS-1:0] sel, here, left_sync, left_fetch, left_stall, left_cst, left_wait, left_mem, left_rows, left_room;

  assign sel        = s1_free_q ? pick_q : '0;
  assign here       = alive_q & s1_q;
  assign left_sync  = alive_q & ~s1_q & ~sel;
  assign left_fetch = left_sync & ~sync_q;
  assign left_stall = left_fetch & there_q;
  assign left_cst   = left_stall & ~stalled_q;
  assign left_wait  = left_cst & ~no_cst_q;
  assign left_mem   = left_wait & ~waits_q & ~drains_q;
  assign left_rows  = left_mem & ~no_room_q;
  assign left_room  = left_rows & ~no_rows_q;

  // The warp in the check stage, or selected, is one at most: it needs no counting. A warp that nothing holds back is counted once,
  // whichever of three classes that is.
  logic              here_one;
  logic [NCNT-1:0]   one;
  logic [COUNT_W-1:0] room;

  assign here_one = here != '0;
  always_comb begin
    in_class = '{default: '0};
    one      = '0;
    in_class[issue_pkg::CNT_WAIT]   = left_wait & waits_q;
    in_class[issue_pkg::CNT_STALL]  = left_stall & ~left_cst;
    in_class[issue_pkg::CNT_SYNC]   = (left_sync & sync_q) | (left_wait & ~waits_q & drains_q);
    in_class[issue_pkg::CNT_FETCH]  = left_fetch & ~there_q;
    in_class[issue_pkg::CNT_CONST]  = left_cst & no_cst_q;
    in_class[issue_pkg::CNT_MEMORY] = left_mem & ~left_rows;
    in_class[issue_pkg::CNT_PIPE]   = left_rows & ~left_room;
    one[issue_pkg::CNT_ISSUED]      = issued_q && here_one;
    one[issue_pkg::CNT_WAIT]        = s1_go_q && !issued_q && !redone_q && !absent_q && here_one;
    one[issue_pkg::CNT_FETCH]       = s1_go_q && absent_q && here_one;   // it has no instruction, or not all of it
    one[issue_pkg::CNT_STALL]       = (alive_q & ~s1_q & sel) != '0;
    one[issue_pkg::CNT_SYNC]        = redone_q && here_one;
    one[issue_pkg::CNT_PIPE]        = !s1_go_q && here_one;
  end

  always_comb begin
    room = '0;
    if (left_room != '0) room = COUNT_W'($countones(left_room));
    for (int unsigned n = 0; n < NCNT; n++) begin
      step[n] = COUNT_W'(one[n]);
      if (in_class[n] != '0) step[n] = step[n] + COUNT_W'($countones(in_class[n]));   // most are empty
      if (n == issue_pkg::CNT_PIPE && !s1_free_q)                  step[n] = step[n] + room;
      if (n == issue_pkg::CNT_OTHER && s1_free_q && !run_q)        step[n] = step[n] + room;
      if (n == issue_pkg::CNT_NOT_SELECTED && s1_free_q && run_q)  step[n] = step[n] + room;
    end
  end

  event_sums #(.N(NCNT), .STEP_W(COUNT_W), .MOST(WARPS)) u_sums (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .clear_i (go_i),
    .step_i  (step),
    .index_i (is_cnt_index_i),
    .sum_o   (is_cnt_o)
  );

endmodule
