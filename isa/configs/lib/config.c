/* SPDX-License-Identifier: Apache-2.0 */
#include <heddle/config.h>

#include <string.h>

#include "isa/configs/lib/config_internal.h"

/* Cycles of an instruction beside those that the unit is kept: from issue into the unit, its ranks, back to the
 * counter. */
enum { SFU_WAY = 16, FP64_WAY = 12 };

/* A pass for each group of its lanes; a beat every two cycles at most. */
unsigned heddle_config_sfu_busy(const struct heddle_config *c) {
  if (c->sfu_lanes == 0) return 0;
  const unsigned passes = c->lanes / c->sfu_lanes;
  return c->beats * (passes > 1 ? passes : 2);
}

unsigned heddle_config_sfu_latency(const struct heddle_config *c) {
  return c->sfu_lanes == 0 ? 0 : heddle_config_sfu_busy(c) + SFU_WAY;
}

/* Cycles of a product: fewer lanes than a beat has make do with a third of a multiplier. */
static unsigned product_cycles(const struct heddle_config *c) {
  return c->fp64_lanes == c->lanes ? 1 : 3;
}

/* Groups of its lanes one after the other; the last one of a beat takes three cycles. */
unsigned heddle_config_fp64_busy(const struct heddle_config *c) {
  return c->fp64_lanes == 0 ? 0 : c->beats * ((c->lanes / c->fp64_lanes - 1) * product_cycles(c) + 3);
}

unsigned heddle_config_fp64_latency(const struct heddle_config *c) {
  return c->fp64_lanes == 0 ? 0 : heddle_config_fp64_busy(c) + product_cycles(c) + FP64_WAY;
}

size_t heddle_config_count(void) {
  return heddle_config_table_size;
}

const struct heddle_config *heddle_config_at(size_t i) {
  return i < heddle_config_table_size ? &heddle_config_table[i] : NULL;
}

/* Empty in the installed library, which has nothing that adds. */
enum { ADDED_MAX = 8 };
static struct heddle_config added[ADDED_MAX];
static size_t added_count;

bool heddle_config_add(const struct heddle_config *c) {
  if (added_count == ADDED_MAX || heddle_config_find(c->name) != NULL) return false;
  added[added_count++] = *c;
  return true;
}

const struct heddle_config *heddle_config_find(const char *name) {
  for (size_t i = 0; i < added_count; i++)
    if (strcmp(added[i].name, name) == 0) return &added[i];
  for (size_t i = 0; i < heddle_config_table_size; i++)
    if (strcmp(heddle_config_table[i].name, name) == 0) return &heddle_config_table[i];
  return NULL;
}
