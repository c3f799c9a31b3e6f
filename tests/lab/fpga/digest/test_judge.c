/* SPDX-License-Identifier: Apache-2.0
 *
 * The judge, without RTL: right launches of a stand-in pass, whatever its schedule, however late results come, however
 * often time is cut; each way of being wrong is found, where it is.
 */
#include <stdlib.h>
#include <string.h>

#include "tests/test.h"
#include "tests/lab/fpga/digest/play.h"
#include "cosim/kit/conform/programs.h"
#include "base/splitmix64.h"

enum { SEEDS = 24, SPOILT = 40 };

static const struct {
  const char *name, *text;
  unsigned blocks, threads;
} programs[] = {{"mix", program_mix, 3, 96},     {"sizes", program_sizes, 2, 64}, {"uniform", program_uniform, 2, 64},
                {"local", program_local, 2, 64}, {"few", program_few, 1, 20},     {"order", play_order, 4, 64}};
enum { PROGRAMS = sizeof programs / sizeof programs[0] };

static void all_pass(void **state) {
  struct played r;
  struct heddle_digest_stats sum = {0};
  (void)state;
  for (unsigned p = 0; p < PROGRAMS; p++)
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
      struct play q;
      play_run(&q, programs[p].text, programs[p].blocks, programs[p].threads, seed);
      play_judge(&q, true, &r);
      if (r.outcome != HEDDLE_DIGEST_PASS)
        fail_msg("%s, seed %llu: %s: %s", programs[p].name, (unsigned long long)seed,
                 heddle_digest_outcome_name(r.outcome), r.message);
      assert_true(r.stats.memory_compared && r.wrongs == 0 && r.stats.windows_right == r.stats.windows);
      sum.windows += r.stats.windows;
      sum.corrections += r.stats.corrections;
      sum.cuts[0] += r.stats.cuts[0];
      sum.cuts[1] += r.stats.cuts[1];
      play_free(&q);
    }
  print_message("%llu windows, %llu corrections, %llu and %llu cuts\n", (unsigned long long)sum.windows,
                (unsigned long long)sum.corrections, (unsigned long long)sum.cuts[0], (unsigned long long)sum.cuts[1]);
  assert_true(sum.corrections > SEEDS && sum.cuts[0] > SEEDS && sum.cuts[1] > SEEDS);
}

/* ---- wrong results ---- */

static bool holds(const struct played *r, uint32_t warp, uint32_t seq) {
  for (size_t i = 0; i < r->wrongs && i < 64; i++)
    if (r->wrong[i].warp == warp && r->wrong[i].window == seq / HEDDLE_DIGEST_WINDOW) return true;
  return false;
}

/* A record of a kind that a digest has, at random; NULL: nothing found. */
static struct heddle_retire_record *victim(struct play *q, uint64_t *rng, size_t *at) {
  for (unsigned tries = 0; tries < 10000; tries++) {
    *at = splitmix64(rng) % q->s.n;
    struct heddle_retire_record *r = &q->s.r[*at];
    if (r->kind == HEDDLE_RECORD_WRITE && r->u.write.mask != 0) return r;
    if (r->kind == HEDDLE_RECORD_PREDICATE || r->kind == HEDDLE_RECORD_UNIFORM_WRITE || r->kind == HEDDLE_RECORD_ISSUE)
      return r;
  }
  return NULL;
}

/* A bit that the digest has. */
static void flip(struct heddle_retire_record *r, uint64_t *rng) {
  const uint32_t bit = UINT32_C(1) << splitmix64(rng) % 32;
  unsigned k = 0;
  switch (r->kind) {
  case HEDDLE_RECORD_WRITE:
    k = (unsigned)__builtin_ctz(r->u.write.mask);
    r->u.write.data[k] ^= bit;
    break;
  case HEDDLE_RECORD_PREDICATE:
    while ((r->u.predicate.used >> k & 1u) == 0 || r->u.predicate.value[k].mask == 0) k++;
    r->u.predicate.value[k].data ^= r->u.predicate.value[k].mask & (0 - r->u.predicate.value[k].mask);
    break;
  case HEDDLE_RECORD_UNIFORM_WRITE:
    if (r->u.uniform_write.used != 0)
      r->u.uniform_write.data[__builtin_ctz(r->u.uniform_write.used)] ^= bit;
    else
      r->u.uniform_write.value ^= (uint8_t)(r->u.uniform_write.pred & (0 - r->u.uniform_write.pred));
    break;
  default:
    if (splitmix64(rng) % 2 != 0)
      r->u.issue.active ^= bit;
    else
      r->u.issue.pc ^= bit;
    break;
  }
}

/* Which warp of its block lives in the record's slot: the stand-in gives slots in ascending order. */
static uint32_t index_of(const struct play *q, size_t at) {
  const unsigned slot = heddle_record_id_of(&q->s.r[at])->slot;
  for (size_t i = at + 1; i-- > 0;) {
    const struct heddle_retire_record *r = &q->s.r[i];
    if (r->kind == HEDDLE_RECORD_BLOCK_START && (r->u.block_start.warps >> slot & 1u) != 0)
      return (uint32_t)__builtin_popcountll(r->u.block_start.warps & ((UINT64_C(1) << slot) - 1));
  }
  return UINT32_MAX;
}

/* A predicate record with nothing in it says nothing. */
static bool says_something(const struct heddle_retire_record *r) {
  if (r->kind != HEDDLE_RECORD_PREDICATE) return true;
  for (unsigned k = 0; k < HEDDLE_RECORD_PREDICATES; k++)
    if ((r->u.predicate.used >> k & 1u) != 0 && r->u.predicate.value[k].mask != 0) return true;
  return false;
}

enum { FLIPPED, DROPPED, TWICE, WAYS };

static void wrong_results(void **state) {
  uint64_t rng = 9;
  struct played r;
  (void)state;
  for (unsigned p = 0; p < PROGRAMS; p++)
    for (unsigned i = 0; i < SPOILT; i++) {
      struct play q;
      size_t at;
      play_run(&q, programs[p].text, programs[p].blocks, programs[p].threads, 1 + i);
      struct heddle_retire_record *v = victim(&q, &rng, &at);
      const unsigned way = v->kind == HEDDLE_RECORD_ISSUE ? FLIPPED : i % WAYS;
      if (says_something(v)) {
        const struct heddle_record_id id = *heddle_record_id_of(v);
        const uint32_t warp = index_of(&q, at);
        if (way == FLIPPED) flip(v, &rng);
        if (way == DROPPED) stream_drop(&q.s, at);
        if (way == TWICE) stream_insert(&q.s, at, v);
        play_tell(&q);
        play_judge(&q, true, &r);
        if (r.outcome != HEDDLE_DIGEST_DIFFERENCE || !holds(&r, warp, id.seq))
          fail_msg("%s, seed %u, way %u: %s, %s: %zu wrong windows", programs[p].name, 1 + i, way,
                   heddle_digest_outcome_name(r.outcome), r.message, r.wrongs);
        assert_true(r.wrongs == 1); /* and no other one: the model goes on rightly */
      }
      play_free(&q);
    }
}

/* ---- wrong order ---- */

/* Cuts that matter are not told; numbers drawn in turn then come in another order. */
static void no_cuts(void **state) {
  struct played r;
  unsigned found = 0;
  (void)state;
  for (uint64_t seed = 1; seed <= SEEDS; seed++) {
    struct play q;
    play_run(&q, play_order, 4, 64, seed);
    q.cfg.never_cuts = true;
    play_tell(&q);
    play_judge(&q, true, &r);
    assert_true(r.outcome == HEDDLE_DIGEST_PASS || r.outcome == HEDDLE_DIGEST_DIFFERENCE);
    found += r.outcome == HEDDLE_DIGEST_DIFFERENCE;
    play_free(&q);
  }
  print_message("%u of %u\n", found, SEEDS);
  assert_true(found == SEEDS);
}

/* Of one cut with marks of two slots: the two take places with the marks of the next. */
static void swapped(void **state) {
  uint64_t rng = 4;
  struct played r;
  unsigned found = 0;
  (void)state;
  for (uint64_t seed = 1; seed <= SEEDS; seed++) {
    struct play q;
    size_t a = 0, b = 0;
    play_run(&q, play_order, 4, 64, 6 * seed); /* no cut that nobody needs, nothing late */
    for (unsigned tries = 0; tries < 10000; tries++) {
      a = splitmix64(&rng) % q.n;
      if (q.e[a].code != HEDDLE_DIGEST_MARK_GLOBAL || q.e[a].more) continue;
      for (b = a + 1; b < q.n && q.e[b].code != HEDDLE_DIGEST_MARK_GLOBAL; b++) {}
      if (b < q.n && !q.e[b].more && q.e[b].slot != q.e[a].slot && (a == 0 || !q.e[a - 1].more)) break;
    }
    if (b >= q.n) continue;
    const struct heddle_digest_entry first = q.e[a];
    q.e[a] = q.e[b];
    q.e[b] = first;
    play_judge(&q, true, &r);
    found += r.outcome == HEDDLE_DIGEST_DIFFERENCE;
    play_free(&q);
  }
  print_message("%u of %u\n", found, SEEDS);
  assert_true(found >= SEEDS * 9 / 10);
}

/* ---- what is told cannot be, or nobody can obey it ---- */

static void lies(void **state) {
  uint64_t rng = 11;
  struct played r;
  unsigned count[HEDDLE_DIGEST_NO_MEMORY + 1] = {0}, waits = 0;
  (void)state;
  for (unsigned i = 0; i < 400; i++) {
    struct play q;
    play_run(&q, i % 2 == 0 ? play_order : program_mix, 2, 64, 1 + i % 12);
    const size_t at = splitmix64(&rng) % q.n;
    struct heddle_digest_entry *e = &q.e[at];
    switch (i % 8) {
    case 0: /* more accesses than there are */
      e->count += 1 + (uint32_t)(splitmix64(&rng) % 3);
      break;
    case 1:
      e->slot = (uint8_t)(splitmix64(&rng) % q.cfg.warps);
      break;
    case 2:
      e->more = !e->more;
      break;
    case 3: /* gone */
      memmove(e, e + 1, (q.n - at - 1) * sizeof *e);
      q.n--;
      break;
    case 4: /* twice */
      memmove(e + 1, e, (q.n - at) * sizeof *e);
      q.n++;
      break;
    case 5: /* any two */
      q.e[q.n] = *e;
      *e = q.e[splitmix64(&rng) % q.n];
      break;
    case 6:
      e->code = (enum heddle_digest_code)(splitmix64(&rng) % HEDDLE_DIGEST_CODES);
      break;
    default:
      e->sum[1] ^= UINT32_C(1) << splitmix64(&rng) % 32;
      break;
    }
    play_judge(&q, true, &r);
    count[r.outcome]++;
    waits += r.waits;
    if (r.outcome == HEDDLE_DIGEST_DIFFERENCE) assert_true(r.message[0] != '\0');
    play_free(&q);
  }
  print_message("%u pass, %u differ, %u say who waits\n", count[HEDDLE_DIGEST_PASS], count[HEDDLE_DIGEST_DIFFERENCE],
                waits);
  assert_true(count[HEDDLE_DIGEST_DIFFERENCE] >= 200 && waits >= 20);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(all_pass), cmocka_unit_test(wrong_results),
                                     cmocka_unit_test(no_cuts), cmocka_unit_test(swapped), cmocka_unit_test(lies)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
