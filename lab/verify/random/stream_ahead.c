/* SPDX-License-Identifier: Apache-2.0
 * Directed stream, for programs that are meant to end with a bus error: what memory answers with an error is read ahead
 * and never issues, which raises nothing, and changes nothing for whoever comes there later. */
#include "lab/verify/random/streams.h"

#define E(...) random_emit(p, __VA_ARGS__)

enum { AT = REG_ADDRESS };

bool ahead_fits(const struct random_program *p) {
  return p->launch.error_bytes != 0 && p->launch.error_in != RANDOM_ERRORS_OUT &&
         p->launch.error_in != RANDOM_ERRORS_LOCAL;
}

/* Up to the words in error: who has P6 returns in front of them (random_write_tail), or where they begin. */
static void code(struct random_program *p, unsigned id, unsigned i) {
  E("ISETP.EQ.AND P6, PT, RZ, RZ, PT ;\nMOV R%u, ahead_%u_%u ;\nMOV R%u, RZ ;\n", AT, i, id, AT + 1);
  E("CALL.REL tail_%u ;\nahead_%u_%u:\n", random_below(p, TAIL_BACK + TAIL_BACKS), i, id);
}

/* Behind a jump that is taken, but could be another one. */
static void constant_ahead(struct random_program *p, unsigned id, unsigned i) {
  const struct random_launch *l = &p->launch;
  const unsigned bank = l->error_in == RANDOM_ERRORS_BANK1 ? 1 : 2, d = random_data(p);
  const unsigned line = (unsigned)l->error_at / BANK_LINE * BANK_LINE, word = 4 * random_below(p, BANK_LINE / 4);
  E("ISETP.EQ.AND P6, PT, RZ, RZ, PT ;\n@P6 BRA ahead_%u_%u ;\n", i, id);
  E("IADD3 R%u, R%u, c[0x%x][0x%x], RZ ;\nahead_%u_%u:\n", d, d, bank, line + word, i, id);
}

void stream_ahead(struct random_program *p, const struct node *n) {
  for (unsigned i = 0; i < 3; i++) {
    if (p->launch.error_in == RANDOM_ERRORS_CODE)
      code(p, n->id, i);
    else
      constant_ahead(p, n->id, i);
  }
}
