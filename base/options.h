/* SPDX-License-Identifier: Apache-2.0
 *
 * Structs of the interface that may have more fields in a later release. The first field is a size_t: sizeof the struct
 * as the caller was compiled. */
#ifndef HEDDLE_OPTIONS_H
#define HEDDLE_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* Message for a struct that options_take refuses. */
#define OPTIONS_FOREIGN "of another release: its size is impossible, or it has a field that this library lacks"

/* Has the struct a size that can be? */
static inline bool options_sized(const void *given) {
  size_t bytes;
  memcpy(&bytes, given, sizeof bytes);
  return bytes >= sizeof bytes && bytes <= 1u << 16;
}

/* Copies the caller's struct into `own`, with size own_bytes: fields that an older caller lacks become 0. False: the
 * size is impossible, or a newer caller has set a field that this library lacks. */
static inline bool options_take(void *own, size_t own_bytes, const void *given) {
  size_t bytes;
  if (!options_sized(given)) return false;
  memcpy(&bytes, given, sizeof bytes);
  const unsigned char *from = given;
  for (size_t i = own_bytes; i < bytes; i++)
    if (from[i] != 0) return false;
  memset(own, 0, own_bytes);
  memcpy(own, given, bytes < own_bytes ? bytes : own_bytes);
  memcpy(own, &own_bytes, sizeof own_bytes);
  return true;
}

/* The way back: fields for which the caller has room become those of `own`, except the size; fields of a newer
 * caller beyond become 0. Nothing happens with an impossible size. */
static inline void options_give(void *to, size_t own_bytes, const void *own) {
  size_t bytes;
  if (!options_sized(to)) return;
  memcpy(&bytes, to, sizeof bytes);
  const size_t known = bytes < own_bytes ? bytes : own_bytes;
  unsigned char *at = to;
  memcpy(at + sizeof bytes, (const unsigned char *)own + sizeof bytes, known - sizeof bytes);
  memset(at + known, 0, bytes - known);
}

#endif
