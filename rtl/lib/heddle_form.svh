// SPDX-License-Identifier: Apache-2.0
// Which of two equal forms a primitive of this folder takes. Where HEDDLE_SIMULATED is defined it is the one that costs a
// simulator least, else the one that an FPGA's cells want. tests/fpga/synth proves each pair equal. Nothing outside of this folder
// may ask (test scripts.one_text): what is simulated is what is built.
// HEDDLE_ASBUILT (device variant `asbuilt`): a simulator, too, takes what synthesis takes.
`ifndef HEDDLE_FORM_SVH
`define HEDDLE_FORM_SVH

`ifdef VERILATOR
`ifndef HEDDLE_ASBUILT
`define HEDDLE_SIMULATED
`endif
`endif

`endif
