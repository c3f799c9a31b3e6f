# SPDX-License-Identifier: Apache-2.0
# What cannot be built here is left out, and said at the end of the configuration together with what would bring it.
# Assembler, compiler, model and checker need libelf, jansson, libxml2 and libzip; the rest is this file's business:
#   HEDDLE_HARDWARE   simulated hardware (Verilator: HeddleVerilate.cmake)
#   HEDDLE_SYSTEMC    the SystemC device
#   HEDDLE_TESTS      the tests (cmocka, MPFR, GMP); BUILD_TESTING=OFF does without
option(HEDDLE_COMPLETE "what would be left out for want of a tool is an error" OFF)
option(BUILD_TESTING "the tests" ON)

function(heddle_left_out what why)
  set_property(GLOBAL APPEND PROPERTY HEDDLE_LEFT_OUT "${what}: ${why}")
endfunction()

# At the end, where a reader looks.
function(heddle_say_left_out)
  get_property(lines GLOBAL PROPERTY HEDDLE_LEFT_OUT)
  foreach(line ${lines})
    message(STATUS "Left out: ${line}")
  endforeach()
  if(lines AND HEDDLE_COMPLETE)
    message(FATAL_ERROR "HEDDLE_COMPLETE is on, and something is left out (above); scripts/setup.sh installs it all")
  endif()
endfunction()

include(HeddleVerilate)
set(HEDDLE_HARDWARE ${HEDDLE_VERILATOR_FOUND})
set(HEDDLE_SYSTEMC OFF)
pkg_check_modules(SYSTEMC IMPORTED_TARGET GLOBAL systemc)
if(NOT HEDDLE_HARDWARE)
  heddle_left_out("simulated hardware and its tests" "${HEDDLE_VERILATOR_MISSING}")
elseif(NOT SYSTEMC_FOUND)
  heddle_left_out("the SystemC device" "no SystemC (Debian: libsystemc-dev)")
else()
  set(HEDDLE_SYSTEMC ON)
endif()

set(HEDDLE_TESTS ${BUILD_TESTING})
if(HEDDLE_TESTS)
  foreach(module cmocka mpfr gmp)
    pkg_check_modules(TESTS_${module} ${module})
    if(NOT TESTS_${module}_FOUND)
      heddle_left_out("the tests" "no ${module} (Debian: lib${module}-dev)")
      set(HEDDLE_TESTS OFF)
    endif()
  endforeach()
endif()
