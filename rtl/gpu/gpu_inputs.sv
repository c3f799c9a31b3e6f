// SPDX-License-Identifier: Apache-2.0
// Inputs of the top that reach far into the machine, registered, so that no logic hangs on an input: the fault to be injected, and
// whether the retire port takes records.
// Latency: a cycle. Handshake: levels. It knows no fault.
`default_nettype none

module gpu_inputs #(
  parameter bit FAULTS = 1'b0   // 0: there are none, and they cost nothing
) (
  input  logic       clk_i,
  input  logic       rst_ni,
  input  logic [7:0] fault_i,
  input  logic       ret_ready_i,
  output logic [7:0] fault_o,
  output logic       ret_ready_o
);

  logic [7:0] fault_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      fault_q     <= fault_pkg::NONE;
      ret_ready_o <= 1'b0;
    end else begin
      fault_q     <= fault_i;
      ret_ready_o <= ret_ready_i;
    end
  end

  assign fault_o = FAULTS ? fault_q : fault_pkg::NONE;

  logic unused;
  assign unused = ^fault_q;

endmodule

`default_nettype wire
