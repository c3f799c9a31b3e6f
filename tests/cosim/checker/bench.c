/* SPDX-License-Identifier: Apache-2.0
 *
 * The bench of tests that judge a stream, or a part of one.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/test.h"
#include "bench.h"
#include "cosim/kit/conform/stream_find.h"

const char bench_fence[] = ".kernel fence\n"
                           ".param u64 out\n"
                           "        MOV R4, c[0x0][out] ;\n"
                           "        MOV R5, c[0x0][out+4] ;\n"
                           "        STG.E [R4], R4 ;\n"
                           "        MEMBAR.GPU ;\n"
                           "        EXIT ;\n"
                           ".end\n";

void bench_assemble(struct bench *b, const char *text, unsigned blocks, unsigned threads, unsigned deferred) {
  *b = (struct bench){.f = {8, 4, 2, 5, deferred}};
  fake_assemble_long(&b->p, text, blocks, threads);
}

void bench_run(struct bench *b) {
  fake_run(&b->p, &b->f, &b->s, NULL);
}

void bench_make(struct bench *b, const char *text, unsigned threads, unsigned deferred) {
  bench_assemble(b, text, 1, threads, deferred);
  bench_run(b);
}

void bench_renew(struct bench *b, struct heddle_checker_config cfg, enum heddle_checker_kind off) {
  heddle_checker_free(b->c);
  heddle_model_free(b->m);
  const struct heddle_model_config mc = {.size = sizeof mc,
                                         .base = FAKE_BASE,
                                         .bytes = FAKE_BYTES,
                                         .warp_slots = b->f.warp_slots,
                                         .block_slots = b->f.block_slots};
  b->m = heddle_model_new(&mc);
  assert_non_null(b->m);
  fake_fill(heddle_model_memory(b->m));
  assert_int_equal(heddle_model_launch(b->m, &b->p.launch), HEDDLE_SUCCESS);
  cfg.size = sizeof cfg;
  cfg.lanes = b->f.lanes;
  cfg.warp_slots = b->f.warp_slots;
  cfg.block_slots = b->f.block_slots;
  cfg.shared_bytes = 8192;
  b->c = heddle_checker_new(b->m, &b->p.launch, &cfg);
  assert_non_null(b->c);
  if (off != HEDDLE_CHECKER_NONE) checker_switch_off(b->c, off);
}

bool bench_feed(struct bench *b, size_t end) {
  for (size_t i = 0; i < end; i++) {
    if (!heddle_checker_record(b->c, &b->s.r[i])) return false;
    b->last = b->s.r[i].cycle;
  }
  return true;
}

bool bench_whole(struct bench *b, const uint8_t *memory) {
  return bench_feed(b, b->s.n) && heddle_checker_finish(b->c, b->last) &&
         (memory == NULL || heddle_checker_memory(b->c, FAKE_BASE, memory, FAKE_BYTES));
}

void bench_judge(struct bench *b, const struct heddle_checker_config *cfg, enum heddle_checker_kind want) {
  bench_renew(b, *cfg, HEDDLE_CHECKER_NONE);
  const bool ok = bench_whole(b, NULL);
  expect_kind(b, want);
  assert_true(ok == (want == HEDDLE_CHECKER_NONE));
}

size_t bench_nth(const struct bench *b, enum heddle_isa_op op, uint32_t kind, unsigned n) {
  const size_t issue = find_issue(&b->s, 0, op);
  assert_true(issue != NOT_FOUND);
  for (size_t i = issue; i < b->s.n; i++)
    if (b->s.r[i].kind == kind && same_insn(heddle_record_id_of(&b->s.r[i]), &b->s.r[issue].u.issue.id) && n-- == 0)
      return i;
  fail_msg("no such record");
  return NOT_FOUND;
}

void bench_let_go(struct bench *b) {
  heddle_checker_free(b->c);
  heddle_model_free(b->m);
}

void bench_finish(struct bench *b) {
  bench_let_go(b);
  stream_free(&b->s);
  fake_program_free(&b->p);
}

void expect_kind(const struct bench *b, enum heddle_checker_kind want) {
  const struct heddle_checker_difference *d = heddle_checker_first(b->c);
  if (d->kind != want)
    fail_msg("expected %s, got %s (%s)", heddle_checker_kind_name(want), heddle_checker_kind_name(d->kind), d->note);
}

static char *report(const struct bench *b) {
  char *text = NULL;
  size_t n;
  FILE *f = open_memstream(&text, &n);
  assert_non_null(f);
  heddle_checker_report_text(b->c, f);
  heddle_checker_waiting_text(b->c, f);
  fclose(f);
  return text;
}

void expect_words(const struct bench *b, const char *const *words) {
  char *text = report(b);
  for (; *words != NULL; words++)
    if (strstr(text, *words) == NULL) fail_msg("the report lacks '%s':\n%s", *words, text);
  free(text);
}

void expect_no_words(const struct bench *b, const char *const *words) {
  char *text = report(b);
  for (; *words != NULL; words++)
    if (strstr(text, *words) != NULL) fail_msg("the report says '%s':\n%s", *words, text);
  free(text);
}
