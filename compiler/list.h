/* SPDX-License-Identifier: Apache-2.0
 *
 * The PTX that the compiler takes, from its own tables.
 */
#ifndef HEDDLE_PTX_LIST_H
#define HEDDLE_PTX_LIST_H

#include <stdbool.h>

struct ptx_listed {
  const char *name;
  /* Words without their dots, a space between them; alternatives are joined by '|'. Types: one of them, unless the
   * note says more. */
  const char *types, *required, *optional;
  bool sequence;        /* the types are one behind the other, else there are `written` of them */
  unsigned written;     /* types of one instruction */
  unsigned least, most; /* operands */
  const char *note;     /* "" mostly */
};

/* Every instruction and form, in order. Pointers are valid during the call. */
void ptx_list(void (*put)(void *ctx, const struct ptx_listed *r), void *ctx);
const char *ptx_list_register(unsigned k); /* "%tid.x" ...: the special registers; NULL behind the last */

#endif
