// SPDX-License-Identifier: Apache-2.0
// Second rank of the matrix unit: words of registers become numbers, once for each row of A and
// each column of B; what is added to the products of each sum, C or the sum of the pass before.
// Latency: one cycle; en_i enables it.
// No handshake.
// It does not multiply. Places of registers that an instruction does not have hold zeros.
module mma_open #(
  parameter  int unsigned CYCLES = mma_pkg::CYCLES,
  localparam int unsigned SUMS   = 128 / CYCLES,
  localparam int unsigned QUADS  = SUMS / 4,
  localparam int unsigned TERMS  = mma_pkg::TERMS
) (
  input  logic                                 clk_i,
  // from the unit
  input  logic                                 en_i,
  input  mma_pkg::token_t                      token_i,
  // from the store
  input  logic [QUADS-1:0][3:0][1:0][31:0]     a_i,
  input  logic [3:0][3:0][1:0][31:0]           b_i,
  input  logic [SUMS-1:0][31:0]                c_i,
  // sums of the pass before
  input  logic [SUMS-1:0][31:0]                part_i,
  // to the sums
  output mma_pkg::number_t [QUADS-1:0][TERMS-1:0] a_o,
  output mma_pkg::number_t [3:0][TERMS-1:0]       b_o,
  output mma_pkg::addend_t [SUMS-1:0]             c_o
);

  mma_pkg::ctl_t ctl;
  assign ctl = token_i.ctl;

  // Term 4t + 2r + s: lane t of a row or column, register r of two, element s of two in a pass.
  function automatic mma_pkg::number_t term(mma_pkg::format_e format, logic deep, logic narrow, logic pass,
                                            logic [1:0][31:0] words, logic r, logic s);
    term = '0;
    term.zero = 1'b1;
    if (!r || deep || narrow) begin
      term = mma_pkg::element(format, words[r && !narrow], s, {narrow ? r : pass, s});
    end
  endfunction

  always_ff @(posedge clk_i) begin
    if (en_i) begin
      for (int unsigned k = 0; k < TERMS; k++) begin
        for (int unsigned q = 0; q < QUADS; q++) begin
          a_o[q][k] <= term(ctl.fa, ctl.deep, ctl.narrow, token_i.pass[0], a_i[q][k/4], 1'(k / 2), 1'(k));
        end
        for (int unsigned j = 0; j < 4; j++) begin
          b_o[j][k] <= term(ctl.fb, ctl.deep, ctl.narrow, token_i.pass[0], b_i[j][k/4], 1'(k / 2), 1'(k));
        end
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (en_i) begin
      for (int unsigned d = 0; d < SUMS; d++) begin
        if (ctl.kind == mma_pkg::ADD_INT)
          c_o[d] <= mma_pkg::addend_int((token_i.pass == '0) ? '0 : part_i[d][25:0]);
        else if (ctl.acc16)
          c_o[d] <= mma_pkg::addend_f16(token_i.place.odd ? c_i[d][31:16] : c_i[d][15:0]);
        else if (ctl.kind == mma_pkg::SUM)
          c_o[d] <= mma_pkg::addend_f32(c_i[d]);
        else
          c_o[d] <= mma_pkg::addend_f32((token_i.pass == '0) ? '0 : part_i[d]);
      end
    end
  end

  logic unused;
  assign unused = ^{token_i, ctl};

endmodule
