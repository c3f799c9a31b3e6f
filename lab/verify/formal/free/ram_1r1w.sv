// SPDX-License-Identifier: Apache-2.0
// rtl/lib/ram_1r1w.sv in proofs that do not keep memories: what is read is any word. Tops with `// memories: free` say of the words
// that matter what they are; memories_formal.sv proves that of the real one.
module ram_1r1w #(
  parameter int unsigned WIDTH = 32,
  parameter int unsigned DEPTH = 256,
  parameter int unsigned GRAIN = WIDTH,
  parameter bit          RACE  = 1'b0,
  parameter bit          ZERO  = 1'b0,
  localparam int unsigned ADDR_W = (DEPTH > 1) ? $clog2(DEPTH) : 1,
  localparam int unsigned GRAINS = WIDTH / GRAIN
) (
  input  logic              clk_i,
  // write port
  input  logic [GRAINS-1:0] wr_en_i,
  input  logic [ADDR_W-1:0] wr_addr_i,
  input  logic [WIDTH-1:0]  wr_data_i,
  // read port
  input  logic              rd_en_i,
  input  logic [ADDR_W-1:0] rd_addr_i,
  output logic [WIDTH-1:0]  rd_data_o
);

  // One that shows zero between reads is kept: its content is then defined.
  if (ZERO) begin : gen_kept
    logic [WIDTH-1:0] mem_q [DEPTH];
    logic [WIDTH-1:0] rd_data_q;
    always_ff @(posedge clk_i) begin
      for (int unsigned g = 0; g < GRAINS; g++) begin
        if (wr_en_i[g]) mem_q[wr_addr_i][g*GRAIN +: GRAIN] <= wr_data_i[g*GRAIN +: GRAIN];
      end
      rd_data_q <= rd_en_i ? mem_q[rd_addr_i] : '0;
    end
    assign rd_data_o = rd_data_q;
  end else begin : gen_free
    logic [WIDTH-1:0] any;   // without a driver: another value in each cycle
    assign rd_data_o = any;
  end

endmodule
