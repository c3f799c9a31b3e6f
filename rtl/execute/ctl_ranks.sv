// SPDX-License-Identifier: Apache-2.0
// The control word of a beat on its way through the ranks of a pipe: rank k has it k cycles after the first.
// Latency: none to rank 0, a cycle more to each. Throughput: a beat a cycle.
// Handshake: none; en_o says at which ranks a beat stands. Words of ranks without one keep their value.
// It does not look into the word.
module ctl_ranks #(
  parameter int unsigned WIDTH = 32,
  parameter int unsigned RANKS = 3        // 2 or more
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,
  // from operand
  input  logic                        op_valid_i,
  input  logic [WIDTH-1:0]            op_ctl_i,
  // to the lanes
  output logic [RANKS-1:0]            en_o,
  output logic [RANKS-1:0][WIDTH-1:0] ctl_o
);

  logic [RANKS-2:0] valid_q;

  assign en_o     = {valid_q, op_valid_i};
  assign ctl_o[0] = op_ctl_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) valid_q <= '0;
    else         valid_q <= en_o[RANKS-2:0];
  end

  for (genvar k = 0; k < RANKS - 1; k++) begin : gen_rank
    logic [WIDTH-1:0] ctl_q;
    always_ff @(posedge clk_i) begin
      if (en_o[k]) ctl_q <= ctl_o[k];
    end
    assign ctl_o[k+1] = ctl_q;
  end

endmodule
