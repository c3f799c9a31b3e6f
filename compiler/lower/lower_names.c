/* SPDX-License-Identifier: Apache-2.0
 *
 * What names mean: one table for the module, one for each body under lowering. A name bound in an inner block hides the
 * one outside until the block ends.
 */
#include "compiler/lower/lower.h"

struct names {
  struct map map; /* name -> struct binding; NULL when its scope has ended */
};

struct names *names_new(struct ptx_arena *a) {
  return ptx_alloc(a, sizeof(struct names));
}

struct binding *names_find(const struct names *n, const char *name) {
  return ptx_map_get(&n->map, name);
}

struct binding *names_bind(struct ptx_arena *a, struct names *n, struct lower_scope *scope, const char *name) {
  struct binding *outside = names_find(n, name);
  if (outside && outside->scope == scope) return NULL;
  struct binding *b = ptx_alloc(a, sizeof *b);
  b->name = name;
  b->scope = scope;
  b->hidden = outside;
  b->sibling = scope->bindings;
  scope->bindings = b;
  ptx_map_put(a, &n->map, name, b);
  return b;
}

void names_leave(struct names *n, struct lower_scope *scope) {
  for (struct binding *b = scope->bindings; b; b = b->sibling)
    *map_find(&n->map, (uintptr_t)b->name, 0) = (uintptr_t)b->hidden;
}
