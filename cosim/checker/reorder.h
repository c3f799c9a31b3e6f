/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside checker/ only: records that wait for others (docs/visibility.md, "Several SMs"). Streams of SMs and banks
 * whose clocks are their own may be shown ahead of each other. What is shown before that from which it follows is held
 * back, and all of its stream behind it, until it may be judged. There is room for so many; when it is used up, the
 * record that has waited longest is judged as it stands: a difference, for what it follows from has not been shown.
 */
#ifndef HEDDLE_CHECKER_REORDER_H
#define HEDDLE_CHECKER_REORDER_H

#include "cosim/checker/internal.h"

bool reorder_new(struct heddle_checker *c); /* nothing, where no record may have to wait */
void reorder_free(struct heddle_checker *c);
bool reorder_record(struct heddle_checker *c, const struct heddle_retire_record *r);
bool reorder_finish(struct heddle_checker *c); /* nothing more comes */

/* checker.c: one record, now. */
bool judge_record(struct heddle_checker *c, const struct heddle_retire_record *r);

/* cache.h's part of the question: may a record of the cache, or a performed access that has to pass it, be judged? */
bool cache_fill_due(const struct heddle_checker *c, const struct heddle_record_fill *r);
bool cache_hit_due(const struct heddle_checker *c, const struct heddle_record_merge *r);
bool cache_ack_due(const struct heddle_checker *c, const struct heddle_record_ack *r);

#endif
