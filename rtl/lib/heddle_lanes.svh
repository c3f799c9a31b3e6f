// SPDX-License-Identifier: Apache-2.0
// `LANE_LOOP (int l = 0; ...) begin ... end: a loop over lanes that a simulator should keep as a loop. Verilator would unroll
// it; kept, it becomes vector code and costs a sixth (docs/benchmarks.md). cmake/verilate.sh defines HEDDLE_KEEP_LOOPS for
// releases that have the pragma. For synthesis it is a plain `for`.
`ifndef HEDDLE_LANES_SVH
`define HEDDLE_LANES_SVH

`ifdef HEDDLE_KEEP_LOOPS
`define LANE_LOOP /* verilator unroll_disable */ for
`else
`define LANE_LOOP for
`endif

`endif
