// SPDX-License-Identifier: Apache-2.0
// `ASSERT(name, expr): expr holds at every rising edge of clk_i while rst_ni is high.
// Formal (FORMAL defined): an immediate assert. Simulation: an error message, and the run stops.
// Synthesis (SYNTHESIS or YOSYS defined): nothing. Write the property as an English sentence above its use.
// Needs clk_i and rst_ni in scope; `expr` is one expression over registered or combinational signals.
// It does not sample the past: keep a _q copy for that.
// `ASSERT_IF(name, cond, expr): the same where cond holds; expr is evaluated only there, which saves a simulator wide
// comparisons at every edge.
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
    if (!(expr)) begin \
      if (rst_ni) begin \
        $error("%m: assertion failed"); \
        $stop; \
      end \
    end \
  end
// Assumption about the environment: assumed in a proof, checked in simulation.
`define ASSUME(name, expr) `ASSERT(name, expr)
`define ASSERT_IF(name, cond, expr) \
  always @(posedge clk_i) begin : name \
    if (cond) begin \
      if (rst_ni && !(expr)) begin \
        $error("%m: assertion failed"); \
        $stop; \
      end \
    end \
  end
`define ASSUME_IF(name, cond, expr) `ASSERT_IF(name, cond, expr)
`endif
`endif
`endif

`ifndef ASSERT_IF
`define ASSERT_IF(name, cond, expr) `ASSERT(name, !(cond) || (expr))
`define ASSUME_IF(name, cond, expr) `ASSUME(name, !(cond) || (expr))
`endif

`endif
