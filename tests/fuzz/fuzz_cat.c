/* SPDX-License-Identifier: Apache-2.0
 *
 * Text as a model of memory (a cat file). What is refused has words and a line that is there. What is taken judges
 * executions: each the same way twice, whatever it was asked in between, and it names the check that an execution
 * breaks.
 */
#include <stdlib.h>
#include <string.h>

#include "base/splitmix64.h"
#include "tests/fuzz/fuzz.h"
#include "lab/verify/litmus/src/cat.h"

enum { EXECUTIONS = 4 };

/* Any sets and relations: no text may count on more than their size. Of one program: what is static is the same. */
static void executions(struct cat_execution x[EXECUTIONS], unsigned events, uint64_t seed) {
  for (unsigned k = 0; k < EXECUTIONS; k++) {
    x[k] = x[0];
    x[k].events = events;
    for (unsigned s = 0; k == 0 && s < CAT_SETS; s++) x[k].set[s] = (uint32_t)splitmix64(&seed) & events_all(events);
    for (unsigned r = k == 0 ? 0 : CAT_FIRST_DYNAMIC; r < CAT_RELATIONS; r++)
      for (unsigned a = 0; a < events; a++) {
        uint64_t row = splitmix64(&seed);
        row &= splitmix64(&seed);
        row &= splitmix64(&seed);
        x[k].relation[r].row[a] = (uint32_t)row & events_all(events);
      }
  }
}

static void judge(struct cat *c, unsigned events, uint64_t seed) {
  static struct cat_execution x[EXECUTIONS];
  const char *broken[EXECUTIONS], *again;
  bool allowed[EXECUTIONS];
  executions(x, events, seed);
  cat_program(c, &x[0]);
  for (unsigned k = 0; k < EXECUTIONS; k++) {
    broken[k] = NULL;
    allowed[k] = cat_allows(c, &x[k], &broken[k]);
    FUZZ_CHECK(allowed[k] || (broken[k] != NULL && broken[k][0] != '\0'), "a check without a name is broken");
  }
  for (unsigned k = EXECUTIONS; k-- > 0;) {
    FUZZ_CHECK(cat_allows(c, &x[k], &again) == allowed[k], "another answer the second time");
    FUZZ_CHECK(allowed[k] || strcmp(again, broken[k]) == 0, "another check is broken the second time");
  }
}

int fuzz_cat(const uint8_t *data, size_t size) {
  struct heddle_message m = {0};
  char *text = malloc(size + 1);
  FUZZ_CHECK(text != NULL, "no memory");
  if (size > 0) memcpy(text, data, size);
  text[size] = '\0';
  struct cat *c = cat_parse(text, "fuzz", NULL, 0, &m);
  unsigned lines = 1;
  for (const char *p = text; *p != '\0'; p++) lines += *p == '\n';
  FUZZ_CHECK(c != NULL || (m.text[0] != '\0' && m.line >= 1 && m.line <= lines),
             "refused without words, or line %u of %u", m.line, lines);
  if (c != NULL) {
    judge(c, 3, size);
    judge(c, EVENTS_MAX, size);
  }
  cat_free(c);
  free(text);
  return 0;
}
