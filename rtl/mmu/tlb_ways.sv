// SPDX-License-Identifier: Apache-2.0
// Translations of one page size, set associative, in block RAM: lookup, fill, invalidation.
// Latency: an operation reads its set in its cycle and compares in the next; a lookup's result is registered after two. A lookup a cycle.
// No handshake; after a fill, in the next cycle, only an invalidation of another set may follow (shared_tlb ensures it).
// A fill replaces the translation of its page in its space, else takes an empty way, else the next in turn.
// It does not choose the sets of an invalidation.
`include "heddle_assert.svh"

module tlb_ways #(
  parameter  int unsigned SETS  = 64,
  parameter  int unsigned WAYS  = 4,
  parameter  int unsigned KEY_W = mmu_pkg::PAGE_W,         // of a page's number
  parameter  int unsigned FRAME_W = mmu_pkg::FRAME_W,
  localparam int unsigned SET_W = $clog2(SETS),
  localparam int unsigned TAG_W = KEY_W - SET_W
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,
  // an operation
  input  logic                        look_i,
  input  logic                        fill_i,
  input  logic                        forget_i,       // invalidates in one set,
  input  logic                        wipe_i,         // with forget_i: whatever the set has (after reset)
  input  logic [SET_W-1:0]            set_i,
  // its operands, a cycle later
  input  logic [TAG_W-1:0]            tag_i,          // bits of the page's number above the set's
  input  logic [mmu_pkg::SPACE_W-1:0] space_i,
  input  logic                        write_i,
  input  logic [FRAME_W-1:0]          frame_i,
  input  logic                        shared_i,
  input  logic                        stores_i,
  input  logic                        all_spaces_i,
  input  logic                        all_pages_i,
  // a lookup's result, two cycles after it
  output logic                        hit_o,
  output logic [FRAME_W-1:0]          frame_o,
  output logic                        shared_o,
  output logic                        stores_o
);

  typedef struct packed {
    logic                        valid;
    logic                        shared;
    logic                        stores;
    logic [mmu_pkg::SPACE_W-1:0] space;
    logic [TAG_W-1:0]            tag;
    logic [FRAME_W-1:0]          frame;
  } way_t;
  localparam int unsigned OUT_W = FRAME_W + 2;

  logic               look_q, fill_q, forget_q, wipe_q;
  logic [SET_W-1:0]   set_q;
  way_t [WAYS-1:0]    row, next;
  logic [WAYS-1:0]    write, same, near, hits, goes, empty, victim, turn_q;
  logic [WAYS-1:0][OUT_W-1:0] outs;
  logic [OUT_W-1:0]   out;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      look_q   <= 1'b0;
      fill_q   <= 1'b0;
      forget_q <= 1'b0;
    end else begin
      look_q   <= look_i;
      fill_q   <= fill_i;
      forget_q <= forget_i;
    end
  end
  always_ff @(posedge clk_i) begin
    wipe_q <= wipe_i;
    set_q  <= set_i;
  end

  ram_apart #(.WIDTH(WAYS * $bits(way_t)), .DEPTH(SETS), .PARTS(WAYS)) u_rows (
    .clk_i     (clk_i),
    .rst_ni    (rst_ni),
    .wr_en_i   (write),
    .wr_addr_i (set_q),
    .wr_data_i (next),
    .rd_en_i   (look_i || fill_i || forget_i),
    .rd_addr_i (set_i),
    .rd_data_o (row)
  );

  // ---- the set that was read ------------------------------------------------------------------------
  always_comb begin
    for (int unsigned w = 0; w < WAYS; w++) begin
      same[w] = row[w].tag == tag_i;
      near[w] = row[w].valid && (row[w].space == space_i || row[w].shared || (fill_q && shared_i));
      hits[w] = near[w] && same[w] && (row[w].stores || !write_i);
      goes[w] = (all_pages_i || same[w]) && (all_spaces_i || row[w].space == space_i || (row[w].shared && !all_pages_i));
      empty[w] = !row[w].valid;
      outs[w] = {row[w].shared, row[w].stores, row[w].frame};
    end
  end

  onehot_mux #(.WIDTH(OUT_W), .N(WAYS)) u_out (
    .sel_i  (hits),
    .data_i (outs),
    .data_o (out)
  );
  always_ff @(posedge clk_i) begin
    if (!rst_ni) hit_o <= 1'b0;
    else         hit_o <= look_q && hits != '0;
    {shared_o, stores_o, frame_o} <= out;
  end

  // ---- the write ------------------------------------------------------------------------------------
  logic [WAYS-1:0]  choice;

  assign choice = ((near & same) != '0) ? near & same : (empty != '0) ? empty : turn_q;
  lowest_one #(.N(WAYS)) u_victim (
    .in_i     (choice),
    .onehot_o (victim),
    .index_o  (),
    .any_o    ()
  );

  assign write = (victim & {WAYS{fill_q}}) | (near & same & {WAYS{fill_q}}) | (goes & {WAYS{forget_q}}) | {WAYS{forget_q && wipe_q}};
  always_comb begin
    for (int unsigned w = 0; w < WAYS; w++) begin
      next[w] = '0;
      if (fill_q && victim[w]) begin
        next[w] = '{valid: 1'b1, shared: shared_i, stores: stores_i, space: space_i, tag: tag_i, frame: frame_i};
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni)     turn_q <= WAYS'(1);
    else if (fill_q) turn_q <= WAYS'({turn_q, turn_q} >> (WAYS - 1));
  end

  // At most one way has a page of a space.
  `ASSERT_IF(a_one, look_q, (near & same & ((near & same) - WAYS'(1))) == '0)

endmodule
