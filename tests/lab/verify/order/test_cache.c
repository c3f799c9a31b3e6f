/* SPDX-License-Identifier: Apache-2.0
 *
 * Scenes of a core with a cache, each a few words, and what the axioms say of it. A word is one record:
 *
 * - A=0.load:9: warp 0 issues a load of word 9 by lane 0; it is called A. Others: strong store atomic bar cta gpu
 * empty, lload lstore of local memory, sstore of shared. Stores write 0xa0 for A, 0xa1 for B ...
 * - A.drop A.do A.ack A.fence: passes; is performed; is acknowledged; is done.
 * - A.merge:1 A.hit:1: waits for fill 1; reads what it brought.
 * - A.get A.bad: its register is written, by what A read; by something else.
 * - A.trap: a bus error of A, the last record.
 * - fill:1:9 lfill:2:0: fill 1 takes the sector of word 9; fill 2 that of local word 0 of warp 0.
 * - evict:9 error:9: the sector of word 9 is replaced; is answered with an error.
 * - levict:9: of local memory, the line with the number of that of word 9.
 * - bar: the barrier of block 0 lets go. It has warps 0 and 1, block 1 has 2 and 3.
 *
 * Words 0 to 7 are a sector, 0 to 31 a line. At the end all warps exit, and their blocks end.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/test.h"
#include "tests/lab/verify/order/scenes.h"
#include "cosim/kit/conform/set.h"
#include "tests/lab/verify/order/stage.h"

static char path[] = "/tmp/heddle_order_XXXXXX", list[] = "/tmp/heddle_list_XXXXXX";

struct actor {
  unsigned slot;
  enum stage_op op;
  uint32_t seq, word, got;
};

struct play {
  struct stage st;
  struct actor actor[26];
  uint32_t copy[16][8]; /* what each fill has taken */
  bool trapped;
};

static uint32_t value_of(const struct play *p, const struct actor *a) {
  return 0xa0u + (unsigned)(a - p->actor);
}

static enum stage_op op_of(const char *name) {
  static const char *const names[] = {"load", "strong", "store", "atomic", "reduce", "bar",
                                      "cta",  "gpu",    "empty", "lload",  "lstore", "sstore"};
  for (unsigned k = 0; k < sizeof names / sizeof *names; k++)
    if (strcmp(names[k], name) == 0) return (enum stage_op)k;
  fail_msg("no operation %s", name);
  return STAGE_OPS;
}

static void issue(struct play *p, struct actor *a, const char *text) {
  char name[16];
  uint32_t addr[32] = {0}, data[32] = {0};
  assert_true(sscanf(text, "%u.%15[a-z]:%u", &a->slot, name, &a->word) >= 2);
  a->op = op_of(name);
  addr[0] = a->word;
  data[0] = value_of(p, a);
  const bool memory = stage_accesses(a->op) || a->op >= STAGE_LOCAL_LOAD;
  const bool gives = a->op == STAGE_LOAD || a->op == STAGE_STRONG || a->op == STAGE_LOCAL_LOAD;
  a->seq = stage_issue(&p->st, a->slot, a->op, memory || a->op == STAGE_EMPTY ? 1 : ~0u, memory ? addr : NULL,
                       gives ? NULL : data);
}

static uint64_t line_of(const struct actor *a) {
  return a->op == STAGE_LOCAL_LOAD || a->op == STAGE_LOCAL_STORE ? ((uint64_t)a->slot << 18) + a->word
                                                                 : STAGE_LINE0 + a->word / 32;
}

static void visit(struct play *p, struct actor *a, enum heddle_record_kind kind, uint32_t number) {
  const bool local = a->op == STAGE_LOCAL_LOAD;
  const unsigned s = local ? 0 : a->word / 8 % 4;
  struct stage_visit v = {.lanes = 1, .used = (uint8_t)(1u << s)};
  v.number[s] = number;
  stage_visit(&p->st, kind, a->slot, a->seq, line_of(a), &v, local);
  if (kind == HEDDLE_RECORD_HIT && !local) a->got = p->copy[number % 16][a->word % 8];
  if (kind == HEDDLE_RECORD_HIT && local)
    for (const struct actor *b = p->actor; b < a; b++)
      if (b->op == STAGE_LOCAL_STORE && b->slot == a->slot && b->word == a->word && b->seq < a->seq)
        a->got = value_of(p, b);
}

static void perform(struct play *p, struct actor *a) {
  uint32_t addr[32] = {a->word}, data[32] = {value_of(p, a)}, old[32];
  if (a->op == STAGE_LOCAL_STORE)
    stage_local(&p->st, a->slot, a->seq, a->word, 1, data);
  else if (a->op == STAGE_SHARED_STORE)
    stage_shared(&p->st, a->slot, a->seq, a->word, data[0]);
  else {
    stage_global(&p->st, a->slot, a->seq, a->op == STAGE_LOAD ? STAGE_STRONG : a->op, STAGE_SECTOR0 + a->word / 8, 1,
                 addr, data, old);
    a->got = old[0];
  }
}

static void passes(struct play *p, const struct actor *a) {
  if (a->op == STAGE_LOCAL_STORE) {
    stage_drop_own(&p->st, a->slot, a->seq, line_of(a), HEDDLE_RECORD_DROP_STORE);
    return;
  }
  const bool loads = a->op == STAGE_STRONG || a->op == STAGE_LOAD;
  const enum heddle_record_cause cause = a->op == STAGE_STORE ? HEDDLE_RECORD_DROP_STORE
                                         : loads              ? HEDDLE_RECORD_DROP_STRONG
                                                              : HEDDLE_RECORD_DROP_ATOMIC;
  stage_drop(&p->st, a->slot, a->seq, line_of(a), 1u << a->word / 8 % 4, cause);
}

static void act(struct play *p, struct actor *a, const char *what, uint32_t number) {
  uint32_t value[32] = {a->got};
  if (strcmp(what, "drop") == 0)
    passes(p, a);
  else if (strcmp(what, "do") == 0)
    perform(p, a);
  else if (strcmp(what, "ack") == 0)
    stage_ack(&p->st, a->slot, a->seq, line_of(a));
  else if (strcmp(what, "merge") == 0)
    visit(p, a, HEDDLE_RECORD_MERGE, number);
  else if (strcmp(what, "trap") == 0) {
    stage_trap(&p->st, a->slot, a->seq, 10);
    p->trapped = true;
  } else if (strcmp(what, "hit") == 0)
    visit(p, a, HEDDLE_RECORD_HIT, number);
  else if (strcmp(what, "fence") == 0)
    stage_fence(&p->st, a->slot, a->seq,
                a->op == STAGE_CTA   ? HEDDLE_RECORD_SCOPE_CTA
                : a->op == STAGE_GPU ? HEDDLE_RECORD_SCOPE_GPU
                                     : HEDDLE_RECORD_SCOPE_EMPTYING);
  else {
    if (strcmp(what, "bad") == 0) value[0] ^= 0x40;
    stage_write(&p->st, a->slot, a->seq, 1, value);
  }
}

static void fill(struct play *p, uint32_t number, uint32_t word, bool local) {
  stage_fill(&p->st, local ? ((uint64_t)word << 18) * 4 : STAGE_SECTOR0 + word / 8, number, local);
  if (!local) memcpy(p->copy[number % 16], &p->st.memory[word / 8 * 8], 32);
}

static void step(struct play *p, const char *word) {
  char what[16];
  unsigned a = 0, b = 0;
  if (word[1] == '=') {
    issue(p, &p->actor[word[0] - 'A'], word + 2);
  } else if (word[1] == '.') {
    assert_true(sscanf(word + 2, "%15[a-z]:%u", what, &a) >= 1);
    act(p, &p->actor[word[0] - 'A'], what, a);
  } else if (sscanf(word, "fill:%u:%u", &a, &b) == 2) {
    fill(p, a, b, false);
  } else if (sscanf(word, "lfill:%u:%u", &a, &b) == 2) {
    fill(p, a, b, true);
  } else if (sscanf(word, "evict:%u", &a) == 1) {
    stage_drop(&p->st, 0, 0, STAGE_LINE0 + a / 32, 1u << a / 8 % 4, HEDDLE_RECORD_DROP_REPLACED);
  } else if (sscanf(word, "levict:%u", &a) == 1) {
    stage_drop_local(&p->st, STAGE_LINE0 + a / 32);
  } else if (sscanf(word, "error:%u", &a) == 1) {
    stage_drop(&p->st, 0, 0, STAGE_LINE0 + a / 32, 1u << a / 8 % 4, HEDDLE_RECORD_DROP_ERROR);
  } else {
    assert_string_equal(word, "bar");
    stage_barrier(&p->st, 0);
  }
}

static enum order_outcome play(const struct scene *s, unsigned profile, const char *to, struct order_result *r) {
  static struct play p;
  char text[1024], *rest = text;
  memset(&p, 0, sizeof p);
  stage_open(&p.st, 2, 2);
  p.st.promises = s->promises;
  p.st.errors = strstr(s->text, ".trap") != NULL;
  p.st.hidden = conform_profile[profile];
  if (s->room != 0) p.st.sectors = s->room;
  assert_true(strlen(s->text) < sizeof text);
  strcpy(text, s->text);
  for (char *word; (word = strtok_r(rest, " ", &rest)) != NULL;) step(&p, word);
  for (unsigned w = 0; w < 4 && !p.trapped; w++) (void)stage_issue(&p.st, w, STAGE_EXIT, ~0u, NULL, NULL);
  for (unsigned b = 0; b < 2 && !p.trapped; b++) stage_block_end(&p.st, b);
  const enum order_outcome out = stage_judge(&p.st, path, to, r);
  stage_close(&p.st);
  return out;
}

static void test_scenes(void **state) {
  (void)state;
  unsigned failed = 0;
  for (unsigned n = 0; n < CONFORM_PROFILES * scene_count; n++) {
    const struct scene *s = &scenes[n / CONFORM_PROFILES];
    const unsigned profile = n % CONFORM_PROFILES;
    struct order_result r;
    const enum order_outcome out = play(s, profile, NULL, &r),
                             want = s->axiom == ORDER_AXIOM_NONE ? ORDER_HOLDS : ORDER_BROKEN;
    if (out != want || r.axiom != s->axiom) {
      print_error("%s at P%u: want %s, got %s in cycle %u: %s\n", s->name, profile, order_axiom_name(s->axiom),
                  order_axiom_name(r.axiom), (unsigned)r.cycle, r.what);
      failed++;
    }
    if (getenv("ORDER_SAY") != NULL && profile == 2 && out == ORDER_BROKEN) {
      printf("%s: %s: %s\n", s->name, order_axiom_name(r.axiom), r.what);
      for (unsigned k = 0; k < r.steps; k++) printf("  %u. %s\n     %s\n", k + 1, r.step[k].who, r.step[k].then);
    }
  }
  assert_int_equal(failed, 0);
}

/* A right scene holds as a list, too; where nothing is promised there is none. */
static void test_lists(void **state) {
  (void)state;
  for (unsigned k = 0; k < scene_count; k++) {
    const struct scene *s = &scenes[k];
    struct order_result r;
    const struct order_options o = {.accesses = 0};
    if (s->axiom != ORDER_AXIOM_NONE) continue;
    const enum order_outcome out = play(s, 2, list, &r);
    assert_int_equal(out, s->promises != 0 ? ORDER_HOLDS : ORDER_REFUSED);
    if (s->promises == 0)
      assert_non_null(strstr(r.what, "does not promise"));
    else if (order_check(list, &o, &r) != ORDER_HOLDS)
      fail_msg("%s, as a list: %s: %s", s->name, order_axiom_name(r.axiom), r.what);
  }
}

static int make_path(void **state) {
  (void)state;
  const int fd = mkstemp(path), of = mkstemp(list);
  if (fd < 0 || of < 0) return -1;
  close(of);
  return close(fd);
}

static int remove_path(void **state) {
  (void)state;
  return unlink(path) | unlink(list);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_scenes), cmocka_unit_test(test_lists)};
  return cmocka_run_group_tests(tests, make_path, remove_path);
}
