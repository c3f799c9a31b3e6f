// SPDX-License-Identifier: Apache-2.0
// What a simulator may leave out, since nobody looks. For synthesis all of it is as if it were not there, and so it is for the
// device variant `asbuilt` (heddle_form.svh).
`ifndef HEDDLE_IDLE_SVH
`define HEDDLE_IDLE_SVH
`include "heddle_form.svh"

// `HEDDLE_IDLE(name, value);: what `name` is while nobody looks. A fast simulation leaves it as it was; one that tests has the
// value ('x: by chance, so that who looks all the same is found), and so has synthesis. For wide words: of others it saves nothing.
`ifdef HEDDLE_SIMULATED
`ifdef SYNTHESIS
`define HEDDLE_IDLE(name, value)
`endif
`endif
`ifndef HEDDLE_IDLE
`define HEDDLE_IDLE(name, value) name = value
`endif

// `HEDDLE_LIVE(condition): what it guards does not matter otherwise; the simulation leaves it out, synthesis takes it as always true.
`ifdef HEDDLE_SIMULATED
`define HEDDLE_LIVE(condition) (condition)
`else
`define HEDDLE_LIVE(condition) 1'b1
`endif

// `HEDDLE_ONLY(condition) begin ... end: `HEDDLE_LIVE for a block that a simulator should leave out as a whole.
// An `if` whose values are gathered bit by bit becomes expressions in Verilator, worked out in each cycle; a loop that runs once or
// not at all stays as it is. What the block assigns has its value otherwise before it. For synthesis it is always true.
`ifdef HEDDLE_SIMULATED
`define HEDDLE_ONLY(condition) for (int once = int'(condition); once != 0; once = 0)
`else
`define HEDDLE_ONLY(condition) if (1'b1)
`endif

`endif
