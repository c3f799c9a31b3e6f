// SPDX-License-Identifier: Apache-2.0
// Choice between two equal forms of a primitive of this folder; tests/lab/fpga/synth proves each pair equal. Only this folder may use
// these macros (test scripts.one_text): simulated text is built text.
// HEDDLE_SIMULATED, defined here: the form that costs a simulator least, in place of the built one.
// HEDDLE_PLAIN, defined here for a simulator, and by -D HEDDLE_PLAIN for a technology other than the ECP5: primitives of ecp5/ are
// plain, not shaped for that part's cells. There is no other switch.
// HEDDLE_ASBUILT (device variant `asbuilt`): a simulator, too, takes the built form.
`ifndef HEDDLE_FORM_SVH
`define HEDDLE_FORM_SVH

`ifdef VERILATOR
`ifndef HEDDLE_ASBUILT
`define HEDDLE_SIMULATED
`endif
`endif

`ifdef HEDDLE_SIMULATED
`ifndef HEDDLE_PLAIN
`define HEDDLE_PLAIN
`endif
`endif

`endif
