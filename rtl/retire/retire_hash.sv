// SPDX-License-Identifier: Apache-2.0 Hash of every warp's divergence state (isa/doc/03-divergence.md), of what is stored. A mask
// that a step of `divergence` takes out is folded out as memory holds it; what it puts in is read back from there in the next cycle
// and folded in then; the lanes that have exited are those that issue looks up with the query. So a write that goes wrong shows at
// the next issue of its warp.
// Latency: stage 1 forms what a step takes out, stage 2 adds what is stored now, rotates and folds: a query sees a step, and a
// start, two cycles after it.
// Handshake: events, and nothing waits for it. No step in the cycle of a start.
// It does not choose among the changes.
`include "heddle_assert.svh"

module retire_hash (
  input  logic                       clk_i,
  input  logic                       rst_ni,
  // from the dispatcher: a warp starts
  input  logic                       start_valid_i,
  input  logic [cfg_pkg::WARP_W-1:0] start_slot_i,
  // from the divergence unit: what a step does; what is stored where this looks
  input  divergence_pkg::did_t       dv_did_i,
  output divergence_pkg::look_t      rh_look_o,
  input  divergence_pkg::stored_t    dv_stored_i,
  // from and to issue: the warp of the hash that is read
  input  logic [cfg_pkg::WARP_W-1:0] q_slot_i,
  input  logic [31:0]                q_live_i,
  output logic [63:0]                ret_hash_o
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

  // ---- stage 1: what goes of a barrier, of the paths that wait; and where to look for what comes ----------------------------
  // A path that is parked is an item, the first one of a barrier or one of the list: a step changes one of the two. One that
  // leaves the list to wait changes no set.
  logic                       bar, path, bar_q, path_q, sets_q, list_q, push_q;
  logic [63:0]                bar_gone, bar_gone_q, path_gone_q;
  logic [4:0]                 name_q;
  logic [31:0]                strays_q;
  divergence_pkg::path_t      parked_old;
  divergence_pkg::look_t      look_q;

  assign bar  = dv_did_i.bar || (dv_did_i.listed && dv_did_i.push);
  assign path = dv_did_i.push || dv_did_i.pop;

  always_comb begin
    parked_old.mask = dv_did_i.sets.parked & ~dv_did_i.strays;
    parked_old.pc   = dv_did_i.sets.parkpc;
    if (dv_did_i.park || dv_did_i.listed) begin
      parked_old.mask = dv_did_i.entry_old;
      parked_old.pc   = dv_did_i.entry.pc;
    end
  end

  always_comb begin
    bar_gone = 'x;   // is taken if a barrier changes
    if (bar) begin
      bar_gone = parked(dv_did_i.look.bx, parked_old.pc[23:0], parked_old.mask);
      if (dv_did_i.bar) bar_gone = bar_gone ^ item({3'b001, dv_did_i.look.bx}, '0, dv_did_i.sets.members);
      else              bar_gone = bar_gone ^ parked(dv_did_i.look.bx, dv_did_i.entry.pc[23:0], dv_did_i.entry.mask);
    end
  end

  always_ff @(posedge clk_i) begin
    bar_q  <= rst_ni && bar;
    path_q <= rst_ni && path;
  end

  always_ff @(posedge clk_i) begin
    if (bar || path) look_q <= dv_did_i.look;
    if (bar) begin
      bar_gone_q <= bar_gone;
      sets_q     <= dv_did_i.bar;
      list_q     <= dv_did_i.bar && dv_did_i.park;
      strays_q   <= dv_did_i.strays;
    end
    if (path) begin
      path_gone_q <= dv_did_i.pop ? {3'b100, dv_did_i.name, dv_did_i.top.pc[23:0], dv_did_i.top.mask} : '0;
      push_q      <= dv_did_i.push;
      name_q      <= dv_did_i.name;
    end
  end

  assign rh_look_o = look_q;

  // ---- stage 2: what is stored now --------------------------------------------------------------------------------------------
  logic [63:0] bar_new, path_new, change;

  always_comb begin
    change   = '0;
    bar_new  = '0;
    path_new = '0;
    if (bar_q) begin
      if (sets_q)            bar_new = item({3'b001, look_q.bx}, '0, dv_stored_i.sets.members);
      if (list_q)            bar_new = bar_new ^ parked(look_q.bx, dv_stored_i.entry.pc[23:0], dv_stored_i.entry.mask);
      if (sets_q && !list_q) bar_new = bar_new ^ parked(look_q.bx, dv_stored_i.sets.parkpc[23:0], dv_stored_i.sets.parked & ~strays_q);
      change = rotl(bar_gone_q ^ bar_new, {look_q.bx, 1'b0} + 6'(look_q.bx) + 6'd2);
    end
    if (path_q) begin
      if (push_q) path_new = {3'b100, name_q, dv_stored_i.path.pc[23:0], dv_stored_i.path.mask};
      change = change ^ rotl(path_gone_q ^ path_new, {name_q, 1'b1});
    end
  end

  // A start brings the hash of nothing, a cycle later.
  logic                       start_q, step_q;
  logic [cfg_pkg::WARP_W-1:0] start_slot_q;
  logic [63:0]                kept, hash, asked;

  always_ff @(posedge clk_i) begin
    start_q <= rst_ni && start_valid_i;
    if (start_valid_i) start_slot_q <= start_slot_i;
  end

  assign step_q = bar_q || path_q;
  assign hash   = step_q ? kept ^ change : '0;

  ram_async #(.WIDTH(64), .DEPTH(WARPS)) u_kept (
    .clk_i     (clk_i),
    .wr_en_i   (start_q || step_q),
    .wr_addr_i (step_q ? look_q.slot : start_slot_q),
    .wr_data_i (hash),
    .rd_addr_i (look_q.slot),
    .rd_data_o (kept)
  );
  ram_async #(.WIDTH(64), .DEPTH(WARPS)) u_kept_q (
    .clk_i     (clk_i),
    .wr_en_i   (start_q || step_q),
    .wr_addr_i (step_q ? look_q.slot : start_slot_q),
    .wr_data_i (hash),
    .rd_addr_i (q_slot_i),
    .rd_data_o (asked)
  );

  assign ret_hash_o = asked ^ rotl(item(8'h10, '0, ~q_live_i), 6'd7);

  // The hash has 24 bits of a PC.
  logic unused;
  assign unused = ^{dv_did_i, dv_stored_i, parked_old};

  `ASSERT(a_step, !(bar || path) || !start_valid_i)
  // A path has lanes.
  `ASSERT(a_path, !dv_did_i.pop || dv_did_i.top.mask != '0)

endmodule
