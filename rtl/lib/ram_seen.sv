// SPDX-License-Identifier: Apache-2.0
// Block RAM as ram_apart, with a watcher's port for the retire port. Without a watcher that port is pruned and the rest maps as
// ram_apart does; with one the memory is made of LUTs.
// Latency: read data one cycle after rd_en_i with its address, held until the next rd_en_i. The watcher reads in the cycle of its
// address, and a word written in cycle t from t+1 on.
// No handshake: both ports take a request every cycle, at different addresses.
// It does not clear its storage.
`include "heddle_assert.svh"

module ram_seen #(
  parameter  int unsigned WIDTH  = 32,
  parameter  int unsigned DEPTH  = 256,
  localparam int unsigned ADDR_W = (DEPTH > 1) ? $clog2(DEPTH) : 1
) (
  input  logic              clk_i,
  input  logic              rst_ni,       // for assertions alone
  // write port
  input  logic              wr_en_i,
  input  logic [ADDR_W-1:0] wr_addr_i,
  input  logic [WIDTH-1:0]  wr_data_i,
  // read port
  input  logic              rd_en_i,
  input  logic [ADDR_W-1:0] rd_addr_i,
  output logic [WIDTH-1:0]  rd_data_o,
  // watcher
  input  logic [ADDR_W-1:0] see_addr_i,
  output logic [WIDTH-1:0]  see_data_o
);

  (* no_rw_check *)
  logic [WIDTH-1:0] mem_q [DEPTH];
  logic [WIDTH-1:0] rd_data_q;

  always_ff @(posedge clk_i) begin
    if (wr_en_i) mem_q[wr_addr_i] <= wr_data_i;
  end

  always_ff @(posedge clk_i) begin
    if (rd_en_i) rd_data_q <= mem_q[rd_addr_i];
  end

  assign rd_data_o  = rd_data_q;
  assign see_data_o = mem_q[see_addr_i];

  // No word is read and written in one cycle.
  `ASSERT_IF(a_apart, wr_en_i && rd_en_i, wr_addr_i != rd_addr_i)

endmodule
