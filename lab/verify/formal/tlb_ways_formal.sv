// SPDX-License-Identifier: Apache-2.0
// rtl/mmu/tlb_ways.sv, of four sets of two. Any page of any space is followed, with its set as the memory has it.
// config: tiny
// memories: free
// without u_dut.a_one: the content of other sets is any; p_hit says it of any page
`include "properties.svh"

module tlb_ways_formal (
  input logic                         clk_i,
  input logic                         look,
  input logic                         fill,
  input logic                         forget,
  input logic                         wipe,
  input logic [1:0]                   set,
  // of the operation before
  input logic [mmu_pkg::PAGE_W-3:0]   key,
  input logic [mmu_pkg::SPACE_W-1:0]  space,
  input logic                         write,
  input logic [mmu_pkg::FRAME_W-1:0]  frame,
  input logic                         shared,
  input logic                         stores,
  input logic                         all_spaces,
  input logic                         all_pages
);
  `RESET
  localparam int unsigned WAYS    = 2;
  localparam int unsigned TAG_W   = mmu_pkg::PAGE_W - 2;
  localparam int unsigned FRAME_W = mmu_pkg::FRAME_W;

  logic               hit, shared_out, stores_out;
  logic [FRAME_W-1:0] frame_out;

  tlb_ways #(.SETS(4), .WAYS(WAYS)) u_dut (
    .clk_i        (clk_i),
    .rst_ni       (rst_ni),
    .look_i       (look),
    .fill_i       (fill),
    .forget_i     (forget),
    .wipe_i       (wipe),
    .set_i        (set),
    .tag_i        (key),
    .space_i      (space),
    .write_i      (write),
    .frame_i      (frame),
    .shared_i     (shared),
    .stores_i     (stores),
    .all_spaces_i (all_spaces),
    .all_pages_i  (all_pages),
    .hit_o        (hit),
    .frame_o      (frame_out),
    .shared_o     (shared_out),
    .stores_o     (stores_out)
  );

  // One operation at a time, and none of a set that is being written.
  `GIVEN(g_one, 32'(look) + 32'(fill) + 32'(forget) <= 1)
  `GIVEN(g_apart, !((look || fill || forget) && (u_dut.fill_q || u_dut.forget_q) && set == u_dut.set_q))

  // ---- the page, the space; the set ------------------------------------------------------------------
  typedef struct packed {
    logic                        valid;
    logic                        shared;
    logic                        stores;
    logic [mmu_pkg::SPACE_W-1:0] space;
    logic [TAG_W-1:0]            tag;
    logic [FRAME_W-1:0]          frame;
  } way_t;

  logic [1:0]                  watch_q;
  logic [mmu_pkg::SPACE_W-1:0] s_q;
  logic [TAG_W-1:0]            t_q;
  way_t [WAYS-1:0]             row_q, row, next;
  logic [WAYS-1:0]             good_q, covers, gives;      // good: it was filled for this page, and is valid
  logic                        here, single, wiped_q, looked_q, looked_write_q;

  assign row  = u_dut.row;
  assign next = u_dut.next;
  assign here = (u_dut.look_q || u_dut.fill_q || u_dut.forget_q) && u_dut.set_q == watch_q;
  assign single = 32'(u_dut.look_q) + 32'(u_dut.fill_q) + 32'(u_dut.forget_q) <= 1;
  `GIVEN(g_memory, !here || row == row_q)

  always_ff @(posedge clk_i) begin
    watch_q <= watch_q;
    s_q     <= s_q;
    t_q     <= t_q;
    wiped_q <= rst_ni && (wiped_q || (here && u_dut.forget_q && u_dut.wipe_q));
    looked_q       <= rst_ni && here && u_dut.look_q && key == t_q && space == s_q && wiped_q;
    looked_write_q <= write;
    for (int unsigned w = 0; w < WAYS; w++) begin
      if (u_dut.write[w] && u_dut.set_q == watch_q) row_q[w] <= next[w];
      if (here && u_dut.fill_q && u_dut.victim[w]) good_q[w] <= key == t_q && (space == s_q || shared);
      else if (here && u_dut.forget_q && (u_dut.wipe_q || ((all_pages || key == t_q)
          && (all_spaces || (row_q[w].shared ? !all_pages : space == s_q))))) good_q[w] <= 1'b0;
    end
  end

  always_comb begin
    for (int unsigned w = 0; w < WAYS; w++) begin
      covers[w] = row_q[w].valid && row_q[w].tag == t_q && (row_q[w].space == s_q || row_q[w].shared);
      gives[w]  = covers[w] && good_q[w] && frame_out == row_q[w].frame && shared_out == row_q[w].shared && stores_out == row_q[w].stores
        && (row_q[w].stores || !looked_write_q);
    end
  end

  // A hit was filled for this page, in this space or for all, since the last invalidation that covers it, a store's with D;
  // one way at most has it.
  `PROVE(p_hit, single && (!wiped_q || ((covers & ~good_q) == '0 && covers != '1 && (!(looked_q && hit) || gives != '0))))
  // An entry of the set is found, unless a store lacks D.
  `PROVE(p_found, single && (!(looked_q && covers != '0 && !looked_write_q) || hit))
  // A store finds its page in a set where another space has the same one.
  `REACH(r_store, looked_q && hit && looked_write_q && row_q[0].valid && row_q[1].valid && row_q[0].tag == row_q[1].tag)
endmodule
