// SPDX-License-Identifier: Apache-2.0
// The long word of what a place of code holds: the place itself, or one of its two short words made long by the rows that it
// names (isa/doc/13-short-words.md). The two tables are memories that nothing writes: block RAM in an FPGA.
// Latency: the word of a place taken in cycle t stands in t+1, until the next is taken. Throughput: a word a cycle.
// No handshake.
// It does not read the tag that goes along. Where all words are long there is none of these, and its tables are empty.
`include "heddle_assert.svh"

module lengthen #(
  parameter int unsigned WHO_W = 8     // what goes along
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  // from the group
  input  logic             take_i,
  input  logic [127:0]     place_i,
  input  logic             pair_i,     // two short words
  input  logic             second_i,   // ... of which the second is wanted
  input  logic [WHO_W-1:0] who_i,
  // a cycle later
  output logic             valid_o,
  output logic [127:0]     word_o,
  output logic [WHO_W-1:0] who_o
);

  localparam int unsigned ROW_W = isa_pkg::SHORT_ROW_W, CODE_W = isa_pkg::SHORT_CODE_W;

  typedef logic [ROW_W-1:0]  rows_t [256];
  typedef logic [CODE_W-1:0] codes_t [128];

  // A row that is not there is 0.
  function automatic rows_t rows_there();
    rows_there = '{default: '0};
    for (int unsigned i = 0; i < isa_pkg::SHORT_ROWS; i++) rows_there[i] = isa_pkg::SHORT_ROW[i];
  endfunction
  function automatic codes_t codes_there();
    codes_there = '{default: '0};
    for (int unsigned i = 0; i < isa_pkg::SHORT_CODES; i++) codes_there[i] = isa_pkg::SHORT_CODE[i];
  endfunction

  logic [63:0]       half;
  logic [7:0]        row [1];
  logic [6:0]        code [1];
  logic [ROW_W-1:0]  row_q [1];
  logic [CODE_W-1:0] code_q [1];
  logic [127:0]      place_q;   // below: the short word that is wanted
  logic              pair_q;

  assign half = second_i ? place_i[127:64] : place_i[63:0];
  assign row  = '{half[62:55]};
  assign code = '{half[54:48]};

  rom #(.WIDTH(ROW_W), .DEPTH(256), .WORDS(rows_there())) u_rows (
    .clk_i     (clk_i),
    .rd_en_i   (take_i),
    .rd_addr_i (row),
    .rd_data_o (row_q)
  );
  rom #(.WIDTH(CODE_W), .DEPTH(128), .WORDS(codes_there())) u_codes (
    .clk_i     (clk_i),
    .rd_en_i   (take_i),
    .rd_addr_i (code),
    .rd_data_o (code_q)
  );

  always_ff @(posedge clk_i) begin
    if (take_i) begin
      place_q <= {place_i[127:64], half};
      pair_q  <= pair_i;
      who_o   <= who_i;
    end
  end

  always_ff @(posedge clk_i) valid_o <= rst_ni && take_i;

  assign word_o = pair_q ? isa_pkg::lengthen_by(place_q[63:0], row_q[0], code_q[0]) : place_q;

  // Memories and functions mean the same; only pairs have a second word.
  `ASSERT_IF(a_same, valid_o && pair_q, word_o == isa_pkg::lengthen(place_q[63:0]))
  `ASSERT_IF(a_pair, take_i && second_i, pair_i)

endmodule
