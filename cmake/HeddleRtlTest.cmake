# SPDX-License-Identifier: Apache-2.0
# One Verilated test bench: verilate, compile, link, and register it with ctest.
#
#   include(HeddleRtlTest)
#   heddle_rtl_test(NAME fma TIER more TOP fma_tb CONFIG mid
#     SOURCES ${CMAKE_CURRENT_SOURCE_DIR}/fma_tb.sv
#     BENCH   ${CMAKE_CURRENT_SOURCE_DIR}/fma_test.cpp
#     LINK    isa mpfr gmp
#     ARGS    --count 100000)
#
# NAME     test `rtl.NAME`, target and binary `rtl_NAME` (in the build tree's bin/)
# TIER     of the test (HeddleTest.cmake)
# TOP      top module; the bench includes <Vtop.h> and makes a `Vtop`, whatever TOP is called. Benches of the same top with the
#          same parameters, configuration, text and flags share one model
# CONFIG   configuration whose cfg_pkg is read (default mid); LANES, WARPS ... come from there
# ISA_PKG  isa_pkg.sv of another encoding than the build's
# SOURCES  SystemVerilog beyond rtl/: wrappers of the test itself (absolute paths). Packages are read first (isa_pkg, cfg_pkg,
#          those of rtl/ itself, then *_pkg.sv of its folders), and modules of rtl/ are found by name
# NEEDS    targets that make SOURCES, where the build does
# BENCH    C++ or C files with main() (absolute paths)
# LINK     CMake library targets or plain library names
# ARGS     arguments of the run that ctest makes
# PARAMS   NAME=VALUE: parameters of the top
# FLAGS    further options of verilator (--trace-fst ...)
# DEFINES  macros of BENCH
# QUICK    it runs for less than a second (HeddleVerilate.cmake)
# FAULTS   the text of rtl/ is that with faults (lab/verify/faults), of which --fault N of the bench makes one active
# Benches should call Verilated::randReset(2) and Verilated::randSeed: what reset leaves alone starts random.
#
# heddle_bench_faults(BENCH fma TIER more FAULTS 8 14 SAYS "failed: " ARGS --count 10000): see there.

set(HEDDLE_GEN_DIR ${CMAKE_BINARY_DIR}/gen CACHE PATH "generated SystemVerilog packages: isa_pkg.sv, CONFIG/cfg_pkg.sv")
set(HEDDLE_RTL_DIR ${CMAKE_SOURCE_DIR}/rtl)
set(HEDDLE_RTL_TEST_FLAGS "" CACHE STRING "further options of verilator, in every bench")

function(heddle_rtl_test)
  cmake_parse_arguments(T "QUICK;FAULTS" "NAME;TIER;TOP;CONFIG;ISA_PKG" "SOURCES;NEEDS;BENCH;LINK;ARGS;PARAMS;FLAGS;DEFINES" ${ARGN})
  if(NOT T_NAME OR NOT T_TIER OR NOT T_TOP OR NOT T_BENCH OR T_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "heddle_rtl_test: NAME, TIER, TOP and BENCH are needed; not understood: ${T_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT T_CONFIG)
    set(T_CONFIG mid)
  endif()
  if(NOT T_ISA_PKG)
    set(T_ISA_PKG ${HEDDLE_GEN_DIR}/isa_pkg.sv)
  endif()

  # Packages first, in the order in which they need each other: made ones, those of rtl/ itself, structs between its folders.
  set(made ${T_ISA_PKG} ${HEDDLE_GEN_DIR}/host_regs_pkg.sv ${HEDDLE_GEN_DIR}/${T_CONFIG}/cfg_pkg.sv)
  set(packages ${made} ${HEDDLE_GEN_DIR}/retire_pkg.sv ${HEDDLE_GEN_DIR}/mufu_pkg.sv ${HEDDLE_RTL_PACKAGES}
    ${HEDDLE_RTL_OTHERS})
  set(text -I${HEDDLE_RTL_DIR}/lib ${HEDDLE_RTL_SEARCH})
  set(options)
  if(T_QUICK)
    list(APPEND options QUICK)
  endif()
  if(T_FAULTS OR HEDDLE_ALL_HAVE_FAULTS) # the same files, but in the planted copy
    list(APPEND options FAULTS)
    foreach(list packages text T_SOURCES)
      string(REPLACE "${HEDDLE_RTL_DIR}" "${HEDDLE_FAULT_TEXT}/rtl" ${list} "${${list}}")
    endforeach()
    list(PREPEND packages ${CMAKE_SOURCE_DIR}/lab/verify/faults/heddle_fault.sv)
    if(HEDDLE_ALL_HAVE_FAULTS) # a mutant may be a constant of one bit, a fault may need a port that a bench has not
      list(APPEND T_FLAGS -Wno-WIDTHEXPAND -Wno-PINMISSING)
    endif()
  endif()
  list(TRANSFORM T_PARAMS PREPEND -G)
  heddle_verilated_program(rtl_${T_NAME} ${options} OBJ ${CMAKE_CURRENT_BINARY_DIR}/${T_NAME}.dir
    BENCH ${T_BENCH}
    LINK ${T_LINK}
    DEFINES ${T_DEFINES}
    DEPENDS ${made} isa configs records_files isa_mufu_tables ${T_NEEDS}
    ARGS --cc -Wall --assert --x-assign unique --x-initial unique --top-module ${T_TOP}
      ${text} ${T_PARAMS} ${T_FLAGS} ${HEDDLE_RTL_TEST_FLAGS}
      ${CMAKE_SOURCE_DIR}/cmake/waivers.vlt ${packages} ${T_SOURCES})
  heddle_test(NAME rtl.${T_NAME} TIER ${T_TIER} COMMAND rtl_${T_NAME} ${T_ARGS})
endfunction()
