// SPDX-License-Identifier: Apache-2.0
// Which fault of a text with faults (plant.py) is active, 0: none. A model reads it once, when it begins (fault_number.hpp): by
// DPI each instance with an assertion would get a scope of its own. Read before what is planted; it is no hardware.
package heddle_fault;

  /* verilator lint_off UNUSEDSIGNAL */  // by a bench of what has no fault
`ifdef VERILATOR
  int unsigned id = $c32("[] { extern unsigned heddle_fault_number(); return heddle_fault_number(); }()");
`else
  int unsigned id = 0;
`endif
  /* verilator lint_on UNUSEDSIGNAL */

endpackage
