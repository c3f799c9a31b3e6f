/* SPDX-License-Identifier: Apache-2.0
 *
 * Asynchronous copies: how they load, who else is under way when they store, what waits for them. */
#include "lab/verify/coverage/collect.h"

static struct cov_async *find_async(struct cov_collector *k, const struct heddle_record_id *id) {
  for (unsigned i = 0; i < k->asyncs; i++)
    if (k->async[i].slot == id->slot && k->async[i].seq == id->seq) return &k->async[i];
  return NULL;
}

static bool copies(const struct word *d) {
  return d != NULL && d->d.op == ISA_OP_LDGSTS_E;
}

void copies_load(struct cov_collector *k, const struct word *d, const struct heddle_record_id *id,
                 enum async_load how) {
  if (!copies(d)) return;
  struct cov_async *a = find_async(k, id);
  if (a == NULL && k->asyncs < ASYNCS_MOST) {
    a = &k->async[k->asyncs++];
    *a = (struct cov_async){.slot = id->slot, .seq = id->seq};
  }
  if (a != NULL) a->loaded |= 1u << how;
}

/* Its first store; who else of the warp has loaded, and not stored. */
void copies_store(struct cov_collector *k, struct cov_warp *w, const struct word *d,
                  const struct heddle_record_id *id) {
  static const uint8_t loaded[8] = {ASYNC_MIXED, ASYNC_HIT,   ASYNC_WAITED, ASYNC_MIXED,
                                    ASYNC_BY,    ASYNC_MIXED, ASYNC_MIXED,  ASYNC_MIXED};
  struct cov_async *a = copies(d) ? find_async(k, id) : NULL;
  bool others = false;
  if (a == NULL) return;
  for (unsigned i = 0; i < k->asyncs; i++) others |= k->async[i].slot == id->slot && k->async[i].seq != id->seq;
  HIT(k->c, G_COPY, loaded[a->loaded % 8], others);
  *a = k->async[--k->asyncs];
  w->copied++;
}

/* DEPBAR waits before it issues, a fence until it is done. */
void copies_issue(struct cov_collector *k, struct cov_warp *w, const struct word *d, bool executes) {
  const bool came = w->copied != w->copied_before[0];
  if (executes && w->copied + k->asyncs != 0 && d->d.op == ISA_OP_DEPBAR_LE)
    HIT(k->c, G_AWAIT, heddle_isa_get(d->d.word, ISA_F_SBK) == 0 ? 0 : 1, came);
  w->copied_before[1] = w->copied_before[0];
  w->copied_before[0] = w->copied;
}

void copies_fence(struct cov_collector *k, const struct cov_warp *w, const struct heddle_record_fence *r) {
  if (r->scope == HEDDLE_RECORD_SCOPE_GPU && w->copied + k->asyncs != 0)
    HIT(k->c, G_AWAIT, 2, w->copied != w->copied_before[1]);
}
