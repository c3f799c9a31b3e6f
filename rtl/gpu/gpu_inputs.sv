// SPDX-License-Identifier: Apache-2.0
// The input of the top that reaches far into the machine, registered, so that no logic hangs on an input: whether the retire port
// takes records.
// Latency: a cycle. Handshake: a level.
module gpu_inputs (
  input  logic clk_i,
  input  logic rst_ni,
  input  logic ret_ready_i,
  output logic ret_ready_o
);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) ret_ready_o <= 1'b0;
    else         ret_ready_o <= ret_ready_i;
  end

endmodule
