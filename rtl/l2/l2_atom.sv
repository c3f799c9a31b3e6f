// SPDX-License-Identifier: Apache-2.0
// Results of atomics: of a row's words, pair by pair, a lane each; or of one lane's word or pair, which is in the first pair, floats
// and compare-and-swap included.
// Latency: combinational; floats take the adder's (done_i).
// No handshake.
// It does not read or write a row.
`include "heddle_idle.svh"

module l2_atom (
  input  logic                            live_i,
  input  logic [5:0]                      op_i,
  input  atom_pkg::act_t                  act_i,        // decode(op)
  input  logic                            wide_i,
  input  logic [l2_pkg::WORDS-1:0][31:0]  v_i,
  input  logic [l2_pkg::WORDS-1:0][31:0]  b_i,
  input  logic [1:0][31:0]                c_i,          // of a compare-and-swap
  // from the adder of floats, where there is one
  input  logic [63:0]                     add_sum_i,
  output logic [l2_pkg::WORDS-1:0][31:0]  sum_o
);

  logic             is_float, compare;
  logic [1:0]       equal, swapped;
  logic [1:0][31:0] other;

  assign is_float = atom_pkg::is_float(op_i);
  assign compare  = op_i == atom_pkg::COMPARE_SWAP;

  always_comb begin
    {sum_o, other, equal, swapped} = 'x;
    if (`HEDDLE_LIVE(live_i)) begin
      equal   = {v_i[1] == b_i[1], v_i[0] == b_i[0]};
      swapped = {2{compare}} & (wide_i ? {2{equal == '1}} : equal);
      other   = add_sum_i & {64{is_float}};
      for (int unsigned w = 0; w < 2; w++) other[w] |= c_i[w] & {32{swapped[w]}};
      sum_o[1:0] = other | atom_pkg::result(act_i, wide_i, v_i[1:0], b_i[1:0], '0, swapped | {2{is_float}});
      for (int unsigned p = 1; p < l2_pkg::WORDS / 2; p++) begin
        sum_o[2*p +: 2] = atom_pkg::result(act_i, wide_i, v_i[2*p +: 2], b_i[2*p +: 2], '0, '0);
      end
    end
  end

endmodule
