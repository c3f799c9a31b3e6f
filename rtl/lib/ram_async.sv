// SPDX-License-Identifier: Apache-2.0
// LUT RAM: one write port, one read port that answers in the same cycle.
// Latency: read 0; a word written in cycle t is read from cycle t+1 on (in cycle t the OLD data is read).
// No handshake: both ports take a request every cycle.
// It does not clear its storage (undefined until written; randomised in simulation).
module ram_async #(
  parameter int unsigned WIDTH = 32,
  parameter int unsigned DEPTH = 16,
  localparam int unsigned ADDR_W = (DEPTH > 1) ? $clog2(DEPTH) : 1
) (
  input  logic              clk_i,
  // write port
  input  logic              wr_en_i,
  input  logic [ADDR_W-1:0] wr_addr_i,
  input  logic [WIDTH-1:0]  wr_data_i,
  // read port
  input  logic [ADDR_W-1:0] rd_addr_i,
  output logic [WIDTH-1:0]  rd_data_o
);

  logic [WIDTH-1:0] mem_q [DEPTH];

  always_ff @(posedge clk_i) begin
    if (wr_en_i) mem_q[wr_addr_i] <= wr_data_i;
  end

  assign rd_data_o = mem_q[rd_addr_i];

endmodule
