/* SPDX-License-Identifier: Apache-2.0
 * The search: what holds is kept. */
#include "fuzz_reduce.h"

#include <stdlib.h>
#include <string.h>

#include "base/process.h"
#include "base/splitmix64.h"

static uint64_t hash_bytes(uint64_t h, const void *from, size_t n) {
  const uint8_t *b = from;
  for (size_t i = 0; i < n; i++) h = (h ^ b[i]) * UINT64_C(0x100000001b3);
  return splitmix64_mix(h);
}

/* Of all that differs between two candidates. */
static uint64_t hash_candidate(const struct reduction *r) {
  const struct run_options *o = &r->c.run;
  const uint32_t modes[] = {o->calm,          o->withhold_ready, o->latency, r->p.launch.launches,
                            r->p.launch.trap, r->p.launch.others};
  uint64_t h = hash_bytes(1, r->p.text, strlen(r->p.text));
  h = hash_bytes(h, r->p.launch.grid, sizeof r->p.launch.grid);
  h = hash_bytes(h, r->p.launch.block, sizeof r->p.launch.block);
  h = hash_bytes(h, r->p.input, r->p.launch.input_bytes);
  h = hash_bytes(h, r->p.launch.bank_bytes, sizeof r->p.launch.bank_bytes);
  for (unsigned b = 1; b < 3; b++)
    if (r->p.launch.bank[b] != NULL) h = hash_bytes(h, r->p.launch.bank[b], r->p.launch.bank_bytes[b]);
  h = hash_bytes(h, modes, sizeof modes);
  h = hash_bytes(h, &r->p.launch.base, sizeof r->p.launch.base);
  h = hash_bytes(h, &r->p.launch.host, sizeof r->p.launch.host);
  return h != 0 ? h : 1;
}

static bool write_text(struct reduction *r) {
  char *text = r->tree ? strdup(random_program_text(r->tree)) : fuzz_lines_text(&r->lines);
  if (!text) {
    r->no_memory = true;
    return false;
  }
  free(r->p.text);
  r->p.text = text;
  return true;
}

bool reduce_holds(struct reduction *r) {
  if (seconds_now() > r->until) r->out_of_time = true;
  if (r->out_of_time || !write_text(r)) return false;
  const uint64_t h = hash_candidate(r);
  uint64_t *slot = &r->seen[h & (REDUCE_SEEN - 1)];
  if (*slot == h || r->held == h) return r->held == h;
  struct fuzz_verdict v;
  fuzz_judge(&r->c, &r->p, true, &v);
  r->runs++;
  const bool same = v.status != RUN_OK && signature_equal(&v.diagnosis, &r->want);
  *(same ? &r->held : slot) = h;
  fuzz_verdict_clear(&v);
  return same;
}

bool reduce_over(const struct reduction *r) {
  return r->out_of_time || r->no_memory;
}

bool reduce_copy(struct reduction *r, struct fuzz_lines *l) {
  if (fuzz_lines_copy(l, &r->lines)) return true;
  r->no_memory = true;
  return false;
}

bool reduce_try(struct reduction *r, struct fuzz_lines *l) {
  const struct fuzz_lines was = r->lines;
  r->lines = *l;
  const bool holds = reduce_holds(r);
  if (holds) {
    *l = was;
  } else {
    *l = r->lines;
    r->lines = was;
  }
  fuzz_lines_clear(l);
  return holds;
}

static unsigned list_parts(const struct reduction *r, const struct reduce_parts *p, unsigned *list) {
  unsigned n = 0;
  for (unsigned i = 0; i < p->parts; i++)
    if (p->there(r, i)) list[n++] = i;
  return n;
}

/* The parts list[from .. to): one with a larger one inside it may have gone already. */
static bool try_range(struct reduction *r, const struct reduce_parts *p, const unsigned *list, unsigned from,
                      unsigned to) {
  for (unsigned i = from; i < to; i++) p->put(r, list[i], true);
  if (reduce_holds(r)) return true;
  for (unsigned i = from; i < to; i++) p->put(r, list[i], false);
  return false;
}

/* Later ones first: what they need may go after them. */
static bool one_round(struct reduction *r, const struct reduce_parts *p, unsigned *list, unsigned size) {
  const unsigned n = list_parts(r, p, list);
  bool any = false;
  for (unsigned to = n; to > 0 && !r->out_of_time; to -= size < to ? size : to)
    any = try_range(r, p, list, to > size ? to - size : 0, to) || any;
  return any;
}

bool reduce_parts(struct reduction *r, const struct reduce_parts *p) {
  unsigned *list = calloc(p->parts + 1, sizeof *list);
  bool any = false;
  if (!list) {
    r->no_memory = true;
    return false;
  }
  unsigned size = list_parts(r, p, list);
  while (size > 1) {
    size = (size + 1) / 2;
    any = one_round(r, p, list, size) || any;
    const unsigned left = list_parts(r, p, list);
    if (size > left && left > 0) size = left;
  }
  while (!r->out_of_time && one_round(r, p, list, 1)) any = true;
  free(list);
  return any;
}
