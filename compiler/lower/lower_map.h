/* SPDX-License-Identifier: Apache-2.0
 *
 * A table from pointers (interned names, variables) to pointers: open addressing in arena memory. Zeroed is empty.
 */
#ifndef HEDDLE_PTX_LOWER_MAP_H
#define HEDDLE_PTX_LOWER_MAP_H

#include "compiler/ast.h"

struct pointer_map {
  struct pointer_slot {
    const void *key; /* NULL: free */
    void *value;
  } * slot;
  size_t room, used; /* room: 0 or a power of two */
};

/* Where the key's value is; NULL: the key is not there. */
void **pointer_map_find(const struct pointer_map *m, const void *key);
/* The same; a key that is not there is added with value NULL. Valid until the next one is added. */
void **pointer_map_add(struct ptx_arena *a, struct pointer_map *m, const void *key);

#endif
