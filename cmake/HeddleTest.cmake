# SPDX-License-Identifier: Apache-2.0
# How a test is registered: with the tier that runs it, and what must be built for it.
#
#   heddle_test(NAME tools.kernels_tiny TIER first DEVICES tiny COMMAND heddle kernels --on lockstep --config tiny)
#
# NAME        AREA.WHAT
# TIER        first: what every change must pass (./test.sh); more: what a landing must pass, beside it (--more);
#             full: the night (--full). A test's tier is its first label: ctest -L '^first$'. What simulates hardware has
#             label hardware as well
# COMMAND     as add_test has it. Targets that it names, also as $<TARGET_FILE:x>, are built for it. The word SEED in it is a
#             number that follows from HEDDLE_SEED and the test's name: for random tests that any program must pass. One that
#             wants an event keeps a seed at which it comes, and says so
# DEVICES     simulated devices that it opens: tiny, paged_faults, tiny_wave. Those that COMMAND says with --config X, lockstep:X,
#             rtl:X are known. One with faults serves as the one without (cosim/README.md) and is built in its place, but for
#             those of HEDDLE_CLEAN_more and in the night
# NEEDS       further targets that it needs
# LAB         only with the laboratory (HEDDLE_LAB): it asks for it, and not by a command that COMMAND shows
# FAILS       STATUS REGEX: it must end with this status and say a line of this kind (tests/must_fail.sh)
# TIMEOUT, PROCESSORS, WORKING_DIRECTORY   as ctest has them
# ENV         NAME=VALUE ...
#
# Target tests_first is what the first tier needs; tests_more and tests_full take what is before them as well (their devices:
# build/devices/tests_first.txt). What took long in the run that tests/times.txt keeps starts first. A test that was not
# registered so stops the configuration.

set(HEDDLE_TIERS first more full)
# Devices whose text is simulated as it stands before a landing, without faults that wait in it; in the night all.
set(HEDDLE_CLEAN_more tiny fpga)
if(HEDDLE_ALL_HAVE_FAULTS) # what a tier finds of them is asked (lab/verify/mutants/tiers.py)
  set(HEDDLE_CLEAN_more)
endif()
set(HEDDLE_SEED 1 CACHE STRING "seed of random tests, of which each run of test.sh has another")

# The seconds of tests/times.txt, as HEDDLE_COST_NAME.
file(STRINGS ${CMAKE_SOURCE_DIR}/tests/times.txt lines REGEX "^test ")
foreach(line ${lines})
  if(line MATCHES "^test +([0-9.]+) +([^ ]+)$")
    set(HEDDLE_COST_${CMAKE_MATCH_2} ${CMAKE_MATCH_1})
  endif()
endforeach()
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS tests/times.txt)

function(heddle_test)
  cmake_parse_arguments(PARSE_ARGV 0 T "LAB" "NAME;TIER;TIMEOUT;PROCESSORS;WORKING_DIRECTORY"
    "COMMAND;DEVICES;NEEDS;FAILS;ENV")
  math(EXPR last "${ARGC} - 1")
  foreach(k RANGE ${last})
    if("${ARGV${k}}" MATCHES ";")
      message(FATAL_ERROR "heddle_test: ${T_NAME}: no word may have a semicolon: ${ARGV${k}}")
    endif()
  endforeach()
  if(NOT T_NAME OR NOT T_COMMAND OR DEFINED T_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "heddle_test: NAME and COMMAND are needed; not understood: ${T_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT T_TIER IN_LIST HEDDLE_TIERS)
    message(FATAL_ERROR "heddle_test: ${T_NAME} has no tier (TIER first, more or full; cmake/HeddleTest.cmake)")
  endif()

  list(JOIN T_COMMAND " " line)
  if(NOT HEDDLE_LAB AND (T_LAB OR line MATCHES "heddle (fuzz|campaign|cov|litmus|order|threads|bench|study)( |$)"))
    return() # a command of the laboratory
  endif()
  string(MD5 seed "${HEDDLE_SEED} ${T_NAME}")
  string(SUBSTRING ${seed} 0 6 seed)
  math(EXPR seed "1 + 0x${seed}")
  list(TRANSFORM T_COMMAND REPLACE "(^|[ =])SEED($| )" "\\1${seed}\\2")

  set(needs ${T_NEEDS})
  foreach(word ${T_COMMAND})
    string(REGEX REPLACE "^\\$<TARGET_FILE(_DIR)?:([^>]*)>.*$" "\\2" word "${word}")
    string(REPLACE "${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/" "" word "${word}")
    if(TARGET "${word}")
      list(APPEND needs ${word})
    endif()
  endforeach()
  list(JOIN T_COMMAND " " line)
  string(REGEX MATCHALL "--config [a-z0-9_]+|(lockstep|rtl):[a-z0-9_]+" opened "${line}")
  if(line MATCHES "--on model" AND NOT line MATCHES "--on (lockstep|rtl)")
    set(opened)
  endif()
  list(TRANSFORM opened REPLACE "^.*[ :]" "")
  foreach(device ${T_DEVICES} ${opened})
    set(planted device_verilator_${device}_faults)
    if(TARGET ${planted} AND (line MATCHES " --fault " OR NOT (T_TIER STREQUAL full OR device IN_LIST HEDDLE_CLEAN_${T_TIER})))
      list(APPEND needs ${planted})
    elseif(TARGET device_verilator_${device} OR device IN_LIST T_DEVICES)
      list(APPEND needs device_verilator_${device})
    endif()
  endforeach()
  set_property(GLOBAL APPEND PROPERTY HEDDLE_NEEDS_${T_TIER} ${needs})
  set(labels ${T_TIER})
  get_property(verilated GLOBAL PROPERTY HEDDLE_VERILATED)
  foreach(target ${needs})
    if(target MATCHES "^device_" OR target IN_LIST verilated)
      set(labels ${T_TIER} hardware)
    endif()
  endforeach()

  set(place)
  if(T_WORKING_DIRECTORY)
    set(place WORKING_DIRECTORY ${T_WORKING_DIRECTORY})
  endif()
  set(around)
  if(T_FAILS)
    set(around ${CMAKE_SOURCE_DIR}/tests/must_fail.sh ${T_FAILS})
    list(POP_FRONT T_COMMAND program)
    if(TARGET "${program}") # add_test knows a target by its name in the first place alone
      set(program $<TARGET_FILE:${program}>)
    endif()
    list(PREPEND T_COMMAND ${program})
  endif()
  add_test(NAME ${T_NAME} COMMAND ${around} ${T_COMMAND} ${place})
  set_tests_properties(${T_NAME} PROPERTIES LABELS "${labels}")
  foreach(property TIMEOUT PROCESSORS)
    if(T_${property})
      set_tests_properties(${T_NAME} PROPERTIES ${property} ${T_${property}})
    endif()
  endforeach()
  if(T_ENV)
    set_tests_properties(${T_NAME} PROPERTIES ENVIRONMENT "${T_ENV}")
  endif()
  if(HEDDLE_COST_${T_NAME})
    set_tests_properties(${T_NAME} PROPERTIES COST ${HEDDLE_COST_${T_NAME}})
  endif()

  get_property(here DIRECTORY PROPERTY HEDDLE_REGISTERED)
  if(NOT here)
    cmake_language(DEFER CALL heddle_check_labels)
  endif()
  set_property(DIRECTORY APPEND PROPERTY HEDDLE_REGISTERED ${T_NAME})
endfunction()

# At the end of a folder: nobody has taken the tier away since.
function(heddle_check_labels)
  get_property(names DIRECTORY PROPERTY HEDDLE_REGISTERED)
  foreach(name ${names})
    get_test_property(${name} LABELS labels)
    list(GET labels 0 tier)
    if(NOT tier IN_LIST HEDDLE_TIERS)
      message(FATAL_ERROR "test ${name}: its first label is its tier, and not '${labels}'")
    endif()
  endforeach()
endfunction()

# Unit tests in C: one program an area, tests_AREA, that runs each of them by name (tests/runner/runner.c).
#
#   heddle_unit(cmodel.fp32 ARGS 100000)
#   target_link_libraries(tests_cmodel PRIVATE heddle_model)
#
# heddle_unit(AREA.TOPIC): test_TOPIC.c of this folder, whose main is its TEST_MAIN (tests/test.h), becomes a part of
# tests_AREA, which runs it as build/bin/tests_AREA TOPIC, and a test of ctest. The first one makes the program.
# AT        its folder below this one
# IN        another program: coverage.bins IN verify is build/bin/tests_verify coverage.bins
# TIER      of the test; first, if nothing is said
# LAB       only with the laboratory (HEDDLE_LAB), of which its source includes something
# ARGS      arguments of the test; DEVICES, FAILS: as heddle_test has them
function(heddle_unit name)
  cmake_parse_arguments(PARSE_ARGV 1 U "LAB" "AT;IN;TIER" "ARGS;DEVICES;FAILS")
  if(NOT name MATCHES "^([a-z0-9]+)\\.([a-z0-9_.]+)$" OR DEFINED U_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "heddle_unit: AREA.TOPIC is needed, not ${name}; not understood: ${U_UNPARSED_ARGUMENTS}")
  endif()
  if(U_LAB AND NOT HEDDLE_LAB)
    return()
  endif()
  set(program tests_${CMAKE_MATCH_1})
  set(called ${CMAKE_MATCH_2})
  if(U_IN)
    set(program tests_${U_IN})
    set(called ${name})
  endif()
  string(REGEX REPLACE "^.*\\." "" topic ${name})
  string(REPLACE "." "_" function unit_${name})

  if(NOT TARGET ${program})
    set(table ${CMAKE_CURRENT_BINARY_DIR}/${program}.c)
    file(GENERATE OUTPUT ${table} CONTENT "#include \"tests/test.h\"
test_main $<JOIN:$<TARGET_PROPERTY:${program},HEDDLE_FUNCTIONS>,$<COMMA> >;
const struct test_unit test_units[] = {
$<JOIN:$<TARGET_PROPERTY:${program},HEDDLE_UNITS>,$<COMMA>\n>,
{0}};
")
    add_executable(${program} ${CMAKE_SOURCE_DIR}/tests/runner/runner.c ${table})
    target_link_libraries(${program} PRIVATE cmocka)
  endif()
  set_property(TARGET ${program} APPEND PROPERTY HEDDLE_FUNCTIONS ${function})
  set_property(TARGET ${program} APPEND PROPERTY HEDDLE_UNITS "{\"${called}\", ${function}}")
  cmake_path(SET source NORMALIZE "${CMAKE_CURRENT_SOURCE_DIR}/${U_AT}/test_${topic}.c")
  target_sources(${program} PRIVATE ${source})
  set_property(SOURCE ${source} TARGET_DIRECTORY ${program} APPEND PROPERTY COMPILE_DEFINITIONS TEST_FUNCTION=${function})
  if(NOT U_TIER)
    set(U_TIER first)
  endif()
  heddle_test(NAME ${name} TIER ${U_TIER} DEVICES ${U_DEVICES} FAILS ${U_FAILS} COMMAND ${program} ${called} ${U_ARGS})
endfunction()

# Names of tests in a folder and below it that were registered otherwise.
function(heddle_without_tier folder out)
  get_property(missing DIRECTORY ${folder} PROPERTY TESTS)
  get_property(registered DIRECTORY ${folder} PROPERTY HEDDLE_REGISTERED)
  if(registered)
    list(REMOVE_ITEM missing ${registered})
  endif()
  get_property(below DIRECTORY ${folder} PROPERTY SUBDIRECTORIES)
  foreach(part ${below})
    heddle_without_tier(${part} more)
    list(APPEND missing ${more})
  endforeach()
  set(${out} "${missing}" PARENT_SCOPE)
endfunction()

# At the end of the configuration.
function(heddle_tier_targets)
  heddle_without_tier(${CMAKE_SOURCE_DIR} missing)
  if(missing)
    message(FATAL_ERROR "without a tier (heddle_test in place of add_test gives them one): ${missing}")
  endif()
  set(before software)
  set(devices)
  foreach(tier ${HEDDLE_TIERS})
    get_property(needs GLOBAL PROPERTY HEDDLE_NEEDS_${tier})
    list(REMOVE_DUPLICATES needs)
    add_custom_target(tests_${tier})
    add_dependencies(tests_${tier} ${before} ${needs})
    list(FILTER needs INCLUDE REGEX "^device_")
    list(APPEND devices ${needs})
    list(JOIN devices "\n" text)
    file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/devices/tests_${tier}.txt CONTENT "${text}\n" @ONLY)
    set(before tests_${tier})
  endforeach()
endfunction()
