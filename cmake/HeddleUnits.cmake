# SPDX-License-Identifier: Apache-2.0
# Unit tests in C: one program an area, tests_AREA, that runs each of them by name (tests/runner/runner.c).
#
#   heddle_unit(cmodel.fp32 ARGS 100000)
#   target_link_libraries(tests_cmodel PRIVATE heddle_model)
#
# heddle_unit(AREA.TOPIC): test_TOPIC.c of this folder, whose main is its TEST_MAIN (tests/test.h), becomes a part of
# tests_AREA, which runs it as build/bin/tests_AREA TOPIC, and a test of ctest. The first one makes the program.
# IN        another program: coverage.bins IN verify is build/bin/tests_verify coverage.bins
# TIER      of the test (HeddleTest.cmake); first, if nothing is said
# LAB       only with the laboratory (HEDDLE_LAB), of which its source includes something
# ARGS      arguments of the test; DEVICES, FAILS: HeddleTest.cmake
function(heddle_unit name)
  cmake_parse_arguments(PARSE_ARGV 1 U "LAB" "IN;TIER" "ARGS;DEVICES;FAILS")
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
  set(source ${CMAKE_CURRENT_SOURCE_DIR}/test_${topic}.c)
  target_sources(${program} PRIVATE ${source})
  set_property(SOURCE ${source} TARGET_DIRECTORY ${program} APPEND PROPERTY COMPILE_DEFINITIONS TEST_FUNCTION=${function})
  if(NOT U_TIER)
    set(U_TIER first)
  endif()
  heddle_test(NAME ${name} TIER ${U_TIER} DEVICES ${U_DEVICES} FAILS ${U_FAILS} COMMAND ${program} ${called} ${U_ARGS})
endfunction()
