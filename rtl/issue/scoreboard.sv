// SPDX-License-Identifier: Apache-2.0
// Scoreboard (dependency mode `scoreboard`): destinations of instructions that have not written yet: for each warp its pending
// predicates, and the registers of at most ENTRIES instructions; uniform ones among them. The head of each warp is held
// against them before it may be selected.
// Latency: a head is looked at in the cycle after its entry is written or its warp selected (one warp a cycle, in turns), and
// may be selected a cycle later. A result that ends in cycle t frees the heads that need it alone in t+1.
// Handshake: none. A warp that is not held (sb_hold_o) finds nothing pending that its head reads or writes, and an entry.
// It does not watch write-after-read: operands of a warp are read in order, before the warp issues again.
`include "heddle_assert.svh"
`include "heddle_idle.svh"

module scoreboard #(
  parameter int unsigned ENTRIES = 4
) (
  input  logic                              clk_i,
  input  logic                              rst_ni,
  input  logic                              enable_i,
  // from and to the instruction buffer: heads that can be looked at; warps whose head becomes another one; one head
  input  logic [cfg_pkg::WARPS-1:0]         there_i,
  input  logic [cfg_pkg::WARPS-1:0]         moves_i,
  output logic [cfg_pkg::WARP_W-1:0]        look_slot_o,
  input  issue_pkg::look_t                  look_i,          // of that warp
  // from S1: the instruction that stands there
  input  logic [cfg_pkg::WARPS-1:0]         here_i,
  input  logic [cfg_pkg::WARP_W-1:0]        slot_i,
  input  issue_pkg::dest_t                  dest_i,
  input  logic                              alloc_i,         // it issues
  // from writeback (alu, fma, cvt, half), uni and, as the last one, late results
  input  stage_pkg::ends_t                  ends_i,
  // to S0: not to be selected, and among these the ones that wait for a result
  output logic [cfg_pkg::WARPS-1:0]         sb_hold_o,
  output logic [cfg_pkg::WARPS-1:0]         sb_waits_o
);

  localparam int unsigned WARPS  = cfg_pkg::WARPS;
  localparam int unsigned WARP_W = cfg_pkg::WARP_W;
  localparam int unsigned NP     = issue_pkg::NP;
  // A register is a number, and (with unit uni) above it whether it is a uniform one; predicates are a set, uniform ones above.
  localparam int unsigned RW     = cfg_pkg::HAS_UNI ? 9 : 8;

  // What is pending.
  logic [WARPS-1:0][ENTRIES-1:0] valid_q, valid_d, live;
  logic [WARPS-1:0][NP-1:0]      pred_q, pred_d, live_pred;
  // What the head needs of it, once it has been looked at.
  logic [WARPS-1:0][ENTRIES-1:0] needs_q, needs_d;
  logic [WARPS-1:0][NP-1:0]      needs_pred_q, needs_pred_d;
  logic [WARPS-1:0]              needs_room_q, needs_room_d;
  logic [WARPS-1:0]              needs_s1_q, needs_s1_d;      // a result of the instruction in S1: a register,
  logic [WARPS-1:0]              needs_s1_pred_q, needs_s1_pred_d;  // a predicate
  logic [WARPS-1:0]              seen_q, hold_q, hold_d;

  // ---- registers: an entry's are written once, and looked up by the head and by each source of results -------------------------
  core_pkg::done_t                 done;
  logic [core_pkg::ENDS:0][WARP_W-1:0] done_slot;
  logic [core_pkg::ENDS:0][RW-1:0] done_rd;
  logic [core_pkg::ENDS:0]         done_has_rd;
  logic [core_pkg::ENDS:0][NP-1:0] done_pred;
  logic [ENTRIES-1:0]              put;
  logic [ENTRIES-1:0][RW+1:0]      entry;               // rd_n, rd
  logic [core_pkg::ENDS:0][ENTRIES-1:0][RW-1:0] old_rd;
  logic [RW+1:0]                   dest;
  logic                            alloc;

  always_comb begin
    done        = '0;
    done_slot   = 'x;
    done_rd     = 'x;
    done_has_rd = 'x;
    done_pred   = 'x;
    if (`HEDDLE_LIVE(enable_i)) begin   // nothing is kept otherwise
      for (int unsigned i = 0; i < core_pkg::ENDS + 1; i++) begin
        done           = ends_i.done[i];
        done_slot[i]   = done.slot;
        done_rd[i]     = RW'({done.to.uni, done.to.rd});
        done_has_rd[i] = done.to.has_rd;
        done_pred[i]   = done.preds ? issue_pkg::pred_every(done.to.uni)
          : issue_pkg::pred_set(done.to.uni, done.to.pd0) | issue_pkg::pred_set(done.to.uni, done.to.pd1);
      end
    end
  end

  assign alloc = alloc_i && enable_i;
  assign dest  = {dest_i.rd.more, RW'({dest_i.rd.uni, dest_i.rd.first})};

  arb_fixed #(.N(ENTRIES)) u_free (
    .req_i   (~valid_q[slot_i]),
    .grant_o (put)
  );

  for (genvar e = 0; e < ENTRIES; e++) begin : gen_entry
    ram_async #(.WIDTH(RW + 2), .DEPTH(WARPS)) u_check (
      .clk_i     (clk_i),
      .wr_en_i   (alloc && put[e]),
      .wr_addr_i (slot_i),
      .wr_data_i (dest),
      .rd_addr_i (look_slot_o),
      .rd_data_o (entry[e])
    );
    for (genvar i = 0; i < core_pkg::ENDS + 1; i++) begin : gen_done
      ram_async #(.WIDTH(RW), .DEPTH(WARPS)) u_old (
        .clk_i     (clk_i),
        .wr_en_i   (alloc && put[e]),
        .wr_addr_i (slot_i),
        .wr_data_i (dest[RW-1:0]),
        .rd_addr_i (done_slot[i]),
        .rd_data_o (old_rd[i][e])
      );
    end
  end

  // ---- a head is looked at ------------------------------------------------------------------------------------------------------
  logic [WARPS-1:0]   ask, turn;
  logic [ENTRIES-1:0] hit;
  logic               hit_s1, hit_s1_pred;

  assign ask = enable_i ? there_i & ~seen_q : '0;

  arb_rr #(.N(WARPS)) u_turn (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .req_i   (ask),
    .grant_o (turn),
    .take_i  (1'b1)
  );
  onehot_index #(.N(WARPS)) u_look (
    .onehot_i (turn),
    .index_o  (look_slot_o)
  );

  // Tuples start at multiples of their size, so they overlap when they agree above the larger size.
  function automatic logic overlap(input issue_pkg::tuple_t x, input logic [RW+1:0] y);
    overlap = x.there && RW'({x.uni, x.first[7:2], 2'b0}) == (y[RW-1:0] & ~RW'(3))
      && ((x.first[1:0] ^ y[1:0]) & ~(x.more | y[RW+1:RW])) == '0;
  endfunction
  function automatic logic touches(input issue_pkg::tuple_t [3:0] x, input logic [RW+1:0] y);
    touches = overlap(x[0], y) || overlap(x[1], y) || overlap(x[2], y) || overlap(x[3], y);
  endfunction

  always_comb begin
    hit         = '0;
    hit_s1      = 1'b0;
    hit_s1_pred = 1'b0;
    `HEDDLE_ONLY(ask != '0) begin
      for (int unsigned e = 0; e < ENTRIES; e++) hit[e] = valid_q[look_slot_o][e] && touches(look_i.regs, entry[e]);
      hit_s1      = here_i[look_slot_o] && dest_i.rd.there && touches(look_i.regs, dest);
      hit_s1_pred = here_i[look_slot_o] && (dest_i.pred & look_i.pred) != '0;
    end
  end

  // ---- state: of a register or a predicate there is never a second pending write ------------------------------------------------
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
    live            = valid_q;
    live_pred       = pred_q;
    needs_d         = needs_q;
    needs_pred_d    = needs_pred_q;
    needs_room_d    = needs_room_q;
    needs_s1_d      = needs_s1_q;
    needs_s1_pred_d = needs_s1_pred_q;
    hold_d          = hold_q;
    if (enable_i) begin
      for (int unsigned w = 0; w < WARPS; w++) begin
        for (int unsigned i = 0; i < core_pkg::ENDS + 1; i++) begin
          if (ends_i.valid[i] && done_slot[i] == WARP_W'(w)) begin
            live[w]      = live[w] & ~match[i];
            live_pred[w] = live_pred[w] & ~done_pred[i];
          end
        end
        if (turn[w]) begin
          needs_d[w]         = hit;
          needs_pred_d[w]    = look_i.pred;
          needs_room_d[w]    = look_i.regs[0].there;
          needs_s1_d[w]      = hit_s1;
          needs_s1_pred_d[w] = hit_s1_pred;
        end
        // What S1 holds counts as pending, whether it issues in this cycle or not: that comes late.
        hold_d[w] = (needs_d[w] & live[w]) != '0 || (needs_pred_d[w] & live_pred[w]) != '0 || needs_s1_d[w] || needs_s1_pred_d[w]
          || (needs_room_d[w] && (live[w] | ((here_i[w] && dest_i.rd.there) ? put : '0)) == '1);
      end
    end
  end

  always_comb begin
    valid_d = live;
    pred_d  = live_pred;
    if (alloc) begin
      pred_d[slot_i] = live_pred[slot_i] | dest_i.pred;
      if (dest_i.rd.there) valid_d[slot_i] = live[slot_i] | put;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || !enable_i) begin
      valid_q <= '0;
      pred_q  <= '0;
      seen_q  <= '0;
      hold_q  <= '1;
    end else begin
      valid_q <= valid_d;
      pred_q  <= pred_d;
      seen_q  <= (seen_q | turn) & ~moves_i;
      hold_q  <= (~(seen_q | turn) | hold_d) | moves_i;
    end
  end
  always_ff @(posedge clk_i) begin
    if (`HEDDLE_LIVE(enable_i)) begin
      needs_q         <= needs_d;
      needs_pred_q    <= needs_pred_d;
      needs_room_q    <= needs_room_d;
      needs_s1_q      <= needs_s1_d;
      needs_s1_pred_q <= needs_s1_pred_d;
      // As the instruction in S1 issues its results are pending as others are, in an entry that may have been another's.
      if (alloc) begin
        needs_q[slot_i]         <= needs_s1_d[slot_i] ? needs_d[slot_i] | put : needs_d[slot_i] & ~put;
        needs_s1_q[slot_i]      <= 1'b0;
        needs_s1_pred_q[slot_i] <= 1'b0;
      end
    end
  end

  assign sb_hold_o  = enable_i ? hold_q : '0;
  assign sb_waits_o = enable_i ? hold_q & seen_q : '0;

  // Fields that concern others.
  logic unused;
  assign unused = ^done;

  // There is an entry for whatever issues.
  `ASSERT(a_room, !alloc || !dest_i.rd.there || put != '0)

endmodule
