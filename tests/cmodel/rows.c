/* SPDX-License-Identifier: Apache-2.0 */
#include "rows.h"

#include "check.h"

#include <stdlib.h>
#include <string.h>

uint64_t rnd64(uint64_t *state) {
  uint64_t x = *state;
  x ^= x >> 12;
  x ^= x << 25;
  x ^= x >> 27;
  *state = x;
  return x * UINT64_C(0x2545f4914f6cdd1d);
}

unsigned long case_count(int argc, char **argv, unsigned long otherwise) {
  return argc > 1 ? strtoul(argv[1], NULL, 0) : otherwise;
}

struct run {
  _Alignas(64) uint32_t a[2][32], b[32], c[2][32], d[2][32], on[32];
  struct sem_io io;
};

static void prepare(struct run *x, const struct rows *r, uint32_t exec) {
  memcpy(x->a[0], r->a, sizeof r->a);
  memset(x->a[1], 0x5a, sizeof x->a[1]);
  memcpy(x->b, r->b, sizeof r->b);
  memcpy(x->c, r->c, sizeof r->c);
  memset(x->d, 0xa5, sizeof x->d);
  for (unsigned i = 0; i < 32; i++) x->on[i] = (exec >> i & 1) != 0 ? ~0u : 0;
  x->io = (struct sem_io){.a = x->a[0], .b = x->b, .c = x->c[0], .d = x->d[0], .on = x->on};
  memcpy(x->io.ps, r->ps, sizeof r->ps);
}

static void compare(const struct rows *r, const struct run *x, const uint32_t (*before)[32], uint32_t exec,
                    unsigned build, const char *what) {
  for (unsigned w = 0; w < r->d_words; w++)
    for (unsigned i = 0; i < 32; i++) {
      const uint32_t want = (exec >> i & 1) != 0 ? r->d[w][i] : before[w][i], got = x->io.d[w * 32 + i];
      if (want != got)
        fail_msg("%s, build %u, lane %u, word %u: a=%08x b=%08x c=%08x:%08x ps=%u%u gives %08x, want %08x (%s)", what,
                 build, i, w, r->a[i], r->b[i], r->c[1][i], r->c[0][i], r->ps[0] >> i & 1, r->ps[1] >> i & 1, got, want,
                 (exec >> i & 1) != 0 ? "executing" : "not executing");
    }
  for (unsigned k = 0; k < r->n_pd; k++) {
    const uint32_t bad = (x->io.pd[k] ^ r->pd[k]) & exec;
    if (bad != 0) {
      const unsigned i = (unsigned)__builtin_ctz(bad);
      fail_msg("%s, build %u, lane %u: a=%08x b=%08x c=%08x:%08x ps=%u%u gives pd%u=%u", what, build, i, r->a[i],
               r->b[i], r->c[1][i], r->c[0][i], r->ps[0] >> i & 1, r->ps[1] >> i & 1, k, x->io.pd[k] >> i & 1);
    }
  }
}

/* The destination lies over a source, as in IADD3 R1, R1, R2, R3; wide results over c. */
static void check_masked(const struct rows *r, sem_fn *fn, const struct sem_par *par, unsigned build,
                         const char *what) {
  static const uint32_t masks[] = {0x00000001u, 0x80000000u, 0x0f0f3355u, 0xfffffffeu};
  struct run x;
  const uint32_t exec = masks[(r->a[0] ^ r->b[1]) & 3u];
  prepare(&x, r, exec);
  const bool over_a = r->d_words == 1 && (r->b[0] & 1u) != 0;
  x.io.d = over_a ? x.a[0] : x.c[0];
  uint32_t before[2][32];
  memcpy(before, x.io.d, r->d_words * sizeof before[0]);
  fn(&x.io, par);
  compare(r, &x, (const uint32_t(*)[32])before, exec, build, what);
}

void rows_check(const struct rows *r, const char *what) {
  struct isa_dec dec;
  if (!isa_decode(r->word, &dec)) fail_msg("%s: the word is illegal", what);
  for (unsigned build = 0; build < 8; build++) {
    const struct sem_build *b = sem_build(build);
    if (b == NULL) continue;
    struct sem_par par = {0};
    sem_fn *fn = b->op[dec.op]->pick(&dec, &par);
    struct run x;
    prepare(&x, r, ~0u);
    fn(&x.io, &par);
    uint32_t none[2][32] = {{0}};
    compare(r, &x, (const uint32_t(*)[32])none, ~0u, build, what);
    check_masked(r, fn, &par, build, what);
  }
}
