# SPDX-License-Identifier: Apache-2.0
# A folder laid out as NVIDIA's toolkit is, for build systems that look for one: bin/nvcc, include, lib64, nvvm/libdevice.
# usage: cmake -DTOP=FOLDER -DNVCC=FILE -DHEADERS=FOLDER -DLIBRARY=FILE -DCC=FILE -DNM=FILE -P toolkit.cmake
# Whoever links finds the library later, since lib64 has one of its names whose soname is a path; as with the static
# runtime of the others, no rpath is needed. $DESTDIR is no part of it.
foreach(folder bin lib64 nvvm/libdevice)
  file(MAKE_DIRECTORY ${TOP}/${folder})
endforeach()
file(RELATIVE_PATH nvcc ${TOP}/bin ${NVCC})
file(CREATE_LINK ${nvcc} ${TOP}/bin/nvcc SYMBOLIC)
file(RELATIVE_PATH headers ${TOP} ${HEADERS})
file(CREATE_LINK ${headers} ${TOP}/include SYMBOLIC)

set(root 0)
string(FIND "${TOP}" "$ENV{DESTDIR}" begins)
if(begins EQUAL 0)
  string(LENGTH "$ENV{DESTDIR}" root)
endif()
string(SUBSTRING "${LIBRARY}" ${root} -1 soname)
string(SUBSTRING "${TOP}" ${root} -1 top)
execute_process(COMMAND ${NM} -D --defined-only ${LIBRARY} OUTPUT_VARIABLE names COMMAND_ERROR_IS_FATAL ANY)
string(REGEX REPLACE "[0-9a-f]+ T ([A-Za-z0-9_]+)[^\n]*" ".globl \\1\n.type \\1,%function\n\\1:" names "${names}")
set(linked ${TOP}/lib64/libheddle-cuda.so)
file(WRITE ${linked}.s "${names}\n.section .note.GNU-stack,\"\",%progbits\n")
execute_process(COMMAND ${CC} -shared -nostdlib -Wl,-soname,${soname} -o ${linked} ${linked}.s
  COMMAND_ERROR_IS_FATAL ANY)
file(REMOVE ${linked}.s)
foreach(name cudart cuda cublas nvrtc)
  file(CREATE_LINK libheddle-cuda.so ${TOP}/lib64/lib${name}.so SYMBOLIC)
endforeach()
foreach(name cudart_static cudadevrt cublas_static nvrtc_static)
  file(WRITE ${TOP}/lib64/lib${name}.a "INPUT(${top}/lib64/libheddle-cuda.so)\n")
endforeach()
