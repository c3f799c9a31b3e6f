/* SPDX-License-Identifier: Apache-2.0
 *
 * CUDA C compiled while the program runs, in C and C++: libheddle-cuda calls heddle-nvcc, which calls clang. The
 * result is PTX for cuModuleLoadData (cuda.h). Options are heddle-nvcc's. */
#ifndef HEDDLE_NVRTC_H
#define HEDDLE_NVRTC_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
  NVRTC_SUCCESS = 0,
  NVRTC_ERROR_OUT_OF_MEMORY = 1,
  NVRTC_ERROR_PROGRAM_CREATION_FAILURE = 2,
  NVRTC_ERROR_INVALID_INPUT = 3,
  NVRTC_ERROR_INVALID_PROGRAM = 4,
  NVRTC_ERROR_INVALID_OPTION = 5,
  NVRTC_ERROR_COMPILATION = 6,
  NVRTC_ERROR_BUILTIN_OPERATION_FAILURE = 7,
  NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION = 8,
  NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION = 9,
  NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID = 10,
  NVRTC_ERROR_INTERNAL_ERROR = 11
} nvrtcResult;
typedef struct heddle_nvrtc_program *nvrtcProgram;

const char *nvrtcGetErrorString(nvrtcResult result);
nvrtcResult nvrtcVersion(int *major, int *minor);
/* `name` is the file in messages; NULL: default_program. A header is found by the name in its #include. */
nvrtcResult nvrtcCreateProgram(nvrtcProgram *program, const char *source, const char *name, int headers,
                               const char *const *texts, const char *const *names);
nvrtcResult nvrtcDestroyProgram(nvrtcProgram *program);
nvrtcResult nvrtcCompileProgram(nvrtcProgram program, int count, const char *const *options);
nvrtcResult nvrtcGetPTXSize(nvrtcProgram program, size_t *bytes);
nvrtcResult nvrtcGetPTX(nvrtcProgram program, char *ptx);
/* The same PTX: there is no other form of a kernel. */
nvrtcResult nvrtcGetCUBINSize(nvrtcProgram program, size_t *bytes);
nvrtcResult nvrtcGetCUBIN(nvrtcProgram program, char *cubin);
nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram program, size_t *bytes);
nvrtcResult nvrtcGetProgramLog(nvrtcProgram program, char *log);
/* Before it is compiled: a kernel, an instance of a template among them, or a variable; after: its name in PTX. */
nvrtcResult nvrtcAddNameExpression(nvrtcProgram program, const char *expression);
nvrtcResult nvrtcGetLoweredName(nvrtcProgram program, const char *expression, const char **name);

#ifdef __cplusplus
}
#endif

#endif
