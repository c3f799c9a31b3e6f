/* SPDX-License-Identifier: Apache-2.0
 *
 * VOTE, ACTIVEMASK, MATCH, REDUX, R2UR against references that go from lane to
 * lane, and what an H200 returned.
 */
#include "tests/test.h"
#include "tests/cmodel/silicon_rows.h"
#include "tests/cmodel/warps.h"
#include "tests/cmodel/words.h"

static unsigned long random_cases;

/* ---- VOTE, ACTIVEMASK ---- */

static const uint64_t vote_modes[3] = {ISA_VOTE_ALL, ISA_VOTE_ANY, ISA_VOTE_EQ};

static void ref_vote(struct warp *w, unsigned mode) {
  unsigned yes = 0, no = 0;
  uint32_t v = 0;
  for (int i = 0; i < 32; i++) {
    if (!warp_runs(w, i)) continue;
    const bool p = (w->ps0 >> i & 1) != 0;
    yes += p;
    no += !p;
    v |= p ? 1u << i : 0;
  }
  const bool verdict[3] = {no == 0, yes != 0, no == 0 || yes == 0};
  w->pd0 = verdict[mode] ? ~0u : 0;
  for (int i = 0; i < 32; i++) w->d[i] = v;
}

static void vote(void **state) {
  (void)state;
  for (unsigned m = 0; m < 3; m++) {
    struct warp w = {.word = WORD(ISA_ENC_VOTE_D, ISA_F_VOTE, vote_modes[m], ISA_F_PD0, 1), .has_pd = true};
    warp_try(&w, ref_vote, m, "VOTE", random_cases);
    w.word = WORD(ISA_ENC_VOTEU_UPS, ISA_F_VOTE, vote_modes[m], ISA_F_UPD0, 1, ISA_F_URD, 4);
    w.uniform_result = true;
    warp_try(&w, ref_vote, m, "VOTEU", random_cases);
  }
}

static void ref_activemask(struct warp *w, unsigned mode) {
  (void)mode;
  for (int i = 0; i < 32; i++) w->d[i] = w->exec;
}

static void activemask(void **state) {
  (void)state;
  struct warp w = {.word = WORD(ISA_ENC_ACTIVEMASK_D, ISA_F_RD, 1)};
  warp_try(&w, ref_activemask, 0, "ACTIVEMASK", random_cases);
}

/* ---- MATCH ---- */

/* mode: 1, .ALL; 2, .U64 */
static bool same(const struct warp *w, int i, int k, unsigned mode) {
  return w->a[0][i] == w->a[0][k] && ((mode & 2) == 0 || w->a[1][i] == w->a[1][k]);
}

static void ref_match(struct warp *w, unsigned mode) {
  bool all = true;
  for (int i = 0; i < 32; i++)
    for (int k = 0; k < 32; k++) {
      if (!warp_runs(w, i) || !warp_runs(w, k)) continue;
      if (same(w, i, k, mode))
        w->d[i] |= 1u << k;
      else
        all = false;
    }
  w->pd0 = ~0u;
  if ((mode & 1) == 0) return;
  for (int i = 0; i < 32; i++) w->d[i] = all ? w->exec : 0;
  w->pd0 = all ? ~0u : 0;
}

static struct heddle_isa_word match_word(unsigned mode) {
  return WORD(ISA_ENC_MATCH_A, ISA_F_MATCH, (mode & 1) != 0 ? ISA_MATCH_ALL : ISA_MATCH_ANY, ISA_F_M64,
              (mode & 2) != 0 ? ISA_M64_U64 : ISA_M64_U32, ISA_F_PD0, 1);
}

static void match(void **state) {
  (void)state;
  for (unsigned mode = 0; mode < 4; mode++) {
    struct warp w = {.word = match_word(mode), .has_pd = true};
    warp_try(&w, ref_match, mode, "MATCH", random_cases);
  }
}

/* ---- REDUX, R2UR ---- */

static const uint64_t redux_ops[6] = {ISA_REDUX_SUM, ISA_REDUX_MIN, ISA_REDUX_MAX,
                                      ISA_REDUX_AND, ISA_REDUX_OR,  ISA_REDUX_XOR};

/* mode: operation + 8 * unsigned */
static void ref_redux(struct warp *w, unsigned mode) {
  bool first = true;
  int64_t r = 0;
  for (int i = 0; i < 32; i++) {
    if (!warp_runs(w, i)) continue;
    const int64_t x = (mode & 8) != 0 ? (int64_t)w->a[0][i] : (int32_t)w->a[0][i];
    const int64_t step[6] = {r + x, x < r ? x : r, x > r ? x : r, r & x, r | x, r ^ x};
    r = first ? x : step[mode % 8];
    first = false;
  }
  for (int i = 0; i < 32; i++) w->d[i] = (uint32_t)r;
}

static struct heddle_isa_word redux_word(unsigned mode) {
  return WORD(ISA_ENC_REDUX_URA, ISA_F_URD, 3, ISA_F_REDUX, redux_ops[mode % 8], ISA_F_SIGN,
              (mode & 8) != 0 ? ISA_SIGN_U32 : ISA_SIGN_S32);
}

static void redux(void **state) {
  (void)state;
  for (unsigned mode = 0; mode < 14; mode++) {
    if (mode % 8 > 5) continue;
    struct warp w = {.word = redux_word(mode), .uniform_result = true};
    warp_try(&w, ref_redux, mode, "REDUX", random_cases);
  }
}

static void ref_r2ur(struct warp *w, unsigned mode) {
  (void)mode;
  int lane = 0;
  while (!warp_runs(w, lane)) lane++;
  for (int i = 0; i < 32; i++) w->d[i] = w->a[0][lane];
}

static void r2ur(void **state) {
  (void)state;
  struct warp w = {.word = WORD(ISA_ENC_R2UR_URA, ISA_F_URD, 3), .uniform_result = true};
  warp_try(&w, ref_r2ur, 0, "R2UR", random_cases);
}

/* ---- silicon ---- */

static void silicon_vote(void **state) {
  (void)state;
  static const char *const op[4] = {"vote.sync.all.pred", "vote.sync.any.pred", "vote.sync.uni.pred",
                                    "vote.sync.ballot.b32"};
  for (unsigned m = 0; m < 4; m++) {
    for (unsigned n = 0; n < SILICON_COUNT; n += 32) {
      struct warp w = warp_silicon(WORD(ISA_ENC_VOTE_D, ISA_F_VOTE, vote_modes[m % 3], ISA_F_PD0, 1), op[m], n);
      for (unsigned i = 0; i < 32; i++) w.ps0 |= (w.a[0][i] < w.b[i] ? 1u : 0) << i;
      w.has_pd = m < 3;
      w.pd0 = w.d[0] != 0 ? ~0u : 0;
      for (unsigned i = 0; i < 32 && m < 3; i++) w.d[i] = w.ps0;
      warp_run(&w, op[m]);
    }
  }
}

static void silicon_match(void **state) {
  (void)state;
  static const char *const op[2] = {"match.any.sync.b32", "match.all.sync.b32"};
  for (unsigned all = 0; all < 2; all++) {
    for (unsigned n = 0; n < SILICON_COUNT; n += 32) {
      struct warp w = warp_silicon(match_word(all), op[all], n);
      for (unsigned i = 0; i < 32; i++) w.a[0][i] &= all != 0 ? 1u : 7u;
      warp_run(&w, op[all]);
    }
  }
}

static void silicon_redux(void **state) {
  (void)state;
  static const struct {
    const char *op;
    unsigned mode;
  } form[9] = {{"redux.sync.add.s32", 0}, {"redux.sync.add.u32", 8}, {"redux.sync.min.s32", 1},
               {"redux.sync.min.u32", 9}, {"redux.sync.max.s32", 2}, {"redux.sync.max.u32", 10},
               {"redux.sync.and.b32", 3}, {"redux.sync.or.b32", 4},  {"redux.sync.xor.b32", 5}};
  for (unsigned f = 0; f < 9; f++) {
    for (unsigned n = 0; n < SILICON_COUNT; n += 32) {
      struct warp w = warp_silicon(redux_word(form[f].mode), form[f].op, n);
      w.uniform_result = true;
      warp_run(&w, form[f].op);
    }
  }
}

int TEST_MAIN(int argc, char **argv) {
  random_cases = case_count(argc, argv, 100000);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(vote),          cmocka_unit_test(activemask),    cmocka_unit_test(match),
      cmocka_unit_test(redux),         cmocka_unit_test(r2ur),          cmocka_unit_test(silicon_vote),
      cmocka_unit_test(silicon_match), cmocka_unit_test(silicon_redux),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
