// SPDX-License-Identifier: Apache-2.0
// Block RAM with one read and one write port whose user never reads the word that is written in the same cycle, and may have zero in
// place of a word: the reset of block RAM's output, for free.
// Latency: read data stands one cycle after rd_en_i with its address, or zero after rd_zero_i, and stays until the next of these.
// No handshake: both ports take a request every cycle, at different addresses.
// It does not clear its storage.
`default_nettype none
`include "heddle_assert.svh"
`include "heddle_form.svh"

module ram_blank #(
  parameter int unsigned WIDTH = 32,
  parameter int unsigned DEPTH = 256,
  localparam int unsigned ADDR_W = (DEPTH > 1) ? $clog2(DEPTH) : 1
) (
  input  logic              clk_i,
  input  logic              rst_ni,       // for the check alone
  // write port
  input  logic              wr_en_i,
  input  logic [ADDR_W-1:0] wr_addr_i,
  input  logic [WIDTH-1:0]  wr_data_i,
  // read port
  input  logic              rd_en_i,
  input  logic              rd_zero_i,    // wins over rd_en_i
  input  logic [ADDR_W-1:0] rd_addr_i,
  output logic [WIDTH-1:0]  rd_data_o
);

  (* no_rw_check, ram_style = "block" *)
  logic [WIDTH-1:0] mem_q [DEPTH];
  logic [WIDTH-1:0] rd_data_q;

`ifndef HEDDLE_SIMULATED
  always_ff @(posedge clk_i) begin
    if (wr_en_i) mem_q[wr_addr_i] <= wr_data_i;
  end

  always_ff @(posedge clk_i) begin
    if (rd_zero_i)    rd_data_q <= '0;
    else if (rd_en_i) rd_data_q <= mem_q[rd_addr_i];
  end
`else
  // The same, read before it is written (see ram_apart).
  /* verilator lint_off BLKSEQ */
  always_ff @(posedge clk_i) begin
    if (rd_zero_i)    rd_data_q <= '0;
    else if (rd_en_i) rd_data_q <= mem_q[rd_addr_i];
    if (wr_en_i) mem_q[wr_addr_i] = wr_data_i;
  end
  /* verilator lint_on BLKSEQ */
`endif

  assign rd_data_o = rd_data_q;

  // What is read now is not written now.
  `ASSERT_IF(a_apart, wr_en_i && rd_en_i, wr_addr_i != rd_addr_i)

endmodule

`default_nettype wire
