// SPDX-License-Identifier: Apache-2.0
// LDSM in a unit of many lanes (16 or 32): out of the four words that each lane of a beat has read, a row of a matrix, the words of one
// row of results. A matrix is what eight neighbours have read; out row `row_i` as matrix_rows counts.
// Latency: combinational.
// No handshake; en_i only saves work.
// It does not know which rows are wanted.
module matrix_words #(
  parameter int unsigned LANES = cfg_pkg::LSU_LANES
) (
  input  logic                         en_i,
  input  logic                         turned_i,   // of the transposed matrix
  input  logic [1:0]                   row_i,
  input  logic [LANES-1:0][3:0][31:0]  read_i,     // lane, word
  output logic [LANES-1:0][31:0]       words_o
);

  localparam int unsigned EACH = LANES / 8;        // matrices of a beat

  // Lane L of the warp has columns 2 (L mod 4) and one more of row L / 4: a word; of the transposed matrix they are rows, and the
  // column is L / 4: a half of each.
  always_comb begin
    words_o = '0;
    if (en_i) begin
      for (int unsigned l = 0; l < LANES; l++) begin
        for (int unsigned m = 0; m < EACH; m++) begin
          for (int unsigned b = 0; b < 32 / LANES; b++) begin
            if (32'(row_i) == m * (32 / LANES) + b) begin
              if (turned_i) begin
                words_o[l] = {read_i[8*m+2*(l%4)+1][b*(LANES/8)+l/8][16*(l/4%2) +: 16],
                              read_i[8*m+2*(l%4)][b*(LANES/8)+l/8][16*(l/4%2) +: 16]};
              end else begin
                words_o[l] = read_i[8*m+b*(LANES/4)+l/4][l%4];
              end
            end
          end
        end
      end
    end
  end

endmodule
