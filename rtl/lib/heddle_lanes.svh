// SPDX-License-Identifier: Apache-2.0
// `LANE_LOOP (int l = 0; ...) begin ... end: a loop over lanes that a simulator should keep as a loop. Verilator would write
// its body out once a lane; kept, it becomes vector code and costs a sixth (docs/benchmarks.md). Older releases do not know
// the pragma: cmake/verilate.sh defines HEDDLE_KEEP_LOOPS for those that do. For synthesis it is a plain `for`.
`ifndef HEDDLE_LANES_SVH
`define HEDDLE_LANES_SVH

`ifdef HEDDLE_KEEP_LOOPS
`define LANE_LOOP /* verilator unroll_disable */ for
`else
`define LANE_LOOP for
`endif

// `HEDDLE_IDLE(name, value);: what `name` is while nobody looks. A fast simulation leaves it as it was; one that tests has the
// value ('x: by chance, so that who looks all the same is found), and so has synthesis. For wide words: of others it saves nothing.
`ifdef VERILATOR
`ifdef SYNTHESIS
`define HEDDLE_IDLE(name, value)
`endif
`endif
`ifndef HEDDLE_IDLE
`define HEDDLE_IDLE(name, value) name = value
`endif

// What follows does not matter otherwise: the simulation leaves it out, synthesis takes it as always true.
`ifdef VERILATOR
`define HEDDLE_LIVE(condition) (condition)
`else
`define HEDDLE_LIVE(condition) 1'b1
`endif

`endif
