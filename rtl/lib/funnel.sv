// SPDX-License-Identifier: Apache-2.0
// A shift to the right by 0 to 31, of which the lower word counts; a byte of it by so many bytes more, where the shift has no bytes of
// its own (it is ORed to them). Two choices of four words (`choice`) and one of two take six
// LUTs a bit less what the long steps leave out, and three LUTs' time; a mapper that sees five steps, and little time, takes twice
// as many.
// Latency: combinational. No handshake.
// It does not know what stands in the upper bits. A simulator has it as an expression where it is needed (alu_lanes), not here.
`default_nettype none

module funnel (
  input  logic [62:0] words_i,
  input  logic [4:0]  by_i,
  input  logic [3:0][1:0] more_i,
  output logic [31:0] data_o
);

  logic [38:0] near;   // by multiples of 8
  logic [32:0] even;   // ... of 2

  for (genvar i = 0; i < 5; i++) begin : gen_byte
    localparam int unsigned WIDTH = (i == 4) ? 7 : 8;
    choice #(.WIDTH(WIDTH), .N(4)) u_near (
      .live_i (1'b1),
      .sel_i  ((i == 4) ? by_i[4:3] : by_i[4:3] | more_i[i%4]),
      .data_i ({words_i[8*i+24 +: WIDTH], words_i[8*i+16 +: WIDTH], words_i[8*i+8 +: WIDTH], words_i[8*i +: WIDTH]}),
      .also_i ('0),
      .data_o (near[8*i +: WIDTH])
    );
  end

  choice #(.WIDTH(33), .N(4)) u_even (
    .live_i (1'b1),
    .sel_i  (by_i[2:1]),
    .data_i ({near[38:6], near[36:4], near[34:2], near[32:0]}),
    .also_i ('0),
    .data_o (even)
  );

  assign data_o = by_i[0] ? even[32:1] : even[31:0];

endmodule

`default_nettype wire
