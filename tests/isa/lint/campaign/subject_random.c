/* SPDX-License-Identifier: Apache-2.0
 * Small random programs of lab/verify/random. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lab/verify/random/knobs.h"
#include "lab/verify/random/random_program.h"
#include "tests/isa/lint/campaign/subject.h"
#include "run/command/tool.h"

enum { THREADS_MOST = 64, SHARED_MOST = 4096 };

/* Short, since each of their codes is tried with many seeds. All end, and what they leave is the same on the model and
 * on the machine: memory is what tells whether a weaker code was right. Two buffers, no small regions beside. */
static bool knobs(struct random_knobs *k) {
  static const char text[] = "body.instructions = 20..50\nprogram.traps = 0\nprogram.machine = 0\nmemory.edges = 0\n";
  char err[200];
  random_knobs_default(k);
  if (random_knobs_read(k, text, sizeof text - 1, "random programs of the campaign", err, sizeof err)) return true;
  tool_error("%s", err);
  return false;
}

static bool buffer(struct kernel_case *c, size_t bytes, const uint8_t *init) {
  struct kernel_buffer *b = &c->buffer[c->buffers++];
  b->bytes = bytes;
  b->init = calloc(1, bytes);
  b->expect = calloc(1, bytes); /* the model says what must be there (shrink.h) */
  b->read_only = init != NULL;
  if (b->init && init) memcpy(b->init, init, bytes);
  return b->init && b->expect;
}

/* Where buffers begin is the trial's own choice: the program does not know. */
static bool prepare(struct kernel_case *c, const struct random_launch *l) {
  if (l->launches > KERNEL_LAUNCHES) return false;
  while (c->launches < l->launches) {
    struct kernel_launch *n = &c->launch[c->launches++];
    n->entry = "fuzz";
    memcpy(n->grid, l->grid, sizeof n->grid);
    memcpy(n->block, l->block, sizeof n->block);
    for (unsigned i = 0; i < 2; i++) n->arg[n->args++] = (struct kernel_arg){.kind = KERNEL_ARG_BUFFER, .buffer = i};
  }
  return buffer(c, l->out_bytes, NULL) && buffer(c, l->input_bytes, l->input);
}

static bool copy_banks(struct subject *s, const struct random_launch *l) {
  for (unsigned b = 1; b < 3; b++) {
    if (!l->bank[b]) continue;
    s->bank[b] = malloc(l->bank_bytes[b]);
    if (!s->bank[b]) return false;
    memcpy(s->bank[b], l->bank[b], l->bank_bytes[b]);
    s->bank_bytes[b] = l->bank_bytes[b];
  }
  return true;
}

static void add(struct subjects *s, const char *name, struct random_program *r) {
  struct kernel_case c;
  const struct random_launch *l = random_program_launch(r);
  const size_t before = s->count;
  memset(&c, 0, sizeof c);
  struct heddle_program *p = subject_assemble(s, random_program_text(r), name);
  if (p && (l->trap != 0 || l->order_dependent || !prepare(&c, l))) c.launches = 0;
  subject_add(s, name, "random", p, &c);
  if (s->count == before) return;
  s->at[before].model_expects = true;
  if (!copy_banks(&s->at[before], l)) s->failed = true;
}

void subjects_random(struct subjects *s, unsigned programs, const struct heddle_config *c) {
  struct random_knobs k;
  struct random_limits limits = {.max_threads = THREADS_MOST,
                                 .max_regs = 255,
                                 .max_shared = c->shared_bytes < SHARED_MOST ? c->shared_bytes : SHARED_MOST,
                                 .warp_regs = c->regs,
                                 .units = s->units,
                                 .knobs = &k};
  memcpy(limits.stall, s->stall, sizeof limits.stall);
  s->failed = !knobs(&k) || s->failed;
  for (unsigned i = 0; i < programs && !s->failed; i++) {
    char name[48];
    snprintf(name, sizeof name, "random.%u", i);
    if (!subject_wanted(s, name)) continue;
    struct random_program *r = random_program_new(s->seed, i, &limits);
    if (r)
      add(s, name, r);
    else
      s->failed = true;
    random_program_free(r);
  }
}
