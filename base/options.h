/* SPDX-License-Identifier: Apache-2.0
 *
 * Structs of options that may have more fields in a later release. The first field is a size_t: sizeof the struct as
 * the caller was compiled. */
#ifndef HEDDLE_OPTIONS_H
#define HEDDLE_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* Copies what the caller gave into `own`, whose size becomes own_bytes: fields that an older caller does not know
 * become 0. False: the size cannot be, or the caller is newer than this library and has set a field that it lacks. */
static inline bool options_take(void *own, size_t own_bytes, const void *given) {
  size_t bytes;
  memcpy(&bytes, given, sizeof bytes);
  if (bytes < sizeof bytes || bytes > 1u << 16) return false;
  const unsigned char *from = given;
  for (size_t i = own_bytes; i < bytes; i++)
    if (from[i] != 0) return false;
  memset(own, 0, own_bytes);
  memcpy(own, given, bytes < own_bytes ? bytes : own_bytes);
  memcpy(own, &own_bytes, sizeof own_bytes);
  return true;
}

/* The way back: what the caller has room for becomes as in `own`, but for its size; what a newer one has beyond becomes
 * 0. A size that cannot be: nothing, and options_take will refuse it. */
static inline void options_give(void *to, size_t own_bytes, const void *own) {
  size_t bytes;
  memcpy(&bytes, to, sizeof bytes);
  if (bytes < sizeof bytes || bytes > 1u << 16) return;
  const size_t known = bytes < own_bytes ? bytes : own_bytes;
  unsigned char *at = to;
  memcpy(at + sizeof bytes, (const unsigned char *)own + sizeof bytes, known - sizeof bytes);
  memset(at + known, 0, bytes - known);
}

#endif
