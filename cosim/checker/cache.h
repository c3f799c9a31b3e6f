/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside checker/ only: what the rest of the checker tells the judge of a cache, and asks it (docs/visibility.md). Its
 * own tables are in visibility.h.
 */
#ifndef HEDDLE_CHECKER_CACHE_H
#define HEDDLE_CHECKER_CACHE_H

#include "cosim/checker/internal.h"

/* The records: without a cache they are malformed. */
bool judge_fill(struct heddle_checker *c, const struct heddle_record_fill *r);
bool judge_merge(struct heddle_checker *c, const struct heddle_record_merge *r);
bool judge_hit(struct heddle_checker *c, const struct heddle_record_merge *r);
bool judge_drop(struct heddle_checker *c, const struct heddle_record_drop *r);
bool judge_ack(struct heddle_checker *c, const struct heddle_record_ack *r);
bool judge_fence(struct heddle_checker *c, const struct heddle_record_fence *r);
bool cache_allocate(struct heddle_checker *c); /* nothing, without a cache */
void cache_free(struct heddle_checker *c);
/* The others ask only where c->cache is there. */
void cache_warp_begins(struct heddle_checker *c, struct warp *w);
void cache_block_begins(struct heddle_checker *c, const struct sm *s, unsigned bslot);
bool cache_may_issue(struct heddle_checker *c, uint32_t seq); /* no fence of c->w is under way */
bool cache_performed(struct heddle_checker *c, uint32_t seq); /* what is older in c->w has been performed: BAR */
void cache_issue(struct heddle_checker *c);                   /* c->e of c->w has issued: loads, stores */
void cache_fence_issues(struct heddle_checker *c);            /* the same: fences */
void cache_arrives(struct heddle_checker *c);                 /* the same: barriers */
/* A load of the warp has a value, a store its answer. */
void cache_access_over(struct heddle_checker *c, const struct warp *w);
bool cache_released(struct heddle_checker *c, const struct sm *s, unsigned bslot, unsigned id);
/* May lanes of an older access to the sector be open when a younger one is performed? */
bool cache_order(struct heddle_checker *c, const struct entry *older, uint32_t lanes, uint64_t sector);
bool pass_global(struct heddle_checker *c, const struct heddle_record_global *r);    /* may it be performed? */
bool pass_performed(struct heddle_checker *c, const struct heddle_record_global *r); /* it has been */
void cache_counts(struct heddle_checker *c, unsigned bank); /* one more position of that bank */
bool cache_finish(struct heddle_checker *c);
bool cache_count_judge(struct heddle_checker *c, const struct sm *s, const uint32_t *counter); /* what the host reads */

#endif
