/* SPDX-License-Identifier: Apache-2.0
 *
 * Scenes of a core with a cache: test_cache.c has their language.
 */
#ifndef ORDER_SCENES_H
#define ORDER_SCENES_H

#include "lab/verify/oracle/order/order.h"

struct scene {
  const char *name, *text;
  uint32_t promises;      /* of the cache */
  enum order_axiom axiom; /* that is broken; ORDER_AXIOM_NONE: it holds */
  uint32_t room;          /* sectors of the cache; 0: 64 */
};
extern const struct scene scenes[];
extern const unsigned scene_count;

#endif
