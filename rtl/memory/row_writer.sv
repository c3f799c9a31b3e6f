// SPDX-License-Identifier: Apache-2.0
// Sends the result rows of one beat on their way, one register a cycle, ascending; then, with the last beat, the end of
// the instruction. Rows without executing lanes or without a destination are not sent.
// Latency: combinational from in_valid_i to out_valid_o; as many cycles as registers.
// Handshake: valid/ready on both sides; in_ready_o comes with the last row.
// It does not align data.
`default_nettype none
`include "heddle_idle.svh"

module row_writer (
  input  logic              clk_i,
  input  logic              rst_ni,
  // from a pipe of the load/store unit
  input  logic              in_valid_i,
  output logic              in_ready_o,
  input  mem_pkg::rows_t    in_rows_i,
  // to the end of the unit
  output logic              out_valid_o,
  input  logic              out_ready_i,
  output mem_pkg::result_t  out_result_o
);

  logic [1:0] word_q;
  logic       row_en, final_word;

  assign row_en      = in_rows_i.who.has_rd && in_rows_i.mask != '0;
  assign final_word  = !row_en || word_q == in_rows_i.who.rd_n;
  assign out_valid_o = in_valid_i && (row_en || in_rows_i.last);
  assign in_ready_o  = final_word && (out_ready_i || !out_valid_o);

  always_comb begin
    out_result_o = 'x;
    if (`HEDDLE_LIVE(out_valid_o)) begin
      out_result_o        = '0;
      out_result_o.who    = in_rows_i.who;
      out_result_o.row_en = row_en;
      out_result_o.beat   = in_rows_i.beat;
      out_result_o.mask   = in_rows_i.mask;
      out_result_o.word   = word_q;
      out_result_o.last   = in_rows_i.last && final_word;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) word_q <= '0;
    else if (out_valid_o && out_ready_i) word_q <= final_word ? '0 : word_q + 1'b1;
  end

endmodule

`default_nettype wire
