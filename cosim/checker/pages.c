/* SPDX-License-Identifier: Apache-2.0
 *
 * What is known of translations: tables, the record pages, and what the host has asked for.
 */
#include "cosim/checker/pages.h"
#include "cosim/checker/visibility.h"

#include <stdlib.h>

bool paging_allocate(struct heddle_checker *c) {
  if (!c->cfg.mmu) return true;
  struct paging *p = c->paging = calloc(1, sizeof *p);
  if (p == NULL) return false;
  heddle_model_range(c->model, &p->base, &p->bytes);
  return true;
}

static void forget_faults(struct paging *p) {
  for (unsigned i = 0; i < BUCKETS; i++) {
    for (struct fault *f = p->fault[i], *next; f != NULL; f = next) {
      next = f->next;
      free(f);
    }
    p->fault[i] = NULL;
  }
}

void paging_free(struct heddle_checker *c) {
  struct paging *p = c->paging;
  if (p == NULL) return;
  forget_faults(p);
  for (unsigned i = 0; i < BUCKETS; i++)
    for (struct leaf *l = p->leaf[i], *next; l != NULL; l = next) {
      next = l->next;
      free(l);
    }
  free(p);
  c->paging = NULL;
}

/* What walks have found stays; how they have ended badly, and what the host said to it, is nothing to this launch. */
void heddle_checker_follows(struct heddle_checker *c, struct heddle_checker *before) {
  struct paging *p = before->paging;
  if (c->paging == NULL || p == NULL) return;
  paging_free(c);
  c->paging = p;
  before->paging = NULL;
  forget_faults(p);
  p->launched = p->failed = false;
}

/* ---- the record ---- */

static bool tell_host(struct heddle_checker *c, const char *what) {
  return !checker_on(c, HEDDLE_CHECKER_PAGES_HOST) ||
         differ(c, HEDDLE_CHECKER_PAGES_HOST, "host", "%s that the host has not asked for", what);
}

static bool same_page(const struct invalidation *v, const struct heddle_record_pages *r) {
  return v->what == r->all && v->space == r->space && v->page == r->page;
}

static bool forgets(struct heddle_checker *c, const struct heddle_record_pages *r) {
  struct paging *p = c->paging;
  if (!p->invalidate_asked || !same_page(&p->invalidate, r)) return tell_host(c, "an invalidation");
  p->invalidate_asked = false;
  p->at[p->begun++ % INVALIDATIONS] = p->invalidate;
  leaves_settle(p, false);
  return true;
}

static bool forgotten(struct heddle_checker *c, const struct heddle_record_pages *r) {
  struct paging *p = c->paging;
  struct invalidation *v = &p->at[(p->begun - 1) % INVALIDATIONS];
  if (p->begun == 0 || v->over || !same_page(v, r)) return tell_host(c, "the end of an invalidation");
  v->over = true;
  leaves_settle(p, true);
  for (unsigned k = 0; k < c->sms && c->cache != NULL; k++) copies_close_all(c, k, "INVALIDATE");
  return paging_all_performed(c);
}

static bool looks_anew(struct heddle_checker *c, const struct heddle_record_pages *r) {
  struct paging *p = c->paging;
  if (p->replays == 0 || p->replay[0] != r->what)
    return tell_host(c, r->what == HEDDLE_RECORD_PAGES_FAIL ? "a FAIL" : "a REPLAY");
  p->replays--;
  memmove(p->replay, p->replay + 1, p->replays);
  if (r->what == HEDDLE_RECORD_PAGES_FAIL) {
    p->failed = true;
    p->failed_in = p->epoch;
  }
  p->epoch++;
  return true;
}

/* What is walked from here on is walked by its tables. */
static bool launch_walks(struct heddle_checker *c, const struct heddle_record_pages *r) {
  const enum heddle_checker_kind k = HEDDLE_CHECKER_PAGES_HOST;
  const struct heddle_launch *l = c->launch;
  if (c->paging->launched || !l->pages) return tell_host(c, "a launch");
  c->paging->launched = true;
  return same(c, k, "PAGE_ROOT", l->page_root, r->page * PAGE_BYTES) && same(c, k, "SPACE", l->space, r->space);
}

bool judge_pages(struct heddle_checker *c, const struct heddle_record_pages *r) {
  if (c->paging == NULL)
    return differ(c, HEDDLE_CHECKER_RECORD_FORM, "kind", "'pages' is shown by a device that says it has no MMU");
  switch (r->what) {
  case HEDDLE_RECORD_PAGES_READ:
  case HEDDLE_RECORD_PAGES_WRITE:
    return walk_begins(c, r);
  case HEDDLE_RECORD_PAGES_FORGET:
    return forgets(c, r);
  case HEDDLE_RECORD_PAGES_FORGOTTEN:
    return forgotten(c, r);
  case HEDDLE_RECORD_PAGES_REPLAY:
  case HEDDLE_RECORD_PAGES_FAIL:
    return looks_anew(c, r);
  case HEDDLE_RECORD_PAGES_ERROR:
    return walk_fails(c, r);
  case HEDDLE_RECORD_PAGES_LAUNCH:
    return launch_walks(c, r);
  default:
    return differ(c, HEDDLE_CHECKER_RECORD_FORM, "what", "translation tells nothing of number %u", r->what);
  }
}

/* ---- the host ---- */

void heddle_checker_host_exchange(struct heddle_checker *c, uint64_t at, uint64_t value) {
  struct paging *p = c->paging;
  if (p == NULL) return;
  p->exchange_asked = true;
  p->exchanged = false;
  p->exchange_at = at;
  p->exchange_value = value;
}

bool heddle_checker_host_exchanged(struct heddle_checker *c, bool bad, uint64_t old) {
  struct paging *p = c->paging;
  if (c->first.kind != HEDDLE_CHECKER_NONE || p == NULL) return false;
  c->now = NULL;
  c->w = NULL;
  c->e = NULL;
  const bool must = paging_outside(c, p->exchange_at, p->exchange_at + 8), was = p->exchanged;
  p->exchange_asked = p->exchanged = false;
  if (!checker_on(c, HEDDLE_CHECKER_PAGES_HOST)) return true;
  if (bad != must || was == bad)
    return differ(c, HEDDLE_CHECKER_PAGES_HOST, "EXCHANGE",
                  "the exchange at 0x%llx %s, STATUS says %s, and its access was %sshown",
                  (unsigned long long)p->exchange_at, must ? "lies where no memory is" : "lies in memory",
                  bad ? "an error" : "none", was ? "" : "not ");
  return bad || same(c, HEDDLE_CHECKER_PAGES_HOST, "ENTRY_OLD", p->exchange_old, old);
}

bool heddle_checker_host_ignored(struct heddle_checker *c) {
  struct paging *p = c->paging;
  if (p == NULL || !p->exchange_asked || p->exchanged) return false;
  p->exchange_asked = false;
  return true;
}

void heddle_checker_host_invalidate(struct heddle_checker *c, unsigned what, uint8_t space, uint64_t addr) {
  struct paging *p = c->paging;
  if (p == NULL) return;
  p->invalidate_asked = true;
  p->invalidate = (struct invalidation){.what = (uint8_t)what, .space = space, .page = addr / PAGE_BYTES};
}

void heddle_checker_host_replay(struct heddle_checker *c, bool fail) {
  struct paging *p = c->paging;
  if (p != NULL && p->replays < REPLAYS)
    p->replay[p->replays++] = fail ? HEDDLE_RECORD_PAGES_FAIL : HEDDLE_RECORD_PAGES_REPLAY;
}

bool heddle_checker_host_fault(struct heddle_checker *c, const struct heddle_page_fault *f) {
  if (c->first.kind != HEDDLE_CHECKER_NONE || c->paging == NULL) return false;
  c->now = NULL;
  c->w = NULL;
  c->e = NULL;
  const bool write = f->use == HEDDLE_PAGE_STORE;
  for (const struct fault *x = fault_first(c, f->page); x != NULL; x = x->next)
    if (x->page == f->page && x->space == f->space && x->kind == f->kind && x->write == write &&
        x->epoch + 1 >= c->paging->epoch)
      return true;
  return !checker_on(c, HEDDLE_CHECKER_FAULT_LIST) ||
         differ(c, HEDDLE_CHECKER_FAULT_LIST, "fault",
                "page 0x%llx of space %u is in the list of faults (kind %u, for a %s); no walk for it has ended so "
                "since the last but one REPLAY",
                (unsigned long long)f->page, f->space, f->kind, write ? "write" : "read");
}
