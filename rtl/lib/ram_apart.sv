// SPDX-License-Identifier: Apache-2.0
// Block RAM with one read and one write port, never for one word in one cycle. With RACE set that may happen where the user ignores the
// result, which is undefined: a simulation of the built form has anything.
// Latency: read data one cycle after rd_en_i with its address, held until the next rd_en_i.
// No handshake: both ports take a request every cycle, at different addresses.
// With FEW set it is LUT memory: for so few words that block RAM would be almost empty.
// It does not clear its storage (FIRST: initial content), and unlike ram_1r1w it needs no comparison and no second copy of the
// read word.
`include "heddle_assert.svh"
`include "heddle_form.svh"

module ram_apart #(
  parameter int unsigned WIDTH = 32,
  parameter int unsigned DEPTH = 256,
  parameter int unsigned PARTS = 1,       // of a word, each with a write enable of its own
  /* verilator lint_off UNUSEDPARAM */  // read as built only
  parameter bit          RACE = 1'b0,
  parameter bit          FEW  = 1'b0,
  /* verilator lint_on UNUSEDPARAM */
  parameter int unsigned FIRST = 0,       // words with CONTENT at the beginning, all others 0; 0: no initial content
  parameter logic [((FIRST > 0) ? FIRST : 1)*WIDTH-1:0] CONTENT = '0,
  localparam int unsigned ADDR_W = (DEPTH > 1) ? $clog2(DEPTH) : 1
) (
  input  logic              clk_i,
  input  logic              rst_ni,       // for assertions alone
  // write port
  input  logic [PARTS-1:0]  wr_en_i,
  input  logic [ADDR_W-1:0] wr_addr_i,
  input  logic [WIDTH-1:0]  wr_data_i,
  // read port
  input  logic              rd_en_i,
  input  logic [ADDR_W-1:0] rd_addr_i,
  output logic [WIDTH-1:0]  rd_data_o
);

  localparam int unsigned PART_W = WIDTH / PARTS;

  /* verilator lint_off UNUSEDPARAM */  // read by synthesis only
  // As long as the word: a shorter literal would be filled with zeros.
  localparam int unsigned STYLE_W = 8 * (FEW ? 11 : 5);
  localparam logic [STYLE_W-1:0] STYLE = STYLE_W'(FEW ? "distributed" : "block");
  /* verilator lint_on UNUSEDPARAM */
  (* no_rw_check, ram_style = STYLE *)
  logic [WIDTH-1:0] mem_q [DEPTH];
  logic [WIDTH-1:0] rd_data_q;

  if (FIRST > 0) begin : gen_first
    initial begin
      for (int unsigned i = 0; i < DEPTH; i++) mem_q[i] = (i < FIRST) ? CONTENT[(i % FIRST)*WIDTH +: WIDTH] : '0;
    end
  end

  // Rows that begin with CONTENT have a second writer, which IEEE 1800 9.2.2.4 forbids to always_ff.
`ifndef HEDDLE_SIMULATED
  always @(posedge clk_i) begin
    for (int unsigned p = 0; p < PARTS; p++) begin
      if (wr_en_i[p]) mem_q[wr_addr_i][p*PART_W +: PART_W] <= wr_data_i[p*PART_W +: PART_W];
    end
  end

  always_ff @(posedge clk_i) begin
    if (rd_en_i) rd_data_q <= mem_q[rd_addr_i];
`ifdef HEDDLE_ASBUILT
    if (RACE && rd_en_i && wr_en_i != '0 && wr_addr_i == rd_addr_i) rd_data_q <= 'x;
`endif
  end
`else
  // The same, read before the write: for each part assigned with <= a simulator keeps a mark, an address and a word, and checks them in
  // every cycle.
  /* verilator lint_off BLKSEQ */
  always @(posedge clk_i) begin
    if (rd_en_i) rd_data_q <= mem_q[rd_addr_i];
    if (wr_en_i != '0) begin
      for (int unsigned p = 0; p < PARTS; p++) begin
        if (wr_en_i[p]) mem_q[wr_addr_i][p*PART_W +: PART_W] = wr_data_i[p*PART_W +: PART_W];
      end
    end
  end
  /* verilator lint_on BLKSEQ */
`endif

  assign rd_data_o = rd_data_q;

  // No word is read and written in one cycle; a simulator skips unused reads (HEDDLE_LIVE), the built form does not.
`ifdef HEDDLE_SIMULATED
  `ASSERT_IF(a_apart, wr_en_i != '0 && rd_en_i, wr_addr_i != rd_addr_i)
`else
  `ASSERT_IF(a_apart, wr_en_i != '0 && rd_en_i && !RACE, wr_addr_i != rd_addr_i)
`endif

endmodule
