// SPDX-License-Identifier: Apache-2.0
// Which fault of a text with faults (plant.py) is active: what a model starts with. HEDDLE_FAULT in the environment says it,
// until the program does, before the model is made: heddle_fault() = 7. 0: none.
#ifndef HEDDLE_COSIM_FAULT_NUMBER_HPP
#define HEDDLE_COSIM_FAULT_NUMBER_HPP

#include <cstdlib>

inline unsigned heddle_fault_asked()
{
  const char *number = std::getenv("HEDDLE_FAULT");
  return number != nullptr ? unsigned(std::atoi(number)) : 0;
}

inline unsigned &heddle_fault()
{
  static unsigned number = heddle_fault_asked();
  return number;
}

#endif
