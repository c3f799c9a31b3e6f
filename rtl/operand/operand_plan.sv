// SPDX-License-Identifier: Apache-2.0
// What an instruction reads and writes, as far as its decoded word and the place of its warp's registers say it: made while it
// issues and kept while it is read, so that whether its next row can be completed, and so whether another instruction may
// issue, follows from registers.
// Of the row that is read now, bank_o says which banks still have words of it, and clash_a_o, clash_b_o which words want the same
// one; what the reuse cache has is not taken out.
// Latency: one cycle; plan_o stands from the cycle after the issue on, while the instruction is read.
// Handshake: ready_i says that another instruction may issue; what is taken while none does means nothing.
// It does not know rows and beats (operand_map), nor what the reuse cache holds.
`default_nettype none
`include "heddle_idle.svh"

module operand_plan (
  input  logic              clk_i,
  // from issue: the instruction that issues in this cycle, if one does
  input  logic              ready_i,
  input  logic              arrive_i,    // one does; otherwise nobody looks at what is found
  input  isa_pkg::dec_t     dec_i,
  input  logic [15:0]       rbase_i,
  // from the reader: a row is completed, and the next one; words a, b of a row are read early
  input  logic              next_i,
  input  logic [1:0]        next_row_i,
  input  logic [1:0]        early_i,
  // of the instruction that is read
  output back_pkg::plan_t   plan_o,
  output logic [back_pkg::WORDS-1:0][cfg_pkg::BANKS-1:0] bank_o,
  output logic [2:0]        clash_a_o,   // word a and b, c, x
  output logic [1:0]        clash_b_o    // word b and c, x
);

  localparam int unsigned WREG_W = back_pkg::WREG_W;

  back_pkg::plan_t plan, plan_q;

  function automatic logic is_reg(isa_pkg::src_e kind, logic [7:0] number);
    is_reg = kind == isa_pkg::SRC_REG && number != isa_pkg::RZ;
  endfunction

  logic late;
  assign late = kind_pkg::late_unit(dec_i.unit) != '0;

  always_comb begin
    plan = 'x;
    `HEDDLE_ONLY(arrive_i) begin
      plan.coll     = kind_pkg::collected(dec_i.unit);
      plan.late     = late;
      plan.c_near   = kind_pkg::near_c(dec_i);
      plan.last_row = kind_pkg::last_row(dec_i);
      plan.a_reg    = is_reg(dec_i.a_kind, dec_i.a_reg);
      plan.b_reg    = is_reg(dec_i.b_kind, dec_i.b_reg);
      plan.c_reg    = is_reg(dec_i.c_kind, dec_i.c_reg);
      plan.a_pair   = plan.a_reg && dec_i.a_n != 2'd0;
      plan.b_pair   = plan.b_reg && dec_i.b_n != 2'd0;
      plan.c_pair   = plan.c_reg && dec_i.c_n != 2'd0;
      plan.c_any    = dec_i.c_kind != isa_pkg::SRC_NONE;
      plan.a_more   = core_pkg::HAS_QUADS && late && dec_i.a_kind == isa_pkg::SRC_REG && dec_i.a_n[1];
      plan.a        = back_pkg::wreg_of(rbase_i, dec_i.a_reg);
      plan.b        = back_pkg::wreg_of(rbase_i, dec_i.b_reg);
      plan.c        = back_pkg::wreg_of(rbase_i, dec_i.c_reg);
      plan.d        = back_pkg::wreg_of(rbase_i, dec_i.rd);
      plan.rd_en    = dec_i.has_rd && dec_i.rd != isa_pkg::RZ && !plan.coll;
      for (int unsigned p = 0; p < cfg_pkg::PIPES; p++) plan.pipe[p] = 32'(dec_i.unit) == cfg_pkg::PIPE_UNIT[p];
      if (kind_pkg::br_result(dec_i)) plan.pipe[cfg_pkg::PIPE_ALU] = 1'b1;
      plan.preds    = plan.pipe != '0 && (dec_i.op == isa_pkg::OP_R2P || (dec_i.has_pd0 && dec_i.pd0 != isa_pkg::PT)
                                          || (dec_i.has_pd1 && dec_i.pd1 != isa_pkg::PT));
      plan.ports    = '0;
      if (plan.rd_en) begin
        plan.ports |= cfg_pkg::BANKS'(1) << back_pkg::bank_of(plan.d);
        if (dec_i.rd_n != 2'd0) plan.ports |= cfg_pkg::BANKS'(1) << back_pkg::bank_of(plan.d + WREG_W'(1));
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (ready_i && `HEDDLE_LIVE(arrive_i)) plan_q <= plan;
  end
  assign plan_o = plan_q;

  // The banks of a row are worked out in the cycle before it, and which words want the same one: from that follows whether it can
  // be completed, and so whether another instruction may issue.
  logic [back_pkg::WORDS-1:0][cfg_pkg::BANKS-1:0] bank_q;
  logic [2:0] clash_a_q;
  logic [1:0] clash_b_q;

  function automatic logic [back_pkg::WORDS-1:0][cfg_pkg::BANKS-1:0] banks(back_pkg::words_t words);
    for (int unsigned w = 0; w < back_pkg::WORDS; w++) begin
      banks[w] = words.need[w] ? cfg_pkg::BANKS'(1) << back_pkg::bank_of(words.wreg[w]) : '0;
    end
  endfunction

  // Words of one row that lie in the same bank: of a and b, c, x; of b and c, x.
  function automatic logic [2:0] clash_a(logic [back_pkg::WORDS-1:0][cfg_pkg::BANKS-1:0] bank);
    for (int unsigned w = 0; w < 3; w++) clash_a[w] = (bank[back_pkg::WORD_A] & bank[w+1]) != '0;
  endfunction
  function automatic logic [1:0] clash_b(logic [back_pkg::WORDS-1:0][cfg_pkg::BANKS-1:0] bank);
    for (int unsigned w = 0; w < 2; w++) clash_b[w] = (bank[back_pkg::WORD_B] & bank[w+2]) != '0;
  endfunction

  always_ff @(posedge clk_i) begin
    if (ready_i) begin
      if (`HEDDLE_LIVE(arrive_i)) begin
        automatic logic [back_pkg::WORDS-1:0][cfg_pkg::BANKS-1:0] first = banks(back_pkg::words_of(plan, 2'd0));
        bank_q    <= first;
        clash_a_q <= clash_a(first);
        clash_b_q <= clash_b(first);
      end
    end else if (next_i) begin
      automatic logic [back_pkg::WORDS-1:0][cfg_pkg::BANKS-1:0] follow = banks(back_pkg::words_of(plan_q, next_row_i));
      bank_q    <= follow;
      clash_a_q <= clash_a(follow);
      clash_b_q <= clash_b(follow);
    end else begin
      if (early_i[0]) begin
        bank_q[back_pkg::WORD_A] <= '0;
        clash_a_q                <= '0;
      end
      if (early_i[1]) begin
        bank_q[back_pkg::WORD_B] <= '0;
        clash_a_q[0]             <= 1'b0;
        clash_b_q                <= '0;
      end
    end
  end
  assign bank_o    = bank_q;
  assign clash_a_o = clash_a_q;
  assign clash_b_o = clash_b_q;

  // Fields that concern others.
  logic unused;
  assign unused = ^{dec_i, rbase_i};

endmodule

`default_nettype wire
