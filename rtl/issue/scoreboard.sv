// SPDX-License-Identifier: Apache-2.0
// Scoreboard (dependency mode `scoreboard`): destinations of instructions that have not written yet: for each warp its pending
// predicates, and the registers of at most ENTRIES instructions; uniform ones among them.
// Latency: the check is combinational; an allocation or release of cycle t counts from t+1 on.
// Handshake: issue asks for its instruction; refused warps sleep (sb_sleep_o) until one of their results is complete. An
// instruction that finds all ENTRIES of its warp taken is refused as a dependent one is.
// It does not watch write-after-read: operands of a warp are read in order, before the warp issues again.
`include "heddle_assert.svh"
`include "heddle_idle.svh"

module scoreboard #(
  parameter int unsigned ENTRIES = 4
) (
  input  logic                              clk_i,
  input  logic                              rst_ni,
  // from issue: the instruction in its check stage
  input  logic                              enable_i,
  input  logic                              check_valid_i,
  input  logic [cfg_pkg::WARP_W-1:0]        check_slot_i,
  input  isa_pkg::dec_t                     check_dec_i,
  input  issue_pkg::needs_t                 check_needs_i,   // of it
  output logic                              sb_hazard_o,
  input  logic                              alloc_i,         // it issues
  // from writeback (alu, fma, cvt, half), uni and, as the last one, late results
  input  logic [core_pkg::ENDS:0]          done_valid_i,
  input  logic [core_pkg::ENDS:0][$bits(core_pkg::done_t)-1:0] done_i,
  // to the scheduler
  output logic [cfg_pkg::WARPS-1:0]         sb_sleep_o
);

  localparam int unsigned WARPS  = cfg_pkg::WARPS;
  localparam int unsigned WARP_W = cfg_pkg::WARP_W;

  logic [WARPS-1:0][ENTRIES-1:0] valid_q, valid_d;
  // A register is a number, and (with unit uni) above it whether it is a uniform one; predicates are a set, uniform ones above.
  localparam int unsigned RW = cfg_pkg::HAS_UNI ? 9 : 8, NP = issue_pkg::NP;

  logic [WARPS-1:0][NP-1:0]      pred_q, pred_d;     // predicates that are not written yet
  logic [WARPS-1:0]              sleep_q, sleep_d;

  // ---- registers: an entry's are written once, and looked up by its warp and by each source of results -----------------------
  core_pkg::done_t             done;
  logic [core_pkg::ENDS:0][WARP_W-1:0] done_slot;
  logic [core_pkg::ENDS:0][RW-1:0] done_rd;
  logic [core_pkg::ENDS:0]    done_has_rd;
  logic [core_pkg::ENDS:0][NP-1:0] done_pred;
  logic [ENTRIES-1:0]          mine, put;
  logic [ENTRIES-1:0][RW+1:0]  entry;               // rd_n, rd
  logic [core_pkg::ENDS:0][ENTRIES-1:0][RW-1:0] old_rd;
  logic                        alloc;

  always_comb begin
    done        = '0;
    done_slot   = 'x;
    done_rd     = 'x;
    done_has_rd = 'x;
    done_pred   = 'x;
    if (`HEDDLE_LIVE(enable_i)) begin   // nothing is kept otherwise
      for (int unsigned i = 0; i < core_pkg::ENDS + 1; i++) begin
        done           = done_i[i];
        done_slot[i]   = done.slot;
        done_rd[i]     = RW'({done.rd_uni, done.rd});
        done_has_rd[i] = done.has_rd;
        done_pred[i]   = done.preds ? issue_pkg::pred_every(done.pd_uni)
          : issue_pkg::pred_set(done.pd_uni, done.pd0) | issue_pkg::pred_set(done.pd_uni, done.pd1);
      end
    end
  end

  assign alloc = alloc_i && enable_i;
  assign mine  = valid_q[check_slot_i];

  arb_fixed #(.N(ENTRIES)) u_free (
    .req_i   (~mine),
    .grant_o (put)
  );

  for (genvar e = 0; e < ENTRIES; e++) begin : gen_entry
    ram_async #(.WIDTH(RW + 2), .DEPTH(WARPS)) u_check (
      .clk_i     (clk_i),
      .wr_en_i   (alloc && put[e]),
      .wr_addr_i (check_slot_i),
      .wr_data_i ({check_dec_i.rd_n, RW'({check_dec_i.rd_uni, check_dec_i.rd})}),
      .rd_addr_i (check_slot_i),
      .rd_data_o (entry[e])
    );
    for (genvar i = 0; i < core_pkg::ENDS + 1; i++) begin : gen_done
      ram_async #(.WIDTH(RW), .DEPTH(WARPS)) u_old (
        .clk_i     (clk_i),
        .wr_en_i   (alloc && put[e]),
        .wr_addr_i (check_slot_i),
        .wr_data_i (RW'({check_dec_i.rd_uni, check_dec_i.rd})),
        .rd_addr_i (done_slot[i]),
        .rd_data_o (old_rd[i][e])
      );
    end
  end

  // ---- check ----------------------------------------------------------------------------------------------------------------
  // Tuples start at multiples of their size, so they overlap when they agree above the larger size.
  function automatic logic overlap(input logic uni, input logic [7:0] x, input logic [1:0] x_n, input logic [RW+1:0] y);
    overlap = RW'({uni, x[7:2], 2'b0}) == (y[RW-1:0] & ~RW'(3)) && ((x[1:0] ^ y[1:0]) & ~(x_n | y[RW+1:RW])) == '0;
  endfunction

  always_comb begin
    sb_hazard_o = 1'b0;
    if (enable_i) begin
      sb_hazard_o = (pred_q[check_slot_i] & check_needs_i.use_pred) != '0 || (check_needs_i.rd && mine == '1);
      for (int unsigned e = 0; e < ENTRIES; e++) begin
        if (mine[e] && (
             (check_needs_i.rd && overlap(check_dec_i.rd_uni, check_dec_i.rd, check_dec_i.rd_n, entry[e]))
          || (check_needs_i.a && overlap(check_dec_i.a_kind == isa_pkg::SRC_UREG, check_dec_i.a_reg, check_dec_i.a_n, entry[e]))
          || (check_needs_i.b && overlap(check_dec_i.b_kind == isa_pkg::SRC_UREG, check_dec_i.b_reg, check_dec_i.b_n, entry[e]))
          || (check_needs_i.c && overlap(check_dec_i.c_kind == isa_pkg::SRC_UREG, check_dec_i.c_reg, check_dec_i.c_n, entry[e]))))
          sb_hazard_o = 1'b1;
      end
    end
  end

  // ---- state: of a register or a predicate there is never a second pending write ------------------------------------------
  logic [core_pkg::ENDS:0][ENTRIES-1:0] match;
  always_comb begin
    match = '0;
    `HEDDLE_ONLY(enable_i) begin
      for (int unsigned i = 0; i < core_pkg::ENDS + 1; i++) begin
        for (int unsigned e = 0; e < ENTRIES; e++) match[i][e] = done_has_rd[i] && old_rd[i][e] == done_rd[i];
      end
    end
  end

  always_comb begin
    valid_d = valid_q;
    pred_d  = pred_q;
    sleep_d = sleep_q;
    if (enable_i) begin
      for (int unsigned w = 0; w < WARPS; w++) begin
        if (check_slot_i == WARP_W'(w) && check_valid_i && sb_hazard_o) sleep_d[w] = 1'b1;
        for (int unsigned i = 0; i < core_pkg::ENDS + 1; i++) begin
          if (done_valid_i[i] && done_slot[i] == WARP_W'(w)) begin
            sleep_d[w] = 1'b0;
            pred_d[w]  = pred_d[w] & ~done_pred[i];
            valid_d[w] = valid_d[w] & ~match[i];
          end
        end
        if (check_slot_i == WARP_W'(w) && alloc_i) begin
          pred_d[w] = pred_d[w] | check_needs_i.dest_pred;
          if (check_needs_i.rd) valid_d[w] = valid_d[w] | put;
        end
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid_q <= '0;
      pred_q  <= '0;
      sleep_q <= '0;
    end else if (enable_i) begin
      valid_q <= valid_d;
      pred_q  <= pred_d;
      sleep_q <= sleep_d;
    end
  end

  assign sb_sleep_o = sleep_q;

  // Fields that concern others.
  logic unused;
  assign unused = ^{check_dec_i, done};

  // There is an entry for whatever issues.
  `ASSERT(a_room, !alloc || !check_needs_i.rd || put != '0)

endmodule
