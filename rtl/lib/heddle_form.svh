// SPDX-License-Identifier: Apache-2.0
// Which of two equal forms a primitive of this folder takes. tests/lab/fpga/synth proves each pair equal. Nothing outside of this folder
// may ask (test scripts.one_text): what is simulated is what is built.
// HEDDLE_SIMULATED, made here: the form that costs a simulator least, in place of the one that is built.
// HEDDLE_PLAIN, made here for a simulator, else by whoever builds for another technology than the ECP5 (-D HEDDLE_PLAIN): primitives of
// ecp5/ are plain in place of shaped for that part's cells. There is no other switch.
// HEDDLE_ASBUILT (device variant `asbuilt`): a simulator, too, takes what synthesis takes.
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
