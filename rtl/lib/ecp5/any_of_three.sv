// SPDX-License-Identifier: Apache-2.0
// For each lane any bitwise function of three words, by its truth table (index a<<2 | b<<1 | c). In an FPGA's slices each bit selects
// one of the table's eight bits (`choice`); the plain form adds products of whole words.
// Latency: combinational. No handshake.
// The output is undefined while live_i is low.
`include "heddle_form.svh"
`include "heddle_idle.svh"
`include "heddle_lanes.svh"

module any_of_three #(
  parameter int LANES = 1
) (
  input  logic                   live_i,
  input  logic [7:0]             table_i,
  input  logic [LANES-1:0][31:0] a_i,
  input  logic [LANES-1:0][31:0] b_i,
  input  logic [LANES-1:0][31:0] c_i,
  output logic [31:0]            data_o [LANES]
);

`ifdef HEDDLE_PLAIN
  // The table as a sum modulo 2 of products: term i is the product of the words in i's bits.
  function automatic logic [7:0] terms_of(logic [7:0] lut);
    automatic logic [7:0] t = lut;
    for (int i = 0; i < 8; i += 2) t[i+1] = t[i] ^ t[i+1];
    for (int i = 0; i < 8; i += 4) t[i+2 +: 2] = t[i +: 2] ^ t[i+2 +: 2];
    t[7:4]   = t[3:0] ^ t[7:4];
    terms_of = t;
  endfunction

  function automatic logic [31:0] sum(logic [7:0] terms, logic [31:0] a, logic [31:0] b, logic [31:0] c);
    automatic logic [31:0] t0     = b & ({32{terms[2]}} ^ (c & {32{terms[3]}}));
    automatic logic [31:0] t1     = b & ({32{terms[6]}} ^ (c & {32{terms[7]}}));
    automatic logic [31:0] none   = {32{terms[0]}} ^ (c & {32{terms[1]}}) ^ t0;
    automatic logic [31:0] with_a = {32{terms[4]}} ^ (c & {32{terms[5]}}) ^ t1;
    sum = none ^ (a & with_a);
  endfunction

  logic [7:0] terms;

  always_comb begin
    `LANE_LOOP (int l = 0; l < LANES; l++) begin
      `HEDDLE_IDLE(data_o[l], 'x);
    end
    terms = '0;
    if (live_i) begin
      terms = terms_of(table_i);
      `LANE_LOOP (int l = 0; l < LANES; l++) data_o[l] = sum(terms, a_i[l], b_i[l], c_i[l]);
    end
  end
`else
  for (genvar l = 0; l < LANES; l++) begin : gen_lane
    for (genvar j = 0; j < 32; j++) begin : gen_bit
      choice #(.WIDTH(1), .N(8)) u_bit (
        .live_i (live_i),
        .sel_i  ({a_i[l][j], b_i[l][j], c_i[l][j]}),
        .data_i (table_i),
        .also_i ('0),
        .data_o (data_o[l][j])
      );
    end
  end
`endif

endmodule
