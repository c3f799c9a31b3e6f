// SPDX-License-Identifier: Apache-2.0
// For each lane a shift to the right by 0 to 31, with the lower word as result; or (bytes_i) a shift of each byte, by bytes.
// Two choices of four words (`choice`) and one of two take at most six LUTs a bit, and three LUTs' time. Five steps under a tight
// constraint take twice as many. The plain form shifts.
// Latency: combinational. No handshake.
// The output is undefined while live_i is low. more_i is zero while bytes_i is low, by_i while it is high.
`include "heddle_form.svh"
`include "heddle_idle.svh"
`include "heddle_lanes.svh"

module funnel #(
  parameter int LANES = 1
) (
  input  logic            live_i,
  input  logic            bytes_i,
  input  logic [62:0]     words_i [LANES],
  input  logic [4:0]      by_i    [LANES],
  input  logic [3:0][1:0] more_i  [LANES],
  output logic [31:0]     data_o  [LANES]
);

`ifdef HEDDLE_PLAIN
  always_comb begin
    `LANE_LOOP (int l = 0; l < LANES; l++) begin
      `HEDDLE_IDLE(data_o[l], 'x);
    end
    if (live_i) begin
      `LANE_LOOP (int l = 0; l < LANES; l++) data_o[l] = 32'(words_i[l] >> by_i[l]);
      if (bytes_i) begin
        `LANE_LOOP (int l = 0; l < LANES; l++) begin
          for (int i = 0; i < 4; i++) begin
            data_o[l][8*i +: 8] = 8'(words_i[l] >> {3'(more_i[l][i]) + 3'(i), 3'b000});
          end
        end
      end
    end
  end
`else
  for (genvar l = 0; l < LANES; l++) begin : gen_lane
    logic [38:0] near;   // by multiples of 8
    logic [32:0] even;   // ... of 2

    for (genvar i = 0; i < 5; i++) begin : gen_byte
      localparam int unsigned WIDTH = (i == 4) ? 7 : 8;
      choice #(.WIDTH(WIDTH), .N(4)) u_near (
        .live_i (live_i),
        .sel_i  ((i == 4) ? by_i[l][4:3] : by_i[l][4:3] | more_i[l][i%4]),
        .data_i ({words_i[l][8*i+24 +: WIDTH], words_i[l][8*i+16 +: WIDTH], words_i[l][8*i+8 +: WIDTH], words_i[l][8*i +: WIDTH]}),
        .also_i ('0),
        .data_o (near[8*i +: WIDTH])
      );
    end

    choice #(.WIDTH(33), .N(4)) u_even (
      .live_i (live_i),
      .sel_i  (by_i[l][2:1]),
      .data_i ({near[38:6], near[36:4], near[34:2], near[32:0]}),
      .also_i ('0),
      .data_o (even)
    );

    assign data_o[l] = by_i[l][0] ? even[32:1] : even[31:0];
  end

  logic unused;
  assign unused = bytes_i;
`endif

endmodule
