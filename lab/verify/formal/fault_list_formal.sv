// SPDX-License-Identifier: Apache-2.0
// rtl/mmu/fault_list.sv, of four places. Any page of any space is followed: whether it is in the list, and where.
// config: tiny
// memories: free
`include "properties.svh"

module fault_list_formal (
  input logic            clk_i,
  input logic            put,
  input mmu_pkg::fault_t what,
  input logic            empty,
  input logic [1:0]      read_at
);
  `RESET
  localparam int unsigned PLACES = 4;

  logic            put_ready, added;
  logic [2:0]      count;
  mmu_pkg::fault_t read;

  fault_list #(.PLACES(PLACES)) u_dut (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .put_valid_i (put),
    .put_ready_o (put_ready),
    .put_i       (what),
    .empty_i     (empty),
    .added_o     (added),
    .count_o     (count),
    .read_at_i   (read_at),
    .read_o      (read)
  );

  // An entry that is put stays until it is taken, and is not put beside an emptying.
  logic            held_q;
  mmu_pkg::fault_t held_what_q;
  always_ff @(posedge clk_i) begin
    held_q      <= rst_ni && put && !put_ready;
    held_what_q <= what;
  end
  `GIVEN(g_stable, !held_q || (put && what == held_what_q))
  `GIVEN(g_apart, !(put && empty))

  // ---- one page ------------------------------------------------------------------------------------
  logic [mmu_pkg::SPACE_W-1:0] s_q;
  logic [mmu_pkg::PAGE_W-1:0]  p_q;
  logic                        mine, in_q;
  logic [2:0]                  where_q, waited_q;
  assign mine = put && what.space == s_q && what.page == p_q;
  always_ff @(posedge clk_i) begin
    s_q <= s_q;
    p_q <= p_q;
    waited_q <= (rst_ni && put && !put_ready) ? waited_q + 3'd1 : '0;
    if (!rst_ni || empty) in_q <= 1'b0;
    else if (mine && u_dut.add) begin
      in_q    <= 1'b1;
      where_q <= count;
    end
  end
  // The memory's content of a place: this page where it was written, another one elsewhere.
  `GIVEN(g_memory, u_dut.at_q >= count
    || (u_dut.there.space == s_q && u_dut.there.page == p_q) == (in_q && u_dut.at_q == where_q))

  // A page is in the list once; it stays there until the list is emptied.
  `PROVE(p_once, (!in_q || where_q < count) && (!in_q || !mine || u_dut.at_q <= where_q) && !(in_q && mine && u_dut.add)
    && (held_q || u_dut.at_q == '0) && count <= 3'd4)
  // None is lost: one that is taken is in the list, comes to it, or finds it full.
  `PROVE(p_lost, !(mine && put_ready) || (in_q && u_dut.at_q == where_q) || u_dut.add || count == 3'd4)
  // ... and is taken after as many cycles as there are places, at most.
  `PROVE(p_soon, waited_q == u_dut.at_q && u_dut.at_q <= count && count <= 3'd4 && (held_q || u_dut.at_q == '0))
  // A place below the count keeps what was written.
  `PROVE(p_written, !u_dut.add || count < 3'd4)
  // The list is full, and this page the last of it.
  `REACH(r_full, count == 3'd4 && in_q && where_q == 3'd3)
endmodule
