// SPDX-License-Identifier: Apache-2.0
// rtl/fetch/refetch.sv (warps that are sent back for want of a page), with any warp followed. Caches answer a listed request
// by a fault alone if the page has come to it since the last REPLAY: so what holds may wait for the next one.
// config: tiny
// quick
`include "properties.svh"

module refetch_formal (
  input logic                       clk_i,
  input logic                       replay,
  input logic                       fail,
  input logic                       absent,
  input logic                       absent_cst,
  input logic [cfg_pkg::WARP_W-1:0] slot,
  input logic [31:0]                pc,
  input logic [cfg_pkg::WARPS-1:0]  sel,
  input logic [cfg_pkg::WARPS-1:0]  clear,
  input logic                       busy,
  input logic [cfg_pkg::WARPS-1:0]  want,
  input logic [cfg_pkg::WARP_W-1:0] turn,
  input logic [cfg_pkg::WARP_W-1:0] any
);
  `RESET
  localparam int unsigned WARPS = cfg_pkg::WARPS;

  logic                       lost, lost_cst;
  logic [WARPS-1:0]           leaves, go, hold, lists, wants, ask, one;
  logic [cfg_pkg::WARP_W-1:0] go_slot, me_q;
  logic [31:0]                go_pc;

  // One warp requests at the most, and none that holds.
  assign ask = want & ~hold & (WARPS'(1) << turn);

  refetch u_dut (
    .clk_i        (clk_i),
    .rst_ni       (rst_ni),
    .replay_i     (replay),
    .fail_i       (fail),
    .absent_i     (absent),
    .absent_cst_i (absent_cst),
    .slot_i       (slot),
    .pc_i         (pc),
    .lost_o       (lost),
    .lost_cst_o   (lost_cst),
    .sel_i        (sel),
    .clear_i      (clear),
    .busy_i       (busy),
    .ask_i        (ask),
    .leaves_o     (leaves),
    .go_o         (go),
    .go_slot_o    (go_slot),
    .go_pc_o      (go_pc),
    .hold_o       (hold),
    .lists_o      (lists),
    .wants_o      (wants)
  );

  // The followed warp has one of four states. It has requested with the list, and no REPLAY came since. It has been sent back
  // and has not requested. A FAIL has found it holding, since its last request with the list. It was sent back for its
  // constant.
  logic told_q, back_q, failed_q, named_q, kept_q, cst_q;
  logic [31:0] pc_q;
  assign one = WARPS'(1) << me_q;
  always_ff @(posedge clk_i) begin
    me_q <= rst_ni ? me_q : any;
    if (!rst_ni || clear[me_q]) begin
      told_q   <= 1'b0;
      back_q   <= 1'b0;
      failed_q <= 1'b0;
    end else begin
      told_q   <= (told_q && !replay) || (ask & lists & one) != '0;
      back_q   <= (back_q && !ask[me_q]) || go[me_q];
      failed_q <= (failed_q && (ask & lists & one) == '0) || (replay && fail && told_q && (back_q || leaves[me_q]));
    end
    named_q <= rst_ni && absent && slot == me_q && leaves == '0;
    kept_q  <= rst_ni && leaves[me_q] && !go[me_q] && !clear[me_q];
    if (absent && leaves == '0) pc_q <= pc;
    if (absent && leaves == '0 && slot == me_q) cst_q <= absent_cst;
  end

  // The warp that issue names is in the check stage: it has not been sent back, or has requested since.
  `GIVEN(g_named, !absent || !(slot == me_q && (back_q || leaves[me_q])))

  // A warp that waits for the host is in the list since the last REPLAY.
  `PROVE(p_told, !hold[me_q] || told_q)
  // ... and holds only between being sent back and the next request, so that no other warp is held.
  `PROVE(p_holds, !hold[me_q] || back_q)
  // A REPLAY ends it.
  `PROVE(p_replay, !(back_q && !told_q) || !hold[me_q])
  // The host's list gets the word alone that is requested first after the return.
  `PROVE(p_first, !lists[me_q] || back_q)
  // A constant comes to the list while its word has, and no longer.
  `PROVE(p_constant, !wants[me_q] || told_q)
  // A warp that is named is sent back, or is about to be until it is, or sent elsewhere.
  `PROVE(p_named, !named_q || leaves[me_q])
  // ... in which it does not change its mind.
  `PROVE(p_kept, !kept_q || leaves[me_q])
  // It goes to the word that lacked its page, as soon as it is its turn.
  `PROVE(p_goes, !(leaves[me_q] && !busy && !clear[me_q]) || (go == one && go_slot == me_q && go_pc == pc_q))
  // It is lost only behind a FAIL that has found it waiting.
  `PROVE(p_lost, !(slot == me_q && (lost || lost_cst)) || failed_q)
  // ... and only what it waited for: its word, or its constant.
  `PROVE(p_kind, !(slot == me_q && (lost || lost_cst)) || (cst_q ? !lost : !lost_cst))
  // One that has waited through a REPLAY, a FAIL, and is lost.
  `REACH(r_lost, slot == me_q && lost && !told_q)

endmodule
