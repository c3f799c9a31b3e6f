/* SPDX-License-Identifier: Apache-2.0
 *
 * Row operations beside rows of values: all lanes, lanes alike, across lanes, on the inputs of tests/silicon/ops.
 */
#include "rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tests/silicon/form_file.h"
#include "tests/test.h"

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

static const uint32_t edge[] = {0,           1,           2,           31,          32,          33,
                                63,          64,          65,          0xffffu,     0x10000u,    0x7fffffffu,
                                0x80000000u, 0x80000001u, 0xfffffffeu, 0xffffffffu, 0x80808080u, 0x7f80ff01u};
#define EDGES (sizeof edge / sizeof edge[0])

uint32_t lanes_operand(uint64_t *seed) {
  const uint32_t r = rnd32(seed);
  switch (rnd32(seed) % 5) {
  case 0:
    return edge[r % EDGES];
  case 1:
    return r % 40;
  case 2:
    return r >> rnd32(seed) % 32;
  case 3:
    return 0u - (r >> rnd32(seed) % 32);
  default:
    return r;
  }
}

static struct lane operands(unsigned long n, uint64_t *seed) {
  struct lane l = {.c1 = lanes_operand(seed)};
  if (n < EDGES * EDGES * EDGES) {
    l.a = edge[n % EDGES];
    l.b = edge[n / EDGES % EDGES];
    l.c = edge[n / EDGES / EDGES];
  } else {
    l.a = lanes_operand(seed);
    l.b = lanes_operand(seed);
    l.c = lanes_operand(seed);
  }
  const uint32_t p = rnd32(seed);
  l.p0 = (p & 1) != 0;
  l.p1 = (p & 2) != 0;
  l.p2 = (p & 4) != 0;
  return l;
}

static void put_lane(struct rows *r, unsigned i, const struct lane *l) {
  r->a[i] = l->a;
  r->b[i] = l->b;
  r->c[0][i] = l->c;
  r->c[1][i] = l->c1;
  r->d[0][i] = (uint32_t)l->d;
  r->d[1][i] = (uint32_t)(l->d >> 32);
  r->ps[0] |= (uint32_t)l->p0 << i;
  r->ps[1] |= (uint32_t)l->p1 << i;
  r->ps[2] |= (uint32_t)l->p2 << i;
  r->pd[0] |= (uint32_t)l->pd0 << i;
  r->pd[1] |= (uint32_t)l->pd1 << i;
}

void lanes_try(const struct lane_case *t, unsigned long random) {
  uint64_t seed = 1000 + t->variant;
  for (unsigned long n = 0; n < EDGES * EDGES * EDGES + random; n += 32) {
    struct rows rows = {.word = t->word, .d_words = t->d_words, .n_pd = t->n_pd};
    for (unsigned i = 0; i < 32; i++) {
      struct lane l = operands(n + i, &seed);
      t->ref(&l, t->variant);
      put_lane(&rows, i, &l);
    }
    rows_check(&rows, t->what);
  }
}

/* The first SILICON_COUNT 32-bit words of ops/NAME. */
static void silicon_read(uint32_t to[SILICON_COUNT], const char *name) {
  char path[512];
  (void)snprintf(path, sizeof path, "%s/ops/%s", SILICON_DIR, name);
  FILE *f = form_file_open(path);
  for (unsigned i = 0; i < SILICON_COUNT; i++) {
    uint8_t byte[4];
    assert_int_equal(fread(byte, sizeof byte, 1, f), 1);
    to[i] = byte[0] | (uint32_t)byte[1] << 8 | (uint32_t)byte[2] << 16 | (uint32_t)byte[3] << 24;
  }
  (void)fclose(f);
}

static uint32_t *operand_row(struct rows *r, char name) {
  return name == 'a' ? r->a : (name == 'b' ? r->b : r->c[name == 'C']);
}

void silicon_rows(const char *op, const char *class, struct heddle_isa_word word, const char *to, bool ps0) {
  static uint32_t in[3][SILICON_COUNT], gold[SILICON_COUNT];
  char name[128];
  for (unsigned slot = 0; to[slot] != '\0'; slot++) {
    (void)snprintf(name, sizeof name, "%s.%u.bin", class, slot);
    silicon_read(in[slot], name);
  }
  (void)snprintf(name, sizeof name, "%s.gold.bin", op);
  silicon_read(gold, name);
  for (unsigned n = 0; n < SILICON_COUNT; n += 32) {
    struct rows rows = {.word = word, .d_words = 1, .ps = {ps0 ? ~0u : 0}};
    for (unsigned slot = 0; to[slot] != '\0'; slot++) memcpy(operand_row(&rows, to[slot]), in[slot] + n, sizeof rows.a);
    memcpy(rows.d[0], gold + n, sizeof rows.d[0]);
    rows_check(&rows, op);
  }
}

bool warp_runs(const struct warp_case *w, int lane) {
  return lane >= 0 && lane < 32 && (w->exec >> lane & 1) != 0;
}

struct room {
  _Alignas(64) uint32_t a[2][32], b[32], c[32], d[32], on[32];
};

/* over: 0, a row of its own; 1 to 4, over a, its upper word, b, c. */
static void run_one(const struct warp_case *w, const struct sem_build *build, unsigned n, unsigned over,
                    const char *what) {
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

void warp_run(const struct warp_case *w, const char *what) {
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

void warp_try(struct warp_case *w, warp_reference *ref, unsigned mode, const char *what, unsigned long random) {
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

struct warp_case warp_silicon(struct heddle_isa_word word, const char *op, unsigned n) {
  static const char *const inputs[3] = {"i32.0.bin", "i32.1.bin", "i32.2.bin"};
  struct warp_case w = {.word = word, .exec = ~0u};
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

#define BOTH(u) (u), ((u) | 0x80000000u)

const uint32_t f32_edges[] = {
    BOTH(0x00000000u), BOTH(0x00000001u), BOTH(0x00000002u), BOTH(0x00400000u), BOTH(0x007ffffeu), BOTH(0x007fffffu),
    BOTH(0x00800000u), BOTH(0x00800001u), BOTH(0x00ffffffu), BOTH(0x01000000u), BOTH(0x20000000u), BOTH(0x1fffffffu),
    BOTH(0x33800000u), BOTH(0x33800001u), BOTH(0x34000000u), BOTH(0x3effffffu), BOTH(0x3f000000u), BOTH(0x3f000001u),
    BOTH(0x3f7fffffu), BOTH(0x3f800000u), BOTH(0x3f800001u), BOTH(0x3fc00000u), BOTH(0x40200000u), BOTH(0x4affffffu),
    BOTH(0x4b000001u), BOTH(0x4effffffu), BOTH(0x4f000000u), BOTH(0x4f7fffffu), BOTH(0x4f800000u), BOTH(0x5f000001u),
    BOTH(0x7effffffu), BOTH(0x7f000000u), BOTH(0x7f7ffffeu), BOTH(0x7f7fffffu), BOTH(0x7f800000u), BOTH(0x7f800001u),
    BOTH(0x7fa12345u), BOTH(0x7fc00000u), BOTH(0x7fffffffu)};
const unsigned f32_edge_count = sizeof f32_edges / sizeof f32_edges[0];

/* Fractions with long runs of ones or zeros, where rounding goes far. */
static uint32_t fraction(uint64_t *s) {
  const uint32_t r = rnd32(s), k = rnd32(s) % 23;
  switch (rnd32(s) % 4) {
  case 0:
    return r & 0x7fffffu;
  case 1:
    return (0x7fffffu << k) & 0x7fffffu;
  case 2:
    return 0x7fffffu >> k;
  default:
    return (1u << k) ^ (r & 1u);
  }
}

static uint32_t clamp_exponent(int e) {
  return (uint32_t)(e < 0 ? 0 : (e > 254 ? 254 : e));
}

static uint32_t value(uint64_t *s, int e) {
  const uint32_t sign = rnd32(s) & 0x80000000u;
  return sign | clamp_exponent(e) << 23 | fraction(s);
}

void f32_random3(uint64_t *s, uint32_t v[3]) {
  const int ea = (int)(rnd32(s) % 255), spread = (int)(rnd32(s) % 61) - 30;
  const unsigned kind = rnd32(s) % 8;
  v[0] = value(s, ea);
  v[1] = value(s, ea + spread);
  v[2] = value(s, ea + (int)(rnd32(s) % 61) - 30);
  if (kind < 4) { /* c near the product */
    const int eb = (int)(rnd32(s) % 255);
    v[1] = value(s, eb);
    v[2] = value(s, ea + eb - 127 + (int)(rnd32(s) % 101) - 50);
  } else if (kind == 4) { /* a + b cancels but for the last places */
    v[1] = (v[0] ^ 0x80000000u) + rnd32(s) % 9 - 4;
  } else if (kind == 5) { /* c is the product, nearly: what is left is its rounding error */
    v[1] = value(s, 127 + (int)(rnd32(s) % 5) - 2);
    float x, y, p;
    __builtin_memcpy(&x, &v[0], 4);
    __builtin_memcpy(&y, &v[1], 4);
    p = -(x * y);
    __builtin_memcpy(&v[2], &p, 4);
    v[2] += rnd32(s) % 3 - 1;
  } else if (kind == 6) {
    for (unsigned k = 0; k < 3; k++) v[k] = rnd32(s);
  } else {
    const uint32_t edge = f32_edges[rnd32(s) % f32_edge_count];
    v[rnd32(s) % 3] = edge;
  }
}

static const uint32_t all_on[SEM_LANES] = {~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u,
                                           ~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u,
                                           ~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u};

bool row_op_get(struct row_op *op, struct heddle_isa_word word, unsigned build) {
  struct heddle_isa_dec dec;
  const struct sem_build *b = sem_build(build);
  if (b == NULL) return false;
  if (!heddle_isa_decode(word, &dec))
    fail_msg("illegal word %016llx:%016llx", (unsigned long long)word.hi, (unsigned long long)word.lo);
  if (b->op[dec.op]->kind != SEM_ROW)
    fail_msg("%s is no row operation", heddle_isa_op_name((enum heddle_isa_op)dec.op));
  *op = (struct row_op){0};
  op->fn = b->op[dec.op]->pick(&dec, &op->par);
  return true;
}

void row_op_run(const struct row_op *op, uint32_t *d, const uint32_t *a, const uint32_t *b, const uint32_t *c) {
  struct sem_io io = {.on = all_on, .exec = ~0u};
  op->fn(d, a, b, c, &io, &op->par);
}

unsigned row_op_best(void) {
  unsigned n = 0;
  while (sem_build(n + 1) != NULL) n++;
  return n;
}
