/* SPDX-License-Identifier: Apache-2.0
 * Tests from cycles. First the shapes that have names, in every way of ordering and every place; then drawn ones. */
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "lab/verify/litmus/src/litmus_programs.h"

#define STEPS_MAX 8u

/* What is between an event and the next. The first three lead to another thread. */
enum step { STEP_RFE, STEP_FRE, STEP_COE, STEP_FAR, STEP_NEAR }; /* FAR: po to another location, NEAR: to the same */

/* How program order is enforced, throughout a test. */
enum means {
  MEANS_NONE,
  MEANS_FENCE_CTA,
  MEANS_FENCE_GPU,
  MEANS_ACQ_REL_CTA, /* acquire and release on the accesses, where they have it */
  MEANS_ACQ_REL_GPU,
  MEANS_FENCE_ACQ_REL,
  MEANS_BARRIER,
  MEANS_DEPENDENCY,
  MEANS
};
/* FLAGS: strong at GPU scope where another thread is read from, weak elsewhere. */
enum strength { STRONG_NOT, STRONG_CTA, STRONG_GPU, STRONG_FLAGS, STRENGTHS };
enum placing { PLACE_WARP, PLACE_BLOCK, PLACE_MIXED, PLACE_BLOCKS, PLACES };

struct cycle {
  unsigned steps;
  char kind[STEPS_MAX + 1]; /* of event k: R, W, or A, an atomic */
  uint8_t step[STEPS_MAX];  /* from event k to the next */
  uint8_t means[STEPS_MAX];
  uint8_t strength[STEPS_MAX];
  uint8_t placing, shared; /* shared: bit k of location k */
};

struct shape {
  const char *name, *events, *steps; /* steps: r f c p s */
};

static const struct shape shapes[] = {
    {"MP", "WWRR", "prpf"},      {"SB", "WRWR", "pfpf"},       {"LB", "RWRW", "prpr"},       {"S", "WWRW", "prpc"},
    {"R", "WWWR", "pcpf"},       {"2+2W", "WWWW", "pcpc"},     {"WRC", "WRWRR", "rprpf"},    {"RWC", "WRRWR", "rpfpf"},
    {"WWC", "WRWRW", "rprpc"},   {"ISA2", "WWRWRR", "prprpf"}, {"IRIW", "WRRWRR", "rpfrpf"}, {"Z6", "WWWWRW", "pcprpc"},
    {"3SB", "WRWRWR", "pfpfpf"}, {"3LB", "RWRWRW", "prprpr"},  {"CoRR", "WRR", "rsf"},       {"CoWR", "WRW", "sfc"},
    {"CoRW", "WRW", "rsc"},      {"CoWW", "WWR", "srf"}};
#define SHAPES (sizeof shapes / sizeof *shapes)

struct cycles {
  uint64_t state;
  uint64_t systematic; /* how many of the named ones have been made */
  struct map seen;     /* hashes */
  unsigned number;
};

/* ---- drawing ---- */

static uint64_t draw_below(struct cycles *c, uint64_t below) { /* splitmix64 */
  uint64_t z = c->state += UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
  return (z ^ z >> 31) % below;
}

static uint8_t step_of(char c) {
  return (uint8_t)(strchr("rfcps", c) - "rfcps");
}

static bool external(uint8_t step) {
  return step <= STEP_COE;
}

static unsigned threads_of(const struct cycle *y) {
  unsigned n = 0;
  for (unsigned k = 0; k < y->steps; k++) n += external(y->step[k]);
  return n;
}

static const struct shape *named_cycle(struct cycle *y, uint64_t n) {
  const struct shape *s = &shapes[n / PLACES % SHAPES];
  const uint8_t means = (uint8_t)(n / PLACES / SHAPES % MEANS);
  *y = (struct cycle){.steps = (unsigned)strlen(s->events), .placing = (uint8_t)(n % PLACES)};
  memcpy(y->kind, s->events, y->steps);
  for (unsigned k = 0; k < y->steps; k++) {
    y->step[k] = step_of(s->steps[k]);
    y->means[k] = means;
    y->strength[k] = (uint8_t)(n / PLACES / SHAPES / MEANS % STRENGTHS);
  }
  return s;
}
#define NAMED (SHAPES * MEANS * STRENGTHS * PLACES)
#define NAMED_STRIDE 1319u /* a prime: all of them come, and few are of all kinds */

static bool steps_fit(const struct cycle *y) {
  unsigned far = 0;
  for (unsigned k = 0; k < y->steps; k++) {
    const char a = y->kind[k], b = y->kind[(k + 1) % y->steps];
    far += y->step[k] == STEP_FAR;
    if (y->step[k] == STEP_RFE && (a == 'R' || b == 'W')) return false;
    if (y->step[k] == STEP_FRE && (a == 'W' || b == 'R')) return false;
    if (y->step[k] == STEP_COE && (a == 'R' || b == 'R')) return false;
    if (k != 0 && !external(y->step[k]) && !external(y->step[k - 1]) && y->step[k] == STEP_NEAR) return false;
  }
  const unsigned threads = threads_of(y);
  return external(y->step[y->steps - 1]) && far != 1 && far <= TEST_LOCS && threads >= 2 && threads <= 4;
}

static void drawn(struct cycles *c, struct cycle *y) {
  do {
    *y = (struct cycle){.steps = 3 + (unsigned)draw_below(c, 4)};
    for (unsigned k = 0; k < y->steps; k++) {
      y->kind[k] = "RRRWWWA"[draw_below(c, 7)];
      y->step[k] = (uint8_t)draw_below(c, 10);
      if (y->step[k] > STEP_NEAR) y->step[k] = STEP_FAR;
    }
  } while (!steps_fit(y));
  const uint8_t means = (uint8_t)draw_below(c, MEANS), strength = (uint8_t)draw_below(c, STRENGTHS);
  const bool mixed = draw_below(c, 2) != 0;
  for (unsigned k = 0; k < y->steps; k++) {
    y->means[k] = mixed ? (uint8_t)draw_below(c, MEANS) : means;
    y->strength[k] = mixed ? (uint8_t)draw_below(c, STRENGTHS) : strength;
  }
  y->placing = (uint8_t)draw_below(c, PLACES);
  if (y->placing <= PLACE_BLOCK && draw_below(c, 3) == 0) y->shared = (uint8_t)(1 + draw_below(c, 3));
}

/* ---- from a cycle to a test ---- */

static const uint8_t scope_of[] = {
    [MEANS_FENCE_CTA] = SCOPE_CTA,   [MEANS_ACQ_REL_CTA] = SCOPE_CTA,   [MEANS_FENCE_GPU] = SCOPE_GPU,
    [MEANS_ACQ_REL_GPU] = SCOPE_GPU, [MEANS_FENCE_ACQ_REL] = SCOPE_GPU, [MEANS] = 0};

static struct test_insn plain_insn(uint8_t kind) {
  return (struct test_insn){.kind = kind, .reg = NO_REG, .from = NO_REG, .hangs = NO_REG};
}

static struct test_insn *append_insn(struct test *t, unsigned thread, struct test_insn i) {
  struct test_thread *to = &t->thread[thread];
  to->insn[to->insns] = i;
  return &to->insn[to->insns++];
}

static int8_t new_reg(struct test_thread *t) {
  (void)snprintf(t->reg_name[t->regs], TEST_WORD, "r%u", t->regs);
  return (int8_t)t->regs++;
}

/* Acquire and release where a means asks for them on either side. */
static void order_access(const struct cycle *y, unsigned k, struct test_insn *i) {
  const unsigned before = (k + y->steps - 1) % y->steps;
  const uint8_t in = external(y->step[before]) ? MEANS_NONE : y->means[before],
                out = external(y->step[k]) ? MEANS_NONE : y->means[k];
  const bool reads = i->kind != TEST_STORE, writes = i->kind != TEST_LOAD;
  bool acquires = reads && (out == MEANS_ACQ_REL_CTA || out == MEANS_ACQ_REL_GPU);
  bool releases = writes && (in == MEANS_ACQ_REL_CTA || in == MEANS_ACQ_REL_GPU);
  const bool flag = y->step[k] == STEP_RFE || y->step[before] == STEP_RFE;
  const bool weak = y->strength[k] == STRONG_NOT || (y->strength[k] == STRONG_FLAGS && !flag);
  i->sem = weak ? SEM_WEAK : SEM_RELAXED;
  i->scope = y->strength[k] >= STRONG_GPU && !weak ? SCOPE_GPU : SCOPE_CTA;
  if (i->kind == TEST_ATOM && i->sem == SEM_WEAK) {
    i->sem = SEM_RELAXED;
    i->scope = SCOPE_GPU;
  }
  if (!acquires && !releases) return;
  i->sem = acquires && releases ? SEM_ACQ_REL : acquires ? SEM_ACQUIRE : SEM_RELEASE;
  i->scope = scope_of[acquires ? out : in];
}

/* What stands between event k and the next one of its thread. */
static void between(const struct cycle *y, unsigned k, struct test *t, unsigned thread) {
  struct test_insn i = plain_insn(TEST_FENCE);
  const uint8_t m = y->means[k];
  if (m == MEANS_BARRIER) {
    (void)append_insn(t, thread, plain_insn(TEST_BAR));
  } else if (m == MEANS_FENCE_CTA || m == MEANS_FENCE_GPU || m == MEANS_FENCE_ACQ_REL) {
    i.sem = m == MEANS_FENCE_ACQ_REL ? SEM_ACQ_REL : SEM_SC;
    i.scope = scope_of[m];
    (void)append_insn(t, thread, i);
  }
}

/* Threads of one block come to barriers equally often: those that lack some do so at their end. */
static void even_barriers(struct test *t) {
  unsigned n[TEST_THREADS] = {0};
  for (unsigned k = 0; k < t->threads; k++)
    for (unsigned j = 0; j < t->thread[k].insns; j++) n[k] += t->thread[k].insn[j].kind == TEST_BAR;
  for (unsigned k = 0; k < t->threads; k++)
    for (unsigned j = 0; j < t->threads; j++)
      for (; t->thread[j].cta == t->thread[k].cta && n[k] < n[j]; n[k]++) (void)append_insn(t, k, plain_insn(TEST_BAR));
}

static void place_threads(struct test *t, uint8_t placing) {
  for (unsigned k = 0; k < t->threads; k++) {
    struct test_thread *of = &t->thread[k];
    of->cta = (uint8_t)(placing == PLACE_BLOCKS ? k : placing == PLACE_MIXED && k >= (t->threads + 1u) / 2 ? 1 : 0);
    of->warp = 0;
    for (unsigned j = 0; placing != PLACE_WARP && j < k; j++)
      if (t->thread[j].cta == of->cta) of->warp = (uint8_t)(t->thread[j].warp + 1);
  }
}

static bool build_test(const struct cycle *y, struct test *t) {
  static const char *const loc[] = {"x", "y", "z", "u", "v", "w"};
  unsigned thread = 0, at = 0, far = 0;
  uint32_t value = 0;
  memset(t, 0, sizeof *t);
  if (y->steps > STEPS_MAX) return false; /* there is none; gcc 14 wants to be told */
  t->threads = (uint8_t)threads_of(y);
  for (unsigned k = 0; k < y->steps; k++) far += y->step[k] == STEP_FAR;
  t->locs = (uint8_t)(far == 0 ? 1 : far);
  for (unsigned k = 0; k < t->locs; k++) (void)snprintf(t->loc_name[k], TEST_WORD, "%s", loc[k]);
  for (unsigned k = 0; k < t->locs; k++) t->shared[k] = (y->shared >> k & 1u) != 0;
  for (unsigned k = 0; k < y->steps; k++) {
    struct test_thread *to = &t->thread[thread];
    struct test_insn i = plain_insn(y->kind[k] == 'R' ? TEST_LOAD : y->kind[k] == 'W' ? TEST_STORE : TEST_ATOM);
    const unsigned before = (k + y->steps - 1) % y->steps;
    i.loc = (uint8_t)(at % t->locs);
    if (i.kind != TEST_LOAD) i.value = ++value;
    order_access(y, k, &i);
    if (k != 0 && !external(y->step[before]) && y->means[before] == MEANS_DEPENDENCY && i.kind != TEST_LOAD &&
        y->kind[before] != 'W')
      i.hangs = (int8_t)(to->regs - 1);
    if (i.kind != TEST_STORE) i.reg = new_reg(to);
    (void)append_insn(t, thread, i);
    if (external(y->step[k]))
      thread++;
    else
      between(y, k, t, thread);
    if (y->step[k] == STEP_FAR) at++;
  }
  place_threads(t, y->placing);
  if (y->placing == PLACE_WARP && test_has(t, TEST_BAR)) return false; /* a warp comes to a barrier as a whole */
  even_barriers(t);
  return true;
}

/* ---- what has been there ---- */

static uint64_t mix_into_hash(uint64_t h, uint64_t x) {
  return (h ^ x) * UINT64_C(0x100000001b3);
}

/* Of all but names. */
static uint64_t hash_test(const struct test *t) {
  uint64_t h = mix_into_hash(UINT64_C(0xcbf29ce484222325), t->threads * 256u + t->locs);
  for (unsigned k = 0; k < t->locs; k++) h = mix_into_hash(h, t->shared[k]);
  for (unsigned k = 0; k < t->threads; k++) {
    const struct test_thread *of = &t->thread[k];
    h = mix_into_hash(h, of->cta * 65536u + of->warp * 256u + of->insns);
    for (unsigned j = 0; j < of->insns; j++) {
      const struct test_insn *i = &of->insn[j];
      h = mix_into_hash(h,
                        (uint64_t)i->kind | (uint64_t)i->sem << 4 | (uint64_t)i->scope << 8 | (uint64_t)i->atom << 12);
      h = mix_into_hash(h, i->loc);
      h = mix_into_hash(h, (uint64_t)i->value << 8 | (uint8_t)i->hangs);
    }
  }
  return h;
}

/* A cycle may begin with any of its threads: of these tests the one whose hash is least stands for all. */
static uint64_t hash_of_all(const struct test *t) {
  uint64_t least = UINT64_MAX;
  for (unsigned first = 0; first < t->threads; first++) {
    struct test other = *t;
    uint8_t loc[TEST_LOCS], locs = 0;
    uint32_t value = 0;
    memset(loc, 0xff, sizeof loc);
    for (unsigned k = 0; k < t->threads; k++) other.thread[k] = t->thread[(first + k) % t->threads];
    test_number_ctas(&other);
    for (unsigned k = 0; k < t->threads; k++)
      for (unsigned j = 0; j < other.thread[k].insns; j++) {
        struct test_insn *i = &other.thread[k].insn[j];
        if (!test_accesses(i)) continue;
        if (loc[i->loc] == 0xff) {
          other.shared[locs] = t->shared[i->loc];
          loc[i->loc] = locs++;
        }
        i->loc = loc[i->loc];
        if (i->kind != TEST_LOAD) i->value = ++value;
      }
    const uint64_t h = hash_test(&other);
    if (h < least) least = h;
  }
  return least;
}

static bool is_new(struct cycles *c, uint64_t h, bool *memory) {
  const size_t before = c->seen.used;
  *memory = map_at(&c->seen, h, 0, 0) != NULL;
  return c->seen.used != before;
}

struct cycles *cycles_new(uint64_t seed) {
  struct cycles *c = calloc(1, sizeof *c);
  if (c != NULL) c->state = seed;
  return c;
}

void cycles_free(struct cycles *c) {
  if (c != NULL) free(c->seen.slot);
  free(c);
}

bool cycles_next(struct cycles *c, struct test *t) {
  static const char *const placed[] = {"warp", "block", "mixed", "blocks"};
  bool memory = true;
  for (unsigned tries = 0; tries < 1000000 && memory; tries++) {
    struct cycle y;
    const struct shape *shape = NULL;
    if (c->systematic >= NAMED || draw_below(c, 3) == 0)
      drawn(c, &y);
    else
      shape = named_cycle(&y, c->systematic++ * NAMED_STRIDE % NAMED);
    if (!build_test(&y, t) || !is_new(c, hash_of_all(t), &memory)) continue;
    (void)snprintf(t->name, sizeof t->name, "%04u-%s-%s", c->number++, shape == NULL ? "drawn" : shape->name,
                   placed[y.placing]);
    return true;
  }
  return false;
}

/* Without what no launch keeps: shared memory, and who has come to a barrier. */
bool cycles_part(struct cycles *c, struct test *t) {
  unsigned first = 0, all = 0, at[TEST_THREADS];
  char points[TEST_THREADS + 1] = "";
  if (test_has(t, TEST_BAR)) return false;
  for (unsigned l = 0; l < t->locs; l++)
    if (t->shared[l]) return false;
  while (first == 0 || first == all) {
    first = all = 0;
    for (unsigned k = 0; k < t->threads; k++) {
      if (t->thread[k].insns == TEST_INSNS) return false;
      at[k] = (unsigned)draw_below(c, t->thread[k].insns + 1u);
      points[k] = "0123456789ab"[at[k]];
      first += at[k];
      all += t->thread[k].insns;
    }
  }
  for (unsigned k = 0; k < t->threads; k++) {
    struct test_thread *of = &t->thread[k];
    memmove(&of->insn[at[k] + 1], &of->insn[at[k]], (of->insns - at[k]) * sizeof of->insn[0]);
    of->insn[at[k]] = plain_insn(TEST_LAUNCH);
    of->insns++;
  }
  const size_t n = strlen(t->name);
  (void)snprintf(t->name + n, sizeof t->name - n, "-%s", points);
  return true;
}
