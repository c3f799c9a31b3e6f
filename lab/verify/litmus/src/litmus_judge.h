/* SPDX-License-Identifier: Apache-2.0
 *
 * A model applied to the executions of a test: each candidate, or which outcomes there are.
 */
#ifndef LITMUS_JUDGE_H
#define LITMUS_JUDGE_H

#include <heddle/program.h>
#include "lab/verify/litmus/src/litmus_candidate.h"
#include "lab/verify/litmus/src/litmus_programs.h"

struct judge { /* one model over one test */
  struct cat *model;
  enum view_kind kind;
  unsigned narrow; /* litmus_test.h */
  struct view view;
};

#define OUTCOMES_MAX 4096u
struct outcomes {
  unsigned width, count;
  uint32_t (*value)[OUTCOME_MAX]; /* sorted; each once */
  uint64_t candidates, allowed;
  bool too_many;
};
/* All that the model allows. False: no memory, too many events or outcomes. */
bool judge_outcomes(struct cat *model, enum view_kind kind, unsigned narrow, const struct test *t, struct outcomes *o);
bool outcomes_has(const struct outcomes *o, const uint32_t *value);
void outcomes_free(struct outcomes *o);

/* Litmus files: the form of Dat3M's for PTX, so far as it is straight code over words of memory, and what test_print
 * adds to it. Everything else is refused by file, line and column. */

enum condition_kind { CONDITION_NONE, CONDITION_EXISTS, CONDITION_NEVER, CONDITION_ALWAYS };
enum condition_op { COND_EQUAL, COND_DIFFERENT, COND_AND, COND_OR, COND_NOT, COND_TRUE };

#define CONDITION_NODES 128u
struct condition { /* of an outcome, at the end of a file */
  enum condition_kind kind;
  struct condition_node {
    uint8_t op;
    uint16_t a, b; /* EQUAL, DIFFERENT: values of an outcome; or constants, from 0x8000 on: index of constant */
  } node[CONDITION_NODES];
  uint32_t constant[CONDITION_NODES];
  unsigned nodes, constants;
  uint16_t top;
};

/* False: *m says where and what. */
bool read_test(const char *text, const char *path, struct test *t, struct condition *c, struct heddle_message *m);
bool read_test_file(const char *path, struct test *t, struct condition *c, struct heddle_message *m);

/* The file's condition on all outcomes holds. exists: one fulfils it; never (~exists): none; always (forall): all. */
bool condition_true(const struct condition *c, const struct outcomes *o);

/* Is one model at least as strong as the other: whatever Heddle's allows of a program, PTX's allows. */

struct inclusion {
  struct judge heddle, ptx;
  uint64_t programs, candidates, by_heddle, by_ptx; /* by_ptx: of those that Heddle's allows */
  bool broken;
  struct test test; /* the counterexample */
  struct candidate candidate;
  const char *axiom; /* of PTX, that it breaks */
};

/* False: a counterexample, or the test is too large (axiom is NULL then). */
bool inclusion_test(struct inclusion *i, const struct test *t);
/* All programs of b->events events. False: a counterexample. */
bool inclusion_programs(struct inclusion *i, const struct program_bounds *b);
/* The counterexample as a litmus test with its outcome, and its reads-from. */
void inclusion_print(const struct inclusion *i, FILE *to);

/* Heddle's model against the judge of lists, `heddle order`: each execution, as a list of accesses without stamps,
 * must be judged as the model has it. A list says what was read and what memory holds at the end, not in which order
 * writes came between: it holds if the model allows one such order. */

struct agree {
  struct judge heddle;
  uint64_t programs, lists, holds; /* holds: of these the model allows */
  uint64_t narrow; /* lists with a fence that is not judged, for bytes of other blocks: the judge let pass what the
                      model forbids: docs/order-list.md */
  uint64_t undecided;
  bool differs;
  struct test test; /* where they do */
  char *list;       /* as written; owned */
  bool allowed;     /* by the model */
  char judged[64];  /* by the judge */
};

/* False: they differ, or there is no memory. */
bool agree_test(struct agree *a, const struct test *t);
bool agree_programs(struct agree *a, const struct program_bounds *b);
void agree_print(const struct agree *a, FILE *to);
void agree_clear(struct agree *a);

/* A machine as the page on the memory model describes it, in every way in which it may run a test. Its SMs have an L1
 * each, written through and not coherent, before one point of order. The model must allow all that it can do: a model
 * that forbids it would be wrong of such a machine.
 *
 * An access passes its SM's L1 in program order. Stores, atomics and loads that are strong at GPU scope invalidate the
 * copy; other loads read it, join a fill that is under way, or request one. Requests take effect in any order but one:
 * those of one SM to one location in order. Copies come (by fills of others) and are evicted at any time. */

/* Events for which MEMBAR and BAR wait. */
enum machine_rule {
  MACHINE_PERFORMED, /* of any scope: the thread's own accesses have taken effect */
  MACHINE_PASSED     /* MEMBAR.CTA, BAR: nothing; MEMBAR.GPU: its own accesses, and stores and atomics that have passed
                        its SM's L1, of any thread */
};

struct machine_options {
  enum machine_rule rule;
  bool one_sm;   /* all blocks on it; else each its own */
  bool in_order; /* of an SM all that is on its way takes effect in the order in which it passed: its way to the banks
                    is one queue, and each place belongs to one bank */
  const struct outcomes *sc; /* NULL, or what is no weak outcome */
};

struct machine_result {
  uint64_t states;
  unsigned outcomes, forbidden; /* that it can reach; of these the model forbids */
  unsigned weak;                /* and are not among sc */
  uint32_t first[OUTCOME_MAX];  /* forbidden one */
};

#define MACHINE_STATES (1u << 22)
/* Every outcome against `allowed`. False: no memory, more than MACHINE_STATES states, or a test that it cannot run. */
bool machine_run(const struct test *t, const struct machine_options *o, const struct outcomes *allowed,
                 struct machine_result *r);

#endif
