/* SPDX-License-Identifier: Apache-2.0
 *
 * A sanitizer for programs on the model (docs/sanitizer.md): an observer of the model that collects findings.
 *   race    race.h: accesses that nothing orders
 *   memory  accesses outside of permitted memory, to the byte; lanes with errors are skipped
 *   init    used values that were never written: the model's own marks (isa/doc/17-undefined.md)
 *   sync    checks.h: barriers and masks with missing lanes */
#ifndef HEDDLE_SANITIZE_H
#define HEDDLE_SANITIZE_H

#include <heddle/observer.h>
#include "run/sanitize/findings.h"

#define SANITIZE_GUARD 65536u /* bytes behind each buffer (job.guard) */

/* "race,init", "all": a bit per enum sanitize_check. False: a word that is none. */
bool sanitize_take(const char *text, unsigned *checks);

struct sanitizer;
/* NULL: no memory. */
struct sanitizer *sanitizer_new(unsigned checks, const struct job *job);
/* Gives the findings to the caller, settled. */
struct findings *sanitizer_end(struct sanitizer *s);

/* Before a launch: the model gets its observer. `slots`: warp slots of the model. */
bool sanitizer_launch(struct sanitizer *s, struct heddle_model *m, const struct heddle_launch *l, unsigned slots);
/* After it: what its end says. */
void sanitizer_launched(struct sanitizer *s, enum heddle_error end);

#endif
