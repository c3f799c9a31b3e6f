// SPDX-License-Identifier: Apache-2.0
// The host's EXCHANGE: an entry gets another value, and what was there is left for the host, in one access at the point of order.
// Latency: the access is asked for a cycle after go_i; what was found stands a cycle after its end, until the next.
// Handshake: go_i is an event, with nothing under way (busy_o); ac_ as walk_channel has it.
// It does not look at either value.
`include "heddle_assert.svh"

module walk_exchange (
  input  logic                       clk_i,
  input  logic                       rst_ni,
  // from and to the host
  input  logic                       go_i,
  input  logic [mmu_pkg::WORD_W-1:0] word_i,
  input  logic [63:0]                value_i,
  output logic                       busy_o,
  output logic [63:0]                old_o,
  output logic                       err_o,      // memory answered with an error: nothing was changed
  // to and from the channel
  output logic                       ac_valid_o,
  input  logic                       ac_ready_i,
  output mmu_pkg::access_t           ac_o,
  input  logic [1:0]                 part_valid_i,
  input  logic [63:0]                part_i,
  input  logic                       end_valid_i,
  input  logic                       end_err_i
);

  logic                       busy_q, asks_q, err_q;
  logic [mmu_pkg::WORD_W-1:0] word_q;
  logic [63:0]                value_q, old_q;
  logic [31:0]                number_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      busy_q   <= 1'b0;
      asks_q   <= 1'b0;
      number_q <= '0;
      err_q    <= 1'b0;
    end else begin
      busy_q <= go_i || (busy_q && !end_valid_i);
      asks_q <= go_i || (asks_q && !ac_ready_i);
      if (end_valid_i) begin
        number_q <= number_q + 32'd1;
        err_q    <= end_err_i;
      end
    end
  end
  always_ff @(posedge clk_i) begin
    if (go_i) begin
      word_q  <= word_i;
      value_q <= value_i;
    end
    if (part_valid_i != '0) old_q <= part_i;
  end

  assign busy_o     = busy_q;
  assign old_o      = old_q;
  assign err_o      = err_q;
  assign ac_valid_o = asks_q;
  assign ac_o       = '{what: mmu_pkg::EXCHANGE, word: word_q, b: value_q, c: '0, level: '0, number: number_q};

  // One at a time.
  `ASSERT_IF(a_go, go_i, !busy_q)

endmodule
