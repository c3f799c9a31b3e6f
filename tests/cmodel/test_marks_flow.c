/* SPDX-License-Identifier: Apache-2.0
 *
 * The rules of undefined bits are sound: every row operation in every format is executed twice, from states that differ
 * in undefined bits alone. What the model calls defined of the results must then be the same, and so must the marks.
 * The state of the warp is set from inside: no program makes as many kinds of marks. Of accesses and control: every
 * operand that decides is told, if nobody has written it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <heddle/isa_tables.h>
#include "cmodel/core/marks.h"
#include "tests/test.h"
#include "tests/cmodel/machine.h"
#include "tests/cmodel/rows.h"

enum { WORDS = 16, TRIES = 4000, REGS = 32, STATES_USUAL = 10 };

static unsigned long states = STATES_USUAL; /* of each word */

/* ---- words */

static uint64_t field_value(enum heddle_isa_field f, uint64_t *seed) {
  const struct heddle_isa_field_info *info = heddle_isa_field_info(f);
  const uint64_t mask = (UINT64_C(2) << (info->hi - info->lo)) - 1, r = splitmix64(seed);
  switch ((enum heddle_isa_field_kind)info->kind) {
  case ISA_K_GPR_READ:
  case ISA_K_GPR_WRITE:
    return r % 16 == 0 ? ISA_RZ : r / 16 % (REGS / 4) * 4; /* aligned for every width */
  case ISA_K_UGPR_READ:
  case ISA_K_UGPR_WRITE:
    return r % 16 == 0 ? 63 : r / 16 % 4 * 4;
  case ISA_K_GUARD:
  case ISA_K_UGUARD:
    return ISA_PT;
  case ISA_K_COFF:
    return r % 16 * 8;
  case ISA_K_CBANK:
    return 0;
  case ISA_K_STALL:
    return 1;
  case ISA_K_SBSET:
    return 7;
  case ISA_K_SBWAIT:
  case ISA_K_REUSE:
  case ISA_K_YIELD:
    return 0;
  case ISA_K_IMM32:
    return r % 3 == 0 ? r >> 8 & 0x7f : r % 3 == 1 ? 0u - (r >> 8 & 7) : r >> 32;
  default:
    return r & mask;
  }
}

/* A legal word of the encoding, at random. */
static struct heddle_isa_word random_word(enum heddle_isa_enc enc, uint64_t *seed) {
  const struct heddle_isa_encoding *of = heddle_isa_encoding_info(enc);
  struct heddle_isa_dec d;
  for (unsigned n = 0; n < TRIES; n++) {
    struct heddle_isa_word w = of->match;
    for (unsigned k = 0; k < of->n_fields; k++)
      w = heddle_isa_put(w, (enum heddle_isa_field)of->fields[k],
                         field_value((enum heddle_isa_field)of->fields[k], seed));
    if (heddle_isa_decode(w, &d) && d.enc == enc) return w;
  }
  fail_msg("%s %s: no legal word", heddle_isa_op_name((enum heddle_isa_op)of->op), of->format);
  return of->match;
}

/* ---- states */

/* Numbers as operations like them: amounts, edges, floats, halves. */
static uint32_t value(uint64_t *seed) {
  static const uint32_t edge[] = {0,          1,          31,         32,         33,         64,
                                  0x3f800000, 0xbf800000, 0x7f800000, 0x7fc00000, 0x80000000, ~0u,
                                  0x3c003c00, 0x7c00fc00, 0x3ff00000, 0x00010001, 0x80018001};
  const uint32_t r = rnd32(seed);
  if (r % 4 == 0) return edge[rnd32(seed) % (sizeof edge / sizeof *edge)];
  return r % 4 == 1 ? rnd32(seed) % 70 : r % 4 == 2 ? 0x3f000000u + rnd32(seed) % 0x2000000u : rnd32(seed);
}

/* Each bit one time in 2^draws. */
static uint32_t rare(uint64_t *seed, unsigned draws) {
  uint32_t bits = ~0u;
  for (unsigned i = 0; i < draws; i++) bits &= rnd32(seed);
  return bits;
}

static uint32_t holes(uint64_t *seed) {
  const uint32_t r = rnd32(seed);
  switch (r % 8) {
  case 0:
  case 1:
    return ~0u;
  case 2:
    return 0xffu << (r >> 8) % 4 * 8;
  case 3:
    return 0xffffu << (r >> 8) % 2 * 16;
  case 4:
    return 1u << (r >> 8) % 32;
  case 5:
    return ~0u << (r >> 8) % 32;
  case 6:
    return ~0u >> (r >> 8) % 32;
  default:
    return rare(seed, 2);
  }
}

/* Row `row` of lanes, or uniform: what is undefined, and its noise from another source of numbers. */
static void random_row(struct warp *w, unsigned row, bool uniform, uint64_t *seed, uint64_t *noise) {
  const bool whole = rnd32(seed) % 2 == 0;
  uint32_t v = value(seed), bits = holes(seed), n = rnd32(noise);
  bool bad = !whole;
  for (unsigned i = 0; i < HEDDLE_LANES; i++) {
    if (!uniform) {
      v = rnd32(seed) % 8 == 0 ? v : value(seed);
      bits = holes(seed);
      n = rnd32(noise);
      bad = !whole && rnd32(seed) % 4 == 0;
    }
    w->row[row][i] = bad ? (v & ~bits) | (n & bits) : v;
    w->marks->bits[row][i] = bits;
    w->marks->from[row][i] = marks_origin(MARK_REGISTER, row, 0);
    w->defined[row] = (w->defined[row] & ~(1u << i)) | (bad && bits != 0 ? 0 : 1u << i);
  }
}

static void random_predicate(struct warp *w, unsigned p, bool uniform, uint64_t *seed, uint64_t *noise) {
  uint32_t bad = rnd32(seed) % 3 != 0 ? 0 : rare(seed, 3);
  uint32_t v = rnd32(seed), n = rnd32(noise);
  if (uniform) {
    bad = (bad & 1) != 0 ? ALL_LANES : 0;
    v = (v & 1) != 0 ? ALL_LANES : 0;
    n = (n & 1) != 0 ? ALL_LANES : 0;
  }
  w->pred[p] = (v & ~bad) | (n & bad);
  w->pred_defined[p] = ~bad;
  for (unsigned i = 0; i < HEDDLE_LANES; i++) w->marks->pred_from[p][i] = marks_origin(MARK_PREDICATE, p, 0);
}

/* The same state for the same `seed`, but for what is undefined. */
static void random_state(struct machine *x, bool whole_warp, uint64_t seed, uint64_t noise) {
  struct warp *w = &x->model->warp[0];
  assert_true(marks_open(x->model, w));
  for (unsigned r = 0; r < REGS + 4; r++) random_row(w, r, false, &seed, &noise);
  for (unsigned r = 0; r < 20; r++) random_row(w, ROW_UR + r, true, &seed, &noise);
  for (unsigned p = 0; p < ISA_PT; p++) random_predicate(w, p, false, &seed, &noise);
  for (unsigned p = 0; p < ISA_PT; p++) random_predicate(w, PRED_UP + p, true, &seed, &noise);
  const uint32_t one = 1u << rnd32(&seed) % 32; /* at least */
  w->active = whole_warp || rnd32(&seed) % 2 == 0 ? ALL_LANES : rnd32(&seed) | one;
  w->exited = ~w->active;
  w->clock_told = true; /* S2R SR_CLOCKLO: the same both times */
  w->on_mask = 0;
  memset(w->on, 0, sizeof w->on);
}

/* ---- the two executions */

struct seen {
  enum heddle_error status;
  struct heddle_effect e;
};

static void execute(struct machine *x, unsigned k, bool whole_warp, uint64_t seed, uint64_t noise, struct seen *out) {
  random_state(x, whole_warp, seed, noise);
  x->model->warp[0].pc = 16 * k;
  memset(&out->e, 0, sizeof out->e);
  out->status = heddle_warp_issue(x->model, 0, &out->e);
}

static const char *text_of(const struct heddle_isa_dec *d) {
  static char text[64];
  snprintf(text, sizeof text, "%s %s word %016llx%016llx", heddle_isa_op_name((enum heddle_isa_op)d->op),
           heddle_isa_encoding_info((enum heddle_isa_enc)d->enc)->format, (unsigned long long)d->word.hi,
           (unsigned long long)d->word.lo);
  return text;
}

static void same_registers(const struct seen *s, uint32_t lanes) {
  for (unsigned n = 0; n < s[0].e.rd_words; n++)
    for (unsigned i = 0; i < HEDDLE_LANES; i++) {
      const uint32_t known[2] = {(s[0].e.rd_unknown[n] >> i & 1) != 0 ? ~s[0].e.rd_bits[n][i] : ~0u,
                                 (s[1].e.rd_unknown[n] >> i & 1) != 0 ? ~s[1].e.rd_bits[n][i] : ~0u};
      if ((lanes >> i & 1) == 0) continue;
      if (known[0] != known[1] || ((s[0].e.rd_value[n][i] ^ s[1].e.rd_value[n][i]) & known[0]) != 0)
        fail_msg("%s: lane %u, word %u: 0x%08x and 0x%08x, said to be defined 0x%08x and 0x%08x", text_of(&s[0].e.dec),
                 i, n, s[0].e.rd_value[n][i], s[1].e.rd_value[n][i], known[0], known[1]);
    }
}

static void same_predicates(const struct seen *s, uint32_t lanes) {
  const struct heddle_effect *a = &s[0].e, *b = &s[1].e;
  for (unsigned k = 0; k < 2; k++) {
    if ((a->pd_written >> k & 1) == 0) continue;
    if (((a->pd_unknown[k] ^ b->pd_unknown[k]) & lanes) != 0 ||
        ((a->pd_value[k] ^ b->pd_value[k]) & ~a->pd_unknown[k] & lanes) != 0)
      fail_msg("%s: pd%u 0x%08x and 0x%08x, said to be undefined 0x%08x and 0x%08x", text_of(&a->dec), k,
               a->pd_value[k], b->pd_value[k], a->pd_unknown[k], b->pd_unknown[k]);
  }
  for (unsigned k = 0; k < ISA_PT; k++)
    if (a->preds_lanes[k] != b->preds_lanes[k] || a->preds_unknown[k] != b->preds_unknown[k] ||
        ((a->preds_value[k] ^ b->preds_value[k]) & ~a->preds_unknown[k]) != 0)
      fail_msg("%s: P%u 0x%08x and 0x%08x, said to be undefined 0x%08x and 0x%08x", text_of(&a->dec), k,
               a->preds_value[k], b->preds_value[k], a->preds_unknown[k], b->preds_unknown[k]);
}

/* How often a result was undefined; how often one was partly defined, or wholly though a source was not. */
struct tally {
  unsigned long told, undefined, defined;
};

static void count(const struct heddle_effect *e, uint32_t lanes, struct tally *t) {
  uint32_t sources = 0, results = e->pd_unknown[0] | e->pd_unknown[1];
  for (unsigned k = 0; k < 3; k++) sources |= e->src_unknown[k] | e->ps_unknown[k];
  for (unsigned k = 0; k < ISA_PT; k++) results |= e->preds_unknown[k];
  bool partly = false;
  for (unsigned n = 0; n < e->rd_words; n++) {
    results |= e->rd_unknown[n];
    for (unsigned i = 0; i < HEDDLE_LANES; i++)
      partly = partly || ((e->rd_unknown[n] >> i & 1) != 0 && e->rd_bits[n][i] != ~0u);
  }
  t->undefined += (results & lanes) != 0;
  t->defined += partly || (sources & lanes & ~results) != 0;
}

static void twice(struct machine *x, unsigned k, bool whole_warp, uint64_t *seed, struct tally *t) {
  static struct seen s[2];
  const uint64_t state = splitmix64(seed);
  for (unsigned n = 0; n < 2; n++) execute(x, k, whole_warp, state, splitmix64(seed), &s[n]);
  if (s[0].status != s[1].status)
    fail_msg("%s: status %d and %d: %s", text_of(&s[0].e.dec), (int)s[0].status, (int)s[1].status,
             heddle_model_diag(x->model));
  t->told += s[0].status == HEDDLE_ERROR_UNDEFINED;
  if (s[0].status == HEDDLE_ERROR_UNDEFINED) return;
  EXPECT(x, HEDDLE_SUCCESS, s[0].status);
  const uint32_t lanes = s[0].e.rd_uniform || s[0].e.dec.pd_uniform ? ALL_LANES : s[0].e.exec;
  same_registers(s, lanes);
  same_predicates(s, s[0].e.exec);
  count(&s[0].e, lanes, t);
}

/* ---- encodings */

static bool is_row_operation(enum heddle_isa_enc enc) {
  return sem_best()->op[heddle_isa_encoding_info(enc)->op]->kind == SEM_ROW;
}

static bool reads(const struct heddle_isa_encoding *of) {
  bool some = false;
  for (unsigned k = 0; k < 3; k++) {
    some = some || of->src[k].kind == ISA_REG || of->src[k].kind == ISA_UREG;
    some = some || of->ps[k] != ISA_FIELD_NONE;
  }
  return some;
}

static void one_encoding(enum heddle_isa_enc enc, uint64_t *seed, struct tally *t) {
  const bool whole_warp = sem_best()->op[heddle_isa_encoding_info(enc)->op]->whole_warp;
  struct machine x;
  machine_init(&x);
  for (unsigned k = 0; k < sizeof x.bank; k += 4)
    for (uint32_t v = value(seed), i = 0; i < 4; i++) x.bank[k + i] = (uint8_t)(v >> 8 * i);
  for (unsigned k = 0; k < WORDS; k++) machine_emit(&x, random_word(enc, seed));
  machine_lockstep(&x);
  for (unsigned k = 0; k < WORDS; k++)
    for (unsigned long n = 0; n < states; n++) twice(&x, k, whole_warp, seed, t);
  machine_free(&x);
}

static void check_tally(const struct heddle_isa_encoding *of, const struct tally *t) {
  const enum sem_marks rule = (enum sem_marks)sem_best()->op[of->op]->marks;
  const char *name = heddle_isa_op_name((enum heddle_isa_op)of->op);
  if (!reads(of)) return;
  if (t->undefined == 0) fail_msg("%s %s: no result was ever undefined", name, of->format);
  /* A rule of its own is there because some results are defined, or in part. */
  const bool by_lane = rule == SEM_MARKS_ALL || rule == SEM_MARKS_PREDICATE || rule == SEM_MARKS_FLOAT;
  if (t->defined == 0 && !by_lane) fail_msg("%s %s: no result was ever more defined", name, of->format);
  const bool tells = rule == SEM_MARKS_UNPACK_PREDICATES && of->src[1].kind != ISA_IMM;
  if ((t->told != 0) != tells) fail_msg("%s %s: told %lu times", name, of->format, t->told);
}

static void every_row_operation_is_sound(void **state) {
  (void)state;
  uint64_t seed = 5;
  unsigned n = 0;
  for (enum heddle_isa_enc enc = 0; enc < ISA_ENC_COUNT; enc++) {
    struct tally t = {0};
    if (!is_row_operation(enc)) continue;
    one_encoding(enc, &seed, &t);
    check_tally(heddle_isa_encoding_info(enc), &t);
    n++;
  }
  assert_true(n > 100);
}

/* ---- accesses and control: operands that decide */

/* The operands that an instruction may not have undefined: as bits a, b, c, and bit 3 for a source predicate. */
static unsigned deciding(const struct heddle_isa_dec *d) {
  const struct heddle_isa_instr *info = heddle_isa_instr_info((enum heddle_isa_op)d->op);
  unsigned which = 7;
  if (info->access == ISA_ACCESS_LOAD || info->access == ISA_ACCESS_STORE) which = 1;
  if (info->access == ISA_ACCESS_COPY) which = 3;
  unsigned some = 0;
  for (unsigned k = 0; k < 3; k++) {
    const struct heddle_isa_src *s = &d->src[k];
    const bool reads = (s->kind == ISA_REG && s->reg != ISA_RZ) || (s->kind == ISA_UREG && s->reg != 63);
    some |= (unsigned)reads << k;
    if (d->ps[k].index != ISA_PT) some |= 8;
  }
  return some & (which | 8);
}

/* Nobody has written anything: told, if an operand decides; and not told if all is written. */
static void one_use(struct machine *x, bool written) {
  static struct heddle_effect e;
  struct warp *w = &x->model->warp[0];
  memset(w->defined, written ? 0xff : 0, ROW_DEFINED * sizeof w->defined[0]);
  memset(w->pred_defined, written ? 0xff : 0, sizeof w->pred_defined);
  w->pred_defined[ISA_PT] = ALL_LANES;
  const struct heddle_isa_dec *d = &x->model->dec[0];
  const unsigned which = deciding(d);
  const enum heddle_error s = heddle_warp_issue(x->model, 0, &e);
  if ((s == HEDDLE_ERROR_UNDEFINED) != (which != 0 && !written))
    fail_msg("%s: status %d, deciding operands 0x%x: %s", text_of(d), (int)s, which, heddle_model_diag(x->model));
  if (s != HEDDLE_ERROR_UNDEFINED) return;
  char what[24] = "P";
  for (unsigned n = 3; n-- > 0;)
    if ((which >> n & 1) != 0) snprintf(what, sizeof what, "(operand %c)", "abc"[n]);
  assert_non_null(strstr(heddle_model_undefined(x->model)->what, what));
  assert_int_not_equal(heddle_model_undefined(x->model)->origin[0], 0);
}

static void every_operand_that_decides_is_told(void **state) {
  (void)state;
  uint64_t seed = 7;
  unsigned some = 0;
  for (enum heddle_isa_enc enc = 0; enc < ISA_ENC_COUNT; enc++) {
    if (is_row_operation(enc)) continue;
    for (unsigned n = 0; n < 2 * WORDS; n++) {
      struct machine x; /* what one does to its warp is not for the next */
      machine_init(&x);
      x.launch.shared_bytes = x.launch.local_bytes = 0x40;
      machine_emit(&x, random_word(enc, &seed));
      machine_lockstep(&x);
      some += deciding(&x.model->dec[0]) != 0;
      one_use(&x, n % 2 != 0);
      machine_free(&x);
    }
  }
  assert_true(some > 20 * WORDS); /* about as many encodings have some */
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_row_operation_is_sound),
      cmocka_unit_test(every_operand_that_decides_is_told),
  };
  states = case_count(argc, argv, STATES_USUAL);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
