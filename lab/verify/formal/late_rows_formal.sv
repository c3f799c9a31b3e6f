// SPDX-License-Identifier: Apache-2.0
// rtl/writeback/late_rows.sv, as `duo` has it: rows of 32 lanes, each of two beats, two write ports. Any
// lane's word of any instruction is followed from its coming to its writing. That it comes once is assumed (in lockstep each word
// that a load writes is owed once).
// config: duo
`include "properties.svh"

module late_rows_formal (
  input logic            clk_i,
  input logic            watch,
  input logic            valid,
  input core_pkg::late_t in,
  input logic [1:0]      wb_ready,
  input logic            hold
);
  `RESET
  localparam int unsigned LANES = cfg_pkg::LANES;

  logic                                   ready, done_valid, take;
  logic [1:0]                             wb_valid;
  bus_pkg::late_rows_t                    wb;
  bus_pkg::late_end_t                     ls_end;
  core_pkg::result_t                      wb_0, wb_1;
  core_pkg::done_t                        done;

  late_rows u_dut (
    .clk_i            (clk_i),
    .rst_ni           (rst_ni),
    .ls_late_valid_i  (valid),
    .ls_late_ready_o  (ready),
    .ls_late_i        (in),
    .ls_wb_o          (wb),
    .ls_wb_ready_i    (wb_ready),
    .ls_end_o         (ls_end),
    .wb_hold_i        (hold)
  );

  // An end as write_ends passes it on, a cycle later.
  function automatic core_pkg::done_t end_of(core_pkg::tag_t tag);
    end_of      = '0;
    end_of.slot = core_pkg::local_slot(tag.id.slot);
    end_of.to   = tag.to;
  endfunction
  always_ff @(posedge clk_i) begin
    if (!rst_ni) done_valid <= 1'b0;
    else         done_valid <= ls_end.valid;
    if (ls_end.valid) done <= end_of(ls_end.tag);
  end

  assign take = valid && ready;
  assign wb_0 = wb.row[0];
  assign wb_1 = wb.row[1];
  assign wb_valid = wb.valid;

  // An input is a row with lanes, an end, or both; and it is offered until it is taken.
  `GIVEN(g_kind, !valid || (in.tag.row && in.mask != '0) || (!in.tag.row && in.tag.last))
  logic            held_q;
  core_pkg::late_t held_in_q;
  always_ff @(posedge clk_i) begin
    held_q    <= rst_ni && valid && !ready;
    held_in_q <= in;
  end
  `GIVEN(g_held, !held_q || (valid && in == held_in_q))

  // ---- one lane of one row of one register of one instruction: its word comes once --------------------------------------------
  core_pkg::id_t id_q;
  logic          uni_q;
  logic [7:0]    rd_q;
  logic [3:0]    at_q;
  logic [4:0]    lane_q;
  logic          comes, come_q, write_0, write_1, gone_q, waits;
  logic [15:0]   rbase_q, rbase;
  logic [31:0]   word_q, word;
  always_ff @(posedge clk_i) begin
    id_q   <= id_q;
    uni_q  <= uni_q;
    rd_q   <= rd_q;
    at_q   <= at_q;
    lane_q <= lane_q;
  end

  function automatic logic is_row(core_pkg::late_t r, core_pkg::id_t id, logic uni, logic [7:0] rd, logic [3:0] at, logic [4:0] lane);
    is_row = r.tag.row && r.tag.id == id && r.tag.to.uni == uni && core_pkg::reg_of(r.tag) == rd && r.tag.beat[3:0] == at && r.mask[lane];
  endfunction
  function automatic logic writes(core_pkg::result_t w, core_pkg::id_t id, logic uni, logic [7:0] rd, logic [3:0] at, logic [4:0] lane);
    writes = w.tag.id == id && w.tag.to.uni == uni && core_pkg::reg_of(w.tag) == rd && w.tag.beat == {at, lane[4]} && w.mask[lane[3:0]];
  endfunction
  assign comes   = take && is_row(in, id_q, uni_q, rd_q, at_q, lane_q);
  assign write_0 = wb_valid[0] && wb_ready[0] && writes(wb_0, id_q, uni_q, rd_q, at_q, lane_q);
  assign write_1 = wb_valid[1] && wb_ready[1] && writes(wb_1, id_q, uni_q, rd_q, at_q, lane_q);
  assign rbase   = come_q ? rbase_q : in.tag.rbase;
  assign word    = come_q ? word_q : in.data[lane_q];
  assign waits   = come_q && !gone_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      come_q <= 1'b0;
      gone_q <= 1'b0;
    end else begin
      come_q <= come_q || comes;
      gone_q <= gone_q || write_0 || write_1;
    end
    if (comes) begin
      rbase_q <= in.tag.rbase;
      word_q  <= in.data[lane_q];
    end
  end
  `GIVEN(g_once, !(come_q && valid && is_row(in, id_q, uni_q, rd_q, at_q, lane_q)))

  // ---- ends: how many are owed, and how many of them came before the word; and one of them ------------------------------------------
  logic            here_q, end_q;
  logic [2:0]      owed_q, before_q, first_q;
  core_pkg::late_t last_q;
  logic            told;       // the end that is followed
  assign told = end_q && done_valid && first_q == 3'd0;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      owed_q <= 3'd0;
      here_q <= 1'b0;
      end_q  <= 1'b0;
    end else begin
      owed_q <= owed_q + 3'(take && in.tag.last) - 3'(done_valid);
      if (comes) here_q <= 1'b1;
      else if (done_valid && before_q == 3'd0) here_q <= 1'b0;
      if (!end_q) end_q <= take && in.tag.last && watch;
      else if (told) end_q <= 1'b0;
    end
    before_q <= comes ? owed_q - 3'(done_valid) : before_q - 3'(done_valid);
    first_q  <= end_q ? first_q - 3'(done_valid) : owed_q - 3'(done_valid);
    if (!end_q) last_q <= in;
  end

  logic [2:0] stuck_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || !waits || wb_ready != 2'b11 || hold || write_0 || write_1) stuck_q <= 3'd0;
    else if (stuck_q != 3'd7) stuck_q <= stuck_q + 3'd1;
  end

  // ---- inside: the two rows that are kept, the older first --------------------------------------------------------------------------
  core_pkg::late_t kept;
  logic [1:0]      valid_in, has_word, is_end, part_gone, is_last, todo_parts;
  logic [2:0]      ends, todo;          // of the rows so far: ends, and beats that are not written
  logic            where, order, end_here, told_next, soon;
  assign valid_in  = {u_dut.gen_row.valid_q[!u_dut.gen_row.old_q], u_dut.gen_row.valid_q[u_dut.gen_row.old_q]};
  assign told_next = end_q && done_valid && first_q == 3'd0;
  always_comb begin
    where     = valid_in != 2'b10;
    order     = 1'b1;
    soon      = 1'b1;
    ends      = 3'(done_valid);
    todo      = 3'd0;
    has_word  = '0;
    is_end    = '0;
    is_last   = '0;
    part_gone = '0;
    for (int i = 0; i < 2; i++) begin
      kept          = u_dut.gen_row.kept_q[u_dut.gen_row.old_q ^ 1'(i)];
      todo_parts[0] = kept.tag.row && kept.mask[0 +: LANES] != '0
        && !u_dut.gen_row.gone_q[u_dut.gen_row.old_q ^ 1'(i)][0];
      todo_parts[1] = kept.tag.row && kept.mask[LANES +: LANES] != '0
        && !u_dut.gen_row.gone_q[u_dut.gen_row.old_q ^ 1'(i)][1];
      if (valid_in[i]) begin
        has_word[i]  = is_row(kept, id_q, uni_q, rd_q, at_q, lane_q);
        part_gone[i] = u_dut.gen_row.gone_q[u_dut.gen_row.old_q ^ 1'(i)][lane_q[4]];
        is_last[i]   = kept.tag.last;
        is_end[i]    = end_q && first_q == ends && kept.tag.last;
        if (has_word[i] && waits && (kept.tag.rbase != rbase_q || kept.data[lane_q] != word_q)) where = 1'b0;
        if (has_word[i] && waits && before_q != ends) order = 1'b0;
        if (has_word[i] && waits && 4'(stuck_q) + 4'(todo) + 4'(todo_parts[0]) + 4'(todo_parts[1] && lane_q[4]) > 4'd4) soon = 1'b0;
        if (is_end[i] && end_of(kept.tag) != end_of(last_q.tag)) order = 1'b0;
        ends = ends + 3'(kept.tag.last);
        todo = todo + 3'(todo_parts[0]) + 3'(todo_parts[1]);
      end
    end
    // The word is in one row, and not written exactly if it waits; the row may stay after that.
    where = where && $onehot0(has_word) && (waits ? has_word != '0 && (has_word & part_gone) == '0
      : (has_word & ~part_gone) == '0 && (come_q || has_word == '0)) && (!gone_q || come_q);
    // The end is in one row, or reported now.
    end_here = $countones(is_end) + 32'(told_next) == 32'(end_q);
    order    = order && owed_q == ends && end_here && (!waits || here_q) && (!told_next || done == end_of(last_q.tag));
  end

  // A lane's word is written once, after it came or in that cycle; what did not come is not written.
  `PROVE(p_once, where && !(write_0 && write_1) && !((write_0 || write_1) && (gone_q || !(come_q || comes))))
  // It is written as it came, to its warp's registers.
  `PROVE(p_word, where && (!write_0 || (wb_0.tag.rbase == rbase && wb_0.data[lane_q[3:0]] == word))
    && (!write_1 || (wb_1.tag.rbase == rbase && wb_1.data[lane_q[3:0]] == word)))
  // No end that came with it or after it is reported before it is written.
  `PROVE(p_order, where && order && !(here_q && done_valid && before_q == 3'd0 && waits))
  // Ends are reported once each, in the order in which they came, with all their fields.
  `PROVE(p_end, where && order && (!done_valid || owed_q != 3'd0) && (!told || done == end_of(last_q.tag)))
  // No end comes in the cycle after one in which ends are held.
  logic hold_q;
  always_ff @(posedge clk_i) hold_q <= hold;
  `PROVE(p_hold, !hold_q || !done_valid)
  // The two ports never show one bank.
  function automatic logic [cfg_pkg::BANK_W-1:0] bank(core_pkg::result_t w);
    bank = cfg_pkg::BANK_W'((32'(w.tag.rbase) + 32'(core_pkg::reg_of(w.tag))) % cfg_pkg::BANKS);
  endfunction
  `PROVE(p_banks, wb_valid != 2'b11 || bank(wb_0) != bank(wb_1))
  // While the ports take what they show and no end is held, the word is written within four cycles.
  `PROVE(p_soon, where && soon && stuck_q < 3'd4)
  // It is written while an instruction that came before it has not ended.
  `REACH(r_overtake, gone_q && here_q && before_q == 3'd1 && !done_valid)
endmodule
