// SPDX-License-Identifier: Apache-2.0
// rtl/issue/scoreboard.sv, as `tiny` has it: any register and any predicate of any warp are followed
// through all instructions that write them, and any instruction of that warp is checked meanwhile. Tuples start at multiples of
// their size, as decode gives them: it is assumed. Predicate 7 is none.
// config: tiny
// memories: free
`include "properties.svh"

module scoreboard_formal (
  input logic                                              clk_i,
  input logic                                              check_valid,
  input logic [cfg_pkg::WARP_W-1:0]                        check_slot,
  input isa_pkg::dec_t                                     dec,
  input logic                                              issues,
  input logic [core_pkg::ENDS:0]                           done_valid,
  input logic [core_pkg::ENDS:0][$bits(core_pkg::done_t)-1:0]    done
);
  `RESET
  localparam int unsigned ENDS = core_pkg::ENDS;

  logic                      hazard, alloc;
  logic [cfg_pkg::WARPS-1:0] sleep;

  scoreboard u_dut (
    .clk_i         (clk_i),
    .rst_ni        (rst_ni),
    .enable_i      (1'b1),
    .check_valid_i (check_valid),
    .check_slot_i  (check_slot),
    .check_dec_i   (dec),
    .check_needs_i (issue_pkg::needs_of(dec)),
    .sb_hazard_o   (hazard),
    .alloc_i       (alloc),
    .done_valid_i  (done_valid),
    .done_i        (done),
    .sb_sleep_o    (sleep)
  );

  // What is refused does not issue.
  assign alloc = check_valid && issues && !hazard;

  `define SCORES u_dut
  `include "scoreboard_word.svh"

  // From the issue of an instruction that writes a register to the end of its result, whoever of its warp reads or writes it is
  // refused.
  `PROVE(p_register, exact && (!(reg_q && here && (reads_word || writes_word)) || hazard))
  // So is whoever reads or writes a predicate that is not written yet.
  `PROVE(p_predicate, (pred_q == isa_pkg::PT || set_q == u_dut.pred_q[slot_q][pred_q]) && (!(set_q && here && touches_pred) || hazard))
  // Each result under way has one entry, and gives it back with its end: a register with nothing
  // under way holds nobody up.
  `PROVE(p_entry, exact && (reg_q || !(here && plain) || !hazard))
  // Nor does a predicate.
  `PROVE(p_free, (pred_q == isa_pkg::PT || set_q == u_dut.pred_q[slot_q][pred_q]) && (set_q || !(here && guarded) || !hazard))
  // A warp that sleeps waits for something: its instruction would still be refused.
  `PROVE(p_sleep, !sleep[slot_q] || (asked_q && needs && (!(check_valid && here) || hazard)))
  // Two words of four are written, and the second is asked for.
  `REACH(r_word, reg_q && here && hazard && more_q == 2'd3 && dec.a_kind == isa_pkg::SRC_REG && dec.a_reg == first_q + 8'd1)
endmodule
