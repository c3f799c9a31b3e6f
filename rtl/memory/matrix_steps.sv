// SPDX-License-Identifier: Apache-2.0
// LDSM in a unit of few lanes (4 or 8): which lane's address a lane of the result row takes its word from, step by step while the data of
// a pass stand at the banks, and where the word goes. Rows are put together as they come from the banks, so that no other
// crossbar is needed: a step writes to one row a word of each lane whose matrix row this pass has read; of a transposed matrix
// half a word, first the low one.
// Latency: combinational. A pass has 4 steps; of a transposed matrix 8 (4 lanes: 16).
// No handshake.
// It does not see data.
`include "heddle_idle.svh"

module matrix_steps #(
  parameter  int unsigned LANES  = cfg_pkg::LSU_LANES,
  localparam int unsigned LANE_W = $clog2(LANES)
) (
  input  logic                         en_i,       // somebody looks: only saves work in simulation
  input  logic                         turned_i,   // of the transposed matrix
  input  logic                         second_i,   // 4 lanes: rows 4..7 of the matrix have been read
  input  logic [3:0]                   step_i,
  input  logic [LANES-1:0]             grant_i,    // lanes (matrix rows) of the pass
  output logic                         final_o,    // last step
  output logic [2:0]                   row_o,      // of the register's rows of results
  output logic [LANES-1:0][LANE_W-1:0] from_o,     // the address
  output logic [LANES-1:0][1:0]        word_o,     // ... and the word from there
  output logic [LANES-1:0]             upper_o,    // a transposed matrix: the upper half of it
  output logic [LANES-1:0][1:0]        half_en_o   // halves that are written
);

  localparam logic [3:0] TURNED_LAST = (LANES == 4) ? 4'd15 : 4'd7;

  assign final_o = step_i == (turned_i ? TURNED_LAST : 4'd3);
  assign row_o   = turned_i ? step_i[3:1] : {LANES == 4 && second_i, step_i[1:0]};

  always_comb begin
    {from_o, word_o, upper_o, half_en_o} = 'x;
    `HEDDLE_ONLY(en_i) begin
      for (int unsigned l = 0; l < LANES; l++) begin
        if (turned_i) begin
          // Matrix rows 2l and 2l + 1, mod 8; the row of results and the lane say the column.
          from_o[l]    = LANE_W'({2'(l), step_i[0]});
          word_o[l]    = (LANES == 4) ? step_i[3:2] : step_i[2:1];
          upper_o[l]   = (LANES == 4) ? step_i[1] : 1'(l / 4);
          half_en_o[l] = (grant_i[from_o[l]] && (LANES != 4 || 1'(l / 2) == second_i)) ? {step_i[0], !step_i[0]} : 2'b00;
        end else begin
          from_o[l]    = (LANES == 4) ? LANE_W'(step_i) : LANE_W'({step_i[1:0], 1'(l / 4)});
          word_o[l]    = 2'(l);
          upper_o[l]   = 1'b0;
          half_en_o[l] = {2{grant_i[from_o[l]]}};
        end
      end
    end
  end

  logic unused;
  assign unused = en_i;

endmodule
