/* SPDX-License-Identifier: Apache-2.0
 *
 * Records of local memory and of generic accesses: what a correct machine shows is accepted, and each spoiled stream is
 * stopped by the check that it is meant for.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "programs.h"
#include "stream_find.h"

static struct checker_difference check(const struct fake_program *p, const struct fake_config *f,
                                       const struct stream *s, const uint8_t *memory) {
  const struct heddle_model_config mc = {.size = sizeof mc,
                                         .base = FAKE_BASE,
                                         .bytes = FAKE_BYTES,
                                         .warp_slots = f->warp_slots,
                                         .block_slots = f->block_slots};
  struct heddle_model *m = heddle_model_new(&mc);
  assert_non_null(m);
  fake_fill(heddle_model_memory(m));
  assert_int_equal(heddle_model_launch(m, &p->launch), HEDDLE_OK);
  const struct checker_config cfg = {.lanes = f->lanes,
                                     .partitions = FAKE_PARTITIONS,
                                     .banks = FAKE_BANKS,
                                     .regs = FAKE_REGS,
                                     .warp_slots = f->warp_slots,
                                     .block_slots = f->block_slots,
                                     .shared_bytes = 8192};
  struct checker *c = checker_new(m, &p->launch, &cfg);
  assert_non_null(c);
  bool ok = true;
  for (size_t i = 0; i < s->n && ok; i++) ok = checker_record(c, &s->r[i]);
  if (ok) ok = checker_finish(c, s->r[s->n - 1].cycle);
  if (ok) (void)checker_memory(c, FAKE_BASE, memory, FAKE_BYTES);
  const struct checker_difference d = *checker_first(c);
  checker_free(c);
  heddle_model_free(m);
  return d;
}

static void accepts(void **state) {
  (void)state;
  static const unsigned lanes[] = {4, 8, 16, 32};
  static uint8_t image[FAKE_BYTES];
  struct fake_program p;
  fake_assemble(&p, program_local, 3, 50);
  for (unsigned i = 0; i < 4; i++)
    for (uint64_t seed = 1; seed <= 10; seed++) {
      const struct fake_config f = {lanes[i], 16, 3, seed, 0};
      struct stream s;
      fake_run(&p, &f, &s, image);
      const struct checker_difference d = check(&p, &f, &s, image);
      if (d.kind != CHECKER_NONE) fail_msg("%u lanes: %s (%s)", lanes[i], checker_kind_name(d.kind), d.note);
      stream_free(&s);
    }
  fake_program_free(&p);
}

/* ---- spoiled streams: the record is the first of the first instruction of that name, of that access ---- */

static size_t record_of(const struct stream *s, enum isa_op op, uint8_t access) {
  const size_t issue = find_issue(s, 0, op);
  for (size_t i = issue; i != NOT_FOUND && i < s->n; i++)
    if (s->r[i].kind == RECORD_GLOBAL && s->r[i].u.global.access == access &&
        same_insn(&s->r[i].u.global.id, &s->r[issue].u.issue.id))
      return i;
  return NOT_FOUND;
}

static struct record_global *stored(struct stream *s) {
  const size_t i = record_of(s, ISA_OP_STL, RECORD_LOCAL_STORE);
  assert_true(i != NOT_FOUND);
  return &s->r[i].u.global;
}

static struct record_global *loaded(struct stream *s) {
  const size_t i = record_of(s, ISA_OP_LDL, RECORD_LOCAL_LOAD);
  assert_true(i != NOT_FOUND);
  return &s->r[i].u.global;
}

static void spoil_access(struct stream *s) {
  stored(s)->access = RECORD_LOCAL_LOAD;
}
static void spoil_space(struct stream *s) {
  stored(s)->access = RECORD_STORE;
}
static void spoil_lanes(struct stream *s) {
  stored(s)->lanes &= stored(s)->lanes - 1;
}
static void spoil_double(struct stream *s) {
  const size_t i = record_of(s, ISA_OP_STL, RECORD_LOCAL_STORE);
  stream_insert(s, i + 1, &s->r[i]);
}
static void spoil_slice(struct stream *s) {
  stored(s)->sector ^= 1u << 20;
}
static void spoil_word(struct stream *s) {
  stored(s)->sector += 16;
}
static void spoil_quarter(struct stream *s) {
  stored(s)->sector ^= 1;
}
static void spoil_strobe(struct stream *s) {
  stored(s)->wstrb ^= 1;
}
static void spoil_data(struct stream *s) {
  stored(s)->wdata[5] ^= 4;
}
static void spoil_result(struct stream *s) {
  loaded(s)->rdata[9] ^= 1;
}
static void spoil_missing(struct stream *s) {
  const size_t i = record_of(s, ISA_OP_STL, RECORD_LOCAL_STORE);
  /* and nobody asks for that word later in the warp */
  for (size_t k = s->n; k-- > i;)
    if (s->r[k].kind == RECORD_GLOBAL && s->r[k].u.global.access == RECORD_LOCAL_STORE) {
      stream_drop(s, k);
      return;
    }
}
/* The load after the store, before it. */
static void spoil_order(struct stream *s) {
  for (size_t i = find_issue(s, 0, ISA_OP_STL); i != NOT_FOUND; i = find_issue(s, i + 1, ISA_OP_STL)) {
    const size_t load = next_issue(s, i);
    if (load == NOT_FOUND || !is_op(&s->r[load], ISA_OP_LDL)) continue;
    const size_t its = of_insn(s, load, RECORD_GLOBAL);
    if (its == NOT_FOUND) continue;
    for (size_t k = load + 1; k < its; k++)
      if (s->r[k].kind == RECORD_GLOBAL && same_insn(&s->r[k].u.global.id, &s->r[i].u.issue.id) &&
          s->r[k].u.global.sector == s->r[its].u.global.sector && of_insn(s, load, RECORD_OPERANDS_MEMORY) < k) {
        stream_move(s, its, k);
        return;
      }
  }
  fail_msg("no store and load of a word that are under way together");
}
/* Lanes 10 to 19 are in shared memory. */
static void spoil_window(struct stream *s) {
  const size_t i = record_of(s, ISA_OP_ST_E, RECORD_STORE);
  assert_true(i != NOT_FOUND);
  s->r[i].u.global.lanes |= 1u << 12;
}
static void spoil_extra(struct stream *s) {
  for (size_t i = 0; i < s->n; i++)
    if (s->r[i].kind == RECORD_GLOBAL && s->r[i].u.global.access == RECORD_LOCAL_STORE &&
        (s->r[i].u.global.lanes & 0xff00) == 0xfc00) { /* @P0 STL.U8: lanes 8 and 9 are off */
      s->r[i].u.global.lanes |= 0x200;
      return;
    }
  fail_msg("no store with lanes off");
}

static void stops(void **state) {
  (void)state;
  static const struct {
    const char *name;
    enum checker_kind want;
    void (*spoil)(struct stream *s);
  } spoiled[] = {{"access", CHECKER_PERFORM_ACCESS, spoil_access},    {"space", CHECKER_PERFORM_ACCESS, spoil_space},
                 {"lanes", CHECKER_PERFORM_LANES, spoil_lanes},       {"double", CHECKER_PERFORM_DOUBLE, spoil_double},
                 {"slice", CHECKER_PERFORM_ADDRESS, spoil_slice},     {"word", CHECKER_PERFORM_ADDRESS, spoil_word},
                 {"quarter", CHECKER_PERFORM_ADDRESS, spoil_quarter}, {"strobe", CHECKER_PERFORM_STROBE, spoil_strobe},
                 {"data", CHECKER_PERFORM_DATA, spoil_data},          {"result", CHECKER_PERFORM_RESULT, spoil_result},
                 {"missing", CHECKER_PERFORM_MISSING, spoil_missing}, {"order", CHECKER_PERFORM_ORDER, spoil_order},
                 {"window", CHECKER_PERFORM_ACCESS, spoil_window},    {"extra", CHECKER_PERFORM_EXTRA, spoil_extra}};
  static uint8_t image[FAKE_BYTES];
  const struct fake_config f = {8, 16, 3, 3, 3};
  struct fake_program p;
  struct stream good;
  fake_assemble(&p, program_local, 1, 32);
  fake_run(&p, &f, &good, image);
  for (unsigned i = 0; i < sizeof spoiled / sizeof *spoiled; i++) {
    struct stream s;
    stream_copy(&s, &good);
    spoiled[i].spoil(&s);
    const struct checker_difference d = check(&p, &f, &s, image);
    if (d.kind != spoiled[i].want)
      fail_msg("%s: expected %s, got %s (%s)", spoiled[i].name, checker_kind_name(spoiled[i].want),
               checker_kind_name(d.kind), d.note);
    stream_free(&s);
  }
  stream_free(&good);
  fake_program_free(&p);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(accepts), cmocka_unit_test(stops)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
