// SPDX-License-Identifier: Apache-2.0
// The SM's point of decision for traps: which partition's counts. The first that halts stops all; of several in one cycle the
// one with the lowest number wins. The trap is valid once everything in all partitions has drained.
// Latency: sm_halt_o follows a partition's halt in the next cycle; the trap is valid in the cycle in which the last partition
// has drained. One trap until reset. A halt from elsewhere stops the partitions as their own do.
// Handshake: levels, until reset.
// It does not choose among the traps of one partition: its trap_ctl does.
module sm_trap #(
  parameter int unsigned N = 2
) (
  input  logic                     clk_i,
  input  logic                     rst_ni,
  // from the partitions
  input  logic [N-1:0]             is_halt_i,
  input  logic [N-1:0]             is_drained_i,
  input  logic [N-1:0]             is_trap_valid_i,
  input  core_pkg::trap_t [N-1:0]  is_trap_i,
  // from gpu_trap: a trap in another SM stops this one
  input  logic                     gpu_halt_i,
  // to the partitions, the dispatcher
  output logic                     sm_halt_o,
  // to gpu_trap: a trap of its own has stopped the SM; nothing is left in it that could trap
  output logic                     own_halt_o,
  output logic                     drained_o,
  // ... its trap
  output logic                     sm_trap_valid_o,
  output core_pkg::trap_t          sm_trap_o
);

  assign drained_o = is_drained_i == '1;
  assign sm_halt_o = own_halt_o || gpu_halt_i;

  if (N == 1) begin : gen_wires
    assign own_halt_o      = is_halt_i[0];
    assign sm_trap_valid_o = is_trap_valid_i[0];
    assign sm_trap_o       = is_trap_i[0];
    logic unused;
    assign unused          = &{1'b0, clk_i, rst_ni};
  end else begin : gen_choose
    logic [N-1:0] first, first_q;

    arb_fixed #(.N(N)) u_first (
      .req_i   (is_halt_i),
      .grant_o (first)
    );

    always_ff @(posedge clk_i) begin
      if (!rst_ni)            first_q <= '0;
      else if (first_q == '0) first_q <= first;
    end

    assign own_halt_o      = first_q != '0;
    assign sm_trap_valid_o = (first_q & is_trap_valid_i) != '0 && (is_drained_i & ~first_q) == ~first_q;
    onehot_mux #(.N(N), .WIDTH($bits(core_pkg::trap_t))) u_trap (
      .sel_i  (first_q),
      .data_i (is_trap_i),
      .data_o (sm_trap_o)
    );
  end

endmodule
