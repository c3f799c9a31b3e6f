/* SPDX-License-Identifier: Apache-2.0
 *
 * Ways to spoil a stream of records, and the axiom that each of them breaks.
 */
#ifndef ORDER_SPOIL_H
#define ORDER_SPOIL_H

#include "cosim/kit/conform/fake.h"
#include "lab/verify/oracle/order/order.h"

struct spoiled {
  const char *name;
  const char *text;                /* of the program */
  bool traps;                      /* one block of one warp; else three of two */
  bool (*spoil)(struct stream *s); /* false: the stream has no place for it (a fault of the test) */
  enum order_axiom axiom;
};
extern const struct spoiled spoiled[];
extern const unsigned spoiled_count;

/* A store of one sector, and behind it what was the younger one of the same warp. */
bool spoil_swap_stores(struct stream *s);

#endif
