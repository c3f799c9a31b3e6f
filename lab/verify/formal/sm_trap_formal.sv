// SPDX-License-Identifier: Apache-2.0
// rtl/sm/sm_trap.sv, with the two partitions of `duo`.
// config: duo
`include "properties.svh"

module sm_trap_formal (
  input logic                                    clk_i,
  input logic [1:0]                              halt,
  input logic [1:0]                              drained,
  input logic [1:0]                              trap_valid,
  input logic                                    gpu_halt,
  input logic [1:0][$bits(core_pkg::trap_t)-1:0] trap
);
  `RESET
  localparam int unsigned N = 2;

  logic            sm_halt, own_halt, all_drained, valid;
  core_pkg::trap_t word;

  sm_trap #(.N(N)) u_dut (
    .clk_i           (clk_i),
    .rst_ni          (rst_ni),
    .is_halt_i       (halt),
    .is_drained_i    (drained),
    .is_trap_valid_i (trap_valid),
    .is_trap_i       (trap),
    .gpu_halt_i      (gpu_halt),
    .sm_halt_o       (sm_halt),
    .own_halt_o      (own_halt),
    .drained_o       (all_drained),
    .sm_trap_valid_o (valid),
    .sm_trap_o       (word)
  );

  // A halt stays; so does a drain once all are still, and a trap with its payload.
  logic [N-1:0]                             halt_q, drained_q, valid_q;
  logic [N-1:0][$bits(core_pkg::trap_t)-1:0] trap_q;
  logic                                     told_q, sm_halt_q, steady;
  core_pkg::trap_t                          word_q;
  always_ff @(posedge clk_i) begin
    halt_q    <= rst_ni ? halt : '0;
    drained_q <= rst_ni && sm_halt ? drained : '0;
    valid_q   <= rst_ni ? trap_valid : '0;
    trap_q    <= trap;
    told_q    <= rst_ni && valid;
    sm_halt_q <= rst_ni && sm_halt;
    word_q    <= word;
  end
  always_comb begin
    steady = (halt_q & ~halt) == '0 && (drained_q & ~drained) == '0 && (valid_q & ~trap_valid) == '0
      && (trap_valid & ~(halt & drained)) == '0;
    for (int p = 0; p < int'(N); p++) steady = steady && (!valid_q[p] || trap[p] == trap_q[p]);
  end
  `GIVEN(g_steady, steady)

  // The first that halted; of several the lowest.
  logic       first_q, first;
  logic       any_q;
  always_comb begin
    first = 1'b0;
    for (int p = 1; p >= 0; p--) begin
      if (halt[p]) first = 1'(p);
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) any_q <= 1'b0;
    else if (!any_q && halt != '0) begin
      any_q   <= 1'b1;
      first_q <= first;
    end
  end

  // All partitions are stopped in the cycle after the first halts, and stay so.
  `PROVE(p_halt, own_halt == any_q && (!any_q || sm_halt))
  // So they are by a trap in another SM, and by nothing else.
  `PROVE(p_gpu, sm_halt == (any_q || gpu_halt))
  // The SM has drained when all of them have.
  `PROVE(p_all, all_drained == (drained == '1))
  // The trap reported is that of the partition that halted first; of several in one cycle, of the lowest.
  `PROVE(p_first, !valid || (any_q && word == trap[first_q] && trap_valid[first_q]))
  // It is reported only when all partitions have drained.
  `PROVE(p_drained, !valid || drained == '1)
  // It is reported as soon as that one has its trap and all have drained.
  `PROVE(p_told, !(any_q && trap_valid[first_q] && drained == '1) || valid)
  // Once reported, it stays, unchanged.
  `PROVE(p_stays, !told_q || (valid && word == word_q))
  // Another one has a trap, too, and it is not reported.
  `REACH(r_two, valid && first_q && trap_valid == 2'b11)
endmodule
