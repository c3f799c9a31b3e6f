# SPDX-License-Identifier: Apache-2.0
# One Verilated test bench: verilate, compile, link, and register it with ctest.
#
#   include(HeddleRtlTest)
#   heddle_rtl_test(NAME fma TOP fma_tb CONFIG mid
#     SOURCES ${CMAKE_CURRENT_SOURCE_DIR}/fma_tb.sv
#     BENCH   ${CMAKE_CURRENT_SOURCE_DIR}/fma_test.cpp
#     LINK    isa mpfr gmp
#     ARGS    --count 100000)
#
# NAME     test `rtl.NAME`, target and binary `rtl_NAME` (in the build tree's bin/)
# TOP      top module; the bench includes <Vtop.h> and makes a `Vtop`, whatever TOP is called
# CONFIG   configuration whose cfg_pkg is read (default mid); LANES, WARPS ... come from there
# ISA_PKG  isa_pkg.sv of another encoding than the build's
# SOURCES  SystemVerilog beyond rtl/: wrappers of the test itself (absolute paths). Packages are read first (isa_pkg, cfg_pkg,
#          those of rtl/ itself, then *_pkg.sv of the folders), and modules of rtl/ are found by name
# FOLDERS  folders of rtl/ whose packages and modules are needed (default: all); fewer means fewer rebuilds
# BENCH    C++ or C files with main() (absolute paths)
# LINK     CMake library targets or plain library names
# ARGS     arguments of the run that ctest makes
# PARAMS   NAME=VALUE: parameters of the top
# FLAGS    further options of verilator (--trace-fst ...)
# DEFINES  macros of BENCH
# LABELS   ctest labels beyond `rtl`
# QUICK    it runs for less than a second (HeddleVerilate.cmake)
# FAULTS   the text of rtl/ is that with faults (verify/faults), of which --fault N of the bench makes one active
# Benches should call Verilated::randReset(2) and Verilated::randSeed: what reset leaves alone starts random.

set(HEDDLE_GEN_DIR ${CMAKE_BINARY_DIR}/gen CACHE PATH "generated SystemVerilog packages: isa_pkg.sv, CONFIG/cfg_pkg.sv")
set(HEDDLE_RTL_DIR ${CMAKE_SOURCE_DIR}/rtl)
set(HEDDLE_RTL_TEST_FLAGS "" CACHE STRING "further options of verilator, in every bench")

function(heddle_rtl_test)
  cmake_parse_arguments(T "QUICK;FAULTS" "NAME;TOP;CONFIG;ISA_PKG" "SOURCES;FOLDERS;BENCH;LINK;ARGS;PARAMS;FLAGS;DEFINES;LABELS" ${ARGN})
  if(NOT T_NAME OR NOT T_TOP OR NOT T_BENCH OR T_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "heddle_rtl_test: NAME, TOP and BENCH are needed; not understood: ${T_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT T_CONFIG)
    set(T_CONFIG mid)
  endif()
  if(NOT T_ISA_PKG)
    set(T_ISA_PKG ${HEDDLE_GEN_DIR}/isa_pkg.sv)
  endif()

  file(GLOB all_folders RELATIVE ${HEDDLE_RTL_DIR} ${HEDDLE_RTL_DIR}/*)
  if(NOT T_FOLDERS)
    set(T_FOLDERS ${all_folders})
  endif()

  set(faults)
  if(T_FAULTS OR HEDDLE_ALL_HAVE_FAULTS)
    set(faults FAULTS)
  endif()

  # Packages first, in the order in which they need each other; modules are found in the folders and in rtl/ itself.
  set(packages ${T_ISA_PKG} ${HEDDLE_GEN_DIR}/${T_CONFIG}/cfg_pkg.sv ${HEDDLE_GEN_DIR}/retire_pkg.sv
    ${HEDDLE_GEN_DIR}/mufu_pkg.sv
    ${HEDDLE_RTL_PACKAGES})
  list(APPEND packages ${HEDDLE_GEN_DIR}/host_regs_pkg.sv ${HEDDLE_RTL_OTHERS}) # structs between folders
  set(rtl_files ${HEDDLE_RTL_OTHERS})
  if("${T_FOLDERS}" STREQUAL "${all_folders}")
    file(GLOB rtl_files CONFIGURE_DEPENDS ${HEDDLE_RTL_DIR}/*.sv)
  endif()
  set(search -y ${HEDDLE_RTL_DIR})
  foreach(folder ${T_FOLDERS})
    if(IS_DIRECTORY ${HEDDLE_RTL_DIR}/${folder})
      file(GLOB_RECURSE found CONFIGURE_DEPENDS ${HEDDLE_RTL_DIR}/${folder}/*.sv ${HEDDLE_RTL_DIR}/${folder}/*.svh)
      list(APPEND rtl_files ${found})
      list(TRANSFORM found REPLACE "/[^/]+$" "")
      list(REMOVE_DUPLICATES found)
      list(TRANSFORM found PREPEND "-y;")
      list(APPEND search ${found})
    endif()
  endforeach()

  set(include ${HEDDLE_RTL_DIR}/lib)
  set(depends ${packages} ${rtl_files} ${T_SOURCES})
  if(faults) # the same files, but in the planted copy
    foreach(list packages search include T_SOURCES)
      string(REPLACE "${HEDDLE_RTL_DIR}" "${HEDDLE_FAULT_TEXT}/rtl" ${list} "${${list}}")
    endforeach()
    list(PREPEND packages ${CMAKE_SOURCE_DIR}/verify/faults/heddle_fault.sv)
    list(APPEND depends ${HEDDLE_FAULT_TEXT}/made)
  endif()

  set(params)
  foreach(param ${T_PARAMS})
    list(APPEND params -G${param})
  endforeach()

  # Whoever makes the packages, if they are made in this build tree.
  set(makers)
  foreach(target isa configs records_files isa_mufu_tables fault_text)
    if(TARGET ${target})
      list(APPEND makers ${target})
    endif()
  endforeach()

  set(quick)
  if(T_QUICK)
    set(quick QUICK)
  endif()
  heddle_verilated_program(rtl_${T_NAME} ${quick} ${faults} OBJ ${CMAKE_CURRENT_BINARY_DIR}/${T_NAME}.dir
    BENCH ${T_BENCH}
    LINK ${T_LINK}
    DEFINES ${T_DEFINES}
    DEPENDS ${depends} ${CMAKE_SOURCE_DIR}/cmake/waivers.vlt ${makers}
    ARGS --cc -Wall --assert --x-assign unique --x-initial unique --top-module ${T_TOP}
      -I${include} ${search} ${params} ${T_FLAGS} ${HEDDLE_RTL_TEST_FLAGS}
      ${CMAKE_SOURCE_DIR}/cmake/waivers.vlt ${packages} ${T_SOURCES})
  heddle_test(NAME rtl.${T_NAME} TIER more COMMAND rtl_${T_NAME} ${T_ARGS})
endfunction()
