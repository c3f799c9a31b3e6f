/* SPDX-License-Identifier: Apache-2.0
 * A litmus test as text. */
#include <string.h>

#include "lab/verify/litmus/src/litmus_test.h"

static const char *const scope_word[] = {"cta", "gpu", "sys"};
static const char *const sem_word[] = {"weak", "relaxed", "acquire", "release", "acq_rel", "sc"};
static const char *const atom_word[] = {"exch", "add", "cas"};

static void order_text(const struct test_insn *i, char *buf, size_t bytes) {
  if (i->sem == SEM_WEAK)
    (void)snprintf(buf, bytes, "weak");
  else
    (void)snprintf(buf, bytes, "%s.%s", sem_word[i->sem], scope_word[i->scope]);
}

static void value_text(const struct test_thread *t, const struct test_insn *i, char *buf, size_t bytes) {
  if (i->from != NO_REG)
    (void)snprintf(buf, bytes, "%s", t->reg_name[i->from]);
  else if (i->hangs != NO_REG)
    (void)snprintf(buf, bytes, "%u hangs %s", i->value, t->reg_name[i->hangs]);
  else
    (void)snprintf(buf, bytes, "%u", i->value);
}

unsigned test_first_launch(const struct test_thread *t) {
  unsigned n = 0;
  while (n < t->insns && t->insn[n].kind != TEST_LAUNCH) n++;
  return n;
}

bool test_has(const struct test *t, enum test_kind kind) {
  for (unsigned k = 0; k < t->threads; k++)
    for (unsigned j = 0; j < t->thread[k].insns; j++)
      if (t->thread[k].insn[j].kind == kind) return true;
  return false;
}

void test_insn_text(const struct test *t, unsigned thread, const struct test_insn *i, char *buf, size_t bytes) {
  const struct test_thread *of = &t->thread[thread];
  const char *loc = t->loc_name[i->loc];
  char order[24], value[48];
  order_text(i, order, sizeof order);
  value_text(of, i, value, sizeof value);
  switch (i->kind) {
  case TEST_LOAD:
    (void)snprintf(buf, bytes, "ld.%s %s, %s", order, of->reg_name[i->reg], loc);
    break;
  case TEST_STORE:
    (void)snprintf(buf, bytes, "st.%s %s, %s", order, loc, value);
    break;
  case TEST_ATOM:
    if (i->reg == NO_REG)
      (void)snprintf(buf, bytes, "red.%s.%s %s, %s", order, atom_word[i->atom], loc, value);
    else if (i->atom == ATOM_CAS)
      (void)snprintf(buf, bytes, "atom.%s.cas %s, %s, %u, %s", order, of->reg_name[i->reg], loc, i->compare, value);
    else
      (void)snprintf(buf, bytes, "atom.%s.%s %s, %s, %s", order, atom_word[i->atom], of->reg_name[i->reg], loc, value);
    break;
  case TEST_LAUNCH:
    (void)snprintf(buf, bytes, "launch");
    break;
  case TEST_FENCE:
    (void)snprintf(buf, bytes, "fence.%s", order);
    break;
  default:
    (void)snprintf(buf, bytes, "bar.cta.%s %u", i->arrives ? "arrive" : "sync", i->barrier);
  }
}

void test_print(const struct test *t, FILE *to) {
  unsigned rows = 0, width[TEST_THREADS];
  char cell[96];
  (void)fprintf(to, "PTX %s\n{\n", t->name);
  for (unsigned k = 0; k < t->locs; k++)
    (void)fprintf(to, "%s%s=%u;\n", t->shared[k] ? "shared " : "", t->loc_name[k], t->first[k]);
  (void)fprintf(to, "}\n");
  for (unsigned k = 0; k < t->threads; k++) {
    width[k] =
        (unsigned)snprintf(cell, sizeof cell, "P%u@warp %u,cta %u,gpu 0", k, t->thread[k].warp, t->thread[k].cta);
    if (t->thread[k].insns > rows) rows = t->thread[k].insns;
    for (unsigned n = 0; n < t->thread[k].insns; n++) {
      test_insn_text(t, k, &t->thread[k].insn[n], cell, sizeof cell);
      if (strlen(cell) > width[k]) width[k] = (unsigned)strlen(cell);
    }
  }
  for (unsigned row = 0; row <= rows; row++) {
    for (unsigned k = 0; k < t->threads; k++) {
      cell[0] = '\0';
      if (row == 0)
        (void)snprintf(cell, sizeof cell, "P%u@warp %u,cta %u,gpu 0", k, t->thread[k].warp, t->thread[k].cta);
      else if (row <= t->thread[k].insns)
        test_insn_text(t, k, &t->thread[k].insn[row - 1], cell, sizeof cell);
      (void)fprintf(to, "%s %-*s", k == 0 ? "" : " |", (int)width[k], cell);
    }
    (void)fprintf(to, " ;\n");
  }
}

void test_number_ctas(struct test *t) {
  uint8_t now[TEST_THREADS], next = 0;
  for (unsigned k = 0; k < t->threads; k++) {
    unsigned j = 0;
    while (j < k && t->thread[j].cta != t->thread[k].cta) j++;
    now[k] = j < k ? now[j] : next++;
  }
  for (unsigned k = 0; k < t->threads; k++) t->thread[k].cta = now[k];
}
