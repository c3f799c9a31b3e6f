// SPDX-License-Identifier: Apache-2.0
// Sends the result rows of an LDSM on their way as row_writer does those of a load, but in its own order: register by register, of each
// the rows of all 32 lanes. What came in one beat of the unit (with 4 lanes, in two) makes four rows (eight).
//   32 lanes: rows are registers 0..3    16: two registers, of each two beats    8, 4: one register, its 4, 8 beats
// Latency: combinational from in_valid_i to out_valid_o; a row a cycle.
// Handshake: valid/ready on both sides; in_ready_o comes with the last row.
// It does not know data: row_o says which of these rows is asked for.
`default_nettype none
`include "heddle_idle.svh"

module matrix_rows #(
  parameter  int unsigned LANES = cfg_pkg::LSU_LANES,
  localparam int unsigned ROWS  = (LANES == 4) ? 8 : 4,
  localparam int unsigned ROW_W = $clog2(ROWS)
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  // from the ring of beats
  input  logic              in_valid_i,
  output logic              in_ready_o,
  input  mem_pkg::rows_t    in_rows_i,
  output logic [ROW_W-1:0]  row_o,
  // to the end of the unit
  output logic              out_valid_o,
  input  logic              out_ready_i,
  output mem_pkg::result_t  out_result_o
);

  logic [ROW_W-1:0] row_q;
  logic [1:0]       word;
  logic [4:0]       beat;
  logic             row_en, final_row;

  always_comb begin
    case (LANES)
      32:      {word, beat} = {2'(row_q), 5'd0};
      16:      {word, beat} = {in_rows_i.beat[0], row_q[1], 4'd0, row_q[0]};
      8:       {word, beat} = {in_rows_i.beat[1:0], 5'(row_q)};
      default: {word, beat} = {in_rows_i.beat[2:1], 5'(row_q)};
    endcase
  end

  assign row_en    = in_rows_i.who.has_rd && word <= in_rows_i.who.rd_n;
  assign final_row = !row_en || row_q == ROW_W'(ROWS - 1) || (word == in_rows_i.who.rd_n && beat == 5'(mem_pkg::BEATS - 1));

  assign row_o       = row_q;
  assign out_valid_o = in_valid_i && (row_en || in_rows_i.last);
  assign in_ready_o  = final_row && (out_ready_i || !out_valid_o);

  always_comb begin
    out_result_o = 'x;
    if (`HEDDLE_LIVE(out_valid_o)) begin
      out_result_o        = '0;
      out_result_o.who    = in_rows_i.who;
      out_result_o.row_en = row_en;
      out_result_o.beat   = beat;
      out_result_o.mask   = '1;
      out_result_o.word   = word;
      out_result_o.last   = in_rows_i.last && final_row;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni)                         row_q <= '0;
    else if (out_valid_o && out_ready_i) row_q <= final_row ? '0 : row_q + 1'b1;
  end

  logic unused;
  assign unused = ^in_rows_i;

endmodule

`default_nettype wire
