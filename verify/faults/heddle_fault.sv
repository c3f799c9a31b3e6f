// SPDX-License-Identifier: Apache-2.0
// Which fault of a text with faults (plant.py) is active, 0: none. A model asks for it once, when it begins (number.hpp).
// Read before what is planted; it is no hardware.
`default_nettype none

package heddle_fault;

  import "DPI-C" function int unsigned heddle_fault_number();

  /* verilator lint_off UNUSEDSIGNAL */  // by a bench of what has no fault
  int unsigned id = heddle_fault_number();
  /* verilator lint_on UNUSEDSIGNAL */

endpackage

`default_nettype wire
