/* SPDX-License-Identifier: Apache-2.0
 *
 * Models and executions: what is allowed, which model allows less, and the judge of lists beside.
 */
#include <stdlib.h>
#include "base/array.h"
#include "lab/verify/litmus/src/litmus_judge.h"
#include "lab/verify/oracle/order/order.h"

/* Models and executions. */

static bool judge_start(struct judge *j, const struct test *t, const struct candidate *c) {
  if (!view_build(t, j->kind, j->narrow, c->failed, &j->view)) return false;
  cat_program(j->model, &j->view.x);
  return true;
}

/* All orders of the fences that are left, behind those that stand in `older`. */
static bool some_order(struct judge *j, uint32_t left, uint32_t older, const char **broken) {
  struct relation *r = &j->view.x.relation[CAT_ORDER_SC];
  if (left == 0) return cat_allows(j->model, &j->view.x, broken);
  for (uint32_t rest = left; rest != 0; rest &= rest - 1) {
    const uint32_t f = rest & -rest;
    for (uint32_t o = older; o != 0; o &= o - 1) r->row[__builtin_ctz(o)] |= f;
    if (some_order(j, left & ~f, older | f, broken)) return true;
    for (uint32_t o = older; o != 0; o &= o - 1) r->row[__builtin_ctz(o)] &= ~f;
  }
  return false;
}

/* There is an order of its fence.sc with which the model allows it. */
static bool judge_allows(struct judge *j, const struct test *t, const struct candidate *c, const char **broken) {
  candidate_apply(c, t, &j->view);
  relation_clear(&j->view.x.relation[CAT_ORDER_SC], j->view.x.events);
  return some_order(j, cat_uses(j->model, CAT_ORDER_SC) ? j->view.fences : 0, 0, broken);
}

/* ---- outcomes ---- */

struct collect {
  struct judge j;
  const struct test *t;
  struct outcomes *o;
  bool bad;
};

static int compare_outcomes(const uint32_t *a, const uint32_t *b, unsigned width) {
  for (unsigned k = 0; k < width; k++)
    if (a[k] != b[k]) return a[k] < b[k] ? -1 : 1;
  return 0;
}

/* The first that is not below. */
static unsigned find_outcome(const struct outcomes *o, const uint32_t *value) {
  unsigned low = 0, high = o->count;
  while (low < high) {
    const unsigned middle = (low + high) / 2;
    if (compare_outcomes(o->value[middle], value, o->width) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

bool outcomes_has(const struct outcomes *o, const uint32_t *value) {
  const unsigned k = find_outcome(o, value);
  return k < o->count && compare_outcomes(o->value[k], value, o->width) == 0;
}

static bool collect_allowed(void *ctx, const struct candidate *c, bool fresh) {
  struct collect *k = ctx;
  struct outcomes *o = k->o;
  uint32_t value[OUTCOME_MAX];
  if (fresh && !judge_start(&k->j, k->t, c)) {
    k->bad = true;
    return false;
  }
  o->candidates++;
  o->width = candidate_outcome(c, k->t, value);
  if (!judge_allows(&k->j, k->t, c, NULL)) return true;
  o->allowed++;
  if (outcomes_has(o, value)) return true;
  if (o->count == OUTCOMES_MAX) {
    o->too_many = k->bad = true;
    return false;
  }
  const unsigned at = find_outcome(o, value);
  memmove(o->value[at + 1], o->value[at], (o->count - at) * sizeof *o->value);
  memcpy(o->value[at], value, sizeof value[0] * o->width);
  o->count++;
  return true;
}

bool judge_outcomes(struct cat *model, enum view_kind kind, unsigned narrow, const struct test *t, struct outcomes *o) {
  struct collect k = {.j = {.model = model, .kind = kind, .narrow = narrow}, .t = t, .o = o};
  *o = (struct outcomes){.value = malloc((OUTCOMES_MAX + 1) * sizeof *o->value)};
  if (o->value == NULL) return false;
  candidate_each(t, collect_allowed, &k);
  return !k.bad;
}

void outcomes_free(struct outcomes *o) {
  free(o->value);
  *o = (struct outcomes){0};
}

/* Inclusion, candidate by candidate. */

struct comparison {
  struct inclusion *i;
  const struct test *t;
};

static bool check_candidate(void *ctx, const struct candidate *c, bool fresh) {
  const struct comparison *a = ctx;
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
  struct comparison a = {i, t};
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

/* Model and judge of lists, execution by execution. */

#define GROUPS_MAX 65536u
#define LIST_TEXT 8192u
/* narrow: lists tell of what the machine does, and a fence is the MEMBAR of its own scope. */
#define AS_IT_STANDS (~0u)

struct group { /* executions that one list tells of */
  struct candidate c;
  bool allowed;
};

struct asked {
  struct agree *a;
  const struct test *t;
  struct group *group;
  size_t groups, room;
  bool bad;
};

static bool same_list(const struct candidate *x, const struct candidate *y, const struct test *t) {
  for (unsigned k = 0; k < x->accesses; k++) {
    if (x->access[k].writes != y->access[k].writes) return false;
    if (x->access[k].reads && x->from[k] != y->from[k]) return false;
  }
  for (unsigned l = 0; l < t->locs; l++)
    if (x->writes[l] != 0 && x->order[l][x->writes[l] - 1] != y->order[l][y->writes[l] - 1]) return false;
  return true;
}

static bool collect_execution(void *ctx, const struct candidate *c, bool fresh) {
  struct asked *q = ctx;
  if (fresh && !judge_start(&q->a->heddle, q->t, c)) q->bad = true;
  if (q->bad) return false;
  const bool allowed = judge_allows(&q->a->heddle, q->t, c, NULL);
  for (size_t k = q->groups; k-- > 0;)
    if (same_list(&q->group[k].c, c, q->t)) {
      q->group[k].allowed |= allowed;
      return true;
    }
  if (q->groups == GROUPS_MAX || !array_room(&q->group, &q->room, q->groups + 1, sizeof *q->group)) {
    q->bad = true;
    return false;
  }
  q->group[q->groups++] = (struct group){*c, allowed};
  return true;
}

/* ---- an execution as a list ---- */

static void access_line(const struct test *t, const struct candidate *c, unsigned k, unsigned number, FILE *to) {
  const struct candidate_access *a = &c->access[k];
  const char *space = t->shared[a->loc] ? "shared:" : "";
  const unsigned at = 0x100u + 0x40u * a->loc;
  if (a->reads && a->writes)
    (void)fprintf(to, "atomic %u %u %s0x%x 4 0x%x 0x%x\n", a->thread, number, space, at, c->read[k], c->written[k]);
  else
    (void)fprintf(to, "%s %u %u %s0x%x 4 0x%x\n", a->reads ? "load" : "store", a->thread, number, space, at,
                  a->reads ? c->read[k] : c->written[k]);
}

static unsigned comers(const struct test *t, unsigned thread, const struct test_insn *i) {
  unsigned n = 0;
  for (unsigned k = 0; k < t->threads; k++)
    for (unsigned j = 0; t->thread[k].cta == t->thread[thread].cta && j < t->thread[k].insns; j++)
      if (t->thread[k].insn[j].kind == TEST_BAR && t->thread[k].insn[j].barrier == i->barrier) {
        n++;
        break;
      }
  return n;
}

/* What the machine executes for it (litmus_test.h). */
static void thread_lines(const struct test *t, const struct candidate *c, unsigned thread, unsigned *access, FILE *to) {
  static const char *const scope[] = {"cta", "gpu", "sys"};
  unsigned number = 1, uses[16] = {0};
  for (unsigned j = 0; j < t->thread[thread].insns; j++) {
    const struct test_insn *i = &t->thread[thread].insn[j];
    const uint8_t before = mapping_before(i), behind = mapping_behind(i, AS_IT_STANDS);
    if (i->kind == TEST_FENCE) {
      (void)fprintf(to, "fence %u %u sc %s\n", thread, number++, scope[behind]);
    } else if (i->kind == TEST_BAR) {
      (void)fprintf(to, "barrier %u %u %u %u %u cta%s\n", thread, number++, 16u * t->thread[thread].cta + i->barrier,
                    ++uses[i->barrier], comers(t, thread, i), i->arrives ? " arrive" : "");
    } else {
      if (before != MAPPING_NONE) (void)fprintf(to, "fence %u %u sc %s\n", thread, number++, scope[before]);
      access_line(t, c, (*access)++, number++, to);
      if (behind != MAPPING_NONE) (void)fprintf(to, "fence %u %u sc %s\n", thread, number++, scope[behind]);
    }
  }
}

static void list_text(const struct test *t, const struct candidate *c, FILE *to) {
  unsigned access = 0;
  (void)fprintf(to, "heddle-order-list 1\nstamps none\n");
  for (unsigned k = 0; k < t->threads; k++) (void)fprintf(to, "thread %u block %u\n", k, t->thread[k].cta);
  for (unsigned l = 0; l < t->locs; l++)
    if (!t->shared[l]) (void)fprintf(to, "memory 0x%x 4 0x%x\n", 0x100 + 0x40 * l, t->first[l]);
  for (unsigned k = 0; k < t->threads; k++) thread_lines(t, c, k, &access, to);
  for (unsigned l = 0; l < t->locs; l++)
    if (!t->shared[l])
      (void)fprintf(to, "final 0x%x 4 0x%x\n", 0x100 + 0x40 * l,
                    c->writes[l] == 0 ? t->first[l] : c->written[c->order[l][c->writes[l] - 1]]);
  (void)fprintf(to, "end\n");
}

static bool ask_list_judge(struct asked *q, const struct group *g) {
  struct agree *a = q->a;
  char text[LIST_TEXT] = "";
  struct order_result r;
  const struct order_options o = {0};
  FILE *to = fmemopen(text, sizeof text, "w");
  if (to == NULL) return false;
  list_text(q->t, &g->c, to);
  (void)fclose(to);
  FILE *f = fmemopen(text, strlen(text), "r");
  if (f == NULL) return false;
  const enum order_outcome outcome = order_check_list(f, "list", &o, &r);
  (void)fclose(f);
  a->lists++;
  a->holds += g->allowed;
  if (outcome == ORDER_UNDECIDED) {
    a->undecided++;
    return true;
  }
  if ((outcome == ORDER_HOLDS) == g->allowed && outcome <= ORDER_BROKEN) return true;
  if (outcome == ORDER_HOLDS && r.narrow != 0) {
    a->narrow++;
    return true;
  }
  a->differs = true;
  a->test = *q->t;
  a->allowed = g->allowed;
  a->list = strdup(text);
  (void)snprintf(a->judged, sizeof a->judged, "%s",
                 outcome == ORDER_HOLDS    ? "holds"
                 : outcome == ORDER_BROKEN ? order_axiom_name(r.axiom)
                                           : r.what);
  return false;
}

bool agree_test(struct agree *a, const struct test *t) {
  struct asked q = {.a = a, .t = t};
  a->heddle.kind = VIEW_HEDDLE;
  a->heddle.narrow = AS_IT_STANDS;
  a->programs++;
  candidate_each(t, collect_execution, &q);
  bool ok = !q.bad;
  for (size_t k = 0; ok && k < q.groups; k++) ok = ask_list_judge(&q, &q.group[k]);
  free(q.group);
  return ok;
}

static bool agree_program(void *ctx, const struct test *t) {
  return agree_test(ctx, t);
}

bool agree_programs(struct agree *a, const struct program_bounds *b) {
  (void)programs_each(b, agree_program, a);
  return !a->differs;
}

void agree_print(const struct agree *a, FILE *to) {
  test_print(&a->test, to);
  (void)fprintf(to, "the model %s this execution, the judge of lists says: %s\n%s", a->allowed ? "allows" : "forbids",
                a->judged, a->list == NULL ? "" : a->list);
}

void agree_clear(struct agree *a) {
  free(a->list);
  a->list = NULL;
}
