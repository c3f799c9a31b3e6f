// SPDX-License-Identifier: Apache-2.0
// `ASSERT(name, expr): expr holds at every rising edge of clk_i while rst_ni is high.
// Formal (FORMAL defined): an immediate assert. Simulation: an error message, and the run stops.
// Synthesis (SYNTHESIS or YOSYS defined): nothing. Write the property as an English sentence above its use.
// Needs clk_i and rst_ni in scope; `expr` is one expression over registered or combinational signals.
// It does not sample anything in the past: keep a _q copy for that.
`ifndef HEDDLE_ASSERT_SVH
`define HEDDLE_ASSERT_SVH

`ifdef FORMAL
`define ASSERT(name, expr) \
  always @(posedge clk_i) begin \
    if (rst_ni) begin \
      name: assert (expr); \
    end \
  end
`define ASSUME(name, expr) \
  always @(posedge clk_i) begin \
    if (rst_ni) begin \
      name: assume (expr); \
    end \
  end
`else
`ifdef SYNTHESIS
`define ASSERT(name, expr)
`define ASSUME(name, expr)
`else
`ifdef YOSYS
`define ASSERT(name, expr)
`define ASSUME(name, expr)
`else
`define ASSERT(name, expr) \
  always @(posedge clk_i) begin : name \
    if (rst_ni && !(expr)) begin \
      $error("%m: assertion failed"); \
      $stop; \
    end \
  end
// What the environment must keep: assumed in a proof, checked in simulation.
`define ASSUME(name, expr) `ASSERT(name, expr)
`endif
`endif
`endif

`endif
