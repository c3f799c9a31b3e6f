/* SPDX-License-Identifier: Apache-2.0
 *
 * A trace as a list (docs/order-list.md), while it is judged: its first launch. A thread of the list is a warp, whose
 * numbers in program order are 128 for each instruction, then word by word, lane by lane. What a store writes is what
 * its operands say, what a load reads is what its record shows. All calls do nothing where no list is written.
 */
#ifndef ORDER_LIST_WRITE_H
#define ORDER_LIST_WRITE_H

#include "lab/verify/oracle/order/internal.h"

/* o->o->write_list. False: refused, and told. */
bool order_write_open(struct order *o);
/* False: not all could be written, and that is told. */
bool order_write_close(struct order *o);
void order_write_warp(struct order *o, const struct warp *w);
/* The contents of a location at the start; of all locations at the end, and the list's end. */
void order_write_start(struct order *o, const struct location *l);
void order_write_end(struct order *o);
/* saw or left is NULL: it does not read, or write; bytes of the lane's part. */
void order_write_access(struct order *o, const struct warp *w, const struct insn *i, const struct part *p,
                        unsigned lane, const uint8_t *saw, const uint8_t *left);
void order_write_fence(struct order *o, const struct warp *w, const struct fence *fence,
                       enum heddle_record_scope scope);
void order_write_arrival(struct order *o, unsigned slot, unsigned id, uint32_t seq);
/* A barrier lets go that should have waited for `need` warps. */
void order_write_barrier(struct order *o, const struct heddle_record_barrier *r, unsigned need);

#endif
