// SPDX-License-Identifier: Apache-2.0
// rtl/lib/ram_apart.sv in proofs that do not keep memories: what is read is any word. Tops with `// memories: free` say of the words
// that matter what they are; memory_formal.sv proves that of the real one. Its own assertion is proved here as well.
`include "heddle_assert.svh"

module ram_apart #(
  parameter int unsigned WIDTH = 32,
  parameter int unsigned DEPTH = 256,
  parameter int unsigned PARTS = 1,       // of a word, each with a write enable of its own
  localparam int unsigned ADDR_W = (DEPTH > 1) ? $clog2(DEPTH) : 1
) (
  input  logic              clk_i,
  input  logic              rst_ni,       // for the check alone
  // write port
  input  logic [PARTS-1:0]  wr_en_i,
  input  logic [ADDR_W-1:0] wr_addr_i,
  input  logic [WIDTH-1:0]  wr_data_i,
  // read port
  input  logic              rd_en_i,
  input  logic [ADDR_W-1:0] rd_addr_i,
  output logic [WIDTH-1:0]  rd_data_o
);

  logic [WIDTH-1:0] any;   // without a driver: another value in each cycle
  assign rd_data_o = any;

  // A word that is read now is not written now.
  `ASSERT_IF(a_apart, wr_en_i != '0 && rd_en_i, wr_addr_i != rd_addr_i)

endmodule
