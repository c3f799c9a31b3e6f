/* SPDX-License-Identifier: Apache-2.0
 *
 * C twins, compiled by the host's compiler and called in this process. */
#ifndef TWIN_NATIVE_H
#define TWIN_NATIVE_H

#include "tests/twin/twin.h"

typedef void (*native_twin)(const uint8_t *in, uint8_t *out, uint8_t *acc);

struct native {
  void *library;
};

/* n programs in one shared object, named twin_0 ... by their place. False: words in `why`. */
bool native_make(struct native *x, struct twin *const *program, unsigned n, const char *wrong, char *why, size_t size);
native_twin native_find(const struct native *x, unsigned k);
void native_free(struct native *x);

#endif
