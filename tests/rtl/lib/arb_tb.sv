// SPDX-License-Identifier: Apache-2.0
// Arbiters and bit helpers: round robin of 1, 3 and 8 requesters, fixed priority, lowest one, one-hot index and mux, choice by number.
// Latency: the cells' own. No handshake beyond theirs.
// It only gathers ports.
module arb_tb (
  input  logic              clk_i,
  input  logic              rst_ni,
  input  logic [7:0]        req_i,
  input  logic              take_i,
  output logic              rr1_o,
  output logic [2:0]        rr3_o,
  output logic [7:0]        rr8_o,
  output logic [7:0]        fixed_o,
  output logic [7:0]        lowest_o,
  output logic [2:0]        lowest_index_o,
  output logic              lowest_any_o,
  output logic [2:0]        index_o,
  input  logic [7:0][15:0]  data_i,
  output logic [15:0]       data_o,
  output logic [15:0]       choice_o    // a word by number, ORed to the one above it
);

  arb_rr #(.N(1)) u_rr1 (.clk_i(clk_i), .rst_ni(rst_ni), .req_i(req_i[0]), .grant_o(rr1_o), .take_i(take_i));
  arb_rr #(.N(3)) u_rr3 (.clk_i(clk_i), .rst_ni(rst_ni), .req_i(req_i[2:0]), .grant_o(rr3_o), .take_i(take_i));
  arb_rr #(.N(8)) u_rr8 (.clk_i(clk_i), .rst_ni(rst_ni), .req_i(req_i), .grant_o(rr8_o), .take_i(take_i));
  arb_fixed #(.N(8)) u_fixed (.req_i(req_i), .grant_o(fixed_o));
  lowest_one #(.N(8)) u_lowest (.in_i(req_i), .onehot_o(lowest_o), .index_o(lowest_index_o), .any_o(lowest_any_o));
  onehot_index #(.N(8)) u_index (.onehot_i(rr8_o), .index_o(index_o));
  onehot_mux #(.WIDTH(16), .N(8)) u_mux (.sel_i(rr8_o), .data_i(data_i), .data_o(data_o));
  choice #(.WIDTH(16), .N(8)) u_choice (.live_i(1'b1), .sel_i(req_i[2:0]), .data_i(data_i), .data_o(choice_o),
                                        .also_i(data_i[3'(req_i[2:0] + 3'd1)]));

endmodule
