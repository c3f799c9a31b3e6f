# SPDX-License-Identifier: Apache-2.0
# The two libraries that are installed, shared and static, with CMake package and pkg-config files:
#   heddle      for hosts: driver, loader, instruction set, machine configurations, assembler
#   heddle-sim  boards that this machine simulates; model, checker, traces; compiler, proof of control codes
# Both are made of the archives of this tree. These are merged into one object each, in which everything becomes local
# that no public header marks HEDDLE_API: what stays is heddle_ and nothing else, in the archive, too.
set(sdk_dir ${CMAKE_BINARY_DIR}/sdk)
file(MAKE_DIRECTORY ${sdk_dir})

# heddle_sdk_library(NAME ARCHIVES target... LINK flag...) makes targets sdk_NAME and sdk_NAME_static.
function(heddle_sdk_library name)
  cmake_parse_arguments(S "" "" "ARCHIVES;LINK" ${ARGN})
  set(files)
  foreach(archive ${S_ARCHIVES})
    list(APPEND files $<TARGET_FILE:${archive}>)
  endforeach()
  set(object ${sdk_dir}/${name}.o)
  add_custom_command(OUTPUT ${object}
    COMMAND ${CMAKE_LINKER} -r --whole-archive ${files} -o ${object}
    COMMAND ${CMAKE_OBJCOPY} --localize-hidden ${object}
    DEPENDS ${S_ARCHIVES}
    VERBATIM)
  set_source_files_properties(${object} PROPERTIES EXTERNAL_OBJECT ON GENERATED ON)
  foreach(kind SHARED STATIC)
    set(target sdk_${name})
    if(kind STREQUAL "STATIC")
      set(target sdk_${name}_static)
    endif()
    add_library(${target} ${kind} ${object})
    set_target_properties(${target} PROPERTIES OUTPUT_NAME ${name} LINKER_LANGUAGE C ARCHIVE_OUTPUT_DIRECTORY ${sdk_dir}
      LIBRARY_OUTPUT_DIRECTORY ${sdk_dir} VERSION ${PROJECT_VERSION} SOVERSION ${HEDDLE_SOVERSION}
      BUILD_RPATH $ORIGIN INSTALL_RPATH $ORIGIN)
    add_dependencies(software ${target})
    install(TARGETS ${target} ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development OPTIONAL
      LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development OPTIONAL)
  endforeach()
  target_link_libraries(sdk_${name} PRIVATE ${S_LINK})
  if(NOT HEDDLE_SANITIZE AND NOT HEDDLE_FUZZ) # what a shared library needs, it names
    target_link_options(sdk_${name} PRIVATE LINKER:-z,defs)
  endif()
  # What finds it is installed where it was built: so it is written behind it.
  configure_file(${PROJECT_SOURCE_DIR}/cmake/${name}.pc.in ${CMAKE_BINARY_DIR}/pkgconfig/${name}.pc @ONLY)
  add_custom_command(TARGET sdk_${name}_static POST_BUILD
    COMMAND ${CMAKE_COMMAND} -E copy ${CMAKE_BINARY_DIR}/pkgconfig/${name}.pc ${sdk_dir}/${name}.pc VERBATIM)
  install(FILES ${sdk_dir}/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development OPTIONAL)
endfunction()

file(RELATIVE_PATH SDK_PREFIX /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
string(REGEX REPLACE "/$" "" SDK_PREFIX "${SDK_PREFIX}")
heddle_sdk_library(heddle ARCHIVES heddle_base heddle_isa heddle_config heddle_host heddle_asm heddle_explain heddle_driver
  LINK PkgConfig::LIBELF m)
heddle_sdk_library(heddle-sim ARCHIVES heddle_base heddle_lint heddle_ptx heddle_model heddle_checker heddle_trace
  heddle_attach heddle_digest heddle_board heddle_device heddle_port heddle_cosim heddle_platform heddle_module_ptx
  LINK sdk_heddle PkgConfig::JANSSON Threads::Threads ${CMAKE_DL_LIBS} m)

# The package: find_package(heddle) gives heddle::heddle and heddle::sim.
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/heddle)
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/heddle-config.cmake.in ${CMAKE_BINARY_DIR}/pkgconfig/heddle-config.cmake
  INSTALL_DESTINATION ${package_dir} PATH_VARS CMAKE_INSTALL_LIBDIR CMAKE_INSTALL_INCLUDEDIR HEDDLE_DATADIR HEDDLE_DEVICEDIR)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/pkgconfig/heddle-config-version.cmake COMPATIBILITY SameMinorVersion)
foreach(file heddle-config.cmake heddle-config-version.cmake)
  add_custom_command(TARGET sdk_heddle_static POST_BUILD
    COMMAND ${CMAKE_COMMAND} -E copy ${CMAKE_BINARY_DIR}/pkgconfig/${file} ${sdk_dir}/${file} VERBATIM)
  install(FILES ${sdk_dir}/${file} DESTINATION ${package_dir} COMPONENT development OPTIONAL)
endforeach()

# Public headers that are generated: there as soon as anything has been built (the others: heddle_public_headers).
set(headers api.h bank0.h host_regs.h isa_gen.h retire_fields.h retire_ports.hpp retire_records.h retire_stream.h)
list(TRANSFORM headers PREPEND ${CMAKE_BINARY_DIR}/gen/heddle/)
install(FILES ${headers} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/heddle COMPONENT development OPTIONAL)
