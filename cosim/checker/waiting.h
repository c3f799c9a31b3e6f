/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside checker/ only: who waits for what, a sentence each.
 */
#ifndef HEDDLE_CHECKER_WAITING_H
#define HEDDLE_CHECKER_WAITING_H

#include "cosim/checker/internal.h"

typedef void (*waiting_fn)(void *ctx, const char *sentence);

/* Everything that the warp, which stands at `s`, waits for. */
void waiting_each(const struct heddle_checker *c, const struct warp *w, const struct heddle_standing *s, waiting_fn say,
                  void *ctx);

/* The instruction at pc, or what is wrong with the pc. */
void waiting_instruction(const struct heddle_checker *c, uint32_t pc, char *buf, size_t bytes);

/* What the entry still owes, in a few words, each with a space before it. */
void owed_text(const struct entry *e, char *buf, size_t bytes);

#endif
