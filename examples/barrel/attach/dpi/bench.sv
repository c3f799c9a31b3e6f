// SPDX-License-Identifier: Apache-2.0
// barrel under the checker over DPI.
import heddle_dpi_pkg::*;
`define CHECKER retire_dpi
`define TEXT string
`define HEDDLE_OPEN(core, launches) heddle_dpi_open(core, launches)
`define HEDDLE_LAUNCH heddle_dpi_launch(port.judge)
`define HEDDLE_VALUE(name) heddle_dpi_value(port.judge, name)
`define HEDDLE_RANGES heddle_dpi_ranges(port.judge)
`define HEDDLE_RANGE_AT(i) heddle_dpi_range_at(port.judge, i)
`define HEDDLE_RANGE_BYTES(i) heddle_dpi_range_bytes(port.judge, i)
`define HEDDLE_WORD(at) heddle_dpi_image_word(port.judge, at)
`define HEDDLE_PUT(at, word) heddle_dpi_put(port.judge, at, word)
`define HEDDLE_MEMORY(cycle) heddle_dpi_memory(port.judge, cycle)
`define HEDDLE_VERDICT $write("%s", heddle_dpi_report(port.judge));
`include "bench.vh"
