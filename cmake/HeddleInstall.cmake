# SPDX-License-Identifier: Apache-2.0
# What `cmake --install` puts where. Three components, each of which can be installed alone:
#   program      heddle, and share/heddle: kernels, the ISA file and its variants, configurations, the schema of
#                difference reports
#   development  libheddle and libheddle-sim, include/heddle, CMake package, pkg-config files (HeddleSdk.cmake)
#   devices      the simulated hardware that has been built (lib/heddle/devices); with HEDDLE_NATIVE all but tiny are for
#                this very machine
# Installed is what has been built; the target `software` is all of the first two, and takes no simulator.
include(GNUInstallDirs)
set(HEDDLE_DATADIR ${CMAKE_INSTALL_DATADIR}/heddle)
set(HEDDLE_KERNELS ${PROJECT_BINARY_DIR}/${HEDDLE_DATADIR}/kernels) # of firmware/kernels, complete (firmware/CMakeLists.txt)
set(HEDDLE_DEVICEDIR ${CMAKE_INSTALL_LIBDIR}/heddle/devices)
add_custom_target(software)
# A library's version at load: what a middle number may change before 1.0, no program linked before may meet.
set(HEDDLE_SOVERSION ${PROJECT_VERSION_MAJOR})
if(PROJECT_VERSION_MAJOR EQUAL 0)
  set(HEDDLE_SOVERSION 0.${PROJECT_VERSION_MINOR})
endif()

# heddle_public_headers(): what a folder has in include/heddle/ is public: it is installed, and lies in gen/heddle/ of the build
# tree beside the headers that are generated, as a link.
function(heddle_public_headers)
  file(GLOB headers CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/include/heddle/*)
  file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/gen/heddle)
  foreach(header ${headers})
    get_filename_component(name ${header} NAME)
    file(CREATE_LINK ${header} ${PROJECT_BINARY_DIR}/gen/heddle/${name} SYMBOLIC)
  endforeach()
  install(FILES ${headers} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/heddle COMPONENT development)
endfunction()

# heddle_install_data(PART FOLDER [FILES] PATTERN...): files of the source tree as share/heddle/PART. The build tree shows
# them at the same place by links, so that programs find both in one way (run/command/tool.h).
# FILES: a link each, where others lie beside them.
function(heddle_install_data part folder)
  set(place ${PROJECT_BINARY_DIR}/${HEDDLE_DATADIR}/${part})
  cmake_parse_arguments(D "FILES" "" "" ${ARGN})
  list(TRANSFORM D_UNPARSED_ARGUMENTS PREPEND ${folder}/ OUTPUT_VARIABLE patterns)
  file(GLOB files RELATIVE ${folder} CONFIGURE_DEPENDS ${patterns})
  if(D_FILES)
    if(IS_SYMLINK ${place})
      file(REMOVE ${place})
    endif()
    file(MAKE_DIRECTORY ${place})
    foreach(file ${files})
      file(CREATE_LINK ${folder}/${file} ${place}/${file} SYMBOLIC)
    endforeach()
  else()
    get_filename_component(above ${place} DIRECTORY)
    file(MAKE_DIRECTORY ${above})
    file(CREATE_LINK ${folder} ${place} SYMBOLIC)
  endif()
  foreach(file ${files})
    get_filename_component(sub ${file} DIRECTORY)
    install(FILES ${folder}/${file} DESTINATION ${HEDDLE_DATADIR}/${part}/${sub} COMPONENT program)
  endforeach()
endfunction()

# heddle_unpack(FOLDER TO): what programs made of the sources in FOLDER and packed there (data.zip, scripts/data_archive.py),
# as files in TO. It happens when the tree is configured, so that whatever reads them need not wait for them.
function(heddle_unpack folder to)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${folder}/data.zip)
  file(ARCHIVE_EXTRACT INPUT ${folder}/data.zip DESTINATION ${to})
endfunction()

# heddle_text(FILE SYMBOL SOURCE): SOURCE defines `const char SYMBOL[]`, what FILE holds and a zero byte.
function(heddle_text file symbol source)
  file(READ ${file} text HEX)
  string(REGEX REPLACE "(................................)" "\\1\n" text "${text}")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," text "${text}")
  file(CONFIGURE OUTPUT ${source} CONTENT "extern const char @symbol@[];\nconst char @symbol@[] = {\n@text@ 0};\n")
endfunction()
