/* SPDX-License-Identifier: Apache-2.0
 * The last step of a bring-up: random programs, of the laboratory. */
#include <inttypes.h>

#include "tools/board/bring.h"

#ifdef HEDDLE_LAB
#include "base/process.h"
#include "lab/fuzz/fuzz_case.h"

/* Small ones, and such as a board can run: its memory answers with no errors, its host does nothing beside. */
static void small(struct random_knobs *k) {
  static const char *const knobs[] = {"body.instructions=10..20", "block.small=100", "block.medium=0", "block.full=0",
                                      "grid.blocks=1..1",         "grid.fills=0",    "memory.edges=0", "launches=1..1",
                                      "program.host=0",           "program.traps=0"};
  random_knobs_default(k);
  for (size_t i = 0; i < sizeof knobs / sizeof *knobs; i++) (void)fuzz_knob(k, knobs[i]);
}

static bool try_program(struct bring *g, const struct random_knobs *knobs, uint64_t index, uint64_t *retired) {
  struct fuzz_case c = {.knobs = knobs, .index = index};
  struct fuzz_program whole = {0};
  struct fuzz_verdict v = {.status = RUN_BAD_INPUT};
  run_options_init(&c.run);
  c.run.on = ON_BOARD;
  c.run.board = g->o->name;
  c.run.board_base = g->b.id.memory_base;
  c.run.config = g->machine;
  c.run.config_name = g->machine->name;
  c.run.config_given = true;
  c.run.seed = g->o->seed;
  fuzz_case_options(&c.run, index);
  struct random_program *p = fuzz_case_program(&c);
  if (p && fuzz_program_init(&whole, p)) fuzz_judge(&c, &whole, true, &v);
  const bool ok =
      v.status == RUN_OK ||
      bring_blame(g, 1u << LAYER_CORE, "", "program %" PRIu64 " of seed %" PRIu64 ": %s", index, g->o->seed, v.why);
  *retired += v.retired;
  fuzz_verdict_clear(&v);
  fuzz_program_clear(&whole);
  random_program_free(p);
  return ok;
}

bool bring_campaign(struct bring *g) {
  struct random_knobs knobs;
  uint64_t programs = 0, retired = 0;
  const uint64_t until = (uint64_t)seconds_now() + g->o->campaign;
  const struct board_identity id = g->b.id;
  const int closed = board_close(&g->b); /* each program opens it anew */
  g->b.id = id;
  small(&knobs);
  if (closed != 0) return bring_blame(g, 1u << LAYER_COMMAND, "", "the simulated SDRAM saw a rule broken");
  do
    if (!try_program(g, &knobs, programs++, &retired)) return false;
  while ((uint64_t)seconds_now() < until);
  return bring_saw(g, "%" PRIu64 " random programs, %" PRIu64 " warp instructions, judged by the model", programs,
                   retired);
}
#else
bool bring_campaign(struct bring *g) {
  return bring_saw(g, "left out"); /* never called: bring_up.c leaves the step out */
}
#endif
