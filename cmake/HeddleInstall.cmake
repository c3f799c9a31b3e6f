# SPDX-License-Identifier: Apache-2.0
# What `cmake --install` puts where. Three components, each of which can be installed alone:
#   program      heddle, and share/heddle: kernels, the ISA file and its variants, configurations
#   development  libraries, include/heddle, pkg-config files
#   devices      the simulated hardware that has been built (lib/heddle/devices)
# The target `software` is what the first two need; it takes seconds, and no simulator.
include(GNUInstallDirs)
set(HEDDLE_DATADIR ${CMAKE_INSTALL_DATADIR}/heddle)
set(HEDDLE_DEVICEDIR ${CMAKE_INSTALL_LIBDIR}/heddle/devices)
add_custom_target(software)

# heddle_install_library(TARGET...): archives, with every header below the include/ of their folder.
function(heddle_install_library)
  foreach(target ${ARGN})
    get_target_property(dir ${target} SOURCE_DIR)
    install(TARGETS ${target} ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development)
    add_dependencies(software ${target})
    if(IS_DIRECTORY ${dir}/include/heddle)
      install(DIRECTORY ${dir}/include/heddle DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development)
    endif()
  endforeach()
endfunction()

# heddle_pkg_config(NAME DESCRIPTION "..." LIBRARIES name... REQUIRES module...) makes NAME.pc. The libraries are
# archives, so that whoever links one links all that it needs. The prefix is told by where the file lies.
function(heddle_pkg_config name)
  cmake_parse_arguments(PC "" "DESCRIPTION" "LIBRARIES;REQUIRES" ${ARGN})
  set(PC_NAME ${name})
  list(TRANSFORM PC_LIBRARIES PREPEND -l)
  list(JOIN PC_LIBRARIES " " PC_LIBRARIES)
  list(JOIN PC_REQUIRES " " PC_REQUIRES)
  file(RELATIVE_PATH PC_PREFIX /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
  string(REGEX REPLACE "/$" "" PC_PREFIX "${PC_PREFIX}")
  configure_file(${PROJECT_SOURCE_DIR}/cmake/heddle.pc.in ${PROJECT_BINARY_DIR}/pkgconfig/${name}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/pkgconfig/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig
    COMPONENT development)
endfunction()

# heddle_install_data(PART FOLDER PATTERN...): files of the source tree as share/heddle/PART. The build tree shows
# them at the same place by links, so that programs find both in one way (tools/data.h).
function(heddle_install_data part folder)
  get_filename_component(above ${PROJECT_BINARY_DIR}/${HEDDLE_DATADIR}/${part} DIRECTORY)
  file(MAKE_DIRECTORY ${above})
  file(CREATE_LINK ${folder} ${PROJECT_BINARY_DIR}/${HEDDLE_DATADIR}/${part} SYMBOLIC)
  list(TRANSFORM ARGN PREPEND ${folder}/ OUTPUT_VARIABLE patterns)
  file(GLOB files RELATIVE ${folder} CONFIGURE_DEPENDS ${patterns})
  foreach(file ${files})
    get_filename_component(sub ${file} DIRECTORY)
    install(FILES ${folder}/${file} DESTINATION ${HEDDLE_DATADIR}/${part}/${sub} COMPONENT program)
  endforeach()
endfunction()
