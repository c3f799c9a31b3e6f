/* SPDX-License-Identifier: Apache-2.0 */
#include "shrink.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <heddle/asm.h>
#include "tests/isa/lint/campaign/trial.h"
#include "tests/isa/lint/campaign/weakening.h"

enum { INSNS_MOST = 50000000 };

static struct heddle_isa_word breakpoint(void) {
  static const char text[] = ".kernel k\n BPT.TRAP ;\n.end\n";
  const struct heddle_asm_options o = {.size = sizeof o, .message = NULL, .long_words = true};
  struct heddle_program *p = heddle_assemble(text, sizeof text - 1, "breakpoint", &o);
  const struct heddle_isa_word w = p ? heddle_program_word(p, 0) : (struct heddle_isa_word){0, 0};
  heddle_program_free(p);
  return w;
}

/* Does any lane execute the instruction at pc? A breakpoint with its guard says so. A branch need only be met: where it
 * leads is asked of what stands there. */
static bool executes(const struct subject *s, uint32_t pc, struct heddle_isa_word bpt) {
  struct heddle_isa_dec d;
  struct trial t;
  const struct heddle_isa_word was = heddle_program_word(s->program, pc);
  if (!heddle_isa_decode(was, &d)) return false;
  const bool met = d.uniform || d.unit == ISA_UNIT_BR;
  heddle_isa_word_store(s->program->code + pc,
                        met ? bpt : heddle_isa_put(bpt, ISA_F_PG, heddle_isa_get(was, ISA_F_PG)));
  trial_run(s, NULL, 0, INSNS_MOST, NULL, &t);
  heddle_isa_word_store(s->program->code + pc, was);
  return t.end == TRIAL_TRAP && t.trap.cause == HEDDLE_TRAP_BREAKPOINT;
}

static unsigned reach(const struct subject *s, bool *reached) {
  const struct heddle_isa_word bpt = breakpoint();
  const uint32_t n = s->program->code_bytes / ISA_WORD_BYTES;
  unsigned idle = 0;
  for (uint32_t i = 0; i < n; i++) {
    reached[i] = executes(s, i * ISA_WORD_BYTES, bpt);
    idle += !reached[i];
  }
  return idle;
}

/* All that is reached in the whole case is reached in this one too. */
static bool reaches(const struct subject *s, const bool *reached) {
  const struct heddle_isa_word bpt = breakpoint();
  for (uint32_t i = 0; i < s->program->code_bytes / ISA_WORD_BYTES; i++)
    if (reached[i] && !executes(s, i * ISA_WORD_BYTES, bpt)) return false;
  return true;
}

static void cut(struct kernel_case *c, const struct kernel_launch *whole, const uint32_t most[3]) {
  for (unsigned l = 0; l < c->launches; l++)
    for (unsigned d = 0; d < 3; d++) {
      const uint32_t n = whole[l].grid[d];
      c->launch[l].grid[d] = n < most[d] ? n : most[d];
    }
}

static bool on_model(struct subject *s, bool keep, char *why, size_t size) {
  struct trial t;
  trial_run(s, NULL, 0, INSNS_MOST, keep ? &s->c : NULL, &t);
  if (t.end != TRIAL_RIGHT) snprintf(why, size, "on the model: %s: %.200s", trial_end_name(t.end), t.why);
  return t.end == TRIAL_RIGHT;
}

bool shrink_case(struct subject *s, bool *reached, unsigned *idle, char *why, size_t size) {
  static const uint32_t most[][3] = {{1, 1, 1}, {2, 1, 1}, {1, 2, 1}, {2, 2, 1}, {4, 1, 1}, {4, 4, 1}};
  struct kernel_launch *whole = calloc(KERNEL_LAUNCHES, sizeof *whole);
  if (!whole) return false;
  memcpy(whole, s->c.launch, sizeof s->c.launch);
  bool ok = on_model(s, s->model_expects, why, size);
  *idle = ok ? reach(s, reached) : 0;
  for (size_t i = 0; i < sizeof most / sizeof *most && ok; i++) {
    cut(&s->c, whole, most[i]);
    if (reaches(s, reached) && on_model(s, true, why, size)) break;
    memcpy(s->c.launch, whole, sizeof s->c.launch);
  }
  free(whole);
  return ok;
}
