/* SPDX-License-Identifier: Apache-2.0
 * Sizes of a launch: the first step of `heddle run` (docs/how-a-launch-travels.md, A 1). */
#include "launch_size.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK_BY_ITSELF 64u /* threads, where nobody says how many: every machine has room for it */

bool launch_size_take(const char *text, uint32_t size[3]) {
  size[0] = size[1] = size[2] = 1;
  for (unsigned d = 0; d < 3; d++) {
    char *end;
    if (*text < '0' || *text > '9') return false;
    unsigned long v = strtoul(text, &end, 10);
    if (v == 0 || v > 0x7fffffffu) return false;
    size[d] = (uint32_t)v;
    if (*end == 0) return true;
    if (*end != ',') return false;
    text = end + 1;
  }
  return false;
}

/* The one that the kernel requires, or the largest that divides x. */
static void choose_block(struct launch_size *s, const struct heddle_promise *p) {
  if (p && p->block[0] != 0) {
    memcpy(s->block, p->block, sizeof s->block);
    return;
  }
  uint32_t x = p && p->threads != 0 && p->threads < BLOCK_BY_ITSELF ? p->threads : BLOCK_BY_ITSELF;
  while (s->global[0] % x != 0) x--;
  s->block[0] = x;
  s->block[1] = s->block[2] = 1;
}

bool launch_size_waits(const struct launch_size *s) {
  return s->global[0] != 0 && s->grid[0] == 0 && s->block[0] == 0;
}

bool launch_size_finish(struct launch_size *s, const struct heddle_promise *p, char *err, size_t n) {
  static const char name[3] = {'X', 'Y', 'Z'};
  if (s->global[0] == 0 && s->grid[0] != 0 && s->block[0] != 0) return true;
  if (s->global[0] == 0 || s->grid[0] != 0) {
    snprintf(err, n, "--grid and --block are needed, or --global (with --local, if it matters)");
    return false;
  }
  if (s->block[0] == 0) choose_block(s, p);
  for (unsigned d = 0; d < 3; d++) {
    s->grid[d] = s->global[d] / s->block[d];
    if (s->global[d] % s->block[d] == 0) continue;
    snprintf(err, n, "--global: %u threads in %c are no whole blocks of %u", s->global[d], name[d], s->block[d]);
    return false;
  }
  return true;
}
