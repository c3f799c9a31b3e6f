/* SPDX-License-Identifier: Apache-2.0
 *
 * A scenario of virtual memory.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "tests/cosim/session/mmu_scene.h"

#define CYCLES_MOST 150000u
#define CYCLES_WATCHED 20000u
#define LISTS_MOST 200u

void scene_check(struct scene *c, bool is, const char *format, ...) {
  va_list args;
  if (is || c->wrong[0] != 0) return;
  va_start(args, format);
  (void)vsnprintf(c->wrong, sizeof c->wrong, format, args);
  va_end(args);
}

/* ---- programs ---- */

void scene_text(struct scene *c, const char *text, unsigned blocks, unsigned warps) {
  paged_init_grid(&c->x, text, blocks, 32 * warps);
}

void scene_next(struct scene *c, const char *text, unsigned blocks, unsigned warps) {
  struct heddle_launch *l = &c->x.p.launch;
  const struct heddle_launch was = *l;
  fake_program_free(&c->x.p);
  fake_assemble_long(&c->x.p, text, blocks, 32 * warps);
  l->pages = was.pages;
  l->walks_told = was.walks_told;
  l->space = was.space;
  l->page_root = was.page_root;
  l->code_at = was.code_at;
  l->cbank_at[0] = was.cbank_at[0];
  memcpy(c->x.image + 4096 * PAGED_CODE, l->code, l->code_bytes);
  memcpy(c->x.image + 4096 * PAGED_BANK, l->cbank[0], l->cbank_bytes[0]);
}

void scene_param(struct scene *c, uint64_t value) {
  memcpy(c->x.p.bank0 + HEDDLE_BANK0_PARAMS, &value, 8);
  memcpy(c->x.image + 4096 * PAGED_BANK + HEDDLE_BANK0_PARAMS, &value, 8);
}

/* ---- the host ---- */

void scene_brings(struct scene *c, uint64_t virt, unsigned frame, uint64_t flags) {
  assert_in_range(c->pages, 0, SCENE_PAGES - 1);
  paged_map(&c->x, virt, frame, flags);
  c->page[c->pages].at = paged_entry(&c->x, virt, 0);
  c->page[c->pages].page = virt;
  c->page[c->pages++].entry = paged_unmap(&c->x, virt);
}

void scene_exchange(struct scene *c, uint64_t at, uint64_t entry, uint64_t want) {
  uint64_t old = 0;
  if (!heddle_session_exchange(c->s, at, entry, &old))
    c->unchanged = true; /* the launch's outcome says more, if that is not as wanted */
  else
    scene_check(c, old == want, "EXCHANGE has found 0x%llx instead of 0x%llx", (unsigned long long)old,
                (unsigned long long)want);
}

static unsigned place_of(const struct scene *c, uint64_t page) {
  unsigned k = 0;
  while (k < c->pages && c->page[k].page != page) k++;
  return k;
}

/* Behind a REPLAY the list begins anew; not with all that stood there, of which the first page has been brought. */
static void check_emptied(struct scene *c, const struct heddle_page_fault *f, unsigned n) {
  const struct heddle_page_fault *was = &c->seen[c->faults - c->last];
  const unsigned k = place_of(c, f[0].page);
  unsigned same = 0;
  while (same < n && same < c->last && f[same].page == was[same].page) same++;
  scene_check(c, same == 0 || same < c->last || k == c->pages || !c->page[k].brought, "REPLAY has left %u in the list",
              same);
}

static void bring(struct scene *c, const struct heddle_page_fault *f) {
  const unsigned k = place_of(c, f->page);
  scene_check(c, k < c->pages, "the list has page 0x%llx, which was never wanted", (unsigned long long)f->page);
  if (k == c->pages) return;
  scene_check(c, !c->page[k].brought, "the list has page 0x%llx, which has been brought", (unsigned long long)f->page);
  scene_check(c, f->kind == HEDDLE_PAGE_ABSENT, "page 0x%llx is of kind %u", (unsigned long long)f->page, f->kind);
  if (c->wrong[0] != 0) return;
  scene_exchange(c, c->page[k].at, c->page[k].entry, 0);
  c->page[k].brought = true;
}

static bool serve(void *ctx, struct heddle_session *s, const struct heddle_page_fault *f, unsigned n) {
  struct scene *c = ctx;
  (void)s; /* c->s */
  c->lists++;
  check_emptied(c, f, n);
  scene_check(c, c->faults + n <= SCENE_SEEN, "more faults than are kept");
  for (c->last = 0; c->last < n && c->faults < SCENE_SEEN; c->last++) c->seen[c->faults++] = f[c->last];
  scene_check(c, c->lists < LISTS_MOST, "lists without end");
  if (c->before != NULL) c->before(c);
  if (c->fails || c->wrong[0] != 0) return false;
  for (unsigned i = 0; i < n && (c->at_once == 0 || i < c->at_once); i++) bring(c, &f[i]);
  return c->wrong[0] == 0;
}

void scene_seen(struct scene *c, uint64_t page, unsigned times, enum heddle_page_kind kind, enum heddle_page_use use) {
  unsigned n = 0;
  for (unsigned i = 0; i < c->faults; i++) {
    const struct heddle_page_fault *f = &c->seen[i];
    if (f->page != page) continue;
    n++;
    scene_check(c, f->kind == kind && f->use == use && f->space == c->x.p.launch.space,
                "page 0x%llx stood in the list as kind %u, use %u, space %u", (unsigned long long)page, f->kind, f->use,
                f->space);
  }
  scene_check(c, times == SCENE_OFTEN ? n != 0 : n == times, "page 0x%llx stood in %u lists instead of %u",
              (unsigned long long)page, n, times);
}

/* ---- the session ---- */

void scene_open(struct scene *c, enum heddle_session_mode mode) {
  struct heddle_message msg;
  const struct heddle_session_config cfg = {.size = sizeof cfg,
                                            .mode = mode,
                                            .config = "paged",
                                            .scoreboard = !c->control,
                                            .seed = 1,
                                            .latency = c->latency,
                                            .fault = c->fault,
                                            .max_cycles = CYCLES_MOST,
                                            .watchdog = CYCLES_WATCHED,
                                            .watchdog_issue = CYCLES_WATCHED,
                                            .watchdog_warp = CYCLES_WATCHED,
                                            .memory_base = PAGED_BASE,
                                            .memory_bytes = PAGED_BYTES,
                                            .pages = serve,
                                            .pages_ctx = c};
  if (heddle_session_open(&cfg, &c->s, &msg) != HEDDLE_SUCCESS) fail_msg("%s", msg.text);
  memcpy(heddle_session_memory(c->s), c->x.image, PAGED_BYTES);
  free(c->x.image);
  c->x.image = heddle_session_memory(c->s);
}

static void judge(struct scene *c, enum heddle_session_outcome o, enum heddle_session_outcome want) {
  const struct heddle_checker_difference *d = &c->r.difference;
  if (o == HEDDLE_SESSION_DIFFERENCE)
    scene_check(c, false, "difference: %s (%s: %s)", heddle_checker_kind_name(d->kind), d->subject, d->note);
  if (c->report && o != want) heddle_session_report_text(c->s, stdout);
  scene_check(c, o == want, "%s: %s", heddle_session_outcome_name(o), c->r.message);
  scene_check(c, !c->unchanged, "an EXCHANGE has failed");
}

void scene_run(struct scene *c, enum heddle_session_outcome want) {
  if (c->wrong[0] != 0) return;
  c->r.size = sizeof c->r;
  judge(c, heddle_session_run(c->s, &c->x.p.launch, &c->r), want);
}

void scene_run_queue(struct scene *c, const struct heddle_launch *l, size_t n) {
  struct heddle_session_result r[SCENE_QUEUE] = {{.size = sizeof *r}};
  assert_in_range(n, 1, SCENE_QUEUE);
  if (c->wrong[0] != 0) return;
  const enum heddle_session_outcome o = heddle_session_run_queue(c->s, l, n, r);
  size_t k = 0;
  while (k + 1 < n && r[k].outcome == HEDDLE_SESSION_OK) k++;
  c->r = r[k];
  judge(c, o, HEDDLE_SESSION_OK);
}

void scene_trap(struct scene *c, unsigned cause, uint64_t addr) {
  scene_run(c, HEDDLE_SESSION_TRAPPED);
  scene_trapped(c, cause, addr);
}

void scene_trapped(struct scene *c, unsigned cause, uint64_t addr) {
  scene_check(c, c->r.trap.cause == cause && c->r.trap.addr == addr, "trap %s of 0x%llx",
              heddle_cause_name(c->r.trap.cause), (unsigned long long)c->r.trap.addr);
}

void scene_unlisted(struct scene *c) {
  uint32_t n = 1;
  scene_check(c, heddle_session_read32(c->s, HEDDLE_REG_FAULTS, &n) && n == 0, "FAULTS is %u", n);
}

void scene_close(struct scene *c) {
  if (c->s != NULL)
    (void)heddle_session_close(c->s, NULL);
  else
    free(c->x.image);
  fake_program_free(&c->x.p);
}

uint64_t scene_entry(const struct scene *c, uint64_t virt) {
  uint64_t e;
  memcpy(&e, c->x.image + (paged_entry(&c->x, virt, 0) - PAGED_BASE), 8);
  return e;
}

uint32_t scene_word(const struct scene *c, unsigned frame, unsigned word) {
  uint32_t w;
  memcpy(&w, c->x.image + 4096 * frame + 4 * word, 4);
  return w;
}
