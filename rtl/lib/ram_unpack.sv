// SPDX-License-Identifier: Apache-2.0
// Block RAM written a row of words at a time and read by one or several readers, a word each. The choice of the word is the memory's
// own and costs no logic. Each reader has a copy; a simulator keeps the words once.
// Latency: read data one cycle after rd_en_i with its address, held until the next rd_en_i.
// No handshake: both ports take a request every cycle, never for one word. With RACE set that may happen where the user ignores the
// result, which is undefined.
// It does not clear its storage.
`include "heddle_assert.svh"
`include "heddle_form.svh"

module ram_unpack #(
  parameter int unsigned LANES = 1,       // readers
  parameter int unsigned WIDTH = 32,      // of a word
  parameter int unsigned WORDS = 4,       // of a row; a power of two
  parameter int unsigned DEPTH = 32,      // rows
  /* verilator lint_off UNUSEDPARAM */  // read as built only
  parameter bit          RACE  = 1'b0,
  /* verilator lint_on UNUSEDPARAM */
  localparam int unsigned ADDR_W = $clog2(DEPTH),
  localparam int unsigned WORD_W = $clog2(WORDS)
) (
  input  logic                         clk_i,
  input  logic                         rst_ni,       // for assertions alone
  // write port
  input  logic                         wr_en_i,
  input  logic [ADDR_W-1:0]            wr_addr_i,
  input  logic [WORDS-1:0][WIDTH-1:0]  wr_data_i,
  // read ports
  input  logic                         rd_en_i,
  input  logic [LANES-1:0][ADDR_W-1:0] rd_addr_i,
  input  logic [LANES-1:0][WORD_W-1:0] rd_word_i,
  output logic [LANES-1:0][WIDTH-1:0]  rd_data_o
);

`ifdef HEDDLE_SIMULATED
  logic [WORDS-1:0][WIDTH-1:0] mem_q [DEPTH];

  always_ff @(posedge clk_i) begin
    if (wr_en_i) mem_q[wr_addr_i] <= wr_data_i;
  end

  always_ff @(posedge clk_i) begin
    if (rd_en_i) begin
      for (int unsigned l = 0; l < LANES; l++) rd_data_o[l] <= mem_q[rd_addr_i[l]][rd_word_i[l]];
    end
  end
`else
  for (genvar l = 0; l < LANES; l++) begin : gen_lane
    (* no_rw_check, ram_style = "block" *)
    logic [WIDTH-1:0] mem_q [DEPTH*WORDS];

    always_ff @(posedge clk_i) begin
      if (wr_en_i) begin
        for (int unsigned w = 0; w < WORDS; w++) mem_q[{wr_addr_i, WORD_W'(w)}] <= wr_data_i[w];
      end
    end

    always_ff @(posedge clk_i) begin
      if (rd_en_i) rd_data_o[l] <= mem_q[{rd_addr_i[l], rd_word_i[l]}];
`ifdef HEDDLE_ASBUILT
      if (RACE && rd_en_i && wr_en_i && wr_addr_i == rd_addr_i[l]) rd_data_o[l] <= 'x;
`endif
    end
  end
`endif

  // No word is read and written in one cycle; a simulator skips unused reads (HEDDLE_LIVE), the built form does not.
  logic apart;
  always_comb begin
    apart = 1'b1;
    if (wr_en_i && rd_en_i) begin
      for (int unsigned l = 0; l < LANES; l++) apart = apart && wr_addr_i != rd_addr_i[l];
    end
  end
`ifdef HEDDLE_SIMULATED
  `ASSERT(a_apart, apart)
`else
  `ASSERT(a_apart, apart || RACE)
`endif

endmodule
