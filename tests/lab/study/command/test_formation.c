/* SPDX-License-Identifier: Apache-2.0
 *
 * Streams and graphs written by hand: where ways meet, warp formation, block compaction.
 */
#include <stdlib.h>
#include <string.h>
#include "base/array.h"
#include "tests/test.h"
#include "lab/study/divergence/streams.h"

/* Streams written by hand. */

#define ALL UINT32_MAX
#define QUARTER(k) (UINT32_C(0xff) << 8 * (k))
#define LOW UINT32_C(0x0000ffff)
#define HIGH UINT32_C(0xffff0000)

static struct code_word word_of(char kind) {
  struct code_word w = {.kind = CODE_PLAIN, .step = 1, .target = CODE_NONE, .meet = CODE_NONE};
  if (kind == 'x') w.kind = CODE_EXIT;
  if (kind == 'i') w.kind = CODE_INDIRECT;
  if (kind == 'b' || kind == 'c') w.kind = CODE_BARRIER, w.x = (uint8_t)(kind - 'b');
  if (kind >= 'A' && kind <= 'Z') w.kind = CODE_BRANCH, w.guarded = true, w.target = (uint32_t)(kind - 'A');
  if (kind >= 'k' && kind <= 'u') w.kind = CODE_BRANCH, w.target = (uint32_t)(kind - 'k');
  return w;
}

/* One character a word: '.' plain, 'x' exit, 'b' barrier 0, 'c' barrier 1, 'i' indirect; a capital letter branches to
 * that word under a guard, a small letter from 'k' to 'u' to word letter - 'k' without. */
static struct streams hand_code(const char *kinds) {
  struct streams s = {.code.words = (uint32_t)strlen(kinds)};
  s.code.at = calloc(s.code.words + 1, sizeof *s.code.at);
  assert_non_null(s.code.at);
  for (uint32_t w = 0; w < s.code.words; w++) s.code.at[w] = word_of(kinds[w]);
  assert_true(code_find_meets(&s.code));
  return s;
}

/* One more block of so many whole warps. */
static void hand_block(struct streams *s, unsigned warps) {
  assert_true(array_room(&s->block, &s->room, s->blocks + 1, sizeof *s->block));
  struct block_stream *b = &s->block[s->blocks++];
  *b = (struct block_stream){warps, calloc(warps, sizeof *b->warp)};
  assert_non_null(b->warp);
}

static void put(struct thread_stream *t, uint32_t word, bool executes) {
  assert_true(array_room(&t->at, &t->room, t->n + 1, sizeof *t->at));
  t->at[t->n++] = word << 1 | executes;
}

/* The threads `lanes` of a warp of the last block go through these words. Each executes every one of them, but for a
 * branch from which it goes to the next word. */
static void hand_threads(struct streams *s, unsigned warp, uint32_t lanes, const char *way) {
  struct warp_stream *w = &s->block[s->blocks - 1].warp[warp];
  assert_int_equal(w->lanes & lanes, 0);
  w->lanes |= lanes;
  for (unsigned l = 0; l < LANES; l++)
    for (const char *at = way; *at != '\0' && (lanes >> l & 1) != 0; at++) {
      const struct code_word *c = &s->code.at[*at - 'A'];
      put(&w->t[l], (uint32_t)(*at - 'A'), c->kind != CODE_BRANCH || c->target == (uint32_t)(at[1] - 'A'));
    }
}

/* Where ways meet again, on graphs written by hand. */

static void meets(const char *kinds, const char *want) {
  struct streams s = hand_code(kinds);
  for (uint32_t w = 0; w < s.code.words; w++) {
    const uint32_t m = want[w] == '-' ? CODE_NONE : (uint32_t)(want[w] - 'A');
    if (s.code.at[w].meet != m) fail_msg("%s: word %c meets at %u, not %u", kinds, 'A' + w, s.code.at[w].meet, m);
  }
  streams_free(&s);
}

/* Two arms; the inner ones within. Straight code meets at the next word. */
static void arms(void **state) {
  (void)state;
  meets("Cn.x", "DDD-");
  meets("FDo.q.x", "GEEEGG-");
}

/* A loop is left at one place, however it turns: at B; or by a branch in its middle (B to D) as well as at its end. */
static void loops(void **state) {
  (void)state;
  meets("Ax", "B-");
  meets(".DAx", "BDD-");
}

/* A to C or B, and B ends: A meets nothing before the end. Under a guard (here: a branch over the end) likewise. */
static void ends(void **state) {
  (void)state;
  meets("Cx.x", "--D-");
}

/* B goes round for ever and meets nothing; A, which may go there, meets D where it does not. C goes to A. */
static void no_end(void **state) {
  (void)state;
  meets("Dlkx", "D-A-");
}

/* A way that was seen: B and C both lead to D. Until one was seen, nobody knows. */
static void indirect(void **state) {
  (void)state;
  struct streams s = hand_code("inn.x");
  assert_int_equal(s.code.at[0].meet, CODE_NONE);
  assert_true(code_saw(&s.code, 0, 1));
  assert_true(code_saw(&s.code, 0, 2));
  assert_true(code_saw(&s.code, 0, 2));
  assert_int_equal(s.code.ways, 2);
  assert_true(code_find_meets(&s.code));
  assert_int_equal(s.code.at[0].meet, 3);
  streams_free(&s);
}

/* Warp formation and block compaction on streams written by hand; how many slots, worked out beside each. */

static struct slots formed(const struct streams *s, enum policy policy, bool lanes, unsigned warps) {
  const struct formation f = {policy, warps, lanes, false};
  struct replay_why why = {{0}};
  struct slots t;
  if (!replay_formation(s, &f, &t, &why)) fail_msg("%s", why.text);
  assert_int_equal(t.lanes, streams_work(s).all);
  return t;
}

static struct slots compacted(const struct streams *s, uint64_t *apart) {
  struct replay_why why;
  struct slots t;
  assert_true(replay_compaction(s, &t, apart, &why));
  assert_int_equal(t.lanes, streams_work(s).all);
  return t;
}

/* Two warps x and y, their lanes in quarters 0 to 3. A parts into B and F, B into C and D; those meet at E, all at G.
 *        A        B      C    D      E      F      G
 *   x    0123     012    0    12     012    3      0123
 *   y    0123     23     2    3      23     01     0123
 * Warp by warp with reconvergence that is 2 slots a word, 14. */
static struct streams nested(void) {
  struct streams s = hand_code("FDo.q.x");
  hand_block(&s, 2);
  hand_threads(&s, 0, QUARTER(0), "ABCEG");
  hand_threads(&s, 0, QUARTER(1) | QUARTER(2), "ABDEG");
  hand_threads(&s, 0, QUARTER(3), "AFG");
  hand_threads(&s, 1, QUARTER(0) | QUARTER(1), "AFG");
  hand_threads(&s, 1, QUARTER(2), "ABCEG");
  hand_threads(&s, 1, QUARTER(3), "ABDEG");
  return s;
}

/* The lowest word first: nobody overtakes, so threads meet at E and G as with a stack.
 * Own lanes: A 2; B x012+y3, y2: 2; C x0+y2: 1; D x12+y3: 1; E x0+y2 is joined by x1+y3, x2 is left: 2; F 1;
 *   G x01+y23, then x2, which is joined by x3+y01: 2. In all 11.
 * Any lanes: A 2; B 40 threads: 2; C 16: 1; D 24: 1; E 40: 2; F 24: 1; G 64: 2. In all 11. */
static void lowest_word_first(void **state) {
  (void)state;
  struct streams s = nested();
  assert_int_equal(formed(&s, POLICY_PC, true, 16).issues, 11);
  assert_int_equal(formed(&s, POLICY_PC, false, 16).issues, 11);
  streams_free(&s);
}

/* Where most threads wait. A 2, B 2 as above. Then C has 16, D and F 24: D (the lower word), 1. E has 24: 1. F, as
 * many as G: 1. Own lanes: G x12+y3 is joined by y0, x3+y1 are new: 48 threads in 2. Only now C 1, E 1, G 1: those of C
 * were overtaken. In all 12; any lanes: G has 24 + 24 in 2, the same. */
static void most_threads_first(void **state) {
  (void)state;
  struct streams s = nested();
  assert_int_equal(formed(&s, POLICY_MAJORITY, true, 16).issues, 12);
  assert_int_equal(formed(&s, POLICY_MAJORITY, false, 16).issues, 12);
  streams_free(&s);
}

/* A 2. B: quarters 0 1 2 of x, 2 3 of y; quarter 2 twice: 2. C 1, D 1. E as B: 2. F: 3 of x, 0 1 of y: 1. G 2. */
static void compaction_packs_each_entry(void **state) {
  (void)state;
  uint64_t apart;
  struct streams s = nested();
  assert_int_equal(compacted(&s, &apart).issues, 11);
  assert_int_equal(apart, 0);
  streams_free(&s);
}

/* Both warps part at the same lanes: low ones to B, high ones to C, all meet at D.
 * Any lanes: A 2, B 32 threads: 1, C 1, D 2. In all 6.
 * Own lanes: A 2; B xl, yl cannot join: 2; D then has xl and, newer, yl. C (the lower word of as many) xh, yh: 2; xh
 *   joins yl at D, yh finds xh in its lanes there: D xl, yl+xh, yh: 3. In all 9: one more than warp by warp (8).
 * The same, but threads join whichever warp at D has room: xh joins xl, yh joins yl: D 2, in all 8.
 * Compaction: every lane twice everywhere: 8. */
static void lanes_that_conflict(void **state) {
  (void)state;
  const struct formation any = {POLICY_MAJORITY, 16, true, true};
  struct replay_why why;
  struct slots t;
  uint64_t apart;
  struct streams s = hand_code("Cn.x");
  hand_block(&s, 2);
  for (unsigned w = 0; w < 2; w++) {
    hand_threads(&s, w, LOW, "ABD");
    hand_threads(&s, w, HIGH, "ACD");
  }
  assert_int_equal(formed(&s, POLICY_MAJORITY, false, 16).issues, 6);
  assert_int_equal(formed(&s, POLICY_MAJORITY, true, 16).issues, 9);
  assert_true(replay_formation(&s, &any, &t, &why));
  assert_int_equal(t.issues, 8);
  assert_int_equal(compacted(&s, &apart).issues, 8);
  streams_free(&s);
}

/* Two blocks of a warp; in the first low lanes go to B, in the second high ones.
 * Both in the pool: A 2; B xl+yh 1; C xh+yl 1; D xl+yh, xh+yl: 2. In all 6. One after the other: A, B, C, D (xl
 * is joined by xh): 4 each, 8. Compaction knows blocks alone: 8. */
static void the_pool_holds_blocks(void **state) {
  (void)state;
  uint64_t apart;
  struct streams s = hand_code("Cn.x");
  for (unsigned b = 0; b < 2; b++) {
    hand_block(&s, 1);
    hand_threads(&s, 0, b == 0 ? LOW : HIGH, "ABD");
    hand_threads(&s, 0, b == 0 ? HIGH : LOW, "ACD");
  }
  assert_int_equal(formed(&s, POLICY_MAJORITY, true, 2).issues, 6);
  assert_int_equal(formed(&s, POLICY_MAJORITY, true, 1).issues, 8);
  assert_int_equal(compacted(&s, &apart).issues, 8);
  streams_free(&s);
}

/* A loop of A (its body and its end): lane quarter k of warp x goes round k + 1 times, of warp y 4 - k times; B ends.
 * Compaction: round 1 every quarter twice: 2. Round 2: x 1 2 3, y 0 1 2: 2. Round 3: x 2 3, y 0 1: 1.
 * Round 4: x 3, y 0: 1. B: 2. In all 8; warp by warp 4 + 1 each: 10. */
static void rounds_of_a_loop(void **state) {
  (void)state;
  uint64_t apart;
  struct streams s = hand_code("Ax");
  hand_block(&s, 2);
  for (unsigned k = 0; k < 4; k++) {
    hand_threads(&s, 0, QUARTER(k), &"AAAAB"[3 - k]);
    hand_threads(&s, 1, QUARTER(k), &"AAAAB"[k]);
  }
  assert_int_equal(compacted(&s, &apart).issues, 8);
  streams_free(&s);
}

/* A barrier at C, which low lanes of both warps reach by B and high ones at once. Code: A branches to C or goes to B,
 * which goes on to C; behind the barrier D is the end.
 * Any lanes: A 2, B xl+yl 1 (of as many the lower word), C xh+yh and xl+yl 2. Then all have come, and go on as the
 * warps that they are by number: D 2. In all 7. */
static void a_barrier_gathers(void **state) {
  (void)state;
  uint64_t apart;
  struct streams s = hand_code("C.bx");
  hand_block(&s, 2);
  for (unsigned w = 0; w < 2; w++) {
    hand_threads(&s, w, LOW, "ABCD");
    hand_threads(&s, w, HIGH, "ACD");
  }
  assert_int_equal(formed(&s, POLICY_MAJORITY, false, 16).issues, 7);
  compacted(&s, &apart);
  assert_int_equal(apart, 0); /* all meet at C */
  streams_free(&s);
}

/* Low lanes come to a barrier in their arm, while compaction holds the high ones back: it is counted. */
static void a_barrier_in_an_arm(void **state) {
  (void)state;
  uint64_t apart;
  struct streams s = hand_code("Dbo.bx"); /* A: to D, or B (barrier), C (to E); D; E (barrier); F */
  hand_block(&s, 1);
  hand_threads(&s, 0, LOW, "ABCEF");
  hand_threads(&s, 0, HIGH, "ADEF");
  compacted(&s, &apart);
  assert_int_equal(apart, 1); /* B, without the high lanes; at E all have met */
  streams_free(&s);
}

/* Threads of one block that wait at two barriers at once. */
static void what_is_not_modelled(void **state) {
  (void)state;
  const struct formation f = {POLICY_MAJORITY, 16, true, false};
  struct replay_why why = {{0}};
  struct slots t;
  struct streams s = hand_code("Dbnccx"); /* A: to D (barrier 1), or B (barrier 0), C (to D) */
  hand_block(&s, 1);
  hand_threads(&s, 0, LOW, "ABCDEF");
  hand_threads(&s, 0, HIGH, "ADEF");
  assert_false(replay_formation(&s, &f, &t, &why));
  assert_string_equal(why.text, "formation: block 0 waits at barriers 0 and 1 at once, which is not modelled");
  streams_free(&s);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(arms),
                                     cmocka_unit_test(loops),
                                     cmocka_unit_test(ends),
                                     cmocka_unit_test(no_end),
                                     cmocka_unit_test(indirect),
                                     cmocka_unit_test(lowest_word_first),
                                     cmocka_unit_test(most_threads_first),
                                     cmocka_unit_test(lanes_that_conflict),
                                     cmocka_unit_test(compaction_packs_each_entry),
                                     cmocka_unit_test(the_pool_holds_blocks),
                                     cmocka_unit_test(rounds_of_a_loop),
                                     cmocka_unit_test(a_barrier_gathers),
                                     cmocka_unit_test(a_barrier_in_an_arm),
                                     cmocka_unit_test(what_is_not_modelled)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
