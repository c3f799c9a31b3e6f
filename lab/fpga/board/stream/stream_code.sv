// SPDX-License-Identifier: Apache-2.0
// The shortest code of a word beside the words before it in its context.
// Latency: none. Handshake: none; a function.
// It does not count words that are the same: same_o says that this one is.
module stream_code (
  input  logic [31:0] word_i,
  input  logic [31:0] prev_i,
  input  logic [31:0] step_i,
  output logic        same_o,
  output logic [3:0]  code_o,
  output logic [31:0] data_o,      // the lowest nibbles of it follow
  output logic [3:0]  nibbles_o,
  output logic [31:0] delta_o
);

  localparam int unsigned LANES = cfg_pkg::LANES;

  logic [31:0] delta, turned;
  assign delta = word_i - prev_i;
  always_comb begin
    turned              = '0;
    turned[LANES-1:0]   = {prev_i[LANES-2:0], prev_i[LANES-1]};
  end

  logic d4, d8, d16, s16;
  assign d4  = delta[31:3]   == '0 || delta[31:3]   == '1;
  assign d8  = delta[31:7]   == '0 || delta[31:7]   == '1;
  assign d16 = delta[31:15]  == '0 || delta[31:15]  == '1;
  assign s16 = word_i[31:15] == '1;

  always_comb begin
    data_o = word_i;
    if (delta == step_i)               begin code_o = stream_pkg::STEP; nibbles_o = 4'd0; end
    else if (word_i == '0)             begin code_o = stream_pkg::ZERO; nibbles_o = 4'd0; end
    else if (word_i == turned)         begin code_o = stream_pkg::TURN; nibbles_o = 4'd0; end
    else if (word_i[31:4] == '0)       begin code_o = stream_pkg::U4;   nibbles_o = 4'd1; end
    else if (d4)                       begin code_o = stream_pkg::D4;   nibbles_o = 4'd1; data_o = delta; end
    else if (word_i[31:8] == '0)       begin code_o = stream_pkg::U8;   nibbles_o = 4'd2; end
    else if (d8)                       begin code_o = stream_pkg::D8;   nibbles_o = 4'd2; data_o = delta; end
    else if (word_i[31:16] == '0)      begin code_o = stream_pkg::U16;  nibbles_o = 4'd4; end
    else if (s16)                      begin code_o = stream_pkg::S16;  nibbles_o = 4'd4; end
    else if (d16)                      begin code_o = stream_pkg::D16;  nibbles_o = 4'd4; data_o = delta; end
    else if (word_i[15:0] == '0)       begin code_o = stream_pkg::H16;  nibbles_o = 4'd4; data_o = word_i >> 16; end
    else if (word_i[31:24] == '0)      begin code_o = stream_pkg::U24;  nibbles_o = 4'd6; end
    else                               begin code_o = stream_pkg::RAW;  nibbles_o = 4'd8; end
  end

  assign same_o  = delta == '0;
  assign delta_o = delta;

endmodule
