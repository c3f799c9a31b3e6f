// SPDX-License-Identifier: Apache-2.0
// Banks of 32-bit words in block RAM: in a cycle all of them are read or written, never both, each at a row of its own.
// Latency: read data one cycle after rd_any_i, held in each bank until its next read; a write is visible in the next cycle.
// No handshake: reads or writes in every cycle.
// It does not clear its storage.
`include "heddle_assert.svh"
`include "heddle_form.svh"

module ram_banks #(
  parameter int unsigned BANKS = 4,
  parameter int unsigned ROWS  = 256,
  parameter int unsigned ROW_W = 16      // bits of a row's number as it comes; the lowest count
) (
  input  logic                         clk_i,
  input  logic                         rst_ni,       // for assertions alone
  // read: some bank, which ones
  input  logic                         rd_any_i,
  input  logic [BANKS-1:0]             rd_en_i,
  input  logic [BANKS-1:0][ROW_W-1:0]  rd_row_i,
  output logic [BANKS-1:0][31:0]       rd_data_o,
  // write: some bank, which ones, which bytes
  input  logic                         wr_any_i,
  input  logic [BANKS-1:0]             wr_en_i,
  input  logic [BANKS-1:0][ROW_W-1:0]  wr_row_i,
  input  logic [BANKS-1:0][3:0]        wr_strb_i,
  input  logic [BANKS-1:0][31:0]       wr_data_i
);

  localparam int unsigned AT_W = (ROWS > 1) ? $clog2(ROWS) : 1;

`ifdef HEDDLE_SIMULATED
  // The same in one block: one test for all banks, and no mark for each byte assigned with <=.
  logic [31:0] mem_q [BANKS][ROWS];

  /* verilator lint_off BLKSEQ */
  always_ff @(posedge clk_i) begin
    if (rd_any_i) begin
      for (int unsigned b = 0; b < BANKS; b++) begin
        if (rd_en_i[b]) rd_data_o[b] <= mem_q[b][AT_W'(rd_row_i[b])];
      end
    end
    if (wr_any_i) begin
      for (int unsigned b = 0; b < BANKS; b++) begin
        if (wr_en_i[b]) begin
          if (wr_strb_i[b] == '1) begin
            mem_q[b][AT_W'(wr_row_i[b])] = wr_data_i[b];
          end else begin
            for (int unsigned y = 0; y < 4; y++) begin
              if (wr_strb_i[b][y]) mem_q[b][AT_W'(wr_row_i[b])][8*y +: 8] = wr_data_i[b][8*y +: 8];
            end
          end
        end
      end
    end
  end
  /* verilator lint_on BLKSEQ */
`else
  for (genvar b = 0; b < BANKS; b++) begin : gen_bank
    logic [31:0] mem_q [ROWS];

    always_ff @(posedge clk_i) begin
      if (rd_any_i && rd_en_i[b]) rd_data_o[b] <= mem_q[AT_W'(rd_row_i[b])];
    end

    always_ff @(posedge clk_i) begin
      if (wr_any_i && wr_en_i[b]) begin
        for (int unsigned y = 0; y < 4; y++) begin
          if (wr_strb_i[b][y]) mem_q[AT_W'(wr_row_i[b])][8*y +: 8] <= wr_data_i[b][8*y +: 8];
        end
      end
    end
  end
`endif

  // A cycle reads or writes.
  `ASSERT(a_one, !(rd_any_i && wr_any_i))

endmodule
