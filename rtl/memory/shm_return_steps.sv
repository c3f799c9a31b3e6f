// SPDX-License-Identifier: Apache-2.0
// From the banks back to few lanes (4 or 8): the data of a pass stand at the banks while each lane picks a word a cycle and
// writes it into the ring, where each word of a beat has a place of its own; a result row is the place that is asked for. LDSM:
// matrix_steps says whose word a lane picks, and so the ring holds rows of results.
// Cheap, since a lane has one choice among the banks, whatever its access is; with many lanes shm_return_words stands here.
// Latency: a load of n words takes n cycles, LDSM 4, of a transposed matrix 8 (4 lanes: 16); final_o is the last of them.
// No handshake. It knows neither which beats are whole (shm_ring) nor whose they are (shm_pending).
`include "heddle_idle.svh"

module shm_return_steps #(
  parameter  int unsigned UNITS  = 16,
  localparam int unsigned PTR_W  = $clog2(UNITS),
  localparam int unsigned LANES  = cfg_pkg::LSU_LANES,
  localparam int unsigned BANKS  = mem_pkg::SHM_BANKS,
  localparam int unsigned BANK_W = mem_pkg::SHM_BANK_W,
  localparam int unsigned PLACES = (LANES == 4) ? 8 : 4,      // of a matrix
  localparam int unsigned STEP_W = $clog2(PLACES)
) (
  input  logic                         clk_i,
  input  logic                         rst_ni,
  // the pass whose bank data is here
  input  logic                         bk_valid_i,
  input  logic                         bk_store_i,     // it returns nothing
  input  logic [2:0]                   bk_size_i,
  input  logic                         bk_matrix_i,
  input  logic                         bk_turned_i,
  input  logic                         bk_second_i,    // the second beat of a matrix
  input  logic [LANES-1:0]             bk_grant_i,
  input  logic [LANES-1:0][BANK_W-1:0] bk_bank_i,      // of each lane's first word
  input  logic [BANKS-1:0][31:0]       bk_rdata_i,
  output logic                         final_o,        // the pass has been taken with this cycle
  output logic [PTR_W-1:0]             places_o,       // that its beat takes
  // the ring, and the row in front
  input  logic [PTR_W-1:0]             wr_i,
  output logic [PTR_W-1:0]             wr_place_o,     // where the words of this cycle go
  output logic [LANES-1:0]             wr_en_o,
  input  logic [PTR_W-1:0]             rd_i,
  input  logic                         row_valid_i,
  input  logic [STEP_W-1:0]            row_step_i,     // of the beat's rows
  output logic [PTR_W-1:0]             rd_place_o,
  output logic [LANES-1:0][31:0]       res_data_o
);

  logic [3:0]                          step_q;
  logic                                quad, wide, matrix_final, gives;
  logic [2:0]                          matrix_row;
  logic [LANES-1:0][$clog2(LANES)-1:0] from;           // LDSM: the lane whose address it is
  logic [LANES-1:0][1:0]               from_word, half_en;
  logic [LANES-1:0]                    upper;

  assign quad     = bk_size_i == isa_pkg::SIZE_128;
  assign wide     = quad || bk_size_i == isa_pkg::SIZE_64;
  assign gives    = bk_valid_i && !bk_store_i;
  assign final_o  = bk_store_i || (bk_matrix_i ? matrix_final : step_q == 4'({quad, wide}));
  assign places_o = bk_matrix_i ? PTR_W'(PLACES) : PTR_W'(step_q) + PTR_W'(1);

  assign wr_place_o = wr_i + PTR_W'(bk_matrix_i ? 4'(matrix_row) : step_q);
  assign rd_place_o = rd_i + PTR_W'(row_step_i);

  matrix_steps u_matrix (
    .en_i      (bk_valid_i && bk_matrix_i),
    .turned_i  (bk_turned_i),
    .second_i  (bk_second_i),
    .step_i    (step_q),
    .grant_i   (bk_grant_i),
    .final_o   (matrix_final),
    .row_o     (matrix_row),
    .from_o    (from),
    .word_o    (from_word),
    .upper_o   (upper),
    .half_en_o (half_en)
  );

  for (genvar l = 0; l < LANES; l++) begin : gen_lane
    logic [BANK_W-1:0] bank;
    logic [31:0]       word, asked;
    logic [1:0]        en;                             // halves of the word
    logic              upper_half;

    always_comb begin
      {bank, asked, upper_half, word} = 'x;
      en = '0;
      `HEDDLE_ONLY(gives) begin
        bank  = bk_matrix_i ? bk_bank_i[from[l]] | BANK_W'(from_word[l]) : bk_bank_i[l] | BANK_W'(step_q[1:0]);
        asked = bk_rdata_i[bank];
        // Of a transposed matrix half a word, for either half.
        upper_half  = bk_matrix_i && bk_turned_i && upper[l];
        word[15:0]  = upper_half ? asked[31:16] : asked[15:0];
        word[31:16] = (bk_matrix_i && bk_turned_i && !upper[l]) ? asked[15:0] : asked[31:16];
        en          = !gives ? '0 : bk_matrix_i ? half_en[l] : {2{bk_grant_i[l]}};
      end
    end

    ram_live #(.WIDTH(32), .DEPTH(UNITS), .PARTS(2)) u_data (
      .clk_i     (clk_i),
      .wr_en_i   (en),
      .wr_addr_i (wr_place_o),
      .wr_data_i (word),
      .rd_live_i (row_valid_i),
      .rd_addr_i (rd_place_o),
      .rd_data_o (res_data_o[l])
    );
    assign wr_en_o[l] = en != '0;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) step_q <= '0;
    else         step_q <= (bk_valid_i && !final_o) ? step_q + 1'b1 : '0;
  end

endmodule
