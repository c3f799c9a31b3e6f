/* SPDX-License-Identifier: Apache-2.0
 *
 * What is known of translations: tables, the record pages, and what the host has asked for.
 */
#include <stdlib.h>
#include "pages.h"
#include "cosim/checker/visibility.h"

static void leaves_settle(struct paging *p, bool over);

static bool walk_fails(struct heddle_checker *c, const struct heddle_record_pages *r);

static bool walk_begins(struct heddle_checker *c, const struct heddle_record_pages *r);

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
         differ(c, HEDDLE_CHECKER_PAGES_HOST, "host", "%s that the host has not requested", what);
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
    return differ(c, HEDDLE_CHECKER_RECORD_FORM, "what", "translation: number %u has no meaning", r->what);
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
                  (unsigned long long)p->exchange_at, must ? "is where no memory is" : "is in memory",
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

/* Walks: the model makes each access itself when the record of that access comes. What is shown is compared with what
 * it reads, and at which address. */

static struct walking *walk_numbered(struct paging *p, uint32_t number) {
  struct walking *w = &p->walk[number % WALKS];
  return w->begun && w->number == number ? w : NULL;
}

static bool walk_runs(const struct walking *w) {
  return w->is.state == HEDDLE_WALK_READS || w->is.state == HEDDLE_WALK_SWAPS;
}

/* Covers also pages of 2 MiB that hold the address. */
static bool leaf_covered(const struct leaf *l, const struct invalidation *v) {
  const bool all_pages = (v->what & HEDDLE_TLB_WHAT_ALL_PAGES) != 0,
             all_spaces = (v->what & HEDDLE_TLB_WHAT_ALL_SPACES) != 0;
  const uint64_t at = v->page * PAGE_BYTES;
  if (!all_pages && at - l->is.page >= l->is.bytes) return false;
  return all_spaces || (l->is.global ? !all_pages : l->space == v->space);
}

/* the last invalidation has begun, or is over */
static void leaves_settle(struct paging *p, bool over) {
  const struct invalidation *v = &p->at[(p->begun - 1) % INVALIDATIONS];
  for (unsigned i = 0; i < BUCKETS; i++)
    for (struct leaf **at = &p->leaf[i]; *at != NULL;) {
      struct leaf *l = *at;
      if (!over && leaf_covered(l, v)) l->dying = true;
      if (over && l->dying) {
        *at = l->next;
        free(l);
      } else {
        at = &l->next;
      }
    }
}

/* ---- what is known of a page ---- */

static unsigned bucket(uint64_t page) {
  return (unsigned)((page / PAGE_BYTES * UINT64_C(0x9e3779b97f4a7c15)) >> 54) % BUCKETS;
}

static void collect_leaves(const struct heddle_checker *c, uint64_t key, uint64_t virt, bool write, struct found *f) {
  for (const struct leaf *l = c->paging->leaf[bucket(key)]; l != NULL; l = l->next) {
    bool again = virt - l->is.page >= l->is.bytes || l->is.page != key || (write && !l->is.writes) ||
                 (!l->is.global && l->space != c->launch->space);
    for (unsigned i = 0; i < f->n; i++) again = again || leaf_place(f->leaf[i], virt) == leaf_place(&l->is, virt);
    if (!again && f->n < FOUND_MOST) f->leaf[f->n++] = &l->is;
  }
}

struct found pages_found(const struct heddle_checker *c, uint64_t virt, bool write) {
  struct found f = {.n = 0};
  collect_leaves(c, virt / PAGE_BYTES * PAGE_BYTES, virt, write, &f);
  const uint64_t big = virt >> 21 << 21;
  if (c->paging->big && big != virt / PAGE_BYTES * PAGE_BYTES) collect_leaves(c, big, virt, write, &f);
  return f;
}

struct fault *fault_first(const struct heddle_checker *c, uint64_t virt) {
  return c->paging->fault[bucket(virt / PAGE_BYTES * PAGE_BYTES)];
}

static bool no_walk_memory(struct heddle_checker *c) {
  return differ(c, HEDDLE_CHECKER_CAPACITY, "pages", "no memory for what walks find");
}

static bool keep_fault(struct heddle_checker *c, const struct walking *w) {
  struct paging *p = c->paging;
  struct fault **first = &p->fault[bucket(w->is.page)], *f = *first;
  while (f != NULL &&
         !(f->page == w->is.page && f->space == w->space && f->kind == w->is.kind && f->write == w->is.write))
    f = f->next;
  if (f == NULL) {
    f = malloc(sizeof *f);
    if (f == NULL) return no_walk_memory(c);
    *f =
        (struct fault){.next = *first, .page = w->is.page, .kind = w->is.kind, .write = w->is.write, .space = w->space};
    *first = f;
  }
  f->past = false;
  f->cycle = c->now->cycle;
  f->epoch = p->epoch;
  return true;
}

/* Does an invalidation that began behind the walk's begin cover it? */
enum covered { COVERED_NOT, COVERED_NOW, COVERED_OVER };
static enum covered covered(const struct paging *p, const struct walking *w, const struct leaf *l) {
  enum covered is = p->begun - w->from > INVALIDATIONS ? COVERED_OVER : COVERED_NOT;
  for (unsigned i = w->from; i != p->begun && is != COVERED_OVER; i++) {
    const struct invalidation *v = &p->at[i % INVALIDATIONS];
    if (leaf_covered(l, v)) is = v->over ? COVERED_OVER : COVERED_NOW;
  }
  return is;
}

static bool same_leaf(const struct leaf *a, const struct leaf *b) {
  return a->space == b->space && a->is.page == b->is.page && a->is.at == b->is.at && a->is.bytes == b->is.bytes &&
         a->is.global == b->is.global && a->is.writes == b->is.writes;
}

static bool keep_leaf(struct heddle_checker *c, const struct walking *w) {
  struct paging *p = c->paging;
  struct leaf n = {.is = w->is.leaf, .space = w->space};
  const enum covered how = covered(p, w, &n);
  for (struct fault *f = fault_first(c, w->is.page); f != NULL; f = f->next)
    if (f->page == w->is.page && f->space == w->space && (w->is.write || f->kind != HEDDLE_PAGE_PROTECTED))
      f->past = true;
  if (how == COVERED_OVER) return true;
  n.dying = how == COVERED_NOW;
  p->big = p->big || n.is.bytes != PAGE_BYTES;
  struct leaf **first = &p->leaf[bucket(n.is.page)], *l = *first;
  while (l != NULL && !same_leaf(l, &n)) l = l->next;
  if (l != NULL) {
    l->dying = l->dying && n.dying;
    return true;
  }
  l = malloc(sizeof *l);
  if (l == NULL) return no_walk_memory(c);
  n.next = *first;
  *l = n;
  *first = l;
  return true;
}

static bool keep_outcome(struct heddle_checker *c, const struct walking *w) {
  if (w->is.state == HEDDLE_WALK_FOUND) return keep_leaf(c, w);
  return w->is.state != HEDDLE_WALK_FAULT || keep_fault(c, w);
}

/* ---- records ---- */

static bool walk_begins(struct heddle_checker *c, const struct heddle_record_pages *r) {
  struct paging *p = c->paging;
  struct walking *w = &p->walk[r->number % WALKS];
  const enum heddle_checker_kind k = HEDDLE_CHECKER_WALK_ACCESS;
  if (r->page >> (49 - 12) != 0)
    return differ(c, HEDDLE_CHECKER_RECORD_FORM, "page", "page 0x%llx is beyond 49 bits", (unsigned long long)r->page);
  if (!paging_on(c) || !p->launched || r->space != c->launch->space)
    return !checker_on(c, k) || differ(c, k, "walk", "a walk in space %u, in which no launch runs", r->space);
  if (!same(c, k, "number of the walk", p->next, r->number)) return false;
  if (r->what == HEDDLE_RECORD_PAGES_WRITE && !paging_writes(c, r->page) && checker_on(c, k))
    return differ(c, k, "walk", "a walk for a write of page 0x%llx, which no store or atomic under way reaches",
                  (unsigned long long)(r->page * PAGE_BYTES));
  if (w->begun && walk_runs(w))
    return differ(c, HEDDLE_CHECKER_CAPACITY, "walks", "more than %u walks run at once", WALKS);
  p->next = r->number + 1;
  *w = (struct walking){.begun = true, .number = r->number, .space = r->space, .from = p->begun};
  heddle_walk_begin(c->model, r->page * PAGE_BYTES, r->what != 0, &w->is);
  return true;
}

static bool walk_fails(struct heddle_checker *c, const struct heddle_record_pages *r) {
  struct walking *w = walk_numbered(c->paging, r->number);
  const enum heddle_checker_kind k = HEDDLE_CHECKER_WALK_ACCESS;
  if (w == NULL || !walk_runs(w))
    return !checker_on(c, k) || differ(c, k, "walk", "walk %u ends with an error, and does not run", r->number);
  if (!heddle_walk_outside(c->model, &w->is) && checker_on(c, k))
    return differ(c, k, "walk", "walk %u ends with an error: its entry of level %u is in memory, at 0x%llx", r->number,
                  w->is.level, (unsigned long long)w->is.at);
  heddle_walk_error(&w->is);
  return keep_outcome(c, w);
}

bool walks_over(struct heddle_checker *c) {
  for (unsigned i = 0; i < WALKS && checker_on(c, HEDDLE_CHECKER_WALK_ACCESS); i++) {
    const struct walking *w = &c->paging->walk[i];
    if (w->begun && walk_runs(w))
      return differ(c, HEDDLE_CHECKER_WALK_ACCESS, "walk", "walk %u for page 0x%llx is under way as the launch ends",
                    w->number, (unsigned long long)w->is.page);
  }
  return true;
}

static uint64_t eight_bytes(const uint8_t *p) {
  uint64_t v = 0;
  for (unsigned k = 0; k < 8; k++) v |= (uint64_t)p[k] << (8 * k);
  return v;
}

/* What is shown of eight bytes at `at`, which held `was` and hold `is` now. */
static bool check_bytes(struct heddle_checker *c, const struct heddle_record_global *r, uint64_t at, uint64_t was,
                        uint64_t is) {
  const enum heddle_checker_kind k = HEDDLE_CHECKER_WALK_ENTRY;
  const unsigned off = (unsigned)(at % HEDDLE_RECORD_SECTOR);
  if (!same(c, k, "entry read", was, eight_bytes(r->rdata + off))) return false;
  if (r->access == HEDDLE_RECORD_LOAD) return true;
  return same(c, k, "byte strobes", UINT64_C(0xff) << off, r->wstrb) &&
         same(c, k, "entry written", is, eight_bytes(r->wdata + off));
}

static bool check_place(struct heddle_checker *c, const struct heddle_record_global *r, uint64_t at) {
  return same(c, HEDDLE_CHECKER_WALK_ENTRY, "sector of the entry", at / HEDDLE_RECORD_SECTOR, r->sector) &&
         check_stamp(c, r);
}

static bool judge_exchange(struct heddle_checker *c, const struct heddle_record_global *r) {
  struct paging *p = c->paging;
  uint64_t was = 0;
  if (!p->exchange_asked || p->exchanged)
    return !checker_on(c, HEDDLE_CHECKER_PAGES_HOST) ||
           differ(c, HEDDLE_CHECKER_PAGES_HOST, "host", "an exchange that the host has not requested");
  if (!same(c, HEDDLE_CHECKER_WALK_ACCESS, "access", HEDDLE_RECORD_ATOMIC, r->access) ||
      !check_place(c, r, p->exchange_at))
    return false;
  const enum heddle_error s = heddle_entry_exchange(c->model, p->exchange_at, p->exchange_value, &was);
  if (s != HEDDLE_SUCCESS) return refused(c, s, "exchange");
  p->exchanged = true;
  p->exchange_old = was;
  return check_bytes(c, r, p->exchange_at, was, p->exchange_value);
}

static bool check_turn(struct heddle_checker *c, const struct heddle_record_global *r, const struct walking *w) {
  const enum heddle_checker_kind k = HEDDLE_CHECKER_WALK_ACCESS;
  static const char *const how[] = {"", "", "has found its page", "has ended with a fault"};
  if (!checker_on(c, k)) return w != NULL && walk_runs(w);
  if (w == NULL) return differ(c, k, "walk", "an access of walk %u, which has not begun", r->id.seq);
  if (!walk_runs(w))
    return differ(c, k, "walk", "an access of walk %u for page 0x%llx, which %s", r->id.seq,
                  (unsigned long long)w->is.page, how[w->is.state]);
  const unsigned want = w->is.state == HEDDLE_WALK_SWAPS ? HEDDLE_RECORD_ATOMIC : HEDDLE_RECORD_LOAD;
  return same(c, k, "level", w->is.level, r->id.slot) && same(c, k, "access", want, r->access);
}

bool judge_walk(struct heddle_checker *c, const struct heddle_record_global *r) {
  uint64_t was = 0, is = 0;
  if (r->id.gen > 1) return differ(c, HEDDLE_CHECKER_RECORD_FORM, "gen", "a walk has gen 0, an exchange 1");
  if (r->id.gen == 1) return judge_exchange(c, r);
  struct walking *w = walk_numbered(c->paging, r->id.seq);
  if (!check_turn(c, r, w)) return false;
  const uint64_t at = w->is.at;
  if (heddle_walk_outside(c->model, &w->is))
    return differ(c, HEDDLE_CHECKER_WALK_ENTRY, "entry",
                  "walk %u reads its entry of level %u at 0x%llx, where no memory is", r->id.seq, w->is.level,
                  (unsigned long long)at);
  if (!check_place(c, r, at)) return false;
  const enum heddle_error s = heddle_walk_step(c->model, &w->is, &was, &is);
  if (s != HEDDLE_SUCCESS) return refused(c, s, "walk");
  return check_bytes(c, r, at, was, is) && keep_outcome(c, w);
}
