// SPDX-License-Identifier: Apache-2.0
// What the planted text asks (heddle_fault.sv).
#include "verify/faults/number.hpp"

extern "C" unsigned heddle_fault_number();
extern "C" unsigned heddle_fault_number() {
  return heddle_fault();
}
