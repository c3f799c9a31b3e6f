/* SPDX-License-Identifier: Apache-2.0
 *
 * VOTE, ACTIVEMASK, MATCH, REDUX, R2UR, SHFL, predicates as bits: references that go from lane to lane, and what an
 * H200 returned.
 */
#include <string.h>

#include <heddle/isa_tables.h>
#include "tests/cmodel/rows.h"
#include "tests/cmodel/words.h"
#include "tests/test.h"

static unsigned long random_cases;

/* ---- VOTE, ACTIVEMASK ---- */

static const uint64_t vote_modes[3] = {ISA_VOTE_ALL, ISA_VOTE_ANY, ISA_VOTE_EQ};

static void ref_vote(struct warp_case *w, unsigned mode) {
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
    struct warp_case w = {.word = WORD(ISA_ENC_VOTE_D, ISA_F_VOTE, vote_modes[m], ISA_F_PD0, 1), .has_pd = true};
    warp_try(&w, ref_vote, m, "VOTE", random_cases);
    w.word = WORD(ISA_ENC_VOTEU_UPS, ISA_F_VOTE, vote_modes[m], ISA_F_UPD0, 1, ISA_F_URD, 4);
    w.uniform_result = true;
    warp_try(&w, ref_vote, m, "VOTEU", random_cases);
  }
}

static void ref_activemask(struct warp_case *w, unsigned mode) {
  (void)mode;
  for (int i = 0; i < 32; i++) w->d[i] = w->exec;
}

static void activemask(void **state) {
  (void)state;
  struct warp_case w = {.word = WORD(ISA_ENC_ACTIVEMASK_D, ISA_F_RD, 1)};
  warp_try(&w, ref_activemask, 0, "ACTIVEMASK", random_cases);
}

/* ---- MATCH ---- */

/* mode: 1, .ALL; 2, .U64 */
static bool same(const struct warp_case *w, int i, int k, unsigned mode) {
  return w->a[0][i] == w->a[0][k] && ((mode & 2) == 0 || w->a[1][i] == w->a[1][k]);
}

static void ref_match(struct warp_case *w, unsigned mode) {
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
    struct warp_case w = {.word = match_word(mode), .has_pd = true};
    warp_try(&w, ref_match, mode, "MATCH", random_cases);
  }
}

/* ---- REDUX, R2UR ---- */

static const uint64_t redux_ops[6] = {ISA_REDUX_SUM, ISA_REDUX_MIN, ISA_REDUX_MAX,
                                      ISA_REDUX_AND, ISA_REDUX_OR,  ISA_REDUX_XOR};

/* mode: operation + 8 * unsigned */
static void ref_redux(struct warp_case *w, unsigned mode) {
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
    struct warp_case w = {.word = redux_word(mode), .uniform_result = true};
    warp_try(&w, ref_redux, mode, "REDUX", random_cases);
  }
}

static void ref_r2ur(struct warp_case *w, unsigned mode) {
  (void)mode;
  int lane = 0;
  while (!warp_runs(w, lane)) lane++;
  for (int i = 0; i < 32; i++) w->d[i] = w->a[0][lane];
}

static void r2ur(void **state) {
  (void)state;
  struct warp_case w = {.word = WORD(ISA_ENC_R2UR_URA, ISA_F_URD, 3), .uniform_result = true};
  warp_try(&w, ref_r2ur, 0, "R2UR", random_cases);
}

/* ---- silicon ---- */

static void silicon_vote(void **state) {
  (void)state;
  static const char *const op[4] = {"vote.sync.all.pred", "vote.sync.any.pred", "vote.sync.uni.pred",
                                    "vote.sync.ballot.b32"};
  for (unsigned m = 0; m < 4; m++) {
    for (unsigned n = 0; n < SILICON_COUNT; n += 32) {
      struct warp_case w = warp_silicon(WORD(ISA_ENC_VOTE_D, ISA_F_VOTE, vote_modes[m % 3], ISA_F_PD0, 1), op[m], n);
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
      struct warp_case w = warp_silicon(match_word(all), op[all], n);
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
      struct warp_case w = warp_silicon(redux_word(form[f].mode), form[f].op, n);
      w.uniform_result = true;
      warp_run(&w, form[f].op);
    }
  }
}

/* SHFL against a reference that goes from lane to lane, and what an H200
 * returned. */

static const uint64_t shfl_modes[4] = {ISA_SHFL_UP, ISA_SHFL_DOWN, ISA_SHFL_BFLY, ISA_SHFL_IDX};

/* The segment is bit by bit the lane's own where the mask is one; the bound takes the clamp's bits where it is zero. */
static int bound(int lane, uint32_t c) {
  int r = 0;
  for (int k = 0; k < 5; k++) {
    const bool keep = (c >> (8 + k) & 1) != 0;
    const bool bit = keep ? (lane >> k & 1) != 0 : (c >> k & 1) != 0;
    r |= bit ? 1 << k : 0;
  }
  return r;
}

static void ref_shfl(struct warp_case *w, unsigned mode) {
  for (int lane = 0; lane < 32; lane++) {
    const int distance = (int)(w->b[lane] % 32), end = bound(lane, w->c[lane]);
    const int first = bound(lane, w->c[lane] & ~31u), sum = first + (distance & ~(int)(w->c[lane] >> 8 & 31));
    const int from[4] = {lane - distance, lane + distance, lane ^ distance, sum};
    const bool in_range = mode == 0 ? from[0] >= end : from[mode] <= end;
    const int source = in_range ? from[mode] : lane;
    w->d[lane] = w->a[0][warp_runs(w, source) ? source : lane];
    if (in_range && warp_runs(w, source)) w->pd0 |= 1u << lane;
  }
}

static struct heddle_isa_word shfl_word(unsigned mode) {
  return WORD(ISA_ENC_SHFL_SRR, ISA_F_SHFL, shfl_modes[mode], ISA_F_PD0, 1);
}

static void shfl(void **state) {
  (void)state;
  for (unsigned m = 0; m < 4; m++) {
    struct warp_case w = {.word = shfl_word(m), .has_pd = true};
    warp_try(&w, ref_shfl, m, "SHFL", random_cases);
  }
}

/* The PTX form flips bit 31 of the result where the predicate is true. The reference must agree with it, and the model
 * with the reference. */
static void silicon(void **state) {
  (void)state;
  static const char *const op[4] = {"shfl.sync.up.b32", "shfl.sync.down.b32", "shfl.sync.bfly.b32",
                                    "shfl.sync.idx.b32"};
  for (unsigned m = 0; m < 4; m++)
    for (unsigned n = 0; n < SILICON_COUNT; n += 32) {
      struct warp_case w = warp_silicon(shfl_word(m), op[m], n);
      uint32_t gold[32];
      memcpy(gold, w.d, sizeof gold);
      w.has_pd = true;
      ref_shfl(&w, m);
      for (unsigned i = 0; i < 32; i++) assert_int_equal(w.d[i] ^ (w.pd0 >> i & 1) << 31, gold[i]);
      warp_run(&w, op[m]);
    }
}

/* P2R and R2P, bit by bit; UP2P; and what the definitions of predicate,
 * integer and warp-wide operations tell the machine. */

struct preds {
  _Alignas(64) uint32_t a[32], b[32], d[32], on[32];
  uint32_t p[7], exec;
};

static void fill(struct preds *x, uint64_t *seed) {
  x->exec = ~0u;
  if (rnd32(seed) % 3 != 0) {
    x->exec = rnd32(seed);
    x->exec |= 1u << rnd32(seed) % 32;
  }
  for (unsigned i = 0; i < 32; i++) {
    x->a[i] = rnd32(seed);
    x->b[i] = rnd32(seed) % 4 == 0 ? 0x7fu : lanes_operand(seed);
    x->d[i] = rnd32(seed);
    x->on[i] = (x->exec >> i & 1) != 0 ? ~0u : 0;
  }
  for (unsigned k = 0; k < 7; k++) x->p[k] = rnd32(seed);
}

static void run(struct heddle_isa_word word, const struct sem_build *build, uint32_t *d, const struct preds *x,
                struct sem_io *io) {
  struct heddle_isa_dec dec;
  assert_true(heddle_isa_decode(word, &dec));
  struct sem_par par = {0};
  assert_true(build->op[dec.op]->all_preds);
  build->op[dec.op]->pick(&dec, &par)(d, x->a, x->b, NULL, io, &par);
}

/* P2R, the result in a row of its own, over a, or over b. */
static void p2r(void **state) {
  (void)state;
  uint64_t seed = 11;
  for (unsigned long n = 0; n < random_cases; n += 32) {
    const struct sem_build *build = sem_build(n / 32 % 4);
    if (build == NULL) continue;
    struct preds x;
    fill(&x, &seed);
    uint32_t *const places[3] = {x.d, x.a, x.b}, *const d = places[rnd32(&seed) % 3];
    uint32_t want[32], kept[7];
    memcpy(want, d, sizeof want);
    memcpy(kept, x.p, sizeof kept);
    for (unsigned i = 0; i < 32; i++)
      for (unsigned k = 0; k < 32 && (x.exec >> i & 1) != 0; k++) {
        const bool p = k < 7 && (x.p[k] >> i & 1) != 0;
        const bool bit = (x.b[i] >> k & 1) != 0 ? p : (x.a[i] >> k & 1) != 0;
        want[i] = (want[i] & ~(1u << k)) | (uint32_t)bit << k;
      }
    struct sem_io io = {.on = x.on, .exec = x.exec, .p = x.p};
    run(WORD(ISA_ENC_P2R_RR, ISA_F_RD, 1), build, d, &x, &io);
    assert_memory_equal(d, want, sizeof want);
    assert_memory_equal(x.p, kept, sizeof kept);
  }
}

static void r2p(void **state) {
  (void)state;
  uint64_t seed = 12;
  for (unsigned long n = 0; n < random_cases; n += 32) {
    const struct sem_build *build = sem_build(n / 32 % 4);
    if (build == NULL) continue;
    struct preds x;
    fill(&x, &seed);
    uint32_t want[7], written[7] = {0};
    memcpy(want, x.p, sizeof want);
    for (unsigned i = 0; i < 32; i++)
      for (unsigned k = 0; k < 7; k++) {
        if ((x.exec >> i & 1) == 0 || (x.b[i] >> k & 1) == 0) continue;
        want[k] &= ~(1u << i);
        want[k] |= (x.a[i] >> k & 1) << i;
        written[k] |= 1u << i;
      }
    struct sem_io io = {.on = x.on, .exec = x.exec, .p = x.p};
    memset(io.p_written, 0x3c, sizeof io.p_written);
    run(WORD(ISA_ENC_R2P_PRR, ISA_F_RA, 1), build, x.d, &x, &io);
    assert_memory_equal(x.p, want, sizeof want);
    assert_memory_equal(io.p_written, written, sizeof written);
  }
}

static void ref_up2p(struct lane *l, unsigned v) {
  (void)v;
  l->pd0 = l->p0;
}

static void up2p(void **state) {
  (void)state;
  const struct lane_case t = {WORD(ISA_ENC_UP2P_P, ISA_F_PD0, 1), ref_up2p, 0, 0, 1, "UP2P"};
  lanes_try(&t, 0);
}

/* What the tables and a definition say of these decides what the machine supplies to the operation. */
static void definitions(void **state) {
  (void)state;
  static const struct {
    enum heddle_isa_op op;
    enum heddle_isa_modify modify;
    bool reads_ps, all_preds;
  } t[] = {{ISA_OP_POPC, ISA_MODIFY_NOT, false, false},          {ISA_OP_FLO, ISA_MODIFY_NOT, false, false},
           {ISA_OP_BREV, ISA_MODIFY_NOT, false, false},          {ISA_OP_UBREV, ISA_MODIFY_NOT, false, false},
           {ISA_OP_PRMT, ISA_MODIFY_NONE, false, false},         {ISA_OP_IABS, ISA_MODIFY_NONE, false, false},
           {ISA_OP_IMAD_HI, ISA_MODIFY_NONE, false, false},      {ISA_OP_ISETP_EX, ISA_MODIFY_NONE, true, false},
           {ISA_OP_FSEL, ISA_MODIFY_FLOAT, true, false},         {ISA_OP_FSET, ISA_MODIFY_FLOAT, true, false},
           {ISA_OP_FCHK_DIVIDE, ISA_MODIFY_FLOAT, false, false}, {ISA_OP_UP2P, ISA_MODIFY_NONE, true, false},
           {ISA_OP_P2R, ISA_MODIFY_NONE, false, true},           {ISA_OP_R2P, ISA_MODIFY_NONE, false, true},
           {ISA_OP_UP2UR, ISA_MODIFY_NONE, false, true},         {ISA_OP_UR2UP, ISA_MODIFY_NONE, false, true},
           {ISA_OP_VOTE, ISA_MODIFY_NONE, true, false},          {ISA_OP_VOTEU, ISA_MODIFY_NONE, true, false},
           {ISA_OP_IADD3, ISA_MODIFY_INT, false, false},         {ISA_OP_HMNMX2, ISA_MODIFY_HALF, true, false},
           {ISA_OP_DADD, ISA_MODIFY_OWN, false, false},          {ISA_OP_F2I, ISA_MODIFY_OWN, false, false},
           {ISA_OP_SHFL, ISA_MODIFY_NONE, false, false},         {ISA_OP_MATCH, ISA_MODIFY_NONE, false, false}};
  for (unsigned i = 0; i < sizeof t / sizeof t[0]; i++) {
    const struct sem_def *def = sem_best()->op[t[i].op];
    assert_int_equal(def->kind, SEM_ROW);
    const struct heddle_isa_instr *info = heddle_isa_instr_info(t[i].op);
    assert_int_equal(info->modify, t[i].modify);
    assert_int_equal(heddle_isa_enc_reads_preds((enum heddle_isa_enc)info->first_enc), t[i].reads_ps);
    assert_int_equal(def->all_preds, t[i].all_preds);
    assert_false(def->whole_warp);
  }
}

int TEST_MAIN(int argc, char **argv) {
  random_cases = case_count(argc, argv, 100000);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(vote),          cmocka_unit_test(activemask),    cmocka_unit_test(match),
      cmocka_unit_test(redux),         cmocka_unit_test(r2ur),          cmocka_unit_test(silicon_vote),
      cmocka_unit_test(silicon_match), cmocka_unit_test(silicon_redux), cmocka_unit_test(shfl),
      cmocka_unit_test(silicon),       cmocka_unit_test(p2r),           cmocka_unit_test(r2p),
      cmocka_unit_test(up2p),          cmocka_unit_test(definitions)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
