/* SPDX-License-Identifier: Apache-2.0
 * A machine without an operating system has no shared libraries: none is ever found (firmware/explain looks for one
 * that reads names of C++, and does without). */
#ifndef LITEX_DLFCN_H
#define LITEX_DLFCN_H

#include <stddef.h>

#define RTLD_LAZY 1
#define RTLD_LOCAL 0

static inline void *dlopen(const char *name, int flags) {
  (void)name, (void)flags;
  return NULL;
}

static inline void *dlsym(void *library, const char *name) {
  (void)library, (void)name;
  return NULL;
}

#endif
