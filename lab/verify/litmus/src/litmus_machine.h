/* SPDX-License-Identifier: Apache-2.0
 *
 * A machine as the page on the memory model describes it, in every way in which it may run a test: SMs with an L1 each
 * that stores go through and that nobody keeps coherent, behind one point of order. What it can do is asked of the
 * model: a model that forbids it would be wrong of such a machine.
 *
 * An access passes its SM's L1 in program order. Stores, atomics and loads that are strong at GPU scope give the copy
 * up; other loads read it, join a fill that is under way, or ask for one. What is on its way takes effect in any order
 * but one: of an SM and a location first come, first served. Copies come (others ask for them) and go at any time.
 */
#ifndef LITMUS_MACHINE_H
#define LITMUS_MACHINE_H

#include "lab/verify/litmus/src/litmus_judge.h"

/* What MEMBAR and BAR wait for. */
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
