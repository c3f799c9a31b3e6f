# SPDX-License-Identifier: Apache-2.0
# The text of all that is verilated, planted with the faults of lab/verify/faults, of which --fault N makes one active. What is
# verilated from it depends on target fault_text, and on the files that Verilator has read of it.
#
#   HEDDLE_FAULT_TEXT  where it lies (default: made in the build tree); another has other faults, and all benches have them
#                      (lab/verify/mutants/build-benches.sh)
set(made_here ${CMAKE_BINARY_DIR}/faults)
set(HEDDLE_FAULT_TEXT ${made_here} CACHE PATH "text of the hardware with faults")
add_custom_target(fault_text)
if(HEDDLE_FAULT_TEXT STREQUAL made_here)
  set(HEDDLE_ALL_HAVE_FAULTS OFF)
  file(GLOB fault_lists CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/lab/verify/faults/*.txt ${CMAKE_SOURCE_DIR}/lab/verify/faults/*.py)
  set(plain ${HEDDLE_RTL_FILES})
  foreach(folder lab/fpga/board cosim/verilator cosim/port) # plant.py's FOLDERS
    file(GLOB_RECURSE found CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/${folder}/*.sv ${CMAKE_SOURCE_DIR}/${folder}/*.svh)
    list(APPEND plain ${found})
  endforeach()
  string(REPLACE "${CMAKE_SOURCE_DIR}/" "${made_here}/" planted "${plain}")
  # Only files whose text changes are written, and only what was read of them is verilated anew.
  add_custom_command(OUTPUT ${made_here}/made
    BYPRODUCTS ${planted}
    COMMAND ${CMAKE_SOURCE_DIR}/lab/verify/faults/plant.py --out ${made_here}
    COMMAND ${CMAKE_COMMAND} -E touch ${made_here}/made
    DEPENDS ${fault_lists} ${plain}
    COMMENT "Planting faults"
    VERBATIM)
  add_custom_target(fault_text_made DEPENDS ${made_here}/made)
  add_dependencies(fault_text fault_text_made)
else()
  set(HEDDLE_ALL_HAVE_FAULTS ON)
endif()
