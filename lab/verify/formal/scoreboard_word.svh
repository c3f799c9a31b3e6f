// SPDX-License-Identifier: Apache-2.0
// A register and a predicate of a warp in the scoreboard, through all instructions that write them. Included in tops
// that have one, `SCORES, after it (their nets: check_valid, check_slot, dec: who is asked about; hazard; alloc: it
// issues; done_valid, done; sleep). The memories of its entries are kept here, what is read is that.
  // ---- a register and a predicate of a warp -----------------------------------------------------------------
  logic [cfg_pkg::WARP_W-1:0] slot_q;
  logic [7:0]                 word_q;
  logic [2:0]                 pred_q;
  logic                       here;
  always_ff @(posedge clk_i) begin
    slot_q <= slot_q;
    word_q <= word_q;
    pred_q <= pred_q;
  end
  assign here = check_slot == slot_q;

  // Tuples have one, two or four words, the first at a multiple of that.
  function automatic logic fits(logic [7:0] first, logic [1:0] more);
    fits = first == isa_pkg::RZ || (more != 2'd2 && (first[1:0] & more) == 2'd0);
  endfunction
  function automatic logic contains(logic [7:0] first, logic [1:0] more, logic [7:0] word);
    contains = first != isa_pkg::RZ && (word & ~8'(more)) == first;
  endfunction
  `GIVEN(g_aligned, fits(dec.rd, dec.rd_n) && fits(dec.a_reg, dec.a_n) && fits(dec.b_reg, dec.b_n)
    && fits(dec.c_reg, dec.c_n))
  // Without a unit `uni` there is nothing uniform.
  `GIVEN(g_uniform, !dec.rd_uni && !dec.pd_uni && !dec.guard_uni && !dec.ps_uni && dec.a_kind != isa_pkg::SRC_UREG
    && dec.b_kind != isa_pkg::SRC_UREG && dec.c_kind != isa_pkg::SRC_UREG
    && dec.op != isa_pkg::OP_UR2UP && dec.op != isa_pkg::OP_UP2UR)

  function automatic logic writes(isa_pkg::dec_t d, logic [2:0] p);
    writes = p != isa_pkg::PT && ((d.has_pd0 && d.pd0 == p) || (d.has_pd1 && d.pd1 == p) || d.op == isa_pkg::OP_R2P);
  endfunction
  function automatic logic reads(isa_pkg::dec_t d, logic [2:0] p);
    reads = p != isa_pkg::PT && (d.guard[2:0] == p || d.ps0[2:0] == p || d.ps1[2:0] == p || d.ps2[2:0] == p
      || d.op == isa_pkg::OP_P2R);
  endfunction

  logic want_rd, writes_word, reads_word, touches_pred;
  assign want_rd      = dec.has_rd && dec.rd != isa_pkg::RZ;
  assign writes_word  = dec.has_rd && contains(dec.rd, dec.rd_n, word_q);
  assign reads_word   = (dec.a_kind == isa_pkg::SRC_REG && contains(dec.a_reg, dec.a_n, word_q))
    || (dec.b_kind == isa_pkg::SRC_REG && contains(dec.b_reg, dec.b_n, word_q))
    || (dec.c_kind == isa_pkg::SRC_REG && contains(dec.c_reg, dec.c_n, word_q));
  assign touches_pred = reads(dec, pred_q) || writes(dec, pred_q);

  // ---- what is under way: from the issue of an instruction to the end of its result -------------------------
  logic            reg_q, set_q, reg_ends, set_ends;
  logic [7:0]      first_q;      // of the tuple that the word is part of
  logic [1:0]      more_q;
  core_pkg::done_t one;
  logic            uniform;
  always_comb begin
    reg_ends = 1'b0;
    set_ends = 1'b0;
    uniform  = 1'b0;
    one      = '0;
    for (int i = 0; i <= int'(ENDS); i++) begin
      one = done[i];
      if (one.rd_uni || one.pd_uni) uniform = 1'b1;
      if (done_valid[i] && one.slot == slot_q) begin
        if (one.has_rd && one.rd == first_q) reg_ends = 1'b1;
        if (one.preds || one.pd0 == pred_q || one.pd1 == pred_q) set_ends = 1'b1;
      end
    end
  end
  `GIVEN(g_ends, !uniform)
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      reg_q <= 1'b0;
      set_q <= 1'b0;
    end else begin
      reg_q <= (alloc && here && writes_word) || (reg_q && !reg_ends);
      set_q <= (alloc && here && writes(dec, pred_q)) || (set_q && !set_ends);
    end
    if (alloc && here && writes_word) begin
      first_q <= dec.rd;
      more_q  <= dec.rd_n;
    end
  end

  // Inside: the entries of the warp, kept here as its memories keep them; what is read is that.
  localparam int unsigned ENTRIES = 4;
  logic [ENTRIES-1:0]      valid, same, held;
  logic [ENTRIES-1:0][9:0] entry_q;            // rd_n, rd
  logic                    aligned, exact, reads_kept;
  assign valid = `SCORES.valid_q[slot_q];
  always_ff @(posedge clk_i) begin
    for (int e = 0; e < int'(ENTRIES); e++) begin
      if (alloc && here && `SCORES.put[e]) entry_q[e] <= {dec.rd_n, dec.rd};
    end
  end
  always_comb begin
    reads_kept = 1'b1;
    for (int e = 0; e < int'(ENTRIES); e++) begin
      if (here && `SCORES.entry[e] != entry_q[e]) reads_kept = 1'b0;
      for (int i = 0; i <= int'(ENDS); i++) begin
        if (`SCORES.done_slot[i] == slot_q && `SCORES.old_rd[i][e] != entry_q[e][7:0]) reads_kept = 1'b0;
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

  // It reads the word, and touches nothing else; it reads the predicate as its guard, and touches nothing else.
  logic alone, plain, guarded;
  assign alone   = dec.b_kind == isa_pkg::SRC_NONE && dec.c_kind == isa_pkg::SRC_NONE && !want_rd
    && !dec.has_pd0 && !dec.has_pd1 && dec.ps0[2:0] == isa_pkg::PT && dec.ps1[2:0] == isa_pkg::PT
    && dec.ps2[2:0] == isa_pkg::PT && dec.op != isa_pkg::OP_R2P && dec.op != isa_pkg::OP_P2R;
  assign plain   = alone && dec.a_kind == isa_pkg::SRC_REG && dec.a_reg == word_q && dec.a_n == 2'd0
    && dec.guard[2:0] == isa_pkg::PT;
  assign guarded = alone && dec.a_kind == isa_pkg::SRC_NONE && dec.guard[2:0] == pred_q;

  // ---- who sleeps: a warp asks with what it was refused with until it issues --------------------------------
  isa_pkg::dec_t refused_q;
  logic          asked_q, needs;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) asked_q <= 1'b0;
    else if (check_valid && here) begin
      asked_q   <= hazard;
      refused_q <= dec;
    end
  end
  `GIVEN(g_same, !(asked_q && check_valid && here) || dec == refused_q)
  // What it needs is still under way: aligned tuples overlap when they are the same above the larger size.
  function automatic logic meet(logic [7:0] x, logic [1:0] x_n, logic [9:0] y);
    meet = x != isa_pkg::RZ && ((x ^ y[7:0]) & ~8'(x_n | y[9:8])) == '0;
  endfunction
  always_comb begin
    needs = refused_q.has_rd && refused_q.rd != isa_pkg::RZ && valid == '1;
    for (int e = 0; e < int'(ENTRIES); e++) begin
      if (valid[e] && ((refused_q.has_rd && meet(refused_q.rd, refused_q.rd_n, entry_q[e]))
          || (refused_q.a_kind == isa_pkg::SRC_REG && meet(refused_q.a_reg, refused_q.a_n, entry_q[e]))
          || (refused_q.b_kind == isa_pkg::SRC_REG && meet(refused_q.b_reg, refused_q.b_n, entry_q[e]))
          || (refused_q.c_kind == isa_pkg::SRC_REG && meet(refused_q.c_reg, refused_q.c_n, entry_q[e])))) needs = 1'b1;
    end
    for (int p = 0; p < 7; p++) begin
      if (`SCORES.pred_q[slot_q][p] && (reads(refused_q, 3'(p)) || writes(refused_q, 3'(p)))) needs = 1'b1;
    end
  end
