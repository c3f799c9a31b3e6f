// SPDX-License-Identifier: Apache-2.0
// What an instruction reads and writes, as far as its decoded word and the place of its warp's registers say it: made while it
// issues and kept while it is read, so that whether its next row can be completed, and so whether another instruction may
// issue, follows from registers.
// What is still to be read of the row that is read now stands in registers, too; what the reuse cache has is not in it.
// Latency: one cycle; plan_o stands from the cycle after the issue on, while the instruction is read.
// Handshake: ready_i says that another instruction may issue; what is taken while none does means nothing.
// It does not know beats (operand_map).
`include "heddle_idle.svh"

module operand_plan (
  input  logic              clk_i,
  // from issue: the instruction that issues in this cycle, if one does
  input  logic              ready_i,
  input  logic              arrive_i,    // one does; otherwise nobody looks at what is found
  input  isa_pkg::dec_t     dec_i,
  input  logic [15:0]       rbase_i,
  input  logic [2:0]        hit_i,       // operands a, b, c lie in the reuse cache
  // from the reader: a row is completed, and the next one; words a, b of a row are read early
  input  logic              next_i,
  input  logic [1:0]        next_row_i,
  input  logic [1:0]        early_i,
  // of the instruction that is read
  output back_pkg::plan_t   plan_o,
  output back_pkg::reads_t  reads_o      // ... of the row that is read now
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
      plan.kept     = hit_i;
      plan.a_reg    = is_reg(dec_i.a_kind, dec_i.a_reg) && !hit_i[0];
      plan.b_reg    = is_reg(dec_i.b_kind, dec_i.b_reg) && !hit_i[1];
      plan.c_reg    = is_reg(dec_i.c_kind, dec_i.c_reg) && !hit_i[2];
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
  back_pkg::reads_t reads_q;

  function automatic back_pkg::reads_t reads(back_pkg::words_t words);
    for (int unsigned w = 0; w < back_pkg::WORDS; w++) begin
      reads.bank[w] = words.need[w] ? cfg_pkg::BANKS'(1) << back_pkg::bank_of(words.wreg[w]) : '0;
    end
    for (int unsigned w = 0; w < 3; w++) reads.clash_a[w] = (reads.bank[back_pkg::WORD_A] & reads.bank[w+1]) != '0;
    for (int unsigned w = 0; w < 2; w++) reads.clash_b[w] = (reads.bank[back_pkg::WORD_B] & reads.bank[w+2]) != '0;
    reads.apart = reads.clash_a == '0 && reads.clash_b == '0;
  endfunction

  always_ff @(posedge clk_i) begin
    if (ready_i) begin
      if (`HEDDLE_LIVE(arrive_i)) reads_q <= reads(back_pkg::words_of(plan, 2'd0));
    end else if (next_i) begin
      reads_q <= reads(back_pkg::words_of(plan_q, next_row_i));
    end else if (early_i != '0) begin
      // What still waits: of a what clashes with it unless it is read now, or the other is; of b the same.
      reads_q.apart <= (early_i[0] || (reads_q.clash_a & {2'b11, !early_i[1]}) == '0) && (early_i[1] || reads_q.clash_b == '0);
      if (early_i[0]) begin
        reads_q.bank[back_pkg::WORD_A] <= '0;
        reads_q.clash_a                <= '0;
      end
      if (early_i[1]) begin
        reads_q.bank[back_pkg::WORD_B] <= '0;
        reads_q.clash_a[0]             <= 1'b0;
        reads_q.clash_b                <= '0;
      end
    end
  end
  assign reads_o = reads_q;

  // Fields that concern others.
  logic unused;
  assign unused = ^{dec_i, rbase_i};

endmodule
