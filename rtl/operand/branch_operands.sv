// SPDX-License-Identifier: Apache-2.0
// What control instructions read, from the operand bus to divergence: a pair a, or a word b, of
// BR_LANES lanes at a time.
// Latency: none for a row's first lanes; the others follow as the row makes passes, a cycle each.
// Handshake: events.
// It does not hold words: those of a row come down to the lowest lanes with each pass.
module branch_operands (
  input  logic             clk_i,
  input  logic             rst_ni,
  // from the operand bus
  input  bus_pkg::row_t    op_row_i,
  input  bus_pkg::words_t  op_words_i,
  // to divergence
  output bus_pkg::branch_t op_br_o
);

  localparam int unsigned PASSES = cfg_pkg::FMA_PASSES, LANES = core_pkg::BR_LANES;

  logic       row, valid;
  logic [4:0] pass;

  assign row = op_row_i.valid && op_row_i.dest.pipe == '0;

  if (PASSES > 1) begin : gen_passes
    logic [$clog2(PASSES)-1:0] pass_q;   // none is under way at 0: a row's first one comes with it
    always_ff @(posedge clk_i) begin
      if (!rst_ni)                  pass_q <= '0;
      else if (row || pass_q != '0) pass_q <= pass_q + 1'b1;
    end
    assign pass  = 5'(pass_q);
    assign valid = row || pass_q != '0;
  end else begin : gen_whole
    assign pass  = '0;
    assign valid = row;
    logic unused_clk;
    assign unused_clk = clk_i ^ rst_ni;
  end

  // A word that is not there is zero.
  assign op_br_o = '{
    valid: valid,
    slot:  core_pkg::local_slot(op_row_i.dest.id.slot),
    beat:  5'(32'(op_row_i.dest.beat) * PASSES) | pass,
    lo:    op_words_i.a[LANES-1:0] | op_words_i.b[LANES-1:0],
    hi:    op_words_i.x[LANES-1:0]
  };

  // A row has more than a branch reads.
  logic unused;
  assign unused = ^{op_row_i, op_words_i};

endmodule
