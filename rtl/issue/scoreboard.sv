// SPDX-License-Identifier: Apache-2.0
// Scoreboard (dependency mode `scoreboard`): destinations of instructions that have not written yet, one table for all warps.
// Latency: the check is combinational; an allocation or release of cycle t counts from t+1 on.
// Handshake: issue asks for its instruction; refused warps sleep (sb_sleep_o) until one of their results is complete.
// It does not watch write-after-read: operands of a warp are read in order, before the warp issues again.
`default_nettype none
`include "heddle_assert.svh"

module scoreboard #(
  parameter int unsigned ENTRIES = 16
) (
  input  logic                              clk_i,
  input  logic                              rst_ni,
  // from issue: the instruction in its check stage
  input  logic                              enable_i,
  input  logic                              check_valid_i,
  input  logic [cfg_pkg::WARP_W-1:0]        check_slot_i,
  input  isa_pkg::dec_t                     check_dec_i,
  output logic                              sb_hazard_o,
  input  logic                              alloc_i,         // it issues
  // from writeback (0 alu, 1 fma, 2 cvt) and, as number 3, the load/store unit
  input  logic [3:0]                        done_valid_i,
  input  logic [3:0][issue_pkg::DONE_W-1:0] done_i,
  // to the scheduler
  output logic [cfg_pkg::WARPS-1:0]         sb_sleep_o,
  output logic                              sb_full_o        // no room for what may be under way
);

  localparam int unsigned WARPS  = cfg_pkg::WARPS;
  localparam int unsigned WARP_W = cfg_pkg::WARP_W;
  localparam int unsigned FREE_W = $clog2(ENTRIES + 1);

  logic [ENTRIES-1:0]             valid_q, release_d, free_one;
  logic [ENTRIES-1:0][WARP_W-1:0] slot_q;
  logic [ENTRIES-1:0]             has_rd_q;
  logic [ENTRIES-1:0][7:0]        rd_q;
  logic [ENTRIES-1:0][1:0]        rd_n_q;
  logic [ENTRIES-1:0][2:0]        pd0_q, pd1_q;
  logic [WARPS-1:0]               sleep_q, done_warp;

  // ---- check ----------------------------------------------------------------------------------------------------------------
  // Tuples start at multiples of their size, so they overlap when they agree above the larger size.
  function automatic logic overlap(input logic [7:0] x, input logic [1:0] x_n, input logic [7:0] y, input logic [1:0] y_n);
    overlap = x[7:2] == y[7:2] && ((x[1:0] ^ y[1:0]) & ~(x_n | y_n)) == '0;
  endfunction

  logic [6:0] want_pred;    // predicates that the instruction reads or writes
  logic       want_rd, want_alloc;
  logic [4:0][2:0] pred_index;

  assign want_rd    = check_dec_i.has_rd && check_dec_i.rd != isa_pkg::RZ;
  assign pred_index = {check_dec_i.guard[2:0], check_dec_i.ps0[2:0], check_dec_i.ps1[2:0], check_dec_i.ps2[2:0], 3'd7};
  assign want_alloc = want_rd || (check_dec_i.has_pd0 && check_dec_i.pd0 != isa_pkg::PT)
                              || (check_dec_i.has_pd1 && check_dec_i.pd1 != isa_pkg::PT);
  always_comb begin
    want_pred = '0;
    for (int unsigned p = 0; p < 7; p++) begin
      for (int unsigned i = 0; i < 5; i++) begin
        if (pred_index[i] == 3'(p)) want_pred[p] = 1'b1;
      end
      if (check_dec_i.has_pd0 && check_dec_i.pd0 == 3'(p)) want_pred[p] = 1'b1;
      if (check_dec_i.has_pd1 && check_dec_i.pd1 == 3'(p)) want_pred[p] = 1'b1;
    end
  end

  logic [ENTRIES-1:0] reg_hit, pred_hit;
  logic [6:0]         entry_pred;
  always_comb begin
    entry_pred = '0;
    for (int unsigned e = 0; e < ENTRIES; e++) begin
      reg_hit[e] = has_rd_q[e] && (
           (want_rd && overlap(check_dec_i.rd, check_dec_i.rd_n, rd_q[e], rd_n_q[e]))
        || (check_dec_i.a_kind == isa_pkg::SRC_REG && check_dec_i.a_reg != isa_pkg::RZ
            && overlap(check_dec_i.a_reg, check_dec_i.a_n, rd_q[e], rd_n_q[e]))
        || (check_dec_i.b_kind == isa_pkg::SRC_REG && check_dec_i.b_reg != isa_pkg::RZ
            && overlap(check_dec_i.b_reg, check_dec_i.b_n, rd_q[e], rd_n_q[e]))
        || (check_dec_i.c_kind == isa_pkg::SRC_REG && check_dec_i.c_reg != isa_pkg::RZ
            && overlap(check_dec_i.c_reg, check_dec_i.c_n, rd_q[e], rd_n_q[e])));
      for (int unsigned p = 0; p < 7; p++) entry_pred[p] = pd0_q[e] == 3'(p) || pd1_q[e] == 3'(p);
      pred_hit[e] = (entry_pred & want_pred) != '0;
    end
  end

  always_comb begin
    sb_hazard_o = 1'b0;
    for (int unsigned e = 0; e < ENTRIES; e++) begin
      if (enable_i && valid_q[e] && slot_q[e] == check_slot_i && (reg_hit[e] || pred_hit[e])) sb_hazard_o = 1'b1;
    end
  end

  // ---- release: a register or, without one, a set of predicates names its entry: there is never a second pending one ------
  core_pkg::done_t done;
  always_comb begin
    release_d = '0;
    done_warp = '0;
    done      = '0;
    for (int unsigned i = 0; i < 4; i++) begin
      done = done_i[i];
      if (done_valid_i[i]) done_warp[done.slot] = 1'b1;
      for (int unsigned e = 0; e < ENTRIES; e++) begin
        if (done_valid_i[i] && slot_q[e] == done.slot) begin
          if (done.has_rd && done.rd != isa_pkg::RZ) begin
            if (has_rd_q[e] && rd_q[e] == done.rd) release_d[e] = 1'b1;
          end else if (!has_rd_q[e] && pd0_q[e] == done.pd0 && pd1_q[e] == done.pd1) begin
            release_d[e] = 1'b1;
          end
        end
      end
    end
  end

  arb_fixed #(.N(ENTRIES)) u_free (
    .req_i   (~valid_q),
    .grant_o (free_one)
  );

  // ---- state ----------------------------------------------------------------------------------------------------------------
  logic alloc;
  assign alloc = alloc_i && enable_i && want_alloc;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid_q <= '0;
      sleep_q <= '0;
    end else begin
      valid_q <= (valid_q & ~release_d) | (free_one & {ENTRIES{alloc}});
      for (int unsigned w = 0; w < WARPS; w++) begin
        if (done_warp[w]) sleep_q[w] <= 1'b0;
        else if (check_valid_i && sb_hazard_o && check_slot_i == WARP_W'(w)) sleep_q[w] <= 1'b1;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    for (int unsigned e = 0; e < ENTRIES; e++) begin
      if (alloc && free_one[e]) begin
        slot_q[e]   <= check_slot_i;
        has_rd_q[e] <= want_rd;
        rd_q[e]     <= check_dec_i.rd;
        rd_n_q[e]   <= check_dec_i.rd_n;
        pd0_q[e]    <= check_dec_i.has_pd0 ? check_dec_i.pd0 : isa_pkg::PT;
        pd1_q[e]    <= check_dec_i.has_pd1 ? check_dec_i.pd1 : isa_pkg::PT;
      end
    end
  end

  assign sb_sleep_o = sleep_q;

  // Room is judged a cycle late, so three instructions ahead: checked then, being checked, being selected.
  logic [FREE_W-1:0] free_count;
  always_comb begin
    free_count = '0;
    for (int unsigned e = 0; e < ENTRIES; e++) free_count += FREE_W'(!valid_q[e]);
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) sb_full_o <= 1'b0;
    else         sb_full_o <= enable_i && free_count < FREE_W'(3);
  end

  // Fields that concern others.
  logic unused;
  assign unused = ^{check_dec_i, done};

  // There is an entry for whatever issues.
  `ASSERT(a_room, !alloc || free_one != '0)

endmodule

`default_nettype wire
