/* SPDX-License-Identifier: Apache-2.0
 * Shared by the words of heddle litmus. */
#ifndef HEDDLE_TOOLS_LITMUS_H
#define HEDDLE_TOOLS_LITMUS_H

#include "run/command/option.h"
#include "lab/verify/litmus/src/litmus_judge.h"

#define LITMUS_COUNT 2000u

extern const struct tool_option litmus_gen_options[], litmus_run_options[], litmus_check_options[],
    litmus_import_options[];
/* argv[0]: the word. */
int litmus_run(int argc, char **argv);
int litmus_check(int argc, char **argv);

/* cmd_litmus.c: the models; of heddle with changes, "NAME=EXPRESSION". False: said. */
struct litmus_models {
  struct cat *heddle, *ptx, *sc;
};
#define LITMUS_CHANGES 8u
bool litmus_models(struct litmus_models *m, const char *const *weaken, unsigned weakenings);
void litmus_models_free(struct litmus_models *m);
/* --narrow WORD (optarg); false: there is no such word. */
#define LITMUS_NARROW                                                                                                  \
  "at block scope WORD is to be MEMBAR.CTA, which empties no cache: ld.acquire, atom.acquire, atom.acq_rel, "          \
  "fence.acq_rel or fence.sc; may be given several times"
bool litmus_narrow(unsigned *narrow);
/* --part K/N (optarg): part is from 0. False: it is none. */
bool litmus_part(unsigned *part, unsigned *parts);
/* "P0:r0=1 x=2" */
void litmus_outcome_text(const struct test *t, const uint32_t *value, char *buf, size_t bytes);

#endif
