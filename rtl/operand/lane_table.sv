// SPDX-License-Identifier: Apache-2.0
// Special registers that follow from a lane's number, as a table: SR_LANEID and the five lane masks, of one lane. It is for machines
// whose lanes come to the bus one by one; lane_values makes them for a row.
// Latency: data stands one cycle after en_i, and is zero after a cycle without.
// No handshake: a word every cycle.
// It does not know masks of executing lanes.
`default_nettype none

module lane_table (
  input  logic        clk_i,
  input  logic        en_i,
  input  logic [3:0]  sreg_i,   // the lower bits of the special register's number, which are enough
  input  logic [4:0]  lane_i,
  output logic [31:0] data_o
);

  function automatic logic [31:0] value(logic [3:0] sreg, logic [4:0] lane);
    automatic logic [31:0] own   = 32'd1 << lane;
    automatic logic [31:0] below = own - 32'd1;
    case (sreg)
      4'(isa_pkg::SREG_SR_EQMASK): value = own;
      4'(isa_pkg::SREG_SR_LTMASK): value = below;
      4'(isa_pkg::SREG_SR_LEMASK): value = below | own;
      4'(isa_pkg::SREG_SR_GTMASK): value = ~(below | own);
      4'(isa_pkg::SREG_SR_GEMASK): value = ~below;
      default:                     value = 32'(lane);
    endcase
  endfunction

  // A constant by itself: in an initial block's own loop slang's front end of Yosys takes `default` of every case.
  typedef logic [31:0] rows_t [512];
  function automatic rows_t rows();
    for (int i = 0; i < 512; i++) rows[i] = value(4'(i >> 5), 5'(i));
  endfunction

  logic [31:0] rom_q [512];
  logic [31:0] data_q;

  initial rom_q = rows();   // nothing writes it: block RAM with this content

  always_ff @(posedge clk_i) begin
    if (en_i) data_q <= rom_q[{sreg_i, lane_i}];
    else      data_q <= '0;
  end

  assign data_o = data_q;

endmodule

`default_nettype wire
