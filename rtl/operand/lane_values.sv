// SPDX-License-Identifier: Apache-2.0
// Special registers that follow from a lane's number: SR_LANEID and the five lane masks.
// Latency: combinational.
// No handshake. While en_i is low the outputs are zero.
// It does not know masks of executing lanes, nor which special register it is (operand_map does).
`include "heddle_idle.svh"

module lane_values (
  input  logic                                 en_i,
  input  logic [cfg_pkg::BEAT_W-1:0]           beat_i,
  input  back_pkg::lane_kind_t                 kind_i,
  output logic [cfg_pkg::LANES-1:0][31:0]      data_o
);

  localparam int unsigned LANES = cfg_pkg::LANES;
  localparam int unsigned BEATS = cfg_pkg::BEATS;

  // Bits of a mask by where their lane lies: in an earlier beat than this one, or in this beat. Only within the beat does
  // a mask differ from lane to lane.
  logic [31:0] earlier, here;

  always_comb begin
    earlier = 'x;
    here    = 'x;
    `HEDDLE_ONLY(en_i) begin
      for (int unsigned j = 0; j < 32; j++) begin
        earlier[j] = BEATS > 1 && 32'(beat_i) > j / LANES;
        here[j]    = BEATS == 1 || 32'(beat_i) == j / LANES;
      end
    end
  end

  always_comb begin
    data_o = '0;
    if (en_i) begin
      for (int unsigned l = 0; l < LANES; l++) begin
        for (int unsigned j = 0; j < 32; j++) begin
          data_o[l][j] = ((earlier[j] && kind_i.earlier)
                          || (here[j] && ((j % LANES == l && kind_i.own) || (j % LANES < l && kind_i.below)))) ^ kind_i.flip;
        end
        if (kind_i.number) data_o[l] |= ((BEATS > 1) ? 32'(beat_i) * LANES : 32'd0) + l;
      end
    end
  end

endmodule
