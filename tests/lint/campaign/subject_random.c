/* SPDX-License-Identifier: Apache-2.0
 * Small random programs of firmware/random. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "random_program.h"
#include "subject.h"

static bool buffer(struct kernel_case *c, size_t bytes, uint64_t seed) {
  struct kernel_buffer *b = &c->buffer[c->buffers++];
  b->bytes = bytes;
  b->init = calloc(1, bytes);
  b->expect = calloc(1, bytes); /* the model says what must be there (shrink.h) */
  for (size_t i = 0; b->init && seed != 0 && i < bytes; i++) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    b->init[i] = (uint8_t)(seed >> 56);
  }
  return b->init && b->expect;
}

static bool prepare(struct kernel_case *c, const struct random_launch *l) {
  struct kernel_launch *n = &c->launch[c->launches++];
  n->entry = "fuzz";
  memcpy(n->grid, l->grid, sizeof n->grid);
  memcpy(n->block, l->block, sizeof n->block);
  for (unsigned i = 0; i < 3; i++) n->arg[n->args++] = (struct kernel_arg){.kind = KERNEL_ARG_BUFFER, .buffer = i};
  return buffer(c, l->out_bytes, 0) && buffer(c, l->scratch_bytes, 0) && buffer(c, l->input_bytes, l->input_seed | 1);
}

void subjects_random(struct subjects *s, unsigned programs, unsigned max_threads) {
  const struct random_limits limits = {
      .max_threads = max_threads, .max_regs = 255, .max_shared = 4096, .units = s->units, .nodes = 24};
  for (unsigned i = 0; i < programs; i++) {
    char name[48];
    struct kernel_case c;
    memset(&c, 0, sizeof c);
    snprintf(name, sizeof name, "random.%u", i);
    if (!subject_wanted(s, name)) continue;
    struct random_program *r = random_program_new(s->seed, i, &limits);
    struct heddle_program *p = r ? subject_assemble(s, random_program_text(r), name) : NULL;
    if (p && !prepare(&c, random_program_launch(r))) c.launches = 0;
    subject_add(s, name, "random", p, &c);
    if (s->count > 0) s->at[s->count - 1].model_expects = true;
    random_program_free(r);
  }
}
