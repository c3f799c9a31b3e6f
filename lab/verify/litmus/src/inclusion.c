/* SPDX-License-Identifier: Apache-2.0
 * Inclusion, candidate by candidate. */
#include "lab/verify/litmus/src/litmus_inclusion.h"

struct asked {
  struct inclusion *i;
  const struct test *t;
};

static bool check_candidate(void *ctx, const struct candidate *c, bool fresh) {
  const struct asked *a = ctx;
  struct inclusion *i = a->i;
  const char *axiom = NULL;
  if (fresh && (!judge_start(&i->heddle, a->t, c) || !judge_start(&i->ptx, a->t, c))) {
    i->broken = true;
    i->test = *a->t;
    return false;
  }
  i->candidates++;
  if (!judge_allows(&i->heddle, a->t, c, NULL)) return true;
  i->by_heddle++;
  if (judge_allows(&i->ptx, a->t, c, &axiom)) {
    i->by_ptx++;
    return true;
  }
  i->broken = true;
  i->test = *a->t;
  i->candidate = *c;
  i->axiom = axiom;
  return false;
}

bool inclusion_test(struct inclusion *i, const struct test *t) {
  struct asked a = {i, t};
  i->heddle.kind = VIEW_HEDDLE;
  i->ptx.kind = VIEW_PTX;
  i->programs++;
  candidate_each(t, check_candidate, &a);
  return !i->broken;
}

static bool check_inclusion(void *ctx, const struct test *t) {
  return inclusion_test(ctx, t);
}

bool inclusion_programs(struct inclusion *i, const struct program_bounds *b) {
  (void)programs_each(b, check_inclusion, i);
  return !i->broken;
}

static void access_text(const struct inclusion *i, int k, char *buf, size_t bytes) {
  char text[96];
  if (k == FROM_START) {
    (void)snprintf(buf, bytes, "the start");
    return;
  }
  const struct candidate_access *a = &i->candidate.access[k];
  test_insn_text(&i->test, a->thread, &i->test.thread[a->thread].insn[a->insn], text, sizeof text);
  (void)snprintf(buf, bytes, "P%u: %s", a->thread, text);
}

void inclusion_print(const struct inclusion *i, FILE *to) {
  uint32_t value[OUTCOME_MAX];
  char text[160], from[160];
  const unsigned n = candidate_outcome(&i->candidate, &i->test, value);
  test_print(&i->test, to);
  (void)fprintf(to, "exists\n(");
  for (unsigned k = 0; k < n; k++) {
    candidate_value_name(&i->test, k, text, sizeof text);
    (void)fprintf(to, "%s%s == %u", k == 0 ? "" : " /\\ ", text, value[k]);
  }
  (void)fprintf(to, ")\n");
  for (unsigned k = 0; k < i->candidate.accesses; k++) {
    if (!i->candidate.access[k].reads) continue;
    access_text(i, (int)k, text, sizeof text);
    access_text(i, i->candidate.from[k], from, sizeof from);
    (void)fprintf(to, "(* %s reads from %s *)\n", text, from);
  }
}
