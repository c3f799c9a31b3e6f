/* SPDX-License-Identifier: Apache-2.0
 *
 * Bins of caches and of asynchronous copies that cannot be hit, and why (never.c). */
#include "lab/verify/coverage/internal.h"

static const char *const no_cache = "the machine has no cache";
static const char *const no_copies = "the machine has no asynchronous copies";
static const char *const one_warp = "a line of local memory is one warp's";

static bool has_cache(const struct cov *c) {
  return c->machine->l1_bytes != 0;
}

static bool has_copies(const struct cov *c) {
  return (c->machine->pipes & HEDDLE_PIPE_ASYNC) != 0;
}

static const char *access_never(const struct cov *c, unsigned access) {
  if (!has_cache(c)) return no_cache;
  return access == CACHE_COPY && !has_copies(c) ? no_copies : NULL;
}

const char *lookup_never(const struct cov *c, const unsigned *v) {
  const bool mixed = v[2] >= FOUND_HIT_ASKS && v[2] <= FOUND_ALL;
  if (access_never(c, v[0]) != NULL) return access_never(c, v[0]);
  return v[1] == 0 && mixed ? "one sector is found in one state" : NULL;
}

const char *join_never(const struct cov *c, const unsigned *v) {
  if (access_never(c, v[0]) != NULL) return access_never(c, v[0]);
  return v[0] == CACHE_LOCAL && v[1] == 1 ? one_warp : NULL;
}

const char *fill_never(const struct cov *c, const unsigned *v) {
  if (!has_cache(c)) return no_cache;
  if (v[2] == 1 && v[1] == 0) return "one load is of one warp";
  return v[2] == 1 && v[0] == 1 ? one_warp : NULL;
}

const char *hit_never(const struct cov *c, const unsigned *v) {
  if (access_never(c, v[0]) != NULL) return access_never(c, v[0]);
  if (v[0] != CACHE_LOCAL && v[1] == 2) return "a store to global memory leaves nothing in the cache";
  return v[0] == CACHE_LOCAL && v[1] == 1 ? one_warp : NULL;
}

const char *drop_never(const struct cov *c, const unsigned *v) {
  const unsigned cause = v[0], local = v[1], sector = v[2], waits = v[3];
  if (!has_cache(c)) return no_cache;
  if (sector == DROPPED_ABSENT && waits != WAITS_NOBODY) return "what is not there is not waited for";
  if (sector == DROPPED_COMING && waits == WAITS_NOBODY) return "what is under way is waited for";
  if (local != 0 && cause == DROP_ATOMIC) return "local memory has no atomics";
  if (local != 0 && waits == WAITS_OTHERS && cause <= DROP_BY) return one_warp;
  if (local != 0 && sector == DROPPED_ABSENT && cause >= DROP_FENCE && cause <= DROP_LAUNCH)
    return "an empty cache is counted once";
  if (cause == DROP_FENCE && waits == WAITS_OWN) return "it is done when its warp's loads have been answered";
  if (cause >= DROP_LAUNCH && waits == WAITS_OWN) return "it is no warp's access or fence";
  if (cause == DROP_LAUNCH && waits != WAITS_NOBODY) return "it begins when nothing is under way";
  if (cause == DROP_ERROR && waits != WAITS_OTHERS) return "who has asked waits until it is answered";
  if (cause == DROP_REPLACED && waits != WAITS_NOBODY)
    return "a place whose loads have not all been read is given to no other line (rtl/cache)";
  return cause == DROP_REPLACED && sector == DROPPED_ABSENT && local == 0 ? "what is not there is not replaced" : NULL;
}

const char *evict_never(const struct cov *c, const unsigned *v) {
  (void)v;
  return has_cache(c) ? NULL : no_cache;
}

const char *misses_never(const struct cov *c, const unsigned *v) {
  if (!has_cache(c)) return no_cache;
  return v[1] == 2 && c->machine->gmem_lines < 4 ? "the machine has no more tags" : NULL;
}

const char *copy_never(const struct cov *c, const unsigned *v) {
  if (!has_copies(c)) return no_copies;
  return !has_cache(c) && v[0] != ASYNC_BY ? no_cache : NULL;
}

const char *await_never(const struct cov *c, const unsigned *v) {
  (void)v;
  return has_copies(c) ? NULL : no_copies;
}
