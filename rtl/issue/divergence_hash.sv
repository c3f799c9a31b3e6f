// SPDX-License-Identifier: Apache-2.0
// Hash of every warp's divergence state (isa/doc/03-divergence.md), of what is stored. What a step takes out is folded out as memory
// holds it; what it puts in is read back from there in the next cycle and folded in then; the lanes that have exited are those
// that issue looks up with the query. So a write that goes wrong shows at the next issue of its warp.
// Latency: stage 1 forms the item that a step takes out, stage 2 adds what is stored now, rotates and folds; a query sees a step two
// cycles after it, one that changes a barrier and a path three cycles after it, and a start two or three cycles after it.
// Handshake: busy_o forbids a step and follows one that changes a barrier and a path, since there is one rotator. A step changes
// one barrier, or a waiting path, or both. No step in the cycle of a start, and no start in the cycle after one.
// It does not know which of the changes are wanted. Nothing of it is left where nobody looks at the hash, but for busy_o.
`default_nettype none
`include "heddle_assert.svh"
`include "heddle_idle.svh"

module divergence_hash (
  input  logic                       clk_i,
  input  logic                       rst_ni,
  // from the dispatcher: a warp starts
  input  logic                       start_valid_i,
  input  logic [cfg_pkg::WARP_W-1:0] start_slot_i,
  // from the control unit: a step of warp `slot`
  output logic                       busy_o,
  input  logic [cfg_pkg::WARP_W-1:0] slot_i,
  input  logic                       bar_i,          // B[x], P[x] change
  input  logic                       sets_i,         // ... and are written
  input  logic                       list_i,         // ... and P[x] by an entry of the list that is written
  input  logic [4:0]                 bx_i,           // 16: W
  input  logic [31:0]                strays_i,       // of the lanes of P[x] those that are parked beside its first path
  input  logic [31:0]                members_old_i,
  input  divergence_pkg::path_t      parked_old_i,
  input  divergence_pkg::path_t      parked_new_i,   // where nothing is written that has it
  input  logic [4:0]                 list_place_i,
  input  logic                       push_i,         // a path comes
  input  logic                       pop_i,          // a path goes
  input  logic [4:0]                 path_name_i,    // depth, or lowest lane
  input  logic [4:0]                 path_place_i,   // where it is put
  input  divergence_pkg::path_t      path_i,         // that goes
  // from and to storage
  output logic [cfg_pkg::WARP_W-1:0] see_slot_o,
  output logic [4:0]                 see_bx_o,
  output logic [4:0]                 see_list_o,
  output logic [4:0]                 see_place_o,
  input  divergence_pkg::sets_t      see_sets_i,
  input  divergence_pkg::path_t      see_entry_i,
  input  divergence_pkg::path_t      see_path_i,
  // from and to issue
  input  logic [cfg_pkg::WARP_W-1:0] q_slot_i,
  input  logic [31:0]                q_live_i,
  output logic [63:0]                q_hash_o
);

  localparam int unsigned WARPS = cfg_pkg::WARPS;

  function automatic logic [63:0] item(input logic [7:0] tag, input logic [23:0] pc, input logic [31:0] mask);
    item = (mask == '0) ? '0 : {tag, pc, mask};
  endfunction

  function automatic logic [63:0] rotl(input logic [63:0] word, input logic [5:0] by);
    logic [63:0] r;
    r = word;
    for (int unsigned i = 0; i < 6; i++) begin
      if (by[i]) r = (r << (1 << i)) | (r >> (64 - (1 << i)));
    end
    rotl = r;
  endfunction

  // P[x] rotates by 15 more than B[x], which rotates by 3x + 2 (x = 16: W); P[W] by 3 more.
  function automatic logic [63:0] parked(input logic [4:0] bx, input logic [23:0] pc, input logic [31:0] mask);
    parked = rotl(item({3'b010, bx}, 24'(divergence_pkg::pc_of(32'(pc))), mask), bx[4] ? 6'd3 : 6'd15);
  endfunction

  // ---- stage 1: what goes, and where to look for what comes; a path that waits for the next turn ---------------------------
  logic                       valid_q, second_q, start_q, sets_q, list_q, push_q, second_push_q;
  logic [cfg_pkg::WARP_W-1:0] slot_q;
  logic [63:0]                item_d, item_q;
  logic [5:0]                 by_d, by_q;
  logic [4:0]                 bx_q, list_place_q, path_place_q, name_q;
  logic [31:0]                strays_q;
  divergence_pkg::path_t      second_path_q;

  assign busy_o = second_q || (start_q && valid_q);

  always_comb begin
    item_d = 'x;   // is taken if there is one
    by_d   = 'x;
    if (`HEDDLE_LIVE(push_i || pop_i)) begin
      item_d = pop_i ? {3'b100, path_name_i, path_i.pc[23:0], path_i.mask} : '0;
      by_d   = {path_name_i, 1'b1};
    end
    if (second_q) begin
      item_d = second_push_q ? '0 : {3'b100, name_q, second_path_q.pc[23:0], second_path_q.mask};
      by_d   = {name_q, 1'b1};
    end else if (bar_i) begin
      item_d = parked(bx_i, parked_old_i.pc[23:0], parked_old_i.mask);
      if (sets_i) item_d = item_d ^ item({3'b001, bx_i}, '0, members_old_i);
      else        item_d = item_d ^ parked(bx_i, parked_new_i.pc[23:0], parked_new_i.mask);
      by_d   = {bx_i, 1'b0} + 6'(bx_i) + 6'd2;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid_q  <= 1'b0;
      second_q <= 1'b0;
    end else begin
      valid_q  <= second_q || bar_i || push_i || pop_i;
      second_q <= bar_i && (push_i || pop_i);
    end
  end

  always_ff @(posedge clk_i) begin
    if (second_q || bar_i || push_i || pop_i) begin
      item_q <= item_d;
      by_q   <= by_d;
      sets_q <= bar_i && sets_i;
      list_q <= bar_i && list_i;
      push_q <= second_q ? second_push_q : push_i && !bar_i;
    end
    if (bar_i || push_i || pop_i) begin
      slot_q        <= slot_i;
      second_push_q <= push_i;
      name_q        <= path_name_i;
      path_place_q  <= path_place_i;
    end
    if (bar_i) begin
      bx_q          <= bx_i;
      strays_q      <= strays_i;
      list_place_q  <= list_place_i;
      second_path_q <= path_i;
    end
  end

  // ---- stage 2: what is stored now --------------------------------------------------------------------------------------------
  logic [63:0] stored;

  assign see_slot_o  = slot_q;
  assign see_bx_o    = bx_q;
  assign see_list_o  = list_place_q;
  assign see_place_o = path_place_q;

  always_comb begin
    stored = '0;
    `HEDDLE_ONLY(valid_q) begin
      if (sets_q)            stored = item({3'b001, bx_q}, '0, see_sets_i.members);
      if (list_q)            stored = stored ^ parked(bx_q, see_entry_i.pc[23:0], see_entry_i.mask);
      if (sets_q && !list_q) stored = stored ^ parked(bx_q, see_sets_i.parkpc[23:0], see_sets_i.parked & ~strays_q);
      if (push_q)            stored = {3'b100, name_q, see_path_i.pc[23:0], see_path_i.mask};
    end
  end

  // A start brings the hash of nothing, a cycle later; where the path of a step before it is folded in then, one more: the warp
  // of the path may be asked about already, the one that starts may not.
  logic [cfg_pkg::WARP_W-1:0] start_slot_q;
  logic [63:0]                kept, hash, asked;

  always_ff @(posedge clk_i) begin
    start_q <= rst_ni && (start_valid_i || (start_q && valid_q));
    if (start_valid_i) start_slot_q <= start_slot_i;
  end

  assign hash = valid_q ? kept ^ rotl(item_q ^ stored, by_q) : '0;

  ram_async #(.WIDTH(64), .DEPTH(WARPS)) u_kept (
    .clk_i     (clk_i),
    .wr_en_i   (start_q || valid_q),
    .wr_addr_i (valid_q ? slot_q : start_slot_q),
    .wr_data_i (hash),
    .rd_addr_i (slot_q),
    .rd_data_o (kept)
  );
  ram_async #(.WIDTH(64), .DEPTH(WARPS)) u_kept_q (
    .clk_i     (clk_i),
    .wr_en_i   (start_q || valid_q),
    .wr_addr_i (valid_q ? slot_q : start_slot_q),
    .wr_data_i (hash),
    .rd_addr_i (q_slot_i),
    .rd_data_o (asked)
  );

  assign q_hash_o = asked ^ rotl(item(8'h10, '0, ~q_live_i), 6'd7);

  // The hash has 24 bits of a PC.
  logic unused;
  assign unused = &{1'b0, path_i.pc[31:24], second_path_q.pc[31:24], see_path_i.pc[31:24], parked_old_i.pc[31:24],
    parked_new_i.pc[31:24], see_entry_i.pc[31:24], see_sets_i.parkpc[31:24], 1'b0};

  // Steps come when they may, and a start finds no item in its way.
  `ASSERT(a_step, !(bar_i || push_i || pop_i) || (!busy_o && !start_valid_i))
  `ASSERT(a_start, !(start_q && start_valid_i))
  // A path has lanes.
  `ASSERT(a_path, !pop_i || path_i.mask != '0)
  // An entry of the list is written beside the sets.
  `ASSERT(a_list, !(bar_i && list_i) || sets_i)

endmodule

`default_nettype wire
