/* SPDX-License-Identifier: Apache-2.0 */
#include "space.h"

#include <string.h>

#include "tests/test.h"

static uint8_t *place(struct space *s, uint64_t at) {
  assert_in_range(at, MEM_BASE, MEM_BASE + MEM_BYTES - 8);
  return heddle_model_memory(s->x.model) + (at - MEM_BASE);
}

uint64_t get64(struct space *s, uint64_t at) {
  uint64_t v = 0;
  for (unsigned k = 0; k < 8; k++) v |= (uint64_t)place(s, at)[k] << (8 * k);
  return v;
}

void put64(struct space *s, uint64_t at, uint64_t v) {
  for (unsigned k = 0; k < 8; k++) place(s, at)[k] = (uint8_t)(v >> (8 * k));
}

static bool read_entry(void *self, uint64_t at, uint64_t *entry) {
  *entry = get64(self, at);
  return true;
}

static bool exchange(void *self, uint64_t at, uint64_t entry, uint64_t *old) {
  *old = get64(self, at);
  put64(self, at, entry);
  return true;
}

static uint64_t table(void *self, uint64_t bytes) {
  struct space *s = self;
  if (bytes == HEDDLE_PAGE_ROOT) s->next += s->next % 2;
  const uint64_t at = FRAME(s->next);
  s->next += (unsigned)(bytes / 4096);
  assert_in_range(s->next, TABLE_FRAME, FRAMES);
  return at;
}

void space_map(struct space *s, uint64_t virt, uint64_t phys, uint64_t flags) {
  assert_int_equal(heddle_pages_map(&s->tables, s->root, virt, phys, HEDDLE_PAGE_SMALL, flags), HEDDLE_SUCCESS);
}

void space_unmap(struct space *s, uint64_t virt) {
  assert_int_equal(heddle_pages_unmap(&s->tables, s->root, virt, NULL), HEDDLE_SUCCESS);
}

uint64_t space_entry(struct space *s, uint64_t virt, unsigned level) {
  uint64_t at = s->root;
  for (unsigned k = 3;; k--) {
    at += 8 * (virt >> (12 + 9 * k) & (k == 3 ? 1023 : 511));
    if (k == level) return at;
    at = get64(s, at) & HEDDLE_ENTRY_PLACE;
  }
}

uint64_t space_root(struct space *s) {
  assert_int_equal(heddle_pages_new(&s->tables, &s->root), HEDDLE_SUCCESS);
  for (unsigned i = 0; i < 2; i++) {
    space_map(s, CODE_PAGE + 4096 * i, FRAME(CODE_FRAME - i), 0);
    space_map(s, BANK_PAGE + 4096 * i, FRAME(BANK_FRAME - i), 0);
  }
  s->x.launch.page_root = s->root;
  return s->root;
}

void space_init(struct space *s) {
  machine_init(&s->x);
  s->tables = (struct heddle_page_memory){
      .size = sizeof s->tables, .self = s, .read = read_entry, .exchange = exchange, .table = table};
  s->next = TABLE_FRAME;
  s->x.launch.pages = s->x.launch.fault_trap = true;
  s->x.launch.space = 7;
  s->x.launch.code_at = CODE_AT;
  s->x.launch.cbank_at[0] = BANK_AT;
  (void)space_root(s);
}

void space_free(struct space *s) {
  machine_free(&s->x);
}

void space_text(struct space *s, const char *text) {
  machine_text(&s->x, text);
}

/* `from` becomes what lies from `offset` on in the page of frame `frame`, and in the frame before it. */
static void scatter(struct space *s, const uint8_t *from, size_t bytes, unsigned frame, size_t offset) {
  const size_t first = bytes < 4096 - offset ? bytes : 4096 - offset;
  memcpy(place(s, FRAME(frame)) + offset, from, first);
  memcpy(place(s, FRAME(frame - 1)), from + first, bytes - first);
}

enum heddle_status space_start(struct space *s) {
  struct machine *x = &s->x;
  scatter(s, x->code, 16 * (size_t)x->n, CODE_FRAME, CODE_AT % 4096);
  scatter(s, x->bank, sizeof x->bank, BANK_FRAME, BANK_AT % 4096);
  x->launch.code = NULL;
  x->launch.code_bytes = 16 * x->n;
  return heddle_model_launch(x->model, &x->launch);
}

enum heddle_status space_go_on(struct space *s) {
  return heddle_model_run(s->x.model, 1000000, &s->x.retired);
}

enum heddle_status space_run(struct space *s) {
  const enum heddle_status e = space_start(s);
  return e != HEDDLE_OK ? e : space_go_on(s);
}

void expect_fault(struct space *s, uint64_t page, enum heddle_page_kind kind, enum heddle_page_use use,
                  unsigned warps) {
  struct heddle_page_fault f[4];
  assert_int_equal(heddle_model_faults(s->x.model, f, 4), 1);
  if (f->page != page || f->kind != kind || f->use != use || f->warps != warps || f->space != s->x.launch.space)
    fail_msg("page 0x%llx kind %d use %d warps %u space %u", (unsigned long long)f->page, (int)f->kind, (int)f->use,
             f->warps, f->space);
}
