// SPDX-License-Identifier: Apache-2.0
// Block RAM with one read and one write port; write enable for each GRAIN bits of a word.
// Latency: read data one cycle after rd_en_i with its address, held until the next rd_en_i.
// A read of the address written in the same cycle returns the OLD data. With RACE set the user ignores each part that is read and
// written in one cycle (a simulation of the built form has anything there). Block RAM then needs no registers and comparators, and is
// chosen however small the memory is. Each part with a write enable is a memory of its own, so a write of one part leaves reads of the
// others alone.
// With ZERO set read data is 0 after a cycle without a read: the reset of block RAM's output, for free.
// No handshake: both ports take a request every cycle.
// It does not clear its storage (undefined until written; randomised in simulation) and has no output register.
`include "heddle_form.svh"

module ram_1r1w #(
  parameter int unsigned WIDTH = 32,
  parameter int unsigned DEPTH = 256,
  parameter int unsigned GRAIN = WIDTH,   // bits that one write enable covers; divides WIDTH
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

  if (GRAINS * GRAIN != WIDTH) begin : gen_check
    $error("ram_1r1w: GRAIN must divide WIDTH");
  end

  /* verilator lint_off UNUSEDPARAM */  // read by synthesis only
  // As long as the word: a shorter literal would be filled with zeros.
  localparam int unsigned STYLE_W = 8 * (RACE ? 5 : 4);
  localparam logic [STYLE_W-1:0] STYLE = STYLE_W'(RACE ? "block" : "auto");
  /* verilator lint_on UNUSEDPARAM */
  logic [WIDTH-1:0] rd_data_q;

`ifndef HEDDLE_SIMULATED
  for (genvar g = 0; g < GRAINS; g++) begin : gen_part
    (* ram_style = STYLE, no_rw_check = RACE *) logic [GRAIN-1:0] mem_q [DEPTH];

    always_ff @(posedge clk_i) begin
      if (wr_en_i[g]) mem_q[wr_addr_i] <= wr_data_i[g*GRAIN +: GRAIN];
    end

    always_ff @(posedge clk_i) begin
      if (rd_en_i)   rd_data_q[g*GRAIN +: GRAIN] <= mem_q[rd_addr_i];
      else if (ZERO) rd_data_q[g*GRAIN +: GRAIN] <= '0;
`ifdef HEDDLE_ASBUILT
      if (RACE && rd_en_i && wr_en_i[g] && wr_addr_i == rd_addr_i) rd_data_q[g*GRAIN +: GRAIN] <= 'x;
`endif
    end
  end
`else
  // The same, read before the write: for each part assigned with <= a simulator keeps a mark, an address and a word, and checks them in
  // every cycle.
  logic [WIDTH-1:0] mem_q [DEPTH];

  /* verilator lint_off BLKSEQ */
  always_ff @(posedge clk_i) begin
    if (rd_en_i)   rd_data_q <= mem_q[rd_addr_i];
    else if (ZERO) rd_data_q <= '0;
    if (wr_en_i == '1) begin
      mem_q[wr_addr_i] = wr_data_i;
    end else if (wr_en_i != '0) begin
      for (int unsigned g = 0; g < GRAINS; g++) begin
        if (wr_en_i[g]) mem_q[wr_addr_i][g*GRAIN +: GRAIN] = wr_data_i[g*GRAIN +: GRAIN];
      end
    end
  end
  /* verilator lint_on BLKSEQ */
`endif

  assign rd_data_o = rd_data_q;

endmodule
