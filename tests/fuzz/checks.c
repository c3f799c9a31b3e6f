/* SPDX-License-Identifier: Apache-2.0 */
#include "checks.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "tests/fuzz/fuzz.h"
#include <heddle/isa_tables.h>
#include "base/splitmix64.h"

static void same_params(const struct heddle_kernel *a, const struct heddle_kernel *b, const char *way) {
  FUZZ_CHECK(a->params == b->params && a->param_bytes == b->param_bytes,
             "%s: %s: %u parameters in %u bytes, then %u in %u", way, a->name, a->params, a->param_bytes, b->params,
             b->param_bytes);
  for (uint32_t i = 0; i < a->params; i++) {
    const struct heddle_param *x = &a->param[i], *y = &b->param[i];
    FUZZ_CHECK(strcmp(x->name, y->name) == 0 && x->offset == y->offset && x->size == y->size && x->align == y->align,
               "%s: %s: parameter %s at %u of %u bytes, then %s at %u of %u bytes", way, a->name, x->name, x->offset,
               x->size, y->name, y->offset, y->size);
  }
}

static void same_kernel(const struct heddle_kernel *a, const struct heddle_kernel *b, const char *way) {
  FUZZ_CHECK(strcmp(a->name, b->name) == 0 && a->is_function == b->is_function && a->entry_pc == b->entry_pc,
             "%s: %s at 0x%x, then %s at 0x%x", way, a->name, a->entry_pc, b->name, b->entry_pc);
  if (a->is_function) return; /* a symbol only */
  FUZZ_CHECK(a->regs == b->regs && a->shared_bytes == b->shared_bytes && a->barriers == b->barriers &&
                 a->local_bytes == b->local_bytes,
             "%s: %s: registers %u, bytes shared %u, local %u, barriers %u, then %u, %u, %u, %u", way, a->name, a->regs,
             a->shared_bytes, a->local_bytes, a->barriers, b->regs, b->shared_bytes, b->local_bytes, b->barriers);
  FUZZ_CHECK(memcmp(&a->promise, &b->promise, sizeof a->promise) == 0, "%s: %s: another promise", way, a->name);
  FUZZ_CHECK(memcmp(a->stall, b->stall, sizeof a->stall) == 0, "%s: %s: other stall counts", way, a->name);
  same_params(a, b, way);
}

static void same_globals(const struct heddle_program *p, const struct heddle_program *q, const char *way) {
  FUZZ_CHECK(p->global_bytes == q->global_bytes && p->global_initial == q->global_initial &&
                 (p->global_initial == 0 || memcmp(p->global, q->global, p->global_initial) == 0),
             "%s: other contents of module variables", way);
  FUZZ_CHECK(p->addresses == q->addresses &&
                 (p->addresses == 0 || memcmp(p->address, q->address, p->addresses * sizeof *p->address) == 0),
             "%s: other addresses in module variables", way);
  FUZZ_CHECK(p->variables == q->variables, "%s: %u module variables, then %u", way, p->variables, q->variables);
  for (uint32_t i = 0; i < p->variables; i++) {
    const struct heddle_global *x = &p->variable[i], *y = &q->variable[i];
    FUZZ_CHECK(strcmp(x->name, y->name) == 0 && x->offset == y->offset && x->size == y->size,
               "%s: variable %s at %u of %u bytes, then %s at %u of %u bytes", way, x->name, x->offset, x->size,
               y->name, y->offset, y->size);
  }
}

void fuzz_same_program(const struct heddle_program *p, const struct heddle_program *q, const char *way) {
  FUZZ_CHECK(p->code_bytes == q->code_bytes, "%s: %u bytes of code, then %u", way, p->code_bytes, q->code_bytes);
  for (uint32_t pc = 0; pc < p->code_bytes; pc = heddle_program_next(p, pc)) {
    struct heddle_isa_word a = heddle_program_word(p, pc), b = heddle_program_word(q, pc);
    FUZZ_CHECK(a.lo == b.lo && a.hi == b.hi, "%s: word at 0x%x: %016llx%016llx, then %016llx%016llx", way, pc,
               (unsigned long long)a.hi, (unsigned long long)a.lo, (unsigned long long)b.hi, (unsigned long long)b.lo);
  }
  FUZZ_CHECK(p->const_bytes == q->const_bytes &&
                 (p->const_bytes == 0 || memcmp(p->konst, q->konst, p->const_bytes) == 0),
             "%s: other constants", way);
  same_globals(p, q, way);
  FUZZ_CHECK(p->kernels == q->kernels, "%s: %u kernels, then %u", way, p->kernels, q->kernels);
  for (uint32_t i = 0; i < p->kernels; i++) same_kernel(&p->kernel[i], &q->kernel[i], way);
}

static void keep_message(void *ctx, const struct heddle_message *m) {
  if (ctx != NULL) *(struct heddle_message *)ctx = *m;
}

struct heddle_program *fuzz_assembled(const void *text, size_t size, struct heddle_message *last) {
  const struct heddle_asm_options o = {
      .size = sizeof o, .stall = {5, 6, 8, 6, 6, 12}, .message = keep_message, .ctx = last};
  struct heddle_program *p;
  (void)heddle_assemble(text, size, "fuzz.s", &o, &p);
  return p;
}

struct text {
  char *at;
  size_t size, room;
};

static void put(void *ctx, const char *s) {
  struct text *t = ctx;
  size_t n = strlen(s);
  FUZZ_CHECK(array_room(&t->at, &t->room, t->size + n, 1), "no memory for the listing");
  memcpy(t->at + t->size, s, n);
  t->size += n;
}

void fuzz_listing(const struct heddle_program *p) {
  struct text t = {0};
  struct heddle_message m = {0};
  heddle_disassemble_program(p, put, &t);
  /* Of exactly its size, so that reading behind the end is seen. */
  char *exact = realloc(t.at, t.size > 0 ? t.size : 1);
  FUZZ_CHECK(exact != NULL, "no memory for the listing");
  struct heddle_program *q = fuzz_assembled(exact, t.size, &m);
  FUZZ_CHECK(q != NULL, "the listing does not assemble: line %u, column %u: %s\n%.*s", m.line, m.column, m.text,
             (int)(t.size > 4000 ? 4000 : t.size), exact);
  fuzz_same_program(p, q, "listing");
  heddle_program_free(q);
  free(exact);
}

struct heddle_isa_word fuzz_word_of(unsigned enc, uint64_t *state) {
  const struct heddle_isa_encoding *e = heddle_isa_encoding_info((enum heddle_isa_enc)enc);
  const uint64_t lo = splitmix64(state), hi = splitmix64(state);
  return (struct heddle_isa_word){.lo = (lo & ~e->mask.lo) | e->match.lo, .hi = (hi & ~e->mask.hi) | e->match.hi};
}

struct heddle_isa_word fuzz_word(uint64_t *state) {
  return fuzz_word_of((unsigned)(splitmix64(state) % ISA_ENC_COUNT), state);
}
