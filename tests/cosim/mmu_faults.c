/* SPDX-License-Identifier: Apache-2.0
 *
 * Virtual memory in lockstep, scenario by scenario, on the machine `paged`: with --fault N the first one that finds the
 * planted fault ends the run (exit status 1).
 * usage: cosim_mmu_faults [--fault N] [SCENARIO]
 */
#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/cosim/mmu_scene.h"

static bool plays_clean(const struct scenario *s, unsigned fault) {
  static struct scene c;
  memset(&c, 0, sizeof c);
  c.fault = fault;
  c.report = fault == 0;
  s->play(&c);
  scene_close(&c);
  if (c.wrong[0] == 0) return true;
  if (fault != 0) printf("fault %u found: ", fault);
  printf("%s: %s\n", s->name, c.wrong);
  return false;
}

static bool read_number(const char *word, unsigned *n) {
  char *end = NULL;
  const unsigned long v = word != NULL && isdigit((unsigned char)word[0]) ? strtoul(word, &end, 10) : 0;
  *n = (unsigned)v;
  if (v != 0 && v <= UINT16_MAX && *end == '\0') return true;
  fprintf(stderr, "--fault %s: a number from 1 on\n", word != NULL ? word : "");
  return false;
}

int main(int argc, char **argv) {
  static const struct scenario *const all[] = {scenarios_of_tables, scenarios_of_waits, scenarios_of_launches,
                                               scenarios_of_queues};
  const char *only = NULL;
  unsigned fault = 0, played = 0;
  bool clean = true;
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "--fault") != 0)
      only = argv[i];
    else if (!read_number(argv[++i], &fault))
      return 2;
  }
  for (size_t k = 0; k < sizeof all / sizeof *all; k++)
    for (const struct scenario *s = all[k]; s->name != NULL && (clean || fault == 0); s++) {
      if (only != NULL && strcmp(only, s->name) != 0) continue;
      played++;
      clean = plays_clean(s, fault) && clean;
    }
  if (played == 0) fprintf(stderr, "no scenario %s\n", only);
  return played == 0 ? 2 : clean ? 0 : 1;
}
