// SPDX-License-Identifier: Apache-2.0
// Work that a simulator may skip, since its result is not used. Synthesis and the device variant `asbuilt` (heddle_form.svh) skip nothing.
`ifndef HEDDLE_IDLE_SVH
`define HEDDLE_IDLE_SVH
`include "heddle_form.svh"

// `HEDDLE_IDLE(name, value);: the value of `name` while it is not used. A fast simulation keeps the old value. A testing one, and
// synthesis, take `value` ('x: random, so that a use is found). For wide words: others save nothing.
`ifdef HEDDLE_SIMULATED
`ifdef SYNTHESIS
`define HEDDLE_IDLE(name, value)
`endif
`endif
`ifndef HEDDLE_IDLE
`define HEDDLE_IDLE(name, value) name = value
`endif

// `HEDDLE_LIVE(condition): the guarded value is used only if the condition holds. Simulation skips it otherwise; synthesis takes 1.
`ifdef HEDDLE_SIMULATED
`define HEDDLE_LIVE(condition) (condition)
`else
`define HEDDLE_LIVE(condition) 1'b1
`endif

// `HEDDLE_ONLY(condition) begin ... end: `HEDDLE_LIVE for a block that a simulator should leave out as a whole.
// An `if` with values gathered bit by bit becomes expressions in Verilator, evaluated in each cycle; a loop of one turn or none stays
// as it is. Assigned variables need a value before the block. Synthesis takes 1.
`ifdef HEDDLE_SIMULATED
`define HEDDLE_ONLY(condition) for (int once = int'(condition); once != 0; once = 0)
`else
`define HEDDLE_ONLY(condition) if (1'b1)
`endif

`endif
