// SPDX-License-Identifier: Apache-2.0
// From the banks back to many lanes (16 or 32): each lane of a pass picks all its words in one cycle and writes them into the
// ring, where a beat takes one place; a result row is one word of each lane of the beat that leaves. LDSM is a load of 128 bits
// until then: matrix_words makes its rows from the words of the lanes as they leave the ring.
// One cycle a pass costs a crossbar for each of a lane's four words; with few lanes shm_return_steps stands here.
// Latency: a pass is written in the cycle of its bank data; res_data_o is combinational from rd_i and step_i.
// No handshake. It knows neither which beats are whole (shm_ring) nor whose they are (shm_pending).
`include "heddle_idle.svh"

module shm_return_words #(
  parameter  int unsigned UNITS  = 8,
  localparam int unsigned PTR_W  = $clog2(UNITS),
  localparam int unsigned LANES  = cfg_pkg::LSU_LANES,
  localparam int unsigned BANKS  = mem_pkg::SHM_BANKS,
  localparam int unsigned BANK_W = mem_pkg::SHM_BANK_W
) (
  input  logic                         clk_i,
  // the pass whose bank data is here
  input  logic                         bk_gives_i,     // it returns words
  input  logic [2:0]                   bk_size_i,
  input  logic [LANES-1:0]             bk_grant_i,
  input  logic [LANES-1:0][BANK_W-1:0] bk_bank_i,      // of each lane's first word
  input  logic [BANKS-1:0][31:0]       bk_rdata_i,
  // the ring, and the row in front
  input  logic [PTR_W-1:0]             wr_i,
  input  logic [PTR_W-1:0]             rd_i,
  input  logic                         row_valid_i,
  input  logic                         row_matrix_i,
  input  logic                         row_turned_i,
  input  logic [1:0]                   row_step_i,     // of the beat's rows
  output logic [LANES-1:0][31:0]       res_data_o
);

  logic [31:0]                 from [BANKS];     // an index into an array costs a simulator less than one into a vector
  logic [LANES-1:0][3:0][31:0] word, row;        // into the ring, out of it
  logic [LANES-1:0][31:0]      matrix;
  logic                        wide, quad;

  assign quad = bk_size_i == isa_pkg::SIZE_128;
  assign wide = quad || bk_size_i == isa_pkg::SIZE_64;

  // Words of a lane lie in neighbouring banks, from a multiple of their number on.
  always_comb begin
    `HEDDLE_IDLE(word, 'x);
    for (int unsigned b = 0; b < BANKS; b++) from[b] = 'x;
    `HEDDLE_ONLY(bk_gives_i) begin
      for (int unsigned b = 0; b < BANKS; b++) from[b] = bk_rdata_i[b];
      for (int unsigned l = 0; l < LANES; l++) word[l][0] = from[bk_bank_i[l]];
      if (`HEDDLE_LIVE(wide)) begin
        for (int unsigned l = 0; l < LANES; l++) word[l][1] = from[bk_bank_i[l] | BANK_W'(1)];
      end
      if (`HEDDLE_LIVE(quad)) begin
        for (int unsigned l = 0; l < LANES; l++) begin
          word[l][2] = from[(bk_bank_i[l] & ~BANK_W'(3)) | BANK_W'(2)];
          word[l][3] = from[bk_bank_i[l] | BANK_W'(3)];
        end
      end
    end
  end

  ram_live #(.WIDTH(LANES * 128), .DEPTH(UNITS), .PARTS(LANES)) u_data (
    .clk_i     (clk_i),
    .wr_en_i   (bk_gives_i ? bk_grant_i : '0),
    .wr_addr_i (wr_i),
    .wr_data_i (word),
    .rd_live_i (row_valid_i),
    .rd_addr_i (rd_i),
    .rd_data_o (row)
  );

  matrix_words u_matrix (
    .en_i     (row_valid_i && row_matrix_i),
    .turned_i (row_turned_i),
    .row_i    (row_step_i),
    .read_i   (row),
    .words_o  (matrix)
  );

  always_comb begin
    `HEDDLE_IDLE(res_data_o, 'x);
    if (`HEDDLE_LIVE(row_valid_i)) begin
      for (int unsigned l = 0; l < LANES; l++) res_data_o[l] = row_matrix_i ? matrix[l] : row[l][row_step_i];
    end
  end

endmodule
