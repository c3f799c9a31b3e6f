// SPDX-License-Identifier: Apache-2.0
// Are the addresses of a beat inside their space? Shared memory, local memory and constants are one
// range each. For global memory one region of the host's table is held: as an instruction arrives, the
// one that its place in the program found last time. While a lane lies outside, the others are tried, a
// region a cycle, lowest first. So instructions that go to different buffers in turns cost nothing. The
// lanes of a generic beat are judged space by space.
// Latency: 0 when all lanes lie in one space, and in the region held if that is global memory; else a
// cycle more for each further space, and one for each region in use that is
// tried (at most 16; which ones are in use is learnt after invalidate_i). Handshake: arrive_i is an
// event in the cycle before an instruction's first beat; pass_o says that every lane of need_i is
// decided; beat_done_i ends the beat.
// It does not look at alignment or at address bits above 39.
`default_nettype none
`include "heddle_assert.svh"

module lsu_region #(
  localparam int unsigned LANES = cfg_pkg::LSU_LANES
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  // from the host
  input  logic                   invalidate_i,   // the table may have changed
  output logic [3:0]             region_index_o, // the region whose range is asked for, answered at once
  input  logic [39:0]            region_base_i,
  input  logic [40:0]            region_limit_i,
  input  logic [15:0]            region_write_i,
  // from address generation: a global instruction's first beat is here in the next cycle
  input  logic                   arrive_i,
  input  logic [3:0]             arrive_pc_i,    // the lowest bits of its instruction number
  // from the check: first and last byte of each lane's access; stable until beat_done_i
  input  logic [LANES-1:0]       need_i,
  input  logic [3:1][LANES-1:0]  flat_i,         // not global: the range from 0 to the limit of this space
  input  logic [3:1][24:0]       flat_limit_i,
  input  logic                   write_i,
  input  logic [3:0]             pc_i,
  input  logic [LANES-1:0][39:0] first_i,
  input  logic [3:0]             size_mask_i,
  input  logic                   beat_done_i,
  // to the check
  output logic                   pass_o,
  output logic [LANES-1:0]       range_o,        // in no region
  output logic [LANES-1:0]       protect_o       // in regions without write permission only
);

  logic [39:0]       base_q, base;
  logic [40:0]       limit_q, limit;
  logic              write_q, valid_q, more, advance, other;
  logic [3:1]        wait_for, turn, seen_q;      // spaces but global memory: with lanes, now, and before
  logic [LANES-1:0]  flat, mine, covered, passed_q, protect_q, passed, left, far, protect;
  logic [15:0]       used_q, tried_q, held, others, unused_onehot;
  logic [3:0]        index_q, next, last, clear_q;
  logic              clearing_q;

  // ---- lanes against the range held. An aligned access ends at first | size_mask. ---------------
  for (genvar s = 1; s < 4; s++) begin : gen_space
    assign wait_for[s] = (need_i & flat_i[s]) != '0 && !seen_q[s];
  end

  assign turn = wait_for & (~wait_for + 3'd1);
  assign flat = flat_i[1] | flat_i[2] | flat_i[3];

  always_comb begin
    mine  = need_i & ~flat;
    base  = base_q;
    limit = limit_q;
    if (turn != '0) begin
      base  = '0;
      mine  = need_i & (turn[1] ? flat_i[1] : turn[2] ? flat_i[2] : flat_i[3]);
      limit = {16'd0, turn[1] ? flat_limit_i[1] : turn[2] ? flat_limit_i[2] : flat_limit_i[3]};
    end
  end

  always_comb begin
    covered = '0;
    if (need_i != '0) begin
      for (int unsigned l = 0; l < LANES; l++) begin
        covered[l] = mine[l] && first_i[l] >= base && {1'b0, first_i[l][39:4], first_i[l][3:0] | size_mask_i} < limit;
      end
    end
    if (!valid_q && turn == '0) covered = '0;
  end

  assign passed    = (turn != '0 || write_q || !write_i) ? passed_q | covered : passed_q;
  assign left      = need_i & ~passed;
  assign far       = left & ~flat;                              // global memory's
  assign other     = (wait_for & ~turn) != '0;
  assign protect   = protect_q | (covered & ~flat);
  assign pass_o    = !other && (far == '0 || (turn == '0 && !more));
  assign range_o   = left & ~protect;
  assign protect_o = left & protect;

  // ---- the next region to try -------------------------------------------------------------------
  assign held    = valid_q ? 16'd1 << index_q : '0;
  assign others  = used_q & ~tried_q & ~held;
  assign region_index_o = arrive_i ? last : next;
  assign advance = far != '0 && turn == '0 && more;

  lowest_one #(.N(16)) u_next (
    .in_i     (others),
    .onehot_o (unused_onehot),
    .index_o  (next),
    .any_o    (more)
  );

  always_ff @(posedge clk_i) begin
    if (advance || arrive_i) begin
      index_q <= region_index_o;
      base_q  <= region_base_i;
      limit_q <= region_limit_i;
      write_q <= region_write_i[region_index_o];
    end
  end

  // Where each place in the program found its region; at first, and for as many cycles, region 0.
  ram_async #(.WIDTH(4), .DEPTH(16)) u_last (
    .clk_i     (clk_i),
    .wr_en_i   (clearing_q || (beat_done_i && tried_q != '0)),
    .wr_addr_i (clearing_q ? clear_q : pc_i),
    .wr_data_i (clearing_q ? 4'd0 : index_q),
    .rd_addr_i (arrive_pc_i),
    .rd_data_o (last)
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid_q    <= 1'b0;
      clearing_q <= 1'b1;
      clear_q    <= '0;
      used_q     <= '1;
      tried_q    <= '0;
      passed_q   <= '0;
      protect_q  <= '0;
      seen_q     <= '0;
    end else begin
      if (invalidate_i) begin
        valid_q    <= 1'b0;
        used_q     <= '1;
        clearing_q <= 1'b1;
      end else begin
        if (advance || arrive_i) valid_q <= 1'b1;
        if (advance && valid_q && limit_q == '0) used_q <= used_q & ~held;
        if (clear_q == '1) clearing_q <= 1'b0;
      end
      if (clearing_q) clear_q <= clear_q + 4'd1;
      if (beat_done_i) begin
        tried_q   <= '0;
        passed_q  <= '0;
        protect_q <= '0;
        seen_q    <= '0;
      end else if (advance || turn != '0) begin
        if (advance) tried_q <= tried_q | held;
        passed_q  <= passed;
        protect_q <= protect;
        seen_q    <= seen_q | turn;
      end
    end
  end

  // An instruction arrives when the one before it is decided.
  `ASSERT(a_arrive, !arrive_i || !advance)

endmodule

`default_nettype wire
