/* SPDX-License-Identifier: Apache-2.0
 *
 * The table of docs/retire-port.md.
 */
#include "cosim/kit/conform/conform.h"
#include "cosim/kit/conform/set.h"

const struct conform_mistake *const conform_mistake_tables[] = {conform_mistakes_of_warps, conform_mistakes_of_blocks,
                                                                NULL};

void conform_mistakes(FILE *out) {
  fprintf(out, "| an adapter that | says at | profile | message | which is | instead |\n|---|---|---|---|---|---|\n");
  for (unsigned i = 0; conform_mistake_tables[i] != NULL; i++)
    for (const struct conform_mistake *m = conform_mistake_tables[i]; m->name != NULL; m++)
      fprintf(out, "| %s | %s | P%u | `%s` | %s | %s |\n", m->does, m->rule, m->profile,
              heddle_checker_kind_name(m->expect), heddle_checker_kind_what(m->expect), m->mend);
}
