/* SPDX-License-Identifier: Apache-2.0
 * Other programs on the same device. */
#include "fuzz_others.h"

#include <stdio.h>
#include <string.h>

#include "base/splitmix64.h"

struct random_program *fuzz_other_program(const struct fuzz_case *c, const struct random_launch *l, unsigned other) {
  struct random_limits limits = fuzz_limits(&c->run, c->knobs);
  limits.base = l->base != 0 ? l->base : JOB_BASE;
  const uint64_t seed = splitmix64_mix(c->run.seed + 1) ^ splitmix64_mix(c->index + UINT64_C(0x100000000) * other);
  struct random_program *p = random_program_new(seed, other, &limits);
  if (p) random_program_set_host(p, l->host, other - 1);
  return p;
}

static bool make_other(const struct fuzz_case *c, const struct random_launch *l, unsigned k, struct fuzz_other *o,
                       char *why, size_t size) {
  struct random_program *from = fuzz_other_program(c, l, k + 1);
  (void)snprintf(why, size, "it cannot be built");
  bool ok = from && fuzz_program_init(&o->p, from);
  random_program_free(from);
  if (!ok) return false;
  o->program = fuzz_assemble(c, &o->p, true);
  ok = o->program && fuzz_job(&o->job, o->program, &o->p.launch, why, size);
  return ok && fuzz_proven(&c->run, o->program, why, size);
}

bool fuzz_others_make(const struct fuzz_case *c, const struct random_launch *l, struct fuzz_others *o, char *why,
                      size_t size) {
  char text[400];
  memset(o, 0, sizeof *o);
  if (c->run.on == ON_MODEL || c->run.on == ON_BOARD) return true;
  for (unsigned k = 0; k < l->others && k < FUZZ_OTHERS; k++) {
    o->n++;
    if (make_other(c, l, k, &o->other[k], text, sizeof text)) continue;
    (void)snprintf(why, size, "other program %u: %s", k + 1, text);
    return false;
  }
  return true;
}

void fuzz_others_clear(struct fuzz_others *o) {
  for (unsigned k = 0; k < o->n; k++) {
    job_clear(&o->other[k].job);
    heddle_program_free(o->other[k].program);
    fuzz_program_clear(&o->other[k].p);
  }
  o->n = 0;
}
