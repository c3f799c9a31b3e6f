/* SPDX-License-Identifier: Apache-2.0
 *
 * docs/visibility.md: acknowledgements, fences, barriers, errors, the end.
 */
#include <string.h>
#include "tests/cosim/checker/bench.h"
#include "tests/cosim/checker/visibility_programs.h"
#include "tests/test.h"

static struct cached x;

/* ---- acknowledgements */

static void acks(void **state) {
  (void)state;
  for (unsigned way = 0; way < 6; way++) {
    begin(&x, PROGRAM(STORE("0x0") LOAD("4", "0x80")), 1, &promising);
    (void)cached_issue_to(&x, 0, 2);
    cached_drop(&x, 0, HEAD, LINE, 15);
    bring(&x, 0, HEAD + 1, LINE + 1, 1);
    for (unsigned s = 0; s < 4; s++)
      if (way != 1 || s != 2) cached_global(&x, 0, HEAD, FIRST + s);
    if (way == 2) cached_ack(&x, 0, HEAD + 1, LINE + 1);
    if (way == 3) cached_ack(&x, 0, HEAD, LINE + 1);
    if (way != 4) cached_ack(&x, 0, HEAD, LINE);
    if (way == 5) cached_ack(&x, 0, HEAD, LINE);
    if (way == 4) {
      (void)cached_issue(&x, 0);
      cached_block_end(&x, 0);
      cached_end(&x);
    }
    static const char *const words[] = {NULL,           "before they are performed", "has no store",
                                        "has no store", "never acknowledged",        "has no store"};
    if (way == 0)
      well(&x);
    else
      done(&x, HEDDLE_CHECKER_VISIBILITY_ACK, words[way]);
  }
}

/* A line that has not wholly passed is not performed either. */
static void ack_of_a_part(void **state) {
  (void)state;
  begin(&x, PROGRAM(STORE("0x0")), 1, &promising);
  (void)cached_issue(&x, 0);
  cached_drop(&x, 0, HEAD, LINE, 3);
  cached_global(&x, 0, HEAD, FIRST);
  cached_global(&x, 0, HEAD, FIRST + 1);
  cached_ack(&x, 0, HEAD, LINE);
  done(&x, HEDDLE_CHECKER_VISIBILITY_ACK, "before they are performed");
}

/* ---- fences of the GPU */

/* Warp 1's store passes before warp 0's fence issues (or after it), and is not acknowledged when it is done. */
static void of_any_warp(void **state) {
  (void)state;
  for (unsigned way = 0; way < 4; way++) {
    begin(&x,
          PROGRAM("        S2R R8, SR_TID.X ;\n        ISETP.GT.U32.AND P0, PT, R8, 0x1f, PT ;\n"
                  "@P0     STG.E [R2], R0 ;\n@!P0    MEMBAR.GPU ;\n"),
          2, &promising);
    (void)cached_issue_to(&x, 0, 2);
    (void)cached_issue_to(&x, 1, 3);
    if (way != 3) cached_drop(&x, 1, HEAD + 2, LINE, 15);
    (void)cached_issue_to(&x, 0, 2); /* what is before the fence, and the fence */
    if (way == 3) cached_drop(&x, 1, HEAD + 2, LINE, 15);
    if (way != 1) cached_globals(&x, 1, HEAD + 2, LINE);
    if (way == 0) cached_ack(&x, 1, HEAD + 2, LINE);
    cached_fence(&x, 0, HEAD + 3, HEDDLE_RECORD_SCOPE_GPU);
    done(&x, way == 0 || way == 3 ? HEDDLE_CHECKER_NONE : HEDDLE_CHECKER_VISIBILITY_FENCE,
         way == 1   ? "been performed in line"
         : way == 2 ? "been acknowledged in line"
                    : NULL);
  }
}

/* What is the warp's own, or known since a barrier, counts whenever it passed. That barrier has seen it performed. */
static void of_known(void **state) {
  (void)state;
  for (unsigned way = 0; way < 3; way++) {
    begin(&x, PROGRAM(STORE("0x0") BAR FENCE), 2, &promising);
    for (unsigned w = 0; w < 2; w++) (void)cached_issue(&x, w);
    for (unsigned w = 0; w < 2; w++) cached_drop(&x, w, HEAD, LINE, 15);
    for (unsigned w = 0; w < 2; w++) cached_globals(&x, w, HEAD, LINE);
    for (unsigned w = 0; w < 2; w++) (void)cached_issue(&x, w);
    assert_true(cached_barrier(&x, 0, 0));
    (void)cached_issue(&x, 0);
    for (unsigned w = 0; w < 2; w++)
      if (way != w + 1) cached_ack(&x, w, HEAD, LINE);
    cached_fence(&x, 0, HEAD + 2, HEDDLE_RECORD_SCOPE_GPU);
    done(&x, way == 0 ? HEDDLE_CHECKER_NONE : HEDDLE_CHECKER_VISIBILITY_FENCE,
         way == 0 ? NULL : "has not been acknowledged in line");
  }
}

static void of_loads(void **state) {
  (void)state;
  for (unsigned way = 0; way < 5; way++) {
    begin(&x, PROGRAM(LOAD("4", "0x0") FENCE LOAD("5", "0x0")), 1, &promising);
    (void)cached_issue_to(&x, 0, 2);
    cached_merge(&x, 0, HEAD, LINE, 15, 1);
    fill_line(&x, 1, LINE);
    cached_hit(&x, 0, HEAD, LINE, way == 1 ? 7 : 15, 1);
    if (way != 2)
      cached_fence(&x, 0, way == 3 ? HEAD : HEAD + 1, way == 4 ? HEDDLE_RECORD_SCOPE_CTA : HEDDLE_RECORD_SCOPE_GPU);
    if (way == 0) {
      (void)cached_issue(&x, 0);
      bring(&x, 0, HEAD + 2, LINE, 2);
      well(&x);
      continue;
    }
    if (way == 2) (void)cached_issue(&x, 0);
    static const char *const words[] = {NULL, "is not wholly performed", "issues before the fence", "is no fence",
                                        "is no fence"};
    done(&x, HEDDLE_CHECKER_VISIBILITY_FENCE, words[way]);
  }
}

/* ---- of CTA scope, and at BAR */

/* What is left to be done of one of the older accesses: nothing; or it has passed, or not even that. */
enum left { NOTHING, STORED, PART, READ, PASSED_BY, ADDED, SHARED, NOT_SENT, NOT_ASKED, LEFT };

static void accesses(enum left left) {
  if (left != NOT_SENT) cached_drop(&x, 0, HEAD + 1, LINE, 15);
  if (left != NOT_ASKED) cached_merge(&x, 0, HEAD + 2, LINE + 1, 15, 1);
  cached_drop(&x, 0, HEAD + 3, LINE + 2, 15);
  cached_drop(&x, 0, HEAD + 4, LINE + 3, 15);
  for (unsigned s = 0; s < 4 && left != NOT_SENT && left != STORED; s++)
    if (left != PART || s != 2) cached_global(&x, 0, HEAD + 1, FIRST + s);
  if (left != NOT_ASKED) fill_line(&x, 1, LINE + 1);
  if (left != NOT_ASKED && left != READ) cached_hit(&x, 0, HEAD + 2, LINE + 1, 15, 1);
  if (left != PASSED_BY) cached_globals(&x, 0, HEAD + 3, LINE + 2);
  if (left != ADDED) cached_globals(&x, 0, HEAD + 4, LINE + 3);
  if (left != SHARED) cached_shared(&x, 0, HEAD + 6);
}

/* All of them have been performed, but for one to local memory; no store has been acknowledged. */
static void of_the_block(void **state) {
  (void)state;
#define ALL_OF_THEM(end)                                                                                               \
  PROGRAM("        STL [RZ], R0 ;\n" STORE("0x0") LOAD("4", "0x80") STRONG("5", "0x100")                               \
              ADD("7", "0x180") "        SHF.L.U32 R6, R0, 0x2, RZ ;\n        STS [R6], R0 ;\n" end)
  for (unsigned way = 0; way < 2 * LEFT; way++) {
    const bool bar = way >= LEFT;
    const enum left left = (enum left)(way % LEFT);
    begin(&x, bar ? ALL_OF_THEM(BAR) : ALL_OF_THEM(FENCE_CTA), 1, &promising);
    (void)cached_issue_to(&x, 0, 7);
    accesses(left);
    if (bar && left == SHARED) { /* the model asks for it as well */
      struct heddle_retire_record r = {.kind = HEDDLE_RECORD_ISSUE};
      r.u.issue = (struct heddle_record_issue){.id = cached_id(&x, 0, HEAD + 7), .pc = (HEAD + 7) * 16, .active = ~0u};
      cached_show(&x, &r);
    } else {
      (void)cached_issue(&x, 0);
      if (!bar) cached_fence(&x, 0, HEAD + 7, HEDDLE_RECORD_SCOPE_CTA);
    }
    if (left != NOTHING) {
      done(&x, HEDDLE_CHECKER_VISIBILITY_FENCE,
           left == SHARED ? "not performed its access to shared memory" : "not performed its access to global memory");
      continue;
    }
    if (bar) assert_true(cached_barrier(&x, 0, 0));
    cached_ack(&x, 0, HEAD + 1, LINE);
    cached_ack(&x, 0, HEAD + 4, LINE + 3);
    for (unsigned s = 0; s < 4; s++) cached_local_store(&x, 0, HEAD, s);
    well(&x);
  }
#undef ALL_OF_THEM
}

/* Where a warp issues on, what is younger waits: it passes when the fence is done. */
static void of_who_issues_on(void **state) {
  (void)state;
  static const struct heddle_checker_config on = {.cache_sectors = 64, .cache_promises = HEDDLE_CHECKER_CACHE_CLOSES};
  for (unsigned way = 0; way < 6; way++) {
    begin(&x, way % 3 == 2 ? PROGRAM(FENCE STORE("0x0")) : PROGRAM(FENCE LOAD("4", "0x0")), 1, &on);
    (void)cached_issue_to(&x, 0, 2);
    if (way < 3) cached_fence(&x, 0, HEAD, HEDDLE_RECORD_SCOPE_GPU);
    if (way % 3 == 0) bring(&x, 0, HEAD + 1, LINE, 1);
    if (way % 3 == 1) cached_drop(&x, 0, HEAD + 1, LINE, 15); /* it passes the cache by */
    if (way % 3 == 1) cached_globals(&x, 0, HEAD + 1, LINE);
    if (way % 3 == 2) write_line(&x, 0, HEAD + 1, LINE);
    if (way < 3)
      well(&x);
    else
      done(&x, HEDDLE_CHECKER_VISIBILITY_FENCE, "passes before the fence");
  }
}

/* ---- errors */

/* Memory answers the load with an error: the fill never comes, the load reads nothing, and the grid traps. */
static void error(void **state) {
  (void)state;
  for (unsigned way = 0; way < 3; way++) {
    const struct heddle_checker_config cfg = {
        .cache_sectors = 64, .cache_promises = HEDDLE_CHECKER_CACHE_PROMISES, .bus_errors = way != 1};
    begin(&x, PROGRAM(STORE("0x80") LOAD("4", "0x0")), 1, &cfg);
    (void)cached_issue_to(&x, 0, 2);
    write_line(&x, 0, HEAD, LINE + 1);
    cached_merge(&x, 0, HEAD + 1, LINE, 15, 1);
    cached_give_up(&x, HEDDLE_RECORD_DROP_ERROR, LINE, 15, false);
    if (way == 2) cached_fill(&x, 1, FIRST, false);
    struct heddle_retire_record r = {.kind = HEDDLE_RECORD_TRAP};
    r.u.trap = (struct heddle_record_trap){.id = cached_id(&x, 0, HEAD + 1),
                                           .cause = HEDDLE_TRAP_BUS,
                                           .pc = (HEAD + 1) * 16,
                                           .lanes = ~0u,
                                           .addr = LINE * 128u};
    cached_show(&x, &r);
    x.ok = x.ok && heddle_checker_finish(x.c, x.cycle);
    done(&x, way == 0 ? HEDDLE_CHECKER_NONE : HEDDLE_CHECKER_VISIBILITY_FILL,
         way == 1 ? "which no memory gives" : NULL);
  }
}

/* Memory answers the store with an error: it is performed by nobody, and never acknowledged. */
static void error_of_a_store(void **state) {
  (void)state;
  static const struct heddle_checker_config errors = {
      .cache_sectors = 64, .cache_promises = HEDDLE_CHECKER_CACHE_PROMISES, .bus_errors = true};
  begin(&x, PROGRAM(STORE("0x0")), 1, &errors);
  (void)cached_issue(&x, 0);
  cached_drop(&x, 0, HEAD, LINE, 15);
  struct heddle_retire_record r = {.kind = HEDDLE_RECORD_TRAP};
  r.u.trap = (struct heddle_record_trap){
      .id = cached_id(&x, 0, HEAD), .cause = HEDDLE_TRAP_BUS, .pc = HEAD * 16, .lanes = ~0u, .addr = LINE * 128u};
  cached_show(&x, &r);
  x.ok = x.ok && heddle_checker_finish(x.c, x.cycle);
  done(&x, HEDDLE_CHECKER_NONE, NULL);
}

/* ---- form */

static void forms(void **state) {
  (void)state;
  static const struct heddle_record_drop wrong[] = {{.sectors = 0, .cause = 0},
                                                    {.sectors = 16, .cause = 6},
                                                    {.sectors = 15, .cause = 8},
                                                    {.all = 1, .cause = 0},
                                                    {.sectors = 1, .is_local = 1, .line = UINT64_C(1) << 18}};
  struct heddle_retire_record r = {.kind = HEDDLE_RECORD_DROP};
  for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    begin(&x, PROGRAM(STORE("0x0")), 1, &promising);
    (void)cached_issue(&x, 0);
    r.u.drop = wrong[i];
    r.u.drop.id = cached_id(&x, 0, HEAD);
    if (r.u.drop.is_local == 0) r.u.drop.line = LINE;
    cached_show(&x, &r);
    done(&x, HEDDLE_CHECKER_RECORD_FORM, r.u.drop.is_local != 0 ? "of local memory" : NULL);
  }
  begin(&x, PROGRAM(STORE("0x0")), 1, &promising);
  (void)cached_issue(&x, 0);
  r.u.drop = (struct heddle_record_drop){
      .id = cached_id(&x, 0, HEAD), .line = LINE, .sectors = 15, .cause = HEDDLE_RECORD_DROP_ATOMIC};
  cached_show(&x, &r);
  done(&x, HEDDLE_CHECKER_PERFORM_ACCESS, NULL);
  begin(&x, PROGRAM(STORE("0x0")), 1, &promising);
  (void)cached_issue(&x, 0);
  r.u.drop = (struct heddle_record_drop){.id = cached_id(&x, 0, HEAD), .line = LINE + 1, .sectors = 15};
  cached_show(&x, &r);
  done(&x, HEDDLE_CHECKER_PERFORM_ADDRESS, NULL);
  begin(&x, PROGRAM(FENCE), 1, &promising);
  (void)cached_issue(&x, 0);
  cached_fence(&x, 0, HEAD, HEDDLE_RECORD_SCOPES);
  done(&x, HEDDLE_CHECKER_RECORD_FORM, NULL);
}

/* Of another SM: a fill, an acknowledgement, a drop. */
static void of_another_sm(void **state) {
  (void)state;
  for (unsigned way = 0; way < 3; way++) {
    begin(&x, PROGRAM(STORE("0x80") LOAD("4", "0x0")), 1, &promising);
    (void)cached_issue_to(&x, 0, 2);
    cached_drop(&x, 0, HEAD, LINE + 1, 15);
    cached_globals(&x, 0, HEAD, LINE + 1);
    cached_merge(&x, 0, HEAD + 1, LINE, 15, 1);
    struct heddle_retire_record r = {.kind = way == 0   ? HEDDLE_RECORD_FILL
                                             : way == 1 ? HEDDLE_RECORD_ACK
                                                        : HEDDLE_RECORD_DROP};
    if (way == 0) r.u.fill = (struct heddle_record_fill){.sector = FIRST, .number = 1, .sm = 1};
    if (way == 1) r.u.ack = (struct heddle_record_ack){.id = cached_id(&x, 0, HEAD), .line = LINE + 1};
    if (way == 1) r.u.ack.id.sm = 1;
    if (way == 2)
      r.u.drop =
          (struct heddle_record_drop){.id.sm = 1, .line = LINE, .sectors = 1, .cause = HEDDLE_RECORD_DROP_REPLACED};
    cached_show(&x, &r);
    done(&x, HEDDLE_CHECKER_RECORD_FORM, "a record of SM 1 among those of SM 0");
  }
}

/* Asynchronous copies through a cache: they load as a weak load does, and nothing younger, no barrier and no fence of
 * a block waits for them (isa/doc/14-asynchronous-copies.md, docs/visibility.md). */

#define PLACE "        IMAD R6, R0, 0x4, RZ ;\n"
#define COPY(at) "        LDGSTS.E [R6], [R2+" at "] ;\n"

/* It asks, reads what comes, stores; or it passes the cache by. */
static void loads(void **state) {
  (void)state;
  for (unsigned way = 0; way < 2; way++) {
    begin(&x, PROGRAM(PLACE COPY("0x0")), 1, &promising);
    (void)cached_issue_to(&x, 0, 2);
    if (way == 0) {
      bring(&x, 0, HEAD + 1, LINE, 1);
    } else {
      cached_drop(&x, 0, HEAD + 1, LINE, 15);
      cached_globals(&x, 0, HEAD + 1, LINE);
    }
    cached_shared(&x, 0, HEAD + 1);
    well(&x);
  }
}

/* Of an older store of its warp it misses nothing. */
static void older_store(void **state) {
  (void)state;
  for (unsigned way = 0; way < 2; way++) {
    begin(&x, PROGRAM(PLACE STORE("0x0") COPY("0x0")), 1, &plain);
    (void)cached_issue_to(&x, 0, 3);
    cached_drop(&x, 0, HEAD + 1, LINE, 15);
    cached_merge(&x, 0, HEAD + 2, LINE, 15, 1);
    if (way == 0) cached_globals(&x, 0, HEAD + 1, LINE);
    fill_line(&x, 1, LINE);
    cached_hit(&x, 0, HEAD + 2, LINE, 15, 1);
    if (way == 1) {
      done(&x, HEDDLE_CHECKER_VISIBILITY_STALE, "is not performed");
      continue;
    }
    cached_shared(&x, 0, HEAD + 2);
    cached_ack(&x, 0, HEAD + 1, LINE);
    well(&x);
  }
}

/* A younger store of its warp is performed first, and it reads what that has left; a load would have been due. */
static void younger_store(void **state) {
  (void)state;
  for (unsigned way = 0; way < 2; way++) {
    begin(&x, way == 0 ? PROGRAM(PLACE COPY("0x0") STORE("0x0")) : PROGRAM(PLACE LOAD("7", "0x0") STORE("0x0")), 1,
          &plain);
    (void)cached_issue_to(&x, 0, 3);
    cached_merge(&x, 0, HEAD + 1, LINE, 15, 1);
    write_line(&x, 0, HEAD + 2, LINE);
    fill_line(&x, 1, LINE);
    if (way == 1) {
      done(&x, HEDDLE_CHECKER_PERFORM_ORDER, "has not performed its access to sector");
      continue;
    }
    cached_hit(&x, 0, HEAD + 1, LINE, 15, 1);
    cached_shared(&x, 0, HEAD + 1);
    well(&x);
  }
}

/* BAR and a fence of a block come before it has passed; a fence of the GPU waits for its load and its store. */
static void fences(void **state) {
  (void)state;
  for (unsigned way = 0; way < 3; way++) {
    begin(&x, PROGRAM(PLACE COPY("0x0") BAR FENCE_CTA FENCE), 1, &promising);
    (void)cached_issue_to(&x, 0, 3);
    assert_true(cached_barrier(&x, 0, 0));
    (void)cached_issue(&x, 0);
    cached_fence(&x, 0, HEAD + 3, HEDDLE_RECORD_SCOPE_CTA);
    if (way != 1) bring(&x, 0, HEAD + 1, LINE, 1);
    (void)cached_issue(&x, 0);
    if (way == 0) cached_shared(&x, 0, HEAD + 1);
    cached_fence(&x, 0, HEAD + 4, HEDDLE_RECORD_SCOPE_GPU);
    if (way == 0)
      well(&x);
    else
      done(&x, HEDDLE_CHECKER_VISIBILITY_FENCE, "is not wholly performed");
  }
}

/* What it has read binds no younger load: that reads an older copy. A load in its place would bind it. */
static void backwards(void **state) {
  (void)state;
  for (unsigned way = 0; way < 2; way++) {
    begin(&x,
          way == 0 ? PROGRAM(PLACE COPY("0x0") LOAD("5", "0x0") STORE("0x0"))
                   : PROGRAM(PLACE LOAD("7", "0x0") LOAD("5", "0x0") STORE("0x0")),
          2, &plain);
    (void)cached_issue_to(&x, 1, 4);
    for (uint32_t seq = HEAD + 1; seq <= HEAD + 2; seq++) {
      cached_drop(&x, 1, seq, LINE, 15);
      cached_globals(&x, 1, seq, LINE);
    }
    (void)cached_issue_to(&x, 0, 3);
    cached_drop(&x, 0, HEAD + 1, LINE, 15);
    cached_merge(&x, 0, HEAD + 2, LINE, 15, 1);
    fill_line(&x, 1, LINE);
    write_line(&x, 1, HEAD + 3, LINE);
    cached_globals(&x, 0, HEAD + 1, LINE); /* what is new, past the cache */
    cached_hit(&x, 0, HEAD + 2, LINE, 15, 1);
    if (way == 1) {
      done(&x, HEDDLE_CHECKER_VISIBILITY_BACKWARDS, NULL);
      continue;
    }
    for (unsigned w = 0; w < 2; w++) cached_shared(&x, w, HEAD + 1);
    (void)cached_issue(&x, 0);
    write_line(&x, 0, HEAD + 3, LINE);
    well(&x);
  }
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(acks),
                                     cmocka_unit_test(ack_of_a_part),
                                     cmocka_unit_test(of_any_warp),
                                     cmocka_unit_test(of_known),
                                     cmocka_unit_test(of_loads),
                                     cmocka_unit_test(of_the_block),
                                     cmocka_unit_test(of_who_issues_on),
                                     cmocka_unit_test(error),
                                     cmocka_unit_test(error_of_a_store),
                                     cmocka_unit_test(forms),
                                     cmocka_unit_test(of_another_sm),
                                     cmocka_unit_test(loads),
                                     cmocka_unit_test(older_store),
                                     cmocka_unit_test(younger_store),
                                     cmocka_unit_test(fences),
                                     cmocka_unit_test(backwards)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
