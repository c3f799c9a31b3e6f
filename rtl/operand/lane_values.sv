// SPDX-License-Identifier: Apache-2.0
// Special registers that follow from a lane's number: SR_LANEID and the five lane masks.
// Latency: combinational.
// No handshake.
// It does not know masks of executing lanes; any other register number gives the lane's number.
`default_nettype none

module lane_values (
  input  logic [cfg_pkg::BEAT_W-1:0]           beat_i,
  input  logic [7:0]                            sreg_i,
  output logic [cfg_pkg::LANES-1:0][31:0]       data_o
);

  localparam int unsigned LANES = cfg_pkg::LANES;
  localparam int unsigned BEATS = cfg_pkg::BEATS;

  // lane number n: EQ = 1 << n, LT the bits below, GT the bits above.
  logic [LANES-1:0][4:0]  lane;
  logic [LANES-1:0][31:0] eq, lt;
  always_comb begin
    for (int unsigned l = 0; l < LANES; l++) begin
      lane[l] = 5'(((BEATS > 1) ? 32'(beat_i) * LANES : 32'd0) + l);
      eq[l]   = 32'd1 << lane[l];
      lt[l]   = eq[l] - 32'd1;
      case (sreg_i)
        isa_pkg::SREG_SR_EQMASK: data_o[l] = eq[l];
        isa_pkg::SREG_SR_LTMASK: data_o[l] = lt[l];
        isa_pkg::SREG_SR_LEMASK: data_o[l] = lt[l] | eq[l];
        isa_pkg::SREG_SR_GTMASK: data_o[l] = ~(lt[l] | eq[l]);
        isa_pkg::SREG_SR_GEMASK: data_o[l] = ~lt[l];
        default:                 data_o[l] = 32'(lane[l]);
      endcase
    end
  end

endmodule

`default_nettype wire
