// SPDX-License-Identifier: Apache-2.0
// Spare cell: cuts the ready of a handshake, not its valid and payload. A word passes in the same cycle, or is kept if the consumer is
// not ready.
// Latency: none. One word every cycle.
// Handshake: valid/ready on both sides; in_ready_o comes straight from a register: the spare word is free.
// Portable: registers and multiplexers.
// It does not reorder, drop, or merge, and has no combinational path from the consumer to the producer.
`include "heddle_assert.svh"

module spare #(
  parameter int unsigned WIDTH = 32
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  // from the producer
  input  logic             in_valid_i,
  output logic             in_ready_o,
  input  logic [WIDTH-1:0] in_data_i,
  // to the consumer
  output logic             out_valid_o,
  input  logic             out_ready_i,
  output logic [WIDTH-1:0] out_data_o
);

  logic [WIDTH-1:0] spare_q;
  logic             valid_q;

  assign in_ready_o  = !valid_q;
  assign out_valid_o = valid_q || in_valid_i;
  assign out_data_o  = valid_q ? spare_q : in_data_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) valid_q <= 1'b0;
    else         valid_q <= out_valid_o && !out_ready_i;
  end

  always_ff @(posedge clk_i) begin
    if (in_valid_i && !valid_q) spare_q <= in_data_i;
  end

  // Offered output stays, with its payload, until it is taken.
  logic             kept_q;
  logic [WIDTH-1:0] kept_data_q;
  always_ff @(posedge clk_i) begin
    kept_q <= rst_ni && out_valid_o && !out_ready_i;
    if (out_valid_o && !out_ready_i) kept_data_q <= out_data_o;
  end
  `ASSERT_IF(a_out_stable, kept_q, out_valid_o && out_data_o == kept_data_q)

endmodule
