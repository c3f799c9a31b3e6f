/* SPDX-License-Identifier: Apache-2.0
 * Model and judge of lists, execution by execution. */
#include <stdlib.h>

#include "base/array.h"
#include "lab/verify/litmus/src/litmus_agree.h"
#include "lab/verify/oracle/order/order.h"

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

/* What the machine executes for it (litmus_mapping.h). */
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
