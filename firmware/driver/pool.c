/* SPDX-License-Identifier: Apache-2.0
 * The block is pieces one behind the other, each with its bytes in front. Free neighbours become one when room is
 * looked for. */
#include "pool.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct piece {
  _Alignas(max_align_t) size_t bytes; /* with this */
  bool taken;
};

static struct piece *at(const struct pool *p, size_t i) {
  return (struct piece *)(void *)(p->memory + i);
}

bool pool_init(struct pool *p, void *memory, size_t bytes) {
  const size_t align = _Alignof(max_align_t), off = (align - (uintptr_t)memory % align) % align;
  *p = (struct pool){.memory = NULL};
  if (!memory) return true;
  if (bytes < off || (bytes - off) / align * align < 2 * sizeof(struct piece)) return false;
  *p = (struct pool){(unsigned char *)memory + off, (bytes - off) / align * align};
  *at(p, 0) = (struct piece){.bytes = p->bytes};
  return true;
}

/* Takes `need` of the free piece at i; what remains becomes a piece if it can be one. */
static void *cut(const struct pool *p, size_t i, size_t need) {
  struct piece *x = at(p, i);
  if (x->bytes - need >= 2 * sizeof *x) {
    *at(p, i + need) = (struct piece){.bytes = x->bytes - need};
    x->bytes = need;
  }
  x->taken = true;
  return memset(x + 1, 0, x->bytes - sizeof *x);
}

void *pool_take(struct pool *p, size_t bytes) {
  if (!p || !p->memory) return calloc(1, bytes > 0 ? bytes : 1);
  if (bytes > p->bytes) return NULL;
  const size_t each = sizeof(struct piece), need = each + (bytes + each - 1) / each * each;
  for (size_t i = 0; i < p->bytes; i += at(p, i)->bytes) {
    struct piece *x = at(p, i);
    while (!x->taken && i + x->bytes < p->bytes && !at(p, i + x->bytes)->taken) x->bytes += at(p, i + x->bytes)->bytes;
    if (!x->taken && x->bytes >= need) return cut(p, i, need);
  }
  return NULL;
}

void pool_give(struct pool *p, void *taken) {
  if (!p || !p->memory)
    free(taken);
  else if (taken)
    ((struct piece *)taken - 1)->taken = false;
}
