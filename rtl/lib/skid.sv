// SPDX-License-Identifier: Apache-2.0
// Skid cell: cuts valid, payload and ready of a handshake; both outputs come straight from registers.
// Latency: one cycle. One word every cycle: two words of storage, the second only used while the consumer stalls.
// Handshake: valid/ready on both sides; in_ready_o says that the second word is free.
// It does not reorder, drop, or merge, and has no combinational path from one side to the other.
`include "heddle_assert.svh"

module skid #(
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

  logic [WIDTH-1:0] out_q, spare_q;
  logic             out_valid_q, spare_valid_q;
  logic             push, out_free;

  assign in_ready_o  = !spare_valid_q;
  assign out_valid_o = out_valid_q;
  assign out_data_o  = out_q;
  assign push        = in_valid_i && in_ready_o;
  assign out_free    = !out_valid_q || out_ready_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      out_valid_q   <= 1'b0;
      spare_valid_q <= 1'b0;
    end else if (out_free) begin
      out_valid_q   <= spare_valid_q || push;
      spare_valid_q <= 1'b0;
    end else if (push) begin
      spare_valid_q <= 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (out_free && (spare_valid_q || push)) out_q <= spare_valid_q ? spare_q : in_data_i;
    if (!out_free && push) spare_q <= in_data_i;
  end

  // The spare word is only filled behind a waiting word.
  `ASSERT(a_order, !spare_valid_q || out_valid_q)

  // Offered output stays, with its payload, until it is taken.
  logic             kept_q;
  logic [WIDTH-1:0] kept_data_q;
  always_ff @(posedge clk_i) begin
    kept_q <= rst_ni && out_valid_o && !out_ready_i;
    if (out_valid_o && !out_ready_i) kept_data_q <= out_data_o;
  end
  `ASSERT_IF(a_out_stable, kept_q, out_valid_o && out_data_o == kept_data_q)

endmodule
