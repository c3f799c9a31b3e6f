// SPDX-License-Identifier: Apache-2.0
// rtl/mmu/walk_steps.sv: any tables, any answers; what is found of any page.
// config: tiny
`include "properties.svh"

module walk_steps_formal (
  input logic                       clk_i,
  input logic                       begins,
  input logic [mmu_pkg::PAGE_W-1:0] page,
  input logic                       write,
  input logic [mmu_pkg::ROOT_W-1:0] root,
  input logic                       take,
  input logic                       ready,
  input logic [1:0]                 part_valid,
  input logic [63:0]                part,
  input logic                       ends,
  input logic                       err
);
  `RESET

  logic             done, ac_valid;
  mmu_pkg::found_t  found;
  mmu_pkg::access_t ac;

  walk_steps u_dut (
    .clk_i        (clk_i),
    .rst_ni       (rst_ni),
    .start_i      (begins),
    .page_i       (page),
    .write_i      (write),
    .root_i       (root),
    .number_i     ('0),
    .done_o       (done),
    .take_i       (take),
    .found_o      (found),
    .ac_valid_o   (ac_valid),
    .ac_ready_i   (ready),
    .ac_o         (ac),
    .part_valid_i (part_valid),
    .part_i       (part),
    .end_valid_i  (ends),
    .end_err_i    (err)
  );

  // ---- the channel: parts of the request, both before the end without an error -------------
  logic        open_q, walks_q, swap_q;
  logic [1:0]  got_q;
  logic [63:0] word_q, from_q;          // what has come of the word; what a swap wants to find
  logic [2:0]  reads_q;                 // of this walk
  logic        write_q, same;
  assign same = swap_q && word_q == from_q;
  always_ff @(posedge clk_i) begin
    open_q  <= rst_ni && ((ac_valid && ready) || (open_q && !ends));
    walks_q <= rst_ni && (begins || (walks_q && !(done && take)));
    if (begins) begin
      reads_q <= '0;
      write_q <= write;
    end
    if (ac_valid && ready) begin
      got_q   <= '0;
      swap_q  <= ac.what == mmu_pkg::SWAP;
      from_q  <= ac.b;
      reads_q <= reads_q + 3'(ac.what == mmu_pkg::READ);
    end else begin
      got_q <= got_q | part_valid;
    end
    for (int unsigned i = 0; i < 2; i++) if (part_valid[i]) word_q[32*i +: 32] <= part[32*i +: 32];
  end
  `GIVEN(g_parts, (part_valid == '0 || (open_q && (part_valid & got_q) == '0)) && !(ends && part_valid != '0))
  `GIVEN(g_end, !ends || (open_q && (err || got_q == '1)))
  `GIVEN(g_start, !begins || !walks_q)

  // ---- what must be ---------------------------------------------------------------------------------
  logic [63:0] entry;
  logic        page_ok, marked;
  assign entry   = u_dut.entry_q;
  assign page_ok = entry[0] && entry[1] && entry[11:9] == '0 && entry[63:40] == '0
    && (u_dut.level_q == 2'd0 || (u_dut.level_q == 2'd1 && entry[20:12] == '0)) && (!write_q || entry[2]);
  assign marked  = entry[4] && (!write_q || entry[5]);

  // A walk reads four entries at most, one of each level.
  `PROVE(p_four, !walks_q || (reads_q <= 3'd4 && u_dut.state_q != 3'd0
    && reads_q == ((u_dut.state_q == 3'd1 && !u_dut.swap_q) ? 3'd3 : 3'd4) - 3'(u_dut.level_q)))
  // A find without a fault is a page that may be used as it is wanted, with A, and for a write with D.
  `PROVE(p_found, !(done && !found.fault) || (page_ok && marked && found.leaf.frame == entry[39:12]
    && found.leaf.shared == entry[3] && found.leaf.stores == (entry[2] && entry[5]) && found.leaf.big == (u_dut.level_q == 2'd1)))
  // A changed entry is a page that may be used, and gets A, for a write D, and nothing else.
  `PROVE(p_swap, !(ac_valid && ac.what == mmu_pkg::SWAP) || (page_ok && ac.b == entry && !marked
    && ac.c == (entry | 64'h10 | (write_q ? 64'h20 : 64'h0))))
  // A swap that found what was read is the last access.
  logic last_q;
  always_ff @(posedge clk_i) last_q <= rst_ni && walks_q && !begins && (last_q || (ends && !err && same)) && !(done && take);
  `BOUND(24, p_last, !last_q || (done && !ac_valid))
  // Four tables are read, and a swap that found another value is repeated.
  `REACH(r_again, walks_q && reads_q == 3'd4 && ac_valid && ac.what == mmu_pkg::SWAP && swap_q && word_q != from_q)
endmodule
