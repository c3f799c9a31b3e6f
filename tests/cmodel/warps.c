/* SPDX-License-Identifier: Apache-2.0 */
#include "warps.h"

#include <stdio.h>
#include <string.h>

#include "tests/test.h"
#include "tests/cmodel/silicon_rows.h"

bool warp_runs(const struct warp *w, int lane) {
  return lane >= 0 && lane < 32 && (w->exec >> lane & 1) != 0;
}

struct room {
  _Alignas(64) uint32_t a[2][32], b[32], c[32], d[32], on[32];
};

/* over: 0, a row of its own; 1 to 4, over a, its upper word, b, c. */
static void run_one(const struct warp *w, const struct sem_build *build, unsigned n, unsigned over, const char *what) {
  struct room x;
  memcpy(x.a, w->a, sizeof x.a);
  memcpy(x.b, w->b, sizeof x.b);
  memcpy(x.c, w->c, sizeof x.c);
  memset(x.d, 0xa5, sizeof x.d);
  uint32_t *const places[5] = {x.d, x.a[0], x.a[1], x.b, x.c}, *const d = places[over];
  uint32_t before[32];
  memcpy(before, d, sizeof before);
  for (int i = 0; i < 32; i++) x.on[i] = w->uniform_result || warp_runs(w, i) ? ~0u : 0;
  struct heddle_isa_dec dec;
  if (!heddle_isa_decode(w->word, &dec)) fail_msg("%s: the word is illegal", what);
  struct sem_io io = {.on = x.on, .exec = w->exec, .ps = {w->ps0, ~0u, ~0u}};
  struct sem_par par = {0};
  build->op[dec.op]->pick(&dec, &par)(d, x.a[0], x.b, x.c, &io, &par);
  for (int i = 0; i < 32; i++) {
    const uint32_t want = x.on[i] != 0 ? w->d[i] : before[i];
    if (d[i] != want)
      fail_msg("%s, build %u, exec %08x, lane %d, over %u: a=%08x:%08x b=%08x c=%08x ps0=%08x gives %08x, want %08x",
               what, n, w->exec, i, over, w->a[1][i], w->a[0][i], w->b[i], w->c[i], w->ps0, d[i], want);
  }
  const uint32_t mask = w->uniform_result ? ~0u : w->exec;
  if (w->has_pd && ((io.pd[0] ^ w->pd0) & mask) != 0)
    fail_msg("%s, build %u, exec %08x: pd0 = %08x, want %08x", what, n, w->exec, io.pd[0], w->pd0);
}

void warp_run(const struct warp *w, const char *what) {
  for (unsigned n = 0; n < 8; n++) {
    const struct sem_build *build = sem_build(n);
    if (build == NULL) continue;
    for (unsigned over = 0; over < (w->uniform_result ? 1 : 5); over++) run_one(w, build, n, over, what);
  }
}

/* All lanes, one lane, few, many, any. */
static uint32_t some_lanes(uint64_t *seed) {
  const uint32_t r = rnd32(seed), one = 1u << rnd32(seed) % 32;
  const unsigned kind = rnd32(seed) % 5;
  const uint32_t second = rnd32(seed), third = rnd32(seed);
  switch (kind) {
  case 0:
    return ~0u;
  case 1:
    return one;
  case 2:
    return (r & second & third) | one;
  case 3:
    return r | second | third;
  default:
    return r | one;
  }
}

/* Words of which several are equal, among them the ends of both orders. */
static uint32_t some_word(uint64_t *seed, unsigned variety) {
  static const uint32_t edge[8] = {0, 1, ~0u, 0x7fffffffu, 0x80000000u, 0x80000001u, 2, 0xfffffffeu};
  const uint32_t r = rnd32(seed);
  return variety < 8 ? edge[r % (variety + 1)] : r;
}

void warp_try(struct warp *w, warp_reference *ref, unsigned mode, const char *what, unsigned long random) {
  uint64_t seed = 50 + mode;
  for (unsigned long n = 0; n < random; n += 32) {
    w->exec = some_lanes(&seed);
    w->ps0 = some_lanes(&seed);
    if (rnd32(&seed) % 2 != 0) w->ps0 = ~w->ps0;
    const unsigned ten = rnd32(&seed) % 10, variety[2] = {ten, rnd32(&seed) % 3};
    const uint32_t clamp = rnd32(&seed) % 2 != 0 ? ~0u : 0x1f1fu, shared = rnd32(&seed);
    for (unsigned i = 0; i < 32; i++) {
      w->a[0][i] = some_word(&seed, variety[0]);
      w->a[1][i] = some_word(&seed, variety[1]);
      w->b[i] = rnd32(&seed) & clamp;
      w->c[i] = (n % 64 != 0 ? shared : rnd32(&seed)) & clamp;
    }
    w->pd0 = 0;
    memset(w->d, 0, sizeof w->d);
    ref(w, mode);
    warp_run(w, what);
  }
}

struct warp warp_silicon(struct heddle_isa_word word, const char *op, unsigned n) {
  static const char *const inputs[3] = {"i32.0.bin", "i32.1.bin", "i32.2.bin"};
  struct warp w = {.word = word, .exec = ~0u};
  uint32_t *const to[3] = {w.a[0], w.b, w.c};
  uint32_t all[SILICON_COUNT];
  for (unsigned k = 0; k < 3; k++) {
    silicon_read(all, inputs[k]);
    memcpy(to[k], all + n, sizeof w.b);
  }
  char name[64];
  (void)snprintf(name, sizeof name, "%s.gold.bin", op);
  silicon_read(all, name);
  memcpy(w.d, all + n, sizeof w.d);
  return w;
}
