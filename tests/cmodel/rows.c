/* SPDX-License-Identifier: Apache-2.0 */
#include "rows.h"
#include "tests/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

unsigned long case_count(int argc, char **argv, unsigned long otherwise) {
  return argc > 1 ? strtoul(argv[1], NULL, 0) : otherwise;
}

struct run {
  _Alignas(64) uint32_t a[4][32], b[4][32], c[4][32], d[4][32], on[32];
  const uint32_t *src[3];
  uint32_t *to;
  struct sem_io io;
};

static void operand(uint32_t row[4][32], const uint32_t low[32], const uint32_t up[3][32], unsigned words) {
  memset(row, 0x5a, 4 * sizeof row[0]);
  memcpy(row[0], low, sizeof row[0]);
  for (unsigned w = 1; w < words; w++) memcpy(row[w], up[w - 1], sizeof row[0]);
}

static void prepare(struct run *x, const struct rows *r, const struct heddle_isa_dec *dec, uint32_t exec) {
  operand(x->a, r->a, r->a_up, dec->src[0].words);
  operand(x->b, r->b, r->b_up, dec->src[1].words);
  memcpy(x->c, r->c, sizeof r->c);
  memset(x->d, 0xa5, sizeof x->d);
  for (unsigned i = 0; i < 32; i++) x->on[i] = (exec >> i & 1) != 0 ? ~0u : 0;
  x->src[0] = x->a[0], x->src[1] = x->b[0], x->src[2] = x->c[0], x->to = x->d[0];
  x->io = (struct sem_io){.on = x->on, .exec = exec};
  memcpy(x->io.ps, r->ps, sizeof r->ps);
}

/* The operands of one lane as text: words of a pair or quad with the highest first. */
static const char *lane_text(char *to, size_t room, const struct rows *r, const struct heddle_isa_dec *dec,
                             unsigned i) {
  size_t n = 0;
  for (unsigned k = 0; k < 3; k++) {
    const uint32_t words = dec->src[k].words < 1 ? 1 : dec->src[k].words;
    n += (size_t)snprintf(to + n, room - n, " %c=", "abc"[k]);
    for (unsigned w = words; w-- > 0;) {
      const uint32_t v = k == 2 ? r->c[w][i] : (k == 1 ? (w ? r->b_up[w - 1] : r->b) : (w ? r->a_up[w - 1] : r->a))[i];
      n += (size_t)snprintf(to + n, room - n, "%s%08x", w + 1 == words ? "" : ":", v);
    }
  }
  (void)snprintf(to + n, room - n, " ps=%u%u%u", r->ps[0] >> i & 1, r->ps[1] >> i & 1, r->ps[2] >> i & 1);
  return to;
}

static void compare(const struct rows *r, const struct run *x, const struct heddle_isa_dec *dec,
                    const uint32_t (*before)[32], unsigned build, const char *what) {
  char text[256];
  const uint32_t exec = x->io.exec;
  for (unsigned w = 0; w < r->d_words; w++)
    for (unsigned i = 0; i < 32; i++) {
      const uint32_t want = (exec >> i & 1) != 0 ? r->d[w][i] : before[w][i], got = x->to[w * 32 + i];
      if (want != got)
        fail_msg("%s, build %u, lane %u, word %u:%s gives %08x, want %08x (%s)", what, build, i, w,
                 lane_text(text, sizeof text, r, dec, i), got, want,
                 (exec >> i & 1) != 0 ? "executing" : "not executing");
    }
  for (unsigned k = 0; k < r->n_pd; k++) {
    const uint32_t bad = (x->io.pd[k] ^ r->pd[k]) & exec;
    if (bad == 0) continue;
    const unsigned i = (unsigned)__builtin_ctz(bad);
    fail_msg("%s, build %u, lane %u:%s gives pd%u=%u", what, build, i, lane_text(text, sizeof text, r, dec, i), k,
             x->io.pd[k] >> i & 1);
  }
}

/* Let the destination lie over a source, as in IADD3 R1, R1, R2, R3. The narrower of the two lies on a random word of
 * the wider. `dice` is any number. */
static void overlap(struct run *x, unsigned d_words, const struct heddle_isa_dec *dec, uint32_t dice) {
  uint32_t(*const row[3])[32] = {x->a, x->b, x->c};
  const unsigned k = dice % 3;
  const size_t words = dec->src[k].words < 1 ? 1 : dec->src[k].words, at = dice / 3 % 4;
  if (words >= d_words) {
    x->to = row[k][at % (words / d_words) * d_words];
  } else {
    uint32_t(*const place)[32] = &x->d[at % (d_words / words) * words];
    memcpy(place, row[k], words * sizeof row[k][0]);
    x->src[k] = place[0];
  }
}

static void check_masked(const struct rows *r, const struct heddle_isa_dec *dec, const struct sem_def *def, sem_fn *fn,
                         const struct sem_par *par, unsigned build, const char *what) {
  static const uint32_t masks[] = {0x00000001u, 0x80000000u, 0x0f0f3355u, 0xfffffffeu};
  struct run x;
  const uint32_t dice = (r->a[0] ^ r->b[1]) * 0x9e3779b1u >> 16;
  prepare(&x, r, dec, def->whole_warp ? ~0u : masks[dice & 3u]);
  if (r->d_words > 0) overlap(&x, r->d_words, dec, dice >> 2);
  uint32_t before[4][32] = {{0}};
  memcpy(before, x.to, r->d_words * sizeof before[0]);
  fn(x.to, x.src[0], x.src[1], x.src[2], &x.io, par);
  compare(r, &x, dec, (const uint32_t(*)[32])before, build, what);
}

void rows_check(const struct rows *r, const char *what) {
  struct heddle_isa_dec dec;
  if (!heddle_isa_decode(r->word, &dec)) fail_msg("%s: the word is illegal", what);
  for (unsigned build = 0; build < 8; build++) {
    const struct sem_build *b = sem_build(build);
    if (b == NULL) continue;
    struct sem_par par = {0};
    const struct sem_def *def = b->op[dec.op];
    if (def->kind != SEM_ROW) fail_msg("%s: no row operation", what);
    sem_fn *fn = def->pick(&dec, &par);
    struct run x;
    prepare(&x, r, &dec, ~0u);
    fn(x.to, x.src[0], x.src[1], x.src[2], &x.io, &par);
    static const uint32_t none[4][32];
    compare(r, &x, &dec, none, build, what);
    check_masked(r, &dec, def, fn, &par, build, what);
  }
}
