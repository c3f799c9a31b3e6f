// SPDX-License-Identifier: Apache-2.0
// TLB shared by all SMs, in block RAM: sets of pages of 4 KiB and sets of pages of 2 MiB, read together; if both hit, either is right.
// Latency: a lookup's result after two cycles; a lookup a cycle, none in the cycle after a fill.
// Handshake: op_ valid/ready, ready from registers. forget_ valid/ready: ready at the end of its walk over the sets, SETS + 2
// cycles for all pages, 3 for one; no lookups meanwhile. Reset wipes all sets in the same time.
// It does not request missing pages and keeps no faults.
`include "heddle_assert.svh"

module shared_tlb #(
  parameter  int unsigned ENTRIES = 256,          // pages of 4 KiB
  parameter  int unsigned LARGE   = 64,           // pages of 2 MiB
  parameter  int unsigned WAYS    = 4
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,
  // a lookup, or a walk's result
  input  logic                        op_valid_i,
  output logic                        op_ready_o,
  input  logic                        op_look_i,
  input  logic                        op_fill_i,
  input  logic [mmu_pkg::SPACE_W-1:0] op_space_i,
  input  logic [mmu_pkg::PAGE_W-1:0]  op_page_i,
  input  logic                        op_write_i,
  input  mmu_pkg::leaf_t              op_leaf_i,
  // two cycles later
  output logic                        hit_o,
  output mmu_pkg::leaf_t              leaf_o,
  // the invalidation
  input  logic                        forget_valid_i,
  output logic                        forget_ready_o,
  input  mmu_pkg::forget_t            forget_i
);

  localparam int unsigned SETS  = ENTRIES / WAYS;
  localparam int unsigned LSETS = LARGE / WAYS;
  localparam int unsigned SET_W  = $clog2(SETS);
  localparam int unsigned LSET_W = $clog2(LSETS);
  localparam int unsigned PART_W = mmu_pkg::PART_W;
  localparam int unsigned LFRAME_W = mmu_pkg::FRAME_W - PART_W;

  // ---- a walk over the sets ---------------------------------------------------------------------
  logic             wipe_q, walk_q, last_q, over_q, filled_q, take, one;
  logic [SET_W-1:0] set_q;

  assign one = !wipe_q && !forget_i.all_pages;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      wipe_q <= 1'b1;
      walk_q <= 1'b0;
      last_q <= 1'b0;
      over_q <= 1'b0;
      set_q  <= '0;
    end else begin
      last_q <= walk_q && (one || 32'(set_q) == SETS - 1);
      over_q <= last_q;
      if (last_q) wipe_q <= 1'b0;
      if (walk_q) begin
        set_q  <= set_q + 1'b1;
        walk_q <= !(one || 32'(set_q) == SETS - 1);
      end else if ((wipe_q || forget_valid_i) && !last_q && !over_q && !filled_q) begin
        walk_q <= 1'b1;
        set_q  <= '0;
      end
    end
  end
  assign forget_ready_o = over_q && forget_valid_i;

  // ---- lookups and fills ----------------------------------------------------------------------------
  assign op_ready_o = !wipe_q && !walk_q && !last_q && !forget_valid_i && !filled_q;
  assign take       = op_valid_i && op_ready_o;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) filled_q <= 1'b0;
    else         filled_q <= take && op_fill_i;
  end

  logic [mmu_pkg::SPACE_W-1:0] space_q;
  logic [mmu_pkg::PAGE_W-1:0]  at;
  logic [mmu_pkg::PAGE_W-1:SET_W] page_q;
  logic                        write_q, hit, lhit;
  mmu_pkg::leaf_t              leaf;
  logic [mmu_pkg::FRAME_W-1:0] frame_q;
  logic                        shared_q, stores_q;
  logic [LFRAME_W-1:0]         lframe;
  logic                        lshared, lstores;

  assign at = walk_q ? forget_i.page : op_page_i;
  always_ff @(posedge clk_i) begin
    space_q <= walk_q ? forget_i.space : op_space_i;
    page_q  <= at[mmu_pkg::PAGE_W-1:SET_W];
    write_q <= op_write_i;
    {frame_q, shared_q, stores_q} <= {op_leaf_i.frame, op_leaf_i.shared, op_leaf_i.stores};
  end

  tlb_ways #(.SETS(SETS), .WAYS(WAYS)) u_small (
    .clk_i        (clk_i),
    .rst_ni       (rst_ni),
    .look_i       (take && op_look_i),
    .fill_i       (take && op_fill_i && !op_leaf_i.big),
    .forget_i     (walk_q),
    .wipe_i       (wipe_q),
    .set_i        ((walk_q && !one) ? set_q : at[SET_W-1:0]),
    .tag_i        (page_q),
    .space_i      (space_q),
    .write_i      (write_q),
    .frame_i      (frame_q),
    .shared_i     (shared_q),
    .stores_i     (stores_q),
    .all_spaces_i (forget_i.all_spaces),
    .all_pages_i  (forget_i.all_pages),
    .hit_o        (hit),
    .frame_o      (leaf.frame),
    .shared_o     (leaf.shared),
    .stores_o     (leaf.stores)
  );
  assign leaf.big = 1'b0;

  // A walk over all sets repeats those of the smaller array.
  tlb_ways #(.SETS(LSETS), .WAYS(WAYS), .KEY_W(mmu_pkg::LARGE_W), .FRAME_W(LFRAME_W)) u_large (
    .clk_i        (clk_i),
    .rst_ni       (rst_ni),
    .look_i       (take && op_look_i),
    .fill_i       (take && op_fill_i && op_leaf_i.big),
    .forget_i     (walk_q),
    .wipe_i       (wipe_q),
    .set_i        ((walk_q && !one) ? LSET_W'(set_q) : at[PART_W +: LSET_W]),
    .tag_i        (page_q[mmu_pkg::PAGE_W-1:PART_W+LSET_W]),
    .space_i      (space_q),
    .write_i      (write_q),
    .frame_i      (frame_q[mmu_pkg::FRAME_W-1:PART_W]),
    .shared_i     (shared_q),
    .stores_i     (stores_q),
    .all_spaces_i (forget_i.all_spaces),
    .all_pages_i  (forget_i.all_pages),
    .hit_o        (lhit),
    .frame_o      (lframe),
    .shared_o     (lshared),
    .stores_o     (lstores)
  );

  assign hit_o  = hit || lhit;
  assign leaf_o = hit ? leaf : '{frame: {lframe, PART_W'(0)}, big: 1'b1, shared: lshared, stores: lstores};

  if (SETS < 2 || LSETS < 2 || LSETS > SETS || SET_W > PART_W) begin : gen_check
    $error("shared_tlb: sets of 4 KiB pages are 2 to 512, and not fewer than those of 2 MiB");
  end

  // An invalidation is held until taken.
  logic             held_q;
  mmu_pkg::forget_t held_what_q;
  always_ff @(posedge clk_i) begin
    held_q      <= rst_ni && forget_valid_i && !forget_ready_o;
    held_what_q <= forget_i;
  end
  `ASSUME_IF(a_forget, held_q, forget_valid_i && forget_i == held_what_q)

endmodule
