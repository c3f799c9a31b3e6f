// SPDX-License-Identifier: Apache-2.0
// rtl/issue/scoreboard.sv, as `tiny` has it: any register and any predicate of any warp are followed
// through all instructions that write them, and so are that warp's head and its instruction in S1. Warps that are not held are
// selected in any order, instructions in S1 issue or go back at any time, heads are flushed. Tuples start at multiples of their
// size, as decode gives them: it is assumed. Predicate 7 is none.
// config: tiny
// memories: free
`include "properties.svh"

module scoreboard_formal (
  input logic                                              clk_i,
  // heads
  input logic [cfg_pkg::WARPS-1:0]                         there,
  input logic [cfg_pkg::WARPS-1:0]                         flush,
  input isa_pkg::dec_t                                     head,         // of the warp that is followed
  input isa_pkg::dec_t                                     looked,       // of the warp that is looked at
  // S0, S1
  input logic [cfg_pkg::WARPS-1:0]                         pick,
  input isa_pkg::dec_t                                     dec,          // in S1
  input logic                                              issues,
  input logic                                              returns,
  input stage_pkg::ends_t                                  ends
);
  `RESET
  localparam int unsigned ENDS = core_pkg::ENDS, WARPS = cfg_pkg::WARPS, ENTRIES = 4;

  logic [WARPS-1:0]           hold, waits, select, here_q, moves;
  logic [cfg_pkg::WARP_W-1:0] look_slot, s1_slot, slot_q;
  logic                       alloc, back;

  scoreboard #(.ENTRIES(ENTRIES)) u_dut (
    .clk_i         (clk_i),
    .rst_ni        (rst_ni),
    .enable_i      (1'b1),
    .there_i       (there),
    .moves_i       (moves),
    .look_slot_o   (look_slot),
    .look_i        (issue_pkg::look_of(looked)),
    .here_i        (here_q),
    .slot_i        (s1_slot),
    .dest_i        (issue_pkg::dest_of(dec)),
    .alloc_i       (alloc),
    .ends_i        (ends),
    .sb_hold_o     (hold),
    .sb_waits_o    (waits)
  );

  // ---- selection, S1 -------------------------------------------------------------------------------------------------
  onehot_index #(.N(WARPS)) u_s1 (.onehot_i(here_q), .index_o(s1_slot));
  assign alloc  = here_q != '0 && issues;
  assign back   = here_q != '0 && returns && !issues;
  assign select = (here_q == '0 || alloc || back) ? pick & there & ~hold : '0;
  assign moves  = select | (back ? here_q : '0) | flush;
  `GIVEN(g_pick, (pick & (pick - WARPS'(1))) == '0)
  always_ff @(posedge clk_i) begin
    if (!rst_ni) here_q <= '0;
    else         here_q <= select | ((alloc || back) ? '0 : here_q);
  end

  // ---- a register and a predicate of a warp, its head, its instruction in S1 -----------------------------------------
  logic [7:0]    word_q;
  logic [2:0]    pred_q;
  logic          here, moved_q;
  isa_pkg::dec_t head_q, s1_q;
  always_ff @(posedge clk_i) begin
    slot_q  <= slot_q;
    word_q  <= word_q;
    pred_q  <= pred_q;
    head_q  <= head;
    moved_q <= moves[slot_q] || !there[slot_q];
    if (select[slot_q]) s1_q <= head;
  end
  assign here = here_q[slot_q];
  `GIVEN(g_there, !rst_ni || moved_q || there[slot_q])
  `GIVEN(g_head, moved_q || head == head_q)
  `GIVEN(g_s1, !here || dec == s1_q)
  `GIVEN(g_looked, look_slot != slot_q || looked == head)

  // Tuples have one, two or four words, the first at a multiple of that. Without a unit `uni` there is nothing uniform.
  function automatic logic fits(logic [7:0] first, logic [1:0] more);
    fits = first == isa_pkg::RZ || (more != 2'd2 && (first[1:0] & more) == 2'd0);
  endfunction
  function automatic logic decoded(isa_pkg::dec_t d);
    decoded = fits(d.rd, d.rd_n) && fits(d.a_reg, d.a_n) && fits(d.b_reg, d.b_n) && fits(d.c_reg, d.c_n)
      && !d.rd_uni && !d.pd_uni && !d.guard_uni && !d.ps_uni && d.a_kind != isa_pkg::SRC_UREG
      && d.b_kind != isa_pkg::SRC_UREG && d.c_kind != isa_pkg::SRC_UREG
      && d.op != isa_pkg::OP_UR2UP && d.op != isa_pkg::OP_UP2UR;
  endfunction
  `GIVEN(g_decoded, decoded(head) && decoded(dec))

  function automatic logic contains(logic [7:0] first, logic [1:0] more, logic [7:0] word);
    contains = first != isa_pkg::RZ && (word & ~8'(more)) == first;
  endfunction
  function automatic logic writes(isa_pkg::dec_t d, logic [2:0] p);
    writes = p != isa_pkg::PT && ((d.has_pd0 && d.pd0 == p) || (d.has_pd1 && d.pd1 == p) || d.op == isa_pkg::OP_R2P);
  endfunction
  function automatic logic reads(isa_pkg::dec_t d, logic [2:0] p);
    reads = p != isa_pkg::PT && (d.guard[2:0] == p || d.ps0[2:0] == p || d.ps1[2:0] == p || d.ps2[2:0] == p
      || d.op == isa_pkg::OP_P2R);
  endfunction
  function automatic logic writes_word(isa_pkg::dec_t d, logic [7:0] word);
    writes_word = d.has_rd && contains(d.rd, d.rd_n, word);
  endfunction
  function automatic logic reads_word(isa_pkg::dec_t d, logic [7:0] word);
    reads_word = (d.a_kind == isa_pkg::SRC_REG && contains(d.a_reg, d.a_n, word))
      || (d.b_kind == isa_pkg::SRC_REG && contains(d.b_reg, d.b_n, word))
      || (d.c_kind == isa_pkg::SRC_REG && contains(d.c_reg, d.c_n, word));
  endfunction

  // ---- what is under way: from the issue of an instruction to the end of its result -----------------------------------
  logic            reg_q, set_q, reg_ends, set_ends, uniform;
  logic [7:0]      first_q;      // of the tuple that the word is part of
  logic [1:0]      more_q;
  core_pkg::done_t one;
  always_comb begin
    reg_ends = 1'b0;
    set_ends = 1'b0;
    uniform  = 1'b0;
    one      = '0;
    for (int i = 0; i <= int'(ENDS); i++) begin
      one = ends.done[i];
      if (one.to.uni) uniform = 1'b1;
      if (ends.valid[i] && one.slot == slot_q) begin
        if (one.to.has_rd && one.to.rd == first_q) reg_ends = 1'b1;
        if (one.preds || one.to.pd0 == pred_q || one.to.pd1 == pred_q) set_ends = 1'b1;
      end
    end
  end
  `GIVEN(g_ends, !uniform)
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      reg_q <= 1'b0;
      set_q <= 1'b0;
    end else begin
      reg_q <= (alloc && here && writes_word(dec, word_q)) || (reg_q && !reg_ends);
      set_q <= (alloc && here && writes(dec, pred_q)) || (set_q && !set_ends);
    end
    if (alloc && here && writes_word(dec, word_q)) begin
      first_q <= dec.rd;
      more_q  <= dec.rd_n;
    end
  end

  // Inside: the entries of the warp, kept here as its memories keep them; what is read is that.
  logic [ENTRIES-1:0]      valid, same, held;
  logic [ENTRIES-1:0][9:0] entry_q;            // rd_n, rd
  logic                    aligned, exact, reads_kept;
  assign valid = u_dut.valid_q[slot_q];
  always_ff @(posedge clk_i) begin
    for (int e = 0; e < int'(ENTRIES); e++) begin
      if (alloc && here && u_dut.put[e]) entry_q[e] <= {dec.rd_n, dec.rd};
    end
  end
  always_comb begin
    reads_kept = 1'b1;
    for (int e = 0; e < int'(ENTRIES); e++) begin
      if (look_slot == slot_q && u_dut.entry[e] != entry_q[e]) reads_kept = 1'b0;
      for (int i = 0; i <= int'(ENDS); i++) begin
        if (u_dut.done_slot[i] == slot_q && u_dut.old_rd[i][e] != entry_q[e][7:0]) reads_kept = 1'b0;
      end
    end
  end
  `GIVEN(g_entries, reads_kept)
  always_comb begin
    aligned = 1'b1;
    for (int e = 0; e < int'(ENTRIES); e++) begin
      if (valid[e] && (!fits(entry_q[e][7:0], entry_q[e][9:8]) || entry_q[e][7:0] == isa_pkg::RZ)) aligned = 1'b0;
      same[e] = valid[e] && contains(entry_q[e][7:0], entry_q[e][9:8], word_q);
      held[e] = valid[e] && entry_q[e] == {more_q, first_q};
    end
    exact = aligned && (reg_q ? same == held && $onehot(same) && contains(first_q, more_q, word_q) : same == '0);
  end

  // What is kept of a head that has been looked at is what it has in common with entries and with the instruction in S1.
  function automatic logic meet(logic [7:0] x, logic [1:0] x_n, logic [9:0] y);
    meet = x != isa_pkg::RZ && ((x ^ y[7:0]) & ~8'(x_n | y[9:8])) == '0;
  endfunction
  function automatic logic touches(isa_pkg::dec_t d, logic [9:0] y);
    touches = (d.has_rd && meet(d.rd, d.rd_n, y)) || (d.a_kind == isa_pkg::SRC_REG && meet(d.a_reg, d.a_n, y))
      || (d.b_kind == isa_pkg::SRC_REG && meet(d.b_reg, d.b_n, y)) || (d.c_kind == isa_pkg::SRC_REG && meet(d.c_reg, d.c_n, y));
  endfunction
  logic kept, seen, takes, s1_takes, tracked;
  assign seen     = u_dut.seen_q[slot_q];
  assign takes    = head_q.has_rd && head_q.rd != isa_pkg::RZ;
  assign s1_takes = here && s1_q.has_rd && s1_q.rd != isa_pkg::RZ;
  assign tracked  = pred_q == isa_pkg::PT || set_q == u_dut.pred_q[slot_q][pred_q];
  always_comb begin
    kept = u_dut.needs_room_q[slot_q] == takes && u_dut.needs_s1_q[slot_q] == (s1_takes && touches(head_q, {s1_q.rd_n, s1_q.rd}));
    for (int e = 0; e < int'(ENTRIES); e++) begin
      if (valid[e] && u_dut.needs_q[slot_q][e] != touches(head_q, entry_q[e])) kept = 1'b0;
    end
    for (int p = 0; p < 7; p++) begin
      if (u_dut.needs_pred_q[slot_q][p] != (reads(head_q, 3'(p)) || writes(head_q, 3'(p)))) kept = 1'b0;
    end
  end
  logic true_kept;
  assign true_kept = !seen || moved_q || kept;

  // No instruction issues that reads or writes a register of which a result is under way.
  `PROVE(p_register, exact && true_kept && !(alloc && here && reg_q && (reads_word(dec, word_q) || writes_word(dec, word_q))))
  // ... nor one that reads or writes a predicate that is not written yet.
  `PROVE(p_predicate, tracked && true_kept
    && !(alloc && here && set_q && (reads(dec, pred_q) || writes(dec, pred_q))))
  // A head that has been looked at waits for something that is under way, or that the instruction in S1 will have under way.
  logic needs;
  always_comb begin
    needs = takes && ($countones(valid) + 32'(s1_takes)) >= ENTRIES;
    if (s1_takes && touches(head_q, {s1_q.rd_n, s1_q.rd})) needs = 1'b1;
    for (int e = 0; e < int'(ENTRIES); e++) if (valid[e] && touches(head_q, entry_q[e])) needs = 1'b1;
    for (int p = 0; p < 7; p++) begin
      if ((u_dut.pred_q[slot_q][p] || (here && writes(s1_q, 3'(p)))) && (reads(head_q, 3'(p)) || writes(head_q, 3'(p)))) needs = 1'b1;
    end
  end
  `PROVE(p_waits, aligned && true_kept && (!waits[slot_q] || needs))
  // Each head is looked at within as many cycles as there are warps.
  logic [cfg_pkg::WARP_W:0] waited_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || !there[slot_q] || seen || moves[slot_q] || look_slot == slot_q) waited_q <= '0;
    else                                                                          waited_q <= waited_q + 1'b1;
  end
  `PROVE(p_turn, waited_q < (cfg_pkg::WARP_W + 1)'(WARPS))
  // Two words of four are written, and the second is asked for.
  `REACH(r_word, reg_q && waits[slot_q] && more_q == 2'd3 && head.a_kind == isa_pkg::SRC_REG && head.a_reg == first_q + 8'd1)
endmodule
