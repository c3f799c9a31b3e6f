/* SPDX-License-Identifier: Apache-2.0
 * What clang's host code calls before main and at the end. A handle is the image's. */
#ifndef HEDDLE_CUDA_REGISTER_H
#define HEDDLE_CUDA_REGISTER_H

// NOLINTBEGIN(bugprone-reserved-identifier): the names are clang's

void **__cudaRegisterFatBinary(void *wrapper);
void __cudaRegisterFatBinaryEnd(void **handle);
void __cudaUnregisterFatBinary(void **handle);
void __cudaRegisterFunction(void **handle, const char *host, char *device, const char *name, int threads, void *tid,
                            void *bid, void *block, void *grid, int *warp);
void __cudaRegisterVar(void **handle, char *host, char *address, const char *name, int external, size_t bytes,
                       int constant, int global);
/* What cuda_runtime.h calls before those: where the section of managed variables lies; each file, the same. */
void __cudaRegisterManaged(const void *from, const void *to);
// NOLINTEND(bugprone-reserved-identifier)

#endif
