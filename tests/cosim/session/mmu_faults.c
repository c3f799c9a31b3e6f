/* SPDX-License-Identifier: Apache-2.0
 *
 * Virtual memory in lockstep, scenario by scenario, on the machine `paged`. With --fault N the first one that finds the
 * planted fault ends the run (exit status 1). --list FILE: each scenario of the list finds its fault, and says so as it
 * is written there.
 * usage: cosim_mmu_faults [--fault N] [SCENARIO] | --list FILE
 */
#include <ctype.h>
#include <regex.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/cosim/session/mmu_scene.h"

static const struct scenario *const all[] = {scenarios_of_tables, scenarios_of_waits, scenarios_of_launches,
                                             scenarios_of_queues};

/* What went wrong; "": nothing. Until the next one plays. */
static const char *play(const struct scenario *s, unsigned fault) {
  static struct scene c;
  memset(&c, 0, sizeof c);
  c.fault = fault;
  c.report = fault == 0;
  s->play(&c);
  scene_close(&c);
  return c.wrong;
}

static const struct scenario *find(const char *name) {
  for (size_t k = 0; k < sizeof all / sizeof *all; k++)
    for (const struct scenario *s = all[k]; s->name != NULL; s++)
      if (strcmp(name, s->name) == 0) return s;
  return NULL;
}

static bool matches(const char *text, const char *pattern) {
  char anchored[512];
  regex_t r;
  (void)snprintf(anchored, sizeof anchored, "^(%s)", pattern);
  if (regcomp(&r, anchored, REG_EXTENDED | REG_NOSUB) != 0) return false;
  const bool is = regexec(&r, text, 0, NULL, 0) == 0;
  regfree(&r);
  return is;
}

/* "NUMBER SCENARIO REASON" */
static bool finds(char *line) {
  char name[64];
  unsigned fault;
  int reason = 0;
  line[strcspn(line, "\n")] = '\0';
  const bool well = sscanf(line, "%u %63s %n", &fault, name, &reason) == 2 && fault != 0 && line[reason] != '\0';
  const struct scenario *s = well ? find(name) : NULL;
  const char *wrong = s != NULL ? play(s, fault) : "there is no such scenario";
  if (s != NULL && matches(wrong, line + reason)) return true;
  printf("not found as it is written: %s\n  but: %s\n", line, wrong);
  return false;
}

static int find_listed(const char *path) {
  char line[512];
  unsigned n = 0, found = 0;
  FILE *f = fopen(path, "r");
  while (f != NULL && fgets(line, sizeof line, f) != NULL)
    if (line[0] != '#') n++, found += finds(line);
  if (f == NULL || fclose(f) != 0) fprintf(stderr, "%s: cannot be read\n", path);
  printf("%u of %u faults found\n", found, n);
  return f == NULL ? 2 : n > 0 && found == n ? 0 : 1;
}

static bool plays_clean(const struct scenario *s, unsigned fault) {
  const char *wrong = play(s, fault);
  if (wrong[0] == 0) return true;
  if (fault != 0) printf("fault %u found: ", fault);
  printf("%s: %s\n", s->name, wrong);
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
  const char *only = NULL;
  unsigned fault = 0, played = 0;
  bool clean = true;
  if (argc == 3 && strcmp(argv[1], "--list") == 0) return find_listed(argv[2]);
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
