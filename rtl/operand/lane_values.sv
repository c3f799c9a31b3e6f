// SPDX-License-Identifier: Apache-2.0
// Special registers that follow from a lane's number: SR_LANEID and the five lane masks.
// Latency: combinational.
// No handshake. While en_i is low the outputs are zero.
// It does not know masks of executing lanes; any other register number gives the lane's number.
`default_nettype none

module lane_values (
  input  logic                                 en_i,
  input  logic [cfg_pkg::BEAT_W-1:0]           beat_i,
  input  logic [7:0]                           sreg_i,
  output logic [cfg_pkg::LANES-1:0][31:0]      data_o
);

  localparam int unsigned LANES = cfg_pkg::LANES;
  localparam int unsigned BEATS = cfg_pkg::BEATS;

  // Bits of a mask by where their lane lies: in an earlier beat than this one, or in this beat. Only within the beat does
  // a mask differ from lane to lane.
  logic [31:0] earlier, here, beat_part, flip;
  logic        eq, lt, le, gt, ge, masks;

  assign eq    = sreg_i == isa_pkg::SREG_SR_EQMASK;
  assign lt    = sreg_i == isa_pkg::SREG_SR_LTMASK;
  assign le    = sreg_i == isa_pkg::SREG_SR_LEMASK;
  assign gt    = sreg_i == isa_pkg::SREG_SR_GTMASK;
  assign ge    = sreg_i == isa_pkg::SREG_SR_GEMASK;
  assign masks = eq || lt || le || gt || ge;

  always_comb begin
    for (int unsigned j = 0; j < 32; j++) begin
      earlier[j] = BEATS > 1 && 32'(beat_i) > j / LANES;
      here[j]    = BEATS == 1 || 32'(beat_i) == j / LANES;
    end
  end

  // LE and LT have the earlier beats; GT and GE are their complements.
  assign beat_part = (masks && !eq) ? earlier : '0;
  assign flip      = {32{gt || ge}};

  always_comb begin
    data_o = '0;
    if (en_i) begin
      for (int unsigned l = 0; l < LANES; l++) begin
        for (int unsigned j = 0; j < 32; j++) begin
          data_o[l][j] = (beat_part[j] || (here[j] && ((j % LANES == l && (eq || le || gt))
                                                       || (j % LANES < l && (lt || le || gt || ge))))) ^ flip[j];
        end
        if (!masks) data_o[l] = ((BEATS > 1) ? 32'(beat_i) * LANES : 32'd0) + l;
      end
    end
  end

endmodule

`default_nettype wire
