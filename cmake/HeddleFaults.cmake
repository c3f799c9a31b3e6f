# SPDX-License-Identifier: Apache-2.0
# The text of all that is verilated, planted with the faults of verify/faults, of which --fault N makes one active. What is
# verilated from it depends on ${HEDDLE_FAULT_TEXT}/made and on target fault_text.
#
#   HEDDLE_FAULT_TEXT  where it lies (default: made in the build tree); another has other faults, and all benches have them
#                      (verify/mutants/build-benches.sh)
set(made_here ${CMAKE_BINARY_DIR}/faults)
set(HEDDLE_FAULT_TEXT ${made_here} CACHE PATH "text of the hardware with faults")
add_custom_target(fault_text)
if(HEDDLE_FAULT_TEXT STREQUAL made_here)
  set(HEDDLE_ALL_HAVE_FAULTS OFF)
  file(GLOB fault_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/verify/faults/*.txt
    ${CMAKE_SOURCE_DIR}/verify/faults/*.py ${CMAKE_SOURCE_DIR}/verify/faults/*.sv ${CMAKE_SOURCE_DIR}/fpga/board/*/*.sv
    ${CMAKE_SOURCE_DIR}/cosim/verilator/*.sv ${CMAKE_SOURCE_DIR}/cosim/port/*.sv)
  add_custom_command(OUTPUT ${made_here}/made
    COMMAND ${CMAKE_SOURCE_DIR}/verify/faults/plant.py --out ${made_here}
    COMMAND ${CMAKE_COMMAND} -E touch ${made_here}/made
    DEPENDS ${fault_sources} ${HEDDLE_RTL_FILES}
    COMMENT "Planting faults"
    VERBATIM)
  add_custom_target(fault_text_made DEPENDS ${made_here}/made)
  add_dependencies(fault_text fault_text_made)
else()
  set(HEDDLE_ALL_HAVE_FAULTS ON)
endif()
