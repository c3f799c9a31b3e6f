/* SPDX-License-Identifier: Apache-2.0
 *
 * P2R and R2P, bit by bit; UP2P; and what the definitions of predicate,
 * integer and warp-wide operations tell the machine.
 */
#include <string.h>

#include "tests/test.h"
#include <heddle/isa_tables.h>
#include "tests/cmodel/lanes.h"
#include "tests/cmodel/words.h"

static unsigned long random_cases;

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
      cmocka_unit_test(p2r),
      cmocka_unit_test(r2p),
      cmocka_unit_test(up2p),
      cmocka_unit_test(definitions),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
