/* SPDX-License-Identifier: Apache-2.0
 *
 * Coverage databases as seeds: one of `tiny` without bins, one with the first, the middle and the last of each group.
 * usage: fuzz_make_coverage DIR
 */
#include <stdlib.h>
#include <string.h>

#include "lab/verify/coverage/cov.h"

static void die(const char *what) {
  fprintf(stderr, "fuzz_make_coverage: %s\n", what);
  exit(1);
}

static void add_bins(const struct cov *c, const char *group, FILE *f) {
  char name[COV_BIN_BYTES];
  const unsigned g = cov_group_find(c, group);
  if (g == cov_groups(c)) die(group);
  const uint32_t bins = cov_bins(c, g), bin[] = {0, bins / 2, bins - 1};
  for (unsigned i = 0; i < 3 && bins > 2; i++) fprintf(f, "%u %s\n", i + 1, cov_bin_name(c, g, bin[i], name));
}

int main(int argc, char **argv) {
  char empty[1024], some[1024], line[512], group[32], err[512] = "no configuration 'tiny', or no memory";
  if (argc != 2) return 2;
  snprintf(empty, sizeof empty, "%s/empty", argv[1]);
  snprintf(some, sizeof some, "%s/some", argv[1]);
  const struct heddle_config *tiny = heddle_config_find("tiny");
  struct cov *c = tiny ? cov_new(tiny) : NULL;
  if (!c || !cov_write(c, empty, err, sizeof err)) die(err);
  FILE *from = fopen(empty, "r"), *to = fopen(some, "w");
  if (!from || !to) die(some);
  while (fgets(line, sizeof line, from)) {
    fputs(line, to);
    if (sscanf(line, "group %31s", group) == 1) add_bins(c, group, to);
  }
  if (fclose(from) != 0 || fclose(to) != 0) die(some);
  cov_free(c);
  return 0;
}
