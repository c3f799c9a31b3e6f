// SPDX-License-Identifier: Apache-2.0
// For each lane a word rotated by bytes: byte i is byte i + more_i (mod 4), ORed with another word. In an FPGA's slices two LUTs a bit
// (`choice`).
// Latency: combinational. No handshake.
// The output is undefined while live_i is low; more_i is zero while bytes_i is low.
`include "heddle_form.svh"
`include "heddle_idle.svh"
`include "heddle_lanes.svh"

module turned_bytes #(
  parameter int LANES = 1
) (
  input  logic                   live_i,
  input  logic                   bytes_i,
  input  logic [LANES-1:0][31:0] word_i,
  input  logic [3:0][1:0]        more_i [LANES],
  input  logic [31:0]            also_i [LANES],
  output logic [31:0]            data_o [LANES]
);

`ifdef HEDDLE_PLAIN
  always_comb begin
    `LANE_LOOP (int l = 0; l < LANES; l++) begin
      `HEDDLE_IDLE(data_o[l], 'x);
    end
    if (live_i) begin
      `LANE_LOOP (int l = 0; l < LANES; l++) data_o[l] = word_i[l] | also_i[l];
      if (bytes_i) begin
        `LANE_LOOP (int l = 0; l < LANES; l++) begin
          for (int i = 0; i < 4; i++) begin
            data_o[l][8*i +: 8] = 8'(word_i[l] >> {2'(i) + more_i[l][i], 3'b000}) | also_i[l][8*i +: 8];
          end
        end
      end
    end
  end
`else
  for (genvar l = 0; l < LANES; l++) begin : gen_lane
    for (genvar i = 0; i < 4; i++) begin : gen_byte
      choice #(.WIDTH(8), .N(4)) u_byte (
        .live_i (live_i),
        .sel_i  (more_i[l][i]),
        .data_i ({word_i[l][8*((i+3)%4) +: 8], word_i[l][8*((i+2)%4) +: 8], word_i[l][8*((i+1)%4) +: 8], word_i[l][8*i +: 8]}),
        .also_i (also_i[l][8*i +: 8]),
        .data_o (data_o[l][8*i +: 8])
      );
    end
  end

  logic unused;
  assign unused = bytes_i;
`endif

endmodule
