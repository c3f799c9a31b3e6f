// SPDX-License-Identifier: Apache-2.0
// LUT RAM as ram_async, of words in parts with a write enable each, read only when used.
// Latency: read 0; a word written in cycle t is read from cycle t+1 on (in cycle t the OLD data is read).
// No handshake: both ports take a request every cycle. rd_live_i only saves work in simulation: without it the word is undefined.
// It does not clear its storage (undefined until written; randomised in simulation).
`include "heddle_form.svh"
`include "heddle_idle.svh"

module ram_live #(
  parameter int unsigned WIDTH = 32,
  parameter int unsigned DEPTH = 16,
  parameter int unsigned PARTS = 1,
  localparam int unsigned ADDR_W = (DEPTH > 1) ? $clog2(DEPTH) : 1
) (
  input  logic              clk_i,
  // write port
  input  logic [PARTS-1:0]  wr_en_i,
  input  logic [ADDR_W-1:0] wr_addr_i,
  input  logic [WIDTH-1:0]  wr_data_i,
  // read port
  input  logic              rd_live_i,
  input  logic [ADDR_W-1:0] rd_addr_i,
  output logic [WIDTH-1:0]  rd_data_o
);

  localparam int unsigned PART_W = WIDTH / PARTS;

`ifdef HEDDLE_SIMULATED
  // The same, written in whole words: a simulator keeps an address and a mark for each part assigned with <=.
  logic [WIDTH-1:0] mem_q [DEPTH];
  logic [WIDTH-1:0] word;

  always_comb begin
    `HEDDLE_IDLE(word, 'x);
    if (wr_en_i == '1) begin
      word = wr_data_i;
    end else if (wr_en_i != '0) begin
      word = mem_q[wr_addr_i];
      for (int unsigned p = 0; p < PARTS; p++) begin
        if (wr_en_i[p]) word[p*PART_W +: PART_W] = wr_data_i[p*PART_W +: PART_W];
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (wr_en_i != '0) mem_q[wr_addr_i] <= word;
  end

  always_comb begin
    `HEDDLE_IDLE(rd_data_o, 'x);
    if (rd_live_i) rd_data_o = mem_q[rd_addr_i];
  end
`else
  for (genvar p = 0; p < PARTS; p++) begin : gen_part
    ram_async #(.WIDTH(PART_W), .DEPTH(DEPTH)) u_part (
      .clk_i     (clk_i),
      .wr_en_i   (wr_en_i[p]),
      .wr_addr_i (wr_addr_i),
      .wr_data_i (wr_data_i[p*PART_W +: PART_W]),
      .rd_addr_i (rd_addr_i),
      .rd_data_o (rd_data_o[p*PART_W +: PART_W])
    );
  end
  logic unused;
  assign unused = rd_live_i;
`endif

endmodule
