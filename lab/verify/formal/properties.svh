// SPDX-License-Identifier: Apache-2.0
// Macros of proofs. Each property holds at every rising edge of clk_i after the reset of the first cycle.
// `PROVE(p_name, expr)       always: ABC finds an inductive invariant (PDR), so the proof has no depth.
// `BOUND(depth, p_name, expr) in the first `depth` cycles, from every state of what has no reset.
// `REACH(r_name, expr)       can happen, so the assumptions do not exclude what the properties are about.
// `GIVEN(g_name, expr)       the neighbours' rules. Assumptions are nowhere else: those inside the RTL are proved.
// The comment above each is its sentence in the report.
`ifndef FORMAL_PROPERTIES_SVH
`define FORMAL_PROPERTIES_SVH

// The first cycle is the reset.
`define RESET \
  logic rst_ni = 1'b0; \
  always_ff @(posedge clk_i) rst_ni <= 1'b1;

`define PROVE(name, expr) \
  always @(posedge clk_i) begin \
    if (rst_ni) begin \
      name: assert (expr); \
    end \
  end
`define BOUND(depth, name, expr) `PROVE(name, expr)
`define REACH(name, expr) `PROVE(name, !(expr))
`define GIVEN(name, expr) \
  always @(posedge clk_i) begin \
    if (rst_ni) begin \
      name: assume (expr); \
    end \
  end

`endif
