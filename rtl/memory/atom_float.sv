// SPDX-License-Identifier: Apache-2.0
// The adder of floats of one unit of atomics: atom_add behind that unit's request.
// Latency: that of atom_add.
// Handshake: a number is taken as the adder is free; its sum stands (done) until it is taken.
// It does not keep a number that waits.
module atom_float (
  input  logic               clk_i,
  input  logic               rst_ni,
  // from and to the unit
  input  atom_pkg::add_req_t add_req_i,
  output logic               add_done_o,
  output logic [63:0]        add_sum_o
);

  logic ready;

  atom_add u_add (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .ready_o (ready),
    .start_i (ready && add_req_i.valid),
    .op_i    (add_req_i.op),
    .v_i     (add_req_i.v),
    .b_i     (add_req_i.b),
    .done_o  (add_done_o),
    .sum_o   (add_sum_o),
    .take_i  (add_req_i.take)
  );

endmodule
