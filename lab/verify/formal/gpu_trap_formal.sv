// SPDX-License-Identifier: Apache-2.0
// rtl/gpu/gpu_trap.sv, with three SMs.
// config: quad
`include "properties.svh"

module gpu_trap_formal (
  input logic            clk_i,
  input logic            stop,
  input logic [2:0]      halt,
  input logic [2:0]      drained,
  input logic [2:0]      trap_valid,
  input logic [2:0][3:0] cause
);
  `RESET
  localparam int unsigned N = 3;

  logic                                      halt_all, all_drained, valid;
  logic [N-1:0]                              won;
  logic [N-1:0][$bits(core_pkg::trap_t)-1:0] trap;
  core_pkg::trap_t                           word;
  logic [1:0]                                number;

  for (genvar s = 0; s < N; s++) begin : gen_trap
    core_pkg::trap_t t;
    always_comb begin
      t       = '0;
      t.cause = cause[s];
    end
    assign trap[s] = t;
  end

  gpu_trap #(.N(N)) u_dut (
    .clk_i           (clk_i),
    .rst_ni          (rst_ni),
    .sm_halt_i       (halt),
    .sm_drained_i    (drained),
    .sm_trap_valid_i (trap_valid),
    .sm_trap_i       (trap),
    .halt_o          (halt_all),
    .won_o           (won),
    .stop_i          (stop),
    .drained_o       (all_drained),
    .trap_valid_o    (valid),
    .trap_o          (word),
    .trap_sm_o       (number)
  );

  // The host's stop and a halt stay; so does a drain once an SM is still, a cycle after it was stopped; a trap stays
  // with its payload.
  logic [N-1:0]      halt_q, drained_q, valid_q;
  logic [N-1:0][3:0] cause_q;
  logic              told_q, halt_all_q, stop_q, steady;
  core_pkg::trap_t   word_q;
  logic [1:0]        number_q;
  always_ff @(posedge clk_i) begin
    halt_q     <= rst_ni ? halt : '0;
    drained_q  <= rst_ni ? drained & {N{halt_all_q}} : '0;
    valid_q    <= rst_ni ? trap_valid : '0;
    cause_q    <= cause;
    told_q     <= rst_ni && valid;
    halt_all_q <= rst_ni && halt_all;
    stop_q     <= rst_ni && stop;
    word_q     <= word;
    number_q   <= number;
  end
  always_comb begin
    steady = (!stop_q || stop) && (halt_q & ~halt) == '0 && (drained_q & ~drained) == '0 && (valid_q & ~trap_valid) == '0
      && (trap_valid & ~halt) == '0;
    for (int s = 0; s < int'(N); s++) steady = steady && (!valid_q[s] || cause[s] == cause_q[s]);
  end
  `GIVEN(g_steady, steady)

  // The first that halted; of several the lowest; what was so two cycles ago.
  logic [1:0] first_q, first;
  logic       any_q, any2_q, due_q;
  assign first = halt[0] ? 2'd0 : halt[1] ? 2'd1 : 2'd2;
  always_ff @(posedge clk_i) begin
    any2_q <= rst_ni && any_q;
    due_q  <= rst_ni && any2_q && halt_all_q && trap_valid[first_q] && (drained | (3'd1 << first_q)) == '1;
    if (!rst_ni) any_q <= 1'b0;
    else if (!any_q && halt != '0) begin
      any_q   <= 1'b1;
      first_q <= first;
    end
  end

  // All SMs are stopped two cycles after the first halts, or one after the host says so, and stay so.
  `PROVE(p_halt, halt_all == (any2_q || stop_q))
  // A drain of SMs that the host stopped counts only once they are still.
  `PROVE(p_stopped, all_drained == (stop && halt_all_q && drained == '1))
  // The trap reported is that of the SM that halted first; of several in one cycle, of the lowest.
  `PROVE(p_first, !valid || (any_q && word.cause == cause[first_q] && trap_valid[first_q]))
  // It is reported with the number of that SM.
  `PROVE(p_number, !valid || number == first_q)
  // It is reported only when all others have drained.
  `PROVE(p_drained, !valid || (drained | (3'd1 << first_q)) == '1)
  // Whether an SM has drained counts only once it has been stopped.
  `PROVE(p_known, !(valid && !told_q) || halt_all_q)
  // It is reported as soon as that one has its trap and all have drained.
  `PROVE(p_told, !due_q || valid)
  // The SM of the trap shows it, and no other.
  `PROVE(p_won, won == (valid ? 3'd1 << first_q : 3'd0))
  // Once reported, it stays, unchanged.
  `PROVE(p_stays, !told_q || (valid && word == word_q && number == number_q))
  // Others have traps, too, and they are not reported.
  `REACH(r_two, valid && first_q == 2'd1 && trap_valid == 3'b111)
endmodule
