// SPDX-License-Identifier: Apache-2.0
// LUT RAM of rows of 32-bit words, written by bytes of a row, read word by word, each of a row of its own.
// Latency: read 0; what is written in cycle t is read from cycle t+1 on.
// No handshake: both ports take a request every cycle.
// It does not clear its storage (undefined until written; randomised in simulation).
`default_nettype none
`include "heddle_form.svh"
`include "heddle_idle.svh"

module ram_columns #(
  parameter int unsigned WORDS = 8,
  parameter int unsigned DEPTH = 16,
  localparam int unsigned ADDR_W = (DEPTH > 1) ? $clog2(DEPTH) : 1
) (
  input  logic                         clk_i,
  // write port
  input  logic                         wr_any_i,    // some enable is set
  input  logic [4*WORDS-1:0]           wr_en_i,
  input  logic [ADDR_W-1:0]            wr_addr_i,
  input  logic [32*WORDS-1:0]          wr_data_i,
  // read port
  input  logic                         rd_live_i,   // somebody looks: only saves work in simulation
  input  logic [WORDS-1:0][ADDR_W-1:0] rd_addr_i,   // of each word
  output logic [WORDS-1:0][31:0]       rd_data_o
);

`ifdef HEDDLE_SIMULATED
  // The same, written in whole rows: a simulator keeps an address and a mark for each part that is assigned with <=.
  logic [WORDS-1:0][31:0] mem_q [DEPTH];
  logic [32*WORDS-1:0]    keep;

  always_comb begin
    keep = 'x;
    `HEDDLE_ONLY(wr_any_i) begin
      for (int unsigned b = 0; b < 4 * WORDS; b++) keep[8*b +: 8] = {8{!wr_en_i[b]}};
    end
  end

  always_ff @(posedge clk_i) begin
    if (wr_any_i) mem_q[wr_addr_i] <= (mem_q[wr_addr_i] & keep) | (wr_data_i & ~keep);
  end

  always_comb begin
    rd_data_o = 'x;
    if (rd_live_i) begin
      for (int unsigned w = 0; w < WORDS; w++) rd_data_o[w] = mem_q[rd_addr_i[w]][w];
    end
  end
`else
  for (genvar w = 0; w < WORDS; w++) begin : gen_word
    logic [31:0] mem_q [DEPTH];

    always_ff @(posedge clk_i) begin
      if (wr_any_i) begin
        for (int unsigned b = 0; b < 4; b++) begin
          if (wr_en_i[4*w + b]) mem_q[wr_addr_i][8*b +: 8] <= wr_data_i[32*w + 8*b +: 8];
        end
      end
    end

    assign rd_data_o[w] = mem_q[rd_addr_i[w]];
  end

  logic unused;
  assign unused = rd_live_i;
`endif

endmodule

`default_nettype wire
