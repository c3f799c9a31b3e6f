/* SPDX-License-Identifier: Apache-2.0
 * heddle litmus check: the models against each other, and against the judge of lists, over all small programs. */
#include "lab/litmus/litmus.h"

#include <jansson.h>

#include "lab/verify/litmus/src/litmus_judge.h"
#include "lab/verify/litmus/src/litmus_programs.h"
#include "run/command/json_out.h"

const struct tool_option litmus_check_options[] = {
    {"events", "N", "programs of 1 to N events (default 3; at most 6)", 'e', NULL},
    {"threads", "N", "most threads (default 4)", 't', NULL},
    {"locations", "N", "most locations (default 2)", 'l', NULL},
    {"blocks", "N", "most blocks (default 4; with --agree 2)", 'b', NULL},
    {"words", "WHICH",
     "full (default): every order of every access, at both scopes; small: fewer of them; plain: weak and strong "
     "accesses, MEMBAR, BAR",
     'w', "full small plain"},
    {"part", "K/N", "of what there is every Nth, from the Kth on", 'p', NULL},
    {"from", "N", "leave the first N programs of each number of events out", 'F', NULL},
    {"agree", NULL, "instead: is each execution judged by 'heddle order' as the model has it", 'a', NULL},
    {"machine", "RULE",
     "instead: all that a machine of an SM for each block can do with the files, or with --first N made tests, against "
     "Heddle's model; MEMBAR and BAR wait until accesses are performed, or (as the L1 of today) have passed the cache",
     'm', "performed passed"},
    {"one-sm", NULL, "of --machine: all blocks on one SM", '1', NULL},
    {"in-order", NULL, "of --machine: an SM's accesses take effect in the order in which they passed its L1", 'o',
     NULL},
    {"first", "N", "of --machine: so many of the tests that gen makes", 'f', NULL},
    {"weaken", "NAME=EXPRESSION", "what heddle.cat defines as NAME is to be this; may be given several times", 'W',
     NULL},
    {"narrow", "WORD", LITMUS_NARROW, 'N', NULL},
    {0}};

struct request {
  struct program_bounds b;
  uint64_t events;
  bool agree, blocks_given, machine;
  struct machine_options how;
  unsigned first;
  const char *json, *weaken[LITMUS_CHANGES];
  unsigned weakenings, narrow;
  struct litmus_models models;
  json_t *rows;
};

static int refuted(const struct inclusion *i) {
  inclusion_print(i, stdout);
  printf("refuted: Heddle's model allows it, PTX forbids it by %s\n", i->axiom == NULL ? "(too large)" : i->axiom);
  return TOOL_DIFFERENCE;
}

static int include(struct request *q) {
  for (q->b.events = 1; q->b.events <= q->events; q->b.events++) {
    struct inclusion i = {.heddle = {.model = q->models.heddle, .narrow = q->narrow}, .ptx.model = q->models.ptx};
    const bool ok = inclusion_programs(&i, &q->b);
    printf("%u events: %llu programs, %llu candidate executions, %llu by Heddle's model, %llu of these by PTX's\n",
           q->b.events, (unsigned long long)i.programs, (unsigned long long)i.candidates,
           (unsigned long long)i.by_heddle, (unsigned long long)i.by_ptx);
    json_array_append_new(q->rows, json_pack("{s:i, s:I, s:I, s:I, s:I}", "events", (int)q->b.events, "programs",
                                             (json_int_t)i.programs, "candidates", (json_int_t)i.candidates, "heddle",
                                             (json_int_t)i.by_heddle, "ptx", (json_int_t)i.by_ptx));
    (void)fflush(stdout);
    if (ok) continue;
    return refuted(&i);
  }
  printf("included: whatever Heddle's model allows of them, PTX allows\n");
  return TOOL_OK;
}

/* Of files instead of all programs. */
static int files(struct request *q, char **file, int n) {
  for (int k = 0; k < n; k++) {
    struct inclusion i = {.heddle = {.model = q->models.heddle, .narrow = q->narrow}, .ptx.model = q->models.ptx};
    struct agree a = {.heddle.model = q->models.heddle};
    struct test t;
    struct condition c;
    struct heddle_message m;
    if (!read_test_file(file[k], &t, &c, &m)) {
      tool_message(NULL, &m);
      return TOOL_USAGE;
    }
    if (q->agree && test_has(&t, TEST_LAUNCH))
      return tool_usage("litmus", "--agree: %s has two launches, and a list has one", t.name);
    if (!q->agree && !inclusion_test(&i, &t)) return refuted(&i);
    const bool ok = !q->agree || agree_test(&a, &t);
    if (!ok) agree_print(&a, stdout);
    agree_clear(&a);
    if (!ok) return TOOL_DIFFERENCE;
    printf("%s: %s\n", t.name, q->agree ? "agreed" : "included");
  }
  return TOOL_OK;
}

struct machine_sum {
  unsigned tests, left_out, refuted;
  uint64_t outcomes, weak, allowed, states;
};

/* Allowed outcomes that one order of all accesses does not explain. */
static unsigned weak_of(const struct outcomes *o, const struct outcomes *sc) {
  unsigned n = 0;
  for (unsigned k = 0; k < o->count; k++) n += !outcomes_has(sc, o->value[k]);
  return n;
}

static bool machine_test(const struct request *q, const struct test *t, bool says, struct machine_sum *sum) {
  struct outcomes o, sc = {0};
  struct machine_options how = q->how;
  struct machine_result r = {0};
  char text[640];
  how.sc = &sc;
  const bool ok = judge_outcomes(q->models.heddle, VIEW_HEDDLE, 0, t, &o) &&
                  judge_outcomes(q->models.sc, VIEW_HEDDLE, 0, t, &sc) && machine_run(t, &how, &o, &r);
  if (!ok) {
    sum->left_out++;
  } else {
    sum->tests++;
    sum->outcomes += r.outcomes;
    sum->weak += r.weak;
    sum->allowed += o.count;
    sum->states += r.states;
  }
  if (ok && r.forbidden != 0 && sum->refuted++ == 0) {
    litmus_outcome_text(t, r.first, text, sizeof text);
    test_print(t, stdout);
    printf("the machine can end with %s, which the model forbids\n", text);
  }
  if (ok && says)
    printf("%s: %u of %u allowed outcomes, weak %u of %u\n", t->name, r.outcomes, o.count, r.weak, weak_of(&o, &sc));
  outcomes_free(&o);
  outcomes_free(&sc);
  return ok;
}

static int machine(struct request *q, char **file, int n) {
  struct machine_sum sum = {0};
  struct test t;
  bool ok = true;
  for (int k = 0; ok && k < n; k++) {
    struct condition c;
    struct heddle_message m;
    ok = read_test_file(file[k], &t, &c, &m);
    if (ok)
      (void)machine_test(q, &t, true, &sum);
    else
      tool_message(NULL, &m);
  }
  struct cycles *y = cycles_new(1);
  for (unsigned k = 0; ok && k < q->first; k++) {
    ok = y != NULL && cycles_next(y, &t);
    if (ok) (void)machine_test(q, &t, false, &sum);
  }
  cycles_free(y);
  if (!ok) return TOOL_USAGE;
  printf("%u tests, %u can end as the model forbids; %llu of %llu allowed outcomes are reached, %llu of them weak; "
         "%llu states; left out, for shared memory, a second launch or their size: %u\n",
         sum.tests, sum.refuted, (unsigned long long)sum.outcomes, (unsigned long long)sum.allowed,
         (unsigned long long)sum.weak, (unsigned long long)sum.states, sum.left_out);
  json_array_append_new(q->rows, json_pack("{s:i, s:i, s:i, s:I, s:I}", "tests", (int)sum.tests, "refuted",
                                           (int)sum.refuted, "left_out", (int)sum.left_out, "outcomes",
                                           (json_int_t)sum.outcomes, "allowed", (json_int_t)sum.allowed));
  if (sum.tests == 0) {
    tool_error("no test was left that the machine can run");
    return TOOL_LIMIT;
  }
  return sum.refuted == 0 ? TOOL_OK : TOOL_DIFFERENCE;
}

static int agree(struct request *q) {
  for (q->b.events = 1; q->b.events <= q->events; q->b.events++) {
    struct agree a = {.heddle.model = q->models.heddle};
    const bool ok = agree_programs(&a, &q->b);
    printf("%u events: %llu programs, %llu lists, of which %llu hold; forbidden but not judged (scope): %llu; "
           "not judged: %llu\n",
           q->b.events, (unsigned long long)a.programs, (unsigned long long)a.lists, (unsigned long long)a.holds,
           (unsigned long long)a.narrow, (unsigned long long)a.undecided);
    json_array_append_new(q->rows,
                          json_pack("{s:i, s:I, s:I, s:I, s:I, s:I}", "events", (int)q->b.events, "programs",
                                    (json_int_t)a.programs, "lists", (json_int_t)a.lists, "holds", (json_int_t)a.holds,
                                    "narrow", (json_int_t)a.narrow, "not_judged", (json_int_t)a.undecided));
    (void)fflush(stdout);
    if (!ok) agree_print(&a, stdout);
    agree_clear(&a);
    if (!ok) return TOOL_DIFFERENCE;
  }
  printf("agreed: on every list that is judged, with all its fences\n");
  return TOOL_OK;
}

static bool take_words(struct request *q, const char *text) {
  static const char *const word[] = {"full", "small", "plain"};
  for (unsigned k = 0; k < 3; k++)
    if (strcmp(text, word[k]) == 0) {
      q->b.vocabulary = (enum vocabulary)k;
      return true;
    }
  return false;
}

static bool take_number(unsigned *to, unsigned most) {
  uint64_t n;
  if (!tool_number(optarg, most, &n) || n == 0) return false;
  *to = (unsigned)n;
  return true;
}

static bool take_check_option(struct request *q, int o) {
  unsigned events;
  switch (o) {
  case 'j':
    q->json = json_out_take(optarg);
    return true;
  case 'a':
    q->agree = true;
    return true;
  case 'm':
    q->machine = true;
    q->how.rule = strcmp(optarg, "passed") == 0 ? MACHINE_PASSED : MACHINE_PERFORMED;
    return q->how.rule == MACHINE_PASSED || strcmp(optarg, "performed") == 0;
  case '1':
    q->how.one_sm = true;
    return true;
  case 'F':
    return tool_number(optarg, UINT64_MAX, &q->b.from);
  case 'o':
    q->how.in_order = true;
    return true;
  case 'f':
    return take_number(&q->first, 100000);
  case 'e':
    if (!take_number(&events, PROGRAM_EVENTS)) return false;
    q->events = events;
    return true;
  case 't':
    return take_number(&q->b.threads, TEST_THREADS);
  case 'l':
    return take_number(&q->b.locs, TEST_LOCS);
  case 'b':
    q->blocks_given = true;
    return take_number(&q->b.ctas, TEST_THREADS);
  case 'w':
    return take_words(q, optarg);
  case 'p':
    return litmus_part(&q->b.part, &q->b.parts);
  case 'N':
    return litmus_narrow(&q->narrow);
  case 'W':
    if (q->weakenings == LITMUS_CHANGES) return false;
    q->weaken[q->weakenings++] = optarg;
    return true;
  default:
    return false;
  }
}

int litmus_check(int argc, char **argv) {
  static const struct tool_group groups[] = {{NULL, litmus_check_options}, {NULL, litmus_import_options}, {0}};
  struct request q = {.b = {.threads = 4, .locs = 2, .ctas = 4}, .events = 3};
  for (int o; (o = tool_option_next("litmus", groups, argc, argv)) != -1;)
    if (!take_check_option(&q, o)) return tool_option_bad("litmus", groups, o);
  if (q.narrow != 0 && (q.agree || q.machine)) return tool_usage("litmus", "--narrow: of inclusion alone");
  if (q.agree && !q.blocks_given) q.b.ctas = 2;
  if (!litmus_models(&q.models, q.weaken, q.weakenings)) return TOOL_USAGE;
  q.rows = json_array();
  const int status = q.machine       ? machine(&q, argv + optind, argc - optind)
                     : optind < argc ? files(&q, argv + optind, argc - optind)
                                     : (q.agree ? agree : include)(&q);
  litmus_models_free(&q.models);
  if (q.json == NULL) json_decref(q.rows);
  if (q.json != NULL && !json_out_dump(q.json, json_pack("{s:o}", "rows", q.rows))) return TOOL_USAGE;
  return status;
}
