// SPDX-License-Identifier: Apache-2.0
// What the planted text asks (heddle_fault.sv).
#include "cosim/verilator/fault_number.hpp"

unsigned heddle_fault_number();
unsigned heddle_fault_number() {
  return heddle_fault();
}
