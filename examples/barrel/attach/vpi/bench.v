// SPDX-License-Identifier: Apache-2.0
// barrel under the checker over VPI.
`define CHECKER retire_vpi
`define TEXT reg [8*1024-1:0]
`define HEDDLE_OPEN(core, launches) $heddle_open(core, launches)
`define HEDDLE_LAUNCH $heddle_launch(port.judge)
`define HEDDLE_VALUE(name) $heddle_value(port.judge, name)
`define HEDDLE_RANGES $heddle_ranges(port.judge)
`define HEDDLE_RANGE_AT(i) $heddle_range_at(port.judge, i)
`define HEDDLE_RANGE_BYTES(i) $heddle_range_bytes(port.judge, i)
`define HEDDLE_WORD(at) $heddle_word(port.judge, at)
`define HEDDLE_PUT(at, word) ok = $heddle_put(port.judge, at, word)
`define HEDDLE_MEMORY(cycle) $heddle_memory(port.judge, cycle)
`define HEDDLE_VERDICT ok = $heddle_verdict(port.judge); // prints it
`include "bench.vh"
