// SPDX-License-Identifier: Apache-2.0
// `HEDDLE_ONLY(condition) begin ... end: `HEDDLE_LIVE (heddle_lanes.svh) for a block that a simulator should leave out as a whole.
// An `if` whose values are gathered bit by bit becomes expressions in Verilator, worked out in each cycle; a loop that runs once or
// not at all stays as it is. What the block assigns has its value otherwise before it. For synthesis it is always true.
`ifndef HEDDLE_ONLY_SVH
`define HEDDLE_ONLY_SVH

`ifdef VERILATOR
`define HEDDLE_ONLY(condition) for (int once = int'(condition); once != 0; once = 0)
`else
`define HEDDLE_ONLY(condition) if (1'b1)
`endif

`endif
