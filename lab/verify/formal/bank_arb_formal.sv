// SPDX-License-Identifier: Apache-2.0
// rtl/operand/bank_arb.sv of two readers, each of which wants any banks in any cycle.
// config: fpga
// quick
`include "properties.svh"

module bank_arb_formal (
  input logic                             clk_i,
  input logic [1:0][cfg_pkg::BANKS-1:0]   want,
  input logic [1:0][cfg_pkg::BANKS-1:0]   en,         // of these it reads, if it may
  input bus_pkg::bank_read_t [1:0]        at          // there; nothing else of it counts
);
  `RESET
  localparam int unsigned BANKS = cfg_pkg::BANKS;

  logic [1:0][BANKS-1:0]     free;
  bus_pkg::bank_read_t [1:0] reads;
  bus_pkg::bank_read_t       read;

  bank_arb u_dut (
    .clk_i     (clk_i),
    .rst_ni    (rst_ni),
    .op_want_i (want),
    .ba_free_o (free),
    .op_read_i (reads),
    .ba_read_o (read)
  );

  // Either reader: which one stays open.
  logic                  who_q;
  logic [BANKS-1:0]      got;    // what it wants, and may read
  logic                  short_q, clash_q;
  assign got = want[who_q] & free[who_q];
  always_ff @(posedge clk_i) begin
    who_q   <= who_q;
    short_q <= rst_ni && got != want[who_q];
    clash_q <= rst_ni && (want[0] & want[1]) != '0;
  end

  // Each reads what it may, and names no row of another bank.
  always_comb begin
    reads = at;
    for (int k = 0; k < 2; k++) begin
      reads[k].en = want[k] & free[k] & en[k];
      for (int b = 0; b < int'(BANKS); b++) if (!reads[k].en[b]) reads[k].group[b] = '0;
    end
  end
  logic same;
  always_comb begin
    same = read.en == (reads[0].en | reads[1].en);
    for (int b = 0; b < int'(BANKS); b++) begin
      if (reads[who_q].en[b]) same = same && read.group[b] == at[who_q].group[b] && read.beat[b] == at[who_q].beat[b];
    end
  end

  // Each read of a reader is one of the register file, and there is no other.
  `PROVE(p_read, same)
  // No bank is read by both in one cycle.
  `PROVE(p_apart, (want[0] & free[0] & want[1] & free[1]) == '0)
  // A bank that one reader alone wants is free for it.
  `PROVE(p_alone, (want[who_q] & ~want[!who_q] & ~got) == '0)
  // One of the two may read all that it wants.
  `PROVE(p_one, (want[0] & ~free[0]) == '0 || (want[1] & ~free[1]) == '0)
  // A reader that lacked a bank may read all in the next cycle.
  `PROVE(p_turn, !short_q || got == want[who_q])
  // Both want one bank twice running, and each has it once.
  `REACH(r_turns, clash_q && short_q && (want[0] & want[1]) != '0 && got == want[who_q])
endmodule
