// SPDX-License-Identifier: Apache-2.0
// rtl/lib/ram_async.sv in proofs that do not keep memories: what is read is any word (see ram_apart.sv here).
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

  logic [WIDTH-1:0] any;   // without a driver: another value in each cycle
  assign rd_data_o = any;

endmodule
